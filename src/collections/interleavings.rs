//! Every interleaving of a join with the threads that wake its children, by loom.
//!
//! `RUSTFLAGS="--cfg loom" cargo test --release --lib` runs these. loom switches threads where a
//! lock is taken; the counts of `Arc` and [`Waker`] are those of std, which it does not model.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::task::Wake;
use alloc::vec;
use alloc::vec::Vec;
use core::future::{Future, poll_fn};
use core::pin::Pin;
use core::task::{Context, Poll, Waker};

use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::sync::{Mutex, Notify};
use loom::thread;

use super::{JoinAll, join_all};
use crate::{IntoMaybeReady, MaybeReady};

/// Messages that a child waits for and other threads send.
#[derive(Default)]
struct Mail(Mutex<Letters>);

#[derive(Default)]
struct Letters {
    sent: usize,
    /// Polls of the child.
    polls: usize,
    waker: Option<Waker>,
}

impl Mail {
    fn new() -> Arc<Self> {
        Arc::default()
    }

    fn send(&self) {
        let mut letters = self.0.lock().unwrap();
        letters.sent += 1;
        let waker = letters.waker.clone();
        drop(letters);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn sent(&self) -> usize {
        self.0.lock().unwrap().sent
    }

    fn polls(&self) -> usize {
        self.0.lock().unwrap().polls
    }

    fn waker(&self) -> Waker {
        let waker = self.0.lock().unwrap().waker.clone();
        waker.expect("the child was polled")
    }

    /// A child that waits for so many messages.
    fn receive(self: &Arc<Self>, messages: usize) -> impl Future<Output = ()> + use<> {
        let mail = self.clone();
        poll_fn(move |cx| {
            let mut letters = mail.0.lock().unwrap();
            letters.polls += 1;
            letters.waker = Some(cx.waker().clone());
            if letters.sent < messages {
                return Poll::Pending;
            }
            Poll::Ready(())
        })
    }
}

/// A task that polls the join. Loom finds it deadlocked if it waits and is not told.
struct Task {
    bell: Notify,
    polls: AtomicUsize,
    told: AtomicUsize,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.told.fetch_add(1, Ordering::SeqCst);
        self.bell.notify();
    }
}

impl Task {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            bell: Notify::new(),
            polls: AtomicUsize::new(0),
            told: AtomicUsize::new(0),
        })
    }

    fn polls(&self) -> usize {
        self.polls.load(Ordering::SeqCst)
    }

    fn told(&self) -> usize {
        self.told.load(Ordering::SeqCst)
    }

    fn poll<F: Future + Unpin>(self: &Arc<Self>, future: &mut F) -> Poll<F::Output> {
        self.polls.fetch_add(1, Ordering::SeqCst);
        let waker = Waker::from(self.clone());
        Pin::new(future).poll(&mut Context::from_waker(&waker))
    }

    fn block_on<F: Future + Unpin>(self: &Arc<Self>, future: &mut F) -> F::Output {
        loop {
            match self.poll(future) {
                Poll::Ready(output) => return output,
                Poll::Pending => self.bell.wait(),
            }
        }
    }

    /// Expects, when all other threads have ended, that nobody holds a waker.
    fn check_free(self: &Arc<Self>) {
        assert_eq!(Arc::strong_count(self), 1, "a waker of the task was kept");
    }
}

fn join<R: IntoMaybeReady>(items: Vec<R>) -> JoinAll<R::Output, R::Future> {
    match join_all(items) {
        MaybeReady::Pending(joined) => joined,
        MaybeReady::Ready(_) => unreachable!("something is pending"),
    }
}

#[test]
fn a_child_is_woken_while_the_join_is_polled() {
    loom::model(|| {
        let mail = Mail::new();
        let mut joined = join(vec![mail.receive(1)]);
        let sender = thread::spawn({
            let mail = mail.clone();
            move || mail.send()
        });
        let task = Task::new();
        assert_eq!(task.block_on(&mut joined), [()]);
        sender.join().unwrap();
        task.check_free();
    });
}

#[test]
fn a_child_is_woken_by_two_threads() {
    loom::model(|| {
        let mail = Mail::new();
        let mut joined = join(vec![mail.receive(2)]);
        let senders = [(); 2].map(|()| {
            let mail = mail.clone();
            thread::spawn(move || mail.send())
        });
        let task = Task::new();
        assert_eq!(task.block_on(&mut joined), [()]);
        for sender in senders {
            sender.join().unwrap();
        }
        task.check_free();
    });
}

