//! The text of a response while it is written, with holes where something is pending.

use std::collections::HashMap;
use std::ops::Range;

use futures_util::future::BoxFuture;

use super::schema::Type;
use super::{FieldError, Value};

/// JSON text is appended in passes. Each completes one value as far as it is ready, and leaves a
/// hole where it is not; what belongs there is appended by a later pass. So nothing that is written
/// is moved or looked at again before all is put together.
pub(super) struct Output<'c> {
    pub(super) bytes: Vec<u8>,
    holes: Vec<Hole<'c>>,
    /// The open holes that have been covered since it was last asked.
    pub(super) covered: Vec<usize>,
    /// How many holes are of passes that are over.
    seen: usize,
    /// How many bytes and holes are of the first pass.
    first: (usize, usize),
    regions: Vec<Region>,
    pub(super) errors: Vec<Located>,
    /// Where in the response the pass is.
    pub(super) path: Vec<Segment>,
    /// The hole that the pass fills.
    parent: Option<usize>,
    /// The paths of the holes.
    paths: Vec<Segment>,
    /// The nulls that were put in the place of regions, and the path of the error behind each.
    nulled: HashMap<Vec<Segment>, Vec<Segment>>,
}

/// A place in the text for a value that was pending.
struct Hole<'c> {
    /// What it takes the place of: nothing, or a region.
    bytes: Range<usize>,
    fill: Fill<'c>,
    /// The field that it is the value of, or an item of.
    field: usize,
    ty: &'c Type,
    path: Range<usize>,
    /// The innermost one of the same pass around it.
    region: Option<usize>,
    parent: Option<usize>,
}

pub(super) type Pending<'c> = BoxFuture<'c, Result<Value<'c, 'c>, FieldError>>;

enum Fill<'c> {
    /// Its field is to be resolved after those before it.
    Later,
    /// The pass is not over.
    Started(Pending<'c>),
    Open,
    /// What another pass wrote.
    Text {
        bytes: Range<usize>,
        holes: Range<usize>,
    },
    Null,
    /// It lies within a region that is null.
    Covered,
}

/// The text of a nullable value with holes in it, which may have to become null.
struct Region {
    bytes: Range<usize>,
    holes: Range<usize>,
    /// The length of its path.
    depth: usize,
}

/// A step of a path. Those of one object or list are ordered as in the response.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Segment {
    Field(usize),
    Index(usize),
}

impl Hole<'_> {
    fn is_covered(&self) -> bool {
        matches!(self.fill, Fill::Covered)
    }
}

/// The text from the first hole on.
struct Rest {
    start: usize,
    bytes: Vec<u8>,
}

impl Rest {
    fn part(&self, bytes: Range<usize>) -> &[u8] {
        &self.bytes[bytes.start - self.start..bytes.end - self.start]
    }
}

/// An error with its place.
pub(super) struct Located {
    pub(super) path: Vec<Segment>,
    pub(super) field: usize,
    pub(super) message: String,
}

/// A non-null value is null, and the error is noted.
#[derive(Clone, Copy)]
pub(super) struct Nulled;

/// Where a value begins, to return to.
pub(super) struct Mark {
    bytes: usize,
    holes: usize,
    regions: usize,
    errors: usize,
    depth: usize,
}

impl<'c> Output<'c> {
    pub(super) fn new() -> Self {
        Output {
            bytes: Vec::with_capacity(1024),
            holes: Vec::new(),
            covered: Vec::new(),
            seen: 0,
            first: (0, 0),
            regions: Vec::new(),
            errors: Vec::new(),
            path: Vec::new(),
            parent: None,
            paths: Vec::new(),
            nulled: HashMap::new(),
        }
    }

    #[inline]
    pub(super) fn mark(&self) -> Mark {
        Mark {
            bytes: self.bytes.len(),
            holes: self.holes.len(),
            regions: self.regions.len(),
            errors: self.errors.len(),
            depth: self.path.len(),
        }
    }

    /// Forgets what was written since. Futures are dropped, and of the errors the last remains.
    fn rewind(&mut self, mark: &Mark) {
        self.bytes.truncate(mark.bytes);
        self.holes.truncate(mark.holes);
        self.regions.truncate(mark.regions);
        self.errors.drain(mark.errors..self.errors.len() - 1);
        self.path.truncate(mark.depth);
    }

    /// Ends a value that may be null.
    #[inline]
    pub(super) fn nullable(&mut self, mark: &Mark, outcome: Result<(), Nulled>) {
        if let Err(Nulled) = outcome {
            self.rewind(mark);
            self.bytes.extend_from_slice(b"null");
        } else if self.holes.len() > mark.holes {
            self.enclose(mark);
        }
    }

    /// Makes a region of what was written since, with holes.
    fn enclose(&mut self, mark: &Mark) {
        let holes = mark.holes..self.holes.len();
        for hole in &mut self.holes[holes.clone()] {
            hole.region.get_or_insert(self.regions.len());
        }
        let bytes = mark.bytes..self.bytes.len();
        self.regions.push(Region {
            bytes,
            holes,
            depth: mark.depth,
        });
    }

    /// Leaves a hole for a field that is resolved later, or for what a future will give.
    pub(super) fn leave(&mut self, field: usize, ty: &'c Type, future: Option<Pending<'c>>) {
        let start = self.paths.len();
        self.paths.extend_from_slice(&self.path);
        self.holes.push(Hole {
            bytes: self.bytes.len()..self.bytes.len(),
            fill: future.map_or(Fill::Later, Fill::Started),
            field,
            ty,
            path: start..self.paths.len(),
            region: None,
            parent: self.parent,
        });
    }

