//! Keys that fail, and batches that do.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use futures::future::join_all;
use graphql_example::loader::{BatchError, LoadError, Loader};

use super::support::{BAD, Backend, block_on, pending};

#[test]
fn an_error_of_a_key_is_remembered() {
    let backend = Backend::default();
    let loader = backend.loader();
    let bad = Err(LoadError::Key("bad key"));
    assert_eq!(block_on(loader.load(BAD).into_future()), bad);
    assert_eq!(loader.load(BAD).unwrap_ready(), bad, "the second is ready");
    assert_eq!(
        block_on(loader.load(1).into_future()),
        Ok((1, 1)),
        "later keys are fine"
    );
    assert_eq!(backend.batches(), [[BAD], [1]]);
    loader.clear(&BAD);
    assert!(loader.load(BAD).is_pending());
}

/// Loads two keys in a first batch that fails as a whole, and again in a second that does not.
fn check_failing_batch(
    expected: &BatchError,
    batch: impl Fn(usize, Vec<u32>) -> Vec<Result<u32, &'static str>> + Send + Sync + 'static,
) {
    let calls = AtomicUsize::new(0);
    let batch = move |keys| batch(calls.fetch_add(1, Ordering::SeqCst), keys);
    let loader = Loader::<u32, u32, &str>::new(move |keys| {
        let results = batch(keys);
        async { results }
    });
    check_loads(expected, &loader);
}

fn check_loads(expected: &BatchError, loader: &Loader<u32, u32, &'static str>) {
    let loads = join_all([1, 2].map(|key| loader.load(key).into_future()));
    for failed in block_on(loads) {
        let Err(LoadError::Batch(error)) = failed else {
            panic!("every load of the batch should fail, but there is {failed:?}");
        };
        assert_eq!(*error, *expected);
    }
    assert_eq!(loader.peek(&1), None, "it is not remembered");
    let loads = join_all([1, 2].map(|key| loader.load(key).into_future()));
    assert_eq!(block_on(loads), [Ok(1), Ok(2)], "the loader keeps working");
    assert_eq!(loader.stats().batches, 2);
}

fn panicked(message: &str) -> BatchError {
    let message = message.to_owned();
    BatchError::Panicked { message }
}

#[test]
fn a_batch_that_fails_as_a_whole_fails_each_of_its_keys() {
    let loader =
        Loader::<u32, u32, &str>::new(async |keys: Vec<u32>| vec![Err("no database"); keys.len()]);
    let loads = block_on(loader.load_many([1, 2]).into_future());
    assert_eq!(
        loads,
        [
            Err(LoadError::Key("no database")),
            Err(LoadError::Key("no database"))
        ]
    );
}

#[test]
fn a_batch_function_that_panics_fails_its_batch() {
    check_failing_batch(&panicked("lost 2 keys"), |call, keys| {
        assert!(call > 0, "lost {} keys", keys.len());
        keys.into_iter().map(Ok).collect()
    });
    check_failing_batch(&panicked("a plain text"), |call, keys| {
        assert!(call > 0, "a plain text");
        keys.into_iter().map(Ok).collect()
    });
    check_failing_batch(&panicked(""), |call, keys| {
        if call == 0 {
            std::panic::panic_any(7);
        }
        keys.into_iter().map(Ok).collect()
    });
}

#[test]
fn a_future_that_panics_fails_its_batch() {
    let calls = AtomicUsize::new(0);
    let loader = Loader::new(move |keys: Vec<u32>| {
        let call = calls.fetch_add(1, Ordering::SeqCst);
        async move {
            maybe_ready::AlwaysReady::Ready(()).defer().await;
            assert!(call > 0, "on its second poll");
            keys.into_iter().map(Ok).collect()
        }
    });
    check_loads(&panicked("on its second poll"), &loader);
}

#[test]
fn a_wrong_number_of_results_fails_the_batch_and_tells_both_numbers() {
    for results in [0, 1, 3] {
        let expected = BatchError::WrongCount { keys: 2, results };
        check_failing_batch(&expected, move |call, keys| match call {
            0 => vec![Ok(0); results],
            _ => keys.into_iter().map(Ok).collect(),
        });
    }
}

#[test]
fn a_batch_that_fails_leaves_what_was_primed_since() {
    let (send, receive) = futures::channel::oneshot::channel::<()>();
    let receive = std::sync::Mutex::new(Some(receive));
    let loader = Loader::<u32, u32, ()>::new(move |_| {
        let wait = receive.lock().unwrap().take().unwrap();
        async {
            let _ = wait.await;
            Vec::new()
        }
    });
    let mut load = pending(loader.load(1));
    assert!(load.run().is_pending());
    loader.clear(&1);
    loader.prime(1, Ok(77));
    drop(send);
    let Poll::Ready(Err(LoadError::Batch(_))) = load.run() else {
        panic!("the batch should fail")
    };
    assert_eq!(loader.load(1).unwrap_ready(), Ok(77));
}

#[test]
fn an_error_that_is_not_remembered_goes_to_all_who_wait_and_is_fetched_again() {
    let backend = Backend::default();
    let loader = backend.build(Loader::builder().remember_errors(|_| false));
    let bad = Err(LoadError::Key("bad key"));
    for batch in 0..2 {
        let loads = join_all([BAD, 1, BAD].map(|key| {
            let load = loader.load(key);
            assert!(key == 1 || load.is_pending(), "it is not remembered");
            load.into_future()
        }));
        assert_eq!(block_on(loads), [bad.clone(), Ok((1, 0)), bad.clone()]);
        assert_eq!(loader.peek(&BAD), None);
        assert_eq!(backend.batches().len(), batch + 1);
    }
    assert_eq!(backend.batches(), [vec![BAD, 1], vec![BAD]]);
}

