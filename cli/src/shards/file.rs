//! The counts of one process, as a file.
//!
//! A verb with `--shard` writes one; `merge` reads all files of a folder. A file has two lines: the shard as JSON, and a hash
//! of that line, which shows whether the file is complete.

use super::{Divisible, Part};
use crate::whole_file::{Readers, replace_file, with_ending};
use ludex_engine::library::hash;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Version of the file format.
const FORM: u32 = 2;

/// Maximum size in bytes of a file that is read.
const LONGEST: u64 = 64 << 20;

/// The counts of one shard, and the run that it belongs to. The form is the same for every verb; the request and the counts have
/// the verb's own form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    ludex: u32,
    pub verb: String,
    /// Version of the program.
    pub version: String,
    /// Hash of the files of the games.
    pub package_hash: String,
    /// The verb's request, a [`Divisible`]. All shards of a run have the same one.
    pub request: Value,
    /// Number of pieces in the whole run.
    pub pieces: u64,
    pub shard: Part,
    /// The pieces that were done: the first, and the one after the last.
    range: (u64, u64),
    /// The verb's counts of these pieces: its [`Divisible::Counted`].
    pub counted: Value,
}

impl Shard {
    /// The shard with the counts of one part's pieces. An error if the request or the counts cannot be written as JSON.
    pub fn new<D: Divisible>(request: &D, package_hash: String, shard: Part, counted: &D::Counted) -> io::Result<Shard> {
        let pieces = request.piece_count();
        let Range { start, end } = shard.own_pieces(pieces);
        Ok(Shard {
            ludex: FORM,
            verb: D::VERB.to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            package_hash,
            request: serde_json::to_value(request).map_err(io::Error::other)?,
            pieces,
            shard,
            range: (start, end),
            counted: serde_json::to_value(counted).map_err(io::Error::other)?,
        })
    }

    /// The pieces that were done.
    pub fn piece_range(&self) -> Range<u64> {
        self.range.0..self.range.1
    }

    /// Writes the shard into a folder, whole or not at all. An existing one is replaced: its counts are the same.
    pub fn write_shard(&self, folder: &Path) -> io::Result<PathBuf> {
        fs::create_dir_all(folder)?;
        let path = folder.join(self.shard.file_name());
        let draft = with_ending(&path, &format!("{}.draft", std::process::id()));
        let line = serde_json::to_string(self).map_err(io::Error::other)?;
        let text = format!("{line}\n{}\n", hash(&line));
        replace_file(&path, &draft, &text, Readers::All).map(|()| path)
    }

    /// Reads the file of a shard. The error says why it is invalid.
    pub fn read_shard(path: &Path) -> Result<Shard, String> {
        let size = fs::metadata(path).map_err(|error| error.to_string())?.len();
        if size > LONGEST {
            return Err("it is too large".to_string());
        }
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let (line, digits) = text.split_once('\n').ok_or("it is cut off")?;
        if digits.trim_end() != hash(line) {
            return Err("its content was changed or is incomplete".to_string());
        }
        let shard: Shard = serde_json::from_str(line).map_err(|error| format!("it cannot be read: {error}"))?;
        match shard.ludex == FORM && shard.piece_range() == shard.shard.own_pieces(shard.pieces) {
            true => Ok(shard),
            false => Err("it has another format".to_string()),
        }
    }
}
