//! A packed library → the game files in it. Nothing is written to disk.
//!
//! The zip is untrusted. Names, sizes and offsets are checked before anything is unpacked, and never more is unpacked than a
//! library may hold. If anything is wrong, the whole zip is refused. `ludex pack` writes such zips. It also calls
//! [`unpack_texts`] to check the zip before it is written.

use super::file::{ExceededLimit, LibrarySize, Notes, path_text, slashed_path};
use super::folder::{LibraryFile, PARTS, is_of_interest};
use ludex_engine::codes;
use ludex_engine::library::{MANIFEST, limits};
use ludex_engine::problem::Problem;
use ludex_engine::yaml;
use std::collections::HashMap;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

/// Maximum size of the zip in bytes. A library at its limits takes less even without compression.
const LARGEST: u64 = 8 << 20;
/// Maximum compression ratio of a text. Only zip bombs exceed it.
const MOST_TIMES_SMALLER: u64 = 200;
/// Texts up to this size in bytes may exceed the ratio.
const SHORT: u64 = 64 << 10;

/// The signature of the last record of a zip, its length without a comment, and the offsets of the entry count and the comment
/// length in it.
const END: &[u8] = b"PK\x05\x06";
const END_LENGTH: usize = 22;
const END_ENTRIES: usize = 10;
const END_COMMENT: usize = 20;
/// Maximum length of the comment after it.
const LONGEST_COMMENT: usize = u16::MAX as usize;

/// The file type bits of an entry's Unix mode.
const KIND: u32 = 0o170_000;
const KINDS_OF_FILES_AND_FOLDERS: [u32; 3] = [0, 0o100_000, 0o040_000];

/// Whether a file is a packed library, judging by its name or its first bytes.
pub fn is_packed(path: &Path) -> bool {
    let named = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip"));
    let mut start = [0; 4];
    let mut begins =
        || std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"PK\x03\x04";
    path.is_file() && (named || begins())
}

/// The files of a packed library in order of their paths; none if anything is wrong.
pub fn packed_files(path: &Path, notes: &mut Notes) -> Vec<LibraryFile> {
    let zip = path_text(path);
    let found = read_zip(path, &zip).and_then(|bytes| unpack_texts(&bytes, &zip));
    match found {
        Ok(texts) => {
            let place = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
            let file = |(name, bytes): (String, Vec<u8>)| {
                let text = yaml::decode_text(&bytes).map_err(super::file::ReadFailure::NotText);
                let place = place.join(&name);
                let file = notes.accept_file(text, &path.join(&name), name, slashed_path(path))?;
                Some(LibraryFile { file, place })
            };
            texts.into_iter().filter_map(file).collect()
        }
        Err(problem) => {
            notes.problems.push(*problem);
            Vec::new()
        }
    }
}

