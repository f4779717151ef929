//! Failures that were reported in public, each tried on this crate.
//!
//! Case 22, that features only add, is the module `signatures`. Case 28, that a value is used twice
//! or awaited twice, must not compile; it is among the compile-fail tests in `tests/ui`.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt::Debug;
use std::future::{self, IntoFuture, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures::FutureExt;
use futures::future::FusedFuture;
use maybe_ready::{IntoMaybeReady, MaybeReady, MaybeReadyFuture};
use tokio::task::coop;

use crate::support::{
    CountPolls, Drops, Log, Unpollable, Untouchable, Wakes, Yield, drive, future_of, panic_message,
    poll_once, ready,
};

/// A value that comes with the second poll.
fn pending<T>(value: T) -> MaybeReady<T, Yield<T>> {
    MaybeReady::Pending(Yield::new(1, value))
}

/// An async block that panics if it is polled after it finished, as all of them do.
async fn yield_once<T>(value: T) -> T {
    Yield::new(1, ()).await;
    value
}

/// Sizes around which joins elsewhere change their ways.
#[cfg(feature = "std")]
const SIZES: [usize; 8] = [2, 29, 30, 31, 32, 64, 100, 1000];

/// Case 1, futures-rs #2866: above 30 items, `try_join_all` waited for the first item before it
/// looked at the error of the second.
#[cfg(feature = "std")]
#[test]
fn an_error_at_hand_ends_try_join_all_at_once_at_every_size() {
    for n in SIZES {
        let mut pulled = 0;
        let items = (0..n).map(|i| {
            pulled += 1;
            match i {
                1 => MaybeReady::Ready(Err("failed")),
                _ => MaybeReady::Pending(Unpollable::<Result<(), _>>::new()),
            }
        });
        let joined = maybe_ready::try_join_all(items).unwrap_ready();
        assert_eq!(joined, Err("failed"), "with {n} items");
        assert_eq!(pulled, 2, "with {n} items, no more than needed");
    }
}

/// Case 1 again, for an error that has to be waited for.
#[cfg(feature = "std")]
#[test]
fn an_error_ends_try_join_all_at_once_when_it_comes() {
    for n in SIZES {
        let items = (0..n).map(|i| async move {
            match i {
                1 => yield_once(Err::<(), _>("failed")).await,
                _ => future::pending().await,
            }
        });
        let joined = drive(maybe_ready::try_join_all(items));
        assert_eq!(joined, (Err("failed"), 2), "with {n} items");
    }
}

/// Case 2, futures-rs #2201 and tokio #2401: each wake-up polled, or moved, every item once more.
#[cfg(feature = "std")]
#[test]
fn join_all_polls_only_what_is_pending_and_was_woken() {
    const ITEMS: usize = 10_000;
    const EVERY: usize = 1000;
    let pending = ITEMS / EVERY;

    let polls = Rc::new(Cell::new(0));
    let mut senders = Vec::new();
    let items = (0..ITEMS).map(|i| {
        if i % EVERY > 0 {
            return MaybeReady::Ready(i);
        }
        let (sender, receiver) = futures::channel::oneshot::channel();
        senders.push(sender);
        MaybeReady::Pending(CountPolls::new(receiver.map(Result::unwrap), &polls))
    });
    let mut joined = maybe_ready::join_all(items).into_future();
    assert!(poll_once(Pin::new(&mut joined)).is_pending());
    assert_eq!(polls.get(), pending, "the first poll starts them all");

    let wakes = Wakes::new();
    let waker = Waker::from(wakes.clone());
    let mut cx = Context::from_waker(&waker);
    assert!(joined.poll_unpin(&mut cx).is_pending());
    let mut output = Poll::Pending;
    for (round, sender) in senders.into_iter().enumerate() {
        assert!(output.is_pending());
        sender.send(round * EVERY).unwrap();
        assert_eq!(wakes.count(), round + 1, "each arrival wakes the task");
        output = joined.poll_unpin(&mut cx);
    }
    assert_eq!(output, Poll::Ready((0..ITEMS).collect()));
    assert_eq!(polls.get(), 2 * pending, "once at the start, once each");
}

/// Case 3, futures-concurrency #135: a join of two polled the side that had finished once more.
#[test]
fn zip_never_polls_a_side_that_has_its_value() {
    let left = ready(1).zip(yield_once(2));
    let right = MaybeReady::Pending(yield_once(1)).zip(ready(2));
    let first_yields = MaybeReady::Pending(yield_once(1)).zip(async { 2 });
    let second_yields = MaybeReady::Pending(async { 1 }).zip(yield_once(2));
    assert_eq!(drive(left), ((1, 2), 2));
    assert_eq!(drive(right), ((1, 2), 2));
    assert_eq!(drive(first_yields), ((1, 2), 2));
    assert_eq!(drive(second_yields), ((1, 2), 2));
}

/// Case 3 again, for `try_zip`.
#[test]
fn try_zip_never_polls_a_side_that_has_its_value() {
    type Outcome = Result<u8, ()>;
    let one = || Outcome::Ok(1);
    let two = || Outcome::Ok(2);

    let left = ready(one()).try_zip(yield_once(two()));
    let right = MaybeReady::Pending(yield_once(one())).try_zip(ready(two()));
    let first_yields = MaybeReady::Pending(yield_once(one())).try_zip(async { two() });
    let second_yields = MaybeReady::Pending(async { one() }).try_zip(yield_once(two()));
    assert_eq!(drive(left), (Ok((1, 2)), 2));
    assert_eq!(drive(right), (Ok((1, 2)), 2));
    assert_eq!(drive(first_yields), (Ok((1, 2)), 2));
    assert_eq!(drive(second_yields), (Ok((1, 2)), 2));
}

/// Case 4, a wrapper of `try_join_all`: siblings of what had failed lived on, and held what they
/// had until the whole join was dropped.
#[cfg(feature = "std")]
#[test]
fn try_join_all_drops_every_sibling_before_it_gives_the_error() {
    for n in SIZES {
        let drops = Drops::default();
        let items = (0..n).map(|i| {
            let token = drops.token();
            async move {
                match i % 3 {
                    _ if i + 1 == n => Yield::new(2, Err("failed")).await,
                    0 => Yield::new(1, Ok(())).await,
                    _ => future::pending().await,
                }?;
                Ok(token)
            }
        });
        let mut joined = future_of(maybe_ready::try_join_all(items));
        assert_eq!(drops.alive(), n);
        assert!(poll_once(Pin::new(&mut joined)).is_pending());
        assert!(poll_once(Pin::new(&mut joined)).is_pending());
        assert_eq!(drops.alive(), n, "finished values and unfinished futures");

        let Poll::Ready(Err("failed")) = poll_once(Pin::new(&mut joined)) else {
            panic!("the error should come with the third poll");
        };
        assert_eq!(drops.alive(), 0, "with {n} items");
    }
}

/// Case 4 again, for a join of two.
#[test]
fn try_zip_drops_the_other_side_before_it_gives_the_error() {
    fn check<T, F>(joined: MaybeReady<Result<T, &'static str>, F>, drops: &Drops)
    where
        F: Future<Output = Result<T, &'static str>>,
    {
        let mut joined = pin!(future_of(joined));
        assert!(poll_once(joined.as_mut()).is_pending());
        assert_eq!(drops.alive(), 1);
        let failed = poll_once(joined.as_mut());
        assert!(matches!(failed, Poll::Ready(Err("failed"))));
        assert_eq!(drops.alive(), 0, "the other side lives on");
    }

    let drops = Drops::default();
    let fails = || MaybeReady::Pending(yield_once(Err::<u8, _>("failed")));
    let value = || ready(Ok(drops.token()));
    let waits = || {
        let token = drops.token();
        MaybeReady::Pending(async {
            future::pending::<()>().await;
            Ok(token)
        })
    };
    check(fails().try_zip(value()), &drops);
    check(value().try_zip(fails()), &drops);
    check(fails().try_zip(waits()), &drops);
    check(waits().try_zip(fails()), &drops);
}

/// Case 5, futures-rs #2475 and #2779: futures that called themselves terminated too early lost
/// their value in `select!`, and those that never did kept its `complete` arm from being taken.
#[test]
fn select_gives_the_value_first_and_is_complete_after() {
    fn selected<F: Future<Output = u8> + Unpin>(maybe: MaybeReady<u8, F>) -> Vec<Option<u8>> {
        let mut future = maybe.into_future();
        let mut turns = Vec::new();
        assert!(!future.is_terminated(), "terminated before its value");
        pollster::block_on(async {
            for _ in 0..2 {
                turns.push(futures::select! {
                    value = future => Some(value),
                    complete => None,
                });
            }
        });
        assert!(future.is_terminated(), "not terminated after its value");
        turns
    }

    assert_eq!(selected(ready(7)), [Some(7), None]);
    assert_eq!(selected(pending(7)), [Some(7), None]);
}

/// Borrows from itself, and is pending twice.
async fn self_borrowing() -> Result<String, ()> {
    let mut text = String::from("borrowed");
    let view = &mut text;
    Yield::new(1, ()).await;
    view.push('!');
    Yield::new(1, ()).await;
    view.push('?');
    Ok(text)
}

/// Drives a future to its end, and looks at it through `&` before and after each poll.
fn looked_at<F: FusedFuture + Debug>(future: F) -> F::Output {
    let mut future = pin!(future);
    for _ in 0..5 {
        assert!(!future.is_terminated());
        assert_ne!(format!("{future:?}"), "");
        if let Poll::Ready(output) = poll_once(future.as_mut()) {
            assert!(future.is_terminated());
            assert_ne!(format!("{future:?}"), "");
            return output;
        }
    }
    panic!("not ready after 5 polls");
}

/// Case 6, miri #3780 and tokio #6744: looking at a future through `&` between two polls, while
/// it borrows from itself, is where wrappers that are not sound show it. Run it with
/// `AddressSanitizer` too.
#[test]
fn a_future_that_borrows_from_itself_may_be_looked_at_between_polls() {
    let plain = drive(self_borrowing()).0;
    let slow = || MaybeReady::Pending(self_borrowing());
    let again = |_| self_borrowing();

    assert_eq!(looked_at(slow().into_future()), plain);
    assert_eq!(looked_at(future_of(slow().defer())), plain);
    assert_eq!(looked_at(future_of(slow().map(|r| r))), plain);
    assert_eq!(looked_at(future_of(slow().inspect(|_| ()))), plain);
    assert_eq!(looked_at(future_of(slow().map_ok(|s| s))), plain);
    assert_eq!(looked_at(future_of(slow().map_err(|e| e))), plain);
    assert_eq!(looked_at(future_of(slow().err_into::<()>())), plain);
    assert_eq!(looked_at(future_of(slow().inspect_ok(|_| ()))), plain);
    assert_eq!(looked_at(future_of(slow().inspect_err(|()| ()))), plain);
    assert_eq!(looked_at(future_of(slow().then(again))), plain);
    assert_eq!(looked_at(future_of(slow().and_then(|_| slow()))), plain);
    assert_eq!(looked_at(future_of(slow().or_else(|()| slow()))), plain);

    let (left, right) = looked_at(future_of(slow().zip(slow())));
    assert_eq!((left, right), (plain.clone(), plain.clone()));
    let pair = looked_at(future_of(slow().try_zip(slow())));
    assert_eq!(
        pair.map(|(left, right)| [left, right].map(Ok)),
        Ok([plain.clone(), plain])
    );
}

/// Case 6 again, for loops and joins.
#[cfg(feature = "std")]
#[test]
fn many_futures_that_borrow_from_themselves_may_be_looked_at_between_polls() {
    use maybe_ready::{fold, join_all, try_fold, try_join_all};

    let plain = drive(self_borrowing()).0;
    let slow = || MaybeReady::Pending(self_borrowing());
    let text = plain.clone().unwrap();

    assert_eq!(
        looked_at(future_of(fold([1], Ok(String::new()), |_, _| slow()))),
        plain
    );
    assert_eq!(
        looked_at(future_of(try_fold([1], String::new(), |_, _| slow()))),
        plain
    );
    assert_eq!(
        looked_at(future_of(join_all([slow(), slow()]))),
        [plain.clone(), plain]
    );
    assert_eq!(
        looked_at(future_of(try_join_all([slow(), slow()]))),
        Ok(vec![text.clone(), text])
    );
}

/// Case 7, quiche #1975: under a budget that is used up, a future that has its value answers
/// pending. Whoever takes that for "not ready" and drops the future loses the value.
#[test]
fn poll_ready_keeps_a_future_that_is_out_of_budget() {
    fn address<T, F>(maybe: &MaybeReady<T, Pin<Box<F>>>) -> Option<usize> {
        match maybe {
            MaybeReady::Pending(future) => Some(std::ptr::from_ref(&**future).addr()),
            MaybeReady::Ready(_) => None,
        }
    }

    let budget = Cell::new(0);
    let mut maybe: MaybeReady<u8, _> = MaybeReady::Pending(Box::pin(poll_fn(|cx| {
        if budget.get() == 0 {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(7)
    })));
    let before = address(&maybe);
    let wakes = Wakes::new();
    let waker = Waker::from(wakes.clone());
    let mut cx = Context::from_waker(&waker);

    assert_eq!(maybe.poll_ready(&mut cx), Poll::Pending);
    assert_eq!(wakes.count(), 1, "the future asked for another turn");
    assert_eq!(address(&maybe), before, "it must be the same future");

    budget.set(1);
    assert_eq!(maybe.poll_ready(&mut cx), Poll::Ready(&mut 7));
    assert!(maybe.is_ready());
}

/// Case 7 again, with tokio's budget, and with what the docs name against it.
#[tokio::test]
async fn unconstrained_gets_the_value_where_the_budget_is_used_up() {
    let in_time = || MaybeReady::Pending(coop::cooperative(future::ready(7)));
    let (mut kept, mut forced) = (in_time(), in_time());
    let mut turns = 0;
    poll_fn(|cx| {
        turns += 1;
        if turns == 1 {
            while coop::has_budget_remaining() {
                coop::consume_budget().now_or_never();
            }
            assert!(kept.poll_ready(cx).is_pending());
            let forced = coop::unconstrained(poll_fn(|cx| forced.poll_ready(cx).map(|n| *n)));
            assert_eq!(pin!(forced).poll(cx), Poll::Ready(7));
            return Poll::Pending;
        }
        assert_eq!(kept.poll_ready(cx), Poll::Ready(&mut 7));
        Poll::Ready(())
    })
    .await;
    assert_eq!(turns, 2, "the pending answer must have asked for a wake-up");
}

/// Case 8, futures-rs #2871: a one-shot poll that consumes its future is asked again "later", and
/// there is no later.
#[test]
fn a_pending_answer_leaves_the_future_where_it_was() {
    let mut cx = Context::from_waker(Waker::noop());
    let drops = Drops::default();
    let holding = || {
        let token = drops.token();
        Yield::new(1, 7).map(move |value| {
            drop(token);
            value
        })
    };

    let mut owned: MaybeReady<u8, _> = MaybeReady::Pending(holding());
    assert_eq!(owned.poll_ready(&mut cx), Poll::Pending);
    assert_eq!(drops.alive(), 1, "an owned future lives on");
    assert_eq!(owned.poll_ready(&mut cx), Poll::Ready(&mut 7));
    assert_eq!(drops.alive(), 0, "and is dropped for its value");

    let mut lent = holding();
    let mut borrowing: MaybeReady<u8, _> = MaybeReady::Pending(&mut lent);
    assert_eq!(borrowing.poll_ready(&mut cx), Poll::Pending);
    assert_eq!(drops.alive(), 1, "a borrowed future is its owner's");
    assert_eq!(pin!(lent).poll(&mut cx), Poll::Ready(7));
    assert_eq!(drops.alive(), 0);

    let mut boxed: MaybeReady<u8, _> = MaybeReady::Pending(Box::pin(holding()));
    assert_eq!(boxed.poll_ready(&mut cx), Poll::Pending);
    assert_eq!(drops.alive(), 1, "a boxed future lives on");
    drop(boxed);
    assert_eq!(drops.alive(), 0);
}

/// Case 9, zenoh #2609: converting into a future ran the operation, and dead-locked.
#[test]
fn into_future_runs_nothing() {
    let effects = Cell::new(0);
    let slow = || {
        MaybeReady::Pending(async {
            effects.set(effects.get() + 1);
            7
        })
    };

    let future = slow().into_future();
    assert_eq!(effects.get(), 0, "`into_future` ran the future");
    drop(future);
    drop(MaybeReadyFuture::from(slow()));
    drop(slow().into_maybe_ready());
    drop(slow().defer().into_future());
    assert_eq!(effects.get(), 0, "a conversion or a drop ran the future");

    assert_eq!(drive(slow()), (7, 1));
    assert_eq!(effects.get(), 1);
}

/// Says whether a value is [`Send`], by method look-up: the inherent method wins where it applies.
struct Probe<'a, T>(#[allow(dead_code, reason = "held for its type")] &'a T);

impl<T: Send> Probe<'_, T> {
    #[allow(clippy::unused_self, reason = "stands for the trait's method")]
    fn is_send(&self) -> bool {
        true
    }
}

trait NotSend {
    fn is_send(&self) -> bool {
        false
    }
}

impl<T> NotSend for Probe<'_, T> {}

/// Case 10, zenoh #349 and #942: what came out of a wrapper could not be spawned, for its future
/// had lost `Send` on the way.
#[test]
fn a_generic_spawn_takes_it() {
    fn spawn<T, F>(maybe: MaybeReady<T, F>) -> T
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let thread = std::thread::spawn(|| pollster::block_on(maybe));
        thread.join().expect("the task ends")
    }

    assert_eq!(spawn(ready(1)), 1);
    assert_eq!(spawn(pending(1).map(|n| n + 1)), 2);
    assert_eq!(spawn(pending(1).then(|n| yield_once(n + 1))), 2);
}

