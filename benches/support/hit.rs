//! Reads of a store behind `dyn`, all of them hits.

use std::future::{Pending, Ready, pending, ready};
use std::hint::black_box;
use std::sync::LazyLock;

use async_trait::async_trait;
use futures::future::{BoxFuture, Either};
use maybe_ready::{BoxMaybeReady, MaybeReady};
use tokio::runtime::{Builder, Runtime};

use crate::calls::{Calls, Case, Run};

const CALLS: u32 = 10_000;

pub const MATCHED: &str = "dyn, MaybeReady matched";
pub const AWAITED: &str = "dyn, MaybeReady awaited";
pub const ASYNC_TRAIT: &str = "dyn, async-trait";

/// One with each executor.
#[must_use]
pub fn questions() -> [Calls; 2] {
    [
        question::<Pollster>("a hit, under pollster"),
        question::<Tokio>("a hit, in a task of tokio"),
    ]
}

fn question<E: Executor>(name: &'static str) -> Calls {
    Calls {
        name,
        calls: CALLS,
        cases: vec![
            case::<E, [u64; 1]>("8 bytes"),
            case::<E, [u64; 8]>("64 bytes"),
            case::<E, [u64; 128]>("1024 bytes"),
            case::<E, Result<u64, [u64; 128]>>("8 bytes, or an error of 1024"),
        ],
    }
}

fn case<E: Executor, V: Value>(name: &'static str) -> Case {
    let ways: [(_, fn() -> u64); 7] = [
        ("dyn, direct call", direct::<E, V>),
        (MATCHED, matched::<E, V>),
        (AWAITED, awaited::<E, V>),
        (ASYNC_TRAIT, async_trait::<E, V>),
        ("dyn, BoxFuture", boxed::<E, V>),
        ("static, MaybeReady awaited", static_awaited::<E, V>),
        ("static, Either of Ready awaited", either::<E, V>),
    ];
    let answer = u64::from(CALLS) * SEED;
    let ways = ways.map(|(name, run)| Run { name, run, answer });
    Case {
        name,
        ways: ways.into(),
    }
}

const SEED: u64 = 7;

/// What is stored.
trait Value: Copy + Send + Sync + 'static {
    fn new() -> Self;

    fn number(&self) -> u64;
}

impl<const WORDS: usize> Value for [u64; WORDS] {
    fn new() -> Self {
        [SEED; WORDS]
    }

    fn number(&self) -> u64 {
        self[0]
    }
}

impl Value for Result<u64, [u64; 128]> {
    fn new() -> Self {
        Ok(SEED)
    }

    fn number(&self) -> u64 {
        self.unwrap_or_default()
    }
}

trait Store<V>: Send + Sync {
    fn direct(&self) -> V;
    fn maybe(&self) -> BoxMaybeReady<'_, V>;
    fn boxed(&self) -> BoxFuture<'_, V>;
}

#[async_trait]
trait AsyncStore<V>: Send + Sync {
    async fn read(&self) -> V;
}

struct Cache<V>(Option<V>);

impl<V: Value> Cache<V> {
    fn new() -> Self {
        Self(Some(V::new()))
    }

    fn maybe(&self) -> MaybeReady<V, Pending<V>> {
        match self.0 {
            Some(value) => MaybeReady::Ready(value),
            None => MaybeReady::Pending(pending()),
        }
    }

    fn either(&self) -> Either<Ready<V>, Pending<V>> {
        match self.0 {
            Some(value) => Either::Left(ready(value)),
            None => Either::Right(pending()),
        }
    }

    async fn asynchronous(&self) -> V {
        match self.0 {
            Some(value) => value,
            None => pending().await,
        }
    }
}

impl<V: Value> Store<V> for Cache<V> {
    fn direct(&self) -> V {
        self.0.expect("a hit")
    }

    fn maybe(&self) -> BoxMaybeReady<'_, V> {
        self.maybe().boxed()
    }

    fn boxed(&self) -> BoxFuture<'_, V> {
        Box::pin(self.asynchronous())
    }
}

#[async_trait]
impl<V: Value> AsyncStore<V> for Cache<V> {
    async fn read(&self) -> V {
        self.asynchronous().await
    }
}

/// What runs a task.
trait Executor {
    fn run(task: impl Future<Output = u64> + Send + 'static) -> u64;
}

struct Pollster;

impl Executor for Pollster {
    fn run(task: impl Future<Output = u64> + Send + 'static) -> u64 {
        pollster::block_on(task)
    }
}

struct Tokio;

impl Executor for Tokio {
    fn run(task: impl Future<Output = u64> + Send + 'static) -> u64 {
        static RUNTIME: LazyLock<Runtime> =
            LazyLock::new(|| Builder::new_current_thread().build().expect("a runtime"));

        let task = RUNTIME.spawn(task);
        RUNTIME.block_on(task).expect("no panic in the task")
    }
}

fn store<V: Value>() -> Box<dyn Store<V>> {
    black_box(Box::new(Cache::new()))
}

/// Adds up so many values in one task.
fn direct<E: Executor, V: Value>() -> u64 {
    let store = store::<V>();
    E::run(async move {
        (0..CALLS)
            .map(|_| black_box(&store.direct()).number())
            .sum()
    })
}

/// What a caller writes who knows that most reads are hits, and that the values are large.
fn matched<E: Executor, V: Value>() -> u64 {
    let store = store::<V>();
    E::run(async move {
        let mut sum = 0;
        for _ in 0..CALLS {
            let value = match store.maybe() {
                MaybeReady::Ready(value) => value,
                MaybeReady::Pending(future) => future.await,
            };
            sum += black_box(&value).number();
        }
        sum
    })
}

fn awaited<E: Executor, V: Value>() -> u64 {
    let store = store::<V>();
    E::run(async move {
        let mut sum = 0;
        for _ in 0..CALLS {
            sum += black_box(&store.maybe().await).number();
        }
        sum
    })
}

fn async_trait<E: Executor, V: Value>() -> u64 {
    let store: Box<dyn AsyncStore<V>> = black_box(Box::new(Cache::new()));
    E::run(async move {
        let mut sum = 0;
        for _ in 0..CALLS {
            sum += black_box(&store.read().await).number();
        }
        sum
    })
}

fn boxed<E: Executor, V: Value>() -> u64 {
    let store = store::<V>();
    E::run(async move {
        let mut sum = 0;
        for _ in 0..CALLS {
            sum += black_box(&store.boxed().await).number();
        }
        sum
    })
}

fn static_awaited<E: Executor, V: Value>() -> u64 {
    let cache = black_box(Cache::<V>::new());
    E::run(async move {
        let mut sum = 0;
        for _ in 0..CALLS {
            sum += black_box(&cache.maybe().await).number();
        }
        sum
    })
}

fn either<E: Executor, V: Value>() -> u64 {
    let cache = black_box(Cache::<V>::new());
    E::run(async move {
        let mut sum = 0;
        for _ in 0..CALLS {
            sum += black_box(&cache.either().await).number();
        }
        sum
    })
}
