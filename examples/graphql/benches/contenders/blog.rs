//! What the query is about.
//!
//! The texts live as long as the program, so that nobody has to copy them, not even who is pending.

use std::sync::{Arc, LazyLock};

use hashbrown::HashMap;

pub(crate) const QUERY: &str = "{ posts { id title author { id name } } }";

const POSTS: u32 = 500;
pub(crate) const AUTHORS: u32 = 50;

/// Wrote one post.
pub(crate) const OCCASIONAL: u32 = 0;
/// Wrote five, which is one per cent.
pub(crate) const REGULAR: u32 = 1;

pub(crate) struct Post {
    pub id: u32,
    pub title: &'static str,
    pub author: u32,
}

pub(crate) struct Author {
    pub id: u32,
    pub name: &'static str,
}

pub(crate) struct Blog {
    pub posts: Vec<Post>,
    pub authors: HashMap<u32, Arc<Author>>,
}

pub(crate) static BLOG: LazyLock<Blog> = LazyLock::new(|| Blog {
    posts: (0..POSTS).map(post).collect(),
    authors: (0..AUTHORS).map(|id| (id, author(id))).collect(),
});

fn post(id: u32) -> Post {
    let title = match id % 10 {
        0 => format!("\"Pending\" and what it is good for, part {id}"),
        _ => format!("What it costs to wait for what is there, part {id}"),
    };
    let author = match id {
        250 => OCCASIONAL,
        _ if id % 100 == 17 => REGULAR,
        _ => 2 + id % (AUTHORS - 2),
    };
    let title = title.leak();
    Post { id, title, author }
}

fn author(id: u32) -> Arc<Author> {
    let name = format!("Zoë Writer the {id}th").leak();
    Arc::new(Author { id, name })
}
