use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use super::then::ThenState;
use crate::{IntoMaybeReady, MaybeReady};

pin_project! {
    /// Future of [`MaybeReady::and_then`](crate::MaybeReady::and_then).
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct AndThen<F, C, G> {
        #[pin]
        state: ThenState<F, C, G>,
    }
}

impl<F, C, G> AndThen<F, C, G> {
    #[inline]
    pub(crate) fn new(future: F, f: C) -> Self {
        let state = ThenState::First { future, f };
        Self { state }
    }

    #[inline]
    pub(crate) fn second(future: G) -> Self {
        let state = ThenState::Second { future };
        Self { state }
    }
}

impl<F, C, R, T, E, U> Future for AndThen<F, C, R::Future>
where
    F: Future<Output = Result<T, E>>,
    C: FnOnce(T) -> R,
    R: IntoMaybeReady<Output = Result<U, E>>,
{
    type Output = Result<U, E>;

    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<U, E>> {
        let state = self.project().state;
        state.poll_with(cx, "AndThen", |f, result| match result {
            Ok(value) => f(value).into_maybe_ready(),
            Err(error) => MaybeReady::Ready(Err(error)),
        })
    }
}

impl<F, C, G> FusedFuture for AndThen<F, C, G>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.state.is_done()
    }
}

impl<F, C, G> fmt::Debug for AndThen<F, C, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AndThen").field(&self.state).finish()
    }
}
