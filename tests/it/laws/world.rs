//! What a program meets when it runs: values that are counted, closures that are written down,
//! leaves that wait. Both interpreters use it.

use std::collections::BTreeMap;
use std::future::Future;
use std::mem;
use std::ops::Deref;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use super::program::{Closure, Leaf, Timing, WakeOrder};

/// The world of one run.
pub(super) struct World {
    state: Mutex<State>,
    /// Every value, closure and leaf holds a clone.
    alive: Arc<()>,
}

/// A reference for closures and leaves, which counts what was not dropped.
pub(super) struct Counted<'a> {
    pub(super) world: &'a World,
    _alive: Arc<()>,
}

impl Deref for Counted<'_> {
    type Target = World;

    fn deref(&self) -> &World {
        self.world
    }
}

struct State {
    timings: Vec<Timing>,
    /// The poll that is going on; 0 before the first one.
    turn: usize,
    building: bool,
    log: Log,
    calls: usize,
    panic_at: Option<usize>,
    polls_again: bool,
    gates: BTreeMap<usize, Gate>,
    cut: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Called { closure: usize, with: u64 },
    DroppedLeaf(usize),
    Polled { woken: bool },
    Gave(u64),
}

impl Event {
    fn is_drop(self) -> bool {
        matches!(self, Self::DroppedLeaf(_))
    }
}

/// What happened, and in which turn.
pub(super) type Log = Vec<(usize, Event)>;

enum Gate {
    Closed(Waker),
    Open,
}

/// The payload of the panics that [`World::panicking_at`] injects.
pub(super) struct Injected;

/// What every program gives.
pub(super) type Out = Result<Value, Fail>;

/// A number that tells where it has been. It cannot be cloned, as it should be given once.
pub(super) struct Value {
    number: u64,
    _alive: Arc<()>,
}

pub(super) struct Fail(pub(super) Value);

/// What `err_into` makes of a [`Fail`].
pub(super) struct Converted(pub(super) Value);

impl From<Fail> for Converted {
    fn from(Fail(value): Fail) -> Self {
        Self(value.passed(99))
    }
}

impl Value {
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    fn passed(self, mark: usize) -> Self {
        let number = mix(self.number, mark as u64);
        Self { number, ..self }
    }
}

fn mix(one: u64, other: u64) -> u64 {
    (one.rotate_left(7) ^ other).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Fail {
    /// Tells an error from a value of the same number.
    pub(super) fn number(&self) -> u64 {
        !self.0.number
    }
}

pub(super) fn number(out: &Out) -> u64 {
    match out {
        Ok(value) => value.number(),
        Err(error) => error.number(),
    }
}

/// For the runs.
impl World {
    pub(super) fn new(timings: &[Timing]) -> Self {
        let state = State {
            timings: timings.to_vec(),
            turn: 0,
            building: false,
            log: Vec::new(),
            calls: 0,
            panic_at: None,
            polls_again: false,
            gates: BTreeMap::new(),
            cut: false,
        };
        Self {
            state: Mutex::new(state),
            alive: Arc::default(),
        }
    }

    /// Makes one of the calls panic, counted from 0.
    pub(super) fn panicking_at(self, call: usize) -> Self {
        self.state().panic_at = Some(call);
        self
    }

    /// Has every future of the crate polled once more when it has finished.
    pub(super) fn polling_again(self) -> Self {
        self.state().polls_again = true;
        self
    }

    pub(super) fn polls_again(&self) -> bool {
        self.state().polls_again
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn next_turn(&self) -> usize {
        let mut state = self.state();
        state.turn += 1;
        state.turn
    }

    /// Opens gates and returns whom to wake.
    pub(super) fn open(&self, order: WakeOrder) -> Vec<Waker> {
        let mut state = self.state();
        let mut closed: Vec<_> = (state.gates.values_mut())
            .filter(|gate| matches!(gate, Gate::Closed(_)))
            .collect();
        match order {
            WakeOrder::First => closed.truncate(1),
            WakeOrder::Last => drop(closed.drain(..closed.len().saturating_sub(1))),
            WakeOrder::All => {}
        }
        let opened = closed
            .into_iter()
            .filter_map(|gate| match mem::replace(gate, Gate::Open) {
                Gate::Closed(waker) => Some(waker),
                Gate::Open => None,
            });
        opened.collect()
    }

    pub(super) fn log(&self, event: Event) {
        let mut state = self.state();
        let turn = state.turn;
        state.log.push((turn, event));
    }

    /// In which order things are dropped that are dropped together is nobody's business.
    pub(super) fn take_log(&self) -> Log {
        let mut log = mem::take(&mut self.state().log);
        for run in log.chunk_by_mut(|(_, one), (_, next)| one.is_drop() && next.is_drop()) {
            run.sort_unstable_by_key(|(_, event)| match event {
                Event::DroppedLeaf(leaf) => *leaf,
                _ => 0,
            });
        }
        log
    }

    /// How many values, closures and leaves there are.
    pub(super) fn alive(&self) -> usize {
        Arc::strong_count(&self.alive) - 1
    }
}

/// What the closures do.
impl World {
    pub(super) fn counted(&self) -> Counted<'_> {
        Counted {
            world: self,
            _alive: self.alive.clone(),
        }
    }

    pub(super) fn call(&self, closure: Closure, with: u64) {
        self.log(Event::Called {
            closure: closure.0,
            with,
        });
        let mut state = self.state();
        state.calls += 1;
        if state.panic_at == Some(state.calls - 1) {
            drop(state);
            // Unlike `panic!` this does not run the panic hook, which would print.
            resume_unwind(Box::new(Injected));
        }
    }

    pub(super) fn change(&self, f: Closure, value: Value) -> Value {
        self.call(f, value.number);
        value.passed(f.0)
    }

    pub(super) fn map(&self, f: Closure, flips: bool, out: Out) -> Out {
        self.call(f, number(&out));
        match out {
            Ok(value) if flips => Err(Fail(value.passed(f.0))),
            Ok(value) => Ok(value.passed(f.0)),
            Err(Fail(value)) if flips => Ok(value.passed(f.0)),
            Err(Fail(value)) => Err(Fail(value.passed(f.0))),
        }
    }

    /// Makes one of many, which is an error if one of them is.
    pub(super) fn gather(&self, f: Closure, outs: impl IntoIterator<Item = Out>) -> Out {
        let (mut all, mut failed) = (0, false);
        for out in outs {
            all = mix(all, number(&out));
            failed |= out.is_err();
        }
        self.call(f, all);
        self.out(all, failed)
    }

    pub(super) fn fail(&self, number: u64) -> Fail {
        Fail(self.value(number))
    }

    pub(super) fn value(&self, number: u64) -> Value {
        Value {
            number,
            _alive: self.alive.clone(),
        }
    }

    fn out(&self, number: u64, fails: bool) -> Out {
        if fails {
            Err(self.fail(number))
        } else {
            Ok(self.value(number))
        }
    }
}

/// What leaves do.
impl World {
    pub(super) fn timing(&self, leaf: &Leaf) -> Timing {
        self.state().timings[leaf.index]
    }

    pub(super) fn ready(&self, leaf: &Leaf) -> Out {
        self.out(mix(1, leaf.index as u64), leaf.fails)
    }

    pub(super) fn pending(&self, leaf: &Leaf) -> LeafFuture<'_> {
        LeafFuture {
            index: leaf.index,
            wait: self.wait(self.timing(leaf), leaf.index),
            out: Some(self.ready(leaf)),
        }
    }

    fn wait(&self, timing: Timing, gate: usize) -> Wait<'_> {
        Wait {
            world: self.counted(),
            timing,
            gate,
        }
    }
}

