//! What the benchmarks share.
//!
//! Each operation has a module with the same anatomy: its [`Question`]s, and below them the ways
//! to the answer, each of them a function of a [`Source`].

pub mod await_cost;
pub mod calls;
pub mod chain;
pub mod fold;
pub mod hit;
pub mod join_all;
mod load;
mod markdown;
pub mod miss;
mod question;
mod results;
mod source;
pub mod try_fold;
pub mod try_join_all;

pub use crate::load::{Completion, Load};
pub use crate::markdown::{fill, markdown};
pub use crate::question::{Question, Way, criterion};
pub use crate::results::{Estimate, Results, chart, in_words, machine};
pub use crate::source::{Entry, Fetch, Source};

/// The name of this crate's ways.
pub const OURS: &str = "maybe-ready";
