//! How it ends: with values or an error, by being dropped, by a panic.

use std::fmt::Debug;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::thread;

use futures::future::FusedFuture;
use maybe_ready::{MaybeReady, join_all, try_join_all};

use super::{Child, Hand, child, children, is_held, poll, polls};
use crate::support::{Drops, Panic, Wakes, future_of, panic_at, panic_message, poll_once};

#[test]
fn it_is_terminated_once_it_gave_its_output_and_not_before() {
    let (hands, items) = children(2);
    whole_life("JoinAll", future_of(join_all(items)), || {
        hands[0].finish(());
        hands[1].finish(());
    });
    let (hands, items) = children::<Result<(), ()>>(2);
    whole_life("TryJoinAll", future_of(try_join_all(items)), || {
        hands[0].finish(Ok(()));
        hands[1].finish(Ok(()));
    });
    let (hands, items) = children::<Result<(), ()>>(2);
    whole_life("TryJoinAll", future_of(try_join_all(items)), || {
        hands[1].finish(Err(()));
    });
}

fn whole_life<F: FusedFuture + Unpin + Debug>(name: &str, mut joined: F, finish: impl FnOnce()) {
    let shows = |pending| format!("{name} {{ pending: {pending}, .. }}");
    let mut cx = Context::from_waker(Waker::noop());

    assert!(!joined.is_terminated(), "{name}: before the first poll");
    assert_eq!(format!("{joined:?}"), shows(2));
    assert!(poll_once(Pin::new(&mut joined)).is_pending());
    assert!(!joined.is_terminated(), "{name}: while it is pending");
    assert_eq!(format!("{joined:?}"), shows(2));
    finish();
    assert!(!joined.is_terminated(), "{name}: before the last poll");
    assert!(poll_once(Pin::new(&mut joined)).is_ready());
    assert!(joined.is_terminated(), "{name}: after the last poll");
    assert_eq!(format!("{joined:?}"), shows(0));

    for _ in 0..2 {
        let (panic, line) = (panic_at(|| Pin::new(&mut joined).poll(&mut cx)), line!());
        assert_eq!(
            panic,
            Panic {
                message: format!("`{name}` polled after completion"),
                file: file!().to_owned(),
                line,
            }
        );
        assert!(joined.is_terminated(), "{name}: after a panic");
    }
}

#[test]
fn debug_counts_what_is_pending() {
    let (hands, items) = children(3);
    let mut joined = future_of(join_all(items));
    assert!(poll_once(Pin::new(&mut joined)).is_pending());
    hands[1].finish(1);
    assert!(poll_once(Pin::new(&mut joined)).is_pending());
    assert_eq!(format!("{joined:?}"), "JoinAll { pending: 2, .. }");
}

/// Of ten items, every third is ready; the others finish one by one, from the last to the first.
#[test]
fn dropped_at_any_stage_it_drops_everything() {
    const PENDING: usize = 6;

    // Before the first poll, after it, and after each of the items that finishes.
    for stage in 0..=PENDING + 1 {
        let drops = Drops::default();
        let mut hands = Vec::new();
        let items = (0..10).map(|i| {
            if i % 3 == 0 {
                return MaybeReady::Ready(drops.token());
            }
            let (hand, child) = child();
            hands.push(hand);
            MaybeReady::Pending(child)
        });
        let mut joined = future_of(join_all(items));
        let task = Wakes::new();
        let mut output = Poll::Pending;
        if stage > 0 {
            output = poll(&mut joined, &task);
        }
        for hand in hands.iter().rev().take(stage.saturating_sub(1)) {
            hand.finish(drops.token());
            output = poll(&mut joined, &task);
        }
        assert_eq!(output.is_ready(), stage == PENDING + 1, "stage {stage}");
        drop(joined);

        assert!(
            hands.iter().all(Hand::is_dropped),
            "children, stage {stage}"
        );
        assert!(!is_held(&task), "the waker of the task, stage {stage}");
        let delivered = if output.is_ready() { 10 } else { 0 };
        assert_eq!(drops.alive(), delivered, "values, stage {stage}");
        drop(output);
        assert_eq!(drops.alive(), 0, "values in the end, stage {stage}");
    }
}

/// A child that panics in one of its polls, the first being 1.
fn panicking<T>(mut child: Child<T>, panics_in: usize) -> impl Future<Output = T> + Unpin {
    let mut polls = 0;
    poll_fn(move |cx| {
        polls += 1;
        assert_ne!(polls, panics_in, "the child's own panic");
        Pin::new(&mut child).poll(cx)
    })
}

#[test]
fn a_child_that_panics_stays_due_and_so_do_those_after_it() {
    for panics_in in [1, 2] {
        let (hands, items) = children(4);
        let items = items
            .into_iter()
            .enumerate()
            .map(|(i, child)| panicking(child, if i == 1 { panics_in } else { 0 }));
        let mut joined = future_of(join_all(items));
        let task = Wakes::new();
        for _ in 1..panics_in {
            assert!(poll(&mut joined, &task).is_pending());
            hands.iter().for_each(Hand::wake);
        }
        let before = panics_in - 1;
        let message = panic_message(|| poll(&mut joined, &task));
        assert!(message.contains("the child's own panic"), "{message}");
        assert!(!joined.is_terminated(), "the others can go on");
        assert_eq!(
            polls(&hands),
            [panics_in, before, before, before],
            "polls that got through, where the second child panics in poll {panics_in}"
        );

        assert!(poll(&mut joined, &task).is_pending());
        assert_eq!(
            polls(&hands),
            [panics_in; 4],
            "polls that got through, after one more poll of the join"
        );
        for (i, hand) in hands.iter().enumerate() {
            hand.finish(i);
        }
        assert_eq!(poll(&mut joined, &task), Poll::Ready(vec![0, 1, 2, 3]));
    }
}

