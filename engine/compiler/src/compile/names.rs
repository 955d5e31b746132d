//! Compiles names and members: locals, and members of things, moves and lists.
//!
//! Lending: the rules may say that a side lends the members of the thing that one of its fields refers to, so that `side.nest` is
//! the nest of the side's frog. The table's members can be written without `table.`.

use super::{Compiler, Local, Meaning};
use crate::resolve::some_names_text;
use crate::symbols::Sort;
use crate::types::Type;
use ludex_program::{Expr, KindSort, NONE, PIECE_SHEET, SIDE, SheetId, Slot, TABLE, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, with_article};
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Expr as Written, Name};

impl Compiler<'_> {
    /// Compiles a bare name. If a name has several meanings, the first one here counts: locals, then members of the thing whose
    /// first value is compiled, then options, built-in names and other declarations.
    pub(super) fn compile_name(&mut self, name: &str, span: Span) -> (Expr, Type) {
        if let Some(local) = self.find_local(name).cloned() {
            return match local.meaning {
                Meaning::Slot(slot) => (Expr::Local(slot), local.of),
                Meaning::Alias(expr) => (expr, local.of),
            };
        }
        if let Some((slot, kind)) = self.function.itself
            && let Some(found) = self.member_of_entity(Expr::Local(slot), kind, name)
        {
            return found;
        }
        if let Some(place) = self.symbols.id(Sort::Option, name).map(usize::from) {
            let option = &self.program.options[place];
            let value = option.as_expr(place);
            return match &option.kind {
                ludex_program::GameOptionKind::Number { .. } => (value, Type::Number),
                ludex_program::GameOptionKind::Words(_) => {
                    let list = self.symbols.id(Sort::WordList, &format!("option {name}"));
                    (value, Type::Word(list.unwrap_or(0)))
                }
            };
        }
        match name {
            "yes" => return (Expr::Constant(1), Type::Flag),
            "no" => return (Expr::Constant(0), Type::Flag),
            "sides" => return (Expr::Sides, Type::side_type().into_list()),
            "table" => return (self.table_expression(), Type::Entity(TABLE)),
            "foe" | "opponents" => {
                if let Some((actor, of)) = self.acting_side() {
                    if let Type::OrNone(inner) = self.narrow_type(&actor, of) {
                        self.report_may_be_none(&actor, &inner, span, format!("write whose it is, as in `side.{name}`"));
                    }
                    return self.member_of_entity(actor, SIDE, name).unwrap_or((Expr::Constant(NONE), Type::Unknown));
                }
            }
            _ => {}
        }
        if self.symbols.defines.contains_key(name) {
            return self.inline_definition(name, &[], span);
        }
        let table = self.table_expression();
        if let Some(found) = self.member_of_entity(table, TABLE, name) {
            return found;
        }
        if let Some(kind) = self.symbols.id(Sort::KindPlural, name) {
            return (Expr::Every(kind), Type::Entity(kind).into_list());
        }
        if let Some(of) = self.symbols.id(Sort::WordListPlural, name) {
            let last = self.program.words[usize::from(of)].words.len() as Value - 1;
            let all = Expr::Range(Box::new(Expr::Constant(0)), Box::new(Expr::Constant(last)));
            return (all, Type::Word(of).into_list());
        }
        if let Some(hook) = self.symbols.find_hook(name).filter(|hook| self.symbols.hooks[*hook as usize].0.value.is_some()) {
            return self.compile_hook_value(hook, &[], span);
        }
        if name == "referee" && self.program.referee.is_some() {
            let problem = Problem::error(codes::WRONG_TYPE, "the referee is not a side and has nothing: it can only be asked");
            let help = "write `referee may choose …` or `referee must choose …`";
            self.problems.push(problem.with_label(span, "not here").help(help));
            return (Expr::Constant(NONE), Type::Unknown);
        }
        if let Some(word) = self.find_unique_word(name) {
            return word;
        }
        self.report_unknown_name(name, span);
        (Expr::Constant(NONE), Type::Unknown)
    }

    /// A word that only one type has, which determines its type.
    fn find_unique_word(&self, name: &str) -> Option<(Expr, Type)> {
        let mut found = (0..self.program.words.len() as u16).filter_map(|words| {
            let index = self.symbols.id(Sort::Word(words), name)?;
            Some((Expr::Constant(Value::from(index)), Type::Word(words)))
        });
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// The table's entity. It follows the sides, whose number is known to the session.
    fn table_expression(&self) -> Expr {
        Expr::Table
    }

    /// The side that a bare `foe` refers to: `me`, or the first side among the parameters.
    fn acting_side(&self) -> Option<(Expr, Type)> {
        let meaning = |local: &Local| match &local.meaning {
            Meaning::Slot(slot) => (Expr::Local(*slot), local.of.clone()),
            Meaning::Alias(expr) => (expr.clone(), local.of.clone()),
        };
        let side = |local: &&Local| *local.of.without_none() == Type::side_type() && local.name != "it";
        self.find_local("me").map(meaning).or_else(|| self.function.locals.iter().find(side).map(meaning))
    }

    /// Reports a name without a meaning, with the nearest known one.
    fn report_unknown_name(&mut self, name: &str, span: Span) {
        let mut known: Vec<String> = self.function.locals.iter().map(|local| local.name.clone()).collect();
        known.extend(self.symbols.defines.keys().cloned());
        known.extend(self.program.options.iter().map(|option| option.name.clone()));
        known.extend(self.symbols.member_names(TABLE));
        known.extend(self.program.kinds.iter().map(|kind| kind.plural.clone()));
        known.push("sides".to_string());
        let problem = Problem::error(codes::UNKNOWN_NAME, format!("nothing here is called `{name}`"))
            .with_label(span, "not known")
            .with_subject(name);
        self.problems.push(match self.sheet_things_text(name) {
            Some(things) => problem.help(format!("write `{things}`")),
            None => problem.suggest(name, known.iter().map(String::as_str)),
        });
    }

    /// Suggests how to write the plural of a sheet that is not a kind: `(cards where it is a monster)`.
    fn sheet_things_text(&self, plural: &str) -> Option<String> {
        let sheet = &self.symbols.sheets[usize::from(self.symbols.id(Sort::SheetPlural, plural)?)];
        let all = &self.program.kind(sheet.kind?).plural;
        Some(format!("({all} where it is {})", with_article(&sheet.name)))
    }

    /// Compiles `of.name`.
    pub(super) fn compile_member(&mut self, of: &Written, name: &Name) -> (Expr, Type) {
        let (expr, found) = self.compile_expression(of);
        self.compile_present_member(of, expr, &found, name)
    }

    /// Compiles a member of a value that must be there. `of` is the value as written, `expr` and `found` the value as compiled.
    pub(super) fn compile_present_member(&mut self, of: &Written, expr: Expr, found: &Type, name: &Name) -> (Expr, Type) {
        let told = self.problems.len();
        let (expr, found) = self.owed_answer(expr, found.clone());
        let member = self.member_of(expr.clone(), &found, name);
        if self.problems.len() == told {
            self.require_value(of, &expr, &found);
        }
        self.check_lender(&found, &member.0, name);
        member
    }

    /// Checks that the thing which lends a member to a side is there. `found` is the type of the side, `member` the compiled
    /// member.
    fn check_lender(&mut self, found: &Type, member: &Expr, name: &Name) {
        let Some((_, field)) = self.symbols.lending.iter().find(|(lent, _)| *lent == name.text) else { return };
        let (Type::Entity(SIDE), Expr::Field { of: lender, .. } | Expr::Zone { of: lender, .. }) = (found.without_none(), member)
        else {
            return;
        };
        let (Expr::Field { field: read, .. }, Type::OrNone(inner)) =
            (lender.as_ref(), self.symbols.field_types[SIDE as usize][*field as usize].clone())
        else {
            return;
        };
        if read == field && !self.function.presence.is_present(lender) {
            let lends = &self.program.kind(SIDE).fields[usize::from(*field)].name;
            let help = format!("test first whether the side has its `{lends}`: `if ….{lends} is not none {{ … }}`");
            self.report_may_be_none(lender, &inner, name.span, help);
        }
    }

    /// A member of a value of any type. Reports an unknown member, with the nearest known one.
    pub(super) fn member_of(&mut self, expr: Expr, found: &Type, name: &Name) -> (Expr, Type) {
        let result = match found.without_none().clone() {
            Type::Entity(kind) => self.member_of_entity(expr, kind, &name.text),
            Type::Move(family) => self.member_of_move(expr, family, &name.text),
            Type::Moves(families) => self.member_of_moves(expr, &families, &name.text),
            Type::Zone(kind) => match self.member_of_cell(&expr, kind, &name.text) {
                Some(found) => Some(found),
                None => self.member_of_list(Expr::ZoneList(Box::new(expr)), &Type::Entity(kind), name),
            },
            Type::List(item) => self.member_of_list(expr, &item, name),
            Type::Sheet(sheet) => self.member_of_print(expr, sheet, &name.text),
            Type::Unknown => return (Expr::Constant(NONE), Type::Unknown),
            _ => None,
        };
        result.unwrap_or_else(|| {
            let known = match found.without_none() {
                Type::Entity(kind) => self.symbols.member_names(*kind),
                Type::Zone(kind) => self.cell_member_names(*kind).chain(self.symbols.member_names(*kind)).collect(),
                Type::List(item) => match item.as_ref() {
                    Type::Entity(kind) => self.symbols.member_names(*kind),
                    Type::Zone(kind) => self.cell_member_names(*kind).collect(),
                    Type::Sheet(sheet) => self.symbols.column_names(*sheet).map(str::to_string).collect(),
                    _ => Vec::new(),
                },
                Type::Sheet(sheet) => self.symbols.column_names(*sheet).map(str::to_string).collect(),
                Type::Moves(families) => families
                    .iter()
                    .flat_map(|family| &self.symbols.families[*family as usize].fields)
                    .map(|(name, ..)| name.clone())
                    .collect(),
                Type::Move(family) => {
                    self.symbols.families[*family as usize].fields.iter().map(|(name, ..)| name.clone()).collect()
                }
                _ => Vec::new(),
            };
            let words = self.type_text(found);
            let problem = Problem::error(codes::UNKNOWN_FIELD, format!("{words} has nothing called `{}`", name.text));
            let problem = problem.with_label(name.span, "not known").with_subject(&name.text);
            let of_pieces = match found {
                Type::Zone(kind) => Some(*kind),
                Type::List(item) => match item.as_ref() {
                    Type::Zone(kind) => Some(*kind),
                    _ => None,
                },
                _ => None,
            };
            let lies_there = of_pieces.filter(|kind| self.symbols.find_field(*kind, &name.text).is_some());
            self.problems.push(match lies_there {
                Some(kind) => {
                    problem.help(format!("the pieces there have it: `.{}.{}`", self.program.kind(kind).plural, name.text))
                }
                None => match problem.clone().suggest(&name.text, known.iter().map(String::as_str)) {
                    Problem { help: None, .. } if !known.is_empty() => {
                        let known: Vec<&str> = known.iter().map(String::as_str).collect();
                        problem.help(format!("it has {}", some_names_text(&known)))
                    }
                    suggested => suggested,
                },
            });
            (Expr::Constant(NONE), Type::Unknown)
        })
    }

    /// A field of a kind, and its type. The owner may be none only for kinds that may be ownerless.
    pub(super) fn find_field(&self, kind: u16, name: &str) -> Option<(u16, Type)> {
        let (field, of) = self.symbols.find_field(kind, name)?;
        let owned = name == "owner" && self.program.kind(kind).sort == KindSort::Piece && self.program.is_owned(kind);
        Some((field, if owned { Type::side_type() } else { of }))
    }

    /// A member of a thing of a kind: a field, a zone, a board, a column of its sheet, a built-in member, or one lent to a side.
    /// Also notes the range of a field that is read, for `reach`.
    pub(super) fn member_of_entity(&mut self, of: Expr, kind: u16, name: &str) -> Option<(Expr, Type)> {
        if let Some((field, found)) = self.find_field(kind, name) {
            let range = self.program.kinds[kind as usize].fields[usize::from(field)].range;
            self.last_read = range.map(|(least, most)| (i64::from(least), i64::from(most)));
            if found.is_list() {
                return Some((Expr::Held { of: Box::new(of), field }, found));
            }
            return Some((Expr::Field { of: Box::new(of), field }, found));
        }
        if let Some((zone, holds)) = self.symbols.find_zone(kind, name) {
            return Some((Expr::Zone { of: Box::new(of), zone }, Type::Zone(holds)));
        }
        if let Some(found) = self.board_cells(&of, kind, name) {
            return Some(found);
        }
        let sort = self.program.kind(kind).sort;
        if let Some(sheet) = self.symbols.sheet_of(kind) {
            let print = match sort {
                KindSort::Piece => Expr::Field { of: Box::new(of.clone()), field: PIECE_SHEET },
                _ => Expr::PrintOf(Box::new(of.clone())),
            };
            if let Some(found) = self.member_of_print(print, sheet, name) {
                return Some(found);
            }
        }
        match (sort, name) {
            (KindSort::Piece, "place") => {
                let holds = Type::Zone(kind);
                return Some((Expr::PlaceOf(Box::new(of)), holds.or_none()));
            }
            (KindSort::Side, "foe") => {
                if self.program.sides.most != 2 {
                    return None;
                }
                return Some((Expr::Foe(Box::new(of)), Type::side_type()));
            }
            (KindSort::Side, "opponents") => {
                let others = Expr::Without(Box::new(Expr::Sides), Box::new(Expr::Single(Box::new(of))));
                return Some((others, Type::side_type().into_list()));
            }
            (KindSort::Side, "left" | "right") if self.program.sides.ring => {
                return Some((Expr::Neighbour { of: Box::new(of), left: name == "left" }, Type::side_type()));
            }
            (KindSort::Side, "neighbours") if self.program.sides.ring => {
                return Some((Expr::Neighbours(Box::new(of)), Type::side_type().into_list()));
            }
            (KindSort::Entrant, "side" | "owner") => return Some((Expr::SideOf(Box::new(of)), Type::side_type())),
            (KindSort::Side, _) => {
                let entrant = self.program.sides.entrant;
                if let Some(entrant) = entrant.filter(|entrant| self.program.kind(*entrant).plural == name) {
                    return Some((Expr::EntrantsOf(Box::new(of)), Type::Entity(entrant).into_list()));
                }
            }
            _ => {}
        }
        // A member lent by a side's field.
        if kind == SIDE
            && let Some((_, field)) = self.symbols.lending.iter().find(|(lent, _)| lent == name)
            && let Type::Entity(lender) = self.symbols.field_types[SIDE as usize][*field as usize].without_none()
        {
            return self.member_of_entity(Expr::Field { of: Box::new(of), field: *field }, *lender, name);
        }
        None
    }

    /// A column of a print. Every print also has a name.
    fn member_of_print(&self, of: Expr, sheet: SheetId, name: &str) -> Option<(Expr, Type)> {
        let of = Box::new(of);
        match self.symbols.find_column(sheet, name) {
            Some((column, Type::List(item))) => Some((Expr::PrintedList { of, column }, item.into_list())),
            Some((column, found)) => Some((Expr::Printed { of, column }, found)),
            None if name == "name" => Some((Expr::PrintedName(of), Type::Text)),
            None => None,
        }
    }

    /// A field of a move.
    fn member_of_move(&mut self, of: Expr, family: u16, name: &str) -> Option<(Expr, Type)> {
        let fields = &self.symbols.families[family as usize].fields;
        let index = fields.iter().position(|(field, ..)| field == name)?;
        Some((Expr::MoveField { of: Box::new(of), index: index as u16 }, fields[index].1.clone()))
    }

    /// A member that the moves of all these families have, possibly at different indices.
    fn member_of_moves(&mut self, of: Expr, families: &[u16], name: &str) -> Option<(Expr, Type)> {
        let (last, rest) = families.split_last()?;
        let (mut read, found) = self.member_of_move(of.clone(), *last, name)?;
        for family in rest {
            let (other, _) = self.member_of_move(of.clone(), *family, name).filter(|(_, other)| *other == found)?;
            let is_one = Expr::MoveIn { of: Box::new(of.clone()), family: *family };
            read = Expr::If(Box::new(is_one), Box::new(other), Box::new(read));
        }
        Some((read, found))
    }

    /// `dice.value`: the value of each. `sides.nest`: the pieces of all those zones. `sides.otters`: the entrants of all
    /// sides.
    fn member_of_list(&mut self, list: Expr, item: &Type, name: &Name) -> Option<(Expr, Type)> {
        if let Type::Sheet(sheet) = item {
            let slot = self.new_slot();
            let (value, of) = self.member_of_print(Expr::Local(slot), *sheet, &name.text)?;
            return map_list(list, slot, value, of);
        }
        if let Type::Zone(kind) = item {
            let slot = self.new_slot();
            let (value, of) = self.member_of_cell(&Expr::Local(slot), *kind, &name.text)?;
            return map_list(list, slot, value, of);
        }
        let Type::Entity(kind) = item else { return None };
        if let Some((zone, holds)) = self.symbols.find_zone(*kind, &name.text) {
            return Some((Expr::MapZone { list: Box::new(list), zone }, Type::Entity(holds).into_list()));
        }
        let slot = self.new_slot();
        let (value, of) = self.member_of_entity(Expr::Local(slot), *kind, &name.text)?;
        if let (Type::Zone(holds), Expr::Zone { of: owner, zone }) = (&of, &value) {
            let owners = Expr::Map { list: Box::new(list), slot, value: owner.clone() };
            return Some((Expr::MapZone { list: Box::new(owners), zone: *zone }, Type::Entity(*holds).into_list()));
        }
        map_list(list, slot, value, of)
    }
}

/// Maps an expression over a list, whose members are in a slot in turn. Nested lists are concatenated.
fn map_list(list: Expr, slot: Slot, value: Expr, of: Type) -> Option<(Expr, Type)> {
    let (list, value) = (Box::new(list), Box::new(value));
    match of {
        Type::List(_) => Some((Expr::MapList { list, slot, value }, of)),
        // Moves are also in the arena of lists, but no member is a move.
        of if of.is_list() => None,
        of => Some((Expr::Map { list, slot, value }, of.into_list())),
    }
}
