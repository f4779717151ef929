//! How often a query calls its databases, if its loaders stand in a chain and remember a half.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use graphql_example::executor::{FieldError, Request, Schema, Value, execute, ready};
use graphql_example::loader::{Loader, Policy};
use maybe_ready::AlwaysReady;

type Levels = Vec<Loader<i64, i64, String>>;

/// What `next` of a node loads, from the loader of its level.
struct Node {
    level: usize,
    key: i64,
}

const TYPES: &str = "type Query { nodes: [Node!]! } type Node { key: Int!, next: Node! }";

fn schema() -> Schema<Levels> {
    let mut schema = Schema::<Levels>::builder(TYPES);
    schema.object::<()>("Query").field("nodes", |(), _| {
        let node = |key| ready(Value::shared(Arc::new(Node { level: 0, key })));
        ready((0..6).map(node).collect::<Vec<_>>())
    });
    schema
        .object::<Node>("Node")
        .field("key", |node, _| ready(node.key))
        .field("next", |node, field| {
            let level = node.level + 1;
            let next = move |key| Value::shared(Arc::new(Node { level, key }));
            field.context[node.level]
                .load(node.key)
                .map(move |key| key.map(next).map_err(FieldError::new))
                .boxed()
        });
    schema.build().expect("a schema")
}

/// The calls of all databases for a query through so many levels, of which all but the last remember
/// the key of every other chain.
fn calls(levels: usize, policy: Policy) -> usize {
    let calls = Arc::new(AtomicUsize::new(0));
    let loader = |_| {
        let calls = calls.clone();
        let loader = Loader::builder().policy(policy);
        loader.build(move |keys: Vec<i64>| {
            calls.fetch_add(1, Relaxed);
            async {
                AlwaysReady::Ready(()).defer().await;
                keys.into_iter().map(|key| Ok(key + 10)).collect()
            }
        })
    };
    let loaders: Levels = (0..levels).map(loader).collect();
    for (tens, loader) in (0..).step_by(10).zip(&loaders[..levels - 1]) {
        for key in [1, 3, 5] {
            loader.prime(key + tens, Ok(key + tens + 10));
        }
    }

    let query = "next { ".repeat(levels) + "key" + &" }".repeat(levels);
    let request = Request::new(&format!("{{ nodes {{ {query} }} }}"));
    let schema = schema();
    let response = pollster::block_on(execute(&request, &schema, &loaders).into_future());
    let node = |key| {
        format!(
            "{}{{\"key\":{key}}}{}",
            "{\"next\":".repeat(levels),
            "}".repeat(levels)
        )
    };
    let last = 10 * i64::try_from(levels).expect("a few");
    let nodes: Vec<_> = (0..6).map(|key| node(key + last)).collect();
    let expected = format!("{{\"data\":{{\"nodes\":[{}]}}}}", nodes.join(","));
    assert_eq!(String::from_utf8_lossy(response.as_json()), expected);
    calls.load(Relaxed)
}

#[test]
fn immediate_hits_go_ahead_and_are_fetched_apart() {
    assert_eq!(
        [2, 3].map(|levels| calls(levels, Policy::Immediate)),
        [3, 4]
    );
}

#[test]
fn aligned_hits_wait_and_are_fetched_together() {
    assert_eq!([2, 3].map(|levels| calls(levels, Policy::Aligned)), [2, 3]);
}
