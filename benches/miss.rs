//! What does a caller pay for the enum that always awaits it?
//!
//! Compared with an `async fn` and a boxed future, where none, some or all reads are misses, and with
//! the plain future of a miss where all are.

use criterion::{Criterion, criterion_group, criterion_main};
use support::miss;

fn misses(criterion: &mut Criterion) {
    miss::READS.time(criterion);
    miss::MISSES.time(criterion);
}

criterion_group!(name = benches; config = support::criterion(); targets = misses);
criterion_main!(benches);
