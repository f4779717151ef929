//! `load_many`.

use graphql_example::loader::LoadError;
use maybe_ready::MaybeReady;

use super::support::{BAD, Backend, block_on};

#[test]
fn all_resolved_is_ready() {
    let backend = Backend::default();
    let loader = backend.loader();
    let first = block_on(loader.load_many([1, 2]).into_future());
    assert_eq!(first, [Ok((1, 0)), Ok((2, 0))]);
    let again = loader.load_many([2, 1, 2]).unwrap_ready();
    assert_eq!(again, [Ok((2, 0)), Ok((1, 0)), Ok((2, 0))]);
    assert_eq!(backend.batches(), [[1, 2]]);
}

#[test]
fn a_mixture_is_pending_in_the_order_of_the_request_with_repeats_repeated() {
    let backend = Backend::default();
    let loader = backend.loader();
    block_on(loader.load(2).into_future()).unwrap();
    let mixed = loader.load_many([3, 2, 1, 3]);
    assert!(mixed.is_pending());
    let mixed = block_on(mixed.into_future());
    assert_eq!(mixed, [Ok((3, 1)), Ok((2, 0)), Ok((1, 1)), Ok((3, 1))]);
    assert_eq!(backend.batches(), [vec![2], vec![3, 1]]);
}

#[test]
fn nothing_is_ready() {
    let backend = Backend::default();
    let none = backend.loader().load_many([]);
    assert!(matches!(none, MaybeReady::Ready(values) if values.is_empty()));
    assert!(backend.batches().is_empty());
}

#[test]
fn a_key_that_fails_keeps_the_others() {
    let loader = Backend::default().loader();
    let answers = block_on(loader.load_many([1, BAD, 2]).into_future());
    let bad = Err(LoadError::Key("bad key"));
    assert_eq!(answers, [Ok((1, 0)), bad, Ok((2, 0))]);
}
