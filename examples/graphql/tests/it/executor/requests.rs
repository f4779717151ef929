//! What is refused before anything is resolved, and how requests choose, spread and pass values.

use graphql_example::executor::{Request, execute};
use serde_json::{Map, Value as Json, json};

use super::support::{Context, When, check_request, json, schema, text};

const TYPES: &str = "
    type Query { v: Int, echo(i: Int = 5, s: String, l: [Int!], f: Float, id: ID, b: Boolean): Echo
        must(i: Int!): Int, node: Node }
    type Node { v: Int, node: Node }
    type Echo { i: Int, s: String, l: [Int!], f: Float, id: ID, b: Boolean }";

fn variables(variables: &Json) -> Map<String, Json> {
    variables.as_object().expect("an object").clone()
}

/// Expects a request to be refused at once with this message, at this line and column.
#[track_caller]
fn refuse(request: &Request, message: &str, place: Option<(usize, usize)>) {
    let context = Context {
        data: json!({}),
        when: When::Deferred,
    };
    let schema = schema(TYPES);
    let response = execute(request, &schema, &context).unwrap_ready();
    let mut error = json!({ "message": message });
    if let Some((line, column)) = place {
        error["locations"] = json!([{ "line": line, "column": column }]);
    }
    assert_eq!(json(&response), json!({ "errors": [error] }));
}

#[test]
fn what_does_not_parse() {
    refuse(
        &Request::new("{ v "),
        "syntax error: expected selection_set, selection, directive, or arguments",
        Some((1, 5)),
    );
    refuse(
        &Request::new(""),
        "syntax error: expected executable_definition",
        Some((1, 1)),
    );
    refuse(
        &Request::new("{ v } { v }"),
        "document contains multiple operations",
        Some((1, 7)),
    );
}

#[test]
fn operations_that_are_not_there() {
    let two = "query A { v } query B { v }";
    refuse(
        &Request::new(two),
        "there are several operations, and none was chosen",
        None,
    );
    refuse(
        &Request::new(two).operation("C"),
        "there is no operation `C`",
        None,
    );
    refuse(
        &Request::new("{ v }").operation("A"),
        "there is no operation `A`, but one without a name",
        None,
    );
    refuse(
        &Request::new("mutation { v }"),
        "there is no `mutation`",
        Some((1, 1)),
    );
    refuse(
        &Request::new("subscription { v }"),
        "there is no `subscription`",
        Some((1, 1)),
    );
}

#[test]
fn selections_that_do_not_fit_the_types() {
    for (query, message, column) in [
        ("{ w }", "field `w` of `Query` does not exist", 3),
        ("{ node { w } }", "field `w` of `Node` does not exist", 10),
        (
            "{ w @skip(if: true) }",
            "field `w` of `Query` does not exist",
            3,
        ),
        (
            "{ ... @skip(if: true) { node { w } } }",
            "field `w` of `Node` does not exist",
            32,
        ),
        (
            "{ node }",
            "field `node` of `Query` needs a selection of fields",
            3,
        ),
        (
            "{ v { v } }",
            "field `v` of `Query` has no fields to select",
            3,
        ),
        (
            "{ __typename(v: 1) }",
            "field `__typename` of `Query` has no arguments",
            3,
        ),
        (
            "{ __schema { types } }",
            "field `__schema` of `Query` does not exist",
            3,
        ),
        ("{ ...F }", "there is no fragment `F`", 6),
        (
            "{ ... on Node { v } }",
            "a fragment on `Node` is spread in `Query`",
            7,
        ),
        ("{ v v: must(i: 1) }", "there is another field `v`", 5),
        (
            "{ a: must(i: 1) a: must(i: 2) }",
            "there is another field `a`",
            17,
        ),
        ("{ v @other }", "there is no directive `@other`", 5),
        (
            "{ v @skip }",
            "argument `if`: a value of type `Boolean!` is required",
            5,
        ),
        ("{ v @skip(if: 1) }", "argument `if`: 1 is no `Boolean`", 15),
    ] {
        refuse(&Request::new(query), message, Some((1, column)));
    }
}

#[test]
fn arguments_that_do_not_fit_the_types() {
    for (query, message, column) in [
        (
            "{ must }",
            "argument `i`: a value of type `Int!` is required",
            3,
        ),
        ("{ must(i: null) }", "argument `i`: null is no `Int!`", 11),
        ("{ must(i: \"1\") }", "argument `i`: \"1\" is no `Int`", 11),
        (
            "{ must(i: 2147483648) }",
            "argument `i`: 2147483648 is no `Int`",
            11,
        ),
        ("{ must(i: 1, j: 2) }", "there is no argument `j`", 14),
        ("{ must(i: 1, i: 2) }", "argument `i` is given twice", 14),
        (
            "{ echo(s: RED) { s } }",
            "argument `s`: RED is no `String`",
            11,
        ),
        (
            "{ echo(l: [1, null]) { s } }",
            "argument `l`: null is no `Int!`",
            11,
        ),
        (
            "{ must(i: $i) }",
            "argument `i`: variable `$i` is not defined",
            11,
        ),
    ] {
        refuse(&Request::new(query), message, Some((1, column)));
    }
}

