//! The laws of the crate, tried on random programs.
//!
//! A [`Case`] is a program over the whole API, together with the timing of its leaves. It is run
//! with the crate ([`build`](mod@build)) and in plain `async` code ([`naive`]), by the same executor,
//! which polls with another waker each time. All that happens is logged: each call and its argument,
//! each leaf that is dropped, each poll and whether it woke the task, the result.
//!
//! Two things are compared.
//!
//! - The crate and plain code *with the same timings*: all that happens, in the same order, and
//!   before the first poll or in which one. Nothing is left open, not even how concurrent branches
//!   interleave, or which error wins.
//! - The crate *with any timings* and plain code that never waits: the result, the calls, and their
//!   arguments. Timing does decide how concurrent branches interleave. So any two calls have to be
//!   in the order of the program, unless they are in different branches. And where an error ends a
//!   `try_zip` or a `try_join_all`, timing decides by design which error it is, and how far the
//!   other branches came. So what such a program gives and calls is only compared with the same
//!   timings.
//!
//! `MAYBE_READY_SOAK=100000` runs that many programs instead of a few, and others each time. A
//! failure names its seed, and `MAYBE_READY_SEED` runs it again.

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
use std::panic::{self, AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::Once;
use std::task::{Poll, ready};

use maybe_ready::MaybeReady;
use proptest::arbitrary::any;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestCaseResult, TestRunner};

use self::build::build;
use self::checked::checked;
use self::executor::Executor;
use self::program::{Case, Timing};
use self::world::{Event, Injected, Log, Out, World, number};
use crate::support::{panic_message, poll_once};

#[test]
fn hold_for_random_programs() {
    let soak = variable("MAYBE_READY_SOAK");
    let seed = variable("MAYBE_READY_SEED").unwrap_or_else(|| match soak {
        Some(_) => RandomState::new().hash_one(()),
        None => 0,
    });
    let programs = soak.unwrap_or(256);
    println!("{programs} programs, MAYBE_READY_SEED={seed}");

    let bytes = || vec(any::<u8>(), 0..96);
    let cases = (bytes(), bytes()).prop_map(|(program, timings)| Case::read(&program, &timings));
    let mut runner = TestRunner::new(Config {
        cases: u32::try_from(programs).expect("MAYBE_READY_SOAK is too large"),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    });
    let done = Cell::new(0);
    let result = runner.run(&cases, |case| {
        quietly(|| check(&case))?;
        done.set(done.get() + 1);
        if soak.is_some() && done.get() % programs.div_ceil(10) == 0 {
            println!("{} programs done", done.get());
        }
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}\nMAYBE_READY_SEED={seed}");
    }
}

fn variable(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{name} should be a number")))
}

