//! A chain of policies that decide what a cache keeps, as an inference server has it: most look at
//! what they are given, some ask elsewhere, and all stand behind one `dyn` trait.

use std::sync::atomic::{AtomicUsize, Ordering};

use maybe_ready::{BoxMaybeReady, MaybeReady, try_fold, try_join_all};

use crate::support::{Yield, drive};

type Verdict = Result<bool, BadItem>;
type Verdicts = Result<Vec<bool>, BadItem>;

#[derive(Debug, PartialEq)]
struct BadItem(u32);

trait Policy: Sync {
    fn evaluate(&self, item: u32) -> BoxMaybeReady<'_, Verdict>;

    /// One verdict for each item, in their order, and none beyond the first that fails at once.
    fn evaluate_batch(&self, items: &[u32]) -> BoxMaybeReady<'_, Verdicts> {
        try_join_all(items.iter().map(|item| self.evaluate(*item))).boxed()
    }
}

/// Every function of an item is a policy.
impl<F: Fn(u32) -> Verdict + Sync> Policy for F {
    fn evaluate(&self, item: u32) -> BoxMaybeReady<'_, Verdict> {
        MaybeReady::Ready(self(item))
    }
}

/// Asks elsewhere, and always gets a yes.
struct Remote;

impl Policy for Remote {
    fn evaluate(&self, item: u32) -> BoxMaybeReady<'_, Verdict> {
        let turns = 1 + item as usize % 3;
        MaybeReady::Pending(Yield::new(turns, Ok(true))).boxed()
    }
}

/// Yes if all say yes; who comes after a no or an error is not asked.
struct Chain<'a>(&'a [&'a dyn Policy]);

impl Policy for Chain<'_> {
    fn evaluate(&self, item: u32) -> BoxMaybeReady<'_, Verdict> {
        try_fold(self.0, true, move |yes, policy| {
            if yes {
                policy.evaluate(item)
            } else {
                MaybeReady::Ready(Ok(false))
            }
        })
        .boxed()
    }
}

const EVEN: fn(u32) -> Verdict = |item| Ok(item % 2 == 0);
const SMALL: fn(u32) -> Verdict = |item| Ok(item < 500);
const ANY: fn(u32) -> Verdict = |_| Ok(true);

#[test]
fn synchronous_policies_stay_ready_over_a_thousand_items() {
    let chain = Chain(&[&ANY, &EVEN, &SMALL]);
    let items: Vec<u32> = (0..1000).collect();
    let verdicts = chain.evaluate_batch(&items).unwrap_ready().unwrap();
    let expected: Vec<bool> = items.iter().map(|n| n % 2 == 0 && *n < 500).collect();
    assert_eq!(verdicts, expected);

    let batch = allocation_counter::measure(|| {
        assert!(chain.evaluate_batch(&items).is_ready());
    });
    assert_eq!(batch.count_total, 1, "the list of verdicts, and no box");
}

#[test]
fn an_asynchronous_policy_in_the_middle_keeps_the_order() {
    let chain = Chain(&[&SMALL, &Remote, &EVEN]);
    let items: Vec<u32> = (0..1000).collect();
    let (verdicts, _) = drive(chain.evaluate_batch(&items));
    let expected: Vec<bool> = items.iter().map(|n| n % 2 == 0 && *n < 500).collect();
    assert_eq!(verdicts, Ok(expected));
}

#[test]
fn a_no_ends_the_chain_before_it_has_to_wait() {
    let chain = Chain(&[&EVEN, &Remote]);
    assert_eq!(chain.evaluate(1).unwrap_ready(), Ok(false));
    assert!(chain.evaluate(2).is_pending());
}

#[test]
fn an_error_at_one_item_stops_the_next() {
    let asked = AtomicUsize::new(0);
    let fails_at_7 = |item| {
        asked.fetch_add(1, Ordering::Relaxed);
        if item == 7 { Err(BadItem(7)) } else { Ok(true) }
    };
    let items: Vec<u32> = (0..100).collect();
    let chain = Chain(&[&ANY, &fails_at_7]);
    let verdicts = chain.evaluate_batch(&items).unwrap_ready();
    assert_eq!(verdicts, Err(BadItem(7)));
    assert_eq!(asked.into_inner(), 8, "items 0 to 7, and no other");
}
