//! Every method that returns a future of its own, as one table, and what the lines are made of.
//!
//! A [`Check`] sees each line twice: for a [`Subject`] of `Ok(1)` and for one of `Err(1)`.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Debug, Display};
use std::future::Future;
use std::marker::PhantomPinned;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, RawWakerVTable, Waker};

use futures::future::FusedFuture;
use maybe_ready::MaybeReady;

use crate::support::{Drops, Log, Token};

/// What is asked of each line.
pub(crate) trait Check {
    fn check<T: Debug, F: FusedFuture<Output = T> + Debug>(
        &self,
        case: &Case,
        apply: &impl Fn(Subject, Probe) -> MaybeReady<T, F>,
    );
}

/// Shows every method to `check`.
///
/// A line is the method, the name of its future, what it makes of `Ok(1)` and of `Err(1)`, and how
/// to call it, with a closure that reports to the [`Bench`] if it takes one.
pub(crate) fn every_method(check: &impl Check) {
    let c = check;

    let none = [passes("Ok(1)"), passes("Err(1)")];
    line(c, ".await", "MaybeReadyFuture", none.map(waits), |m, _| {
        MaybeReady::Pending(m.into_future())
    });
    line(c, "defer", "Defer", none.map(held), |m, _| m.defer());
    #[cfg(feature = "alloc")]
    line(c, "boxed_local", "MaybeReadyFuture", none, |m, _| {
        m.boxed_local().map_pending(fused)
    });

    let both = [calls("Ok(1)", "Ok(2)"), calls("Err(1)", "Err(2)")];
    let seen = [calls("Ok(1)", "Ok(1)"), calls("Err(1)", "Err(1)")];
    line(c, "map", "Map", both, |m, f| m.map(move |r| f.call(r)));
    line(c, "inspect", "Inspect", seen, |m, f| {
        m.inspect(move |r| f.look(r))
    });

    let later = both.map(waits);
    line(c, "then, to Ready", "Then", both, |m, f| {
        m.then(move |r| ready(f.call(r)))
    });
    line(c, "then, to Pending", "Then", later, |m, f| {
        m.then(move |r| pending(f.leaf(f.call(r))))
    });
    line(c, "then, to a future", "Then", later, |m, f| {
        m.then(move |r| f.leaf(f.call(r)))
    });

    let pair = [passes("(Ok(1), Ok(9))"), passes("(Err(1), Ok(9))")];
    line(c, "zip, with Ready", "Zip", pair, |m, f| {
        m.zip(ready(Ok(f.nine())))
    });
    line(c, "zip, with a future", "Zip", pair.map(waits), |m, f| {
        m.zip(f.leaf(Ok(f.nine())))
    });

    let pair = [passes("Ok((1, 9))"), passes("Err(1)")];
    let later = [waits(pair[0]), pair[1]];
    line(c, "try_zip, with Ready", "TryZip", pair, |m, f| {
        m.try_zip(ready(Ok(f.nine())))
    });
    line(c, "try_zip, with a future", "TryZip", later, |m, f| {
        m.try_zip(f.leaf(Ok(f.nine())))
    });

    let ok = [calls("1", "Ok(2)"), passes("Err(1)")];
    let seen = [calls("1", "Ok(1)"), passes("Err(1)")];
    line(c, "map_ok", "MapOk", ok, |m, f| {
        m.map_ok(move |v| f.call(v))
    });
    line(c, "inspect_ok", "InspectOk", seen, |m, f| {
        m.inspect_ok(move |v| f.look(v))
    });

    let err = [passes("Ok(1)"), calls("1", "Err(2)")];
    let seen = [passes("Ok(1)"), calls("1", "Err(1)")];
    let wide = [passes("Ok(1)"), passes("Err(Wide(1))")];
    line(c, "map_err", "MapErr", err, |m, f| {
        m.map_err(move |e| f.call(e))
    });
    line(c, "inspect_err", "InspectErr", seen, |m, f| {
        m.inspect_err(move |e| f.look(e))
    });
    line(c, "err_into", "ErrInto", wide, |m, _| m.err_into::<Wide>());

    let later = [waits(ok[0]), ok[1]];
    line(c, "and_then, to Ready", "AndThen", ok, |m, f| {
        m.and_then(move |v| ready(Ok(f.call(v))))
    });
    line(c, "and_then, to Pending", "AndThen", later, |m, f| {
        m.and_then(move |v| pending(f.leaf(Ok(f.call(v)))))
    });
    line(c, "and_then, to a future", "AndThen", later, |m, f| {
        m.and_then(move |v| f.leaf(Ok(f.call(v))))
    });

    let rescue = [passes("Ok(1)"), calls("1", "Ok(2)")];
    let later = [rescue[0], waits(rescue[1])];
    line(c, "or_else, to Ready", "OrElse", rescue, |m, f| {
        m.or_else(move |e| ready(Ok(f.call(e))))
    });
    line(c, "or_else, to Pending", "OrElse", later, |m, f| {
        m.or_else(move |e| pending(f.leaf(Ok(f.call(e)))))
    });
    line(c, "or_else, to a future", "OrElse", later, |m, f| {
        m.or_else(move |e| f.leaf(Ok(f.call(e))))
    });
}

