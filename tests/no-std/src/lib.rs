//! Builds only as long as nothing in it links std: there is one panic handler to a program, and
//! this crate has its own.

#![no_std]

use core::future::{Future, Ready, ready};
use core::panic::PanicInfo;
use core::pin::pin;
use core::task::{Context, Poll};

use maybe_ready::{AlwaysReady, MaybeReady};

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// Combinators over a value.
pub fn hit(value: u32) -> u32 {
    let hit: AlwaysReady<u32> = MaybeReady::Ready(value);
    hit.map(|n| n + 1).then(ready_twice).unwrap_ready()
}

fn ready_twice(value: u32) -> AlwaysReady<u32> {
    MaybeReady::Ready(2 * value)
}

/// Combinators over futures, and one poll.
pub fn miss(cx: &mut Context<'_>) -> Poll<Result<(u32, u32), u8>> {
    let left: MaybeReady<Result<u32, u8>, Ready<Result<u32, u8>>> = MaybeReady::Ready(Ok(1));
    let right = MaybeReady::Pending(ready(Ok(2))).and_then(|n: u32| ready(Ok(n + 1)));
    pin!(left.try_zip(right).defer().into_future()).poll(cx)
}

/// Boxes, which need an allocator.
#[cfg(feature = "alloc")]
pub mod boxes {
    use core::future::ready;

    use maybe_ready::{BoxMaybeReady, MaybeReady};

    #[global_allocator]
    static HEAP: emballoc::Allocator<4096> = emballoc::Allocator::new();

    pub fn boxed() -> BoxMaybeReady<'static, u32> {
        MaybeReady::Pending(ready(1)).boxed()
    }
}

/// There and back again.
#[cfg(feature = "either")]
pub fn convert(either: either::Either<u32, Ready<u32>>) -> either::Either<u32, Ready<u32>> {
    MaybeReady::from(either).map_ready(|n| n + 1).into()
}
