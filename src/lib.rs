//! Either a value or a future of it.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "alloc")]
mod boxed;
mod collections;
mod combinators;
mod convert;
mod future;
mod into_maybe_ready;
mod maybe_ready;
mod never;

#[cfg(feature = "alloc")]
pub use crate::boxed::{BoxMaybeReady, LocalBoxMaybeReady};
pub use crate::collections::{Fold, TryFold, fold, try_fold};
#[cfg(feature = "std")]
pub use crate::collections::{JoinAll, TryJoinAll, join_all, try_join_all};
pub use crate::combinators::{
    AndThen, Defer, ErrInto, Inspect, InspectErr, InspectOk, Map, MapErr, MapOk, OrElse, Then,
    TryZip, Zip,
};
pub use crate::future::MaybeReadyFuture;
pub use crate::into_maybe_ready::IntoMaybeReady;
pub use crate::maybe_ready::MaybeReady;
pub use crate::never::{AlwaysReady, Never};
