//! Tests of the loader. What a test names a batch is the list of keys that the batch function saw.

mod batching;
mod cache;
mod contracts;
mod dropping;
mod errors;
mod loads;
mod many;
mod model;
mod policies;
mod reentrancy;
mod runtimes;
mod support;
mod synchronous;
mod threads;
