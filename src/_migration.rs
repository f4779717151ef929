//! Coming from something else: before and after, what changes for callers, and what to watch.
//!
//! - From [async-trait or a boxed future](#from-async-trait-or-a-boxed-future)
//! - From [`Either<Ready<T>, F>`](#from-eitherreadyt-f)
//! - From [a pair `try_x` and `x`](#from-a-pair-try_x-and-x)
//! - From [an enum of your own](#from-an-enum-of-your-own)
//!
//! One change is common to all: what a function does until it has its answer, or knows that it has to
//! wait, it does **when it is called**, no longer when it is polled. The [crate's
//! page](crate#eager-on-ready-lazy-on-pending) says what that means for side effects, panics and locks.
//! Another is that a `MaybeReady` is no [`Future`]: what takes one wants `.into_future()`.
//!
//! # From async-trait or a boxed future
//!
//! Before, each call allocates, and nobody can look:
//!
//! ```
//! # struct Memory(u32);
//! use async_trait::async_trait;
//!
//! #[async_trait]
//! trait Store {
//!     async fn get(&self, key: &str) -> u32;
//! }
//!
//! #[async_trait]
//! impl Store for Memory {
//!     async fn get(&self, _key: &str) -> u32 {
//!         self.0
//!     }
//! }
//! # pollster::block_on(async { assert_eq!(Memory(7).get("a").await, 7) });
//! ```
//!
//! After:
//!
//! ```
//! # struct Memory(u32);
//! # struct Remote;
//! use maybe_ready::{BoxMaybeReady, MaybeReady};
//!
//! trait Store {
//!     fn get<'a>(&'a self, key: &'a str) -> BoxMaybeReady<'a, u32>;
//! }
//!
//! impl Store for Memory {
//!     fn get<'a>(&'a self, _key: &'a str) -> BoxMaybeReady<'a, u32> {
//!         MaybeReady::Ready(self.0)
//!     }
//! }
//!
//! // What was the body of an `async fn` goes into an async block:
//! impl Store for Remote {
//!     fn get<'a>(&'a self, key: &'a str) -> BoxMaybeReady<'a, u32> {
//!         MaybeReady::Pending(async move { fetch(key).await }).boxed()
//!     }
//! }
//! # async fn fetch(_: &str) -> u32 { 8 }
//! # assert_eq!(Memory(7).get("a").unwrap_ready(), 7);
//! # pollster::block_on(async { assert_eq!(Remote.get("a").await, 8) });
//! ```
//!
//! Callers go on to `.await`. To move one implementor at a time, keep the old method and give the new
//! one a default. The box that is there already needs no second one:
//!
//! ```
//! # struct Memory(u32);
//! use async_trait::async_trait;
//! use maybe_ready::{BoxMaybeReady, MaybeReady};
//!
//! #[async_trait]
//! trait Store {
//!     async fn get(&self, key: &str) -> u32;
//!
//!     fn look_up<'a>(&'a self, key: &'a str) -> BoxMaybeReady<'a, u32> {
//!         MaybeReady::Pending(self.get(key))
//!     }
//! }
//! # #[async_trait]
//! # impl Store for Memory {
//! #     async fn get(&self, _key: &str) -> u32 { self.0 }
//! # }
//! # pollster::block_on(async { assert_eq!(Memory(7).look_up("a").await, 7) });
//! ```
//!
//! The lifetimes that the macro had hidden are yours to write: `'a` on everything that the future
//! keeps. If the answer borrows from `self`, that would tie it to the key as well, and
//! `config.get(&format!(..)).await` would not outlive its line (E0716). Then `self` gets a lifetime of
//! its own:
//!
//! ```
//! # use std::collections::HashMap;
//! # struct Memory(HashMap<String, String>);
//! use maybe_ready::{BoxMaybeReady, MaybeReady};
//!
//! trait Config {
//!     fn get<'s: 'a, 'a>(&'s self, key: &'a str) -> BoxMaybeReady<'a, Option<&'s str>>;
//! }
//!
//! impl Config for Memory {
//!     fn get<'s: 'a, 'a>(&'s self, key: &'a str) -> BoxMaybeReady<'a, Option<&'s str>> {
//!         MaybeReady::Ready(self.0.get(key).map(String::as_str))
//!     }
//! }
//!
//! async fn limit(config: &dyn Config, user: &str) -> usize {
//!     let limit = config.get(&format!("limit.{user}")).await;
//!     limit.map_or(0, str::len)
//! }
//! # let memory = Memory(HashMap::from([("limit.ada".to_owned(), "***".to_owned())]));
//! # assert_eq!(pollster::block_on(limit(&memory, "ada")), 3);
//! ```
//!
//! For a `fn get(&self, key: &str) -> BoxMaybeReady<'_, Option<&str>>` whose future keeps the key, rustc
//! suggests a signature that ties the answer to the key alone.
//!
//! **Watch:** a large value that is awaited [costs more](crate#when-to-use-it) than the box did.
//!
//! # From `Either<Ready<T>, F>`
//!
//! Before, the value is there, but only a poll gets it:
//!
//! ```
//! use futures::future::{Either, Ready, ready};
//!
//! fn read(cached: Option<u32>) -> Either<Ready<u32>, impl Future<Output = u32>> {
//!     match cached {
//!         Some(value) => Either::Left(ready(value)),
//!         None => Either::Right(fetch()),
//!     }
//! }
//! # async fn fetch() -> u32 { 8 }
//! # assert_eq!(pollster::block_on(read(Some(7))), 7);
//! ```
//!
//! After:
//!
//! ```
//! use maybe_ready::MaybeReady;
//!
//! fn read(cached: Option<u32>) -> MaybeReady<u32, impl Future<Output = u32>> {
//!     match cached {
//!         Some(value) => MaybeReady::Ready(value),
//!         None => MaybeReady::Pending(fetch()),
//!     }
//! }
//! # async fn fetch() -> u32 { 8 }
//! # assert_eq!(read(Some(7)).unwrap_ready(), 7);
//! # assert!(read(None).is_pending());
//! ```
//!
//! Callers go on to `.await`, and need no executor for a hit. `map`, `then`, `and_then` and their
//! like keep their names, and are methods now; `FutureExt` is only for what comes after
//! `.into_future()`.
//!
//! **Watch:** on a hit those closures run at once. If others name the type, as a `type Future = ..` of
//! theirs, return a [`MaybeReadyFuture`]: it is a future, and lets callers look. What you hold as
//! `either::Either<T, F>` converts with [`From`], with the feature `either`.
//!
//! # From a pair `try_x` and `x`
//!
//! Before, there are two functions to keep alike, and to test:
//!
//! ```
//! # use std::collections::HashMap;
//! # struct Users(HashMap<u32, String>);
//! impl Users {
//!     fn try_name(&self, id: u32) -> Option<String> {
//!         self.0.get(&id).cloned()
//!     }
//!
//!     async fn name(&self, id: u32) -> String {
//!         match self.try_name(id) {
//!             Some(name) => name,
//!             None => fetch(id).await,
//!         }
//!     }
//! }
//! # async fn fetch(id: u32) -> String { format!("user {id}") }
//! # assert_eq!(pollster::block_on(Users(HashMap::new()).name(7)), "user 7");
//! ```
//!
//! After, there is one, and as long as callers need it the other is one line:
//!
//! ```
//! # use std::collections::HashMap;
//! # struct Users(HashMap<u32, String>);
//! use maybe_ready::MaybeReady;
//!
//! impl Users {
//!     fn name(&self, id: u32) -> MaybeReady<String, impl Future<Output = String>> {
//!         match self.0.get(&id) {
//!             Some(name) => MaybeReady::Ready(name.clone()),
//!             None => MaybeReady::Pending(fetch(id)),
//!         }
//!     }
//!
//!     #[deprecated = "match what `name` returns"]
//!     fn try_name(&self, id: u32) -> Option<String> {
//!         self.name(id).try_into_ready().ok()
//!     }
//! }
//! # async fn fetch(id: u32) -> String { format!("user {id}") }
//! # let users = Users(HashMap::from([(1, "ada".to_owned())]));
//! # #[allow(deprecated)]
//! # { assert_eq!((users.try_name(1).as_deref(), users.try_name(7)), (Some("ada"), None)) }
//! # assert_eq!(pollster::block_on(async { users.name(7).await }), "user 7");
//! ```
//!
//! Callers of `x` go on to `.await`. Those of `try_x` match, and get the future with it, so they need
//! not ask again.
//!
//! **Watch:** the `None` of a `try_x` may say "not now" in one place and "there is none" in another. Now
//! the first is `Pending`, and the second an `Option` or [`Result`] inside.
//!
//! # From an enum of your own
//!
//! Before:
//!
//! ```
//! use std::mem;
//! use std::pin::Pin;
//! use std::task::{Context, Poll, ready};
//!
//! use futures::future::LocalBoxFuture;
//!
//! enum Load {
//!     Done(String),
//!     Wait(LocalBoxFuture<'static, String>),
//!     Taken,
//! }
//!
//! impl Future for Load {
//!     type Output = String;
//!
//!     fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<String> {
//!         if let Self::Wait(future) = &mut *self {
//!             *self = Self::Done(ready!(future.as_mut().poll(cx)));
//!         }
//!         match mem::replace(&mut *self, Self::Taken) {
//!             Self::Done(source) => Poll::Ready(source),
//!             _ => panic!("polled after completion"),
//!         }
//!     }
//! }
//!
//! fn length(load: Load) -> Option<usize> {
//!     match load {
//!         Load::Done(source) => Some(source.len()),
//!         Load::Wait(_) => None,
//!         Load::Taken => unreachable!(),
//!     }
//! }
//! # assert_eq!(length(Load::Done("source".into())), Some(6));
//! # assert_eq!(pollster::block_on(Load::Wait(Box::pin(async { "a".to_owned() }))), "a");
//! ```
//!
//! After:
//!
//! ```
//! use maybe_ready::LocalBoxMaybeReady;
//!
//! type Load = LocalBoxMaybeReady<'static, String>;
//!
//! fn length(load: Load) -> Option<usize> {
//!     match load {
//!         Load::Ready(source) => Some(source.len()),
//!         Load::Pending(_) => None,
//!     }
//! }
//! # assert_eq!(length(Load::Ready("source".into())), Some(6));
//! # pollster::block_on(async { assert_eq!(Load::Pending(Box::pin(async { "a".into() })).await, "a") });
//! ```
//!
//! In callers only the names of the variants change: `Load::Done(..)` becomes `Load::Ready(..)`. The
//! third state is gone, and with it the panics that guarded it: what takes the value takes the enum.
//!
//! | what such an enum has | here |
//! | --- | --- |
//! | `poll`, which leaves the third state | `.await`, which takes the enum |
//! | the same, called in a `poll` of yours | the field is a [`MaybeReadyFuture`] |
//! | the same, and a look before it | the field is an `Option<MaybeReady<..>>`, as below |
//! | `poll`, which keeps the value | [`poll_ready`] |
//! | a value taken from behind `&mut` | the field is an `Option<MaybeReady<..>>`, and [`Option::take`] |
//! | `now`, `now_or_never`, `as_sync` | [`try_into_ready`], or a `match` |
//! | `map`, which returns the enum | `map(..)`, then [`boxed_local`] for the alias |
//! | methods of your own | a trait for the alias, or a newtype |
//! | a public type that is a future | a newtype around [`MaybeReadyFuture`], which shows how |
//! | a variant with an error | [`Result`] as the value: `Ready(Err(..))` |
//! | a variant with a `JoinHandle` | the value is the [`Result`] that it gives |
//!
//! A future that lets others look, and gives the value away when it is polled:
//!
//! ```
//! use std::pin::Pin;
//! use std::task::{Context, Poll, ready};
//!
//! use maybe_ready::LocalBoxMaybeReady;
//!
//! struct Module(Option<LocalBoxMaybeReady<'static, String>>);
//!
//! impl Module {
//!     fn peek(&self) -> Option<&str> {
//!         self.0.as_ref()?.as_ref().try_into_ready().ok().map(String::as_str)
//!     }
//! }
//!
//! impl Future for Module {
//!     type Output = String;
//!
//!     fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<String> {
//!         let load = self.0.as_mut().expect("it was polled after completion");
//!         ready!(load.poll_ready(cx));
//!         let load = self.0.take().expect("it was there a line ago");
//!         Poll::Ready(load.unwrap_ready())
//!     }
//! }
//! # use maybe_ready::MaybeReady;
//! # assert_eq!(Module(Some(MaybeReady::Ready("a".to_owned()))).peek(), Some("a"));
//! # let module = Module(Some(MaybeReady::Pending(async { "b".to_owned() }).boxed_local()));
//! # assert_eq!(module.peek(), None);
//! # assert_eq!(pollster::block_on(module), "b");
//! ```
//!
//! **Watch:** if the enum is public, its variants are part of your API; wrap first, and rename with the
//! next major version.
//!
//! [`MaybeReadyFuture`]: crate::MaybeReadyFuture
//! [`boxed_local`]: crate::MaybeReady::boxed_local
//! [`poll_ready`]: crate::MaybeReady::poll_ready
//! [`try_into_ready`]: crate::MaybeReady::try_into_ready
