//! What everything weighs, in bytes.

use std::future::{Future, ready};
use std::pin::Pin;
use std::task::{Context, Poll};

use maybe_ready::{AlwaysReady, MaybeReady, MaybeReadyFuture, Never};

const WORD: usize = size_of::<usize>();
const KIB: usize = 1024;

/// A future of 1 KiB that offers no niche to hide a state in.
struct Kib([usize; KIB / WORD]);

impl Kib {
    fn pending() -> MaybeReady<Result<usize, usize>, Self> {
        MaybeReady::Pending(Self([0; KIB / WORD]))
    }
}

impl Future for Kib {
    type Output = Result<usize, usize>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(Ok(self.0[0]))
    }
}

/// The size of the future.
const fn weight<T, F>(_: &MaybeReady<T, F>) -> usize {
    size_of::<F>()
}

#[track_caller]
fn assert_at_most(what: &str, size: usize, limit: usize) {
    assert!(
        size <= limit,
        "{what}: {size} bytes, where {limit} should do"
    );
}

#[test]
fn what_is_always_ready_weighs_what_its_value_does() {
    fn check<T>(name: &str) {
        assert_eq!(
            size_of::<AlwaysReady<T>>(),
            size_of::<T>(),
            "`AlwaysReady<{name}>`"
        );
        assert_at_most(
            &format!("the future of `AlwaysReady<{name}>`"),
            size_of::<MaybeReadyFuture<T, Never<T>>>(),
            size_of::<T>() + align_of::<T>(),
        );
    }

    check::<()>("()");
    check::<u8>("u8");
    check::<u64>("u64");
    check::<Option<u16>>("Option<u16>");
    check::<String>("String");
    check::<[u64; 100]>("[u64; 100]");
    check::<Result<String, Box<str>>>("Result<String, Box<str>>");
}

#[test]
fn the_enum_and_its_future_weigh_a_word_more_than_the_larger_side() {
    fn check<T, F>(name: &str) {
        let limit = size_of::<T>().max(size_of::<F>()) + WORD;
        assert_at_most(
            &format!("`MaybeReady<{name}>`"),
            size_of::<MaybeReady<T, F>>(),
            limit,
        );
        assert_at_most(
            &format!("`MaybeReadyFuture<{name}>`"),
            size_of::<MaybeReadyFuture<T, F>>(),
            limit,
        );
    }

    check::<(), Kib>("(), Kib");
    check::<u8, Kib>("u8, Kib");
    check::<[Kib; 2], Kib>("[Kib; 2], Kib");
    check::<String, ()>("String, ()");
    check::<usize, usize>("usize, usize");
    check::<(), Pin<Box<dyn Future<Output = ()>>>>("(), a boxed future");
    check::<String, Pin<Box<dyn Future<Output = String>>>>("String, a boxed future");
}

#[test]
fn maps_add_a_word_in_all() {
    let m0 = Kib::pending();
    assert_eq!(weight(&m0), KIB, "no `map` over 1 KiB");
    let m1 = m0.map(|n| n);
    assert_at_most("1 `map` over 1 KiB", weight(&m1), KIB + WORD);
    let m5 = m1.map(|n| n).map(|n| n).map(|n| n).map(|n| n);
    assert_at_most("5 `map`s over 1 KiB", weight(&m5), KIB + WORD);
    let m10 = m5.map(|n| n).map(|n| n).map(|n| n).map(|n| n).map(|n| n);
    assert_at_most("10 `map`s over 1 KiB", weight(&m10), KIB + WORD);

    let mixed = Kib::pending()
        .inspect(|_| ())
        .map_ok(|n| n)
        .map_err(|n| n)
        .inspect_ok(|_| ())
        .inspect_err(|_| ())
        .err_into::<usize>();
    assert_at_most("a mix of 6 over 1 KiB", weight(&mixed), KIB + WORD);

    let (a, b, c) = (1, 2, 3);
    let captures = Kib::pending()
        .map_ok(move |n| n + a)
        .map_ok(move |n| n + b)
        .map_ok(move |n| n + c);
    let limit = KIB + 3 * size_of_val(&a) + 3 * WORD;
    assert_at_most("3 that capture a number each", weight(&captures), limit);
}

#[test]
fn chains_weigh_what_their_largest_stage_does_and_a_word_for_each_step() {
    let small = Kib::pending()
        .and_then(|n| ready(Ok(n)))
        .and_then(|n| ready(Ok(n)))
        .and_then(|n| ready(Ok(n)));
    assert_at_most("3 small stages after 1 KiB", weight(&small), KIB + WORD);

    let second = Kib::pending().and_then(|_| Kib::pending());
    assert_at_most("1 KiB after 1 KiB", weight(&second), KIB + 2 * WORD);
    let fourth = second
        .and_then(|_| Kib::pending())
        .and_then(|_| Kib::pending());
    assert_at_most("3 x 1 KiB after 1 KiB", weight(&fourth), KIB + 4 * WORD);

    let nested = Kib::pending()
        .and_then(|_| Kib::pending().and_then(|_| Kib::pending().and_then(|_| Kib::pending())));
    assert_at_most("3 x 1 KiB, nested", weight(&nested), KIB + 4 * WORD);

    let then = Kib::pending().then(|_| Kib::pending());
    assert_at_most("`then` of 1 KiB after 1 KiB", weight(&then), KIB + 2 * WORD);
    let or_else = Kib::pending().or_else(|_| Kib::pending());
    assert_at_most(
        "`or_else` of 1 KiB after 1 KiB",
        weight(&or_else),
        KIB + 2 * WORD,
    );
}

#[test]
fn a_pair_weighs_what_its_sides_do() {
    let zip = Kib::pending().zip(Kib::pending());
    assert_at_most("`zip` of 2 x 1 KiB", weight(&zip), 2 * (KIB + WORD));
    let try_zip = Kib::pending().try_zip(Kib::pending());
    assert_at_most("`try_zip` of 2 x 1 KiB", weight(&try_zip), 2 * (KIB + WORD));
}

#[test]
fn a_deferred_value_weighs_two_words_more() {
    let deferred = Kib::pending().defer();
    assert_at_most("`defer` of 1 KiB", weight(&deferred), KIB + 2 * WORD);
}
