use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use super::select::{self, Reader, Results};
use super::{Database, Error, Lookup, Package, PackageId, Page};
use crate::loader::{Loader, Stats};

/// More keys than this go to the database in several statements, for one takes at most 32 766.
const MAX_BATCH: usize = 10_000;

/// What a query reads from: a loader for each way to ask the database.
///
/// Only [`packages`](Self::packages) holds what is known of a package. All others hold ids, so that
/// a changed package is changed in every list that it is in. A page or a lookup reads whole rows
/// all the same, and primes the packages with them.
pub struct Packages {
    /// A package by its id.
    pub packages: Loader<PackageId, Arc<Package>, Error>,
    /// What a package depends on.
    pub dependencies: Loader<PackageId, Arc<[PackageId]>, Error>,
    /// What depends on a package.
    pub dependents: Loader<PackageId, Arc<[PackageId]>, Error>,
    /// A package by its name.
    pub lookups: Loader<Lookup, Option<PackageId>, Error>,
    /// Some of all the packages.
    pub pages: Loader<Page, Arc<[PackageId]>, Error>,
    pub(super) database: Database,
}

impl Packages {
    /// Creates empty loaders before `database`.
    ///
    /// `loaded` is called with the number of rows that were read since its last call, on the thread
    /// that reads them.
    pub fn new(database: Database, loaded: impl Fn(u64) + Send + Sync + 'static) -> Self {
        let source = Source {
            database,
            loaded: Arc::new(loaded),
        };
        let packages = source.loader(select::packages);
        let lookups = {
            let packages = packages.clone();
            source.loader(move |reader, keys| {
                let found = select::lookups(reader, keys)?;
                let prime = |package| prime(&packages, package);
                Ok(found
                    .into_iter()
                    .map(|found| found.map(|it| it.map(prime)))
                    .collect())
            })
        };
        let pages = {
            let packages = packages.clone();
            source.loader(move |reader, keys| {
                let prime = |package| prime(&packages, package);
                let page = |key| Ok(select::page(reader, key)?.into_iter().map(prime).collect());
                Ok(keys.iter().map(page).collect())
            })
        };
        Self {
            packages,
            dependencies: source.loader(select::dependencies),
            dependents: source.loader(select::dependents),
            lookups,
            pages,
            database: source.database,
        }
    }

    /// What each loader has done so far, with its name.
    #[must_use]
    pub fn stats(&self) -> [(&'static str, Stats); 5] {
        [
            ("pages", self.pages.stats()),
            ("lookups", self.lookups.stats()),
            ("packages", self.packages.stats()),
            ("dependencies", self.dependencies.stats()),
            ("dependents", self.dependents.stats()),
        ]
    }
}

impl fmt::Debug for Packages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packages")
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}

/// Keeps a row that was read on the way, unless something is known of that package already.
fn prime(packages: &Loader<PackageId, Arc<Package>, Error>, package: Arc<Package>) -> PackageId {
    let id = package.id;
    packages.prime(id, Ok(package));
    id
}

/// What all loaders read from.
struct Source {
    database: Database,
    loaded: Arc<dyn Fn(u64) + Send + Sync>,
}

impl Source {
    /// Makes a loader whose batches are what `select` reads. Each is read, and what it primes is
    /// primed, while the database is locked: what is primed can be no older than what is there.
    fn loader<K, V>(
        &self,
        select: impl Fn(&Reader<'_>, &[K]) -> Result<Results<V>, Error> + Send + Sync + 'static,
    ) -> Loader<K, V, Error>
    where
        K: Clone + Eq + Hash + Send + Sync + 'static,
        V: Clone + Send + Sync + 'static,
    {
        let Self { database, loaded } = self;
        let (database, loaded, select) = (database.clone(), loaded.clone(), Arc::new(select));
        Loader::builder()
            .max_batch_size(MAX_BATCH)
            .remember_errors(|error: &Error| !error.is_passing())
            .build(move |keys: Vec<K>| {
                let (database, loaded, select) = (database.clone(), loaded.clone(), select.clone());
                async move {
                    let count = keys.len();
                    let job = database
                        .run(move |connection| select(&Reader::new(connection, &*loaded), &keys));
                    job.await.unwrap_or_else(|error| vec![Err(error); count])
                }
            })
    }
}
