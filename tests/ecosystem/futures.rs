//! futures: its macros, its collections and its extension traits.

use std::pin::{Pin, pin};
use std::rc::Rc;

use futures::executor::{LocalPool, block_on};
use futures::future::{self, BoxFuture, FutureExt, TryFutureExt};
use futures::stream::{self, FuturesUnordered, StreamExt, TryStreamExt};
use futures::task::{LocalSpawnExt, SpawnExt};
use maybe_ready::{AlwaysReady, BoxMaybeReady, MaybeReady, MaybeReadyFuture};

use crate::support::{Unknown, checked_name, name};

#[test]
fn select_takes_what_into_future_gives_without_fuse_or_pin() {
    let selected = block_on(async {
        futures::select! {
            name = name(2).into_future() => name,
            name = name(1).into_future() => name,
        }
    });
    assert_eq!(selected, "user 2");
}

#[test]
fn select_in_a_loop_takes_the_pinned_future_and_comes_to_its_complete_arm() {
    let mut names = Vec::new();
    let (mut hit, mut miss) = (pin!(name(2).into_future()), pin!(name(1).into_future()));
    block_on(async {
        loop {
            futures::select_biased! {
                name = miss => names.push(name),
                name = hit => names.push(name),
                complete => break,
            }
        }
    });
    assert_eq!(names, ["user 2", "user 1"], "a value does not wait");
}

#[test]
fn join_and_try_join_take_what_into_future_gives() {
    block_on(async {
        let both = futures::join!(name(1).into_future(), name(2).into_future());
        assert_eq!(both, ("user 1".to_owned(), "user 2".to_owned()));

        let (left, right) = (checked_name(1), checked_name(102));
        let failed = futures::try_join!(left.into_future(), right.into_future());
        assert_eq!(failed, Err(Unknown(102)));
    });
}

#[test]
fn its_join_all_and_select_all_take_what_into_future_gives() {
    let answers = (0..4).map(|id| name(id).into_future());
    let names = block_on(future::join_all(answers));
    assert_eq!(names, ["user 0", "user 1", "user 2", "user 3"]);

    let answers = [1, 3, 4].map(|id| name(id).boxed().into_future());
    let (first, index, rest) = block_on(future::select_all(answers));
    assert_eq!((&*first, index, rest.len()), ("user 4", 2, 2));
}

#[test]
fn futures_unordered_gives_the_hits_first() {
    let answers = [1, 2, 3, 4].map(|id| name(id).into_future());
    let names = FuturesUnordered::from_iter(answers);
    let mut names: Vec<String> = block_on(names.collect());
    names[..2].sort();
    names[2..].sort();
    assert_eq!(names, ["user 2", "user 4", "user 1", "user 3"]);
}

#[test]
fn futures_unordered_takes_the_misses_alone_as_they_are() {
    let mut names = Vec::new();
    let misses = FuturesUnordered::new();
    for id in 0..4 {
        match name(id) {
            MaybeReady::Ready(name) => names.push(name),
            MaybeReady::Pending(miss) => misses.push(miss),
        }
    }
    assert_eq!((names.len(), misses.len()), (2, 2));

    names.extend(block_on(misses.collect::<Vec<_>>()));
    names.sort();
    assert_eq!(names, ["user 0", "user 1", "user 2", "user 3"]);
}

#[test]
fn a_stream_of_futures_is_buffered_with_and_without_their_order() {
    let answers = || stream::iter(0..4).map(|id| name(id).into_future());
    let expected = ["user 0", "user 1", "user 2", "user 3"];

    let names: Vec<String> = block_on(answers().buffered(2).collect());
    assert_eq!(names, expected);

    let mut names: Vec<String> = block_on(answers().buffer_unordered(2).collect());
    assert_eq!(&names[0], "user 0");
    names.sort();
    assert_eq!(names, expected);

    let checked = stream::iter([1, 102, 2]).map(|id| Ok(checked_name(id).into_future()));
    let names = checked.try_buffered(2).try_collect::<Vec<_>>();
    assert_eq!(block_on(names), Err(Unknown(102)));
}

#[test]
fn then_of_a_stream_takes_what_into_future_gives() {
    let names = stream::iter(0..2).then(|id| name(id).into_future());
    let names: Vec<String> = block_on(names.collect());
    assert_eq!(names, ["user 0", "user 1"]);
}

#[test]
fn the_methods_of_try_future_ext_work_on_the_future_and_the_own_ones_keep_a_hit() {
    let theirs = |id| {
        let answer = checked_name(id).into_future();
        answer
            .and_then(|name| future::ok(name.len()))
            .map_err(|Unknown(id)| format!("no user {id}"))
    };
    assert_eq!(block_on(theirs(1)), Ok(6));
    assert_eq!(block_on(theirs(102)), Err("no user 102".to_owned()));

    let ours = |id| {
        checked_name(id)
            .and_then(|name| AlwaysReady::Ready(Ok(name.len())))
            .map_err(|Unknown(id)| format!("no user {id}"))
    };
    assert_eq!(ours(2).unwrap_ready(), Ok(6));
    assert_eq!(ours(102).unwrap_ready(), Err("no user 102".to_owned()));
}

#[test]
fn now_or_never_takes_a_hit_out_of_any_future() {
    assert_eq!(
        name(2).into_future().now_or_never().as_deref(),
        Some("user 2")
    );
    assert_eq!(name(1).into_future().now_or_never(), None);
}

#[test]
fn shared_on_the_slow_path_makes_a_maybe_ready_that_is_cloned() {
    let hit = name(2).map_pending(FutureExt::shared);
    assert_eq!(hit.clone().unwrap_ready(), hit.unwrap_ready());

    let miss = name(1).map_pending(FutureExt::shared);
    let both = block_on(miss.clone().zip(miss).into_future());
    assert_eq!(both, ("user 1".to_owned(), "user 1".to_owned()));
}

#[test]
fn a_field_of_the_named_future_is_polled_without_a_box_if_it_is_unpin() {
    /// What a hand-written state machine keeps.
    struct Request(MaybeReadyFuture<String, BoxFuture<'static, String>>);

    let answer = |id| -> BoxMaybeReady<'static, String> { name(id).boxed() };
    let mut requests = [1, 2].map(|id| Request(answer(id).into()));
    let at_hand = requests.each_ref().map(|request| request.0.is_ready());
    assert_eq!(at_hand, [false, true]);

    let polled = requests.each_mut().map(|request| Pin::new(&mut request.0));
    assert_eq!(block_on(future::join_all(polled)), ["user 1", "user 2"]);
}

#[test]
fn its_executors_spawn_what_into_future_gives() {
    let mut pool = LocalPool::new();
    let spawner = pool.spawner();
    let not_send = AlwaysReady::Ready(Rc::new(2)).defer();
    let sendable = spawner.spawn_with_handle(name(1).into_future());
    let local = spawner.spawn_local_with_handle(not_send.into_future());
    let both = future::join(sendable.expect("it runs"), local.expect("it runs"));
    assert_eq!(pool.run_until(both), ("user 1".to_owned(), Rc::new(2)));
}
