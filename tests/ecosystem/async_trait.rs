//! async-trait, on either side of a trait that returns a `MaybeReady`.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Mutex;

use async_trait::async_trait;
use futures::future::FutureExt;
use maybe_ready::{BoxMaybeReady, LocalBoxMaybeReady, MaybeReady};
use smol::future::yield_now;

type Value = Option<u32>;

/// What those write who have this crate: one method, and a hit is ready.
trait Store: Sync {
    fn get<'a>(&'a self, key: &'a str) -> BoxMaybeReady<'a, Value>;
}

/// What those write who have async-trait: always a box.
#[async_trait]
trait Repository: Sync {
    async fn find(&self, key: &str) -> Value;
}

struct Disk;

#[async_trait]
impl Repository for Disk {
    async fn find(&self, key: &str) -> Value {
        yield_now().await;
        key.parse().ok()
    }
}

/// Any repository behind a store. The box of async-trait is the one that a store wants.
struct Stored<R>(R);

impl<R: Repository> Store for Stored<R> {
    fn get<'a>(&'a self, key: &'a str) -> BoxMaybeReady<'a, Value> {
        MaybeReady::Pending(self.0.find(key))
    }
}

/// What another store gave, kept.
struct Cached<S> {
    inner: S,
    known: Mutex<HashMap<String, Value>>,
}

impl<S: Store> Store for Cached<S> {
    fn get<'a>(&'a self, key: &'a str) -> BoxMaybeReady<'a, Value> {
        let hit = self.known.lock().expect("no panic").get(key).copied();
        match hit {
            Some(value) => MaybeReady::Ready(value),
            None => self
                .inner
                .get(key)
                .map_pending(|miss| async move {
                    let value = miss.await;
                    self.known
                        .lock()
                        .expect("no panic")
                        .insert(key.to_owned(), value);
                    value
                })
                .boxed(),
        }
    }
}

/// Any store behind a repository.
#[async_trait]
impl Repository for Cached<Stored<Disk>> {
    async fn find(&self, key: &str) -> Value {
        self.get(key).await
    }
}

fn cached() -> Cached<Stored<Disk>> {
    Cached {
        inner: Stored(Disk),
        known: Mutex::default(),
    }
}

fn allocations(f: impl FnOnce()) -> u64 {
    allocation_counter::measure(f).count_total
}

#[test]
fn an_async_trait_behind_a_store_is_boxed_once_and_not_again() {
    let store: &dyn Store = &Stored(Disk);
    assert_eq!(pollster::block_on(store.get("7")), Some(7));
    assert_eq!(allocations(|| assert!(store.get("7").is_pending())), 1);
}

#[test]
fn a_cache_over_an_async_trait_has_hits_without_a_box() {
    let store: &dyn Store = &cached();
    assert_eq!(pollster::block_on(store.get("7")), Some(7));
    let hit = allocations(|| assert_eq!(store.get("7").unwrap_ready(), Some(7)));
    assert_eq!(hit, 0);
}

#[test]
fn a_store_behind_an_async_trait_works_and_boxes_every_hit() {
    let store = cached();
    let repository: &dyn Repository = &store;
    assert_eq!(pollster::block_on(repository.find("7")), Some(7));
    let hit = allocations(|| {
        let found = repository.find("7").now_or_never();
        assert_eq!(found, Some(Some(7)), "it is there at the first poll");
    });
    assert_eq!(hit, 1);
}

#[test]
fn an_async_trait_that_is_not_send_goes_with_the_local_alias() {
    #[async_trait(?Send)]
    trait Repository {
        async fn find(&self, key: Rc<str>) -> Rc<str>;
    }

    struct Echo;

    #[async_trait(?Send)]
    impl Repository for Echo {
        async fn find(&self, key: Rc<str>) -> Rc<str> {
            yield_now().await;
            key
        }
    }

    let found: LocalBoxMaybeReady<'_, Rc<str>> = MaybeReady::Pending(Echo.find("key".into()));
    assert_eq!(&*pollster::block_on(found), "key");
}
