use std::collections::HashMap;

use cargo_lock::{Dependency, Name, Version};

use super::{Database, Error, LockFile, Package, PackageId};

impl Database {
    /// Replaces all packages by those of `lock`.
    ///
    /// # Errors
    ///
    /// If a package depends on one that is not in the lock file, or the database cannot be written.
    pub fn import(&self, LockFile(lock): &LockFile) -> Result<(), Error> {
        let packages = || (1..).map(PackageId).zip(&lock.packages);

        let mut ids: HashMap<_, Vec<_>> = HashMap::new();
        for (id, package) in packages() {
            ids.entry((&package.name, &package.version))
                .or_default()
                .push((id, package));
        }
        self.replace(|writer| {
            for (id, package) in packages() {
                writer.package(&Package {
                    id,
                    name: package.name.as_str().into(),
                    version: package.version.to_string().into(),
                    source: package
                        .source
                        .as_ref()
                        .map(|source| source.to_string().into()),
                    checksum: package.checksum.as_ref().map(|sum| sum.to_string().into()),
                })?;
            }
            for (id, package) in packages() {
                for dependency in &package.dependencies {
                    writer.dependency(id, resolve(dependency, &ids)?)?;
                }
            }
            Ok(())
        })
    }
}

type Ids<'l> = HashMap<(&'l Name, &'l Version), Vec<(PackageId, &'l cargo_lock::Package)>>;

/// Finds the package that is meant by its name and version and, where that is not enough, by its
/// source.
fn resolve(dependency: &Dependency, ids: &Ids<'_>) -> Result<PackageId, Error> {
    let found = match ids
        .get(&(&dependency.name, &dependency.version))
        .map(Vec::as_slice)
    {
        Some([one]) => Some(one),
        Some(several) => several.iter().find(|(_, package)| {
            origin(package.source.as_ref()) == origin(dependency.source.as_ref())
        }),
        None => None,
    };
    found.map(|(id, _)| *id).ok_or_else(|| {
        Error::new(format_args!(
            "the lock file lacks `{dependency}`, on which others depend"
        ))
    })
}

/// The source without the revision, which is written with packages but not with dependencies.
fn origin(source: Option<&cargo_lock::SourceId>) -> Option<String> {
    let source = source?.to_string();
    Some(source.split('#').next().unwrap_or_default().to_owned())
}
