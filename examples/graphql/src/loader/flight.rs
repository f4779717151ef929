use std::hash::Hash;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use maybe_ready::IntoMaybeReady;

use super::batch::{Answer, BatchId};
use super::store::{Remembers, Shared};
use super::{BatchError, LoadError};

/// Makes a flight of some keys. It may be called while the store is locked.
pub(super) type TakeOff<K, V, E> = Box<dyn Fn(Vec<K>) -> Flight<V, E> + Send + Sync>;

/// What comes of a batch: for each key an answer to give, and one to remember.
pub(super) type Outcome<V, E> = Result<Vec<[Option<Answer<V, E>>; 2]>, Arc<BatchError>>;

/// A batch that was sent.
pub(super) struct Flight<V, E> {
    future: BoxFuture<'static, Outcome<V, E>>,
    /// Made when it is polled first.
    waker: Option<Waker>,
}

impl<V, E> Flight<V, E>
where
    V: Clone + Send + 'static,
    E: Clone + Send + 'static,
{
    /// Calls `batch` when it is polled first, and gives an outcome whatever that does.
    pub(super) fn new<K, F, R>(batch: Arc<F>, keys: Vec<K>, remembers: Remembers<V, E>) -> Self
    where
        K: Send + 'static,
        F: Fn(Vec<K>) -> R + Send + Sync + 'static,
        R: IntoMaybeReady<Output = Vec<Result<V, E>>>,
        R::Future: Send + 'static,
    {
        let fly = async move {
            let count = keys.len();
            let results = batch(keys).into_maybe_ready().await;
            if results.len() != count {
                return Err(Arc::new(BatchError::WrongCount {
                    keys: count,
                    results: results.len(),
                }));
            }
            let answers = results.into_iter().map(|result| {
                let is_remembered = remembers(&result);
                let answer = result.map_err(LoadError::Key);
                let remembered = is_remembered.then(|| answer.clone());
                [Some(answer), remembered]
            });
            Ok(answers.collect())
        };
        // After a panic the future is only dropped.
        let caught = AssertUnwindSafe(fly).catch_unwind().map(|outcome| {
            outcome.unwrap_or_else(|payload| Err(Arc::new(BatchError::panicked(payload))))
        });
        Self {
            future: caught.boxed(),
            waker: None,
        }
    }

    pub(super) fn poll<K>(
        &mut self,
        shared: &Arc<Shared<K, V, E>>,
        batch: BatchId,
    ) -> Poll<Outcome<V, E>>
    where
        K: Eq + Hash + Send + 'static,
    {
        let waker = self.waker.get_or_insert_with(|| {
            let shared = Arc::downgrade(shared);
            Arc::new(FlightWaker { shared, batch }).into()
        });
        self.future.as_mut().poll(&mut Context::from_waker(waker))
    }
}

/// Wakes all who wait for a batch, so that none of them relies on another one to go on.
struct FlightWaker<K, V, E> {
    /// A waker may outlive the loader, and does not keep it.
    shared: Weak<Shared<K, V, E>>,
    batch: BatchId,
}

impl<K: Eq + Hash, V, E> Wake for FlightWaker<K, V, E> {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if let Some(shared) = self.shared.upgrade() {
            shared.with(|store, after| store.wake(self.batch, after));
        }
    }
}
