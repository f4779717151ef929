use std::iter;
use std::task::Waker;

use slab::Slab;

use super::LoadError;
use super::flight::Flight;

/// What a load gives.
pub(super) type Answer<V, E> = Result<V, LoadError<E>>;

/// The identity of a batch. No other batch of the loader ever has the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct BatchId(pub(super) u64);

/// Keys that go to the batch function together, and who waits for them.
pub(super) struct Batch<K, V, E> {
    pub(super) phase: Phase<V, E>,
    /// In the order of the loads. The last one is waited for, unless the batch was sent.
    pub(super) slots: Vec<Slot<K, V, E>>,
    /// How many of the slots have a key.
    pub(super) keys: usize,
    /// A place for the waker of each load that waits.
    pub(super) wakers: Slab<Option<Waker>>,
}

pub(super) enum Phase<V, E> {
    /// Not sent yet.
    Queued,
    /// Sent.
    InFlight {
        /// Taken out while a waiter polls it.
        flight: Option<Flight<V, E>>,
        /// Whether it is to be polled, by whichever waiter comes first.
        woken: bool,
    },
    /// All slots have their answers.
    Done,
}

/// What some loads wait for.
pub(super) struct Slot<K, V, E> {
    /// `None` if nothing is to be fetched.
    pub(super) key: Option<K>,
    /// Taken by the last of the waiters.
    pub(super) answer: Option<Answer<V, E>>,
    pub(super) waiters: usize,
}

impl<K, V, E> Batch<K, V, E> {
    pub(super) fn new() -> Self {
        Self {
            phase: Phase::Queued,
            slots: Vec::new(),
            keys: 0,
            wakers: Slab::new(),
        }
    }

    /// Adds a slot with a key to fetch, or with an answer that waits for the others.
    pub(super) fn push(&mut self, key: Option<K>, answer: Option<Answer<V, E>>) -> usize {
        self.keys += usize::from(key.is_some());
        let waiters = 0;
        self.slots.push(Slot {
            key,
            answer,
            waiters,
        });
        self.slots.len() - 1
    }

    /// Adds a waiter to a slot, and returns the place of its waker.
    pub(super) fn join(&mut self, slot: usize) -> usize {
        self.slots[slot].waiters += 1;
        self.wakers.insert(None)
    }

    /// Takes the wakers of all who wait.
    pub(super) fn take_wakers(&mut self) -> impl Iterator<Item = Waker> {
        self.wakers.iter_mut().filter_map(|(_, waker)| waker.take())
    }

    /// Removes the last slots, as far as nobody waits for them, and returns their answers.
    pub(super) fn pop(&mut self) -> impl Iterator<Item = Answer<V, E>> {
        let pop = || self.slots.pop_if(|slot| slot.waiters == 0);
        iter::from_fn(pop).filter_map(|slot| slot.answer)
    }
}
