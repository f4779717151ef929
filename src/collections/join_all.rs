use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt;
use core::future::Future;
use core::mem;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};

use futures_core::future::FusedFuture;
use pin_project_lite::pin_project;

use super::pin_list::PinList;
use super::wake_queue::WakeQueue;
use crate::future::polled_after_completion;
use crate::{IntoMaybeReady, MaybeReady};

/// Joins any number of values, now or later, into a [`Vec`] in the order of the input.
///
/// The cousin of `futures::future::join_all`, for items of which most are there: each is a
/// [`MaybeReady`] or a future. If every item is [`Ready`](MaybeReady::Ready), so is the result.
/// Otherwise polling the result polls the futures: all of them the first time, in the order of the
/// input, and from then on only those whose own waker was called. An item that is there is never
/// looked at again, and a future that completes is dropped at once.
///
/// Dropping the join drops, and thereby cancels, all that is still pending. A panic of a future
/// passes through, and leaves a join that can be dropped; polled again, it polls that future again.
///
/// It runs all futures in one task, at once. To bound how many run at a time use
/// `futures::stream::StreamExt::buffered`; to have them run in parallel spawn them and join the
/// handles. For steps that follow one another there is [`fold`](crate::fold()).
///
/// # Cost
///
/// With everything ready one allocation, of exactly the size that the iterator announces; nothing
/// is polled, boxed or locked. After that the cost goes by the number of *misses*, not of items: a
/// miss costs an allocation for its waker, one for its future, and a lock for each wake. (Four small
/// futures share theirs.) Where only a few items are joined and some are misses, the join of
/// `futures` is faster; where most of many are misses and complete at about the same time, that of
/// `futures-buffered`, which shares its wakers in unsafe code.
///
/// # Examples
///
/// Many reads of a cache, and only those that miss are waited for, together:
///
/// ```
/// use maybe_ready::{MaybeReady, join_all};
///
/// fn read(key: u32) -> MaybeReady<String, impl Future<Output = String>> {
///     match key {
///         0..10 => MaybeReady::Ready(format!("cached {key}")),
///         _ => MaybeReady::Pending(async move { format!("fetched {key}") }),
///     }
/// }
///
/// let hits = join_all([1, 2].map(read));
/// assert_eq!(hits.unwrap_ready(), ["cached 1", "cached 2"]);
/// # pollster::block_on(async {
/// let mixed = join_all([1, 20, 3].map(read));
/// assert_eq!(mixed.await, ["cached 1", "fetched 20", "cached 3"]);
/// # });
/// ```
#[inline]
#[allow(clippy::type_complexity, reason = "the signature is the documentation")]
pub fn join_all<I, R>(iter: I) -> MaybeReady<Vec<R::Output>, JoinAll<R::Output, R::Future>>
where
    I: IntoIterator<Item = R>,
    R: IntoMaybeReady,
{
    let items = iter.into_iter().map(|item| Ok(item.into_maybe_ready()));
    let Ok::<_, Infallible>(joined) = JoinState::collect(items);
    joined.map_pending(|state| JoinAll { state })
}

/// Future of [`join_all`].
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct JoinAll<T, F> {
    state: JoinState<T, F>,
}

impl<T, F> Unpin for JoinAll<T, F> {}

impl<T, F: Future<Output = T>> Future for JoinAll<T, F> {
    type Output = Vec<T>;

    #[inline]
    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Vec<T>> {
        self.state
            .poll_with(cx, "JoinAll", Ok)
            .map(|Ok::<_, Infallible>(values)| values)
    }
}

impl<T, F> FusedFuture for JoinAll<T, F>
where
    Self: Future,
{
    fn is_terminated(&self) -> bool {
        self.state.is_done()
    }
}

impl<T, F> fmt::Debug for JoinAll<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.state.fmt_as("JoinAll", f)
    }
}

/// A join of which something is pending.
pub(super) struct JoinState<T, F> {
    /// The values before the first one that was pending, with room for all.
    values: Vec<T>,
    /// What comes after them, as far as it is there.
    rest: Vec<Option<T>>,
    /// There from the first poll on. Dropped before the children, whose drop may wake one.
    queue: Option<WakeQueue>,
    /// Empty once the values were given.
    children: PinList<Child<F>>,
    /// How many children have not completed.
    pending: usize,
    /// The children that are to be polled.
    due: VecDeque<usize>,
}

pin_project! {
    struct Child<F> {
        // Dropped when it completes.
        #[pin]
        future: Option<F>,
        // Made when it is polled first.
        waker: Option<Waker>,
        // Where its value belongs in `rest`.
        place: usize,
    }
}

