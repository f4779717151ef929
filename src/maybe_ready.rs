use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use crate::IntoMaybeReady;
use crate::combinators::{
    AndThen, Defer, ErrInto, Inspect, InspectErr, InspectOk, Map, MapErr, MapOk, OrElse, Then,
    TryZip, Zip,
};

/// Either a value that is there, or a future of it.
///
/// It is the answer of a function that usually knows at once and sometimes has to wait. A
/// synchronous caller matches it, an asynchronous one writes `.await`, and the combinators in
/// between keep what is ready ready. The [crate's documentation](crate) says when to use it.
///
/// The two parameters are independent: `F` need not even be a future before something is to be
/// awaited. Wherever both sides meet, as in [`map`](Self::map) or `.await`, `F` has to be a
/// future of `T`.
///
/// It is [`IntoFuture`](core::future::IntoFuture) but not itself a [`Future`], for a future that
/// gave its value needs a third state, which would then be every caller's to handle.
///
/// # Examples
///
/// ```
/// use std::collections::HashMap;
/// use maybe_ready::MaybeReady;
///
/// struct Names(HashMap<u32, String>);
///
/// impl Names {
///     fn get(&self, id: u32) -> MaybeReady<String, impl Future<Output = String>> {
///         match self.0.get(&id) {
///             Some(name) => MaybeReady::Ready(name.clone()),
///             None => MaybeReady::Pending(fetch(id)),
///         }
///     }
/// }
///
/// async fn fetch(id: u32) -> String {
///     format!("user {id}")
/// }
///
/// let names = Names(HashMap::from([(1, "Ada".to_owned())]));
///
/// // Without an executor, for whoever can do without the rest:
/// if let MaybeReady::Ready(name) = names.get(1) {
///     assert_eq!(name, "Ada");
/// }
///
/// // And with one:
/// # pollster::block_on(async {
/// assert_eq!(names.get(1).await, "Ada");
/// assert_eq!(names.get(2).await, "user 2");
/// # });
/// ```
#[must_use = "this `MaybeReady` may be `Pending`, which does nothing unless you `.await` it"]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum MaybeReady<T, F> {
    /// The value.
    Ready(T),
    /// A future of the value, which has not been polled unless you polled it.
    Pending(F),
}

use MaybeReady::{Pending, Ready};

/// Asking and borrowing.
impl<T, F> MaybeReady<T, F> {
    /// Returns `true` if the value is there.
    ///
    /// The cousin of [`Poll::is_ready`]; nothing is polled to find out.
    ///
    /// # Examples
    ///
    /// ```
    /// use maybe_ready::MaybeReady;
    ///
    /// // A log says which reads have to wait, and disturbs none of them.
    /// fn log<T, F>(read: MaybeReady<T, F>) -> MaybeReady<T, F> {
    ///     println!("{}", if read.is_ready() { "hit" } else { "miss" });
    ///     read
    /// }
    /// # assert!(log(maybe_ready::AlwaysReady::Ready(1)).is_ready());
    /// ```
    #[must_use = "if you intended to assert that this is ready, consider `.unwrap_ready()` instead"]
    #[inline]
    pub const fn is_ready(&self) -> bool {
        matches!(self, Ready(_))
    }

    /// Returns `true` if the value has to be waited for.
    ///
    /// The cousin of [`Poll::is_pending`]; nothing is polled to find out, so a future that would
    /// answer on its first poll counts as pending.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::future::ready;
    /// use maybe_ready::MaybeReady;
    ///
    /// // How many of these reads will take a while?
    /// let reads = [MaybeReady::Ready(1), MaybeReady::Pending(ready(2)), MaybeReady::Ready(3)];
    /// assert_eq!(reads.iter().filter(|read| read.is_pending()).count(), 1);
    /// ```
    #[must_use = "if you intended to wait for the value, consider `.await` instead"]
    #[inline]
    pub const fn is_pending(&self) -> bool {
        !self.is_ready()
    }

