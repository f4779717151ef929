//! A batching loader with a cache, whose hits are plain values.
//!
//! Resolvers of a list-heavy query ask for the same few things over and over, each on its own. A
//! [`Loader`] collects the keys that are asked for in one turn of the executor, fetches them with
//! one call of a *batch function*, and remembers the results:
//!
//! ```
//! use graphql_example::loader::Loader;
//! use maybe_ready::join_all;
//!
//! let squares = Loader::<u32, u32, String>::new(async |keys: Vec<u32>| {
//!     println!("SELECT .. WHERE id IN {keys:?}");
//!     keys.into_iter().map(|key| Ok(key * key)).collect()
//! });
//! # pollster::block_on(async {
//! // One batch, of the keys 2 and 3.
//! let loads = join_all([2, 3, 2].map(|key| squares.load(key)));
//! assert_eq!(loads.await, [Ok(4), Ok(9), Ok(4)]);
//! # });
//! assert_eq!(squares.load(3).unwrap_ready(), Ok(9));
//! assert_eq!(squares.stats().batches, 1);
//! ```
//!
//! # Why a hit is a plain value
//!
//! After the first fetch most loads are hits. Were each of them a future nonetheless, then every
//! field that loads would suspend, and with it all its ancestors. So [`load`](Loader::load) returns
//! a [`MaybeReady`]: a hit is [`Ready`](MaybeReady::Ready), and costs a lock, a look-up and a clone
//! of the value, with no allocation; a miss is [`Pending`](MaybeReady::Pending). The combinators
//! keep what is ready ready, so that a resolver need not distinguish them.
//!
//! Values are cloned for each load. Where that is not cheap, make them an [`Arc`].
//!
//! # When a batch closes
//!
//! A load that finds its key neither resolved nor being fetched adds it to the *open batch*. That
//! batch closes when the executor comes back to the loads that wait for it: the first poll of each
//! asks for another turn, and the second closes it. By then all that was to run in this turn has
//! run, and has added what it loads. There is no timer, and no task is spawned; nothing happens
//! unless some load is polled, and any of them will do. A batch that has
//! [as many keys as it may have](LoaderBuilder::max_batch_size) closes at once.
//!
//! A load that is dropped before its batch closes withdraws its key, unless others wait for it too;
//! a batch without keys is not sent. Once the batch function was called the whole batch is
//! fetched, and remembered, as long as any of its loads is left. When the last one is dropped the
//! future of the batch function is dropped with it, that is cancelled, and its keys are as if
//! they had never been loaded.
//!
//! # Backends that never wait
//!
//! A batch function whose *type* says that it never waits, for it returns an [`AlwaysReady`], has no
//! turn to wait for. It is called by `load` itself, with that key alone, and by
//! [`load_many`](Loader::load_many) with all of its keys that are missing:
//!
//! ```
//! use graphql_example::loader::Loader;
//! use maybe_ready::AlwaysReady;
//!
//! let lengths = Loader::<&str, usize, String>::new(|keys: Vec<&str>| {
//!     AlwaysReady::Ready(keys.into_iter().map(|key| Ok(key.len())).collect())
//! });
//! assert_eq!(lengths.load("one").unwrap_ready(), Ok(3));
//! assert_eq!(lengths.load_many(["one", "three"]).unwrap_ready(), [Ok(3), Ok(5)]);
//! ```
//!
//! Such a load is pending in one case only: another caller, in another thread or further up the
//! stack, is fetching the same key at the moment.
//!
//! A batch function that may wait can return a `MaybeReady` too. Its loads are pending, and if it
//! is ready they are done as soon as their batch closes.
//!
//! # Policies
//!
//! | [`Policy`] | a key that is resolved, while the loader has an open batch |
//! | --- | --- |
//! | [`Immediate`](Policy::Immediate) | is ready: fewest suspensions |
//! | [`Aligned`](Policy::Aligned) | is pending until that batch is done: fewest batches in chains of loaders |
//!
//! Take two chains, each a load of a post followed by a load of its author, where the post of one is
//! remembered and that of the other is not. With `Immediate` the first goes ahead and has its
//! author fetched in a batch of its own: three batches. With `Aligned` it waits for the other post,
//! and they fetch both authors together: two batches. A load made before the batch was opened does
//! not know of it, and is ready in either case.
//!
//! # What is remembered
//!
//! A key is *queued* in an open batch, *in flight* in one that was sent, *resolved*, or unknown.
//! There is one entry for all of that, so [`clear`](Loader::clear) and [`prime`](Loader::prime) see
//! what loads see. They act on later loads; those made before get what their batch brings.
//!
//! | | unknown | queued | in flight | resolved |
//! | --- | --- | --- | --- | --- |
//! | `load` | queues it | joins | joins | is ready |
//! | `prime` | resolves it | nothing, unless cleared | nothing | nothing |
//! | `clear` | nothing | lets `prime` resolve it | makes it unknown | makes it unknown |
//! | its batch has a result | | | resolves it | |
//! | its batch has an error that is not remembered | | | makes it unknown | |
//! | its batch fails, or is cancelled | | | makes it unknown | |
//!
//! What was in flight when it was cleared may be stale. So it goes to those who wait for it, is not
//! remembered, and does not disturb a later fetch of the same key. What is only queued cannot be
//! stale, so later loads join it all the same.
//!
//! # Errors
//!
//! The batch function gives a result for each key, and an error is remembered as a value would be,
//! until it is cleared: [`LoadError::Key`]. A loader may be told
//! [which errors are remembered](LoaderBuilder::remember_errors); any other goes to all who wait for
//! its key, and the next load fetches again. A batch function that fails as a whole gives its error
//! for each key.
//!
//! If the batch function panics, or gives more or fewer results than there were keys, nothing is
//! known about any of them. Then all loads of the batch fail with [`LoadError::Batch`], nothing is
//! remembered, and the next load fetches again.
//!
//! # Loading while loading
//!
//! Nothing is locked while a batch function runs or a waker is called, nor when a key, a value or an
//! error is dropped, so all of these may load. As with any cycle, a batch that waits for one of its
//! own keys waits forever.
//!
//! [`Clone`], [`Eq`] and [`Hash`] of keys and values must not load, nor panic. A [`Clone`] of a value
//! that panics all the same costs a load its answer, or a batch all of its answers, and no more.

