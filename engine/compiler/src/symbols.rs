//! The symbol table: declared names with their kinds, types and places, before expressions are compiled.
//!
//! The submodules fill the table declared here, each with one sort of name.
//!
//! An id is the index of a declaration in its table. Tables of the program, such as kinds, are filled here directly. Other
//! declarations are kept with their types, and [`crate::compile`] compiles their expressions.

mod boards;
mod entrants;
mod families;
mod first_values;
mod index;
mod lists;
mod private;
mod sheets;
mod titles;

use super::compose::declared_twice_problem;
use super::types::Type;
use crate::field::is_printable_shape;
use crate::sheet;
use boards::BoardAt;
use entrants::{SharedField, partial_field_type};
use first_values::{first_value_problem, type_name_text};
use index::NameIndex;
pub use index::Sort;
use lists::ListFields;
use ludex_program::{
    BoardInfo, DIE_SIZE, DIE_VALUE, Faces, FieldInfo, GameOption, GameOptionKind, Kind, KindId, KindSort, MOST_SEATS, MarkInfo,
    NONE, Prints, SIDE, SheetId, SheetInfo, Value, Visibility, WordType, ZoneInfo,
};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, with_article};
use ludex_syntax::source::Span;
use ludex_syntax::tree::{
    Action, Define, Expr, ExprKind, Hook, Item, ItemKind, Member, MemberKind, Name, OptionKind, Param, Part, Policy, Procedure,
    Sides, Table, Text, TypeKind, TypeName, ZoneWord, plural_of,
};
pub use sheets::is_printed_type;
use sheets::{SheetUse, WrittenField, is_fixed};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Maximum number of sides of a die.
const MOST_SIDES: i64 = 1000;
/// Maximum number on a face of a die.
const MOST_ON_A_FACE: i64 = 1_000_000;

/// All declarations, by name.
#[derive(Default)]
pub struct Symbols<'a> {
    pub game: String,
    pub title: String,
    pub options: Vec<GameOption>,
    pub words: Vec<WordType>,
    pub kinds: Vec<Kind>,
    pub boards: Vec<BoardInfo>,
    /// For each board, the span of its declaration, and whether it is valid.
    board_places: Vec<(Span, bool)>,
    /// The types of each kind's fields.
    pub field_types: Vec<Vec<Type>>,
    /// Field defaults that are formulas.
    pub field_defaults: Vec<FieldDefault<'a>>,
    /// For a side: names that stand for members of the thing that a field refers to, each with that field's index.
    pub lending: Vec<(String, u16)>,
    pub marks: Vec<MarkInfo>,
    /// For each mark: its fields, and the parts that apply while it lasts.
    pub mark_parts: Vec<(Vec<MarkField<'a>>, &'a [Part])>,
    /// For each family, the name of its base as written.
    bases: Vec<Option<&'a Name>>,
    /// For each mark, its fields and parts as written, until types are resolved.
    written_marks: Vec<(&'a [Member], &'a [Part])>,
    pub defines: BTreeMap<String, &'a Define>,
    /// Tables by name, with the types of their parameters and of their values.
    pub tables: BTreeMap<String, (&'a Table, Vec<Type>, Type)>,
    pub policies: Vec<&'a Policy>,
    /// The referee's title, if there is one.
    pub referee: Option<String>,
    /// Hooks with the types of their parameters.
    pub hooks: Vec<(&'a Hook, Vec<Type>, Span)>,
    pub families: Vec<Family<'a>>,
    /// For each family, itself and the families that are part of it.
    family_parts: Vec<Vec<u16>>,
    /// Actions with the ids of the rules that they cite.
    pub actions: Vec<(&'a Action, Vec<String>, Span)>,
    /// Procedures with the types of their parameters and of their results.
    pub procedures: Vec<(&'a Procedure, Vec<Type>, Type, Span)>,
    pub sides: Option<&'a Sides>,
    pub die_sizes: Vec<i32>,
    pub die: Option<KindId>,
    /// Dice with their own faces.
    pub faces: Vec<Faces>,
    /// The number that tells bots how well a side does: the name of the side, and the expression.
    pub standing: Option<(&'a Name, &'a Expr)>,
    pub sheets: Vec<SheetInfo>,
    /// The destinations of pieces in a piece's zone when that leaves play.
    pub falls: Vec<(KindId, u16, &'a Expr)>,
    /// Texts that sheets print by default.
    pub texts: Prints,
    /// For each sheet, whether entrants, pieces or other sheets have it.
    sheet_uses: Vec<SheetUse>,
    /// For each sheet, the kind of piece that is printed on it.
    piece_of_sheet: Vec<Option<String>>,
    /// For each sheet that builds on no other, the types of the columns of all sheets of its family.
    column_types: Vec<Vec<Type>>,
    index: NameIndex<'a>,
}

/// The first value of a field, compiled when needed.
pub struct FieldDefault<'a> {
    pub kind: KindId,
    pub field: u16,
    /// The sheet of the entrants with this first value. Other entrants may have the field with another first value.
    pub sheet: Option<SheetId>,
    pub value: &'a Expr,
}

/// The name, type and first value of a mark's field.
pub type MarkField<'a> = (String, Type, Option<&'a Expr>);

/// A family of moves.
pub struct Family<'a> {
    pub name: String,
    /// The family that this one is part of.
    pub base: Option<u16>,
    pub params: Vec<(String, Type)>,
    pub fields: Vec<(String, Type, Option<&'a Expr>)>,
    pub span: Span,
}

/// Collects all declarations. `values` are the values set for options. Unknown names have been reported by `resolve`; this reports
/// declarations that do not fit each other.
pub fn declare_symbols<'a>(
    items: &'a [Cow<Item>],
    values: &BTreeMap<String, String>,
    problems: &mut Vec<Problem>,
) -> Symbols<'a> {
    let mut symbols = Symbols::default();
    symbols.add_kind("table", "tables", KindSort::Table);
    symbols.add_kind("side", "sides", KindSort::Side);
    symbols.declare_sheets(items, problems);
    for item in items {
        symbols.declare_kind(item, problems);
    }
    symbols.set_sheet_kinds();
    for item in items {
        symbols.declare_head(item, values, problems);
    }
    // The names of pieces must not be columns of their sheets, so sheets come first, each after its base.
    let mut sorted: Vec<&Item> = items.iter().map(Cow::as_ref).collect();
    sorted.sort_by_cached_key(|item| symbols.sheet_depth(item));
    for item in sorted {
        symbols.declare_members(item, problems);
    }
    for item in items {
        symbols.declare_title(item, problems);
        symbols.declare_counter_texts(item, problems);
    }
    symbols.check_boards(problems);
    symbols.complete_dice();
    symbols.sort_printed_first();
    for item in items {
        symbols.declare_rules(item, problems);
    }
    symbols
}

