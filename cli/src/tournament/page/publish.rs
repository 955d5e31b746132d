//! The page on disk: written completely to a temporary file, then moved into place.
//!
//! The page belongs to a tournament's settings, so that every later command knows to write it again.

use super::{BEGINNING, page_html};
use crate::game::new_salt;
use crate::tournament::rules::{self, Actor};
use crate::tournament::store::Store;
use crate::whole_file::{self, Readers};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::path::{Path, PathBuf};

/// Writes the page, now and after every later operation.
pub fn set_page(store: &Store, path: &Path) -> Result<(), Problem> {
    let place = absolute_page_path(path)?;
    if whole_file::is_something_else(&place, BEGINNING.as_bytes()) {
        let problem = page_write_problem(path, "a file with this name exists, and it is not the page of a tournament");
        return Err(problem.help("choose another name; Ludex overwrites only its own pages"));
    }
    write_page(store, &place)?;
    choose_page(store, Some(place))?;
    // There may have been an operation between the page and its choice.
    publish_page(store)
}

/// Stops writing the page. The last one stays in place.
pub fn forget_page(store: &Store) -> Result<(), Problem> {
    choose_page(store, None)
}

/// Notes the page in the settings, or that there is none.
fn choose_page(store: &Store, page: Option<PathBuf>) -> Result<(), Problem> {
    store.change_tournament(|tournament, now| {
        let actor = Actor::find_by_name(tournament, None)?;
        rules::set_page(tournament, &actor, page, now);
        Ok(())
    })
}

/// Writes the page again, if there is one.
pub fn publish_page(store: &Store) -> Result<(), Problem> {
    match store.page_path()? {
        Some(page) => write_page(store, &page),
        None => Ok(()),
    }
}

/// Writes the page under the lock of the tournament, so that an older page never replaces a newer one.
fn write_page(store: &Store, page: &Path) -> Result<(), Problem> {
    let written = store.with_lock(|tournament| {
        whole_file::replace_with_fixed_draft(page, &page_html(tournament, store.current_time(), &new_salt()), Readers::All)
    })?;
    written.map_err(|error| {
        page_write_problem(page, &error.to_string()).help("`ludex tournament standings --html FILE` chooses another")
    })
}

/// An absolute path, valid in any folder where a later command starts.
fn absolute_page_path(path: &Path) -> Result<PathBuf, Problem> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = parent.canonicalize().map_err(|error| {
        page_write_problem(path, &error.to_string()).help("choose a folder that is there and that you may write to")
    })?;
    let name = path.file_name().ok_or_else(|| page_write_problem(path, "it is not the name of a file"))?;
    let place = folder.join(name);
    match place.to_str() {
        Some(_) => Ok(place),
        None => Err(page_write_problem(path, "its path is not UTF-8")),
    }
}

fn page_write_problem(path: &Path, why: &str) -> Problem {
    Problem::error(codes::FILE_NOT_WRITTEN, format!("the page `{}` cannot be written: {why}", path.display()))
}
