//! How long does a list-heavy query take, up to the JSON that is sent, if the loader knows all, nearly
//! all or none of what is asked for?
//!
//! Compared with the same executor whose resolvers are never ready, with other executors and their
//! loaders, and with what anyone would need at least.

mod contenders;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};

use crate::contenders::{CASES, GROUP, contenders, results};

fn query(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(GROUP);
    for contender in contenders() {
        for case in CASES.iter().filter(|case| contender.knows(case)) {
            group.bench_function(BenchmarkId::new(contender.name, case.name), |bencher| {
                contender.check(case);
                bencher.iter_batched(
                    || contender.prepare(case),
                    |()| contender.query(),
                    BatchSize::PerIteration,
                );
                contender.check(case);
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = support::criterion().output_directory(&results().0);
    targets = query
}
criterion_main!(benches);