    /// Opens the next hole of those that the last pass left, with the future to wait for.
    pub(super) fn open_next(&mut self) -> Option<(usize, Pending<'c>)> {
        while let Some(Hole { fill, .. }) = self.holes.get_mut(self.seen) {
            self.seen += 1;
            match std::mem::replace(fill, Fill::Open) {
                Fill::Started(future) => return Some((self.seen - 1, future)),
                other => *fill = other,
            }
        }
        None
    }

    /// Opens a hole whose field is to be resolved now, unless there is none or it is covered.
    pub(super) fn open_later(&mut self, hole: usize) -> Option<usize> {
        match self.holes.get_mut(hole)? {
            Hole {
                fill: fill @ Fill::Later,
                field,
                ..
            } => {
                *fill = Fill::Open;
                Some(*field)
            }
            _ => None,
        }
    }

    /// The field that belongs into a hole, and the type of its value.
    pub(super) fn place(&self, hole: usize) -> (usize, &'c Type) {
        (self.holes[hole].field, self.holes[hole].ty)
    }

    pub(super) fn end_first(&mut self) {
        self.first = (self.bytes.len(), self.holes.len());
    }

    /// Begins the pass that fills a hole.
    pub(super) fn begin(&mut self, hole: usize) -> Mark {
        self.parent = Some(hole);
        self.path.clear();
        self.path
            .extend_from_slice(&self.paths[self.holes[hole].path.clone()]);
        self.mark()
    }

    /// Ends the pass that fills a hole.
    pub(super) fn end(&mut self, hole: usize, mark: &Mark, outcome: Result<(), Nulled>) {
        if let Err(Nulled) = outcome {
            self.rewind(mark);
            self.holes[hole].fill = Fill::Covered;
            self.null_around(hole);
        } else {
            let (bytes, holes) = (mark.bytes..self.bytes.len(), mark.holes..self.holes.len());
            self.holes[hole].fill = Fill::Text { bytes, holes };
        }
    }

    /// Puts a null in the place of the innermost region around a hole, for the last error.
    fn null_around(&mut self, mut hole: usize) {
        let region = loop {
            match self.holes[hole].region {
                Some(region) => break &self.regions[region],
                // What its pass wrote is no more nullable than the hole of that pass.
                None => hole = self.holes[hole].parent.expect("the response is nullable"),
            }
        };
        let (bytes, holes, depth) = (region.bytes.clone(), region.holes.clone(), region.depth);
        let path = self.holes[holes.start].path.start;
        let cause = self.errors.last().expect("there is a reason").path.clone();
        self.nulled
            .insert(self.paths[path..path + depth].to_vec(), cause);
        for hole in holes.clone() {
            self.cover(hole);
        }
        let first = &mut self.holes[holes.start];
        (first.bytes, first.fill) = (bytes, Fill::Null);
    }

    fn cover(&mut self, hole: usize) {
        match std::mem::replace(&mut self.holes[hole].fill, Fill::Covered) {
            Fill::Open => self.covered.push(hole),
            Fill::Text { holes, .. } => holes.for_each(|hole| self.cover(hole)),
            Fill::Later | Fill::Started(_) | Fill::Null | Fill::Covered => {}
        }
    }

    /// The path of the first value that is pending.
    pub(super) fn first_open(&self) -> Option<&[Segment]> {
        let open = self
            .holes
            .iter()
            .filter(|hole| matches!(hole.fill, Fill::Open));
        open.map(|hole| &self.paths[hole.path.clone()]).min()
    }

    /// Puts the text together. What is before the first hole stays where it is.
    pub(super) fn take_text(&mut self) -> Vec<u8> {
        let (bytes, holes) = self.first;
        let mut text = std::mem::take(&mut self.bytes);
        let mut filled = self.holes[..holes].iter().filter(|hole| !hole.is_covered());
        if let Some(Hole { bytes: first, .. }) = filled.next() {
            let rest = Rest {
                start: first.start,
                bytes: text.split_off(first.start),
            };
            self.write(&rest, &mut text, first.start..bytes, 0..holes);
        }
        text
    }

    fn write(&self, rest: &Rest, text: &mut Vec<u8>, bytes: Range<usize>, holes: Range<usize>) {
        let mut written = bytes.start;
        for hole in self.holes[holes].iter().filter(|hole| !hole.is_covered()) {
            text.extend_from_slice(rest.part(written..hole.bytes.start));
            written = hole.bytes.end;
            match &hole.fill {
                Fill::Text { bytes, holes } => {
                    self.write(rest, text, bytes.clone(), holes.clone());
                }
                _ => text.extend_from_slice(b"null"),
            }
        }
        text.extend_from_slice(rest.part(written..bytes.end));
    }

    /// The errors in the order of the response, without those below a null that has another reason.
    pub(super) fn take_errors(&mut self) -> Vec<Located> {
        let mut errors = std::mem::take(&mut self.errors);
        if !self.nulled.is_empty() {
            errors.retain(|Located { path, .. }| {
                (0..=path.len())
                    .filter_map(|depth| self.nulled.get(&path[..depth]))
                    .all(|cause| cause == path)
            });
        }
        errors.sort_by(|one, other| one.path.cmp(&other.path));
        errors
    }
}
