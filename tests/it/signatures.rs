//! Case 22, maybe-async #19: a feature that some other crate had switched on changed what a
//! function returned.
//!
//! Here every public function stands with its full type. What has no `cfg` line must compile
//! without features, and as it is with any others; run with each combination of them.

#![allow(
    clippy::type_complexity,
    reason = "to spell the types out is what this is for"
)]

use core::convert::Infallible;
use core::future::{self, IntoFuture};
use core::task::{Context, Poll};

use maybe_ready::{
    AlwaysReady, AndThen, Defer, ErrInto, Fold, Inspect, InspectErr, InspectOk, IntoMaybeReady,
    Map, MapErr, MapOk, MaybeReady, MaybeReadyFuture, Never, OrElse, Then, TryFold, TryZip, Zip,
    fold, try_fold,
};

/// A future that is `Unpin` and `Send`, of either value.
type F<T> = future::Ready<T>;
type Plain = MaybeReady<u8, F<u8>>;
type Fallible<T, E> = MaybeReady<Result<T, E>, F<Result<T, E>>>;

/// What a closure is where its type has to be named.
type Call<T, U> = fn(T) -> U;
type Look<T> = fn(&T);

#[test]
fn what_any_value_has() {
    let _: fn(&Plain) -> bool = Plain::is_ready;
    let _: fn(&Plain) -> bool = Plain::is_pending;
    let _: fn(&Plain) -> MaybeReady<&u8, &F<u8>> = Plain::as_ref;
    let _: fn(&mut Plain) -> MaybeReady<&mut u8, &mut F<u8>> = Plain::as_mut;
    let _: fn(Plain) -> Result<u8, F<u8>> = Plain::try_into_ready;
    let _: fn(Plain) -> u8 = Plain::unwrap_ready;
    let _: fn(Plain, &str) -> u8 = Plain::expect_ready;
    let _: fn(Plain, Call<F<u8>, u8>) -> u8 = Plain::unwrap_or_else;
    let _: for<'a> fn(&'a mut Plain, &mut Context<'_>) -> Poll<&'a mut u8> = Plain::poll_ready;
}

#[test]
fn what_transforms_and_combines() {
    let _: fn(Plain, Call<u8, u16>) -> MaybeReady<u16, Map<F<u8>, Call<u8, u16>>> = Plain::map;
    let _: fn(Plain, Look<u8>) -> MaybeReady<u8, Inspect<F<u8>, Look<u8>>> = Plain::inspect;
    let _: fn(Plain, Call<u8, u16>) -> MaybeReady<u16, F<u8>> = Plain::map_ready;
    let _: fn(Plain, Call<F<u8>, F<u16>>) -> MaybeReady<u8, F<u16>> = Plain::map_pending;
    let _: fn(Plain, Call<u8, F<u16>>) -> MaybeReady<u16, Then<F<u8>, Call<u8, F<u16>>, F<u16>>> =
        Plain::then;
    let _: fn(Plain, F<u16>) -> MaybeReady<(u8, u16), Zip<u8, F<u8>, u16, F<u16>>> = Plain::zip;
    let _: fn(Plain) -> MaybeReady<u8, Defer<u8, F<u8>>> = Plain::defer;
}

#[test]
fn what_results_have() {
    type Start = Fallible<u8, i8>;
    type Future = F<Result<u8, i8>>;
    type Pair = Result<(u8, u16), i8>;
    type OnOk = Call<u8, F<Result<u16, i8>>>;
    type OnErr = Call<i8, F<Result<u8, i16>>>;

    let _: fn(
        Start,
        Fallible<u16, i8>,
    ) -> MaybeReady<Pair, TryZip<u8, Future, u16, F<Result<u16, i8>>>> = Start::try_zip;
    let _: fn(Start, Call<u8, u16>) -> MaybeReady<Result<u16, i8>, MapOk<Future, Call<u8, u16>>> =
        Start::map_ok;
    let _: fn(Start, Call<i8, i16>) -> MaybeReady<Result<u8, i16>, MapErr<Future, Call<i8, i16>>> =
        Start::map_err;
    let _: fn(Start) -> MaybeReady<Result<u8, i16>, ErrInto<Future, i16>> = Start::err_into;
    let _: fn(Start, Look<u8>) -> MaybeReady<Result<u8, i8>, InspectOk<Future, Look<u8>>> =
        Start::inspect_ok;
    let _: fn(Start, Look<i8>) -> MaybeReady<Result<u8, i8>, InspectErr<Future, Look<i8>>> =
        Start::inspect_err;
    let _: fn(
        Start,
        OnOk,
    ) -> MaybeReady<Result<u16, i8>, AndThen<Future, OnOk, F<Result<u16, i8>>>> = Start::and_then;
    let _: fn(
        Start,
        OnErr,
    ) -> MaybeReady<Result<u8, i16>, OrElse<Future, OnErr, F<Result<u8, i16>>>> = Start::or_else;
    let _: fn(fn() -> Result<Start, i8>) -> Start = Start::try_from_fn;
}

