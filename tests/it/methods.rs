//! What the methods give, on whichever arm, and what becomes of what they were given.

use std::fmt::Debug;
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use futures::future::FusedFuture;
use maybe_ready::MaybeReady;

use crate::support::{Drops, Wakes, panic_message, poll_once};
use crate::table::{Bench, Case, Check, Hit, Outcome, Probe, Subject, every_method};

#[test]
fn a_ready_value_is_handled_before_the_method_returns() {
    struct OnReady;

    impl Check for OnReady {
        fn check<T: Debug, F: FusedFuture<Output = T> + Debug>(
            &self,
            case: &Case,
            apply: &impl Fn(Subject, Probe) -> MaybeReady<T, F>,
        ) {
            let bench = Bench::default();
            let result = apply(bench.ready(case), bench.probe());
            assert_eq!(
                bench.log.take(),
                calls(case),
                "{case}, ready: calls of the closure before the method returned"
            );
            match (result, case.end.hit) {
                (MaybeReady::Ready(output), Hit::Ready) => {
                    assert_output(case, "ready", &output);
                }
                (MaybeReady::Pending(future), Hit::Waits | Hit::Held) => {
                    let polls = if case.end.hit == Hit::Held { 2 } else { 1 };
                    assert_finishes(case, "ready", &bench, pin!(future), polls);
                }
                (MaybeReady::Ready(_), _) => panic!("{case}, ready: should have been pending"),
                (MaybeReady::Pending(_), _) => panic!("{case}, ready: should have stayed ready"),
            }
            assert_eq!(bench.drops.alive(), 0, "{case}, ready: something leaked");
            assert_eq!(
                bench.log.take(),
                [""; 0],
                "{case}, ready: happened too late"
            );
        }
    }

    every_method(&OnReady);
}

#[test]
fn a_pending_value_is_handled_in_the_poll_that_gets_it() {
    struct OnPending;

    impl Check for OnPending {
        fn check<T: Debug, F: FusedFuture<Output = T> + Debug>(
            &self,
            case: &Case,
            apply: &impl Fn(Subject, Probe) -> MaybeReady<T, F>,
        ) {
            for yields in 0..=2 {
                let situation = format!("pending, with {yields} yields");
                let bench = Bench::default();
                let MaybeReady::Pending(future) = apply(bench.pending(case, yields), bench.probe())
                else {
                    panic!("{case}, {situation}: should have stayed pending");
                };
                assert_eq!(
                    bench.log.take(),
                    [""; 0],
                    "{case}, {situation}: nothing happens before the first poll"
                );
                let mut future = pin!(future);
                assert_finishes(case, &situation, &bench, future.as_mut(), yields + 1);

                let mut events = vec!["future polled".to_owned(); yields + 1];
                events.push("future dropped".to_owned());
                events.extend(calls(case));
                assert_eq!(
                    bench.log.take(),
                    events,
                    "{case}, {situation}: what happens, in order"
                );
            }
        }
    }

    every_method(&OnPending);
}

#[test]
fn what_is_dropped_early_drops_everything_uncalled() {
    struct DroppedEarly;

    impl Check for DroppedEarly {
        fn check<T: Debug, F: FusedFuture<Output = T> + Debug>(
            &self,
            case: &Case,
            apply: &impl Fn(Subject, Probe) -> MaybeReady<T, F>,
        ) {
            for polls in 0..=usize::from(case.end.hit == Hit::Held) {
                drop_after(case, "ready", polls, apply, |bench| bench.ready(case));
            }
            for polls in 0..=2 {
                let bench = drop_after(case, "pending", polls, apply, |b| b.pending(case, 2));
                let mut events = vec!["future polled"; polls];
                events.push("future dropped");
                assert_eq!(
                    bench.log.take(),
                    events,
                    "{case}, pending, dropped after {polls} polls: what happens, in order"
                );
            }
        }
    }

    fn drop_after<T, F: Future<Output = T>>(
        case: &Case,
        arm: &str,
        polls: usize,
        apply: &impl Fn(Subject, Probe) -> MaybeReady<T, F>,
        subject: impl Fn(&Bench) -> Subject,
    ) -> Bench {
        let bench = Bench::default();
        let mut result = Box::pin(apply(subject(&bench), bench.probe()).into_future());
        for poll in 1..=polls {
            assert!(
                poll_once(result.as_mut()).is_pending(),
                "{case}, {arm}: poll {poll} should have been pending"
            );
        }
        drop(result);
        assert_eq!(
            bench.drops.alive(),
            0,
            "{case}, {arm}, dropped after {polls} polls: something leaked"
        );
        bench
    }

    every_method(&DroppedEarly);
}