mod batch;
mod builder;
mod error;
mod flight;
mod load;
mod progress;
mod store;

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::task::{Context, Waker};

#[cfg(doc)]
use maybe_ready::AlwaysReady;
use maybe_ready::{IntoMaybeReady, MaybeReady, join_all};

use self::batch::{Answer, BatchId};
pub use self::builder::{LoaderBuilder, Policy};
pub use self::error::{BatchError, LoadError};
pub use self::load::{Load, LoadMany};
use self::store::{Shared, Store};

/// Loads values by their keys, in batches, and remembers them.
///
/// A clone is the same loader. See the [module documentation](self).
pub struct Loader<K, V, E> {
    shared: Arc<Shared<K, V, E>>,
}

/// What a loader has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Keys that were loaded. Each was a hit or a miss.
    pub loads: u64,
    /// Loads of a key that was resolved.
    pub hits: u64,
    /// Loads of a key that was not resolved. Some may have been dropped before it was fetched.
    pub misses: u64,
    /// Calls of the batch function.
    pub batches: u64,
}

impl<K, V, E> Loader<K, V, E> {
    /// Begins a loader with other options than [`new`](Self::new) gives it.
    ///
    /// # Examples
    ///
    /// ```
    /// use graphql_example::loader::{Loader, Policy};
    ///
    /// let loader: Loader<u32, String, String> = Loader::builder()
    ///     .max_batch_size(100)
    ///     .policy(Policy::Aligned)
    ///     .build(async |keys: Vec<u32>| keys.iter().map(|key| Ok(key.to_string())).collect());
    /// ```
    pub fn builder() -> LoaderBuilder<K, V, E> {
        LoaderBuilder::new()
    }

    fn of(shared: Shared<K, V, E>) -> Self {
        let shared = Arc::new(shared);
        Self { shared }
    }

    /// Returns what the loader has done so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let store = self.shared.lock();
        Stats {
            loads: store.hits + store.misses,
            hits: store.hits,
            misses: store.misses,
            batches: store.sent,
        }
    }
}

