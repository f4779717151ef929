//! Executes queries, and is done at once if all resolvers are.
//!
//! A [`Schema`] has types and a resolver for each field, which answers with a [`Resolved`]: a value
//! or an error, now or later. [`execute`] calls the resolvers of all that is selected and writes
//! the response as JSON text. As long as they are ready, that is all: no field has a future, no
//! object an allocation, and [`execute_sync`] serves callers that are not asynchronous.
//!
//! What is pending leaves a hole in the text. Its siblings are resolved and written meanwhile, and
//! nothing above it becomes a future: there is one list of what is pending. Whatever completes is
//! written, with what is below it, and fills its hole.
//!
//! # Examples
//!
//! ```
//! use graphql_example::executor::{Request, Schema, Value, execute, execute_sync, ready};
//! use maybe_ready::MaybeReady;
//!
//! struct Post {
//!     title: String,
//!     author: Option<String>,
//! }
//!
//! let mut schema = Schema::<Vec<Post>>::builder(
//!     "type Query { posts: [Post!]! }
//!      type Post { title: String!, author: String! }",
//! );
//! schema.object::<()>("Query").field("posts", |_, field| {
//!     let posts = field.context.iter();
//!     ready(posts.map(|post| ready(Value::object(post))).collect::<Vec<_>>())
//! });
//! schema
//!     .object::<Post>("Post")
//!     .field("title", |post, _| ready(&*post.title))
//!     .field("author", |post, _| match &post.author {
//!         Some(author) => ready(&**author),
//!         None => MaybeReady::Pending(async { Ok("found out later".into()) }).boxed(),
//!     });
//! let schema = schema.build()?;
//!
//! let titles = Request::new("{ posts { title } }");
//! let all = Request::new("{ posts { title by: author } }");
//! let posts = vec![Post { title: "one".into(), author: None }];
//!
//! let response = execute_sync(&titles, &schema, &posts)?;
//! assert_eq!(response.as_json(), br#"{"data":{"posts":[{"title":"one"}]}}"#);
//!
//! let refusal = execute_sync(&all, &schema, &posts).unwrap_err();
//! assert_eq!(refusal.to_string(), "`posts.0.by` is not ready");
//!
//! # pollster::block_on(async {
//! let response = execute(&all, &schema, &posts).await;
//! let json = br#"{"data":{"posts":[{"title":"one","by":"found out later"}]}}"#;
//! assert_eq!(response.as_json(), json);
//! # });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A resolver that loads what it needs:
//!
//! ```
//! use std::sync::Arc;
//!
//! use graphql_example::executor::{FieldError, Request, Schema, Value, execute, execute_sync, ready};
//! use graphql_example::loader::Loader;
//!
//! struct Context {
//!     authors: Loader<u32, Arc<String>, String>,
//! }
//!
//! let mut schema = Schema::<Context>::builder(
//!     "type Query { authors: [Author!]! }
//!      type Author { name: String! }",
//! );
//! schema.object::<()>("Query").field("authors", |(), field| {
//!     let author = |id| {
//!         let author = field.context.authors.load(id);
//!         author.map_ok(Value::shared).map_err(FieldError::new).boxed()
//!     };
//!     ready([1, 2, 1].map(author).into_iter().collect::<Vec<_>>())
//! });
//! schema.object::<String>("Author").field("name", |name, _| ready(name));
//! let schema = schema.build()?;
//!
//! let authors = Loader::new(async |ids: Vec<u32>| {
//!     ids.iter().map(|id| Ok(Arc::new(format!("author {id}")))).collect()
//! });
//! let (context, request) = (Context { authors }, Request::new("{ authors { name } }"));
//!
//! assert!(execute_sync(&request, &schema, &context).is_err());
//! # pollster::block_on(async {
//! let first = execute(&request, &schema, &context).await;
//! assert_eq!(context.authors.stats().batches, 1);
//! // Now that they are known:
//! assert_eq!(execute_sync(&request, &schema, &context), Ok(first));
//! # });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is null, and why
//!
//! A resolver that fails, a value that is not of its type, and a null where the type excludes it
//! are errors. Such a field or item is null if it may be, else the nearest field or item around it
//! that may, and the `data` as a whole may always be. Each error has the path of the value and the
//! place in the query, and they come in the order of the response. Below a value that became null,
//! only the error behind that is reported.
//!
//! A null ends what it covers: fields that are pending there are dropped. If several values fail for
//! which the same one becomes null, the first to fail is reported; the data is the same. Apart from
//! this choice, which GraphQL leaves open, the response is the same whether resolvers are ready or
//! pending.
//!
//! # Mutations
//!
//! Their root fields are resolved one after the other, each when all below the one before is
//! complete. If one makes the data null, those that follow are not resolved. Where [`execute_sync`]
//! refuses a mutation for a field that is pending, those before it have been done.
//!
//! # What is left out
//!
//! Introspection but for `__typename`, interfaces, unions, enumerations, input objects, scalars of
//! one's own, directives but for `@skip` and `@include`, and subscriptions. What an execution does
//! not come across is not checked, such as operations and fragments that are not used.
//!
//! A request has at most 10 000 fields and fragments in at most 200 levels, for fragments can
//! multiply and contain themselves. How large its response gets is not limited: a few levels of lists
//! of many are many.

mod execution;
mod input;
mod output;
mod plan;
mod request;
mod response;
mod schema;
mod value;
mod waiting;

use std::fmt;

use maybe_ready::BoxMaybeReady;

pub use self::request::Request;
pub use self::response::{Error, PathSegment, Response};
pub use self::schema::{Builder, Field, Fields, Schema, SchemaError};
pub use self::value::{FieldError, Object, Resolved, Value, ready};
pub use async_graphql_parser::Pos;

/// Executes a request.
///
/// The answer is ready if all is that was selected, or if the request was refused: because of its
/// syntax, an operation, field or argument that is not there, or a variable of the wrong type. Else
/// it is boxed. Its first poll starts all that is pending, before anything is waited for.
///
/// # Panics
///
/// If a resolver does, or its future.
pub fn execute<'c, C: Sync>(
    request: &'c Request,
    schema: &'c Schema<C>,
    context: &'c C,
) -> BoxMaybeReady<'c, Response> {
    execution::start(request, schema, context).boxed()
}

/// Executes a request that must not wait.
///
/// # Errors
///
/// If a field is pending. The others are resolved all the same, and what is pending is dropped
/// unpolled.
///
/// # Panics
///
/// If a resolver does.
pub fn execute_sync<'c, C>(
    request: &'c Request,
    schema: &'c Schema<C>,
    context: &'c C,
) -> Result<Response, NotReady> {
    execution::start(request, schema, context)
        .try_into_ready()
        .map_err(|execution| NotReady {
            path: execution.first_pending(),
        })
}

/// A field was pending where nothing waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReady {
    /// The path of the first such field in the response.
    pub path: Vec<PathSegment>,
}

impl fmt::Display for NotReady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not ready", response::Path(&self.path))
    }
}

impl std::error::Error for NotReady {}
