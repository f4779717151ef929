use alloc::vec::Vec;
use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::future::FusedFuture;

use super::join_all::JoinState;
use crate::{IntoMaybeReady, MaybeReady};

/// Joins any number of [`Result`]s, now or later, up to the first error.
///
/// [`join_all`](crate::join_all()) for `Result`s: see there for what is polled when, and what it
/// costs. What an error does is the same at every size:
///
/// - An item that is `Ready(Err)` makes the result `Ready(Err)` at once. Nothing is polled, no
///   further item is pulled from the iterator, and what was pending before it is dropped.
/// - Otherwise the first future that fails ends the join, which drops, and thereby cancels, all
///   others before the error is given.
///
/// # Examples
///
/// One bad input is known before anything slow has begun:
///
/// ```
/// use maybe_ready::{MaybeReady, try_join_all};
///
/// fn load(id: &str) -> MaybeReady<
///     Result<u32, String>,
///     impl Future<Output = Result<u32, String>>,
/// > {
///     MaybeReady::try_from_fn(|| {
///         let id: u32 = id.parse().map_err(|_| format!("not an id: {id}"))?;
///         Ok(MaybeReady::Pending(async move { Ok(id) }))
///     })
/// }
///
/// let refused = try_join_all(["1", "two", "3"].map(load));
/// assert_eq!(refused.unwrap_ready().unwrap_err(), "not an id: two");
/// # pollster::block_on(async {
/// assert_eq!(try_join_all(["1", "2"].map(load)).await.unwrap(), [1, 2]);
/// # });
/// ```
#[inline]
#[allow(clippy::type_complexity, reason = "the signature is the documentation")]
pub fn try_join_all<I, R, T, E>(iter: I) -> MaybeReady<Result<Vec<T>, E>, TryJoinAll<T, R::Future>>
where
    I: IntoIterator<Item = R>,
    R: IntoMaybeReady<Output = Result<T, E>>,
{
    let items = iter
        .into_iter()
        .map(|item| item.into_maybe_ready().transpose());
    match JoinState::collect(items) {
        Ok(MaybeReady::Ready(values)) => MaybeReady::Ready(Ok(values)),
        Ok(MaybeReady::Pending(state)) => MaybeReady::Pending(TryJoinAll { state }),
        Err(error) => MaybeReady::Ready(Err(error)),
    }
}

/// Future of [`try_join_all`].
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct TryJoinAll<T, F> {
    state: JoinState<T, F>,
}

impl<T, F> Unpin for TryJoinAll<T, F> {}

impl<T, E, F: Future<Output = Result<T, E>>> Future for TryJoinAll<T, F> {
    type Output = Result<Vec<T>, E>;

    #[inline]
    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.state.poll_with(cx, "TryJoinAll", |output| output)
    }
}

impl<T, F> FusedFuture for TryJoinAll<T, F>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.state.is_done()
    }
}

impl<T, F> fmt::Debug for TryJoinAll<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.state.fmt_as("TryJoinAll", f)
    }
}
