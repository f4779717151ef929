use std::fs;
use std::path::Path;

use cargo_lock::Lockfile;

use super::Error;

/// The name that cargo gives to lock files.
const NAME: &str = "Cargo.lock";

/// A lock file that was read.
#[derive(Debug)]
pub struct LockFile(pub(super) Lockfile);

impl LockFile {
    /// Reads the lock file at `path`.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it is not a lock file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let at = path.display();
        let bytes = fs::read(path)
            .map_err(|error| Error::new(format_args!("cannot read `{at}`: {error}")))?;
        let refuse = |reason: &str| Error::new(format_args!("`{at}` is not a lock file: {reason}"));
        let text = str::from_utf8(&bytes).map_err(|_| refuse("it is not text"))?;
        let lock: Lockfile = text.parse().map_err(|error| match error {
            cargo_lock::Error::Parse(message) => refuse(&brief(&message)),
            error => refuse(&error.to_string()),
        })?;
        // Any TOML would do for an empty lock file, and no lock file is empty.
        if lock.packages.is_empty() {
            return Err(refuse("it lists no packages"));
        }
        Ok(Self(lock))
    }

    /// Reads the `Cargo.lock` in `folder` or the nearest one above.
    ///
    /// # Errors
    ///
    /// If there is none, or it is not a lock file.
    pub fn nearest(folder: &Path) -> Result<Self, Error> {
        let folder = std::path::absolute(folder).map_err(Error::new)?;
        let found = folder
            .ancestors()
            .map(|folder| folder.join(NAME))
            .find(|path| path.is_file());
        let path = found.ok_or_else(|| {
            Error::new(format_args!(
                "there is no {NAME} in `{}` or above",
                folder.display()
            ))
        })?;
        Self::read(&path)
    }
}

/// The first and the last line of a message: where and what, without the picture in between.
fn brief(message: &str) -> String {
    let mut lines = message.lines();
    let first = lines.next().unwrap_or_default();
    lines
        .next_back()
        .map_or_else(|| first.to_owned(), |last| format!("{first}: {last}"))
}
