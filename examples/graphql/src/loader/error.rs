use std::any::Any;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// Why a load failed.
///
/// It is cheap to clone if `E` is, for an error is remembered, and goes to all who load its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError<E> {
    /// The batch function gave this error for the key. It is remembered as a value would be,
    /// unless the loader was [built otherwise](super::LoaderBuilder::remember_errors).
    Key(E),
    /// The batch as a whole gave no answer. That is not remembered: the next load fetches again.
    Batch(Arc<BatchError>),
}

/// Why a batch gave no answer to any of its loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchError {
    /// The batch function, or its future, panicked.
    Panicked {
        /// What the panic said, or an empty string if that was no text.
        message: String,
    },
    /// The batch function did not give one result for each key.
    WrongCount {
        /// How many keys it was called with.
        keys: usize,
        /// How many results it gave.
        results: usize,
    },
}

impl BatchError {
    pub(super) fn panicked(payload: Box<dyn Any + Send>) -> Self {
        let message = match payload.downcast::<String>() {
            Ok(message) => *message,
            Err(payload) => payload
                .downcast_ref::<&str>()
                .map_or_else(String::new, ToString::to_string),
        };
        Self::Panicked { message }
    }
}

impl<E: fmt::Display> fmt::Display for LoadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(error) => error.fmt(f),
            Self::Batch(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked { message } => write!(f, "the batch function panicked: {message}"),
            Self::WrongCount { keys, results } => write!(
                f,
                "the batch function gave {results} results for {keys} keys"
            ),
        }
    }
}

/// It shows what it holds, and so it has the source of that.
impl<E: Error> Error for LoadError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Key(error) => error.source(),
            Self::Batch(error) => error.source(),
        }
    }
}

impl Error for BatchError {}
