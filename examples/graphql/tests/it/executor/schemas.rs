//! What makes no schema.

use graphql_example::executor::{Builder, Request, Schema, Value, execute_sync, ready};

/// Expects that these types, with a resolver for `Query.v` and no other, make no schema.
#[track_caller]
fn refuse(types: &str, message: &str) {
    let mut schema = Schema::<()>::builder(types);
    schema.object::<()>("Query").field("v", |(), _| ready(1));
    let error = schema.build().expect_err("this should be refused");
    assert!(
        error.to_string().contains(message),
        "the error should say `{message}`, not: {error}"
    );
}

#[test]
fn types_that_do_not_fit() {
    refuse(
        "type Query {",
        "in the types at 1:13: syntax error: expected",
    );
    refuse(
        "type Mutation { v: Int }",
        "`Mutation.v`: it has no resolver",
    );
    refuse("type Query { w: Int }", "`Query.w`: it has no resolver");
    refuse(
        "type Query { v: Date }",
        "`Query.v`: there is no type `Date`",
    );
    refuse(
        "type Query { v(a: Query): Int }",
        "`Query.v`: there is no input type `Query`",
    );
    refuse(
        "type Query { v(a: Int = \"1\"): Int }",
        "`Query.v`: \"1\" is no `Int`",
    );
    refuse(
        "type Query { v: Int } type Query { v: Int }",
        "there are two types `Query`",
    );
    refuse(
        "type Query { v: Int } type Int { v: Int }",
        "there are two types `Int`",
    );
    refuse(
        "type Query { v: Int } union U = Query",
        "`U` is no object, and others are not supported",
    );
    refuse("type Query { v: Int } directive @d on FIELD", "no type");
}

#[test]
fn a_query_is_needed() {
    let schema = Schema::<()>::builder("type Other { v: Int }");
    assert!(
        schema.build().is_err(),
        "there is no resolver for `Other.v`"
    );
    let mut schema = Schema::<()>::builder("type Other { v: Int }");
    schema.object::<()>("Other").field("v", |(), _| ready(1));
    assert_eq!(
        schema.build().expect_err("no query").to_string(),
        "there is no `Query`"
    );
}

#[test]
fn an_object_of_another_rust_type_is_an_error_of_its_fields() {
    let mut schema = Schema::<String>::builder("type Query { o: O } type O { v: Int, t: String }");
    schema
        .object::<()>("Query")
        .field("o", |(), field| ready(Value::object(field.context)));
    schema
        .object::<u8>("O")
        .field("v", |object, _| ready(u32::from(*object)))
        .field("t", |_, _| ready("text"));
    let schema = schema.build().expect("a schema");
    let response = execute_sync(&Request::new("{ o { v } }"), &schema, &String::new());
    let response = response.expect("it is ready");
    assert_eq!(
        response.errors()[0].message,
        "the object is of another Rust type"
    );
}

#[test]
fn resolvers_that_do_not_fit() {
    let refusal = |add: fn(&mut Builder<()>)| {
        let mut schema = Schema::<()>::builder("type Query { v: Int, o: O } type O { v: Int }");
        add(&mut schema);
        schema
            .build()
            .expect_err("this should be refused")
            .to_string()
    };
    let twice = refusal(|schema| {
        let mut query = schema.object::<()>("Query");
        query
            .field("v", |(), _| ready(1))
            .field("v", |(), _| ready(2));
    });
    assert_eq!(twice, "`Query.v` has two resolvers");
    let root = refusal(|schema| {
        schema.object::<u8>("Query").field("v", |_, _| ready(1));
    });
    assert_eq!(root, "`Query` is a `()`, and a `u8` as well");
    let object = refusal(|schema| {
        schema.object::<u8>("O").field("v", |_, _| ready(1));
        schema.object::<u16>("O").field("v", |_, _| ready(1));
    });
    assert_eq!(object, "`O` is a `u8`, and a `u16` as well");
}
