use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use super::map::MapState;

pin_project! {
    /// Future of [`MaybeReady::inspect`](crate::MaybeReady::inspect).
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct Inspect<F, M> {
        #[pin]
        state: MapState<F, M>,
    }
}

impl<F, M> Inspect<F, M> {
    #[inline]
    pub(crate) fn new(future: F, f: M) -> Self {
        let state = MapState::new(future, f);
        Self { state }
    }
}

impl<F, M, T> Future for Inspect<F, M>
where
    F: Future<Output = T>,
    M: FnOnce(&T),
{
    type Output = T;

    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let state = self.project().state;
        state.poll_with(cx, "Inspect", |f, value| {
            f(&value);
            value
        })
    }
}

impl<F, M> FusedFuture for Inspect<F, M>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.state.is_done()
    }
}

impl<F, M> fmt::Debug for Inspect<F, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Inspect").field(&self.state).finish()
    }
}
