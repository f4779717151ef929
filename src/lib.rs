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
//! It pays at three places:
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
//! - Where a caller is *never* able to wait, a `MaybeReady` only moves the problem: give that
//!   caller a function that cannot be pending, see [`AlwaysReady`] and
//!   [`try_into_ready`](MaybeReady::try_into_ready).
//!
//! # What is ready stays ready
//!
//! The same laws hold for every operation, and so need not be repeated at each:
//!
//! 1. **Readiness does not change results.** A value may be replaced by a future of it: the same
//!    closures are called, each at most once and in the same order, and the output is the same.
//!    The one exception is *which* error wins where several values are joined: one that is there
//!    wins over one that is not. [`defer`](MaybeReady::defer) puts this law to the test in your code.
//! 2. **Ready in, and ready from the closure, gives ready out.** Nothing is polled, woken or
//!    allocated for it.
//! 3. **Eager when ready, lazy when pending.** On [`Ready`](MaybeReady::Ready) a closure runs before
//!    the method returns, on [`Pending`](MaybeReady::Pending) inside a poll and not before.
//! 4. **A future that gave its value is finished.** It says so through
//!    [`FusedFuture`](futures_core::future::FusedFuture), has dropped what it held, and panics with
//!    its name if it is polled again: "`Map` polled after completion". If a closure panics, the
//!    future is finished as well.
//! 5. **Wakers are passed through.** A pending future sees the waker of the task that waits, and
//!    nothing else; only the joins make wakers of their own.
//!
//! # Operations
//!
//! | to | on a value, now or later | inside a [`Result`] |
//! | --- | --- | --- |
//! | ask, borrow | [`is_ready`], [`is_pending`], [`as_ref`], [`as_mut`] | |
//! | take the value out | [`try_into_ready`], [`unwrap_ready`], [`expect_ready`], [`unwrap_or_else`] | |
//! | wait | `.await`, [`poll_ready`] | |
//! | transform | [`map`], [`inspect`] | [`map_ok`], [`map_err`], [`err_into`], [`inspect_ok`], [`inspect_err`] |
//! | transform one side | [`map_ready`], [`map_pending`] | |
//! | chain | [`then`] | [`and_then`], [`or_else`] |
//! | combine two | [`zip`] | [`try_zip`] |
//! | combine many | [`join_all`] | [`try_join_all`] |
//! | loop | [`fold`] | [`try_fold`] |
//! | build | the variants, [`From`] | [`try_from_fn`] |
//! | name the type | [`boxed`], [`boxed_local`], [`MaybeReadyFuture`] | |
//! | test | [`defer`] | |
//!
//! Each returns a named type, which can be a field or a `type Future = ..`, and grows by a few bytes
//! over what it wraps.
//!
//! # Recipes
//!
//! ## A store behind `dyn`, with a synchronous facade
//!
//! One method in the place of `get` beside `try_get`. Who cannot wait gets a refusal of its own type.
//!
//! ```
//! use maybe_ready::{BoxMaybeReady, MaybeReady};
//!
//! trait Store {
//!     fn get(&self, key: &str) -> BoxMaybeReady<'_, Option<u32>>;
//! }
//!
//! #[derive(Debug, PartialEq)]
//! struct NotReady(&'static str);
//!
//! fn get_now(store: &dyn Store, key: &str) -> Result<Option<u32>, NotReady> {
//!     store.get(key).try_into_ready().map_err(|_dropped| NotReady("get"))
//! }
//!
//! struct Memory;
//!
//! impl Store for Memory {
//!     fn get(&self, key: &str) -> BoxMaybeReady<'_, Option<u32>> {
//!         MaybeReady::Ready((key == "answer").then_some(42))
//!     }
//! }
//!
//! struct Disk;
//!
//! impl Store for Disk {
//!     fn get(&self, _: &str) -> BoxMaybeReady<'_, Option<u32>> {
//!         MaybeReady::Pending(async { None }).boxed()
//!     }
//! }
//!
//! assert_eq!(get_now(&Memory, "answer"), Ok(Some(42)));
//! assert_eq!(get_now(&Disk, "answer"), Err(NotReady("get")));
//! ```
//!
//! ## A wrapper that does not make everything slow
//!
//! Tracing, metrics, timeouts: what every call needs goes into [`inspect`], what only waiting needs
//! into [`map_pending`], so that a hit stays one.
//!
//! ```
//! use std::cell::Cell;
//! use std::time::Duration;
//!
//! use maybe_ready::MaybeReady;
//! use tokio::time::timeout;
//!
//! fn measured<T, F: Future<Output = T>>(
//!     calls: &Cell<u32>,
//!     answer: MaybeReady<T, F>,
//! ) -> MaybeReady<Option<T>, impl Future<Output = Option<T>>> {
//!     answer
//!         .inspect(|_| calls.set(calls.get() + 1))
//!         .map_ready(Some)
//!         .map_pending(|slow| async { timeout(Duration::from_secs(5), slow).await.ok() })
//! }
//!
//! let calls = Cell::new(0);
//! let hit: MaybeReady<u32, std::future::Ready<u32>> = MaybeReady::Ready(42);
//! assert_eq!(measured(&calls, hit).unwrap_ready(), Some(42));
//! assert_eq!(calls.get(), 1);
//! ```
//!
//! ## A cache over anything slower
//!
//! ```
//! use std::cell::RefCell;
//! use std::collections::HashMap;
//!
//! use maybe_ready::{IntoMaybeReady, MaybeReady};
//!
//! struct Cache<V>(RefCell<HashMap<u32, V>>);
//!
//! impl<V: Clone> Cache<V> {
//!     fn get<R>(&self, key: u32, load: impl FnOnce(u32) -> R) -> MaybeReady<V, impl Future<Output = V>>
//!     where
//!         R: IntoMaybeReady<Output = V>,
//!     {
//!         let hit = self.0.borrow().get(&key).cloned();
//!         match hit {
//!             Some(value) => MaybeReady::Ready(value),
//!             None => load(key).into_maybe_ready().inspect(move |value| {
//!                 self.0.borrow_mut().insert(key, value.clone());
//!             }),
//!         }
//!     }
//! }
//!
//! let cache = Cache(RefCell::default());
//! // What loads may be asynchronous, or another cache: then a hit below is a hit here as well.
//! assert!(cache.get(1, |key| async move { key + 1 }).is_pending());
//! let below: Cache<u32> = Cache(RefCell::new(HashMap::from([(1, 5)])));
//! let load = |key| below.get(key, |key| async move { key });
//! assert_eq!(cache.get(1, load).unwrap_ready(), 5);
//! ```
//!
//! ## Middleware that names its future
//!
//! A combinator's type is a type like any other, so a layer needs no box:
//!
//! ```
//! use maybe_ready::{MapErr, MaybeReady};
//!
//! trait Service {
//!     type Future: Future<Output = Result<String, String>>;
//!     fn call(&self, request: &str) -> MaybeReady<Result<String, String>, Self::Future>;
//! }
//!
//! struct Named<S>(S);
//!
//! impl<S: Service> Service for Named<S> {
//!     type Future = MapErr<S::Future, fn(String) -> String>;
//!
//!     fn call(&self, request: &str) -> MaybeReady<Result<String, String>, Self::Future> {
//!         self.0.call(request).map_err(|error| format!("named: {error}"))
//!     }
//! }
//! # struct Refuse;
//! # impl Service for Refuse {
//! #     type Future = std::future::Pending<Result<String, String>>;
//! #     fn call(&self, _: &str) -> MaybeReady<Result<String, String>, Self::Future> {
//! #         MaybeReady::Ready(Err("refused".into()))
//! #     }
//! # }
//! # assert_eq!(Named(Refuse).call("").unwrap_ready(), Err("named: refused".to_owned()));
//! ```
//!
//! # Good to know
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
//! **Some macros want a `Future`.** tokio's take a `MaybeReady` as it is; for those of `futures`
//! write `.into_future()`.
//!
//! **A borrowed answer borrows on both sides.** `BoxMaybeReady<'_, T>` may refer to `&self`. There
//! is no need for everything to be `'static`, and an `Arc` per call often costs more than the box
//! that was saved.
//!
//! **The enum branches once.** Where each access is a branch too many, decide further outside: match
//! once, and run the loop on what you found.
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
//! no `unsafe` code. It needs Rust 1.85; raising that is a minor version.
//!
//! # What is left out
//!
//! - **`Future` for `MaybeReady`.** A future that gave its value needs a third state, and every
//!   `match` would meet it. `.await` works through [`IntoFuture`].
//! - **`From<T>`.** Beside the conversions from futures it would make `.into()` ambiguous; the variant
//!   is the constructor.
//! - **A macro that awaits only when pending.** `.await` on a value costs the same.
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

// The rule for `#[inline]`: methods of one match, and polls that only pass on to another.

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
