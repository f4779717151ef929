//! Joins of reads.

use futures_concurrency::future::Join;
use maybe_ready::MaybeReady;

use crate::{Completion, Entry, Load, OURS, Question, Source};

type Answer = Vec<u64>;

pub const QUESTIONS: [Question<Answer>; 3] = [READY, ONE_PER_WAKE, TOGETHER];

/// What does it cost when all is ready?
pub const READY: Question<Answer> = Question {
    name: "join_all, all ready",
    sizes: &[10, 100, 1_000, 10_000],
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
    answer: |source| source.values().collect(),
};

/// What does it cost when misses complete one by one?
pub const ONE_PER_WAKE: Question<Answer> = Question {
    name: "join_all, one miss per wake",
    percents: &[1, 10, 100],
    completion: Completion::Shuffled,
    least: &[],
    too_slow: &[("futures-concurrency", Load::new(10_000, 100))],
    ..READY
};

/// What does it cost when all misses complete at the same time?
pub const TOGETHER: Question<Answer> = Question {
    name: "join_all, all misses together",
    completion: Completion::Together,
    too_slow: &[],
    ..ONE_PER_WAKE
};

fn ours(source: &Source) -> Answer {
    let joined = maybe_ready::join_all(source.entries().map(Entry::read));
    joined.unwrap_or_else(|join| source.drive(join))
}

fn collect(source: &Source) -> Answer {
    let reads = source.entries().map(Entry::read);
    reads.map(MaybeReady::unwrap_ready).collect()
}

fn futures(source: &Source) -> Answer {
    let reads = source.entries().map(Entry::read_async);
    source.drive(futures::future::join_all(reads))
}

fn buffered(source: &Source) -> Answer {
    let reads = source.entries().map(Entry::read_async);
    source.drive(futures_buffered::join_all(reads))
}

fn concurrency(source: &Source) -> Answer {
    let reads: Vec<_> = source.entries().map(Entry::read_async).collect();
    source.drive(reads.join())
}
