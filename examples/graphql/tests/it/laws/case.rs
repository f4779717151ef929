//! Random cases: said once, answered by the executor and by the naive evaluator.

use std::fmt;
use std::sync::Arc;

use super::data::Data;
use super::query::Query;
use super::reader::Reader;
use super::schema::Schema;

pub(super) struct Case {
    pub(super) schema: Schema,
    pub(super) data: Arc<Data>,
    pub(super) query: Query,
    /// When there is each answer of the data. The same query is executed with other timings, too.
    pub(super) timings: Vec<Timing>,
    pub(super) wake_order: WakeOrder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timing {
    /// The answer is there.
    Ready,
    /// The answer is there, and held back by `defer`.
    Deferred,
    /// Pending so many polls, each of which wakes the task.
    Yields(usize),
    /// Pending for so long, until somebody else wakes the task.
    After(u32),
}

impl Timing {
    /// How long one has to wait. It takes no time to poll.
    pub(super) fn latency(self) -> u32 {
        match self {
            Self::After(latency) => latency,
            _ => 0,
        }
    }
}

/// Which of the answers comes first that are due at the same time.
#[derive(Clone, Copy, Debug)]
pub(super) enum WakeOrder {
    First,
    Last,
    All,
}

impl Case {
    pub(super) fn read(schema: &[u8], data: &[u8], query: &[u8], timings: &[u8]) -> Self {
        let schema = Schema::read(&Reader::new(schema));
        let data = Data::read(&Reader::new(data), &schema);
        let query = Query::read(&Reader::new(query), &schema);
        let reader = Reader::new(timings);
        let wake_order = reader.among(&[WakeOrder::First, WakeOrder::Last, WakeOrder::All]);
        // There are cases where nearly all is ready, and cases where little is.
        let pending = reader.pick(4);
        let timings = (0..data.answers).map(|_| match (reader.pick(4), reader.pick(7)) {
            (ready, _) if ready >= pending => Timing::Ready,
            (_, 0) => Timing::Deferred,
            (_, 4) => Timing::After(1),
            (_, 5) => Timing::After(2),
            (_, 6) => Timing::After(3),
            (_, n) => Timing::Yields(n - 1),
        });
        Self {
            timings: timings.collect(),
            data: Arc::new(data),
            schema,
            query,
            wake_order,
        }
    }
}

/// Text that can be read, where the derived form is pages long.
impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            schema,
            data,
            query,
            timings,
            wake_order,
        } = self;
        let Query {
            text,
            operation,
            variables,
        } = query;
        let variables = serde_json::Value::from(variables.clone());
        writeln!(f, "\n{schema}\n{data:?}\n{text}\n")?;
        writeln!(f, "operation: {operation:?}, variables: {variables}")?;
        writeln!(f, "timings: {timings:?}, wake order: {wake_order:?}")
    }
}
