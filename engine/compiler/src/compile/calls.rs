//! Compiles calls by name: answers, definitions, tables and hook values.
//!
//! Definitions and tables are never called in play: their code is put in at the place of the call. A parameter of a definition is
//! either a slot that is filled once, or an alias, an expression that each use is replaced by. A hook value is a value of the rules
//! that abilities can modify.

use super::divided_totals::{answer_of_member, slot_expression};
use super::{Compiler, Local, Meaning};
use crate::resolve::wrong_count_text;
use crate::scope::Scope;
use crate::types::Type;
use ludex_program::{Comparison, Expr, NONE, Slot};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Expr as Written, Name, Param, TableRow};

/// Maximum nesting depth of definitions.
const MOST_DEEP: usize = 100;
/// Maximum number of definitions inlined in one function.
const MOST_DEFINED: usize = 10_000;

impl Compiler<'_> {
    /// Compiles `shown(side)`, one seat's answer to a question asked at once, and `guards(side, shore)`, a part of a total that one
    /// seat has divided. None if the name has no such answers.
    pub(super) fn compile_answer(&mut self, name: &Name, arguments: &[Written]) -> Option<(Expr, Type)> {
        if let Some(amount) = self.compile_receiver_part(name, arguments) {
            return Some(amount);
        }
        let (answers, members) = (self.find_local(&name.text)?.clone(), self.find_local(&members_name(&name.text))?.clone());
        let (Type::List(answer), Type::List(member)) = (answers.of, members.of) else { return None };
        let (answers, members) = (slot_expression(&answers.meaning)?, slot_expression(&members.meaning)?);
        let receivers = self.find_receivers(&name.text).cloned();
        match (arguments, receivers) {
            ([of], _) => Some((answer_of_member(answers, members, self.compile_as_type(of, &member)), *answer)),
            ([of, receiver], Some(Local { meaning, of: Type::List(receivers), .. })) => {
                let Type::List(one) = *receivers else { return None };
                let (of, receiver) = (self.compile_as_type(of, &member), self.compile_as_type(receiver, &one));
                let receivers = answer_of_member(slot_expression(&meaning)?, members.clone(), of.clone());
                Some((answer_of_member(answer_of_member(answers, members, of), receivers, receiver), Type::Number))
            }
            _ => {
                self.report_wrong_count(&name.text, 1, arguments.len(), name.span);
                Some((Expr::Constant(NONE), Type::Unknown))
            }
        }
    }

    /// Compiles a call of any name: an answer, a definition, a table or a hook value.
    pub(super) fn compile_call(&mut self, name: &Name, arguments: &[Written]) -> (Expr, Type) {
        if let Some(answer) = self.compile_answer(name, arguments) {
            return answer;
        }
        if self.symbols.defines.contains_key(&name.text) {
            return self.inline_definition(&name.text, arguments, name.span);
        }
        if self.symbols.tables.contains_key(&name.text) {
            return self.compile_lookup(&name.text, arguments, name.span);
        }
        let value = |hook: &u16| self.symbols.hooks[usize::from(*hook)].0.value.is_some();
        if let Some(hook) = self.symbols.find_hook(&name.text).filter(value) {
            return self.compile_hook_value(hook, arguments, name.span);
        }
        self.report_unresolved(name);
        (Expr::Constant(NONE), Type::Unknown)
    }

    /// Inlines a definition: compiles its arguments, then its value, in which only its parameters are in scope.
    pub(super) fn inline_definition(&mut self, name: &str, arguments: &[Written], span: Span) -> (Expr, Type) {
        let define = self.symbols.defines[name];
        self.function.defined += 1;
        if self.function.defined_inside >= MOST_DEEP || self.function.defined > MOST_DEFINED {
            // Reported once, at the first one too many.
            if self.function.defined <= MOST_DEFINED + 1 {
                let message = format!("`{name}` is one definition too many in this expression");
                let problem = Problem::error(codes::TOO_MANY, message).with_label(span, "over the limit");
                self.problems.push(problem.help("compute a part in a statement before, and give it a name: `let total = …`"));
                self.function.defined = MOST_DEFINED + 1;
            }
            return (Expr::Constant(NONE), Type::Unknown);
        }
        if define.params.len() != arguments.len() {
            self.report_wrong_count(name, define.params.len(), arguments.len(), span);
            return (Expr::Constant(NONE), Type::Unknown);
        }
        let mut locals = Scope::default();
        let mut computed = Vec::new();
        let before = self.problems.len();
        for (param, argument) in define.params.iter().zip(arguments) {
            let of = self.symbols.type_of(&param.of, &mut self.problems);
            let expr = self.compile_as_type(argument, &of);
            let meaning = if is_simple(&expr) {
                Meaning::Alias(expr)
            } else {
                let slot = self.new_slot();
                computed.push((slot, expr));
                Meaning::Slot(slot)
            };
            locals.push(Local { name: param.name.text.clone(), meaning, of });
        }
        let params: Vec<Type> = locals.iter().map(|local| local.of.clone()).collect();
        self.report_exchanged_arguments(before, arguments, &params);
        let outer = std::mem::replace(&mut self.function.locals, locals);
        let itself = self.function.itself.take();
        self.function.defined_inside += 1;
        let (expr, of) = match &define.of {
            Some(of) => {
                let of = self.symbols.type_of(of, &mut self.problems);
                (self.compile_as_type(&define.value, &of), of)
            }
            None => self.compile_expression(&define.value),
        };
        self.function.defined_inside -= 1;
        self.function.itself = itself;
        let params = std::mem::replace(&mut self.function.locals, outer);
        let expr = self.memoise_definition(expr, &of, &params, &computed);
        let expr = computed.into_iter().rev().fold(expr, |then, (slot, value)| Expr::With {
            slot,
            value: Box::new(value),
            then: Box::new(then),
        });
        (expr, of)
    }

    /// Compiles a table lookup: the value of the first row that matches the arguments.
    fn compile_lookup(&mut self, name: &str, arguments: &[Written], span: Span) -> (Expr, Type) {
        let (table, params, gives) = self.symbols.tables[name].clone();
        let given = self.compile_arguments(name, arguments, &params, span);
        if arguments.len() != params.len() {
            return (Expr::Constant(NONE), Type::Unknown);
        }
        let slots: Vec<Slot> = params.iter().map(|_| self.new_slot()).collect();
        // Rows only know the table's parameters, not the names at the place of the call.
        let local = |((param, of), slot): ((&Param, &Type), &Slot)| Local {
            name: param.name.text.clone(),
            meaning: Meaning::Slot(*slot),
            of: of.clone(),
        };
        let locals = table.params.iter().zip(&params).zip(&slots).map(local).collect();
        let outer = std::mem::replace(&mut self.function.locals, locals);
        let itself = self.function.itself.take();
        let rows: Vec<(Expr, Expr)> = table
            .rows
            .iter()
            .map(|row| (self.row_applies(row, name, &params, &slots), self.compile_as_type(&row.value, &gives)))
            .collect();
        let (otherwise, of) = match &table.otherwise {
            Some(value) => (self.compile_as_type(value, &gives), gives),
            None if rows.iter().any(|(applies, _)| is_met(applies, &slots, &given)) => (Expr::Constant(NONE), gives),
            None => (Expr::Constant(NONE), gives.or_none()),
        };
        self.function.itself = itself;
        self.function.locals = outer;
        let then = rows
            .into_iter()
            .rev()
            .fold(otherwise, |otherwise, (applies, value)| Expr::If(Box::new(applies), Box::new(value), Box::new(otherwise)));
        let with = |then, (slot, value)| Expr::With { slot, value: Box::new(value), then: Box::new(then) };
        (slots.into_iter().zip(given).rev().fold(then, with), of)
    }

    /// The test that each argument matches the keys of a row.
    fn row_applies(&mut self, row: &TableRow, table: &str, params: &[Type], slots: &[Slot]) -> Expr {
        if row.keys.len() != params.len() {
            self.report_wrong_count(table, params.len(), row.keys.len(), row.span);
        }
        let tests = row.keys.iter().zip(params.iter().zip(slots)).map(|((first, last), (of, slot))| {
            let at = || Box::new(Expr::Local(*slot));
            let from = Box::new(self.compile_as_type(first, of));
            let Some(last) = last else { return Expr::Compare(Comparison::Equal, at(), from) };
            if !of.is_number() {
                self.report_error(
                    codes::NOT_COMPARABLE,
                    "only numbers have a range",
                    first.span.extend_to(last.span),
                    "not numbers",
                );
            }
            let to = Box::new(self.compile_as_type(last, of));
            let from_first = Expr::Compare(Comparison::GreaterEqual, at(), from);
            Expr::And(Box::new(from_first), Box::new(Expr::Compare(Comparison::LessEqual, at(), to)))
        });
        let tests: Vec<Expr> = tests.collect();
        tests.into_iter().reduce(|one, other| Expr::And(Box::new(one), Box::new(other))).unwrap_or(Expr::Constant(1))
    }

    /// Reports a wrong number of arguments.
    pub(super) fn report_wrong_count(&mut self, name: &str, wanted: usize, found: usize, span: Span) {
        self.report_error(codes::ARGUMENT_COUNT, wrong_count_text(name, wanted, found), span, "here");
    }

    /// Compiles a read of a hook's value, to which play applies the modifiers of abilities and marks.
    pub(super) fn compile_hook_value(&mut self, hook: u16, arguments: &[Written], span: Span) -> (Expr, Type) {
        let (declared, params, _) = &self.symbols.hooks[hook as usize];
        let (name, params) = (declared.name.text.clone(), params.clone());
        let of = declared.value.as_ref().map_or(Type::Unknown, |(of, _)| self.symbols.type_of(of, &mut self.problems));
        let arguments = self.compile_arguments(&name, arguments, &params, span);
        (Expr::Fold { hook, arguments }, of)
    }

    /// Compiles arguments and fits them to the parameters. `name` is the thing called, for errors.
    pub(super) fn compile_arguments(&mut self, name: &str, arguments: &[Written], params: &[Type], span: Span) -> Vec<Expr> {
        if arguments.len() != params.len() {
            self.report_wrong_count(name, params.len(), arguments.len(), span);
        }
        let before = self.problems.len();
        let fitted = arguments.iter().zip(params).map(|(argument, of)| self.compile_as_type(argument, of)).collect();
        self.report_exchanged_arguments(before, arguments, params);
        fitted
    }

    /// Merges the errors of two arguments that are in each other's place into one. `before` is the number of problems before the
    /// arguments were compiled.
    fn report_exchanged_arguments(&mut self, before: usize, arguments: &[Written], params: &[Type]) {
        let is_wrong = |argument: &Written| {
            let told = self.problems.iter().skip(before).filter(|problem| problem.code == codes::WRONG_TYPE);
            told.filter_map(|problem| problem.labels.first()).any(|(span, _)| *span == argument.span)
        };
        let wrong: Vec<usize> = (0..arguments.len().min(params.len())).filter(|place| is_wrong(&arguments[*place])).collect();
        let ([one, other], true) = (wrong.as_slice(), self.problems.len() == before + 2) else { return };
        let told = self.problems.len();
        self.compile_as_type(&arguments[*one], &params[*other]);
        self.compile_as_type(&arguments[*other], &params[*one]);
        let would_fit = self.problems.len() == told;
        self.problems.truncate(told);
        if would_fit {
            self.problems.pop();
            if let Some(problem) = self.problems.pop() {
                let problem = problem.with_label(arguments[*other].span, "would fit there, and the other one here");
                self.problems.push(problem.help("exchange the two"));
            }
        }
    }

    /// Compiles `can move(side)` and `may move(side)`: whether the family has a legal move. `obliging` is `can`: only moves count
    /// that rule out passing.
    pub(super) fn compile_can(&mut self, obliging: bool, family: &Name, arguments: &[Written]) -> (Expr, Type) {
        let Some(found) = self.find_family(family) else { return (Expr::Constant(0), Type::Flag) };
        let params: Vec<Type> = self.symbols.families[found as usize].params.iter().map(|(_, of)| of.clone()).collect();
        let arguments = self.compile_arguments(&family.text, arguments, &params, family.span);
        (Expr::Can { family: found, obliging, arguments }, Type::Flag)
    }

    /// Compiles `can move(side) where …` and `may move(side) where …`. The move is `it`, or has the name after `as`.
    pub(super) fn compile_can_where(
        &mut self,
        (obliging, family, arguments): (bool, &Name, &[Written]),
        name: Option<&Name>,
        condition: &Written,
    ) -> (Expr, Type) {
        let Expr::Can { family, arguments, .. } = self.compile_can(obliging, family, arguments).0 else {
            return (Expr::Constant(0), Type::Flag);
        };
        let (slot, condition) =
            self.with_member(name, &Expr::Constant(NONE), &Type::Move(family), |compiler| compiler.compile_condition(condition));
        (Expr::CanWhere { family, obliging, arguments, slot, condition: Box::new(condition) }, Type::Flag)
    }

    /// The family of a name. Reports an unknown one.
    pub(super) fn find_family(&mut self, name: &Name) -> Option<u16> {
        let found = self.symbols.find_family(&name.text);
        if found.is_none() {
            self.report_unresolved(name);
        }
        found
    }
}

/// Whether the test of a table row is certain to hold for the arguments.
fn is_met(test: &Expr, slots: &[Slot], given: &[Expr]) -> bool {
    match test {
        Expr::And(left, right) => is_met(left, slots, given) && is_met(right, slots, given),
        Expr::Compare(comparison, left, right) => {
            let argument = |slot: &Slot| slots.iter().position(|known| known == slot).and_then(|place| given.get(place));
            match (left.as_ref(), right.as_ref()) {
                (Expr::Local(slot), Expr::Constant(key)) => {
                    matches!(argument(slot), Some(Expr::Constant(value)) if comparison.holds_for(*value, *key))
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// The internal name of the seats that gave the answers of a name. It cannot be written in rules.
pub(super) fn members_name(name: &str) -> String {
    format!("those of {name}")
}

/// Whether an expression may be duplicated instead of being evaluated once.
pub(super) fn is_simple(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Local(_) => true,
        Expr::Foe(inner) | Expr::Field { of: inner, .. } | Expr::MoveField { of: inner, .. } => is_simple(inner),
        _ => false,
    }
}
