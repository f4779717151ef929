//! The laws of the executor, tried on random queries.
//!
//! A [`Case`] is a schema, data for it, a query, and when there is each answer of the data. It is
//! executed with these timings, and with others: all answers ready, all deferred, and so on.
//!
//! - The response is, byte for byte, what the [`naive`] evaluator makes of it, which follows the
//!   specification and never waits.
//! - It is ready if and only if nothing that it needs is pending. Where nobody waits, the refusal
//!   names the first that is.
//! - It is there when the last answer is that it needs: all that can be waited for together is, what
//!   null takes the place of is dropped at once, and mutations come one after the other.
//! - Each resolver is called once, each future polled only if it was woken. No wake-up is lost.
//!
//! `GRAPHQL_SOAK=100000` tries that many cases instead of a few, and others each time. A failure
//! names its seed, and `GRAPHQL_SEED` tries it again.

mod case;
mod data;
mod executor;
mod naive;
mod outcome;
mod query;
mod reader;
mod schema;
mod world;

use std::cell::{Cell, RefCell};
use std::env;
use std::hash::{BuildHasher, RandomState};
use std::iter;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::task::Poll;

use graphql_example::executor::{Request, Response, Schema, execute, execute_sync};
use maybe_ready::MaybeReady;
use proptest::arbitrary::any;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestCaseResult, TestRunner};

use self::case::{Case, Timing};
use self::executor::Executor;
use self::naive::expected;
use self::outcome::{Expected, LoggedCall};
use self::schema::MUTATION;
use self::world::{Call, World, schema_of};

#[test]
fn hold_for_random_queries() {
    let soak = variable("GRAPHQL_SOAK");
    let seed = variable("GRAPHQL_SEED").unwrap_or_else(|| match soak {
        Some(_) => RandomState::new().hash_one(()),
        None => 0,
    });
    let cases = soak.unwrap_or(256);
    println!("{cases} cases, GRAPHQL_SEED={seed}");

    let bytes = |most| vec(any::<u8>(), most / 4..most);
    let random = (bytes(200), bytes(600), bytes(800), bytes(300))
        .prop_map(|(schema, data, query, timings)| Case::read(&schema, &data, &query, &timings));
    let mut runner = TestRunner::new(Config {
        cases: u32::try_from(cases).expect("GRAPHQL_SOAK is too large"),
        failure_persistence: None,
        max_global_rejects: u32::MAX,
        max_shrink_iters: 8_192,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    });
    let statistics = RefCell::new(Seen::default());
    let result = runner.run(&random, |case| {
        let expected = quietly(|| check(&case))?;
        let mut statistics = statistics.borrow_mut();
        statistics.add(&expected);
        if soak.is_some() && statistics.cases % cases.div_ceil(10) == 0 {
            println!("{} cases done", statistics.cases);
        }
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}\nGRAPHQL_SEED={seed}");
    }
    println!("{:?}", statistics.borrow());
    if cases >= 256 {
        statistics.borrow().assert_enough();
    }
}

fn variable(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{name} should be a number")))
}

/// What the cases were about, to see that little of it is missing.
#[derive(Debug, Default)]
struct Seen {
    cases: u64,
    /// With several errors.
    errors: u64,
    /// With null in the place of what is around a failure.
    spreads: u64,
    /// With an error that could also be another one.
    choices: u64,
    /// With something that is not waited for, as null takes its place.
    cuts: u64,
    /// With something that is waited for.
    waits: u64,
    mutations: u64,
    /// With ten calls of resolvers or more.
    large: u64,
}

