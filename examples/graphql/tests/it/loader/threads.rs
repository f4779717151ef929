//! Many threads on one loader. A waiter that is lost would have the test hang.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use futures::channel::oneshot;
use futures::future::{Either, join_all, select};
use graphql_example::loader::{LoadError, Loader, Policy};
use maybe_ready::AlwaysReady;
use pollster::block_on;
use proptest::prelude::RngCore;
use proptest::test_runner::{RngAlgorithm, TestRng};

const THREADS: u8 = 8;
const ROUNDS: u32 = 400;
const KEYS: u32 = 12;

/// Loads, gives up, clears and primes at random, and expects right values only.
fn work(loader: &Loader<u32, u32, ()>, seed: u8) {
    let mut random = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut key = move || random.next_u32() % KEYS;
    for round in 0..ROUNDS {
        match round % 5 {
            0 => {
                let keys = [key(), key(), key()];
                let loads = block_on(loader.load_many(keys).into_future());
                assert_eq!(loads, keys.map(|key| Ok(key + 1)));
            }
            1 => {
                let load = async |key| loader.load(key).await == Ok(key + 1);
                let loads = block_on(join_all([key(), key()].map(load)));
                assert_eq!(loads, [true, true]);
            }
            2 => {
                // One of the two is dropped, at whatever stage it is.
                let (one, two) = (key(), key());
                let loads = select(
                    loader.load(one).into_future(),
                    loader.load(two).into_future(),
                );
                match block_on(loads) {
                    Either::Left((load, _)) => assert_eq!(load, Ok(one + 1)),
                    Either::Right((load, _)) => assert_eq!(load, Ok(two + 1)),
                }
            }
            3 => drop(loader.load(key())),
            _ => {
                loader.clear(&key());
                let key = key();
                loader.prime(key, Ok(key + 1));
            }
        }
        if round % 64 == 0 {
            loader.clear_all();
        }
    }
}

fn stress(loader: &Loader<u32, u32, ()>) {
    thread::scope(|scope| {
        for seed in 0..THREADS {
            scope.spawn(move || work(loader, seed));
        }
    });
    let stats = loader.stats();
    assert!(stats.batches > 0);
    assert!(stats.batches <= stats.misses, "no batch is empty");
    assert_eq!(stats.loads, stats.hits + stats.misses);
}

/// A backend whose batches are woken by other threads while they are polled, or are not woken at all.
fn threaded(keys: Vec<u32>) -> impl Future<Output = Vec<Result<u32, ()>>> + Send {
    static BATCH: AtomicU32 = AtomicU32::new(0);
    let batch = BATCH.fetch_add(1, Ordering::Relaxed);
    async move {
        match batch % 4 {
            0 => {}
            1 => AlwaysReady::Ready(()).defer().await,
            _ => {
                let (send, receive) = oneshot::channel();
                thread::spawn(move || send.send(()));
                receive.await.unwrap();
            }
        }
        keys.into_iter().map(|key| Ok(key + 1)).collect()
    }
}

#[test]
fn no_waiter_is_lost() {
    for policy in [Policy::Immediate, Policy::Aligned] {
        for size in [2, usize::MAX] {
            let builder = Loader::builder().policy(policy).max_batch_size(size);
            stress(&builder.build(threaded));
        }
    }
}

#[test]
fn no_waiter_is_lost_without_cache() {
    stress(&Loader::builder().cache(false).build(threaded));
}

#[test]
fn no_waiter_is_lost_with_a_synchronous_backend() {
    let builder = Loader::builder().max_batch_size(2);
    stress(&builder.build(|keys: Vec<u32>| {
        AlwaysReady::Ready(keys.into_iter().map(|key| Ok(key + 1)).collect())
    }));
}

#[test]
fn no_waiter_is_lost_when_batches_panic() {
    let calls = AtomicU32::new(0);
    let loader = Loader::<u32, u32, ()>::new(move |keys: Vec<u32>| {
        let bad = calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(2);
        async move {
            AlwaysReady::Ready(()).defer().await;
            if bad {
                // Quietly, for a message from each would drown the others.
                std::panic::resume_unwind(Box::new("bad luck"));
            }
            keys.into_iter().map(Ok).collect()
        }
    });
    let loader = &loader;
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    match block_on(loader.load(round % KEYS).into_future()) {
                        Ok(value) => assert_eq!(value, round % KEYS),
                        Err(LoadError::Batch(_)) => {}
                        Err(LoadError::Key(())) => panic!("no key fails"),
                    }
                    loader.clear(&(round % KEYS));
                }
            });
        }
    });
}
