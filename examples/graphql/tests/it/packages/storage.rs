//! What the database keeps, and how it fails.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use graphql_example::packages::{Database, PackageId, Packages};
use serde_json::json;

use super::{TWINS, data, error, loaders, lock_file, runtime, twins, workspace};

#[test]
fn a_database_in_a_file_is_there_the_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("packages.db");
    let query = "{ packages { name version dependencies { id } } }";

    let database = Database::open(&path).unwrap();
    assert!(database.is_empty().unwrap());
    database.import(&lock_file(folder.path(), TWINS)).unwrap();
    let packages = loaders(&database);
    data(
        &packages,
        r#"mutation { updatePackage(name: "lib", to: "7.0.0") { id } }"#,
    );
    let written = data(&packages, query);
    drop((database, packages));

    let database = Database::open(&path).unwrap();
    assert!(!database.is_empty().unwrap());
    assert_eq!(data(&loaders(&database), query), written);
    assert!(written.to_string().contains("7.0.0"));
}

#[test]
fn an_import_replaces_all_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let query = "{ packages { name version dependencies { id } } }";
    let database = workspace();
    let twins = lock_file(folder.path(), TWINS);
    database.import(&twins).unwrap();
    let replaced = data(&loaders(&database), query);
    assert_eq!(replaced["packages"].as_array().unwrap().len(), 5);

    let broken = lock_file(
        folder.path(),
        &TWINS.replace("\"twin 2.0.0\"", "\"gone 2.0.0\""),
    );
    let error = database.import(&broken).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the lock file lacks `gone 2.0.0`, on which others depend"
    );
    assert_eq!(data(&loaders(&database), query), replaced);
}

#[test]
fn a_database_of_something_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.db");
    let other = rusqlite::Connection::open(&path).unwrap();
    other
        .execute_batch("CREATE TABLE packages (precious)")
        .unwrap();
    drop(other);
    let before = fs::read(&path).unwrap();

    let error = Database::open(&path).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("is a database of something else"),
        "{error}"
    );
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn that_the_database_failed_is_not_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("packages.db");
    let database = Database::open(&path).unwrap();
    database.import(&lock_file(folder.path(), TWINS)).unwrap();
    let packages = loaders(&database);
    let query = r#"{ package(name: "lib") { dependencies { name } } }"#;

    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let (message, path) = error(&packages, query);
    assert_eq!(message, "the database is locked by another process");
    assert_eq!(path, json!(["package"]));

    let lists = "{ packages { dependencies { name } } }";
    other.execute_batch("ROLLBACK").unwrap();
    data(&packages, "{ packages { name } }");
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    // The errors are many, and all but the first of no use to the request.
    error(&packages, lists);

    other.execute_batch("ROLLBACK").unwrap();
    data(&packages, lists);
    let names = json!([{ "name": "twin" }, { "name": "twin" }]);
    assert_eq!(
        data(&packages, query),
        json!({ "package": { "dependencies": names } })
    );
}

#[test]
fn that_a_job_panicked_is_not_remembered() {
    let panics = AtomicBool::new(true);
    let packages = Packages::new(twins(), move |_| {
        assert!(!panics.swap(false, Ordering::SeqCst), "no progress");
    });
    let query = "{ packages(first: 1) { name } }";
    let (message, path) = error(&packages, query);
    assert_eq!(message, "the batch function panicked: no progress");
    assert_eq!(path, json!(["packages"]));
    assert_eq!(
        data(&packages, query),
        json!({ "packages": [{ "name": "app" }] })
    );
}

#[test]
fn that_the_runtime_ended_is_not_remembered() {
    let packages = loaders(&twins());
    let load = packages.packages.load(PackageId(1)).into_future();
    let ended = runtime().handle().clone();
    let error = {
        let _entered = ended.enter();
        pollster::block_on(load).unwrap_err()
    };
    assert_eq!(
        error.to_string(),
        "the runtime ended before the database was asked"
    );

    let again = packages.packages.load(PackageId(1)).into_future();
    assert_eq!(&*runtime().block_on(again).unwrap().name, "app");
}

/// Else the write would fail at once if another process is about to write, for what was read could
/// have changed when that is done.
#[test]
fn an_update_waits_for_others_before_it_reads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("packages.db");
    let database = Database::open(&path).unwrap();
    database.import(&lock_file(folder.path(), TWINS)).unwrap();
    let packages = loaders(&database);
    let query = r#"mutation { updatePackage(name: "none", to: "1.0.0") { id } }"#;

    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (message, _) = error(&packages, query);
    assert_eq!(message, "the database is locked by another process");

    other.execute_batch("ROLLBACK").unwrap();
    let (message, _) = error(&packages, query);
    assert_eq!(message, "there is no package `none`");
}
