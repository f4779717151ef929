use std::fmt;
use std::sync::Arc;

use rusqlite::ErrorCode;

/// What went wrong, in words for whoever asked.
///
/// It is cheap to clone, for loaders give it to all who wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: Arc<str>,
    passing: bool,
}

impl Error {
    pub(super) fn new(message: impl fmt::Display) -> Self {
        Self {
            message: message.to_string().into(),
            passing: false,
        }
    }

    /// An error of the database, whatever was asked.
    pub(super) fn passing(message: impl fmt::Display) -> Self {
        Self {
            passing: true,
            ..Self::new(message)
        }
    }

    /// Whether it tells of the database and not of what was asked, so that it is worth asking again.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        self.passing
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                Self::passing("the database is locked by another process")
            }
            _ => Self::passing(error),
        }
    }
}
