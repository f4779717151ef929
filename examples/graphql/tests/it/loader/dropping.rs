//! Loads that are given up.

use std::task::Poll;

use graphql_example::loader::{Loader, Policy};
use maybe_ready::MaybeReady;

use super::support::{Backend, pending};

#[test]
fn dropping_one_waiter_does_not_cancel_the_others() {
    for in_flight in [false, true] {
        let backend = Backend::default();
        let loader = backend.gated();
        let (mut one, mut two) = (pending(loader.load(1)), pending(loader.load(1)));
        assert!(one.poll().is_pending() && two.poll().is_pending());
        if in_flight {
            assert!(one.run().is_pending());
        }
        drop(one);
        assert!(two.run().is_pending());
        assert_eq!(backend.batches(), [[1]]);
        backend.release(0);
        assert_eq!(two.run(), Poll::Ready(Ok((1, 0))));
    }
}

#[test]
fn dropping_all_waiters_before_the_batch_closes_removes_the_key() {
    let backend = Backend::default();
    let loader = backend.loader();
    let (mut one, again) = (pending(loader.load(1)), loader.load(1));
    let mut two = pending(loader.load(2));
    assert!(one.poll().is_pending() && two.poll().is_pending());
    drop((one, again));
    let mut three = pending(loader.load(3));
    assert!(two.run().is_ready());
    assert!(three.run().is_ready());
    assert_eq!(
        backend.batches(),
        [[2, 3]],
        "in the order of the loads, without the first"
    );
    assert!(loader.load(1).is_pending(), "it is unknown again");
}

#[test]
fn a_key_that_was_dropped_and_loaded_again_is_fetched_once() {
    let backend = Backend::default();
    let loader = backend.loader();
    let mut two = pending(loader.load(2));
    drop(loader.load(1));
    let mut one = pending(loader.load(1));
    assert!(two.run().is_ready());
    assert!(one.run().is_ready());
    assert_eq!(backend.batches(), [[2, 1]]);
}

#[test]
fn a_batch_that_lost_all_its_keys_is_not_sent() {
    let backend = Backend::default();
    let loader = backend.loader();
    let mut one = pending(loader.load(1));
    assert!(one.poll().is_pending());
    drop(one);
    assert!(backend.batches().is_empty());
    assert!(pending(loader.load(2)).run().is_ready());
    assert_eq!(backend.batches(), [[2]]);
    assert_eq!(loader.stats().batches, 1);
}

#[test]
fn a_full_batch_loses_dropped_keys_until_it_is_sent() {
    let backend = Backend::default();
    let loader = backend.build(Loader::builder().max_batch_size(2));
    let (one, two) = (loader.load(1), loader.load(2));
    drop(one);
    assert!(pending(two).run().is_ready());
    assert_eq!(backend.batches(), [[2]]);
}

#[test]
fn an_aligned_hit_goes_on_if_the_batch_lost_all_its_keys() {
    let backend = Backend::default();
    let loader = backend.build(Loader::builder().policy(Policy::Aligned));
    loader.prime(1, Ok((1, 77)));
    let two = loader.load(2);
    let mut one = pending(loader.load(1));
    drop(two);
    assert!(loader.load(1).is_ready(), "no batch is open any more");
    assert_eq!(one.poll(), Poll::Ready(Ok((1, 77))));
    assert!(backend.batches().is_empty());
}

#[test]
fn a_dropped_leader_hands_over() {
    let backend = Backend::default();
    let loader = backend.gated();
    let (mut first, mut other) = (pending(loader.load(1)), pending(loader.load(2)));
    assert!(first.poll().is_pending() && other.poll().is_pending());
    assert!(first.poll().is_pending());
    assert_eq!(backend.batches(), [[1, 2]], "the first load sent the batch");
    assert!(other.run().is_pending());
    drop(first);
    assert!(!backend.is_cancelled(0));
    backend.release(0);
    assert_eq!(other.run(), Poll::Ready(Ok((2, 0))));
    assert_eq!(
        loader.peek(&1),
        Some(Ok((1, 0))),
        "what was sent is remembered"
    );
}