    /// Converts from `&MaybeReady<T, F>` to `MaybeReady<&T, &F>`.
    ///
    /// The cousin of [`Option::as_ref`]: for looking at what another still owns.
    ///
    /// # Examples
    ///
    /// A look at the value, which can still be taken or awaited afterwards:
    ///
    /// ```
    /// use maybe_ready::AlwaysReady;
    ///
    /// let hit = AlwaysReady::Ready("value".to_owned());
    /// assert_eq!(hit.as_ref().map_ready(|text| text.len()).unwrap_ready(), 5);
    /// assert_eq!(hit.unwrap_ready(), "value");
    /// ```
    #[inline]
    pub const fn as_ref(&self) -> MaybeReady<&T, &F> {
        match self {
            Ready(value) => Ready(value),
            Pending(future) => Pending(future),
        }
    }

    /// Converts from `&mut MaybeReady<T, F>` to `MaybeReady<&mut T, &mut F>`.
    ///
    /// The cousin of [`Option::as_mut`]. To wait by reference, and keep the value in place, there is
    /// [`poll_ready`](Self::poll_ready).
    ///
    /// # Examples
    ///
    /// What is there is brought up to date; what is still on its way will be anyway:
    ///
    /// ```
    /// use maybe_ready::{AlwaysReady, MaybeReady};
    ///
    /// let mut hit = AlwaysReady::Ready(1);
    /// if let MaybeReady::Ready(value) = hit.as_mut() {
    ///     *value += 1;
    /// }
    /// assert_eq!(hit.unwrap_ready(), 2);
    /// ```
    #[inline]
    pub const fn as_mut(&mut self) -> MaybeReady<&mut T, &mut F> {
        match self {
            Ready(value) => Ready(value),
            Pending(future) => Pending(future),
        }
    }
}

/// Taking the value out.
impl<T, F> MaybeReady<T, F> {
    /// Returns the value, or else the future.
    ///
    /// The cousin of [`Option::ok_or`], but nothing is lost: the error is the future itself, not
    /// polled, which can still be awaited, spawned, or turned into an error of your own.
    ///
    /// # Errors
    ///
    /// The future, if this is [`Pending`](Self::Pending).
    ///
    /// # Examples
    ///
    /// A synchronous consumer refuses what it cannot wait for:
    ///
    /// ```
    /// use maybe_ready::MaybeReady;
    ///
    /// fn import_now<F>(module: MaybeReady<String, F>) -> Result<String, &'static str> {
    ///     module.try_into_ready().map_err(|_dropped| "the module is still loading")
    /// }
    ///
    /// let loading = MaybeReady::Pending(async { String::new() });
    /// assert_eq!(import_now(loading), Err("the module is still loading"));
    /// ```
    #[inline]
    pub fn try_into_ready(self) -> Result<T, F> {
        match self {
            Ready(value) => Ok(value),
            Pending(future) => Err(future),
        }
    }

    /// Returns the value, for callers that know that it is there.
    ///
    /// The cousin of [`Option::unwrap`].
    ///
    /// # Panics
    ///
    /// If this is [`Pending`](Self::Pending), at the caller's line. The future is dropped.
    ///
    /// # Examples
    ///
    /// A test expects that the empty name is not looked up, and fails if it is:
    ///
    /// ```
    /// use maybe_ready::MaybeReady;
    ///
    /// fn greet(name: &str) -> MaybeReady<String, impl Future<Output = String>> {
    ///     match name {
    ///         "" => MaybeReady::Ready("Hello".to_owned()),
    ///         _ => MaybeReady::Pending(async move { format!("Hello, {name}") }),
    ///     }
    /// }
    ///
    /// assert_eq!(greet("").unwrap_ready(), "Hello");
    /// ```
    #[inline]
    #[track_caller]
    pub fn unwrap_ready(self) -> T {
        self.expect_ready("called `MaybeReady::unwrap_ready()` on a `Pending` value")
    }

    /// Returns the value, for callers that know that it is there and can say why.
    ///
    /// The cousin of [`Option::expect`].
    ///
    /// # Panics
    ///
    /// With `msg` if this is [`Pending`](Self::Pending), at the caller's line. The future is
    /// dropped.
    ///
    /// # Examples
    ///
    /// The message is for whoever finds that the reason no longer holds:
    ///
    /// ```
    /// use maybe_ready::AlwaysReady;
    ///
    /// let primed = AlwaysReady::Ready(1);
    /// assert_eq!(primed.expect_ready("the cache was primed at start-up"), 1);
    /// ```
    #[inline]
    #[track_caller]
    pub fn expect_ready(self, msg: &str) -> T {
        match self {
            Ready(value) => value,
            Pending(_) => expect_failed(msg),
        }
    }

