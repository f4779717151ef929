//! Whatever the loader calls may call the loader. If it did not return, these tests would hang.

use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::task::{Context, Poll, Wake, Waker};

use graphql_example::loader::Loader;
use maybe_ready::{AlwaysReady, MaybeReady};

use super::support::{Backend, block_on, pending};

type Numbers = Loader<u32, u32, ()>;

/// A loader whose batch function is given the loader.
fn looped<F>(batch: impl Fn(Numbers, Vec<u32>) -> F + Send + Sync + 'static) -> Numbers
where
    F: Future<Output = Vec<Result<u32, ()>>> + Send + 'static,
{
    let this = Arc::new(OnceLock::<Numbers>::new());
    let inner = this.clone();
    let loader = Loader::new(move |keys| batch(inner.get().unwrap().clone(), keys));
    this.set(loader.clone()).unwrap();
    loader
}

#[test]
fn a_batch_function_may_load_without_waiting() {
    let loader = looped(|loader, keys| {
        for key in &keys {
            drop(loader.load(*key));
            drop(loader.load(key + 1));
        }
        loader.prime(77, Ok(77));
        loader.clear(&78);
        loader.clear_all();
        async move { keys.into_iter().map(Ok).collect() }
    });
    assert_eq!(block_on(loader.load(1).into_future()), Ok(1));
}

#[test]
fn a_batch_may_wait_for_other_keys_of_its_loader() {
    let factorials = looped(async |loader, keys| {
        let mut results = Vec::new();
        for key in keys {
            results.push(match key {
                0 => Ok(1),
                _ => loader
                    .load(key - 1)
                    .await
                    .map(|less| key * less)
                    .map_err(|_| ()),
            });
        }
        results
    });
    assert_eq!(block_on(factorials.load(5).into_future()), Ok(120));
    assert_eq!(factorials.stats().batches, 6);
}

#[test]
fn a_batch_function_may_block_on_another_loader() {
    let inner = Backend::default().loader();
    let outer = Numbers::new(move |keys: Vec<u32>| {
        let load = |key| block_on(inner.load(key).into_future()).map(|(key, _)| key);
        let results: Vec<_> = keys
            .into_iter()
            .map(|key| load(key).map_err(drop))
            .collect();
        async { results }
    });
    assert_eq!(block_on(outer.load(1).into_future()), Ok(1));
}

#[test]
fn a_batch_may_wait_for_another_loader_that_waits_for_a_third() {
    let third = Numbers::new(async |keys: Vec<u32>| keys.into_iter().map(Ok).collect());
    let relay = |inner: Numbers| {
        Numbers::new(move |keys: Vec<u32>| {
            let loads = inner.load_many(keys);
            loads.map(|loads| loads.into_iter().map(|load| load.map_err(drop)).collect())
        })
    };
    let first = relay(relay(third.clone()));
    let loads = block_on(first.load_many([1, 2, 3]).into_future());
    assert_eq!(loads, [Ok(1), Ok(2), Ok(3)]);
    assert_eq!(third.stats().batches, 1);
}

/// A waker that loads, synchronously, when it is woken, cloned or dropped.
struct Loads(crate::loader::support::TestLoader);

impl Loads {
    fn load(&self) {
        drop(self.0.load(99));
        self.0.prime(98, Ok((98, 77)));
        self.0.clear(&98);
    }
}

impl Wake for Loads {
    fn wake(self: Arc<Self>) {
        self.load();
    }
}

impl Drop for Loads {
    fn drop(&mut self) {
        self.load();
    }
}

#[test]
fn a_waker_may_load() {
    let backend = Backend::default();
    let loader = backend.gated();
    let MaybeReady::Pending(mut load) = loader.load(1) else {
        panic!("expected a load that is pending")
    };
    let MaybeReady::Pending(mut other) = loader.load(1) else {
        panic!("expected a load that is pending")
    };
    // Each poll has a waker of its own, so that the one before is dropped.
    let mut poll = || {
        let [one, two] = [(); 2].map(|()| Waker::from(Arc::new(Loads(loader.clone()))));
        let one = std::pin::Pin::new(&mut load).poll(&mut Context::from_waker(&one));
        let two = std::pin::Pin::new(&mut other).poll(&mut Context::from_waker(&two));
        (one, two)
    };
    for _ in 0..4 {
        assert_eq!(poll(), (Poll::Pending, Poll::Pending));
    }
    backend.release(0);
    assert_eq!(poll(), (Poll::Ready(Ok((1, 0))), Poll::Ready(Ok((1, 0)))));
}

/// A key, a value and an error that load when they are dropped.
#[derive(Clone)]
struct Noisy(u32, Weak<OnceLock<Loader<Noisy, Noisy, Noisy>>>);

impl PartialEq for Noisy {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Noisy {}

impl std::hash::Hash for Noisy {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Drop for Noisy {
    fn drop(&mut self) {
        if let Some(loader) = self.1.upgrade()
            && let Some(loader) = loader.get()
        {
            // Without a loader, for else it would never end.
            let quiet = Self(99, Weak::new());
            let _ = loader.peek(&quiet);
            drop(loader.load(quiet));
        }
    }
}

#[test]
fn keys_values_and_errors_may_load_when_they_are_dropped() {
    let cell = Arc::new(OnceLock::new());
    let weak = Arc::downgrade(&cell);
    let noisy = |key| Noisy(key, weak.clone());
    let loader = Loader::<Noisy, Noisy, Noisy>::builder()
        .policy(graphql_example::loader::Policy::Aligned)
        .max_batch_size(4)
        .build(async |keys: Vec<Noisy>| {
            let results = keys
                .into_iter()
                .map(|key| if key.0 < 10 { Ok(key) } else { Err(key) });
            let mut results: Vec<_> = results.collect();
            // A short one takes a turn, and one that is as long as that waits until it is cancelled.
            if results.len() == 1 {
                AlwaysReady::Ready(()).defer().await;
            }
            if results.len() == 4 {
                std::future::pending::<()>().await;
            }
            // A batch that fails drops all of them.
            if results.len() == 2 {
                results.pop();
            }
            results
        });
    let _ = cell.set(loader.clone());
    let loader = &loader;
    let load = |keys: &[u32]| {
        let loads = keys
            .iter()
            .map(|&key| loader.load(noisy(key)).into_future());
        block_on(futures::future::join_all(loads))
    };

    drop(load(&[1]));
    drop(load(&[11]));
    drop(load(&[2, 3, 1, 2]));
    drop(load(&[4, 5, 6, 4, 1, 5, 11]));
    drop(load(&[21, 22, 21]));
    loader.prime(noisy(1), Ok(noisy(1)));
    loader.prime(noisy(7), Ok(noisy(7)));
    loader.prime(noisy(8), Err(noisy(8)));
    loader.clear(&noisy(7));
    loader.clear(&noisy(8));
    loader.clear_all();
    drop(loader.load_many([1, 2, 3, 4].map(noisy)));
    let mut queued = pending(loader.load(noisy(1)));
    assert!(queued.poll().is_pending());
    loader.clear(&noisy(1));
    loader.prime(noisy(1), Ok(noisy(1)));
    loader.clear_all();
    drop(queued);

    // A hit that waits for the others, and is dropped before they are fetched.
    loader.prime(noisy(1), Ok(noisy(1)));
    let queued = loader.load(noisy(2));
    assert!(loader.load(noisy(1)).is_pending());
    loader.clear(&noisy(1));
    drop(queued);

    // What is fetched for a key that was cleared is remembered by nobody.
    let mut cleared = pending(loader.load(noisy(5)));
    assert!(cleared.poll().is_pending() && cleared.poll().is_pending());
    loader.clear(&noisy(5));
    assert!(cleared.run().is_ready());

    let mut cancelled = pending(loader.load_many([30, 31, 32, 33].map(noisy)));
    assert!(cancelled.run().is_pending());
    let mut joined = pending(loader.load(noisy(30)));
    assert!(joined.run().is_pending());
    loader.clear(&noisy(31));
    drop((cancelled, joined));
    assert!(loader.load(noisy(30)).is_pending());
}

/// The future of a batch may load when it is dropped, as it is when the batch is cancelled.
#[test]
fn a_cancelled_batch_may_load() {
    struct Loads(Numbers, Arc<Mutex<bool>>);
    impl Drop for Loads {
        fn drop(&mut self) {
            drop(self.0.load(1));
            *self.1.lock().unwrap() = true;
        }
    }
    let dropped = Arc::<Mutex<bool>>::default();
    let flag = dropped.clone();
    let loader = looped(move |loader, _| {
        let loads = Loads(loader, flag.clone());
        async {
            let _loads = loads;
            std::future::pending().await
        }
    });
    let mut load = pending(loader.load(1));
    assert!(load.run().is_pending());
    drop(load);
    assert!(*dropped.lock().unwrap(), "it was cancelled");
}
