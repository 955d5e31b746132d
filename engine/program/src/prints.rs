//! What files print and play never changes: cards, the parts of cards, and what entrants have in several pieces.

use super::{FieldInfo, KindId, Program, Shape, Value};
use ludex_syntax::source::SourceId;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A declared sheet, by its place in [`Prints::sheets`].
pub type SheetId = u16;

/// The field of a piece that tells what is printed on it.
pub const PIECE_SHEET: u16 = 1;

/// All that is printed: the sheets that are declared, and what the files of the game say on them.
#[derive(Clone, Debug)]
pub struct Prints {
    /// The sheets that the rules declare.
    pub sheets: Vec<SheetInfo>,
    /// What each card, entrant and part of a sheet prints. Values and fields refer to them by their places here.
    pub prints: Vec<Print>,
    /// Cards by id. Parts of a card have none.
    pub ids: BTreeMap<String, Value>,
    /// Printed lists; the first is empty.
    pub lists: Vec<Vec<Value>>,
    pub texts: Texts,
    pub unread: Unread,
}

/// Cards that there may be in files which could not be read: who names one has made no mistake. A game that can be played
/// has none.
#[derive(Clone, Debug, Default)]
pub struct Unread {
    /// Whole files could not be read, so that there may be any.
    pub any: bool,
    pub ids: BTreeSet<String>,
}

impl Unread {
    pub fn may_hold(&self, id: &str) -> bool {
        self.any || self.ids.contains(id)
    }
}

impl Default for Prints {
    fn default() -> Prints {
        Prints {
            sheets: Vec::new(),
            prints: Vec::new(),
            ids: BTreeMap::new(),
            lists: vec![Vec::new()],
            texts: Texts::default(),
            unread: Unread::default(),
        }
    }
}

/// Texts and names, each once and with its number; the first is empty.
#[derive(Clone, Debug)]
pub struct Texts {
    all: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, usize>,
}

impl Default for Texts {
    fn default() -> Texts {
        let mut texts = Texts { all: Vec::new(), numbers: HashMap::new() };
        texts.keep("");
        texts
    }
}

impl Texts {
    fn keep(&mut self, text: &str) -> usize {
        if let Some(known) = self.numbers.get(text) {
            return *known;
        }
        let (text, number) = (Arc::from(text), self.all.len());
        self.all.push(Arc::clone(&text));
        self.numbers.insert(text, number);
        number
    }
}

/// A sheet that the rules declare.
#[derive(Clone, Debug)]
pub struct SheetInfo {
    /// What rules and files call it: `creature`.
    pub name: String,
    /// What rules call several.
    pub plural: String,
    /// The sheet that this one builds on.
    pub base: Option<SheetId>,
    /// The last of those it builds on, which keeps the columns of them all.
    pub root: SheetId,
    /// The pieces or entrants whose sheet it is; none for what is part of another sheet.
    pub kind: Option<KindId>,
    /// Of a root: what the sheets that build on it print, and where their values stand.
    pub columns: Vec<FieldInfo>,
    /// The columns of the root that this sheet adds to those of its base.
    pub prints: Vec<Printed>,
}

/// A line that the rules let the files of a sheet have, such as `cost: 3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The column of the root that it fills, among those of [`SheetInfo::root`].
    pub column: u16,
    /// What is printed where the file says nothing; without it the file must say it.
    pub default: Option<Value>,
}

/// What one card, entrant or part of a sheet prints.
#[derive(Clone, Debug)]
pub struct Print {
    /// As files call it; of a part, what keys call it among the others of its list.
    pub id: String,
    /// Its name, which [`Prints::text`] gives.
    pub name: Value,
    /// The sheet that it is of.
    pub sheet: SheetId,
    /// By column of the root. Of a list it is what [`Prints::list`] takes, of a text what [`Prints::text`] takes.
    pub values: Vec<Value>,
    /// Its abilities, in the order listed.
    pub abilities: Vec<Listed>,
    /// For each line of the file: where it comes from.
    pub provenance: BTreeMap<String, String>,
    /// What the file says for people who read it: `note: …`.
    pub note: Option<String>,
    /// The file.
    pub source: SourceId,
}

/// An ability that a sheet lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Among [`Program::abilities`].
    pub ability: super::AbilityId,
    /// What the sheet sets for the ability's parameters, among [`Prints::prints`].
    pub settings: Option<Value>,
}

impl Prints {
    pub fn sheet_named(&self, name: &str) -> Option<SheetId> {
        self.sheets.iter().position(|sheet| sheet.name == name).map(|sheet| sheet as SheetId)
    }