#[test]
fn variables_that_do_not_fit_the_types() {
    for (query, given, message, column) in [
        (
            "query ($i: Int!) { v }",
            json!({}),
            "variable `$i`: a value of type `Int!` is required",
            8,
        ),
        (
            "query ($i: Int!) { v }",
            json!({ "i": null }),
            "variable `$i`: null is no `Int!`",
            8,
        ),
        (
            "query ($i: Int) { v }",
            json!({ "i": "1" }),
            "variable `$i`: \"1\" is no `Int`",
            8,
        ),
        (
            "query ($i: Int) { v }",
            json!({ "i": 1.5 }),
            "variable `$i`: 1.5 is no `Int`",
            8,
        ),
        (
            "query ($i: [Int]) { v }",
            json!({ "i": ["1"] }),
            "variable `$i`: \"1\" is no `Int`",
            8,
        ),
        (
            "query ($i: Int = \"1\") { v }",
            json!({}),
            "variable `$i`: \"1\" is no `Int`",
            8,
        ),
        (
            "query ($i: Node) { v }",
            json!({}),
            "variable `$i`: there is no input type `Node`",
            8,
        ),
        (
            "query ($i: Int, $i: Int) { v }",
            json!({}),
            "variable `$i`: it is defined twice",
            17,
        ),
        (
            "query ($i: Int) { must(i: $i) }",
            json!({ "i": 1 }),
            "argument `i`: variable `$i` is of type `Int`, not `Int!`",
            27,
        ),
        (
            "query ($i: String!) { must(i: $i) }",
            json!({ "i": "1" }),
            "argument `i`: variable `$i` is of type `String!`, not `Int!`",
            31,
        ),
        (
            "query ($i: Int) { echo(l: [$i]) { l } }",
            json!({ "i": 1 }),
            "argument `l`: variable `$i` is of type `Int`, not `Int!`",
            27,
        ),
        (
            "query ($l: [Int]) { echo(l: $l) { l } }",
            json!({ "l": [1] }),
            "argument `l`: variable `$l` is of type `[Int]`, not `[Int!]`",
            29,
        ),
        (
            "query ($i: Int = 1) { must(i: $i) }",
            json!({ "i": null }),
            "argument `i`: null is no `Int!`",
            31,
        ),
    ] {
        refuse(
            &Request::new(query).variables(variables(&given)),
            message,
            Some((1, column)),
        );
    }
}