/// Case 10 again: `Send` is lost with any part that lacks it, and never without.
#[test]
fn it_is_send_where_its_parts_are() {
    type Outcome = Result<u8, u8>;
    type Call<T, U> = Box<dyn FnOnce(T) -> U>;
    type Look<T> = Box<dyn FnOnce(&T)>;

    let slow = || pending(Outcome::Ok(1));
    let local = || MaybeReady::Pending(yield_once(Outcome::Ok(1)).boxed_local());
    let rc: MaybeReady<_, Yield<Rc<u8>>> = MaybeReady::Ready(Rc::new(1));
    let call: fn() -> Call<u8, u8> = || Box::new(|n| n);
    let look: fn() -> Look<u8> = || Box::new(|_| ());

    assert!(Probe(&slow()).is_send());
    assert!(!Probe(&local()).is_send());
    assert!(!Probe(&rc).is_send());

    assert!(Probe(&slow().into_future()).is_send());
    assert!(!Probe(&local().into_future()).is_send());
    assert!(Probe(&slow().defer()).is_send());
    assert!(!Probe(&local().defer()).is_send());

    assert!(Probe(&slow().map(|r| r)).is_send());
    assert!(!Probe(&local().map(|r| r)).is_send());
    assert!(!Probe(&pending(1).map(call())).is_send());
    // What a closure returns is not kept, so it does not count.
    assert!(Probe(&future_of(slow().map(|_| Rc::new(1)))).is_send());

    assert!(Probe(&slow().inspect(|_| ())).is_send());
    assert!(!Probe(&pending(1).inspect(look())).is_send());
    assert!(Probe(&slow().map_ok(|n| n)).is_send());
    assert!(!Probe(&slow().map_ok(call())).is_send());
    assert!(Probe(&slow().map_err(|e| e)).is_send());
    assert!(!Probe(&slow().map_err(call())).is_send());
    assert!(Probe(&slow().inspect_ok(|_| ())).is_send());
    assert!(!Probe(&slow().inspect_ok(look())).is_send());
    assert!(Probe(&slow().inspect_err(|_| ())).is_send());
    assert!(!Probe(&slow().inspect_err(look())).is_send());
    assert!(!Probe(&local().err_into::<u8>()).is_send());
    assert!(Probe(&future_of(slow().err_into::<Rc<u8>>())).is_send());

    assert!(Probe(&slow().then(|_| slow())).is_send());
    assert!(!Probe(&local().then(|_| slow())).is_send());
    assert!(!Probe(&slow().then(|_| local())).is_send());
    assert!(Probe(&slow().and_then(|_| slow())).is_send());
    assert!(!Probe(&local().and_then(|_| slow())).is_send());
    assert!(!Probe(&slow().and_then(|_| local())).is_send());
    assert!(Probe(&slow().or_else(|_| slow())).is_send());
    assert!(!Probe(&local().or_else(|_| slow())).is_send());
    assert!(!Probe(&slow().or_else(|_| local())).is_send());

    assert!(Probe(&slow().zip(slow())).is_send());
    assert!(!Probe(&local().zip(slow())).is_send());
    assert!(!Probe(&slow().zip(local())).is_send());
    assert!(Probe(&slow().try_zip(slow())).is_send());
    assert!(!Probe(&local().try_zip(slow())).is_send());
    assert!(!Probe(&slow().try_zip(local())).is_send());
}

