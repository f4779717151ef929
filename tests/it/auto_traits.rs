//! Which traits each type has, as truth tables: every line varies one parameter.

use std::cell::Cell;
use std::fmt::Debug;
use std::hash::Hash;
use std::marker::{PhantomData, PhantomPinned};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::pin::Pin;
use std::sync::MutexGuard;
use std::task::{Context, Poll};

use maybe_ready::{
    AlwaysReady, AndThen, Defer, ErrInto, Fold, Inspect, InspectErr, InspectOk, Map, MapErr, MapOk,
    MaybeReady, MaybeReadyFuture, Never, OrElse, Then, TryFold, TryZip, Zip,
};

/// Has all of the traits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Full;

// Each lacks what it is named after, and nothing else of the auto traits.
struct NotSend(PhantomData<MutexGuard<'static, ()>>);
struct NotSync(PhantomData<Cell<()>>);
struct NotUnpin(PhantomPinned);
struct NotUnwindSafe(PhantomData<&'static mut ()>);
struct NotRefUnwindSafe(PhantomData<dyn Unpinned>);

impl RefUnwindSafe for NotSync {}
impl UnwindSafe for NotRefUnwindSafe {}

trait Unpinned: Send + Sync + Unpin {}

/// Which of the traits follow a parameter: a type lacks one if the parameter lacks it.
#[derive(Clone, Copy)]
enum Follows {
    All,
    /// It is not pinned, and may be moved out of what is.
    AllButUnpin,
    /// It is a mere name.
    None,
}

use Follows::{All, AllButUnpin};

const AUTO: [&str; 5] = ["Send", "Sync", "Unpin", "UnwindSafe", "RefUnwindSafe"];

/// Asks whether `T` has a trait: where it has, the inherent constant hides the one of [`Lacks`].
struct Has<T: ?Sized>(PhantomData<T>);

trait Lacks {
    const SEND: bool = false;
    const SYNC: bool = false;
    const UNPIN: bool = false;
    const UNWIND_SAFE: bool = false;
    const REF_UNWIND_SAFE: bool = false;
    const CLONE: bool = false;
    const COPY: bool = false;
    const PARTIAL_EQ: bool = false;
    const EQ: bool = false;
    const HASH: bool = false;
    const DEBUG: bool = false;
}

impl<T: ?Sized> Lacks for Has<T> {}

impl<T: Send> Has<T> {
    const SEND: bool = true;
}

impl<T: Sync> Has<T> {
    const SYNC: bool = true;
}

impl<T: Unpin> Has<T> {
    const UNPIN: bool = true;
}

impl<T: UnwindSafe> Has<T> {
    const UNWIND_SAFE: bool = true;
}

impl<T: RefUnwindSafe> Has<T> {
    const REF_UNWIND_SAFE: bool = true;
}

impl<T: Clone> Has<T> {
    const CLONE: bool = true;
}

impl<T: Copy> Has<T> {
    const COPY: bool = true;
}

impl<T: PartialEq> Has<T> {
    const PARTIAL_EQ: bool = true;
}

impl<T: Eq> Has<T> {
    const EQ: bool = true;
}

impl<T: Hash> Has<T> {
    const HASH: bool = true;
}

impl<T: Debug> Has<T> {
    const DEBUG: bool = true;
}

// Macros, for the answer depends on a concrete type, which a generic function never sees.

/// The answers for one type, in the order of `AUTO`.
macro_rules! auto {
    ($type:ty) => {
        [
            Has::<$type>::SEND,
            Has::<$type>::SYNC,
            Has::<$type>::UNPIN,
            Has::<$type>::UNWIND_SAFE,
            Has::<$type>::REF_UNWIND_SAFE,
        ]
    };
}

/// Expects that the type follows the parameter `X` that is written in it.
macro_rules! follows {
    ($type:ty, $follows:expr) => {{
        type Of<X> = $type;
        assert_eq!(
            auto!(Of<Full>),
            [true; 5],
            concat!(
                "`",
                stringify!($type),
                "` where X has every trait: has {:?}"
            ),
            AUTO
        );
        let found = [
            auto!(Of<NotSend>),
            auto!(Of<NotSync>),
            auto!(Of<NotUnpin>),
            auto!(Of<NotUnwindSafe>),
            auto!(Of<NotRefUnwindSafe>),
        ];
        assert_follows(stringify!($type), found, $follows);
    }};
}

fn assert_follows(name: &str, found: [[bool; 5]; 5], follows: Follows) {
    for (lacking, found) in found.into_iter().enumerate() {
        let expected = AUTO.map(|auto| {
            auto != AUTO[lacking]
                || match follows {
                    Follows::All => false,
                    Follows::AllButUnpin => auto == "Unpin",
                    Follows::None => true,
                }
        });
        assert_eq!(
            found, expected,
            "`{name}` where X lacks `{}`: has {AUTO:?}",
            AUTO[lacking]
        );
    }
}

#[test]
fn each_marker_lacks_one_trait() {
    follows!(X, All);
}

#[test]
fn the_enum_follows_both_sides() {
    follows!(MaybeReady<X, Full>, All);
    follows!(MaybeReady<Full, X>, All);
    follows!(AlwaysReady<X>, All);
    follows!(Never<X>, Follows::None);
}

#[test]
fn the_futures_follow_their_futures_and_are_unpin_whatever_else_they_hold() {
    follows!(MaybeReadyFuture<X, Full>, AllButUnpin);
    follows!(MaybeReadyFuture<Full, X>, All);

    follows!(Map<X, Full>, All);
    follows!(Map<Full, X>, AllButUnpin);
    follows!(Inspect<X, Full>, All);
    follows!(Inspect<Full, X>, AllButUnpin);
    follows!(MapOk<X, Full>, All);
    follows!(MapOk<Full, X>, AllButUnpin);
    follows!(MapErr<X, Full>, All);
    follows!(MapErr<Full, X>, AllButUnpin);
    follows!(InspectOk<X, Full>, All);
    follows!(InspectOk<Full, X>, AllButUnpin);
    follows!(InspectErr<X, Full>, All);
    follows!(InspectErr<Full, X>, AllButUnpin);
    follows!(ErrInto<X, Full>, All);
    follows!(ErrInto<Full, X>, Follows::None);

    follows!(Then<X, Full, Full>, All);
    follows!(Then<Full, X, Full>, AllButUnpin);
    follows!(Then<Full, Full, X>, All);
    follows!(AndThen<X, Full, Full>, All);
    follows!(AndThen<Full, X, Full>, AllButUnpin);
    follows!(AndThen<Full, Full, X>, All);
    follows!(OrElse<X, Full, Full>, All);
    follows!(OrElse<Full, X, Full>, AllButUnpin);
    follows!(OrElse<Full, Full, X>, All);

    follows!(Zip<X, Full, Full, Full>, AllButUnpin);
    follows!(Zip<Full, X, Full, Full>, All);
    follows!(Zip<Full, Full, X, Full>, AllButUnpin);
    follows!(Zip<Full, Full, Full, X>, All);
    follows!(TryZip<X, Full, Full, Full>, AllButUnpin);
    follows!(TryZip<Full, X, Full, Full>, All);
    follows!(TryZip<Full, Full, X, Full>, AllButUnpin);
    follows!(TryZip<Full, Full, Full, X>, All);

    follows!(Defer<X, Full>, AllButUnpin);
    follows!(Defer<Full, X>, All);
}

/// A future, whatever `X` is, that follows it.
struct Async<X>(PhantomData<X>);

impl<X> Future for Async<X> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }
}

