//! A tournament's file: a SQLite database that several processes use at once.
//!
//! Every operation is one transaction. It reads everything, applies the rules, and writes the changes; success is reported only
//! after the commit. If the process is killed in between, the file holds either the whole operation or none of it. A lock held
//! by another process is waited for, up to a minute. WAL is the journal mode of SQLite in which readers and a writer do not
//! block each other.

mod error;
mod migrate;
mod rows;
#[cfg(test)]
mod tests;
mod wait_for_file;

use super::duel::DuelId;
use super::journal::Entry;
use super::rules;
use super::state::Tournament;
use error::problem_of;
use jiff::Timestamp;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use wait_for_file::{PATIENCE, retry_while_busy};

/// The source of time; tests have their own.
pub type Clock = Box<dyn Fn() -> Timestamp>;

/// An open file of a tournament.
pub struct Store {
    path: PathBuf,
    connection: Connection,
    clock: Clock,
}

impl Store {
    /// Creates a file that only its owner can read. An existing file is left alone, unless it is empty.
    pub fn create_file(path: &Path, tournament: &Tournament, clock: Clock) -> Result<Store, Problem> {
        make_file(path)?;
        let filled = fill_file(path, tournament);
        if filled.is_err() && is_empty(path) {
            // The file is unusable, so nothing is lost.
            let _ = fs::remove_file(path);
        }
        filled?;
        Store::open_file(path, clock)
    }

    /// Opens a file, and migrates its tables if an older Ludex made it.
    pub fn open_file(path: &Path, clock: Clock) -> Result<Store, Problem> {
        let connection = open_connection(path)?;
        let problem = |error| problem_of(path, error);
        migrate::check_version(&connection, path)?;
        retry_while_busy(|| connection.pragma_update(None, "journal_mode", "WAL")).map_err(problem)?;
        let store = Store { path: path.to_path_buf(), connection, clock };
        if retry_while_busy(|| migrate::is_older(&store.connection)).map_err(problem)? {
            store.run_transaction(|connection| migrate::migrate_tables(connection).map_err(problem))?;
        }
        Ok(store)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The time from the clock, for operations and for pages.
    pub fn current_time(&self) -> Timestamp {
        (self.clock)()
    }

    /// Performs an operation. Its time is when it starts to work, even if it had to wait. If the rules refuse it, only a passed
    /// deadline is written.
    pub fn change_tournament<T>(
        &self,
        operation: impl FnOnce(&mut Tournament, Timestamp) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        self.run_transaction(|connection| {
            let problem = |error| problem_of(&self.path, error);
            let now = self.current_time();
            let before = rows::load_state(connection).map_err(problem)?;
            let mut noticed = before.clone();
            rules::apply_deadline(&mut noticed, now);
            let mut after = noticed.clone();
            let done = operation(&mut after, now);
            let kept = if done.is_ok() { after } else { noticed };
            rows::save_changes(connection, &before, &kept).map_err(problem)?;
            Ok(done)
        })?
    }

    /// Applies the deadline, if it has passed since the last operation. Returns whether it has.
    pub fn catch_up(&self) -> Result<bool, Problem> {
        let is_due = rules::is_deadline_due(&self.run_query(rows::select_settings)?, self.current_time());
        if is_due {
            self.change_tournament(|_, _| Ok(()))?;
        }
        Ok(is_due)
    }

    /// Loads the current state.
    pub fn load_tournament(&self) -> Result<Tournament, Problem> {
        // A single transaction, so that all tables are read at the same moment.
        self.run_query(|connection| connection.execute_batch("BEGIN"))?;
        let loaded = self.run_query(rows::load_state);
        let ended = self.run_query(|connection| connection.execute_batch("ROLLBACK"));
        loaded.and_then(|tournament| ended.map(|()| tournament))
    }

    /// Calls `show` with the state while no other process can change it, so that its result is never older than another
    /// process's.
    pub fn with_lock<T>(&self, show: impl FnOnce(&Tournament) -> T) -> Result<T, Problem> {
        self.run_transaction(|connection| {
            let tournament = rows::load_state(connection).map_err(|error| problem_of(&self.path, error))?;
            Ok(show(&tournament))
        })
    }

    /// The path of the page for the wall, if there is one.
    pub fn page_path(&self) -> Result<Option<PathBuf>, Problem> {
        self.run_query(rows::select_settings).map(|settings| settings.page)
    }

    /// The journal in order, optionally of a single duel.
    pub fn load_journal(&self, duel: Option<DuelId>) -> Result<Vec<Entry>, Problem> {
        self.run_query(|connection| rows::select_journal(connection, duel))
    }

    /// The recording of a duel that was played here.
    pub fn load_recording(&self, duel: DuelId) -> Result<Option<String>, Problem> {
        self.run_query(|connection| rows::select_recording(connection, duel))
    }

    /// Reads without a transaction, again while another process is at work.
    fn run_query<T>(&self, read: impl Fn(&Connection) -> rusqlite::Result<T>) -> Result<T, Problem> {
        retry_while_busy(|| read(&self.connection)).map_err(|error| problem_of(&self.path, error))
    }

    /// Performs `work` while no other process writes, and keeps all of its changes or none.
    fn run_transaction<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Problem>) -> Result<T, Problem> {
        self.run_query(|connection| connection.execute_batch("BEGIN IMMEDIATE"))?;
        let done = work(&self.connection);
        let ended = self.connection.execute_batch(if done.is_ok() { "COMMIT" } else { "ROLLBACK" });
        match (done, ended) {
            (Ok(done), Ok(())) => Ok(done),
            (Ok(_), Err(error)) => {
                // A failed commit is rolled back; a second failure would say nothing new.
                let _ = self.connection.execute_batch("ROLLBACK");
                Err(problem_of(&self.path, error))
            }
            (Err(problem), _) => Err(problem),
        }
    }
}