/// Case 10 again, for loops and joins.
#[cfg(feature = "std")]
#[test]
fn loops_and_joins_are_send_where_their_parts_are() {
    use maybe_ready::{fold, join_all, try_fold, try_join_all};

    let slow = || pending(Ok::<u8, u8>(1));
    let local = || MaybeReady::Pending(yield_once(Ok::<u8, u8>(1)).boxed_local());
    let rc = || pending(Ok::<Rc<u8>, u8>(Rc::new(1)));
    let init = || Ok(1);

    assert!(Probe(&join_all([slow()])).is_send());
    assert!(!Probe(&join_all([local()])).is_send());
    assert!(!Probe(&join_all([rc()])).is_send());
    assert!(Probe(&try_join_all([slow()])).is_send());
    assert!(!Probe(&try_join_all([local()])).is_send());
    assert!(!Probe(&try_join_all([rc()])).is_send());
    assert!(Probe(&fold([1], init(), |_, _| slow())).is_send());
    assert!(!Probe(&fold([1], init(), |_, _| local())).is_send());
    assert!(!Probe(&fold([Rc::new(1)], init(), |_, _| slow())).is_send());
    assert!(Probe(&try_fold([1], 1, |_, _| slow())).is_send());
    assert!(!Probe(&try_fold([1], 1, |_, _| local())).is_send());
    assert!(!Probe(&try_fold([Rc::new(1)], 1, |_, _| slow())).is_send());
}

