use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use super::map::MapState;

pin_project! {
    /// Future of [`MaybeReady::map_err`](crate::MaybeReady::map_err).
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct MapErr<F, M> {
        #[pin]
        state: MapState<F, M>,
    }
}

impl<F, M> MapErr<F, M> {
    #[inline]
    pub(crate) fn new(future: F, f: M) -> Self {
        let state = MapState::new(future, f);
        Self { state }
    }
}

impl<F, M, T, E, O> Future for MapErr<F, M>
where
    F: Future<Output = Result<T, E>>,
    M: FnOnce(E) -> O,
{
    type Output = Result<T, O>;

    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<T, O>> {
        let state = self.project().state;
        state.poll_with(cx, "MapErr", |f, result| result.map_err(f))
    }
}

impl<F, M> FusedFuture for MapErr<F, M>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.state.is_done()
    }
}

impl<F, M> fmt::Debug for MapErr<F, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MapErr").field(&self.state).finish()
    }
}
