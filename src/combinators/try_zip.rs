use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use super::zip::ZipState;
use crate::MaybeReady;

pin_project! {
    /// Future of [`MaybeReady::try_zip`](crate::MaybeReady::try_zip).
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct TryZip<T, F, U, G> {
        #[pin]
        state: ZipState<T, F, U, G>,
    }
}

impl<T, F, U, G> TryZip<T, F, U, G> {
    #[inline]
    pub(crate) fn new(left: MaybeReady<T, F>, right: MaybeReady<U, G>) -> Self {
        let state = ZipState::new(left, right);
        Self { state }
    }
}

impl<T, F, U, G, E> Future for TryZip<T, F, U, G>
where
    F: Future<Output = Result<T, E>>,
    G: Future<Output = Result<U, E>>,
{
    type Output = Result<(T, U), E>;

    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let state = self.project().state;
        state.poll_with(cx, "TryZip", |left| left, |right| right)
    }
}

impl<T, F, U, G> FusedFuture for TryZip<T, F, U, G>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.state.is_done()
    }
}

impl<T, F, U, G> fmt::Debug for TryZip<T, F, U, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ZipState { left, right } = &self.state;
        f.debug_tuple("TryZip").field(left).field(right).finish()
    }
}
