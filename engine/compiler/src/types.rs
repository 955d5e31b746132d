//! The types of expressions in the rules. A program keeps only [`Shape`]s, which say how a value is shown and stored; types also
//! know an error, `none` itself, and moves of several families.

use ludex_program::{KindId, SIDE, Shape, SheetId};

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Number,
    /// A number of halves.
    Halves,
    Flag,
    Text,
    /// A word of a word list.
    Word(u16),
    Entity(KindId),
    /// A place for pieces of a kind.
    Zone(KindId),
    List(Box<Type>),
    /// A chosen move of a family.
    Move(u16),
    /// A chosen move of one of several families.
    Moves(Vec<u16>),
    /// A print of a sheet or of one that builds on it.
    Sheet(SheetId),
    OrNone(Box<Type>),
    /// `none` itself.
    None,
    /// The type after an error that was already reported.
    Unknown,
}

impl Type {
    /// The type of a list of such values.
    pub fn into_list(self) -> Type {
        Type::List(Box::new(self))
    }

    /// The type with `or none`, unless it has that already.
    pub fn or_none(self) -> Type {
        match self {
            Type::OrNone(_) | Type::Unknown => self,
            other => Type::OrNone(Box::new(other)),
        }
    }

    /// The type without its `or none`.
    pub fn without_none(&self) -> &Type {
        match self {
            Type::OrNone(inner) => inner,
            other => other,
        }
    }

    /// Whether it is a number or a number of halves. An unknown type counts, so that it causes no further errors.
    pub fn is_number(&self) -> bool {
        matches!(self, Type::Number | Type::Halves | Type::Unknown)
    }

    /// Whether values are indices into the arena of lists.
    pub fn is_list(&self) -> bool {
        matches!(self.without_none(), Type::List(_) | Type::Move(_) | Type::Moves(_))
    }

    pub const fn side_type() -> Type {
        Type::Entity(SIDE)
    }

    /// The shape of its values in the program.
    pub fn to_shape(&self) -> Shape {
        match self {
            Type::Number => Shape::Number,
            Type::Halves => Shape::Halves,
            Type::Flag => Shape::Flag,
            Type::Text => Shape::Text,
            Type::Word(words) => Shape::Word(*words),
            Type::Entity(kind) => Shape::Entity(*kind),
            Type::Zone(kind) => Shape::Zone(*kind),
            Type::List(inner) => Shape::List(Box::new(inner.to_shape())),
            Type::Move(family) => Shape::Move(*family),
            Type::Moves(families) => families.first().map_or(Shape::Nothing, |family| Shape::Move(*family)),
            Type::Sheet(sheet) => Shape::Sheet(*sheet),
            Type::OrNone(inner) => Shape::OrNone(Box::new(inner.to_shape())),
            Type::None | Type::Unknown => Shape::Nothing,
        }
    }
}
