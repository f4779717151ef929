use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use crate::future::polled_after_completion;

pin_project! {
    /// Future of [`MaybeReady::map`](crate::MaybeReady::map).
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct Map<F, M> {
        #[pin]
        state: MapState<F, M>,
    }
}

impl<F, M> Map<F, M> {
    #[inline]
    pub(crate) fn new(future: F, f: M) -> Self {
        let state = MapState::new(future, f);
        Self { state }
    }
}

impl<F: Future, M: FnOnce(F::Output) -> U, U> Future for Map<F, M> {
    type Output = U;

    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<U> {
        let state = self.project().state;
        state.poll_with(cx, "Map", |f, value| f(value))
    }
}

impl<F, M> FusedFuture for Map<F, M>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.state.is_done()
    }
}

impl<F, M> fmt::Debug for Map<F, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Map").field(&self.state).finish()
    }
}

pin_project! {
    /// A future, and what is called once with its output.
    #[project = Proj]
    #[project_replace = Taken]
    pub(crate) enum MapState<F, M> {
        Pending { #[pin] future: F, f: M },
        Done,
    }
}

impl<F, M> MapState<F, M> {
    #[inline]
    pub(crate) fn new(future: F, f: M) -> Self {
        Self::Pending { future, f }
    }

    pub(crate) const fn is_done(&self) -> bool {
        matches!(self, Self::Done)
    }

    /// Polls the future; on its output it is dropped, and then `call` runs.
    #[inline]
    #[track_caller]
    pub(crate) fn poll_with<U>(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        name: &str,
        call: impl FnOnce(M, F::Output) -> U,
    ) -> Poll<U>
    where
        F: Future,
    {
        let Proj::Pending { future, .. } = self.as_mut().project() else {
            polled_after_completion(name)
        };
        let output = ready!(future.poll(cx));
        match self.project_replace(Self::Done) {
            Taken::Pending { f, .. } => Poll::Ready(call(f, output)),
            Taken::Done => unreachable!(),
        }
    }
}

impl<F, M> fmt::Debug for MapState<F, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pending { .. } => "Pending",
            Self::Done => "Done",
        })
    }
}
