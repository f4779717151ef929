//! What every future keeps to: the task's waker, the end of its life, and how it shows itself.

use std::fmt::Debug;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};

use futures::future::FusedFuture;
use maybe_ready::MaybeReady;

use crate::support::{Panic, Unpollable, Untouchable, Wakes, Yield, panic_at, poll_once};
use crate::table::{Bench, Case, Check, Hit, Probe, Subject, WakerId, every_method};

#[test]
fn the_waker_is_passed_through_untouched() {
    struct SameWaker;

    impl Check for SameWaker {
        fn check<T: Debug, F: FusedFuture<Output = T> + Debug>(
            &self,
            case: &Case,
            apply: &impl Fn(Subject, Probe) -> MaybeReady<T, F>,
        ) {
            let bench = Bench::default();
            let wakes = Wakes::new();
            let mut future = pin!(apply(bench.pending(case, 2), bench.probe()).into_future());
            for poll in 1..=3 {
                // A new waker each time, for the last one counts.
                let waker = Waker::from(wakes.clone());
                let ready = future
                    .as_mut()
                    .poll(&mut Context::from_waker(&waker))
                    .is_ready();
                assert_eq!(ready, poll == 3, "{case}: ready in poll {poll} of 3");
                let seen = bench.wakers.take();
                assert!(
                    !seen.is_empty(),
                    "{case}: nothing inside was polled in poll {poll}"
                );
                for waker_inside in seen {
                    assert_eq!(
                        waker_inside,
                        WakerId::of(&waker),
                        "{case}: the waker that a future inside got in poll {poll}"
                    );
                }
                drop(waker);
                assert_eq!(
                    Arc::strong_count(&wakes),
                    1,
                    "{case}: a clone of the waker was kept in poll {poll}"
                );
            }
        }
    }

    every_method(&SameWaker);
}

#[test]
fn a_ready_value_touches_no_waker() {
    struct NoWaker;

    impl Check for NoWaker {
        fn check<T: Debug, F: FusedFuture<Output = T> + Debug>(
            &self,
            case: &Case,
            apply: &impl Fn(Subject, Probe) -> MaybeReady<T, F>,
        ) {
            if case.end.hit == Hit::Held {
                return;
            }
            let bench = Bench::default();
            let untouchable = Untouchable::new();
            let waker = untouchable.waker();
            let future = pin!(apply(bench.ready(case), bench.probe()).into_future());
            assert!(
                future.poll(&mut Context::from_waker(&waker)).is_ready(),
                "{case}, ready: should be ready in the first poll"
            );
            drop(waker);
            untouchable.check();
        }
    }

    every_method(&NoWaker);
}

#[test]
fn only_a_finished_future_is_terminated_and_it_says_so_when_polled() {
    struct Terminated;

    impl Check for Terminated {
        fn check<T: Debug, F: FusedFuture<Output = T> + Debug>(
            &self,
            case: &Case,
            apply: &impl Fn(Subject, Probe) -> MaybeReady<T, F>,
        ) {
            let bench = Bench::default();
            check_end(
                case,
                "pending",
                1,
                apply(bench.pending(case, 1), bench.probe()),
            );
            let polls = usize::from(case.end.hit == Hit::Held);
            check_end(
                case,
                "ready",
                polls,
                apply(bench.ready(case), bench.probe()),
            );
        }
    }

    fn check_end<F: FusedFuture>(
        case: &Case,
        arm: &str,
        pending_polls: usize,
        maybe: MaybeReady<F::Output, F>,
    ) {
        let MaybeReady::Pending(future) = maybe else {
            return;
        };
        let mut future = pin!(future);
        for poll in 0..pending_polls {
            assert!(
                !future.is_terminated(),
                "{case}, {arm}: terminated after {poll} polls"
            );
            assert!(
                poll_once(future.as_mut()).is_pending(),
                "{case}, {arm}: ready too early"
            );
        }
        assert!(
            !future.is_terminated(),
            "{case}, {arm}: terminated before the value was given"
        );
        assert!(
            poll_once(future.as_mut()).is_ready(),
            "{case}, {arm}: not ready"
        );
        assert!(
            future.is_terminated(),
            "{case}, {arm}: not terminated, finished"
        );

        let mut cx = Context::from_waker(Waker::noop());
        let (panic, line) = (panic_at(|| future.as_mut().poll(&mut cx)), line!());
        assert_eq!(
            panic,
            Panic {
                message: format!("`{}` polled after completion", case.future),
                file: file!().to_owned(),
                line,
            },
            "{case}, {arm}: the panic of a poll after the last, and where it points"
        );
        assert!(
            future.is_terminated(),
            "{case}, {arm}: not terminated, after a panic"
        );
    }

    every_method(&Terminated);
}

