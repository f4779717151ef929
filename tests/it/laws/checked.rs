//! A wrapper that holds every future of the crate to law 4.

use std::any::type_name;
use std::cell::Cell;
use std::future::Future;
use std::panic;
use std::pin::Pin;
use std::sync::Once;
use std::task::{Context, Poll};

use futures::future::FusedFuture;
use maybe_ready::MaybeReady;
use pin_project_lite::pin_project;

use super::world::World;
use crate::support::panic_message;

pin_project! {
    /// Checks that the future inside is terminated when it gave its value and not before, and, if
    /// the world says so, that it panics with its name when it is polled again.
    pub(super) struct Checked<F> {
        #[pin]
        inner: F,
        polls_again: bool,
    }
}

pub(super) fn checked<T, F>(world: &World, it: MaybeReady<T, F>) -> MaybeReady<T, Checked<F>>
where
    F: FusedFuture<Output = T>,
{
    it.map_pending(|future| Checked::new(world, future))
}

impl<F: FusedFuture> Checked<F> {
    pub(super) fn new(world: &World, inner: F) -> Self {
        assert!(
            !inner.is_terminated(),
            "{} is terminated before it was polled",
            type_name::<F>()
        );
        Self {
            inner,
            polls_again: world.polls_again(),
        }
    }
}

impl<F: FusedFuture> Future for Checked<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        let polled = this.inner.as_mut().poll(cx);
        assert_eq!(
            this.inner.is_terminated(),
            polled.is_ready(),
            "{} is terminated if and only if it gave its value",
            type_name::<F>()
        );
        if polled.is_ready() && *this.polls_again {
            let path = type_name::<F>().split('<').next().unwrap_or_default();
            let name = path.rsplit("::").next().unwrap_or_default();
            assert_eq!(
                quietly(|| panic_message(|| this.inner.as_mut().poll(cx).is_ready())),
                format!("`{name}` polled after completion"),
            );
        }
        polled
    }
}

/// Runs what is expected to panic, without a message on the screen.
pub(super) fn quietly<R>(f: impl FnOnce() -> R) -> R {
    thread_local!(static QUIET: Cell<bool> = const { Cell::new(false) });
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                hook(info);
            }
        }));
    });
    let before = QUIET.replace(true);
    let result = f();
    QUIET.set(before);
    result
}