/// Reads a whole zip, if its end record is valid and its size acceptable.
fn read_zip(path: &Path, zip: &str) -> Result<Vec<u8>, Box<Problem>> {
    let unreadable = |error: io::Error| Problem::error(codes::FILE_UNREADABLE, format!("`{zip}` cannot be read: {error}"));
    let mut file = std::fs::File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    let tail_length = length.min((END_LENGTH + LONGEST_COMMENT) as u64);
    file.seek(SeekFrom::Start(length - tail_length)).map_err(unreadable)?;
    let mut tail = Vec::new();
    file.by_ref().take(tail_length).read_to_end(&mut tail).map_err(unreadable)?;
    let entries = entries_at_end(&tail, zip)?;
    if entries > limits::FILES {
        let many = if entries == usize::from(u16::MAX) { format!("{entries} or more") } else { entries.to_string() };
        return Err(Box::new(too_large_problem(format!("`{zip}` holds {many} files, so it is not read"), &at_most_files())));
    }
    if length > LARGEST {
        let message = format!("`{zip}` is larger than {} MiB, so it is not read", LARGEST >> 20);
        return Err(Box::new(too_large_problem(message, &at_most_text())));
    }
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    // The file may grow while it is read.
    file.take(LARGEST).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

/// The number of entries in a zip, according to its last record. No data may follow that record. `tail` is the end of the file,
/// at least as long as that record with its longest comment.
fn entries_at_end(tail: &[u8], zip: &str) -> Result<usize, Box<Problem>> {
    let number = |at: usize| tail.get(at..at + 2).map_or(0, |two| usize::from(u16::from_le_bytes([two[0], two[1]])));
    let mut starts = (0..=tail.len().saturating_sub(END_LENGTH)).rev().filter(|start| tail[*start..].starts_with(END)).peekable();
    if starts.peek().is_none() {
        let help = "name a library written by `ludex pack`, or the folder with its files";
        return Err(Box::new(damage_problem(format!("`{zip}` is not a packed library: it does not end like a zip"), help)));
    }
    let ends_here = |start: &usize| start + END_LENGTH + number(start + END_COMMENT) == tail.len();
    let Some(start) = starts.find(ends_here) else {
        let message = format!("there is data after the end of `{zip}`");
        return Err(Box::new(damage_problem(message, "ask for the file again: the added data could be harmful")));
    };
    Ok(number(start + END_ENTRIES))
}

/// The game files in a zip. Each has its path within the library and its bytes, in order of paths. `zip` is the name of the zip
/// in messages.
pub fn unpack_texts(bytes: &[u8], zip: &str) -> Result<Vec<(String, Vec<u8>)>, Box<Problem>> {
    let broken = |error: ZipError| Box::new(zip_error_problem(zip, &error));
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    if archive.offset() != 0 {
        let message = format!("there is data before the beginning of `{zip}`");
        return Err(Box::new(damage_problem(message, "ask for the file again: the added data could be harmful")));
    }
    if archive.has_duplicate_names() {
        let message = format!("two files in `{zip}` have the same name");
        return Err(Box::new(name_problem(message, "pack it again, each file once: `ludex pack` does so")));
    }
    if archive.len() > limits::FILES {
        let message = format!("`{zip}` holds {} files, so it is not read", archive.len());
        return Err(Box::new(too_large_problem(message, &at_most_files())));
    }
    let entries = game_entries(&archive, zip)?;
    if archive.has_overlapping_entries().map_err(broken)? {
        let message = format!("files in `{zip}` overlap");
        return Err(Box::new(damage_problem(message, "it was made to fill memory, or is damaged: ask for the file again")));
    }
    let mut amount = LibrarySize::default();
    let mut texts = Vec::new();
    for (index, name) in entries {
        let bytes = unpack_entry(&mut archive, index, &name, zip)?;
        amount.count_file(Path::new(&name), &bytes).map_err(|excess| excess_problem(&excess, zip))?;
        texts.push((name, bytes));
    }
    texts.sort();
    if texts.iter().all(|(name, _)| name != MANIFEST) {
        return Err(Box::new(missing_manifest_problem(&archive, zip)));
    }
    Ok(texts)
}

/// The game entries, by index and name. All entries are checked first.
fn game_entries(archive: &ZipArchive<Cursor<&[u8]>>, zip: &str) -> Result<Vec<(usize, String)>, Box<Problem>> {
    let mut found = Vec::new();
    let mut names: HashMap<String, String> = HashMap::new();
    for index in 0..archive.len() {
        let entry = archive.by_index_data(index).map_err(|error| Box::new(zip_error_problem(zip, &error)))?;
        let Ok(name) = std::str::from_utf8(entry.name_raw()) else {
            let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
            let message = format!("the name `{name}` in `{zip}` is not UTF-8");
            return Err(Box::new(name_problem(message, "give the file a name of plain letters, and pack it again")));
        };
        if let Some((what, help)) = name_fault_and_help(name) {
            return Err(Box::new(name_problem(format!("the name `{name}` in `{zip}` {what}"), help)));
        }
        let kind = entry.unix_mode().unwrap_or(0) & KIND;
        if entry.is_symlink() || !KINDS_OF_FILES_AND_FOLDERS.contains(&kind) {
            let message = format!("`{name}` in `{zip}` is a link, not a file");
            return Err(Box::new(name_problem(message, "put the file itself in its place, and pack it again")));
        }
        let whole = name.trim_end_matches('/');
        if let Some(other) = names.insert(whole.to_lowercase(), whole.to_string()) {
            let message = format!("`{other}` and `{whole}` in `{zip}` differ only in upper and lower case");
            return Err(Box::new(name_problem(
                message,
                "on some systems they are one file: give one another name, and pack it again",
            )));
        }
        if entry.encrypted() {
            let message = format!("`{name}` in `{zip}` is locked with a password");
            return Err(Box::new(damage_problem(message, "pack it again without a password")));
        }
        if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            let message = format!("`{name}` in `{zip}` is packed in a way that Ludex cannot read");
            return Err(Box::new(damage_problem(message, "pack it again with `ludex pack`, or as a plain zip")));
        }
        check_sizes(name, entry.size(), entry.compressed_size(), zip)?;
        if !name.ends_with('/') && is_for_games(name) {
            found.push((index, name.to_string()));
        }
    }
    Ok(found)
}

/// Whether a file of a packed library is read. Others, such as a licence, are ignored.
fn is_for_games(name: &str) -> bool {
    let hidden = name.split('/').any(|part| part.starts_with('.'));
    let (folder, loose) = name.split_once('/').map_or(("", true), |(folder, _)| (folder, false));
    let readme = loose && name.to_lowercase().ends_with(".md");
    !hidden && !readme && (loose || PARTS.contains(&folder)) && is_of_interest(Path::new(name))
}

