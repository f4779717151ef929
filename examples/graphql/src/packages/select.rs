//! What the loaders read: one statement for all the keys of a batch, where there is one.

use std::collections::HashMap;
use std::iter::repeat_n;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, Params, Row, params, params_from_iter};

use super::{Error, Lookup, Package, PackageId, Page};

/// One result for each key of a batch.
pub(super) type Results<V> = Vec<Result<V, Error>>;

/// Reads rows, and says now and then how many they were.
pub(super) struct Reader<'c> {
    connection: &'c Connection,
    loaded: &'c dyn Fn(u64),
}

impl<'c> Reader<'c> {
    pub(super) fn new(connection: &'c Connection, loaded: &'c dyn Fn(u64)) -> Self {
        Self { connection, loaded }
    }

    fn rows(
        &self,
        sql: &str,
        params: impl Params,
        mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), Error> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(params)?;
        let mut count = 0;
        while let Some(row) = rows.next()? {
            each(row)?;
            count += 1;
            if count == 1000 {
                (self.loaded)(std::mem::take(&mut count));
            }
        }
        (self.loaded)(count);
        Ok(())
    }
}

/// The packages with these ids.
pub(super) fn packages(
    reader: &Reader<'_>,
    ids: &[PackageId],
) -> Result<Results<Arc<Package>>, Error> {
    let sql = format!("{PACKAGE} WHERE id IN ({})", marks(ids.len()));
    let mut found = HashMap::with_capacity(ids.len());
    reader.rows(&sql, params_from_iter(ids), |row| {
        let package = package(row)?;
        found.insert(package.id, Arc::new(package));
        Ok(())
    })?;
    let one = |id| found.get(id).cloned().ok_or_else(|| no_package(id));
    Ok(ids.iter().map(one).collect())
}

/// What each of these packages depends on.
pub(super) fn dependencies(
    reader: &Reader<'_>,
    ids: &[PackageId],
) -> Result<Results<Arc<[PackageId]>>, Error> {
    let columns = "SELECT package, dependency FROM dependencies WHERE package";
    neighbours(reader, ids, columns)
}

/// What depends on each of these packages.
pub(super) fn dependents(
    reader: &Reader<'_>,
    ids: &[PackageId],
) -> Result<Results<Arc<[PackageId]>>, Error> {
    let columns = "SELECT dependency, package FROM dependencies WHERE dependency";
    neighbours(reader, ids, columns)
}

fn neighbours(
    reader: &Reader<'_>,
    ids: &[PackageId],
    select: &str,
) -> Result<Results<Arc<[PackageId]>>, Error> {
    let sql = format!("{select} IN ({}) ORDER BY 1, 2", marks(ids.len()));
    let mut found: HashMap<PackageId, Vec<PackageId>> = HashMap::with_capacity(ids.len());
    reader.rows(&sql, params_from_iter(ids), |row| {
        found.entry(row.get(0)?).or_default().push(row.get(1)?);
        Ok(())
    })?;
    Ok(ids
        .iter()
        .map(|id| {
            Ok(found
                .get(id)
                .map_or_else(Arc::default, |ids| ids[..].into()))
        })
        .collect())
}

/// The packages that have these names and versions.
pub(super) fn lookups(
    reader: &Reader<'_>,
    keys: &[Lookup],
) -> Result<Results<Option<Arc<Package>>>, Error> {
    let sql = format!(
        "{PACKAGE} WHERE name IN ({}) ORDER BY id",
        marks(keys.len())
    );
    let mut found: HashMap<Box<str>, Vec<Arc<Package>>> = HashMap::new();
    reader.rows(
        &sql,
        params_from_iter(keys.iter().map(|key| &key.name)),
        |row| {
            let package = package(row)?;
            found
                .entry(package.name.clone())
                .or_default()
                .push(Arc::new(package));
            Ok(())
        },
    )?;
    let one = |key: &Lookup| {
        let of_name = found.get(&*key.name).into_iter().flatten();
        let matching: Vec<_> = of_name.filter(|package| key.matches(package)).collect();
        match matching[..] {
            [] => Ok(None),
            [one] => Ok(Some(Arc::clone(one))),
            _ => Err(ambiguous(&key.name, &matching)),
        }
    };
    Ok(keys.iter().map(one).collect())
}

/// Lists the versions of a name, with the source where there are several of one version.
fn ambiguous(name: &str, packages: &[&Arc<Package>]) -> Error {
    let describe = |package: &&Arc<Package>| {
        let version = &package.version;
        let alike = packages.iter().filter(|other| other.version == *version);
        if alike.count() == 1 {
            return version.to_string();
        }
        format!(
            "{version} ({})",
            package.source.as_deref().unwrap_or("local")
        )
    };
    let versions: Vec<_> = packages.iter().map(describe).collect();
    Error::new(format_args!(
        "`{name}` is ambiguous, there are the versions {}",
        versions.join(", ")
    ))
}

/// The packages of one page, in the order of the lock file.
pub(super) fn page(reader: &Reader<'_>, page: &Page) -> Result<Vec<Arc<Package>>, Error> {
    let after = page.after.unwrap_or(PackageId(0));
    if page.after.is_some() {
        let exists = "SELECT 1 FROM packages WHERE id = ?";
        let exists = reader
            .connection
            .query_row(exists, [after], |_| Ok(()))
            .optional()?;
        exists.ok_or_else(|| no_package(after))?;
    }
    let limit = page.first.map_or(-1, i64::from);
    let mut found = Vec::new();
    let each = |row: &Row<'_>| {
        found.push(Arc::new(package(row)?));
        Ok(())
    };
    match &page.name {
        None => {
            let sql = format!("{PACKAGE} WHERE id > ? ORDER BY id LIMIT ?");
            reader.rows(&sql, params![after, limit], each)?;
        }
        Some(name) => {
            let sql = format!("{PACKAGE} WHERE id > ? AND name = ? ORDER BY id LIMIT ?");
            reader.rows(&sql, params![after, name, limit], each)?;
        }
    }
    Ok(found)
}

pub(super) fn no_package(id: impl std::fmt::Display) -> Error {
    Error::new(format_args!("there is no package with the id `{id}`"))
}

const PACKAGE: &str = "SELECT id, name, version, source, checksum FROM packages";

fn package(row: &Row<'_>) -> rusqlite::Result<Package> {
    Ok(Package {
        id: row.get(0)?,
        name: row.get(1)?,
        version: row.get(2)?,
        source: row.get(3)?,
        checksum: row.get(4)?,
    })
}

/// So many question marks, with commas between them.
fn marks(count: usize) -> String {
    repeat_n("?", count).collect::<Vec<_>>().join(",")
}
