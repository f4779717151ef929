//! What does a hit cost, in instructions?
//!
//! Each way to read a value that is there runs under callgrind, which counts the same on a busy
//! machine as on a quiet one. Prints a table, and fails if a relation does not hold that the
//! documentation promises.

use std::error::Error;
use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::{env, str};

use futures::future::{BoxFuture, FutureExt};
use maybe_ready::{AlwaysReady, BoxMaybeReady, MaybeReady};
use support::markdown;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A cache, of which only hits are read here.
struct Cache(Vec<Option<u64>>);

impl Cache {
    fn direct(&self, key: usize) -> u64 {
        self.0[key].expect("a hit")
    }

    fn option(&self, key: usize) -> Option<u64> {
        self.0[key]
    }

    fn maybe(&self, key: usize) -> MaybeReady<u64, impl Future<Output = u64> + use<>> {
        match self.0[key] {
            Some(value) => MaybeReady::Ready(value),
            None => MaybeReady::Pending(miss()),
        }
    }

    async fn asynchronous(&self, key: usize) -> u64 {
        match self.0[key] {
            Some(value) => value,
            None => miss().await,
        }
    }
}

async fn miss() -> u64 {
    AlwaysReady::Ready(0).defer().await
}

trait Store {
    fn direct(&self, key: usize) -> u64;
    fn maybe(&self, key: usize) -> BoxMaybeReady<'_, u64>;
    fn boxed(&self, key: usize) -> BoxFuture<'_, u64>;
}

impl Store for Cache {
    fn direct(&self, key: usize) -> u64 {
        self.direct(key)
    }

    fn maybe(&self, key: usize) -> BoxMaybeReady<'_, u64> {
        self.maybe(key).boxed()
    }

    fn boxed(&self, key: usize) -> BoxFuture<'_, u64> {
        Box::pin(self.asynchronous(key))
    }
}

/// Reads from the cache so many times, and adds up what it gets.
type Way = (&'static str, fn(&Cache, usize) -> u64);

const DIRECT: Way = ("direct call", |cache, times| {
    repeat(times, |key| cache.direct(key))
});
const MATCHED: Way = ("`MaybeReady` matched", |cache, times| {
    repeat(times, |key| cache.maybe(key).unwrap_ready())
});
const OPTIONS: Way = ("`and_then` and `map` of `Option`", |cache, times| {
    let add = |key| cache.option(key).map(|value| value + key as u64);
    repeat(times, |key| {
        let sum = Some(key).and_then(add).map(|sum| 3 * sum);
        sum.expect("a hit")
    })
});
const CHAIN: Way = ("`then` and `map` of `MaybeReady`", |cache, times| {
    let add = |key| cache.maybe(key).map(move |value| value + key as u64);
    repeat(times, |key| {
        let sum = AlwaysReady::Ready(key).then(add).map(|sum| 3 * sum);
        sum.unwrap_ready()
    })
});
const ASYNC_FN: Way = ("`async fn` awaited", |cache, times| {
    repeat(times, |key| run(async { cache.asynchronous(key).await }))
});
const AWAITED: Way = ("`MaybeReady` awaited", |cache, times| {
    repeat(times, |key| run(async { cache.maybe(key).await }))
});
const LOOP_ASYNC_FN: Way = ("`async fn` awaited in a loop", |cache, times| {
    run(async {
        let mut sum = 0;
        for _ in 0..times {
            sum += cache.asynchronous(black_box(1)).await;
        }
        sum
    })
});
const LOOP_AWAITED: Way = ("`MaybeReady` awaited in a loop", |cache, times| {
    run(async {
        let mut sum = 0;
        for _ in 0..times {
            sum += cache.maybe(black_box(1)).await;
        }
        sum
    })
});
const DYN_DIRECT: Way = ("`dyn`: direct call", |cache, times| {
    let store: &dyn Store = black_box(cache);
    repeat(times, |key| store.direct(key))
});
const DYN_MATCHED: Way = ("`dyn`: `BoxMaybeReady` matched", |cache, times| {
    let store: &dyn Store = black_box(cache);
    repeat(times, |key| store.maybe(key).unwrap_ready())
});
const DYN_AWAITED: Way = ("`dyn`: `BoxMaybeReady` awaited", |cache, times| {
    let store: &dyn Store = black_box(cache);
    repeat(times, |key| run(async { store.maybe(key).await }))
});
const DYN_BOXED: Way = ("`dyn`: boxed future awaited", |cache, times| {
    let store: &dyn Store = black_box(cache);
    repeat(times, |key| run(async { store.boxed(key).await }))
});

const WAYS: [Way; 12] = [
    DIRECT,
    MATCHED,
    OPTIONS,
    CHAIN,
    ASYNC_FN,
    AWAITED,
    LOOP_ASYNC_FN,
    LOOP_AWAITED,
    DYN_DIRECT,
    DYN_MATCHED,
    DYN_AWAITED,
    DYN_BOXED,
];

/// So many times the first way, and so many instructions, cost no more than the second way.
const RELATIONS: [(f64, Way, f64, Way); 5] = [
    (1.0, MATCHED, -0.1, DIRECT),
    (1.0, CHAIN, -0.5, OPTIONS),
    (1.0, AWAITED, 0.0, ASYNC_FN),
    (1.0, LOOP_AWAITED, 0.0, LOOP_ASYNC_FN),
    (6.0, DYN_MATCHED, 0.0, DYN_BOXED),
];

fn repeat(times: usize, read: impl Fn(usize) -> u64) -> u64 {
    (0..times).map(|_| read(black_box(1))).sum()
}

/// Polls a task, which has nothing to wait for.
fn run<T>(task: impl Future<Output = T>) -> T {
    task.now_or_never().expect("only hits")
}

fn main() -> Result<ExitCode> {
    let args: Vec<String> = env::args().skip(1).collect();
    if let [name, times] = &args[..] {
        read(name, times.parse()?);
        return Ok(ExitCode::SUCCESS);
    }

    let mut rows = vec![["a hit", "instructions"].map(str::to_owned).to_vec()];
    for (name, _) in WAYS {
        rows.push(vec![name.to_owned(), format!("{:.1}", count(name)?)]);
    }
    print!("{}", markdown(rows));

    let mut code = ExitCode::SUCCESS;
    for (factor, (small, _), extra, (large, _)) in RELATIONS {
        let (a, b) = (count(small)?, count(large)?);
        if factor * a + extra > b {
            eprintln!("{factor} x {small} ({a:.1}) + {extra} should be at most {large} ({b:.1})");
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}

fn read(name: &str, times: usize) {
    let cache = black_box(Cache(vec![Some(5); 2]));
    let way = WAYS.iter().find(|way| way.0 == name);
    let (_, way) = way.expect("a name of a way");
    black_box(way(&cache, times));
}

/// Counts the instructions of one read: the difference that more of them make.
fn count(name: &str) -> Result<f64> {
    const FEW: u32 = 1_000;
    const MANY: u32 = 11_000;

    Ok((total(name, MANY)? - total(name, FEW)?) / f64::from(MANY - FEW))
}

fn total(name: &str, times: u32) -> Result<f64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env::current_exe()?)
        .args([name, &times.to_string()])
        .output()
        .map_err(|error| format!("cannot run valgrind: {error}"))?;
    let report = str::from_utf8(&output.stderr)?;
    let collected = report
        .lines()
        .find_map(|line| line.split_once("Collected : "));
    let (_, instructions) = collected.ok_or_else(|| format!("no count in: {report}"))?;
    Ok(instructions.trim().parse()?)
}
