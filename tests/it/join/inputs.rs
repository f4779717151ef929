//! What may be joined: any iterator, of values and futures of any kind, joins included.

use std::future::{self, IntoFuture};
use std::iter;
use std::pin::Pin;
use std::task::Poll;
use std::thread;

use futures::future::{FusedFuture, LocalBoxFuture};
use futures::stream::{FuturesUnordered, StreamExt};
use maybe_ready::{AlwaysReady, IntoMaybeReady, MaybeReady, join_all, try_join_all};

use super::{Child, SIZES, children, poll, polls};
use crate::support::{
    Drops, Rooted, Unpollable, Wakes, Yield, drive, future_of, panic_message, poll_once, ready,
};

/// An iterator with a size hint of its own.
struct Hinted<I>(I, (usize, Option<usize>));

impl<I: Iterator> Iterator for Hinted<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.1
    }
}

#[test]
fn a_wrong_size_hint_does_no_harm() {
    let most = usize::MAX;
    for hint in [
        (0, None),
        (0, Some(0)),
        (1, Some(1)),
        (99, Some(99)),
        (101, Some(101)),
        (10_000, None),
        (most / 2, None),
        (most - 1, Some(most)),
        (most, None),
        (most, Some(0)),
    ] {
        // Nothing is pending, all is, or something is.
        for every in [usize::MAX, 1, 3] {
            let item = |i| match i % every {
                0 if every < usize::MAX => MaybeReady::Pending(Yield::new(1, i)),
                _ => MaybeReady::Ready(i),
            };
            let expected: Vec<_> = (0..100).collect();
            let (values, _) = drive(join_all(Hinted((0..100).map(item), hint)));
            assert_eq!(values, expected, "announced as {hint:?}");
            let item = |i| {
                item(i)
                    .map_ready(Ok::<_, ()>)
                    .map_pending(|later| async { Ok(later.await) })
            };
            let (values, _) = drive(try_join_all(Hinted((0..100).map(item), hint)));
            assert_eq!(values, Ok(expected), "announced as {hint:?}");
        }
    }
}

#[test]
fn a_wrong_size_hint_for_values_of_no_size_does_no_harm() {
    let items = Hinted(iter::repeat_n((), 100).map(ready), (usize::MAX, None));
    assert_eq!(join_all(items).unwrap_ready().len(), 100);
    let items = iter::repeat_with(|| Yield::new(1, ())).take(100);
    let (values, _) = drive(join_all(Hinted(items, (usize::MAX, None))));
    assert_eq!(values.len(), 100);
}

#[test]
fn an_endless_iterator_ends_with_an_error() {
    let endless = (0..).map(|i| match i {
        7 => MaybeReady::Ready(Err(i)),
        3 => MaybeReady::Pending(Unpollable::<Result<i32, i32>>::new()),
        _ => MaybeReady::Ready(Ok(i)),
    });
    let endless = Hinted(endless, (usize::MAX, None));
    assert_eq!(try_join_all(endless).unwrap_ready(), Err(7));
}

#[test]
fn an_iterator_is_left_alone_after_its_end() {
    for pending in [None, Some(3)] {
        let mut ended = 0;
        let mut numbers = 0..10;
        let items = iter::from_fn(|| {
            let n = numbers.next();
            ended += usize::from(n.is_none());
            n.map(|n| match pending {
                Some(first) if n >= first => MaybeReady::Pending(Yield::new(0, n)),
                _ => MaybeReady::Ready(n),
            })
        });
        assert_eq!(drive(join_all(items)).0.len(), 10);
        assert_eq!(ended, 1, "how often `None` was given");
    }
}

#[test]
fn an_iterator_is_dropped_before_the_call_returns() {
    let drops = Drops::default();
    let token = drops.token();
    let joined = join_all((0..10).map(move |i| {
        drop(token.clone());
        Yield::new(1, i)
    }));
    assert_eq!(
        drops.alive(),
        0,
        "the iterator, which is not needed any more"
    );
    assert!(joined.is_pending());
}

#[test]
fn an_iterator_that_panics_leaves_nothing_behind() {
    // With no item that is pending before that, and with some.
    for first_pending in [100, 3] {
        let drops = Drops::default();
        let items = (0..10).map(|i| {
            assert!(i < 7, "the iterator's own panic");
            let token = drops.token();
            if i < first_pending {
                return MaybeReady::Ready(token);
            }
            MaybeReady::Pending(async {
                Unpollable::<()>::new().await;
                token
            })
        });
        let message = panic_message(|| join_all(items).is_ready());
        assert!(message.contains("the iterator's own panic"), "{message}");
        assert_eq!(drops.alive(), 0);
    }
}

#[test]
fn no_items_are_ready() {
    let nothing = iter::empty::<MaybeReady<u8, Unpollable<u8>>>();
    assert_eq!(join_all(nothing).unwrap_ready(), []);
    assert_eq!(join_all(iter::empty::<Unpollable<u8>>()).unwrap_ready(), []);
    let nothing = iter::empty::<Unpollable<Result<u8, ()>>>();
    assert_eq!(try_join_all(nothing).unwrap_ready(), Ok(vec![]));
}