impl Seen {
    fn add(&mut self, expected: &Expected) {
        self.cases += 1;
        let mutates = |logged: &LoggedCall| logged.call.thing == MUTATION;
        for (count, is_one) in [
            (&mut self.errors, expected.errors.len() > 1),
            (&mut self.spreads, expected.spreads > 0),
            (&mut self.choices, expected.has_choice()),
            (&mut self.cuts, expected.log.cuts),
            (&mut self.waits, !expected.ready),
            (&mut self.mutations, expected.log.calls.iter().any(mutates)),
            (&mut self.large, expected.log.calls.len() >= 10),
        ] {
            *count += u64::from(is_one);
        }
    }

    fn assert_enough(&self) {
        let percent = |count: u64| count * 100 / self.cases;
        let is_enough = percent(self.errors) >= 8
            && percent(self.spreads) >= 15
            && percent(self.choices) <= 10
            && percent(self.cuts) >= 5
            && percent(self.waits) >= 40
            && percent(self.mutations) >= 8
            && percent(self.large) >= 12;
        assert!(is_enough, "the cases are not what they should be: {self:?}");
    }
}

/// Returns what is expected with the timings of the case.
fn check(case: &Case) -> Result<Expected, TestCaseError> {
    let all = |timing| vec![timing; case.timings.len()];
    let ready = all(Timing::Ready);
    if expected(case, &ready).log.calls.len() > 300 {
        return Err(TestCaseError::reject("takes too long"));
    }
    let schema = schema_of(case);
    let request = case.query.request();
    let (deferred, together) = (all(Timing::Deferred), all(Timing::After(1)));
    let at_first_poll = all(Timing::Yields(0));
    let latencies = [3, 1, 4, 1, 5, 9, 2, 6].map(Timing::After).into_iter();
    let scattered = latencies.cycle().take(case.timings.len()).collect();
    for timings in [
        &ready,
        &deferred,
        &at_first_poll,
        &together,
        &scattered,
        &case.timings,
    ] {
        let run = Run {
            case,
            schema: &schema,
            request: &request,
            timings,
            expected: &expected(case, timings),
        };
        run.attempt(|| {
            run.agrees();
            run.agrees_without_waiting();
        })?;
    }
    let expected = expected(case, &case.timings);
    let run = Run {
        case,
        schema: &schema,
        request: &request,
        timings: &case.timings,
        expected: &expected,
    };
    run.attempt(|| run.drops_everything())?;
    Ok(expected)
}

/// A case and the timing of its answers.
struct Run<'a> {
    case: &'a Case,
    schema: &'a Schema<World>,
    request: &'a Request,
    timings: &'a [Timing],
    expected: &'a Expected,
}

