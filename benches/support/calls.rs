use criterion::{BenchmarkId, Criterion, Throughput};

/// What does one call cost, in several ways and several cases?
pub struct Calls {
    /// The name of its group.
    pub name: &'static str,
    /// How many calls each run makes.
    pub calls: u32,
    pub cases: Vec<Case>,
}

pub struct Case {
    pub name: &'static str,
    pub ways: Vec<Run>,
}

/// A way to make the calls. It returns what they add up to, which makes sure that they were made.
pub struct Run {
    pub name: &'static str,
    pub run: fn() -> u64,
    pub answer: u64,
}

impl Calls {
    /// The names of all ways, in the order in which they first appear.
    #[must_use]
    pub fn ways(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for way in self.cases.iter().flat_map(|case| &case.ways) {
            if !names.contains(&way.name) {
                names.push(way.name);
            }
        }
        names
    }

    /// Times all ways in all cases.
    ///
    /// # Panics
    ///
    /// If a way gives a wrong answer, before or after it was timed.
    pub fn time(&self, criterion: &mut Criterion) {
        let mut group = criterion.benchmark_group(self.name);
        group.throughput(Throughput::Elements(self.calls.into()));
        for case in &self.cases {
            for &Run { name, run, answer } in &case.ways {
                let check = || assert_eq!(run(), answer, "the answer of {name}, {}", case.name);
                group.bench_function(BenchmarkId::new(name, case.name), |bencher| {
                    check();
                    bencher.iter(run);
                    check();
                });
            }
        }
    }
}
