use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::task::Wake;
use alloc::vec;
use alloc::vec::Vec;
use core::mem;
use core::task::Waker;
use std::sync::PoisonError;
#[cfg(not(all(loom, test)))]
use std::sync::{Mutex, MutexGuard};

#[cfg(all(loom, test))]
use loom::sync::{Mutex, MutexGuard};

/// The children that were woken since they were last polled, and who is to be told.
///
/// No waker is cloned, called or dropped while the lock is held.
pub(super) struct WakeQueue(Arc<Shared>);

struct Shared(Mutex<State>);

struct State {
    woken: Vec<usize>,
    /// Of each child, whether it is in `woken`.
    queued: Vec<bool>,
    /// Who waits for all of them. Taken by the first to wake, for once is enough.
    parent: Option<Waker>,
}

impl WakeQueue {
    pub(super) fn new(children: usize) -> Self {
        Self(Arc::new(Shared(Mutex::new(State {
            woken: Vec::with_capacity(children),
            queued: vec![false; children],
            parent: None,
        }))))
    }

    /// Makes the waker of a child.
    pub(super) fn waker(&self, child: usize) -> Waker {
        let queue = self.0.clone();
        Arc::new(Child { queue, child }).into()
    }

    /// Moves the children that were woken to `due`, in order, and has `parent` told of the next.
    pub(super) fn drain(&self, parent: Waker, due: &mut VecDeque<usize>) {
        let mut guard = self.0.lock();
        let state = &mut *guard;
        let replaced = state.parent.replace(parent);
        for child in state.woken.drain(..) {
            state.queued[child] = false;
            due.push_back(child);
        }
        drop(guard);
        drop(replaced);
    }
}

/// Wakers may outlive the join; what they say then is of no interest.
impl Drop for WakeQueue {
    fn drop(&mut self) {
        let parent = self.0.lock().parent.take();
        drop(parent);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that could panic half-way is done under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a child's waker points to.
struct Child {
    queue: Arc<Shared>,
    child: usize,
}

impl Wake for Child {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let mut state = self.queue.lock();
        if mem::replace(&mut state.queued[self.child], true) {
            return;
        }
        state.woken.push(self.child);
        let parent = state.parent.take();
        drop(state);
        if let Some(parent) = parent {
            parent.wake();
        }
    }
}
