//! Which loads share a batch, and when it closes.

use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use futures::future::join_all;
use graphql_example::loader::{Load, Loader};

use super::support::{Backend, Task, block_on, pending};

#[test]
fn loads_of_one_turn_share_a_batch() {
    let backend = Backend::default();
    let loader = backend.loader();
    let loads = join_all([1, 2].map(|key| loader.load(key).into_future()));
    assert_eq!(block_on(loads), [Ok((1, 0)), Ok((2, 0))]);
    assert_eq!(backend.batches(), [[1, 2]]);
}

#[test]
fn the_same_key_twice_is_fetched_once() {
    let backend = Backend::default();
    let loader = backend.loader();
    let loads = join_all([1, 1].map(|key| loader.load(key).into_future()));
    assert_eq!(block_on(loads), [Ok((1, 0)), Ok((1, 0))]);
    assert_eq!(backend.batches(), [[1]]);
}

/// The loads are made inside of the polls, so that the batch is open while the first one waits.
/// More than thirty futures are polled by `futures` in another way than fewer.
#[test]
fn loads_made_by_sibling_futures_in_one_turn_share_a_batch() {
    for count in [2, 30, 31, 500] {
        let backend = Backend::default();
        let loader = &backend.loader();
        let load = async |key| loader.load(key).await.unwrap();
        block_on(join_all((0..count).map(load)));
        let all: Vec<u32> = (0..count).collect();
        assert_eq!(backend.batches(), [all], "{count} loads in one turn");

        block_on(maybe_ready::join_all((count..2 * count).map(load)));
        let all: Vec<u32> = (count..2 * count).collect();
        assert_eq!(backend.batches()[1..], [all], "{count} loads, our own join");
    }
}

#[test]
fn a_batch_closes_when_a_load_is_polled_again() {
    let backend = Backend::default();
    let loader = backend.loader();
    let mut first = pending(loader.load(1));
    assert!(first.poll().is_pending());
    assert!(first.is_woken(), "it asks for another turn");
    let mut second = pending(loader.load(2));
    assert!(second.poll().is_pending());
    assert!(
        backend.batches().is_empty(),
        "a first poll does not close a batch"
    );
    assert!(first.poll().is_ready());
    assert_eq!(backend.batches(), [[1, 2]]);
    assert!(second.poll().is_ready());

    let _third = loader.load(3);
    assert_eq!(backend.batches(), [[1, 2]]);
}

#[test]
fn a_poll_more_than_needed_does_no_harm() {
    let backend = Backend::default();
    let loader = backend.gated();
    let mut first = pending(loader.load(1));
    assert!(first.poll().is_pending() && first.poll().is_pending());
    assert_eq!(backend.batches(), [[1]], "it closes the batch early");
    let mut second = pending(loader.load(2));
    assert!(first.poll().is_pending() && first.poll().is_pending());
    assert!(second.poll().is_pending());
    assert_eq!(
        backend.batches(),
        [[1]],
        "the other batch is as open as before"
    );
    assert!(second.poll().is_pending());
    assert_eq!(backend.batches(), [[1], [2]]);
    backend.release(1);
    backend.release(0);
    assert_eq!(second.run(), Poll::Ready(Ok((2, 1))));
    assert_eq!(first.run(), Poll::Ready(Ok((1, 0))));
}

#[test]
fn a_load_that_is_polled_once_and_never_again_stalls_nobody() {
    let backend = Backend::default();
    let loader = backend.gated();
    let mut stalled = pending(loader.load(1));
    let mut other = pending(loader.load(2));
    assert!(stalled.poll().is_pending());
    assert!(other.run().is_pending());
    assert_eq!(backend.batches(), [[1, 2]]);
    backend.release(0);
    assert_eq!(other.run(), Poll::Ready(Ok((2, 0))));
}

#[test]
fn a_load_that_polled_the_flight_and_is_never_polled_again_stalls_nobody() {
    let backend = Backend::default();
    let loader = backend.gated();
    let (mut stalled, mut other) = (pending(loader.load(1)), pending(loader.load(1)));
    assert!(stalled.run().is_pending() && other.run().is_pending());
    backend.release(0);
    assert!(stalled.is_woken() && other.is_woken());
    assert_eq!(other.run(), Poll::Ready(Ok((1, 0))));
}

