//! A store behind `dyn`: one method where there were a fallible `try_read` and an `async` `read`,
//! which had drifted apart.

use std::collections::HashMap;

use futures::lock::Mutex;
use maybe_ready::{BoxMaybeReady, MaybeReady, try_join_all};

use crate::support::drive;

#[derive(Clone, Debug, PartialEq)]
struct NoSuchKey(String);

type Read = Result<String, NoSuchKey>;
type ReadAll = Result<Vec<String>, NoSuchKey>;

trait Store {
    fn read(&self, key: &str) -> BoxMaybeReady<'_, Read>;
}

/// Its values are at hand, unless another has the lock.
struct Memory(Mutex<HashMap<String, String>>);

impl Memory {
    fn new<'a>(keys: impl IntoIterator<Item = &'a str>) -> Self {
        let entry = |key: &str| (key.to_owned(), format!("value of {key}"));
        Self(Mutex::new(keys.into_iter().map(entry).collect()))
    }

    async fn find_later(&self, key: String) -> Read {
        find(&*self.0.lock().await, &key)
    }
}

fn find(entries: &HashMap<String, String>, key: &str) -> Read {
    let value = entries.get(key).cloned();
    value.ok_or_else(|| NoSuchKey(key.to_owned()))
}

impl Store for Memory {
    fn read(&self, key: &str) -> BoxMaybeReady<'_, Read> {
        match self.0.try_lock() {
            Some(entries) => MaybeReady::Ready(find(&entries, key)),
            None => MaybeReady::Pending(self.find_later(key.to_owned())).boxed(),
        }
    }
}

/// For callers that cannot wait: readiness is required, and what lacked it is named.
struct Now<'a>(&'a dyn Store);

#[derive(Debug, PartialEq)]
enum NowError {
    NoSuchKey(String),
    NotReady { operation: &'static str },
}

impl Now<'_> {
    fn read(&self, key: &str) -> Result<String, NowError> {
        now("read", self.0.read(key))
    }

    fn read_all(&self, keys: &[&str]) -> Result<Vec<String>, NowError> {
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
    keys: &[&str],
) -> MaybeReady<ReadAll, impl Future<Output = ReadAll> + use<'a>> {
    try_join_all(keys.iter().map(|key| store.read(key)))
}

#[test]
fn a_free_store_answers_at_once() {
    let store = Memory::new(["a", "b"]);
    let missing = || NowError::NoSuchKey("c".to_owned());
    assert_eq!(Now(&store).read("a").as_deref(), Ok("value of a"));
    assert_eq!(Now(&store).read("c"), Err(missing()));
    let both = Now(&store).read_all(&["b", "a"]).unwrap();
    assert_eq!(both, ["value of b", "value of a"]);
    assert_eq!(Now(&store).read_all(&["b", "c"]), Err(missing()));
}

#[test]
fn a_contended_store_answers_pending_and_not_wrong() {
    let store = Memory::new(["a"]);
    let not_ready = |operation| Err(NowError::NotReady { operation });

    let mut held = store.0.try_lock().expect("nobody else has it");
    assert_eq!(Now(&store).read("a"), not_ready("read"));
    let later = store.read("b");
    held.insert("b".to_owned(), "written meanwhile".to_owned());
    drop(held);

    assert_eq!(drive(later).0.as_deref(), Ok("written meanwhile"));
    assert_eq!(Now(&store).read("a").as_deref(), Ok("value of a"));
}

#[test]
fn many_reads_keep_their_places_when_some_have_to_wait() {
    struct Half(Memory, Memory);

    impl Store for Half {
        fn read(&self, key: &str) -> BoxMaybeReady<'_, Read> {
            let half = if key.len() % 2 == 0 { &self.0 } else { &self.1 };
            half.read(key)
        }
    }

    let digits = "3141592653589793238462643383279";
    let keys: Vec<&str> = (0..digits.len()).map(|start| &digits[start..]).collect();
    let expected: Vec<String> = keys.iter().map(|key| format!("value of {key}")).collect();
    let all = || keys.iter().copied();
    let store = Half(Memory::new(all()), Memory::new(all()));

    let held = store.1.0.try_lock();
    let not_ready = NowError::NotReady {
        operation: "read_all",
    };
    assert_eq!(Now(&store).read_all(&keys), Err(not_ready));
    let all = read_all(&store, &keys);
    drop(held);
    assert_eq!(drive(all).0.as_deref(), Ok(&expected[..]));
}
