use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use super::map::MapState;

pin_project! {
    /// Future of [`MaybeReady::map_ok`](crate::MaybeReady::map_ok).
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct MapOk<F, M> {
        #[pin]
        state: MapState<F, M>,
    }
}

impl<F, M> MapOk<F, M> {
    #[inline]
    pub(crate) fn new(future: F, f: M) -> Self {
        let state = MapState::new(future, f);
        Self { state }
    }
}

impl<F, M, T, E, U> Future for MapOk<F, M>
where
    F: Future<Output = Result<T, E>>,
    M: FnOnce(T) -> U,
{
    type Output = Result<U, E>;

    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<U, E>> {
        let state = self.project().state;
        state.poll_with(cx, "MapOk", |f, result| result.map(f))
    }
}

impl<F, M> FusedFuture for MapOk<F, M>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.state.is_done()
    }
}

impl<F, M> fmt::Debug for MapOk<F, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MapOk").field(&self.state).finish()
    }
}
