use std::collections::VecDeque;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use super::output::Pending;
use super::{FieldError, Value};

/// The futures of the open holes. In a turn, each that is new or was woken is polled once.
///
/// `FuturesUnordered` would end a turn after two futures that woke themselves, as loads do, before
/// the others were polled at all.
#[derive(Default)]
pub(super) struct Waiting<'c> {
    /// By their holes.
    futures: Vec<Option<(Pending<'c>, Arc<HoleWaker>)>>,
    count: usize,
    /// The holes that are left for this turn.
    due: VecDeque<usize>,
    woken: Arc<Woken>,
}

impl<'c> Waiting<'c> {
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether something is left for this turn.
    pub(super) fn is_due(&self) -> bool {
        !self.due.is_empty()
    }

    /// Adds a future, to be polled in this turn.
    pub(super) fn push(&mut self, hole: usize, future: Pending<'c>) {
        let waker = HoleWaker {
            hole,
            is_due: AtomicBool::new(true),
            woken: self.woken.clone(),
        };
        if hole >= self.futures.len() {
            self.futures.resize_with(hole + 1, || None);
        }
        self.futures[hole] = Some((future, Arc::new(waker)));
        self.count += 1;
        self.due.push_back(hole);
    }

    /// Drops the future of a hole.
    pub(super) fn remove(&mut self, hole: usize) {
        self.futures[hole] = None;
        self.count -= 1;
    }

    /// Begins a turn of the task with this waker.
    pub(super) fn begin(&mut self, task: &Waker) {
        let mut task = Some(task.clone());
        let mut state = self.woken.lock();
        // Both at once, so that whoever is woken from now on wakes the task.
        mem::swap(&mut state.task, &mut task);
        self.due.extend(state.holes.drain(..));
        drop(state);
    }

    /// Polls what is left for this turn until something completes.
    pub(super) fn next(&mut self) -> Option<(usize, Result<Value<'c, 'c>, FieldError>)> {
        while let Some(hole) = self.due.pop_front() {
            // It may have been removed, or be done, and woken before.
            let Some((future, waker)) = &mut self.futures[hole] else {
                continue;
            };
            waker.is_due.store(false, Ordering::Release);
            let waker = Waker::from(waker.clone());
            if let Poll::Ready(result) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
                self.remove(hole);
                return Some((hole, result));
            }
        }
        None
    }
}

/// What the wakers of the holes share.
#[derive(Default)]
struct Woken(Mutex<State>);

#[derive(Default)]
struct State {
    /// The holes for the next turn, in the order in which they were woken.
    holes: Vec<usize>,
    /// The task, until it is woken.
    task: Option<Waker>,
}

impl Woken {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing is half done where something may panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct HoleWaker {
    hole: usize,
    /// Whether it is among those that are polled in this turn or the next.
    is_due: AtomicBool,
    woken: Arc<Woken>,
}

impl Wake for HoleWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.is_due.swap(true, Ordering::AcqRel) {
            let mut state = self.woken.lock();
            state.holes.push(self.hole);
            let task = state.task.take();
            drop(state);
            if let Some(task) = task {
                task.wake();
            }
        }
    }
}
