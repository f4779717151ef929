//! Queries the packages of a lock file.

mod commands;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser as _;

use crate::commands::Program;

fn main() -> ExitCode {
    let program = match Program::try_parse() {
        Ok(program) => program,
        Err(usage) => {
            // There is nothing to be done if it cannot be printed.
            let _ = usage.print();
            return if usage.use_stderr() {
                ExitCode::FAILURE
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    program.run().unwrap_or_else(|error| {
        let _ = writeln!(io::stderr(), "error: {error}");
        ExitCode::FAILURE
    })
}
