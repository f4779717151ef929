//! The packages of a lock file as a GraphQL service.
//!
//! A [`Database`] holds them, in memory or in a file. [`Packages`] is the context of a query: the
//! loaders that stand before the database, and the one change that can be made. [`schema()`] says
//! what can be asked.
//!
//! The second run of a query finds all its answers in the loaders, and is done without waiting:
//!
//! ```
//! use graphql_example::executor::{Request, execute, execute_sync};
//! use graphql_example::packages::{Database, LockFile, Packages, schema};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let database = Database::in_memory()?;
//! database.import(&LockFile::nearest(".".as_ref())?)?;
//! let (schema, packages) = (schema(), Packages::new(database, |_rows| ()));
//! let request = Request::new(r#"{ packages(name: "serde") { version dependents { name } } }"#);
//!
//! let runtime = tokio::runtime::Builder::new_current_thread().build()?;
//! let first = runtime.block_on(execute(&request, &schema, &packages).into_future());
//! let second = execute_sync(&request, &schema, &packages)?;
//! assert_eq!(first.as_json(), second.as_json());
//! # Ok(())
//! # }
//! ```

mod database;
mod error;
mod import;
mod keys;
mod loaders;
mod lock_file;
mod package;
mod schema;
mod select;
mod synthesize;
mod update;

pub use self::database::Database;
pub use self::error::Error;
pub use self::keys::{Lookup, Page};
pub use self::loaders::Packages;
pub use self::lock_file::LockFile;
pub use self::package::{Package, PackageId};
pub use self::schema::schema;
