//! What a load of one key does, by the state of that key.

use std::task::Poll;

use futures::future::join;
use graphql_example::loader::{Loader, Stats};
use maybe_ready::AlwaysReady;

use super::support::{Backend, block_on, pending};

#[test]
fn the_first_load_is_pending_and_resolves_to_its_value() {
    let backend = Backend::default();
    let loader = backend.loader();
    let load = loader.load(1);
    assert!(load.is_pending(), "an unknown key is fetched");
    assert!(
        backend.batches().is_empty(),
        "nothing is fetched before a poll"
    );
    assert_eq!(block_on(load.into_future()), Ok((1, 0)));
    assert_eq!(backend.batches(), [[1]]);
}

#[test]
fn a_resolved_key_is_ready_at_once_and_schedules_nothing() {
    let backend = Backend::default();
    let loader = backend.loader();
    block_on(loader.load(1).into_future()).unwrap();
    assert_eq!(loader.load(1).unwrap_ready(), Ok((1, 0)));
    block_on(loader.load(2).into_future()).unwrap();
    assert_eq!(backend.batches(), [[1], [2]], "a hit is in no batch");
}

#[test]
fn a_queued_key_is_pending_and_no_duplicate() {
    let backend = Backend::default();
    let loader = backend.loader();
    let (mut one, mut two) = (pending(loader.load(1)), pending(loader.load(1)));
    assert!(one.poll().is_pending() && two.poll().is_pending());
    assert_eq!(one.poll(), Poll::Ready(Ok((1, 0))));
    assert_eq!(two.poll(), Poll::Ready(Ok((1, 0))));
    assert_eq!(backend.batches(), [[1]]);
}

#[test]
fn a_key_in_flight_is_pending_and_shares_the_fetch() {
    let backend = Backend::default();
    let loader = backend.gated();
    let mut first = pending(loader.load(1));
    assert!(first.run().is_pending());
    assert_eq!(backend.batches(), [[1]]);

    let mut second = pending(loader.load(1));
    assert!(second.run().is_pending());
    backend.release(0);
    assert!(
        first.is_woken() && second.is_woken(),
        "both wait for the flight"
    );
    assert_eq!(second.run(), Poll::Ready(Ok((1, 0))));
    assert_eq!(first.run(), Poll::Ready(Ok((1, 0))));
    assert_eq!(backend.batches(), [[1]]);
}

#[test]
fn none_unit_and_empty_values_are_remembered_like_any_other() {
    fn check<V: Clone + Send + Sync + PartialEq + std::fmt::Debug + 'static>(value: V) {
        let copy = value.clone();
        let loader = Loader::<u32, V, ()>::new(move |keys: Vec<u32>| {
            let values = vec![Ok(copy.clone()); keys.len()];
            async { values }
        });
        assert_eq!(block_on(loader.load(1).into_future()), Ok(value.clone()));
        assert_eq!(loader.load(1).unwrap_ready(), Ok(value));
        assert_eq!(loader.stats().batches, 1);
    }
    check(None::<u32>);
    check(());
    check(String::new());
    check(Vec::<u32>::new());
}

#[test]
fn stats_count_each_key_as_a_hit_or_a_miss() {
    let loader = Backend::default().loader();
    assert_eq!(loader.stats(), Stats::default());
    let loads = join(loader.load(1).into_future(), loader.load(1).into_future());
    block_on(loads).0.unwrap();
    let _ = block_on(loader.load_many([1, 2]).into_future());
    let _ = loader.load(2).unwrap_ready();
    let _ = loader.peek(&2);
    let expected = Stats {
        loads: 5,
        hits: 2,
        misses: 3,
        batches: 2,
    };
    assert_eq!(loader.stats(), expected);
    assert_eq!(
        loader.clone().stats(),
        expected,
        "a clone is the same loader"
    );
}

#[test]
fn peek_is_no_load() {
    let backend = Backend::default();
    let loader = backend.loader();
    assert_eq!(loader.peek(&1), None);
    let load = loader.load(1);
    assert_eq!(loader.peek(&1), None, "it is queued, not resolved");
    block_on(load.into_future()).unwrap();
    assert_eq!(loader.peek(&1), Some(Ok((1, 0))));
    assert_eq!(backend.batches(), [[1]]);
}

#[test]
fn a_backend_that_may_wait_and_does_not_is_done_when_its_batch_closes() {
    let loader = Loader::<u32, u32, ()>::new(|keys: Vec<u32>| {
        AlwaysReady::Ready(keys.into_iter().map(Ok).collect::<Vec<_>>()).map_pending(
            |never| -> futures::future::BoxFuture<'static, Vec<Result<u32, ()>>> {
                Box::pin(never)
            },
        )
    });
    let mut load = pending(loader.load(1));
    assert!(load.poll().is_pending());
    assert_eq!(load.poll(), Poll::Ready(Ok(1)));
}
