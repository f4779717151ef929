//! Asking, borrowing, taking out, polling in place, and conversions.

use std::cell::Cell;
use std::future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use maybe_ready::{AlwaysReady, IntoMaybeReady, MaybeReady, MaybeReadyFuture};

use crate::support::{
    CountPolls, Drops, Unpollable, Untouchable, Wakes, Yield, drive, panic_message, poll_once,
};

/// Neither side is a future, or can be shown.
type Opaque = MaybeReady<Hidden, Hidden>;

#[derive(PartialEq)]
struct Hidden(u32);

#[test]
fn is_ready_and_is_pending_tell_the_arm() {
    const HIT: MaybeReady<i32, &str> = MaybeReady::Ready(1);
    const MISS: MaybeReady<i32, &str> = MaybeReady::Pending("future");
    const ANSWERS: [bool; 4] = [
        HIT.is_ready(),
        HIT.is_pending(),
        MISS.is_ready(),
        MISS.is_pending(),
    ];
    assert_eq!(ANSWERS, [true, false, false, true]);
}

#[test]
fn as_ref_and_as_mut_borrow_either_arm() {
    const BORROWED: MaybeReady<&i32, &&str> = MaybeReady::<i32, &str>::Ready(1).as_ref();
    assert_eq!(BORROWED, MaybeReady::Ready(&1), "`as_ref`, ready");

    let mut hit = MaybeReady::<i32, &str>::Ready(1);
    *hit.as_mut().unwrap_ready() += 1;
    assert_eq!(hit, MaybeReady::Ready(2), "`as_mut`, ready");

    let mut miss = MaybeReady::<i32, &str>::Pending("future");
    assert_eq!(
        miss.as_ref(),
        MaybeReady::Pending(&"future"),
        "`as_ref`, pending"
    );
    *miss.as_mut().try_into_ready().unwrap_err() = "another";
    assert_eq!(miss, MaybeReady::Pending("another"), "`as_mut`, pending");
}

#[test]
fn as_mut_awaits_by_reference() {
    let mut miss = MaybeReady::<_, Yield<u32>>::Pending(Yield::new(1, 1));
    let mut borrowed = Box::pin(miss.as_mut().map_ready(|n| *n).into_future());
    assert!(poll_once(borrowed.as_mut()).is_pending());
    drop(borrowed);
    assert_eq!(
        drive(miss.into_future()),
        (1, 1),
        "it should go on where it was"
    );
}

#[test]
fn the_extractors_give_the_value() {
    let hit = || Opaque::Ready(Hidden(1));
    assert!(hit().try_into_ready().is_ok_and(|value| value.0 == 1));
    assert!(hit().unwrap_ready() == Hidden(1));
    assert!(hit().expect_ready("it is there") == Hidden(1));
    assert!(hit().unwrap_or_else(|_| panic!("called on a ready value")) == Hidden(1));
}

#[test]
fn the_extractors_do_not_poll_a_future_and_hand_it_over_or_drop_it() {
    let drops = Drops::default();
    let miss = || MaybeReady::<Hidden, _>::Pending((Unpollable::<Hidden>::new(), drops.token()));

    let future = miss().try_into_ready();
    assert!(future.is_err(), "`try_into_ready`");
    assert_eq!(
        drops.alive(),
        1,
        "`try_into_ready` should hand the future over"
    );
    drop(future);

    let value = miss().unwrap_or_else(|future| {
        assert_eq!(
            drops.alive(),
            1,
            "`unwrap_or_else` should hand the future over"
        );
        drop(future);
        Hidden(2)
    });
    assert!(value == Hidden(2), "`unwrap_or_else`");

    let message = panic_message(|| miss().unwrap_ready());
    assert_eq!(
        message,
        "called `MaybeReady::unwrap_ready()` on a `Pending` value"
    );
    assert_eq!(drops.alive(), 0, "`unwrap_ready` should drop the future");

    let message = panic_message(|| miss().expect_ready("it is {there}"));
    assert_eq!(message, "it is {there}", "the message is given as it is");
    assert_eq!(drops.alive(), 0, "`expect_ready` should drop the future");
}

#[test]
fn poll_ready_gives_a_ready_value_as_often_as_asked_and_in_place() {
    let mut hit = MaybeReady::<u32, Unpollable<u32>>::Ready(1);
    let untouchable = Untouchable::new();
    let waker = untouchable.waker();
    let mut cx = Context::from_waker(&waker);
    for expected in 1..=3 {
        let Poll::Ready(value) = hit.poll_ready(&mut cx) else {
            panic!("a ready value should be given on poll {expected}");
        };
        assert_eq!(*value, expected);
        *value += 1;
    }
    assert!(
        matches!(hit, MaybeReady::Ready(4)),
        "changed in place: {hit:?}"
    );
    drop(waker);
    untouchable.check();
}

