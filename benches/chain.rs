//! What does a chain of combinators cost?
//!
//! Compared with the same chain on an `Option`, in async blocks and with futures-util, where the
//! value is there and where it has to be waited for.

use criterion::{Criterion, criterion_group, criterion_main};
use support::chain;

fn chains(criterion: &mut Criterion) {
    chain::ready().time(criterion);
    chain::pending().time(criterion);
}

criterion_group!(name = benches; config = support::criterion(); targets = chains);
criterion_main!(benches);
