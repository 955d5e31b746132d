//! The versions of the tables, and the migration of older ones.

use super::error::{no_tournament, problem_of};
use super::wait_for_file::retry_while_busy;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use rusqlite::Connection;
use std::path::Path;

/// The application id of the file in SQLite's header: `LuTo`.
const APPLICATION: i64 = 0x4c75_546f;

/// The migration to each version from the one before; the first starts from an empty file.
const VERSIONS: &[&str] = &[include_str!("schema-1.sql")];

/// Refuses a file that is not a tournament, and one made by a newer Ludex.
pub(super) fn check_version(connection: &Connection, path: &Path) -> Result<(), Problem> {
    let problem = |error| problem_of(path, error);
    if retry_while_busy(|| pragma_number(connection, "application_id")).map_err(problem)? != APPLICATION {
        return Err(no_tournament(path, "tournaments are made by `ludex tournament new`"));
    }
    let version = retry_while_busy(|| pragma_number(connection, "user_version")).map_err(problem)?;
    if version > VERSIONS.len() as i64 {
        let message = format!("`{}` was made by a newer Ludex", path.display());
        let help = format!("it has version {version} of the tables, and this Ludex knows {}; use the newer one", VERSIONS.len());
        return Err(Problem::error(codes::TOURNAMENT_VERSION, message).help(help));
    }
    Ok(())
}

/// Whether a file is still empty.
pub(super) fn is_new(connection: &Connection) -> rusqlite::Result<bool> {
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(tables == 0)
}

/// Whether the tables have an older version than this Ludex writes.
pub(super) fn is_older(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(pragma_number(connection, "user_version")? < VERSIONS.len() as i64)
}

/// Migrates any version to the current one.
pub(super) fn migrate_tables(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "application_id", APPLICATION)?;
    migrate_through(connection, VERSIONS)
}

/// Applies the changes that the file does not have yet. The caller has begun a transaction.
fn migrate_through(connection: &Connection, versions: &[&str]) -> rusqlite::Result<()> {
    let present = pragma_number(connection, "user_version")?;
    for (version, change) in (1i64..).zip(versions).filter(|(version, _)| *version > present) {
        connection.execute_batch(change)?;
        connection.pragma_update(None, "user_version", version)?;
    }
    Ok(())
}

fn pragma_number(connection: &Connection, pragma: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, pragma, |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREE: [&str; 3] = ["CREATE TABLE a (x)", "ALTER TABLE a ADD COLUMN y", "INSERT INTO a VALUES (1, 2)"];

    fn sum(connection: &Connection) -> rusqlite::Result<i64> {
        connection.query_row("SELECT sum(x + y) FROM a", [], |row| row.get(0))
    }

    #[test]
    fn an_older_file_goes_through_the_versions_it_lacks() {
        let connection = Connection::open_in_memory().unwrap();
        migrate_through(&connection, &THREE[..1]).unwrap();
        assert!(sum(&connection).is_err());
        migrate_through(&connection, &THREE).unwrap();
        assert_eq!((pragma_number(&connection, "user_version"), sum(&connection)), (Ok(3), Ok(3)));
    }

    #[test]
    fn a_present_file_stays_as_it_is() {
        let connection = Connection::open_in_memory().unwrap();
        migrate_through(&connection, &THREE).unwrap();
        migrate_through(&connection, &THREE).unwrap();
        assert_eq!(sum(&connection), Ok(3));
    }
}
