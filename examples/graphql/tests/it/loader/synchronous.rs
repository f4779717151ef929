//! Batch functions that never wait, and say so in their types.

use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use graphql_example::loader::{BatchError, LoadError, Loader, LoaderBuilder};
use maybe_ready::AlwaysReady;
use pollster::block_on;

type Batches = Arc<Mutex<Vec<Vec<u32>>>>;

fn build(
    builder: LoaderBuilder<u32, u32, &'static str>,
) -> (Loader<u32, u32, &'static str>, Batches) {
    let batches = Batches::default();
    let log = batches.clone();
    let loader = builder.build(move |keys: Vec<u32>| {
        log.lock().unwrap().push(keys.clone());
        let double = |key| {
            if key == 13 {
                Err("unlucky")
            } else {
                Ok(2 * key)
            }
        };
        AlwaysReady::Ready(keys.into_iter().map(double).collect())
    });
    (loader, batches)
}

#[test]
fn a_load_is_ready_at_once() {
    let (loader, batches) = build(Loader::builder());
    assert_eq!(loader.load(1).unwrap_ready(), Ok(2));
    assert_eq!(loader.load(2).unwrap_ready(), Ok(4));
    assert_eq!(loader.load(1).unwrap_ready(), Ok(2));
    assert_eq!(
        loader.load(13).unwrap_ready(),
        Err(LoadError::Key("unlucky"))
    );
    assert_eq!(
        loader.load(13).unwrap_ready(),
        Err(LoadError::Key("unlucky"))
    );
    assert_eq!(*batches.lock().unwrap(), [[1], [2], [13]]);
}

#[test]
fn many_loads_share_a_batch() {
    let (loader, batches) = build(Loader::builder());
    loader.prime(3, Ok(33));
    let answers = loader.load_many([1, 3, 2, 1]).unwrap_ready();
    assert_eq!(answers, [Ok(2), Ok(33), Ok(4), Ok(2)]);
    assert_eq!(*batches.lock().unwrap(), [[1, 2]]);
}

#[test]
fn many_loads_are_split_at_the_largest_batch() {
    let (loader, batches) = build(Loader::builder().max_batch_size(2));
    let answers = loader.load_many(1..=5).unwrap_ready();
    assert_eq!(answers, [2, 4, 6, 8, 10].map(Ok));
    assert_eq!(*batches.lock().unwrap(), [vec![1, 2], vec![3, 4], vec![5]]);
}

#[test]
fn without_cache_every_load_is_fetched() {
    let (loader, batches) = build(Loader::builder().cache(false));
    assert_eq!(loader.load_many([1, 1]).unwrap_ready(), [Ok(2), Ok(2)]);
    assert_eq!(loader.load(1).unwrap_ready(), Ok(2));
    assert_eq!(*batches.lock().unwrap(), [vec![1, 1], vec![1]]);
}

#[test]
fn an_error_that_is_not_remembered_is_fetched_again() {
    let (loader, batches) = build(Loader::builder().remember_errors(|_| false));
    let unlucky = Err(LoadError::Key("unlucky"));
    assert_eq!(loader.load(13).unwrap_ready(), unlucky);
    assert_eq!(loader.load(13).unwrap_ready(), unlucky);
    for _ in 0..2 {
        let answers = loader.load_many([13, 1, 13]).unwrap_ready();
        assert_eq!(answers, [unlucky.clone(), Ok(2), unlucky.clone()]);
    }
    assert_eq!(
        *batches.lock().unwrap(),
        [vec![13], vec![13], vec![13, 1], vec![13]]
    );
}

#[test]
fn a_panic_is_an_error_of_the_load() {
    let loader = Loader::<u32, u32, ()>::new(|keys: Vec<u32>| {
        assert!(keys != [1], "not this one");
        AlwaysReady::Ready(keys.into_iter().map(Ok).collect())
    });
    let message = "not this one".to_owned();
    let expected = LoadError::Batch(BatchError::Panicked { message }.into());
    assert_eq!(loader.load(1).unwrap_ready(), Err(expected));
    assert_eq!(loader.load(2).unwrap_ready(), Ok(2));
}

#[test]
fn a_batch_function_may_load_other_keys_of_its_loader() {
    let cell: Arc<Mutex<Option<Loader<u32, u32, ()>>>> = Arc::default();
    let this = cell.clone();
    let factorials = Loader::new(move |keys: Vec<u32>| {
        let this = this.lock().unwrap().clone().unwrap();
        let own = this.load(keys[0]);
        assert!(own.is_pending(), "its own key is being fetched");
        let factorial = |key| match key {
            0 => Ok(1),
            _ => Ok(key * this.load(key - 1).unwrap_ready().unwrap()),
        };
        AlwaysReady::Ready(keys.into_iter().map(factorial).collect())
    });
    *cell.lock().unwrap() = Some(factorials.clone());
    assert_eq!(factorials.load(5).unwrap_ready(), Ok(120));
    assert!(factorials.load(4).is_ready());
    cell.lock().unwrap().take();
}

/// The keys are an iterator of the caller's, which may load as well.
#[test]
fn keys_may_be_loaded_while_many_are() {
    let (loader, batches) = build(Loader::builder());
    let keys = [1, 2].into_iter().inspect(|_| {
        let _ = loader.load(1).unwrap_ready();
    });
    assert_eq!(loader.load_many(keys).unwrap_ready(), [Ok(2), Ok(4)]);
    assert_eq!(*batches.lock().unwrap(), [[1], [2]]);
}

#[test]
fn a_key_that_another_thread_fetches_is_pending() {
    let ((entered, wait), (go, may_go)) = (mpsc::channel(), mpsc::channel());
    let may_go = Mutex::new(may_go);
    let loader = Loader::<u32, u32, ()>::new(move |keys: Vec<u32>| {
        entered.send(()).unwrap();
        may_go.lock().unwrap().recv().unwrap();
        AlwaysReady::Ready(keys.into_iter().map(Ok).collect())
    });
    thread::scope(|scope| {
        let other = scope.spawn(|| loader.load(1).unwrap_ready());
        wait.recv().unwrap();
        let load = loader.load(1);
        assert!(load.is_pending());
        go.send(()).unwrap();
        assert_eq!(block_on(load.into_future()), Ok(1));
        assert_eq!(other.join().unwrap(), Ok(1));
    });
    assert_eq!(loader.stats().batches, 1);
}
