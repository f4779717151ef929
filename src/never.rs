use core::convert::Infallible;
use core::fmt;
use core::future::Future;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::future::FusedFuture;

use crate::MaybeReady;

/// A [`MaybeReady`] that is always [`Ready`](MaybeReady::Ready).
///
/// It has the size of `T`, and by value its one variant can be matched irrefutably. It also names the type
/// of a ready value where nothing else does: `AlwaysReady::Ready(1)`.
///
/// # Examples
///
/// An implementor that never waits says so in its types. Who knows it takes the value, and a generic
/// caller awaits it as any other:
///
/// ```
/// use maybe_ready::{AlwaysReady, MaybeReady};
///
/// trait Lookup {
///     type Future: Future<Output = u16>;
///     fn port(&self, service: &str) -> MaybeReady<u16, Self::Future>;
/// }
///
/// struct WellKnown;
///
/// impl Lookup for WellKnown {
///     type Future = maybe_ready::Never<u16>;
///
///     fn port(&self, service: &str) -> AlwaysReady<u16> {
///         MaybeReady::Ready(if service == "https" { 443 } else { 80 })
///     }
/// }
///
/// async fn address(lookup: &impl Lookup) -> String {
///     format!("localhost:{}", lookup.port("https").await)
/// }
///
/// let MaybeReady::Ready(port) = WellKnown.port("http");
/// assert_eq!(port, 80);
/// # pollster::block_on(async {
/// assert_eq!(address(&WellKnown).await, "localhost:443");
/// # });
/// ```
///
/// A step that never waits gets its type from here:
///
/// ```
/// use maybe_ready::{AlwaysReady, fold};
///
/// let sum = fold(1..=4, 0, |sum, n| AlwaysReady::Ready(sum + n));
/// assert_eq!(sum.unwrap_ready(), 10);
/// ```
pub type AlwaysReady<T> = MaybeReady<T, Never<T>>;

impl<T, U> MaybeReady<T, Never<U>> {
    /// Returns the value, which is always there.
    ///
    /// Unlike [`unwrap_ready`](MaybeReady::unwrap_ready) it cannot panic, and does not compile
    /// where the value might be pending. That is so after most combinators, whose result may be
    /// pending as far as its type goes: take the value out first, or use
    /// [`map_ready`](Self::map_ready).
    ///
    /// # Examples
    ///
    /// ```
    /// use maybe_ready::{AlwaysReady, MaybeReady};
    ///
    /// let answer: AlwaysReady<&str> = MaybeReady::Ready("42");
    /// assert_eq!(answer.map_ready(str::len).into_ready(), 2);
    /// ```
    #[inline]
    pub fn into_ready(self) -> T {
        let MaybeReady::Ready(value) = self;
        value
    }
}

/// A future of `T` that cannot exist.
///
/// It names the pending side of what is never pending: see [`AlwaysReady`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub enum Never<T> {
    // A public variant, for only visibly uninhabited types make a pattern irrefutable.
    #[doc(hidden)]
    Void(Infallible, PhantomData<fn() -> T>),
}

impl<T> Future for Never<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<T> {
        let Self::Void(never, _) = *self;
        match never {}
    }
}

impl<T> FusedFuture for Never<T> {
    fn is_terminated(&self) -> bool {
        let Self::Void(never, _) = *self;
        match never {}
    }
}

impl<T> fmt::Debug for Never<T> {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Void(never, _) = *self;
        match never {}
    }
}
