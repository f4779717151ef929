//! A chain of policies that decide what a cache keeps, as an inference server has it: most look at
//! what they are given, some ask elsewhere, and all stand behind one `dyn` trait.

use std::sync::atomic::{AtomicUsize, Ordering};

use maybe_ready::{BoxMaybeReady, MaybeReady, try_fold, try_join_all};

use crate::support::{Yield, drive};

type Verdict = Result<bool, BadItem>;
type Verdicts = Result<Vec<bool>, BadItem>;

#[derive(Debug, PartialEq)]
struct BadItem(u32);

/// What a policy looks at, and may borrow while it waits.
struct Item(u32);

trait Policy: Sync {
    fn evaluate<'a>(&'a self, item: &'a Item) -> BoxMaybeReady<'a, Verdict>;

    /// One verdict for each item, in their order, and none beyond the first that fails at once.
    fn evaluate_batch<'a>(&'a self, items: &'a [Item]) -> BoxMaybeReady<'a, Verdicts> {
        try_join_all(items.iter().map(|item| self.evaluate(item))).boxed()
    }
}

/// Every function of an item is a policy.
impl<F: Fn(&Item) -> Verdict + Sync> Policy for F {
    fn evaluate<'a>(&'a self, item: &'a Item) -> BoxMaybeReady<'a, Verdict> {
        MaybeReady::Ready(self(item))
    }
}

/// Asks elsewhere, and always gets a yes.
struct Remote;

impl Policy for Remote {
    fn evaluate<'a>(&'a self, item: &'a Item) -> BoxMaybeReady<'a, Verdict> {
        MaybeReady::Pending(async {
            let turns = 1 + item.0 as usize % 3;
            Yield::new(turns, Ok(true)).await
        })
        .boxed()
    }
}

/// Yes if all say yes; who comes after a no or an error is not asked.
struct Chain<'a>(&'a [&'a dyn Policy]);

impl Policy for Chain<'_> {
    fn evaluate<'a>(&'a self, item: &'a Item) -> BoxMaybeReady<'a, Verdict> {
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

const EVEN: fn(&Item) -> Verdict = |item| Ok(item.0 % 2 == 0);
const SMALL: fn(&Item) -> Verdict = |item| Ok(item.0 < 500);
const ANY: fn(&Item) -> Verdict = |_| Ok(true);
const NOT_7: fn(&Item) -> Verdict = |item| match item.0 {
    7 => Err(BadItem(7)),
    _ => Ok(true),
};

fn items(count: u32) -> Vec<Item> {
    (0..count).map(Item).collect()
}

#[test]
fn synchronous_policies_stay_ready_over_a_thousand_items() {
    let chain = Chain(&[&ANY, &EVEN, &SMALL]);
    let items = items(1000);
    let verdicts = chain.evaluate_batch(&items).unwrap_ready().unwrap();
    let expected: Vec<bool> = (0..1000).map(|n| n % 2 == 0 && n < 500).collect();
    assert_eq!(verdicts, expected);

    let batch = allocation_counter::measure(|| {
        assert!(chain.evaluate_batch(&items).is_ready());
    });
    assert_eq!(batch.count_total, 1, "the list of verdicts, and no box");
}

#[test]
fn an_asynchronous_policy_in_the_middle_keeps_the_order() {
    let chain = Chain(&[&SMALL, &Remote, &EVEN]);
    let items = items(1000);
    let (verdicts, _) = drive(chain.evaluate_batch(&items));
    let expected: Vec<bool> = (0..1000).map(|n| n % 2 == 0 && n < 500).collect();
    assert_eq!(verdicts, Ok(expected));
}

#[test]
fn a_no_or_an_error_ends_the_chain_before_it_has_to_wait() {
    let chain = Chain(&[&NOT_7, &EVEN, &Remote]);
    assert_eq!(chain.evaluate(&Item(1)).unwrap_ready(), Ok(false));
    assert_eq!(chain.evaluate(&Item(7)).unwrap_ready(), Err(BadItem(7)));
    assert!(chain.evaluate(&Item(2)).is_pending());
}

#[test]
fn an_error_at_one_item_stops_the_next() {
    let asked = AtomicUsize::new(0);
    let count = |_: &Item| {
        asked.fetch_add(1, Ordering::Relaxed);
        Ok(true)
    };
    let items = items(100);
    let chain = Chain(&[&count, &NOT_7]);
    let verdicts = chain.evaluate_batch(&items).unwrap_ready();
    assert_eq!(verdicts, Err(BadItem(7)));
    assert_eq!(asked.into_inner(), 8, "items 0 to 7, and no other");
}
