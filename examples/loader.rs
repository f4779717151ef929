//! Loads every dependency in a `Cargo.lock` through a loader that remembers what it has loaded,
//! then times the same loads four ways.
//!
//! ```text
//! cargo run --release --example loader [-- path/to/Cargo.lock]
//! ```

#![allow(
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    reason = "an example has std"
)]

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::error::Error;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};
use std::{env, fs};

use cargo_lock::package::SourceKind;
use cargo_lock::{Dependency, Lockfile, Package, ResolveVersion, SourceId};
use futures::FutureExt;
use futures::future::{LocalBoxFuture, Shared};
use maybe_ready::{AlwaysReady, MaybeReady, join_all};
use pollster::block_on;

/// The place of a package in its lock file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct PackageId(usize);

/// Where packages come from, slowly. It stands for a disk, a database or a network.
struct Store {
    packages: Vec<Package>,
    fetches: Cell<usize>,
}

impl Store {
    fn new(packages: Vec<Package>) -> Self {
        let fetches = Cell::new(0);
        Self { packages, fetches }
    }

    async fn fetch(&self, id: PackageId) -> Rc<Package> {
        self.fetches.set(self.fetches.get() + 1);
        let package = Rc::new(self.packages[id.0].clone());
        // A deferred value is given on the second poll only, so that fetches overlap.
        AlwaysReady::Ready(package).defer().await
    }
}

/// A fetch that several loads may wait for, and that keeps its answer.
type Fetch<'a> = Shared<LocalBoxFuture<'a, Rc<Package>>>;

/// Loads packages from a store, each of them once.
struct Loader<'a> {
    store: &'a Store,
    fetches: RefCell<HashMap<PackageId, Fetch<'a>>>,
}

impl<'a> Loader<'a> {
    fn new(store: &'a Store) -> Self {
        let fetches = RefCell::default();
        Self { store, fetches }
    }

    /// Returns a package that was loaded before.
    fn get(&self, id: PackageId) -> Option<Rc<Package>> {
        self.fetches.borrow().get(&id)?.peek().cloned()
    }

    /// Fetches a package, or joins the fetch in flight.
    fn fetch(&self, id: PackageId) -> Fetch<'a> {
        let start = || self.store.fetch(id).boxed_local().shared();
        let mut fetches = self.fetches.borrow_mut();
        fetches.entry(id).or_insert_with(start).clone()
    }

    /// Loads a package: the two above in one. Callers that can wait await it, others match it.
    fn load(&self, id: PackageId) -> MaybeReady<Rc<Package>, Fetch<'a>> {
        match self.get(id) {
            Some(package) => MaybeReady::Ready(package),
            None => MaybeReady::Pending(self.fetch(id)),
        }
    }

    /// Loads a package as it is done without this crate, with a box even for a hit.
    fn load_boxed(&self, id: PackageId) -> LocalBoxFuture<'_, Rc<Package>> {
        Box::pin(async move {
            match self.get(id) {
                Some(package) => package,
                None => self.fetch(id).await,
            }
        })
    }
}

/// Loads all of `ids`, several at a time, and counts the hits.
async fn load_all(loader: &Loader<'_>, ids: &[PackageId]) -> (Vec<Rc<Package>>, usize) {
    let (mut packages, mut hits) = (Vec::new(), 0);
    for batch in ids.chunks(16) {
        let loads: Vec<_> = batch.iter().map(|&id| loader.load(id)).collect();
        hits += loads.iter().filter(|load| load.is_ready()).count();
        packages.extend(join_all(loads).await);
    }
    (packages, hits)
}

