//! The spaces between two words or signs of a line.
//!
//! [`Structure`] has the offsets at which a rule is not enough: prefixes such as a minus, brackets that stand apart, and parts
//! beside each other on a line.

use super::tokens::{Sort, Token};
use ludex_syntax::parse::structure::Structure;

/// Number of spaces between statements or similar parts on one line.
const BESIDE: usize = 2;

/// Number of spaces between two tokens of a line.
pub fn spaces_between(structure: &Structure, before: &Token, after: &Token) -> usize {
    if before.sort != Sort::Code || after.sort != Sort::Code {
        return usize::from(after.word != "," && after.word != ";");
    }
    match (before.word, after.word) {
        ("{", "}") => 0,
        ("{", _) | (_, "}") => 1,
        (_, "," | ";" | ":" | ")" | "]" | "." | ".." | "/") | ("(" | "[" | "." | ".." | "/", _) => 0,
        _ if structure.prefixes.contains(&before.at.start) => 0,
        (_, "(") => usize::from(structure.apart.contains(&after.at.start)),
        _ if structure.beside.contains(&after.at.start) => BESIDE,
        _ => 1,
    }
}
