//! What the tests share: wakers that count or must not be touched, futures that yield, drop counters.

use std::cell::{Cell, RefCell};
use std::future::{Future, IntoFuture};
use std::marker::{PhantomData, PhantomPinned};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::ptr;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Once};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

use maybe_ready::MaybeReady;

/// Counts how often it was woken.
#[derive(Debug, Default)]
pub(crate) struct Wakes(AtomicUsize);

impl Wakes {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// A waker for the ready path: waking panics, and [`Untouchable::check`] tells if a clone is kept.
#[derive(Debug)]
pub(crate) struct Untouchable(Arc<PanicOnWake>);

#[derive(Debug)]
struct PanicOnWake;

impl Wake for PanicOnWake {
    fn wake(self: Arc<Self>) {
        panic!("the waker was touched, where nothing should be woken");
    }
}

impl Untouchable {
    pub(crate) fn new() -> Self {
        Self(Arc::new(PanicOnWake))
    }

    pub(crate) fn waker(&self) -> Waker {
        self.0.clone().into()
    }

    /// Call it when every waker that the test itself holds is dropped.
    pub(crate) fn check(&self) {
        assert_eq!(
            Arc::strong_count(&self.0),
            1,
            "a clone of the waker was kept"
        );
    }
}

/// A value that is there, beside a future that must not be polled.
pub(crate) fn ready<T>(value: T) -> MaybeReady<T, Unpollable<T>> {
    MaybeReady::Ready(value)
}

/// The future of what is known to be pending.
#[track_caller]
pub(crate) fn future_of<T, F>(maybe: MaybeReady<T, F>) -> F {
    match maybe {
        MaybeReady::Pending(future) => future,
        MaybeReady::Ready(_) => panic!("expected it to be pending"),
    }
}

/// Polls once with a waker that does nothing.
pub(crate) fn poll_once<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Polls until ready with a bound, and returns the output and the number of polls.
///
/// The waker must have been woken before each further poll, so that a lost wake-up is found.
pub(crate) fn drive<F: IntoFuture>(future: F) -> (F::Output, usize) {
    let mut future = std::pin::pin!(future.into_future());
    let wakes = Wakes::new();
    let waker = Waker::from(wakes.clone());
    let mut cx = Context::from_waker(&waker);
    for polls in 1..=10_000 {
        let before = wakes.count();
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return (output, polls);
        }
        assert!(
            wakes.count() > before,
            "poll {polls} was pending and nobody woke the task: a lost wake-up"
        );
    }
    panic!("not ready after 10000 polls");
}

/// A future that is pending `yields` times, waking its task each time, and then gives its value.
///
/// It panics if it is polled after that.
#[derive(Debug)]
pub(crate) struct Yield<T> {
    yields: usize,
    value: Option<T>,
}

impl<T> Yield<T> {
    pub(crate) fn new(yields: usize, value: T) -> Self {
        Self {
            yields,
            value: Some(value),
        }
    }
}

impl<T> Unpin for Yield<T> {}

impl<T> Future for Yield<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        assert!(
            self.value.is_some(),
            "a future was polled after it finished"
        );
        if self.yields > 0 {
            self.yields -= 1;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(self.value.take().unwrap())
    }
}

/// A future of any type that must never be polled.
#[derive(Debug)]
pub(crate) struct Unpollable<T>(PhantomData<fn() -> T>);

impl<T> Unpollable<T> {
    pub(crate) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Future for Unpollable<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<T> {
        panic!("a future was polled that must not be");
    }
}

/// A future that yields, and panics if it is moved after its first poll. `B` gives it its size.
#[derive(Debug, Default)]
pub(crate) struct Rooted<B> {
    yields: Cell<usize>,
    place: Cell<Option<usize>>,
    #[allow(dead_code, reason = "held for its size and alignment")]
    ballast: B,
    _pinned: PhantomPinned,
}

impl<B: Default> Rooted<B> {
    pub(crate) fn new(yields: usize) -> Self {
        let rooted = Self::default();
        rooted.yields.set(yields);
        rooted
    }
}

impl<B> Rooted<B> {
    fn check_place(&self) {
        let here = ptr::from_ref(self).addr();
        let place = self.place.get().unwrap_or(here);
        assert_eq!(here, place, "a future was moved after it was polled");
        assert_eq!(here % align_of::<Self>(), 0, "a future is not aligned");
    }
}

impl<B> Future for Rooted<B> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.check_place();
        self.place.set(Some(ptr::from_ref(&*self).addr()));
        if self.yields.get() == 0 {
            return Poll::Ready(());
        }
        self.yields.set(self.yields.get() - 1);
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

impl<B> Drop for Rooted<B> {
    fn drop(&mut self) {
        // A second panic would abort.
        if !thread::panicking() {
            self.check_place();
        }
    }
}

/// Counts what is alive: hand out [`Drops::token`]s, and ask how many are left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drops(Rc<()>);

/// Alive until dropped. See [`Drops`].
#[derive(Clone, Debug)]
pub(crate) struct Token(#[allow(dead_code, reason = "held for its count")] Rc<()>);

impl Drops {
    pub(crate) fn token(&self) -> Token {
        Token(self.0.clone())
    }

    pub(crate) fn alive(&self) -> usize {
        Rc::strong_count(&self.0) - 1
    }
}

/// A list of what happened, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log(Rc<RefCell<Vec<String>>>);

impl Log {
    pub(crate) fn push(&self, event: impl Into<String>) {
        self.0.borrow_mut().push(event.into());
    }

    pub(crate) fn take(&self) -> Vec<String> {
        self.0.take()
    }
}

/// Counts the polls of the future inside.
#[derive(Debug)]
pub(crate) struct CountPolls<F> {
    inner: Pin<Box<F>>,
    polls: Rc<Cell<usize>>,
}

impl<F> CountPolls<F> {
    pub(crate) fn new(inner: F, polls: &Rc<Cell<usize>>) -> Self {
        Self {
            inner: Box::pin(inner),
            polls: polls.clone(),
        }
    }
}

impl<F: Future> Future for CountPolls<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        self.polls.set(self.polls.get() + 1);
        self.inner.as_mut().poll(cx)
    }
}

/// Runs `f`, which must panic, and returns the panic's message.
pub(crate) fn panic_message<R>(f: impl FnOnce() -> R) -> String {
    let Err(payload) = catch_unwind(AssertUnwindSafe(f)) else {
        panic!("this should have panicked");
    };
    match payload.downcast::<String>() {
        Ok(message) => *message,
        Err(payload) => payload.downcast::<&str>().map_or_else(
            |_| "a panic without a message".to_owned(),
            |text| (*text).to_owned(),
        ),
    }
}

/// What a panic says, and where.
#[derive(Debug, PartialEq)]
pub(crate) struct Panic {
    pub(crate) message: String,
    pub(crate) file: String,
    pub(crate) line: u32,
}

/// Runs `f`, which must panic.
pub(crate) fn panic_at<R>(f: impl FnOnce() -> R) -> Panic {
    thread_local! {
        static LAST: Cell<Option<(String, u32)>> = const { Cell::new(None) };
    }
    static HOOK: Once = Once::new();

    HOOK.call_once(|| {
        let next = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            LAST.set(info.location().map(|at| (at.file().to_owned(), at.line())));
            next(info);
        }));
    });
    let message = panic_message(f);
    let (file, line) = LAST.take().expect("a panic has a place");
    Panic {
        message,
        file,
        line,
    }
}
