use std::any::TypeId;
use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::sync::Arc;

use maybe_ready::{IntoMaybeReady, Never};

use super::Loader;
use super::flight::Flight;
use super::store::{Remembers, Shared};

/// What becomes of a load whose key is resolved, while the loader has an open batch.
///
/// The [module documentation](super#policies) compares the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// It is ready: fewest suspensions.
    #[default]
    Immediate,
    /// It is pending until that batch is done: fewest batches in chains of loaders.
    Aligned,
}

/// Options of a [`Loader`]. Made by [`Loader::builder`].
#[must_use = "a builder does nothing unless it builds"]
pub struct LoaderBuilder<K, V, E> {
    options: Options,
    /// All are remembered if it is `None`.
    errors: Option<Which<E>>,
    loader: PhantomData<(K, V)>,
}

/// Says of an error whether it is remembered.
type Which<E> = Box<dyn Fn(&E) -> bool + Send + Sync>;

#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) max_batch_size: usize,
    pub(super) cache: bool,
    pub(super) policy: Policy,
    /// Whether the batch function never waits, so that there is no turn to wait for either.
    pub(super) synchronous: bool,
}

impl<K, V, E> LoaderBuilder<K, V, E> {
    pub(super) fn new() -> Self {
        Self {
            options: Options {
                max_batch_size: usize::MAX,
                cache: true,
                policy: Policy::Immediate,
                synchronous: false,
            },
            errors: None,
            loader: PhantomData,
        }
    }

    /// Sets how many keys a batch has at most. It is closed when it has as many.
    ///
    /// # Panics
    ///
    /// If `keys` is zero.
    pub fn max_batch_size(mut self, keys: usize) -> Self {
        assert!(keys > 0, "a batch has at least one key");
        self.options.max_batch_size = keys;
        self
    }

    /// Sets whether results are remembered, and loads of one key share a fetch. They do by default.
    ///
    /// Without it every load goes to the batch function, repeats included and in the order of the
    /// calls, and [`prime`](Loader::prime) and [`clear`](Loader::clear) do nothing.
    pub fn cache(mut self, cache: bool) -> Self {
        self.options.cache = cache;
        self
    }

    /// Sets which errors of keys are remembered. All are by default.
    ///
    /// One that is not goes to all who wait for its key, and the next load fetches again, as after
    /// an error of a database that may be there in a moment. [`prime`](Loader::prime) does nothing
    /// with it.
    ///
    /// # Examples
    ///
    /// ```
    /// use graphql_example::loader::Loader;
    ///
    /// let loader = Loader::<u32, u32, &str>::builder()
    ///     .remember_errors(|error| *error != "busy")
    ///     .build(async |keys: Vec<u32>| vec![Err("busy"); keys.len()]);
    /// # pollster::block_on(async {
    /// assert!(loader.load(1).await.is_err());
    /// assert!(loader.load(1).is_pending());
    /// # });
    /// ```
    pub fn remember_errors(mut self, which: impl Fn(&E) -> bool + Send + Sync + 'static) -> Self {
        self.errors = Some(Box::new(which));
        self
    }

    /// Sets the policy, which is [`Policy::Immediate`] by default.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.options.policy = policy;
        self
    }

    /// Builds a loader of what `batch` fetches, as [`Loader::new`] does.
    pub fn build<F, R>(mut self, batch: F) -> Loader<K, V, E>
    where
        F: Fn(Vec<K>) -> R + Send + Sync + 'static,
        R: IntoMaybeReady<Output = Vec<Result<V, E>>>,
        R::Future: Send + 'static,
        K: Eq + Hash + Clone + Send + 'static,
        V: Clone + Send + 'static,
        E: Clone + Send + 'static,
    {
        let (future, never) = (TypeId::of::<R::Future>(), TypeId::of::<Never<R::Output>>());
        self.options.synchronous = future == never;
        let (cache, errors) = (self.options.cache, self.errors);
        let remembers: Remembers<V, E> = Arc::new(move |result| {
            cache
                && match (result, &errors) {
                    (Err(error), Some(errors)) => errors(error),
                    _ => true,
                }
        });
        let (batch, flights) = (Arc::new(batch), remembers.clone());
        let take_off = move |keys| Flight::new(batch.clone(), keys, flights.clone());
        Loader::of(Shared::new(self.options, Box::new(take_off), remembers))
    }
}

impl<K, V, E> fmt::Debug for LoaderBuilder<K, V, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LoaderBuilder").field(&self.options).finish()
    }
}
