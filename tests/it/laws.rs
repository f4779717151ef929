//! The laws of the crate, tried on random programs.
//!
//! A [`Case`] is a program over the whole API together with the timing of its leaves. It is run
//! by the crate (`build`) and in plain `async` code (`naive`), by the same executor, which uses
//! another waker for each poll. Closures, leaves and the executor write down what happens: each call
//! with its argument, each leaf that is dropped, each poll and whether it woke the task, the result.
//!
//! Two things are compared.
//!
//! * The crate and plain code *with the same timings*: all that happens, in the same order and in
//!   the same poll, or before the first one. There is no freedom in it, not even where branches are
//!   concurrent, or where their timing decides which error wins.
//! * The same program *with other timings*: the result, the calls and their arguments, and the order
//!   of the calls. Timing decides how the branches of a `zip` interleave, so any two calls are in the
//!   order of the program unless they are in different branches. Programs in which an error ends a
//!   `try_zip` are exempt but for the order of what is called: such an error cuts off another branch,
//!   and which one, and where, is what timing decides by design.
//!
//! `MAYBE_READY_SOAK=100000` runs that many programs instead of a few, others each time. A failure
//! names its seed; `MAYBE_READY_SEED` runs it again. Progress is seen with `--nocapture`.

mod build;
mod checked;
mod executor;
mod naive;
mod program;
mod world;

use std::cell::Cell;
use std::env;
use std::future::{Future, IntoFuture, poll_fn};
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::task::{Poll, ready};

use maybe_ready::MaybeReady;
use proptest::arbitrary::any;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestCaseResult, TestRunner};

use self::build::build;
use self::checked::{checked, quietly};
use self::executor::Executor;
use self::program::{Case, Timing};
use self::world::{Event, Injected, Log, Out, World, number};
use crate::support::{panic_message, poll_once};

#[test]
fn hold_for_random_programs() {
    let variable = |name| {
        let text = env::var(name).ok()?;
        Some(
            text.parse()
                .unwrap_or_else(|_| panic!("{name} is no number")),
        )
    };
    let soak = variable("MAYBE_READY_SOAK");
    let seed = variable("MAYBE_READY_SEED").unwrap_or_else(|| match soak {
        Some(_) => RandomState::new().hash_one(()),
        None => 0,
    });
    let programs = soak.unwrap_or(256);
    println!("{programs} programs of MAYBE_READY_SEED={seed}");

    let config = Config {
        cases: u32::try_from(programs).expect("MAYBE_READY_SOAK is too large"),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    };
    let bytes = || vec(any::<u8>(), 0..96);
    let cases = (bytes(), bytes()).prop_map(|(program, timings)| Case::read(&program, &timings));
    let done = Cell::new(0);
    let mut runner = TestRunner::new(config);
    let result = runner.run(&cases, |case| {
        quietly(|| check(&case))?;
        done.set(done.get() + 1);
        if soak.is_some() && done.get() % (programs / 10).max(1) == 0 {
            println!("{} programs done", done.get());
        }
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}\nMAYBE_READY_SEED={seed}");
    }
}

fn check(case: &Case) -> TestCaseResult {
    let all = |timing| vec![timing; case.timings.len()];
    let ready = all(Timing::Ready);
    let plain = Run::new(case, &ready).naive();
    for timings in every_readiness(case.timings.len()) {
        attempt(&timings, || {
            let run = Run::new(case, &timings);
            run.agrees_with_plain_code(&run.to_the_end(), &plain);
        })?;
    }
    let deferred = all(Timing::Deferred);
    let gated = all(Timing::Gated);
    for timings in [&ready, &deferred, &gated, &case.timings] {
        attempt(timings, || {
            let run = Run::new(case, timings);
            let log = run.to_the_end();
            run.agrees_with_plain_code(&log, &plain);
            assert_eq!(
                run.to_the_end_in_place(),
                log,
                "left by `poll_ready`, right awaited"
            );
            run.drops_everything(&log);
            run.passes_panics(&log);
        })?;
    }
    Ok(())
}

/// Every combination of ready and pending leaves, if there are few.
fn every_readiness(leaves: usize) -> impl Iterator<Item = Vec<Timing>> {
    let combinations = if leaves > 4 { 0 } else { 1 << leaves };
    (0..combinations).map(move |pending| {
        let timing = |leaf| match (pending >> leaf) & 1 {
            0 => Timing::Ready,
            _ => Timing::Yields(1),
        };
        (0..leaves).map(timing).collect()
    })
}

/// Adds the timings to the message of a failure.
fn attempt(timings: &[Timing], check: impl FnOnce()) -> TestCaseResult {
    catch_unwind(AssertUnwindSafe(check)).map_err(|payload| {
        let message = panic_message(|| -> () { resume_unwind(payload) });
        TestCaseError::fail(format!("{message}\ntimings: {timings:?}"))
    })
}

/// A program and the timing of its leaves.
struct Run<'a> {
    case: &'a Case,
    timings: &'a [Timing],
}

/// What happens in plain `async` code.
struct Plain {
    log: Log,
    /// Whether an error ended a `try_zip`.
    cut: bool,
}

/// Runs.
impl<'a> Run<'a> {
    fn new(case: &'a Case, timings: &'a [Timing]) -> Self {
        Self { case, timings }
    }

    fn naive(&self) -> Plain {
        let world = World::new(self.timings);
        let started = naive::start(&world, &self.case.program);
        let log = self.finish(&world, started);
        let cut = world.was_cut();
        Plain { log, cut }
    }

    fn to_the_end(&self) -> Log {
        let world = World::new(self.timings).polling_again();
        self.finish(&world, self.start(&world))
    }