/// Loads `ids` one by one, all of them hits, and adds up the lengths of the packages' names.
type Way = fn(&Loader<'_>, &[PackageId]) -> usize;

const WAYS: [(&str, Way); 4] = [
    ("direct lookup", |loader, ids| {
        let length = |&id| loader.get(id).expect("a hit").name.as_str().len();
        ids.iter().map(length).sum()
    }),
    ("MaybeReady, matched", |loader, ids| {
        let length = |&id| match loader.load(id) {
            MaybeReady::Ready(package) => package.name.as_str().len(),
            MaybeReady::Pending(_) => panic!("not a hit"),
        };
        ids.iter().map(length).sum()
    }),
    ("MaybeReady, awaited", |loader, ids| {
        block_on(async {
            let mut total = 0;
            for &id in ids {
                total += loader.load(id).await.name.as_str().len();
            }
            total
        })
    }),
    ("boxed future", |loader, ids| {
        block_on(async {
            let mut total = 0;
            for &id in ids {
                total += loader.load_boxed(id).await.name.as_str().len();
            }
            total
        })
    }),
];

/// Loads `ids` in all ways for a second, expects `total` of each, and prints the medians.
#[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
fn compare(loader: &Loader<'_>, ids: &[PackageId], total: usize) -> io::Result<()> {
    let start = Instant::now();
    let mut times = WAYS.map(|_| Vec::new());
    // The ways take turns, and often, so that what disturbs one of them disturbs all.
    while times[0].is_empty() || start.elapsed() < Duration::from_secs(1) {
        for ((_, way), times) in WAYS.iter().zip(&mut times) {
            // Counting allocations takes time, so it is off here.
            allocation_counter::opt_out(|| {
                let start = Instant::now();
                assert_eq!(way(black_box(loader), black_box(ids)), total);
                times.push(start.elapsed().as_nanos());
            });
        }
    }
    let medians = times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2] as f64
    });

    let mut out = io::stdout();
    writeln!(out, "\n{:24}ns/load   ratio   allocations/load", "")?;
    for ((name, way), median) in WAYS.iter().zip(medians) {
        let allocations = allocation_counter::measure(|| assert_eq!(way(loader, ids), total));
        let ns = median / ids.len() as f64;
        let ratio = median / medians[0];
        let allocations = allocations.count_total as f64 / ids.len() as f64;
        writeln!(out, "{name:24}{ns:7.1}{ratio:8.2}{allocations:19.2}")?;
    }
    Ok(())
}

/// Reads a lock file: its packages, and for each of their dependencies the package it means.
fn read(path: &Path) -> Result<(Vec<Package>, Vec<PackageId>), Box<dyn Error>> {
    let lock: Lockfile = fs::read_to_string(path)?.parse()?;
    // The oldest lock files keep the package that they belong to apart.
    let packages: Vec<_> = lock.packages.into_iter().chain(lock.root).collect();
    if packages.is_empty() && lock.version < ResolveVersion::V3 {
        return Err("not a lock file, for it has neither packages nor a version".into());
    }
    let mut edges = Vec::new();
    for dependency in packages.iter().flat_map(|package| &package.dependencies) {
        let place = packages.iter().position(|p| means(dependency, p));
        let place = place.ok_or_else(|| format!("no package matches `{dependency}`"))?;
        edges.push(PackageId(place));
    }
    Ok((packages, edges))
}

/// Names and versions may be shared by packages, so sources count; their commits do not, for
/// dependencies leave them out.
fn means(dependency: &Dependency, package: &Package) -> bool {
    fn origin(source: &SourceId) -> (&str, &SourceKind) {
        (source.url().as_str(), source.kind())
    }
    dependency.matches(package)
        && dependency.source.as_ref().map(origin) == package.source.as_ref().map(origin)
}

fn report(packages: Vec<Package>, edges: &[PackageId]) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "packages: {}, edges: {}", packages.len(), edges.len())?;

    let store = Store::new(packages);
    let loader = Loader::new(&store);
    let (packages, hits) = block_on(load_all(&loader, edges));
    let misses = store.fetches.get();
    let joined = edges.len() - misses - hits;
    writeln!(
        out,
        "misses: {misses}, joined a fetch in flight: {joined}, hits: {hits}"
    )?;

    if edges.is_empty() {
        return writeln!(out, "nothing to load, so nothing to time");
    }
    let total: usize = packages.iter().map(|p| p.name.as_str().len()).sum();
    let repeats = 10_000_usize.div_ceil(edges.len());
    compare(&loader, &edges.repeat(repeats), total * repeats)
}

fn main() -> ExitCode {
    let args: Vec<_> = env::args_os().skip(1).collect();
    let path = match &args[..] {
        [] => Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock")),
        [path] if path != "--help" => Path::new(path),
        _ => {
            eprintln!("usage: loader [path/to/Cargo.lock]");
            return ExitCode::from(2);
        }
    };
    let error = match read(path).map(|(packages, edges)| report(packages, &edges)) {
        Ok(Ok(())) => return ExitCode::SUCCESS,
        Ok(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        Ok(Err(error)) => format!("cannot print: {error}"),
        Err(error) => format!("{}: {error}", path.display()),
    };
    eprintln!("{}", one_line(&error));
    ExitCode::FAILURE
}

/// Joins the lines of a message, without those that quote the input to the right of a `|`.
fn one_line(message: &str) -> String {
    let margin = |c: char| c == ' ' || c.is_ascii_digit();
    let lines = message.split(char::is_control).filter(|line| {
        let line = line.trim_start_matches(margin);
        !line.is_empty() && !line.starts_with('|')
    });
    lines.collect::<Vec<_>>().join(": ")
}