    /// What is printed at a place of [`Prints::prints`]; none for [`super::NONE`].
    #[inline]
    pub fn print(&self, at: Value) -> Option<&Print> {
        // What stands for none is beyond all of them.
        self.prints.get(at as usize)
    }

    /// Whether a sheet is another one or builds on it.
    #[inline]
    pub fn is_sheet(&self, sheet: SheetId, of: SheetId) -> bool {
        let base = |sheet: &SheetId| self.sheets.get(usize::from(*sheet)).and_then(|info| info.base);
        std::iter::successors(Some(sheet), base).any(|found| found == of)
    }

    /// Whether a sheet has what only some have; where none are listed, all have it.
    pub fn has(&self, sheet: SheetId, sheets: &[SheetId]) -> bool {
        sheets.is_empty() || sheets.iter().any(|of| self.is_sheet(sheet, *of))
    }

    /// All lines of a sheet's files, those of the sheets it builds on first.
    pub fn printed(&self, sheet: SheetId) -> Vec<Printed> {
        let Some(info) = self.sheets.get(usize::from(sheet)) else { return Vec::new() };
        let mut printed = info.base.map_or(Vec::new(), |base| self.printed(base));
        printed.extend(&info.prints);
        printed
    }

    /// The lines that a sheet's files may have, those of its bases first, each with the column that it fills.
    pub fn columns(&self, sheet: SheetId) -> Vec<(Printed, &FieldInfo)> {
        let root = self.sheets.get(usize::from(sheet)).and_then(|info| self.sheets.get(usize::from(info.root)));
        let Some(root) = root else { return Vec::new() };
        let column = |printed: Printed| Some((printed, root.columns.get(usize::from(printed.column))?));
        self.printed(sheet).into_iter().filter_map(column).collect()
    }

    /// What a column of a print says.
    #[inline]
    pub fn value(&self, print: Value, column: u16) -> Option<Value> {
        self.print(print)?.values.get(usize::from(column)).copied()
    }

    /// The members of a printed list, by the value that stands for it; none of a value that stands for nothing.
    #[inline]
    pub fn list(&self, at: Value) -> &[Value] {
        usize::try_from(at).ok().and_then(|at| self.lists.get(at)).map_or(&[], Vec::as_slice)
    }

    /// A printed text or name, by the value that stands for it; empty for a value that stands for nothing.
    pub fn text(&self, at: Value) -> &str {
        usize::try_from(at).ok().and_then(|at| self.texts.all.get(at)).map_or("", AsRef::as_ref)
    }

    /// The name that players read, if it has one.
    pub fn name(&self, print: Value) -> &str {
        self.print(print).map_or("", |print| self.text(print.name))
    }

    /// The value that stands for a text, if one is printed that reads so.
    pub fn number_of(&self, text: &str) -> Option<Value> {
        self.texts.numbers.get(text).map(|number| *number as Value)
    }

    /// The number of a text, the same for the same text.
    pub fn intern(&mut self, text: &str) -> Value {
        self.texts.keep(text) as Value
    }

    /// Keeps a printed list.
    pub fn keep_list(&mut self, members: Vec<Value>) -> Value {
        if members.is_empty() {
            return 0;
        }
        self.lists.push(members);
        self.lists.len() as Value - 1
    }

    /// Keeps a print; its number.
    pub fn keep(&mut self, print: Print) -> Value {
        self.prints.push(print);
        self.prints.len() as Value - 1
    }
}

impl Program {
    /// The sheet of a kind of pieces or entrants.
    pub fn sheet_of_kind(&self, kind: KindId) -> Option<&SheetInfo> {
        self.prints.sheets.iter().find(|sheet| sheet.kind == Some(kind))
    }

    /// Whether every piece of a kind belongs to some side.
    pub fn is_owned(&self, kind: KindId) -> bool {
        self.is_printed(kind) || !self.ownerless.contains(&kind)
    }

    /// Whether pieces of a kind are printed on sheets.
    pub fn is_printed(&self, kind: KindId) -> bool {
        self.kind(kind).fields.get(usize::from(PIECE_SHEET)).is_some_and(|field| matches!(field.shape, Shape::Sheet(_)))
    }
}

/// What a column says on sheets that do not print it: 0, no, nothing, or the empty list.
pub fn lacking(shape: &Shape) -> Value {
    match shape {
        Shape::Number | Shape::Halves | Shape::Flag | Shape::List(_) => 0,
        _ => super::NONE,
    }
}
