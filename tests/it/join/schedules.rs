//! Random schedules, against a model.

use std::cell::RefCell;
use std::fmt::Debug;
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures::future::FusedFuture;
use maybe_ready::{MaybeReady, join_all, try_join_all};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::test_runner::{Config, RngSeed, TestRunner};

use super::{is_held, poll};
use crate::support::{Drops, Token, Wakes};

/// What one of the items does.
#[derive(Clone, Debug)]
struct Plan {
    /// In how many polls it is pending, or `None` if it is ready.
    yields: Option<usize>,
    /// Whom it wakes in each of its polls, itself perhaps.
    wakes: Option<usize>,
    fails: bool,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    /// Somebody calls the waker of an item.
    Wake(usize),
    /// One of the tasks polls the join.
    Poll(usize),
}

const TASKS: usize = 3;

/// The indices of the values, or of the error that ended it.
type Outcome = Result<Vec<Result<usize, usize>>, usize>;

#[test]
fn join_all_does_what_the_model_does() {
    for_random_schedules(|plans, events, is_dropped| {
        let model = Model::new(plans, false);
        let values = |values: Vec<Item>| Ok(values.iter().map(index).collect());
        run(model, events, is_dropped, join_all, values);
    });
}

#[test]
fn try_join_all_does_what_the_model_does() {
    for_random_schedules(|plans, events, is_dropped| {
        let model = Model::new(plans, true);
        let values = |output: Result<Vec<Value>, Value>| match output {
            Ok(values) => Ok(values.iter().map(|value| Ok(value.index)).collect()),
            Err(error) => Err(error.index),
        };
        run(model, events, is_dropped, try_join_all, values);
    });
}

