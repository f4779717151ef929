use super::{Package, PackageId};

/// Asks for the package of a name, and of a version if several have it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lookup {
    /// The name.
    pub name: Box<str>,
    /// The version; any will do if it is `None`, as long as there is one only.
    pub version: Option<Box<str>>,
}

impl Lookup {
    pub(super) fn matches(&self, package: &Package) -> bool {
        self.name == package.name
            && self
                .version
                .as_ref()
                .is_none_or(|it| *it == package.version)
    }
}

/// Asks for packages in the order of the lock file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Page {
    /// How many; all if it is `None`.
    pub first: Option<u32>,
    /// The last package before them.
    pub after: Option<PackageId>,
    /// The name that they all have.
    pub name: Option<Box<str>>,
}
