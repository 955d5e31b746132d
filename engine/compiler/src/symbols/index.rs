//! The index of declared names.

use ludex_program::{KindId, SheetId};
use ludex_syntax::source::Span;
use std::collections::BTreeMap;

/// The sorts of names. The names of one sort are separate from those of all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort<'a> {
    Kind,
    KindPlural,
    Sheet,
    SheetPlural,
    WordList,
    WordListPlural,
    /// The words of a list.
    Word(u16),
    /// Options, definitions and tables.
    Value,
    Option,
    Mark,
    Hook,
    Family,
    Action,
    Procedure,
    /// The policies of a family.
    Policy(&'a str),
    /// Fields, zones, boards and counters of a kind.
    Member(KindId),
    Field(KindId),
    Zone(KindId),
    Board(KindId),
    /// The columns of the sheets that build on a sheet, and its own.
    Column(SheetId),
}

/// The ids and places of declared names, by sort and name. The first declaration of a name counts.
#[derive(Default)]
pub struct NameIndex<'a> {
    ids: BTreeMap<Sort<'a>, BTreeMap<String, u16>>,
    places: BTreeMap<Sort<'a>, BTreeMap<String, Span>>,
}

impl<'a> NameIndex<'a> {
    /// Adds the id of a name, unless the name has one.
    pub fn add_id(&mut self, sort: Sort<'a>, name: &str, id: usize) {
        self.ids.entry(sort).or_default().entry(name.to_string()).or_insert(id as u16);
    }

    /// The id of a name.
    pub fn id(&self, sort: Sort<'a>, name: &str) -> Option<u16> {
        self.ids.get(&sort)?.get(name).copied()
    }

    /// Records where a name is declared. Returns false if it was declared before.
    pub fn add_place(&mut self, sort: Sort<'a>, name: &str, place: Span) -> bool {
        let mut is_new = false;
        self.places.entry(sort).or_default().entry(name.to_string()).or_insert_with(|| {
            is_new = true;
            place
        });
        is_new
    }

    /// The place of a name's first declaration.
    pub fn place(&self, sort: Sort<'a>, name: &str) -> Option<Span> {
        self.places.get(&sort)?.get(name).copied()
    }
}
