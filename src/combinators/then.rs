use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use crate::future::polled_after_completion;
use crate::{IntoMaybeReady, MaybeReady};

pin_project! {
    /// Future of [`MaybeReady::then`](crate::MaybeReady::then).
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct Then<F, C, G> {
        #[pin]
        state: ThenState<F, C, G>,
    }
}

impl<F, C, G> Then<F, C, G> {
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

impl<F, C, R> Future for Then<F, C, R::Future>
where
    F: Future,
    C: FnOnce(F::Output) -> R,
    R: IntoMaybeReady,
{
    type Output = R::Output;

    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<R::Output> {
        let state = self.project().state;
        state.poll_with(cx, "Then", |f, value| f(value).into_maybe_ready())
    }
}

impl<F, C, G> FusedFuture for Then<F, C, G>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.state.is_done()
    }
}

impl<F, C, G> fmt::Debug for Then<F, C, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Then").field(&self.state).finish()
    }
}

pin_project! {
    /// A future, what is called once with its output, and the future that may come of it.
    #[project = Proj]
    #[project_replace = Taken]
    pub(crate) enum ThenState<F, C, G> {
        First { #[pin] future: F, f: C },
        Second { #[pin] future: G },
        Done,
    }
}

impl<F, C, G> ThenState<F, C, G> {
    pub(crate) const fn is_done(&self) -> bool {
        matches!(self, Self::Done)
    }

    /// Polls the first future; on its output it is dropped, `call` runs, and what comes of that
    /// is given or polled in the same turn.
    #[inline]
    #[track_caller]
    pub(crate) fn poll_with<T>(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        name: &str,
        call: impl FnOnce(C, F::Output) -> MaybeReady<T, G>,
    ) -> Poll<T>
    where
        F: Future,
        G: Future<Output = T>,
    {
        if let Proj::First { future, .. } = self.as_mut().project() {
            let output = ready!(future.poll(cx));
            let Taken::First { f, .. } = self.as_mut().project_replace(Self::Done) else {
                unreachable!()
            };
            match call(f, output) {
                MaybeReady::Ready(value) => return Poll::Ready(value),
                MaybeReady::Pending(future) => self.set(Self::Second { future }),
            }
        }
        let Proj::Second { future } = self.as_mut().project() else {
            polled_after_completion(name)
        };
        let answer = future.poll(cx);
        if answer.is_ready() {
            self.set(Self::Done);
        }
        answer
    }
}

impl<F, C, G> fmt::Debug for ThenState<F, C, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First { .. } => "First",
            Self::Second { .. } => "Second",
            Self::Done => "Done",
        })
    }
}
