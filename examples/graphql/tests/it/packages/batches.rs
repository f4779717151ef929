//! How little is asked of the database.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use graphql_example::loader::Stats;
use graphql_example::packages::{Database, Packages};

use super::{ask, ask_now, data, loaders, workspace};

fn stats(packages: &Packages, loader: &str) -> Stats {
    let all = packages.stats();
    all.iter()
        .find(|(name, _)| *name == loader)
        .expect("there is such a loader")
        .1
}

#[test]
fn a_list_takes_one_batch_and_its_rows_are_not_asked_for_again() {
    let packages = loaders(&workspace());
    data(
        &packages,
        "{ packages { name dependencies { name version } } }",
    );

    assert_eq!(stats(&packages, "pages").batches, 1, "one page");
    assert_eq!(
        stats(&packages, "dependencies").batches,
        1,
        "all lists in one batch"
    );
    assert_eq!(
        stats(&packages, "packages").batches,
        0,
        "the page brought every package"
    );
    assert_eq!(stats(&packages, "packages").misses, 0);
}

#[test]
fn each_level_takes_one_batch() {
    let packages = loaders(&workspace());
    data(
        &packages,
        r#"{
            one: package(name: "graphql-example") { dependencies { dependencies { name } } }
            two: package(name: "trybuild") { dependencies { dependencies { name } } }
        }"#,
    );
    assert_eq!(
        stats(&packages, "lookups").batches,
        1,
        "both roots in one batch"
    );
    assert_eq!(
        stats(&packages, "dependencies").batches,
        2,
        "one for each level"
    );
    assert_eq!(
        stats(&packages, "packages").batches,
        2,
        "one for each level"
    );
}

#[test]
fn batches_are_no_larger_than_the_database_takes() {
    let database = Database::in_memory().unwrap();
    let written = AtomicU64::new(0);
    database
        .synthesize(25_000, |more| {
            written.fetch_add(more, Ordering::Relaxed);
        })
        .unwrap();
    assert_eq!(written.into_inner(), 25_000, "all packages are reported");

    let rows = Arc::new(AtomicU64::new(0));
    let counted = rows.clone();
    let packages = Packages::new(database, move |more| {
        counted.fetch_add(more, Ordering::Relaxed);
    });
    let answer = data(&packages, "{ packages { dependencies { id } } }");
    assert_eq!(stats(&packages, "dependencies").batches, 3);

    let lists = answer["packages"].as_array().unwrap().iter();
    let dependencies: usize = lists
        .map(|it| it["dependencies"].as_array().unwrap().len())
        .sum();
    assert!(
        (70_000..80_000).contains(&dependencies),
        "about three each, but {dependencies}"
    );
    let expected = 25_000 + u64::try_from(dependencies).unwrap();
    assert_eq!(
        rows.load(Ordering::Relaxed),
        expected,
        "all rows are reported"
    );
}

#[test]
fn the_second_run_is_all_hits_and_does_not_wait() {
    for query in [
        "{ packages { name dependencies { name version } dependents { name } } }",
        r#"{ packages(first: 3, after: 7, name: "syn") { version } }"#,
        r#"{ package(name: "serde") { version dependents { name dependents { name } } } }"#,
        r#"{ package(name: "serde", version: "0.0.1") { version } }"#,
        r#"{ package(name: "syn") { version } }"#,
        "{ packages(after: 999999) { name } }",
        "{ packages(first: 0) { name } }",
    ] {
        let packages = loaders(&workspace());
        let first = ask(&packages, query);
        let before = packages.stats();
        assert_eq!(
            ask_now(&packages, query),
            first,
            "`{query}` has the same answer"
        );

        for ((name, before), (_, after)) in before.into_iter().zip(packages.stats()) {
            assert_eq!(after.misses, before.misses, "`{query}` misses no {name}");
            assert_eq!(
                after.batches, before.batches,
                "`{query}` sends no batch of {name}"
            );
        }
    }
}
