use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use super::then::ThenState;
use crate::{IntoMaybeReady, MaybeReady};

pin_project! {
    /// Future of [`MaybeReady::or_else`](crate::MaybeReady::or_else).
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct OrElse<F, C, G> {
        #[pin]
        state: ThenState<F, C, G>,
    }
}

impl<F, C, G> OrElse<F, C, G> {
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

impl<F, C, R, T, E, O> Future for OrElse<F, C, R::Future>
where
    F: Future<Output = Result<T, E>>,
    C: FnOnce(E) -> R,
    R: IntoMaybeReady<Output = Result<T, O>>,
{
    type Output = Result<T, O>;

    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<T, O>> {
        let state = self.project().state;
        state.poll_with(cx, "OrElse", |f, result| match result {
            Ok(value) => MaybeReady::Ready(Ok(value)),
            Err(error) => f(error).into_maybe_ready(),
        })
    }
}

impl<F, C, G> FusedFuture for OrElse<F, C, G>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.state.is_done()
    }
}

impl<F, C, G> fmt::Debug for OrElse<F, C, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OrElse").field(&self.state).finish()
    }
}
