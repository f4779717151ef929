//! What ready values become.

use serde_json::json;

use super::support::{check, text};

#[test]
fn scalars_are_written_as_their_types_say() {
    check(
        "type Query { b: Boolean, f: Float, g: Float, i: Int, s: String, a: ID, z: ID }",
        &json!({ "b": true, "f": 1.5, "g": 2, "i": -3, "s": "x", "a": "y", "z": 7 }),
        "{ b f g i s a z }",
        &json!({ "data": {
            "b": true, "f": 1.5, "g": 2, "i": -3, "s": "x", "a": "y", "z": "7"
        } }),
    );
}

#[test]
fn strings_are_escaped() {
    let odd = "quote \" backslash \\ newline \n bell \u{7} delete \u{7f} umlaut ü";
    check(
        "type Query { s: String }",
        &json!({ "s": odd }),
        "{ s }",
        &json!({ "data": { "s": odd } }),
    );
}

#[test]
fn values_of_another_type_are_errors() {
    let refused = [
        ("Boolean", json!(1), "1 is no `Boolean`"),
        ("Int", json!(true), "true is no `Int`"),
        ("Int", json!(1.5), "1.5 is no `Int`"),
        ("Int", json!(2_147_483_648_i64), "2147483648 is no `Int`"),
        ("Float", json!("1"), "\"1\" is no `Float`"),
        ("String", json!(1), "1 is no `String`"),
        ("ID", json!(1.5), "1.5 is no `ID`"),
        ("String", json!([]), "a list is no `String`"),
        ("[String]", json!("x"), "\"x\" is no `list`"),
        ("Other", json!("x"), "\"x\" is no `object`"),
        ("String", json!({}), "an object is no `String`"),
    ];
    for (ty, value, message) in refused {
        let types = format!("type Query {{ v: {ty} }} type Other {{ v: Int }}");
        let query = if ty == "Other" {
            "{ v { v } }"
        } else {
            "{ v }"
        };
        check(
            &types,
            &json!({ "v": value }),
            query,
            &json!({
                "data": { "v": null },
                "errors": [
                    { "message": message, "locations": [{ "line": 1, "column": 3 }], "path": ["v"] }
                ],
            }),
        );
    }
}

#[test]
fn infinite_floats_are_errors() {
    use graphql_example::executor::{Request, Schema, execute_sync, ready};

    let mut schema = Schema::<()>::builder("type Query { v: Float }");
    schema
        .object::<()>("Query")
        .field("v", |(), _| ready(f64::INFINITY));
    let schema = schema.build().expect("a schema");
    let response = execute_sync(&Request::new("{ v }"), &schema, &()).expect("it is ready");
    assert_eq!(response.errors()[0].message, "inf is no `Float`");
}

#[test]
fn fields_come_in_the_order_of_the_query() {
    let types = "type Query { a: Int, b: Int, o: Object } type Object { a: Int, b: Int }";
    let data = json!({ "a": 1, "b": 2, "o": { "a": 3, "b": 4 } });
    assert_eq!(
        text(types, &data, "{ b o { b a } z: a a __typename }"),
        r#"{"data":{"b":2,"o":{"b":4,"a":3},"z":1,"a":1,"__typename":"Query"}}"#,
    );
}

#[test]
fn fields_of_one_key_are_merged_where_the_first_stands() {
    let types = "type Query { o: Object } type Object { a: Int, b: Int, o: Object }";
    let data = json!({ "o": { "a": 1, "b": 2, "o": { "a": 3, "b": 4 } } });
    let query = "
        query { o { o { a } a } x: __typename ...F ... on Query { o { o { b } } } }
        fragment F on Query { o { b } }";
    assert_eq!(
        text(types, &data, query),
        r#"{"data":{"o":{"o":{"a":3,"b":4},"a":1,"b":2},"x":"Query"}}"#,
    );
}

#[test]
fn skipped_fields_and_fragments_are_not_there() {
    let types = "type Query { a: Int, b: Int, c: Int, d: Int }";
    let data = json!({ "a": 1, "b": 2, "c": 3, "d": 4 });
    let query = "
        query ($yes: Boolean = true) {
            a @skip(if: $yes)
            b @include(if: $yes) @skip(if: false)
            ... @include(if: false) { c }
            ...F @skip(if: true)
            ...F
        }
        fragment F on Query { d }";
    assert_eq!(text(types, &data, query), r#"{"data":{"b":2,"d":4}}"#);
    assert_eq!(
        text(types, &data, "{ a @skip(if: true) }"),
        r#"{"data":{}}"#
    );
}