#[test]
fn debug_names_the_future_and_its_state_and_polls_nothing() {
    struct Shown;

    impl Check for Shown {
        fn check<T: Debug, F: FusedFuture<Output = T> + Debug>(
            &self,
            case: &Case,
            apply: &impl Fn(Subject, Probe) -> MaybeReady<T, F>,
        ) {
            let bench = Bench::default();
            let MaybeReady::Pending(future) = apply(bench.pending(case, 0), bench.probe()) else {
                panic!("{case}: should have stayed pending");
            };
            let mut future = pin!(future);
            let start = format!("{future:?}");
            assert_eq!(
                bench.log.take(),
                [""; 0],
                "{case}: what happened when shown"
            );
            assert!(poll_once(future.as_mut()).is_ready());
            let end = format!("{future:?}");

            let (states, done): (&[_], _) = match case.future {
                "Zip" | "TryZip" => (&["Pending, Ready", "Pending, Pending"], "Done, Done"),
                "Then" | "AndThen" | "OrElse" => (&["First"], "Done"),
                _ => (&["Pending"], "Done"),
            };
            let shown = |state: &_| format!("{}({state})", case.future);
            assert!(
                states.iter().any(|state| start == shown(state)),
                "{case}: shown before the end as {start}"
            );
            assert_eq!(end, shown(&done), "{case}: shown at the end");
        }
    }

    every_method(&Shown);
}

#[test]
fn debug_shows_the_states_of_a_ready_value_and_of_a_second_future() {
    let future = MaybeReady::<_, Unpollable<i32>>::Ready(1).into_future();
    assert_eq!(format!("{future:?}"), "MaybeReadyFuture(Ready)");
    let deferred = MaybeReady::<_, Unpollable<i32>>::Ready(1).defer();
    assert_eq!(
        format!("{:?}", deferred.try_into_ready()),
        "Err(Defer(Ready))"
    );
    let then = MaybeReady::<_, Unpollable<i32>>::Ready(1).then(|n| Yield::new(1, n));
    assert_eq!(format!("{:?}", then.try_into_ready()), "Err(Then(Second))");
}

#[test]
fn debug_of_the_enum_shows_the_value_and_no_future() {
    type Maybe = MaybeReady<u32, Unpollable<u32>>;
    assert_eq!(format!("{:?}", Maybe::Ready(1)), "Ready(1)");
    assert_eq!(
        format!("{:?}", Maybe::Pending(Unpollable::new())),
        "Pending(..)"
    );
}

#[test]
fn the_panicking_extractors_point_at_their_caller() {
    let miss = || MaybeReady::<u32, ()>::Pending(());
    let (panic, line) = (panic_at(|| miss().unwrap_ready()), line!());
    assert_eq!(
        (panic.file.as_str(), panic.line),
        (file!(), line),
        "`unwrap_ready`"
    );
    let (panic, line) = (panic_at(|| miss().expect_ready("there")), line!());
    assert_eq!(
        (panic.file.as_str(), panic.line),
        (file!(), line),
        "`expect_ready`"
    );
}
