//! What comes out: every value, in the order of the input.

use std::fmt::Debug;
use std::num::NonZeroU8;
use std::task::Poll;

use futures::future::FusedFuture;
use maybe_ready::{MaybeReady, join_all, try_join_all};

use super::{Child, Hand, SIZES, child, poll, polls};
use crate::support::{Wakes, Yield, drive, future_of};

/// Says of an item whether it is one of those that are pending, by its index and their number.
type IsPending = fn(usize, usize) -> bool;

const MIXTURES: [(&str, IsPending); 9] = [
    ("all", |_, _| true),
    ("the first", |i, _| i == 0),
    ("the last", |i, n| i + 1 == n),
    ("all but the first", |i, _| i > 0),
    ("all but the last", |i, n| i + 1 < n),
    ("every other", |i, _| i % 2 == 1),
    ("the first half", |i, n| 2 * i < n),
    ("the second half", |i, n| 2 * i >= n),
    ("scattered ones", |i, _| i * i % 7 % 2 == 1),
];

/// Sorts the items in the order in which they finish, by their index.
type Key = fn(usize) -> usize;

const ORDERS: [(&str, Key); 3] = [
    ("first to last", |i| i),
    ("last to first", |i| usize::MAX - i),
    ("criss-cross", |i| i * 7919 % 1009),
];

#[test]
fn join_all_gives_the_values_in_order_whoever_finishes_first() {
    every_mixture(|i| i, join_all, |values| values);
}

#[test]
fn try_join_all_gives_the_values_in_order_whoever_finishes_first() {
    every_mixture(Ok::<_, ()>, try_join_all, Result::unwrap);
}

fn every_mixture<T: Clone, O, F: FusedFuture<Output = O> + Unpin>(
    value: impl Fn(usize) -> T,
    join: impl Fn(Vec<MaybeReady<T, Child<T>>>) -> MaybeReady<O, F>,
    values: impl Fn(O) -> Vec<usize>,
) {
    for n in SIZES {
        for (mixture, is_pending) in MIXTURES {
            for (order, key) in ORDERS {
                let case = format!("{mixture} of {n} pending, finished {order}");
                let mut hands = Vec::new();
                let items = (0..n).map(|i| {
                    if !is_pending(i, n) {
                        return MaybeReady::Ready(value(i));
                    }
                    let (hand, child) = child();
                    hands.push((i, hand));
                    MaybeReady::Pending(child)
                });
                let mut joined = future_of(join(items.collect()));
                hands.sort_by_key(|(i, _)| key(*i));

                let task = Wakes::new();
                let mut output = poll(&mut joined, &task);
                for (i, hand) in &hands {
                    assert!(output.is_pending(), "{case}: ready before item {i} is");
                    hand.finish(value(*i));
                    output = poll(&mut joined, &task);
                    assert!(hand.is_dropped(), "{case}: item {i} should be dropped");
                }
                let Poll::Ready(output) = output else {
                    panic!("{case}: it should be ready when all items are");
                };
                assert_eq!(values(output), (0..n).collect::<Vec<_>>(), "{case}");
                let hands: Vec<Hand<T>> = hands.into_iter().map(|(_, hand)| hand).collect();
                assert_eq!(
                    polls(&hands),
                    vec![2; hands.len()],
                    "{case}: polls, once to start and once to finish each"
                );
            }
        }
    }
}

#[test]
fn items_that_finish_on_their_first_poll_take_one_poll_of_the_join() {
    for n in SIZES {
        let expected: Vec<_> = (0..n).collect();
        let joined = join_all((0..n).map(|i| async move { i }));
        assert_eq!(drive(joined), (expected.clone(), 1), "{n} items");
        let joined = try_join_all((0..n).map(|i| async move { Ok::<_, ()>(i) }));
        assert_eq!(drive(joined), (Ok(expected), 1), "{n} items");
    }
}

#[test]
fn values_of_no_size_and_values_with_niches_are_kept() {
    fn check<T: Clone + Debug + PartialEq>(values: &[T]) {
        for slow in 0..values.len() {
            let items = values.iter().cloned().enumerate().map(|(i, value)| {
                if i == slow {
                    MaybeReady::Pending(Yield::new(1, value))
                } else {
                    MaybeReady::Ready(value)
                }
            });
            assert_eq!(drive(join_all(items)), (values.to_vec(), 2));
        }
    }

    check(&[(); 3]);
    check(&[None, Some(()), None]);
    check(&[None, Some(None), Some(Some(true))]);
    check(&[None, NonZeroU8::new(1), NonZeroU8::new(255)]);
    check(&[None, Some(Box::new(1)), None]);
    check(&[Err(()), Ok(""), Err(())]);
}
