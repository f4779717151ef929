use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use hashbrown::HashMap;
use maybe_ready::MaybeReady;

use super::Policy;
use super::batch::{Answer, Batch, BatchId, Phase};
use super::builder::Options;
use super::flight::TakeOff;

/// What the clones of a loader and its loads share.
pub(super) struct Shared<K, V, E> {
    pub(super) options: Options,
    pub(super) take_off: TakeOff<K, V, E>,
    pub(super) remembers: Remembers<V, E>,
    store: Mutex<Store<K, V, E>>,
}

/// Says of a result whether it is remembered. It may load.
pub(super) type Remembers<V, E> = Arc<dyn Fn(&Result<V, E>) -> bool + Send + Sync>;

/// All that changes, behind one lock.
///
/// Batch functions, their futures and wakers run while it is unlocked, and so does the drop of keys,
/// values and errors, for all of these may load. Only to hash, compare and clone is left.
pub(super) struct Store<K, V, E> {
    pub(super) entries: HashMap<K, Entry<V, E>>,
    /// The batches that are waited for.
    pub(super) batches: HashMap<BatchId, Batch<K, V, E>>,
    /// The one that keys are added to. It is queued.
    pub(super) open: Option<BatchId>,
    pub(super) hits: u64,
    pub(super) misses: u64,
    pub(super) sent: u64,
    next: u64,
}

/// What is known of a key.
pub(super) enum Entry<V, E> {
    Ready(Answer<V, E>),
    /// Queued or in flight, as its batch is.
    Fetching {
        fetch: Fetch,
        /// Whether it was cleared while queued and not loaded since, so that it may be primed.
        cleared: bool,
    },
}

/// The identity of a fetch: a slot of a batch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Fetch {
    pub(super) batch: BatchId,
    pub(super) slot: usize,
}

/// The part of a load in a batch. It has to be released.
#[derive(Clone, Copy)]
pub(super) struct Ticket {
    pub(super) fetch: Fetch,
    /// The place of its waker.
    pub(super) waker: usize,
}

/// What is done once the store is unlocked: these wakers are called, and the rest is dropped.
pub(super) struct After<K, V, E> {
    pub(super) wake: Vec<Waker>,
    pub(super) waker: Option<Waker>,
    pub(super) key: Option<K>,
    pub(super) answers: Vec<Answer<V, E>>,
    pub(super) entries: Vec<(K, Entry<V, E>)>,
    pub(super) batch: Option<Batch<K, V, E>>,
}

impl<K, V, E> Drop for After<K, V, E> {
    fn drop(&mut self) {
        self.wake.drain(..).for_each(Waker::wake);
    }
}

impl<K, V, E> Shared<K, V, E> {
    pub(super) fn new(
        options: Options,
        take_off: TakeOff<K, V, E>,
        remembers: Remembers<V, E>,
    ) -> Self {
        let store = Mutex::new(Store {
            entries: HashMap::new(),
            batches: HashMap::new(),
            open: None,
            hits: 0,
            misses: 0,
            sent: 0,
            next: 0,
        });
        Self {
            options,
            take_off,
            remembers,
            store,
        }
    }

    #[inline]
    pub(super) fn lock(&self) -> MutexGuard<'_, Store<K, V, E>> {
        // To clone may panic, and does so before anything is changed.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on the locked store, and then does the rest with it unlocked.
    ///
    /// It relies on the order in which variables are dropped: the last comes first.
    pub(super) fn with<T>(
        &self,
        work: impl FnOnce(&mut Store<K, V, E>, &mut After<K, V, E>) -> T,
    ) -> T {
        let mut after = After {
            wake: Vec::new(),
            waker: None,
            key: None,
            answers: Vec::new(),
            entries: Vec::new(),
            batch: None,
        };
        let mut store = self.lock();
        work(&mut store, &mut after)
    }
}

impl<K: Eq + Hash + Clone, V: Clone, E: Clone> Store<K, V, E> {
    /// Finds a resolved key: the hot path of a load that need not wait.
    #[inline]
    pub(super) fn hit(&mut self, key: &K, policy: Policy) -> Option<Answer<V, E>> {
        if policy == Policy::Aligned && self.open.is_some() {
            return None;
        }
        let answer = self.peek(key)?;
        self.hits += 1;
        Some(answer)
    }

    #[inline]
    pub(super) fn peek(&self, key: &K) -> Option<Answer<V, E>> {
        match self.entries.get(key) {
            Some(Entry::Ready(answer)) => Some(answer.clone()),
            _ => None,
        }
    }

