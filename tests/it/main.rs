//! The integration tests: one binary, a module for each concern.

#![allow(missing_docs, reason = "tests have no readers of their documentation")]

mod smoke;
mod support;
