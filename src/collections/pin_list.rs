use alloc::boxed::Box;
use alloc::vec::Vec;
use core::pin::Pin;

use pin_project_lite::pin_project;

/// A list of items that are pinned where they are.
///
/// Four of them share an allocation: a field each, for that is how pinning is projected.
pub(super) struct PinList<T> {
    blocks: Vec<Pin<Box<Block<T>>>>,
    len: usize,
}

pin_project! {
    struct Block<T> {
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
    pub(super) const fn new() -> Self {
        Self {
            blocks: Vec::new(),
            len: 0,
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, item: T) {
        if self.len % 4 == 0 {
            self.blocks.push(Box::pin(Block {
                a: None,
                b: None,
                c: None,
                d: None,
            }));
        }
        self.place(self.len).set(Some(item));
        self.len += 1;
    }

    /// The item of that index.
    pub(super) fn get(&mut self, index: usize) -> Pin<&mut T> {
        self.place(index).as_pin_mut().expect("an item of the list")
    }

    fn place(&mut self, index: usize) -> Pin<&mut Option<T>> {
        let block = self.blocks[index / 4].as_mut().project();
        match index % 4 {
            0 => block.a,
            1 => block.b,
            2 => block.c,
            _ => block.d,
        }
    }
}
