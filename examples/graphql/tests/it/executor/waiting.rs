//! When resolvers are called, polled and dropped.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;
use graphql_example::executor::{
    Builder, FieldError, Request, Resolved, Response, Schema, Value, execute, execute_sync, ready,
};
use maybe_ready::MaybeReady;
use serde_json::json;

use super::support::json;

/// What a future waits for, and what became of the future.
#[derive(Default)]
struct Gate {
    is_open: AtomicBool,
    wakes_itself: AtomicBool,
    fails: AtomicBool,
    waker: AtomicWaker,
    polls: AtomicUsize,
    drops: AtomicUsize,
}

impl Gate {
    fn open(&self) {
        self.is_open.store(true, Relaxed);
        self.waker.wake();
    }

    fn fail(&self) {
        self.fails.store(true, Relaxed);
        self.open();
    }

    fn polls(&self) -> usize {
        self.polls.load(Relaxed)
    }

    fn drops(&self) -> usize {
        self.drops.load(Relaxed)
    }

    fn resolve(&self) -> Resolved<'_, '_> {
        MaybeReady::Pending(Passing(self)).boxed()
    }
}

struct Passing<'c>(&'c Gate);

impl<'c> Future for Passing<'c> {
    type Output = Result<Value<'c, 'c>, FieldError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.polls.fetch_add(1, Relaxed);
        self.0.waker.register(cx.waker());
        if !self.0.is_open.load(Relaxed) {
            if self.0.wakes_itself.load(Relaxed) {
                cx.waker().wake_by_ref();
            }
            return Poll::Pending;
        }
        Poll::Ready(if self.0.fails.load(Relaxed) {
            Err(FieldError::new("broken"))
        } else {
            Ok(Value::object(self.0))
        })
    }
}

impl Drop for Passing<'_> {
    fn drop(&mut self) {
        self.0.drops.fetch_add(1, Relaxed);
    }
}

/// Gates, and how often a field that is ready was resolved.
#[derive(Default)]
struct Gates {
    gates: Vec<Gate>,
    resolved: AtomicUsize,
}

impl Gates {
    fn new(count: usize) -> Self {
        Gates {
            gates: (0..count).map(|_| Gate::default()).collect(),
            ..Gates::default()
        }
    }

    fn polls(&self) -> Vec<usize> {
        self.gates.iter().map(Gate::polls).collect()
    }
}

/// The fields that all objects have.
fn fields<T: Send + Sync + 'static>(schema: &mut Builder<Gates>, name: &str) {
    schema
        .object::<T>(name)
        .field("ready", |_, field| {
            field.context.resolved.fetch_add(1, Relaxed);
            ready(1)
        })
        .field("gate", |_, field| {
            gate(field.context, field.argument("n")).resolve()
        })
        .field("must", |_, field| {
            gate(field.context, field.argument("n")).resolve()
        })
        .field("fails", |_, _| {
            MaybeReady::Ready(Err(FieldError::new("at once")))
        });
}

fn gate<'c>(gates: &'c Gates, n: &serde_json::Value) -> &'c Gate {
    &gates.gates[usize::try_from(n.as_u64().expect("an index")).expect("it fits")]
}

fn all(gates: &Gates) -> Resolved<'_, '_> {
    ready(gates.gates.iter().map(Gate::resolve).collect::<Vec<_>>())
}

fn schema() -> Schema<Gates> {
    let mut schema = Schema::<Gates>::builder(
        "type Query { ready: Int!, gate(n: Int!): Gate, must(n: Int!): Gate!, gates: [Gate!]!,
            some: [Gate], inner: Inner, fails: Int! }
         type Inner { ready: Int!, gate(n: Int!): Gate, must(n: Int!): Gate!, fails: Int!, inner: Inner }
         type Gate { ready: Int!, gate(n: Int!): Gate, must(n: Int!): Gate!, fails: Int! }",
    );
    fields::<()>(&mut schema, "Query");
    fields::<()>(&mut schema, "Inner");
    fields::<Gate>(&mut schema, "Gate");
    schema
        .object::<()>("Query")
        .field("gates", |(), field| all(field.context))
        .field("some", |(), field| all(field.context))
        .field("inner", |(), _| ready(Value::object(&())));
    schema
        .object::<()>("Inner")
        .field("inner", |(), _| ready(Value::object(&())));
    schema.build().expect("a schema")
}

