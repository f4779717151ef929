use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use super::map::MapState;

pin_project! {
    /// Future of [`MaybeReady::inspect_err`](crate::MaybeReady::inspect_err).
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct InspectErr<F, M> {
        #[pin]
        state: MapState<F, M>,
    }
}

impl<F, M> InspectErr<F, M> {
    #[inline]
    pub(crate) fn new(future: F, f: M) -> Self {
        let state = MapState::new(future, f);
        Self { state }
    }
}

impl<F, M, T, E> Future for InspectErr<F, M>
where
    F: Future<Output = Result<T, E>>,
    M: FnOnce(&E),
{
    type Output = Result<T, E>;

    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<T, E>> {
        let state = self.project().state;
        state.poll_with(cx, "InspectErr", |f, result| result.inspect_err(f))
    }
}

impl<F, M> FusedFuture for InspectErr<F, M>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.state.is_done()
    }
}

impl<F, M> fmt::Debug for InspectErr<F, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("InspectErr").field(&self.state).finish()
    }
}
