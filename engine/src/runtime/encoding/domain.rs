//! The domains of choices.
//!
//! A *domain* is the set that the values of a shape come from. Its values have indexes in `space`, and one more than the index is
//! a number of an observation.

use ludex_program::{KindSort, Program, Shape};

/// The domain of things that fill a role or are chosen among others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Domain {
    Number,
    Piece,
    Side,
    Entrant,
    Zone,
    Word(u16),
    Sheet,
    Flag,
}

impl Domain {
    /// The domain of a shape's values; `None` for values that have no row or index.
    pub fn for_shape(program: &Program, shape: &Shape) -> Option<Domain> {
        Some(match shape {
            Shape::Number | Shape::Halves => Domain::Number,
            Shape::Flag => Domain::Flag,
            Shape::Word(words) => Domain::Word(*words),
            Shape::Zone(_) => Domain::Zone,
            Shape::Sheet(_) => Domain::Sheet,
            Shape::OrNone(inner) => return Domain::for_shape(program, inner),
            Shape::Entity(kind) => match program.kind(*kind).sort {
                KindSort::Piece => Domain::Piece,
                KindSort::Side => Domain::Side,
                KindSort::Entrant => Domain::Entrant,
                KindSort::Table => return None,
            },
            Shape::List(_) | Shape::Move(_) | Shape::Text | Shape::Nothing => return None,
        })
    }

    /// The word for a value of the domain, in names of actions and columns.
    pub fn as_word(self) -> &'static str {
        match self {
            Domain::Number => "number",
            Domain::Piece => "piece",
            Domain::Side => "side",
            Domain::Entrant => "entrant",
            Domain::Zone => "zone",
            Domain::Word(_) => "word",
            Domain::Sheet => "sheet",
            Domain::Flag => "flag",
        }
    }
}