impl<'a> Symbols<'a> {
    /// The id of a declared name.
    pub fn id(&self, sort: Sort, name: &str) -> Option<u16> {
        self.index.id(sort, name)
    }

    /// The span of a declared name.
    pub fn place(&self, sort: Sort, name: &str) -> Option<Span> {
        self.index.place(sort, name)
    }

    /// The index of a sheet.
    fn sheet_id(&self, name: &str) -> Option<usize> {
        self.id(Sort::Sheet, name).map(usize::from)
    }

    /// The index of a kind.
    fn kind_id(&self, name: &str) -> Option<usize> {
        self.id(Sort::Kind, name).map(usize::from)
    }

    /// Adds a kind with its name and plural. Pieces have an owner as their first field.
    fn add_kind(&mut self, name: &str, plural: &str, sort: KindSort) -> KindId {
        self.index.add_id(Sort::Kind, name, self.kinds.len());
        // There is one table, so its plural has no meaning, and a piece may have it.
        if sort != KindSort::Table {
            self.index.add_id(Sort::KindPlural, plural, self.kinds.len());
        }
        self.kinds.push(Kind {
            name: name.to_string(),
            plural: plural.to_string(),
            sort,
            fields: Vec::new(),
            zones: Vec::new(),
            title: Vec::new(),
        });
        self.field_types.push(Vec::new());
        let kind = self.kinds.len() as KindId - 1;
        if sort == KindSort::Piece {
            self.add_field(kind, "owner", Type::side_type().or_none(), false, NONE, None);
        }
        kind
    }

    /// Adds a built-in field, which files cannot set. Returns its index in the kind.
    fn add_field(
        &mut self,
        kind: KindId,
        name: &str,
        of: Type,
        counter: bool,
        initial: Value,
        range: Option<(Value, Value)>,
    ) -> u16 {
        let (printed, optional, sheets) = (false, false, Vec::new());
        let (name, shape, shown, seen) = (name.to_string(), of.to_shape(), counter, Visibility::All);
        self.push_field(
            kind,
            FieldInfo { name, shape, range, room: 0, counter, shown, seen, initial, printed, optional, sheets, text: None },
            of,
        )
    }

    /// Adds a word list, with its words and its plural.
    fn add_word_list(&mut self, list: WordType) {
        self.index.add_id(Sort::WordList, &list.name, self.words.len());
        if let Some(plural) = &list.plural {
            self.index.add_id(Sort::WordListPlural, plural, self.words.len());
        }
        for (index, word) in list.words.iter().enumerate() {
            self.index.add_id(Sort::Word(self.words.len() as u16), word, index);
        }
        self.words.push(list);
    }

    /// Adds a field to a kind. Returns its index there.
    fn push_field(&mut self, kind: KindId, info: FieldInfo, of: Type) -> u16 {
        self.index.add_id(Sort::Field(kind), &info.name, self.kinds[kind as usize].fields.len());
        self.kinds[kind as usize].fields.push(info);
        self.field_types[kind as usize].push(of);
        self.kinds[kind as usize].fields.len() as u16 - 1
    }

    /// Sorts the defaults: first values of printed fields come before those of other fields.
    fn sort_printed_first(&mut self) {
        let kinds = &self.kinds;
        self.field_defaults.sort_by_key(|default| !kinds[default.kind as usize].fields[default.field as usize].printed);
    }

    /// Records where a name is declared. Returns false if it was declared before, which `resolve` reports.
    fn claim_name(&mut self, sort: Sort<'a>, name: &Name) -> bool {
        self.index.add_place(sort, &name.text, name.span)
    }

