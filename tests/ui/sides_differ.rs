//! The two sides may differ, but not where a value is to come of either.

use std::future::Ready;

use maybe_ready::MaybeReady;

fn map(maybe: MaybeReady<i32, Ready<&'static str>>) {
    let _ = maybe.map(|n| n + 1);
}

async fn wait(maybe: MaybeReady<i32, Ready<&'static str>>) {
    maybe.await;
}

fn main() {}
