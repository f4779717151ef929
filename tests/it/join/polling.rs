//! Who is polled, when, and how often.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Poll, Waker};

use maybe_ready::{MaybeReady, join_all, try_join_all};

use super::{SIZES, children, poll, polls};
use crate::support::{Wakes, future_of};

#[test]
fn all_that_is_pending_is_started_in_order_before_anything_is_waited_for() {
    for n in SIZES {
        let log = Rc::new(RefCell::new(Vec::new()));
        let items = || {
            (0..n).map(|i| {
                let log = log.clone();
                match i % 3 {
                    0 => MaybeReady::Ready(Ok(())),
                    _ => MaybeReady::Pending(poll_fn(move |_| {
                        log.borrow_mut().push(i);
                        Poll::<Result<(), ()>>::Pending
                    })),
                }
            })
        };
        let expected: Vec<_> = (0..n).filter(|i| i % 3 > 0).collect();

        let mut joined = future_of(join_all(items()));
        assert_eq!(log.take(), [], "{n} items: polled before the join was");
        assert!(poll(&mut joined, &Wakes::new()).is_pending());
        assert_eq!(log.take(), expected, "{n} items: polled by `join_all`");

        let mut joined = future_of(try_join_all(items()));
        assert_eq!(log.take(), [], "{n} items: polled before the join was");
        assert!(poll(&mut joined, &Wakes::new()).is_pending());
        assert_eq!(log.take(), expected, "{n} items: polled by `try_join_all`");
    }
}

#[test]
fn only_a_child_that_was_woken_is_polled_again() {
    for n in SIZES {
        let (hands, items) = children::<()>(n);
        let mut joined = future_of(join_all(items));
        let task = Wakes::new();
        assert!(poll(&mut joined, &task).is_pending());

        let mut expected = vec![1; n];
        for round in 0..3 {
            assert!(poll(&mut joined, &task).is_pending());
            assert_eq!(
                polls(&hands),
                expected,
                "{n} items, round {round}: the join was polled, and nobody woken"
            );
            for i in (round..n).step_by(7) {
                hands[i].wake();
                expected[i] += 1;
            }
            assert!(poll(&mut joined, &task).is_pending());
            assert_eq!(
                polls(&hands),
                expected,
                "{n} items, round {round}: the join was polled, and some woken"
            );
        }
    }
}

#[test]
fn children_that_were_woken_are_polled_in_that_order() {
    let log = Rc::new(RefCell::new(Vec::new()));
    let (wakers, items): (Vec<_>, Vec<_>) = (0..40)
        .map(|i| {
            let log = log.clone();
            let waker = Rc::new(RefCell::new(None));
            let slot = waker.clone();
            let item = poll_fn(move |cx| {
                log.borrow_mut().push(i);
                slot.replace(Some(cx.waker().clone()));
                Poll::<()>::Pending
            });
            (waker, item)
        })
        .unzip();
    let mut joined = future_of(join_all(items));
    assert!(poll(&mut joined, &Wakes::new()).is_pending());
    log.take();

    for i in [39, 3, 17, 3, 0, 39] {
        wakers[i].take().into_iter().for_each(Waker::wake);
    }
    assert!(poll(&mut joined, &Wakes::new()).is_pending());
    assert_eq!(log.take(), [39, 3, 17, 0]);
}

#[test]
fn a_child_that_was_woken_twice_is_polled_once() {
    let (hands, items) = children::<()>(3);
    let mut joined = future_of(join_all(items));
    let task = Wakes::new();
    assert!(poll(&mut joined, &task).is_pending());

    for round in 1..=3 {
        let waker = hands[1].waker();
        waker.wake_by_ref();
        waker.wake_by_ref();
        hands[1].wake();
        assert_eq!(task.count(), round, "the task is told once between polls");
        assert!(poll(&mut joined, &task).is_pending());
        assert_eq!(polls(&hands), [1, 1 + round, 1], "round {round}");
    }
}

#[test]
fn a_child_that_wakes_itself_has_its_turn_in_the_next_poll() {
    let polls = Rc::new(RefCell::new([0; 2]));
    let restless = |i: usize| {
        let polls = polls.clone();
        poll_fn(move |cx| {
            polls.borrow_mut()[i] += 1;
            cx.waker().wake_by_ref();
            cx.waker().wake_by_ref();
            Poll::<()>::Pending
        })
    };
    let mut joined = future_of(join_all([restless(0), restless(1)]));
    let task = Wakes::new();
    for poll_count in 1..=3 {
        assert!(poll(&mut joined, &task).is_pending());
        assert_eq!(
            *polls.borrow(),
            [poll_count; 2],
            "polls of the children, where each wakes itself in each"
        );
        assert_eq!(task.count(), poll_count, "the task is told to come again");
    }
}

#[test]
fn a_child_that_wakes_a_sibling_has_it_polled_next_time_whichever_comes_first() {
    for (waking, woken) in [(0, 2), (2, 0)] {
        let (hands, items) = children::<()>(3);
        let hands = Rc::new(hands);
        let items = items.into_iter().enumerate().map(|(i, mut child)| {
            let hands = hands.clone();
            poll_fn(move |cx| {
                let output = Pin::new(&mut child).poll(cx);
                // In the first poll not all are started.
                if i == waking && hands[i].polls() > 1 {
                    hands[woken].wake();
                }
                output
            })
        });
        let mut joined = future_of(join_all(items));
        let task = Wakes::new();
        assert!(poll(&mut joined, &task).is_pending());
        hands[waking].wake();
        assert!(poll(&mut joined, &task).is_pending());
        assert_eq!(
            hands[woken].polls(),
            1,
            "not in the poll in which it was woken"
        );
        assert_eq!(task.count(), 2, "the task is told to come again");
        assert!(poll(&mut joined, &task).is_pending());
        assert_eq!(hands[woken].polls(), 2);
    }
}

#[test]
fn a_late_wake_of_a_finished_child_polls_nobody() {
    let (hands, items) = children(3);
    let mut joined = future_of(join_all(items));
    let task = Wakes::new();
    assert!(poll(&mut joined, &task).is_pending());
    let late = hands[1].waker();
    // Once between the last poll but one and the last, and once after.
    hands[1].finish(1);
    late.wake_by_ref();
    assert!(poll(&mut joined, &task).is_pending());
    late.wake_by_ref();
    assert!(poll(&mut joined, &task).is_pending());
    assert_eq!(polls(&hands), [1, 2, 1]);

    late.wake_by_ref();
    hands[0].finish(0);
    hands[2].finish(2);
    assert_eq!(poll(&mut joined, &task), Poll::Ready(vec![0, 1, 2]));
}
