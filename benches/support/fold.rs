//! Folds over reads.

use futures::{StreamExt, stream};
use maybe_ready::MaybeReady;

use crate::{Completion, Entry, OURS, Question, Source};

pub const QUESTIONS: [Question<u64>; 2] = [READY, MISSES];

/// What does it cost when all is ready?
pub const READY: Question<u64> = Question {
    name: "fold, all ready",
    sizes: &[10, 1_000],
    percents: &[0],
    completion: Completion::InOrder,
    ours: (OURS, ours),
    others: &[("async loop", async_loop), ("stream", stream)],
    least: &[("iterator", iterator)],
    too_slow: &[],
    answer: |source| source.values().fold(0, step),
};

/// What does it cost when some steps have to be waited for?
pub const MISSES: Question<u64> = Question {
    name: "fold, some pending",
    percents: &[1, 10, 100],
    least: &[],
    ..READY
};

/// A step for which the order counts.
fn step(acc: u64, value: u64) -> u64 {
    acc.rotate_left(5) ^ value
}

fn ours(source: &Source) -> u64 {
    let folded = maybe_ready::fold(source.entries(), 0, |acc, entry| {
        entry.read().map(move |value| step(acc, value))
    });
    folded.unwrap_or_else(|fold| source.drive(fold))
}

fn iterator(source: &Source) -> u64 {
    let reads = source.entries().map(Entry::read);
    reads.map(MaybeReady::unwrap_ready).fold(0, step)
}

fn async_loop(source: &Source) -> u64 {
    source.drive(async {
        let mut acc = 0;
        for entry in source.entries() {
            acc = step(acc, entry.read_async().await);
        }
        acc
    })
}

fn stream(source: &Source) -> u64 {
    let entries = stream::iter(source.entries());
    source.drive(entries.fold(0, async |acc, entry| step(acc, entry.read_async().await)))
}
