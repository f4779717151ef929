use std::fmt;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Statement, Transaction, TransactionBehavior, params};
use tokio::task::spawn_blocking;

use super::{Error, Package, PackageId};

/// How long to wait for another process to release the database.
const BUSY_TIMEOUT: Duration = Duration::from_millis(500);

/// What `tables.sql` writes into a database of this program.
const APPLICATION_ID: i32 = 0x6c6f_636b;

/// The packages of one lock file and what they depend on, in two tables.
///
/// Clones share one connection.
#[derive(Clone)]
pub struct Database(Arc<Mutex<Connection>>);

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Database").finish_non_exhaustive()
    }
}

impl Database {
    /// Creates an empty database in memory.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub fn in_memory() -> Result<Self, Error> {
        Ok(Self::of(Connection::open_in_memory()?))
    }

    /// Opens a database in a file, which is created if there is none.
    ///
    /// # Errors
    ///
    /// If the file is not such a database, or is locked by another process.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let at = path.display();
        if path.is_dir() {
            return Err(Error::new(format_args!(
                "`{at}` is a folder, not a database"
            )));
        }
        let named = |error| Error::new(format_args!("cannot open `{at}`: {}", Error::from(error)));
        // Not the default flags: a name that looks like a URI is still a name.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(named)?;
        connection.busy_timeout(BUSY_TIMEOUT).map_err(named)?;
        if is_foreign(&connection).map_err(named)? {
            return Err(Error::new(format_args!(
                "`{at}` is a database of something else"
            )));
        }
        Ok(Self::of(connection))
    }

    fn of(connection: Connection) -> Self {
        Self(Arc::new(Mutex::new(connection)))
    }

    /// Whether there are no packages yet.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub fn is_empty(&self) -> Result<bool, Error> {
        let connection = self.lock();
        Ok(!connection.table_exists(None, "packages")?
            || !connection.query_row("SELECT EXISTS (SELECT 1 FROM packages)", [], |row| {
                row.get(0)
            })?)
    }

    /// Replaces all packages by those that `write` writes; if it fails, all is as it was.
    pub(super) fn replace(
        &self,
        write: impl FnOnce(&mut Writer<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut connection = self.lock();
        let transaction = begin(&mut connection)?;
        transaction.execute_batch(include_str!("tables.sql"))?;
        write(&mut Writer::new(&transaction)?)?;
        // Built last, for that is much faster than keeping them up to date.
        transaction.execute_batch(include_str!("indexes.sql"))?;
        Ok(transaction.commit()?)
    }

    /// Runs `job` where it may block: on a thread of tokio's for that, one job after the other. A
    /// panic goes on in whoever waits for it.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Connection) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let database = self.clone();
        let done = spawn_blocking(move || job(&mut database.lock())).await;
        done.unwrap_or_else(|stopped| match stopped.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(_) => Err(Error::passing(
                "the runtime ended before the database was asked",
            )),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // A transaction that a panic cut short was rolled back.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Begins to write. It waits while another process writes, which it would not after it has read.
pub(super) fn begin(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
}

/// Whether somebody else's tables are in the database.
fn is_foreign(connection: &Connection) -> rusqlite::Result<bool> {
    let application: i32 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let is_used = "SELECT EXISTS (SELECT 1 FROM sqlite_schema)";
    Ok(application != APPLICATION_ID && connection.query_row(is_used, [], |row| row.get(0))?)
}

/// Writes packages with statements that are prepared once.
pub(super) struct Writer<'t> {
    package: Statement<'t>,
    dependency: Statement<'t>,
}

impl<'t> Writer<'t> {
    fn new(connection: &'t Connection) -> Result<Self, Error> {
        Ok(Self {
            package: connection.prepare("INSERT INTO packages VALUES (?, ?, ?, ?, ?)")?,
            dependency: connection.prepare("INSERT OR IGNORE INTO dependencies VALUES (?, ?)")?,
        })
    }

    pub(super) fn package(&mut self, package: &Package) -> Result<(), Error> {
        let Package {
            id,
            name,
            version,
            source,
            checksum,
        } = package;
        self.package
            .execute(params![id, name, version, source, checksum])?;
        Ok(())
    }

    /// Both packages have to be there already.
    pub(super) fn dependency(&mut self, from: PackageId, to: PackageId) -> Result<(), Error> {
        self.dependency.execute(params![from, to])?;
        Ok(())
    }
}
