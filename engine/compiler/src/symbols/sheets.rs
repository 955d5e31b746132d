//! Declares sheets of entrants, of pieces and of parts, and their printed lines.
//!
//! A sheet is the form of some files. It describes entrants, pieces (cards) or parts, which are nested in other sheets. A sheet can
//! build on another; all that build on one root are a family, and share the numbering of columns. A column is a line that is fixed
//! in play; entrants also have lines that become fields.

use super::super::types::Type;
use super::{Sort, Symbols, check_keys};
use ludex_program::{FieldInfo, KindId, KindSort, NONE, PrintedLine, SheetId, SheetInfo, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, with_article};
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Item, ItemKind, Member, MemberKind, Name, TypeKind, TypeName, plural_of};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Built-in members of pieces, whose names are reserved.
const OF_PIECES: [&str; 4] = ["owner", "place", "name", "sheet"];

/// The uses of a game's sheets.
#[derive(Default)]
struct SheetUses<'a> {
    /// By sheet: the one that it builds on.
    bases: BTreeMap<&'a str, &'a Name>,
    /// Sheets of pieces, with the pieces.
    pieces: BTreeMap<&'a str, &'a str>,
    /// Names used as field types.
    types: BTreeSet<&'a str>,
    /// The sheet that sides bring.
    entrant: Option<&'a str>,
}

