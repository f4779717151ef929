//! The commands of the program.

mod explain;
mod progress;
mod query;
mod synthesize;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Queries the packages of a lock file with GraphQL.
#[derive(Debug, Parser)]
#[command(name = "graphql-example")]
pub(crate) struct Program {
    #[command(subcommand)]
    command: Command,
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
