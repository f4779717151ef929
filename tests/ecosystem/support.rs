//! What all of them look up.

use std::error::Error;
use std::fmt;

use maybe_ready::MaybeReady;
use smol::future::yield_now;

/// The name of a user. It is known if the number is even, else the task waits a turn, on any runtime.
pub(crate) fn name(id: u32) -> MaybeReady<String, impl Future<Output = String> + Send> {
    if id.is_multiple_of(2) {
        return MaybeReady::Ready(format!("user {id}"));
    }
    MaybeReady::Pending(async move {
        yield_now().await;
        format!("user {id}")
    })
}

/// The same, but there are no users from 100 on.
pub(crate) fn checked_name(
    id: u32,
) -> MaybeReady<Result<String, Unknown>, impl Future<Output = Result<String, Unknown>> + Send> {
    name(id).map(move |name| if id < 100 { Ok(name) } else { Err(Unknown(id)) })
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unknown(pub(crate) u32);

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no user {}", self.0)
    }
}

impl Error for Unknown {}

/// Many users that are known: who else gets a turn while one task looks them up?
pub(crate) fn hits() -> impl Iterator<Item = u32> {
    (0..10_000).map(|n| 2 * n)
}
