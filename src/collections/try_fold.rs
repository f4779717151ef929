use core::fmt;
use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use super::fold::{FoldState, run};
use crate::{IntoMaybeReady, MaybeReady};

/// Folds every item into an accumulator, one step at a time, until a step fails.
///
/// The cousin of [`Iterator::try_fold`], and [`fold`](crate::fold) for [`Result`]s: see there for
/// when `f` is called and what it costs. The first error ends it, now or later; no further item is
/// pulled, and the iterator and `f` are dropped. To end a loop early with a success, make it an
/// error: the type is yours.
///
/// # Examples
///
/// A batch of requests that stops at the first one that is rejected:
///
/// ```
/// use maybe_ready::{MaybeReady, try_fold};
///
/// type Answer = Result<usize, String>;
///
/// fn answer(request: &str) -> MaybeReady<Answer, impl Future<Output = Answer>> {
///     match request {
///         "" => MaybeReady::Ready(Err("empty request".to_owned())),
///         "slow" => MaybeReady::Pending(async { Ok(0) }),
///         fast => MaybeReady::Ready(Ok(fast.len())),
///     }
/// }
///
/// let total = |sum, request| answer(request).map_ok(move |bytes| sum + bytes);
///
/// assert_eq!(try_fold(["ping", "echo"], 0, total).unwrap_ready(), Ok(8));
/// # pollster::block_on(async {
/// assert!(try_fold(["slow", "", "never asked"], 0, total).await.is_err());
/// # });
/// ```
#[inline]
#[allow(clippy::type_complexity, reason = "the signature is the documentation")]
pub fn try_fold<I, B, E, C, R>(
    iter: I,
    init: B,
    mut f: C,
) -> MaybeReady<Result<B, E>, TryFold<I::IntoIter, C, R>>
where
    I: IntoIterator,
    C: FnMut(B, I::Item) -> R,
    R: IntoMaybeReady<Output = Result<B, E>>,
{
    let mut iter = iter.into_iter();
    let folded = run(&mut iter, init, &mut f, decide, Ok);
    folded.map_pending(|step| TryFold {
        state: FoldState::new(step, iter, f),
    })
}

fn decide<B, E>(step: Result<B, E>) -> ControlFlow<Result<B, E>, B> {
    match step {
        Ok(acc) => ControlFlow::Continue(acc),
        Err(error) => ControlFlow::Break(Err(error)),
    }
}

pin_project! {
    /// Future of [`try_fold`].
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct TryFold<I, C, R: IntoMaybeReady> {
        #[pin]
        state: FoldState<I, C, R::Future>,
    }
}

impl<I, C, R, B, E> Future for TryFold<I, C, R>
where
    I: Iterator,
    C: FnMut(B, I::Item) -> R,
    R: IntoMaybeReady<Output = Result<B, E>>,
{
    type Output = Result<B, E>;

    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<B, E>> {
        let state = self.project().state;
        state.poll_with(cx, "TryFold", decide, Ok)
    }
}

impl<I, C, R: IntoMaybeReady> FusedFuture for TryFold<I, C, R>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.state.is_done()
    }
}

impl<I, C, R: IntoMaybeReady> fmt::Debug for TryFold<I, C, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TryFold").field(&self.state).finish()
    }
}
