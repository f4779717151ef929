//! Schemas whose data is JSON, so that a test is a query, its data and the response.

use std::sync::Arc;

use async_graphql_parser::parse_schema;
use async_graphql_parser::types::{TypeKind, TypeSystemDefinition};
use graphql_example::executor::{
    FieldError, Request, Resolved, Response, Schema, Value, execute, execute_sync,
};
use maybe_ready::MaybeReady;
use serde_json::Value as Json;

/// When resolvers give their answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum When {
    /// At once.
    Ready,
    /// At once, but for what the data wraps in `$later`.
    AsMarked,
    /// When they are polled.
    Polled,
    /// When they are polled again.
    Deferred,
}

/// Executes a query that asks for `data`, which may have `{"$error": message}` and
/// `{"$later": data}` in it, whenever the resolvers give their answers. Expects the same each time.
#[track_caller]
pub(super) fn check(types: &str, data: &Json, query: &str, expected: &Json) {
    check_request(types, data, &Request::new(query), expected);
}

#[track_caller]
pub(super) fn check_request(types: &str, data: &Json, request: &Request, expected: &Json) {
    let schema = schema(types);
    for when in [When::Ready, When::AsMarked, When::Polled, When::Deferred] {
        let context = Context {
            data: data.clone(),
            when,
        };
        let response = pollster::block_on(execute(request, &schema, &context).into_future());
        assert_eq!(json(&response), *expected, "with resolvers {when:?}");
        if when == When::Ready {
            assert_eq!(
                execute_sync(request, &schema, &context).as_ref(),
                Ok(&response)
            );
        }
    }
}

pub(super) fn json(response: &Response) -> Json {
    serde_json::from_slice(response.as_json()).expect("a response is JSON")
}

/// The response of a query whose resolvers are all ready, as text.
pub(super) fn text(types: &str, data: &Json, query: &str) -> String {
    let context = Context {
        data: data.clone(),
        when: When::Ready,
    };
    let response = execute_sync(&Request::new(query), &schema(types), &context);
    String::from_utf8(response.expect("all is ready").into_json()).expect("JSON is UTF-8")
}

#[derive(Debug)]
pub(super) struct Context {
    pub(super) data: Json,
    pub(super) when: When,
}

/// A schema whose resolvers look into the data. An argument is what `{"$argument": name}` is for.
pub(super) fn schema(types: &str) -> Schema<Context> {
    let mut schema = Schema::<Context>::builder(types);
    for definition in parse_schema(types).expect("the types parse").definitions {
        let TypeSystemDefinition::Type(ty) = definition else {
            panic!("only types")
        };
        let TypeKind::Object(object) = ty.node.kind else {
            panic!("only objects")
        };
        let name = ty.node.name.node;
        for field in object.fields {
            let key = field.node.name.to_string();
            if matches!(&*name, "Query" | "Mutation") {
                schema
                    .object::<()>(&*name)
                    .field(key.clone(), move |(), field| {
                        resolve(&field.context.data[&key], field.context.when, &|name| {
                            field.argument(name).clone()
                        })
                    });
            } else {
                schema
                    .object::<Json>(&*name)
                    .field(key.clone(), move |object, field| {
                        resolve(&object[&key], field.context.when, &|name| {
                            field.argument(name).clone()
                        })
                    });
            }
        }
    }
    schema.build().expect("the types have their resolvers")
}

fn resolve<'c>(data: &Json, when: When, argument: &dyn Fn(&str) -> Json) -> Resolved<'c, 'c> {
    let (data, later) = match data.get("$later") {
        Some(data) => (data, true),
        None => (data, false),
    };
    let result = match (data.get("$error"), data.get("$argument")) {
        (Some(message), _) => Err(FieldError::new(message.as_str().expect("a message"))),
        (_, Some(name)) => Ok(value(
            &argument(name.as_str().expect("a name")),
            when,
            argument,
        )),
        _ => Ok(value(data, when, argument)),
    };
    match when {
        When::Ready => MaybeReady::Ready(result),
        When::AsMarked if !later => MaybeReady::Ready(result),
        When::Polled => MaybeReady::Pending(async { result }).boxed(),
        When::AsMarked | When::Deferred => MaybeReady::<_, std::future::Ready<_>>::Ready(result)
            .defer()
            .boxed(),
    }
}

fn value<'c>(data: &Json, when: When, argument: &dyn Fn(&str) -> Json) -> Value<'c, 'c> {
    match data {
        Json::Null => Value::Null,
        Json::Bool(value) => (*value).into(),
        Json::Number(number) => match number.as_i64() {
            Some(value) => value.into(),
            None => number.as_f64().expect("a number").into(),
        },
        Json::String(value) => value.clone().into(),
        Json::Array(items) => Value::List(
            items
                .iter()
                .map(|item| resolve(item, when, argument))
                .collect(),
        ),
        Json::Object(_) => Value::shared(Arc::new(data.clone())),
    }
}
