use std::fmt;
use std::hash::Hash;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_util::future::FusedFuture;
use maybe_ready::JoinAll;

use super::LoadError;
use super::batch::Answer;
use super::progress::Step;
use super::store::{Shared, Ticket};

/// Future of [`Loader::load`](super::Loader::load).
///
/// Dropping it leaves the other loads of its key and of its batch as they are.
///
/// # Panics
///
/// When polled after it completed: "`Load` polled after completion".
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Load<K: Eq + Hash, V, E> {
    /// `None` once the answer was given.
    ticket: Option<Ticket>,
    shared: Arc<Shared<K, V, E>>,
    polled: bool,
}

/// Future of [`Loader::load_many`](super::Loader::load_many).
pub type LoadMany<K, V, E> = JoinAll<Result<V, LoadError<E>>, Load<K, V, E>>;

impl<K: Eq + Hash, V, E> Load<K, V, E> {
    pub(super) fn new(shared: &Arc<Shared<K, V, E>>, ticket: Ticket) -> Self {
        Self {
            ticket: Some(ticket),
            shared: shared.clone(),
            polled: false,
        }
    }
}

impl<K, V, E> Load<K, V, E>
where
    K: Eq + Hash + Clone + Send + 'static,
    V: Clone + Send + 'static,
    E: Clone + Send + 'static,
{
    fn poll_with(&mut self, ticket: Ticket, cx: &mut Context<'_>) -> Poll<Answer<V, E>> {
        let (shared, batch) = (&self.shared, ticket.fetch.batch);
        let first = !mem::replace(&mut self.polled, true);
        let mut waker = Some(cx.waker().clone());
        let step = shared
            .with(|store, after| store.poll(ticket, first, &mut waker, &shared.take_off, after));
        let mut flight = match step {
            Step::Finish(answer) => return Poll::Ready(answer),
            Step::Yield => {
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            Step::Wait => return Poll::Pending,
            Step::Poll(flight) => flight,
        };
        let Poll::Ready(mut outcome) = flight.poll(shared, batch) else {
            shared.with(|store, after| store.park(ticket, flight, &mut waker, after));
            return Poll::Pending;
        };
        shared.with(|store, after| store.settle(ticket, &mut outcome, &mut waker, after))
    }
}

impl<K: Eq + Hash, V, E> Unpin for Load<K, V, E> {}

impl<K, V, E> Future for Load<K, V, E>
where
    K: Eq + Hash + Clone + Send + 'static,
    V: Clone + Send + 'static,
    E: Clone + Send + 'static,
{
    type Output = Result<V, LoadError<E>>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(ticket) = self.ticket else {
            panic!("`Load` polled after completion")
        };
        let answer = ready!(self.poll_with(ticket, cx));
        self.ticket = None;
        Poll::Ready(answer)
    }
}

impl<K: Eq + Hash, V, E> FusedFuture for Load<K, V, E>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.ticket.is_none()
    }
}

impl<K: Eq + Hash, V, E> Drop for Load<K, V, E> {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket {
            self.shared
                .with(|store, after| store.release(ticket, after));
        }
    }
}

impl<K: Eq + Hash, V, E> fmt::Debug for Load<K, V, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Load").finish_non_exhaustive()
    }
}
