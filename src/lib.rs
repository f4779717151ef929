//! Either a value or a future of it, for answers that are usually already there.
//!
//! A cache hit, a parsed constant, a rejected input, a module that is loaded: much of what an
//! asynchronous function returns is known before it is awaited. An `async fn` hides that, so that a
//! caller who is not async needs an executor; a boxed future pays for waiting on every call; and a
//! second function, `try_x` beside `x`, drifts away from the first. [`MaybeReady`] says in the type
//! what is so: its author writes one function, a synchronous caller matches the answer, an
//! asynchronous one awaits it, and the combinators in between keep what is ready ready.
//!
//! **[Recipes](_recipes)** start from situations, **[migration](_migration)** from what you have: a
//! boxed future, an enum of your own. In the examples `pollster`, `futures` and `tokio` stand for what
//! you use; the crate works with any executor.
//!
//! ```
//! use std::cell::RefCell;
//! use std::collections::HashMap;
//! use std::rc::Rc;
//!
//! use maybe_ready::MaybeReady;
//!
//! #[derive(Default)]
//! struct Users {
//!     cache: RefCell<HashMap<u32, Rc<str>>>,
//! }
//!
//! impl Users {
//!     /// The name of a user: at once if it is known, else from far away.
//!     fn name(&self, id: u32) -> MaybeReady<Rc<str>, impl Future<Output = Rc<str>>> {
//!         let hit = self.cache.borrow().get(&id).cloned();
//!         match hit {
//!             Some(name) => MaybeReady::Ready(name),
//!             None => MaybeReady::Pending(async move {
//!                 let name = fetch(id).await;
//!                 self.cache.borrow_mut().insert(id, name.clone());
//!                 name
//!             }),
//!         }
//!     }
//! }
//!
//! async fn fetch(id: u32) -> Rc<str> {
//!     format!("user {id}").into()
//! }
//!
//! let users = Users::default();
//!
//! // An asynchronous caller does not care:
//! pollster::block_on(async {
//!     assert_eq!(&*users.name(7).await, "user 7");
//! });
//!
//! // A synchronous one takes what is there, without an executor:
//! match users.name(7).map(|name| name.len()) {
//!     MaybeReady::Ready(length) => assert_eq!(length, 6),
//!     MaybeReady::Pending(_) => println!("not known yet"),
//! }
//! ```
//!
//! The type is a plain enum, `Ready(T)` or `Pending(F)`, without a third state to guard against. What
//! `.await` makes of it is a type of its own, [`MaybeReadyFuture`].
//!
//! # When to use it
//!
//! It pays off in three places:
//!
//! - **Behind `dyn`.** A trait method that returns a boxed future allocates on every call. One that
//!   returns [`BoxMaybeReady`] is as `dyn`-compatible, and a hit allocates nothing: for a value of a
//!   word it takes an eighth of the instructions if it is matched, and a quarter if it is awaited.
//! - **Where hits are frequent.** A hit that is matched costs what a plain call costs. A chain of
//!   combinators over ready values is the chain of calls that it replaces, and no task is suspended
//!   on the way. [`join_all`] of a thousand hits is a `collect`, fifty times as fast as the next
//!   join, that of futures-buffered; with a tenth of misses it is nearly three times.
//! - **Where some callers are not async.** They need neither an executor nor a second function.
//!
//! And when not to:
//!
//! - Where everything is statically typed and always awaited, **write `async fn`**. It is as fast,
//!   and there is less to read.
//! - Where a function hardly ever has its answer at once, return the future: a miss gains nothing,
//!   and a join of a thousand misses takes a fifth longer than that of futures-buffered. You cannot
//!   tell from the code how often that is: [count](_recipes#does-it-pay-at-all).
//! - Where a large value is awaited behind `dyn`, the moves cost more than the box: a kilobyte takes
//!   two to three times as long as with async-trait. Match it and await only what is pending, or
//!   return the value in a box.
//! - Where a caller is *never* able to wait, a `MaybeReady` only moves the problem. Give that
//!   caller a function that cannot be pending, see [`AlwaysReady`], or an error for what it has to
//!   refuse, see [`unwrap_or_else`].
//! - Where one `MaybeReady` is read over and over, each read branches: match it once, outside.
//!
//! # What is ready stays ready
//!
//! The same laws hold for every operation, so the methods do not repeat them:
//!
//! 1. **Readiness does not change results.** In a chain, a value may be replaced by a future of it:
//!    the same closures are called, each at most once and in the same order, and what is awaited to
//!    its end has the same outcome. Only *between* the sides of a `zip` or a join does readiness
//!    show, as it does in any concurrent program: in the order of their closures, and in which of
//!    several errors wins and what the others still get to do.
//! 2. **Ready in, and ready from the closure, gives ready out.** Nothing is polled or woken for it,
//!    and nothing allocated but the [`Vec`](std::vec::Vec) of a join. [`defer`] alone is there to
//!    break this law, in tests.
//! 3. **Eager when ready, lazy when pending.** On [`Ready`](MaybeReady::Ready) a closure runs before
//!    the method returns, on [`Pending`](MaybeReady::Pending) inside a poll and not before.
//!    ([`map_pending`] and [`unwrap_or_else`] give their closures the future itself, and at once.)
//! 4. **A future that has given its value is finished.** It says so through
//!    [`FusedFuture`](futures_core::future::FusedFuture), has dropped what it held, and panics with
//!    its name if it is polled again: "`Map` polled after completion". After a panic in a closure it
//!    is finished as well.
//! 5. **Wakers are passed through.** A pending future sees the waker of the task that waits, and
//!    nothing else; only the joins make wakers of their own.
//!
//! # Eager on ready, lazy on pending
//!
//! The third law is the one to keep in mind:
//!
//! ```
//! use std::cell::RefCell;
//!
//! use maybe_ready::{AlwaysReady, MaybeReady};
//!
//! fn order<F: Future<Output = i32>>(answer: MaybeReady<i32, F>) -> Vec<&'static str> {
//!     let lines = RefCell::new(Vec::new());
//!     let print = |line| lines.borrow_mut().push(line);
//!
//!     let answer = answer.inspect(|_| print("closure"));
//!     print("`inspect` returned");
//!     answer.unwrap_or_else(pollster::block_on);
//!     print("awaited");
//!
//!     lines.into_inner()
//! }
//!
//! let hit = AlwaysReady::Ready(1);
//! assert_eq!(order(hit), ["closure", "`inspect` returned", "awaited"]);
//!
//! let miss = MaybeReady::Pending(async { 1 });
//! assert_eq!(order(miss), ["`inspect` returned", "closure", "awaited"]);
//! ```
//!
//! - **Side effects** on a hit have happened even if the result is dropped; on a miss that nobody
//!   awaits they never do. What is to happen for every call is done before the call.
//! - **A panic** on a hit unwinds from the call, not from the `.await`. To have a task catch it, call
//!   inside of the task: `spawn(async { f().await })`, not `spawn(f().into_future())`.
//! - **A lock or a borrow** that the caller holds is held while a closure runs on a hit. If the
//!   closure needs it too, end it before. In a `match` on `cache.lock().get(..)` it has not ended.
//! - **What a closure owns** is made on hits too: `let key = key.to_owned(); m.map(move |v| ..)`
//!   allocates for each of them. Make it where `Pending` is made, or in [`map_pending`].
//! - **Recursion** through [`then`] uses the stack on hits, as any recursion does. A loop that does
//!   not is [`fold`].
//!
//! # Operations
//!
//! | you have | and want | here | cousins in std and futures |
//! | --- | --- | --- | --- |
//! | a value or a future | a `MaybeReady` | the variants, [`AlwaysReady::Ready`](AlwaysReady), [`From`] | `Some`, `future::ready` |
//! | | a `MaybeReady` or a future as an argument | [`IntoMaybeReady`] | `IntoFuture` |
//! | code that may fail early | `?` in it | [`try_from_fn`] | `?` in an async block |
//! | a `MaybeReady` | to know | [`is_ready`], [`is_pending`] | those of `Poll` |
//! | | to look at it | [`as_ref`], [`as_mut`] | those of `Option` |
//! | | an `Option<&T>` | `as_ref().try_into_ready().ok()` | `Option::as_ref` |
//! | | the value, or else the future | [`try_into_ready`] | `Option::ok_or`, `now_or_never` |
//! | | the value that must be there | [`unwrap_ready`], [`expect_ready`] | `Option::unwrap`, `expect` |
//! | | the value, else block or refuse | [`unwrap_or_else`] | `Result::unwrap_or_else` |
//! | | to wait for the value | `.await` | |
//! | | the value where the future was | [`poll_ready`] | `future::maybe_done` |
//! | | another value | [`map`] | `Option::map`, `FutureExt::map` |
//! | | to see the value pass | [`inspect`] | `Option::inspect`, `FutureExt::inspect` |
//! | | to change one side | [`map_ready`], [`map_pending`] | `Result::map`, `map_err` |
//! | | to go on with what may wait | [`then`] | `Option::and_then`, `FutureExt::then` |
//! | | one type for any future | [`boxed`], [`boxed_local`] | those of `FutureExt` |
//! | | a future that has a name | [`MaybeReadyFuture`] | `future::Ready`, `Either` |
//! | one of a [`Result`] | another value or error | [`map_ok`], [`map_err`], [`err_into`] | those of `TryFutureExt` |
//! | | to see it pass | [`inspect_ok`], [`inspect_err`] | those of `TryFutureExt` |
//! | | to go on, or to recover | [`and_then`], [`or_else`] | those of `Result`, `TryFutureExt` |
//! | two | both | [`zip`], [`try_zip`] | `Option::zip`, `future::join`, `try_join` |
//! | many | all | [`join_all`], [`try_join_all`] | those of `futures::future` |
//! | steps, one after the other | their outcome | [`fold`], [`try_fold`] | those of `Iterator`, `StreamExt` |
//! | a test | all of it pending | [`defer`] | `tokio::task::yield_now` |
//!
//! Each combinator returns a named type that grows by a few bytes over what it wraps, and is
//! [`Unpin`] if the futures in it are. To name it in a field or a `type Future = ..`, write its closure
//! as `fn(A) -> B`, which works if the closure captures nothing. Otherwise call [`boxed`].
//!
//! # Good to know
//!
//! **What the compiler may say**, and what helps:
//!
//! - "type annotations needed": a `MaybeReady::Ready(1)` meets no future to name. Write
//!   `AlwaysReady::Ready(1)`; or, if it is boxed, leave the `.boxed()` to the pending branch. Where a
//!   `MaybeReady::Pending(async { 1 })` is not awaited, it is `MaybeReady::<i32, _>::Pending(..)`.
//! - "expected `async` block, found a different `async` block": two branches wait for different
//!   things. Write one async block that branches inside, or box them: `Pending(..).boxed()`.
//! - "is not a future", or "the trait `FusedFuture` is not implemented": `tokio::spawn` and everything
//!   in `futures` want `.into_future()`. What takes `impl IntoFuture` takes a `MaybeReady` as it is,
//!   such as `.await`, `pollster::block_on`, and tokio's `select!`, `join!` and `timeout`. At an
//!   `.await`, the future gives another type than the value: a `JoinHandle<T>` gives a `Result`. Have
//!   the value be one too, or change the future by [`map_pending`].
//! - "`&..` is not a future": after [`as_ref`] a value is mapped by [`map_ready`].
//! - "cannot be sent between threads safely": an `impl IntoMaybeReady` does not say that its future is
//!   [`Send`]. For an argument `N` add `where N::Future: Send`, and as a result return
//!   `MaybeReady<T, impl Future<Output = T> + Send>`.
//! - "captures lifetime that does not appear in bounds": a function that returns an `impl Future` has
//!   two elided lifetimes, and what it calls has them as one. Name that: `fn all<'a>(store: &'a dyn
//!   Store, keys: &'a [String])`.
//! - "implementation of `FnOnce` is not general enough": in a spawned task, a step of a fold maps a
//!   borrowed value. Box the step, `.map(..).boxed()`, or the fold; or return either of them from a
//!   function, as `MaybeReady<T, impl Future<Output = T> + Send>`.
//!
//! **A [`Result`] is named twice** in `MaybeReady<Row, impl Future<Output = Row>>`, so give it a name:
//! `type Row = io::Result<u32>`.
//!
//! **A dropped `Pending` starts nothing**, as no future does. A synchronous caller that wants the
//! answer to be there the next time [spawns what it cannot wait
//! for](_recipes#a-caller-that-cannot-wait-but-comes-back).
//!
//! **Which error wins** is the same in every chain. [`try_zip`] and [`try_join_all`] give an error
//! that is there, the first in their order, and poll nothing for it; else that of the first future to
//! fail. What is dropped then is cancelled. [`zip`] and [`join_all`] [keep all
//! errors](_recipes#all-errors-not-the-first).
//!
//! **In a loop of `select!` or `timeout`** the same answer is waited for in each turn, so [pin its
//! future before](_recipes#waiting-in-a-loop).
//!
//! **Awaiting a value does not yield.** A loop over hits runs to its end without giving others a
//! turn, as any loop does; an `async fn` that is always ready is no different. Where that starves a
//! timer or a neighbour, use what your runtime has for it, such as `consume_budget().await` of
//! `tokio::task::coop` once a turn, or its `cooperative(answer.into_future()).await`.
//!
//! **`Pending` is not a promise that it takes long.** Nothing is ever polled to find out. If you
//! hold a future that is known to have its value, make it `Ready` yourself: `MaybeReady::from` does
//! for [`core::future::Ready`]. Another can be polled once by `now_or_never` of futures, which
//! drops it if it is pending after all.
//!
//! # Features
//!
//! | feature | adds |
//! | --- | --- |
//! | `std` (default) | [`join_all`], [`try_join_all`]; enables `alloc` |
//! | `alloc` | [`boxed`], [`boxed_local`], [`BoxMaybeReady`], [`LocalBoxMaybeReady`] |
//! | `either` | conversions from and to `either::Either` |
//!
//! Without features the crate is `no_std` and does not allocate. No feature changes a type. There is
//! no `unsafe` code. It needs Rust 1.85; raising that is a minor version. The examples are in edition
//! 2024; before it, import [`Future`], and add to an `impl Future` all type parameters, and each
//! lifetime that it keeps: `+ use<'a, T>`.
//!
//! # What is left out
//!
//! - **`Future` for `MaybeReady`.** A future that has given its value needs a third state, and every
//!   `match` would meet it. `.await` works through [`IntoFuture`].
//! - **`From<T>`.** Beside the conversions from futures it would make `.into()` ambiguous; the variant
//!   is the constructor.
//! - **A macro that awaits only when pending.** `.await` on a value costs the same, unless it is large.
//! - **`flatten`.** It is `then(|inner| inner)`.
//! - **`race`, timeouts, spawning, blocking, yielding.** Runtimes and futures-util have them, and
//!   [`map_pending`] applies them to the slow path alone.
//! - **`Stream`.** Another contract, with other laws.
//!
//! [`is_ready`]: MaybeReady::is_ready
//! [`is_pending`]: MaybeReady::is_pending
//! [`as_ref`]: MaybeReady::as_ref
//! [`as_mut`]: MaybeReady::as_mut
//! [`try_into_ready`]: MaybeReady::try_into_ready
//! [`unwrap_ready`]: MaybeReady::unwrap_ready
//! [`expect_ready`]: MaybeReady::expect_ready
//! [`unwrap_or_else`]: MaybeReady::unwrap_or_else
//! [`poll_ready`]: MaybeReady::poll_ready
//! [`map`]: MaybeReady::map
//! [`inspect`]: MaybeReady::inspect
//! [`map_ready`]: MaybeReady::map_ready
//! [`map_pending`]: MaybeReady::map_pending
//! [`then`]: MaybeReady::then
//! [`zip`]: MaybeReady::zip
//! [`try_zip`]: MaybeReady::try_zip
//! [`map_ok`]: MaybeReady::map_ok
//! [`map_err`]: MaybeReady::map_err
//! [`err_into`]: MaybeReady::err_into
//! [`inspect_ok`]: MaybeReady::inspect_ok
//! [`inspect_err`]: MaybeReady::inspect_err
//! [`and_then`]: MaybeReady::and_then
//! [`or_else`]: MaybeReady::or_else
//! [`try_from_fn`]: MaybeReady::try_from_fn
//! [`defer`]: MaybeReady::defer
//! [`boxed`]: MaybeReady::boxed
//! [`boxed_local`]: MaybeReady::boxed_local
//! [`join_all`]: join_all()
//! [`try_join_all`]: try_join_all()
//! [`fold`]: fold()
//! [`try_fold`]: try_fold()

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

// The rule for `#[inline]`: constructors, methods of one match, and polls that only pass on.

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "alloc")]
mod boxed;
mod collections;
mod combinators;
mod convert;
mod future;
mod into_maybe_ready;
mod maybe_ready;
mod never;

// Pages of documentation, which no build of the library has.
#[cfg(all(doc, feature = "std"))]
pub mod _migration;
#[cfg(all(doc, feature = "std"))]
pub mod _recipes;

#[cfg(feature = "alloc")]
pub use crate::boxed::{BoxMaybeReady, LocalBoxMaybeReady};
pub use crate::collections::{Fold, TryFold, fold, try_fold};
#[cfg(feature = "std")]
pub use crate::collections::{JoinAll, TryJoinAll, join_all, try_join_all};
pub use crate::combinators::{
    AndThen, Defer, ErrInto, Inspect, InspectErr, InspectOk, Map, MapErr, MapOk, OrElse, Then,
    TryZip, Zip,
};
pub use crate::future::MaybeReadyFuture;
pub use crate::into_maybe_ready::IntoMaybeReady;
pub use crate::maybe_ready::MaybeReady;
pub use crate::never::{AlwaysReady, Never};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
