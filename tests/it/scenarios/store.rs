//! A store behind `dyn`: one method where there were a fallible `try_read` and an `async` `read`,
//! which had drifted apart.

use std::collections::HashMap;

use futures::lock::Mutex;
use maybe_ready::{BoxMaybeReady, MaybeReady, try_join_all};

use crate::support::drive;

#[derive(Clone, Debug, PartialEq)]
struct NoSuchKey(u32);

type Read = Result<String, NoSuchKey>;
type ReadAll = Result<Vec<String>, NoSuchKey>;

trait Store {
    fn read(&self, key: u32) -> BoxMaybeReady<'_, Read>;
}

/// Its values are at hand, unless another has the lock.
struct Memory(Mutex<HashMap<u32, String>>);

impl Memory {
    fn new(entries: impl IntoIterator<Item = u32>) -> Self {
        let entries = entries.into_iter().map(|key| (key, format!("value {key}")));
        Self(Mutex::new(entries.collect()))
    }
}

fn find(entries: &HashMap<u32, String>, key: u32) -> Read {
    entries.get(&key).cloned().ok_or(NoSuchKey(key))
}

impl Store for Memory {
    fn read(&self, key: u32) -> BoxMaybeReady<'_, Read> {
        match self.0.try_lock() {
            Some(entries) => MaybeReady::Ready(find(&entries, key)),
            None => MaybeReady::Pending(async move { find(&*self.0.lock().await, key) }).boxed(),
        }
    }
}

/// For callers that cannot wait: readiness is required, and what lacked it is named.
struct Now<'a>(&'a dyn Store);

#[derive(Debug, PartialEq)]
enum NowError {
    NoSuchKey(u32),
    NotReady { operation: &'static str },
}

impl Now<'_> {
    fn read(&self, key: u32) -> Result<String, NowError> {
        now("read", self.0.read(key))
    }

    fn read_all(&self, keys: &[u32]) -> Result<Vec<String>, NowError> {
        now("read_all", read_all(self.0, keys))
    }
}

fn now<T, F: Future<Output = Result<T, NoSuchKey>>>(
    operation: &'static str,
    answer: MaybeReady<Result<T, NoSuchKey>, F>,
) -> Result<T, NowError> {
    answer
        .map_err(|NoSuchKey(key)| NowError::NoSuchKey(key))
        .unwrap_or_else(|_| Err(NowError::NotReady { operation }))
}

/// Many reads, their values in the order of the keys.
fn read_all<'a>(
    store: &'a dyn Store,
    keys: &[u32],
) -> MaybeReady<ReadAll, impl Future<Output = ReadAll> + use<'a>> {
    try_join_all(keys.iter().map(|key| store.read(*key)))
}

#[test]
fn a_free_store_answers_at_once() {
    let store = Memory::new([1, 2]);
    assert_eq!(Now(&store).read(1).as_deref(), Ok("value 1"));
    assert_eq!(Now(&store).read(3), Err(NowError::NoSuchKey(3)));
    let both = Now(&store).read_all(&[2, 1]).unwrap();
    assert_eq!(both, ["value 2", "value 1"]);
    assert_eq!(Now(&store).read_all(&[2, 3]), Err(NowError::NoSuchKey(3)));
}

#[test]
fn a_contended_store_answers_pending_and_not_wrong() {
    let store = Memory::new([1]);
    let not_ready = |operation| Err(NowError::NotReady { operation });

    let mut held = store.0.try_lock().expect("nobody else has it");
    assert_eq!(Now(&store).read(1), not_ready("read"));
    let later = store.read(2);
    held.insert(2, "written meanwhile".to_owned());
    drop(held);

    assert_eq!(drive(later).0.as_deref(), Ok("written meanwhile"));
    assert_eq!(Now(&store).read(1).as_deref(), Ok("value 1"));
}

#[test]
fn many_reads_keep_their_places_when_some_have_to_wait() {
    struct Half(Memory, Memory);

    impl Store for Half {
        fn read(&self, key: u32) -> BoxMaybeReady<'_, Read> {
            let half = if key % 2 == 0 { &self.0 } else { &self.1 };
            half.read(key)
        }
    }

    let store = Half(Memory::new(0..100), Memory::new(0..100));
    let keys: Vec<u32> = (0..100).rev().collect();
    let expected: Vec<String> = keys.iter().map(|key| format!("value {key}")).collect();

    let held = store.1.0.try_lock();
    let not_ready = NowError::NotReady {
        operation: "read_all",
    };
    assert_eq!(Now(&store).read_all(&keys), Err(not_ready));
    let all = read_all(&store, &keys);
    drop(held);
    assert_eq!(drive(all).0.as_deref(), Ok(&expected[..]));
}
