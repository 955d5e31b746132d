//! The declarations of a game in one mode, by name. `declare` collects them, and the walk of `resolve` looks names up in them. A
//! span is the place of a declared name, by which its uses are counted.

use ludex_syntax::source::Span;
use ludex_syntax::tree::{Hook, Member, Name, Param, Procedure, Sides};
use std::collections::{BTreeMap, BTreeSet};

/// Built-in members of things.
pub const BUILT_IN_MEMBERS: [&str; 8] = ["owner", "place", "name", "sheet", "size", "value", "side", "opponents"];

/// Members of a side in a ring.
pub const RING_MEMBERS: [&str; 3] = ["left", "right", "neighbours"];

/// Built-in types.
pub const BUILT_IN_TYPES: [&str; 5] = ["number", "numbers", "halves", "flag", "text"];

/// Names with a built-in meaning.
pub const BUILT_IN_NAMES: [&str; 4] = ["sides", "table", "yes", "no"];

/// The declarations, by sort and name.
#[derive(Default)]
pub struct Names<'a> {
    /// The meanings of bare names and calls: options, definitions, tables, hooks with a value.
    pub values: BTreeMap<&'a str, Value<'a>>,
    pub kinds: BTreeMap<&'a str, Kind<'a>>,
    /// The kinds, by plural.
    pub plurals: BTreeMap<String, &'a str>,
    /// Dice with their own faces.
    pub die_kinds: BTreeMap<&'a str, Span>,
    pub word_types: BTreeMap<&'a str, &'a [Name]>,
    /// Word lists by their plurals.
    pub word_plurals: BTreeMap<&'a str, &'a [Name]>,
    /// The words of all types and options.
    pub words: BTreeSet<&'a str>,
    /// By word: the places where types declare it.
    pub typed_words: BTreeMap<&'a str, Vec<Span>>,
    pub hooks: BTreeMap<&'a str, &'a Hook>,
    pub families: BTreeMap<&'a str, Family<'a>>,
    /// By family: the families that are part of it.
    pub parts: BTreeMap<&'a str, Vec<&'a str>>,
    /// Actions of the rules and of abilities, with their families.
    pub actions: BTreeMap<&'a str, Option<&'a str>>,
    pub procedures: BTreeMap<&'a str, &'a Procedure>,
    pub abilities: BTreeSet<&'a str>,
    pub marks: BTreeMap<&'a str, Span>,
    /// Zones, counters and fields of all owners.
    pub members: BTreeMap<&'a str, Vec<OwnedMember<'a>>>,
    /// Zones that sheets fill, by the plural of their pieces.
    pub filled: BTreeMap<&'a str, Vec<Span>>,
    pub sides: Option<&'a Sides>,
    /// The kinds of the pieces on boards.
    pub on_boards: BTreeSet<&'a str>,
    pub referee: bool,
}

/// A declaration with a value.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    pub span: Span,
    /// Its parameters; `None` for an option.
    pub params: Option<CallParameters<'a>>,
}

/// The parameters of a call.
#[derive(Clone, Copy)]
pub enum CallParameters<'a> {
    /// The declared parameters.
    Params(&'a [Param]),
    /// A single argument, for answers of several seats: the seat.
    One(&'a Name),
}

impl CallParameters<'_> {
    pub fn parameter_names(&self) -> Vec<&str> {
        match self {
            CallParameters::Params(params) => params.iter().map(|param| param.name.text.as_str()).collect(),
            CallParameters::One(name) => vec![&name.text],
        }
    }
}

/// A kind of things, or a sheet.
#[derive(Clone, Copy)]
pub struct Kind<'a> {
    pub sort: KindSort,
    /// The sheet whose members it inherits.
    pub base: Option<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindSort {
    Table,
    Side,
    Sheet,
    Piece,
}

/// A family of moves.
#[derive(Clone, Copy)]
pub struct Family<'a> {
    pub name: &'a Name,
    pub params: &'a [Param],
    pub fields: &'a [Member],
    /// The family that it is part of.
    pub base: Option<&'a Name>,
}

/// A member and the kind, family or mark that has it.
#[derive(Clone, Copy)]
pub struct OwnedMember<'a> {
    pub owner: &'a str,
    pub name: &'a Name,
}

impl<'a> Names<'a> {
    /// A member of a kind or of the sheets that it builds on.
    pub fn member_of(&self, kind: &str, name: &str) -> Option<OwnedMember<'a>> {
        let members = self.members.get(name)?;
        let owners = self.kind_and_bases(kind);
        members.iter().find(|owned| owners.contains(&owned.owner)).copied()
    }

    /// A member that a thing of a kind may have: one of the kind, of the sheets that it builds on, or of those that build on
    /// it.
    pub fn own_member(&self, kind: &str, name: &str) -> Option<OwnedMember<'a>> {
        let wider = |owned: &&OwnedMember<'a>| self.kind_and_bases(owned.owner).contains(&kind);
        self.member_of(kind, name).or_else(|| self.members.get(name)?.iter().find(wider).copied())
    }

    /// A kind and the sheets that it builds on, nearest first.
    pub fn kind_and_bases<'k>(&self, kind: &'k str) -> Vec<&'k str>
    where
        'a: 'k,
    {
        let mut line = vec![kind];
        let mut current = kind;
        while let Some(base) = self.kinds.get(current).and_then(|kind| kind.base) {
            // A piece may have the name of its sheet.
            if line.len() > self.kinds.len() || base == current {
                break;
            }
            line.push(base);
            current = base;
        }
        line
    }

    /// The kind with this singular or plural.
    pub fn kind_by_name(&self, name: &str) -> Option<&'a str> {
        self.kinds.get_key_value(name).map(|(name, _)| *name).or_else(|| self.plurals.get(name).copied())
    }

    /// Whether a procedure of this name is a scope, which names a time such as a turn.
    pub fn is_scope(&self, name: &str) -> bool {
        self.procedures.get(name).is_some_and(|procedure| procedure.scope)
    }

    pub fn scope_names(&self) -> Vec<&'a str> {
        self.procedures.iter().filter(|(_, procedure)| procedure.scope).map(|(name, _)| *name).collect()
    }

    /// Whether every match has two sides.
    pub fn has_two_sides(&self) -> bool {
        self.sides.is_none_or(|sides| sides.most == 2)
    }

    /// Whether the sides sit in a ring, so that each has neighbours.
    pub fn is_in_ring(&self) -> bool {
        self.sides.is_some_and(|sides| sides.ring)
    }
}
