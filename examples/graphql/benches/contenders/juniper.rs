//! juniper: with synchronous resolvers, and with asynchronous ones and the loader of the `dataloader`
//! crate.

use std::collections::HashMap;
use std::sync::Arc;

use dataloader::BatchFn;
use dataloader::cached::Loader;
use juniper::http::GraphQLResponse;
use juniper::{
    Context, EmptyMutation, EmptySubscription, ID, RootNode, ValidatedOperation, Variables,
    graphql_object,
};

use crate::contenders::blog::{self, BLOG, QUERY};
use crate::contenders::{Contender, drive, fetch};

pub(crate) const SYNC: &str = "juniper, sync";
pub(crate) const ASYNC: &str = "juniper, async";

pub(crate) fn contenders() -> [Contender; 2] {
    [synchronous(), asynchronous()]
}

fn synchronous() -> Contender {
    let schema = RootNode::new(Query, EmptyMutation::new(), EmptySubscription::new());
    // An operation borrows its schema.
    let schema = Box::leak(Box::new(schema));
    let operation = ValidatedOperation::new(QUERY, None, schema).expect("a valid query");
    Contender {
        name: SYNC,
        query: Box::new(move || json(operation.execute_sync(&Variables::new(), &()))),
        forget: None,
    }
}

fn asynchronous() -> Contender {
    let schema = RootNode::new(AsyncQuery, EmptyMutation::new(), EmptySubscription::new());
    let schema = Box::leak(Box::new(schema));
    let operation = ValidatedOperation::new(QUERY, None, schema).expect("a valid query");
    let loaders = Loaders(Loader::new(Authors));
    let authors = loaders.0.clone();
    Contender {
        name: ASYNC,
        query: Box::new(move || json(drive(operation.execute(&Variables::new(), &loaders)))),
        forget: Some(Box::new(move |unknown| {
            for id in unknown {
                drive(authors.clear(id));
            }
        })),
    }
}

type Answer = (
    juniper::Value,
    Vec<juniper::ExecutionError<juniper::DefaultScalarValue>>,
);

fn json(answer: Result<Answer, juniper::GraphQLError>) -> Vec<u8> {
    serde_json::to_vec(&GraphQLResponse::from_result(answer)).expect("JSON")
}

struct Query;

#[graphql_object]
impl Query {
    fn posts() -> Vec<Post> {
        BLOG.posts.iter().map(Post).collect()
    }
}

struct Post(&'static blog::Post);

#[graphql_object]
impl Post {
    fn id(&self) -> ID {
        id(self.0.id)
    }

    fn title(&self) -> &str {
        self.0.title
    }

    fn author(&self) -> Author {
        Author(Arc::clone(&BLOG.authors[&self.0.author]))
    }
}

#[derive(Clone)]
struct Author(Arc<blog::Author>);

#[graphql_object]
impl Author {
    fn id(&self) -> ID {
        id(self.0.id)
    }

    fn name(&self) -> &str {
        self.0.name
    }
}

fn id(id: u32) -> ID {
    ID::new(id.to_string())
}

struct AsyncQuery;

#[graphql_object(context = Loaders)]
impl AsyncQuery {
    fn posts() -> Vec<AsyncPost> {
        BLOG.posts.iter().map(AsyncPost).collect()
    }
}

struct AsyncPost(&'static blog::Post);

#[graphql_object(context = Loaders, name = "Post")]
impl AsyncPost {
    fn id(&self) -> ID {
        id(self.0.id)
    }

    fn title(&self) -> &str {
        self.0.title
    }

    async fn author(&self, context: &Loaders) -> Author {
        context.0.load(self.0.author).await
    }
}

struct Loaders(Loader<u32, Author, Authors>);

impl Context for Loaders {}

struct Authors;

impl BatchFn<u32, Author> for Authors {
    async fn load(&mut self, ids: &[u32]) -> HashMap<u32, Author> {
        fetch(ids)
            .await
            .map(|(id, author)| (id, Author(author)))
            .collect()
    }
}
