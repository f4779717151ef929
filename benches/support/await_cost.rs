//! A million calls of a function that has its answer at once.

use std::cell::Cell;
use std::collections::HashMap;
use std::future::{Pending, pending, ready};
use std::hint::black_box;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use maybe_ready::MaybeReady;

use crate::calls::{Calls, Case, Run};

const CALLS: u32 = 1_000_000;

pub const DIRECT: &str = "direct call";
pub const MATCHED: &str = "MaybeReady matched";
pub const AWAITED: &str = "MaybeReady awaited";
pub const ASYNC_FN: &str = "async fn awaited";

#[must_use]
pub fn question() -> Calls {
    Calls {
        name: "a call that has its answer",
        calls: CALLS,
        cases: vec![
            case::<Empty>("empty body"),
            case::<Counter>("counter"),
            case::<Cache>("cached read"),
        ],
    }
}

fn case<B: Body>(name: &'static str) -> Case {
    let ways: [(_, fn() -> u64); 11] = [
        (DIRECT, direct::<B>),
        (MATCHED, matched::<B>),
        (AWAITED, awaited::<B>),
        ("MaybeReady joined", joined::<B>),
        ("value awaited", value_awaited::<B>),
        ("async fn not awaited", async_fn_not_awaited::<B>),
        (ASYNC_FN, async_fn_awaited::<B>),
        ("async fn joined", async_fn_joined::<B>),
        ("boxed future awaited", boxed_awaited::<B>),
        ("now_or_never per call", now_or_never::<B>),
        ("block_on per call", block_on::<B>),
    ];
    let ways = ways.map(|(name, run)| Run {
        name,
        run,
        answer: match name {
            // An `async fn` runs nothing before it is polled.
            "async fn not awaited" => 0,
            _ => B::ANSWER,
        },
    });
    Case {
        name,
        ways: ways.into(),
    }
}

/// What is called. All of its calls are hits, but not all of them let the compiler know.
trait Body: Default {
    /// What all calls add up to.
    const ANSWER: u64;

    fn look(&self) -> Option<u64>;

    fn direct(&self) -> u64 {
        self.look().expect("a hit")
    }

    fn maybe(&self) -> MaybeReady<u64, Pending<u64>> {
        match self.look() {
            Some(value) => MaybeReady::Ready(value),
            None => MaybeReady::Pending(pending()),
        }
    }

    async fn asynchronous(&self) -> u64 {
        match self.look() {
            Some(value) => value,
            None => pending().await,
        }
    }

    fn boxed(&self) -> LocalBoxFuture<'_, u64> {
        // Otherwise the compiler might see through the box.
        black_box(Box::pin(self.asynchronous()))
    }
}

/// Returns, and that is all.
#[derive(Default)]
struct Empty;

impl Body for Empty {
    const ANSWER: u64 = CALLS as u64;

    fn look(&self) -> Option<u64> {
        Some(1)
    }
}

/// Returns how often it was called.
#[derive(Default)]
struct Counter(Cell<u64>);

impl Body for Counter {
    const ANSWER: u64 = CALLS as u64 * (CALLS as u64 + 1) / 2;

    fn look(&self) -> Option<u64> {
        self.0.set(self.0.get() + 1);
        Some(self.0.get())
    }
}

/// Reads one key.
struct Cache(HashMap<u64, u64>);

impl Default for Cache {
    fn default() -> Self {
        Self((0..100).map(|key| (key, 2 * key)).collect())
    }
}

impl Body for Cache {
    const ANSWER: u64 = 14 * CALLS as u64;

    fn look(&self) -> Option<u64> {
        self.0.get(&black_box(7)).copied()
    }
}

/// Adds up what the calls give, each of which has to be made.
fn repeat<B: Body>(call: impl Fn(&B) -> u64) -> u64 {
    let body = B::default();
    let body = black_box(&body);
    (0..CALLS).map(|_| black_box(call(body))).sum()
}

/// The same in one task.
fn repeat_async<F: IntoFuture<Output = u64>>(call: impl Fn() -> F) -> u64 {
    pollster::block_on(async {
        let mut sum = 0;
        for _ in 0..CALLS {
            sum += black_box(call().await);
        }
        sum
    })
}

fn direct<B: Body>() -> u64 {
    repeat(B::direct)
}

fn matched<B: Body>() -> u64 {
    repeat(|body: &B| match body.maybe() {
        MaybeReady::Ready(value) => value,
        MaybeReady::Pending(future) => pollster::block_on(future),
    })
}

fn awaited<B: Body>() -> u64 {
    let body = &black_box(B::default());
    repeat_async(|| body.maybe())
}

fn joined<B: Body>() -> u64 {
    let body = &black_box(B::default());
    let calls = (0..CALLS).map(|_| body.maybe());
    let values = maybe_ready::join_all(calls).unwrap_or_else(pollster::block_on);
    values.into_iter().sum()
}

fn value_awaited<B: Body>() -> u64 {
    let body = &black_box(B::default());
    repeat_async(|| ready(body.direct()))
}

fn async_fn_not_awaited<B: Body>() -> u64 {
    repeat(|body: &B| {
        drop(black_box(body.asynchronous()));
        0
    })
}

fn async_fn_awaited<B: Body>() -> u64 {
    let body = &black_box(B::default());
    repeat_async(|| body.asynchronous())
}

fn async_fn_joined<B: Body>() -> u64 {
    let body = &black_box(B::default());
    let calls = (0..CALLS).map(|_| body.asynchronous());
    let values = pollster::block_on(futures::future::join_all(calls));
    values.into_iter().sum()
}

fn boxed_awaited<B: Body>() -> u64 {
    let body = &black_box(B::default());
    repeat_async(|| body.boxed())
}

fn now_or_never<B: Body>() -> u64 {
    repeat(|body: &B| body.asynchronous().now_or_never().expect("a hit"))
}

fn block_on<B: Body>() -> u64 {
    repeat(|body: &B| pollster::block_on(body.asynchronous()))
}
