//! Root fields of mutations are done one after the other.

use std::sync::{Arc, Mutex};

use graphql_example::executor::{
    FieldError, NotReady, Request, Schema, Value, execute, execute_sync, ready,
};
use maybe_ready::MaybeReady;

/// What the resolvers did, in their order.
type Log = Mutex<Vec<String>>;

const TYPES: &str = "
    type Query { v: Int }
    type Mutation { now(n: Int!): State!, later(n: Int!): State!, fail: State!, never: State }
    type State { n: Int!, below: Int }";

fn schema() -> Schema<Log> {
    let mut schema = Schema::<Log>::builder(TYPES);
    schema.object::<()>("Query").field("v", |(), _| ready(1));
    schema
        .object::<()>("Mutation")
        .field("now", |(), field| {
            let n = field.argument("n").as_i64().expect("an integer");
            field.context.lock().unwrap().push(format!("now {n}"));
            ready(Value::shared(Arc::new(n)))
        })
        .field("later", |(), field| {
            let n = field.argument("n").as_i64().expect("an integer");
            let log = field.context;
            log.lock().unwrap().push(format!("later {n}"));
            let result = MaybeReady::<_, std::future::Ready<_>>::Ready(()).defer();
            let result = result.map(move |()| {
                log.lock().unwrap().push(format!("done {n}"));
                Ok(Value::shared(Arc::new(n)))
            });
            result.boxed()
        })
        .field("fail", |(), field| {
            field.context.lock().unwrap().push("fail".to_owned());
            MaybeReady::Ready(Err(FieldError::new("broken")))
        })
        .field("never", |(), _| {
            MaybeReady::Pending(std::future::pending()).boxed()
        });
    schema
        .object::<i64>("State")
        .field("n", |n, field| {
            field.context.lock().unwrap().push(format!("n of {n}"));
            ready(*n)
        })
        .field("below", |n, field| {
            let (n, log) = (*n, field.context);
            let later = async move {
                log.lock().unwrap().push(format!("below {n}"));
                Ok(Value::from(n))
            };
            MaybeReady::Pending(later).boxed()
        });
    schema.build().expect("a schema")
}

fn run(query: &str) -> (String, Vec<String>) {
    let (schema, log, request) = (schema(), Log::default(), Request::new(query));
    let response = pollster::block_on(execute(&request, &schema, &log).into_future());
    let text = String::from_utf8(response.into_json()).expect("JSON is UTF-8");
    (text, log.into_inner().unwrap())
}

#[test]
fn each_begins_when_all_below_the_one_before_is_done() {
    let (text, log) = run("mutation {
        a: now(n: 1) { below n } b: later(n: 2) { n below }
        __typename c: now(n: 3) { n } d: later(n: 4) { n }
    }");
    assert_eq!(
        text,
        r#"{"data":{"a":{"below":1,"n":1},"b":{"n":2,"below":2},"__typename":"Mutation","c":{"n":3},"d":{"n":4}}}"#,
    );
    assert_eq!(
        log,
        [
            "now 1", "n of 1", "below 1", "later 2", "done 2", "n of 2", "below 2", "now 3",
            "n of 3", "later 4", "done 4", "n of 4",
        ]
    );
}

#[test]
fn those_that_are_ready_need_no_executor() {
    let (schema, log) = (schema(), Log::default());
    let request = Request::new("mutation { a: now(n: 1) { n } b: now(n: 2) { n } }");
    let response = execute_sync(&request, &schema, &log).expect("all is ready");
    assert_eq!(response.as_json(), br#"{"data":{"a":{"n":1},"b":{"n":2}}}"#);
    assert_eq!(*log.lock().unwrap(), ["now 1", "n of 1", "now 2", "n of 2"]);
}

#[test]
fn a_null_of_the_data_ends_them() {
    let (text, log) = run("mutation { a: later(n: 1) { n } fail { n } b: now(n: 2) { n } }");
    assert!(
        text.starts_with(r#"{"data":null,"errors":[{"message":"broken","#),
        "{text}"
    );
    assert_eq!(log, ["later 1", "done 1", "n of 1", "fail"]);
}

#[test]
fn one_that_is_pending_is_named_where_nothing_waits() {
    let (schema, log) = (schema(), Log::default());
    let request = Request::new("mutation { a: now(n: 1) { n } b: never { n } c: now(n: 2) { n } }");
    let NotReady { path } = execute_sync(&request, &schema, &log).expect_err("it is pending");
    assert_eq!(format!("{path:?}"), r#"[Field("b")]"#);
    assert_eq!(
        *log.lock().unwrap(),
        ["now 1", "n of 1"],
        "and what follows it is not begun"
    );
}
