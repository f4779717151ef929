//! There is no third state for what was taken, so nothing is taken twice.

use std::future::Ready;

use maybe_ready::MaybeReady;

fn await_twice(miss: MaybeReady<i32, Ready<i32>>) -> (impl Future, impl Future) {
    (async { miss.await }, async { miss.await })
}

fn use_after_map(hit: MaybeReady<i32, Ready<i32>>) -> bool {
    let _mapped = hit.map(|n| n + 1);
    hit.is_ready()
}

fn main() {}