#[test]
fn a_leader_dropped_after_it_was_woken_hands_over() {
    let backend = Backend::default();
    let loader = backend.gated();
    let (mut first, mut other) = (pending(loader.load(1)), pending(loader.load(2)));
    assert!(first.run().is_pending() && other.run().is_pending());
    backend.release(0);
    assert!(first.is_woken() && other.is_woken());
    drop(first);
    assert_eq!(other.run(), Poll::Ready(Ok((2, 0))));
}

#[test]
fn dropping_all_waiters_in_flight_cancels_the_batch() {
    let backend = Backend::default();
    let loader = backend.gated();
    let (mut one, two) = (pending(loader.load(1)), loader.load(2));
    assert!(one.run().is_pending());
    drop(one);
    assert!(!backend.is_cancelled(0), "one load is left");
    drop(two);
    assert!(backend.is_cancelled(0));

    let mut again = pending(loader.load(1));
    assert!(again.run().is_pending());
    backend.release(1);
    assert_eq!(
        again.run(),
        Poll::Ready(Ok((1, 1))),
        "the next load fetches anew"
    );
    assert_eq!(backend.batches(), [vec![1, 2], vec![1]]);
}

#[test]
fn a_cancelled_batch_leaves_the_next_fetch_of_its_key() {
    let backend = Backend::default();
    let loader = backend.gated();
    let mut old = pending(loader.load(1));
    assert!(old.run().is_pending());
    loader.clear(&1);
    let mut new = pending(loader.load(1));
    assert!(new.run().is_pending());
    drop(old);
    let mut joined = pending(loader.load(1));
    assert!(joined.run().is_pending());
    assert_eq!(
        backend.batches(),
        [[1], [1]],
        "it joined the fetch in flight"
    );
    backend.release(1);
    assert!(new.run().is_ready() && joined.run().is_ready());
}

#[test]
fn dropping_a_join_of_many_cancels_it() {
    let backend = Backend::default();
    let loader = backend.gated();
    let mut many = pending(loader.load_many(0..100));
    assert!(many.run().is_pending());
    drop(many);
    assert!(backend.is_cancelled(0));
}

#[test]
fn loads_that_were_dropped_take_no_room_in_a_batch_that_others_wait_for() {
    let backend = Backend::default();
    let loader = backend.build_gated(Loader::builder().policy(Policy::Aligned));
    loader.prime(7, Ok((7, 77)));
    let mut idle = pending(loader.load(0));
    let come_and_go = |keys: [u32; 3]| {
        let loads = keys.map(|key| loader.load(key));
        assert!(loads.iter().all(MaybeReady::is_pending));
    };
    let kept = |keys| {
        come_and_go(keys);
        allocation_counter::measure(|| (0..1000).for_each(|_| come_and_go(keys))).bytes_current
    };
    assert_eq!(kept([1, 2, 7]), 0, "while it is queued");
    let mut last = pending(loader.load(3));
    assert!(idle.run().is_pending());
    assert_eq!(kept([0, 0, 3]), 0, "while it is in flight");
    assert_eq!(backend.batches(), [[0, 3]]);
    backend.release(0);
    assert_eq!(idle.run(), Poll::Ready(Ok((0, 0))));
    assert_eq!(last.run(), Poll::Ready(Ok((3, 0))));
}

/// A load may outlive the loader that it was made of, and a waker both.
#[test]
fn loads_outlive_the_loader() {
    let backend = Backend::default();
    let loader = backend.gated();
    let mut load = pending(loader.load(1));
    drop(loader);
    assert!(load.run().is_pending());
    backend.release(0);
    assert_eq!(load.run(), Poll::Ready(Ok((1, 0))));
}