#[test]
fn a_fragment_that_contains_itself() {
    let levels = "there are more than 200 levels; does a fragment contain itself?";
    for query in [
        "{ node { ...F } } fragment F on Node { node { ...F } }",
        "{ node { ...F } } fragment F on Node { node { ...G } } fragment G on Node { node { ...F } }",
    ] {
        refuse(&Request::new(query), levels, None);
    }
    // In one selection each fragment is spread once, as the specification has it.
    let data = json!({ "node": { "v": 1 } });
    let query = "{ node { ...F } } fragment F on Node { v ...F }";
    assert_eq!(text(TYPES, &data, query), r#"{"data":{"node":{"v":1}}}"#);
}

#[test]
fn fragments_that_are_nested_too_deeply() {
    let chain = |fragments: usize| {
        let next = (0..fragments).map(|n| format!("fragment F{n} on Query {{ ...F{} }}", n + 1));
        format!(
            "{{ ...F0 }} {} fragment F{fragments} on Query {{ v }}",
            next.collect::<String>()
        )
    };
    let data = json!({ "v": 1 });
    // The selection around them is a level as well.
    assert_eq!(text(TYPES, &data, &chain(198)), r#"{"data":{"v":1}}"#);
    let levels = "there are more than 200 levels; does a fragment contain itself?";
    refuse(&Request::new(&chain(199)), levels, None);
}

#[test]
fn fragments_that_multiply() {
    use std::fmt::Write;

    let mut query = "{ node { ...F0 } }".to_owned();
    for level in 0..40 {
        let next = level + 1;
        write!(
            query,
            "fragment F{level} on Node {{ a: node {{ ...F{next} }} b: node {{ ...F{next} }} }}"
        )
        .expect("a string takes all");
    }
    query.push_str("fragment F40 on Node { v }");
    refuse(
        &Request::new(&query),
        "there are more than 10000 fields and fragments",
        None,
    );
}

#[test]
fn fragments_that_multiply_and_are_skipped() {
    let fragments = (0..40).map(|level| {
        let next = level + 1;
        format!(
            "fragment F{level} on Node {{ ...F{next} @skip(if: true) ...F{next} @skip(if: true) }}"
        )
    });
    let query = format!(
        "{{ node {{ ...F0 }} }} {} fragment F40 on Node {{ v }}",
        fragments.collect::<String>()
    );
    refuse(
        &Request::new(&query),
        "there are more than 10000 fields and fragments",
        None,
    );
}

#[test]
fn brackets_that_are_nested_too_deeply() {
    let nested = |levels: usize, inner: &str| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        Request::new(&format!("{{ echo(l: {open}{inner}{close}) {{ l }} }}"))
    };
    let refusal = "brackets are nested in more than 200 levels";
    for levels in [199, 10_000] {
        refuse(&nested(levels, "1"), refusal, None);
        refuse(&nested(levels, "\"]]]\""), refusal, None);
        refuse(&nested(levels, "\"\\\"]]]\""), refusal, None);
        refuse(
            &nested(levels, "\"\"\"]\" ]\\\\\"\"\"]\"\"\""),
            refusal,
            None,
        );
        refuse(&nested(levels, "\n# ]]]\n1"), refusal, None);
    }
    let column = 11;
    let list = "argument `l`: [1] is no `Int`";
    refuse(&nested(2, "1"), list, Some((1, column)));

    // Those in strings and comments are none.
    let brackets = "[".repeat(201);
    for string in [
        "\"BRACKETS\"",
        "\"\\\"BRACKETS\"",
        "\"\"\"\\\"\"\"BRACKETS\"\"\"",
    ] {
        let string = string.replace("BRACKETS", &brackets);
        let query = format!("{{ echo(s: {string}) {{ s }} }} # {brackets}");
        let data = json!({ "echo": { "s": "there" } });
        assert_eq!(
            text(TYPES, &data, &query),
            r#"{"data":{"echo":{"s":"there"}}}"#
        );
    }
}

#[test]
fn a_great_many_variables() {
    let variables = (0..20_000).map(|number| format!("$v{number}: Int "));
    let query = format!("query ({}) {{ v }}", variables.collect::<String>());
    assert_eq!(
        text(TYPES, &json!({ "v": 1 }), &query),
        r#"{"data":{"v":1}}"#
    );
}

#[test]
fn operations_are_chosen_by_name() {
    let document = "query A { a: v } query B { b: v }";
    let data = json!({ "v": 1 });
    for (name, key) in [("A", "a"), ("B", "b")] {
        let request = Request::new(document).operation(name);
        check_request(TYPES, &data, &request, &json!({ "data": { key: 1 } }));
    }
    let only = Request::new("query A { v }");
    check_request(TYPES, &data, &only, &json!({ "data": { "v": 1 } }));
}

#[test]
fn arguments_are_coerced_to_their_types() {
    let get = |name| json!({ "$argument": name });
    for (arguments, expected) in [
        (
            "(s: \"x\")",
            json!({ "i": 5, "s": "x", "l": null, "f": null, "id": null, "b": null }),
        ),
        (
            "(i: null, l: 1, f: 2, id: 3, b: false)",
            json!({ "i": null, "s": null, "l": [1], "f": 2.0, "id": "3", "b": false }),
        ),
        (
            "(i: $i, l: [$i, 2], f: $none, s: $s, id: $default)",
            json!({ "i": 7, "s": null, "l": [7, 2], "f": null, "id": "4", "b": null }),
        ),
        (
            "(l: $l)",
            json!({ "i": 5, "s": null, "l": [8, 9], "f": null, "id": null, "b": null }),
        ),
        (
            "(i: $none2)",
            json!({ "i": 5, "s": null, "l": null, "f": null, "id": null, "b": null }),
        ),
    ] {
        let query = format!(
            "query ($i: Int! = 1, $none: Float, $none2: Int, $s: String, $default: ID = 4, $l: [Int!]!) {{
                {}
            }}",
            ["i", "s", "l", "f", "id", "b"]
                .map(|name| format!("{name}: {name}{arguments}"))
                .join(" ")
        );
        let types = "type Query {
            i(i: Int = 5, s: String, l: [Int!], f: Float, id: ID, b: Boolean): Int
            s(i: Int = 5, s: String, l: [Int!], f: Float, id: ID, b: Boolean): String
            l(i: Int = 5, s: String, l: [Int!], f: Float, id: ID, b: Boolean): [Int!]
            f(i: Int = 5, s: String, l: [Int!], f: Float, id: ID, b: Boolean): Float
            id(i: Int = 5, s: String, l: [Int!], f: Float, id: ID, b: Boolean): ID
            b(i: Int = 5, s: String, l: [Int!], f: Float, id: ID, b: Boolean): Boolean
        }";
        let data = json!({
            "i": get("i"), "s": get("s"), "l": get("l"), "f": get("f"), "id": get("id"), "b": get("b")
        });
        let given = variables(&json!({ "i": 7, "s": null, "l": [8, 9] }));
        let request = Request::new(&query).variables(given);
        check_request(types, &data, &request, &json!({ "data": expected }));
    }
}
