use core::fmt;
use core::future::Future;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use super::map::MapState;

pin_project! {
    /// Future of [`MaybeReady::err_into`](crate::MaybeReady::err_into).
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct ErrInto<F, O> {
        #[pin]
        state: MapState<F, PhantomData<fn() -> O>>,
    }
}

impl<F, O> ErrInto<F, O> {
    #[inline]
    pub(crate) fn new(future: F) -> Self {
        let state = MapState::new(future, PhantomData);
        Self { state }
    }
}

impl<F, O, T, E> Future for ErrInto<F, O>
where
    F: Future<Output = Result<T, E>>,
    E: Into<O>,
{
    type Output = Result<T, O>;

    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<T, O>> {
        let state = self.project().state;
        state.poll_with(cx, "ErrInto", |_, result| result.map_err(E::into))
    }
}

impl<F, O> FusedFuture for ErrInto<F, O>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.state.is_done()
    }
}

impl<F, O> fmt::Debug for ErrInto<F, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ErrInto").field(&self.state).finish()
    }
}
