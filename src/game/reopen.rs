//! Recordings from disk: read, and made ready to be played again.

use super::opening::{BadStart, Opening, PositionText, Wish, open};
use crate::cli::Common;
use ludex_engine::codes;
use ludex_engine::library::Wanted;
use ludex_engine::problem::Problem;
use ludex_engine::recording::{Chain, MOST_BYTES, Reading, Recording, package_warning};
use ludex_engine::source::{SourceId, Sources};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A recording with the game it belongs to.
pub struct Reopened {
    pub recording: Recording,
    pub opening: Opening,
    /// What was left out of it, in words.
    pub damage: Option<String>,
    /// The chain of the file, if lines can be added to it.
    pub chain: Option<Chain>,
}

/// Reads a recording and compiles its game as it was played: same mode, same options, same position.
pub fn reopen(path: &Path, common: &Common) -> Result<Reopened, BadStart> {
    let mut sources = Sources::default();
    let bytes = match read(path) {
        Ok(bytes) => bytes,
        Err(error) => return Err(BadStart::one(unreadable(path, &error), sources)),
    };
    let Reading { recording, notes, chain } = match Recording::parse(SourceId(0), &bytes) {
        Ok(reading) => reading,
        Err(problem) => {
            add_source(&mut sources, path, &bytes);
            return Err(BadStart::one(problem, sources));
        }
    };
    if !notes.is_empty() {
        add_source(&mut sources, path, &bytes);
        crate::output::problems(&notes, &sources);
    }
    drop(bytes);
    let damage = notes.first().map(|note| note.message.clone());
    let header = &recording.header;
    let wanted = Wanted { mode: Some(header.mode.clone()), options: header.option_words() };
    let position = header.position.as_deref().map(|text| PositionText::Kept(text, header));
    let mut opening = open(common, Wish { game: Some(&header.game), wanted, position })?;
    opening.notes.extend(package_warning(header, &opening.program));
    Ok(Reopened { recording, opening, damage, chain })
}

/// The text is there for those who are told what is wrong in it: it may be long.
fn add_source(sources: &mut Sources, path: &Path, bytes: &[u8]) {
    sources.add(path.display().to_string(), String::from_utf8_lossy(bytes));
}

/// What a recording's file holds, up to a little more than the longest recording. Reading from a pipe or a device might
/// never end.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unreadable(path: &Path, error: &io::Error) -> Problem {
    let message = format!("the recording `{}` cannot be read: {error}", path.display());
    Problem::error(codes::FILE_UNREADABLE, message).help("`ludex play` tells where it keeps its recordings")
}
