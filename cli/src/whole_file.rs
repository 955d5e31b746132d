//! Files that are written whole or not at all, are on the disk before anybody is told so, and never take the place of
//! something else.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Who may read a file that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// Whoever the system lets.
    All,
    /// Only whoever made it: it tells seeds, and what players hide from each other.
    Owner,
}

/// Puts a text in the place of a file, by way of a draft beside it, which is not there yet. Readers see the old file or the
/// new one, and never half of one, whenever the machine stops; of what cannot be written nothing is left.
pub fn replace(path: &Path, draft: &Path, text: &str, readers: Readers) -> io::Result<()> {
    replace_by(path, draft, std::iter::once(text), readers)
}

/// As [`replace`], with a text that comes in pieces.
pub fn replace_by(path: &Path, draft: &Path, pieces: impl Iterator<Item: AsRef<[u8]>>, readers: Readers) -> io::Result<()> {
    let written = write_synced(draft, pieces, readers);
    let replaced = written.and_then(|()| fs::rename(draft, path)).inspect_err(|_| {
        let _ = fs::remove_file(draft);
    });
    replaced.map(|()| sync_folder_of(path))
}

/// As [`replace`], by way of a draft that is always the same: a process that is killed leaves nothing behind that the next one
/// does not take away.
pub fn replace_again(path: &Path, text: &str, readers: Readers) -> io::Result<()> {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".draft");
    let draft = path.with_file_name(name);
    let _ = fs::remove_file(&draft);
    replace(path, &draft, text, readers)
}

/// A new file; one that is there is an error.
pub fn create(path: &Path, content: impl AsRef<[u8]>, readers: Readers) -> io::Result<()> {
    write_synced(path, std::iter::once(content), readers)?;
    sync_folder_of(path);
    Ok(())
}

fn write_synced(path: &Path, mut pieces: impl Iterator<Item: AsRef<[u8]>>, readers: Readers) -> io::Result<()> {
    let mut file = BufWriter::new(open_new(path, readers)?);
    pieces.try_for_each(|piece| file.write_all(piece.as_ref()))?;
    file.into_inner()?.sync_all()
}

/// A new file to write to.
pub fn open_new(path: &Path, readers: Readers) -> io::Result<File> {
    private(OpenOptions::new().write(true).create_new(true), readers).open(path)
}

/// Keeps what is made from other readers, where the system tells readers apart.
pub fn private(options: &mut OpenOptions, readers: Readers) -> &mut OpenOptions {
    #[cfg(unix)]
    if readers == Readers::Owner {
        std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    }
    let _ = readers;
    options
}

/// Makes sure that the name of a file is on the disk, as its content is.
pub fn sync_folder_of(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Not every system lets folders be opened; those that do not keep names by themselves.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// The path of a file beside another: `match.ludexrec.lock`.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// Whether there is a file, and it does not begin as one of its kind does.
pub fn is_something_else(path: &Path, beginning: &[u8]) -> bool {
    let mut start = Vec::new();
    match fs::metadata(path) {
        Err(_) => false,
        Ok(found) if !found.is_file() => true,
        Ok(_) => {
            let read = File::open(path).and_then(|file| file.take(beginning.len() as u64).read_to_end(&mut start));
            read.is_err() || start != beginning
        }
    }
}
