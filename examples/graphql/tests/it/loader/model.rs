//! Random programs against a model of the loader that is slow and plain: it has the text of the
//! module documentation, and neither locks nor wakers.

use std::collections::BTreeMap;
use std::task::Poll;

use graphql_example::loader::{Load, LoadError, Loader, Policy};
use maybe_ready::MaybeReady;
use proptest::prelude::*;

use super::support::{Answer, BAD, Backend, Task, Value};

#[derive(Clone, Debug)]
enum Step {
    Load(u32),
    /// Polls one of the loads that wait.
    Poll(usize),
    Drop(usize),
    /// Has a batch in flight done.
    Release(usize),
    /// Has a batch in flight polled for nothing.
    Wake(usize),
    Clear(u32),
    ClearAll,
    Prime(u32),
}

fn step() -> impl Strategy<Value = Step> {
    let key = || prop_oneof![4 => 0_u32..4, 1 => Just(BAD)];
    prop_oneof![
        6 => key().prop_map(Step::Load),
        8 => any::<usize>().prop_map(Step::Poll),
        2 => any::<usize>().prop_map(Step::Drop),
        3 => any::<usize>().prop_map(Step::Release),
        2 => any::<usize>().prop_map(Step::Wake),
        1 => key().prop_map(Step::Clear),
        1 => Just(Step::ClearAll),
        1 => key().prop_map(Step::Prime),
    ]
}

#[derive(Clone, Copy, Debug)]
struct Options {
    cache: bool,
    policy: Policy,
    max: usize,
    /// Whether errors are remembered.
    errors: bool,
}

fn options() -> impl Strategy<Value = Options> {
    let policy = prop_oneof![Just(Policy::Immediate), Just(Policy::Aligned)];
    let max = prop_oneof![Just(1), Just(2), Just(usize::MAX)];
    let cache = prop::bool::weighted(0.8);
    let options = (cache, policy, max, any::<bool>());
    options.prop_map(|(cache, policy, max, errors)| Options {
        cache,
        policy,
        max,
        errors,
    })
}

#[derive(Default)]
struct Model {
    entries: BTreeMap<u32, Entry>,
    batches: Vec<Batch>,
    open: Option<usize>,
    sent: Vec<Vec<u32>>,
    fetches: usize,
    waiting: Vec<Waiting>,
}

enum Entry {
    Resolved(Answer),
    Fetching {
        batch: usize,
        fetch: usize,
        cleared: bool,
    },
}

struct Batch {
    /// Each key, and the number of its fetch.
    keys: Vec<(u32, usize)>,
    phase: Phase,
    /// Whether it was woken, and none of its loads polled since.
    woken: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Queued,
    /// What number it has in `sent`, and whether it was released.
    InFlight(usize, bool),
    Done(usize),
}

struct Waiting {
    batch: usize,
    wants: Wants,
    polled: bool,
}

#[derive(PartialEq)]
enum Wants {
    /// What is fetched for a key, by the number of the fetch.
    Fetch(u32, usize),
    /// What was resolved.
    Aligned(Answer),
}

fn fetched(key: u32, batch: usize) -> Answer {
    match key {
        BAD => Err(LoadError::Key("bad key")),
        _ => Ok((key, batch)),
    }
}

impl Model {
    /// Loads a key; a load that is pending waits at the end of the list.
    fn load(&mut self, key: u32, options: Options) -> Option<Answer> {
        let (batch, wants) = match self.entries.get_mut(&key) {
            Some(Entry::Resolved(answer)) => match self.open {
                Some(open) if options.policy == Policy::Aligned => {
                    (open, Wants::Aligned(answer.clone()))
                }
                _ => return Some(answer.clone()),
            },
            Some(Entry::Fetching {
                batch,
                fetch,
                cleared,
            }) => {
                *cleared = false;
                (*batch, Wants::Fetch(key, *fetch))
            }
            None => {
                let batch = self.open.unwrap_or_else(|| {
                    self.batches.push(Batch {
                        keys: Vec::new(),
                        phase: Phase::Queued,
                        woken: false,
                    });
                    self.batches.len() - 1
                });
                let fetch = self.fetches;
                self.fetches += 1;
                self.batches[batch].keys.push((key, fetch));
                let is_full = self.batches[batch].keys.len() == options.max;
                self.open = (!is_full).then_some(batch);
                if options.cache {
                    let cleared = false;
                    let entry = Entry::Fetching {
                        batch,
                        fetch,
                        cleared,
                    };
                    self.entries.insert(key, entry);
                }
                (batch, Wants::Fetch(key, fetch))
            }
        };
        let polled = false;
        self.waiting.push(Waiting {
            batch,
            wants,
            polled,
        });
        None
    }

