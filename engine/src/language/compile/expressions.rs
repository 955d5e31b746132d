//! Expressions: every one gets a type, and the form in which the machine evaluates it.

use super::{Compiler, Local, Meaning};
use crate::codes;
use crate::language::symbols::not_yet;
use crate::language::syntax::{BinaryOp, Expr as Written, ExprKind, Extreme, Name, NumberTable, OfWord, StateWord};
use crate::language::types::Type;
use crate::problem::Problem;
use crate::program::{BestKey, Comparison, Expr, KindSort, NONE, SIDE, TABLE, Value};
use crate::source::Span;

impl Compiler<'_> {
    /// An expression that must have a type; a thing is widened to a list or to `or none` where that is wanted.
    pub(super) fn expect(&mut self, written: &Written, wanted: &Type) -> Expr {
        if let Some(expr) = self.word_of(written, wanted) {
            return expr;
        }
        let (expr, of) = self.expression(written);
        self.fit(expr, of, wanted, written.span)
    }

    pub(super) fn fit(&mut self, expr: Expr, of: Type, wanted: &Type, span: Span) -> Expr {
        match (&of, wanted) {
            (Type::Unknown, _) | (_, Type::Unknown) => expr,
            (Type::Number, Type::Halves) => doubled(expr),
            (Type::None, Type::List(_)) => Expr::ListOf(Vec::new()),
            (Type::None, Type::OrNone(_)) => expr,
            (_, Type::List(item)) if !matches!(of.certain(), Type::List(_)) => match self.as_list(expr, of.clone()) {
                Some((list, found)) if found == **item || **item == Type::Unknown => list,
                _ => self.wrong_type(&of, wanted, span),
            },
            (found, Type::OrNone(inner)) if found.certain() == inner.as_ref() => expr,
            (Type::OrNone(inner), wanted) if inner.as_ref() == wanted => expr,
            (Type::List(found), Type::List(_)) if **found == Type::Unknown => expr,
            (found, wanted) if found == wanted => expr,
            _ => self.wrong_type(&of, wanted, span),
        }
    }

    fn wrong_type(&mut self, of: &Type, wanted: &Type, span: Span) -> Expr {
        let message = format!("here must stand {}, but this is {}", self.type_words(wanted), self.type_words(of));
        self.complain(codes::WRONG_TYPE, message, span, &format!("this is {}", self.type_words(of)));
        Expr::Constant(NONE)
    }

    /// A type in a reader's words, with its article.
    pub(super) fn type_words(&self, of: &Type) -> String {
        match of {
            Type::Number => "a number".to_string(),
            Type::Halves => "a number of halves".to_string(),
            Type::Flag => "yes or no".to_string(),
            Type::Text => "a text".to_string(),
            Type::Word(words) => {
                let list: Vec<String> =
                    self.program.words[*words as usize].words.iter().map(|word| format!("`{word}`")).collect();
                format!("one of {}", crate::problem::joined(&list, "and"))
            }
            Type::Entity(kind) => format!("a {}", self.program.kind(*kind).name),
            Type::Zone(kind) => format!("a zone of {}", self.program.kind(*kind).plural),
            Type::List(inner) => match inner.as_ref() {
                Type::Entity(kind) => format!("a list of {}", self.program.kind(*kind).plural),
                Type::Number => "a list of numbers".to_string(),
                _ => "a list".to_string(),
            },
            Type::Move(family) => format!("a move of `{}`", self.program.families[*family as usize].name),
            Type::OrNone(inner) => format!("{} or none", self.type_words(inner)),
            Type::None => "none".to_string(),
            Type::Unknown => "something unknown".to_string(),
        }
    }

    /// A bare word where one word of a list is wanted.
    /// A word, or a choice or list of words, where its type is known only from what is wanted.
    fn word_of(&mut self, written: &Written, wanted: &Type) -> Option<Expr> {
        match (&written.kind, wanted.certain()) {
            (ExprKind::Name(name), Type::Word(words)) if self.local(name).is_none() => {
                let index = self.program.words[*words as usize].words.iter().position(|word| word == name)?;
                Some(Expr::Constant(index as Value))
            }
            (ExprKind::If(condition, yes, no), Type::Word(_)) if [yes, no].iter().any(|branch| self.is_word(branch, wanted)) => {
                let condition = self.condition(condition);
                let (yes, no) = (self.expect(yes, wanted), self.expect(no, wanted));
                Some(Expr::If(Box::new(condition), Box::new(yes), Box::new(no)))
            }
            (ExprKind::List(members), Type::List(item)) if members.iter().any(|member| self.is_word(member, item)) => {
                Some(Expr::ListOf(members.iter().map(|member| self.expect(member, item)).collect()))
            }
            _ => None,
        }
    }

    /// Whether something is a word of a type, or a choice between some.
    fn is_word(&self, written: &Written, of: &Type) -> bool {
        match (&written.kind, of.certain()) {
            (ExprKind::Name(name), Type::Word(words)) => {
                self.local(name).is_none() && self.program.words[*words as usize].words.iter().any(|word| word == name)
            }
            (ExprKind::If(_, yes, no), Type::Word(_)) => self.is_word(yes, of) || self.is_word(no, of),
            _ => false,
        }
    }

    pub(super) fn condition(&mut self, written: &Written) -> Expr {
        let (expr, of) = self.expression(written);
        if !matches!(of, Type::Flag | Type::Unknown) {
            let found = self.type_words(&of);
            let problem = Problem::error(codes::CONDITION_TYPE, format!("a condition must hold or not, but this is {found}"));
            self.problems.push(
                problem
                    .at(written.span, format!("this is {found}"))
                    .help("compare it with something, as in `… = 3`, `… is not none` or `… is not empty`"),
            );
        }
        expr
    }

    pub(super) fn number(&mut self, written: &Written) -> Expr {
        self.expect(written, &Type::Number)
    }

    /// A list, whatever stands for one: a zone, a thing, several things.
    pub(super) fn list(&mut self, written: &Written) -> (Expr, Type) {
        let (expr, of) = self.expression(written);
        match self.as_list(expr, of.clone()) {
            Some(list) => list,
            None => {
                let found = self.type_words(&of);
                self.complain(
                    codes::NOT_MANY,
                    format!("here must stand several things, but this is {found}"),
                    written.span,
                    "not several",
                );
                (Expr::ListOf(Vec::new()), Type::Unknown)
            }
        }
    }

    pub(super) fn as_list(&mut self, expr: Expr, of: Type) -> Option<(Expr, Type)> {
        match of {
            Type::List(item) => Some((expr, *item)),
            Type::Zone(kind) => Some((Expr::ZoneList(Box::new(expr)), Type::Entity(kind))),
            Type::None => Some((Expr::ListOf(Vec::new()), Type::Unknown)),
            Type::OrNone(inner) if matches!(*inner, Type::Entity(_)) => Some((Expr::Single(Box::new(expr)), *inner)),
            Type::Entity(_) => Some((Expr::Single(Box::new(expr)), of)),
            Type::Unknown => Some((Expr::ListOf(Vec::new()), Type::Unknown)),
            _ => None,
        }
    }

    pub(super) fn zone(&mut self, written: &Written) -> Expr {
        let (expr, of) = self.expression(written);
        if !matches!(of.certain(), Type::Zone(_) | Type::Unknown) {
            let found = self.type_words(&of);
            self.complain(codes::WRONG_TYPE, format!("here must stand a zone, but this is {found}"), written.span, "no zone");
        }
        expr
    }

    /// An expression and its type.
    pub(super) fn expression(&mut self, written: &Written) -> (Expr, Type) {
        match &written.kind {
            ExprKind::Number(number) => (Expr::Constant(*number as Value), Type::Number),
            ExprKind::None => (Expr::Constant(NONE), Type::None),
            ExprKind::Text(_) => self.not_here("a text", written.span),
            ExprKind::Name(name) => self.name(name, written.span),
            ExprKind::Member(of, name) => self.member(of, name),
            ExprKind::Call(name, arguments) => self.call(name, arguments),
            ExprKind::List(members) => self.list_literal(members),
            ExprKind::Range(from, to) => {
                let (from, to) = (self.number(from), self.number(to));
                (Expr::Range(Box::new(from), Box::new(to)), Type::Number.list())
            }
            ExprKind::Not(inner) => {
                let inner = self.condition(inner);
                (Expr::Not(Box::new(inner)), Type::Flag)
            }
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, written.span),
            ExprKind::Is { negated, left, right } => {
                let (expr, of) = self.is(left, right);
                (negate(expr, *negated), of)
            }
            ExprKind::IsState { negated, left, state } => {
                let expr = self.is_state(left, *state);
                (negate(expr, *negated), Type::Flag)
            }
            ExprKind::IsA { negated, left, kind } => {
                let (left, _) = self.expression(left);
                let found = self.program.kinds.iter().position(|k| k.name == kind.text);
                let Some(found) = found else {
                    self.unknown_kind(kind);
                    return (Expr::Constant(0), Type::Flag);
                };
                (negate(Expr::KindIs { of: Box::new(left), kind: found as u16 }, *negated), Type::Flag)
            }
            ExprKind::In { negated, item, set } => {
                let expr = self.is_in(item, set);
                (negate(expr, *negated), Type::Flag)
            }
            ExprKind::If(condition, yes, no) => self.if_expression(condition, yes, no),
            ExprKind::Where(set, _) if matches!(set.kind, ExprKind::Can(..)) => {
                self.problems.push(not_yet("`can … where`", written.span));
                (Expr::Constant(0), Type::Flag)
            }
            ExprKind::Where(set, condition) => {
                let (list, item) = self.list(set);
                let (slot, condition) = self.with_it(&item, |compiler| compiler.condition(condition));
                (Expr::Where { list: Box::new(list), slot, condition: Box::new(condition) }, item.list())
            }
            ExprKind::Of(word, inner) => self.of(*word, inner),
            ExprKind::Sorted { down, list, missing } => {
                if missing.is_some() {
                    self.complain(codes::NOT_COMPARABLE, "`missing` tells how lists of different length compare, so it stands in `with lowest …` or `with highest …` only", written.span, "not compared here");
                }
                let (list, item) = self.list(list);
                (Expr::Sorted { down: *down, list: Box::new(list) }, item.list())
            }
            ExprKind::Top(count, zone) => {
                let count = self.number(count);
                let (expr, of) = self.expression(zone);
                let Type::Zone(kind) = of else { return self.not_here("`top … of` something that is no zone", written.span) };
                (Expr::Top { count: Box::new(count), zone: Box::new(expr) }, Type::Entity(kind).list())
            }
            ExprKind::Quantified { which, set, condition } => {
                let (list, item) = self.list(set);
                let (slot, condition) = self.with_it(&item, |compiler| compiler.condition(condition));
                (Expr::Quantified { which: *which, list: Box::new(list), slot, condition: Box::new(condition) }, Type::Flag)
            }
            ExprKind::Best { one, set, keys } => self.best(*one, set, keys),
            ExprKind::Can(family, arguments) => self.can(family, arguments),
            ExprKind::Supposing(..) => {
                self.problems.push(not_yet("`supposing`", written.span));
                (Expr::Constant(0), Type::Unknown)
            }
            ExprKind::Divided { left, right, up } => {
                let (left, right) = (self.number(left), self.number(right));
                (Expr::Divide { left: Box::new(left), right: Box::new(right), up: *up }, Type::Number)
            }
        }
    }

    fn not_here(&mut self, what: &str, span: Span) -> (Expr, Type) {
        self.complain(codes::WRONG_TYPE, format!("{what} has no value here"), span, "here");
        (Expr::Constant(NONE), Type::Unknown)
    }

    fn unknown_kind(&mut self, name: &Name) {
        let known: Vec<String> = self.program.kinds.iter().map(|kind| kind.name.clone()).collect();
        let problem = Problem::error(codes::UNKNOWN_TYPE, format!("there is no kind of thing called `{}`", name.text));
        self.problems.push(problem.at(name.span, "not declared").suggest(&name.text, known.iter().map(String::as_str)));
    }

    /// Gives `it` a slot and lowers something that speaks of it.
    fn with_it<T>(&mut self, item: &Type, lower: impl FnOnce(&mut Self) -> T) -> (u16, T) {
        let locals = self.function.locals.len();
        let slot = self.add_slot("it", item.clone());
        let result = lower(self);
        self.function.locals.truncate(locals);
        (slot, result)
    }

    // --- names -------------------------------------------------------------------

    fn name(&mut self, name: &str, span: Span) -> (Expr, Type) {
        if let Some(local) = self.local(name).cloned() {
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
        if let Some(option) = self.program.options.iter().find(|option| option.name == name) {
            let value = Expr::Constant(option.value);
            return match &option.kind {
                crate::program::GameOptionKind::Number { .. } => (value, Type::Number),
                crate::program::GameOptionKind::Words(_) => {
                    let list = format!("option {name}");
                    let words = self.program.words.iter().position(|words| words.name == list).unwrap_or(0);
                    (value, Type::Word(words as u16))
                }
            };
        }
        match name {
            "yes" => return (Expr::Constant(1), Type::Flag),
            "no" => return (Expr::Constant(0), Type::Flag),
            "sides" => return (Expr::Sides, Type::side().list()),
            "table" => return (self.table(), Type::Entity(TABLE)),
            "foe" | "opponents" => {
                if let Some(actor) = self.actor() {
                    return self.member_of_entity(actor, SIDE, name).unwrap_or((Expr::Constant(NONE), Type::Unknown));
                }
            }
            _ => {}
        }
        if self.symbols.defines.contains_key(name) {
            return self.defined(name, &[], span);
        }
        let table = self.table();
        if let Some(found) = self.member_of_entity(table, TABLE, name) {
            return found;
        }
        if let Some(kind) = self.program.kinds.iter().position(|kind| kind.plural == name && kind.sort != KindSort::Table) {
            return (Expr::Every(kind as u16), Type::Entity(kind as u16).list());
        }
        if let Some(hook) = self.symbols.hook(name).filter(|hook| self.symbols.hooks[*hook as usize].0.value.is_some()) {
            return self.folded(hook, &[], span);
        }
        if let Some(word) = self.only_word(name) {
            return word;
        }
        self.unknown_name(name, span);
        (Expr::Constant(NONE), Type::Unknown)
    }

    /// A word that only one type has, so that it says its type.
    fn only_word(&self, name: &str) -> Option<(Expr, Type)> {
        let mut found = self.program.words.iter().enumerate().filter_map(|(words, of)| {
            let index = of.words.iter().position(|word| word == name)?;
            Some((Expr::Constant(index as Value), Type::Word(words as u16)))
        });
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// The table's entity: it follows the sides, whose number the session knows.
    fn table(&self) -> Expr {
        Expr::Table
    }

    /// Whose foe a bare `foe` is: `me`, or the first side among the parameters.
    fn actor(&self) -> Option<Expr> {
        let meaning = |local: &Local| match &local.meaning {
            Meaning::Slot(slot) => Expr::Local(*slot),
            Meaning::Alias(expr) => expr.clone(),
        };
        let side = |local: &&Local| *local.of.certain() == Type::side() && local.name != "it";
        self.local("me").map(meaning).or_else(|| self.function.locals.iter().find(side).map(meaning))
    }

    fn unknown_name(&mut self, name: &str, span: Span) {
        let mut known: Vec<String> = self.function.locals.iter().map(|local| local.name.clone()).collect();
        known.extend(self.symbols.defines.keys().cloned());
        known.extend(self.program.options.iter().map(|option| option.name.clone()));
        known.extend(self.symbols.member_names(TABLE));
        known.extend(self.program.kinds.iter().map(|kind| kind.plural.clone()));
        known.push("sides".to_string());
        let problem = Problem::error(codes::UNKNOWN_NAME, format!("nothing here is called `{name}`")).at(span, "not known");
        self.problems.push(problem.suggest(name, known.iter().map(String::as_str)));
    }

    fn member(&mut self, of: &Written, name: &Name) -> (Expr, Type) {
        let (expr, found) = self.expression(of);
        let result = match found.certain().clone() {
            Type::Entity(kind) => self.member_of_entity(expr, kind, &name.text),
            Type::Move(family) => self.member_of_move(expr, family, &name.text),
            Type::Zone(kind) => self.member_of_list(Expr::ZoneList(Box::new(expr)), &Type::Entity(kind), name),
            Type::List(item) => self.member_of_list(expr, &item, name),
            Type::Unknown => return (Expr::Constant(NONE), Type::Unknown),
            _ => None,
        };
        result.unwrap_or_else(|| {
            let known = match found.certain() {
                Type::Entity(kind) | Type::Zone(kind) => self.symbols.member_names(*kind),
                Type::List(item) => match item.as_ref() {
                    Type::Entity(kind) => self.symbols.member_names(*kind),
                    _ => Vec::new(),
                },
                Type::Move(family) => {
                    self.symbols.families[*family as usize].fields.iter().map(|(name, ..)| name.clone()).collect()
                }
                _ => Vec::new(),
            };
            let words = self.type_words(&found);
            let problem = Problem::error(codes::UNKNOWN_FIELD, format!("{words} has nothing called `{}`", name.text));
            self.problems.push(problem.at(name.span, "not known").suggest(&name.text, known.iter().map(String::as_str)));
            (Expr::Constant(NONE), Type::Unknown)
        })
    }

    pub(super) fn member_of_entity(&mut self, of: Expr, kind: u16, name: &str) -> Option<(Expr, Type)> {
        if let Some((field, found)) = self.symbols.field(kind, name) {
            return Some((Expr::Field { of: Box::new(of), field }, found));
        }
        if let Some((zone, holds)) = self.symbols.zone(kind, name) {
            return Some((Expr::Zone { of: Box::new(of), zone }, Type::Zone(holds)));
        }
        let sort = self.program.kind(kind).sort;
        match (sort, name) {
            (KindSort::Piece, "place") => {
                let holds = Type::Zone(kind);
                return Some((Expr::PlaceOf(Box::new(of)), holds.or_none()));
            }
            (KindSort::Side, "foe") => {
                if self.program.sides.most != 2 {
                    return None;
                }
                return Some((Expr::Foe(Box::new(of)), Type::side()));
            }
            (KindSort::Side, "opponents") => {
                let others = Expr::Without(Box::new(Expr::Sides), Box::new(Expr::Single(Box::new(of))));
                return Some((others, Type::side().list()));
            }
            (KindSort::Entrant, "side" | "owner") => return Some((Expr::SideOf(Box::new(of)), Type::side())),
            (KindSort::Side, _) => {
                let entrant = self.program.sides.entrant;
                if let Some(entrant) = entrant.filter(|entrant| self.program.kind(*entrant).plural == name) {
                    return Some((Expr::EntrantsOf(Box::new(of)), Type::Entity(entrant).list()));
                }
            }
            _ => {}
        }
        // What a side's field lends.
        if kind == SIDE
            && let Some((_, field)) = self.symbols.lending.iter().find(|(lent, _)| lent == name)
            && let Type::Entity(lender) = self.symbols.field_types[SIDE as usize][*field as usize].certain()
        {
            return self.member_of_entity(Expr::Field { of: Box::new(of), field: *field }, *lender, name);
        }
        None
    }

    fn member_of_move(&mut self, of: Expr, family: u16, name: &str) -> Option<(Expr, Type)> {
        let fields = &self.symbols.families[family as usize].fields;
        let index = fields.iter().position(|(field, ..)| field == name)?;
        Some((Expr::MoveField { of: Box::new(of), index: index as u16 }, fields[index].1.clone()))
    }

    /// `dice.value`: the value of each; `sides.nest`: the pieces of all those zones.
    fn member_of_list(&mut self, list: Expr, item: &Type, name: &Name) -> Option<(Expr, Type)> {
        let Type::Entity(kind) = item else { return None };
        if let Some((zone, holds)) = self.symbols.zone(*kind, &name.text) {
            return Some((Expr::MapZone { list: Box::new(list), zone }, Type::Entity(holds).list()));
        }
        let slot = self.new_slot();
        let (value, of) = self.member_of_entity(Expr::Local(slot), *kind, &name.text)?;
        if let (Type::Zone(holds), Expr::Zone { of: owner, zone }) = (&of, &value) {
            let owners = Expr::Map { list: Box::new(list), slot, value: owner.clone() };
            return Some((Expr::MapZone { list: Box::new(owners), zone: *zone }, Type::Entity(*holds).list()));
        }
        if of.is_list() {
            return None;
        }
        Some((Expr::Map { list: Box::new(list), slot, value: Box::new(value) }, of.list()))
    }

    // --- calls -------------------------------------------------------------------

    /// `shown(side)`: what one of those who were asked at once has answered.
    pub(super) fn answer_of(&mut self, name: &Name, arguments: &[Written]) -> Option<(Expr, Type)> {
        let (answers, members) = (self.local(&name.text)?.clone(), self.local(&members_of(&name.text))?.clone());
        let (Meaning::Slot(answer_slot), Meaning::Slot(member_slot)) = (answers.meaning, members.meaning) else { return None };
        let (Type::List(answer), Type::List(member)) = (answers.of, members.of) else { return None };
        let [of] = arguments else {
            self.wrong_count(&name.text, 1, arguments.len(), name.span);
            return Some((Expr::Constant(NONE), Type::Unknown));
        };
        let of = Box::new(self.expect(of, &member));
        Some((Expr::AnswerOf { answers: answer_slot, members: member_slot, of }, *answer))
    }

    fn call(&mut self, name: &Name, arguments: &[Written]) -> (Expr, Type) {
        if let Some(answer) = self.answer_of(name, arguments) {
            return answer;
        }
        if self.symbols.defines.contains_key(&name.text) {
            return self.defined(&name.text, arguments, name.span);
        }
        if let Some(table) = self.symbols.tables.get(&name.text).copied() {
            return self.looked_up(table, arguments, name.span);
        }
        if let Some(hook) = self.symbols.hook(&name.text) {
            if self.symbols.hooks[hook as usize].0.value.is_some() {
                return self.folded(hook, arguments, name.span);
            }
            self.complain(
                codes::ASKING_EXPRESSION,
                format!("`{}` is a moment, not a value", name.text),
                name.span,
                "not a value",
            );
            return (Expr::Constant(NONE), Type::Unknown);
        }
        if self.symbols.procedure(&name.text).is_some() {
            let problem = Problem::error(
                codes::ASKING_EXPRESSION,
                format!("`{}` does something, so it cannot stand inside an expression", name.text),
            );
            self.problems.push(
                problem
                    .at(name.span, "a procedure")
                    .help(format!("give it a line of its own: `do {}(…) as result`, and use `result` here", name.text)),
            );
            return (Expr::Constant(NONE), Type::Unknown);
        }
        if self.local(&name.text).is_some() {
            self.problems.push(not_yet("reading one of several answers", name.span));
            return (Expr::Constant(NONE), Type::Unknown);
        }
        let known: Vec<&str> = self.symbols.defines.keys().map(String::as_str).collect();
        let problem =
            Problem::error(codes::UNKNOWN_NAME, format!("nothing is defined as `{}`", name.text)).at(name.span, "not known");
        self.problems.push(problem.suggest(&name.text, known));
        (Expr::Constant(NONE), Type::Unknown)
    }

    /// Puts a definition in place of its name.
    fn defined(&mut self, name: &str, arguments: &[Written], span: Span) -> (Expr, Type) {
        let define = self.symbols.defines[name];
        if self.function.defining.iter().any(|open| open == name) {
            self.complain(
                codes::GOES_IN_CIRCLES,
                format!("`{name}` is defined by itself"),
                define.name.span,
                "goes round in a circle",
            );
            return (Expr::Constant(NONE), Type::Unknown);
        }
        if define.params.len() != arguments.len() {
            self.wrong_count(name, define.params.len(), arguments.len(), span);
            return (Expr::Constant(NONE), Type::Unknown);
        }
        let mut locals = Vec::new();
        let mut computed = Vec::new();
        for (param, argument) in define.params.iter().zip(arguments) {
            let of = self.symbols.type_of(&param.of, &mut self.problems);
            let expr = self.expect(argument, &of);
            let meaning = if is_simple(&expr) {
                Meaning::Alias(expr)
            } else {
                let slot = self.new_slot();
                computed.push((slot, expr));
                Meaning::Slot(slot)
            };
            locals.push(Local { name: param.name.text.clone(), meaning, of });
        }
        let outer = std::mem::replace(&mut self.function.locals, locals);
        let itself = self.function.itself.take();
        self.function.defining.push(name.to_string());
        let (expr, of) = match &define.of {
            Some(of) => {
                let of = self.symbols.type_of(of, &mut self.problems);
                (self.expect(&define.value, &of), of)
            }
            None => self.expression(&define.value),
        };
        self.function.defining.pop();
        self.function.itself = itself;
        self.function.locals = outer;
        let expr = computed.into_iter().rev().fold(expr, |then, (slot, value)| Expr::With {
            slot,
            value: Box::new(value),
            then: Box::new(then),
        });
        (expr, of)
    }

    /// What a table gives for a number: the first row that names it.
    fn looked_up(&mut self, table: &NumberTable, arguments: &[Written], span: Span) -> (Expr, Type) {
        let [argument] = arguments else {
            self.wrong_count(&table.name.text, 1, arguments.len(), span);
            return (Expr::Constant(NONE), Type::Unknown);
        };
        let given = self.number(argument);
        let slot = self.new_slot();
        // Rows know nothing of the place where the table is read, but its parameter.
        let param = Local { name: table.param.text.clone(), meaning: Meaning::Slot(slot), of: Type::Number };
        let outer = std::mem::replace(&mut self.function.locals, vec![param]);
        let itself = self.function.itself.take();
        let at = || Box::new(Expr::Local(slot));
        let rows: Vec<(Expr, Expr)> = table
            .rows
            .iter()
            .map(|(first, last, value)| {
                let first = Box::new(self.number(first));
                let applies = match last {
                    None => Expr::Compare(Comparison::Equal, at(), first),
                    Some(last) => {
                        let last = Box::new(self.number(last));
                        let from_first = Expr::Compare(Comparison::GreaterEqual, at(), first);
                        Expr::And(Box::new(from_first), Box::new(Expr::Compare(Comparison::LessEqual, at(), last)))
                    }
                };
                (applies, self.number(value))
            })
            .collect();
        let (otherwise, of) = match &table.otherwise {
            Some(value) => (self.number(value), Type::Number),
            None => (Expr::Constant(NONE), Type::Number.or_none()),
        };
        self.function.itself = itself;
        self.function.locals = outer;
        let then = rows
            .into_iter()
            .rev()
            .fold(otherwise, |otherwise, (applies, value)| Expr::If(Box::new(applies), Box::new(value), Box::new(otherwise)));
        (Expr::With { slot, value: Box::new(given), then: Box::new(then) }, of)
    }

    pub(super) fn wrong_count(&mut self, name: &str, wanted: usize, found: usize, span: Span) {
        self.complain(codes::ARGUMENT_COUNT, format!("`{name}` takes {wanted} arguments, but {found} are given"), span, "here");
    }

    fn folded(&mut self, hook: u16, arguments: &[Written], span: Span) -> (Expr, Type) {
        let (declared, params, _) = &self.symbols.hooks[hook as usize];
        let (name, params) = (declared.name.text.clone(), params.clone());
        let of = declared.value.as_ref().map_or(Type::Unknown, |(of, _)| self.symbols.type_of(of, &mut self.problems));
        let arguments = self.arguments(&name, arguments, &params, span);
        (Expr::Fold { hook, arguments }, of)
    }

    /// Arguments fitted to parameters.
    pub(super) fn arguments(&mut self, name: &str, arguments: &[Written], params: &[Type], span: Span) -> Vec<Expr> {
        if arguments.len() != params.len() {
            self.wrong_count(name, params.len(), arguments.len(), span);
        }
        arguments.iter().zip(params).map(|(argument, of)| self.expect(argument, of)).collect()
    }

    fn can(&mut self, family: &Name, arguments: &[Written]) -> (Expr, Type) {
        let Some(found) = self.family_named(family) else { return (Expr::Constant(0), Type::Flag) };
        let params: Vec<Type> = self.symbols.families[found as usize].params.iter().map(|(_, of)| of.clone()).collect();
        let arguments = self.arguments(&family.text, arguments, &params, family.span);
        (Expr::Can { family: found, arguments }, Type::Flag)
    }

    pub(super) fn family_named(&mut self, name: &Name) -> Option<u16> {
        let found = self.symbols.family(&name.text);
        if found.is_none() {
            let problem = Problem::error(codes::UNKNOWN_ACTION, format!("there is no family of moves called `{}`", name.text));
            self.problems.push(
                problem.at(name.span, "not declared").suggest(&name.text, self.symbols.families.iter().map(|f| f.name.as_str())),
            );
        }
        found
    }

    // --- operators ---------------------------------------------------------------

    fn list_literal(&mut self, members: &[Written]) -> (Expr, Type) {
        let mut item = Type::Unknown;
        let mut lowered = Vec::new();
        for member in members {
            let (expr, of) = self.expression(member);
            if item == Type::Unknown {
                item = of.certain().clone();
            } else if *of.certain() != item && of != Type::Unknown {
                let (one, other) = (self.type_words(&item), self.type_words(&of));
                self.complain(
                    codes::BRANCHES_DIFFER,
                    format!("the members of a list must be alike, but one is {one} and another {other}"),
                    member.span,
                    "differs",
                );
            }
            lowered.push(expr);
        }
        (Expr::ListOf(lowered), item.list())
    }

    fn binary(&mut self, operator: BinaryOp, left: &Written, right: &Written, span: Span) -> (Expr, Type) {
        match operator {
            BinaryOp::And | BinaryOp::Or => {
                let (left, right) = (Box::new(self.condition(left)), Box::new(self.condition(right)));
                (if operator == BinaryOp::And { Expr::And(left, right) } else { Expr::Or(left, right) }, Type::Flag)
            }
            BinaryOp::Equal => self.compare(Comparison::Equal, left, right),
            BinaryOp::NotEqual => self.compare(Comparison::NotEqual, left, right),
            BinaryOp::Less => self.compare(Comparison::Less, left, right),
            BinaryOp::LessEqual => self.compare(Comparison::LessEqual, left, right),
            BinaryOp::Greater => self.compare(Comparison::Greater, left, right),
            BinaryOp::GreaterEqual => self.compare(Comparison::GreaterEqual, left, right),
            BinaryOp::Without => {
                let (left, item) = self.list(left);
                let (right_expr, right_type) = self.expression(right);
                match self.as_list_beside(right_expr, &right_type, &item.clone().list()) {
                    Some((right, other)) if other == item || other == Type::Unknown || item == Type::Unknown => {
                        (Expr::Without(Box::new(left), Box::new(right)), item.list())
                    }
                    _ => {
                        let (one, other) = (self.type_words(&item.clone().list()), self.type_words(&right_type));
                        self.complain(
                            codes::NOT_COMPARABLE,
                            format!("{one} is never without {other}"),
                            right.span,
                            "never among them",
                        );
                        (left, item.list())
                    }
                }
            }
            BinaryOp::Plus | BinaryOp::Minus | BinaryOp::Times | BinaryOp::AtLeast | BinaryOp::AtMost => {
                let (left, left_type) = self.expression(left);
                let (right, right_type) = self.expression(right);
                self.arithmetic(operator, (left, left_type), (right, right_type), span)
            }
        }
    }

    /// A list, or one number beside a list of numbers.
    fn as_list_beside(&mut self, expr: Expr, of: &Type, beside: &Type) -> Option<(Expr, Type)> {
        match beside {
            Type::List(item) if **item == *of => Some((Expr::Single(Box::new(expr)), of.clone())),
            _ => self.as_list(expr, of.clone()),
        }
    }

    fn arithmetic(&mut self, operator: BinaryOp, left: (Expr, Type), right: (Expr, Type), span: Span) -> (Expr, Type) {
        if operator == BinaryOp::Plus && !(left.1.is_number() && right.1.is_number()) {
            let lists = (self.as_list_beside(left.0, &left.1, &right.1), self.as_list_beside(right.0, &right.1, &left.1));
            if let (Some((left, item)), Some((right, other))) = lists {
                let item = if item == Type::Unknown { other } else { item };
                return (Expr::Concatenate(Box::new(left), Box::new(right)), item.list());
            }
            let (one, other) = (self.type_words(&left.1), self.type_words(&right.1));
            self.complain(
                codes::NOT_COMPARABLE,
                format!("`+` adds numbers or joins lists, but here are {one} and {other}"),
                span,
                "cannot be added",
            );
            return (Expr::Constant(NONE), Type::Unknown);
        }
        if !(left.1.is_number() && right.1.is_number()) {
            let (one, other) = (self.type_words(&left.1), self.type_words(&right.1));
            self.complain(
                codes::WRONG_TYPE,
                format!("this reckons with numbers, but here are {one} and {other}"),
                span,
                "no numbers",
            );
            return (Expr::Constant(NONE), Type::Unknown);
        }
        let halves = left.1 == Type::Halves || right.1 == Type::Halves;
        let times = operator == BinaryOp::Times;
        let left_expr = if halves && !times && left.1 == Type::Number { doubled(left.0) } else { left.0 };
        let right_expr = if halves && !times && right.1 == Type::Number { doubled(right.0) } else { right.0 };
        let (a, b) = (Box::new(left_expr), Box::new(right_expr));
        let expr = match operator {
            BinaryOp::Plus => Expr::Add(a, b),
            BinaryOp::Minus => Expr::Subtract(a, b),
            BinaryOp::Times => Expr::Multiply(a, b),
            BinaryOp::AtLeast => Expr::AtLeast(a, b),
            _ => Expr::AtMost(a, b),
        };
        (expr, if halves { Type::Halves } else { Type::Number })
    }

    fn compare(&mut self, comparison: Comparison, left: &Written, right: &Written) -> (Expr, Type) {
        let (left_expr, left_type) = self.expression(left);
        if let Some(word) = self.word_of(right, &left_type) {
            return (Expr::Compare(comparison, Box::new(left_expr), Box::new(word)), Type::Flag);
        }
        let (right_expr, right_type) = self.expression(right);
        let (left_expr, right_expr) = match (&left_type, &right_type) {
            (Type::Halves, Type::Number) => (left_expr, doubled(right_expr)),
            (Type::Number, Type::Halves) => (doubled(left_expr), right_expr),
            _ => (left_expr, right_expr),
        };
        if left_type.is_number() && right_type.is_number() {
            return (Expr::Compare(comparison, Box::new(left_expr), Box::new(right_expr)), Type::Flag);
        }
        if let (Type::List(_) | Type::Zone(_), Type::List(_) | Type::Zone(_)) = (&left_type, &right_type)
            && let (Some((a, _)), Some((b, _))) =
                (self.as_list(left_expr.clone(), left_type.clone()), self.as_list(right_expr.clone(), right_type.clone()))
        {
            return (Expr::CompareLists(comparison, Box::new(a), Box::new(b)), Type::Flag);
        }
        let same = left_type.certain() == right_type.certain() || left_type == Type::None || right_type == Type::None;
        let identity = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        if same && identity || left_type == Type::Unknown || right_type == Type::Unknown {
            return (Expr::Compare(comparison, Box::new(left_expr), Box::new(right_expr)), Type::Flag);
        }
        let (one, other) = (self.type_words(&left_type), self.type_words(&right_type));
        self.complain(
            codes::NOT_COMPARABLE,
            format!("{one} cannot be compared with {other}"),
            left.span.to(right.span),
            "cannot be compared",
        );
        (Expr::Constant(0), Type::Flag)
    }

    /// `a is b`: a word, a mark, an action, or the same thing.
    fn is(&mut self, left: &Written, right: &Written) -> (Expr, Type) {
        let (left_expr, left_type) = self.expression(left);
        if let Some(word) = self.word_of(right, &left_type) {
            return (Expr::Compare(Comparison::Equal, Box::new(left_expr), Box::new(word)), Type::Flag);
        }
        if let ExprKind::Name(name) = &right.kind
            && self.local(name).is_none()
        {
            if let Some(mark) = self.symbols.mark(name).filter(|_| matches!(left_type.certain(), Type::Entity(_))) {
                return (Expr::HasMark { of: Box::new(left_expr), mark }, Type::Flag);
            }
            if let Type::Move(_) = left_type.certain()
                && let Some(action) = self.program.actions.iter().position(|action| action.name == *name)
            {
                return (Expr::MoveIs { of: Box::new(left_expr), action: action as u16 }, Type::Flag);
            }
        }
        if matches!(left_type.certain(), Type::Number | Type::Halves) && !matches!(right.kind, ExprKind::None) {
            let problem = Problem::error(codes::NOT_COMPARABLE, "numbers are compared with `=`, not with `is`");
            self.problems.push(problem.at(left.span.to(right.span), "here").help("write `=` or `!=`"));
        }
        let (right_expr, right_type) = self.expression(right);
        let comparable = left_type.certain() == right_type.certain()
            || matches!(left_type, Type::None | Type::Unknown)
            || matches!(right_type, Type::None | Type::Unknown)
            || matches!((left_type.certain(), right_type.certain()), (Type::Zone(_), Type::Zone(_)));
        if !comparable {
            let (one, other) = (self.type_words(&left_type), self.type_words(&right_type));
            self.complain(codes::NOT_COMPARABLE, format!("{one} is never {other}"), left.span.to(right.span), "never the same");
        }
        if matches!(left_type, Type::List(_)) {
            let empty =
                Expr::Compare(Comparison::Equal, Box::new(Expr::CountList(Box::new(left_expr))), Box::new(Expr::Constant(0)));
            return (empty, Type::Flag);
        }
        (Expr::Compare(Comparison::Equal, Box::new(left_expr), Box::new(right_expr)), Type::Flag)
    }

    fn is_state(&mut self, left: &Written, state: StateWord) -> Expr {
        match state {
            StateWord::Odd | StateWord::Even => {
                let number = self.number(left);
                let odd = Expr::IsOdd(Box::new(number));
                if state == StateWord::Odd { odd } else { Expr::Not(Box::new(odd)) }
            }
            StateWord::Empty => {
                let count = self.count(left);
                Expr::Compare(Comparison::Equal, Box::new(count), Box::new(Expr::Constant(0)))
            }
        }
    }

    fn count(&mut self, of: &Written) -> Expr {
        let (expr, found) = self.expression(of);
        match found {
            Type::Zone(_) => Expr::CountZone(Box::new(expr)),
            found => match self.as_list(expr, found.clone()) {
                Some((list, _)) => Expr::CountList(Box::new(list)),
                None => {
                    let words = self.type_words(&found);
                    self.complain(
                        codes::NOT_MANY,
                        format!("only several things can be counted, but this is {words}"),
                        of.span,
                        "not several",
                    );
                    Expr::Constant(0)
                }
            },
        }
    }

    fn is_in(&mut self, item: &Written, set: &Written) -> Expr {
        let (item_expr, item_type) = self.expression(item);
        let words = item_type.certain().clone().list();
        let (set_expr, set_type) = match self.word_of(set, &words) {
            Some(list) => (list, words),
            None => self.expression(set),
        };
        if let Type::Zone(_) = set_type.certain() {
            return Expr::InZone { item: Box::new(item_expr), zone: Box::new(set_expr) };
        }
        match self.as_list(set_expr, set_type.clone()) {
            Some((list, found)) => {
                if found != *item_type.certain() && found != Type::Unknown && item_type != Type::Unknown {
                    let (one, other) = (self.type_words(&item_type), self.type_words(&set_type));
                    self.complain(
                        codes::NOT_COMPARABLE,
                        format!("{one} is never in {other}"),
                        item.span.to(set.span),
                        "never there",
                    );
                }
                Expr::InList { item: Box::new(item_expr), list: Box::new(list) }
            }
            None => {
                let words = self.type_words(&set_type);
                self.complain(codes::NOT_MANY, format!("nothing lies in {words}"), set.span, "not several");
                Expr::Constant(0)
            }
        }
    }

    fn if_expression(&mut self, condition: &Written, yes: &Written, no: &Written) -> (Expr, Type) {
        let condition = self.condition(condition);
        let (yes_expr, yes_type) = self.expression(yes);
        let (no_expr, no_type) = self.expression(no);
        let of = match (&yes_type, &no_type) {
            (Type::None, other) | (other, Type::None) => other.clone().or_none(),
            (Type::Unknown, other) | (other, Type::Unknown) => other.clone(),
            (Type::Halves, Type::Number) | (Type::Number, Type::Halves) => Type::Halves,
            (one, other) if one == other => one.clone(),
            (one, other) if one.certain() == other.certain() => one.clone().or_none(),
            (one, other) => {
                let (one, other) = (self.type_words(one), self.type_words(other));
                self.complain(
                    codes::BRANCHES_DIFFER,
                    format!("`then` gives {one}, but `else` gives {other}"),
                    yes.span.to(no.span),
                    "must be alike",
                );
                Type::Unknown
            }
        };
        // A branch known when compiling needs no test: options are fixed for a program.
        let halves = |expr: Expr, found: &Type| if of == Type::Halves && *found == Type::Number { doubled(expr) } else { expr };
        let (yes_expr, no_expr) = (halves(yes_expr, &yes_type), halves(no_expr, &no_type));
        let expr = match constant_condition(&condition) {
            Some(true) => yes_expr,
            Some(false) => no_expr,
            None => Expr::If(Box::new(condition), Box::new(yes_expr), Box::new(no_expr)),
        };
        (expr, of)
    }

    fn of(&mut self, word: OfWord, inner: &Written) -> (Expr, Type) {
        match word {
            OfWord::Count => (self.count(inner), Type::Number),
            OfWord::Half => {
                let (expr, of) = self.expression(inner);
                if of == Type::Halves {
                    self.complain(codes::HALVES, "half of a number of halves cannot be counted", inner.span, "already halves");
                }
                let expr = self.fit(expr, of, &Type::Number, inner.span);
                // A number read as halves is half of it.
                (expr, Type::Halves)
            }
            OfWord::Sum => self.sum(inner),
            OfWord::Highest | OfWord::Lowest => {
                let (list, item) = self.list(inner);
                if !item.is_number() {
                    let words = self.type_words(&item);
                    self.complain(
                        codes::NOT_COMPARABLE,
                        format!("the highest or lowest is told of numbers, but these are {words}"),
                        inner.span,
                        "no numbers",
                    );
                }
                (Expr::ExtremeOf { highest: word == OfWord::Highest, list: Box::new(list) }, item)
            }
            OfWord::First | OfWord::Last => {
                let (list, item) = self.list(inner);
                (Expr::EndOf { last: word == OfWord::Last, list: Box::new(list) }, item.or_none())
            }
        }
    }

    fn sum(&mut self, inner: &Written) -> (Expr, Type) {
        // The sum of a field over a zone needs no list.
        if let ExprKind::Member(owner, name) = &inner.kind {
            let before = (self.problems.len(), self.function.next_slot);
            if let (zone, Type::Zone(kind)) = self.expression(owner)
                && let Some((field, of)) = self.symbols.field(kind, &name.text)
                && of.is_number()
            {
                return (Expr::SumZone { zone: Box::new(zone), field }, of);
            }
            self.problems.truncate(before.0);
        }
        let (list, item) = self.list(inner);
        if !item.is_number() {
            let words = self.type_words(&item);
            self.complain(codes::WRONG_TYPE, format!("numbers are summed, but these are {words}"), inner.span, "no numbers");
        }
        (Expr::SumList(Box::new(list)), if item == Type::Halves { Type::Halves } else { Type::Number })
    }

    fn best(&mut self, one: bool, set: &Written, keys: &[(Extreme, Written)]) -> (Expr, Type) {
        let (list, item) = self.list(set);
        let (slot, keys) = self
            .with_it(&item, |compiler| keys.iter().map(|(extreme, key)| compiler.best_key(*extreme, key)).collect::<Vec<_>>());
        let list = Box::new(list);
        if one { (Expr::BestOne { list, slot, keys }, item.or_none()) } else { (Expr::BestAll { list, slot, keys }, item.list()) }
    }

    fn best_key(&mut self, extreme: Extreme, key: &Written) -> BestKey {
        let highest = extreme == Extreme::Highest;
        if let ExprKind::Sorted { down, list, missing } = &key.kind {
            let (list, _) = self.list(list);
            let value = Expr::Sorted { down: *down, list: Box::new(list) };
            return BestKey { highest, value, list: true, short_is_high: *missing == Some(Extreme::Highest) };
        }
        let (value, of) = self.expression(key);
        if let Type::List(_) = of {
            return BestKey { highest, value, list: true, short_is_high: false };
        }
        if !of.is_number() {
            let words = self.type_words(&of);
            self.complain(
                codes::NOT_COMPARABLE,
                format!("things are told apart by a number or a list of numbers, but this is {words}"),
                key.span,
                "no number",
            );
        }
        BestKey { highest, value, list: false, short_is_high: false }
    }
}

/// The name, which no one can write, of those who gave the answers of a name.
pub(super) fn members_of(name: &str) -> String {
    format!("those of {name}")
}

/// Whether an expression may stand several times instead of being worked out once.
fn is_simple(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Local(_) => true,
        Expr::Foe(inner) | Expr::Field { of: inner, .. } | Expr::MoveField { of: inner, .. } => is_simple(inner),
        _ => false,
    }
}

fn negate(expr: Expr, negated: bool) -> Expr {
    if negated { Expr::Not(Box::new(expr)) } else { expr }
}

fn doubled(expr: Expr) -> Expr {
    match expr {
        Expr::Constant(value) if value != NONE => Expr::Constant(value.saturating_mul(2)),
        other => Expr::Multiply(Box::new(other), Box::new(Expr::Constant(2))),
    }
}

/// Whether a condition is settled by options alone.
pub(super) fn constant_condition(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Constant(value) => Some(*value != 0),
        Expr::Not(inner) => constant_condition(inner).map(|holds| !holds),
        Expr::Compare(comparison, left, right) => match (left.as_ref(), right.as_ref()) {
            (Expr::Constant(left), Expr::Constant(right)) => Some(comparison.holds(*left, *right)),
            _ => None,
        },
        Expr::And(left, right) => match (constant_condition(left), constant_condition(right)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Expr::Or(left, right) => match (constant_condition(left), constant_condition(right)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        _ => None,
    }
}
