//! The futures that the methods of [`MaybeReady`](crate::MaybeReady) return.
//!
//! Four kernels do all the polling: `MapState`, `ThenState`, `ZipState` and
//! [`Slot`](crate::future::Slot). Every public future is a kernel and what to do with its output.

mod and_then;
mod defer;
mod err_into;
mod inspect;
mod inspect_err;
mod inspect_ok;
mod map;
mod map_err;
mod map_ok;
mod or_else;
mod then;
mod try_zip;
mod zip;

pub use self::and_then::AndThen;
pub use self::defer::Defer;
pub use self::err_into::ErrInto;
pub use self::inspect::Inspect;
pub use self::inspect_err::InspectErr;
pub use self::inspect_ok::InspectOk;
pub use self::map::Map;
pub use self::map_err::MapErr;
pub use self::map_ok::MapOk;
pub use self::or_else::OrElse;
pub use self::then::Then;
pub use self::try_zip::TryZip;
pub use self::zip::Zip;