/// The future of a leaf, which panics if it is polled after it finished.
pub(super) struct LeafFuture<'a> {
    index: usize,
    wait: Wait<'a>,
    out: Option<Out>,
}

impl Future for LeafFuture<'_> {
    type Output = Out;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Out> {
        assert!(self.out.is_some(), "a leaf was polled after it finished");
        ready!(Pin::new(&mut self.wait).poll(cx));
        Poll::Ready(self.out.take().unwrap())
    }
}

impl Drop for LeafFuture<'_> {
    fn drop(&mut self) {
        self.wait.world.log(Event::DroppedLeaf(self.index));
        self.wait.world.state().gates.remove(&self.index);
    }
}

/// Waits for its time.
struct Wait<'a> {
    world: Counted<'a>,
    timing: Timing,
    gate: usize,
}

impl Future for Wait<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Self {
            world,
            timing,
            gate,
        } = &mut *self;
        let mut state = world.state();
        if state.building {
            return Poll::Pending;
        }
        assert!(state.turn > 0, "a leaf was polled before the first poll");
        match timing {
            Timing::Yields(0) => Poll::Ready(()),
            Timing::Yields(left) => {
                *left -= 1;
                drop(state);
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            Timing::Gated if matches!(state.gates.get(gate), Some(Gate::Open)) => Poll::Ready(()),
            Timing::Gated => {
                state.gates.insert(*gate, Gate::Closed(cx.waker().clone()));
                Poll::Pending
            }
            Timing::Ready | Timing::Deferred => unreachable!("a ready leaf is no future"),
        }
    }
}

/// For plain `async` code, which knows no eager half. See [`naive`](super::naive).
impl World {
    pub(super) fn is_building(&self) -> bool {
        self.state().building
    }

    /// Runs `f`, in which nothing is waited for, and whatever waits is pending.
    pub(super) fn building<R>(&self, f: impl FnOnce() -> R) -> R {
        let before = mem::replace(&mut self.state().building, true);
        let result = f();
        self.state().building = before;
        result
    }

    /// Is pending while the program is built, and then so many polls more.
    pub(super) async fn waits(&self, polls: usize) {
        self.wait(Timing::Yields(polls), usize::MAX).await;
    }

    /// Notes that an error ended something concurrent, whatever else was under way in it.
    pub(super) fn cut(&self) {
        self.state().cut = true;
    }

    pub(super) fn was_cut(&self) -> bool {
        self.state().cut
    }
}