    /// Records where a member is declared, and reports a second declaration. Members of a sheet and of its base are separate
    /// unless both belong to the same kind.
    fn claim_member(&mut self, sort: Sort<'a>, name: &Name, problems: &mut Vec<Problem>) -> bool {
        let first = self.place(sort, &name.text);
        problems.extend(first.map(|first| declared_twice_problem(&name.text, name.span, first)));
        self.claim_name(sort, name)
    }

    /// Declares the kind, sheet or word list of an item. Types can then refer to it.
    fn declare_kind(&mut self, item: &'a Item, problems: &mut Vec<Problem>) {
        match &item.kind {
            ItemKind::DieSizes { sizes } => {
                self.declare_die();
                for (size, span) in sizes {
                    if (1..=MOST_SIDES).contains(size) {
                        self.die_sizes.push(*size as i32);
                    } else {
                        let problem = Problem::error(codes::SIZES_UNFIT, format!("there is no die with {size} sides"));
                        problems.push(problem.with_label(*span, "here").help("a die has 1 to 1000 sides"));
                    }
                }
            }
            ItemKind::DieKind { name, title, faces } => {
                self.declare_die();
                if self.claim_name(Sort::Kind, name) {
                    self.declare_faces(name, title, faces, problems);
                }
            }
            ItemKind::Sheet { name, .. } if self.has_columns(&name.text) => {
                self.claim_name(Sort::Sheet, name);
            }
            ItemKind::Sheet { name, plural, .. } if self.claim_name(Sort::Kind, name) && !self.builds_on_another(&name.text) => {
                let plural = plural_of(name, plural.as_ref());
                self.add_kind(&name.text, &plural, KindSort::Entrant);
            }
            ItemKind::Piece { name, plural, from, .. } if name.text != "die" && self.claim_name(Sort::Kind, name) => {
                let plural = plural_of(name, plural.as_ref());
                let kind = self.add_kind(&name.text, &plural, KindSort::Piece);
                if let Some(sheet) = from.as_ref().and_then(|from| self.sheet_id(&from.text)) {
                    // PIECE_SHEET: it follows the owner.
                    let root = self.sheets[sheet].root;
                    self.add_field(kind, "sheet", Type::Sheet(root), false, NONE, None);
                }
            }
            ItemKind::Words { name, plural, words } if self.claim_name(Sort::WordList, name) => {
                let plural = plural.as_ref().map(|plural| plural.text.clone());
                let words = words.iter().map(|word| word.text.clone()).collect();
                self.add_word_list(WordType { name: name.text.clone(), plural, words });
            }
            _ => {}
        }
    }

    /// Declares the kind of dice at the first mention of any die.
    fn declare_die(&mut self) {
        if self.die.is_none() {
            let die = self.add_kind("die", "dice", KindSort::Piece);
            self.die = Some(die);
            // DIE_SIZE and DIE_VALUE: they follow the owner.
            self.add_field(die, "size", Type::Number, false, 0, None);
            self.add_field(die, "value", Type::Number, false, 0, None);
        }
    }

    /// Declares a die with its own faces, as a kind of its own.
    fn declare_faces(&mut self, name: &Name, title: &Text, faces: &[(i64, Span)], problems: &mut Vec<Problem>) {
        let mut values = Vec::new();
        for (face, span) in faces {
            if (1..=MOST_ON_A_FACE).contains(face) {
                values.push(*face as Value);
            } else {
                let problem = Problem::error(codes::SIZES_UNFIT, format!("a face of a die cannot show {face}"));
                problems.push(problem.with_label(*span, "here").help(format!("faces show numbers from 1 to {MOST_ON_A_FACE}")));
            }
        }
        if faces.len() > MOST_SIDES as usize {
            let problem = Problem::error(codes::SIZES_UNFIT, format!("there is no die with {} sides", faces.len()));
            problems.push(problem.with_label(name.span, "too many faces").help("a die has 1 to 1000 sides"));
        }
        let title = plain_text(title, problems);
        let kind = self.add_kind(&name.text, &name.text, KindSort::Piece);
        self.faces.push(Faces { kind, title, values });
    }

    /// Sets the ranges of dice, and gives dice with their own faces the fields that a die has.
    fn complete_dice(&mut self) {
        let Some(die) = self.die else { return };
        let sizes = self.die_sizes.iter().min().copied().zip(self.die_sizes.iter().max().copied());
        let (smallest, largest) = sizes.unwrap_or((1, MOST_SIDES as Value));
        let highest = self.faces.iter().flat_map(|faces| &faces.values).copied().max().unwrap_or(0);
        let fields = &mut self.kinds[die as usize].fields;
        fields[DIE_SIZE as usize].range = Some((smallest, largest));
        fields[DIE_VALUE as usize].range = Some((0, largest.max(highest)));
        for faces in &self.faces {
            let mut fields = self.kinds[die as usize].fields.clone();
            let sides = faces.values.len() as Value;
            fields[DIE_SIZE as usize].initial = sides;
            fields[DIE_SIZE as usize].range = Some((sides, sides));
            fields[DIE_VALUE as usize].range = faces.values.iter().max().map(|highest| (0, *highest));
            for (index, field) in fields.iter().enumerate() {
                self.index.add_id(Sort::Field(faces.kind), &field.name, index);
            }
            self.kinds[faces.kind as usize].fields = fields;
            self.field_types[faces.kind as usize] = self.field_types[die as usize].clone();
        }
    }