    /// Returns the value, or what `f` makes of the future.
    ///
    /// The cousin of [`Result::unwrap_or_else`]. `f` is called at once if this is
    /// [`Pending`](Self::Pending), and never if it is [`Ready`](Self::Ready): so a caller brings
    /// its own executor, and a hit does not touch it.
    ///
    /// # Examples
    ///
    /// ```
    /// use maybe_ready::MaybeReady;
    ///
    /// let miss = MaybeReady::Pending(async { 42 });
    /// assert_eq!(miss.unwrap_or_else(pollster::block_on), 42);
    /// ```
    ///
    /// A caller that cannot wait refuses, in the error type that it has anyway:
    ///
    /// ```
    /// use maybe_ready::MaybeReady;
    ///
    /// type Row = Result<u32, &'static str>;
    ///
    /// fn load(id: u32) -> MaybeReady<Row, impl Future<Output = Row>> {
    ///     MaybeReady::Pending(async move { Ok(id) })
    /// }
    ///
    /// let refused = load(7).unwrap_or_else(|_dropped| Err("not loaded yet"));
    /// assert_eq!(refused, Err("not loaded yet"));
    /// ```
    #[inline]
    pub fn unwrap_or_else<R: FnOnce(F) -> T>(self, f: R) -> T {
        match self {
            Ready(value) => value,
            Pending(future) => f(future),
        }
    }
}

/// Polling in place.
impl<T, F> MaybeReady<T, F> {
    /// Polls the future, if there is one, and becomes [`Ready`](Self::Ready) when it completes.
    ///
    /// A value that is there is given without a poll, as often as asked for. A pending future is
    /// polled once: if it completes, its output takes its place, and it is dropped; if not, it
    /// stays, with `cx`'s waker registered, and can be polled again or awaited. A future that is not
    /// [`Unpin`], as an `async` block, is boxed first: `m.map_pending(Box::pin)`.
    ///
    /// It is for code inside of a `poll`. In a [`poll_fn`](core::future::poll_fn) add a `map`, such
    /// as `.map(|_| ())`, for the `&mut T` cannot leave that closure. Async code does the same by
    /// `if let Pending(future) = &mut m { m = Ready(future.await) }`.
    ///
    /// It takes a real [`Context`] on purpose: polled with a waker that does nothing, a future may
    /// never wake whoever waits for it later. Some runtimes make a future answer `Pending` now and
    /// then to give others a turn (tokio's budget); where that is not wanted, poll inside
    /// `tokio::task::unconstrained`.
    ///
    /// # Examples
    ///
    /// A service that learns something once keeps it in place of the future:
    ///
    /// ```
    /// use std::future::{Ready, poll_fn, ready};
    /// use std::task::{self, Context, Poll};
    ///
    /// use maybe_ready::MaybeReady;
    ///
    /// struct Service {
    ///     limit: MaybeReady<usize, Ready<usize>>,
    ///     used: usize,
    /// }
    ///
    /// impl Service {
    ///     fn poll_free(&mut self, cx: &mut Context<'_>) -> Poll<usize> {
    ///         let limit = task::ready!(self.limit.poll_ready(cx));
    ///         Poll::Ready(*limit - self.used)
    ///     }
    /// }
    ///
    /// let mut service = Service { limit: MaybeReady::Pending(ready(9)), used: 2 };
    /// # pollster::block_on(async {
    /// assert_eq!(poll_fn(|cx| service.poll_free(cx)).await, 7);
    /// # });
    /// assert_eq!(service.limit.unwrap_ready(), 9);
    /// ```
    #[inline]
    pub fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<&mut T>
    where
        F: Future<Output = T> + Unpin,
    {
        if let Pending(future) = self {
            *self = Ready(ready!(Pin::new(future).poll(cx)));
        }
        match self {
            Ready(value) => Poll::Ready(value),
            Pending(_) => unreachable!(),
        }
    }
}

