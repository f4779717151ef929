//! `fold` and `try_fold`.

use std::cell::RefCell;
use std::fmt::Debug;
use std::future::{self, Future, poll_fn};
use std::iter;
use std::mem;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::thread;

use allocation_counter::measure;
use futures::future::FusedFuture;
use maybe_ready::{AlwaysReady, IntoMaybeReady, MaybeReady, fold, try_fold};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, Strategy, prop_oneof};
use proptest::test_runner::{Config, RngSeed, TestRunner};

use crate::support::{
    Drops, Log, Panic, Rooted, Token, Wakes, Yield, drive, future_of, panic_at, panic_message,
    poll_once, ready,
};

/// What one of the steps does.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// In how many polls it is pending, or `None` if it is ready.
    yields: Option<usize>,
    fails: bool,
}

const READY: Plan = Plan {
    yields: None,
    fails: false,
};

const PENDING: Plan = Plan {
    yields: Some(1),
    fails: false,
};

/// The sum of the indices, or the index of the step that failed.
type Outcome = Result<usize, usize>;

/// What happens in the call, in the first poll, in the second, and so on.
type Story = Vec<Vec<String>>;

/// Tells the story as a loop would. It stops at the first error, or else goes on with it.
fn expected(plans: &[Plan], stops: bool) -> (Story, Outcome) {
    let mut story = vec![Vec::new()];
    let mut acc = Ok(0);
    for (i, plan) in plans.iter().enumerate() {
        let (Ok(before) | Err(before)) = acc;
        story.last_mut().unwrap().push(format!("pull {i}"));
        story
            .last_mut()
            .unwrap()
            .push(format!("step {i} on {before}"));
        if let Some(yields) = plan.yields {
            if story.len() == 1 {
                story.push(Vec::new());
            }
            for _ in 0..yields {
                story.last_mut().unwrap().push(format!("poll {i}"));
                story.push(Vec::new());
            }
            story.last_mut().unwrap().push(format!("poll {i}"));
            story.last_mut().unwrap().push(format!("drop {i}"));
        }
        acc = if plan.fails { Err(i) } else { Ok(before + i) };
        if plan.fails && stops {
            return (story, acc);
        }
    }
    story.last_mut().unwrap().push("end".to_owned());
    (story, acc)
}

/// A set of things that tell what happens to them.
#[derive(Default)]
struct Stage {
    log: Log,
    drops: Drops,
}

struct Step {
    index: usize,
    log: Log,
    inner: Yield<Outcome>,
}

impl Stage {
    fn items(&self, plans: &[Plan]) -> impl Iterator<Item = (usize, Plan)> {
        let log = self.log.clone();
        let token = self.drops.token();
        let mut plans = plans.iter().copied().enumerate();
        let mut ended = false;
        iter::from_fn(move || {
            let _ = &token;
            assert!(!ended, "pulled after the end");
            let item = plans.next();
            match item {
                Some((i, _)) => log.push(format!("pull {i}")),
                None => log.push("end"),
            }
            ended = item.is_none();
            item
        })
    }

    fn step(&self) -> impl FnMut(usize, (usize, Plan)) -> MaybeReady<Outcome, Step> {
        let log = self.log.clone();
        let token = self.drops.token();
        move |acc, (index, plan)| {
            let _ = &token;
            log.push(format!("step {index} on {acc}"));
            let outcome = if plan.fails {
                Err(index)
            } else {
                Ok(acc + index)
            };
            match plan.yields {
                None => MaybeReady::Ready(outcome),
                Some(yields) => MaybeReady::Pending(Step {
                    index,
                    log: log.clone(),
                    inner: Yield::new(yields, outcome),
                }),
            }
        }
    }

    fn try_fold(
        &self,
        plans: &[Plan],
    ) -> MaybeReady<Outcome, impl FusedFuture<Output = Outcome> + Debug> {
        try_fold(self.items(plans), 0, self.step())
    }

    /// Goes on with the index of a step that failed.
    fn fold(
        &self,
        plans: &[Plan],
    ) -> MaybeReady<Outcome, impl FusedFuture<Output = Outcome> + Debug> {
        let mut step = self.step();
        fold(self.items(plans), Ok(0), move |acc, item| {
            let (Ok(acc) | Err(acc)) = acc;
            step(acc, item)
        })
    }

