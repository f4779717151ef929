//! A cache with "get or fetch": concurrent misses share one fetch, and a hit is a plain read.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll};

use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::{LocalBoxFuture, Shared};
use maybe_ready::MaybeReady;

use crate::support::{Untouchable, Wakes, Yield, drive, poll_once};

type Key = Rc<str>;
type Entry = Rc<str>;

/// What a miss waits for. All who wait for one key drive the same fetch.
#[derive(Clone)]
struct Wait(Shared<LocalBoxFuture<'static, Entry>>);

impl Future for Wait {
    type Output = Entry;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Entry> {
        self.0.poll_unpin(cx)
    }
}

/// The entry of a key is what its readers get: here already, or still on its way.
#[derive(Clone, Default)]
struct Cache(Rc<RefCell<HashMap<Key, MaybeReady<Entry, Wait>>>>);

impl Cache {
    fn get_or_fetch<F>(&self, key: &str, fetch: impl FnOnce() -> F) -> MaybeReady<Entry, Wait>
    where
        F: Future<Output = Entry> + 'static,
    {
        let found = self.0.borrow().get(key).cloned();
        found.unwrap_or_else(|| {
            let fetch = fetch();
            let (cache, key) = (self.clone(), Key::from(key));
            let (done, waiting) = (key.clone(), key);
            let fill = async move {
                let entry = fetch.await;
                let hit = MaybeReady::Ready(entry.clone());
                cache.0.borrow_mut().insert(done, hit);
                entry
            };
            let miss = MaybeReady::Pending(Wait(fill.boxed_local().shared()));
            self.0.borrow_mut().insert(waiting, miss.clone());
            miss
        })
    }
}

async fn fetch(entry: &str) -> Entry {
    Yield::new(2, entry.into()).await
}

#[test]
fn a_hit_fetches_nothing_allocates_nothing_and_counts_once() {
    let cache = Cache::default();
    drive(cache.get_or_fetch("1", || fetch("one")));

    let reads = Cell::new(0);
    let hit = allocation_counter::measure(|| {
        let hit = cache
            .get_or_fetch("1", || -> LocalBoxFuture<'static, Entry> {
                panic!("a hit must not fetch")
            })
            .inspect(|_| reads.set(reads.get() + 1));
        assert_eq!(&*hit.unwrap_ready(), "one");
    });
    assert_eq!(hit.count_total, 0, "a hit must not allocate");
    assert_eq!(reads.get(), 1);
}

#[test]
fn a_miss_counts_once_when_it_arrives() {
    let cache = Cache::default();
    let reads = Cell::new(0);
    let counted = cache
        .get_or_fetch("1", || fetch("one"))
        .inspect(|_| reads.set(reads.get() + 1));
    assert_eq!(reads.get(), 0, "it is not there yet");
    assert_eq!(&*drive(counted).0, "one");
    assert_eq!(reads.get(), 1);
}

#[test]
fn concurrent_misses_share_one_fetch_and_outlive_whoever_came_first() {
    let cache = Cache::default();
    let (answer, fetched) = oneshot::channel();
    let fetched = Cell::new(Some(fetched));
    let read = || {
        cache.get_or_fetch("1", || {
            let fetched = fetched.take().expect("nobody fetched before");
            fetched.map(|entry| entry.expect("it is answered"))
        })
    };

    let mut leader = Box::pin(read().into_future());
    let mut follower = pin!(read().into_future());
    assert!(poll_once(leader.as_mut()).is_pending());
    let wakes = Wakes::new();
    let waker = wakes.clone().into();
    let mut cx = Context::from_waker(&waker);
    assert!(follower.as_mut().poll(&mut cx).is_pending());

    drop(leader);
    answer.send("one".into()).expect("the fetch goes on");
    assert!(wakes.count() > 0, "the follower is to fetch on");
    assert_eq!(follower.poll(&mut cx), Poll::Ready("one".into()));
    assert!(read().is_ready());
}

#[test]
fn a_hit_touches_no_waker() {
    let cache = Cache::default();
    drive(cache.get_or_fetch("1", || fetch("one")));
    let untouchable = Untouchable::new();
    let hit = cache.get_or_fetch("1", || fetch("two"));
    {
        let waker = untouchable.waker();
        let polled = pin!(hit.into_future()).poll(&mut Context::from_waker(&waker));
        assert_eq!(polled, Poll::Ready("one".into()));
    }
    untouchable.check();
}