/// The load that polls the flight may be stalled thereafter.
/// A backend that wakes for each of its keys must not wake all loads for each of them.
#[test]
fn wakes_that_nobody_has_followed_yet_are_one() {
    let backend = Backend::default();
    let loader = backend.gated();
    let mut loads = [1, 2, 3].map(|key| pending(loader.load(key)));
    for load in &mut loads {
        assert!(load.run().is_pending());
    }
    let wakes = |loads: &[Task<_>; 3]| loads.each_ref().map(Task::wakes);
    for _ in 0..5 {
        backend.wake(0);
    }
    assert_eq!(wakes(&loads), [1, 1, 1]);

    assert!(loads[1].poll().is_pending(), "it follows for all");
    assert_eq!(wakes(&loads), [1, 0, 1]);
    for _ in 0..5 {
        backend.wake(0);
    }
    assert_eq!(wakes(&loads), [2, 1, 2]);
    backend.release(0);
    for mut load in loads {
        assert!(load.run().is_ready());
    }
}

#[test]
fn a_wake_while_the_flight_is_polled_reaches_those_who_came_meanwhile() {
    let latecomer = Arc::new(Mutex::new(None::<Task<Load<u32, u32, ()>>>));
    let meanwhile = latecomer.clone();
    let loader = Loader::<u32, u32, ()>::new(move |_| {
        let (meanwhile, mut polls) = (meanwhile.clone(), 0);
        poll_fn(move |cx| {
            polls += 1;
            if polls > 1 {
                return Poll::Ready(vec![Ok(7)]);
            }
            cx.waker().wake_by_ref();
            let mut meanwhile = meanwhile.lock().unwrap();
            let latecomer = meanwhile.as_mut().expect("it was made");
            assert!(latecomer.run().is_pending(), "the flight is being polled");
            Poll::Pending
        })
    });
    let mut stalled = pending(loader.load(1));
    *latecomer.lock().unwrap() = Some(pending(loader.load(1)));
    assert!(stalled.poll().is_pending() && stalled.poll().is_pending());
    let mut latecomer = latecomer.lock().unwrap().take().unwrap();
    assert!(
        latecomer.is_woken(),
        "the wake came before it waited, and is due"
    );
    assert_eq!(latecomer.run(), Poll::Ready(Ok(7)));
}

#[test]
fn three_loads_in_batches_of_two() {
    for made_in_polls in [false, true] {
        let backend = Backend::default();
        let loader = &backend.build(Loader::builder().max_batch_size(2));
        if made_in_polls {
            block_on(join_all([1, 2, 3].map(async |key| loader.load(key).await)));
        } else {
            block_on(join_all(
                [1, 2, 3].map(|key| loader.load(key).into_future()),
            ));
        }
        assert_eq!(backend.batches(), [vec![1, 2], vec![3]]);
    }
}

#[test]
fn a_full_batch_is_closed_at_once() {
    let backend = Backend::default();
    let loader = backend.build(Loader::builder().max_batch_size(1));
    let mut load = pending(loader.load(1));
    assert_eq!(
        load.poll(),
        Poll::Ready(Ok((1, 0))),
        "there is no turn to wait for"
    );
    assert_eq!(backend.batches(), [[1]]);
}

#[test]
#[should_panic(expected = "a batch has at least one key")]
fn batches_of_nothing_are_refused() {
    let _ = Loader::<u32, u32, u32>::builder().max_batch_size(0);
}

/// A backend wakes one after the other, and an executor on another thread may begin with the first
/// while the second is still to be woken. What the first loads next must wait for the second.
#[test]
fn whoever_gets_an_answer_finds_all_others_of_the_batch_woken() {
    struct Turn(Mutex<Option<Box<dyn FnOnce() + Send>>>);

    impl Wake for Turn {
        fn wake(self: Arc<Self>) {
            let turn = self.0.lock().unwrap().take();
            if let Some(turn) = turn {
                turn();
            }
        }
    }

    let backend = Backend::default();
    let loader = backend.gated();
    let (mut first, mut second) = (loader.load(1), pending(loader.load(2)));
    assert!(second.poll().is_pending());
    assert!(second.poll().is_pending());

    let (answered, was_answered) = std::sync::mpsc::channel();
    let turn = Arc::new(Turn(Mutex::new(None)));
    let waker = Waker::from(turn.clone());
    assert!(
        first
            .poll_ready(&mut Context::from_waker(&waker))
            .is_pending()
    );
    assert!(second.poll().is_pending());
    *turn.0.lock().unwrap() = Some(Box::new(move || {
        let is_ready = first
            .poll_ready(&mut Context::from_waker(Waker::noop()))
            .is_ready();
        answered.send((is_ready, second.is_woken())).unwrap();
    }));
    backend.release(0);
    let (is_ready, others_are_woken) = was_answered.recv().unwrap();
    assert!(is_ready, "the first load has its answer");
    assert!(
        others_are_woken,
        "the second load is woken before the first goes on"
    );
}