    /// Declares the title of the game, the sides and the options.
    fn declare_head(&mut self, item: &'a Item, values: &BTreeMap<String, String>, problems: &mut Vec<Problem>) {
        match &item.kind {
            ItemKind::Game { id, title } => {
                self.game = id.text.clone();
                self.title = plain_text(title, problems);
            }
            ItemKind::Sides(sides) => {
                check_sides(sides, item.span, problems);
                self.sides = Some(sides);
            }
            ItemKind::Option(option) => {
                if !self.claim_name(Sort::Value, &option.name) {
                    return;
                }
                let (kind, default) = match &option.kind {
                    OptionKind::Number { default, range } => {
                        let number = |expr: &Expr| constant_value(expr);
                        let (least, most) = match range {
                            Some((least, most)) => (number(least).unwrap_or(0), number(most).unwrap_or(Value::MAX)),
                            None => (0, Value::MAX),
                        };
                        let first = number(default).unwrap_or(least);
                        if !(least..=most).contains(&first) {
                            let message =
                                format!("`{}` is {first} at first, but it must be from {least} to {most}", option.name.text);
                            let problem =
                                Problem::error(codes::OPTION_DEFAULT, message).with_label(default.span, "out of its range");
                            problems.push(problem.help("write the first value, then the range from low to high: `= 3 in 1..9`"));
                        }
                        (GameOptionKind::Number { least, most }, first)
                    }
                    OptionKind::Words { words, default } => {
                        let list: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
                        let index = list.iter().position(|word| *word == default.text);
                        self.add_word_list(WordType {
                            name: format!("option {}", option.name.text),
                            plural: None,
                            words: list.clone(),
                        });
                        (GameOptionKind::Words(list), index.unwrap_or(0) as Value)
                    }
                };
                let text = option.text.as_ref().map(|text| plain_text(text, problems)).unwrap_or_default();
                let rules = item.cites.iter().map(|cite| cite.rule.clone()).collect();
                let mut made =
                    GameOption { name: option.name.text.clone(), text, kind, default, value: default, open: false, rules };
                if let Some(words) = values.get(&made.name) {
                    match parse_option_value(&made, words) {
                        Ok(value) => made.value = value,
                        Err(problem) => problems.push(problem),
                    }
                }
                self.index.add_id(Sort::Option, &made.name, self.options.len());
                self.options.push(made);
            }
            _ => {}
        }
    }

    /// Declares the members that an item gives to a kind or a sheet.
    fn declare_members(&mut self, item: &'a Item, problems: &mut Vec<Problem>) {
        let (owner, members): (&str, &'a [Member]) = match &item.kind {
            ItemKind::Sheet { name, members, .. } if self.has_columns(&name.text) => {
                return self.declare_columns(&name.text, members, problems);
            }
            ItemKind::Sheet { name, members, .. } => return self.declare_sheet(&name.text, members, problems),
            ItemKind::Piece { name, members, .. } => (&name.text, members),
            ItemKind::Has { owner, members } => (&owner.text, members),
            _ => return,
        };
        let Some(kind) = self.kind_id(owner) else {
            if let ItemKind::Has { owner, .. } = &item.kind {
                problems.push(self.not_a_kind_problem(owner));
            }
            return;
        };
        for member in members {
            self.declare_member(kind as KindId, member, None, problems);
        }
    }

    /// The error for `each NAME has` with a sheet that is not a kind of its own.
    fn not_a_kind_problem(&self, name: &Name) -> Problem {
        let message = format!("`{}` is a sheet, not a kind of thing", name.text);
        let problem = Problem::error(codes::UNKNOWN_TYPE, message).with_label(name.span, "a sheet").with_subject(&name.text);
        match self.kind_of_sheet(&name.text) {
            Some(kind) => {
                problem.help(format!("write `{}`, the kind that it belongs to; all things of that kind will have it", kind.name))
            }
            None => problem.help("give its fields to the sheet itself"),
        }
    }

