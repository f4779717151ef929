//! Choices, read out of random bytes.

use std::cell::Cell;

/// Reads any bytes as choices. The first choice is the simplest, and the one that is made when there
/// are no bytes left: fewer and smaller bytes make a smaller case, so that failures shrink.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    place: Cell<usize>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let place = Cell::new(0);
        Self { bytes, place }
    }

    /// One of so many choices.
    pub(super) fn pick(&self, choices: usize) -> usize {
        let place = self.place.replace(self.place.get() + 1);
        let byte = self.bytes.get(place).copied().unwrap_or(0);
        usize::from(byte) * choices / 256
    }

    /// True once in so many times.
    pub(super) fn one_in(&self, times: usize) -> bool {
        self.pick(times) == times - 1
    }

    pub(super) fn among<T: Copy>(&self, choices: &[T]) -> T {
        choices[self.pick(choices.len())]
    }
}
