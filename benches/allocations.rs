//! How often does each way allocate?
//!
//! Counted apart from the times, for counting makes allocations slow. Prints tables.

use std::fmt::Debug;

use support::{Load, Question, Source, Way, fold, join_all, markdown, try_fold, try_join_all};

/// The size at which all ways are shown. Ours are checked at all sizes.
const SHOWN: usize = 1_000;

fn main() {
    let mut joins = vec![header(&join_all::READY)];
    for question in &join_all::QUESTIONS {
        joins.extend(rows(question, limit_of_join));
    }
    for question in &try_join_all::QUESTIONS {
        joins.extend(rows(question, limit_of_join));
    }
    let mut folds = vec![header(&fold::READY)];
    for question in &fold::QUESTIONS {
        folds.extend(rows(question, |_| 0));
    }
    for question in &try_fold::QUESTIONS {
        folds.extend(rows(question, |_| 0));
    }
    print!("{}\n{}", markdown(joins), markdown(folds));
}

/// One for the output. A miss costs less than two, and where there are few it shows what they share.
fn limit_of_join(load: Load) -> u64 {
    match load.misses() as u64 {
        0 => 1,
        misses @ 1..10 => 2 * misses + 7,
        misses => 2 * misses + 4,
    }
}

fn header<T>(question: &Question<T>) -> Vec<String> {
    let names = question.others.iter().map(|(name, _)| *name);
    let header = ["allocations", question.ours.0].into_iter().chain(names);
    header.map(str::to_owned).collect()
}

/// Counts at all loads, and makes a row of each that is shown.
fn rows<T: Debug + PartialEq>(
    question: &Question<T>,
    limit: impl Fn(Load) -> u64,
) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for load in question.loads() {
        let case = format!("{}: {load}", question.name);
        let source = Source::new(load, question.completion);
        let count = |(name, run): &Way<T>| {
            let mut answer = None;
            let counts = allocation_counter::measure(|| answer = Some(run(&source)));
            let expected = Some((question.answer)(&source));
            assert_eq!(answer, expected, "{case}: the answer of {name}");
            counts.count_total
        };
        let (ours, limit) = (count(&question.ours), limit(load));
        assert!(ours <= limit, "{case}: {ours} allocations, over {limit}");
        if load.items == SHOWN {
            let others = question.others.iter().map(count);
            let counts = [ours].into_iter().chain(others);
            let counts = counts.map(|count| count.to_string());
            rows.push([case.clone()].into_iter().chain(counts).collect());
        }
    }
    rows
}
