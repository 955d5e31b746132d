//! The domains of choices.

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
