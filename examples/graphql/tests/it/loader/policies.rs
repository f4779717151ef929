//! What becomes of a hit while a batch is open, and how many batches chains of loaders take.

use std::task::Poll;

use futures::future::join_all;
use graphql_example::loader::{Loader, Policy};
use maybe_ready::MaybeReady;

use super::support::{Answer, Backend, TestLoader, block_on, pending};

fn aligned(backend: &Backend) -> TestLoader {
    backend.build_gated(Loader::builder().policy(Policy::Aligned))
}

#[test]
fn an_immediate_hit_is_ready_while_a_batch_is_open() {
    let loader = Backend::default().loader();
    loader.prime(1, Ok((1, 77)));
    let _open = loader.load(2);
    assert_eq!(loader.load(1).unwrap_ready(), Ok((1, 77)));
}

#[test]
fn an_aligned_hit_waits_for_the_open_batch() {
    let backend = Backend::default();
    let loader = aligned(&backend);
    loader.prime(1, Ok((1, 77)));
    assert!(loader.load(1).is_ready(), "no batch is open");

    let mut miss = pending(loader.load(2));
    let mut hit = pending(loader.load(1));
    assert!(miss.poll().is_pending() && hit.poll().is_pending());
    assert!(miss.run().is_pending() && hit.run().is_pending());
    assert_eq!(backend.batches(), [[2]], "a hit is not fetched");
    assert!(
        loader.load(1).is_ready(),
        "the batch is in flight, not open"
    );
    backend.release(0);
    assert_eq!(hit.run(), Poll::Ready(Ok((1, 77))));
    assert_eq!(miss.run(), Poll::Ready(Ok((2, 0))));
    assert_eq!(loader.stats().hits, 3);
    assert_eq!(loader.stats().misses, 1);
}

#[test]
fn an_aligned_hit_can_lead_the_batch() {
    let backend = Backend::default();
    let loader = aligned(&backend);
    loader.prime(1, Ok((1, 77)));
    let mut miss = pending(loader.load(2));
    let mut hit = pending(loader.load(1));
    assert!(miss.poll().is_pending());
    assert!(hit.run().is_pending());
    backend.release(0);
    assert_eq!(hit.run(), Poll::Ready(Ok((1, 77))), "the miss is stalled");
}

#[test]
fn an_aligned_hit_keeps_what_was_resolved_when_it_was_loaded() {
    let backend = Backend::default();
    let loader = aligned(&backend);
    loader.prime(1, Ok((1, 77)));
    let mut miss = pending(loader.load(2));
    let mut hit = pending(loader.load(1));
    loader.clear_all();
    loader.prime(1, Ok((1, 78)));
    assert!(hit.run().is_pending());
    backend.release(0);
    assert_eq!(hit.run(), Poll::Ready(Ok((1, 77))));
    assert!(miss.run().is_ready());
}

#[test]
fn an_aligned_hit_gets_its_value_even_if_the_batch_fails() {
    let loader: Loader<u32, u32, ()> = Loader::builder()
        .policy(Policy::Aligned)
        .build(async |_| Vec::new());
    loader.prime(1, Ok(77));
    let mut miss = pending(loader.load(2));
    let mut hit = pending(loader.load(1));
    assert!(matches!(miss.run(), Poll::Ready(Err(_))));
    assert_eq!(hit.run(), Poll::Ready(Ok(77)));
}

/// Runs two chains through `levels` loaders, of which each but the last has the key of the second
/// chain remembered, and returns the number of batches.
fn chains(levels: usize, policy: Policy, run: impl Fn(&[TestLoader]) -> Vec<Answer>) -> usize {
    let backend = Backend::default();
    let loaders: Vec<_> = (0..levels)
        .map(|_| backend.build_suspending(Loader::builder().policy(policy)))
        .collect();
    for loader in &loaders[..levels - 1] {
        loader.prime(2, Ok((2, 77)));
    }
    let answers = run(&loaders);
    assert!(
        matches!(answers[..], [Ok((1, _)), Ok((2, _))]),
        "{answers:?}"
    );
    backend.batches().len()
}

async fn chain(loaders: &[TestLoader], mut key: u32) -> Answer {
    let mut answer = Ok((key, 0));
    for loader in loaders {
        (key, _) = answer?;
        answer = loader.load(key).await;
    }
    answer
}

fn counts(run: impl Fn(&[TestLoader]) -> Vec<Answer>) -> [[usize; 2]; 2] {
    [2, 3].map(|levels| {
        [Policy::Aligned, Policy::Immediate].map(|policy| chains(levels, policy, &run))
    })
}

#[test]
fn half_remembered_chains_take_fewer_batches_if_aligned() {
    let expected = [[2, 3], [3, 4]];
    let ours = counts(|loaders| {
        block_on(maybe_ready::join_all([1, 2].map(|key| chain(loaders, key))).into_future())
    });
    assert_eq!(
        ours, expected,
        "[aligned, immediate] at two and at three levels"
    );
    let theirs = counts(|loaders| block_on(join_all([1, 2].map(|key| chain(loaders, key)))));
    assert_eq!(theirs, expected, "joined by `futures`");
}

#[test]
fn half_remembered_chains_take_fewer_batches_if_aligned_with_combinators() {
    let two_levels = [Policy::Aligned, Policy::Immediate].map(|policy| {
        chains(2, policy, |loaders| {
            let chain = |key| {
                let first = loaders[0].load(key);
                let second = loaders[1].clone();
                first.then(move |answer| match answer {
                    Ok((key, _)) => second.load(key),
                    Err(error) => MaybeReady::Ready(Err(error)),
                })
            };
            block_on(maybe_ready::join_all([1, 2].map(chain)).into_future())
        })
    });
    assert_eq!(two_levels, [2, 3], "[aligned, immediate]");
}
