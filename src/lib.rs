//! Either a value or a future of it, for answers that are usually already there.
//!
//! A cache hit, a parsed constant, a rejected input, a module that is loaded: much of what an
//! asynchronous function returns is known before it is awaited. [`MaybeReady`] says so in the
//! type. Its author writes one function; a synchronous caller matches the answer, an asynchronous
//! one awaits it; and the combinators in between keep what is ready ready.
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
//! # pollster::block_on(async {
//! assert_eq!(&*users.name(7).await, "user 7");
//! # });
//!
//! // A synchronous one takes what is there, without an executor:
//! match users.name(7).map(|name| name.len()) {
//!     MaybeReady::Ready(length) => assert_eq!(length, 6),
//!     MaybeReady::Pending(_) => println!("not known yet"),
//! }
//! ```
//!
//! # When to use it
//!
//! It pays off in three places:
//!
//! - **Behind `dyn`.** A trait method that returns a boxed future allocates on every call. One that
//!   returns [`BoxMaybeReady`] is as `dyn`-compatible, and a hit allocates nothing.
//! - **Where hits are frequent.** A hit that is matched costs what a plain call costs. A chain of
//!   combinators over ready values is the chain of calls that it replaces, [`join_all`] of them is
//!   a `collect`, and no task is suspended on the way.
//! - **Where some callers are not async.** They need neither an executor nor a second function
//!   beside the asynchronous one that drifts away from it.
//!
//! And when not to:
//!
//! - Where everything is statically typed and always awaited, **write `async fn`**. It is as fast,
//!   and there is less to read.
//! - Where a function hardly ever has its answer at once, return the future.
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
//!    the method returns, on [`Pending`](MaybeReady::Pending) inside a poll and not before. (A closure
//!    that is given the future itself runs at once.)
//! 4. **A future that has given its value is finished.** It says so through
//!    [`FusedFuture`](futures_core::future::FusedFuture), has dropped what it held, and panics with
//!    its name if it is polled again: "`Map` polled after completion". After a panic in a closure it
//!    is finished as well.
//! 5. **Wakers are passed through.** A pending future sees the waker of the task that waits, and
//!    nothing else; only the joins make wakers of their own.
//!
//! # Operations
//!
//! | to | on a value, now or later | inside a [`Result`] |
//! | --- | --- | --- |
//! | build | the variants, [`AlwaysReady::Ready`](AlwaysReady), [`From`] | [`try_from_fn`], which allows `?` |
//! | ask, borrow | [`is_ready`], [`is_pending`], [`as_ref`], [`as_mut`] | |
//! | take the value out | [`try_into_ready`], [`unwrap_ready`], [`expect_ready`], [`unwrap_or_else`] | |
//! | wait | `.await`, [`poll_ready`] | |
//! | transform | [`map`], [`inspect`] | [`map_ok`], [`map_err`], [`err_into`], [`inspect_ok`], [`inspect_err`] |
//! | transform one side | [`map_ready`], [`map_pending`] | |
//! | chain | [`then`] | [`and_then`], [`or_else`] |
//! | combine two | [`zip`] | [`try_zip`] |
//! | combine many | [`join_all`] | [`try_join_all`] |
//! | loop | [`fold`] | [`try_fold`] |
//! | name the type | [`boxed`], [`boxed_local`], [`MaybeReadyFuture`] | |
//! | test | [`defer`] | |
//!
//! Each returns a named type that grows by a few bytes over what it wraps, and is [`Unpin`] if the
//! futures in it are. It can be a field or a `type Future = ..`, as long as the closures in it
//! capture nothing, so that they are `fn` pointers; others are boxed.
//!
//! # Recipes
//!
//! ## A store behind `dyn`, with a synchronous facade
//!
//! One method instead of `get` and `try_get`. Callers that cannot wait turn a miss into an error of
//! their own type.
//!
//! ```
//! use maybe_ready::{BoxMaybeReady, MaybeReady};
//!
//! #[derive(Debug, PartialEq)]
//! enum Error {
//!     Missing,
//!     NotReady(&'static str),
//! }
//!
//! trait Store {
//!     fn get<'a>(&'a self, key: &'a str) -> BoxMaybeReady<'a, Result<usize, Error>>;
//! }
//!
//! fn get_now(store: &dyn Store, key: &str) -> Result<usize, Error> {
//!     store.get(key).unwrap_or_else(|_dropped| Err(Error::NotReady("get")))
//! }
//!
//! struct Memory;
//!
//! impl Store for Memory {
//!     fn get<'a>(&'a self, key: &'a str) -> BoxMaybeReady<'a, Result<usize, Error>> {
//!         MaybeReady::Ready(if key == "answer" { Ok(42) } else { Err(Error::Missing) })
//!     }
//! }
//!
//! struct Disk;
//!
//! impl Store for Disk {
//!     fn get<'a>(&'a self, key: &'a str) -> BoxMaybeReady<'a, Result<usize, Error>> {
//!         MaybeReady::Pending(async { Ok(key.len()) }).boxed()
//!     }
//! }
//!
//! assert_eq!(get_now(&Memory, "answer"), Ok(42));
//! assert_eq!(get_now(&Disk, "answer"), Err(Error::NotReady("get")));
//! ```
//!
//! ## A cache whose callers share a fetch
//!
//! What the map holds is itself a `MaybeReady`: a value, or a fetch that any number of callers wait
//! for.
//!
//! ```
//! use std::collections::HashMap;
//! use std::sync::{Arc, Mutex};
//!
//! use futures::future::{BoxFuture, FutureExt, Shared};
//! use maybe_ready::MaybeReady;
//!
//! type Fetch = Shared<BoxFuture<'static, Arc<str>>>;
//!
//! #[derive(Default)]
//! struct Cache(Mutex<HashMap<String, MaybeReady<Arc<str>, Fetch>>>);
//!
//! impl Cache {
//!     fn get(&self, key: &str) -> MaybeReady<Arc<str>, Fetch> {
//!         let mut entries = self.0.lock().unwrap();
//!         let entry = entries.entry(key.to_owned()).or_insert_with_key(|key| {
//!             MaybeReady::Pending(fetch(key.clone()).boxed().shared())
//!         });
//!         // A fetch that has completed since makes its entry ready.
//!         if let MaybeReady::Pending(fetch) = entry {
//!             if let Some(value) = fetch.peek().cloned() {
//!                 *entry = MaybeReady::Ready(value);
//!             }
//!         }
//!         entry.clone()
//!     }
//! }
//!
//! async fn fetch(key: String) -> Arc<str> {
//!     format!("value of {key}").into()
//! }
//!
//! let cache = Cache::default();
//! let (one, two) = (cache.get("a"), cache.get("a"));
//! # pollster::block_on(async {
//! assert_eq!(one.zip(two).map(|(one, two)| Arc::ptr_eq(&one, &two)).await, true);
//! # });
//! assert_eq!(&*cache.get("a").unwrap_ready(), "value of a");
//! ```
//!
//! ## A wrapper that does not make everything slow
//!
//! Tracing, metrics, timeouts: what every answer needs goes into [`inspect`], what only waiting needs
//! into [`map_pending`], and a hit stays one. What is to happen for every *call*, answered or given
//! up, is done before it.
//!
//! ```
//! use std::cell::Cell;
//! use std::time::Duration;
//!
//! use maybe_ready::{AlwaysReady, MaybeReady};
//! use tokio::time::timeout;
//!
//! fn in_time<T, F: Future<Output = T>>(
//!     failures: &Cell<u32>,
//!     answer: MaybeReady<T, F>,
//! ) -> MaybeReady<Option<T>, impl Future<Output = Option<T>>> {
//!     answer
//!         .map_ready(Some)
//!         .map_pending(|slow| async { timeout(Duration::from_secs(5), slow).await.ok() })
//!         .inspect(|answer| failures.set(failures.get() + u32::from(answer.is_none())))
//! }
//!
//! let failures = Cell::new(0);
//! assert_eq!(in_time(&failures, AlwaysReady::Ready(42)).unwrap_ready(), Some(42));
//! assert_eq!(failures.get(), 0);
//! ```
//!
//! ## Middleware that names its future
//!
//! A combinator's type is a type like any other, so a layer needs no box:
//!
//! ```
//! use maybe_ready::{MapErr, MaybeReady};
//!
//! type Reply = Result<String, String>;
//!
//! trait Service {
//!     type Future: Future<Output = Reply>;
//!     fn call(&self, request: &str) -> MaybeReady<Reply, Self::Future>;
//! }
//!
//! struct Labelled<S>(S);
//!
//! impl<S: Service> Service for Labelled<S> {
//!     type Future = MapErr<S::Future, fn(String) -> String>;
//!
//!     fn call(&self, request: &str) -> MaybeReady<Reply, Self::Future> {
//!         self.0.call(request).map_err(|error| format!("service: {error}"))
//!     }
//! }
//! # struct Refuse;
//! # impl Service for Refuse {
//! #     type Future = std::future::Pending<Reply>;
//! #     fn call(&self, _: &str) -> MaybeReady<Reply, Self::Future> {
//! #         MaybeReady::Ready(Err("refused".into()))
//! #     }
//! # }
//! # assert_eq!(Labelled(Refuse).call("").unwrap_ready(), Err("service: refused".to_owned()));
//! ```
//!
//! # Good to know
//!
//! **"Type annotations needed"** is what the compiler says of a `MaybeReady::Ready(1)` that meets no
//! future to name. Write `AlwaysReady::Ready(1)`.
//!
//! **A dropped `Pending` starts nothing**, as no future does. A synchronous caller that wants the
//! answer to be there the next time spawns what it cannot wait for; for that the future has to own
//! what it uses.
//!
//! **On a hit a closure runs at once**, within whatever the caller holds. A lock or a borrow that it
//! needs itself must have ended before: in a `match` on `cache.lock().get(..)` it has not.
//!
//! **What takes `impl IntoFuture` takes a `MaybeReady`**, such as `.await` and tokio's `select!`,
//! `join!` and `timeout`. What takes a `Future` wants `.into_future()`: `tokio::spawn`, and everything
//! in `futures`.
//!
//! **A large value is moved a few times when it is awaited**: into the future, into the task, and out
//! again. For a kilobyte that costs more than the box that was saved: match it first, and await the
//! rest.
//!
//! **Awaiting a value does not yield.** A loop over hits runs to its end without giving others a
//! turn, as any loop does; an `async fn` that is always ready is no different. Where that starves a
//! timer or a neighbour, wrap the await in what your runtime has for it, such as
//! `tokio::task::coop::cooperative`.
//!
//! **`Pending` is not a promise that it takes long.** Nothing is ever polled to find out. If you
//! hold a future that is known to have its value, make it `Ready` yourself: `MaybeReady::from` does
//! for [`core::future::Ready`].
//!
//! **To stay [`Send`], return the type, not the trait.** Nothing is known of the future in an
//! `impl IntoMaybeReady`; a `MaybeReady<T, impl Future<Output = T> + Send>` says it.
//!
//! **Every layer behind `dyn` boxes a miss once more**, if it wraps the future. One that passes a
//! boxed future on as it is does not.
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
//! 2024; before it, import [`Future`], and add `+ use<'_>` where an
//! `impl Future` borrows.
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
