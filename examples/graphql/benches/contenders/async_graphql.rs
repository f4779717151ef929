//! async-graphql, with its own loader.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use async_graphql::dataloader::{DataLoader, HashMapCache, Loader};
use async_graphql::parser::parse_query;
use async_graphql::{Context, EmptyMutation, EmptySubscription, ID, Object, Request, Schema};

use crate::contenders::blog::{self, BLOG, QUERY};
use crate::contenders::{Contender, drive, fetch};

pub(crate) const NAME: &str = "async-graphql";

pub(crate) fn contender() -> Contender {
    // By default it would wait for a millisecond, to get larger batches.
    let loader = DataLoader::with_cache(Authors, tokio::spawn, HashMapCache::default());
    let loader = Arc::new(loader.delay(Duration::ZERO));
    let schema = Schema::build(Query, EmptyMutation, EmptySubscription)
        .data(Arc::clone(&loader))
        .finish();
    let document = parse_query(QUERY).expect("a query");
    Contender {
        name: NAME,
        query: Box::new(move || {
            // A request is used up, so there is no way around the copy.
            let mut request = Request::new(QUERY);
            request.set_parsed_query(document.clone());
            let response = drive(schema.execute(request));
            serde_json::to_vec(&response).expect("JSON")
        }),
        forget: Some(Box::new(move |unknown| {
            let known = BLOG.authors.iter().filter(|(id, _)| !unknown.contains(id));
            let known = known.map(|(id, author)| (*id, Author(Arc::clone(author))));
            loader.clear::<u32>();
            drive(loader.feed_many(known));
        })),
    }
}

struct Query;

#[Object]
impl Query {
    async fn posts(&self) -> Vec<Post> {
        BLOG.posts.iter().map(Post).collect()
    }
}

struct Post(&'static blog::Post);

#[Object]
impl Post {
    async fn id(&self) -> ID {
        self.0.id.into()
    }

    async fn title(&self) -> &str {
        self.0.title
    }

    async fn author(&self, context: &Context<'_>) -> async_graphql::Result<Author> {
        let loader: &Arc<DataLoader<Authors, HashMapCache>> = context.data()?;
        let author = loader.load_one(self.0.author).await?;
        author.ok_or_else(|| "no such author".into())
    }
}

#[derive(Clone)]
struct Author(Arc<blog::Author>);

#[Object]
impl Author {
    async fn id(&self) -> ID {
        self.0.id.into()
    }

    async fn name(&self) -> &str {
        self.0.name
    }
}

struct Authors;

impl Loader<u32> for Authors {
    type Value = Author;
    type Error = Infallible;

    async fn load(&self, ids: &[u32]) -> Result<HashMap<u32, Author>, Infallible> {
        let authors = fetch(ids).await;
        Ok(authors.map(|(id, author)| (id, Author(author))).collect())
    }
}
