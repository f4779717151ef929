//! tokio, on both flavours of its runtime.

use std::panic::catch_unwind;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures::future::{self, FusedFuture};
use maybe_ready::{AlwaysReady, MaybeReady};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::{OnceCell, mpsc};
use tokio::task::{JoinSet, LocalSet, block_in_place, coop, spawn_blocking, spawn_local};
use tokio::time::error::Elapsed;
use tokio::time::{Instant, Timeout, timeout};

use crate::support::{Unknown, checked_name, hits, name};

fn both_flavours() -> [Runtime; 2] {
    [Builder::new_current_thread(), Builder::new_multi_thread()]
        .map(|mut builder| builder.worker_threads(2).build().expect("a runtime"))
}

#[tokio::test]
async fn select_takes_a_maybe_ready_and_a_value_wins_over_a_pending_one() {
    let left = tokio::select! {
        name = name(2) => name,
        name = name(1) => name,
    };
    let right = tokio::select! {
        name = name(1) => name,
        name = name(2) => name,
    };
    assert_eq!((&*left, &*right), ("user 2", "user 2"));
}

#[tokio::test]
async fn select_in_a_loop_takes_the_pinned_future_and_asks_it_if_it_is_done() {
    async fn name_and_numbers(
        name: MaybeReady<String, impl Future<Output = String>>,
    ) -> (String, u32) {
        let (sender, mut numbers) = mpsc::unbounded_channel();
        for n in 1..=100 {
            sender.send(n).expect("the receiver is there");
        }
        drop(sender);

        let mut name = pin!(name.into_future());
        let (mut found, mut sum) = (None, 0);
        loop {
            tokio::select! {
                name = &mut name, if !name.is_terminated() => found = Some(name),
                Some(n) = numbers.recv() => sum += n,
                else => return (found.expect("the name comes before the end"), sum),
            }
        }
    }

    let expected = |name: &str| (name.to_owned(), 5050);
    assert_eq!(name_and_numbers(name(2)).await, expected("user 2"));
    assert_eq!(name_and_numbers(name(1)).await, expected("user 1"));
}

#[tokio::test]
async fn join_and_try_join_take_maybe_readys() {
    let both = tokio::join!(name(1), name(2));
    assert_eq!(both, ("user 1".to_owned(), "user 2".to_owned()));

    let both = tokio::try_join!(checked_name(1), checked_name(2));
    assert_eq!(both, Ok(("user 1".to_owned(), "user 2".to_owned())));
    let failed = tokio::try_join!(checked_name(1), checked_name(102));
    assert_eq!(failed, Err(Unknown(102)));
}

#[tokio::test(start_paused = true)]
async fn timeout_lets_a_value_through_without_any_time() {
    let hit = timeout(Duration::ZERO, name(2)).await;
    assert_eq!(hit.as_deref(), Ok("user 2"));

    let never = MaybeReady::<(), _>::Pending(future::pending());
    let start = Instant::now();
    timeout(LIMIT, never).await.expect_err("it takes too long");
    assert_eq!(start.elapsed(), LIMIT);
}

const LIMIT: Duration = Duration::from_secs(5);

/// Puts the timer where it is needed. The type has a name, and the time runs from here on: an `async`
/// block around the timeout would start it at the first poll.
fn in_time<T, F: Future<Output = T>>(
    answer: MaybeReady<T, F>,
) -> MaybeReady<Result<T, Elapsed>, Timeout<F>> {
    answer
        .map_ready(Ok)
        .map_pending(|slow| timeout(LIMIT, slow))
}

#[test]
fn timeout_wants_a_runtime_with_a_timer_even_for_a_value_unless_it_is_on_the_slow_path() {
    assert_eq!(in_time(name(2)).unwrap_ready().as_deref(), Ok("user 2"));

    let no_timer = Builder::new_current_thread().build().expect("a runtime");
    no_timer.block_on(async {
        let hit = in_time(name(2)).await;
        assert_eq!(hit.as_deref(), Ok("user 2"));

        let direct = catch_unwind(|| timeout(LIMIT, name(2)));
        direct.expect_err("without a timer there is no timeout, not even of a value");
        let miss = catch_unwind(|| in_time(name(1)));
        miss.expect_err("and none of a miss");
    });
}

#[tokio::test(start_paused = true)]
async fn timeout_on_the_slow_path_ends_a_miss() {
    let never = MaybeReady::<(), _>::Pending(future::pending());
    let start = Instant::now();
    in_time(never).await.expect_err("it takes too long");
    assert_eq!(start.elapsed(), LIMIT);
    assert_eq!(in_time(name(1)).await.as_deref(), Ok("user 1"));
}

