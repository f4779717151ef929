use alloc::boxed::Box;
use alloc::vec::Vec;
use core::pin::Pin;

use pin_project_lite::pin_project;

/// A list of items that are pinned where they are.
///
/// Four small ones share an allocation: a field each, for that is how pinning is projected.
pub(super) struct PinList<T> {
    small: Vec<Pin<Box<Four<T>>>>,
    large: Vec<Pin<Box<T>>>,
    len: usize,
}

pin_project! {
    struct Four<T> {
        #[pin]
        a: Option<T>,
        #[pin]
        b: Option<T>,
        #[pin]
        c: Option<T>,
        #[pin]
        d: Option<T>,
    }
}

impl<T> PinList<T> {
    /// Large items have an allocation each, for a lone one would pay for four.
    const LARGE: bool = matches!(size_of::<T>(), 513..);

    pub(super) const fn new() -> Self {
        Self {
            small: Vec::new(),
            large: Vec::new(),
            len: 0,
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, item: T) {
        if Self::LARGE {
            self.large.push(Box::pin(item));
        } else {
            if self.len % 4 == 0 {
                self.small.push(Box::pin(Four {
                    a: None,
                    b: None,
                    c: None,
                    d: None,
                }));
            }
            self.place(self.len).set(Some(item));
        }
        self.len += 1;
    }

    pub(super) fn get(&mut self, index: usize) -> Pin<&mut T> {
        if Self::LARGE {
            self.large[index].as_mut()
        } else {
            let item = self.place(index).as_pin_mut();
            item.expect("an item that was pushed")
        }
    }

    fn place(&mut self, index: usize) -> Pin<&mut Option<T>> {
        let four = self.small[index / 4].as_mut().project();
        match index % 4 {
            0 => four.a,
            1 => four.b,
            2 => four.c,
            _ => four.d,
        }
    }
}
