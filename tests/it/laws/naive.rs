//! The same programs in plain `async` code, without the crate.
//!
//! One thing plain `async` code does not have: a half that runs before the first poll. Here
//! [`start`] stands for it. It runs a future up to where it waits, on the spot: leaves that are
//! ready are, and all others are pending as long as anything is being started. So this tells
//! not only what a program gives, but also in which order and in which poll each closure is called.
//! Where all leaves are ready nothing waits, and it is plain code that runs from top to bottom.

use std::pin::Pin;
use std::task::Poll;

use futures::FutureExt;
use futures::future::{LocalBoxFuture, join, join_all, try_join, try_join_all};

use super::program::{Many, Pair, Program, Source, Step, Timing};
use super::world::{Converted, Fail, Out, World, number};
use crate::support::poll_once;

/// What a program gives before it is polled, or else the rest of it.
pub(super) type Started<'a> = Result<Out, LocalBoxFuture<'a, Out>>;

pub(super) fn start<'a>(world: &'a World, program: &'a Program) -> Started<'a> {
    let mut future = run(world, program).boxed_local();
    match world.building(|| poll_once(Pin::new(&mut future))) {
        Poll::Ready(out) => Ok(out),
        Poll::Pending => Err(future),
    }
}

async fn finish(started: Started<'_>) -> Out {
    match started {
        Ok(out) => out,
        Err(rest) => rest.await,
    }
}

async fn run(world: &World, program: &Program) -> Out {
    let mut out = source(world, &program.source).await;
    for next in &program.steps {
        out = step(world, next, out).await;
    }
    out
}

async fn source(world: &World, source: &Source) -> Out {
    match source {
        Source::Leaf(leaf) => match world.timing(leaf) {
            Timing::Ready => world.ready(leaf),
            Timing::Deferred => defer(world, world.ready(leaf)).await,
            Timing::Yields(_) | Timing::Gated => world.pending(leaf).await,
        },
        Source::TryFromFn(first) => {
            world.call(first.f, 0);
            if first.fails {
                return Err(world.fail(0));
            }
            finish(start(world, &first.program)).await
        }
        Source::Zip(Pair { left, right, f }) => {
            let (left, right) = (start(world, left), start(world, right));
            let (left, right) = join(finish(left), finish(right)).await;
            world.gather(*f, [left, right])
        }
        Source::TryZip(Pair { left, right, f }) => {
            let (left, right) = (start(world, left), start(world, right));
            let both = try_join(finish(left), finish(right)).await;
            let (left, right) = both.inspect_err(|_| world.cut())?;
            world.gather(*f, [Ok(left), Ok(right)])
        }
        Source::JoinAll(Many { programs, f }) => {
            let all: Vec<_> = programs.iter().map(|it| start(world, it)).collect();
            let outs = join_all(all.into_iter().map(finish)).await;
            world.gather(*f, outs)
        }
        Source::TryJoinAll(Many { programs, f }) => {
            let mut all = Vec::new();
            for program in programs {
                match start(world, program) {
                    Ok(Err(error)) => {
                        world.cut();
                        return Err(error);
                    }
                    started => all.push(finish(started)),
                }
            }
            let values = try_join_all(all).await.inspect_err(|_| world.cut())?;
            world.gather(*f, values.into_iter().map(Ok))
        }
        Source::Fold(items) => {
            let mut out = Ok(world.value(0));
            for next in items {
                world.call(next.f, number(&out));
                out = finish(start(world, &next.program)).await;
            }
            out
        }
        Source::TryFold(items) => {
            let mut value = world.value(0);
            for next in items {
                world.call(next.f, value.number());
                value = finish(start(world, &next.program)).await?;
            }
            Ok(value)
        }
    }
}

async fn step(world: &World, step: &Step, out: Out) -> Out {
    match step {
        Step::Map { f, flips } => world.map(*f, *flips, out),
        Step::MapBothArms(f) => world.map(*f, false, out),
        Step::Inspect(f) => {
            world.call(*f, number(&out));
            out
        }
        Step::Then(next) => {
            world.call(next.f, number(&out));
            finish(start(world, &next.program)).await
        }
        Step::ThenFuture(next) => {
            world.call(next.f, number(&out));
            let started = start(world, &next.program);
            // A future is pending until it is polled, even if it has its value.
            world.waits(0).await;
            finish(started).await
        }
        Step::MapOk(f) => Ok(world.change(*f, out?)),
        Step::MapErr(f) => match out {
            Ok(value) => Ok(value),
            Err(Fail(value)) => Err(Fail(world.change(*f, value))),
        },
        Step::ErrInto(f) => match out {
            Ok(value) => Ok(value),
            Err(error) => Err(Fail(world.change(*f, Converted::from(error).0))),
        },
        Step::InspectOk(f) => {
            if let Ok(value) = &out {
                world.call(*f, value.number());
            }
            out
        }
        Step::InspectErr(f) => {
            if let Err(error) = &out {
                world.call(*f, error.number());
            }
            out
        }
        Step::AndThen(next) => {
            world.call(next.f, out?.number());
            finish(start(world, &next.program)).await
        }
        Step::OrElse(next) => match out {
            Ok(value) => Ok(value),
            Err(error) => {
                world.call(next.f, error.number());
                finish(start(world, &next.program)).await
            }
        },
        Step::Defer => defer(world, out).await,
    }
}

/// Holds back, for one poll, what is there before the first one.
async fn defer(world: &World, out: Out) -> Out {
    if world.is_building() {
        world.waits(1).await;
    }
    out
}
