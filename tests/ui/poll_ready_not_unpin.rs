//! What is polled in place may be moved between polls.

use std::task::{Context, Waker};

use maybe_ready::MaybeReady;

fn main() {
    let mut miss = MaybeReady::Pending(async { 1 });
    let _ = miss.poll_ready(&mut Context::from_waker(Waker::noop()));
}
