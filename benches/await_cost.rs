//! What does it cost to await a call that has its answer at once?
//!
//! A million calls, of which each value is taken as it is, matched, awaited, or joined with the
//! others; from a plain function, an `async fn`, a boxed future and a `MaybeReady`.

use criterion::{Criterion, criterion_group, criterion_main};
use support::await_cost;

fn calls(criterion: &mut Criterion) {
    await_cost::question().time(criterion);
}

criterion_group!(name = benches; config = support::criterion(); targets = calls);
criterion_main!(benches);
