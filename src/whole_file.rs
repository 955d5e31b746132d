//! Files that are written whole or not at all, and never over something else.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

/// Puts a text in the place of a file, by way of a draft beside it, which is not there yet. Readers see the old file or the
/// new one, and never half of one; of what cannot be written nothing is left.
pub fn replace(path: &Path, draft: &Path, text: &str) -> io::Result<()> {
    let written = OpenOptions::new().write(true).create_new(true).open(draft);
    let written = written.and_then(|mut file| file.write_all(text.as_bytes()));
    written.and_then(|()| fs::rename(draft, path)).inspect_err(|_| {
        let _ = fs::remove_file(draft);
    })
}

/// Whether there is a file, and it does not begin as one of its kind does.
pub fn is_something_else(path: &Path, beginning: &[u8]) -> bool {
    let mut start = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(beginning.len() as u64).read_to_end(&mut start).is_err() || start != beginning,
        Err(_) => path.exists(),
    }
}