    fn run(
        &self,
        folded: MaybeReady<Outcome, impl FusedFuture<Output = Outcome>>,
    ) -> (Story, Outcome) {
        let mut story = vec![self.log.take()];
        let outcome = match folded {
            MaybeReady::Ready(outcome) => outcome,
            MaybeReady::Pending(future) => {
                let mut future = pin!(future);
                loop {
                    assert!(!future.is_terminated(), "terminated before the end");
                    let poll = poll_once(future.as_mut());
                    story.push(self.log.take());
                    if let Poll::Ready(outcome) = poll {
                        assert!(future.is_terminated(), "not terminated, at the end");
                        assert_eq!(self.drops.alive(), 0, "iterators and closures, at the end");
                        break outcome;
                    }
                    assert_eq!(self.drops.alive(), 2, "iterators and closures, half-way");
                }
            }
        };
        assert_eq!(self.drops.alive(), 0, "iterators and closures, at the end");
        (story, outcome)
    }
}

impl Future for Step {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        self.log.push(format!("poll {}", self.index));
        Pin::new(&mut self.inner).poll(cx)
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        self.log.push(format!("drop {}", self.index));
    }
}

#[test]
fn a_step_is_due_when_the_one_before_it_is_done() {
    let plans = [READY, PENDING, READY, READY, PENDING, READY];
    let story = [
        vec!["pull 0", "step 0 on 0", "pull 1", "step 1 on 0"],
        vec!["poll 1"],
        vec![
            "poll 1",
            "drop 1",
            "pull 2",
            "step 2 on 1",
            "pull 3",
            "step 3 on 3",
            "pull 4",
            "step 4 on 6",
            "poll 4",
        ],
        vec!["poll 4", "drop 4", "pull 5", "step 5 on 10", "end"],
    ];
    let stage = Stage::default();
    let (seen, outcome) = stage.run(stage.fold(&plans));
    assert_eq!(seen, story, "`fold`, in the call and in each poll");
    assert_eq!(outcome, Ok(15));
    let (seen, outcome) = stage.run(stage.try_fold(&plans));
    assert_eq!(seen, story, "`try_fold`, in the call and in each poll");
    assert_eq!(outcome, Ok(15));
    assert_eq!(expected(&plans, true), (seen, outcome), "the loop itself");
}