#[test]
fn a_child_is_woken_three_times_by_one_thread() {
    loom::model(|| {
        let mail = Mail::new();
        let mut joined = join(vec![mail.receive(3)]);
        let sender = thread::spawn({
            let mail = mail.clone();
            move || {
                mail.send();
                mail.send();
                mail.send();
            }
        });
        let task = Task::new();
        assert_eq!(task.block_on(&mut joined), [()]);
        sender.join().unwrap();
        task.check_free();
        assert!(
            mail.polls() <= task.polls(),
            "the child was polled twice in one poll of the join"
        );
    });
}

#[test]
fn two_children_are_woken_at_once() {
    loom::model(|| {
        let mails = [Mail::new(), Mail::new()];
        let mut joined = join(mails.iter().map(|mail| mail.receive(1)).collect());
        let senders = mails.map(|mail| thread::spawn(move || mail.send()));
        let task = Task::new();
        assert_eq!(task.block_on(&mut joined), [(), ()]);
        for sender in senders {
            sender.join().unwrap();
        }
        task.check_free();
    });
}

#[test]
fn another_task_takes_over_while_a_child_is_woken() {
    loom::model(|| {
        let mail = Mail::new();
        let mut joined = join(vec![mail.receive(1)]);
        let (first, second) = (Task::new(), Task::new());
        let sender = thread::spawn({
            let mail = mail.clone();
            move || mail.send()
        });
        if first.poll(&mut joined).is_pending() {
            assert_eq!(second.block_on(&mut joined), [()]);
        }
        sender.join().unwrap();
        first.check_free();
        second.check_free();
    });
}

#[test]
fn a_finished_child_is_woken_while_the_join_ends() {
    loom::model(|| {
        let (early, late) = (Mail::new(), Mail::new());
        let mut joined = join(vec![early.receive(1), late.receive(1)]);
        let task = Task::new();
        early.send();
        assert!(task.poll(&mut joined).is_pending());
        let finished = early.waker();
        let waking = thread::spawn(move || {
            finished.wake_by_ref();
            finished
        });
        late.send();
        assert_eq!(task.block_on(&mut joined), [(), ()]);
        let finished = waking.join().unwrap();
        task.check_free();
        let told = task.told();
        finished.wake();
        assert_eq!(
            task.told(),
            told,
            "the task was told of a join that is over"
        );
    });
}

#[test]
fn a_child_is_woken_while_the_join_is_dropped() {
    loom::model(|| {
        let mail = Mail::new();
        let mut joined = join(vec![mail.receive(1)]);
        let task = Task::new();
        assert!(task.poll(&mut joined).is_pending());
        let sender = thread::spawn({
            let mail = mail.clone();
            move || mail.send()
        });
        drop(joined);
        // A wake that came first may still be about to tell the task, but none that comes now.
        let waker = mail.waker();
        sender.join().unwrap();
        task.check_free();
        let told = task.told();
        waker.wake();
        assert_eq!(
            task.told(),
            told,
            "the task was told of a join that is over"
        );
    });
}

/// A task that sends a message when the last of its wakers is called or dropped.
struct Echo(Arc<Mail>);

impl Wake for Echo {
    fn wake(self: Arc<Self>) {}
}

impl Drop for Echo {
    fn drop(&mut self) {
        self.0.send();
    }
}

/// Executors may poll or drop other tasks there, which would deadlock under the lock.
#[test]
fn a_child_is_woken_where_the_task_is_told_or_dropped() {
    fn model(after_the_first_poll: fn(&Mail, JoinAll<(), Pin<Box<dyn Future<Output = ()>>>>)) {
        loom::model(move || {
            let mail = Mail::new();
            let child: Pin<Box<dyn Future<Output = ()>>> = Box::pin(mail.receive(3));
            let mut joined = join(vec![child]);
            let waker = Waker::from(Arc::new(Echo(mail.clone())));
            let mut cx = Context::from_waker(&waker);
            assert!(Pin::new(&mut joined).poll(&mut cx).is_pending());
            drop(waker);
            after_the_first_poll(&mail, joined);
        });
    }

    model(|mail, _joined| {
        mail.send();
        assert_eq!(
            mail.sent(),
            2,
            "one more when the task was told of the first"
        );
    });
    model(|mail, mut joined| {
        let mut cx = Context::from_waker(Waker::noop());
        assert!(Pin::new(&mut joined).poll(&mut cx).is_pending());
        assert_eq!(mail.sent(), 1, "one when another task took over");
    });
    model(|mail, joined| {
        drop(joined);
        assert_eq!(mail.sent(), 1, "one when the join was dropped");
    });
}