/// Transforming.
impl<T, F> MaybeReady<T, F> {
    /// Applies `f` to the value, now or later.
    ///
    /// The cousin of [`Option::map`] and `FutureExt::map`. On [`Ready`](Self::Ready) `f` runs
    /// before this returns, and the result is `Ready`. On [`Pending`](Self::Pending) it runs
    /// inside the poll that gets the value, after the future was dropped; it is dropped uncalled
    /// if that never happens. If `f` is asynchronous, use [`then`](Self::then).
    ///
    /// # Examples
    ///
    /// A layer on top of a cache need not know whether it was a hit, and its callers still see:
    ///
    /// ```
    /// use maybe_ready::{AlwaysReady, MaybeReady};
    ///
    /// fn shout<F>(text: MaybeReady<String, F>) -> MaybeReady<String, impl Future<Output = String>>
    /// where
    ///     F: Future<Output = String>,
    /// {
    ///     text.map(|text| text.to_uppercase())
    /// }
    ///
    /// assert_eq!(shout(AlwaysReady::Ready("hit".to_owned())).unwrap_ready(), "HIT");
    /// # pollster::block_on(async {
    /// assert_eq!(shout(MaybeReady::Pending(async { "miss".to_owned() })).await, "MISS");
    /// # });
    /// ```
    #[inline]
    pub fn map<U, M>(self, f: M) -> MaybeReady<U, Map<F, M>>
    where
        F: Future<Output = T>,
        M: FnOnce(T) -> U,
    {
        match self {
            Ready(value) => Ready(f(value)),
            Pending(future) => Pending(Map::new(future, f)),
        }
    }

    /// Calls `f` with a reference to the value, now or later, and passes the value on.
    ///
    /// The cousin of [`Option::inspect`]. On [`Ready`](Self::Ready) `f` runs before this returns;
    /// on [`Pending`](Self::Pending) inside the poll that gets the value, before anyone else sees
    /// it.
    ///
    /// # Examples
    ///
    /// Metrics that count hits and misses alike, and leave readiness alone:
    ///
    /// ```
    /// use std::cell::Cell;
    /// use maybe_ready::AlwaysReady;
    ///
    /// let bytes = Cell::new(0);
    /// let hit = AlwaysReady::Ready("body");
    /// let hit = hit.inspect(|body| bytes.set(bytes.get() + body.len()));
    /// assert_eq!(bytes.get(), 4);
    /// assert!(hit.is_ready());
    /// ```
    #[inline]
    pub fn inspect<M>(self, f: M) -> MaybeReady<T, Inspect<F, M>>
    where
        F: Future<Output = T>,
        M: FnOnce(&T),
    {
        match self {
            Ready(value) => {
                f(&value);
                Ready(value)
            }
            Pending(future) => Pending(Inspect::new(future, f)),
        }
    }

    /// Applies `f` to the value if it is there, and leaves a future as it is.
    ///
    /// The cousin of [`Result::map`]. `f` runs before this returns or not at all. There are no
    /// bounds: the value and the future's output may differ until [`map_pending`](Self::map_pending)
    /// brings them together, and until then there is no `.await`.
    ///
    /// # Examples
    ///
    /// A cached entry is unwrapped, what comes from the network is parsed:
    ///
    /// ```
    /// use std::future::{Ready, ready};
    /// use maybe_ready::MaybeReady;
    ///
    /// let found: MaybeReady<(i32, &str), Ready<&str>> = MaybeReady::Pending(ready("7"));
    /// let number = found
    ///     .map_ready(|(number, _expires)| number)
    ///     .map_pending(|text| async { text.await.parse::<i32>().unwrap_or(0) });
    /// # pollster::block_on(async {
    /// assert_eq!(number.await, 7);
    /// # });
    /// ```
    #[inline]
    pub fn map_ready<U, M: FnOnce(T) -> U>(self, f: M) -> MaybeReady<U, F> {
        match self {
            Ready(value) => Ready(f(value)),
            Pending(future) => Pending(future),
        }
    }

    /// Applies `f` to the future if there is one, and leaves a value as it is.
    ///
    /// The cousin of [`Result::map_err`]. `f` runs before this returns or not at all, and gets the
    /// future itself, unpolled. It reaches the slow path only: box it, spawn it, give it a
    /// timeout or a tracing span, and a hit pays for nothing of that.
    ///
    /// # Examples
    ///
    /// Only who waits is told so:
    ///
    /// ```
    /// use maybe_ready::AlwaysReady;
    ///
    /// let hit = AlwaysReady::Ready(1);
    /// let hit = hit.map_pending(|slow| async move {
    ///     println!("waiting");
    ///     slow.await
    /// });
    /// assert_eq!(hit.unwrap_ready(), 1); // and nothing was printed
    /// ```
    #[inline]
    pub fn map_pending<G, M: FnOnce(F) -> G>(self, f: M) -> MaybeReady<T, G> {
        match self {
            Ready(value) => Ready(value),
            Pending(future) => Pending(f(future)),
        }
    }
}