/// Case 11, tower #637: a layer made another error type of `Infallible`, and its users had to
/// handle what cannot happen.
#[test]
fn an_infallible_error_stays_infallible() {
    type Safe<T> = Result<T, Infallible>;
    let start = || ready(Safe::Ok(1));

    let Ok(mapped) = start().map(|result| result).unwrap_ready();
    let Ok(chained) = start().and_then(|n| ready(Ok(n + 1))).unwrap_ready();
    let Ok(paired) = start().try_zip(start()).unwrap_ready();
    let Ok(later) = pollster::block_on(start().and_then(|n| yield_once(Ok(n + 2))));
    assert_eq!((mapped, chained, paired, later), (1, 2, (1, 1), 3));
}

/// Case 11 again, for the joins.
#[cfg(feature = "std")]
#[test]
fn an_infallible_error_stays_infallible_in_joins() {
    type Safe<T> = Result<T, Infallible>;
    let items = || [ready(Safe::Ok(1)), ready(Safe::Ok(2))];

    let Ok(joined) = maybe_ready::try_join_all(items()).unwrap_ready();
    let each: Vec<Safe<u8>> = maybe_ready::join_all(items()).unwrap_ready();
    let each: Vec<u8> = each.into_iter().map(|Ok(value)| value).collect();
    assert_eq!((joined, each), (vec![1, 2], vec![1, 2]));
}

