use core::fmt;
use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use crate::future::polled_after_completion;
use crate::{IntoMaybeReady, MaybeReady};

/// Folds every item into an accumulator, one step at a time, now or later.
///
/// The cousin of [`Iterator::fold`], for steps that may have to wait. Before this returns, `f` is
/// called with the accumulator and the next item for as long as its answers are
/// [`Ready`](MaybeReady::Ready). If all of them are, so is the result. The first step that is
/// [`Pending`](MaybeReady::Pending) ends that: what remains goes into the future, which polls that
/// step and then goes on as before, waiting for one step at a time. An item is pulled from the
/// iterator when its step is due, and not before.
///
/// # Cost
///
/// A loop: ready steps use no stack, allocate nothing and poll nothing, however many there are.
/// For steps that do not depend on each other, [`join_all`](crate::join_all) waits for all of them
/// together.
///
/// # Examples
///
/// A balance over postings, of which a few have to be converted by someone slow:
///
/// ```
/// use maybe_ready::{MaybeReady, fold};
///
/// fn in_euro(amount: i64, currency: &str) -> MaybeReady<i64, impl Future<Output = i64>> {
///     match currency {
///         "EUR" => MaybeReady::Ready(amount),
///         _ => MaybeReady::Pending(async move { amount / 2 }),
///     }
/// }
///
/// let add = |sum, (amount, currency)| in_euro(amount, currency).map(move |euro| sum + euro);
///
/// assert_eq!(fold([(3, "EUR"), (4, "EUR")], 0, add).unwrap_ready(), 7);
/// # pollster::block_on(async {
/// assert_eq!(fold([(3, "EUR"), (8, "XYZ"), (4, "EUR")], 0, add).await, 11);
/// # });
/// ```
#[inline]
pub fn fold<I, B, C, R>(iter: I, init: B, mut f: C) -> MaybeReady<B, Fold<I::IntoIter, C, R>>
where
    I: IntoIterator,
    C: FnMut(B, I::Item) -> R,
    R: IntoMaybeReady<Output = B>,
{
    let mut iter = iter.into_iter();
    let folded = run(&mut iter, init, &mut f, ControlFlow::Continue, |acc| acc);
    folded.map_pending(|step| Fold {
        state: FoldState::new(step, iter, f),
    })
}

pin_project! {
    /// Future of [`fold`].
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct Fold<I, C, R: IntoMaybeReady> {
        #[pin]
        state: FoldState<I, C, R::Future>,
    }
}

impl<I, C, R> Future for Fold<I, C, R>
where
    I: Iterator,
    C: FnMut(R::Output, I::Item) -> R,
    R: IntoMaybeReady,
{
    type Output = R::Output;

    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<R::Output> {
        let state = self.project().state;
        state.poll_with(cx, "Fold", ControlFlow::Continue, |acc| acc)
    }
}

impl<I, C, R: IntoMaybeReady> FusedFuture for Fold<I, C, R>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.state.is_done()
    }
}

impl<I, C, R: IntoMaybeReady> fmt::Debug for Fold<I, C, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Fold").field(&self.state).finish()
    }
}

pin_project! {
    /// A step that is pending, and what is needed to go on after it.
    #[project = Proj]
    pub(crate) enum FoldState<I, C, G> {
        // There is no step while `f` runs, nor ever again if that panics.
        Step { #[pin] step: Option<G>, iter: I, f: C },
        Done,
    }
}

impl<I, C, G> FoldState<I, C, G> {
    #[inline]
    pub(crate) const fn new(step: G, iter: I, f: C) -> Self {
        let step = Some(step);
        Self::Step { step, iter, f }
    }

    pub(crate) const fn is_done(&self) -> bool {
        !matches!(self, Self::Step { step: Some(_), .. })
    }

    /// Polls the pending step, and runs on from its output, until the next one is pending.
    #[inline]
    #[track_caller]
    pub(crate) fn poll_with<R, B, O>(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        name: &str,
        decide: impl Fn(R::Output) -> ControlFlow<O, B>,
        finish: impl Fn(B) -> O,
    ) -> Poll<O>
    where
        I: Iterator,
        C: FnMut(B, I::Item) -> R,
        R: IntoMaybeReady<Future = G>,
        G: Future<Output = R::Output>,
    {
        let Proj::Step { mut step, iter, f } = self.as_mut().project() else {
            polled_after_completion(name)
        };
        let end = loop {
            let Some(pending) = step.as_mut().as_pin_mut() else {
                polled_after_completion(name)
            };
            let output = ready!(pending.poll(cx));
            step.set(None);
            let acc = match decide(output) {
                ControlFlow::Continue(acc) => acc,
                ControlFlow::Break(end) => break end,
            };
            match run(iter, acc, f, &decide, &finish) {
                MaybeReady::Ready(end) => break end,
                MaybeReady::Pending(next) => step.set(Some(next)),
            }
        };
        self.set(Self::Done);
        Poll::Ready(end)
    }
}

/// Runs from `acc` on for as long as the steps are ready.
///
/// `decide` says what a step's output means, `finish` what the accumulator is after the last item.
#[inline]
pub(crate) fn run<I, B, C, R, O>(
    iter: &mut I,
    mut acc: B,
    f: &mut C,
    decide: impl Fn(R::Output) -> ControlFlow<O, B>,
    finish: impl Fn(B) -> O,
) -> MaybeReady<O, R::Future>
where
    I: Iterator,
    C: FnMut(B, I::Item) -> R,
    R: IntoMaybeReady,
{
    for item in iter {
        match f(acc, item).into_maybe_ready() {
            MaybeReady::Ready(output) => match decide(output) {
                ControlFlow::Continue(next) => acc = next,
                ControlFlow::Break(end) => return MaybeReady::Ready(end),
            },
            MaybeReady::Pending(step) => return MaybeReady::Pending(step),
        }
    }
    MaybeReady::Ready(finish(acc))
}

impl<I, C, G> fmt::Debug for FoldState<I, C, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Step { step: Some(_), .. } => "Pending",
            _ => "Done",
        })
    }
}
