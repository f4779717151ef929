//! An update is seen by whoever asks after it.

use std::pin::pin;
use std::sync::mpsc;

use futures::poll;
use graphql_example::executor::{Request, execute};
use graphql_example::packages::{Lookup, PackageId, schema};
use serde_json::{Value, from_slice, json};
use tokio::task::spawn_blocking;

use super::{AMBIGUOUS, ask, ask_now, data, error, loaders, runtime, twins, workspace};

#[test]
fn an_update_that_cannot_be_is_an_error_and_changes_nothing() {
    let database = twins();
    let packages = loaders(&database);
    let all = "{ packages { name version checksum } }";
    let before = ask(&packages, all);
    for (arguments, message) in [
        (r#"name: "none", to: "1.0.0""#, "there is no package `none`"),
        (
            r#"name: "lib", version: "9.0.0", to: "1.0.0""#,
            "there is no package `lib 9.0.0`",
        ),
        (
            r#"name: "lib", to: "0.2.0""#,
            "`lib 0.2.0` is in the lock file already",
        ),
        (
            r#"name: "twin", version: "2.0.0", to: "1.0.0""#,
            "`twin 1.0.0` is in the lock file already",
        ),
        (r#"name: "twin", to: "3.0.0""#, AMBIGUOUS),
        (
            r#"name: "lib", to: "new""#,
            "`new` is not a version: unexpected character 'n' while parsing major version number",
        ),
    ] {
        let query = format!("mutation {{ updatePackage({arguments}) {{ id }} }}");
        assert_eq!(
            error(&packages, &query),
            (message.to_owned(), json!(["updatePackage"]))
        );
    }
    assert_eq!(ask(&packages, all), before);
    assert_eq!(ask(&loaders(&database), all), before);
}

#[test]
fn an_update_is_seen_by_the_rest_of_its_request() {
    let packages = loaders(&workspace());
    let query = r#"mutation {
        one: updatePackage(name: "serde", to: "7.0.0") {
            version
            checksum
            dependents { dependencies { name version } }
        }
        two: updatePackage(name: "serde", version: "7.0.0", to: "8.0.0") { version }
    }"#;
    let answer = data(&packages, query);
    assert_eq!(answer["one"]["version"], "7.0.0");
    assert_eq!(answer["one"]["checksum"], Value::Null);
    for dependent in answer["one"]["dependents"].as_array().unwrap() {
        let dependencies = dependent["dependencies"].as_array().unwrap();
        let serde = json!({ "name": "serde", "version": "7.0.0" });
        assert!(
            dependencies.contains(&serde),
            "it depends on the new version: {dependent}"
        );
    }
    assert_eq!(answer["two"], json!({ "version": "8.0.0" }));
}

#[test]
fn after_an_update_nothing_that_was_remembered_is_stale() {
    let queries = [
        "{ packages { name version checksum dependencies { version } dependents { version } } }",
        r#"{ packages(name: "twin") { version } }"#,
        r#"{ package(name: "lib") { version dependencies { name version } } }"#,
        r#"{ package(name: "lib", version: "0.2.0") { version } }"#,
        r#"{ package(name: "lib", version: "0.3.0") { version } }"#,
        r#"{ package(name: "twin") { version } }"#,
        r#"{ package(name: "twin", version: "1.0.0") { version } }"#,
        r#"{ package(name: "twin", version: "2.0.0") { version } }"#,
        r#"{ package(name: "twin", version: "3.0.0") { version } }"#,
        r#"{ package(name: "app") { dependencies { version dependencies { version } } } }"#,
    ];
    let database = twins();
    let packages = loaders(&database);
    for update in [
        r#"name: "lib", to: "0.3.0""#,
        r#"name: "twin", version: "2.0.0", to: "3.0.0""#,
        r#"name: "lib", version: "0.3.0", to: "0.2.0""#,
        r#"name: "twin", version: "3.0.0", to: "2.0.0""#,
    ] {
        let before = queries.map(|query| ask(&packages, query));
        data(
            &packages,
            &format!("mutation {{ updatePackage({update}) {{ id }} }}"),
        );
        let after = queries.map(|query| ask(&packages, query));

        let fresh = loaders(&database);
        for (query, after) in queries.iter().zip(&after) {
            assert_eq!(
                *after,
                ask(&fresh, query),
                "`{query}` after the update `{update}`"
            );
        }
        assert_ne!(before, after, "the update `{update}` is to be seen");
    }
}

#[test]
fn after_an_update_lists_and_the_package_are_in_memory() {
    let packages = loaders(&twins());
    let query = "{ packages { version dependencies { version } dependents { version } } }";
    ask(&packages, query);
    let lib = Lookup {
        name: "lib".into(),
        version: None,
    };
    runtime().block_on(packages.update(lib, "7.0.0")).unwrap();
    assert!(ask_now(&packages, query).to_string().contains("7.0.0"));
}

#[test]
fn what_is_read_before_an_update_and_arrives_after_it_is_not_remembered() {
    let packages = loaders(&twins());
    let (lib, schema) = (PackageId(2), schema());
    let named = |version: Option<&str>| Lookup {
        name: "lib".into(),
        version: version.map(Into::into),
    };
    let request = Request::new("{ packages { version } }");
    runtime().block_on(async {
        // The thread of the database is held up until all is asked for, in this order.
        let (go, gate) = mpsc::channel();
        drop(spawn_blocking(move || gate.recv()));
        let mut package = packages.packages.load(lib).into_future();
        let mut lookup = packages.lookups.load(named(Some("0.3.0"))).into_future();
        let mut page = execute(&request, &schema, &packages).into_future();
        // The second poll sends what the first has collected.
        for _ in 0..2 {
            assert!(poll!(&mut package).is_pending());
            assert!(poll!(&mut lookup).is_pending());
            assert!(poll!(&mut page).is_pending());
        }
        let mut update = pin!(packages.update(named(None), "0.3.0"));
        assert!(poll!(&mut update).is_pending());
        go.send(()).unwrap();
        update.await.unwrap();

        assert_eq!(
            &*package.await.unwrap().version,
            "0.2.0",
            "it was asked for before the update"
        );
        assert_eq!(
            lookup.await.unwrap(),
            None,
            "it was asked for before the update"
        );
        let page = page.await;
        let page: Value = from_slice(page.as_json()).unwrap();
        assert_eq!(
            page["data"]["packages"][1]["version"], "0.3.0",
            "the package is looked at late"
        );
    });
    let now = packages
        .packages
        .load(lib)
        .expect_ready("the update primed it")
        .unwrap();
    assert_eq!(&*now.version, "0.3.0");
    let found = runtime().block_on(packages.lookups.load(named(Some("0.3.0"))).into_future());
    assert_eq!(found.unwrap(), Some(lib));
}

#[test]
fn of_two_updates_the_later_one_is_remembered() {
    let database = twins();
    let packages = loaders(&database);
    runtime().block_on(async {
        let lib = || Lookup {
            name: "lib".into(),
            version: None,
        };
        let mut one = pin!(packages.update(lib(), "1.0.0"));
        let mut two = pin!(packages.update(lib(), "2.0.0"));
        assert!(poll!(&mut one).is_pending());
        assert!(poll!(&mut two).is_pending());
        // Who hears of it first does not matter.
        two.await.unwrap();
        one.await.unwrap();
    });
    let query = "{ packages { version } }";
    assert_eq!(ask(&packages, query), ask(&loaders(&database), query));
}
