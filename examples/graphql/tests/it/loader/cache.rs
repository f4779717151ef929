//! `clear`, `prime`, and loaders that remember nothing.

use std::task::Poll;

use futures::future::join_all;
use graphql_example::loader::{LoadError, Loader, Policy};

use super::support::{Backend, TestLoader, block_on, pending};

fn load(loader: &TestLoader, key: u32) -> usize {
    let (found, batch) = block_on(loader.load(key).into_future()).unwrap();
    assert_eq!(found, key);
    batch
}

#[test]
fn clear_has_only_its_key_fetched_again() {
    let backend = Backend::default();
    let loader = backend.loader();
    block_on(loader.load_many([1, 2]).into_future());
    loader.clear(&1);
    assert_eq!(loader.peek(&1), None);
    assert!(loader.load(2).is_ready());
    assert_eq!(load(&loader, 1), 1);
    assert_eq!(backend.batches(), [vec![1, 2], vec![1]]);
}

#[test]
fn clear_all_has_all_keys_fetched_again() {
    let backend = Backend::default();
    let loader = backend.loader();
    block_on(loader.load_many([1, 2]).into_future());
    loader.clear_all();
    block_on(loader.load_many([1, 2]).into_future());
    assert_eq!(backend.batches(), [[1, 2], [1, 2]]);
}

#[test]
fn a_primed_key_is_ready_and_never_overwritten() {
    let backend = Backend::default();
    let loader = backend.loader();
    loader.prime(1, Ok((1, 77)));
    loader.prime(1, Ok((1, 78)));
    assert_eq!(loader.load(1).unwrap_ready(), Ok((1, 77)));
    assert!(backend.batches().is_empty());

    loader.clear(&1);
    loader.prime(1, Ok((1, 79)));
    assert_eq!(
        loader.load(1).unwrap_ready(),
        Ok((1, 79)),
        "clear, then prime"
    );
}

#[test]
fn a_primed_error_is_remembered() {
    let loader = Backend::default().loader();
    loader.prime(1, Err("gone"));
    assert_eq!(loader.load(1).unwrap_ready(), Err(LoadError::Key("gone")));
}

#[test]
fn clear_in_flight_gives_the_old_value_to_earlier_loads_and_fetches_for_later_ones() {
    for all in [false, true] {
        let backend = Backend::default();
        let loader = backend.gated();
        let mut earlier = pending(loader.load(1));
        assert!(earlier.run().is_pending());
        if all {
            loader.clear_all();
        } else {
            loader.clear(&1);
        }
        backend.release(0);
        assert_eq!(earlier.run(), Poll::Ready(Ok((1, 0))));
        assert_eq!(
            loader.peek(&1),
            None,
            "what was cleared never enters the cache"
        );

        let mut later = pending(loader.load(1));
        assert!(later.run().is_pending());
        backend.release(1);
        assert_eq!(later.run(), Poll::Ready(Ok((1, 1))));
        assert_eq!(loader.peek(&1), Some(Ok((1, 1))));
    }
}

/// Two flights of one key, which land in either order.
#[test]
fn a_flight_that_was_cleared_does_not_disturb_the_next() {
    for order in [[0, 1], [1, 0]] {
        let backend = Backend::default();
        let loader = backend.gated();
        let mut old = pending(loader.load(1));
        assert!(old.run().is_pending());
        loader.clear(&1);
        let mut new = pending(loader.load(1));
        assert!(new.run().is_pending());
        assert_eq!(backend.batches(), [[1], [1]]);
        for batch in order {
            backend.release(batch);
            let flight = if batch == 0 { &mut old } else { &mut new };
            assert_eq!(flight.run(), Poll::Ready(Ok((1, batch))));
        }
        assert_eq!(loader.load(1).unwrap_ready(), Ok((1, 1)), "{order:?}");
    }
}

#[test]
fn prime_in_flight_does_nothing_unless_the_key_was_cleared() {
    for cleared in [false, true] {
        let backend = Backend::default();
        let loader = backend.gated();
        let mut load = pending(loader.load(1));
        assert!(load.run().is_pending());
        if cleared {
            loader.clear(&1);
        }
        loader.prime(1, Ok((1, 77)));
        backend.release(0);
        assert_eq!(load.run(), Poll::Ready(Ok((1, 0))));
        let remembered = if cleared { (1, 77) } else { (1, 0) };
        assert_eq!(loader.load(1).unwrap_ready(), Ok(remembered));
    }
}

#[test]
fn prime_while_queued_does_nothing_unless_the_key_was_cleared() {
    for cleared in [false, true] {
        let backend = Backend::default();
        let loader = backend.loader();
        let mut load = pending(loader.load(1));
        assert!(load.poll().is_pending());
        if cleared {
            loader.clear(&1);
        }
        loader.prime(1, Ok((1, 77)));
        assert_eq!(load.run(), Poll::Ready(Ok((1, 0))));
        let remembered = if cleared { (1, 77) } else { (1, 0) };
        assert_eq!(loader.load(1).unwrap_ready(), Ok(remembered));
    }
}

#[test]
fn what_is_cleared_while_queued_is_fetched_once_and_remembered() {
    for all in [false, true] {
        let backend = Backend::default();
        let loader = backend.loader();
        let mut one = pending(loader.load(1));
        assert!(one.poll().is_pending());
        if all {
            loader.clear_all();
        } else {
            loader.clear(&1);
        }
        let mut two = pending(loader.load(1));
        loader.prime(1, Ok((1, 77)));
        assert_eq!(one.run(), Poll::Ready(Ok((1, 0))));
        assert_eq!(two.run(), Poll::Ready(Ok((1, 0))));
        assert_eq!(backend.batches(), [[1]]);
        assert_eq!(
            loader.peek(&1),
            Some(Ok((1, 0))),
            "loaded again, so not primed"
        );
    }
}

#[test]
fn without_cache_every_load_is_fetched_in_the_order_of_the_calls() {
    for policy in [Policy::Immediate, Policy::Aligned] {
        let backend = Backend::default();
        let loader = backend.build(Loader::builder().cache(false).policy(policy));
        let loads = join_all([2, 1, 2].map(|key| loader.load(key).into_future()));
        assert_eq!(block_on(loads), [Ok((2, 0)), Ok((1, 0)), Ok((2, 0))]);
        assert!(loader.load(1).is_pending(), "never ready from memory");
        assert_eq!(load(&loader, 1), 1);
        assert_eq!(backend.batches(), [vec![2, 1, 2], vec![1]]);
    }
}

#[test]
fn without_cache_prime_and_clear_change_nothing() {
    let backend = Backend::default();
    let loader = backend.build(Loader::builder().cache(false));
    loader.prime(1, Ok((1, 77)));
    assert_eq!(loader.peek(&1), None);
    let mut one = pending(loader.load(1));
    assert!(one.poll().is_pending());
    loader.clear(&1);
    loader.clear_all();
    assert_eq!(one.run(), Poll::Ready(Ok((1, 0))));
    assert_eq!(loader.stats().hits, 0);
    assert_eq!(backend.batches(), [[1]]);
}
