//! The few declarations that describe a game and its sheets, without parsing the rest of its rules. The library reads them of
//! every file at once, and parses the rest only when it is needed.

use super::chunks::{self, Starts};
use super::reader::Reader;
use super::{LONGEST, read_items, scan};
use crate::limits::NAMES;
use crate::source::SourceId;
use crate::tree::{Item, ItemKind};

/// The words that begin the declarations of an outline and are followed by a name.
const NAMED: [&str; 4] = ["game", "package", "sheet", "piece"];
/// The word that is followed by a number.
const NUMBERED: &str = "sides";

/// Returns the game or package, the sheets, the kinds of pieces and the sides that a `.ludex` file declares, including
/// replacements of others, but not the contents of modes. The result agrees with [`parse_rules`](super::parse_rules), which also
/// reports problems.
pub fn parse_outline(source: SourceId, text: &str) -> Vec<Item> {
    if text.len() > LONGEST {
        return Vec::new();
    }
    let mut scanned = scan::scan_text(source, text);
    let chunks = chunks::cut_chunks(source, text, &scanned, &Starts { column: 0, surely: chunks::surely_declares });
    if chunks.len() > NAMES {
        return Vec::new();
    }
    let opens =
        |chunk: &&chunks::Chunk| scanned.code.get(chunk.start..chunk.end).is_some_and(|code| !is_mode(code) && may_declare(code));
    let wanted: Vec<&chunks::Chunk> = chunks.iter().filter(opens).collect();
    let mut reader = Reader::new(source, text, &mut scanned);
    let items = wanted.into_iter().flat_map(|chunk| read_items(&mut reader, chunk));
    items.filter(|item| is_in_outline(&item.kind)).collect()
}

/// Whether [`parse_outline`] returns a declaration.
pub(super) fn is_in_outline(item: &ItemKind) -> bool {
    match item {
        ItemKind::Replace(item) => is_in_outline(&item.kind),
        ItemKind::Game { .. } | ItemKind::Package { .. } => true,
        ItemKind::Sheet { .. } | ItemKind::Piece { .. } | ItemKind::Sides(_) => true,
        _ => false,
    }
}

/// Whether some code is a single mode and nothing else. Modes can be long, and outlines never include their contents.
fn is_mode(code: &str) -> bool {
    let Some(behind) = code.trim().strip_prefix("mode").filter(|behind| !behind.starts_with(is_part_of_word)) else {
        return false;
    };
    let mut open = 0_usize;
    let is_end = |sign: char| {
        open = match sign {
            '{' => open + 1,
            '}' => open.saturating_sub(1),
            _ => return false,
        };
        open == 0
    };
    behind.find(is_end).is_some_and(|end| end + 1 == behind.len())
}

/// Whether some code may contain one of the declarations: the grammar requires its word, which is never part of another word.
fn may_declare(code: &str) -> bool {
    let named = |word: &&str| is_followed_by(word, code, |sign| sign.is_ascii_alphabetic());
    NAMED.iter().any(named) || is_followed_by(NUMBERED, code, |sign| sign.is_ascii_digit())
}

/// Whether some code contains a word, followed by a character that `begins` accepts.
fn is_followed_by(word: &str, code: &str, begins: fn(char) -> bool) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let behind = &code[at + word.len()..];
        let is_word = !code[..at].ends_with(is_part_of_word) && !behind.starts_with(is_part_of_word);
        is_word && behind.trim_start().starts_with(begins)
    })
}

/// Whether a character may be in a name or keyword.
fn is_part_of_word(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_'
}
