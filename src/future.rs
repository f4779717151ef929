use core::fmt;
use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use crate::MaybeReady;

pin_project! {
    /// The future of a [`MaybeReady`], which is what `.await` makes of it.
    ///
    /// A ready value is given on the first poll. A pending future is polled as if it stood
    /// there itself, with the waker of the task, and is dropped as soon as it completes.
    ///
    /// An API that must name a [`Future`] can return this type, or a newtype of it, and still let
    /// its callers look: see [`is_ready`](Self::is_ready) and [`into_inner`](Self::into_inner).
    /// There is no look at the value by reference: for that, keep the `MaybeReady`. The crate's own
    /// functions do not look into futures: to chain or join what one of these holds, get the
    /// `MaybeReady` back first.
    ///
    /// It is [`Unpin`] if `F` is, whatever `T` is.
    ///
    /// # Panics
    ///
    /// When polled after it completed: "`MaybeReadyFuture` polled after completion".
    ///
    /// # Examples
    ///
    /// ```
    /// use std::pin::Pin;
    /// use std::task::{Context, Poll};
    ///
    /// use maybe_ready::{MaybeReady, MaybeReadyFuture};
    ///
    /// type Boxed = Pin<Box<dyn Future<Output = String> + Send>>;
    ///
    /// /// The name of a user.
    /// pub struct Name(MaybeReadyFuture<String, Boxed>);
    ///
    /// impl Name {
    ///     /// For whoever cannot wait.
    ///     pub fn now(self) -> Option<String> {
    ///         self.0.into_inner()?.try_into_ready().ok()
    ///     }
    /// }
    ///
    /// impl Future for Name {
    ///     type Output = String;
    ///
    ///     fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<String> {
    ///         Pin::new(&mut self.0).poll(cx)
    ///     }
    /// }
    ///
    /// pub fn name(id: u32) -> Name {
    ///     Name(match id {
    ///         0 => MaybeReady::Ready("root".to_owned()).into(),
    ///         _ => MaybeReady::Pending(Box::pin(async move { format!("user {id}") }) as Boxed).into(),
    ///     })
    /// }
    ///
    /// assert_eq!(name(0).now().as_deref(), Some("root"));
    /// # pollster::block_on(async {
    /// assert_eq!(name(7).await, "user 7");
    /// # });
    /// ```
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct MaybeReadyFuture<T, F> {
        #[pin]
        slot: Slot<T, F>,
    }
}

impl<T, F> MaybeReadyFuture<T, F> {
    /// Returns `true` if the value is there, so that the next poll gives it.
    ///
    /// It is `false` once the value was given.
    ///
    /// # Examples
    ///
    /// A caller that shows progress wants to know before it awaits:
    ///
    /// ```
    /// use std::future::{self, IntoFuture};
    ///
    /// use maybe_ready::MaybeReady;
    ///
    /// type Number = MaybeReady<i32, future::Ready<i32>>;
    ///
    /// assert!(Number::Ready(1).into_future().is_ready());
    /// assert!(!Number::Pending(future::ready(1)).into_future().is_ready());
    /// ```
    #[must_use = "if you intended to get the value, consider `.await` instead"]
    #[inline]
    pub const fn is_ready(&self) -> bool {
        matches!(self.slot, Slot::Ready { .. })
    }

    /// Returns the [`MaybeReady`] in its present state, or `None` once the value was given.
    ///
    /// # Examples
    ///
    /// A caller that is not async reads a future that is already there:
    ///
    /// ```
    /// use maybe_ready::{AlwaysReady, MaybeReady};
    ///
    /// let hit = AlwaysReady::Ready(7).into_future();
    /// assert!(matches!(hit.into_inner(), Some(MaybeReady::Ready(7))));
    /// ```
    #[inline]
    pub fn into_inner(self) -> Option<MaybeReady<T, F>> {
        match self.slot {
            Slot::Ready { value } => Some(MaybeReady::Ready(value)),
            Slot::Pending { future } => Some(MaybeReady::Pending(future)),
            Slot::Done => None,
        }
    }
}