/// Case 12, deno #32432: a consumer that cannot wait panicked deep inside when it was handed an
/// asynchronous answer.
#[test]
fn a_synchronous_consumer_refuses_and_hands_the_future_back() {
    struct NotNow<F>(F);

    fn import<T, F>(module: MaybeReady<T, F>) -> Result<T, NotNow<F>> {
        module.try_into_ready().map_err(NotNow)
    }

    assert_eq!(import(ready(7)).ok(), Some(7));
    let Err(NotNow(future)) = import(pending(7)) else {
        panic!("a pending module must be refused");
    };
    assert_eq!(drive(future), (7, 2), "the refusal holds the whole future");

    let asked_for = panic_message(|| pending(7).expect_ready("modules are loaded by now"));
    assert_eq!(asked_for, "modules are loaded by now");
}

/// Case 13, `deno_core` #511: "now, or an error that says what was asked for" took a match with
/// three arms.
#[test]
fn now_or_an_error_from_the_context_is_one_call_chain() {
    fn now<F>(name: &str, module: MaybeReady<Result<u8, String>, F>) -> Result<u8, String> {
        module.unwrap_or_else(|_| Err(format!("{name} is not loaded yet")))
    }

    let drops = Drops::default();
    let token = drops.token();
    let slow = MaybeReady::Pending(async move {
        drop(token);
        Ok::<u8, String>(7)
    });
    assert_eq!(drops.alive(), 1);
    assert_eq!(now("a.js", slow), Err("a.js is not loaded yet".to_owned()));
    assert_eq!(drops.alive(), 0, "the future is dropped with the refusal");
    assert_eq!(now("a.js", ready(Ok(7))), Ok(7));
}

/// Case 14, async-graphql #1354 and #132: each field of a long list was boxed and polled, though
/// all of them were plain values.
#[cfg(feature = "std")]
#[test]
fn a_grid_of_ready_fields_allocates_its_output_alone() {
    let mut sum = 0;
    let grid = allocation_counter::measure(|| {
        let row = |y| maybe_ready::join_all((0..10).map(move |x| ready(10 * y + x)));
        let rows = maybe_ready::join_all((0..1000).map(row)).unwrap_ready();
        sum = rows.iter().flatten().sum();
    });
    assert_eq!(sum, 49_995_000);
    assert_eq!(
        grid.count_total, 1001,
        "one vector for each row and one for all"
    );
}

/// Case 15, whatsapp-rust #1124: behind `dyn`, answers that were there were boxed all the same,
/// or needed a second, synchronous method beside each asynchronous one.
#[cfg(feature = "alloc")]
#[test]
fn a_dyn_method_lends_from_self_and_allocates_only_to_wait() {
    use maybe_ready::BoxMaybeReady;

    trait Store {
        fn name(&self) -> BoxMaybeReady<'_, &str>;
    }

    struct Memory(String);

    impl Store for Memory {
        fn name(&self) -> BoxMaybeReady<'_, &str> {
            MaybeReady::Ready(&self.0)
        }
    }

    struct Disk(String);

    impl Store for Disk {
        fn name(&self) -> BoxMaybeReady<'_, &str> {
            MaybeReady::Pending(yield_once(&self.0[..])).boxed()
        }
    }

    let stores: [&dyn Store; 2] = [&Memory("memory".into()), &Disk("disk".into())];
    let hit = allocation_counter::measure(|| {
        assert_eq!(stores[0].name().unwrap_ready(), "memory");
    });
    assert_eq!(hit.count_total, 0, "a ready answer must not allocate");

    let miss = allocation_counter::measure(|| {
        assert_eq!(pollster::block_on(stores[1].name()), "disk");
    });
    assert!(miss.count_total > 0, "the counter must be able to count");
}

/// Case 16, rspack-resolver #224: what watches the answers must see each of them once, and before
/// its consumer does.
#[test]
fn inspect_sees_the_value_once_and_first() {
    fn events<F: Future<Output = u8>>(maybe: MaybeReady<u8, F>) -> Vec<String> {
        let log = Log::default();
        let watched = maybe.inspect(|value| log.push(format!("inspected {value}")));
        let (value, _) = drive(watched);
        log.push(format!("consumed {value}"));
        log.take()
    }

    let once_and_first = ["inspected 7", "consumed 7"];
    assert_eq!(events(ready(7)), once_and_first);
    assert_eq!(events(pending(7)), once_and_first);
}

/// Drives a future to its end, polls it once more, and returns what it panics with.
fn poll_after_the_end(future: impl IntoFuture) -> String {
    let mut future = pin!(future.into_future());
    for _ in 0..5 {
        if poll_once(future.as_mut()).is_ready() {
            return panic_message(|| poll_once(future.as_mut()).is_ready());
        }
    }
    panic!("not ready after 5 polls");
}

