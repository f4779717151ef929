//! Only what can never be pending gives its value for certain.

use std::future::Ready;

use maybe_ready::MaybeReady;

fn into_ready(maybe: MaybeReady<i32, Ready<i32>>) -> i32 {
    maybe.into_ready()
}

fn irrefutable(maybe: MaybeReady<i32, Ready<i32>>) -> i32 {
    let MaybeReady::Ready(n) = maybe;
    n
}

fn main() {}
