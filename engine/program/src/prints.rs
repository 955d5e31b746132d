//! The values that files print and that never change in play: cards, their parts, and the parts of entrants. A *sheet* is a
//! declaration in the rules, with a *column* for each line that its files may have; a *print* is what one file, or a part of
//! it, prints in these columns.

use super::{FieldInfo, KindId, Program, Shape, Value};
use ludex_syntax::source::SourceId;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A declared sheet, by its place in [`Prints::sheets`].
pub type SheetId = u16;

/// The field of a piece that holds its print.
pub const PIECE_SHEET: u16 = 1;

/// All printed values: the declared sheets, and what the game's files print on them.
#[derive(Clone, Debug)]
pub struct Prints {
    /// The sheets that the rules declare.
    pub sheets: Vec<SheetInfo>,
    /// The print of each card, entrant and part of a sheet. Values and fields refer to them by index.
    pub prints: Vec<Print>,
    /// Cards by id. Parts of a card have no id.
    pub ids: BTreeMap<String, Value>,
    /// Printed lists; the first is empty.
    pub lists: Vec<Vec<Value>>,
    pub texts: Texts,
    pub unread: UnreadCards,
}

/// Cards that may be in unreadable files: naming one of them is no error. A playable game has none.
#[derive(Clone, Debug, Default)]
pub struct UnreadCards {
    /// Whole files could not be read, so that any card may be in them.
    pub any: bool,
    pub ids: BTreeSet<String>,
}

impl UnreadCards {
    /// Whether this card may be in an unreadable file.
    pub fn may_contain(&self, id: &str) -> bool {
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
            unread: UnreadCards::default(),
        }
    }
}

/// Interned texts and names, numbered in order; the first is empty.
#[derive(Clone, Debug)]
pub struct Texts {
    all: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, usize>,
}

impl Default for Texts {
    fn default() -> Texts {
        let mut texts = Texts { all: Vec::new(), numbers: HashMap::new() };
        texts.add_text("");
        texts
    }
}

impl Texts {
    /// Returns the number of a text, and adds it if it is new.
    fn add_text(&mut self, text: &str) -> usize {
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
    /// Its name in rules and files: `creature`.
    pub name: String,
    /// Its plural in the rules.
    pub plural: String,
    /// The sheet that this one builds on.
    pub base: Option<SheetId>,
    /// The topmost sheet it builds on, which keeps the columns of all of them.
    pub root: SheetId,
    /// The kind of the pieces or entrants whose sheet it is; none for the parts of another sheet.
    pub kind: Option<KindId>,
    /// For a root: the columns of all sheets that build on it.
    pub columns: Vec<FieldInfo>,
    /// The columns of the root that this sheet adds to those of its base.
    pub prints: Vec<PrintedLine>,
}

/// A line that files of a sheet may have, such as `cost: 3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintedLine {
    /// Its column, among those of [`SheetInfo::root`].
    pub column: u16,
    /// The value if the file has no such line; without it the line is required.
    pub default: Option<Value>,
}

/// The printed values of one card, entrant or part of a sheet.
#[derive(Clone, Debug)]
pub struct Print {
    /// Its id in files; for a part, its key within its list.
    pub id: String,
    /// Its name, resolved by [`Prints::printed_text`].
    pub name: Value,
    /// Its sheet.
    pub sheet: SheetId,
    /// By column of the root. [`Prints::printed_list`] resolves values of lists, [`Prints::printed_text`] those of texts.
    pub values: Vec<Value>,
    /// Its abilities, in the order listed.
    pub abilities: Vec<ListedAbility>,
    /// For each line of the file: its source.
    pub provenance: BTreeMap<String, String>,
    /// The note for readers of the file: `note: …`.
    pub note: Option<String>,
    /// Its file.
    pub source: SourceId,
}

/// An ability that a sheet lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedAbility {
    /// Among [`Program::abilities`].
    pub ability: super::AbilityId,
    /// The sheet's settings for the ability's parameters, among [`Prints::prints`].
    pub settings: Option<Value>,
}