fn line<T: Debug, F: FusedFuture<Output = T> + Debug>(
    check: &impl Check,
    method: &'static str,
    future: &'static str,
    ends: [End; 2],
    apply: impl Fn(Subject, Probe) -> MaybeReady<T, F>,
) {
    for (input, end) in [Ok(1), Err(1)].into_iter().zip(ends) {
        let case = Case {
            method,
            future,
            input,
            end,
        };
        check.check(&case, &apply);
    }
}

/// A line and one of its two inputs. It shows itself as the beginning of a sentence.
pub(crate) struct Case {
    method: &'static str,
    /// The name of the future.
    pub(crate) future: &'static str,
    input: Result<u32, u32>,
    /// What the method makes of the input.
    pub(crate) end: End,
}

impl Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of {:?}", self.method, self.input)
    }
}

/// What a method makes of an input.
#[derive(Clone, Copy)]
pub(crate) struct End {
    pub(crate) output: &'static str,
    /// What the closure is called with, if it is.
    pub(crate) called: Option<&'static str>,
    pub(crate) hit: Hit,
}

/// What a method makes of an input that is ready.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Hit {
    Ready,
    /// A future that is ready on its first poll.
    Waits,
    /// A future that is ready on its second poll.
    Held,
}

const fn calls(input: &'static str, output: &'static str) -> End {
    End {
        output,
        called: Some(input),
        hit: Hit::Ready,
    }
}

const fn passes(output: &'static str) -> End {
    End {
        output,
        called: None,
        hit: Hit::Ready,
    }
}

const fn waits(end: End) -> End {
    End {
        hit: Hit::Waits,
        ..end
    }
}

const fn held(end: End) -> End {
    End {
        hit: Hit::Held,
        ..end
    }
}

/// What the methods are called on.
pub(crate) type Subject = MaybeReady<Outcome, Leaf>;

pub(crate) type Outcome = Result<Value, Value>;

fn ready(outcome: Outcome) -> Subject {
    MaybeReady::Ready(outcome)
}

fn pending(leaf: Leaf) -> Subject {
    MaybeReady::Pending(leaf)
}

#[cfg(feature = "alloc")]
fn fused<F: Future>(future: F) -> maybe_ready::MaybeReadyFuture<F::Output, F> {
    MaybeReady::Pending(future).into_future()
}

/// Makes the values, futures and closures of a test, and sees what becomes of them.
#[derive(Default)]
pub(crate) struct Bench {
    /// Lives: everything that was made, and everything that came of it.
    pub(crate) drops: Drops,
    /// What the futures and the closures did.
    pub(crate) log: Log,
    /// The waker of each poll of a future.
    pub(crate) wakers: Rc<RefCell<Vec<WakerId>>>,
}

impl Bench {
    /// The subject of a case, ready.
    pub(crate) fn ready(&self, case: &Case) -> Subject {
        ready(self.outcome(case.input))
    }

