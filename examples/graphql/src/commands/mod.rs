//! The commands of the program.

mod explain;
mod progress;
mod query;
mod synthesize;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use graphql_example::packages;

/// Queries the packages of a lock file with GraphQL.
#[derive(Debug, Parser)]
#[command(name = "graphql-example")]
pub(crate) struct Program {
    #[command(subcommand)]
    command: Command,
}

/// Says of an error of which database it is.
fn cannot_fill(database: &Path) -> impl Fn(packages::Error) -> String {
    move |error| format!("cannot fill `{}`: {error}", database.display())
}

#[derive(Debug, Subcommand)]
enum Command {
    Query(query::Query),
    Synthesize(synthesize::Synthesize),
}

impl Program {
    /// Runs the command; the exit code is that of a query whose answer has errors.
    pub(crate) fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        match self.command {
            Command::Query(query) => query.run(),
            Command::Synthesize(synthesize) => synthesize.run(),
        }
    }
}
