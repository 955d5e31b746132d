//! Recordings from disk: read, and made ready to be played again.

use super::opening::{BadStart, Opening, PositionText, Wish, open};
use crate::cli::Common;
use ludex_engine::codes;
use ludex_engine::library::Wanted;
use ludex_engine::problem::Problem;
use ludex_engine::recording::{Recording, package_warning};
use ludex_engine::source::Sources;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// One byte more than the longest recording that is read.
const MOST_BYTES: u64 = (64 << 20) + 1;

/// A recording with the game it belongs to.
pub struct Reopened {
    pub recording: Recording,
    pub opening: Opening,
    /// How many bytes of the file are whole lines.
    pub whole: u64,
}

/// Reads a recording and compiles its game as it was played: same mode, same options, same position.
pub fn reopen(path: &Path, common: &Common) -> Result<Reopened, BadStart> {
    let mut sources = Sources::default();
    let bytes = match read(path) {
        Ok(bytes) => bytes,
        Err(error) => return Err(BadStart::one(unreadable(path, &error), sources)),
    };
    let source = sources.add(path.display().to_string(), String::from_utf8_lossy(&bytes));
    let (recording, notes) = match Recording::parse(source, &bytes) {
        Ok(read) => read,
        Err(problem) => return Err(BadStart::one(problem, sources)),
    };
    crate::output::problems(&notes, &sources);
    let header = &recording.header;
    let wanted = Wanted { mode: Some(header.mode.clone()), options: header.option_words() };
    let position = header.position.as_deref().map(|text| PositionText::Kept(text, header));
    let mut opening = open(common, Wish { game: Some(&header.game), wanted, position })?;
    opening.notes.extend(package_warning(header, &opening.program));
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end as u64 + 1);
    Ok(Reopened { recording, opening, whole })
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unreadable(path: &Path, error: &io::Error) -> Problem {
    let message = format!("the recording `{}` cannot be read: {error}", path.display());
    Problem::error(codes::FILE_UNREADABLE, message).help("`ludex play` tells where it keeps its recordings")
}
