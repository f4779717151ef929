//! Nothing is allocated, but by the methods that box, once, what is pending.

use std::future::{Future, poll_fn};
use std::hint::black_box;
use std::pin::pin;

use allocation_counter::measure;
use maybe_ready::{IntoMaybeReady, MaybeReady};

use crate::support::{Yield, poll_once};

type Number = Result<u32, u32>;
type Subject = MaybeReady<Number, Yield<Number>>;

fn allocations(f: impl FnOnce()) -> u64 {
    measure(f).count_total
}

/// Awaits, and does not itself allocate.
fn finish(maybe: impl IntoFuture) {
    let mut future = pin!(maybe.into_future());
    let ready = (0..3).any(|_| poll_once(future.as_mut()).is_ready());
    assert!(ready, "should be ready after 3 polls");
}

#[test]
fn allocations_are_counted() {
    assert_eq!(allocations(|| drop(black_box(Box::new(1)))), 1);
}

#[test]
fn no_method_allocates_but_the_boxing_ones_when_pending() {
    check("map_ready", 0, |m| m.map_ready(|n| n));
    check("map_pending", 0, |m| m.map_pending(|future| future));
    check("map", 0, |m| m.map(|n| n));
    check("inspect", 0, |m| m.inspect(|_| ()));
    check("then", 0, |m| m.then(Subject::Ready));
    check("zip", 0, |m| m.zip(Subject::Ready(Ok(2))));
    check("map_ok", 0, |m| m.map_ok(|n| n));
    check("map_err", 0, |m| m.map_err(|n| n));
    check("err_into", 0, MaybeReady::err_into::<u64>);
    check("inspect_ok", 0, |m| m.inspect_ok(|_| ()));
    check("inspect_err", 0, |m| m.inspect_err(|_| ()));
    check("and_then", 0, |m| m.and_then(|n| Subject::Ready(Ok(n))));
    check("or_else", 0, |m| m.or_else(|n| Subject::Ready(Ok(n))));
    check("try_zip", 0, |m| m.try_zip(Subject::Ready(Ok(2))));
    check("try_from_fn", 0, |m| MaybeReady::try_from_fn(|| Ok(m)));
    check("into_maybe_ready", 0, IntoMaybeReady::into_maybe_ready);
    #[cfg(feature = "alloc")]
    check("boxed", 1, MaybeReady::boxed);
    #[cfg(feature = "alloc")]
    check("boxed_local", 1, MaybeReady::boxed_local);
}

/// Calls a method on either arm, and awaits what it returns.
fn check<T, F: Future<Output = T>>(
    method: &str,
    when_pending: u64,
    apply: impl Fn(Subject) -> MaybeReady<T, F>,
) {
    for input in [Ok(1), Err(1)] {
        let mut ready = false;
        let count = allocations(|| ready = apply(MaybeReady::Ready(input)).is_ready());
        assert!(
            ready,
            "`{method}` of {input:?}, ready: should have stayed ready"
        );
        assert_eq!(count, 0, "`{method}` of {input:?}, ready: allocations");

        for (arm, expected) in [("ready", 0), ("pending", when_pending)] {
            let count = allocations(|| {
                finish(apply(match arm {
                    "ready" => MaybeReady::Ready(input),
                    _ => MaybeReady::Pending(Yield::new(1, input)),
                }));
            });
            assert_eq!(
                count, expected,
                "`{method}` of {input:?}, {arm}, awaited: allocations"
            );
        }
    }
}

#[test]
fn defer_and_poll_ready_allocate_nothing() {
    let count = allocations(|| {
        finish(Subject::Ready(Ok(1)).defer());
    });
    assert_eq!(count, 0, "`defer`: allocations");

    let count = allocations(|| {
        let mut maybe = Subject::Pending(Yield::new(1, Ok(1)));
        finish(poll_fn(|cx| maybe.poll_ready(cx).map(|_| ())));
    });
    assert_eq!(count, 0, "`poll_ready`: allocations");
}

/// Behind `dyn`: an answer that is there, and one that is not, which borrow from their giver.
#[cfg(feature = "alloc")]
#[test]
fn a_trait_object_allocates_only_for_what_is_pending() {
    use maybe_ready::BoxMaybeReady;

    trait Give {
        fn give(&self) -> BoxMaybeReady<'_, &str>;
    }

    struct Now(&'static str);
    struct Later(&'static str);

    impl Give for Now {
        fn give(&self) -> BoxMaybeReady<'_, &str> {
            MaybeReady::Ready(self.0)
        }
    }

    impl Give for Later {
        fn give(&self) -> BoxMaybeReady<'_, &str> {
            MaybeReady::Pending(async { Yield::new(1, self.0).await }).boxed()
        }
    }

    let givers: [(&str, &dyn Give, u64); 2] =
        [("ready", &Now("text"), 0), ("pending", &Later("text"), 1)];
    for (arm, giver, expected) in givers {
        let mut length = 0;
        let count = allocations(|| {
            finish(giver.give().map(str::len).inspect(|n| length = *n));
        });
        assert_eq!(length, 4, "{arm}: the value");
        assert_eq!(count, expected, "{arm}: allocations");
    }
}