/// An execution that is polled by hand.
struct Run<'c> {
    future: Pin<Box<dyn Future<Output = Response> + Send + 'c>>,
}

impl<'c> Run<'c> {
    fn new(request: &'c Request, schema: &'c Schema<Gates>, gates: &'c Gates) -> Self {
        match execute(request, schema, gates) {
            MaybeReady::Ready(response) => panic!("it should be pending: {response:?}"),
            MaybeReady::Pending(future) => Run { future },
        }
    }

    #[track_caller]
    fn is_pending(&mut self) {
        let poll = self
            .future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        assert!(poll.is_pending(), "it should not be done: {poll:?}");
    }

    #[track_caller]
    fn is_done(&mut self) -> serde_json::Value {
        match self
            .future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(response) => json(&response),
            Poll::Pending => panic!("it should be done"),
        }
    }
}

#[test]
fn only_what_is_selected_decides_whether_the_response_is_ready() {
    let (schema, gates) = (schema(), Gates::new(1));
    for (query, is_ready) in [
        ("{ ready inner { ready } }", true),
        ("{ gate(n: 0) @skip(if: true) { ready } ready }", true),
        ("{ ready inner { gate(n: 0) { ready } } }", false),
        ("{ gates { ready } }", false),
    ] {
        let request = Request::new(query);
        assert_eq!(
            execute(&request, &schema, &gates).is_ready(),
            is_ready,
            "{query}"
        );
    }
    assert_eq!(
        gates.polls(),
        [0],
        "nothing is polled before the response is"
    );
}

#[test]
fn the_path_of_the_first_pending_field_is_named() {
    let (schema, gates) = (schema(), Gates::new(2));
    for (query, path) in [
        (
            "{ ready a: inner { ready b: gate(n: 0) { ready } } gate(n: 1) { ready } }",
            "a.b",
        ),
        ("{ gates { ready } gate(n: 1) { ready } }", "gates.0"),
    ] {
        let error = execute_sync(&Request::new(query), &schema, &gates).expect_err("it is pending");
        assert_eq!(error.to_string(), format!("`{path}` is not ready"));
    }
}

#[test]
fn all_pending_fields_are_started_before_any_is_waited_for() {
    let (schema, gates) = (schema(), Gates::new(4));
    let request = Request::new(
        "{ gate(n: 0) { ready } inner { must(n: 1) { ready } inner { gate(n: 2) { ready } } } b: gate(n: 3) { ready } }",
    );
    let mut run = Run::new(&request, &schema, &gates);
    run.is_pending();
    assert_eq!(gates.polls(), [1, 1, 1, 1]);
}

#[test]
fn those_that_wake_themselves_have_one_poll_in_a_turn() {
    let (schema, gates) = (schema(), Gates::new(100));
    for gate in &gates.gates {
        gate.wakes_itself.store(true, Relaxed);
    }
    let request = Request::new("{ gates { ready } }");
    let mut run = Run::new(&request, &schema, &gates);
    for turn in 1..4 {
        run.is_pending();
        assert_eq!(gates.polls(), [turn; 100]);
    }
}

#[test]
fn one_that_is_woken_often_is_polled_once() {
    let (schema, gates) = (schema(), Gates::new(1));
    let request = Request::new("{ gates { ready } }");
    let mut run = Run::new(&request, &schema, &gates);
    run.is_pending();
    let waker = gates.gates[0].waker.take().expect("a waker");
    for _ in 0..3 {
        waker.wake_by_ref();
    }
    run.is_pending();
    run.is_pending();
    assert_eq!(gates.polls(), [2]);
}

