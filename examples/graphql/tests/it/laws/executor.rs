//! Polls with another waker each time, and wakes what waits for somebody else.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake};

use super::case::WakeOrder;
use super::outcome::Expected;
use super::world::World;

pub(super) struct Executor<'a> {
    world: &'a World,
    order: WakeOrder,
    expected: &'a Expected,
    last: Arc<Flag>,
}

/// Whether a waker was woken.
#[derive(Default)]
struct Flag(AtomicBool);

impl Flag {
    fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl<'a> Executor<'a> {
    pub(super) fn new(world: &'a World, order: WakeOrder, expected: &'a Expected) -> Self {
        Self {
            world,
            order,
            expected,
            last: Arc::default(),
        }
    }

    /// Polls once. If nobody woke the task, time passes, but every other time only after a poll for
    /// nothing, so that the last waker is not the first one.
    pub(super) fn poll<F: Future + Unpin>(&mut self, future: &mut F) -> Poll<F::Output> {
        let turn = self.world.next_turn();
        assert!(turn < 10_000, "is not done, however often it is polled");
        self.last = Arc::default();
        let waker = self.last.clone().into();
        let polled = Pin::new(future).poll(&mut Context::from_waker(&waker));
        if polled.is_ready() || self.last.is_set() {
            return polled;
        }
        let (now, next) = (self.world.now(), self.world.next());
        if next > now {
            assert_eq!(
                self.world.alive(),
                self.expected.waits_at(now),
                "left the futures that are held at {now}, right those that are waited for"
            );
        }
        if turn % 2 == 1 {
            for waker in self.world.open(next, self.order) {
                waker.wake();
            }
            assert!(
                self.last.is_set(),
                "a lost wake-up: what is waited for is there, and the last waker was not woken"
            );
        }
        polled
    }
}