    /// Declares a member, for the files of a sheet if one is given.
    fn declare_member(&mut self, kind: KindId, member: &'a Member, sheet: Option<SheetId>, problems: &mut Vec<Problem>) {
        let sort = Sort::Member(kind);
        match &member.kind {
            MemberKind::Zone { names, board: Some(size), holds, words, optional } => {
                let Some(holds) = self.kind_of_plural(holds) else { return };
                let at = BoardAt { kind, of_sheet: sheet.is_some(), optional: *optional, span: member.span };
                self.declare_boards(&at, names, size, &zone_with_words(ZoneInfo::plain_zone("", holds), words), problems);
                let falls = words.iter().filter_map(ZoneWord::falls_to).map(|place| (kind, 0, place));
                self.falls.extend(falls);
            }
            MemberKind::Zone { names, board: None, holds, words, optional } => {
                let Some(holds) = self.kind_of_plural(holds) else { return };
                self.check_piece_names(kind, names, problems);
                let info = ZoneInfo { printed: sheet.is_some(), optional: *optional, ..ZoneInfo::plain_zone("", holds) };
                let info = ZoneInfo { sheets: self.exclusive_sheets(sheet), ..zone_with_words(info, words) };
                for name in names {
                    let info = ZoneInfo { name: name.text.clone(), ..info.clone() };
                    if self.shares_zone(kind, &info, name, problems) || !self.claim_member(sort, name, problems) {
                        continue;
                    }
                    let zone = self.kinds[kind as usize].zones.len() as u16;
                    self.falls.extend(words.iter().filter_map(ZoneWord::falls_to).map(|place| (kind, zone, place)));
                    self.index.add_id(Sort::Zone(kind), &info.name, usize::from(zone));
                    self.kinds[kind as usize].zones.push(info);
                }
            }
            MemberKind::Counter { names, of, default, range, seen, .. } => {
                let of = of.as_ref().map_or(Type::Number, |of| self.type_of(of, problems));
                self.declare_fields(kind, names, &of, true, default.as_ref(), range.as_ref(), sheet, problems);
                self.hide_fields(kind, names, seen.as_ref(), &of, problems);
            }
            MemberKind::Field { names, of, default, range, room, shown, seen, lending } => {
                let written = of;
                let of = self.type_of(of, problems);
                if let Some(sheet) = sheet.filter(|_| is_fixed(&of)) {
                    for name in names {
                        if !self.shares_column(sheet, &name.text) && !self.claim_member(sort, name, problems) {
                            continue;
                        }
                        let (default, shown) = (default.as_ref(), *shown);
                        let field = WrittenField { name, of: of.clone(), of_span: written.span, default, shown, range };
                        self.declare_column(sheet, &field, problems);
                    }
                    return;
                }
                if room.is_some() || of.is_list() {
                    let lists = ListFields {
                        names,
                        of: &of,
                        of_span: written.span,
                        range: range.as_ref().and_then(|(least, most)| Some((constant_value(least)?, constant_value(most)?))),
                        room: *room,
                        default: default.as_ref(),
                        shown: *shown,
                        seen: seen.as_ref(),
                        on_sheet: sheet.is_some(),
                    };
                    return self.declare_lists(kind, &lists, problems);
                }
                if default.is_none() && self.needs_first_value(kind, &of) {
                    problems.extend(names.iter().map(|name| first_value_problem(name, written)));
                }
                let first = self.kinds[kind as usize].fields.len() as u16;
                self.declare_fields(kind, names, &of, false, default.as_ref(), range.as_ref(), sheet, problems);
                let named = |field: &&mut FieldInfo| names.iter().any(|name| name.text == field.name);
                self.kinds[kind as usize].fields.iter_mut().filter(named).for_each(|field| field.shown |= *shown);
                self.hide_fields(kind, names, seen.as_ref(), &of, problems);
                if !lending.is_empty() && kind != SIDE {
                    problems.push(
                        Problem::error(codes::UNKNOWN_FIELD, "only a side's field can lend names")
                            .with_label(member.span, "here"),
                    );
                }
                self.lending.extend(lending.iter().map(|name| (name.text.clone(), first)));
            }
            MemberKind::Mark { name, text, untold, printed, fields: written_fields, parts } => {
                if *printed && self.die != Some(kind) {
                    let problem = Problem::error(codes::WRONG_TYPE, "only a die's mark can be printed");
                    let help = "sheets list dice with their marks; give other things a field";
                    problems.push(problem.with_label(name.span, "not a mark of dice").help(help));
                }
                if self.claim_name(Sort::Mark, name) {
                    let text = text.as_ref().map(|text| plain_text(text, problems)).unwrap_or_default();
                    let (name, untold, printed) = (name.text.clone(), *untold, *printed);
                    self.index.add_id(Sort::Mark, &name, self.marks.len());
                    self.marks.push(MarkInfo { name, text, untold, printed, kind, ..MarkInfo::default() });
                    self.written_marks.push((written_fields, parts));
                }
            }
        }
    }

