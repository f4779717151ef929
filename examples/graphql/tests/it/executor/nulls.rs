//! Where a null goes that must not be, and which errors are reported.

use serde_json::{Value as Json, json};

use super::support::check;

const TYPES: &str = "
    type Query { may: Node, must: Node!, list: [Node!], all: [Node!]! }
    type Node { v: Int, n: Int!, may: Node, must: Node!, list: [Node!]!, some: [Node] }";

fn error(message: &str, column: u32, path: &Json) -> Json {
    json!({ "message": message, "locations": [{ "line": 1, "column": column }], "path": path })
}

#[test]
fn a_failing_field_is_null_and_its_siblings_are_there() {
    check(
        TYPES,
        &json!({ "may": { "v": { "$later": { "$error": "broken" } }, "n": 1 } }),
        "{ may { v n } }",
        &json!({
            "data": { "may": { "v": null, "n": 1 } },
            "errors": [error("broken", 9, &json!(["may", "v"]))],
        }),
    );
}

#[test]
fn a_field_that_must_not_be_null_makes_its_parent_null() {
    for failing in [
        json!({ "$error": "broken" }),
        json!({ "$later": { "$error": "broken" } }),
    ] {
        check(
            TYPES,
            &json!({ "may": { "v": 1, "n": failing, "may": { "v": { "$later": 2 } } } }),
            "{ may { v n may { v } } }",
            &json!({
                "data": { "may": null },
                "errors": [error("broken", 11, &json!(["may", "n"]))],
            }),
        );
    }
}

#[test]
fn and_on_through_parents_that_must_not_be_null() {
    let failing = json!({ "must": { "list": [{ "n": 1 }, { "n": { "$later": null } }] } });
    check(
        TYPES,
        &json!({ "may": { "may": failing, "v": { "$later": 5 } } }),
        "{ may { may { must { list { n } } } v } }",
        &json!({
            "data": { "may": { "may": null, "v": 5 } },
            "errors": [error(
                "a non-null field is null",
                29,
                &json!(["may", "may", "must", "list", 1, "n"]),
            )],
        }),
    );
}

#[test]
fn up_to_the_data() {
    for n in [json!(null), json!({ "$later": null })] {
        for must in [
            json!({ "must": { "n": n } }),
            json!({ "must": { "$later": { "n": n } } }),
        ] {
            check(
                TYPES,
                &json!({ "must": must, "may": { "v": { "$later": 1 } } }),
                "{ may { v } must { must { n } } }",
                &json!({
                    "data": null,
                    "errors": [error(
                        "a non-null field is null",
                        27,
                        &json!(["must", "must", "n"]),
                    )],
                }),
            );
        }
    }
}

#[test]
fn errors_below_a_null_are_not_reported_but_for_its_reason() {
    let broken = |message| json!({ "$error": message });
    for (v, n) in [
        (broken("lost"), broken("reason")),
        (json!({ "$later": broken("lost") }), broken("reason")),
        (broken("lost"), json!({ "$later": broken("reason") })),
    ] {
        check(
            TYPES,
            &json!({ "may": { "v": v, "may": { "n": broken("lost") }, "n": n }, "must": { "v": v } }),
            "{ may { v may { n } n } must { v } }",
            &json!({
                "data": { "may": null, "must": { "v": null } },
                "errors": [
                    error("reason", 21, &json!(["may", "n"])),
                    error("lost", 32, &json!(["must", "v"])),
                ],
            }),
        );
    }
}

#[test]
fn errors_come_in_the_order_of_the_response_and_not_of_completion() {
    let broken = |message| json!({ "$error": message });
    let later = |data: Json| json!({ "$later": data });
    check(
        TYPES,
        &json!({
            "may": later(json!({ "v": later(broken("first")), "some": [
                null, { "v": later(broken("second")) }, { "v": broken("third") },
            ] })),
            "list": [{ "v": broken("fourth") }, { "v": later(broken("fifth")) }],
            "must": { "v": broken("sixth") },
        }),
        "{ may { v some { v } } list { v } must { v } }",
        &json!({
            "data": {
                "may": { "v": null, "some": [null, { "v": null }, { "v": null }] },
                "list": [{ "v": null }, { "v": null }],
                "must": { "v": null },
            },
            "errors": [
                error("first", 9, &json!(["may", "v"])),
                error("second", 18, &json!(["may", "some", 1, "v"])),
                error("third", 18, &json!(["may", "some", 2, "v"])),
                error("fourth", 31, &json!(["list", 0, "v"])),
                error("fifth", 31, &json!(["list", 1, "v"])),
                error("sixth", 42, &json!(["must", "v"])),
            ],
        }),
    );
}

#[test]
fn paths_have_aliases_and_errors_the_places_in_the_query() {
    check(
        TYPES,
        &json!({ "list": [{ "v": 1 }, { "v": { "$error": "broken" } }] }),
        "{\n  nodes: list {\n    number: v\n  }\n}",
        &json!({
            "data": { "nodes": [{ "number": 1 }, { "number": null }] },
            "errors": [{
                "message": "broken",
                "locations": [{ "line": 3, "column": 5 }],
                "path": ["nodes", 1, "number"],
            }],
        }),
    );
}
