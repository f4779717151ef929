//! The service: what it answers, how few batches that takes, and that nothing it remembers is stale.

mod answers;
mod batches;
mod storage;
mod updates;

use std::fs;
use std::path::Path;

use graphql_example::executor::{Request, execute, execute_sync};
use graphql_example::packages::{Database, LockFile, Packages, schema};
use serde_json::{Value, from_slice};
use tokio::runtime::{Builder, Runtime};

/// The lock file of this workspace.
const LOCK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock");

/// In this lock file the packages `twin 1.0.0` differ only in where they come from.
const TWINS: &str = r#"
version = 4

[[package]]
name = "app"
version = "0.1.0"
dependencies = [
 "lib",
 "twin 1.0.0 (git+https://example.org/twin)",
]

[[package]]
name = "lib"
version = "0.2.0"
dependencies = ["twin 1.0.0 (registry+https://example.org/index)", "twin 2.0.0"]

[[package]]
name = "twin"
version = "1.0.0"
source = "git+https://example.org/twin#0123456789012345678901234567890123456789"

[[package]]
name = "twin"
version = "1.0.0"
source = "registry+https://example.org/index"

[[package]]
name = "twin"
version = "2.0.0"
source = "registry+https://example.org/index"
checksum = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
"#;

/// What is said of `twin` without a version.
const AMBIGUOUS: &str = "`twin` is ambiguous, there are the versions \
    1.0.0 (git+https://example.org/twin#0123456789012345678901234567890123456789), \
    1.0.0 (registry+https://example.org/index), 2.0.0";

fn workspace() -> Database {
    let database = Database::in_memory().unwrap();
    database
        .import(&LockFile::read(LOCK.as_ref()).unwrap())
        .unwrap();
    database
}

fn twins() -> Database {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::in_memory().unwrap();
    database.import(&lock_file(folder.path(), TWINS)).unwrap();
    database
}

fn lock_file(folder: &Path, text: &str) -> LockFile {
    let path = folder.join("Cargo.lock");
    fs::write(&path, text).unwrap();
    LockFile::read(&path).unwrap()
}

fn loaders(database: &Database) -> Packages {
    Packages::new(database.clone(), |_| ())
}

/// As in the program: what blocks has one thread, and so is done in order.
fn runtime() -> Runtime {
    Builder::new_current_thread()
        .max_blocking_threads(1)
        .build()
        .unwrap()
}

/// Runs a query, which may wait.
fn ask(packages: &Packages, query: &str) -> Value {
    let (request, schema) = (Request::new(query), schema());
    let answer = execute(&request, &schema, packages);
    let response = answer.unwrap_or_else(|pending| runtime().block_on(pending));
    from_slice(response.as_json()).unwrap()
}

/// Runs a query, which must not wait.
fn ask_now(packages: &Packages, query: &str) -> Value {
    let (request, schema) = (Request::new(query), schema());
    match execute_sync(&request, &schema, packages) {
        Ok(response) => from_slice(response.as_json()).unwrap(),
        Err(error) => panic!("`{query}` was to be answered from memory: {error}"),
    }
}

fn data(packages: &Packages, query: &str) -> Value {
    let mut answer = ask(packages, query);
    assert_eq!(answer.get("errors"), None, "`{query}` was to succeed");
    answer["data"].take()
}

/// The message and the path of the only error.
fn error(packages: &Packages, query: &str) -> (String, Value) {
    let answer = ask(packages, query);
    let [error] = &answer["errors"].as_array().expect("it was to fail")[..] else {
        panic!("`{query}` was to have one error: {answer}");
    };
    assert!(
        error["locations"][0]["line"].is_u64(),
        "the error has a place: {error}"
    );
    (
        error["message"].as_str().unwrap().to_owned(),
        error["path"].clone(),
    )
}
