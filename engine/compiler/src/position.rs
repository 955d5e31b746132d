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
use ludex_program::{AbilityId, PrintedPiece, ProcedureId};
use ludex_syntax::source::Span;
use std::collections::BTreeMap;

/// A position file or block, read but not yet set up.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// All sides in order, from side 0.
    pub sides: Vec<SidePosition>,
    /// The fields of the table.
    pub table: Fields,
    /// What is in the zones of the table.
    pub table_zones: Zones,
    /// The entry and its arguments: `turn(active: 0)`. None: play starts from the beginning.
    pub at: Option<Entry>,
}

/// Who plays on a side, and how the side is.
#[derive(Clone, Debug, Default)]
pub struct SidePosition {
    /// Their ids, as in [`ludex_program::Program::sheets`].
    pub entrants: Vec<Spanned<String>>,
    /// What is said of each of them.
    pub settings: Vec<EntrantPosition>,
    /// What is in the zones of the side.
    pub zones: Zones,
    /// What is in the zones of its only entrant, as far as that is listed with the side.
    pub entrant_zones: Zones,
    /// Its fields and counters.
    pub counters: Fields,
    /// What it bears itself, a bit for each mark.
    pub marks: u32,
    /// Uses already spent.
    pub used: Uses,
}

impl SidePosition {
    /// Its zones and those of its entrants.
    fn all_zones(&self) -> impl Iterator<Item = &Zones> {
        [&self.zones, &self.entrant_zones].into_iter().chain(self.settings.iter().map(|setting| &setting.zones))
    }
}

/// What is said of fields and counters, by their places among the fields of a kind.
pub type Fields = BTreeMap<u16, Spanned<Stated>>;

/// What lies in zones, by their places among the zones of a kind.
pub type Zones = BTreeMap<u16, Vec<PiecePosition>>;

/// How often abilities have been used.
pub type Uses = BTreeMap<AbilityId, Spanned<i64>>;

/// How an entrant stands: its fields and counters, what it bears, what lies in its zones, and how often it has used its
/// abilities.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct EntrantPosition {
    pub fields: Fields,
    pub marks: u32,
    pub zones: Zones,
    pub used: Uses,
}

/// One piece of a zone, in order.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct PiecePosition {
    /// The name that a scenario gives to it.
    pub id: Option<String>,
    pub piece: PrintedPiece,
    /// None: not rolled yet.
    pub value: Option<i32>,
    /// The side it belongs to, or that it belongs to nobody; by default it belongs to the side it lies with.
    pub owner: Option<Owner>,
    pub marks: u32,
    /// Its counters and fields.
    pub fields: Fields,
    /// What lies in its own zones, in the order of their names.
    pub under: Vec<(u16, Vec<PiecePosition>)>,
    pub span: Span,
}

/// Whose a piece is.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Side(usize),
    Nobody,
}

impl Owner {
    /// The side, if it is one's.
    pub fn side(self) -> Option<usize> {
        match self {
            Owner::Side(side) => Some(side),
            Owner::Nobody => None,
        }
    }
}

/// Where play starts, and in the middle of what.
#[derive(Clone, Debug)]
pub struct Entry {
    #[doc(hidden)]
    pub procedure: ProcedureId,
    #[doc(hidden)]
    pub arguments: Vec<Stated>,
    #[doc(hidden)]
    pub around: Around,
    #[doc(hidden)]
    pub span: Span,
}

/// What a procedure is given, by its parameters; none where nothing needs it.
pub type Given = Vec<Option<Stated>>;

/// What the procedures around an entry have been given.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Around {
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
