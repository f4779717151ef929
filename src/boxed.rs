use alloc::boxed::Box;

use futures_core::future::{BoxFuture, LocalBoxFuture};

use crate::MaybeReady;

/// A [`MaybeReady`] whose future is boxed and [`Send`]: what a `dyn`-compatible trait returns.
///
/// # Examples
///
/// One object-safe method for synchronous and asynchronous implementors. The one that has its
/// answer allocates nothing, and the answer may borrow from `self`:
///
/// ```
/// use maybe_ready::{BoxMaybeReady, MaybeReady};
///
/// trait Greeter {
///     fn greet(&self) -> BoxMaybeReady<'_, &str>;
/// }
///
/// struct Local(String);
///
/// impl Greeter for Local {
///     fn greet(&self) -> BoxMaybeReady<'_, &str> {
///         MaybeReady::Ready(&self.0)
///     }
/// }
///
/// struct Remote(String);
///
/// impl Greeter for Remote {
///     fn greet(&self) -> BoxMaybeReady<'_, &str> {
///         MaybeReady::Pending(async { self.0.as_str() }).boxed()
///     }
/// }
///
/// let greeters: [&dyn Greeter; 2] = [&Local("hello".into()), &Remote("hi".into())];
/// assert!(greeters[0].greet().is_ready());
/// # pollster::block_on(async {
/// assert_eq!(greeters[1].greet().await, "hi");
/// # });
/// ```
pub type BoxMaybeReady<'a, T> = MaybeReady<T, BoxFuture<'a, T>>;

/// [`BoxMaybeReady`] without the requirement that the future is [`Send`].
pub type LocalBoxMaybeReady<'a, T> = MaybeReady<T, LocalBoxFuture<'a, T>>;

impl<T, F> MaybeReady<T, F> {
    /// Boxes the future, so that its type can be named or stand behind `dyn`.
    ///
    /// A ready value passes through and nothing is allocated; a pending future moves into a new
    /// allocation, unpolled. It is [`map_pending`](Self::map_pending) with [`Box::pin`] and an
    /// unsizing; a future that is boxed already needs no second box, and goes into
    /// [`Pending`](Self::Pending) as it is.
    ///
    /// For a future that is not [`Send`] there is [`boxed_local`](Self::boxed_local).
    ///
    /// # Examples
    ///
    /// Two branches with different futures get one type, and only the slow one pays for it:
    ///
    /// ```
    /// use maybe_ready::{BoxMaybeReady, MaybeReady};
    ///
    /// fn double(n: Option<u32>) -> BoxMaybeReady<'static, u32> {
    ///     match n {
    ///         Some(n) => MaybeReady::Ready(2 * n),
    ///         None => MaybeReady::Pending(async { 0 }).boxed(),
    ///     }
    /// }
    ///
    /// assert_eq!(double(Some(4)).unwrap_ready(), 8);
    /// assert!(double(None).is_pending());
    /// ```
    #[inline]
    pub fn boxed<'a>(self) -> BoxMaybeReady<'a, T>
    where
        F: Future<Output = T> + Send + 'a,
    {
        self.map_pending(|future| Box::pin(future) as _)
    }

    /// Boxes the future like [`boxed`](Self::boxed), without requiring it to be [`Send`].
    ///
    /// # Examples
    ///
    /// What waits with an [`Rc`](alloc::rc::Rc) stays on its thread:
    ///
    /// ```
    /// use std::rc::Rc;
    ///
    /// use maybe_ready::{LocalBoxMaybeReady, MaybeReady};
    ///
    /// fn length(text: Rc<str>) -> LocalBoxMaybeReady<'static, usize> {
    ///     MaybeReady::Pending(async move { text.len() }).boxed_local()
    /// }
    ///
    /// # pollster::block_on(async {
    /// assert_eq!(length(Rc::from("four")).await, 4);
    /// # });
    /// ```
    #[inline]
    pub fn boxed_local<'a>(self) -> LocalBoxMaybeReady<'a, T>
    where
        F: Future<Output = T> + 'a,
    {
        self.map_pending(|future| Box::pin(future) as _)
    }
}
