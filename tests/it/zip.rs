//! What is particular to two sides: their order, that they share their polls, and the first error.

use std::future::Future;
use std::pin::pin;
use std::task::Poll;

use maybe_ready::MaybeReady;

use crate::support::poll_once;
use crate::table::{Bench, Subject};

#[test]
fn each_poll_polls_both_unfinished_sides_the_left_one_first() {
    fn check<F: Future>(
        method: &str,
        left_yields: usize,
        right_yields: usize,
        zip: impl Fn(Subject, Subject) -> MaybeReady<F::Output, F>,
    ) {
        let bench = Bench::default();
        let left = bench.leaf("left", left_yields, Ok(1));
        let right = bench.leaf("right", right_yields, Ok(2));
        let zipped = zip(MaybeReady::Pending(left), MaybeReady::Pending(right));
        let MaybeReady::Pending(future) = zipped else {
            panic!("`{method}` of two pending sides: should have stayed pending");
        };
        let mut future = pin!(future);
        let situation =
            format!("`{method}` of sides that yield {left_yields}, {right_yields} times");
        let last = left_yields.max(right_yields);
        for poll in 0..=last {
            assert_eq!(
                poll_once(future.as_mut()).is_ready(),
                poll == last,
                "{situation}: ready in poll {poll}, counted from 0"
            );
            let mut events = Vec::new();
            for (side, yields) in [("left", left_yields), ("right", right_yields)] {
                if poll <= yields {
                    events.push(format!("{side} polled"));
                }
                if poll == yields {
                    events.push(format!("{side} dropped"));
                }
            }
            assert_eq!(
                bench.log.take(),
                events,
                "{situation}: what happens in poll {poll}, counted from 0"
            );
        }
    }

    for left in 0..=2 {
        for right in 0..=2 {
            check("zip", left, right, MaybeReady::zip);
            check("try_zip", left, right, MaybeReady::try_zip);
        }
    }
}

#[test]
fn try_zip_gives_the_first_error_after_everything_else_is_dropped() {
    // Polls are listed until the error is there. Without any the method itself returns it.
    let cases: [(Side, Side, u32, &[&str]); 14] = [
        (Ready(Err(1)), Ready(Err(2)), 1, &[]),
        (Ready(Err(1)), Ready(Ok(2)), 1, &[]),
        (Ready(Err(1)), Yields(0, Ok(2)), 1, &[]),
        (Ready(Err(1)), Yields(0, Err(2)), 1, &[]),
        (Ready(Ok(1)), Ready(Err(2)), 2, &[]),
        (Yields(0, Ok(1)), Ready(Err(2)), 2, &[]),
        (Yields(0, Err(1)), Ready(Err(2)), 2, &[]),
        (Yields(0, Err(1)), Ready(Ok(2)), 1, &["left polled"]),
        (Ready(Ok(1)), Yields(0, Err(2)), 2, &["right polled"]),
        (Yields(0, Err(1)), Yields(0, Err(2)), 1, &["left polled"]),
        (Yields(0, Err(1)), Yields(1, Ok(2)), 1, &["left polled"]),
        (
            Yields(1, Err(1)),
            Yields(0, Err(2)),
            2,
            &["left polled", "right polled"],
        ),
        (
            Yields(0, Ok(1)),
            Yields(1, Err(2)),
            2,
            &["left polled", "right polled", "right polled"],
        ),
        (
            Yields(1, Err(1)),
            Yields(0, Ok(2)),
            1,
            &["left polled", "right polled", "left polled"],
        ),
    ];
    for (left, right, error, polls) in cases {
        let situation = format!("`try_zip` of {left:?} and {right:?}");
        let bench = Bench::default();
        let zipped = left.on(&bench, "left").try_zip(right.on(&bench, "right"));
        assert_eq!(zipped.is_ready(), polls.is_empty(), "{situation}: ready");
        // The future must outlive its error: what it keeps is what the test is about.
        let mut future;
        let result = match zipped {
            MaybeReady::Ready(result) => Poll::Ready(result),
            MaybeReady::Pending(unfinished) => {
                future = Box::pin(unfinished);
                let mut results = (0..3).map(|_| poll_once(future.as_mut()));
                results.find(Poll::is_ready).unwrap_or(Poll::Pending)
            }
        };
        assert_eq!(
            format!("{result:?}"),
            format!("Ready(Err({error}))"),
            "{situation}: the error that wins"
        );
        assert_eq!(
            bench.drops.alive(),
            1,
            "{situation}: what is alive when the error is given, itself included"
        );
        let mut events = bench.log.take();
        events.retain(|event| event.ends_with("polled"));
        assert_eq!(events, polls, "{situation}: polls");
    }
}

/// One side of a pair.
#[derive(Debug)]
enum Side {
    Ready(Result<u32, u32>),
    Yields(usize, Result<u32, u32>),
}

use Side::{Ready, Yields};

impl Side {
    fn on(&self, bench: &Bench, name: &'static str) -> Subject {
        match *self {
            Ready(outcome) => MaybeReady::Ready(bench.outcome(outcome)),
            Yields(yields, outcome) => MaybeReady::Pending(bench.leaf(name, yields, outcome)),
        }
    }
}
