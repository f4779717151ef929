use std::sync::Arc;

use cargo_lock::Version;
use rusqlite::{Connection, params};

use super::database::begin;
use super::select::{self, Reader};
use super::{Error, Lookup, Package, PackageId, Packages};

impl Packages {
    /// Gives a package another version, as `cargo update --precise` does, and returns its id. Its
    /// checksum was that of the old version and is gone.
    ///
    /// What the loaders hold of the old version is forgotten: the package itself, and what was
    /// found by its name. Lists stay as they are, for they hold ids. That happens while the
    /// database is locked, so that loaders change in the order in which the database does.
    ///
    /// # Errors
    ///
    /// If there is no such package or more than one, if `to` is not a version, or if that version
    /// is in the lock file already.
    pub async fn update(&self, package: Lookup, to: &str) -> Result<PackageId, Error> {
        let to: Box<str> = match to.parse::<Version>() {
            Ok(version) => version.to_string().into(),
            Err(error) => {
                return Err(Error::new(format_args!("`{to}` is not a version: {error}")));
            }
        };
        let (packages, lookups) = (self.packages.clone(), self.lookups.clone());
        let job = self.database.run(move |connection| {
            let transaction = begin(connection)?;
            let old = find(&transaction, package)?;
            let new = write(&transaction, &old, to)?;
            transaction.commit()?;

            for version in [None, Some(old.version.clone()), Some(new.version.clone())] {
                let name = old.name.clone();
                lookups.clear(&Lookup { name, version });
            }
            packages.clear(&old.id);
            packages.prime(old.id, Ok(Arc::new(new)));
            Ok(old.id)
        });
        job.await
    }
}

/// The one package that is meant.
fn find(connection: &Connection, package: Lookup) -> Result<Arc<Package>, Error> {
    let reader = Reader::new(connection, &|_| ());
    let found = select::lookups(&reader, std::slice::from_ref(&package))?.pop();
    found.transpose()?.flatten().ok_or_else(|| {
        let Lookup { name, version } = package;
        let version = version
            .map(|version| format!(" {version}"))
            .unwrap_or_default();
        Error::new(format_args!("there is no package `{name}{version}`"))
    })
}

/// Changes the row of a package, unless there is one for the new version.
fn write(connection: &Connection, old: &Package, to: Box<str>) -> Result<Package, Error> {
    let Package {
        id, name, source, ..
    } = old;
    let sql =
        "SELECT EXISTS (SELECT 1 FROM packages WHERE name = ? AND version = ? AND source IS ?)";
    if connection.query_row(sql, params![name, to, source], |row| row.get(0))? {
        return Err(Error::new(format_args!(
            "`{name} {to}` is in the lock file already"
        )));
    }
    let sql = "UPDATE packages SET version = ?, checksum = NULL WHERE id = ?";
    connection.execute(sql, params![to, id])?;
    Ok(Package {
        version: to,
        checksum: None,
        ..old.clone()
    })
}
