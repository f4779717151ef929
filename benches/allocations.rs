//! How often does each way allocate?
//!
//! Counted apart from the times, for counting makes allocations slow. Prints tables.

use std::fmt::Debug;

use support::{Load, Question, Source, Way, fold, join_all, markdown, try_fold, try_join_all};

/// The size that is printed. All sizes are checked.
const PRINTED: usize = 1_000;

fn main() {
    let mut joins = Vec::new();
    for question in &join_all::QUESTIONS {
        count(question, limit_of_join, &mut joins);
    }
    for question in &try_join_all::QUESTIONS {
        count(question, limit_of_join, &mut joins);
    }
    let mut folds = Vec::new();
    for question in &fold::QUESTIONS {
        count(question, |_| 0, &mut folds);
    }
    for question in &try_fold::QUESTIONS {
        count(question, |_| 0, &mut folds);
    }
    println!("{}\n{}", markdown(joins), markdown(folds));
}

/// One for the output. A miss costs less than two, and all of them share eight.
fn limit_of_join(load: Load) -> u64 {
    match load.misses() as u64 {
        0 => 1,
        misses @ 1..10 => 2 * misses + 8,
        misses => 2 * misses + 4,
    }
}

/// Counts for a question, of which ours have a limit, and adds them to a table.
fn count<T: Debug + PartialEq>(
    question: &Question<T>,
    limit: impl Fn(Load) -> u64,
    table: &mut Vec<Vec<String>>,
) {
    let ours = question.ours;
    let ways = || [&ours].into_iter().chain(question.others);
    if table.is_empty() {
        let names = ways().map(|(name, _)| *name);
        table.push(
            ["", "misses"]
                .into_iter()
                .chain(names)
                .map(str::to_owned)
                .collect(),
        );
    }
    for load in question.loads() {
        let source = Source::new(load, question.completion);
        let count = |(name, run): &Way<T>| {
            let mut answer = None;
            let counted = allocation_counter::measure(|| answer = Some(run(&source)));
            assert_eq!(
                answer,
                Some((question.answer)(&source)),
                "the answer of {name}"
            );
            counted.count_total
        };
        let (our_count, most) = (count(&ours), limit(load));
        assert!(
            our_count <= most,
            "{}, {load}: {our_count} allocations, where {most} should do",
            question.name
        );
        if load.items == PRINTED {
            let mut row = vec![question.name.to_owned(), format!("{} %", load.percent)];
            row.extend(ways().map(|way| count(way).to_string()));
            table.push(row);
        }
    }
}