    fn poll(&mut self, load: usize, options: Options) -> Poll<Answer> {
        let Waiting { batch, polled, .. } = self.waiting[load];
        self.waiting[load].polled = true;
        self.batches[batch].woken = false;
        match self.batches[batch].phase {
            Phase::Queued if self.open == Some(batch) && !polled => Poll::Pending,
            Phase::Queued => {
                self.batches[batch].phase = Phase::InFlight(self.sent.len(), false);
                let keys = self.batches[batch].keys.iter().map(|(key, _)| *key);
                self.sent.push(keys.collect());
                if self.open == Some(batch) {
                    self.open = None;
                }
                Poll::Pending
            }
            Phase::InFlight(_, false) => Poll::Pending,
            Phase::InFlight(number, true) => {
                self.batches[batch].phase = Phase::Done(number);
                self.entries.retain(|&key, entry| {
                    let answer = fetched(key, number);
                    if !matches!(entry, Entry::Fetching { batch: other, .. } if *other == batch) {
                        return true;
                    }
                    let is_remembered = options.errors || answer.is_ok();
                    *entry = Entry::Resolved(answer);
                    is_remembered
                });
                match self.waiting[load].wants {
                    Wants::Fetch(..) => self.give(load, number),
                    // It lets the others go first.
                    Wants::Aligned(_) => Poll::Pending,
                }
            }
            Phase::Done(number) => self.give(load, number),
        }
    }

    fn give(&mut self, load: usize, number: usize) -> Poll<Answer> {
        Poll::Ready(match self.waiting.remove(load).wants {
            Wants::Fetch(key, _) => fetched(key, number),
            Wants::Aligned(answer) => answer,
        })
    }

    fn drop(&mut self, load: usize) {
        let Waiting { batch, wants, .. } = self.waiting.remove(load);
        let is_left = |fetch| {
            let mut left = self.waiting.iter();
            left.any(|load| matches!(load.wants, Wants::Fetch(_, other) if other == fetch))
        };
        let Batch { keys, phase, .. } = &mut self.batches[batch];
        if let Wants::Fetch(_, fetch) = wants
            && *phase == Phase::Queued
            && !is_left(fetch)
        {
            keys.retain(|(_, other)| *other != fetch);
            self.entries.retain(
                |_, entry| !matches!(entry, Entry::Fetching { fetch: other, .. } if *other == fetch),
            );
            if keys.is_empty() {
                *phase = Phase::Done(usize::MAX);
                if self.open == Some(batch) {
                    self.open = None;
                }
            }
        }
        if matches!(phase, Phase::InFlight(..))
            && self.waiting.iter().all(|load| load.batch != batch)
        {
            self.entries.retain(
                |_, entry| !matches!(entry, Entry::Fetching { batch: other, .. } if *other == batch),
            );
        }
    }

    /// A batch that is in flight, is waited for, and was not released.
    fn in_flight(&mut self, choice: usize) -> Option<&mut Batch> {
        let in_flight = |&batch: &usize| {
            let is_waited_for = self.waiting.iter().any(|load| load.batch == batch);
            is_waited_for && matches!(self.batches[batch].phase, Phase::InFlight(_, false))
        };
        let in_flight: Vec<_> = (0..self.batches.len()).filter(in_flight).collect();
        let batch = *in_flight.get(choice.checked_rem(in_flight.len())?)?;
        Some(&mut self.batches[batch])
    }