impl Run<'_> {
    /// Adds what is expected, and with which timings, to the message of a failure.
    fn attempt(&self, check: impl FnOnce()) -> TestCaseResult {
        catch_unwind(AssertUnwindSafe(check)).map_err(|payload| {
            let message = (payload.downcast_ref::<String>().cloned())
                .or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string))
                .unwrap_or_default();
            TestCaseError::fail(format!(
                "{message}\nexpected {}\nwith the timings {:?}",
                self.expected.json(),
                self.timings
            ))
        })
    }

    fn world(&self) -> World {
        World::new(self.case, self.timings)
    }

    /// The response and the calls are those of the naive evaluator.
    fn agrees(&self) {
        let world = self.world();
        let response = match execute(self.request, self.schema, &world) {
            MaybeReady::Ready(response) => {
                assert!(self.expected.ready, "is ready, and should wait");
                assert_eq!(world.alive(), 0, "holds something, though it is ready");
                response
            }
            MaybeReady::Pending(mut future) => {
                assert!(!self.expected.ready, "waits, and should be ready");
                let mut executor = Executor::new(&world, self.case.wake_order, self.expected);
                let response = loop {
                    if let Poll::Ready(response) = executor.poll(&mut future) {
                        break response;
                    }
                };
                assert_eq!(
                    world.alive(),
                    0,
                    "holds something after it gave the response"
                );
                assert_eq!(
                    world.now(),
                    self.expected.at,
                    "left when it was done, right when all was there"
                );
                response
            }
        };
        self.is_expected(&response);
        self.made_calls(&world.take_calls());
    }

    /// Each resolver is called once. If a failure comes at the same time, it may be called or not.
    fn made_calls(&self, calls: &[Call]) {
        let logged = self.expected.log.calls.iter();
        let (certain, possible): (Vec<_>, Vec<_>) = logged.partition(|logged| logged.is_certain);
        let [mut certain, mut possible] =
            [certain, possible].map(|logged| logged.iter().map(|it| &it.call).collect::<Vec<_>>());
        if self.timings.iter().all(|timing| *timing == Timing::Ready) {
            let calls: Vec<_> = calls.iter().collect();
            assert_eq!(calls, certain, "left the calls, right the expected ones");
            return;
        }
        for call in calls {
            let known = [&mut certain, &mut possible].into_iter().any(|from| {
                let place = from.iter().position(|it| *it == call);
                place.map(|place| from.swap_remove(place)).is_some()
            });
            assert!(known, "{call:?} is one call too many");
        }
        assert!(certain.is_empty(), "these calls are missing: {certain:?}");
    }

    fn is_expected(&self, response: &Response) {
        let json = String::from_utf8_lossy(response.as_json());
        let expected = self.expected;
        assert_eq!(
            response.errors().len(),
            expected.errors.len(),
            "left the number of errors, right of those expected"
        );
        if !expected.has_choice() {
            assert_eq!(
                json,
                expected.json(),
                "left the response, right the expected one"
            );
            return;
        }
        // Each error is one of several.
        let data = format!("{{\"data\":{},\"errors\":[", expected.data);
        let mut rest = (json.strip_prefix(&data))
            .unwrap_or_else(|| panic!("{json} does not begin with {data}"));
        for (place, any_of) in expected.errors.iter().enumerate() {
            if place > 0 {
                rest = rest.strip_prefix(',').unwrap_or(rest);
            }
            rest = (any_of.iter().find_map(|error| rest.strip_prefix(&**error)))
                .unwrap_or_else(|| panic!("error {place} of {json} is not one of {any_of:?}"));
        }
        assert_eq!(rest, "]}", "left the end of {json}");
    }

    /// A caller that does not wait gets the same response, or the path of the first that is pending.
    fn agrees_without_waiting(&self) {
        let world = self.world();
        match execute_sync(self.request, self.schema, &world) {
            Ok(response) => {
                assert!(self.expected.ready, "gave a response without waiting");
                self.is_expected(&response);
            }
            Err(refusal) => {
                assert!(
                    !self.expected.ready,
                    "does not wait, though nothing is pending"
                );
                let path = self.expected.pending.as_ref().expect("is not ready");
                assert_eq!(refusal.to_string(), format!("`{path}` is not ready"));
            }
        }
        assert_eq!(world.alive(), 0, "holds something, though it does not wait");
    }

    /// Dropped after any number of polls, it leaves nothing behind. Of many, some are tried.
    fn drops_everything(&self) {
        for polls in iter::successors(Some(0), |polls| Some(polls + 1 + polls / 4)) {
            let world = self.world();
            let MaybeReady::Pending(mut future) = execute(self.request, self.schema, &world) else {
                return;
            };
            let mut executor = Executor::new(&world, self.case.wake_order, self.expected);
            for _ in 0..polls {
                if executor.poll(&mut future).is_ready() {
                    return;
                }
            }
            drop(future);
            assert_eq!(
                world.alive(),
                0,
                "holds something, dropped after {polls} polls"
            );
        }
    }
}

/// Runs what may panic as expected, without a message for each.
fn quietly<R>(f: impl FnOnce() -> R) -> R {
    thread_local!(static QUIET: Cell<bool> = const { Cell::new(false) });
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                hook(info);
            }
        }));
    });
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(f));
    QUIET.set(false);
    result.unwrap_or_else(|payload| panic::resume_unwind(payload))
}
