//! What is answered, and what is refused.

use cargo_lock::Lockfile;
use graphql_example::packages::Database;
use serde_json::{Value, json};

use super::{AMBIGUOUS, LOCK, data, error, loaders, lock_file, twins, workspace};

#[test]
fn the_answer_is_what_the_lock_file_says() {
    let lock = Lockfile::load(LOCK).unwrap();
    let describe = |package: &cargo_lock::Package| {
        json!({
            "name": package.name.as_str(),
            "version": package.version.to_string(),
            "source": package.source.as_ref().map(ToString::to_string),
            "checksum": package.checksum.as_ref().map(ToString::to_string),
        })
    };
    let matching = |package: &cargo_lock::Package, other: &cargo_lock::Package| {
        other
            .dependencies
            .iter()
            .any(|dependency| dependency.matches(package))
    };
    let expected: Vec<_> = lock
        .packages
        .iter()
        .map(|package| {
            let others = || lock.packages.iter();
            let mut expected = describe(package);
            let dependencies = others()
                .filter(|other| matching(other, package))
                .map(describe);
            let dependents = others()
                .filter(|other| matching(package, other))
                .map(describe);
            expected["dependencies"] = dependencies.collect();
            expected["dependents"] = dependents.collect();
            expected
        })
        .collect();
    assert!(expected.len() > 100, "this workspace has many packages");

    let packages = loaders(&workspace());
    let query = "
        { packages { ...all dependencies { ...all } dependents { ...all } } }
        fragment all on Package { name version source checksum }";
    assert_eq!(data(&packages, query), json!({ "packages": expected }));
}

#[test]
fn pages_follow_each_other() {
    let packages = loaders(&workspace());
    let all = data(&packages, "{ packages { id name } }")["packages"].take();

    let mut pages = Vec::new();
    let mut after = Value::Null;
    loop {
        let query = format!("{{ packages(first: 50, after: {after}) {{ id name }} }}");
        let page = data(&packages, &query)["packages"].take();
        let page = page.as_array().unwrap();
        let Some(last) = page.last() else { break };
        assert!(page.len() <= 50);
        assert_ne!(last["id"], after, "a page is after the one before");
        after = last["id"].clone();
        pages.extend_from_slice(page);
    }
    assert_eq!(Value::from(pages), all);
}

#[test]
fn a_name_may_have_several_versions() {
    let packages = loaders(&twins());
    let query =
        r#"{ packages(name: "twin") { version } package(name: "twin", version: "2.0.0") { id } }"#;
    assert_eq!(
        data(&packages, query),
        json!({
            "packages": [{ "version": "1.0.0" }, { "version": "1.0.0" }, { "version": "2.0.0" }],
            "package": { "id": "5" },
        })
    );
    let (message, path) = error(&packages, r#"{ package(name: "twin") { id } }"#);
    assert_eq!(message, AMBIGUOUS);
    assert_eq!(path, json!(["package"]));
    let (message, _) = error(
        &packages,
        r#"{ package(name: "twin", version: "1.0.0") { id } }"#,
    );
    assert_eq!(message, AMBIGUOUS.trim_end_matches(", 2.0.0"));
}

#[test]
fn a_package_without_a_source_is_told_apart_as_a_local_one() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::in_memory().unwrap();
    let one = "[[package]]\nname = \"one\"\nversion = \"1.0.0\"\n";
    let text = format!("{one}{one}source = \"registry+https://example.org/index\"");
    database.import(&lock_file(folder.path(), &text)).unwrap();
    let (message, _) = error(&loaders(&database), r#"{ package(name: "one") { id } }"#);
    assert_eq!(
        message,
        "`one` is ambiguous, there are the versions \
        1.0.0 (local), 1.0.0 (registry+https://example.org/index)"
    );
}

#[test]
fn dependencies_of_one_name_and_version_are_told_apart_by_their_source() {
    let packages = loaders(&twins());
    let query = "{ packages(first: 2) { dependencies { id } } }";
    assert_eq!(
        data(&packages, query),
        json!({ "packages": [
            { "dependencies": [{ "id": "2" }, { "id": "3" }] },
            { "dependencies": [{ "id": "4" }, { "id": "5" }] },
        ] })
    );
}

#[test]
fn arguments_that_make_no_sense_are_errors_of_their_field() {
    let packages = loaders(&twins());
    for (query, message) in [
        (
            "{ packages(first: -1) { id } }",
            "`first` must not be negative, and is -1",
        ),
        (
            "{ packages(after: 6) { id } }",
            "there is no package with the id `6`",
        ),
        (
            r#"{ packages(after: "x") { id } }"#,
            "there is no package with the id `x`",
        ),
        (
            "{ packages(after: -1) { id } }",
            "there is no package with the id `-1`",
        ),
    ] {
        assert_eq!(
            error(&packages, query),
            (message.to_owned(), json!(["packages"]))
        );
    }
}