/// Chaining and combining.
impl<T, F> MaybeReady<T, F> {
    /// Calls `f` with the value and goes on with the `MaybeReady`, or the future, that it returns.
    ///
    /// The cousin of `FutureExt::then`; [`Option::and_then`] without the `None`. On
    /// [`Ready`](Self::Ready) `f` runs before this returns, and the result is `Ready` if what `f`
    /// returned is. On [`Pending`](Self::Pending) `f` runs inside the poll that gets the value,
    /// and what it returns is given, or polled for the first time, in that same poll.
    ///
    /// For [`Result`]s see [`and_then`](Self::and_then); to flatten use `then(|inner| inner)`.
    ///
    /// # Examples
    ///
    /// Two look-ups in a row wait only where one of them does:
    ///
    /// ```
    /// use maybe_ready::MaybeReady;
    ///
    /// fn author(post: u32) -> MaybeReady<u32, impl Future<Output = u32>> {
    ///     if post < 100 { MaybeReady::Ready(post / 10) } else { MaybeReady::Pending(async { 0 }) }
    /// }
    ///
    /// fn name(author: u32) -> MaybeReady<String, impl Future<Output = String>> {
    ///     if author > 0 {
    ///         MaybeReady::Ready(format!("author {author}"))
    ///     } else {
    ///         MaybeReady::Pending(async { "nobody".to_owned() })
    ///     }
    /// }
    ///
    /// assert_eq!(author(42).then(name).unwrap_ready(), "author 4");
    /// # pollster::block_on(async {
    /// assert_eq!(author(123).then(name).await, "nobody");
    /// # });
    /// ```
    #[inline]
    pub fn then<R, C>(self, f: C) -> MaybeReady<R::Output, Then<F, C, R::Future>>
    where
        F: Future<Output = T>,
        C: FnOnce(T) -> R,
        R: IntoMaybeReady,
    {
        match self {
            Ready(value) => f(value).into_maybe_ready().map_pending(Then::second),
            Pending(future) => Pending(Then::new(future, f)),
        }
    }

    /// Combines with another value, now or later, into a pair.
    ///
    /// The cousin of [`Option::zip`] and of `futures::future::join`. It is
    /// [`Ready`](Self::Ready) if both sides are. Otherwise every poll polls the sides that are
    /// still pending, this one first, and a side that has its value is never touched again. So
    /// both make progress together, in one task.
    ///
    /// # Examples
    ///
    /// A value that is there goes with one that is not:
    ///
    /// ```
    /// use maybe_ready::AlwaysReady;
    ///
    /// let hit = AlwaysReady::Ready(1);
    /// # pollster::block_on(async {
    /// assert_eq!(hit.zip(async { "one" }).await, (1, "one"));
    /// # });
    /// ```
    #[allow(clippy::type_complexity, reason = "the signature is the documentation")]
    #[inline]
    pub fn zip<R>(self, other: R) -> MaybeReady<(T, R::Output), Zip<T, F, R::Output, R::Future>>
    where
        F: Future<Output = T>,
        R: IntoMaybeReady,
    {
        match self {
            Ready(left) => match other.into_maybe_ready() {
                Ready(right) => Ready((left, right)),
                Pending(right) => Pending(Zip::new(Ready(left), Pending(right))),
            },
            Pending(left) => Pending(Zip::new(Pending(left), other.into_maybe_ready())),
        }
    }
}

