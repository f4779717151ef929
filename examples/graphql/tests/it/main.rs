//! One test binary, with a module for each concern.

#[cfg(feature = "service")]
mod commands;
mod executor;
mod loader;
#[cfg(feature = "service")]
mod packages;
