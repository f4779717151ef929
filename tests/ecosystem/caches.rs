//! Caches of others behind one function, whose hits are ready: `quick_cache` and moka.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::FutureExt;
use maybe_ready::{MaybeReady, join_all};
use moka::future::Cache as Moka;
use quick_cache::sync::Cache as Quick;
use smol::future::{poll_once, yield_now};

type Value = Arc<str>;

/// Where the values come from. It counts how often it is asked.
#[derive(Default)]
struct Origin(AtomicUsize);

impl Origin {
    async fn fetch(&self, key: u32) -> Value {
        self.0.fetch_add(1, Ordering::Relaxed);
        yield_now().await;
        format!("value {key}").into()
    }

    fn fetches(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

trait Cache {
    fn with_room() -> Self;

    /// The value at once if it is cached. Whoever misses it meanwhile waits for the same fetch.
    fn value(
        &self,
        key: u32,
        origin: &Origin,
    ) -> MaybeReady<Value, impl Future<Output = Value> + Send>;
}

impl Cache for Quick<u32, Value> {
    fn with_room() -> Self {
        Self::new(100)
    }

    fn value(
        &self,
        key: u32,
        origin: &Origin,
    ) -> MaybeReady<Value, impl Future<Output = Value> + Send> {
        match self.get(&key) {
            Some(value) => MaybeReady::Ready(value),
            None => MaybeReady::Pending(async move {
                let fetch = async { Ok(origin.fetch(key).await) };
                let Ok::<_, Infallible>(value) = self.get_or_insert_async(&key, fetch).await;
                value
            }),
        }
    }
}

/// Its `get` is async for the upkeep that it does on the side. Nearly always it has nothing to wait
/// for; when it has, the hit counts as a miss, and `get_with` finds it.
impl Cache for Moka<u32, Value> {
    fn with_room() -> Self {
        Self::new(100)
    }

    fn value(
        &self,
        key: u32,
        origin: &Origin,
    ) -> MaybeReady<Value, impl Future<Output = Value> + Send> {
        match self.get(&key).now_or_never().flatten() {
            Some(value) => MaybeReady::Ready(value),
            None => MaybeReady::Pending(self.get_with(key, origin.fetch(key))),
        }
    }
}

fn a_hit_is_ready<C: Cache>() {
    let (cache, origin) = (C::with_room(), Origin::default());
    assert!(cache.value(1, &origin).is_pending());
    assert_eq!(
        origin.fetches(),
        0,
        "a miss that is dropped fetches nothing"
    );

    assert_eq!(&*pollster::block_on(cache.value(1, &origin)), "value 1");
    assert_eq!(&*cache.value(1, &origin).unwrap_ready(), "value 1");
    assert_eq!(origin.fetches(), 1);
}

#[test]
fn a_hit_of_quick_cache_is_ready_and_needs_no_runtime() {
    a_hit_is_ready::<Quick<_, _>>();
}

#[test]
fn a_hit_of_moka_is_ready_and_needs_no_runtime_though_its_get_is_async() {
    a_hit_is_ready::<Moka<_, _>>();
}

/// Not one of moka: every so often that pays for the upkeep of the cache.
#[test]
fn a_hit_of_quick_cache_does_not_allocate() {
    let (cache, origin) = (Quick::with_room(), Origin::default());
    pollster::block_on(cache.value(1, &origin));
    let hits = allocation_counter::measure(|| {
        for _ in 0..1000 {
            assert!(cache.value(1, &origin).is_ready());
        }
    });
    assert_eq!(hits.count_total, 0);
}

fn misses_share_a_fetch<C: Cache>() {
    let (cache, origin) = (C::with_room(), Origin::default());
    let misses = [1, 1, 2, 1].map(|key| cache.value(key, &origin));
    let values = pollster::block_on(join_all(misses));
    let values = values.iter().map(|value| &**value).collect::<Vec<_>>();
    assert_eq!(values, ["value 1", "value 1", "value 2", "value 1"]);
    assert_eq!(origin.fetches(), 2, "one for each key");

    let hits = [1, 2].map(|key| cache.value(key, &origin));
    assert!(join_all(hits).is_ready());
}

#[test]
fn concurrent_misses_of_quick_cache_share_a_fetch() {
    misses_share_a_fetch::<Quick<_, _>>();
}

#[test]
fn concurrent_misses_of_moka_share_a_fetch() {
    misses_share_a_fetch::<Moka<_, _>>();
}

fn a_fetch_is_taken_over<C: Cache>() {
    let (cache, origin) = (C::with_room(), Origin::default());
    let mut leader = Box::pin(cache.value(1, &origin).into_future());
    let mut follower = pin!(cache.value(1, &origin).into_future());
    pollster::block_on(async {
        assert_eq!(poll_once(&mut leader).await, None);
        assert_eq!(poll_once(&mut follower).await, None);
        assert_eq!(origin.fetches(), 1);

        drop(leader);
        assert_eq!(&*follower.await, "value 1");
        assert_eq!(origin.fetches(), 2);
    });
}

#[test]
fn a_fetch_of_quick_cache_that_is_given_up_is_taken_over_by_who_waits() {
    a_fetch_is_taken_over::<Quick<_, _>>();
}

#[test]
fn a_fetch_of_moka_that_is_given_up_is_taken_over_by_who_waits() {
    a_fetch_is_taken_over::<Moka<_, _>>();
}
