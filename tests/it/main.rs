//! The integration tests: one binary, a module for each concern.

#![allow(
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::similar_names,
    reason = "tests have std, and short names"
)]

mod accessors;
mod allocations;
mod auto_traits;
mod cases;
mod contracts;
mod fold;
#[cfg(feature = "std")]
mod join;
#[cfg(feature = "std")]
mod laws;
mod layout;
mod methods;
#[cfg(feature = "std")]
mod scenarios;
mod signatures;
mod support;
mod table;
mod variance;
mod zip;
