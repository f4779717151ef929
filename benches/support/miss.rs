//! Reads that are awaited one after the other, hit or miss.

use futures::FutureExt;

use crate::{Completion, OURS, Question, Source};

/// What does a caller pay for the enum that waits anyway?
pub const READS: Question<u64> = Question {
    name: "reads awaited",
    sizes: &[1_000],
    percents: &[0, 10, 25, 50, 75, 90, 100],
    completion: Completion::InOrder,
    ours: (OURS, ours),
    others: &[("async fn", async_fn), ("boxed future", boxed)],
    least: &[],
    too_slow: &[],
    answer: |source| source.values().fold(0, u64::wrapping_add),
};

/// And what if all of them are misses, and it is known that they are?
pub const MISSES: Question<u64> = Question {
    name: "misses awaited",
    percents: &[100],
    ours: (OURS, ours),
    others: &[("plain future", plain)],
    ..READS
};

fn ours(source: &Source) -> u64 {
    source.drive(async {
        let mut sum = 0_u64;
        for entry in source.entries() {
            sum = sum.wrapping_add(entry.read().await);
        }
        sum
    })
}

fn async_fn(source: &Source) -> u64 {
    source.drive(async {
        let mut sum = 0_u64;
        for entry in source.entries() {
            sum = sum.wrapping_add(entry.read_async().await);
        }
        sum
    })
}

fn boxed(source: &Source) -> u64 {
    source.drive(async {
        let mut sum = 0_u64;
        for entry in source.entries() {
            sum = sum.wrapping_add(entry.read_async().boxed_local().await);
        }
        sum
    })
}

fn plain(source: &Source) -> u64 {
    source.drive(async {
        let mut sum = 0_u64;
        for entry in source.entries() {
            sum = sum.wrapping_add(entry.fetch().await);
        }
        sum
    })
}
