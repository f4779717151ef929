use std::fmt;

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

/// Names a package within one database. Packages are numbered in the order of the lock file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackageId(pub i64);

impl fmt::Display for PackageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ToSql for PackageId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl FromSql for PackageId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(Self)
    }
}

/// A package as the lock file describes it, without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Its number in the database.
    pub id: PackageId,
    /// Its name, which other versions of it share.
    pub name: Box<str>,
    /// Its version.
    pub version: Box<str>,
    /// Where it comes from; `None` for a package of the workspace.
    pub source: Option<Box<str>>,
    /// The checksum of its archive, if it comes from a registry.
    pub checksum: Option<Box<str>>,
}