#[test]
fn what_loops() {
    type Items = std::vec::IntoIter<u16>;
    type Step = fn(u8, u16) -> F<u8>;
    type TryStep = fn(u8, u16) -> F<Result<u8, i8>>;

    let _: fn(Vec<u16>, u8, Step) -> MaybeReady<u8, Fold<Items, Step, F<u8>>> = fold;
    let _: fn(
        Vec<u16>,
        u8,
        TryStep,
    ) -> MaybeReady<Result<u8, i8>, TryFold<Items, TryStep, F<Result<u8, i8>>>> = try_fold;
}

#[cfg(feature = "std")]
#[test]
fn what_std_adds() {
    use maybe_ready::{JoinAll, TryJoinAll, join_all, try_join_all};

    let _: fn(Vec<Plain>) -> MaybeReady<Vec<u8>, JoinAll<u8, F<u8>>> = join_all;
    let _: fn(
        Vec<Fallible<u8, i8>>,
    ) -> MaybeReady<Result<Vec<u8>, i8>, TryJoinAll<u8, F<Result<u8, i8>>>> = try_join_all;
}

#[test]
fn what_converts() {
    // `Infallible` is no future, and none is needed to wrap and to look.
    type Future = MaybeReadyFuture<u8, Infallible>;

    let _: fn(F<u8>) -> Plain = Plain::from;
    let _: fn(Plain) -> MaybeReadyFuture<u8, F<u8>> = Plain::into_future;
    let _: fn(Plain) -> Plain = Plain::into_maybe_ready;
    let _: fn(F<u8>) -> Plain = F::into_maybe_ready;
    let _: fn(AlwaysReady<u8>) -> u8 = AlwaysReady::into_ready;
    let _: fn(MaybeReady<u8, Never<u8>>) -> u8 = AlwaysReady::into_ready;
    let _: fn(MaybeReady<u8, Infallible>) -> Future = Future::from;
    let _: fn(&Future) -> bool = Future::is_ready;
    let _: fn(Future) -> Option<MaybeReady<u8, Infallible>> = Future::into_inner;
}

#[cfg(feature = "alloc")]
#[test]
fn what_alloc_adds() {
    use core::pin::Pin;

    use maybe_ready::{BoxMaybeReady, LocalBoxMaybeReady};

    type Boxed<'a> = Pin<Box<dyn Future<Output = u8> + Send + 'a>>;
    type LocalBoxed<'a> = Pin<Box<dyn Future<Output = u8> + 'a>>;

    let _: fn(Plain) -> BoxMaybeReady<'static, u8> = Plain::boxed;
    let _: fn(Plain) -> LocalBoxMaybeReady<'static, u8> = Plain::boxed_local;
    let _: fn(MaybeReady<u8, Boxed<'_>>) -> BoxMaybeReady<'_, u8> = |maybe| maybe;
    let _: fn(MaybeReady<u8, LocalBoxed<'_>>) -> LocalBoxMaybeReady<'_, u8> = |maybe| maybe;
}

#[cfg(feature = "either")]
#[test]
fn what_either_adds() {
    use either::Either;

    let _: fn(Either<u8, F<u8>>) -> Plain = Plain::from;
    let _: fn(Plain) -> Either<u8, F<u8>> = Either::from;
}