    /// Declares fields or counters of one type. A first value that is no constant becomes a formula.
    #[expect(clippy::too_many_arguments, reason = "counters and fields share one declaration")]
    fn declare_fields(
        &mut self,
        kind: KindId,
        names: &[Name],
        of: &Type,
        counter: bool,
        default: Option<&'a Expr>,
        range: Option<&(Expr, Expr)>,
        sheet: Option<SheetId>,
        problems: &mut Vec<Problem>,
    ) {
        let range = range.and_then(|(least, most)| Some((constant_value(least)?, constant_value(most)?)));
        self.check_piece_names(kind, names, problems);
        let optional = default.is_some() || counter || matches!(of, Type::OrNone(_));
        let sheets = self.exclusive_sheets(sheet);
        let of = if sheets.is_empty() { of.clone() } else { partial_field_type(of) };
        let none = if matches!(of, Type::Number | Type::Halves | Type::Flag | Type::Word(_)) { 0 } else { NONE };
        let known = default.and_then(constant_value).filter(|_| sheets.is_empty());
        if let (Some(value), Some((least, most)), Some(written), Some(name)) = (known, range, default, names.first())
            && value != NONE
            && !(least..=most).contains(&value)
        {
            let message = format!("`{}` is {value} at first, but it must be from {least} to {most}", name.text);
            let problem = Problem::error(codes::OPTION_DEFAULT, message).with_label(written.span, "out of its range");
            problems.push(problem.help("write the first value, then the range from low to high: `= 3 in 1..9`"));
        }
        let known = known.map(|value| if of == Type::Halves { value.saturating_mul(2) } else { value });
        let shape = of.to_shape();
        let printed = sheet.is_some() && is_printable_shape(&shape);
        let (initial, shown) = (known.unwrap_or(none), counter);
        for name in names {
            let (text, shape, sheets) = (name.text.clone(), shape.clone(), sheets.clone());
            let seen = Visibility::All;
            let info = FieldInfo {
                name: text,
                shape,
                range,
                room: 0,
                counter,
                shown,
                seen,
                initial,
                printed,
                optional,
                sheets,
                text: None,
            };
            let field = match self.shared_field(kind, &info, name, problems) {
                SharedField::With(field) => field,
                SharedField::Not if self.claim_member(Sort::Member(kind), name, problems) => {
                    self.push_field(kind, info, of.clone())
                }
                SharedField::Not | SharedField::Otherwise => continue,
            };
            if let (Some(value), None) = (default, known) {
                let sheet = sheet.filter(|_| !self.exclusive_sheets(sheet).is_empty());
                self.field_defaults.push(FieldDefault { kind, field, sheet, value });
            }
        }
    }

    /// Declares an item whose expressions are compiled later: a definition, hook, action and so on.
    fn declare_rules(&mut self, item: &'a Item, problems: &mut Vec<Problem>) {
        match &item.kind {
            ItemKind::Define(define) if self.claim_name(Sort::Value, &define.name) => {
                self.defines.insert(define.name.text.clone(), define);
            }
            ItemKind::Table(table) if self.claim_name(Sort::Value, &table.name) => {
                self.tables.insert(table.name.text.clone(), (table, Vec::new(), Type::Number));
            }
            ItemKind::Hook(hook) if self.claim_name(Sort::Hook, &hook.name) => {
                self.index.add_id(Sort::Hook, &hook.name.text, self.hooks.len());
                self.hooks.push((hook, Vec::new(), item.span));
            }
            ItemKind::Family { name, params, fields, base } => {
                if self.claim_name(Sort::Family, name) {
                    let params = self.parameter_types(params, problems);
                    let fields = self.family_fields(fields, problems);
                    self.bases.push(base.as_ref());
                    self.index.add_id(Sort::Family, &name.text, self.families.len());
                    self.families.push(Family { name: name.text.clone(), base: None, params, fields, span: item.span });
                }
            }
            ItemKind::Action(action) if self.claim_name(Sort::Action, &action.name) => {
                self.actions.push((action, item.cites.iter().map(|cite| cite.rule.clone()).collect(), item.span));
            }
            ItemKind::Procedure(procedure) if self.claim_name(Sort::Procedure, &procedure.name) => {
                self.index.add_id(Sort::Procedure, &procedure.name.text, self.procedures.len());
                self.procedures.push((procedure, Vec::new(), Type::None, item.span));
            }
            ItemKind::Standing { param, value } => self.standing = Some((param, value)),
            ItemKind::Policy(policy) if self.claim_name(Sort::Policy(&policy.family.text), &policy.name) => {
                self.policies.push(policy);
            }
            ItemKind::Referee { title } => self.referee = Some(plain_text(title, problems)),
            _ => {}
        }
    }

    /// The fields of a family of moves.
    fn family_fields(&mut self, members: &'a [Member], problems: &mut Vec<Problem>) -> Vec<(String, Type, Option<&'a Expr>)> {
        let mut fields = Vec::new();
        for member in members {
            match &member.kind {
                MemberKind::Field { names, of, default, .. } => {
                    let of = self.type_of(of, problems);
                    fields.extend(names.iter().map(|name| (name.text.clone(), of.clone(), default.as_ref())));
                }
                _ => {
                    let problem = Problem::error(codes::UNKNOWN_FIELD, "a family can only have fields");
                    problems.push(problem.with_label(member.span, "not a field"));
                }
            }
        }
        fields
    }

