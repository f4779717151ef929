//! One test binary, with a module for each concern.

mod chains;
#[cfg(feature = "service")]
mod commands;
mod executor;
mod laws;
mod loader;
#[cfg(feature = "service")]
mod packages;
