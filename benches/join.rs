//! What does it cost to join many reads of a cache, of which none, some or all are misses?
//!
//! Compared with the joins of three other crates, and with a plain `collect` where all is ready.

use criterion::{Criterion, criterion_group, criterion_main};
use support::{join_all, try_join_all};

fn join(criterion: &mut Criterion) {
    for question in join_all::QUESTIONS {
        question.time(criterion);
    }
    for question in try_join_all::QUESTIONS {
        question.time(criterion);
    }
}

criterion_group!(name = benches; config = support::criterion(); targets = join);
criterion_main!(benches);
