//! The libraries that a kept game was played with. They are in a file beside its recording, so that sharing the recording does
//! not reveal their paths. For copies in other folders there is one list.

use crate::whole_file::{Readers, replace_with_fixed_draft, with_ending};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The extension of the file, added to the name of the recording.
const ENDING: &str = "libraries";
/// Maximum size. A longer file does not come from Ludex.
const MOST_BYTES: u64 = 1 << 20;

/// Writes the libraries of a game. Writes nothing if the game needs only built-in libraries.
pub fn write_libraries(recording: &Path, libraries: &[PathBuf]) -> io::Result<()> {
    let names = path_texts(libraries);
    if names.is_empty() {
        return Ok(());
    }
    replace_with_fixed_draft(&with_ending(recording, ENDING), &format!("{}\n", serde_json::json!(names)), Readers::Owner)
}

/// The paths as text. Paths that are not Unicode cannot be stored, and are left out.
fn path_texts(libraries: &[PathBuf]) -> Vec<String> {
    libraries.iter().filter_map(|library| library.to_str().map(str::to_string)).collect()
}

/// The libraries of a game, in the order in which they are read. Empty if none were written.
pub fn read_libraries(recording: &Path) -> Vec<PathBuf> {
    serde_json::from_str(&short_text(&with_ending(recording, ENDING))).unwrap_or_default()
}

/// The text of one of Ludex's own files; empty if it cannot be read, or is too long to be one.
fn short_text(path: &Path) -> String {
    let is_short = std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() <= MOST_BYTES);
    if is_short { std::fs::read_to_string(path).unwrap_or_default() } else { String::new() }
}

/// Notes the libraries of a recording in another folder under its path, and removes the entries of files that are gone.
pub fn add_to_list(list: &Path, recording: &Path, libraries: &[PathBuf]) -> io::Result<()> {
    let Some(path) = recording.canonicalize()?.to_str().map(str::to_string) else { return Ok(()) };
    let before = read_list(list);
    let mut noted = before.clone();
    noted.retain(|path, _| Path::new(path).exists());
    match path_texts(libraries) {
        names if names.is_empty() => noted.remove(&path),
        names => noted.insert(path, names),
    };
    if noted == before {
        Ok(())
    } else {
        replace_with_fixed_draft(list, &format!("{}\n", serde_json::json!(noted)), Readers::Owner)
    }
}

/// The libraries that [`add_to_list`] has stored for a recording.
pub fn find_in_list(list: &Path, recording: &Path) -> Vec<PathBuf> {
    let path = recording.canonicalize().ok();
    let names = path.as_deref().and_then(Path::to_str).and_then(|path| read_list(list).remove(path));
    names.unwrap_or_default().into_iter().map(PathBuf::from).collect()
}

/// The libraries by path of recording; empty if the list does not exist or is damaged.
fn read_list(list: &Path) -> BTreeMap<String, Vec<String>> {
    serde_json::from_str(&short_text(list)).unwrap_or_default()
}

/// Removes the libraries of a game.
pub fn remove_libraries(recording: &Path) {
    let _ = std::fs::remove_file(with_ending(recording, ENDING));
}