#[test]
fn wakes_from_other_threads_are_not_lost() {
    let (schema, gates) = (schema(), Gates::new(2000));
    let request = Request::new("{ gates { ready } }");
    let run = Run::new(&request, &schema, &gates);
    let response = std::thread::scope(|scope| {
        for part in gates.gates.chunks(500) {
            scope.spawn(|| part.iter().for_each(Gate::open));
        }
        pollster::block_on(run.future)
    });
    assert!(response.errors().is_empty());
}

#[test]
fn only_what_is_woken_is_polled_again() {
    let (schema, gates) = (schema(), Gates::new(3));
    let request = Request::new("{ gates { ready } }");
    let mut run = Run::new(&request, &schema, &gates);
    run.is_pending();
    gates.gates[1].open();
    run.is_pending();
    assert_eq!(gates.polls(), [1, 2, 1]);
    run.is_pending();
    assert_eq!(gates.polls(), [1, 2, 1]);
    gates.gates[2].open();
    gates.gates[0].open();
    assert_eq!(
        run.is_done(),
        json!({ "data": { "gates": [{ "ready": 1 }, { "ready": 1 }, { "ready": 1 }] } })
    );
    assert_eq!(gates.polls(), [2, 2, 2]);
}

#[test]
fn ready_siblings_are_resolved_once_and_meanwhile() {
    let (schema, gates) = (schema(), Gates::new(1));
    let request = Request::new("{ a: ready gate(n: 0) { ready } b: ready inner { ready } }");
    let mut run = Run::new(&request, &schema, &gates);
    assert_eq!(
        gates.resolved.load(Relaxed),
        3,
        "they do not wait for the one that is pending"
    );
    run.is_pending();
    gates.gates[0].open();
    let data = json!({ "a": 1, "gate": { "ready": 1 }, "b": 1, "inner": { "ready": 1 } });
    assert_eq!(run.is_done(), json!({ "data": data }));
    assert_eq!(gates.resolved.load(Relaxed), 4);
}

#[test]
fn what_is_below_a_pending_field_is_resolved_as_soon_as_that_completes() {
    let (schema, gates) = (schema(), Gates::new(3));
    let request =
        Request::new("{ gate(n: 0) { gate(n: 1) { ready } } other: gate(n: 2) { ready } }");
    let mut run = Run::new(&request, &schema, &gates);
    run.is_pending();
    gates.gates[0].open();
    run.is_pending();
    assert_eq!(
        gates.polls(),
        [2, 1, 1],
        "the one below was started, whatever else is pending"
    );
    gates.gates[1].open();
    run.is_pending();
    assert_eq!(gates.resolved.load(Relaxed), 1);
    gates.gates[2].open();
    run.is_done();
}

#[test]
fn a_failure_at_once_returns_at_once_and_drops_pending_siblings_unpolled() {
    let (schema, gates) = (schema(), Gates::new(1));
    for query in [
        "{ gate(n: 0) { ready } fails }",
        "{ must(n: 0) { ready } inner { ready } fails }",
        "{ inner { must(n: 0) { ready } fails } }",
    ] {
        let drops = gates.gates[0].drops();
        let request = Request::new(query);
        let response = execute(&request, &schema, &gates).unwrap_ready();
        assert_eq!(response.errors()[0].message, "at once");
        assert_eq!(gates.gates[0].drops(), drops + 1, "{query}");
    }
    assert_eq!(gates.polls(), [0]);
}

#[test]
fn a_failure_later_drops_pending_siblings_while_others_go_on() {
    let (schema, gates) = (schema(), Gates::new(4));
    let request = Request::new(
        "{ gate(n: 0) { ready } inner { must(n: 1) { ready } gate(n: 2) { ready } inner { gate(n: 3) { ready } } } }",
    );
    let mut run = Run::new(&request, &schema, &gates);
    run.is_pending();
    gates.gates[1].fail();
    run.is_pending();
    let drops: Vec<_> = gates.gates.iter().map(Gate::drops).collect();
    assert_eq!(drops, [0, 1, 1, 1]);
    gates.gates[0].open();
    let errors = json!([{
        "message": "broken",
        "locations": [{ "line": 1, "column": 32 }],
        "path": ["inner", "must"],
    }]);
    let data = json!({ "gate": { "ready": 1 }, "inner": null });
    assert_eq!(run.is_done(), json!({ "data": data, "errors": errors }));
}

