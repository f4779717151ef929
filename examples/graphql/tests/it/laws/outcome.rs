//! What is to be expected of an execution, and how outcomes make up the outcome of what is around
//! them.
//!
//! Time passes only while all that goes on waits for it. So it is known when there is what, and
//! what is not waited for because a failure has made null of something around it.

use std::fmt::Write;
use std::ops::Range;

use super::world::Call;

/// What is to be expected of the execution of a case.
pub(super) struct Expected {
    pub(super) data: String,
    /// For each error those of which it has to be one.
    pub(super) errors: Vec<AnyOf>,
    /// Whether the response is there without a poll.
    pub(super) ready: bool,
    /// When there is the response.
    pub(super) at: u32,
    /// The path of the first field that it waits for, if it is not ready.
    pub(super) pending: Option<String>,
    /// What is called and waited for.
    pub(super) log: Log,
    /// How often a failure made null of something around it.
    pub(super) spreads: usize,
}

/// Errors as JSON, of which one is to be reported.
pub(super) type AnyOf = Vec<String>;

impl Expected {
    pub(super) fn has_choice(&self) -> bool {
        self.errors.iter().any(|any_of| any_of.len() > 1)
    }

    /// The response, if there is no choice.
    pub(super) fn json(&self) -> String {
        let mut text = format!("{{\"data\":{}", self.data);
        if !self.errors.is_empty() {
            let any_of = self.errors.iter().map(|any_of| any_of.join(" or "));
            let errors = any_of.collect::<Vec<_>>().join(",");
            write!(text, ",\"errors\":[{errors}]").expect("a string has room");
        }
        text + "}"
    }

    /// How many answers are waited for when nothing more happens at that time.
    pub(super) fn waits_at(&self, now: u32) -> usize {
        let waits = self.log.waits.iter();
        waits.filter(|times| times.contains(&now)).count()
    }
}

/// What is called and waited for, in the order in which a program that never waits does it.
#[derive(Default)]
pub(super) struct Log {
    pub(super) calls: Vec<LoggedCall>,
    /// From when to when each answer is waited for.
    pub(super) waits: Vec<Range<u32>>,
    /// Whether anything was covered.
    pub(super) cuts: bool,
}

pub(super) struct LoggedCall {
    pub(super) call: Call,
    at: u32,
    /// Or else it may come too late, for a failure at the same time.
    pub(super) is_certain: bool,
}

/// A place in a [`Log`].
pub(super) struct Mark {
    calls: usize,
    waits: usize,
}

impl Log {
    pub(super) fn call(&mut self, call: Call, at: u32) {
        self.calls.push(LoggedCall {
            call,
            at,
            is_certain: true,
        });
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            calls: self.calls.len(),
            waits: self.waits.len(),
        }
    }

    /// Nothing that was logged since goes on at that time.
    fn cover(&mut self, mark: &Mark, at: u32) {
        self.cuts = true;
        let mut later = self.calls.split_off(mark.calls);
        later.retain(|call| call.at <= at);
        for call in &mut later {
            call.is_certain &= call.at < at;
        }
        self.calls.append(&mut later);
        for wait in &mut self.waits[mark.waits..] {
            wait.end = wait.end.min(at);
        }
    }
}

/// What became of a field, an item, a selection or the like.
pub(super) struct Outcome {
    /// It is there without waiting, once it is begun.
    pub(super) ready: bool,
    /// When it is there.
    pub(super) at: u32,
    /// The JSON text and the errors in it, in the order of the response. Or the errors of which
    /// one makes null of what is around it.
    pub(super) result: Result<(String, Vec<AnyOf>), AnyOf>,
    /// The path of the first that it waits for.
    pub(super) pending: Option<String>,
}

impl Outcome {
    pub(super) fn ready(text: String, at: u32) -> Self {
        Self {
            ready: true,
            at,
            result: Ok((text, Vec::new())),
            pending: None,
        }
    }

    pub(super) fn failed(error: String, at: u32) -> Self {
        Self {
            ready: true,
            at,
            result: Err(vec![error]),
            pending: None,
        }
    }
}

/// Makes one outcome of those of several fields or items, which are begun together, or serially
/// each when the one before it is there.
pub(super) struct Gathered {
    is_serial: bool,
    start: Mark,
    ready: bool,
    at: u32,
    errors: Vec<AnyOf>,
    failed: Option<AnyOf>,
    pending: Option<String>,
}

impl Gathered {
    pub(super) fn new(log: &Log, at: u32, is_serial: bool) -> Self {
        Self {
            is_serial,
            start: log.mark(),
            ready: true,
            at,
            errors: Vec::new(),
            failed: None,
            pending: None,
        }
    }

    /// When the next one begins, if it does.
    pub(super) fn next(&self, begun: u32) -> Option<u32> {
        match self.failed {
            // It failed at once, or before the next one.
            Some(_) if self.ready || self.is_serial => None,
            _ if self.is_serial => Some(self.at),
            _ => Some(begun),
        }
    }

    /// Returns the text, if it did not fail.
    pub(super) fn add(&mut self, log: &mut Log, outcome: Outcome) -> Option<String> {
        let was_ready = self.ready;
        self.ready &= outcome.ready;
        self.pending = self.pending.take().or(outcome.pending);
        match outcome.result {
            Ok((text, errors)) => {
                self.errors.extend(errors);
                if self.failed.is_none() {
                    self.at = self.at.max(outcome.at);
                }
                return Some(text);
            }
            Err(any_of) if self.is_serial => {
                self.at = outcome.at;
                self.failed = Some(any_of);
            }
            Err(any_of) if outcome.ready => {
                // Nobody waits for those before.
                self.ready = true;
                self.pending = None;
                self.at = outcome.at;
                self.failed = Some(any_of);
                if !was_ready {
                    log.cover(&self.start, self.at);
                }
            }
            Err(any_of) => match &mut self.failed {
                // The first to fail, or one of those that do so at the same time.
                Some(_) if self.at < outcome.at => {}
                Some(failed) if self.at == outcome.at => failed.extend(any_of),
                failed => {
                    *failed = Some(any_of);
                    self.at = outcome.at;
                }
            },
        }
        None
    }

    pub(super) fn outcome(self, log: &mut Log, text: String) -> Outcome {
        let result = match self.failed {
            Some(failed) => {
                if !self.ready && !self.is_serial {
                    log.cover(&self.start, self.at);
                }
                Err(failed)
            }
            None => Ok((text, self.errors)),
        };
        Outcome {
            ready: self.ready,
            at: self.at,
            result,
            pending: self.pending,
        }
    }
}
