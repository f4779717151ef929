//! The four kinds of lists, with items that are there, null, or failing, ready and pending.

use serde_json::{Value as Json, json};

use super::support::check;

/// Where a null goes from an item, and from the list itself.
#[derive(Clone, Copy, PartialEq)]
enum Null {
    Item,
    List,
    Above,
}

const KINDS: [(&str, Null, Null); 4] = [
    ("[Int]", Null::Item, Null::List),
    ("[Int!]", Null::List, Null::List),
    ("[Int]!", Null::Item, Null::Above),
    ("[Int!]!", Null::Above, Null::Above),
];

/// Checks a list with this in the place of an item, or of the whole, ready and pending.
fn check_both(ty: &str, data: &Json, wrap: impl Fn(&Json) -> Json, expected: &Json) {
    let types = format!("type Query {{ o: Object }} type Object {{ list: {ty} }}");
    for data in [data.clone(), json!({ "$later": data })] {
        let data = json!({ "o": { "list": wrap(&data) } });
        check(&types, &data, "{ o { list } }", expected);
    }
}

fn response(null: Null, message: Option<&str>, index: Option<usize>) -> Json {
    let data = match null {
        Null::Item => json!({ "o": { "list": [1, null, 3] } }),
        Null::List => json!({ "o": { "list": null } }),
        Null::Above => json!({ "o": null }),
    };
    let is_error = message.is_some()
        || null
            != if index.is_some() {
                Null::Item
            } else {
                Null::List
            };
    if !is_error {
        return json!({ "data": data });
    }
    let mut path = json!(["o", "list"]);
    path.as_array_mut()
        .expect("a list")
        .extend(index.map(Json::from));
    json!({ "data": data, "errors": [{
        "message": message.unwrap_or("a non-null field is null"),
        "locations": [{ "line": 1, "column": 7 }],
        "path": path,
    }] })
}

#[test]
fn whose_items_are_there() {
    for (ty, ..) in KINDS {
        let expected = json!({ "data": { "o": { "list": [1, 2, 3] } } });
        check_both(ty, &json!(2), |item| json!([1, item, 3]), &expected);
        check_both(ty, &json!([1, 2, 3]), Json::clone, &expected);
        check_both(
            ty,
            &json!([]),
            Json::clone,
            &json!({ "data": { "o": { "list": [] } } }),
        );
    }
}

#[test]
fn with_an_item_that_is_null() {
    for (ty, item, _) in KINDS {
        let expected = response(item, None, Some(1));
        check_both(ty, &json!(null), |item| json!([1, item, 3]), &expected);
    }
}

#[test]
fn with_an_item_that_fails() {
    for (ty, item, _) in KINDS {
        let expected = response(item, Some("broken"), Some(1));
        check_both(
            ty,
            &json!({ "$error": "broken" }),
            |item| json!([1, item, 3]),
            &expected,
        );
    }
}

#[test]
fn that_are_null() {
    for (ty, _, list) in KINDS {
        check_both(ty, &json!(null), Json::clone, &response(list, None, None));
    }
}

#[test]
fn that_fail() {
    for (ty, _, list) in KINDS {
        let expected = response(list, Some("broken"), None);
        check_both(ty, &json!({ "$error": "broken" }), Json::clone, &expected);
    }
}

#[test]
fn of_lists() {
    check(
        "type Query { table: [[Int!]] }",
        &json!({ "table": [[1, 2], [3, { "$later": null }, 5], null, [], { "$later": [6] }] }),
        "{ table }",
        &json!({
            "data": { "table": [[1, 2], null, null, [], [6]] },
            "errors": [{
                "message": "a non-null field is null",
                "locations": [{ "line": 1, "column": 3 }],
                "path": ["table", 1, 1],
            }],
        }),
    );
}