/// Why a name is refused, and how to fix it.
fn name_fault_and_help(name: &str) -> Option<(&'static str, &'static str)> {
    let rename = "give the file another name, and pack it again";
    let inside = "pack the folder itself: paths start from it, as in `characters/pond/newt.yaml`";
    let path = name.strip_suffix('/').unwrap_or(name);
    let mut parts = path.split('/');
    let drive = matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if name.is_empty() || name == "/" {
        return Some(("is empty", rename));
    }
    if name.chars().any(char::is_control) {
        return Some(("has characters that cannot be shown", rename));
    }
    if name.contains('\\') {
        return Some(("has a `\\` in it", "write `/` between folders: `ludex pack` does so"));
    }
    if name.starts_with('/') || drive {
        return Some(("starts outside the library", inside));
    }
    if parts.any(|part| part == "..") {
        return Some(("leads out of the library", inside));
    }
    if path.split('/').any(|part| part.is_empty() || part == ".") {
        return Some(("has a folder without a name", inside));
    }
    (path.split('/').count() > limits::FOLDERS_DEEP + 2)
        .then_some(("is nested too deeply in folders", "put it into fewer folders, and pack it again"))
}

/// Checks the declared sizes of an entry. Whether they are true shows when it is unpacked.
fn check_sizes(name: &str, size: u64, packed: u64, zip: &str) -> Result<(), Box<Problem>> {
    if size > limits::FILE_BYTES as u64 {
        return Err(Box::new(too_large_problem(
            format!("`{name}` in `{zip}` is larger than 1 MiB"),
            "split it into several files",
        )));
    }
    if size > SHORT && size / packed.max(1) > MOST_TIMES_SMALLER {
        let message = format!("`{name}` in `{zip}` becomes {} times as large when it is unpacked", size / packed.max(1));
        return Err(Box::new(too_large_problem(message, "rules and sheets never do so: ask its author for the file itself")));
    }
    Ok(())
}

/// Unpacks an entry, up to the maximum size.
fn unpack_entry(archive: &mut ZipArchive<Cursor<&[u8]>>, index: usize, name: &str, zip: &str) -> Result<Vec<u8>, Box<Problem>> {
    let message = || format!("`{name}` in `{zip}` is damaged");
    let help = "ask for the file again, or pack it again";
    let entry = archive.by_index(index).map_err(|_| Box::new(damage_problem(message(), help)))?;
    let size = entry.size();
    let mut bytes = Vec::new();
    let read = entry.take(limits::FILE_BYTES as u64 + 1).read_to_end(&mut bytes);
    if read.is_err() || bytes.len() as u64 != size {
        return Err(Box::new(damage_problem(message(), help)));
    }
    Ok(bytes)
}

/// Reports that a zip has no manifest at its top. The library may be in a folder of the zip, which is named then.
fn missing_manifest_problem(archive: &ZipArchive<Cursor<&[u8]>>, zip: &str) -> Problem {
    let ending = format!("/{MANIFEST}");
    let deeper =
        archive.file_names_raw().filter_map(|name| std::str::from_utf8(name).ok()).find_map(|name| name.strip_suffix(&ending));
    let problem = Problem::error(codes::MANIFEST, format!("`{zip}` has no `{MANIFEST}`, so it is not read"));
    problem.help(match deeper {
        Some(folder) => format!("the library is in its folder `{folder}`: unpack it, and run `ludex pack {folder}`"),
        None => "unpack it, look at what is in it, and pack the folder with `ludex pack FOLDER`".to_string(),
    })
}

/// Reports a failure of the zip reader.
fn zip_error_problem(zip: &str, error: &ZipError) -> Problem {
    let what = match error {
        ZipError::UnsupportedArchive(_) => "is packed in a way that Ludex cannot read",
        _ => "is damaged",
    };
    damage_problem(format!("`{zip}` {what}"), "ask for the file again, or pack it again with `ludex pack`")
}

fn damage_problem(message: String, help: &str) -> Problem {
    Problem::error(codes::PACKED_DAMAGED, message).help(help)
}

fn name_problem(message: String, help: &str) -> Problem {
    Problem::error(codes::PACKED_NAME, message).help(help)
}

fn too_large_problem(message: String, help: &str) -> Problem {
    Problem::error(codes::PACKED_TOO_LARGE, message).help(help)
}

/// Reports a limit that the contents of a zip exceed.
fn excess_problem(excess: &ExceededLimit, zip: &str) -> Box<Problem> {
    let message = format!("`{zip}` holds {}, so it is not read", excess.excess_text());
    Box::new(match excess {
        ExceededLimit::Text | ExceededLimit::Rules => too_large_problem(message, &at_most_text()),
        ExceededLimit::Values => too_large_problem(message, "split it into several libraries"),
    })
}

fn at_most_files() -> String {
    format!("a library has at most {} files: keep only games, sheets and scripts in it", limits::FILES)
}

fn at_most_text() -> String {
    format!("a library has at most {} MiB of text: keep only games, sheets and scripts in it", limits::LIBRARY_BYTES >> 20)
}
