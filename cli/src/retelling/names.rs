//! Names for pieces in a written position or scenario: cards by the ids of their sheets, other pieces by letters.

use ludex_engine::program::Program;
use ludex_engine::runtime::Session;
use std::collections::{BTreeMap, BTreeSet};

/// Gives each of some pieces a name that is unique among the keys of this game.
pub fn names_for_pieces(session: &Session, pieces: &BTreeSet<usize>) -> BTreeMap<usize, String> {
    let words = reserved_words(session.program());
    let mut names: BTreeMap<usize, String> = BTreeMap::new();
    let mut letters =
        (0..).map(letter_name).filter(|name| !words.contains(name.as_str()) && !session.piece_keys().contains(name));
    for piece in pieces {
        let key = session.key_of_own(*piece);
        let name = match key.split('#').next() {
            Some(sheet) if key != piece.to_string() => free_name(sheet, &names, &words),
            _ => letters.next().unwrap_or_default(),
        };
        names.insert(*piece, name);
    }
    names
}

/// `otter`, and `otter-2` for the second.
fn free_name(sheet: &str, names: &BTreeMap<usize, String>, words: &BTreeSet<&str>) -> String {
    let is_free = |name: &String| !names.values().any(|known| known == name) && !words.contains(name.as_str());
    let numbered = (2..).map(|number| format!("{sheet}-{number}"));
    std::iter::once(sheet.to_string()).chain(numbered).find(is_free).unwrap_or_default()
}

/// `a` to `z`, then `aa`.
fn letter_name(number: usize) -> String {
    let last = char::from(b'a' + (number % 26) as u8).to_string();
    if number < 26 { last } else { format!("{}{last}", letter_name(number / 26 - 1)) }
}

/// Other words that may be written in place of a piece.
fn reserved_words(program: &Program) -> BTreeSet<&str> {
    program.words.iter().flat_map(|words| &words.words).map(String::as_str).chain(["none", "pass"]).collect()
}
