//! Pending, it would do nothing.

#![deny(unused_must_use)]

use std::future::Ready;

use maybe_ready::MaybeReady;

fn main() {
    let hit = || MaybeReady::<i32, Ready<i32>>::Ready(1);
    hit();
    hit().map(|n| n + 1);
    hit().is_ready();
    hit().is_pending();
}
