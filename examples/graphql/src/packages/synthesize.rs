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
                let mut random = SplitMix(number.into());
                let id = PackageId(number.into());
                writer.package(&Package {
                    id,
                    name: format!("package-{number}").into(),
                    version: format!("{}.{}.0", random.below(3), random.below(30)).into(),
                    source: Some("registry+https://registry.example/index".into()),
                    checksum: Some((0..4).map(|_| format!("{:016x}", random.next())).collect()),
                })?;
                for _ in 0..=random.below(5) {
                    let before = random.below(number);
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

/// The generator of that name, which needs no more than a counter.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from zero to `limit`, which is left out.
    fn below(&mut self, limit: u32) -> u32 {
        let scaled = (self.next() >> 32) * u64::from(limit);
        u32::try_from(scaled >> 32).expect("it is below `limit`")
    }
}
