//! With real threads.

use std::iter;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use futures::channel::oneshot;
use maybe_ready::join_all;

use crate::support::future_of;

const THREADS: usize = 4;
const QUESTIONS: usize = 8000;

#[test]
fn no_wake_from_another_thread_is_lost() {
    // Among few, none is rescued by the wake of another.
    for items in [1, 2, 8, 100] {
        ask_all_threads(items);
    }
}

/// A task that parks its thread.
struct Task {
    thread: Thread,
    woken: AtomicBool,
    /// Questions that are asked, and not answered with all that comes of it.
    open: AtomicUsize,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.woken.store(true, Ordering::SeqCst);
        self.thread.unpark();
    }
}

impl Task {
    /// Parks until it is woken, which somebody still has to do.
    fn wait(&self) {
        loop {
            // In this order: who answered the last of them has woken the task before.
            let is_over = self.open.load(Ordering::SeqCst) == 0;
            if self.woken.swap(false, Ordering::SeqCst) {
                return;
            }
            assert!(!is_over, "all is answered, and the task was not woken");
            thread::park();
        }
    }
}

/// Each item asks all threads in turn, one question after the other, while the join is polled for
/// the answers that others got.
fn ask_all_threads(items: usize) {
    let task = Arc::new(Task {
        thread: thread::current(),
        woken: AtomicBool::new(false),
        open: AtomicUsize::new(0),
    });
    let (askers, questions): (Vec<_>, Vec<_>) = (0..THREADS)
        .map(|_| mpsc::channel::<oneshot::Sender<usize>>())
        .unzip();
    let item = |number: usize| {
        let (task, askers) = (task.clone(), askers.clone());
        async move {
            let mut sum = number;
            for turn in 0..QUESTIONS / items {
                let (question, answer) = oneshot::channel();
                task.open.fetch_add(1, Ordering::SeqCst);
                askers[(number + turn) % THREADS].send(question).unwrap();
                sum += answer.await.unwrap();
            }
            sum
        }
    };
    let joined = future_of(join_all((0..items).map(item)));
    drop(askers);

    thread::scope(|scope| {
        for questions in questions {
            let task = task.clone();
            scope.spawn(move || {
                while let Ok(first) = questions.recv() {
                    let others = questions.try_iter();
                    let batch: Vec<_> = iter::once(first).chain(others).collect();
                    // Not in the order in which they were asked.
                    for question in batch.into_iter().rev() {
                        question.send(1).unwrap();
                        task.open.fetch_sub(1, Ordering::SeqCst);
                        task.thread.unpark();
                    }
                }
            });
        }

        // In here, so that the threads end if this panics.
        let mut joined = joined;
        let waker = Waker::from(task.clone());
        let mut cx = Context::from_waker(&waker);
        let values = loop {
            match Pin::new(&mut joined).poll(&mut cx) {
                Poll::Ready(values) => break values,
                Poll::Pending => task.wait(),
            }
        };
        let expected: Vec<_> = (0..items).map(|item| item + QUESTIONS / items).collect();
        assert_eq!(values, expected);
    });
}
