//! A GraphQL service that is synchronous as long as its loaders have what it needs.
//!
//! - [`loader`]: a batching and caching loader, whose hits are plain values.
//! - [`executor`]: executes queries, and is done at once if all resolvers are.
//! - `packages`: the packages of a lock file, in a database that is queried through loaders.

pub mod executor;
pub mod loader;
#[cfg(feature = "service")]
pub mod packages;
