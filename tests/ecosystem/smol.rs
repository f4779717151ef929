//! `smol`: its executors, and what `futures-lite` gives it.

use std::cell::Cell;
use std::rc::Rc;

use maybe_ready::{AlwaysReady, MaybeReady};
use smol::future::{self, FutureExt};
use smol::{Executor, LocalExecutor, Task};

use crate::support::{hits, name};

#[test]
fn block_on_takes_what_into_future_gives_and_a_hit_needs_none() {
    assert_eq!(smol::block_on(name(1).into_future()), "user 1");
    assert_eq!(name(2).unwrap_or_else(smol::block_on), "user 2");
    assert_eq!(name(1).unwrap_or_else(smol::block_on), "user 1");
}

#[test]
fn spawn_takes_what_into_future_gives_and_a_miss_as_it_is() {
    let executor = Executor::new();
    let hit = executor.spawn(name(2).into_future());
    let miss = name(1).map_pending(|miss| executor.spawn(miss));
    let names = smol::block_on(executor.run(async { (hit.await, miss.await) }));
    assert_eq!(names, ("user 2".to_owned(), "user 1".to_owned()));

    assert_eq!(smol::block_on(smol::spawn(name(1).into_future())), "user 1");
}

#[test]
fn a_task_is_the_slow_path_of_a_caller_that_asks_again() {
    let executor = LocalExecutor::new();
    let mut answer: MaybeReady<String, Task<String>> =
        name(1).map_pending(|miss| executor.spawn(miss));

    let mut tries = 0;
    let name = loop {
        match answer {
            MaybeReady::Ready(name) => break name,
            MaybeReady::Pending(task) if task.is_finished() => {
                answer = MaybeReady::Ready(smol::block_on(task));
            }
            pending @ MaybeReady::Pending(_) => {
                answer = pending;
                assert!(executor.try_tick(), "the task has something to do");
                tries += 1;
            }
        }
    };
    assert_eq!((&*name, tries), ("user 1", 2));
}

#[test]
fn or_race_and_zip_take_what_into_future_gives() {
    smol::block_on(async {
        let winner = name(1).into_future().or(name(2).into_future()).await;
        assert_eq!(winner, "user 2");
        let winner = name(1).into_future().race(name(2).into_future()).await;
        assert_eq!(winner, "user 2");
        let both = future::zip(name(1).into_future(), name(2).into_future()).await;
        assert_eq!(both, ("user 1".to_owned(), "user 2".to_owned()));
    });
}

#[test]
fn poll_once_gives_a_hit_and_leaves_a_miss() {
    smol::block_on(async {
        let hit = future::poll_once(name(2).into_future()).await;
        assert_eq!(hit.as_deref(), Some("user 2"));
        assert_eq!(future::poll_once(name(1).into_future()).await, None);
    });
}

#[test]
fn unblock_is_a_slow_path_that_blocks_elsewhere() {
    fn length(text: Option<&'static str>) -> MaybeReady<usize, Task<usize>> {
        match text {
            Some(text) => MaybeReady::Ready(text.len()),
            None => MaybeReady::Pending(smol::unblock(|| "read from a disk".len())),
        }
    }

    assert_eq!(length(Some("text")).unwrap_ready(), 4);
    assert_eq!(smol::block_on(length(None).into_future()), 16);
}

/// Looks names up beside another task, and says whether that had its turn before the end.
fn neighbour_had_its_turn(between: impl AsyncFn()) -> bool {
    let executor = LocalExecutor::new();
    let had_its_turn = Rc::new(Cell::new(false));
    let turn = had_its_turn.clone();
    let looking_up = executor.spawn(async move {
        for id in hits() {
            name(id).await;
            between().await;
        }
        had_its_turn.get()
    });
    executor.spawn(async move { turn.set(true) }).detach();
    smol::block_on(executor.run(looking_up))
}

#[test]
fn a_loop_over_values_starves_its_neighbour_unless_it_yields() {
    assert!(!neighbour_had_its_turn(async || {}));
    assert!(neighbour_had_its_turn(async || future::yield_now().await));
}

#[test]
fn a_local_executor_takes_what_is_not_send() {
    let executor = LocalExecutor::new();
    let shared: Rc<str> = "shared".into();
    let pending = AlwaysReady::Ready(shared).defer();
    let task = executor.spawn(pending.into_future());
    assert_eq!(&*smol::block_on(executor.run(task)), "shared");
}
