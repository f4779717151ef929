//! What is allocated: one output if all is ready, and little for what is not.

use std::future::Future;
use std::hint::black_box;
use std::iter;
use std::pin::Pin;
use std::task::{Context, Poll};

use allocation_counter::measure;
use maybe_ready::{MaybeReady, join_all, try_join_all};

use super::SIZES;
use crate::support::{Unpollable, Untouchable, Yield, future_of, poll_once, ready};

#[test]
fn values_take_one_allocation_of_their_exact_size_and_touch_no_waker() {
    for n in SIZES.into_iter().chain([1, 10_000]) {
        let untouchable = Untouchable::new();
        let waker = untouchable.waker();
        let mut cx = Context::from_waker(&waker);

        let mut output = Poll::Pending;
        let info = measure(|| {
            let joined = join_all((0..n).map(ready));
            output = Pin::new(&mut joined.into_future()).poll(&mut cx);
        });
        let Poll::Ready(values) = output else {
            panic!("{n} items that are ready should be ready");
        };
        assert_eq!(info.count_total, 1, "allocations for {n} items");
        assert_eq!(info.bytes_total, (n * size_of::<usize>()) as u64);
        assert_eq!(values.capacity(), n);
        assert_eq!(values, (0..n).collect::<Vec<_>>());

        let mut output = Poll::Pending;
        let info = measure(|| {
            let joined = try_join_all((0..n).map(Ok::<_, ()>).map(ready));
            output = Pin::new(&mut joined.into_future()).poll(&mut cx);
        });
        let Poll::Ready(Ok(values)) = output else {
            panic!("{n} items that are ready should be ready");
        };
        assert_eq!(info.count_total, 1, "allocations for {n} results");
        assert_eq!(info.bytes_total, (n * size_of::<usize>()) as u64);
        assert_eq!(values.capacity(), n);
        assert_eq!(values, (0..n).collect::<Vec<_>>());

        drop(waker);
        untouchable.check();
    }
}

#[test]
fn nothing_takes_no_allocation() {
    let info = measure(|| {
        let none = iter::empty::<Unpollable<u8>>();
        assert_eq!(join_all(none).unwrap_ready(), []);
        let none = iter::empty::<Unpollable<Result<u8, ()>>>();
        assert_eq!(try_join_all(none).unwrap_ready(), Ok(vec![]));
        let no_size = join_all(iter::repeat_n((), 100).map(ready));
        assert_eq!(no_size.unwrap_ready().len(), 100);
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn values_that_are_not_announced_take_as_many_allocations_as_in_a_vec() {
    // What is filtered announces nothing.
    let numbers = || (0..1000).filter(|n| n % 3 > 0);
    let vec = measure(|| drop(black_box(numbers().collect::<Vec<_>>())));
    let joined = measure(|| drop(black_box(join_all(numbers().map(ready)).unwrap_ready())));
    assert_eq!(joined.count_total, vec.count_total);
}

#[test]
fn a_miss_takes_at_most_two_allocations() {
    for n in [1000, 10_000] {
        // 1 %, 10 % and all.
        for every in [100, 10, 1] {
            let item = move |i: usize| match i % every {
                0 => MaybeReady::Pending(Yield::new(i % 3, i)),
                _ => MaybeReady::Ready(i),
            };
            let bound = 2 * (n / every) as u64 + 4;
            let count = allocations(|| join_all((0..n).map(item)));
            assert!(
                count <= bound,
                "{count} allocations for {n} items, of which one in {every} is pending"
            );

            let item = move |i: usize| match i % every {
                0 => MaybeReady::Pending(Yield::new(i % 3, Ok::<_, ()>(i))),
                _ => MaybeReady::Ready(Ok(i)),
            };
            let count = allocations(|| try_join_all((0..n).map(item)));
            assert!(
                count <= bound,
                "{count} allocations for {n} results, of which one in {every} is pending"
            );
        }
    }
}

/// Joins and waits.
fn allocations<T, F: Future<Output = T> + Unpin>(join: impl FnOnce() -> MaybeReady<T, F>) -> u64 {
    let info = measure(|| {
        finish(&mut future_of(join()));
    });
    info.count_total
}

/// Polls until ready, and does not itself allocate.
fn finish<F: Future + Unpin>(joined: &mut F) {
    let ready = (0..10).any(|_| poll_once(Pin::new(&mut *joined)).is_ready());
    assert!(ready, "should be ready after 10 polls");
}

#[test]
fn after_the_first_poll_nothing_more_is_allocated() {
    for n in SIZES {
        let mut joined = future_of(join_all((0..n).map(|i| Yield::new(1 + i % 5, i))));
        assert!(poll_once(Pin::new(&mut joined)).is_pending());
        let info = measure(|| finish(&mut joined));
        assert_eq!(info.count_total, 0, "allocations of later polls, {n} items");
    }
}

/// A large future.
struct Large([u8; 4096]);

impl Future for Large {
    type Output = u8;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u8> {
        Poll::Ready(self.0[0])
    }
}

#[test]
fn a_join_pays_for_the_one_miss_that_it_has() {
    let hits = (0..8).map(|_| MaybeReady::Ready(1));
    let items = hits.chain([MaybeReady::Pending(Large([2; 4096]))]);
    let memory = measure(|| drop(join_all::<_, MaybeReady<u8, Large>>(items)));
    assert!(
        memory.bytes_max < 2 * 4096,
        "a join of one miss of 4 KiB should take little more than that, not {} bytes",
        memory.bytes_max
    );
}