#[test]
fn the_loops_follow_what_they_hold_and_are_pinned_for_their_steps() {
    follows!(Fold<X, Full, Async<Full>>, AllButUnpin);
    follows!(Fold<Full, X, Async<Full>>, AllButUnpin);
    follows!(Fold<Full, Full, Async<X>>, All);
    follows!(TryFold<X, Full, Async<Full>>, AllButUnpin);
    follows!(TryFold<Full, X, Async<Full>>, AllButUnpin);
    follows!(TryFold<Full, Full, Async<X>>, All);
}

#[cfg(feature = "std")]
#[test]
fn the_joins_follow_what_they_hold_and_are_unpin() {
    use maybe_ready::{JoinAll, TryJoinAll};

    follows!(JoinAll<X, Full>, AllButUnpin);
    follows!(JoinAll<Full, X>, AllButUnpin);
    follows!(TryJoinAll<X, Full>, AllButUnpin);
    follows!(TryJoinAll<Full, X>, AllButUnpin);
}

#[cfg(feature = "alloc")]
#[test]
fn a_boxed_value_is_unpin_and_send_unless_local() {
    use maybe_ready::{BoxMaybeReady, LocalBoxMaybeReady};

    assert_eq!(
        auto!(BoxMaybeReady<'static, Full>),
        [true, false, true, false, false],
        "`BoxMaybeReady`: has {AUTO:?}"
    );
    assert_eq!(
        auto!(BoxMaybeReady<'static, NotSend>),
        [false, false, true, false, false],
        "`BoxMaybeReady` of what lacks `Send`: has {AUTO:?}"
    );
    assert_eq!(
        auto!(LocalBoxMaybeReady<'static, Full>),
        [false, false, true, false, false],
        "`LocalBoxMaybeReady`: has {AUTO:?}"
    );
}

/// The answers for one type, in the order of `DERIVED`.
macro_rules! derived {
    ($type:ty) => {
        [
            Has::<$type>::CLONE,
            Has::<$type>::COPY,
            Has::<$type>::PARTIAL_EQ,
            Has::<$type>::EQ,
            Has::<$type>::HASH,
            Has::<$type>::DEBUG,
        ]
    };
}

const DERIVED: [&str; 6] = ["Clone", "Copy", "PartialEq", "Eq", "Hash", "Debug"];

#[test]
fn the_enum_is_cloned_and_compared_if_both_sides_are_and_shown_if_its_value_is() {
    struct Bare;

    let only_debug = [false, false, false, false, false, true];
    for (name, found, expected) in [
        (
            "MaybeReady<Full, Full>",
            derived!(MaybeReady<Full, Full>),
            [true; 6],
        ),
        (
            "MaybeReady<Bare, Full>",
            derived!(MaybeReady<Bare, Full>),
            [false; 6],
        ),
        (
            "MaybeReady<Full, Bare>",
            derived!(MaybeReady<Full, Bare>),
            only_debug,
        ),
        (
            "MaybeReady<Full, String>",
            derived!(MaybeReady<Full, String>),
            [true, false, true, true, true, true],
        ),
        (
            "MaybeReady<f32, Full>",
            derived!(MaybeReady<f32, Full>),
            [true, true, true, false, false, true],
        ),
        ("AlwaysReady<Full>", derived!(AlwaysReady<Full>), [true; 6]),
    ] {
        assert_eq!(found, expected, "`{name}`: has {DERIVED:?}");
    }
}

#[test]
fn futures_are_shown_whatever_they_hold_and_never_cloned() {
    struct Bare;

    let only_debug = [false, false, false, false, false, true];
    for (name, found) in [
        ("MaybeReadyFuture", derived!(MaybeReadyFuture<Bare, Bare>)),
        ("Map", derived!(Map<Bare, Bare>)),
        ("Inspect", derived!(Inspect<Bare, Bare>)),
        ("MapOk", derived!(MapOk<Bare, Bare>)),
        ("MapErr", derived!(MapErr<Bare, Bare>)),
        ("InspectOk", derived!(InspectOk<Bare, Bare>)),
        ("InspectErr", derived!(InspectErr<Bare, Bare>)),
        ("ErrInto", derived!(ErrInto<Bare, Bare>)),
        ("Then", derived!(Then<Bare, Bare, Bare>)),
        ("AndThen", derived!(AndThen<Bare, Bare, Bare>)),
        ("OrElse", derived!(OrElse<Bare, Bare, Bare>)),
        ("Zip", derived!(Zip<Bare, Bare, Bare, Bare>)),
        ("TryZip", derived!(TryZip<Bare, Bare, Bare, Bare>)),
        ("Defer", derived!(Defer<Bare, Bare>)),
        ("Never", derived!(Never<Bare>)),
        ("Fold", derived!(Fold<Bare, Bare, Async<Bare>>)),
        ("TryFold", derived!(TryFold<Bare, Bare, Async<Bare>>)),
        #[cfg(feature = "std")]
        ("JoinAll", derived!(maybe_ready::JoinAll<Bare, Bare>)),
        #[cfg(feature = "std")]
        ("TryJoinAll", derived!(maybe_ready::TryJoinAll<Bare, Bare>)),
    ] {
        assert_eq!(found, only_debug, "`{name}` of bare types: has {DERIVED:?}");
    }
    assert_eq!(
        derived!(MaybeReadyFuture<Full, Full>),
        only_debug,
        "`MaybeReadyFuture` of types that have all: has {DERIVED:?}"
    );
}