    fn clear(&mut self, keys: impl Fn(u32) -> bool) {
        let batches = &self.batches;
        self.entries.retain(|&key, entry| match entry {
            Entry::Fetching { batch, cleared, .. }
                if keys(key) && batches[*batch].phase == Phase::Queued =>
            {
                *cleared = true;
                true
            }
            _ => !keys(key),
        });
    }

    fn prime(&mut self, key: u32, value: Value, options: Options) {
        let entry = self.entries.get(&key);
        if options.cache && matches!(entry, None | Some(Entry::Fetching { cleared: true, .. })) {
            self.entries.insert(key, Entry::Resolved(Ok(value)));
        }
    }

    fn peek(&self, key: u32) -> Option<Answer> {
        match self.entries.get(&key)? {
            Entry::Resolved(answer) => Some(answer.clone()),
            Entry::Fetching { .. } => None,
        }
    }

    /// Whether a load that was polled would get anywhere if it were polled again, or its batch would.
    fn is_to_be_woken(&self, load: usize) -> bool {
        let load = &self.waiting[load];
        let batch = &self.batches[load.batch];
        load.polled && (batch.woken || !matches!(batch.phase, Phase::InFlight(_, false)))
    }
}

fn check(options: Options, steps: Vec<Step>) -> Result<(), TestCaseError> {
    let backend = Backend::default();
    let builder = Loader::builder()
        .cache(options.cache)
        .policy(options.policy)
        .max_batch_size(options.max)
        .remember_errors(move |_| options.errors);
    let loader = backend.build_gated(builder);
    let mut model = Model::default();
    let mut loads: Vec<Task<Load<_, _, _>>> = Vec::new();
    for (number, step) in steps.into_iter().enumerate() {
        match step {
            Step::Load(key) => match (loader.load(key), model.load(key, options)) {
                (MaybeReady::Ready(answer), Some(expected)) => prop_assert_eq!(answer, expected),
                (MaybeReady::Pending(load), None) => loads.push(Task::new(load)),
                (load, expected) => prop_assert!(false, "{load:?} instead of {expected:?}"),
            },
            Step::Poll(choice) if !loads.is_empty() => {
                let load = choice % loads.len();
                let answer = loads[load].poll();
                prop_assert_eq!(&answer, &model.poll(load, options), "the answer of a poll");
                if answer.is_ready() {
                    drop(loads.remove(load));
                }
            }
            Step::Drop(choice) if !loads.is_empty() => {
                let load = choice % loads.len();
                drop(loads.remove(load));
                model.drop(load);
            }
            Step::Poll(_) | Step::Drop(_) => {}
            Step::Release(choice) => {
                if let Some(batch) = model.in_flight(choice)
                    && let Phase::InFlight(number, released) = &mut batch.phase
                {
                    *released = true;
                    backend.release(*number);
                }
            }
            Step::Wake(choice) => {
                if let Some(batch) = model.in_flight(choice)
                    && let Phase::InFlight(number, _) = batch.phase
                {
                    batch.woken = true;
                    backend.wake(number);
                }
            }
            Step::Clear(key) => {
                loader.clear(&key);
                model.clear(|other| other == key);
            }
            Step::ClearAll => {
                loader.clear_all();
                model.clear(|_| true);
            }
            Step::Prime(key) => {
                let value = (key, 1000 + number);
                loader.prime(key, Ok(value));
                model.prime(key, value, options);
            }
        }
        prop_assert_eq!(
            backend.batches(),
            model.sent.clone(),
            "the batches that were sent"
        );
        for key in [0, 1, 2, 3, BAD] {
            prop_assert_eq!(
                loader.peek(&key),
                model.peek(key),
                "what is remembered of {}",
                key
            );
        }
        for (load, task) in loads.iter().enumerate() {
            let lost = model.is_to_be_woken(load) && !task.is_woken();
            prop_assert!(!lost, "load {load} was not woken");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_loader_does_as_the_model(
        options in options(),
        steps in prop::collection::vec(step(), 0..60),
    ) {
        check(options, steps)?;
    }
}
