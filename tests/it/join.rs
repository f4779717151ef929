//! `join_all` and `try_join_all`.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use crate::support::Wakes;

mod allocations;
mod ends;
mod errors;
mod inputs;
mod polling;
mod schedules;
mod threads;
mod values;
mod wakers;

/// Sizes around which joins elsewhere change their ways.
const SIZES: [usize; 8] = [2, 29, 30, 31, 32, 64, 100, 1000];

/// A future that is finished by hand, and panics if it is polled after that.
struct Child<T>(Rc<State<T>>);

/// What the test holds of a [`Child`].
struct Hand<T>(Rc<State<T>>);

struct State<T> {
    polls: Cell<usize>,
    waker: RefCell<Option<Waker>>,
    value: Cell<Option<T>>,
    finished: Cell<bool>,
}

fn child<T>() -> (Hand<T>, Child<T>) {
    let state = Rc::new(State {
        polls: Cell::new(0),
        waker: RefCell::new(None),
        value: Cell::new(None),
        finished: Cell::new(false),
    });
    (Hand(state.clone()), Child(state))
}

fn children<T>(n: usize) -> (Vec<Hand<T>>, Vec<Child<T>>) {
    (0..n).map(|_| child()).unzip()
}

impl<T> Future for Child<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let state = &self.0;
        assert!(
            !state.finished.get(),
            "a child was polled after it finished"
        );
        state.polls.set(state.polls.get() + 1);
        state.waker.replace(Some(cx.waker().clone()));
        match state.value.take() {
            Some(value) => {
                state.finished.set(true);
                Poll::Ready(value)
            }
            None => Poll::Pending,
        }
    }
}

impl<T> Hand<T> {
    /// Has the next poll give the value, and asks for that poll if there was one before.
    fn finish(&self, value: T) {
        self.0.value.set(Some(value));
        if self.0.polls.get() > 0 {
            self.wake();
        }
    }

    fn wake(&self) {
        self.waker().wake();
    }

    /// The waker that the child got last.
    fn waker(&self) -> Waker {
        let waker = self.0.waker.borrow().clone();
        waker.expect("the child should have been polled")
    }

    fn polls(&self) -> usize {
        self.0.polls.get()
    }

    fn is_dropped(&self) -> bool {
        Rc::strong_count(&self.0) == 1
    }
}

fn polls<T>(hands: &[Hand<T>]) -> Vec<usize> {
    hands.iter().map(Hand::polls).collect()
}

/// Polls for a task, and keeps no waker of it.
fn poll<F: Future + Unpin>(future: &mut F, task: &Arc<Wakes>) -> Poll<F::Output> {
    let waker = Waker::from(task.clone());
    Pin::new(future).poll(&mut Context::from_waker(&waker))
}

/// Says whether somebody holds a waker of the task.
fn is_held(task: &Arc<Wakes>) -> bool {
    Arc::strong_count(task) > 1
}
