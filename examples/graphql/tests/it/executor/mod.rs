//! The contracts of the executor, each in the words of the GraphQL specification where it has some.

mod lists;
mod mutations;
mod nulls;
mod requests;
mod schemas;
mod support;
mod values;
mod waiting;
