use core::future::Ready;

#[cfg(feature = "either")]
use either::Either;

use crate::MaybeReady;

/// Takes the value out of a future that is known to have it.
///
/// # Panics
///
/// If the future was polled to completion before, as [`Ready::into_inner`] does.
impl<T, F> From<Ready<T>> for MaybeReady<T, F> {
    #[inline]
    fn from(ready: Ready<T>) -> Self {
        Self::Ready(ready.into_inner())
    }
}

/// [`Left`](Either::Left) is the value, [`Right`](Either::Right) the future.
#[cfg(feature = "either")]
impl<T, F> From<Either<T, F>> for MaybeReady<T, F> {
    #[inline]
    fn from(either: Either<T, F>) -> Self {
        match either {
            Either::Left(value) => Self::Ready(value),
            Either::Right(future) => Self::Pending(future),
        }
    }
}

/// The value is [`Left`](Either::Left), the future [`Right`](Either::Right).
#[cfg(feature = "either")]
impl<T, F> From<MaybeReady<T, F>> for Either<T, F> {
    #[inline]
    fn from(maybe: MaybeReady<T, F>) -> Self {
        match maybe {
            MaybeReady::Ready(value) => Self::Left(value),
            MaybeReady::Pending(future) => Self::Right(future),
        }
    }
}
