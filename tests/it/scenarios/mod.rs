//! Shapes of public APIs that were built around an enum of their own, rebuilt with this crate.
//!
//! Each is small, and each checks what its first users came for. One is not small, the execution of a
//! query that may have to wait: it is `examples/graphql`.

mod arguments;
mod cache;
mod callbacks;
mod credentials;
mod fan_out;
mod module_loader;
mod policies;
mod rpc;
mod store;
