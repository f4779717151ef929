//! A closure or a side that is a plain value is answered with what to do instead.

use std::future::Ready;

use maybe_ready::MaybeReady;

type Maybe<T> = MaybeReady<T, Ready<T>>;

fn then(maybe: Maybe<i32>) {
    let _ = maybe.then(|n| n + 1);
}

fn and_then(maybe: Maybe<Result<i32, String>>) {
    let _ = maybe.and_then(|n| Ok(n + 1));
}

fn or_else(maybe: Maybe<Result<i32, String>>) {
    let _ = maybe.or_else(|_| Ok::<_, String>(1));
}

fn zip(maybe: Maybe<i32>) {
    let _ = maybe.zip("text");
}

fn main() {}
