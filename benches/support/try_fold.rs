//! Folds over reads, with steps that might fail.

use futures::{TryStreamExt, stream};

use crate::{Completion, Entry, OURS, Question, Source};

type Answer = Result<u64, Zero>;

/// Why a step failed, which it never does here.
#[derive(Debug, PartialEq, Eq)]
pub struct Zero;

pub const QUESTIONS: [Question<Answer>; 2] = [READY, MISSES];

/// What does it cost when all is ready?
pub const READY: Question<Answer> = Question {
    name: "try_fold, all ready",
    sizes: &[1_000],
    percents: &[0],
    completion: Completion::InOrder,
    ours: (OURS, ours),
    others: &[("async loop", async_loop), ("stream", stream)],
    least: &[("iterator", iterator)],
    too_slow: &[],
    answer: |source| source.values().try_fold(0, step),
};

/// What does it cost when some steps have to be waited for?
pub const MISSES: Question<Answer> = Question {
    name: "try_fold, some pending",
    percents: &[1, 10, 100],
    least: &[],
    ..READY
};

/// A step for which the order counts, and that might fail.
fn step(acc: u64, value: u64) -> Answer {
    match value {
        0 => Err(Zero),
        value => Ok(acc.rotate_left(5) ^ value),
    }
}

fn ours(source: &Source) -> Answer {
    let folded = maybe_ready::try_fold(source.entries(), 0, |acc, entry| {
        entry.read().map(move |value| step(acc, value))
    });
    folded.unwrap_or_else(|fold| source.drive(fold))
}

fn iterator(source: &Source) -> Answer {
    let mut reads = source.entries().map(Entry::read);
    reads.try_fold(0, |acc, read| step(acc, read.unwrap_ready()))
}

fn async_loop(source: &Source) -> Answer {
    source.drive(async {
        let mut acc = 0;
        for entry in source.entries() {
            acc = step(acc, entry.read_async().await)?;
        }
        Ok(acc)
    })
}

fn stream(source: &Source) -> Answer {
    let entries = stream::iter(source.entries().map(Ok));
    source.drive(entries.try_fold(0, async |acc, entry| step(acc, entry.read_async().await)))
}
