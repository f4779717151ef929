//! What an error does to `try_join_all`.

use std::task::Poll;

use maybe_ready::{MaybeReady, join_all, try_join_all};

use super::{Hand, SIZES, children, poll, polls};
use crate::support::{Drops, Token, Unpollable, Wakes, future_of};

type Item = Result<Token, usize>;

#[test]
fn an_error_that_is_there_ends_it_at_once_wherever_it_is() {
    for n in SIZES {
        for at in (0..n).filter(|at| n <= 100 || at % 97 == 0) {
            let drops = Drops::default();
            let mut pulled = 0;
            let items = (0..n).map(|i| {
                pulled += 1;
                let token = drops.token();
                if i == at {
                    return MaybeReady::Ready(Err(i));
                }
                match i % 2 {
                    0 => MaybeReady::Ready(Ok(token)),
                    _ => MaybeReady::Pending(async {
                        Unpollable::<()>::new().await;
                        Ok(token)
                    }),
                }
            });
            let Err(error) = try_join_all(items).unwrap_ready() else {
                panic!("item {at} of {n} is an error");
            };
            assert_eq!(error, at);
            assert_eq!(pulled, at + 1, "items pulled, where the last is an error");
            assert_eq!(drops.alive(), 0, "all before item {at} of {n} is dropped");
        }
    }
}

#[test]
fn the_first_error_that_is_there_wins_over_later_ones_and_over_all_that_is_pending() {
    let items = [
        MaybeReady::Pending(Unpollable::new()),
        MaybeReady::Ready(Ok(0)),
        MaybeReady::Ready(Err(2)),
        MaybeReady::Ready(Err(3)),
    ];
    assert_eq!(try_join_all(items).unwrap_ready(), Err(2));
}

#[test]
fn an_error_that_comes_ends_it_with_everything_dropped() {
    for n in SIZES {
        for at in (0..n).filter(|at| n <= 100 || at % 97 == 0) {
            let drops = Drops::default();
            let (hands, items) = children::<Item>(n);
            // Between any two pending items there is one that is ready.
            let items = items.into_iter().flat_map(|child| {
                [
                    MaybeReady::Pending(child),
                    MaybeReady::Ready(Ok(drops.token())),
                ]
            });
            let mut joined = future_of(try_join_all(items));
            let task = Wakes::new();
            assert!(poll(&mut joined, &task).is_pending());
            for hand in &hands[..at] {
                hand.finish(Ok(drops.token()));
            }
            assert!(poll(&mut joined, &task).is_pending());
            assert_eq!(drops.alive(), n + at, "values that wait for the others");

            hands[at].finish(Err(at));
            let Poll::Ready(Err(error)) = poll(&mut joined, &task) else {
                panic!("item {at} of {n} is an error");
            };
            // While the join is still there.
            assert_eq!(error, at);
            assert_eq!(drops.alive(), 0, "item {at} of {n} failed: values alive");
            assert!(
                hands.iter().all(Hand::is_dropped),
                "item {at} of {n} failed: a sibling is still alive"
            );
            assert!(hands[at + 1..].iter().all(|hand| hand.polls() == 1));
        }
    }
}

#[test]
fn of_several_errors_the_first_to_be_polled_wins_and_no_other_is_polled() {
    let (hands, items) = children::<Item>(4);
    for (i, hand) in hands.iter().enumerate().skip(1) {
        hand.finish(Err(i));
    }
    let mut joined = future_of(try_join_all(items));
    let output = poll(&mut joined, &Wakes::new());
    assert!(matches!(output, Poll::Ready(Err(1))), "{output:?}");
    assert_eq!(polls(&hands), [1, 1, 0, 0], "polls of the first poll");

    let (hands, items) = children::<Item>(4);
    let mut joined = future_of(try_join_all(items));
    assert!(poll(&mut joined, &Wakes::new()).is_pending());
    for i in [2, 3, 0] {
        hands[i].finish(Err(i));
    }
    let output = poll(&mut joined, &Wakes::new());
    assert!(matches!(output, Poll::Ready(Err(2))), "{output:?}");
    assert_eq!(polls(&hands), [1, 1, 2, 1], "polls, as they were woken");
}

#[test]
fn join_all_takes_an_error_for_a_value() {
    let (hands, items) = children(3);
    let mut joined = future_of(join_all(items));
    assert!(poll(&mut joined, &Wakes::new()).is_pending());
    for (i, value) in [Err(0), Ok(1), Err(2)].into_iter().enumerate() {
        hands[i].finish(value);
    }
    assert_eq!(
        poll(&mut joined, &Wakes::new()),
        Poll::Ready(vec![Err(0), Ok(1), Err(2)])
    );
}
