//! Joins of reads that might fail.

use futures::FutureExt;
use futures_concurrency::future::TryJoin;
use maybe_ready::MaybeReady;

use crate::{Completion, OURS, Question, Source};

type Answer = Result<Vec<u64>, ReadError>;

/// Why a read failed, which it never does here.
#[derive(Debug, PartialEq, Eq)]
pub struct ReadError;

pub const QUESTIONS: [Question<Answer>; 3] = [READY, ONE_PER_WAKE, TOGETHER];

/// What does it cost when all is ready?
pub const READY: Question<Answer> = Question {
    name: "try_join_all, all ready",
    sizes: &[1_000],
    percents: &[0],
    completion: Completion::Together,
    ours: (OURS, ours),
    others: &[
        ("futures", futures),
        ("futures-buffered", buffered),
        ("futures-concurrency", concurrency),
    ],
    least: &[("collect", collect)],
    too_slow: &[],
    answer: |source| Ok(source.values().collect()),
};

/// What does it cost when misses complete one by one?
pub const ONE_PER_WAKE: Question<Answer> = Question {
    name: "try_join_all, one miss per wake",
    percents: &[1, 10, 100],
    completion: Completion::Shuffled,
    least: &[],
    ..READY
};

/// What does it cost when all misses complete at the same time?
pub const TOGETHER: Question<Answer> = Question {
    name: "try_join_all, all misses together",
    completion: Completion::Together,
    ..ONE_PER_WAKE
};

fn ours(source: &Source) -> Answer {
    let reads = source.entries().map(|entry| entry.read().map(Ok));
    let joined = maybe_ready::try_join_all(reads);
    joined.unwrap_or_else(|join| source.drive(join))
}

fn collect(source: &Source) -> Answer {
    let reads = source.entries().map(|entry| entry.read().map(Ok));
    reads.map(MaybeReady::unwrap_ready).collect()
}

fn futures(source: &Source) -> Answer {
    let reads = source.entries().map(|entry| entry.read_async().map(Ok));
    source.drive(futures::future::try_join_all(reads))
}

fn buffered(source: &Source) -> Answer {
    let reads = source.entries().map(|entry| entry.read_async().map(Ok));
    source.drive(futures_buffered::try_join_all(reads))
}

fn concurrency(source: &Source) -> Answer {
    let reads = source.entries().map(|entry| entry.read_async().map(Ok));
    source.drive(reads.collect::<Vec<_>>().try_join())
}