/// With a [`Result`] inside.
impl<T, E, F> MaybeReady<Result<T, E>, F> {
    /// Combines with another [`Result`], now or later, and ends at the first error.
    ///
    /// [`zip`](Self::zip) for `Result`s. An error that is there on either side, this one first, is
    /// [`Ready`](Self::Ready) at once, and the other side is dropped unpolled. Among pending sides
    /// the first to fail ends it, and the other is dropped, and thereby cancelled, before the error
    /// is given. Both sides have the same error type; see [`err_into`](Self::err_into).
    ///
    /// # Examples
    ///
    /// A rejected input does not wait for a slow look-up:
    ///
    /// ```
    /// use std::future::pending;
    /// use maybe_ready::{AlwaysReady, MaybeReady};
    ///
    /// let slow = MaybeReady::Pending(pending::<Result<i32, &str>>());
    /// let rejected = AlwaysReady::Ready(Err::<i32, &str>("bad id"));
    /// assert_eq!(slow.try_zip(rejected).unwrap_ready(), Err("bad id"));
    /// ```
    #[allow(clippy::type_complexity, reason = "the signature is the documentation")]
    #[inline]
    pub fn try_zip<U, R>(
        self,
        other: R,
    ) -> MaybeReady<Result<(T, U), E>, TryZip<T, F, U, R::Future>>
    where
        F: Future<Output = Result<T, E>>,
        R: IntoMaybeReady<Output = Result<U, E>>,
    {
        let other = other.into_maybe_ready();
        match self {
            Ready(Ok(left)) => match other {
                Ready(right) => Ready(right.map(|right| (left, right))),
                Pending(right) => Pending(TryZip::new(Ready(left), Pending(right))),
            },
            Ready(Err(error)) => Ready(Err(error)),
            Pending(left) => match other.transpose() {
                Ok(right) => Pending(TryZip::new(Pending(left), right)),
                Err(error) => Ready(Err(error)),
            },
        }
    }

    /// Brings an error that is there to the outside.
    #[inline]
    pub(crate) fn transpose(self) -> Result<MaybeReady<T, F>, E> {
        match self {
            Ready(Ok(value)) => Ok(Ready(value)),
            Ready(Err(error)) => Err(error),
            Pending(future) => Ok(Pending(future)),
        }
    }

    /// Applies `f` to the value inside `Ok`, now or later.
    ///
    /// [`Result::map`] inside [`map`](Self::map), which says when `f` runs; an error passes
    /// through, and `f` is dropped uncalled.
    ///
    /// # Examples
    ///
    /// A reading is converted, whenever it comes, and its error left alone:
    ///
    /// ```
    /// use maybe_ready::AlwaysReady;
    ///
    /// let hit = AlwaysReady::Ready(Ok::<i32, ()>(20));
    /// assert_eq!(hit.map_ok(|celsius| celsius * 9 / 5 + 32).unwrap_ready(), Ok(68));
    /// ```
    #[inline]
    pub fn map_ok<U, M>(self, f: M) -> MaybeReady<Result<U, E>, MapOk<F, M>>
    where
        F: Future<Output = Result<T, E>>,
        M: FnOnce(T) -> U,
    {
        match self {
            Ready(result) => Ready(result.map(f)),
            Pending(future) => Pending(MapOk::new(future, f)),
        }
    }

    /// Applies `f` to the error inside `Err`, now or later.
    ///
    /// [`Result::map_err`] inside [`map`](Self::map), which says when `f` runs; a value passes
    /// through, and `f` is dropped uncalled.
    ///
    /// # Examples
    ///
    /// A store names the key that failed, on hits and misses alike:
    ///
    /// ```
    /// use maybe_ready::AlwaysReady;
    ///
    /// let cached = AlwaysReady::Ready(Err::<i32, &str>("gone"));
    /// let named = cached.map_err(|cause| format!("user 7: {cause}"));
    /// assert_eq!(named.unwrap_ready(), Err("user 7: gone".to_owned()));
    /// ```
    #[inline]
    pub fn map_err<O, M>(self, f: M) -> MaybeReady<Result<T, O>, MapErr<F, M>>
    where
        F: Future<Output = Result<T, E>>,
        M: FnOnce(E) -> O,
    {
        match self {
            Ready(result) => Ready(result.map_err(f)),
            Pending(future) => Pending(MapErr::new(future, f)),
        }
    }

    /// Converts the error inside `Err` with [`Into`], now or later.
    ///
    /// What `?` does to an error, for a result that may not be there yet.
    ///
    /// # Examples
    ///
    /// An error of one module becomes that of another:
    ///
    /// ```
    /// use std::error::Error;
    /// use maybe_ready::AlwaysReady;
    ///
    /// let hit = AlwaysReady::Ready(Err::<i32, &str>("no such user"));
    /// let error = hit.err_into::<Box<dyn Error>>().unwrap_ready().unwrap_err();
    /// assert_eq!(error.to_string(), "no such user");
    /// ```
    #[inline]
    pub fn err_into<O>(self) -> MaybeReady<Result<T, O>, ErrInto<F, O>>
    where
        F: Future<Output = Result<T, E>>,
        E: Into<O>,
    {
        match self {
            Ready(result) => Ready(result.map_err(E::into)),
            Pending(future) => Pending(ErrInto::new(future)),
        }
    }

