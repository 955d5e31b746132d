//! Files that are written whole or not at all, are on disk before success is reported, and never replace a file of another kind.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The readers of a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// All that the system allows.
    All,
    /// Only its owner: it contains seeds, and information that players hide from each other.
    Owner,
}

/// Replaces a file's text by way of a draft beside it, which must not exist yet. If the machine stops at any point, readers
/// see the old file or the new one. A failed write leaves no draft.
pub fn replace_file(path: &Path, draft: &Path, text: &str, readers: Readers) -> io::Result<()> {
    replace_in_pieces(path, draft, std::iter::once(text), readers)
}

/// Like [`replace_file`], for a text in pieces.
pub fn replace_in_pieces(
    path: &Path,
    draft: &Path,
    pieces: impl Iterator<Item: AsRef<[u8]>>,
    readers: Readers,
) -> io::Result<()> {
    let written = write_synced(draft, pieces, readers);
    let replaced = written.and_then(|()| fs::rename(draft, path)).inspect_err(|_| {
        let _ = fs::remove_file(draft);
    });
    replaced.map(|()| sync_folder_of(path))
}

/// Like [`replace_file`], with a fixed name for the draft. If a process is killed, the next one cleans up its draft.
pub fn replace_with_fixed_draft(path: &Path, text: &str, readers: Readers) -> io::Result<()> {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".draft");
    let draft = path.with_file_name(name);
    let _ = fs::remove_file(&draft);
    replace_file(path, &draft, text, readers)
}

/// Creates a file; an existing one is an error.
pub fn create_file(path: &Path, content: impl AsRef<[u8]>, readers: Readers) -> io::Result<()> {
    write_synced(path, std::iter::once(content), readers)?;
    sync_folder_of(path);
    Ok(())
}

/// Creates a file with some content, and waits until it is on disk.
fn write_synced(path: &Path, mut pieces: impl Iterator<Item: AsRef<[u8]>>, readers: Readers) -> io::Result<()> {
    let mut file = BufWriter::new(open_new(path, readers)?);
    pieces.try_for_each(|piece| file.write_all(piece.as_ref()))?;
    file.into_inner()?.sync_all()
}

/// Creates a file for writing; an existing one is an error.
pub fn open_new(path: &Path, readers: Readers) -> io::Result<File> {
    restrict_readers(OpenOptions::new().write(true).create_new(true), readers).open(path)
}

/// Hides a new file from other users, if the system supports it.
pub fn restrict_readers(options: &mut OpenOptions, readers: Readers) -> &mut OpenOptions {
    #[cfg(unix)]
    if readers == Readers::Owner {
        std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    }
    let _ = readers;
    options
}

/// Syncs a file's folder, so that its name is on disk like its content.
pub fn sync_folder_of(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Not every system can open folders; those that cannot sync names by themselves.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// The path with a further extension: `match.ludexrec.lock`.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// Whether a file exists and is not of the kind whose files start with `beginning`, so that it must not be overwritten.
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
