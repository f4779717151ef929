//! Random programs: said once, run by the crate and by plain `async` code.

use std::{fmt, slice};

/// A program, and what there is to know about it without running it.
pub(super) struct Case {
    pub(super) program: Program,
    /// When each leaf has its value. The same program is run with other timings, too.
    pub(super) timings: Vec<Timing>,
    pub(super) wake_order: WakeOrder,
    /// Where each closure stands among concurrent branches.
    lanes: Vec<Lane>,
    /// Whether a step makes the program pending, however ready its leaves are.
    pub(super) defers: bool,
    /// Whether it may end without waiting for all of it.
    pub(super) races: bool,
}

/// A value that is there or waited for, and what is done with it, one step after the other.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) source: Source,
    pub(super) steps: Vec<Step>,
}

#[derive(Debug)]
pub(super) enum Source {
    Leaf(Leaf),
    TryFromFn(Start),
    Zip(Pair),
    TryZip(Pair),
    JoinAll(Many),
    TryJoinAll(Many),
    Fold(Vec<Next>),
    TryFold(Vec<Next>),
}

#[derive(Debug)]
pub(super) enum Step {
    Map { f: Closure, flips: bool },
    MapBothArms(Closure),
    Inspect(Closure),
    Then(Next),
    ThenFuture(Next),
    MapOk(Closure),
    MapErr(Closure),
    ErrInto(Closure),
    InspectOk(Closure),
    InspectErr(Closure),
    AndThen(Next),
    OrElse(Next),
    Defer,
}

/// A value or an error that is there at once or later. Leaves are numbered as they are met.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) index: usize,
    pub(super) fails: bool,
}

/// A closure. They are numbered in the order in which a program that never waits calls them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closure(pub(super) usize);

/// A closure that fails early or goes on with a program.
#[derive(Debug)]
pub(super) struct Start {
    pub(super) f: Closure,
    pub(super) fails: bool,
    pub(super) program: Box<Program>,
}

/// A closure that goes on with a program.
#[derive(Debug)]
pub(super) struct Next {
    pub(super) f: Closure,
    pub(super) program: Program,
}

/// Two programs side by side, and what makes one value of their two.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) left: Box<Program>,
    pub(super) right: Box<Program>,
    pub(super) f: Closure,
}

/// Any number of programs side by side, and what makes one value of theirs.
#[derive(Debug)]
pub(super) struct Many {
    pub(super) programs: Vec<Program>,
    pub(super) f: Closure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timing {
    /// The value is there.
    Ready,
    /// The value is there, and held back by `defer`.
    Deferred,
    /// Pending so many polls, each of which wakes the task.
    Yields(usize),
    /// Pending until somebody else wakes the task.
    Gated,
}

/// Which of the gated leaves is woken, when all that can be done is to wait for them.
#[derive(Clone, Copy, Debug)]
pub(super) enum WakeOrder {
    First,
    Last,
    All,
}

/// For each concurrent node around a place: which node it is, and in which branch the place is.
type Lane = Vec<(usize, usize)>;

impl Case {
    /// Reads a program out of any bytes; fewer and smaller bytes make a smaller program.
    pub(super) fn read(bytes: &[u8], timings: &[u8]) -> Self {
        let mut reader = Reader {
            bytes: bytes.iter(),
            leaves: 0,
            lane: Lane::new(),
            lanes: Vec::new(),
            defers: false,
            races: false,
        };
        let program = reader.program();
        let mut bytes = timings.iter();
        Self {
            program,
            timings: (0..reader.leaves)
                .map(|_| match pick(&mut bytes, 6) {
                    0 => Timing::Ready,
                    1 => Timing::Deferred,
                    5 => Timing::Gated,
                    n => Timing::Yields(n - 2),
                })
                .collect(),
            wake_order: match pick(&mut bytes, 3) {
                0 => WakeOrder::First,
                1 => WakeOrder::Last,
                _ => WakeOrder::All,
            },
            lanes: reader.lanes,
            defers: reader.defers,
            races: reader.races,
        }
    }