/// Opens the database of an existing file. Data is on disk when a transaction ends.
fn open_connection(path: &Path) -> Result<Connection, Problem> {
    ensure_file(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connect = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // The file may come from an untrusted source.
        connection.pragma_update(None, "trusted_schema", false)?;
        Ok(connection)
    };
    retry_while_busy(connect).map_err(|error| problem_of(path, error))
}

/// Refuses a path that is no file: SQLite would create one.
fn ensure_file(path: &Path) -> Result<(), Problem> {
    let shown = path.display();
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(_) => Err(Problem::error(codes::FILE_UNREADABLE, format!("`{shown}` is not a file"))
            .help("name the file of a tournament, or make one with `ludex tournament new`")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(Problem::error(codes::FILE_MISSING, format!("there is no tournament `{shown}`"))
                .help("`ludex tournament new` makes one; paths start in the folder where you started Ludex"))
        }
        Err(error) => Err(Problem::error(codes::FILE_UNREADABLE, format!("`{shown}` cannot be read: {error}"))),
    }
}

/// Creates an empty file that only its owner can read.
fn make_file(path: &Path) -> Result<(), Problem> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        // Left by a process that was killed at this moment.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_empty(path) => keep_private(path),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(file_exists_problem(path)),
        Err(error) => Err(file_write_problem(path, &error)),
    }
}

/// Restricts an existing empty file to its owner.
fn keep_private(path: &Path) -> Result<(), Problem> {
    #[cfg(unix)]
    {
        let owner = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(path, owner).map_err(|error| file_write_problem(path, &error))?;
    }
    Ok(())
}

fn file_write_problem(path: &Path, error: &io::Error) -> Problem {
    let problem = Problem::error(codes::FILE_NOT_WRITTEN, format!("`{}` cannot be written: {error}", path.display()));
    problem.help("choose a folder that is there and that you may write to")
}

/// Whether a file can be read and is empty.
fn is_empty(path: &Path) -> bool {
    File::open(path).and_then(|file| file.metadata()).is_ok_and(|found| found.is_file() && found.len() == 0)
}

fn file_exists_problem(path: &Path) -> Problem {
    let problem = Problem::error(codes::FILE_NOT_WRITTEN, format!("there is a file `{}` already", path.display()));
    problem.help("choose another name; this command overwrites no file")
}

/// Writes a tournament into an empty file.
fn fill_file(path: &Path, tournament: &Tournament) -> Result<(), Problem> {
    let connection = open_connection(path)?;
    let problem = |error| problem_of(path, error);
    retry_while_busy(|| connection.execute_batch("BEGIN EXCLUSIVE")).map_err(problem)?;
    // Another process may have been faster.
    if !migrate::is_new(&connection).map_err(problem)? {
        return Err(file_exists_problem(path));
    }
    migrate::migrate_tables(&connection).map_err(problem)?;
    rows::insert_tournament(&connection, tournament).map_err(problem)?;
    connection.execute_batch("COMMIT").map_err(problem)
}
