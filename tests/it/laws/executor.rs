//! Polls with another waker each time, and wakes what waits for somebody else.
//!
//! It wakes gated leaves only when nobody else woke the task, and in the order of the program. So
//! what is awake is in that order, and a join, which polls what was woken in the order of the
//! wakes, does the same as plain code, which polls everything from first to last.

use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::program::WakeOrder;
use super::world::{Event, World};
use crate::support::Wakes;

pub(super) struct Executor<'a> {
    world: &'a World,
    order: WakeOrder,
    wakes: Arc<Wakes>,
}

impl<'a> Executor<'a> {
    pub(super) fn new(world: &'a World, order: WakeOrder) -> Self {
        Self {
            world,
            order,
            wakes: Wakes::new(),
        }
    }

    /// Polls once. If nobody woke the task, gated leaves are woken, but every other time only after
    /// a poll for nothing, so that the last waker is not the first one.
    pub(super) fn poll<F: Future + Unpin>(&mut self, future: &mut F) -> Poll<F::Output> {
        let turn = self.world.next_turn();
        assert!(
            turn < 1000,
            "does not get ready, however often it is polled"
        );
        let earlier = mem::replace(&mut self.wakes, Wakes::new());
        let waker = self.wakes.clone().into();
        let polled = Pin::new(future).poll(&mut Context::from_waker(&waker));
        drop(waker);
        assert_eq!(
            Arc::strong_count(&earlier),
            1,
            "the waker of an earlier poll was kept, and is not of use any more"
        );
        let woken = self.wakes.count() > 0;
        self.world.log(Event::Polled { woken });
        if polled.is_ready() {
            self.assert_no_waker_kept();
        } else if !woken && turn % 2 == 1 {
            for gate in self.world.open(self.order) {
                gate.wake();
            }
            assert!(
                self.wakes.count() > 0,
                "a lost wake-up: what is waited for is there, and the last waker was not woken"
            );
        }
        polled
    }

    pub(super) fn assert_no_waker_kept(&self) {
        assert_eq!(Arc::strong_count(&self.wakes), 1, "a waker was kept");
    }
}
