//! Whose waker is called, and whose is kept.

use std::task::{Poll, Waker};

use maybe_ready::{join_all, try_join_all};

use super::{Hand, children, is_held, poll, polls};
use crate::support::{Wakes, future_of};

#[test]
fn the_task_that_polled_last_is_told() {
    let (hands, items) = children::<()>(2);
    let mut joined = future_of(join_all(items));
    let (first, second) = (Wakes::new(), Wakes::new());
    assert!(poll(&mut joined, &first).is_pending());
    assert!(is_held(&first), "the task that waits");
    assert!(poll(&mut joined, &second).is_pending());
    assert!(!is_held(&first), "the task that no longer waits");

    hands[1].wake();
    assert_eq!((first.count(), second.count()), (0, 1));
    // And back.
    assert!(poll(&mut joined, &first).is_pending());
    hands[0].wake();
    assert_eq!((first.count(), second.count()), (1, 1));
}

#[test]
fn a_task_that_takes_over_sees_what_the_one_before_it_was_told() {
    let (hands, items) = children(1);
    let mut joined = future_of(join_all(items));
    let (first, second) = (Wakes::new(), Wakes::new());
    assert!(poll(&mut joined, &first).is_pending());
    hands[0].finish(1);
    assert_eq!(first.count(), 1);
    assert_eq!(poll(&mut joined, &second), Poll::Ready(vec![1]));
}

#[test]
fn many_wakes_tell_the_task_once() {
    let (hands, items) = children::<()>(100);
    let mut joined = future_of(join_all(items));
    let task = Wakes::new();
    for round in 0..3 {
        assert!(poll(&mut joined, &task).is_pending());
        assert_eq!(task.count(), round);
        for hand in &hands {
            hand.wake();
        }
        assert_eq!(task.count(), round + 1);
    }
}

#[test]
fn a_child_keeps_its_waker() {
    let (hands, items) = children::<()>(2);
    let mut joined = future_of(join_all(items));
    assert!(poll(&mut joined, &Wakes::new()).is_pending());
    let (mine, other) = (hands[0].waker(), hands[1].waker());
    assert!(!mine.will_wake(&other));

    hands[0].wake();
    assert!(poll(&mut joined, &Wakes::new()).is_pending());
    assert!(
        hands[0].waker().will_wake(&mine),
        "a child that is polled again should not need another clone"
    );
}

#[test]
fn when_it_completed_it_tells_nobody_and_holds_nobody() {
    let (hands, items) = children(3);
    let mut joined = future_of(join_all(items));
    let task = Wakes::new();
    assert!(poll(&mut joined, &task).is_pending());
    let kept: Vec<_> = hands.iter().map(Hand::waker).collect();
    for hand in &hands {
        hand.finish(());
    }
    assert!(poll(&mut joined, &task).is_ready());

    assert!(!is_held(&task), "a waker of the task was kept");
    let told = task.count();
    kept.iter().for_each(Waker::wake_by_ref);
    assert_eq!(task.count(), told, "the task was told of what it has");
    assert_eq!(polls(&hands), [2; 3]);
    drop(joined);
    kept.into_iter().for_each(Waker::wake);
    assert_eq!(task.count(), told, "the task was told of what it has");
}

#[test]
fn when_it_failed_it_tells_nobody_and_holds_nobody() {
    let (hands, items) = children::<Result<(), ()>>(3);
    let mut joined = future_of(try_join_all(items));
    let task = Wakes::new();
    assert!(poll(&mut joined, &task).is_pending());
    let kept: Vec<_> = hands.iter().map(Hand::waker).collect();
    hands[1].finish(Err(()));
    assert_eq!(poll(&mut joined, &task), Poll::Ready(Err(())));

    assert!(!is_held(&task), "a waker of the task was kept");
    let told = task.count();
    kept.into_iter().for_each(Waker::wake);
    assert_eq!(task.count(), told, "the task was told of what it has");
}

#[test]
fn when_it_was_dropped_it_tells_nobody_and_holds_nobody() {
    for woken in [false, true] {
        let (hands, items) = children::<()>(3);
        let mut joined = future_of(join_all(items));
        let task = Wakes::new();
        assert!(poll(&mut joined, &task).is_pending());
        let kept: Vec<_> = hands.iter().map(Hand::waker).collect();
        if woken {
            hands[1].wake();
        }
        drop(joined);

        assert!(!is_held(&task), "a waker of the task was kept");
        kept.into_iter().for_each(Waker::wake);
        assert_eq!(task.count(), usize::from(woken));
    }
}