fn check(case: &Case) -> TestCaseResult {
    let all = |timing| vec![timing; case.timings.len()];
    let ready = all(Timing::Ready);
    let never_waits = Run::new(case, &ready).naive();
    let agrees = |run: &Run| {
        let log = run.to_the_end();
        assert_eq!(log, run.naive().log, "left the crate, right plain code");
        run.calls_in_order(&log);
        never_waits.agrees_but_for_timing(&log);
        run.keeps_readiness(&log);
        log
    };
    for timings in every_readiness(case.timings.len()) {
        let run = Run::new(case, &timings);
        run.attempt(|| drop(agrees(&run)))?;
    }
    let (deferred, gated) = (all(Timing::Deferred), all(Timing::Gated));
    for timings in [&ready, &deferred, &gated, &case.timings] {
        let run = Run::new(case, timings);
        run.attempt(|| {
            let log = agrees(&run);
            assert_eq!(run.in_place(), log, "left `poll_ready`, right `.await`");
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

/// A program and the timing of its leaves.
struct Run<'a> {
    case: &'a Case,
    timings: &'a [Timing],
}

/// What happens in plain `async` code.
struct Plain {
    log: Log,
    /// Whether an error ended something before all of it was done.
    cut: bool,
}

impl Plain {
    /// Law 1: the same result and the same calls as if all had been ready.
    fn agrees_but_for_timing(&self, log: &Log) {
        if self.cut {
            return;
        }
        let in_any_order = |log| {
            let mut calls = calls(log);
            calls.sort_unstable();
            calls
        };
        assert_eq!(
            in_any_order(log),
            in_any_order(&self.log),
            "left the calls, right those of a program that never waits"
        );
        assert_eq!(
            log.last().map(|(_, gave)| gave),
            self.log.last().map(|(_, gave)| gave),
            "left the result, right that of a program that never waits"
        );
    }
}

/// Ways to run it.
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
    fn in_place(&self) -> Log {
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

    /// Does what is done before the first poll.
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
    /// Adds the timings to the message of a failure.
    fn attempt(&self, check: impl FnOnce()) -> TestCaseResult {
        catch_unwind(AssertUnwindSafe(check)).map_err(|payload| {
            let message = panic_message(|| -> () { resume_unwind(payload) });
            TestCaseError::fail(format!("{message}\nwith the timings {:?}", self.timings))
        })
    }

    /// Law 1: each closure is called at most once, and in the order of the program.
    fn calls_in_order(&self, log: &Log) {
        let calls = calls(log);
        for (place, (later, _)) in calls.iter().enumerate() {
            for (earlier, _) in &calls[..place] {
                assert!(
                    earlier < later || self.case.are_concurrent(*earlier, *later),
                    "closure {later} was called after {earlier}, which does not come before it"
                );
            }
        }
    }

    /// Law 2: where all leaves are ready, and nothing in between waits, the result is ready.
    fn keeps_readiness(&self, log: &Log) {
        let leaves_ready = self.timings.iter().all(|it| *it == Timing::Ready);
        if leaves_ready && !self.case.defers {
            assert_eq!(polls(log), 0, "was polled, though all was ready");
        }
    }

    /// Law 4: dropped after any number of polls, it leaves nothing behind.
    fn drops_everything(&self, log: &Log) {
        for polls in 0..polls(log) {
            let world = World::new(self.timings);
            let mut future = self.start(&world).err();
            let mut executor = Executor::new(&world, self.case.wake_order);
            for _ in 0..polls {
                let future = future.as_mut().expect("was pending the first time");
                assert!(executor.poll(future).is_pending());
            }
            drop(future);
            executor.assert_no_waker_kept();
            assert_eq!(world.alive(), 0, "dropped after {polls} polls");
        }
    }

    /// Law 4: whichever closure panics, whoever called or polled gets the panic, the closure is not
    /// called again, and nothing is left behind.
    fn passes_panics(&self, log: &Log) {
        let calls = (log.iter().enumerate())
            .filter(|(_, (_, event))| matches!(event, Event::Called { .. }))
            .enumerate();
        for (call, (place, _)) in calls {
            let world = World::new(self.timings).panicking_at(call);
            let mut future = None;
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                let future = future.insert(self.start(&world).err()?);
                let mut executor = Executor::new(&world, self.case.wake_order);
                while executor.poll(future).is_pending() {}
                Some(())
            }));
            let payload = panicked.expect_err("a closure panicked, and nobody noticed");
            if !payload.is::<Injected>() {
                resume_unwind(payload);
            }
            if let Some(future) = &mut future {
                let again =
                    catch_unwind(AssertUnwindSafe(|| poll_once(Pin::new(future)).is_ready()));
                // An error of another branch may still be the result of a race.
                assert!(
                    again.is_err() || self.case.races,
                    "call {call} panicked, and the next poll did not panic"
                );
            }
            drop(future);
            assert_eq!(world.alive(), 0, "call {call} panicked");
            let log_of_panic = world.take_log();
            assert!(
                log_of_panic.starts_with(&log[..=place]),
                "call {call} panicked, and it is not the call that it was"
            );
            self.calls_in_order(&log_of_panic);
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

/// Runs what may panic as expected, without a message for each.
fn quietly<R>(f: impl FnOnce() -> R) -> R {
    thread_local!(static QUIET: Cell<bool> = const { Cell::new(false) });
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                hook(info);
            }
        }));
    });
    QUIET.set(true);
    let result = f();
    QUIET.set(false);
    result
}
