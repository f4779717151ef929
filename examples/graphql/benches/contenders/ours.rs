//! The executor and the loader of this package: as they are, and with resolvers that are never ready.

use std::convert::Infallible;
use std::future::{Future, IntoFuture};
use std::sync::Arc;

use graphql_example::executor::{FieldError, Request, Resolved, Schema, Value, execute, ready};
use graphql_example::loader::Loader;
use maybe_ready::MaybeReady;

use crate::contenders::blog::{Author, BLOG, Post, QUERY};
use crate::contenders::{Contender, drive, fetch};

pub(crate) const NAME: &str = "this executor";
pub(crate) const DEFERRED: &str = "this executor, all deferred";
pub(crate) const BOXED: &str = "this executor, all boxed";

pub(crate) fn contenders() -> [Contender; 3] {
    [
        contender::<AsItIs>(NAME),
        contender::<Deferred>(DEFERRED),
        contender::<Boxed>(BOXED),
    ]
}

fn contender<F: Form>(name: &'static str) -> Contender {
    let request = Request::new(QUERY);
    let schema = schema::<F>();
    let authors = Loader::new(async |ids: Vec<u32>| {
        fetch(&ids).await.map(|(_, author)| Ok(author)).collect()
    });
    let context = authors.clone();
    Contender {
        name,
        query: Box::new(move || {
            let response = execute(&request, &schema, &context);
            response.unwrap_or_else(drive).into_json()
        }),
        forget: Some(Box::new(move |unknown| {
            unknown.for_each(|id| authors.clear(&id));
        })),
    }
}

type Authors = Loader<u32, Arc<Author>, Infallible>;

fn schema<F: Form>() -> Schema<Authors> {
    let mut schema = Schema::<Authors>::builder(
        "type Query { posts: [Post!]! }
         type Post { id: ID!, title: String!, author: Author! }
         type Author { id: ID!, name: String! }",
    );
    schema.object::<()>("Query").field("posts", |(), _| {
        let posts = BLOG.posts.iter().map(|post| ready(Value::object(post)));
        F::answer(ready(posts.collect::<Vec<_>>()))
    });
    schema
        .object::<Post>("Post")
        .field("id", |post, _| F::answer(ready(post.id)))
        .field("title", |post, _| F::answer(ready(post.title)))
        .field("author", |post, field| {
            let author = field.context.load(post.author);
            F::answer(author.map(|author| author.map(Value::shared).map_err(FieldError::new)))
        });
    schema
        .object::<Author>("Author")
        .field("id", |author, _| F::answer(ready(author.id)))
        .field("name", |author, _| F::answer(ready(author.name)));
    schema.build().expect("a schema")
}

type Answer<'c> = Result<Value<'c, 'c>, FieldError>;

/// What becomes of the answers of all resolvers.
trait Form: 'static {
    fn answer<'c, F>(answer: MaybeReady<Answer<'c>, F>) -> Resolved<'c, 'c>
    where
        F: Future<Output = Answer<'c>> + Send + 'c;
}

struct AsItIs;

impl Form for AsItIs {
    fn answer<'c, F>(answer: MaybeReady<Answer<'c>, F>) -> Resolved<'c, 'c>
    where
        F: Future<Output = Answer<'c>> + Send + 'c,
    {
        answer.boxed()
    }
}

/// Pending for a turn of the executor.
struct Deferred;

impl Form for Deferred {
    fn answer<'c, F>(answer: MaybeReady<Answer<'c>, F>) -> Resolved<'c, 'c>
    where
        F: Future<Output = Answer<'c>> + Send + 'c,
    {
        answer.defer().boxed()
    }
}

/// Pending, but done when it is polled, as an `async fn` is that has nothing to wait for.
struct Boxed;

impl Form for Boxed {
    fn answer<'c, F>(answer: MaybeReady<Answer<'c>, F>) -> Resolved<'c, 'c>
    where
        F: Future<Output = Answer<'c>> + Send + 'c,
    {
        MaybeReady::Pending(answer.into_future()).boxed()
    }
}