#[test]
fn dropped_after_a_panic_it_drops_everything() {
    for panics_in in [1, 2] {
        let drops = Drops::default();
        let (hands, items) = children(6);
        hands[0].finish(drops.token());
        let items = items
            .into_iter()
            .enumerate()
            .map(|(i, child)| panicking(child, if i == 3 { panics_in } else { 0 }));
        let mut joined = future_of(join_all(items));
        let task = Wakes::new();
        for _ in 1..panics_in {
            assert!(poll(&mut joined, &task).is_pending());
            hands.iter().for_each(Hand::wake);
        }
        panic_message(|| poll(&mut joined, &task));
        drop(joined);
        assert!(hands.iter().all(Hand::is_dropped));
        assert!(!is_held(&task));
        assert_eq!(drops.alive(), 0);
    }
}

/// A child whose drop panics, if it is told to.
struct PanicsInDrop<T> {
    child: Child<T>,
    panics: bool,
}

impl<T> Future for PanicsInDrop<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        Pin::new(&mut self.child).poll(cx)
    }
}

impl<T> Drop for PanicsInDrop<T> {
    fn drop(&mut self) {
        // A second panic would abort.
        let panics = self.panics && !thread::panicking();
        assert!(!panics, "the drop's own panic");
    }
}

/// Five children, of which the drop of the second panics.
fn one_that_panics_in_drop<T>() -> (Vec<Hand<T>>, impl Iterator<Item = PanicsInDrop<T>>) {
    let (hands, items) = children(5);
    let items = items.into_iter().enumerate();
    let items = items.map(|(i, child)| PanicsInDrop {
        child,
        panics: i == 1,
    });
    (hands, items)
}

#[test]
fn a_finished_child_that_panics_in_its_drop_loses_no_value() {
    let (hands, items) = one_that_panics_in_drop();
    let mut joined = future_of(join_all(items));
    let task = Wakes::new();
    assert!(poll(&mut joined, &task).is_pending());
    for i in [0, 1, 2] {
        hands[i].finish(i);
    }
    let message = panic_message(|| poll(&mut joined, &task));
    assert!(message.contains("the drop's own panic"), "{message}");
    assert!(hands[1].is_dropped());

    assert!(poll(&mut joined, &task).is_pending());
    assert_eq!(
        polls(&hands),
        [2, 2, 2, 1, 1],
        "those after it have their turn"
    );
    for i in [3, 4] {
        hands[i].finish(i);
    }
    assert_eq!(poll(&mut joined, &task), Poll::Ready(vec![0, 1, 2, 3, 4]));
}

#[test]
fn the_last_child_to_finish_may_panic_in_its_drop() {
    let drops = Drops::default();
    let (hands, items) = one_that_panics_in_drop();
    let mut joined = future_of(join_all(items));
    let task = Wakes::new();
    for i in [4, 0, 3, 2] {
        hands[i].finish(drops.token());
        assert!(poll(&mut joined, &task).is_pending());
    }
    hands[1].finish(drops.token());
    let message = panic_message(|| poll(&mut joined, &task));
    assert!(message.contains("the drop's own panic"), "{message}");
    assert!(!joined.is_terminated(), "no value was given yet");
    let Poll::Ready(values) = poll(&mut joined, &task) else {
        panic!("all values are there, and should be given");
    };
    assert_eq!(values.len(), 5);
    assert_eq!(drops.alive(), 5);
    assert!(!is_held(&task));
}

#[test]
fn a_cancelled_child_that_panics_in_its_drop_leaves_nothing_behind() {
    let drops = Drops::default();
    let (hands, items) = one_that_panics_in_drop();
    let mut joined = future_of(join_all(items));
    let task = Wakes::new();
    hands[3].finish(drops.token());
    assert!(poll(&mut joined, &task).is_pending());
    let message = panic_message(move || drop(joined));
    assert!(message.contains("the drop's own panic"), "{message}");
    assert!(hands.iter().all(Hand::is_dropped));
    assert!(!is_held(&task));
    assert_eq!(drops.alive(), 0);
}

#[test]
fn a_sibling_of_what_failed_that_panics_in_its_drop_leaves_nothing_behind() {
    let drops = Drops::default();
    let (hands, items) = one_that_panics_in_drop();
    let mut joined = future_of(try_join_all(items));
    let task = Wakes::new();
    hands[2].finish(Ok(drops.token()));
    assert!(poll(&mut joined, &task).is_pending());
    hands[3].finish(Err(()));
    let message = panic_message(|| poll(&mut joined, &task));
    assert!(message.contains("the drop's own panic"), "{message}");
    assert!(joined.is_terminated());
    assert!(hands.iter().all(Hand::is_dropped));
    assert!(!is_held(&task));
    assert_eq!(drops.alive(), 0);
}