impl<'a> SheetUses<'a> {
    fn from_items(items: &'a [Cow<Item>]) -> SheetUses<'a> {
        let mut uses = SheetUses::default();
        for item in items {
            match &item.kind {
                ItemKind::Sides(sides) => uses.entrant = sides.entrants.as_ref().map(|(_, _, name)| name.text.as_str()),
                ItemKind::Piece { name, from, members, .. } => {
                    uses.pieces.extend(from.iter().map(|from| (from.text.as_str(), name.text.as_str())));
                    members.iter().for_each(|member| uses.collect_types(member));
                }
                ItemKind::Sheet { name, base, members, .. } => {
                    uses.bases.extend(base.iter().map(|base| (name.text.as_str(), base)));
                    members.iter().for_each(|member| uses.collect_types(member));
                }
                ItemKind::Has { members, .. } => members.iter().for_each(|member| uses.collect_types(member)),
                _ => {}
            }
        }
        uses
    }

    /// Notes the type of a field, which may be a sheet.
    fn collect_types(&mut self, member: &'a Member) {
        if let MemberKind::Field { of, .. } = &member.kind {
            self.types.extend(named_type(of));
        }
    }

    /// A sheet and those it builds on, nearest first. Stops at a cycle.
    fn base_line(&self, sheet: &'a str) -> Vec<&'a str> {
        let mut line = vec![sheet];
        while let Some(base) =
            line.last().and_then(|last| self.bases.get(last)).filter(|base| !line.contains(&base.text.as_str()))
        {
            line.push(&base.text);
        }
        line
    }

    /// The piece of a sheet: that of the nearest sheet in its line that has one.
    fn printed_piece(&self, sheet: &'a str) -> Option<&'a str> {
        self.base_line(sheet).into_iter().find_map(|sheet| self.pieces.get(sheet).copied())
    }

    /// Whether sheets of this name are nested in others.
    fn is_part(&self, sheet: &'a str, plural: &str) -> bool {
        let line = self.base_line(sheet);
        let named = line.iter().any(|sheet| self.types.contains(sheet)) || self.types.contains(plural);
        let brought = self.entrant.and_then(|entrant| self.base_line(entrant).last().copied());
        named && !line.iter().any(|sheet| brought == Some(sheet))
    }
}

/// The name in a type, or in the members of a list type.
fn named_type(of: &TypeName) -> Option<&str> {
    match &of.kind {
        TypeKind::Named(name) => Some(&name.text),
        TypeKind::ListOf(inner) | TypeKind::OrNone(inner) => named_type(inner),
        TypeKind::ZoneOf(_) | TypeKind::Whatever => None,
    }
}

/// The use of a sheet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SheetUse {
    Entrant,
    Piece,
    Part,
}

impl<'a> Symbols<'a> {
    /// Declares all sheets, before they are referenced.
    pub(super) fn declare_sheets(&mut self, items: &'a [Cow<Item>], problems: &mut Vec<Problem>) {
        let uses = SheetUses::from_items(items);
        for item in items {
            let ItemKind::Sheet { name, plural, .. } = &item.kind else { continue };
            if self.sheet_id(&name.text).is_some() {
                continue;
            }
            let plural = plural_of(name, plural.as_ref());
            self.index.add_id(Sort::Sheet, &name.text, self.sheets.len());
            self.index.add_id(Sort::SheetPlural, &plural, self.sheets.len());
            let of = match uses.printed_piece(&name.text) {
                Some(_) => SheetUse::Piece,
                None if uses.is_part(&name.text, &plural) => SheetUse::Part,
                None => SheetUse::Entrant,
            };
            self.sheet_uses.push(of);
            self.sheets.push(SheetInfo {
                name: name.text.clone(),
                plural,
                base: None,
                root: 0,
                kind: None,
                columns: Vec::new(),
                prints: Vec::new(),
            });
            self.column_types.push(Vec::new());
        }
        let names: Vec<String> = self.sheets.iter().map(|sheet| sheet.name.clone()).collect();
        let index = &self.index;
        let number = |name: &str| index.id(Sort::Sheet, name);
        for (sheet, info) in self.sheets.iter_mut().enumerate() {
            let line = uses.base_line(&names[sheet]);
            info.base = line.get(1).and_then(|base| number(base));
            info.root = line.last().and_then(|root| number(root)).unwrap_or(sheet as SheetId);
            // A line that stopped early is cyclic.
            if let Some(again) = line.last().and_then(|last| uses.bases.get(last)) {
                if again.text == names[sheet] {
                    let message = format!("the sheet `{}` builds on itself", names[sheet]);
                    let problem = Problem::error(codes::GOES_IN_CIRCLES, message);
                    problems.push(problem.with_label(again.span, "goes round in a circle"));
                }
                info.base = None;
                info.root = sheet as SheetId;
            }
        }
        self.check_pieces_sheets(problems, items);
        self.piece_of_sheet = names.iter().map(|name| uses.printed_piece(name).map(str::to_string)).collect();
    }

    /// Reports sheets of pieces that build on a sheet of entrants: they store their lines differently.
    fn check_pieces_sheets(&self, problems: &mut Vec<Problem>, items: &[Cow<Item>]) {
        for item in items {
            let ItemKind::Sheet { name, base: Some(base), .. } = &item.kind else { continue };
            let uses = (self.sheet_use(&name.text), self.sheet_use(&base.text));
            if uses == (Some(SheetUse::Piece), Some(SheetUse::Entrant)) {
                let message = format!("`{}` is printed on pieces, and builds on `{}`, which is not", name.text, base.text);
                let problem = Problem::error(codes::WRONG_TYPE, message).with_label(base.span, "not printed on pieces");
                let what = with_article(&base.text);
                problems.push(problem.help(format!("leave out `is {what}`, and declare the fields that it needs in this sheet")));
            }
        }
    }

    /// The use of the sheet with this name.
    pub(super) fn sheet_use(&self, name: &str) -> Option<SheetUse> {
        let sheet = self.sheet_id(name)?;
        self.sheet_uses.get(sheet).copied()
    }

    /// Sets the kinds of sheets, once kinds are known.
    pub(super) fn set_sheet_kinds(&mut self) {
        let names: Vec<String> = self.sheets.iter().map(|sheet| sheet.name.clone()).collect();
        for (sheet, info) in self.sheets.iter_mut().enumerate() {
            let name = match self.sheet_uses[sheet] {
                SheetUse::Entrant => names.get(usize::from(info.root)),
                SheetUse::Piece => self.piece_of_sheet[sheet].as_ref(),
                SheetUse::Part => None,
            };
            info.kind = name.and_then(|name| self.index.id(Sort::Kind, name));
        }
    }

    /// Whether all fields of a sheet are columns. For entrants, only those are for which [`is_fixed`] holds.
    pub(super) fn has_columns(&self, name: &str) -> bool {
        matches!(self.sheet_use(name), Some(SheetUse::Piece | SheetUse::Part))
    }

    /// Declares the columns of a sheet of pieces or parts.
    pub(super) fn declare_columns(&mut self, name: &str, members: &'a [Member], problems: &mut Vec<Problem>) {
        let Some(sheet) = self.sheet_id(name) else { return };
        for member in members {
            check_keys(member, problems);
            match &member.kind {
                MemberKind::Field { names, of, default, range, shown, .. } => {
                    let written = of;
                    let of = self.type_of(of, problems);
                    for name in names {
                        let (default, shown) = (default.as_ref(), *shown);
                        let field = WrittenField { name, of: of.clone(), of_span: written.span, default, shown, range };
                        self.declare_column(sheet as SheetId, &field, problems);
                    }
                }
                _ => {
                    let message = format!("`{name}` is a sheet, so it can only have fields");
                    let problem =
                        Problem::error(codes::UNKNOWN_FIELD, message).with_label(member.span, "not a field").with_subject(name);
                    problems.push(match &self.piece_of_sheet[sheet] {
                        Some(piece) => problem.help(format!("give it to the piece: `piece {piece} … {{ … }}`")),
                        None => problem,
                    });
                }
            }
        }
    }

    /// Declares one column. If another sheet of the family has it, its type must be the same, and both share its number.
    pub(super) fn declare_column(&mut self, sheet: SheetId, field: &WrittenField, problems: &mut Vec<Problem>) {
        let (name, of) = (field.name, &field.of);
        if ["owner", "place"].contains(&name.text.as_str()) {
            let problem = Problem::error(codes::DECLARED_TWICE, format!("everything already has a built-in `{}`", name.text));
            problems.push(problem.with_label(name.span, "declared again here").help("give it another name"));
            return;
        }
        if *of != Type::Unknown && !is_printed_type(of) {
            let problem =
                Problem::error(codes::WRONG_TYPE, "a sheet cannot print this").with_label(field.of_span, "cannot be printed");
            problems.push(problem.help("a sheet prints numbers, words, texts, yes or no, other sheets, and lists of these"));
            return;
        }
        let root = self.sheets[usize::from(sheet)].root;
        let known = self.id(Sort::Column(root), &name.text);
        if let Some(known) = known
            && self.column_types[usize::from(root)][usize::from(known)] != *of
        {
            let problem = Problem::error(codes::WRONG_TYPE, format!("`{}` has different types on two sheets", name.text));
            let first = self.place(Sort::Column(root), &name.text);
            let problem = problem.with_label(name.span, "another type");
            problems.push(match first {
                Some(first) => problem
                    .with_label(first, "declared here")
                    .help("sheets with the same base must declare it alike: rename one of them"),
                None => problem,
            });
            return;
        }
        let initial = field.default.map(|default| self.printed_default(default, of, problems));
        let range =
            field.range.as_ref().and_then(|(least, most)| Some((super::constant_value(least)?, super::constant_value(most)?)));
        let column = known.unwrap_or_else(|| {
            let columns = &mut self.sheets[usize::from(root)].columns;
            self.index.add_id(Sort::Column(root), &name.text, columns.len());
            columns.push(FieldInfo::printed_field(&name.text, of.to_shape(), range, false));
            self.column_types[usize::from(root)].push(of.clone());
            columns.len() as u16 - 1
        });
        self.sheets[usize::from(root)].columns[usize::from(column)].shown |= field.shown;
        self.index.add_place(Sort::Column(root), &name.text, name.span);
        let default = initial.or(matches!(of, Type::OrNone(_)).then_some(NONE));
        if self.prints_column(sheet, column) {
            let problem = Problem::error(codes::DECLARED_TWICE, format!("`{}` is declared twice", name.text));
            problems.push(problem.with_label(name.span, "a sheet it builds on has it, too").help("remove one of them"));
            return;
        }
        self.sheets[usize::from(sheet)].prints.push(PrintedLine { column, default });
    }

    /// Whether a sheet or one it builds on prints a column.
    pub(super) fn prints_column(&self, sheet: SheetId, column: u16) -> bool {
        let info = &self.sheets[usize::from(sheet)];
        info.prints.iter().any(|printed| printed.column == column)
            || info.base.is_some_and(|base| self.prints_column(base, column))
    }

    /// The constant default of a line that a file leaves out. Reports a default that is computed in play.
    fn printed_default(&mut self, default: &super::Expr, of: &Type, problems: &mut Vec<Problem>) -> Value {
        use super::ExprKind;
        let known = match (&default.kind, of.without_none()) {
            (ExprKind::None, Type::List(_)) => Some(0),
            (ExprKind::None, _) if matches!(of, Type::OrNone(_)) => Some(NONE),
            (ExprKind::Text(text), Type::Text) => text.plain_text().map(|words| self.texts.intern_text(&words)),
            (ExprKind::Name(word), Type::Word(words)) => self.id(Sort::Word(*words), word).map(Value::from),
            (ExprKind::Number(_), Type::Halves) => super::constant_value(default).and_then(|value| value.checked_mul(2)),
            (ExprKind::Number(_), Type::Number) | (ExprKind::Name(_), Type::Flag) => super::constant_value(default),
            _ => None,
        };
        known.unwrap_or_else(|| {
            let problem = Problem::error(codes::WRONG_TYPE, "the default of a printed value must be known before play");
            let problem = problem.with_label(default.span, "computed during play");
            problems.push(problem.help("write a number, a word, a text, yes or no; an empty list is `none`"));
            0
        })
    }

    /// A column of a sheet's family by name, with the type for reading it. A word, text or sheet that only some of the sheets
    /// print may be none.
    pub fn find_column(&self, sheet: SheetId, name: &str) -> Option<(u16, Type)> {
        let root = self.sheets[usize::from(sheet)].root;
        let column = self.id(Sort::Column(root), name)?;
        let of = self.column_types[usize::from(root)][usize::from(column)].clone();
        let always = self.prints_column(sheet, column);
        Some((
            column,
            if always || matches!(of, Type::Number | Type::Halves | Type::Flag | Type::List(_)) { of } else { of.or_none() },
        ))
    }

    /// The sheet of a kind.
    pub fn sheet_of(&self, kind: KindId) -> Option<SheetId> {
        let sheets = self.sheets.iter().enumerate().filter(|(_, sheet)| sheet.kind == Some(kind));
        // If several sheets share a kind of pieces, the most general one.
        let general = |sheet: &SheetInfo| sheet.base.is_none_or(|base| self.sheets[usize::from(base)].kind != Some(kind));
        sheets.into_iter().find(|(_, sheet)| general(sheet)).map(|(sheet, _)| sheet as SheetId)
    }

    /// The type that a sheet's name or plural stands for.
    pub(super) fn sheet_type(&self, name: &Name, problems: &mut Vec<Problem>) -> Option<Type> {
        let is_named = |sheet: &SheetInfo| sheet.name == name.text || sheet.plural == name.text;
        let sheet = self.sheets.iter().position(is_named)?;
        let singular = &self.sheets[sheet].name;
        let (thing, what) = match (&self.piece_of_sheet[sheet], self.sheet_uses[sheet]) {
            (Some(piece), _) => (Some(piece.as_str()), "not a piece"),
            (None, SheetUse::Entrant) => (self.kind_of_sheet(singular).map(|kind| kind.name.as_str()), "not a kind of thing"),
            (None, _) => (None, ""),
        };
        let of = match thing {
            None => Type::Sheet(sheet as SheetId),
            Some(thing) => {
                let problem = Problem::error(codes::UNKNOWN_TYPE, format!("`{}` is a sheet, {what}", name.text));
                let help = format!("write `{thing}`, and test with `is a {singular}` which it is");
                problems.push(problem.with_label(name.span, "a sheet").with_subject(&name.text).help(help));
                Type::Unknown
            }
        };
        Some(if self.sheets[sheet].name == name.text { of } else { of.into_list() })
    }

    /// Whether a sheet is nested in others.
    pub fn is_part(&self, sheet: SheetId) -> bool {
        self.sheet_uses.get(usize::from(sheet)) == Some(&SheetUse::Part)
    }

    /// The names of all columns of a sheet's family.
    pub fn column_names(&self, sheet: SheetId) -> impl Iterator<Item = &str> {
        let root = self.sheets[usize::from(sheet)].root;
        self.sheets[usize::from(root)].columns.iter().map(|column| column.name.as_str())
    }

    /// Reports members of a piece that its sheets print, or that are built in.
    pub(super) fn check_piece_names(&self, kind: KindId, names: &[Name], problems: &mut Vec<Problem>) {
        if self.kinds[usize::from(kind)].sort != KindSort::Piece {
            return;
        }
        let sheet = self.sheet_of(kind);
        for name in names {
            let printed = sheet.is_some_and(|sheet| self.column_names(sheet).any(|column| column == name.text));
            let built_in = sheet.is_some() && OF_PIECES.contains(&name.text.as_str());
            if printed || built_in {
                let what = if printed { "its sheets print" } else { "every such piece has" };
                let problem = Problem::error(codes::DECLARED_TWICE, format!("{what} `{}` already", name.text));
                problems.push(problem.with_label(name.span, "declared again here").help("give it another name"));
            }
        }
    }
}

/// A field of a sheet, as written.
pub(super) struct WrittenField<'w> {
    pub name: &'w Name,
    pub of: Type,
    pub of_span: Span,
    pub default: Option<&'w super::Expr>,
    pub shown: bool,
    pub range: &'w Option<(super::Expr, super::Expr)>,
}

/// Whether files can print values of a type.
pub fn is_printed_type(of: &Type) -> bool {
    match of {
        Type::List(inner) => is_printed_type(inner) && !inner.is_list(),
        Type::OrNone(inner) => is_printed_type(inner),
        Type::Number | Type::Halves | Type::Flag | Type::Word(_) | Type::Text | Type::Sheet(_) => true,
        _ => false,
    }
}

/// Whether an entrant's field of this type is a column, which play cannot change. Numbers, words and flags are fields.
pub(super) fn is_fixed(of: &Type) -> bool {
    match of {
        Type::List(inner) => is_printed_type(inner) && !inner.is_list(),
        Type::OrNone(inner) => is_fixed(inner),
        Type::Text | Type::Sheet(_) => true,
        _ => false,
    }
}
