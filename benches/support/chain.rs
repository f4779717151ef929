//! Chains of closures on one value.

use std::hint::black_box;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use futures::FutureExt;
use maybe_ready::MaybeReady;

use crate::calls::{Calls, Case, Run};

const CALLS: u32 = 1_000;
pub const LENGTHS: [&str; 3] = ["1 step", "4 steps", "16 steps"];

pub const OURS: &str = "map of MaybeReady";
pub const OPTION: &str = "map of Option";

/// What makes the calls with a chain of each length.
type Way = (&'static str, [fn() -> u64; 3]);

/// What does a chain cost if all is ready?
#[must_use]
pub fn ready() -> Calls {
    let ways: [Way; 4] = [
        (
            OPTION,
            [
                || options(|option| option.map(step)),
                || options(option_4),
                || options(option_16),
            ],
        ),
        (
            OURS,
            [
                || matched(|maybe| maybe.map(step)),
                || matched(maybe_4),
                || matched(maybe_16),
            ],
        ),
        (
            "map of futures-util",
            [
                || polled(|| read().into_future().map(step)),
                || polled(|| futures_4(read().into_future())),
                || polled(|| futures_16(read().into_future())),
            ],
        ),
        (
            "async blocks",
            [
                || polled(|| block(read().into_future())),
                || polled(|| block_4(read().into_future())),
                || polled(|| block_16(read().into_future())),
            ],
        ),
    ];
    question("a chain, ready", &ways)
}

/// What does a chain cost that has to wait once?
#[must_use]
pub fn pending() -> Calls {
    let ways: [Way; 3] = [
        (
            OURS,
            [
                || polled(|| pending_maybe().map(step)),
                || polled(|| maybe_4(pending_maybe())),
                || polled(|| maybe_16(pending_maybe())),
            ],
        ),
        (
            "map of futures-util",
            [
                || polled(|| Leaf::new().map(step)),
                || polled(|| futures_4(Leaf::new())),
                || polled(|| futures_16(Leaf::new())),
            ],
        ),
        (
            "async blocks",
            [
                || polled(|| block(Leaf::new())),
                || polled(|| block_4(Leaf::new())),
                || polled(|| block_16(Leaf::new())),
            ],
        ),
    ];
    question("a chain, pending", &ways)
}

/// How many bytes the future of each chain takes, over one of 16 bytes.
#[must_use]
pub fn sizes() -> [(&'static str, [usize; 3]); 3] {
    [
        (
            OURS,
            [
                size_of_val(&pending_maybe().map(step)),
                size_of_val(&maybe_4(pending_maybe())),
                size_of_val(&maybe_16(pending_maybe())),
            ],
        ),
        (
            "map of futures-util",
            [
                size_of_val(&Leaf::new().map(step)),
                size_of_val(&futures_4(Leaf::new())),
                size_of_val(&futures_16(Leaf::new())),
            ],
        ),
        (
            "async blocks",
            [
                size_of_val(&block(Leaf::new())),
                size_of_val(&block_4(Leaf::new())),
                size_of_val(&block_16(Leaf::new())),
            ],
        ),
    ]
}

fn question(name: &'static str, ways: &[Way]) -> Calls {
    let cases = [1, 4, 16].into_iter().enumerate().map(|(index, length)| {
        let answer = (0..length).fold(SEED, |value, _| step(value));
        let ways = ways.iter().map(|&(name, runs)| Run {
            name,
            run: runs[index],
            answer: answer.wrapping_mul(CALLS.into()),
        });
        Case {
            name: LENGTHS[index],
            ways: ways.collect(),
        }
    });
    Calls {
        name,
        calls: CALLS,
        cases: cases.collect(),
    }
}

const SEED: u64 = 7;

/// A step that cannot be merged with the next one.
fn step(value: u64) -> u64 {
    (value ^ (value >> 7)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Is there a value? The compiler cannot tell.
fn look() -> Option<u64> {
    black_box(Some(SEED))
}

fn read() -> MaybeReady<u64, Leaf> {
    match look() {
        Some(value) => MaybeReady::Ready(value),
        None => pending_maybe(),
    }
}

fn pending_maybe() -> MaybeReady<u64, Leaf> {
    MaybeReady::Pending(Leaf::new())
}

/// Ready on its second poll.
struct Leaf {
    value: u64,
    polled: bool,
}

impl Leaf {
    fn new() -> Self {
        Self {
            value: black_box(SEED),
            polled: false,
        }
    }
}

impl Future for Leaf {
    type Output = u64;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u64> {
        if self.polled {
            return Poll::Ready(self.value);
        }
        self.polled = true;
        Poll::Pending
    }
}

fn option_4(option: Option<u64>) -> Option<u64> {
    option.map(step).map(step).map(step).map(step)
}

fn option_16(option: Option<u64>) -> Option<u64> {
    option_4(option_4(option_4(option_4(option))))
}

fn maybe_4<F: Future<Output = u64>>(
    maybe: MaybeReady<u64, F>,
) -> MaybeReady<u64, impl Future<Output = u64>> {
    maybe.map(step).map(step).map(step).map(step)
}

fn maybe_16<F: Future<Output = u64>>(
    maybe: MaybeReady<u64, F>,
) -> MaybeReady<u64, impl Future<Output = u64>> {
    maybe_4(maybe_4(maybe_4(maybe_4(maybe))))
}

fn futures_4(future: impl Future<Output = u64>) -> impl Future<Output = u64> {
    future.map(step).map(step).map(step).map(step)
}

fn futures_16(future: impl Future<Output = u64>) -> impl Future<Output = u64> {
    futures_4(futures_4(futures_4(futures_4(future))))
}

#[expect(
    clippy::manual_async_fn,
    reason = "it is the block that is asked about"
)]
fn block(future: impl Future<Output = u64>) -> impl Future<Output = u64> {
    async { step(future.await) }
}

fn block_4(future: impl Future<Output = u64>) -> impl Future<Output = u64> {
    block(block(block(block(future))))
}

fn block_16(future: impl Future<Output = u64>) -> impl Future<Output = u64> {
    block_4(block_4(block_4(block_4(future))))
}

/// Adds up so many values.
fn repeat(mut value: impl FnMut() -> u64) -> u64 {
    (0..CALLS).fold(0, |sum, _| sum.wrapping_add(black_box(value())))
}

fn options(chain: impl Fn(Option<u64>) -> Option<u64>) -> u64 {
    repeat(|| chain(look()).expect("a value"))
}

fn matched<F>(chain: impl Fn(MaybeReady<u64, Leaf>) -> MaybeReady<u64, F>) -> u64 {
    repeat(|| chain(read()).expect_ready("a value"))
}

/// Polls until there is a value, twice at most.
fn polled<F: IntoFuture<Output = u64>>(chain: impl Fn() -> F) -> u64 {
    let mut cx = Context::from_waker(Waker::noop());
    repeat(|| {
        let mut future = pin!(chain().into_future());
        loop {
            if let Poll::Ready(value) = future.as_mut().poll(&mut cx) {
                return value;
            }
        }
    })
}
