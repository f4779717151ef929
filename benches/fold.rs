//! What does it cost to fold many reads of a cache, of which none, some or all are misses?
//!
//! Compared with a loop in an async block, with a stream, and with a plain iterator where all is
//! ready.

use criterion::{Criterion, criterion_group, criterion_main};
use support::{fold, try_fold};

fn folds(criterion: &mut Criterion) {
    for question in fold::QUESTIONS {
        question.time(criterion);
    }
    for question in try_fold::QUESTIONS {
        question.time(criterion);
    }
}

criterion_group!(name = benches; config = support::criterion(); targets = folds);
criterion_main!(benches);
