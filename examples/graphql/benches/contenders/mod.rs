//! Ways to answer the same query, and how many of its authors they have to fetch.

pub(crate) mod async_graphql;
mod blog;
pub(crate) mod floor;
pub(crate) mod juniper;
pub(crate) mod ours;

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::ops::Range;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, LazyLock};

use support::Results;
use tokio::runtime::{Builder, Runtime};

use crate::contenders::blog::{AUTHORS, Author, BLOG, OCCASIONAL, REGULAR};

/// The name of the group.
pub(crate) const GROUP: &str = "500 posts and their authors";

/// What a cache is not to know when the query comes.
pub(crate) struct Case {
    pub name: &'static str,
    pub unknown: Range<u32>,
}

pub(crate) const ALL_HITS: Case = Case {
    name: "100 % hits",
    unknown: 0..0,
};

/// One author of one post.
pub(crate) const ONE_MISS: Case = Case {
    name: "one miss",
    unknown: OCCASIONAL..OCCASIONAL + 1,
};

/// One author of five posts.
pub(crate) const FEW_MISSES: Case = Case {
    name: "99 % hits",
    unknown: REGULAR..REGULAR + 1,
};

pub(crate) const NO_HITS: Case = Case {
    name: "0 % hits",
    unknown: 0..AUTHORS,
};

pub(crate) const CASES: [Case; 4] = [ALL_HITS, ONE_MISS, FEW_MISSES, NO_HITS];

pub(crate) struct Contender {
    pub name: &'static str,
    /// Answers the query.
    query: Box<dyn Fn() -> Vec<u8>>,
    /// Takes authors out of its cache, and leaves the others in there. One that is synchronous has no
    /// cache, but all authors at hand.
    forget: Option<Box<dyn Fn(Range<u32>)>>,
}

impl Contender {
    /// Whether it can come into such a case.
    pub(crate) fn knows(&self, case: &Case) -> bool {
        self.forget.is_some() || case.unknown.is_empty()
    }

    /// Makes the cache as the case has it, if it has been filled by a query.
    pub(crate) fn prepare(&self, case: &Case) {
        if let Some(forget) = &self.forget
            && !case.unknown.is_empty()
        {
            forget(case.unknown.clone());
        }
    }

    pub(crate) fn query(&self) -> Vec<u8> {
        (self.query)()
    }

    /// Counts what it takes to answer.
    ///
    /// # Panics
    ///
    /// If the answer is wrong, or if it fetched something though it knew all, or the other way round.
    pub(crate) fn check(&self, case: &Case) -> Counts {
        self.prepare(case);
        COUNTS.take();
        let answer = self.query();
        let counts = COUNTS.take();
        let at = format!("{}, {}", self.name, case.name);
        let expected = floor::answer();
        let pairs = answer.iter().zip(&expected);
        let same = pairs.take_while(|(one, other)| one == other).count();
        let rest = |text: &[u8]| {
            text[same..]
                .escape_ascii()
                .take(80)
                .map(char::from)
                .collect()
        };
        let [answer, expected]: [String; 2] = [answer, expected].map(|text| rest(&text));
        assert_eq!(answer, expected, "the answer of {at} from byte {same} on");
        let fetches = counts.batches > 0;
        assert_ne!(fetches, case.unknown.is_empty(), "the fetches of {at}");
        counts
    }
}

/// All of them, with all authors in their caches.
pub(crate) fn contenders() -> Vec<Contender> {
    let mut contenders = Vec::from(floor::contenders());
    contenders.extend(ours::contenders());
    contenders.push(async_graphql::contender());
    contenders.extend(juniper::contenders());
    for contender in &contenders {
        contender.query();
    }
    contenders
}

/// What was measured, or will be.
pub(crate) fn results() -> Results {
    Results(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("criterion"))
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    /// How often the future of the query was polled.
    pub polls: u32,
    /// How many calls of the backend there were.
    pub batches: u32,
}

thread_local! {
    static COUNTS: Cell<Counts> = Cell::default();
}

fn count(add: impl FnOnce(&mut Counts)) {
    let mut counts = COUNTS.get();
    add(&mut counts);
    COUNTS.set(counts);
}

/// Runs a future to its end, in the runtime that all use.
fn drive<F: Future>(future: F) -> F::Output {
    static RUNTIME: LazyLock<Runtime> =
        LazyLock::new(|| Builder::new_current_thread().build().expect("a runtime"));

    let mut future = pin!(future);
    RUNTIME.block_on(poll_fn(|context| {
        count(|counts| counts.polls += 1);
        future.as_mut().poll(context)
    }))
}

/// The backend of all caches, which answers in the next turn.
async fn fetch(ids: &[u32]) -> impl Iterator<Item = (u32, Arc<Author>)> {
    count(|counts| counts.batches += 1);
    tokio::task::yield_now().await;
    ids.iter().map(|id| (*id, Arc::clone(&BLOG.authors[id])))
}
