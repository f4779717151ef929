use core::future::Future;

use crate::MaybeReady;

/// Conversion into a [`MaybeReady`], for every future and for `MaybeReady` itself.
///
/// It is to [`MaybeReady`] what [`IntoFuture`] is to futures: [`then`](MaybeReady::then),
/// [`zip`](MaybeReady::zip) and the collections take anything that implements it, so that
/// closures may return whichever they have. A future becomes
/// [`Pending`](MaybeReady::Pending) without being polled; a `MaybeReady` stays as it is.
///
/// That holds for every future, a [`MaybeReadyFuture`](crate::MaybeReadyFuture) and a newtype of it
/// included: to chain or join what such a future holds, get the `MaybeReady` back first, by
/// [`into_inner`](crate::MaybeReadyFuture::into_inner).
///
/// # Examples
///
/// ```
/// use std::future::ready;
///
/// use maybe_ready::{AlwaysReady, IntoMaybeReady};
///
/// assert!(async { 1 }.into_maybe_ready().is_pending());
/// // A future is never looked into, so this one is pending too. `From` looks.
/// assert!(ready(1).into_maybe_ready().is_pending());
///
/// let hit: AlwaysReady<i32> = ready(1).into();
/// assert!(hit.into_maybe_ready().is_ready());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a `MaybeReady` nor a future",
    label = "expected a `MaybeReady` or a future",
    note = "use `map`, or wrap the value in `MaybeReady::Ready`",
    note = "inside a `Result`, use `map_ok` or `map_err`",
    note = "where the compiler then asks for the type of the future, use `AlwaysReady::Ready`"
)]
pub trait IntoMaybeReady {
    /// The type of the value, now or later.
    type Output;

    /// The future of a value that is not ready.
    type Future: Future<Output = Self::Output>;

    /// Converts `self`, polling nothing, as in the example of the [trait](IntoMaybeReady).
    fn into_maybe_ready(self) -> MaybeReady<Self::Output, Self::Future>;
}

// Without this the compiler would look through to the missing `Future`, and hide the help above.
#[diagnostic::do_not_recommend]
impl<F: Future> IntoMaybeReady for F {
    type Output = F::Output;
    type Future = F;

    #[inline]
    fn into_maybe_ready(self) -> MaybeReady<F::Output, F> {
        MaybeReady::Pending(self)
    }
}

impl<T, F: Future<Output = T>> IntoMaybeReady for MaybeReady<T, F> {
    type Output = T;
    type Future = F;

    #[inline]
    fn into_maybe_ready(self) -> Self {
        self
    }
}
