//! The programs in terms of the crate.

use std::future::{Future, IntoFuture};

use futures::FutureExt;
use maybe_ready::{BoxMaybeReady, MaybeReady, fold, join_all, try_fold, try_join_all};

use super::checked::{Checked, checked};
use super::program::{Many, Next, Pair, Program, Source, Step, Timing};
use super::world::{Converted, Counted, Fail, Out, Value, World, number};

pub(super) type Built<'a> = BoxMaybeReady<'a, Out>;

pub(super) fn build<'a>(world: &'a World, program: &'a Program) -> Built<'a> {
    let (w, steps) = (world.counted(), &program.steps[..]);
    match &program.source {
        Source::Leaf(leaf) => match world.timing(leaf) {
            Timing::Ready => apply(world, Built::Ready(world.ready(leaf)), steps),
            Timing::Deferred => {
                let ready = Built::Ready(world.ready(leaf));
                apply(world, checked(world, ready.defer()), steps)
            }
            _ => apply(world, MaybeReady::Pending(world.pending(leaf)), steps),
        },
        Source::TryFromFn(start) => {
            let built = MaybeReady::try_from_fn(|| {
                world.call(start.f, 0);
                if start.fails {
                    return Err(world.fail(0));
                }
                Ok(build(world, &start.program))
            });
            apply(world, built, steps)
        }
        Source::Zip(Pair { left, right, f }) => {
            let both = build(world, left).zip(build(world, right));
            let gather = move |(left, right)| w.gather(*f, [left, right]);
            apply(world, checked(world, both).map(gather), steps)
        }
        Source::TryZip(Pair { left, right, f }) => {
            let both = build(world, left).try_zip(build(world, right));
            let gather = move |both: Result<_, _>| {
                let (left, right) = both?;
                w.gather(*f, [Ok(left), Ok(right)])
            };
            apply(world, checked(world, both).map(gather), steps)
        }
        Source::JoinAll(Many { programs, f }) => {
            let each = world.counted();
            let all = join_all(programs.iter().map(move |it| build(each.world, it)));
            let gather = move |outs| w.gather(*f, outs);
            apply(world, checked(world, all).map(gather), steps)
        }
        Source::TryJoinAll(Many { programs, f }) => {
            let each = world.counted();
            let all = try_join_all(programs.iter().map(move |it| build(each.world, it)));
            let gather = move |all: Result<Vec<_>, _>| w.gather(*f, all?.into_iter().map(Ok));
            apply(world, checked(world, all).map(gather), steps)
        }
        Source::Fold(items) => {
            let f = move |out, next| go_on(&w, next, number(&out));
            let folded = fold(items, Ok(world.value(0)), f);
            apply(world, checked(world, folded), steps)
        }
        Source::TryFold(items) => {
            let f = move |value: Value, next| go_on(&w, next, value.number());
            let folded = try_fold(items, world.value(0), f);
            apply(world, checked(world, folded), steps)
        }
    }
}

/// Applies all the steps. Some of them are left unboxed in between, so that combinators are also
/// tried on what others return.
fn apply<'a, F>(world: &'a World, it: MaybeReady<Out, F>, steps: &'a [Step]) -> Built<'a>
where
    F: Future<Output = Out> + Send + 'a,
{
    let w = world.counted();
    let (built, rest) = match steps {
        [] => return it.boxed(),
        [Step::Map { f, flips }, second, rest @ ..] => {
            let first = it.map(move |out| w.map(*f, *flips, out));
            (step(world, first, second), rest)
        }
        [Step::AndThen(next), second, rest @ ..] => {
            let first = it.and_then(move |value: Value| go_on(&w, next, value.number()));
            (step(world, first, second), rest)
        }
        [Step::Defer, second, rest @ ..] => (step(world, it.defer(), second), rest),
        [first, rest @ ..] => (step(world, it, first), rest),
    };
    apply(world, built, rest)
}

fn step<'a, F>(world: &'a World, it: MaybeReady<Out, F>, step: &'a Step) -> Built<'a>
where
    F: Future<Output = Out> + Send + 'a,
{
    let w = world.counted();
    match step {
        Step::Map { f, flips } => checked(world, it.map(move |out| w.map(*f, *flips, out))).boxed(),
        Step::MapBothArms(f) => {
            let later = world.counted();
            it.map_ready(move |out| w.map(*f, false, out))
                .map_pending(move |future| future.map(move |out| later.map(*f, false, out)))
                .boxed()
        }
        Step::Inspect(f) => checked(world, it.inspect(move |out| w.call(*f, number(out)))).boxed(),
        Step::Then(next) => {
            checked(world, it.then(move |out| go_on(&w, next, number(&out)))).boxed()
        }
        Step::ThenFuture(next) => {
            let f = move |out| {
                let built = go_on(&w, next, number(&out));
                Checked::new(world, built.into_future())
            };
            checked(world, it.then(f)).boxed()
        }
        Step::MapOk(f) => checked(world, it.map_ok(move |value| w.change(*f, value))).boxed(),
        Step::MapErr(f) => {
            let f = move |Fail(value)| Fail(w.change(*f, value));
            checked(world, it.map_err(f)).boxed()
        }
        Step::ErrInto(f) => checked(world, it.err_into())
            .map_err(move |Converted(value)| Fail(w.change(*f, value)))
            .boxed(),
        Step::InspectOk(f) => {
            let f = move |value: &Value| w.call(*f, value.number());
            checked(world, it.inspect_ok(f)).boxed()
        }
        Step::InspectErr(f) => {
            let f = move |error: &Fail| w.call(*f, error.number());
            checked(world, it.inspect_err(f)).boxed()
        }
        Step::AndThen(next) => {
            let f = move |value: Value| go_on(&w, next, value.number());
            checked(world, it.and_then(f)).boxed()
        }
        Step::OrElse(next) => {
            let f = move |error: Fail| go_on(&w, next, error.number());
            checked(world, it.or_else(f)).boxed()
        }
        Step::Defer => checked(world, it.defer()).boxed(),
    }
}

fn go_on<'a>(w: &Counted<'a>, next: &'a Next, with: u64) -> Built<'a> {
    w.call(next.f, with);
    build(w.world, &next.program)
}