#[test]
fn what_goes_on_is_woken_after_others_were_dropped() {
    let (schema, gates) = (schema(), Gates::new(3));
    let request = Request::new(
        "{ gate(n: 0) { ready } inner { must(n: 1) { ready } gate(n: 2) { ready } } }",
    );
    let (mut run, task) = (
        Run::new(&request, &schema, &gates),
        Arc::new(Wakes::default()),
    );
    let waker = Waker::from(task.clone());
    let poll = |run: &mut Run<'_>| run.future.as_mut().poll(&mut Context::from_waker(&waker));
    assert!(poll(&mut run).is_pending());
    gates.gates[1].fail();
    assert!(poll(&mut run).is_pending());
    assert_eq!(gates.polls(), [1, 2, 1]);
    let before = task.0.load(Relaxed);
    gates.gates[0].open();
    assert_eq!(task.0.load(Relaxed), before + 1);
    assert!(poll(&mut run).is_ready());
}

#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Relaxed);
    }
}

#[test]
fn a_failure_below_one_that_completed_reaches_above_it() {
    let (schema, gates) = (schema(), Gates::new(3));
    let request = Request::new(
        "{ inner { ready must(n: 0) { must(n: 1) { ready } } gate(n: 2) { ready } } ready }",
    );
    let mut run = Run::new(&request, &schema, &gates);
    run.is_pending();
    gates.gates[0].open();
    gates.gates[2].open();
    run.is_pending();
    gates.gates[1].fail();
    assert_eq!(run.is_done()["data"], json!({ "inner": null, "ready": 1 }));
}

#[test]
fn a_failure_below_one_that_completed_at_the_same_time() {
    let (schema, gates) = (schema(), Gates::new(2));
    let request = Request::new("{ inner { must(n: 0) { fails } must2: must(n: 1) { ready } } }");
    let mut run = Run::new(&request, &schema, &gates);
    run.is_pending();
    gates.gates[0].open();
    gates.gates[1].open();
    let response = run.is_done();
    assert_eq!(response["data"], json!({ "inner": null }));
    assert_eq!(
        response["errors"][0]["path"],
        json!(["inner", "must", "fails"])
    );
    assert_eq!(response["errors"].as_array().map(Vec::len), Some(1));
}

#[test]
fn dropping_the_execution_drops_what_is_pending() {
    let (schema, gates) = (schema(), Gates::new(2));
    let request = Request::new("{ gates { ready } }");
    let mut run = Run::new(&request, &schema, &gates);
    run.is_pending();
    drop(run);
    assert_eq!(
        gates.gates.iter().map(Gate::drops).collect::<Vec<_>>(),
        [1, 1]
    );
}

#[test]
#[should_panic(expected = "`Execution` polled after completion")]
fn polling_after_the_end_panics() {
    let (schema, gates) = (schema(), Gates::new(1));
    gates.gates[0].open();
    let request = Request::new("{ gates { ready } }");
    let mut run = Run::new(&request, &schema, &gates);
    run.is_done();
    run.is_pending();
}

#[test]
fn many_that_fail_one_by_one_are_polled_once_more_each() {
    let (schema, gates) = (schema(), Gates::new(10_000));
    let request = Request::new("{ some { must(n: 0) { ready } } }");
    for gate in &gates.gates {
        gate.fail();
    }
    let mut run = Run::new(&request, &schema, &gates);
    let response = run.is_done();
    assert_eq!(response["errors"].as_array().map(Vec::len), Some(10_000));
    assert_eq!(response["errors"][9_999]["path"], json!(["some", 9_999]));
    assert!(gates.polls().iter().all(|polls| *polls == 1));
}
