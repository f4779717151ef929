//! The crate with the libraries that its users have: a module for each.
//!
//! Each test answers a question that a user of that library has. Its name is the answer.

mod async_trait;
mod caches;
mod futures;
mod pollster;
mod smol;
mod support;
mod tokio;
mod tower;
