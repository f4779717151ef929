use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use graphql_example::executor::{Request, Response, execute};
use graphql_example::packages::{Database, LockFile, Packages, schema};
use serde_json::{Deserializer, Map, Serializer, Value};
use tokio::runtime::Builder;

use super::cannot_fill;
use super::explain::Explanation;
use super::progress::progress;

/// Answers a query with JSON on stdout
#[derive(Args, Debug)]
pub(crate) struct Query {
    /// The query, in GraphQL
    #[arg(value_name = "QUERY")]
    text: String,

    /// The lock file [default: the nearest Cargo.lock, from here upwards]
    #[arg(long, value_name = "FILE")]
    lock: Option<PathBuf>,

    /// Keep the packages in this file instead of in memory; without --lock, use those in it
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,

    /// The operation to run, if the query has several
    #[arg(long, value_name = "NAME")]
    operation: Option<String>,

    /// The variables, as an object
    #[arg(long, value_name = "JSON", value_parser = variables)]
    variables: Option<Map<String, Value>>,

    /// Run the query so many times and print the last answer
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// Tell on stderr what each run asked of the loaders, and how long it took
    #[arg(long)]
    explain: bool,

    /// Indent the answer, as on a terminal
    #[arg(long)]
    pretty: bool,
}

fn variables(text: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(text) {
        Ok(Value::Object(variables)) => Ok(variables),
        Ok(_) => Err("it is no JSON object".to_owned()),
        Err(error) => Err(format!("it is no JSON: {error}")),
    }
}

impl Query {
    pub(crate) fn run(self) -> Result<ExitCode, Box<dyn std::error::Error>> {
        let database = self.open()?;
        let mut request = Request::new(&self.text);
        if let Some(operation) = self.operation {
            request = request.operation(operation);
        }
        if let Some(variables) = self.variables {
            request = request.variables(variables);
        }
        let rows = progress(None, "rows loaded");
        let counted = rows.clone();
        let packages = Packages::new(database, move |loaded| counted.inc(loaded));
        let schema = schema();
        // One thread for what blocks, since there is one connection to wait for.
        let runtime = Builder::new_current_thread()
            .max_blocking_threads(1)
            .build()?;

        let mut explanations = Vec::new();
        let mut run = || {
            let (before, start) = (packages.stats(), Instant::now());
            let answer = execute(&request, &schema, &packages);
            let ready = answer.is_ready();
            let response = answer.unwrap_or_else(|pending| runtime.block_on(pending));
            let (time, after) = (start.elapsed(), packages.stats());
            if self.explain {
                explanations.push(Explanation {
                    ready,
                    time,
                    before,
                    after,
                });
            }
            response
        };
        for _ in 1..self.repeat {
            run();
        }
        let response = run();
        rows.finish_and_clear();

        print(&response, self.pretty || io::stdout().is_terminal())?;
        for (run, explanation) in (1..).zip(explanations) {
            // Nobody reads it if it cannot be written.
            let _ = write!(io::stderr(), "run {run}: {explanation}");
        }
        Ok(if response.errors().is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }

    /// Opens a database that has packages, or fills one.
    fn open(&self) -> Result<Database, Box<dyn std::error::Error>> {
        if let (Some(path), None) = (&self.database, &self.lock)
            && path.exists()
        {
            let database = Database::open(path)?;
            if !database.is_empty()? {
                return Ok(database);
            }
        }
        // The lock file comes first, so that no database is created for nothing.
        let lock = match &self.lock {
            Some(path) => LockFile::read(path)?,
            None => LockFile::nearest(".".as_ref())?,
        };
        if let Some(path) = &self.database {
            let database = Database::open(path)?;
            database.import(&lock).map_err(cannot_fill(path))?;
            return Ok(database);
        }
        let database = Database::in_memory()?;
        database.import(&lock)?;
        Ok(database)
    }
}

/// Writes the answer on a line, or on many.
fn print(response: &Response, pretty: bool) -> Result<(), String> {
    let mut out = BufWriter::new(io::stdout().lock());
    let written = if pretty {
        let mut answer = Deserializer::from_slice(response.as_json());
        // An answer is no deeper than the executor goes.
        answer.disable_recursion_limit();
        serde_transcode::transcode(&mut answer, &mut Serializer::pretty(&mut out))
            .map_err(io::Error::from)
    } else {
        out.write_all(response.as_json())
    };
    match written
        .and_then(|()| writeln!(out))
        .and_then(|()| out.flush())
    {
        // Whoever reads has read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(format!("cannot write the answer: {error}")),
        Ok(()) => Ok(()),
    }
}