    /// Whether two closures are in different branches of a concurrent node.
    pub(super) fn are_concurrent(&self, one: usize, other: usize) -> bool {
        let mut forks = self.lanes[one].iter().zip(&self.lanes[other]);
        forks
            .find(|(one, other)| one != other)
            .is_some_and(|(one, other)| one.0 == other.0)
    }
}

/// On one line, which can be read where the derived form is pages long.
impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            program,
            timings,
            wake_order,
            ..
        } = self;
        write!(
            f,
            "{program:?}, timings: {timings:?}, wake order: {wake_order:?}"
        )
    }
}

struct Reader<'a> {
    bytes: slice::Iter<'a, u8>,
    leaves: usize,
    lane: Lane,
    lanes: Vec<Lane>,
    defers: bool,
    races: bool,
}

impl Reader<'_> {
    fn pick(&mut self, choices: usize) -> usize {
        pick(&mut self.bytes, choices)
    }

    fn program(&mut self) -> Program {
        Program {
            source: self.source(),
            steps: (0..self.pick(5)).map(|_| self.step()).collect(),
        }
    }

    fn source(&mut self) -> Source {
        match self.pick(12) {
            0..=4 => Source::Leaf(self.leaf()),
            5 => Source::TryFromFn(Start {
                f: self.closure(),
                fails: self.pick(4) == 3,
                program: Box::new(self.program()),
            }),
            6 => Source::Zip(self.pair()),
            7 => Source::JoinAll(self.many()),
            8 => Source::Fold(self.nexts()),
            9 => Source::TryFold(self.nexts()),
            10 => {
                self.races = true;
                Source::TryZip(self.pair())
            }
            _ => {
                self.races = true;
                Source::TryJoinAll(self.many())
            }
        }
    }

    fn step(&mut self) -> Step {
        match self.pick(13) {
            0 => Step::Map {
                f: self.closure(),
                flips: self.pick(2) == 1,
            },
            1 => Step::MapBothArms(self.closure()),
            2 => Step::Inspect(self.closure()),
            3 => Step::MapOk(self.closure()),
            4 => Step::MapErr(self.closure()),
            5 => Step::ErrInto(self.closure()),
            6 => Step::InspectOk(self.closure()),
            7 => Step::InspectErr(self.closure()),
            8 => Step::Then(self.next()),
            9 => Step::AndThen(self.next()),
            10 => Step::OrElse(self.next()),
            11 => {
                self.defers = true;
                Step::ThenFuture(self.next())
            }
            _ => {
                self.defers = true;
                Step::Defer
            }
        }
    }

    fn leaf(&mut self) -> Leaf {
        self.leaves += 1;
        Leaf {
            index: self.leaves - 1,
            fails: self.pick(3) == 2,
        }
    }

    fn closure(&mut self) -> Closure {
        self.lanes.push(self.lane.clone());
        Closure(self.lanes.len() - 1)
    }

    fn next(&mut self) -> Next {
        Next {
            f: self.closure(),
            program: self.program(),
        }
    }

    fn pair(&mut self) -> Pair {
        let node = self.lanes.len();
        Pair {
            left: Box::new(self.branch(node, 0)),
            right: Box::new(self.branch(node, 1)),
            f: self.closure(),
        }
    }

    fn many(&mut self) -> Many {
        let node = self.lanes.len();
        Many {
            programs: (0..self.pick(7)).map(|it| self.branch(node, it)).collect(),
            f: self.closure(),
        }
    }

    fn nexts(&mut self) -> Vec<Next> {
        (0..self.pick(4)).map(|_| self.next()).collect()
    }

    fn branch(&mut self, node: usize, number: usize) -> Program {
        self.lane.push((node, number));
        let program = self.program();
        self.lane.pop();
        program
    }
}

/// The next byte as one of so many choices. The first choice is the simplest.
fn pick(bytes: &mut slice::Iter<'_, u8>, choices: usize) -> usize {
    bytes
        .next()
        .map_or(0, |&byte| usize::from(byte) * choices / 256)
}