    /// Calls `f` with a reference to the value inside `Ok`, now or later.
    ///
    /// [`Result::inspect`] inside [`map`](Self::map), which says when `f` runs.
    ///
    /// # Examples
    ///
    /// Only what succeeded is counted:
    ///
    /// ```
    /// use std::cell::Cell;
    /// use maybe_ready::AlwaysReady;
    ///
    /// let seen = Cell::new(0);
    /// let hit = AlwaysReady::Ready(Ok::<i32, ()>(3));
    /// assert_eq!(hit.inspect_ok(|value| seen.set(*value)).unwrap_ready(), Ok(3));
    /// assert_eq!(seen.get(), 3);
    /// ```
    #[inline]
    pub fn inspect_ok<M>(self, f: M) -> MaybeReady<Result<T, E>, InspectOk<F, M>>
    where
        F: Future<Output = Result<T, E>>,
        M: FnOnce(&T),
    {
        match self {
            Ready(result) => Ready(result.inspect(f)),
            Pending(future) => Pending(InspectOk::new(future, f)),
        }
    }

    /// Calls `f` with a reference to the error inside `Err`, now or later.
    ///
    /// [`Result::inspect_err`] inside [`map`](Self::map), which says when `f` runs.
    ///
    /// # Examples
    ///
    /// One place logs what fails, whether it was known at once or found out later:
    ///
    /// ```
    /// use std::cell::RefCell;
    /// use maybe_ready::AlwaysReady;
    ///
    /// let log = RefCell::new(Vec::new());
    /// let hit = AlwaysReady::Ready(Err::<i32, &str>("refused"));
    /// let hit = hit.inspect_err(|error| log.borrow_mut().push(error.to_string()));
    /// assert_eq!(*log.borrow(), ["refused"]);
    /// assert_eq!(hit.unwrap_ready(), Err("refused"));
    /// ```
    #[inline]
    pub fn inspect_err<M>(self, f: M) -> MaybeReady<Result<T, E>, InspectErr<F, M>>
    where
        F: Future<Output = Result<T, E>>,
        M: FnOnce(&E),
    {
        match self {
            Ready(result) => Ready(result.inspect_err(f)),
            Pending(future) => Pending(InspectErr::new(future, f)),
        }
    }

    /// Calls `f` with the value inside `Ok` and goes on with what it returns.
    ///
    /// [`Result::and_then`] inside [`then`](Self::then), which says when `f` runs; an error passes
    /// through, and `f` is dropped uncalled. The error types agree; see
    /// [`err_into`](Self::err_into).
    ///
    /// # Examples
    ///
    /// Input that is rejected is rejected at once; only what is valid may have to wait:
    ///
    /// ```
    /// use maybe_ready::{AlwaysReady, MaybeReady};
    ///
    /// fn parse(id: &str) -> AlwaysReady<Result<u32, &'static str>> {
    ///     MaybeReady::Ready(id.parse().map_err(|_| "not a number"))
    /// }
    ///
    /// async fn load(id: u32) -> Result<String, &'static str> {
    ///     Ok(format!("user {id}"))
    /// }
    ///
    /// assert_eq!(parse("x").and_then(load).unwrap_ready(), Err("not a number"));
    /// # pollster::block_on(async {
    /// assert_eq!(parse("7").and_then(load).await.as_deref(), Ok("user 7"));
    /// # });
    /// ```
    #[inline]
    pub fn and_then<U, R, C>(self, f: C) -> MaybeReady<Result<U, E>, AndThen<F, C, R::Future>>
    where
        F: Future<Output = Result<T, E>>,
        C: FnOnce(T) -> R,
        R: IntoMaybeReady<Output = Result<U, E>>,
    {
        match self {
            Ready(Ok(value)) => f(value).into_maybe_ready().map_pending(AndThen::second),
            Ready(Err(error)) => Ready(Err(error)),
            Pending(future) => Pending(AndThen::new(future, f)),
        }
    }

