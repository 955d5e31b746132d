//! Compiles expressions: types each one and lowers it to the form that the machine evaluates.
//!
//! Most functions return a compiled expression (`Expr`) with its [`Type`]. After an error they return a harmless constant of type
//! [`Type::Unknown`], with which no further error is reported. A type `or none` is narrowed where a test has shown that the value
//! is there.

use super::Compiler;
use super::operators::{double_value, negate_if};
use super::presence::{IN_GENERAL, missing_value_help};
use super::statements::FieldPlace;
use crate::symbols::Sort;
use crate::types::Type;
use ludex_program::condition_facts::SureFact;
use ludex_program::presence::{Changes, FieldRef};
use ludex_program::{Calculation, Comparison, Expr, KindSort, NONE, PIECE_SHEET, SheetId, SupposedField, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, with_article};
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Expr as Written, ExprKind, Name};

impl Compiler<'_> {
    /// Compiles an expression that must have a type. Reports another type. A thing is widened to a list or to `or none` if that is
    /// wanted.
    pub(super) fn compile_as_type(&mut self, written: &Written, wanted: &Type) -> Expr {
        if let Some(expr) = self.compile_word(written, wanted) {
            return expr;
        }
        let (expr, of) = self.compile_expression(written);
        self.fit_with_help(expr, of, wanted, written.span, || missing_value_help(written))
    }

    /// Same as [`Compiler::compile_as_type`]. Also returns whether the value is certainly there.
    pub(super) fn compile_with_presence(&mut self, written: &Written, wanted: &Type) -> (Expr, bool) {
        if let Some(expr) = self.compile_word(written, wanted) {
            let is_there = self.function.presence.is_present(&expr);
            return (expr, is_there);
        }
        let (expr, of) = self.compile_expression(written);
        let is_there = !matches!(of, Type::OrNone(_) | Type::None);
        (self.fit_with_help(expr, of, wanted, written.span, || missing_value_help(written)), is_there)
    }

    /// Converts a compiled expression of type `of` to a wanted type, or reports that it has another one.
    pub(super) fn fit_type(&mut self, expr: Expr, of: Type, wanted: &Type, span: Span) -> Expr {
        self.fit_with_help(expr, of, wanted, span, || IN_GENERAL.to_string())
    }

    /// Same as [`Compiler::fit_type`], with a suggestion for a value that may be missing.
    fn fit_with_help(&mut self, expr: Expr, of: Type, wanted: &Type, span: Span, help: impl FnOnce() -> String) -> Expr {
        if matches!(wanted, Type::OrNone(_) | Type::List(_) | Type::Unknown) {
            return self.fit_present_value(expr, of, wanted, span);
        }
        let (expr, of) = self.owed_answer(expr, of);
        let Type::OrNone(inner) = &of else { return self.fit_present_value(expr, of, wanted, span) };
        let told = self.problems.len();
        let fitted = self.fit_present_value(expr.clone(), (**inner).clone(), wanted, span);
        if self.problems.len() > told {
            // The type is wrong in another way, too.
            self.problems.truncate(told);
            return self.report_wrong_type(&of, wanted, span);
        }
        self.report_may_be_none(&expr, inner, span, help());
        fitted
    }

    /// Same as [`Compiler::fit_type`], without regard to values that may be missing.
    fn fit_present_value(&mut self, expr: Expr, of: Type, wanted: &Type, span: Span) -> Expr {
        match (&of, wanted) {
            (Type::Unknown, _) | (_, Type::Unknown) => expr,
            (Type::Number, Type::Halves) => double_value(expr),
            (Type::None, Type::List(_)) => Expr::ListOf(Vec::new()),
            (Type::None, Type::OrNone(_)) => expr,
            (_, Type::List(item)) if !matches!(of.without_none(), Type::List(_)) => {
                match self.convert_to_list(expr, of.clone()) {
                    Some((list, found)) if found == **item || **item == Type::Unknown => list,
                    _ => self.report_wrong_type(&of, wanted, span),
                }
            }
            (found, Type::OrNone(inner)) if found.without_none() == inner.as_ref() => expr,
            (Type::List(found), Type::List(_)) if **found == Type::Unknown => expr,
            (Type::OrNone(inner), wanted) if inner.as_ref() == wanted => expr,
            (found, wanted) if found == wanted => expr,
            (Type::Move(_) | Type::Moves(_), Type::Move(family)) if self.family_certainty(&of, *family).is_some() => {
                // A move that may be of another family is checked when it is used.
                let sure = self.family_certainty(&of, *family) == Some(true);
                if sure { expr } else { Expr::AsMove { of: Box::new(expr), family: *family } }
            }
            // A sheet that builds on another is compatible with it.
            (found, wanted) if self.is_sheet_of(found.without_none(), wanted.without_none()) => expr,
            _ => self.report_wrong_type(&of, wanted, span),
        }
    }

    /// Whether a move of type `of` is certainly of a family. `Some(false)` if only some such moves are; none if no such move can
    /// be.
    fn family_certainty(&self, of: &Type, family: u16) -> Option<bool> {
        let known: &[u16] = match of {
            Type::Move(known) => std::slice::from_ref(known),
            Type::Moves(known) => known,
            _ => return None,
        };
        let up = |known: &u16| self.symbols.is_family(*known, family);
        let related = known.iter().any(|known| up(known) || self.symbols.is_family(family, *known));
        related.then(|| known.iter().all(up))
    }

    /// Whether both types are sheets, and the first is the second or builds on it.
    fn is_sheet_of(&self, found: &Type, wanted: &Type) -> bool {
        matches!((found, wanted), (Type::Sheet(found), Type::Sheet(wanted)) if self.program.prints.is_sheet(*found, *wanted))
    }

    /// Reports a value of another type than wanted. Returns a constant in its place.
    fn report_wrong_type(&mut self, of: &Type, wanted: &Type, span: Span) -> Expr {
        let message = format!("{} is needed here, but this is {}", self.type_text(wanted), self.type_text(of));
        let problem = Problem::error(codes::WRONG_TYPE, message).with_label(span, format!("this is {}", self.type_text(of)));
        let help = self.suggest_replacement(of, wanted);
        self.problems.push(help.into_iter().fold(problem, Problem::help));
        Expr::Constant(NONE)
    }

    /// A type in the reader's words, with its article.
    pub(super) fn type_text(&self, of: &Type) -> String {
        match of {
            Type::Number => "a number".to_string(),
            Type::Halves => "a number of halves".to_string(),
            Type::Flag => "yes or no".to_string(),
            Type::Text => "a text".to_string(),
            Type::Word(words) => {
                let list: Vec<String> =
                    self.program.words[*words as usize].words.iter().map(|word| format!("`{word}`")).collect();
                format!("one of {}", ludex_syntax::problem::join_words(&list, "and"))
            }
            Type::Entity(kind) => with_article(&self.program.kind(*kind).name),
            Type::Zone(kind) => format!("a zone of {}", self.program.kind(*kind).plural),
            Type::List(inner) => match inner.as_ref() {
                Type::Entity(kind) => format!("a list of {}", self.program.kind(*kind).plural),
                Type::Number => "a list of numbers".to_string(),
                Type::Zone(kind) => format!("a list of zones of {}", self.program.kind(*kind).plural),
                Type::Sheet(sheet) => format!("a list of {}", self.symbols.sheets[*sheet as usize].plural),
                _ => "a list".to_string(),
            },
            Type::Move(family) => format!("a move of `{}`", self.symbols.families[*family as usize].name),
            Type::Moves(families) => {
                let names: Vec<String> =
                    families.iter().map(|family| format!("`{}`", self.symbols.families[*family as usize].name)).collect();
                format!("a move of {}", ludex_syntax::problem::join_words(&names, "or"))
            }
            Type::Sheet(sheet) => with_article(&self.symbols.sheets[*sheet as usize].name),
            Type::OrNone(inner) => format!("{} or none", self.type_text(inner)),
            Type::None => "none".to_string(),
            Type::Unknown => "something unknown".to_string(),
        }
    }

    /// Compiles a bare word, or a choice or list of words, whose type is only known from the expected type. None for anything else,
    /// which is then compiled as usual.
    pub(super) fn compile_word(&mut self, written: &Written, wanted: &Type) -> Option<Expr> {
        match (&written.kind, wanted.without_none()) {
            (ExprKind::Name(name), Type::Word(words)) if self.find_local(name).is_none() => {
                let index = self.symbols.id(Sort::Word(*words), name)?;
                Some(Expr::Constant(Value::from(index)))
            }
            (ExprKind::If(condition, yes, no), Type::Word(_)) if [yes, no].iter().any(|branch| self.is_word(branch, wanted)) => {
                let condition = self.compile_condition(condition);
                let told = self.condition_facts(&condition);
                let yes = self.with_facts(told.holds, |compiler| compiler.compile_as_type(yes, wanted));
                let no = self.with_facts(told.fails, |compiler| compiler.compile_as_type(no, wanted));
                Some(Expr::If(Box::new(condition), Box::new(yes), Box::new(no)))
            }
            (ExprKind::List(members), Type::List(item)) if members.iter().any(|member| self.is_word(member, item)) => {
                Some(Expr::ListOf(members.iter().map(|member| self.compile_as_type(member, item)).collect()))
            }
            _ => None,
        }
    }

    /// Whether an expression is a word of a type, or a choice between words.
    fn is_word(&self, written: &Written, of: &Type) -> bool {
        match (&written.kind, of.without_none()) {
            (ExprKind::Name(name), Type::Word(words)) => {
                self.find_local(name).is_none() && self.program.words[*words as usize].words.iter().any(|word| word == name)
            }
            (ExprKind::If(_, yes, no), Type::Word(_)) => self.is_word(yes, of) || self.is_word(no, of),
            _ => false,
        }
    }

    /// Compiles an expression that must be yes or no.
    pub(super) fn compile_condition(&mut self, written: &Written) -> Expr {
        let (expr, of) = self.compile_expression(written);
        if !matches!(of, Type::Flag | Type::Unknown) {
            let found = self.type_text(&of);
            let problem = Problem::error(codes::CONDITION_TYPE, format!("a condition must be yes or no, but this is {found}"));
            self.problems.push(
                problem
                    .with_label(written.span, format!("this is {found}"))
                    .help("compare it with something, as in `… = 3`, `… is not none` or `… is not empty`"),
            );
        }
        expr
    }

    /// Compiles an expression that must be a number, not a number of halves.
    pub(super) fn compile_number(&mut self, written: &Written) -> Expr {
        self.compile_as_type(written, &Type::Number)
    }

    /// Compiles an expression as a list. Returns it with the type of its members. Zones and single things count as lists.
    pub(super) fn compile_list(&mut self, written: &Written) -> (Expr, Type) {
        // A value that may be none gives a list of one or none, even if a test made it certain.
        let (expr, of) = self.compile_as_declared(written);
        match self.convert_to_list(expr, of.clone()) {
            Some(list) => list,
            None => {
                let found = self.type_text(&of);
                self.report_error(
                    codes::NOT_MANY,
                    format!("several things are needed here, but this is {found}"),
                    written.span,
                    "not several",
                );
                (Expr::ListOf(Vec::new()), Type::Unknown)
            }
        }
    }

    /// Turns a compiled expression into a list, with the type of its members. None for numbers, words, flags, texts and moves.
    pub(super) fn convert_to_list(&mut self, expr: Expr, of: Type) -> Option<(Expr, Type)> {
        match of {
            Type::List(item) => Some((expr, *item)),
            Type::Zone(kind) => Some((Expr::ZoneList(Box::new(expr)), Type::Entity(kind))),
            Type::None => Some((Expr::ListOf(Vec::new()), Type::Unknown)),
            Type::OrNone(inner) => match *inner {
                // Without a zone there are no pieces, and without a list no members.
                Type::Zone(_) | Type::List(_) => self.convert_to_list(expr, *inner),
                Type::Move(_) | Type::Moves(_) => None,
                inner => Some((Expr::Single(Box::new(expr)), inner)),
            },
            Type::Entity(_) | Type::Sheet(_) => Some((Expr::Single(Box::new(expr)), of)),
            Type::Unknown => Some((Expr::ListOf(Vec::new()), Type::Unknown)),
            _ => None,
        }
    }

    /// Compiles a zone of any pieces.
    pub(super) fn compile_zone(&mut self, written: &Written) -> Expr {
        self.compile_zone_for(written, &Type::Unknown)
    }

    /// Compiles a zone that can hold pieces of a type. `pieces` that are no pieces, or of unknown type, are not checked.
    pub(super) fn compile_zone_for(&mut self, written: &Written, pieces: &Type) -> Expr {
        let (expr, of) = self.compile_expression(written);
        if let Type::Zone(_) = of.without_none() {
            self.require_value(written, &expr, &of);
        }
        if let (Type::Zone(holds), Type::Entity(kind)) = (of.without_none(), pieces.without_none())
            && self.program.kind(*kind).sort == KindSort::Piece
            && !self.program.is_kind(*kind, *holds)
            && !self.program.is_kind(*holds, *kind)
        {
            let (pieces, held) = (&self.program.kind(*kind).plural, &self.program.kind(*holds).plural);
            let message = format!("{pieces} cannot be here: this is a zone of {held}");
            self.report_error(codes::WRONG_TYPE, message, written.span, "for other pieces");
        }
        if !matches!(of.without_none(), Type::Zone(_) | Type::Unknown) {
            let found = self.type_text(&of);
            self.report_error(
                codes::WRONG_TYPE,
                format!("a zone is needed here, but this is {found}"),
                written.span,
                "not a zone",
            );
        }
        expr
    }

    /// Compiles an expression. Its type takes earlier tests into account.
    pub(super) fn compile_expression(&mut self, written: &Written) -> (Expr, Type) {
        let (expr, of) = self.compile_as_declared(written);
        let of = self.narrow_type(&expr, of);
        (expr, of)
    }

    /// Same as [`Compiler::compile_expression`], but with the declared type, regardless of earlier tests.
    pub(super) fn compile_as_declared(&mut self, written: &Written) -> (Expr, Type) {
        // Only a bare name or member has the range of a field, so any other expression clears it.
        self.last_read = None;
        match &written.kind {
            ExprKind::Number(number) => (Expr::Constant(*number as Value), Type::Number),
            ExprKind::None => (Expr::Constant(NONE), Type::None),
            ExprKind::Text(text) => match text.plain_text() {
                Some(words) => (Expr::Constant(self.program.prints.intern_text(&words)), Type::Text),
                None => self.report_no_value("a text with holes", written.span),
            },
            ExprKind::Name(name) => self.compile_name(name, written.span),
            ExprKind::Member(of, name) => self.compile_member(of, name),
            ExprKind::Call(name, arguments) => self.compile_call(name, arguments),
            ExprKind::List(members) => self.compile_list_literal(members),
            ExprKind::Range(from, to) => {
                let (from, to) = (self.compile_number(from), self.compile_number(to));
                (Expr::Range(Box::new(from), Box::new(to)), Type::Number.into_list())
            }
            ExprKind::Not(inner) => {
                let inner = self.compile_condition(inner);
                (Expr::Not(Box::new(inner)), Type::Flag)
            }
            ExprKind::Binary(operator, left, right) => self.compile_binary(*operator, left, right, written.span),
            ExprKind::Is { negated, left, right } => {
                let (expr, of) = self.compile_is(left, right);
                (negate_if(expr, *negated), of)
            }
            ExprKind::IsState { negated, left, state } => {
                let expr = self.compile_is_state(left, *state);
                (negate_if(expr, *negated), Type::Flag)
            }
            ExprKind::IsA { negated, left, kind } => (negate_if(self.compile_is_a(left, kind), *negated), Type::Flag),
            ExprKind::In { negated, item, set } => {
                let expr = self.compile_is_in(item, set);
                (negate_if(expr, *negated), Type::Flag)
            }
            ExprKind::If(condition, yes, no) => self.compile_if_expression(condition, yes, no),
            ExprKind::Where(set, condition) => {
                let (set, name) = set.set_and_name();
                if let ExprKind::Can { obliging, family, arguments } = &set.kind {
                    return self.compile_can_where((*obliging, family, arguments), name, condition);
                }
                let (list, item) = self.compile_list(set);
                let (slot, condition) = self.with_member(name, &list, &item, |compiler| compiler.compile_condition(condition));
                let item = self.filtered_item_type(&condition, slot, item);
                (Expr::Where { list: Box::new(list), slot, condition: Box::new(condition) }, item.into_list())
            }
            ExprKind::Of(word, inner) => self.compile_builtin(word, inner),
            ExprKind::Sorted { down, list, missing } => {
                if missing.is_some() {
                    let message =
                        "`missing` compares lists of different length, so it belongs in `with lowest …` or `with highest …` only";
                    self.report_error(codes::NOT_COMPARABLE, message, written.span, "not compared here");
                }
                let (list, item) = self.compile_list(list);
                (Expr::Sorted { down: *down, list: Box::new(list) }, item.into_list())
            }
            ExprKind::Keep { extreme, count, list } => self.compile_extremes(*extreme, count, list),
            ExprKind::Top(count, zone) => {
                let count = self.compile_number(count);
                let (expr, of) = self.compile_expression(zone);
                let Type::Zone(kind) = of else { return self.report_wrong_top(&of, &count, zone) };
                (Expr::Top { count: Box::new(count), zone: Box::new(expr) }, Type::Entity(kind).into_list())
            }
            ExprKind::Nth(place, list) => {
                let place = self.compile_number(place);
                let (list, item) = self.compile_list(list);
                (Expr::Calculated(Calculation::Nth, vec![list, place]), item.or_none())
            }
            ExprKind::OnBoard(word, operands) => self.compile_board_expression(*word, operands),
            ExprKind::Called(set, _) => self.compile_expression(set),
            ExprKind::Quantified { which, set, condition } => {
                let (set, name) = set.set_and_name();
                let (list, item) = self.compile_list(set);
                let (slot, condition) = self.with_member(name, &list, &item, |compiler| compiler.compile_condition(condition));
                (Expr::Quantified { which: *which, list: Box::new(list), slot, condition: Box::new(condition) }, Type::Flag)
            }
            ExprKind::Best { one, set, keys } => self.compile_best(*one, set, keys),
            ExprKind::Can { obliging, family, arguments } => self.compile_can(*obliging, family, arguments),
            ExprKind::Supposing(changes, then) => self.compile_supposing(changes, then),
            ExprKind::Divided { left, right: divisor, up } => {
                let (left, right) = (self.compile_number(left), self.compile_number(divisor));
                self.expect_not_zero(divisor, &right);
                (Expr::Divide { left: Box::new(left), right: Box::new(right), up: *up }, Type::Number)
            }
        }
    }

    /// The member type of a list after filtering by a condition.
    fn filtered_item_type(&self, condition: &Expr, slot: u16, item: Type) -> Type {
        let is_there = || self.condition_facts(condition).holds.contains(&SureFact::There(Expr::Local(slot)));
        if matches!(item, Type::OrNone(_)) && is_there() { item.without_none().clone() } else { item }
    }

    /// Compiles `supposing die.value = 3 then …`: an expression as if fields had other values. Facts that depend on them do not
    /// hold in it.
    fn compile_supposing(&mut self, changes: &[(Written, Written)], then: &Written) -> (Expr, Type) {
        let mut supposed = Vec::new();
        for (place, value) in changes {
            let Some(FieldPlace { thing, field, of, .. }) = self.compile_field_place(place) else { continue };
            if of.is_list() {
                let problem =
                    Problem::error(codes::WRONG_TYPE, "`supposing` cannot change a list").with_label(place.span, "a list");
                self.problems
                    .push(problem.help("suppose a number, a word or a thing, or ask with a definition that takes a list"));
                continue;
            }
            supposed.push(SupposedField { of: thing, field, value: self.compile_as_type(value, &of) });
        }
        let changes = Changes {
            fields: supposed.iter().map(|supposed| FieldRef::from_thing(&supposed.of, supposed.field)).collect(),
            ..Changes::default()
        };
        let ((then, of), _) = self.with_separate_facts(|compiler| {
            compiler.function.presence.drop_changed_facts(&changes);
            compiler.compile_expression(then)
        });
        (Expr::Supposing { changes: supposed, then: Box::new(then) }, of)
    }

    /// Compiles `x is a percentile` and `x is a fruit`: a test of the kind of a thing, or of the sheet it is printed on.
    fn compile_is_a(&mut self, left: &Written, kind: &Name) -> Expr {
        let (expr, of) = self.compile_expression(left);
        if let Some(found) = self.symbols.id(Sort::Kind, &kind.text) {
            return Expr::KindIs { of: Box::new(expr), kind: found };
        }
        let Some(sheet) = self.program.prints.sheet_by_name(&kind.text) else {
            self.report_unresolved(kind);
            return Expr::Constant(0);
        };
        let print = match of.without_none() {
            Type::Unknown => return Expr::Constant(0),
            Type::Sheet(found) => Some((expr, *found)),
            Type::Entity(kind) if self.program.is_printed(*kind) => {
                self.symbols.sheet_of(*kind).map(|found| (Expr::Field { of: Box::new(expr), field: PIECE_SHEET }, found))
            }
            Type::Entity(kind) if self.program.kind(*kind).sort == KindSort::Entrant => {
                self.symbols.sheet_of(*kind).map(|found| (Expr::PrintOf(Box::new(expr)), found))
            }
            _ => None,
        };
        let root = |sheet: u16| self.symbols.sheets[sheet as usize].root;
        match print.filter(|(_, found)| root(*found) == root(sheet)) {
            Some((print, _)) => self.sheet_test(print, sheet, &of),
            None => {
                let message = format!("{} is never {}", self.type_text(&of), with_article(&kind.text));
                self.report_error(codes::NOT_COMPARABLE, message, left.span.extend_to(kind.span), "never one");
                Expr::Constant(0)
            }
        }
    }

    /// Compiles whether a print is of a sheet; false for `none`. `of` is the type of the thing that has the print.
    fn sheet_test(&mut self, print: Expr, sheet: SheetId, of: &Type) -> Expr {
        if !matches!(of, Type::OrNone(_)) {
            return Expr::SheetIs { of: Box::new(print), sheet };
        }
        let slot = self.new_slot();
        let local = || Box::new(Expr::Local(slot));
        let (thing, print) = match print {
            Expr::Field { of: thing, field } => (thing, Expr::Field { of: local(), field }),
            Expr::PrintOf(thing) => (thing, Expr::PrintOf(local())),
            print => return Expr::SheetIs { of: Box::new(print), sheet },
        };
        let is_there = Expr::Not(Box::new(Expr::Compare(Comparison::Equal, local(), Box::new(Expr::Constant(NONE)))));
        let is_of = Expr::SheetIs { of: Box::new(print), sheet };
        let then = Box::new(Expr::And(Box::new(is_there), Box::new(is_of)));
        Expr::With { slot, value: thing, then }
    }

    /// The error for `top 3 of xs` if `xs` is not a zone.
    fn report_wrong_top(&mut self, of: &Type, count: &Expr, zone: &Written) -> (Expr, Type) {
        if *of == Type::Unknown {
            return (Expr::Constant(NONE), Type::Unknown);
        }
        let found = self.type_text(of);
        let message = format!("`top` takes pieces from the top of a zone, but this is {found}");
        let problem = Problem::error(codes::WRONG_TYPE, message).with_label(zone.span, "not a zone");
        let number = match count {
            Expr::Constant(count) => count.to_string(),
            _ => "n".to_string(),
        };
        self.problems.push(match of.without_none() {
            Type::List(item) if item.is_number() => {
                problem.help(format!("write `highest {number} of …` or `lowest {number} of …`"))
            }
            Type::List(_) => problem.help("take members with `first of …`, `last of …` or `member 2 of …`"),
            Type::OrNone(_) => problem.help(missing_value_help(zone)),
            _ => problem,
        });
        (Expr::Constant(NONE), Type::Unknown)
    }

    /// Reports an expression that has no value here, and returns a constant in its place.
    fn report_no_value(&mut self, what: &str, span: Span) -> (Expr, Type) {
        self.report_error(codes::WRONG_TYPE, format!("{what} has no value here"), span, "here");
        (Expr::Constant(NONE), Type::Unknown)
    }

    /// Allocates a slot for a member of a list, which is `it` or has a given name, and lowers an expression that reads it.
    pub(super) fn with_member<T>(
        &mut self,
        name: Option<&Name>,
        list: &Expr,
        item: &Type,
        lower: impl FnOnce(&mut Self) -> T,
    ) -> (u16, T) {
        let locals = self.function.locals.len();
        let slot = self.add_slot(name.map_or("it", |name| &name.text), item.clone());
        self.function.members.push(slot);
        let told = self.member_facts(list, slot);
        let result = self.with_facts(told, lower);
        self.function.members.pop();
        self.function.locals.drop_inner(locals);
        (slot, result)
    }
}
