//! Many values at once.

mod fold;
#[cfg(all(loom, test, feature = "std"))]
mod interleavings;
#[cfg(feature = "std")]
mod join_all;
#[cfg(feature = "std")]
mod pin_list;
mod try_fold;
#[cfg(feature = "std")]
mod try_join_all;
#[cfg(feature = "std")]
mod wake_queue;

pub use self::fold::{Fold, fold};
#[cfg(feature = "std")]
pub use self::join_all::{JoinAll, join_all};
pub use self::try_fold::{TryFold, try_fold};
#[cfg(feature = "std")]
pub use self::try_join_all::{TryJoinAll, try_join_all};