#[test]
fn a_panicking_closure_is_called_once_and_leaves_a_finished_future() {
    struct Panicking;

    impl Check for Panicking {
        fn check<T: Debug, F: FusedFuture<Output = T> + Debug>(
            &self,
            case: &Case,
            apply: &impl Fn(Subject, Probe) -> MaybeReady<T, F>,
        ) {
            if case.end.called.is_none() {
                return;
            }
            let bench = Bench::default();
            let message = panic_message(|| apply(bench.ready(case), bench.bomb()));
            assert_eq!(message, "the closure panics", "{case}, ready");
            assert_eq!(bench.log.take(), calls(case), "{case}, ready: calls");
            assert_eq!(
                bench.drops.alive(),
                0,
                "{case}, ready, panicked: something leaked"
            );

            let MaybeReady::Pending(future) = apply(bench.pending(case, 0), bench.bomb()) else {
                panic!("{case}: should have stayed pending");
            };
            let mut future = pin!(future);
            let message = panic_message(|| poll_once(future.as_mut()));
            assert_eq!(message, "the closure panics", "{case}, pending");
            assert_eq!(
                bench.drops.alive(),
                0,
                "{case}, pending, panicked: something was kept"
            );
            assert!(future.is_terminated(), "{case}, panicked: terminated");
            let message = panic_message(|| poll_once(future.as_mut()));
            assert_eq!(
                message,
                format!("`{}` polled after completion", case.future),
                "{case}, panicked and polled again"
            );
            let mut events = vec!["future polled".to_owned(), "future dropped".to_owned()];
            events.extend(calls(case));
            assert_eq!(
                bench.log.take(),
                events,
                "{case}, pending, panicked: what happened, in order"
            );
        }
    }

    every_method(&Panicking);
}

#[test]
fn a_second_future_starts_in_the_poll_that_ends_the_first() {
    fn check<F: Future<Output = Outcome>>(
        method: &str,
        apply: impl Fn(&Bench) -> MaybeReady<Outcome, F>,
    ) {
        let steps = [
            vec!["first polled"],
            vec!["first polled", "first dropped", "second polled"],
            vec!["second polled", "second dropped"],
        ];
        for polls in 0..=3 {
            let bench = Bench::default();
            let mut future = Box::pin(apply(&bench).try_into_ready().unwrap_err());
            for (poll, events) in (1..).zip(&steps[..polls]) {
                assert_eq!(
                    poll_once(future.as_mut()).is_ready(),
                    poll == 3,
                    "`{method}`: ready in poll {poll} of 3"
                );
                assert_eq!(
                    bench.log.take(),
                    *events,
                    "`{method}`: what happens in poll {poll} of 3"
                );
            }
            drop(future);
            assert_eq!(
                bench.drops.alive(),
                0,
                "`{method}`, dropped after {polls} polls of 3: something leaked"
            );
        }
    }

    check("then", |bench| {
        let second = bench.leaf("second", 1, Ok(2));
        let first = bench.leaf("first", 1, Ok(1));
        MaybeReady::Pending(first).then(|_| second)
    });
    check("and_then", |bench| {
        let second = bench.leaf("second", 1, Ok(2));
        let first = bench.leaf("first", 1, Ok(1));
        MaybeReady::Pending(first).and_then(|_| second)
    });
    check("or_else", |bench| {
        let second = bench.leaf("second", 1, Ok(2));
        let first = bench.leaf("first", 1, Err(1));
        MaybeReady::Pending(first).or_else(|_| second)
    });
}