#[test]
fn poll_ready_polls_a_future_once_with_the_given_waker_until_it_becomes_a_value() {
    let polls = Rc::new(Cell::new(0));
    let mut maybe = MaybeReady::Pending(CountPolls::new(Yield::new(2, 1), &polls));
    let wakes = Wakes::new();
    let waker = Waker::from(wakes.clone());
    let mut cx = Context::from_waker(&waker);
    for poll in 1..=2 {
        assert!(maybe.poll_ready(&mut cx).is_pending(), "poll {poll} of 3");
        assert!(maybe.is_pending(), "after poll {poll} of 3: {maybe:?}");
        assert_eq!(polls.get(), poll, "polls of the same future");
        assert_eq!(wakes.count(), poll, "wake-ups of the given waker");
    }
    assert_eq!(
        maybe.poll_ready(&mut cx),
        Poll::Ready(&mut 1),
        "poll 3 of 3"
    );
    assert!(
        matches!(maybe, MaybeReady::Ready(1)),
        "after poll 3: {maybe:?}"
    );
    assert_eq!(
        Rc::strong_count(&polls),
        1,
        "the finished future should be dropped"
    );
    assert_eq!(
        maybe.poll_ready(&mut cx),
        Poll::Ready(&mut 1),
        "a later poll"
    );
    assert_eq!(polls.get(), 3, "polls of the future, the value being there");
    assert_eq!(
        wakes.count(),
        2,
        "wake-ups, with the two of the future itself"
    );
    assert_eq!(
        Arc::strong_count(&wakes),
        2,
        "a clone of the waker was kept"
    );
}

#[test]
fn try_from_fn_runs_at_once_and_turns_an_early_error_into_a_ready_one() {
    type Maybe = MaybeReady<Result<u32, &'static str>, &'static str>;

    for made in [
        Maybe::Ready(Ok(1)),
        Maybe::Ready(Err("late")),
        Maybe::Pending("future"),
    ] {
        assert_eq!(Maybe::try_from_fn(|| Ok(made)), made, "passed on as it is");
    }
    let early = Maybe::try_from_fn(|| {
        "no number".parse::<u32>().map_err(|_| "early")?;
        Ok(Maybe::Pending("future"))
    });
    assert_eq!(early, Maybe::Ready(Err("early")), "an early error");
}

#[test]
fn always_ready_is_matched_irrefutably_and_awaited() {
    let always = || AlwaysReady::Ready("value".to_owned());
    let MaybeReady::Ready(value) = always();
    assert_eq!(value, "value");
    assert_eq!(always().into_ready(), "value");
    assert_eq!(drive(always().into_future()), ("value".to_owned(), 1));
    assert_eq!(
        always()
            .map(|text| text.len())
            .zip(always())
            .unwrap_ready()
            .0,
        5
    );
}

#[test]
fn a_ready_future_of_std_gives_its_value() {
    let hit = MaybeReady::<_, Unpollable<i32>>::from(future::ready(1));
    assert_eq!(hit.unwrap_ready(), 1);

    let mut used = future::ready(1);
    let _value = poll_once(Pin::new(&mut used));
    panic_message(|| MaybeReady::<i32, Unpollable<i32>>::from(used));
}

#[cfg(feature = "either")]
#[test]
fn either_is_converted_from_and_back() {
    use either::Either::{self, Left, Right};

    type Maybe = MaybeReady<u32, &'static str>;

    for (either, maybe) in [
        (Left(1), Maybe::Ready(1)),
        (Right("future"), Maybe::Pending("future")),
    ] {
        assert_eq!(Maybe::from(either), maybe);
        assert_eq!(Either::from(maybe), either);
    }
}

#[test]
fn into_maybe_ready_takes_a_future_unpolled_and_a_maybe_ready_as_it_is() {
    assert!(Unpollable::<u32>::new().into_maybe_ready().is_pending());
    let hit = MaybeReady::<u32, Unpollable<u32>>::Ready(1).into_maybe_ready();
    assert!(matches!(hit, MaybeReady::Ready(1)));
    let miss = MaybeReady::<u32, _>::Pending(Yield::new(1, 1)).into_maybe_ready();
    assert_eq!(drive(miss.into_future()), (1, 2));
}

#[test]
fn the_future_shows_and_gives_back_what_it_holds() {
    type Maybe = MaybeReady<Hidden, Hidden>;

    let hit = MaybeReadyFuture::from(Maybe::Ready(Hidden(1)));
    assert!(hit.is_ready(), "ready");
    assert!(
        hit.into_inner() == Some(Maybe::Ready(Hidden(1))),
        "ready: the value should be given back"
    );
    let miss = MaybeReadyFuture::from(Maybe::Pending(Hidden(2)));
    assert!(!miss.is_ready(), "pending");
    assert!(
        miss.into_inner() == Some(Maybe::Pending(Hidden(2))),
        "pending: the future should be given back"
    );

    let mut polled = MaybeReady::<u32, _>::Pending(Yield::new(1, 1)).into_future();
    assert!(poll_once(Pin::new(&mut polled)).is_pending());
    assert!(!polled.is_ready(), "polled once");
    let Some(MaybeReady::Pending(rest)) = polled.into_inner() else {
        panic!("polled once: the future should be given back");
    };
    assert_eq!(
        drive(rest),
        (1, 1),
        "polled once: the future goes on where it was"
    );

    for maybe in [MaybeReady::Ready(1), MaybeReady::Pending(Yield::new(0, 1))] {
        let mut done = maybe.into_future();
        assert_eq!(poll_once(Pin::new(&mut done)), Poll::Ready(1));
        assert!(!done.is_ready(), "done");
        assert!(
            done.into_inner().is_none(),
            "done: nothing is left to give back"
        );
    }
}
