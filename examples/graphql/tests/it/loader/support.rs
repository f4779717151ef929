//! A backend that records its batches and answers when it is told to, and tasks polled by hand.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Wake, Waker};

use futures::channel::oneshot;
use graphql_example::loader::{LoadError, Loader, LoaderBuilder};
use maybe_ready::{AlwaysReady, IntoMaybeReady, MaybeReady};

/// A key, and the number of the batch that fetched it, from zero.
pub(super) type Value = (u32, usize);
pub(super) type Answer = Result<Value, LoadError<&'static str>>;
pub(super) type TestLoader = Loader<u32, Value, &'static str>;

/// Keys from this one on fail with "bad key".
pub(super) const BAD: u32 = 1000;

#[derive(Clone, Default)]
pub(super) struct Backend {
    batches: Arc<Mutex<Vec<Batch>>>,
}

struct Batch {
    keys: Vec<u32>,
    /// Tells a batch that waits to go on, and is closed if that was cancelled.
    gate: Option<oneshot::Sender<()>>,
    /// Of a batch that waits.
    waker: Option<Waker>,
}

impl Backend {
    fn lock(&self) -> MutexGuard<'_, Vec<Batch>> {
        self.batches.lock().unwrap()
    }

    /// The batches so far.
    pub(super) fn batches(&self) -> Vec<Vec<u32>> {
        self.lock().iter().map(|batch| batch.keys.clone()).collect()
    }

    fn record(&self, keys: Vec<u32>, gate: Option<oneshot::Sender<()>>) -> usize {
        let mut batches = self.lock();
        let waker = None;
        batches.push(Batch { keys, gate, waker });
        batches.len() - 1
    }

    /// A loader whose batches are done on their first poll.
    pub(super) fn loader(&self) -> TestLoader {
        self.build(Loader::builder())
    }

    pub(super) fn build(&self, builder: LoaderBuilder<u32, Value, &'static str>) -> TestLoader {
        let backend = self.clone();
        builder.build(move |keys: Vec<u32>| {
            let batch = backend.record(keys.clone(), None);
            async move { fetch(keys, batch) }
        })
    }

    /// A loader whose batches take a turn of the executor.
    pub(super) fn build_suspending(
        &self,
        builder: LoaderBuilder<u32, Value, &'static str>,
    ) -> TestLoader {
        let backend = self.clone();
        builder.build(move |keys: Vec<u32>| {
            let batch = backend.record(keys.clone(), None);
            AlwaysReady::Ready(fetch(keys, batch)).defer()
        })
    }

    /// A loader whose batches wait for [`release`](Self::release).
    pub(super) fn gated(&self) -> TestLoader {
        self.build_gated(Loader::builder())
    }

    pub(super) fn build_gated(
        &self,
        builder: LoaderBuilder<u32, Value, &'static str>,
    ) -> TestLoader {
        let backend = self.clone();
        builder.build(move |keys: Vec<u32>| {
            let (gate, mut opened) = oneshot::channel();
            let batch = backend.record(keys.clone(), Some(gate));
            let backend = backend.clone();
            async move {
                let wait = poll_fn(|cx| {
                    backend.lock()[batch].waker = Some(cx.waker().clone());
                    Pin::new(&mut opened).poll(cx)
                });
                wait.await.expect("the backend is there");
                fetch(keys, batch)
            }
        })
    }

    /// Lets a gated batch go on.
    pub(super) fn release(&self, batch: usize) {
        let gate = self.lock()[batch].gate.take();
        let _ = gate.expect("the batch waits").send(());
    }

    /// Wakes a gated batch, which will find that it has to wait on.
    pub(super) fn wake(&self, batch: usize) {
        let waker = self.lock()[batch].waker.clone();
        waker.expect("the batch waits").wake();
    }

    /// Whether the future of a gated batch was dropped.
    pub(super) fn is_cancelled(&self, batch: usize) -> bool {
        let batches = self.lock();
        batches[batch]
            .gate
            .as_ref()
            .is_some_and(oneshot::Sender::is_canceled)
    }
}

pub(super) fn fetch(keys: Vec<u32>, batch: usize) -> Vec<Result<Value, &'static str>> {
    let fetch = |key| {
        if key < BAD {
            Ok((key, batch))
        } else {
            Err("bad key")
        }
    };
    keys.into_iter().map(fetch).collect()
}

/// A future that is polled by hand, with a waker that counts.
pub(super) struct Task<F> {
    future: Pin<Box<F>>,
    wakes: Arc<Wakes>,
}

#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl<F: Future> Task<F> {
    pub(super) fn new(future: F) -> Self {
        let (future, wakes) = (Box::pin(future), Arc::default());
        Self { future, wakes }
    }

    pub(super) fn poll(&mut self) -> Poll<F::Output> {
        self.wakes.0.store(0, Ordering::SeqCst);
        let waker = Waker::from(self.wakes.clone());
        self.future.as_mut().poll(&mut Context::from_waker(&waker))
    }

    /// How often it was woken since it was last polled.
    pub(super) fn wakes(&self) -> usize {
        self.wakes.0.load(Ordering::SeqCst)
    }

    pub(super) fn is_woken(&self) -> bool {
        self.wakes() > 0
    }

    /// Polls as an executor does: once, and again as long as it is woken.
    pub(super) fn run(&mut self) -> Poll<F::Output> {
        for _ in 0..1000 {
            let answer = self.poll();
            if answer.is_ready() || !self.is_woken() {
                return answer;
            }
        }
        panic!("it is woken over and over, and gets nowhere")
    }
}

/// Runs a future in this thread, and fails where it would wait forever.
pub(super) fn block_on<F: IntoFuture>(future: F) -> F::Output {
    match Task::new(future.into_future()).run() {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it waits, and nothing is left that would wake it"),
    }
}

/// The future of a load that is expected to be pending, as a task.
pub(super) fn pending<M: IntoMaybeReady>(load: M) -> Task<M::Future> {
    match load.into_maybe_ready() {
        MaybeReady::Pending(future) => Task::new(future),
        MaybeReady::Ready(_) => panic!("expected a load that is pending, not one that is ready"),
    }
}