/// Case 17, firezone #10399 and vector #3830: a loop polled a future that had finished, and the
/// one inside paid for it.
#[test]
fn a_finished_inner_future_is_never_polled_again() {
    let polls = Rc::new(Cell::new(0));
    let slow = || {
        polls.set(0);
        MaybeReady::Pending(CountPolls::new(Yield::new(1, Ok::<u8, u8>(7)), &polls))
    };
    let check = |name: &str, message: String| {
        assert!(message.contains(name), "{name} panicked with {message:?}");
        assert_eq!(polls.get(), 2, "{name} polled what had finished");
    };

    check("MaybeReadyFuture", poll_after_the_end(slow()));
    check("Defer", poll_after_the_end(future_of(slow().defer())));
    check("Map", poll_after_the_end(future_of(slow().map(|r| r))));
    let inspect = future_of(slow().inspect(|_| ()));
    check("Inspect", poll_after_the_end(inspect));
    check("MapOk", poll_after_the_end(future_of(slow().map_ok(|n| n))));
    let map_err = future_of(slow().map_err(|e| e));
    check("MapErr", poll_after_the_end(map_err));
    let err_into = future_of(slow().err_into::<u16>());
    check("ErrInto", poll_after_the_end(err_into));
    let inspect_ok = future_of(slow().inspect_ok(|_| ()));
    check("InspectOk", poll_after_the_end(inspect_ok));
    let inspect_err = future_of(slow().inspect_err(|_| ()));
    check("InspectErr", poll_after_the_end(inspect_err));
    check("Then", poll_after_the_end(future_of(slow().then(ready))));
    let second = |result: Result<u8, u8>| CountPolls::new(Yield::new(1, result), &polls);
    let then = future_of(ready(Ok(7)).then(|r| {
        polls.set(0);
        second(r)
    }));
    check("Then", poll_after_the_end(then));
    let and_then = future_of(slow().and_then(|n| ready(Ok(n))));
    check("AndThen", poll_after_the_end(and_then));
    let or_else = future_of(slow().or_else(|e| ready(Err::<u8, u8>(e))));
    check("OrElse", poll_after_the_end(or_else));
    check("Zip", poll_after_the_end(future_of(slow().zip(ready(1)))));
    let try_zip = future_of(slow().try_zip(ready(Ok(1))));
    check("TryZip", poll_after_the_end(try_zip));
    let failed = MaybeReady::Pending(Yield::new(1, Err::<u8, u8>(1)));
    let try_zip = future_of(slow().try_zip(failed));
    check("TryZip", poll_after_the_end(try_zip));
}

/// Case 17 again, for loops and joins.
#[cfg(feature = "std")]
#[test]
fn a_finished_step_or_item_is_never_polled_again() {
    use maybe_ready::{fold, join_all, try_fold, try_join_all};

    let polls = Rc::new(Cell::new(0));
    let slow = || CountPolls::new(Yield::new(1, Ok::<u8, u8>(7)), &polls);
    let check = |name: &str, message: String| {
        assert_eq!(message, format!("`{name}` polled after completion"));
        assert_eq!(polls.take(), 4, "{name} polled what had finished");
    };

    let steps = future_of(fold(0..2, Ok(0), |_, _| slow()));
    check("Fold", poll_after_the_end(steps));
    let steps = future_of(try_fold(0..2, 0, |_, _| slow()));
    check("TryFold", poll_after_the_end(steps));
    let items = future_of(join_all([slow(), slow()]));
    check("JoinAll", poll_after_the_end(items));
    let items = future_of(try_join_all([slow(), slow()]));
    check("TryJoinAll", poll_after_the_end(items));
    let failing = CountPolls::new(Yield::new(1, Err(7)), &polls);
    let items = future_of(try_join_all([slow(), failing]));
    check("TryJoinAll", poll_after_the_end(items));
}

/// Case 17 again: a waker may be called long after its item has finished.
#[cfg(feature = "std")]
#[test]
fn a_late_wake_up_polls_no_finished_item() {
    let polls = Rc::new(Cell::new(0));
    let kept = RefCell::new(None);
    let quick = CountPolls::new(
        poll_fn(|cx| {
            kept.replace(Some(cx.waker().clone()));
            Poll::Ready(Ok(1))
        }),
        &polls,
    );
    let (sender, slow) = futures::channel::oneshot::channel();
    let items = [quick.left_future(), slow.right_future()];
    let mut joined = maybe_ready::join_all(items).into_future();

    assert!(poll_once(Pin::new(&mut joined)).is_pending());
    kept.take().expect("it was polled").wake();
    assert!(poll_once(Pin::new(&mut joined)).is_pending());
    assert_eq!(polls.get(), 1, "a finished item was polled");

    sender.send(2).unwrap();
    let values = poll_once(Pin::new(&mut joined));
    assert_eq!(values, Poll::Ready(vec![Ok(1), Ok(2)]));
}

/// Case 17 again: a ready value is given once, and no poll after that makes one up.
#[test]
fn a_ready_value_is_given_only_once() {
    let message = poll_after_the_end(ready(7));
    assert_eq!(message, "`MaybeReadyFuture` polled after completion");
    let message = poll_after_the_end(future_of(ready(7).defer()));
    assert_eq!(message, "`Defer` polled after completion");
}

/// Case 18, async-task #73: "called `Option::unwrap()` on a `None` value" told nobody whose
/// mistake it was.
#[test]
fn the_panic_says_which_future_and_why() {
    let map = future_of(pending(7).map(|n| n + 1));
    let message = poll_after_the_end(map);
    assert_eq!(message, "`Map` polled after completion");

    let awaited = async { pending(7).map(|n| n + 1).await };
    assert_eq!(drive(awaited), (8, 2));
    let message = poll_after_the_end(pending(7).map(|n| n + 1));
    assert_eq!(message, "`MaybeReadyFuture` polled after completion");
}

/// A future of 1 KiB.
struct Large([u8; 1024]);

impl Future for Large {
    type Output = Result<u8, u8>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(Ok(self.0[0]))
    }
}

fn large() -> MaybeReady<Result<u8, u8>, Large> {
    MaybeReady::Pending(Large([0; 1024]))
}

const WORD: usize = size_of::<usize>();

