use fastrand::Rng;

use super::{Database, Error, Package, PackageId};

impl Database {
    /// Replaces all packages by `count` made-up ones, each of which depends on up to five of those
    /// before it: three on average. The same count gives the same packages.
    ///
    /// `progress` is called with the number of packages that were written since its last call.
    ///
    /// # Errors
    ///
    /// If the database cannot be written.
    pub fn synthesize(&self, count: u32, progress: impl Fn(u64)) -> Result<(), Error> {
        self.replace(|writer| {
            for number in 1..=count {
                let mut random = Rng::with_seed(number.into());
                let id = PackageId(number.into());
                writer.package(&Package {
                    id,
                    name: format!("package-{number}").into(),
                    version: format!("{}.{}.0", random.u32(..3), random.u32(..30)).into(),
                    source: Some("registry+https://registry.example/index".into()),
                    checksum: Some((0..4).map(|_| format!("{:016x}", random.u64(..))).collect()),
                })?;
                for _ in 0..=random.u32(..5) {
                    let before = random.u32(..number);
                    if before > 0 {
                        writer.dependency(id, PackageId(before.into()))?;
                    }
                }
                progress(1);
            }
            Ok(())
        })
    }
}
