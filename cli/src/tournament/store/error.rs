//! Errors of the file, explained without database terms.

use ludex_engine::codes;
use ludex_engine::problem::Problem;
use rusqlite::{Error, ErrorCode};
use std::path::Path;

/// Whether another process is at work, which is only temporary.
pub(super) fn is_busy(error: &Error) -> bool {
    let busy = [ErrorCode::DatabaseBusy, ErrorCode::DatabaseLocked, ErrorCode::FileLockingProtocolFailed];
    error.sqlite_error_code().is_some_and(|code| busy.contains(&code))
}

/// The problem of an error of the database at this path.
pub(super) fn problem_of(path: &Path, error: Error) -> Problem {
    let shown = path.display();
    if is_busy(&error) {
        let message = format!("another program has been using `{shown}` for over a minute");
        return Problem::error(codes::FILE_UNREADABLE, message).help("nothing was changed; try again");
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => no_tournament(path, "it was not made by `ludex tournament new`"),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::ConstraintViolation | ErrorCode::Unknown) | None => {
            damaged_problem(path, &error)
        }
        Some(ErrorCode::DiskFull) => {
            let message = format!("there is no room to write `{shown}`");
            Problem::error(codes::FILE_NOT_WRITTEN, message).help("nothing was changed; make room, and try again")
        }
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            let message = format!("`{shown}` cannot be written");
            Problem::error(codes::FILE_NOT_WRITTEN, message)
                .help("nothing was changed; check that you may write this file and the folder it is in")
        }
        Some(_) => {
            let message = format!("`{shown}` cannot be used: {error}");
            Problem::error(codes::FILE_UNREADABLE, message).help("nothing was changed; check whether the disk is full or failing")
        }
    }
}

/// The problem of a file that is something else; `why` is its help.
pub(super) fn no_tournament(path: &Path, why: &str) -> Problem {
    let message = format!("`{}` is not a tournament", path.display());
    Problem::error(codes::TOURNAMENT_FILE, message).help(why)
}

/// The problem of a damaged file: another program has changed it, or the disk is failing.
fn damaged_problem(path: &Path, error: &Error) -> Problem {
    let message = format!("the tournament `{}` is damaged: {error}", path.display());
    Problem::error(codes::TOURNAMENT_FILE, message).help("nothing was changed; use a copy of the file")
}