#[test]
fn each_error_is_asked_whether_it_is_remembered() {
    let loader = Loader::<u32, u32, u32>::builder()
        .remember_errors(|error| *error > 5)
        .build(async |keys: Vec<u32>| keys.into_iter().map(Err).collect());
    block_on(loader.load_many([4, 5, 6, 7]).into_future());
    let remembered = [4, 5, 6, 7].map(|key| loader.peek(&key).is_some());
    assert_eq!(remembered, [false, false, true, true]);
}

#[test]
fn an_error_that_nobody_waits_for_is_not_remembered_either() {
    let backend = Backend::default();
    let loader = backend.build_gated(Loader::builder().remember_errors(|_| false));
    let (bad, mut other) = (loader.load(BAD), pending(loader.load(1)));
    assert!(other.run().is_pending());
    drop(bad);
    backend.release(0);
    assert!(other.run().is_ready());
    let mut again = pending(loader.load(BAD));
    assert!(again.run().is_pending());
    assert_eq!(backend.batches(), [vec![BAD, 1], vec![BAD]]);
}

#[test]
fn an_error_that_is_not_remembered_leaves_what_was_primed_since() {
    let backend = Backend::default();
    let loader = backend.build_gated(Loader::builder().remember_errors(|_| false));
    let mut load = pending(loader.load(BAD));
    assert!(load.run().is_pending());
    loader.clear(&BAD);
    loader.prime(BAD, Ok((BAD, 77)));
    backend.release(0);
    assert_eq!(load.run(), Poll::Ready(Err(LoadError::Key("bad key"))));
    assert_eq!(loader.load(BAD).unwrap_ready(), Ok((BAD, 77)));
}

#[test]
fn an_error_that_is_not_remembered_cannot_be_primed() {
    let builder = Loader::builder().remember_errors(|error| *error != "busy");
    let loader = Backend::default().build(builder);
    loader.prime(1, Err("busy"));
    assert_eq!(loader.peek(&1), None);
    loader.prime(1, Err("gone"));
    assert_eq!(loader.peek(&1), Some(Err(LoadError::Key("gone"))));
}

#[test]
fn without_cache_no_error_is_remembered() {
    for remember in [false, true] {
        let backend = Backend::default();
        let builder = Loader::builder().cache(false);
        let loader = backend.build(builder.remember_errors(move |_| remember));
        let bad = Err(LoadError::Key("bad key"));
        let loads = block_on(loader.load_many([BAD, BAD]).into_future());
        assert_eq!(loads, [bad.clone(), bad]);
        loader.prime(BAD, Err("gone"));
        assert_eq!(loader.peek(&BAD), None);
        assert!(loader.load(BAD).is_pending());
        assert_eq!(backend.batches(), [[BAD, BAD]]);
    }
}

/// A value that panics when it is cloned as often as it says.
#[derive(Debug)]
struct Fragile(Arc<AtomicUsize>);

impl Clone for Fragile {
    fn clone(&self) -> Self {
        let tick = |count: usize| count.checked_sub(1);
        let spent = self
            .0
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, tick);
        assert!(spent.is_err(), "fragile");
        Self(self.0.clone())
    }
}

#[test]
fn a_clone_that_panics_leaves_the_loader_at_work() {
    let panics = Arc::new(AtomicUsize::new(0));
    let copy = panics.clone();
    let loader = Loader::<u32, Fragile, ()>::new(move |keys: Vec<u32>| {
        let results: Vec<_> = keys.iter().map(|_| Ok(Fragile(copy.clone()))).collect();
        async { results }
    });

    // One copy is for the cache.
    panics.store(1, Ordering::SeqCst);
    let mut load = pending(loader.load(1));
    let Poll::Ready(Err(LoadError::Batch(error))) = load.run() else {
        panic!("the batch should fail")
    };
    assert_eq!(*error, panicked("fragile"));

    // One is for the first of two loads, which is lost.
    let (mut one, mut two, mut three) = (
        pending(loader.load(1)),
        pending(loader.load(1)),
        pending(loader.load(1)),
    );
    assert!(two.poll().is_pending());
    assert!(one.run().is_ready());
    panics.store(1, Ordering::SeqCst);
    assert!(catch_unwind(AssertUnwindSafe(|| two.poll())).is_err());
    drop(two);
    assert!(matches!(three.run(), Poll::Ready(Ok(_))));

    // One is for a hit.
    panics.store(1, Ordering::SeqCst);
    assert!(catch_unwind(AssertUnwindSafe(|| loader.load(1))).is_err());
    assert!(loader.load(1).unwrap_ready().is_ok());
}

#[test]
fn errors_say_what_happened() {
    let key: LoadError<std::num::ParseIntError> = LoadError::Key("x".parse::<u8>().unwrap_err());
    assert_eq!(key.to_string(), "invalid digit found in string");
    let batch = |error: BatchError| LoadError::<std::fmt::Error>::Batch(error.into());
    assert_eq!(
        batch(panicked("no!")).to_string(),
        "the batch function panicked: no!"
    );
    let count = batch(BatchError::WrongCount {
        keys: 3,
        results: 2,
    });
    assert_eq!(
        count.to_string(),
        "the batch function gave 2 results for 3 keys"
    );
    assert!(count.source().is_none(), "it says all there is");

    let inner = LoadError::Key(Because(std::fmt::Error));
    let source = inner.source().expect("that of the key");
    assert_eq!(source.to_string(), std::fmt::Error.to_string());
}

#[derive(Debug)]
struct Because(std::fmt::Error);

impl std::fmt::Display for Because {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("because")
    }
}

impl Error for Because {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}
