use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use crate::MaybeReady;
use crate::future::Slot;

pin_project! {
    /// Future of [`MaybeReady::defer`](crate::MaybeReady::defer).
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct Defer<T, F> {
        #[pin]
        slot: Slot<T, F>,
        // Whether a ready value has yet to be held back once.
        hold: bool,
    }
}

impl<T, F> Defer<T, F> {
    #[inline]
    pub(crate) fn new(maybe: MaybeReady<T, F>) -> Self {
        let hold = maybe.is_ready();
        Self {
            slot: maybe.into(),
            hold,
        }
    }
}

impl<T, F: Future<Output = T>> Future for Defer<T, F> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let this = self.project();
        if *this.hold {
            *this.hold = false;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        this.slot.poll_take(cx, "Defer")
    }
}

impl<T, F> FusedFuture for Defer<T, F>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.slot.is_done()
    }
}

impl<T, F> fmt::Debug for Defer<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Defer").field(&self.slot).finish()
    }
}