fn for_random_schedules(check: impl Fn(Vec<Plan>, Vec<Event>, bool)) {
    let plan = (
        option::weighted(0.6, 0_usize..4),
        option::weighted(0.2, any::<usize>()),
        prop_oneof![9 => Just(false), 1 => Just(true)],
    )
        .prop_map(|(yields, wakes, fails)| Plan {
            yields,
            wakes,
            fails,
        });
    let event = prop_oneof![
        3 => any::<usize>().prop_map(Event::Wake),
        1 => (0..TASKS).prop_map(Event::Poll),
    ];
    let schedule = (vec(plan, 0..40), vec(event, 0..80), any::<bool>());
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..Config::default()
    });
    let result = runner.run(&schedule, |(plans, events, is_dropped)| {
        check(plans, events, is_dropped);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// What a join has to do, said as simply as possible.
struct Model {
    plans: Vec<Plan>,
    /// Whether an error ends it.
    fails_fast: bool,
    /// Of each item, in how many polls it was.
    polls: Vec<usize>,
    finished: Vec<bool>,
    /// Who is to be polled next, in order.
    due: Vec<usize>,
}

impl Model {
    fn new(plans: Vec<Plan>, fails_fast: bool) -> Self {
        let n = plans.len();
        let is_pending = |i: &usize| plans[*i].yields.is_some();
        Self {
            polls: vec![0; n],
            finished: (0..n).map(|i| !is_pending(&i)).collect(),
            due: (0..n).filter(is_pending).collect(),
            plans,
            fails_fast,
        }
    }

    /// What the call returns, if it is ready.
    fn at_once(&self) -> Option<Outcome> {
        let mut ready = (0..self.plans.len()).filter(|i| self.finished[*i]);
        match ready.find(|i| self.fails_fast && self.plans[*i].fails) {
            Some(failed) => Some(Err(failed)),
            None => self.values(),
        }
    }

    fn values(&self) -> Option<Outcome> {
        let value = |(i, plan): (usize, &Plan)| if plan.fails { Err(i) } else { Ok(i) };
        let all = || self.plans.iter().enumerate().map(value).collect();
        self.finished
            .iter()
            .all(|finished| *finished)
            .then(|| Ok(all()))
    }

    fn wake(&mut self, item: usize) {
        if self.polls[item] > 0 && !self.due.contains(&item) {
            self.due.push(item);
        }
    }

    /// Whether a poll would get on.
    fn is_due(&self) -> bool {
        self.due.iter().any(|i| !self.finished[*i])
    }

    /// Who is polled, in order, and what comes of it.
    fn poll(&mut self) -> (Vec<usize>, Option<Outcome>) {
        let mut log = Vec::new();
        for i in mem::take(&mut self.due) {
            if self.finished[i] {
                continue;
            }
            log.push(i);
            self.polls[i] += 1;
            let plan = self.plans[i].clone();
            if let Some(other) = plan.wakes {
                self.wake(other % self.plans.len());
            }
            self.finished[i] = plan.yields < Some(self.polls[i]);
            if self.finished[i] && plan.fails && self.fails_fast {
                return (log, Some(Err(i)));
            }
        }
        (log, self.values())
    }
}

/// What the items share.
#[derive(Default)]
struct World {
    /// Who was polled, in order.
    log: RefCell<Vec<usize>>,
    /// The last waker of each item that was polled.
    wakers: RefCell<Vec<Option<Waker>>>,
}

impl World {
    fn wake(&self, item: usize) {
        let waker = self.wakers.borrow()[item].clone();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

type Item = Result<Value, Value>;

struct Value {
    index: usize,
    _alive: Token,
}

fn index(item: &Item) -> Result<usize, usize> {
    match item {
        Ok(value) => Ok(value.index),
        Err(value) => Err(value.index),
    }
}

/// An item that goes by its plan.
struct Planned {
    index: usize,
    plan: Plan,
    polls: usize,
    alive: Option<Token>,
    world: Rc<World>,
}

impl Planned {
    fn value(&mut self) -> Item {
        let value = Value {
            index: self.index,
            _alive: self.alive.take().expect("polled after it finished"),
        };
        if self.plan.fails {
            Err(value)
        } else {
            Ok(value)
        }
    }
}

impl Future for Planned {
    type Output = Item;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Item> {
        let world = self.world.clone();
        world.log.borrow_mut().push(self.index);
        let replaced = world.wakers.borrow_mut()[self.index].replace(cx.waker().clone());
        drop(replaced);
        self.polls += 1;
        if let Some(other) = self.plan.wakes {
            world.wake(other % world.wakers.borrow().len());
        }
        if self.plan.yields < Some(self.polls) {
            return Poll::Ready(self.value());
        }
        Poll::Pending
    }
}

/// Goes through a schedule with the model and a join. After the last of the events the join is
/// dropped, or else polled, with all items woken each time, until it is ready.
fn run<O, F: FusedFuture<Output = O> + Unpin + Debug>(
    mut model: Model,
    events: Vec<Event>,
    is_dropped: bool,
    join: impl FnOnce(Vec<MaybeReady<Item, Planned>>) -> MaybeReady<O, F>,
    outcome: impl Fn(O) -> Outcome,
) {
    let n = model.plans.len();
    let drops = Drops::default();
    let world = Rc::new(World::default());
    world.wakers.borrow_mut().resize(n, None);
    let items = model.plans.iter().enumerate().map(|(index, plan)| {
        let mut item = Planned {
            index,
            plan: plan.clone(),
            polls: 0,
            alive: Some(drops.token()),
            world: world.clone(),
        };
        match plan.yields {
            None => MaybeReady::Ready(item.value()),
            Some(_) => MaybeReady::Pending(item),
        }
    });
    let mut joined = match join(items.collect()) {
        MaybeReady::Ready(output) => {
            assert_eq!(Some(outcome(output)), model.at_once());
            assert_eq!(world.log.take(), [], "polled without a poll");
            assert_eq!(drops.alive(), 0, "alive after the outcome was dropped");
            return;
        }
        MaybeReady::Pending(joined) => joined,
    };
    assert_eq!(None, model.at_once());

    let tasks = [(); TASKS].map(|()| Wakes::new());
    let counts = || tasks.each_ref().map(|task| task.count());
    // The task that polled last, and how often each was told by then.
    let mut waiting: Option<(usize, [usize; TASKS])> = None;
    let rounds = (0..5).flat_map(|_| (0..n).map(Event::Wake).chain([Event::Poll(0)]));
    let rounds = rounds.filter(|_| !is_dropped);
    for event in events.into_iter().chain(rounds) {
        match event {
            Event::Wake(item) => {
                world.wake(item % n);
                model.wake(item % n);
            }
            Event::Poll(task) => {
                waiting = Some((task, counts()));
                let output = poll(&mut joined, &tasks[task]).map(&outcome);
                let (log, expected) = model.poll();
                assert_eq!(world.log.take(), log, "polled, in this order");
                let output = match output {
                    Poll::Ready(output) => Some(output),
                    Poll::Pending => None,
                };
                assert_eq!(output, expected, "the outcome of a poll");
                assert_eq!(joined.is_terminated(), output.is_some());
                if output.is_some() {
                    assert_eq!(drops.alive(), 0, "alive after the outcome was dropped");
                    return check_silent(&world, &tasks);
                }
                for (i, task_i) in tasks.iter().enumerate() {
                    assert!(i == task || !is_held(task_i), "task {i} no longer waits");
                }
            }
        }
        assert_eq!(drops.alive(), n, "alive, as futures or as values");
        let Some((last, before)) = waiting else {
            continue;
        };
        for (task, now) in counts().into_iter().enumerate() {
            let told = now - before[task];
            if task != last {
                assert_eq!(told, 0, "task {task} was told, and {last} waits");
            } else if model.is_due() {
                assert_eq!(told, 1, "something is due, and task {task} waits");
            } else {
                assert!(told <= 1, "task {task} was told {told} times");
            }
        }
    }
    assert!(is_dropped, "all items have finished and were woken");
    drop(joined);
    assert_eq!(drops.alive(), 0, "alive after the join was dropped");
    check_silent(&world, &tasks);
}

/// Nothing comes of a waker whose join is no more.
fn check_silent(world: &World, tasks: &[Arc<Wakes>; TASKS]) {
    let counts = || tasks.each_ref().map(|task| task.count());
    let before = counts();
    for item in 0..world.wakers.borrow().len() {
        world.wake(item);
    }
    assert_eq!(counts(), before, "a task was told of a join that is over");
    assert!(!tasks.iter().any(is_held), "a waker of a task was kept");
}
