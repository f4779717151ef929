use std::hash::Hash;
use std::mem;
use std::task::{Poll, Waker};

use super::LoadError;
use super::batch::{Answer, BatchId, Phase, Slot};
use super::flight::{Flight, Outcome, TakeOff};
use super::store::{After, Entry, Fetch, Store, Ticket, forget};

/// What a load has to do when it is polled.
pub(super) enum Step<V, E> {
    Finish(Answer<V, E>),
    /// Poll this, and report what came of it.
    Poll(Flight<V, E>),
    /// Come back when all had their turn, who might load as well.
    Yield,
    /// Its waker will be called.
    Wait,
}

// How batches go on, by the polls of those who wait for them.
impl<K: Eq + Hash + Clone, V: Clone, E: Clone> Store<K, V, E> {
    /// Decides what a load has to do, and keeps its waker if that is to wait.
    pub(super) fn poll(
        &mut self,
        ticket: Ticket,
        first: bool,
        waker: &mut Option<Waker>,
        take_off: &TakeOff<K, V, E>,
        after: &mut After<K, V, E>,
    ) -> Step<V, E> {
        let is_open = self.open == Some(ticket.fetch.batch);
        let batch = self.batch(ticket.fetch.batch);
        match &mut batch.phase {
            Phase::Done => Step::Finish(self.take(ticket, after)),
            Phase::Queued if is_open && first => Step::Yield,
            Phase::Queued => {
                let keys = batch.slots.iter().filter_map(|slot| slot.key.clone());
                let flight = take_off(keys.collect());
                batch.phase = Phase::InFlight {
                    flight: None,
                    woken: false,
                };
                self.sent += 1;
                if is_open {
                    self.open = None;
                }
                Step::Poll(flight)
            }
            Phase::InFlight { flight, woken } => {
                if let Some(flight) = flight.take_if(|_| mem::take(woken)) {
                    return Step::Poll(flight);
                }
                mem::swap(&mut batch.wakers[ticket.waker], waker);
                Step::Wait
            }
        }
    }

    /// Ends a batch: hands out the answers, remembers them, and wakes all who wait.
    ///
    /// What is left of the outcome and of the waker is to be dropped.
    pub(super) fn settle(
        &mut self,
        ticket: Ticket,
        outcome: &mut Outcome<V, E>,
        waker: &mut Option<Waker>,
        after: &mut After<K, V, E>,
    ) -> Poll<Answer<V, E>> {
        let id = ticket.fetch.batch;
        let batch = self.batches.get_mut(&id).expect("it is waited for");
        batch.phase = Phase::Done;
        after.wake.extend(batch.take_wakers());
        let mut answers = outcome.as_mut().map(|answers| answers.iter_mut());
        for (fetch, slot) in slots(id, &mut batch.slots) {
            let Some(key) = &slot.key else { continue };
            match &mut answers {
                Ok(answers) => {
                    let [answer, remembered] = answers.next().expect("they were counted");
                    slot.answer = answer.take();
                    if remembered.is_none() {
                        after.entries.extend(forget(&mut self.entries, key, fetch));
                    } else if let Some(entry) = self.entries.get_mut(key)
                        && entry.is_of(fetch)
                        && let Some(remembered) = remembered.take()
                    {
                        *entry = Entry::Ready(remembered);
                    }
                }
                Err(error) => {
                    slot.answer = Some(Err(LoadError::Batch(error.clone())));
                    after.entries.extend(forget(&mut self.entries, key, fetch));
                }
            }
        }
        if batch.slots[ticket.fetch.slot].key.is_none() {
            // A hit that waited for the batch lets those go first whose keys were fetched. Else it
            // would go on alone, and find no batch open that it could wait for next.
            after.wake.extend(waker.take());
            return Poll::Pending;
        }
        Poll::Ready(self.take(ticket, after))
    }

    /// Takes an answer out of a batch that is done.
    fn take(&mut self, ticket: Ticket, after: &mut After<K, V, E>) -> Answer<V, E> {
        let slot = &mut self.batch(ticket.fetch.batch).slots[ticket.fetch.slot];
        let answer = if slot.waiters == 1 {
            slot.answer.take()
        } else {
            slot.answer.clone()
        };
        self.release(ticket, after);
        answer.expect("a batch that is done has answers for all who wait")
    }
}

impl<K: Eq + Hash, V, E> Store<K, V, E> {
    /// Takes a flight back that is not done. If it was woken meanwhile, so are all who wait.
    pub(super) fn park(
        &mut self,
        ticket: Ticket,
        parked: Flight<V, E>,
        waker: &mut Option<Waker>,
        after: &mut After<K, V, E>,
    ) {
        let batch = self.batch(ticket.fetch.batch);
        mem::swap(&mut batch.wakers[ticket.waker], waker);
        if let Phase::InFlight { flight, woken } = &mut batch.phase {
            *flight = Some(parked);
            if *woken {
                after.wake.extend(batch.take_wakers());
            }
        }
    }

    /// Notes that a flight is to be polled, and wakes all who wait for it.
    ///
    /// If that was noted already they were woken: who comes since then polls the flight, or is woken
    /// by whoever polls it at the moment.
    pub(super) fn wake(&mut self, id: BatchId, after: &mut After<K, V, E>) {
        if let Some(batch) = self.batches.get_mut(&id)
            && let Phase::InFlight { woken, .. } = &mut batch.phase
        {
            if mem::replace(woken, true) {
                return;
            }
            // They stay registered: whoever settles the batch wakes them again before it goes on, so that
            // what it loads next does not leave without theirs.
            let wakers = batch.wakers.iter().filter_map(|(_, waker)| waker.clone());
            after.wake.extend(wakers);
        }
    }

    /// Ends the part of a load in a batch.
    ///
    /// A key that nobody waits for any more is not sent, and a batch that nobody waits for is
    /// dropped.
    pub(super) fn release(&mut self, ticket: Ticket, after: &mut After<K, V, E>) {
        let Ticket { fetch, waker } = ticket;
        let id = fetch.batch;
        let batch = self.batches.get_mut(&id).expect("it is waited for");
        after.waker = batch.wakers.remove(waker);
        let slot = &mut batch.slots[fetch.slot];
        slot.waiters -= 1;
        if slot.waiters == 0 && matches!(batch.phase, Phase::Queued) {
            if let Some(key) = slot.key.take() {
                after.entries.extend(forget(&mut self.entries, &key, fetch));
                after.key = Some(key);
                batch.keys -= 1;
                if batch.keys == 0 {
                    batch.phase = Phase::Done;
                    after.wake.extend(batch.take_wakers());
                    if self.open == Some(id) {
                        self.open = None;
                    }
                }
            }
            after.answers.extend(batch.pop());
        }
        if batch.wakers.is_empty() {
            let mut batch = self.batches.remove(&id).expect("it was there");
            if let Phase::InFlight { .. } = batch.phase {
                for (fetch, slot) in slots(id, &mut batch.slots) {
                    let key = slot.key.as_ref();
                    let entry = key.and_then(|key| forget(&mut self.entries, key, fetch));
                    after.entries.extend(entry);
                }
            }
            after.batch = Some(batch);
        }
    }
}

fn slots<K, V, E>(
    batch: BatchId,
    slots: &mut [Slot<K, V, E>],
) -> impl Iterator<Item = (Fetch, &mut Slot<K, V, E>)> {
    let fetch = move |(slot, content)| (Fetch { batch, slot }, content);
    slots.iter_mut().enumerate().map(fetch)
}
