use std::fmt;
use std::time::Duration;

use graphql_example::loader::Stats;

type ByLoader = [(&'static str, Stats); 5];

/// What one run of a query cost.
#[derive(Debug)]
pub(crate) struct Explanation {
    /// Whether the answer was there without waiting.
    pub(crate) ready: bool,
    pub(crate) time: Duration,
    /// What the loaders had done before the run, and after it.
    pub(crate) before: ByLoader,
    pub(crate) after: ByLoader,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            ready,
            time,
            before,
            after,
        } = self;
        let when = if *ready { "ready at once" } else { "pending" };
        writeln!(f, "{when}, {time:.1?}")?;
        let row = ["loader", "loads", "hits", "misses", "batches"];
        writeln!(
            f,
            "  {:<14}{:>10}{:>10}{:>10}{:>10}",
            row[0], row[1], row[2], row[3], row[4]
        )?;
        for ((name, before), (_, after)) in before.iter().zip(after) {
            let (loads, hits) = (after.loads - before.loads, after.hits - before.hits);
            let (misses, batches) = (after.misses - before.misses, after.batches - before.batches);
            writeln!(
                f,
                "  {name:<14}{loads:>10}{hits:>10}{misses:>10}{batches:>10}"
            )?;
        }
        Ok(())
    }
}
