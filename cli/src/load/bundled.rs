//! The bundled library.
//!
//! The rules, sheets, scripts and pages of the repository, which are compiled into the program. They are read before all other
//! libraries.

use super::file::slashed_path;
use super::folder::is_of_interest;
use include_dir::{Dir, include_dir};
use ludex_engine::library::{BUNDLED, File};

static RULES: Dir = include_dir!("$CARGO_MANIFEST_DIR/rules");
static CHARACTERS: Dir = include_dir!("$CARGO_MANIFEST_DIR/characters");
static SCRIPTS: Dir = include_dir!("$CARGO_MANIFEST_DIR/scripts");

/// Its files, in order of their paths.
pub fn bundled_files() -> Vec<File> {
    let mut files = Vec::new();
    for (folder, dir) in [("rules", &RULES), ("characters", &CHARACTERS), ("scripts", &SCRIPTS)] {
        collect_files(folder, dir, &mut files);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// A general page among its files, such as `rules/REFERENCE.md`.
pub fn bundled_page(path: &str) -> Option<&'static str> {
    let (folder, file) = path.split_once('/')?;
    let dirs = [("rules", &RULES), ("characters", &CHARACTERS), ("scripts", &SCRIPTS)];
    dirs.into_iter().find(|(name, _)| *name == folder)?.1.get_file(file)?.contents_utf8()
}

/// Adds the game files of a folder and its subfolders, with their paths within the library.
fn collect_files(folder: &str, dir: &Dir, files: &mut Vec<File>) {
    for inner in dir.dirs() {
        collect_files(folder, inner, files);
    }
    for file in dir.files().filter(|file| is_of_interest(file.path())) {
        if let Some(text) = file.contents_utf8() {
            let path = format!("{folder}/{}", slashed_path(file.path()));
            files.push(File { path, text: text.to_string(), library: BUNDLED.to_string() });
        }
    }
}
