//! Futures do nothing unless they are polled.

#![deny(unused_must_use)]

use maybe_ready::{
    AndThen, Defer, ErrInto, Inspect, InspectErr, InspectOk, Map, MapErr, MapOk, MaybeReadyFuture,
    OrElse, Then, TryZip, Zip,
};

fn give<T>() -> T {
    unimplemented!()
}

fn main() {
    give::<MaybeReadyFuture<(), ()>>();
    give::<MaybeReadyFuture<(), ()>>().is_ready();
    give::<Map<(), ()>>();
    give::<Inspect<(), ()>>();
    give::<Then<(), (), ()>>();
    give::<Zip<(), (), (), ()>>();
    give::<TryZip<(), (), (), ()>>();
    give::<MapOk<(), ()>>();
    give::<MapErr<(), ()>>();
    give::<ErrInto<(), ()>>();
    give::<InspectOk<(), ()>>();
    give::<InspectErr<(), ()>>();
    give::<AndThen<(), (), ()>>();
    give::<OrElse<(), (), ()>>();
    give::<Defer<(), ()>>();
}