    /// The same with `poll_ready` instead of `.await`.
    fn to_the_end_in_place(&self) -> Log {
        let world = World::new(self.timings);
        let started = match build(&world, &self.case.program) {
            MaybeReady::Ready(out) => Ok(out),
            pending @ MaybeReady::Pending(_) => {
                let mut slot = Some(pending);
                Err(poll_fn(move |cx| {
                    ready!(slot.as_mut().unwrap().poll_ready(cx));
                    Poll::Ready(slot.take().unwrap().unwrap_ready())
                }))
            }
        };
        self.finish(&world, started)
    }

    /// Does what is done without a poll.
    fn start<'b>(&'b self, world: &'b World) -> Result<Out, impl Future<Output = Out> + Unpin> {
        let built = build(world, &self.case.program).boxed_local();
        let awaited = built.map_pending(|future| MaybeReady::Pending(future).into_future());
        checked(world, awaited).try_into_ready()
    }

    /// Does the rest, and returns all that happened.
    fn finish<F>(&self, world: &World, started: Result<Out, F>) -> Log
    where
        F: Future<Output = Out> + Unpin,
    {
        let mut future = None;
        let out = match started {
            Ok(out) => out,
            Err(pending) => {
                let future = future.insert(pending);
                let mut executor = Executor::new(world, self.case.wake_order);
                loop {
                    if let Poll::Ready(out) = executor.poll(future) {
                        break out;
                    }
                }
            }
        };
        world.log(Event::Gave(number(&out)));
        drop(out);
        assert_eq!(world.alive(), 0, "a finished future should hold nothing");
        world.take_log()
    }
}

/// Laws.
impl Run<'_> {
    fn agrees_with_plain_code(&self, log: &Log, plain: &Plain) {
        let naive = self.naive();
        assert_eq!(log, &naive.log, "left with the crate, right in plain code");

        let mut calls = calls(log);
        for (place, (later, _)) in calls.iter().enumerate() {
            for (earlier, _) in &calls[..place] {
                assert!(
                    earlier < later || self.case.are_concurrent(*earlier, *later),
                    "closure {later} comes first in the program, and was called after {earlier}"
                );
            }
        }
        calls.sort_unstable();
        assert_called_once(&calls);
        assert_eq!(
            naive.cut, plain.cut,
            "timing decides where an error cuts, not whether"
        );
        if !plain.cut {
            let mut expected = self::calls(&plain.log);
            expected.sort_unstable();
            assert_eq!(
                calls, expected,
                "left the calls, right those if all is ready"
            );
            assert_eq!(
                log.last().map(|(_, gave)| gave),
                plain.log.last().map(|(_, gave)| gave),
                "left the result, right the one if all is ready"
            );
        }
        let all_ready = self.timings.iter().all(|timing| *timing == Timing::Ready);
        if all_ready && !self.case.defers {
            assert_eq!(
                polls(log),
                0,
                "ready leaves and closures should make it ready"
            );
        }
    }

    /// Dropped after any number of polls, it leaves nothing behind.
    fn drops_everything(&self, log: &Log) {
        for polls in 0..polls(log) {
            let world = World::new(self.timings);
            let mut future = self.start(&world).err().expect("should be pending again");
            let mut executor = Executor::new(&world, self.case.wake_order);
            for _ in 0..polls {
                assert!(executor.poll(&mut future).is_pending());
            }
            drop(future);
            executor.assert_no_waker_kept();
            assert_eq!(world.alive(), 0, "dropped after {polls} polls");
        }
    }

    /// Whichever closure panics, whoever called or polled is told, and nothing is left behind.
    fn passes_panics(&self, log: &Log) {
        let calls = log.iter().enumerate();
        let calls = calls.filter(|(_, (_, event))| matches!(event, Event::Called { .. }));
        for (call, (place, _)) in calls.enumerate() {
            let world = World::new(self.timings).panicking_at(call);
            let mut future = None;
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                let future = future.insert(self.start(&world).err()?);
                let mut executor = Executor::new(&world, self.case.wake_order);
                while executor.poll(future).is_pending() {}
                Some(())
            }));
            let payload = panicked.expect_err("the panic of a closure should reach the caller");
            if !payload.is::<Injected>() {
                resume_unwind(payload);
            }
            if let Some(future) = &mut future {
                let again =
                    catch_unwind(AssertUnwindSafe(|| poll_once(Pin::new(future)).is_ready()));
                let gave = matches!(again, Ok(true));
                // The other branch of a `try_zip` may still fail, and that is its result then.
                assert!(
                    !gave || self.case.races,
                    "a value came of a closure that panicked"
                );
            }
            drop(future);
            assert_eq!(world.alive(), 0, "call {call} panicked");

            let panicked = world.take_log();
            assert!(
                panicked.starts_with(&log[..=place]),
                "the calls before the panic differ"
            );
            let mut calls = self::calls(&panicked);
            calls.sort_unstable();
            assert_called_once(&calls);
        }
    }
}

fn polls(log: &Log) -> usize {
    log.last().map_or(0, |(turn, _)| *turn)
}

/// The closures that were called, with their arguments.
fn calls(log: &Log) -> Vec<(usize, u64)> {
    let calls = log.iter().filter_map(|(_, event)| match *event {
        Event::Called { closure, with } => Some((closure, with)),
        _ => None,
    });
    calls.collect()
}

fn assert_called_once(sorted: &[(usize, u64)]) {
    for pair in sorted.windows(2) {
        assert!(
            pair[0].0 < pair[1].0,
            "closure {} was called twice",
            pair[0].0
        );
    }
}