    /// The subject of a case, pending. The log calls it "future".
    pub(crate) fn pending(&self, case: &Case, yields: usize) -> Subject {
        pending(self.leaf("future", yields, case.input))
    }

    /// The closure of a case.
    pub(crate) fn probe(&self) -> Probe {
        Probe {
            log: self.log.clone(),
            wakers: self.wakers.clone(),
            token: self.drops.token(),
            panics: false,
        }
    }

    /// A closure that panics when it is called.
    pub(crate) fn bomb(&self) -> Probe {
        Probe {
            panics: true,
            ..self.probe()
        }
    }

    /// A future that is pending `yields` times. The log calls it `name`.
    pub(crate) fn leaf(
        &self,
        name: &'static str,
        yields: usize,
        outcome: Result<u32, u32>,
    ) -> Leaf {
        let mut leaf = self.probe().leaf(self.outcome(outcome));
        leaf.name = name;
        leaf.log = self.log.clone();
        leaf.yields.set(yields);
        leaf
    }

    pub(crate) fn outcome(&self, outcome: Result<u32, u32>) -> Outcome {
        let value = |number| Value {
            number,
            _token: self.drops.token(),
        };
        outcome.map(value).map_err(value)
    }
}

/// A number that tells when it is dropped.
pub(crate) struct Value {
    number: u32,
    _token: Token,
}

impl Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.number, f)
    }
}

/// What an error is converted to.
#[derive(Debug)]
pub(crate) struct Wide(#[allow(dead_code, reason = "shown by `Debug`")] Value);

impl From<Value> for Wide {
    fn from(value: Value) -> Self {
        Self(value)
    }
}

/// What is inside of the closures: it logs what it was called with.
pub(crate) struct Probe {
    log: Log,
    wakers: Rc<RefCell<Vec<WakerId>>>,
    token: Token,
    panics: bool,
}

impl Probe {
    /// Adds one to the number inside.
    fn call<T: Debug + Increment>(&self, mut value: T) -> T {
        self.look(&value);
        value.increment();
        value
    }

    fn look(&self, value: &impl Debug) {
        self.log.push(format!("called with {value:?}"));
        assert!(!self.panics, "the closure panics");
    }

    /// The other side of a pair.
    fn nine(&self) -> Value {
        Value {
            number: 9,
            _token: self.token.clone(),
        }
    }

    /// A further future that is ready on its first poll, and logs nothing.
    fn leaf(&self, outcome: Outcome) -> Leaf {
        Leaf {
            name: "unlogged",
            log: Log::default(),
            yields: Cell::new(0),
            outcome: Cell::new(Some(outcome)),
            wakers: self.wakers.clone(),
            _token: self.token.clone(),
            _pinned: PhantomPinned,
        }
    }
}

trait Increment {
    fn increment(&mut self);
}

impl Increment for Value {
    fn increment(&mut self) {
        self.number += 1;
    }
}

impl Increment for Outcome {
    fn increment(&mut self) {
        let (Ok(value) | Err(value)) = self;
        value.increment();
    }
}

/// A future that must be pinned, yields a few times, and logs its polls and its drop.
pub(crate) struct Leaf {
    name: &'static str,
    log: Log,
    yields: Cell<usize>,
    outcome: Cell<Option<Outcome>>,
    wakers: Rc<RefCell<Vec<WakerId>>>,
    _token: Token,
    _pinned: PhantomPinned,
}

impl Future for Leaf {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        self.log.push(format!("{} polled", self.name));
        self.wakers.borrow_mut().push(WakerId::of(cx.waker()));
        if let Some(yields) = self.yields.get().checked_sub(1) {
            self.yields.set(yields);
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let outcome = self.outcome.take();
        Poll::Ready(outcome.expect("a future must not be polled after it finished"))
    }
}

impl Drop for Leaf {
    fn drop(&mut self) {
        self.log.push(format!("{} dropped", self.name));
    }
}

/// What makes one waker the same as another.
#[derive(Debug, PartialEq)]
pub(crate) struct WakerId(*const (), *const RawWakerVTable);

impl WakerId {
    pub(crate) fn of(waker: &Waker) -> Self {
        Self(waker.data(), waker.vtable())
    }
}
