use std::fmt::Debug;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion};

use crate::{Completion, Load, Source};

/// What something is called, and how it gets from a source to an answer.
pub type Way<T> = (&'static str, fn(&Source) -> T);

/// What does this crate's way cost, compared with others?
pub struct Question<T: 'static> {
    /// The name of its group.
    pub name: &'static str,
    pub sizes: &'static [usize],
    pub percents: &'static [usize],
    pub completion: Completion,
    pub ours: Way<T>,
    /// What would be used instead.
    pub others: &'static [Way<T>],
    /// What any way costs at least, for this one takes for granted that all is ready.
    pub least: &'static [Way<T>],
    /// What nobody has the patience for.
    pub too_slow: &'static [(&'static str, Load)],
    pub answer: fn(&Source) -> T,
}

impl<T> Question<T> {
    /// Every size with every percentage, as far as that gives a whole number of misses.
    pub fn loads(&self) -> impl Iterator<Item = Load> {
        let loads = self.sizes.iter().flat_map(|&items| {
            let percents = self.percents.iter();
            percents.map(move |&percent| Load::new(items, percent))
        });
        loads.filter(|load| load.items * load.percent % 100 == 0)
    }

    /// All ways, this crate's first.
    pub fn ways(&self) -> impl Iterator<Item = &Way<T>> {
        let others = self.others.iter();
        [&self.ours].into_iter().chain(self.least).chain(others)
    }

    /// Times all ways at all loads.
    ///
    /// # Panics
    ///
    /// If a way gives a wrong answer, before or after it was timed.
    pub fn time(&self, criterion: &mut Criterion)
    where
        T: Debug + PartialEq,
    {
        let mut group = criterion.benchmark_group(self.name);
        for load in self.loads() {
            let source = Source::new(load, self.completion);
            let answer = (self.answer)(&source);
            for (name, run) in self.ways() {
                if self.too_slow.contains(&(name, load)) {
                    continue;
                }
                let check = || assert_eq!(run(&source), answer, "the answer of {name} at {load}");
                group.bench_function(BenchmarkId::new(*name, load), |bencher| {
                    check();
                    bencher.iter(|| run(&source));
                    check();
                });
            }
        }
    }
}

/// Short runs: of interest are ratios, and most of them are large.
#[must_use]
pub fn criterion() -> Criterion {
    Criterion::default()
        .without_plots()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(700))
}