#[test]
fn random_steps_run_as_in_a_loop() {
    let plan = (
        option::weighted(0.4, 0_usize..3),
        prop_oneof![15 => Just(false), 1 => Just(true)],
    )
        .prop_map(|(yields, fails)| Plan { yields, fails });
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..Config::default()
    });
    let result = runner.run(&vec(plan, 0..30), |plans| {
        let stage = Stage::default();
        assert_eq!(stage.run(stage.fold(&plans)), expected(&plans, false));
        assert_eq!(stage.run(stage.try_fold(&plans)), expected(&plans, true));
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn an_error_now_or_later_is_the_end() {
    let later = Plan {
        fails: true,
        ..PENDING
    };
    let now = Plan {
        fails: true,
        ..READY
    };
    // What comes after it is an error, too, and must not be met.
    for plans in [
        vec![now, now],
        vec![PENDING, now, later],
        vec![READY, later, now],
    ] {
        let stage = Stage::default();
        let failed = plans.len() - 2;
        let (story, outcome) = stage.run(stage.try_fold(&plans));
        assert_eq!(outcome, Err(failed), "{plans:?}");
        let next = format!("pull {}", failed + 1);
        assert!(!story.concat().contains(&next), "{plans:?}: {story:?}");
    }
}

#[test]
fn without_items_the_beginning_is_the_end() {
    let stage = Stage::default();
    assert_eq!(
        stage.run(stage.fold(&[])),
        (vec![vec!["end".to_owned()]], Ok(0))
    );
    assert_eq!(
        stage.run(stage.try_fold(&[])),
        (vec![vec!["end".to_owned()]], Ok(0))
    );
}

#[test]
fn dropped_at_any_stage_it_drops_everything() {
    let plans = [READY, PENDING, READY, PENDING];
    for polls in 0..3 {
        let stage = Stage::default();
        let mut folded = Box::pin(future_of(stage.fold(&plans)));
        for _ in 0..polls {
            assert!(poll_once(folded.as_mut()).is_pending());
        }
        stage.log.take();
        drop(folded);
        let dropped = if polls < 2 { "drop 1" } else { "drop 3" };
        assert_eq!(stage.log.take(), [dropped], "after {polls} polls");
        assert_eq!(stage.drops.alive(), 0, "after {polls} polls");
    }
}

#[test]
fn polled_again_it_says_which_future_and_where() {
    let stage = Stage::default();
    let failing = Plan {
        fails: true,
        ..PENDING
    };
    whole_life("Fold", future_of(stage.fold(&[PENDING])));
    whole_life("TryFold", future_of(stage.try_fold(&[PENDING])));
    whole_life("TryFold", future_of(stage.try_fold(&[failing])));
}

fn whole_life(name: &str, folded: impl FusedFuture + Debug) {
    let mut folded = pin!(folded);
    let mut cx = Context::from_waker(Waker::noop());
    assert!(!folded.is_terminated(), "{name}: before the first poll");
    assert!(poll_once(folded.as_mut()).is_pending());
    assert!(!folded.is_terminated(), "{name}: half-way");
    assert_eq!(format!("{folded:?}"), format!("{name}(Pending)"));
    assert!(poll_once(folded.as_mut()).is_ready());
    assert!(folded.is_terminated(), "{name}: after the last poll");
    assert_eq!(format!("{folded:?}"), format!("{name}(Done)"));

    for _ in 0..2 {
        let mut again = || folded.as_mut().poll(&mut cx).is_ready();
        let line = line!() - 1;
        let panic = panic_at(&mut again);
        assert_eq!(
            panic,
            Panic {
                message: format!("`{name}` polled after completion"),
                file: file!().to_owned(),
                line,
            }
        );
        assert!(folded.is_terminated(), "{name}: after a panic");
    }
}

/// The steps of a loop of a million.
const MILLION: usize = 1_000_000;
const SUM: usize = MILLION * (MILLION - 1) / 2;

/// Runs `f` where a loop that recursed would overflow the stack, and counts its allocations.
fn with_a_small_stack(f: impl FnOnce() + Send + 'static) -> u64 {
    let thread = thread::Builder::new().stack_size(64 * 1024);
    let thread = thread.spawn(|| measure(f).count_total).unwrap();
    thread.join().expect("the steps should have run")
}

#[test]
fn a_million_ready_steps_use_neither_stack_nor_heap() {
    let allocations = with_a_small_stack(|| {
        let sum = fold(0..MILLION, 0, |sum, n| ready(sum + n));
        assert_eq!(sum.unwrap_ready(), SUM);
        let sum = try_fold(0..MILLION, 0, |sum, n| ready(Ok::<_, ()>(sum + n)));
        assert_eq!(sum.unwrap_ready(), Ok(SUM));
    });
    assert_eq!(allocations, 0);
}

#[test]
fn a_million_ready_steps_after_one_that_is_pending_use_neither_stack_nor_heap() {
    let allocations = with_a_small_stack(|| {
        let step = |sum, n| match n {
            0 => MaybeReady::Pending(Yield::new(0, sum + n)),
            _ => MaybeReady::Ready(sum + n),
        };
        let sum = pin!(future_of(fold(0..MILLION, 0, step)));
        assert_eq!(poll_once(sum), Poll::Ready(SUM));
        let step = |sum, n| step(sum, n).map(Ok::<_, ()>);
        let sum = pin!(future_of(try_fold(0..MILLION, 0, step)));
        assert_eq!(poll_once(sum), Poll::Ready(Ok(SUM)));
    });
    assert_eq!(allocations, 0);
}

#[test]
fn a_million_steps_that_finish_when_polled_use_neither_stack_nor_heap() {
    let allocations = with_a_small_stack(|| {
        let sum = fold(0..MILLION, 0, |sum, n| async move { sum + n });
        assert_eq!(poll_once(pin!(future_of(sum))), Poll::Ready(SUM));
        let sum = try_fold(0..MILLION, 0, |sum, n| async move { Ok::<_, ()>(sum + n) });
        assert_eq!(poll_once(pin!(future_of(sum))), Poll::Ready(Ok(SUM)));
    });
    assert_eq!(allocations, 0);
}

#[test]
fn steps_are_of_any_kind() {
    fn check<R: IntoMaybeReady<Output = i32>>(kind: &str, step: impl FnMut(i32, i32) -> R) {
        assert_eq!(drive(fold([1, 2, 3], 0, step)).0, 6, "{kind}");
    }

    check("async blocks", |sum, n| async move { sum + n });
    check("futures of std", |sum, n| future::ready(sum + n));
    check("boxed futures", |sum, n| Box::pin(async move { sum + n }));
    check("values", |sum, n| ready(sum + n));
    check("values that cannot be pending", |sum, n| {
        AlwaysReady::Ready(sum + n)
    });
    let either = |sum, n| match n {
        2 => MaybeReady::Pending(Yield::new(1, sum + n)),
        _ => MaybeReady::Ready(sum + n),
    };
    check("values and futures", either);
    #[cfg(feature = "alloc")]
    check("boxed ones", |sum, n| either(sum, n).boxed());
    check("loops", |sum, n| fold(0..n, sum, |sum, _| either(sum, 1)));
}

#[test]
fn the_waker_is_passed_through_untouched() {
    let wakes = Wakes::new();
    let waker = Waker::from(wakes.clone());
    let step = |(), _| {
        let mut polls = 0;
        poll_fn({
            let waker = waker.clone();
            move |cx| {
                assert!(cx.waker().will_wake(&waker), "the waker of the task itself");
                polls += 1;
                if polls == 1 {
                    Poll::Pending
                } else {
                    Poll::Ready(())
                }
            }
        })
    };
    let mut folded = pin!(future_of(fold(0..3, (), step)));
    for _ in 0..3 {
        let held = Arc::strong_count(&wakes);
        let mut cx = Context::from_waker(&waker);
        assert!(folded.as_mut().poll(&mut cx).is_pending());
        assert_eq!(Arc::strong_count(&wakes), held, "a waker was kept");
    }
    assert_eq!(wakes.count(), 0, "nobody but a step wakes the task");
}

#[test]
fn a_step_stays_where_it_was_polled_first() {
    let mut step = 0;
    let folded = fold(0..10, (), |(), n| {
        step += 1;
        Rooted::<[[u8; 32]; 32]>::new(n % 3)
    });
    assert_eq!(drive(folded), ((), 1 + 9));
    assert_eq!(step, 10);
}

/// A panic of the iterator or the closure, before the first pending step and after it.
#[test]
fn a_panic_of_the_iterator_or_the_closure_is_the_end() {
    for (iterator, closure) in [(3, 100), (100, 3)] {
        for pending in [None, Some(1)] {
            let drops = Drops::default();
            let tokens = [(); 2].map(|()| drops.token());
            let [of_iterator, of_closure] = tokens;
            let items = (0..10).inspect(move |i| {
                let _ = &of_iterator;
                assert!(*i < iterator, "its own panic");
            });
            let step = move |acc: Vec<Token>, i| {
                let _ = &of_closure;
                assert!(i < closure, "its own panic");
                if Some(i) == pending {
                    return MaybeReady::Pending(Yield::new(0, acc));
                }
                MaybeReady::Ready(acc)
            };
            let acc = vec![drops.token()];
            let folding = || fold(items, acc, step);
            if pending.is_none() {
                let message = panic_message(|| folding().is_ready());
                assert!(message.contains("its own panic"), "{message}");
                assert_eq!(drops.alive(), 0);
                continue;
            }
            let mut folded = Box::pin(future_of(folding()));
            let message = panic_message(|| poll_once(folded.as_mut()));
            assert!(message.contains("its own panic"), "{message}");
            assert!(folded.is_terminated());
            assert_eq!(drops.alive(), 2, "only the iterator and the closure stay");
            let message = panic_message(|| poll_once(folded.as_mut()));
            assert_eq!(message, "`Fold` polled after completion");
            drop(folded);
            assert_eq!(drops.alive(), 0);
        }
    }
}

#[test]
fn a_step_that_panics_is_polled_again_or_dropped() {
    for is_dropped in [true, false] {
        let drops = Drops::default();
        let folded = fold([1, 2], drops.token(), |acc, n| {
            let mut acc = Some(acc);
            let mut panics = n == 1;
            poll_fn(move |_| {
                assert!(!mem::take(&mut panics), "its own panic");
                Poll::Ready(acc.take().unwrap())
            })
        });
        let mut folded = Box::pin(future_of(folded));
        assert_eq!(drops.alive(), 1);
        let message = panic_message(|| poll_once(folded.as_mut()));
        assert!(message.contains("its own panic"), "{message}");
        assert!(is_dropped || poll_once(folded.as_mut()).is_ready());
        drop(folded);
        assert_eq!(drops.alive(), 0);
    }
}

/// Counts up, and notes where it is whenever it is asked.
struct Placed<'a>(u8, &'a RefCell<Vec<usize>>);

impl Iterator for Placed<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.1.borrow_mut().push(&raw const *self as usize);
        self.0 += 1;
        (self.0 <= 4).then_some(self.0)
    }
}

#[test]
fn a_fold_leaves_its_iterator_where_it_is_between_steps() {
    let places = RefCell::default();
    let MaybeReady::Pending(fold) = fold(Placed(0, &places), 0, |sum, n| Yield::new(1, sum + n))
    else {
        panic!("the steps are pending, so the fold should be");
    };
    places.borrow_mut().clear();

    let mut fold = pin!(fold);
    let start = &raw const *fold as usize;
    let inside = start..start + mem::size_of_val(&*fold);
    while poll_once(fold.as_mut()).is_pending() {}
    for place in places.take() {
        assert!(
            inside.contains(&place),
            "the iterator was moved out of the future for a step: with n items in it, \
             n steps copy n * n of them"
        );
    }
}
