//! The same work under each kind of executor.

use std::sync::Arc;

use futures::future::join_all;
use graphql_example::loader::{Loader, Policy};
use maybe_ready::AlwaysReady;

type Numbers = Loader<u32, u32, ()>;

/// Twice as many loads as keys through two loaders, some of which are in the batch function of the
/// other, and a backend that suspends.
async fn work() {
    for policy in [Policy::Immediate, Policy::Aligned] {
        let inner: Numbers = Loader::builder()
            .policy(policy)
            .build(async |keys: Vec<u32>| {
                AlwaysReady::Ready(()).defer().await;
                keys.into_iter().map(|key| Ok(key + 1)).collect()
            });
        let counted = inner.clone();
        let outer: Numbers = Loader::builder()
            .policy(policy)
            .build(move |keys: Vec<u32>| {
                let loads = inner.load_many(keys);
                loads.map(|loads| loads.into_iter().map(|load| load.map_err(drop)).collect())
            });
        let outer = Arc::new(outer);
        let loads = (0..200).map(|load| {
            let outer = outer.clone();
            async move { outer.load(load % 100).await }
        });
        let loads = join_all(loads).await;
        let expected: Vec<_> = (0..200).map(|load| Ok(load % 100 + 1)).collect();
        assert_eq!(loads, expected);
        assert_eq!(outer.stats().batches, 1, "one turn, one batch");
        assert_eq!(counted.stats().batches, 1);
        assert!((0..100).all(|key| outer.load(key).is_ready()));

        let some = outer.load_many([1, 200, 2]).await;
        assert_eq!(some, [Ok(2), Ok(201), Ok(3)]);
        assert_eq!(outer.stats().batches, 2);
    }
}

/// As above, with a task for each load.
async fn spawned<H: Future<Output = bool>>(
    spawn: impl Fn(futures::future::BoxFuture<'static, bool>) -> H,
) -> u64 {
    let loader = Numbers::new(async |keys: Vec<u32>| {
        AlwaysReady::Ready(()).defer().await;
        keys.into_iter().map(|key| Ok(key + 1)).collect()
    });
    let tasks: Vec<_> = (0..200)
        .map(|key| {
            let loader = loader.clone();
            spawn(Box::pin(
                async move { loader.load(key).await == Ok(key + 1) },
            ))
        })
        .collect();
    for (key, task) in tasks.into_iter().enumerate() {
        assert!(task.await, "the load of {key}");
    }
    loader.stats().batches
}

#[test]
fn pollster() {
    pollster::block_on(work());
}

#[test]
fn futures_executor() {
    futures::executor::block_on(work());
}

#[test]
fn smol() {
    smol::block_on(work());
    let executor = smol::Executor::new();
    let batches = smol::block_on(executor.run(spawned(|task| executor.spawn(task))));
    assert_eq!(
        batches, 1,
        "tasks of one thread that run in one turn share a batch"
    );
}

#[test]
fn tokio_current_thread() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(work());
    let batches = runtime.block_on(spawned(|task| {
        let task = tokio::spawn(task);
        async { task.await.unwrap() }
    }));
    assert_eq!(
        batches, 1,
        "tasks of one thread that run in one turn share a batch"
    );
}

#[test]
fn tokio_multi_thread() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .build()
        .unwrap();
    runtime.block_on(work());
    runtime.block_on(async { tokio::spawn(work()).await.unwrap() });
    // How many turns that takes is up to the threads.
    let batches = runtime.block_on(spawned(|task| {
        let task = tokio::spawn(task);
        async { task.await.unwrap() }
    }));
    assert!(batches > 0);
}