/// Case 19, rust #62958 and moka #212: every layer of `async` kept what it wraps twice, and a
/// small future grew seven times its size.
#[test]
fn maps_add_a_word_or_two_however_many() {
    let bare = size_of::<Large>();
    let one = large().map(|r| r);
    let five = large().map(|r| r).map(|r| r).map(|r| r).map(|r| r);
    let five = five.map(|r| r);
    let ten = large().map(|r| r).map(|r| r).map(|r| r).map(|r| r);
    let ten = ten.map(|r| r).map(|r| r).map(|r| r).map(|r| r);
    let ten = ten.map(|r| r).map(|r| r);

    let sizes = [
        size_of_val(&large()),
        size_of_val(&one),
        size_of_val(&five),
        size_of_val(&ten),
        size_of_val(&future_of(ten)),
    ];
    assert!(
        sizes.iter().all(|size| *size <= bare + 2 * WORD),
        "0, 1, 5, 10 maps, and the future: {sizes:?} over {bare}"
    );
}

/// Case 24, and 19 again: a chain has one stage alive at a time, and room for no more than that.
#[test]
fn a_chain_is_as_large_as_its_largest_stage() {
    let bare = size_of::<Large>();
    let second = pending(Ok(1)).and_then(|_| large());
    let both = large().and_then(|_| large());
    let three = large().and_then(|_| large()).and_then(|_| large());
    let three = three.and_then(|_| large());

    let sizes = [
        size_of_val(&second),
        size_of_val(&both),
        size_of_val(&three),
        size_of_val(&large().then(|_| large())),
        size_of_val(&large().or_else(|_| large())),
    ];
    assert!(
        sizes.iter().all(|size| *size <= bare + 2 * WORD),
        "chains of stages of {bare} bytes: {sizes:?}"
    );
}

/// Starts a task that sleeps, and lets its time pass without giving it a turn.
async fn overdue_timer() -> tokio::task::JoinHandle<()> {
    let timer = tokio::spawn(tokio::time::sleep(Duration::from_millis(5)));
    tokio::task::yield_now().await;
    let moved = tokio::time::advance(Duration::from_millis(10)).now_or_never();
    assert_eq!(moved, None, "the clock moved, and no task had a turn");
    timer
}

/// Case 20, tokio #2542: a loop over values that are there gives no other task a turn, as with any
/// future that is always ready.
#[tokio::test(start_paused = true)]
async fn a_loop_over_ready_values_starves_a_timer() {
    let timer = overdue_timer().await;
    for n in 0..10_000 {
        assert_eq!(ready(n).await, n);
    }
    assert!(!timer.is_finished());
}

/// Case 20 again, with the runtime's own remedy.
#[tokio::test(start_paused = true)]
async fn a_cooperative_loop_over_ready_values_lets_a_timer_fire() {
    let timer = overdue_timer().await;
    for n in 0..10_000 {
        assert_eq!(coop::cooperative(ready(n).into_future()).await, n);
    }
    assert!(timer.is_finished());
}

/// Case 21, opendal #5857 and hf-hub #186: a blocking bridge that enters an executor for answers
/// that are there panics inside of a runtime.
#[test]
fn only_a_pending_value_reaches_the_blocking_bridge() {
    let calls = Cell::new(0);
    let value = pending(7).unwrap_or_else(|future| {
        calls.set(calls.get() + 1);
        drive(future).0
    });
    assert_eq!((value, calls.get()), (7, 1));
    assert_eq!(ready(7).unwrap_or_else(|_| panic!("not pending")), 7);
}

/// Case 21 again, inside of a runtime, where blocking is refused.
#[tokio::test]
async fn a_ready_value_does_not_block_the_runtime() {
    let runtime = tokio::runtime::Handle::current();
    assert_eq!(ready(7).unwrap_or_else(|f| runtime.block_on(f)), 7);

    let message = panic_message(|| pending(7).unwrap_or_else(|f| runtime.block_on(f)));
    assert!(
        message.contains("runtime"),
        "a pending value does reach the bridge, and tokio says: {message}"
    );
}

/// Case 23, cached #133: a memoised async function could be called only with an executor, even for
/// what it remembered.
#[test]
fn a_memoised_hit_is_read_in_a_plain_function() {
    #[derive(Default)]
    struct Squares(RefCell<HashMap<u64, u64>>);

    impl Squares {
        fn get(&self, n: u64) -> MaybeReady<u64, impl Future<Output = u64>> {
            match self.0.borrow().get(&n) {
                Some(square) => MaybeReady::Ready(*square),
                None => MaybeReady::Pending(async move {
                    let square = yield_once(n * n).await;
                    self.0.borrow_mut().insert(n, square);
                    square
                }),
            }
        }
    }

    fn known(squares: &Squares, n: u64) -> Option<u64> {
        squares.get(n).try_into_ready().ok()
    }

    let squares = Squares::default();
    assert_eq!(known(&squares, 3), None);
    assert_eq!(pollster::block_on(squares.get(3)), 9);
    assert_eq!(known(&squares, 3), Some(9));
}

/// Case 25, smithy-rs #588: a `'static` in the returned future shut out every implementor that
/// borrows from itself, and so all that `async_trait` generates.
#[cfg(feature = "alloc")]
#[test]
fn the_boxed_alias_takes_futures_of_async_trait_as_they_are() {
    use async_trait::async_trait;
    use maybe_ready::BoxMaybeReady;

    #[async_trait]
    trait Load {
        async fn load(&self, key: &str) -> String;
    }

    trait Provide {
        fn provide<'a>(&'a self, key: &'a str) -> BoxMaybeReady<'a, String>;
    }

    struct Prefix(String);

    #[async_trait]
    impl Load for Prefix {
        async fn load(&self, key: &str) -> String {
            yield_once(format!("{}{key}", self.0)).await
        }
    }

    impl<L: Load> Provide for L {
        fn provide<'a>(&'a self, key: &'a str) -> BoxMaybeReady<'a, String> {
            MaybeReady::Pending(self.load(key))
        }
    }

    let provider = Prefix("key ".to_owned());
    let provider: &dyn Provide = &provider;
    let name = String::from("seven");
    assert_eq!(drive(provider.provide(&name)), ("key seven".to_owned(), 2));
}

