//! A GraphQL service that is synchronous as long as its loaders have what it needs.
//!
//! - [`loader`]: a batching and caching loader, whose hits are plain values.
//! - [`executor`]: executes queries, and is done at once if all resolvers are.

pub mod executor;
pub mod loader;
