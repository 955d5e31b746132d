//! Positions: states at which play can start in the middle of a game.
//!
//! The submodules use the reader of one entry, and pass nested entries back to it.
//!
//! A position is a YAML file, or a block of a scenario. An entry is a procedure of the rules at which play can start, after `at`.
//! The procedures around it are those that lead to it from `play`; their parameters may be needed, too. The key of an entrant is
//! its id, with a number if several have the same.

mod entrants;
mod entry;
mod entry_text;
mod pieces;
mod read;
#[cfg(test)]
mod tests;

pub use entrants::unknown_entrant_problem;
pub use entry::example_entry;

use crate::field::StatedValue;
use ludex_program::{AbilityId, PrintedPiece, ProcedureId};
use ludex_syntax::source::Span;
use std::collections::BTreeMap;

/// A position file or block, read but not yet set up.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// All sides in order, from side 0.
    pub sides: Vec<SidePosition>,
    /// The fields of the table that are set.
    pub table: Fields,
    /// The pieces in the zones of the table.
    pub table_zones: Zones,
    /// The entry and its arguments: `turn(active: 0)`. Without one, play starts from the beginning.
    pub at: Option<Entry>,
}

/// The entrants and the state of a side.
#[derive(Clone, Debug, Default)]
pub struct SidePosition {
    /// Ids of its entrants, as in [`ludex_program::Program::sheets`].
    pub entrants: Vec<Spanned<String>>,
    /// The state of each entrant.
    pub settings: Vec<EntrantPosition>,
    /// The pieces in the side's zones.
    pub zones: Zones,
    /// The pieces in the zones of its only entrant that are listed with the side.
    pub entrant_zones: Zones,
    /// Its fields and counters.
    pub counters: Fields,
    /// A bitmask of the marks it bears itself.
    pub marks: u32,
    /// Spent uses of abilities.
    pub used: AbilityUses,
}

impl SidePosition {
    /// The zones of the side and of its entrants.
    fn all_zones(&self) -> impl Iterator<Item = &Zones> {
        [&self.zones, &self.entrant_zones].into_iter().chain(self.settings.iter().map(|setting| &setting.zones))
    }
}

/// Fields and counters, by index in their kind.
pub type Fields = BTreeMap<u16, Spanned<StatedValue>>;

/// The pieces in zones, by the zone's index in its kind.
pub type Zones = BTreeMap<u16, Vec<PiecePosition>>;

/// The number of uses of abilities.
pub type AbilityUses = BTreeMap<AbilityId, Spanned<i64>>;

/// The state of an entrant: its fields and counters, its marks, the pieces in its zones, and the uses of its abilities.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct EntrantPosition {
    pub fields: Fields,
    pub marks: u32,
    pub zones: Zones,
    pub used: AbilityUses,
}

/// A piece of a zone, in order.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct PiecePosition {
    /// Its name in a scenario.
    pub id: Option<String>,
    pub piece: PrintedPiece,
    /// The value shown; none if not rolled yet.
    pub value: Option<i32>,
    /// Its owner, or no owner. By default, it belongs to the side whose zone it is in.
    pub owner: Option<Owner>,
    pub marks: u32,
    /// Its counters and fields.
    pub fields: Fields,
    /// The pieces in its own zones, sorted by zone name.
    pub under: Vec<(u16, Vec<PiecePosition>)>,
    pub span: Span,
}

/// The owner of a piece.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Side(usize),
    Nobody,
}

impl Owner {
    /// The side, if a side owns it.
    pub fn owning_side(self) -> Option<usize> {
        match self {
            Owner::Side(side) => Some(side),
            Owner::Nobody => None,
        }
    }
}

/// The procedure where play starts, with its arguments and callers.
#[derive(Clone, Debug)]
pub struct Entry {
    #[doc(hidden)]
    pub procedure: ProcedureId,
    #[doc(hidden)]
    pub arguments: Vec<StatedValue>,
    #[doc(hidden)]
    pub around: Around,
    #[doc(hidden)]
    pub span: Span,
}

/// The arguments of a procedure, by parameter; none for those that are not needed.
pub type GivenArguments = Vec<Option<StatedValue>>;

/// The arguments of the procedures around an entry.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Around {
    /// The arguments of each, from the inside out.
    Given(Vec<GivenArguments>),
    /// 0 for everything. Old recordings need this: positions did not have these arguments then.
    Zeros,
}

/// A value from a file, with its span.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its span.
    pub span: Span,
}

/// The heading of a position file: the game, its mode and its options.
#[derive(Clone, Debug, Default)]
pub struct Heading {
    /// The id of the game; none if the command line gives it.
    pub game: Option<Spanned<String>>,
    /// The mode; none for the standard mode.
    pub mode: Option<String>,
    /// Options by name, as on the command line.
    pub options: BTreeMap<String, String>,
}
