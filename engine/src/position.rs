//! A position: where play starts in the middle.

mod cards;
mod entry;
mod read;
#[cfg(test)]
mod tests;

pub use entry::example;
pub use read::unknown_entrant;

use crate::program::PrintedPiece;
use crate::source::Span;
use std::collections::BTreeMap;

/// A position file or block, read but not yet set up.
#[derive(Clone, Debug, Default)]
pub struct Position {
    pub sides: Vec<SidePosition>,
    /// Fields of the table by name, and its zones.
    pub table: BTreeMap<String, Spanned<String>>,
    pub table_zones: BTreeMap<String, Vec<PiecePosition>>,
    /// The entry and its arguments: `turn(active: 0)`. None: play starts from the beginning.
    pub at: Option<Entry>,
}

#[derive(Clone, Debug, Default)]
pub struct SidePosition {
    pub entrants: Vec<Spanned<String>>,
    /// What is said of each of them.
    pub settings: Vec<EntrantPosition>,
    pub zones: BTreeMap<String, Vec<PiecePosition>>,
    /// In the words of the file: `1`, `36.5`.
    pub counters: BTreeMap<String, Spanned<String>>,
    /// What it bears itself.
    pub marks: Vec<String>,
    /// Uses already spent, by ability.
    pub used: BTreeMap<String, Spanned<i64>>,
}

/// How an entrant stands: its fields and counters in the words of the file, and what it bears.
#[derive(Clone, Debug, Default)]
pub struct EntrantPosition {
    pub fields: BTreeMap<String, Spanned<String>>,
    pub marks: Vec<String>,
}

/// One piece of a zone, in order.
#[derive(Clone, Debug)]
pub struct PiecePosition {
    /// The name that a scenario gives to it.
    pub id: Option<String>,
    pub piece: PrintedPiece,
    /// None: not rolled yet.
    pub value: Option<i32>,
    /// The side it belongs to; by default the side it lies with.
    pub owner: Option<usize>,
    pub marks: Vec<String>,
    /// Of a card: its counters and fields in the words of the file.
    pub fields: BTreeMap<String, Spanned<String>>,
    /// What lies in its own zones.
    pub under: BTreeMap<String, Vec<PiecePosition>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub procedure: Spanned<String>,
    pub arguments: Vec<(String, i64)>,
}

#[derive(Clone, Debug)]
pub struct Spanned<T> {
    pub value: T,
    pub span: Span,
}

/// What a position file says beside the position: which game it is for, and how it is set.
#[derive(Clone, Debug, Default)]
pub struct Heading {
    pub game: Option<Spanned<String>>,
    pub mode: Option<String>,
    pub options: BTreeMap<String, String>,
}
