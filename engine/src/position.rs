//! A position: where play starts in the middle.
//!
//! The parts use what reads one entry of a position, and hand back to it what is nested.

mod at;
mod entrants;
mod entry;
mod pieces;
mod read;
#[cfg(test)]
mod tests;

pub use entrants::unknown_entrant;
pub use entry::example;

use crate::field::Stated;
use crate::program::{AbilityId, PrintedPiece, ProcedureId};
use crate::source::Span;
use std::collections::BTreeMap;

/// A position file or block, read but not yet set up.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// All sides in order, from side 0.
    pub sides: Vec<SidePosition>,
    /// The fields of the table.
    pub(crate) table: Fields,
    /// What is in the zones of the table.
    pub(crate) table_zones: Zones,
    /// The entry and its arguments: `turn(active: 0)`. None: play starts from the beginning.
    pub(crate) at: Option<Entry>,
}

/// Who plays on a side, and how the side is.
#[derive(Clone, Debug, Default)]
pub struct SidePosition {
    /// Their ids, as in [`crate::program::Program::sheets`].
    pub entrants: Vec<Spanned<String>>,
    /// What is said of each of them.
    pub(crate) settings: Vec<EntrantPosition>,
    /// What is in the zones of the side.
    pub(crate) zones: Zones,
    /// What is in the zones of its only entrant, as far as that is listed with the side.
    pub(crate) entrant_zones: Zones,
    /// Its fields and counters.
    pub(crate) counters: Fields,
    /// What it bears itself, a bit for each mark.
    pub(crate) marks: u32,
    /// Uses already spent.
    pub(crate) used: Uses,
}

impl SidePosition {
    /// Its zones and those of its entrants.
    fn all_zones(&self) -> impl Iterator<Item = &Zones> {
        [&self.zones, &self.entrant_zones].into_iter().chain(self.settings.iter().map(|setting| &setting.zones))
    }
}

/// What is said of fields and counters, by their places among the fields of a kind.
pub(crate) type Fields = BTreeMap<u16, Spanned<Stated>>;

/// What lies in zones, by their places among the zones of a kind.
pub(crate) type Zones = BTreeMap<u16, Vec<PiecePosition>>;

/// How often abilities have been used.
pub(crate) type Uses = BTreeMap<AbilityId, Spanned<i64>>;

/// How an entrant stands: its fields and counters, what it bears, what lies in its zones, and how often it has used its
/// abilities.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntrantPosition {
    pub(crate) fields: Fields,
    pub(crate) marks: u32,
    pub(crate) zones: Zones,
    pub(crate) used: Uses,
}

/// One piece of a zone, in order.
#[derive(Clone, Debug)]
pub(crate) struct PiecePosition {
    /// The name that a scenario gives to it.
    pub(crate) id: Option<String>,
    pub(crate) piece: PrintedPiece,
    /// None: not rolled yet.
    pub(crate) value: Option<i32>,
    /// The side it belongs to, or that it belongs to nobody; by default it belongs to the side it lies with.
    pub(crate) owner: Option<Owner>,
    pub(crate) marks: u32,
    /// Its counters and fields.
    pub(crate) fields: Fields,
    /// What lies in its own zones, in the order of their names.
    pub(crate) under: Vec<(u16, Vec<PiecePosition>)>,
    pub(crate) span: Span,
}

/// Whose a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Side(usize),
    Nobody,
}

impl Owner {
    /// The side, if it is one's.
    pub(crate) fn side(self) -> Option<usize> {
        match self {
            Owner::Side(side) => Some(side),
            Owner::Nobody => None,
        }
    }
}

/// Where play starts, and in the middle of what.
#[derive(Clone, Debug)]
pub struct Entry {
    pub(crate) procedure: ProcedureId,
    pub(crate) arguments: Vec<Stated>,
    pub(crate) around: Around,
    pub(crate) span: Span,
}

/// What a procedure is given, by its parameters; none where nothing needs it.
pub(crate) type Given = Vec<Option<Stated>>;

/// What the procedures around an entry have been given.
#[derive(Clone, Debug)]
pub(crate) enum Around {
    /// Each of them, from the inside out.
    Given(Vec<Given>),
    /// 0 for everything: so it was before positions could tell, and so recordings of that time go on.
    Zeros,
}

/// Something that a file says, with its place there.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    /// What it says.
    pub value: T,
    /// Where.
    pub span: Span,
}

/// What a position file says beside the position: which game it is for, and how it is set.
#[derive(Clone, Debug, Default)]
pub struct Heading {
    /// The id of the game; none where the file leaves it to the command line.
    pub game: Option<Spanned<String>>,
    /// The mode; none for the game as it is without any.
    pub mode: Option<String>,
    /// Options by name, in the words of the command line.
    pub options: BTreeMap<String, String>,
}