#[test]
fn items_are_of_any_kind() {
    fn check<R: IntoMaybeReady<Output = i32>>(kind: &str, items: impl IntoIterator<Item = R>) {
        assert_eq!(drive(join_all(items)).0, [1, 2], "{kind}");
    }

    check("async blocks", [1, 2].map(|n| async move { n }));
    check("futures of std", [1, 2].map(future::ready));
    check("boxed futures", [1, 2].map(|n| Box::pin(async move { n })));
    check(
        "borrowed futures",
        [1, 2].map(|n| Yield::new(1, n)).each_mut(),
    );
    let boxed = |n| -> LocalBoxFuture<'_, i32> { Box::pin(Yield::new(1, n)) };
    check("futures behind `dyn`", [1, 2].map(boxed));
    check("values", [1, 2].map(ready));
    check(
        "values that cannot be pending",
        [1, 2].map(AlwaysReady::Ready),
    );
    let either = |n| match n {
        1 => MaybeReady::Ready(n),
        _ => MaybeReady::Pending(async move { n }),
    };
    check("values and futures", [1, 2].map(either));
    check("boxed ones", [1, 2].map(|n| either(n).boxed()));
    check("awaited ones", [1, 2].map(|n| either(n).into_future()));
}

#[test]
fn a_join_is_an_item_of_a_join() {
    let (hands, items) = children(6);
    let mut items = items.into_iter();
    let rows = iter::from_fn(|| {
        let row = [items.next()?, items.next()?, items.next()?];
        Some(join_all(row))
    });
    let nothing = join_all(Vec::<Child<usize>>::new());
    let mut joined = future_of(join_all(rows.chain([nothing])));
    let task = Wakes::new();
    assert!(poll(&mut joined, &task).is_pending());

    for (done, i) in [4, 1, 2, 5, 3, 0].into_iter().enumerate() {
        assert_eq!(task.count(), done);
        hands[i].finish(i);
        assert_eq!(
            task.count(),
            done + 1,
            "the task is told through both joins"
        );
        let output = poll(&mut joined, &task);
        assert_eq!(polls(&hands).iter().sum::<usize>(), 6 + done + 1);
        match output {
            Poll::Ready(rows) => assert_eq!(rows, [vec![0, 1, 2], vec![3, 4, 5], vec![]]),
            Poll::Pending => assert!(done < 5, "all items have finished"),
        }
    }
    assert!(joined.is_terminated());
}

#[test]
fn joins_run_in_an_unordered_set() {
    let row = |n: usize| future_of(join_all((0..n).map(move |i| Yield::new(n - i, i))));
    let joins: FuturesUnordered<_> = [40, 1, 7].map(row).into_iter().collect();
    let (rows, _) = drive(joins.collect::<Vec<_>>());
    let rows: Vec<usize> = rows.iter().map(Vec::len).collect();
    assert_eq!(rows, [1, 7, 40], "the shortest first");
}

#[test]
fn a_join_is_selected_until_it_is_complete() {
    let mut fast = future_of(join_all([Yield::new(1, 1), Yield::new(2, 2)]));
    let mut slow = future_of(try_join_all([Yield::new(3, Ok(3)), Yield::new(4, Err(4))]));
    let (events, _) = drive(async {
        let mut events = Vec::new();
        for _ in 0..3 {
            futures::select! {
                values = fast => events.push(format!("{values:?}")),
                values = slow => events.push(format!("{values:?}")),
                complete => events.push("complete".to_owned()),
            }
        }
        events
    });
    assert_eq!(events, ["[1, 2]", "Err(4)", "complete"]);
}

#[test]
fn futures_of_any_size_and_alignment_stay_where_they_were_polled_first() {
    #[derive(Default)]
    #[repr(align(64))]
    struct Cacheline(#[allow(dead_code, reason = "it is there for its size")] [u8; 32]);

    fn check<B: Default>() {
        for n in SIZES {
            let items = (0..n).map(|i| Rooted::<B>::new(i % 5));
            let mut places = [Some(future_of(join_all(items))), None];
            let finished_in = (0..5).find(|poll| {
                let joined = places[poll % 2].as_mut().unwrap();
                let is_ready = poll_once(Pin::new(joined)).is_ready();
                // The join itself may be moved at any time.
                places.swap(0, 1);
                is_ready
            });
            // The slowest yields 4 times.
            assert_eq!(finished_in, Some(4.min(n - 1)), "{n} items");
        }
    }

    check::<()>();
    check::<u8>();
    check::<[[u8; 32]; 32]>();
    check::<Cacheline>();
}

#[test]
fn a_join_of_pinned_futures_may_be_sent_between_polls() {
    let mut joined = future_of(join_all([0, 3].map(Rooted::<()>::new)));
    assert!(poll_once(Pin::new(&mut joined)).is_pending());
    let mut joined = thread::spawn(move || {
        assert!(poll_once(Pin::new(&mut joined)).is_pending());
        joined
    })
    .join()
    .expect("it should go on in another thread");
    assert!(poll_once(Pin::new(&mut joined)).is_pending());
    assert!(poll_once(Pin::new(&mut joined)).is_ready());
}