impl Prints {
    /// Finds a declared sheet by its name in the rules.
    pub fn sheet_by_name(&self, name: &str) -> Option<SheetId> {
        self.sheets.iter().position(|sheet| sheet.name == name).map(|sheet| sheet as SheetId)
    }

    /// The print at an index of [`Prints::prints`]; none for [`super::NONE`].
    #[inline]
    pub fn find_print(&self, at: Value) -> Option<&Print> {
        // The index of none is beyond all others.
        self.prints.get(at as usize)
    }

    /// Whether a sheet is `of` or builds on it.
    #[inline]
    pub fn is_sheet(&self, sheet: SheetId, of: SheetId) -> bool {
        let base = |sheet: &SheetId| self.sheets.get(usize::from(*sheet)).and_then(|info| info.base);
        std::iter::successors(Some(sheet), base).any(|found| found == of)
    }

    /// Whether a sheet is one of `sheets` or builds on one. An empty slice stands for all sheets.
    pub fn matches_sheets(&self, sheet: SheetId, sheets: &[SheetId]) -> bool {
        sheets.is_empty() || sheets.iter().any(|of| self.is_sheet(sheet, *of))
    }

    /// All lines of a sheet's files, with those of its bases first.
    pub fn printed_lines(&self, sheet: SheetId) -> Vec<PrintedLine> {
        let Some(info) = self.sheets.get(usize::from(sheet)) else { return Vec::new() };
        let mut printed = info.base.map_or(Vec::new(), |base| self.printed_lines(base));
        printed.extend(&info.prints);
        printed
    }

    /// The lines that a sheet's files may have, those of its bases first, each with its column.
    pub fn sheet_columns(&self, sheet: SheetId) -> Vec<(PrintedLine, &FieldInfo)> {
        let root = self.sheets.get(usize::from(sheet)).and_then(|info| self.sheets.get(usize::from(info.root)));
        let Some(root) = root else { return Vec::new() };
        let column = |printed: PrintedLine| Some((printed, root.columns.get(usize::from(printed.column))?));
        self.printed_lines(sheet).into_iter().filter_map(column).collect()
    }

    /// The value of a print in a column.
    #[inline]
    pub fn printed_value(&self, print: Value, column: u16) -> Option<Value> {
        self.find_print(print)?.values.get(usize::from(column)).copied()
    }

    /// The members of a printed list, by its value. Empty for an unknown value.
    #[inline]
    pub fn printed_list(&self, at: Value) -> &[Value] {
        usize::try_from(at).ok().and_then(|at| self.lists.get(at)).map_or(&[], Vec::as_slice)
    }

    /// A printed text or name, by its value. Empty for an unknown value.
    pub fn printed_text(&self, at: Value) -> &str {
        usize::try_from(at).ok().and_then(|at| self.texts.all.get(at)).map_or("", AsRef::as_ref)
    }

    /// The name shown to players; empty if it has none.
    pub fn print_name(&self, print: Value) -> &str {
        self.find_print(print).map_or("", |print| self.printed_text(print.name))
    }

    /// The value of a text, if it is printed anywhere.
    pub fn find_text(&self, text: &str) -> Option<Value> {
        self.texts.numbers.get(text).map(|number| *number as Value)
    }

    /// Interns a text and returns its value.
    pub fn intern_text(&mut self, text: &str) -> Value {
        self.texts.add_text(text) as Value
    }

    /// Adds a printed list and returns its value.
    pub fn add_list(&mut self, members: Vec<Value>) -> Value {
        if members.is_empty() {
            return 0;
        }
        self.lists.push(members);
        self.lists.len() as Value - 1
    }

    /// Adds a print and returns its index.
    pub fn add_print(&mut self, print: Print) -> Value {
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

    /// Whether pieces of a kind have prints.
    pub fn is_printed(&self, kind: KindId) -> bool {
        self.kind(kind).fields.get(usize::from(PIECE_SHEET)).is_some_and(|field| matches!(field.shape, Shape::Sheet(_)))
    }
}

/// The value of a column on sheets that do not print it: 0, no, none, or the empty list.
pub fn unprinted_value(shape: &Shape) -> Value {
    match shape {
        Shape::Number | Shape::Halves | Shape::Flag | Shape::List(_) => 0,
        _ => super::NONE,
    }
}