/// Case 26, value-or-promise: `all` of a value and an error that were both there lost the error.
#[test]
fn an_error_beside_a_value_is_the_outcome() {
    let (value, error) = (
        || ready(Ok::<u8, &str>(1)),
        || ready(Err::<u8, _>("thrown")),
    );
    let unpolled = || MaybeReady::Pending(Unpollable::<Result<u8, _>>::new());
    assert_eq!(value().try_zip(error()).unwrap_ready(), Err("thrown"));
    assert_eq!(error().try_zip(value()).unwrap_ready(), Err("thrown"));
    assert_eq!(error().try_zip(unpolled()).unwrap_ready(), Err("thrown"));
    assert_eq!(unpolled().try_zip(error()).unwrap_ready(), Err("thrown"));
    let second = ready(Err::<u8, _>("thrown second"));
    assert_eq!(error().try_zip(second).unwrap_ready(), Err("thrown"));
}

/// Case 26 again, for the joins.
#[cfg(feature = "std")]
#[test]
fn an_error_beside_a_value_is_not_lost_in_joins() {
    let items = || [ready(Ok::<u8, &str>(1)), ready(Err("thrown"))];
    let failed = maybe_ready::try_join_all(items()).unwrap_ready();
    assert_eq!(failed, Err("thrown"));
    let all = maybe_ready::join_all(items()).unwrap_ready();
    assert_eq!(all, [Ok(1), Err("thrown")]);
}

/// Runs `f` where a loop that recursed would overflow the stack.
fn with_a_small_stack(f: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(f);
    thread.unwrap().join().expect("the test passed");
}

/// Case 27, promise-helpers: `iterateAsync` overflowed the stack after 5000 synchronous items.
#[test]
fn a_million_ready_steps_use_no_stack() {
    const STEPS: u64 = 1_000_000;
    const SUM: u64 = STEPS * (STEPS - 1) / 2;

    with_a_small_stack(|| {
        let sum = maybe_ready::fold(0..STEPS, 0, |sum, n| ready(sum + n));
        assert_eq!(sum.unwrap_ready(), SUM);
        let sum = maybe_ready::try_fold(0..STEPS, 0, |sum, n| ready(Ok::<_, ()>(sum + n)));
        assert_eq!(sum.unwrap_ready(), Ok(SUM));
    });
    with_a_small_stack(|| {
        let step = |sum, n| match n {
            1 => MaybeReady::Pending(Yield::new(1, sum + n)),
            _ => MaybeReady::Ready(sum + n),
        };
        assert_eq!(drive(maybe_ready::fold(0..STEPS, 0, step)), (SUM, 2));
        let step = |sum, n| step(sum, n).map(Ok::<_, ()>);
        let sum = maybe_ready::try_fold(0..STEPS, 0, step);
        assert_eq!(drive(sum), (Ok(SUM), 2));
        let sum = maybe_ready::fold(0..STEPS, 0, |sum, n| async move { sum + n });
        assert_eq!(drive(sum), (SUM, 1));
    });
}

/// Case 27 again: items that were "falsy" were taken for items that were not there.
#[cfg(feature = "std")]
#[test]
fn join_all_keeps_every_value_whatever_it_is() {
    fn joined<T: Copy + Debug + PartialEq>(values: [T; 3]) {
        let at_hand = maybe_ready::join_all(values.map(ready)).unwrap_ready();
        assert_eq!(at_hand, values);
        let (waited_for, _) = drive(maybe_ready::join_all(values.map(pending)));
        assert_eq!(waited_for, values);
        for slow in 0..values.len() {
            let items = values.into_iter().enumerate().map(|(i, value)| {
                if i == slow {
                    pending(value)
                } else {
                    MaybeReady::Ready(value)
                }
            });
            let (mixed, _) = drive(maybe_ready::join_all(items));
            assert_eq!(mixed, values, "item {slow} was pending");
        }
    }

    joined([false, true, false]);
    joined([0, 1, 0]);
    joined([(), (), ()]);
    joined([None, Some(1), None]);
    joined(["", "text", ""]);
}

/// Case 29, dataloader #243: keys that were primed still waited for the next tick.
#[test]
fn a_primed_key_schedules_nothing_and_polls_nothing() {
    struct Loader {
        primed: HashMap<u32, &'static str>,
        queue: RefCell<Vec<u32>>,
    }

    impl Loader {
        fn load(&self, key: u32) -> MaybeReady<&'static str, impl Future<Output = &'static str>> {
            if let Some(value) = self.primed.get(&key) {
                return MaybeReady::Ready(*value);
            }
            self.queue.borrow_mut().push(key);
            MaybeReady::Pending(yield_once("loaded"))
        }
    }

    let loader = Loader {
        primed: HashMap::from([(1, "primed")]),
        queue: RefCell::default(),
    };
    let untouchable = Untouchable::new();
    {
        let waker = untouchable.waker();
        let hit = pin!(loader.load(1).into_future()).poll(&mut Context::from_waker(&waker));
        assert_eq!(hit, Poll::Ready("primed"));
    }
    untouchable.check();
    assert_eq!(*loader.queue.borrow(), [], "a hit must not be queued");

    assert_eq!(drive(loader.load(2)), ("loaded", 2));
    assert_eq!(*loader.queue.borrow(), [2]);
}

/// Case 30: a tracing wrapper written with `async` made every field of a `GraphQL` server
/// asynchronous, and its queries six times slower.
#[test]
fn a_tracing_wrapper_keeps_readiness() {
    fn traced<T, F: Future<Output = T>>(
        log: &Log,
        field: MaybeReady<T, F>,
    ) -> MaybeReady<T, impl Future<Output = T>> {
        field
            .map_pending(|slow| async {
                log.push("waits");
                slow.await
            })
            .inspect(|_| log.push("done"))
    }

    let log = Log::default();
    assert_eq!(traced(&log, ready(7)).unwrap_ready(), 7);
    assert_eq!(log.take(), ["done"]);
    assert_eq!(drive(traced(&log, pending(7))), (7, 2));
    assert_eq!(log.take(), ["waits", "done"]);
}