/// Wraps without polling, and without requiring that `F` is a future.
impl<T, F> From<MaybeReady<T, F>> for MaybeReadyFuture<T, F> {
    #[inline]
    fn from(maybe: MaybeReady<T, F>) -> Self {
        Self { slot: maybe.into() }
    }
}

impl<T, F: Future<Output = T>> IntoFuture for MaybeReady<T, F> {
    type Output = T;
    type IntoFuture = MaybeReadyFuture<T, F>;

    /// Wraps without polling: nothing runs before the future is polled.
    #[inline]
    fn into_future(self) -> MaybeReadyFuture<T, F> {
        self.into()
    }
}

impl<T, F: Future<Output = T>> Future for MaybeReadyFuture<T, F> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        self.project().slot.poll_take(cx, "MaybeReadyFuture")
    }
}

impl<T, F: Future<Output = T>> FusedFuture for MaybeReadyFuture<T, F> {
    #[inline]
    fn is_terminated(&self) -> bool {
        self.slot.is_done()
    }
}

impl<T, F> fmt::Debug for MaybeReadyFuture<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MaybeReadyFuture").field(&self.slot).finish()
    }
}

pin_project! {
    /// One value, now or later: the state of every future that may hold a ready value.
    #[project = SlotProj]
    #[project_replace = SlotTaken]
    pub(crate) enum Slot<T, F> {
        Ready { value: T },
        Pending { #[pin] future: F },
        Done,
    }
}

impl<T, F> Slot<T, F> {
    pub(crate) const fn is_done(&self) -> bool {
        matches!(self, Self::Done)
    }

    /// Gives the value: the one that is there, or else the output of the future once it has one,
    /// which is dropped then.
    #[inline]
    #[track_caller]
    pub(crate) fn poll_take(mut self: Pin<&mut Self>, cx: &mut Context<'_>, name: &str) -> Poll<T>
    where
        F: Future<Output = T>,
    {
        match self.as_mut().project() {
            SlotProj::Ready { .. } => {}
            SlotProj::Pending { future } => {
                let answer = future.poll(cx);
                if answer.is_ready() {
                    self.set(Self::Done);
                }
                return answer;
            }
            SlotProj::Done => polled_after_completion(name),
        }
        match self.take() {
            Some(value) => Poll::Ready(value),
            None => unreachable!(),
        }
    }

    /// Polls a pending future and keeps what `accept` makes of its output, dropping the future.
    ///
    /// Ready means that there is nothing left to poll here, or that `accept` refused.
    #[inline]
    pub(crate) fn poll_fill<E>(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        accept: impl FnOnce(F::Output) -> Result<T, E>,
    ) -> Poll<Result<(), E>>
    where
        F: Future,
    {
        if let SlotProj::Pending { future } = self.as_mut().project() {
            let output = ready!(future.poll(cx));
            self.set(Self::Ready {
                value: accept(output)?,
            });
        }
        Poll::Ready(Ok(()))
    }

    /// Takes the value, if it is there, and leaves `Done`.
    #[inline]
    pub(crate) fn take(self: Pin<&mut Self>) -> Option<T> {
        match self.project_replace(Self::Done) {
            SlotTaken::Ready { value } => Some(value),
            SlotTaken::Pending { .. } | SlotTaken::Done => None,
        }
    }
}

impl<T, F> From<MaybeReady<T, F>> for Slot<T, F> {
    #[inline]
    fn from(maybe: MaybeReady<T, F>) -> Self {
        match maybe {
            MaybeReady::Ready(value) => Self::Ready { value },
            MaybeReady::Pending(future) => Self::Pending { future },
        }
    }
}

impl<T, F> fmt::Debug for Slot<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ready { .. } => "Ready",
            Self::Pending { .. } => "Pending",
            Self::Done => "Done",
        })
    }
}

/// The one panic of every future in this crate that is polled again.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn polled_after_completion(name: &str) -> ! {
    panic!("`{name}` polled after completion")
}
