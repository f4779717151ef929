//! Queries the packages of a lock file.

fn main() {}
