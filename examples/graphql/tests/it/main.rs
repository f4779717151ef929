//! One test binary, with a module for each concern.

mod executor;
mod loader;
