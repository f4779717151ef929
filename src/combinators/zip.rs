use core::convert::Infallible;
use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use crate::MaybeReady;
use crate::future::{Slot, polled_after_completion};

pin_project! {
    /// Future of [`MaybeReady::zip`](crate::MaybeReady::zip).
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct Zip<T, F, U, G> {
        #[pin]
        state: ZipState<T, F, U, G>,
    }
}

impl<T, F, U, G> Zip<T, F, U, G> {
    #[inline]
    pub(crate) fn new(left: MaybeReady<T, F>, right: MaybeReady<U, G>) -> Self {
        let state = ZipState::new(left, right);
        Self { state }
    }
}

impl<T, F, U, G> Future for Zip<T, F, U, G>
where
    F: Future<Output = T>,
    G: Future<Output = U>,
{
    type Output = (T, U);

    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<(T, U)> {
        let state = self.project().state;
        state
            .poll_with(cx, "Zip", Ok, Ok)
            .map(|Ok::<_, Infallible>(pair)| pair)
    }
}

impl<T, F, U, G> FusedFuture for Zip<T, F, U, G>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.state.is_done()
    }
}

impl<T, F, U, G> fmt::Debug for Zip<T, F, U, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ZipState { left, right } = &self.state;
        f.debug_tuple("Zip").field(left).field(right).finish()
    }
}

pin_project! {
    /// Two values, each now or later, that are given together.
    pub(crate) struct ZipState<T, F, U, G> {
        #[pin]
        pub(super) left: Slot<T, F>,
        #[pin]
        pub(super) right: Slot<U, G>,
    }
}

impl<T, F, U, G> ZipState<T, F, U, G> {
    #[inline]
    pub(crate) fn new(left: MaybeReady<T, F>, right: MaybeReady<U, G>) -> Self {
        let (left, right) = (left.into(), right.into());
        Self { left, right }
    }

    pub(crate) const fn is_done(&self) -> bool {
        self.left.is_done()
    }

    /// Polls both sides in one turn, left first. An error ends it at once: both sides are
    /// dropped before it is given, and the right one is not polled for an error of the left.
    #[inline]
    #[track_caller]
    pub(crate) fn poll_with<E>(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        name: &str,
        accept_left: impl FnOnce(F::Output) -> Result<T, E>,
        accept_right: impl FnOnce(G::Output) -> Result<U, E>,
    ) -> Poll<Result<(T, U), E>>
    where
        F: Future,
        G: Future,
    {
        let mut this = self.project();
        if this.left.is_done() {
            polled_after_completion(name)
        }
        let left = this.left.as_mut().poll_fill(cx, accept_left);
        let right = match left {
            Poll::Ready(Err(_)) => Poll::Pending,
            _ => this.right.as_mut().poll_fill(cx, accept_right),
        };
        match (left, right) {
            (Poll::Ready(Ok(())), Poll::Ready(Ok(()))) => {
                match (this.left.take(), this.right.take()) {
                    (Some(left), Some(right)) => Poll::Ready(Ok((left, right))),
                    _ => unreachable!(),
                }
            }
            (Poll::Ready(Err(error)), _) | (_, Poll::Ready(Err(error))) => {
                this.left.set(Slot::Done);
                this.right.set(Slot::Done);
                Poll::Ready(Err(error))
            }
            _ => Poll::Pending,
        }
    }
}