impl<K, V, E> Loader<K, V, E>
where
    K: Eq + Hash + Clone + Send + 'static,
    V: Clone + Send + 'static,
    E: Clone + Send + 'static,
{
    /// Makes a loader of what `batch` fetches.
    ///
    /// It is called with keys, each of them once, in the order in which they were loaded, and gives a
    /// result for each, in the same order.
    ///
    /// # Examples
    ///
    /// What fetches them is cloned for each batch. (An async closure that captures it would not do:
    /// it "does not implement `Fn`".)
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use graphql_example::loader::Loader;
    ///
    /// # struct Database;
    /// # impl Database {
    /// #     async fn names(&self, ids: Vec<u32>) -> Vec<Result<String, String>> {
    /// #         ids.into_iter().map(|id| Ok(format!("user {id}"))).collect()
    /// #     }
    /// # }
    /// let database = Arc::new(Database);
    /// let users = Loader::new(move |ids| {
    ///     let database = database.clone();
    ///     async move { database.names(ids).await }
    /// });
    /// # pollster::block_on(async {
    /// assert_eq!(users.load(7).await, Ok("user 7".to_owned()));
    /// # });
    /// ```
    pub fn new<F, R>(batch: F) -> Self
    where
        F: Fn(Vec<K>) -> R + Send + Sync + 'static,
        R: IntoMaybeReady<Output = Vec<Result<V, E>>>,
        R::Future: Send + 'static,
    {
        Self::builder().build(batch)
    }

    /// Loads the value of a key: ready if it is resolved, else in the next batch.
    ///
    /// # Errors
    ///
    /// The error of the key, or of its batch. See the [module documentation](self#errors).
    #[inline]
    pub fn load(&self, key: K) -> MaybeReady<Result<V, LoadError<E>>, Load<K, V, E>> {
        let hit = self.shared.lock().hit(&key, self.shared.options.policy);
        match hit {
            Some(answer) => MaybeReady::Ready(answer),
            None => self.fetch(key),
        }
    }

    /// Loads the values of many keys, in their order: ready if all are resolved.
    ///
    /// A key that fails leaves the others as they are.
    ///
    /// # Examples
    ///
    /// ```
    /// use graphql_example::loader::Loader;
    ///
    /// let loader = Loader::<u32, u32, &str>::new(async |keys: Vec<u32>| {
    ///     let half = |key| if key % 2 == 0 { Ok(key / 2) } else { Err("odd") };
    ///     keys.into_iter().map(half).collect()
    /// });
    /// # pollster::block_on(async {
    /// let halves = loader.load_many([2, 3, 4, 2]).await;
    /// let halves: Vec<_> = halves.into_iter().map(Result::ok).collect();
    /// assert_eq!(halves, [Some(1), None, Some(2), Some(1)]);
    /// # });
    /// ```
    #[allow(clippy::type_complexity, reason = "the signature is the documentation")]
    pub fn load_many(
        &self,
        keys: impl IntoIterator<Item = K>,
    ) -> MaybeReady<Vec<Result<V, LoadError<E>>>, LoadMany<K, V, E>> {
        let keys = keys.into_iter();
        if !self.shared.options.synchronous {
            return join_all(keys.map(|key| self.load(key)));
        }
        let mut batch = None;
        let loads: Vec<_> = keys.map(|key| self.queue(key, &mut batch)).collect();
        join_all(loads.into_iter().map(finish_now))
    }

    #[cold]
    fn fetch(&self, key: K) -> MaybeReady<Answer<V, E>, Load<K, V, E>> {
        let load = self.queue(key, &mut None);
        if self.shared.options.synchronous {
            finish_now(load)
        } else {
            load
        }
    }

    /// Finds a key in whatever state, or queues it.
    fn queue(
        &self,
        key: K,
        batch: &mut Option<BatchId>,
    ) -> MaybeReady<Answer<V, E>, Load<K, V, E>> {
        let options = self.shared.options;
        let load =
            |store: &mut Store<_, _, _>, after: &mut _| store.load(key, options, batch, after);
        let found = self.shared.with(load);
        found.map_pending(|ticket| Load::new(&self.shared, ticket))
    }

    /// Returns what is remembered for a key. It is no load, and is not counted as one.
    #[must_use]
    pub fn peek(&self, key: &K) -> Option<Result<V, LoadError<E>>> {
        self.shared.lock().peek(key)
    }

    /// Remembers a result, unless its key is resolved or being fetched: it never overwrites.
    ///
    /// An error that is [not to be remembered](LoaderBuilder::remember_errors) is not.
    ///
    /// # Examples
    ///
    /// After a change that made what is remembered stale:
    ///
    /// ```
    /// use graphql_example::loader::Loader;
    ///
    /// # let loader = Loader::<u32, &str, ()>::new(async |_| unreachable!());
    /// # loader.prime(7, Ok("old name"));
    /// loader.prime(7, Ok("new name"));
    /// assert_eq!(loader.peek(&7), Some(Ok("old name")));
    ///
    /// loader.clear(&7);
    /// loader.prime(7, Ok("new name"));
    /// assert_eq!(loader.load(7).unwrap_ready(), Ok("new name"));
    /// ```
    pub fn prime(&self, key: K, result: Result<V, E>) {
        if (self.shared.remembers)(&result) {
            let answer = result.map_err(LoadError::Key);
            self.shared
                .with(|store, after| store.prime(key, answer, after));
        }
    }

    /// Forgets a key, so that later loads get nothing that was fetched before.
    ///
    /// What is [queued or in flight](self#what-is-remembered) still goes to those who wait for it.
    pub fn clear(&self, key: &K) {
        self.shared.with(|store, after| store.clear(key, after));
    }

    /// Forgets all keys, as [`clear`](Self::clear) does one.
    pub fn clear_all(&self) {
        self.shared.with(Store::clear_all);
    }
}

/// Polls a load of a synchronous loader. Should it still be pending, its next poll brings a waker.
fn finish_now<K, V, E>(
    mut load: MaybeReady<Answer<V, E>, Load<K, V, E>>,
) -> MaybeReady<Answer<V, E>, Load<K, V, E>>
where
    K: Eq + Hash + Clone + Send + 'static,
    V: Clone + Send + 'static,
    E: Clone + Send + 'static,
{
    let _ = load.poll_ready(&mut Context::from_waker(Waker::noop()));
    load
}

impl<K, V, E> Clone for Loader<K, V, E> {
    fn clone(&self) -> Self {
        let shared = self.shared.clone();
        Self { shared }
    }
}

impl<K, V, E> fmt::Debug for Loader<K, V, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("Loader");
        f.field("stats", &self.stats()).finish_non_exhaustive()
    }
}
