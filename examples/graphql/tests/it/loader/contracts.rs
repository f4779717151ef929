//! Auto traits, the end of futures, and what a hit costs.

use std::rc::Rc;
use std::sync::Arc;

use futures::future::FusedFuture;
use graphql_example::loader::{Load, LoadError, LoadMany, Loader, LoaderBuilder};
use maybe_ready::MaybeReady;

use super::support::{BAD, Backend, block_on, pending};

#[test]
fn loads_are_static_unpin_and_send() {
    fn check<T: Send + Sync + Unpin + 'static>() {}
    fn check_unpin<T: Unpin>() {}
    check::<Loader<u32, u32, u32>>();
    check::<LoaderBuilder<u32, u32, u32>>();
    check::<Load<u32, u32, u32>>();
    // Values of which only one thread at a time may have any.
    check::<Load<u32, std::cell::Cell<u32>, u32>>();
    check_unpin::<Load<u32, std::marker::PhantomPinned, u32>>();
    check_unpin::<LoadMany<u32, std::marker::PhantomPinned, u32>>();
    check_unpin::<Load<u32, Rc<u32>, u32>>();
}

#[test]
fn a_load_ends_when_it_has_given_its_answer() {
    let loader = Backend::default().loader();
    let MaybeReady::Pending(mut load) = loader.load(1) else {
        panic!("expected a load that is pending")
    };
    assert!(!load.is_terminated());
    block_on(&mut load).unwrap();
    assert!(load.is_terminated());
}

#[test]
fn debug_names_the_types_and_asks_nothing_of_keys_and_values() {
    struct Opaque;
    let loader = Loader::<u32, Arc<Opaque>, Arc<Opaque>>::new(async |_| Vec::new());
    let MaybeReady::Pending(load) = loader.load(1) else {
        panic!("expected a load that is pending")
    };
    assert_eq!(format!("{load:?}"), "Load { .. }");
    let stats = "Stats { loads: 1, hits: 0, misses: 1, batches: 0 }";
    assert_eq!(
        format!("{loader:?}"),
        format!("Loader {{ stats: {stats}, .. }}")
    );
    let builder = Loader::<Opaque, Opaque, Opaque>::builder().max_batch_size(3);
    let builder = format!("{builder:?}");
    assert!(builder.contains("LoaderBuilder") && builder.contains("max_batch_size: 3"));
}

#[test]
#[should_panic(expected = "`Load` polled after completion")]
fn a_load_that_is_polled_again_panics() {
    let mut load = pending(Backend::default().loader().load(1));
    assert!(load.run().is_ready());
    let _ = load.poll();
}

#[test]
fn a_hit_allocates_nothing() {
    let loader = Loader::<u64, Arc<str>, Arc<str>>::new(async |keys: Vec<u64>| {
        let value = |key: u64| Arc::<str>::from(key.to_string());
        let result = |key| {
            if key < u64::from(BAD) {
                Ok(value(key))
            } else {
                Err(value(key))
            }
        };
        keys.into_iter().map(result).collect()
    });
    let keys = [1, 2, u64::from(BAD)];
    block_on(loader.load_many(keys).into_future());
    let allocations = allocation_counter::measure(|| {
        for key in keys {
            assert!(loader.load(key).is_ready());
            assert!(loader.peek(&key).is_some());
        }
    });
    assert_eq!(allocations.count_total, 0, "hits, one of them an error");

    let allocations = allocation_counter::measure(|| assert!(loader.load_many(keys).is_ready()));
    assert_eq!(allocations.count_total, 1, "the list of the values");
}

/// What an error of a batch holds is shared, so that it does not make hits larger.
#[test]
fn errors_are_small() {
    let word = size_of::<usize>();
    assert!(size_of::<LoadError<u32>>() <= 2 * word);
    assert!(size_of::<Result<Arc<str>, LoadError<Arc<str>>>>() <= 3 * word);
}