    /// Calls `f` with the error inside `Err` and goes on with what it returns.
    ///
    /// [`Result::or_else`] inside [`then`](Self::then), which says when `f` runs; a value passes
    /// through, and `f` is dropped uncalled.
    ///
    /// # Examples
    ///
    /// A chain of providers asks the next one only when it must, and waits only for slow ones:
    ///
    /// ```
    /// use maybe_ready::AlwaysReady;
    ///
    /// type Token = Result<&'static str, &'static str>;
    ///
    /// let from_env = AlwaysReady::Ready(Token::Err("not set"));
    /// let token = from_env.or_else(|_| async { Token::Ok("from the network") });
    /// # pollster::block_on(async {
    /// assert_eq!(token.await, Ok("from the network"));
    /// # });
    /// ```
    #[inline]
    pub fn or_else<O, R, C>(self, f: C) -> MaybeReady<Result<T, O>, OrElse<F, C, R::Future>>
    where
        F: Future<Output = Result<T, E>>,
        C: FnOnce(E) -> R,
        R: IntoMaybeReady<Output = Result<T, O>>,
    {
        match self {
            Ready(Ok(value)) => Ready(Ok(value)),
            Ready(Err(error)) => f(error).into_maybe_ready().map_pending(OrElse::second),
            Pending(future) => Pending(OrElse::new(future, f)),
        }
    }

    /// Runs `f`, and turns an error that it returns early into `Ready(Err)`.
    ///
    /// It makes `?` work in the synchronous part of a function that returns a `MaybeReady`. `f`
    /// runs before this returns; it costs nothing on top.
    ///
    /// # Examples
    ///
    /// A malformed id is an answer, and one that is there at once:
    ///
    /// ```
    /// use maybe_ready::MaybeReady;
    /// use std::num::ParseIntError;
    ///
    /// type Found = Result<String, ParseIntError>;
    ///
    /// fn find(id: &str) -> MaybeReady<Found, impl Future<Output = Found>> {
    ///     MaybeReady::try_from_fn(|| {
    ///         let id: u32 = id.parse()?;
    ///         if id == 0 {
    ///             return Ok(MaybeReady::Ready(Ok("root".to_owned())));
    ///         }
    ///         Ok(MaybeReady::Pending(async move { Ok(format!("user {id}")) }))
    ///     })
    /// }
    ///
    /// assert!(find("x").unwrap_ready().is_err());
    /// assert_eq!(find("0").unwrap_ready().as_deref(), Ok("root"));
    /// assert!(find("1").is_pending());
    /// ```
    #[inline]
    pub fn try_from_fn<C>(f: C) -> Self
    where
        C: FnOnce() -> Result<Self, E>,
    {
        f().unwrap_or_else(|error| Ready(Err(error)))
    }
}

/// Switching readiness off.
impl<T, F> MaybeReady<T, F> {
    /// Makes it pending, whatever it is: a value is held back until the second poll.
    ///
    /// A future is polled as before. A value makes the first poll wake its own task and answer
    /// pending, and is given on the second.
    ///
    /// This is for tests. Readiness must not change results, so run the same test once more with
    /// everything deferred; the difference is a bug, most often a hit and a miss whose code paths
    /// drifted apart.
    ///
    /// # Examples
    ///
    /// ```
    /// use maybe_ready::{AlwaysReady, MaybeReady};
    ///
    /// fn lookup() -> AlwaysReady<i32> {
    ///     MaybeReady::Ready(42)
    /// }
    ///
    /// let now = lookup().map(|n| n + 1).unwrap_ready();
    /// let later = lookup().defer().map(|n| n + 1);
    /// assert!(later.is_pending());
    /// assert_eq!(later.unwrap_or_else(pollster::block_on), now);
    /// ```
    #[inline]
    pub fn defer(self) -> MaybeReady<T, Defer<T, F>>
    where
        F: Future<Output = T>,
    {
        Pending(Defer::new(self))
    }
}

/// Shows the value, but not the future: few futures can be shown.
impl<T: fmt::Debug, F> fmt::Debug for MaybeReady<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ready(value) => f.debug_tuple("Ready").field(value).finish(),
            Pending(_) => f.debug_tuple("Pending").finish_non_exhaustive(),
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn expect_failed(msg: &str) -> ! {
    panic!("{msg}")
}
