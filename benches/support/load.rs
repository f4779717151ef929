use std::fmt;

/// How many items there are, and how many percent of them are misses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    pub items: usize,
    pub percent: usize,
}

impl Load {
    #[must_use]
    pub const fn new(items: usize, percent: usize) -> Self {
        Self { items, percent }
    }

    #[must_use]
    pub const fn misses(self) -> usize {
        self.items * self.percent / 100
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} items, {} % misses", self.items, self.percent)
    }
}

/// When the misses complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// One after the other in the order of the input, with a poll after each.
    InOrder,
    /// One after the other in random order, with a poll after each.
    Shuffled,
    /// All of them before the next poll.
    Together,
}
