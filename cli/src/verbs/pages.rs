//! `--html FILE`: a page for browsers, written completely or not at all.
//!
//! `sim` and `odds` write such pages.

use crate::output;
use crate::stop::Stop;
use crate::whole_file::{Readers, is_something_else, replace_with_fixed_draft};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::path::Path;

/// Refuses a file that could not be written, before any work is done. Only pages with the same beginning are overwritten.
pub fn check_page_path(path: &Path, beginning: &str) -> Result<(), Stop> {
    if is_something_else(path, beginning.as_bytes()) {
        let help = "choose another name; Ludex overwrites only its own pages";
        return Err(page_write_problem(path, "another file has this name").help(help).into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(page_write_problem(path, "its folder does not exist").help("create the folder, or choose another").into());
    }
    Ok(())
}

/// Writes the page completely, or leaves the old file.
pub fn write_html_page(path: &Path, page: &str) -> Result<(), Stop> {
    replace_with_fixed_draft(path, page, Readers::All)
        .map_err(|error| page_write_problem(path, &error.to_string()).help("choose an existing folder that you may write to"))?;
    output::print_remark(&format!("the page is in {}", path.display()));
    Ok(())
}

fn page_write_problem(path: &Path, why: &str) -> Problem {
    Problem::error(codes::FILE_NOT_WRITTEN, format!("the page `{}` cannot be written: {why}", path.display()))
}