#[test]
fn map_ready_and_map_pending_reach_one_arm_at_once_and_drop_their_closure_on_the_other() {
    type Maybe = MaybeReady<u32, &'static str>;

    let mapped = Maybe::Ready(1).map_ready(|n| n + 1);
    assert_eq!(mapped, Maybe::Ready(2), "`map_ready`, ready");
    let mapped = Maybe::Pending("future").map_pending(str::len);
    assert_eq!(mapped, MaybeReady::Pending(6), "`map_pending`, pending");

    let drops = Drops::default();
    let token = drops.token();
    let passed = Maybe::Pending("future").map_ready(move |_| -> u32 {
        panic!("`map_ready`, pending: closure called, with {token:?}");
    });
    assert_eq!(drops.alive(), 0, "`map_ready`, pending: closure kept");
    assert_eq!(passed, Maybe::Pending("future"), "`map_ready`, pending");

    let token = drops.token();
    let passed = Maybe::Ready(1).map_pending(move |_| -> &str {
        panic!("`map_pending`, ready: closure called, with {token:?}");
    });
    assert_eq!(drops.alive(), 0, "`map_pending`, ready: closure kept");
    assert_eq!(passed, Maybe::Ready(1), "`map_pending`, ready");
}

#[cfg(feature = "alloc")]
#[test]
fn boxed_passes_a_value_and_keeps_a_future_unpolled() {
    use std::sync::Arc;

    use maybe_ready::BoxMaybeReady;

    use crate::support::{Unpollable, Yield, drive};

    let ready = MaybeReady::<_, Unpollable<_>>::Ready(1).boxed();
    assert!(matches!(ready, MaybeReady::Ready(1)), "ready: {ready:?}");

    let alive = Arc::new(());
    let pending = || -> BoxMaybeReady<'static, _> {
        let token = alive.clone();
        MaybeReady::Pending(async move { (Yield::new(1, 1).await, token).0 }).boxed()
    };
    assert!(
        pending().is_pending(),
        "pending: should have stayed pending"
    );
    assert_eq!(Arc::strong_count(&alive), 1, "pending, dropped: leaked");
    assert_eq!(
        drive(pending().into_future()),
        (1, 2),
        "pending: output and polls"
    );
    assert_eq!(Arc::strong_count(&alive), 1, "pending, finished: leaked");
}

/// What the log of a case says of its closure.
fn calls(case: &Case) -> Vec<String> {
    let call = case.end.called.map(|input| format!("called with {input}"));
    Vec::from_iter(call)
}

/// Expects the output at just this poll, no wake-up but one for each poll before, and that the
/// future is empty then.
fn assert_finishes<T: Debug, F: Future<Output = T>>(
    case: &Case,
    situation: &str,
    bench: &Bench,
    mut future: Pin<&mut F>,
    polls: usize,
) {
    let wakes = Wakes::new();
    let waker = Waker::from(wakes.clone());
    let mut cx = Context::from_waker(&waker);
    for poll in 1..polls {
        assert!(
            future.as_mut().poll(&mut cx).is_pending(),
            "{case}, {situation}: poll {poll} of {polls} should have been pending"
        );
        assert_eq!(
            wakes.count(),
            poll,
            "{case}, {situation}: wake-ups by poll {poll} of {polls}"
        );
    }
    let Poll::Ready(output) = future.poll(&mut cx) else {
        panic!("{case}, {situation}: should have finished in poll {polls}");
    };
    assert_eq!(
        wakes.count(),
        polls - 1,
        "{case}, {situation}: wake-ups by the last poll"
    );
    assert_output(case, situation, &output);
    drop(output);
    assert_eq!(
        bench.drops.alive(),
        0,
        "{case}, {situation}: the finished future kept something"
    );
}

fn assert_output(case: &Case, situation: &str, output: &impl Debug) {
    assert_eq!(
        format!("{output:?}"),
        case.end.output,
        "{case}, {situation}: the output"
    );
}
