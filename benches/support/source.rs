use std::cell::Cell;
use std::hint::black_box;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use fastrand::Rng;
use maybe_ready::MaybeReady;

use crate::{Completion, Load};

/// A cache, the fetches of what it misses, and the task that waits for them.
///
/// It can be used over and over: a fetch that gave its value is closed again.
pub struct Source {
    cache: Vec<Option<u64>>,
    fetches: Vec<Gate>,
    /// The misses in the order in which they complete, and how many complete at a time.
    order: Vec<usize>,
    at_a_time: usize,
    task: Arc<Task>,
    waker: Waker,
}

impl Source {
    #[must_use]
    pub fn new(load: Load, completion: Completion) -> Self {
        let mut rng = Rng::with_seed(1);
        let values: Vec<_> = (0..load.items).map(|_| rng.u64(..)).collect();
        let mut order = rng.choose_multiple(0..load.items, load.misses());
        match completion {
            Completion::InOrder => order.sort_unstable(),
            Completion::Shuffled | Completion::Together => rng.shuffle(&mut order),
        }
        let at_a_time = match completion {
            Completion::InOrder | Completion::Shuffled => 1,
            Completion::Together => load.misses().max(1),
        };
        let mut cache: Vec<_> = values.iter().copied().map(Some).collect();
        for &miss in &order {
            cache[miss] = None;
        }
        let task = Arc::new(Task::default());
        Self {
            cache,
            fetches: values.into_iter().map(Gate::new).collect(),
            order,
            at_a_time,
            waker: task.clone().into(),
            task,
        }
    }

    /// What a read of each entry should give.
    pub fn values(&self) -> impl Iterator<Item = u64> {
        self.fetches.iter().map(|gate| gate.value)
    }

    /// All that may be asked for, in order.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        let fetches = &self.fetches[..];
        // Otherwise the compiler might know what is cached.
        let cache = black_box(&self.cache[..]).iter().enumerate();
        cache.map(|(index, cached)| Entry {
            cached,
            fetches,
            index,
        })
    }

    /// Polls a future when its task was woken, as an executor does, and completes the misses.
    ///
    /// # Panics
    ///
    /// If the future is pending, and nothing that it waits for has woken the task.
    pub fn drive<F: Future>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        let mut cx = Context::from_waker(&self.waker);
        let mut batches = self.order.chunks(self.at_a_time);
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
                return output;
            }
            if self.task.take_woken() {
                continue;
            }
            let batch = batches.next().expect("pending, with nothing to wait for");
            for &miss in batch {
                self.fetches[miss].open();
            }
            assert!(self.task.take_woken(), "misses completed without a wake");
        }
    }
}

/// A place in a cache, and what fetches its value if it is empty.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    cached: &'a Option<u64>,
    fetches: &'a [Gate],
    index: usize,
}

impl<'a> Entry<'a> {
    /// Fetches it, cached or not.
    #[must_use]
    pub fn fetch(self) -> Fetch<'a> {
        Fetch(&self.fetches[self.index])
    }

    /// Reads it with this crate.
    #[inline]
    pub fn read(self) -> MaybeReady<u64, Fetch<'a>> {
        match *self.cached {
            Some(value) => MaybeReady::Ready(value),
            None => MaybeReady::Pending(self.fetch()),
        }
    }

    /// Reads it as it is done without this crate.
    #[inline]
    pub async fn read_async(self) -> u64 {
        match *self.cached {
            Some(value) => value,
            None => self.fetch().await,
        }
    }
}

/// A value that can be had once the gate is open.
struct Gate {
    value: u64,
    open: Cell<bool>,
    waker: Cell<Option<Waker>>,
}

impl Gate {
    fn new(value: u64) -> Self {
        Self {
            value,
            open: Cell::new(false),
            waker: Cell::new(None),
        }
    }

    fn open(&self) {
        self.open.set(true);
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

/// Waits for a value that the cache misses.
pub struct Fetch<'a>(&'a Gate);

impl Future for Fetch<'_> {
    type Output = u64;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u64> {
        if self.0.open.replace(false) {
            return Poll::Ready(self.0.value);
        }
        self.0.waker.set(Some(cx.waker().clone()));
        Poll::Pending
    }
}

/// Knows whether it was woken.
#[derive(Default)]
struct Task(AtomicBool);

impl Task {
    fn take_woken(&self) -> bool {
        self.0.swap(false, Ordering::Acquire)
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}