#[test]
fn spawn_takes_what_into_future_gives_on_both_flavours() {
    for runtime in both_flavours() {
        let (hit, miss) = runtime.block_on(async {
            let hit = tokio::spawn(name(2).into_future());
            let miss = tokio::spawn(name(1).into_future());
            tokio::join!(hit, miss)
        });
        assert_eq!(hit.expect("no panic"), "user 2");
        assert_eq!(miss.expect("no panic"), "user 1");
    }
}

#[tokio::test]
async fn spawn_takes_a_miss_as_it_is_and_fills_a_once_cell_for_the_next_call() {
    #[derive(Default)]
    struct Config(OnceCell<String>);

    impl Config {
        /// It owns what it uses, so that it can be spawned.
        fn get(self: &Arc<Self>) -> MaybeReady<String, impl Future<Output = String> + use<>> {
            match self.0.get() {
                Some(text) => MaybeReady::Ready(text.clone()),
                None => MaybeReady::Pending({
                    let config = self.clone();
                    async move {
                        let load = || name(1).into_future();
                        config.0.get_or_init(load).await.clone()
                    }
                }),
            }
        }
    }

    let config = Arc::<Config>::default();
    let loading = config.get().try_into_ready().map_err(tokio::spawn);
    let loaded = loading.expect_err("it is not loaded yet").await;
    assert_eq!(loaded.expect("no panic"), "user 1");
    assert_eq!(config.get().unwrap_ready(), "user 1");
}

#[tokio::test]
async fn spawn_local_takes_what_is_not_send() {
    let local = LocalSet::new();
    let shared: Rc<str> = "shared".into();
    let task = local.run_until(async {
        let pending = AlwaysReady::Ready(shared.clone()).defer();
        spawn_local(pending.into_future()).await
    });
    assert_eq!(&*task.await.expect("no panic"), "shared");
}

#[test]
fn a_join_set_takes_hits_and_misses_or_the_misses_alone() {
    for runtime in both_flavours() {
        runtime.block_on(async {
            let expected = ["user 0", "user 1", "user 2", "user 3"];

            let mut tasks = JoinSet::new();
            for id in 0..4 {
                tasks.spawn(name(id).into_future());
            }
            let mut names = tasks.join_all().await;
            names.sort();
            assert_eq!(names, expected);

            let mut tasks = JoinSet::new();
            let mut names = Vec::new();
            for id in 0..4 {
                match name(id) {
                    MaybeReady::Ready(name) => names.push(name),
                    MaybeReady::Pending(miss) => drop(tasks.spawn(miss)),
                }
            }
            assert_eq!(tasks.len(), 2, "a task for each miss, and none for a hit");
            names.extend(tasks.join_all().await);
            names.sort();
            assert_eq!(names, expected);
        });
    }
}

#[tokio::test]
async fn a_loop_over_values_starves_its_neighbour() {
    let neighbour = tokio::spawn(async {});
    for id in hits() {
        name(id).await;
    }
    assert!(!neighbour.is_finished(), "no await gave it a turn");
    neighbour.await.expect("no panic");
}

#[tokio::test]
async fn cooperative_gives_the_neighbour_of_a_loop_over_values_its_turn() {
    let neighbour = tokio::spawn(async {});
    for id in hits() {
        coop::cooperative(name(id).into_future()).await;
    }
    assert!(neighbour.is_finished());
}

#[tokio::test]
async fn consume_budget_gives_the_neighbour_of_a_loop_over_values_its_turn() {
    let neighbour = tokio::spawn(async {});
    for id in hits() {
        // A hit that is matched is not awaited at all.
        assert!(name(id).is_ready());
        coop::consume_budget().await;
    }
    assert!(neighbour.is_finished());
}

/// For callers that are not async, inside of a runtime or beside it.
fn name_now(id: u32) -> String {
    name(id).unwrap_or_else(|miss| Handle::current().block_on(miss))
}

#[test]
fn block_on_is_reached_by_a_miss_alone_so_that_a_hit_can_be_taken_anywhere() {
    assert_eq!(name_now(2), "user 2", "without a runtime");

    for runtime in both_flavours() {
        runtime.block_on(async {
            assert_eq!(name_now(2), "user 2", "where a task must not block");
            let miss = spawn_blocking(|| name_now(1)).await;
            assert_eq!(miss.expect("it may block there"), "user 1");
        });
    }
    let [_, multi_thread] = both_flavours();
    let miss = multi_thread.block_on(async { block_in_place(|| name_now(1)) });
    assert_eq!(miss, "user 1");
}
