use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use graphql_example::packages::Database;

use super::cannot_fill;
use super::progress::progress;

/// Fills a new database with made-up packages, which have about three dependencies each
#[derive(Args, Debug)]
pub(crate) struct Synthesize {
    /// How many packages
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    packages: u32,

    /// The database, which must have no packages yet
    file: PathBuf,
}

impl Synthesize {
    pub(crate) fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let database = Database::open(&self.file)?;
        if !database.is_empty()? {
            return Err(format!("`{}` has packages already", self.file.display()).into());
        }
        let progress = progress(Some(self.packages.into()), "packages written");
        let filled = database.synthesize(self.packages, |written| progress.inc(written));
        filled.map_err(cannot_fill(&self.file))?;
        progress.finish_and_clear();
        Ok(ExitCode::SUCCESS)
    }
}
