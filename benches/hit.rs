//! What does a hit cost behind `dyn`, where an `async fn` would have to be boxed?
//!
//! Compared with a method that cannot wait, async-trait, a boxed future, and what can be had where
//! the type is known; for values of several sizes, under two executors.

use criterion::{Criterion, criterion_group, criterion_main};
use support::hit;

fn hits(criterion: &mut Criterion) {
    for question in hit::questions() {
        question.time(criterion);
    }
}

criterion_group!(name = benches; config = support::criterion(); targets = hits);
criterion_main!(benches);