    /// Finds a key in whatever state, or queues it.
    ///
    /// A synchronous loader brings the batch that it is filling in `own`, so that its loads do not
    /// mix with those of other threads.
    pub(super) fn load(
        &mut self,
        key: K,
        options: Options,
        own: &mut Option<BatchId>,
        after: &mut After<K, V, E>,
    ) -> MaybeReady<Answer<V, E>, Ticket> {
        let fetch = match self.entries.get_mut(&key) {
            Some(Entry::Ready(answer)) => {
                let answer = answer.clone();
                after.key = Some(key);
                self.hits += 1;
                let Some(open) = self.open.filter(|_| options.policy == Policy::Aligned) else {
                    return MaybeReady::Ready(answer);
                };
                let slot = self.batch(open).push(None, Some(answer));
                let fetch = Fetch { batch: open, slot };
                return MaybeReady::Pending(self.ticket(fetch));
            }
            Some(Entry::Fetching { fetch, cleared }) => {
                *cleared = false;
                after.key = Some(key);
                *fetch
            }
            None => self.queue(key, options, own),
        };
        self.misses += 1;
        MaybeReady::Pending(self.ticket(fetch))
    }

    /// Adds a key to the open batch, or to a new one.
    fn queue(&mut self, key: K, options: Options, own: &mut Option<BatchId>) -> Fetch {
        let remembered = options.cache.then(|| key.clone());
        let open = if options.synchronous {
            own
        } else {
            &mut self.open
        };
        let queued = open.filter(|&id| is_queued(&self.batches, id));
        let id = queued.unwrap_or_else(|| {
            self.next += 1;
            BatchId(self.next)
        });
        let batch = self.batches.entry(id).or_insert_with(Batch::new);
        let slot = batch.push(Some(key), None);
        *open = (batch.keys < options.max_batch_size).then_some(id);
        let fetch = Fetch { batch: id, slot };
        if let Some(key) = remembered {
            let cleared = false;
            self.entries.insert(key, Entry::Fetching { fetch, cleared });
        }
        fetch
    }
}

impl<K: Eq + Hash, V, E> Store<K, V, E> {
    fn ticket(&mut self, fetch: Fetch) -> Ticket {
        let waker = self.batch(fetch.batch).join(fetch.slot);
        Ticket { fetch, waker }
    }

    pub(super) fn batch(&mut self, id: BatchId) -> &mut Batch<K, V, E> {
        let batch = self.batches.get_mut(&id);
        batch.expect("a batch is there as long as it is waited for")
    }

    /// Remembers an answer, unless there is one, or one is being fetched.
    pub(super) fn prime(&mut self, key: K, answer: Answer<V, E>, after: &mut After<K, V, E>) {
        match self.entries.get_mut(&key) {
            None => {
                self.entries.insert(key, Entry::Ready(answer));
            }
            Some(entry @ Entry::Fetching { cleared: true, .. }) => {
                *entry = Entry::Ready(answer);
                after.key = Some(key);
            }
            Some(_) => after.entries.push((key, Entry::Ready(answer))),
        }
    }

    /// Forgets a key. If it is queued it stays so, for what was not sent yet cannot be stale.
    pub(super) fn clear(&mut self, key: &K, after: &mut After<K, V, E>) {
        if let Some(entry) = self.entries.get_mut(key)
            && entry.clear(&self.batches)
        {
            after.entries.extend(self.entries.remove_entry(key));
        }
    }

    pub(super) fn clear_all(&mut self, after: &mut After<K, V, E>) {
        let Self {
            entries, batches, ..
        } = self;
        let cleared = entries.extract_if(|_, entry| entry.clear(batches));
        after.entries.extend(cleared);
    }
}

impl<V, E> Entry<V, E> {
    pub(super) fn is_of(&self, other: Fetch) -> bool {
        matches!(self, Self::Fetching { fetch, .. } if *fetch == other)
    }

    /// Returns whether the entry is to be removed.
    fn clear<K>(&mut self, batches: &HashMap<BatchId, Batch<K, V, E>>) -> bool {
        match self {
            Self::Fetching { fetch, cleared } if is_queued(batches, fetch.batch) => {
                *cleared = true;
                false
            }
            _ => true,
        }
    }
}

fn is_queued<K, V, E>(batches: &HashMap<BatchId, Batch<K, V, E>>, id: BatchId) -> bool {
    let phase = batches.get(&id).map(|batch| &batch.phase);
    matches!(phase, Some(Phase::Queued))
}

/// Removes the entry of a fetch, unless its key has got another one since.
pub(super) fn forget<K: Eq + Hash, V, E>(
    entries: &mut HashMap<K, Entry<V, E>>,
    key: &K,
    fetch: Fetch,
) -> Option<(K, Entry<V, E>)> {
    if entries.get(key)?.is_of(fetch) {
        entries.remove_entry(key)
    } else {
        None
    }
}
