//! A wrapper that holds every future of the crate to law 4.

use std::any::type_name;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures::future::FusedFuture;
use maybe_ready::MaybeReady;
use pin_project_lite::pin_project;

use super::world::World;
use crate::support::panic_message;

pin_project! {
    /// Checks a future of the crate: it is terminated when it gave its value and not before, it
    /// holds nothing after that, and it panics with its name if it is polled again, which is
    /// tried if the world says so.
    pub(super) struct Checked<'a, F> {
        #[pin]
        inner: Option<F>,
        world: &'a World,
    }
}

pub(super) fn checked<T, F>(world: &World, it: MaybeReady<T, F>) -> MaybeReady<T, Checked<'_, F>>
where
    F: FusedFuture<Output = T>,
{
    it.map_pending(|future| Checked::new(world, future))
}

impl<'a, F: FusedFuture> Checked<'a, F> {
    pub(super) fn new(world: &'a World, inner: F) -> Self {
        assert!(
            !inner.is_terminated(),
            "{} is terminated before it was polled",
            type_name::<F>()
        );
        let inner = Some(inner);
        Self { inner, world }
    }
}

impl<F: FusedFuture> Future for Checked<'_, F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        let mut inner = (this.inner.as_mut().as_pin_mut())
            .expect("a future of the crate was polled by another one after it finished");
        let name = type_name::<F>();
        let polled = inner.as_mut().poll(cx);
        assert_eq!(
            inner.is_terminated(),
            polled.is_ready(),
            "{name} should be terminated if and only if it gave its value"
        );
        if polled.is_pending() {
            return polled;
        }
        if this.world.polls_again() {
            let path = name.split('<').next().unwrap_or_default();
            let name = path.rsplit("::").next().unwrap_or_default();
            assert_eq!(
                panic_message(|| inner.as_mut().poll(cx).is_ready()),
                format!("`{name}` polled after completion"),
            );
        }
        let alive = this.world.alive();
        this.inner.set(None);
        assert_eq!(
            this.world.alive(),
            alive,
            "{name} held something after it gave its value"
        );
        polled
    }
}
