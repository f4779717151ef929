//! Lifetimes can be shortened everywhere. It is enough that this compiles.

use maybe_ready::{
    AlwaysReady, AndThen, Defer, ErrInto, Inspect, InspectErr, InspectOk, Map, MapErr, MapOk,
    MaybeReady, MaybeReadyFuture, Never, OrElse, Then, TryZip, Zip,
};

/// A value, a future or a closure.
type Of<'a> = &'a str;
/// One that lives long.
type L = Of<'static>;

#[expect(clippy::type_complexity, reason = "the types are the test")]
#[test]
fn every_type_is_covariant() {
    fn shorten<'a>(_: Of<'a>) {
        let _: fn(MaybeReady<L, L>) -> MaybeReady<Of<'a>, Of<'a>> = |long| long;
        let _: fn(MaybeReadyFuture<L, L>) -> MaybeReadyFuture<Of<'a>, Of<'a>> = |long| long;
        let _: fn(AlwaysReady<L>) -> AlwaysReady<Of<'a>> = |long| long;
        let _: fn(Never<L>) -> Never<Of<'a>> = |long| long;

        let _: fn(Map<L, L>) -> Map<Of<'a>, Of<'a>> = |long| long;
        let _: fn(Inspect<L, L>) -> Inspect<Of<'a>, Of<'a>> = |long| long;
        let _: fn(MapOk<L, L>) -> MapOk<Of<'a>, Of<'a>> = |long| long;
        let _: fn(MapErr<L, L>) -> MapErr<Of<'a>, Of<'a>> = |long| long;
        let _: fn(InspectOk<L, L>) -> InspectOk<Of<'a>, Of<'a>> = |long| long;
        let _: fn(InspectErr<L, L>) -> InspectErr<Of<'a>, Of<'a>> = |long| long;
        let _: fn(ErrInto<L, L>) -> ErrInto<Of<'a>, Of<'a>> = |long| long;

        let _: fn(Then<L, L, L>) -> Then<Of<'a>, Of<'a>, Of<'a>> = |long| long;
        let _: fn(AndThen<L, L, L>) -> AndThen<Of<'a>, Of<'a>, Of<'a>> = |long| long;
        let _: fn(OrElse<L, L, L>) -> OrElse<Of<'a>, Of<'a>, Of<'a>> = |long| long;

        let _: fn(Zip<L, L, L, L>) -> Zip<Of<'a>, Of<'a>, Of<'a>, Of<'a>> = |long| long;
        let _: fn(TryZip<L, L, L, L>) -> TryZip<Of<'a>, Of<'a>, Of<'a>, Of<'a>> = |long| long;
        let _: fn(Defer<L, L>) -> Defer<Of<'a>, Of<'a>> = |long| long;
    }

    shorten("");
}

#[cfg(feature = "alloc")]
#[test]
fn a_boxed_future_can_be_kept_for_less_long() {
    use maybe_ready::{BoxMaybeReady, LocalBoxMaybeReady};

    fn shorten<'a>(_: Of<'a>) {
        let _: fn(BoxMaybeReady<'static, u32>) -> BoxMaybeReady<'a, u32> = |long| long;
        let _: fn(LocalBoxMaybeReady<'static, u32>) -> LocalBoxMaybeReady<'a, u32> = |long| long;
    }

    shorten("");
}
