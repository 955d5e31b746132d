//! The libraries that a kept game was played with: in a file beside its recording, so that whoever gets the recording does not
//! learn where they are.

use crate::whole_file::{Readers, replace_again, with_ending};
use std::io;
use std::path::{Path, PathBuf};

/// What the name of the file ends with, after that of the recording.
const ENDING: &str = "libraries";
/// A longer file is none of Ludex.
const MOST_BYTES: u64 = 1 << 16;

/// Writes down the libraries of a game; nothing if it needs only those that come with the program.
pub fn write(recording: &Path, libraries: &[PathBuf]) -> io::Result<()> {
    let names: Vec<&str> = libraries.iter().filter_map(|library| library.to_str()).collect();
    if names.is_empty() {
        return Ok(());
    }
    replace_again(&with_ending(recording, ENDING), &format!("{}\n", serde_json::json!(names)), Readers::Owner)
}

/// The libraries of a game, in the order in which they are read; none where nothing was written down.
pub fn read(recording: &Path) -> Vec<PathBuf> {
    let path = with_ending(recording, ENDING);
    let is_short = std::fs::metadata(&path).is_ok_and(|found| found.is_file() && found.len() <= MOST_BYTES);
    let text = if is_short { std::fs::read_to_string(&path).unwrap_or_default() } else { String::new() };
    serde_json::from_str(&text).unwrap_or_default()
}

/// Forgets the libraries of a game.
pub fn remove(recording: &Path) {
    let _ = std::fs::remove_file(with_ending(recording, ENDING));
}