impl<T, F> JoinState<T, F> {
    const DONE: Self = Self {
        values: Vec::new(),
        rest: Vec::new(),
        queue: None,
        children: PinList::new(),
        pending: 0,
        due: VecDeque::new(),
    };

    /// Collects the values, up to an error, and with a state if one of them is pending.
    #[inline]
    pub(super) fn collect<E>(
        mut items: impl Iterator<Item = Result<MaybeReady<T, F>, E>>,
    ) -> Result<MaybeReady<Vec<T>, Self>, E> {
        let mut values = with_room_for(items.size_hint().0);
        let stopped = items.try_for_each(|item| match item {
            Ok(MaybeReady::Ready(value)) => {
                if values.spare_capacity_mut().is_empty() {
                    values = push_and_grow(mem::take(&mut values), value);
                } else {
                    values.push(value);
                }
                ControlFlow::Continue(())
            }
            Ok(MaybeReady::Pending(future)) => ControlFlow::Break(Ok(future)),
            Err(error) => ControlFlow::Break(Err(error)),
        });
        match stopped {
            ControlFlow::Continue(()) => Ok(MaybeReady::Ready(values)),
            ControlFlow::Break(first) => {
                Self::collect_rest(values, first?, items).map(MaybeReady::Pending)
            }
        }
    }

    fn collect_rest<E>(
        values: Vec<T>,
        first: F,
        items: impl Iterator<Item = Result<MaybeReady<T, F>, E>>,
    ) -> Result<Self, E> {
        let mut state = Self {
            values,
            rest: with_room_for(items.size_hint().0.saturating_add(1)),
            ..Self::DONE
        };
        state.push(MaybeReady::Pending(first));
        for item in items {
            state.push(item?);
        }
        state.pending = state.children.len();
        state.due.extend(0..state.pending);
        Ok(state)
    }

    fn push(&mut self, item: MaybeReady<T, F>) {
        let place = self.rest.len();
        self.rest.push(match item {
            MaybeReady::Ready(value) => Some(value),
            MaybeReady::Pending(future) => {
                self.children.push(Child {
                    future: Some(future),
                    waker: None,
                    place,
                });
                None
            }
        });
    }

    pub(super) const fn is_done(&self) -> bool {
        self.children.len() == 0
    }

    /// Polls the children that are due. An error ends it: everything is dropped before it is given.
    #[track_caller]
    pub(super) fn poll_with<E>(
        &mut self,
        cx: &mut Context<'_>,
        name: &str,
        accept: impl Fn(F::Output) -> Result<T, E>,
    ) -> Poll<Result<Vec<T>, E>>
    where
        F: Future,
    {
        if self.is_done() {
            polled_after_completion(name)
        }
        let children = self.children.len();
        let queue = self.queue.get_or_insert_with(|| WakeQueue::new(children));
        queue.drain(cx.waker().clone(), &mut self.due);
        while let Some(&index) = self.due.front() {
            let mut child = self.children.get(index).project();
            if let Some(future) = child.future.as_mut().as_pin_mut() {
                let waker = child.waker.get_or_insert_with(|| queue.waker(index));
                if let Poll::Ready(output) = future.poll(&mut Context::from_waker(waker)) {
                    match accept(output) {
                        Ok(value) => self.rest[*child.place] = Some(value),
                        Err(error) => {
                            drop(mem::replace(self, Self::DONE));
                            return Poll::Ready(Err(error));
                        }
                    }
                    self.pending -= 1;
                    child.future.set(None);
                }
            }
            // Not before, so that a child that panics stays due.
            self.due.pop_front();
        }
        if self.pending > 0 {
            return Poll::Pending;
        }
        let Self {
            mut values, rest, ..
        } = mem::replace(self, Self::DONE);
        values.extend(
            rest.into_iter()
                .map(|value| value.expect("every place is filled")),
        );
        Poll::Ready(Ok(values))
    }

    pub(super) fn fmt_as(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name)
            .field("pending", &self.pending)
            .finish_non_exhaustive()
    }
}

/// Pushes a value that was not announced.
///
/// It takes the [`Vec`] by value so that the loop that calls it can keep it in registers.
#[cold]
#[inline(never)]
fn push_and_grow<T>(mut values: Vec<T>, value: T) -> Vec<T> {
    values.push(value);
    values
}

/// A [`Vec`] with exactly the announced room, unless that is more than there can be.
fn with_room_for<T>(announced: usize) -> Vec<T> {
    let mut values = Vec::new();
    let _ = values.try_reserve_exact(announced);
    values
}