    /// The fields of a mark. They cannot be lists, which do not outlive the statement that makes them.
    fn mark_fields(&self, members: &'a [Member], problems: &mut Vec<Problem>) -> Vec<MarkField<'a>> {
        let mut fields = Vec::new();
        for member in members {
            let MemberKind::Field { names, of, default, .. } = &member.kind else {
                problems.push(
                    Problem::error(codes::UNKNOWN_FIELD, "a mark can only have fields").with_label(member.span, "not a field"),
                );
                continue;
            };
            let found = self.type_of(of, problems);
            if found.is_list() {
                problems
                    .push(Problem::error(codes::WRONG_TYPE, "a field cannot keep a list").with_label(of.span, "several things"));
            }
            fields.extend(names.iter().map(|name| (name.text.clone(), found.clone(), default.as_ref())));
        }
        fields
    }

    /// Resolves the types of parameters and results, and of the fields of marks. Families must be declared by now, because they are
    /// types.
    pub fn resolve_signatures(&mut self, problems: &mut Vec<Problem>) {
        self.inherit_family_members(problems);
        let written = std::mem::take(&mut self.written_marks);
        self.mark_parts = written.iter().map(|(fields, parts)| (self.mark_fields(fields, problems), *parts)).collect();
        for index in 0..self.hooks.len() {
            let hook = self.hooks[index].0;
            self.hooks[index].1 = hook.params.iter().map(|param| self.type_of(&param.of, problems)).collect();
        }
        for index in 0..self.procedures.len() {
            let procedure = self.procedures[index].0;
            self.procedures[index].1 = procedure.params.iter().map(|param| self.type_of(&param.of, problems)).collect();
            self.procedures[index].2 = procedure.gives.as_ref().map_or(Type::None, |of| self.type_of(of, problems));
        }
        let mut tables = std::mem::take(&mut self.tables);
        for (table, params, gives) in tables.values_mut() {
            *params = table.params.iter().map(|param| self.table_param_type(&param.of, problems)).collect();
            *gives = table.of.as_ref().map_or(Type::Number, |of| self.type_of(of, problems));
        }
        self.tables = tables;
    }

    /// The type of a table's parameter: a number or a word.
    fn table_param_type(&self, of: &TypeName, problems: &mut Vec<Problem>) -> Type {
        let found = self.type_of(of, problems);
        if !matches!(found, Type::Number | Type::Word(_) | Type::Unknown) {
            let message = format!("a table is read with numbers and words, not with {}", with_article(&type_name_text(of)));
            problems.push(Problem::error(codes::WRONG_TYPE, message).with_label(of.span, "here"));
        }
        found
    }

    /// The names and types of parameters.
    pub fn parameter_types(&self, params: &[Param], problems: &mut Vec<Problem>) -> Vec<(String, Type)> {
        params.iter().map(|param| (param.name.text.clone(), self.type_of(&param.of, problems))).collect()
    }

    /// The kind with this plural or name. If two kinds have it, the one that is declared first.
    pub fn kind_of_plural(&self, name: &Name) -> Option<KindId> {
        let by_plural = self.id(Sort::KindPlural, &name.text);
        by_plural.into_iter().chain(self.id(Sort::Kind, &name.text)).min()
    }

    /// Resolves a type as written. It is unknown if its name is, which was reported.
    pub fn type_of(&self, of: &TypeName, problems: &mut Vec<Problem>) -> Type {
        match &of.kind {
            TypeKind::OrNone(inner) => self.type_of(inner, problems).or_none(),
            TypeKind::ListOf(inner) => self.type_of(inner, problems).into_list(),
            TypeKind::ZoneOf(name) => self.kind_of_plural(name).map_or(Type::Unknown, Type::Zone),
            TypeKind::Named(name) => self.find_type(name, problems),
            TypeKind::Whatever => Type::Unknown,
        }
    }

    /// The type that a name stands for: built-in, a kind, a word list, a sheet or a family, or a list for a plural.
    fn find_type(&self, name: &Name, problems: &mut Vec<Problem>) -> Type {
        match name.text.as_str() {
            "number" => return Type::Number,
            "halves" => return Type::Halves,
            "flag" => return Type::Flag,
            "text" => return Type::Text,
            "numbers" => return Type::Number.into_list(),
            _ => {}
        }
        if let Some(kind) = self.kind_id(&name.text) {
            return Type::Entity(kind as KindId);
        }
        if let Some(kind) = self.id(Sort::KindPlural, &name.text) {
            return Type::Entity(kind).into_list();
        }
        if let Some(words) = self.id(Sort::WordList, &name.text) {
            return Type::Word(words);
        }
        if let Some(words) = self.id(Sort::WordListPlural, &name.text) {
            return Type::Word(words).into_list();
        }
        if let Some(of) = self.sheet_type(name, problems) {
            return of;
        }
        self.find_family(&name.text).map_or(Type::Unknown, Type::Move)
    }

    /// The index and type of a kind's field.
    pub fn find_field(&self, kind: KindId, name: &str) -> Option<(u16, Type)> {
        let field = self.id(Sort::Field(kind), name)?;
        Some((field, self.field_types[kind as usize][usize::from(field)].clone()))
    }

    /// The index of a kind's zone, and the kind of the pieces that it holds.
    pub fn find_zone(&self, kind: KindId, name: &str) -> Option<(u16, KindId)> {
        let zone = self.id(Sort::Zone(kind), name)?;
        Some((zone, self.kinds[kind as usize].zones[usize::from(zone)].holds))
    }

    pub fn find_procedure(&self, name: &str) -> Option<u16> {
        self.id(Sort::Procedure, name)
    }

    pub fn find_hook(&self, name: &str) -> Option<u16> {
        self.id(Sort::Hook, name)
    }

    pub fn find_family(&self, name: &str) -> Option<u16> {
        self.id(Sort::Family, name)
    }

    pub fn find_mark(&self, name: &str) -> Option<u16> {
        self.id(Sort::Mark, name)
    }

    /// Names of a kind's members, for suggestions.
    pub fn member_names(&self, kind: KindId) -> Vec<String> {
        let info = &self.kinds[kind as usize];
        let mut names: Vec<String> = info.fields.iter().map(|field| field.name.clone()).collect();
        names.extend(info.zones.iter().filter(|zone| zone.board.is_none()).map(|zone| zone.name.clone()));
        names.extend(self.boards.iter().filter(|board| board.kind == kind).map(|board| board.name.clone()));
        if let Some(sheet) = self.sheet_of(kind) {
            names.extend(self.column_names(sheet).map(str::to_string));
            names.push("name".to_string());
        }
        if kind == SIDE {
            names.extend(self.lending.iter().map(|(name, _)| name.clone()));
            names.extend(["foe", "opponents"].map(str::to_string));
            if self.sides.is_some_and(|sides| sides.ring) {
                names.extend(["left", "right", "neighbours"].map(str::to_string));
            }
        }
        names
    }
}

/// A zone with the attributes that are written after it.
fn zone_with_words(mut info: ZoneInfo, words: &[ZoneWord]) -> ZoneInfo {
    for word in words {
        match word {
            ZoneWord::Open => info.seen = Visibility::All,
            ZoneWord::SeenByOwner => info.seen = Visibility::Owner,
            ZoneWord::SeenByAllButOwner => info.seen = Visibility::Others,
            ZoneWord::SeenByNobody => info.seen = Visibility::Nobody,
            ZoneWord::InOrder => info.ordered = true,
            ZoneWord::OutOfPlay => info.out_of_play = true,
            ZoneWord::AtMost(most) => info.most = u32::try_from(*most).ok(),
            // The destination of falling pieces is not part of the zone itself.
            ZoneWord::FallsTo(_) => {}
        }
    }
    info
}

/// Checks that a printed member does not have the name of a key that every file may have.
fn check_keys(member: &Member, problems: &mut Vec<Problem>) {
    let names: &[Name] = match &member.kind {
        MemberKind::Zone { names, .. } | MemberKind::Counter { names, .. } | MemberKind::Field { names, .. } => names,
        MemberKind::Mark { .. } => &[],
    };
    for name in names.iter().filter(|name| sheet::KEYS.iter().chain(&sheet::SHEET_KEYS).any(|key| *key == name.text)) {
        let problem = Problem::error(codes::DECLARED_TWICE, format!("every sheet has a line `{}` already", name.text));
        problems.push(problem.with_label(name.span, "declared again here").help("give it another name"));
    }
}

/// Parses and checks the value of an option.
pub fn parse_option_value(option: &GameOption, words: &str) -> Result<Value, Problem> {
    let wrong = |help: String| {
        Problem::error(codes::OPTION_VALUE, format!("`{words}` is not a value for the option `{}`", option.name)).help(help)
    };
    match &option.kind {
        GameOptionKind::Number { least, most } => match words.parse::<Value>() {
            Ok(value) if (least..=most).contains(&&value) => Ok(value),
            _ => Err(wrong(format!("give a whole number from {least} to {most}"))),
        },
        GameOptionKind::Words(list) => match list.iter().position(|word| word == words) {
            Some(index) => Ok(index as Value),
            None => Err(wrong(format!("give one of: {}", list.join(", ")))),
        },
    }
}

/// The value of a literal: a number, yes or no, or `none`.
pub fn constant_value(expr: &Expr) -> Option<Value> {
    match &expr.kind {
        ExprKind::Number(number) => Value::try_from(*number).ok(),
        ExprKind::Name(name) if name == "yes" => Some(1),
        ExprKind::Name(name) if name == "no" => Some(0),
        ExprKind::None => Some(NONE),
        _ => None,
    }
}

/// The words of a text that cannot have holes. Reports one with a hole.
pub fn plain_text(text: &Text, problems: &mut Vec<Problem>) -> String {
    text.plain_text().unwrap_or_else(|| {
        problems.push(
            Problem::error(codes::WRONG_TYPE, "this text is fixed and cannot have holes").with_label(text.span, "has a hole"),
        );
        String::new()
    })
}

/// Reports numbers of sides or entrants with which the game cannot be played.
fn check_sides(sides: &Sides, span: Span, problems: &mut Vec<Problem>) {
    let entrants = sides.entrants.as_ref().map(|(least, most, _)| (0, *least, *most, "a side brings", "entrants"));
    for (fewest, least, most, who, what) in [(1, sides.least, sides.most, "there are", "sides")].into_iter().chain(entrants) {
        if least > most || least < fewest || most > MOST_SEATS as i64 {
            let amount = if least == most { least.to_string() } else { format!("{least} to {most}") };
            let message = format!("a game cannot be played with {amount} {what}");
            let problem = Problem::error(codes::NOBODY_PLAYS, message).with_label(span, "here");
            let help = format!("{who} {fewest} to {MOST_SEATS} {what}, and the smaller number comes first: `2..4`");
            problems.push(problem.help(help));
        }
    }
    let (named, most) = (sides.names.len(), sides.most);
    for name in &sides.names {
        plain_text(name, problems);
    }
    if let (Some(first), Some(last)) = (sides.names.first(), sides.names.last())
        && named as i64 != most
    {
        let place = first.span.extend_to(last.span);
        let message = format!("{} of {most} sides {} named", named, if named == 1 { "is" } else { "are" });
        let problem = Problem::error(codes::LIST_LENGTH, message).with_label(place, format!("{named} here"));
        problems.push(problem.help("give each side a name, in the order of the sides"));
    }
}
