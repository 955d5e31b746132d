//! Turns an expression with dice and procedures into a procedure of the rules that computes it.
//!
//! Everything that happens in the expression (a throw, a procedure) becomes a statement before its use, from left to right. Each
//! number is computed as soon as possible, so that throws are forgotten early: the less is remembered, the more states are equal.
//!
//! `OddsQuery::new` adds this procedure to the items of the game and compiles both together. A *pool* is a throw of equal dice;
//! in a [`Phrase`], a name with the same place in the text represents it. A throw becomes a `roll`, a call becomes a `do`, and
//! their results get names of their own.

use super::pools::{Phrase, Pool};
use ludex_compiler::builtins::{OperandKind, SUM, find_builtin};
use ludex_compiler::resolve::foreign_word_help;
use ludex_compiler::types::Type;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{
    BinaryOp, Block, Define, Expr, ExprKind, Hook, Item, ItemKind, Key, Name, Param, Procedure, StateWord, Statement,
    StatementKind, Table, TypeKind, TypeName,
};
use std::borrow::Cow;

/// The name of the procedure, which cannot be written in rules.
pub const NAME: &str = "these odds";

/// Returns a procedure that computes an expression in a game with these items.
pub fn expression_procedure(phrase: &Phrase, items: &[Cow<Item>]) -> Result<Item, Vec<Problem>> {
    let names = Names::new(items);
    let mut problems = Vec::new();
    names.report_unknown_calls(&phrase.expr, &mut problems);
    phrase
        .pools
        .values()
        .for_each(|pool| [&pool.count, &pool.size].iter().for_each(|expr| names.report_unknown_calls(expr, &mut problems)));
    let mut writer = Writer { names: &names, phrase, statements: Vec::new(), next: 0, problems };
    let value = writer.write_expression(&phrase.expr, Wants::Number);
    if !writer.problems.is_empty() {
        return Err(writer.problems);
    }
    let span = phrase.expr.span;
    let value = writer.unbind_name(value);
    writer.add_statement(StatementKind::Give { value }, span);
    let procedure = Procedure {
        name: Name { text: NAME.to_string(), span },
        params: Vec::new(),
        gives: Some(TypeName { kind: TypeKind::Whatever, span }),
        body: Block { statements: writer.statements },
        scope: false,
        entry: false,
    };
    Ok(Item { kind: ItemKind::Procedure(procedure), span, cites: Vec::new(), doc: None })
}

/// The names of the procedures that return a value.
pub fn value_procedure_names(items: &[Cow<Item>]) -> Vec<String> {
    let mut names = Names::new(items);
    names.procedures.retain(|procedure| procedure.gives.is_some());
    names.procedures.iter().map(|procedure| procedure.name.text.clone()).collect()
}

/// The names that an expression may call.
struct Names<'a> {
    procedures: Vec<&'a Procedure>,
    defines: Vec<&'a Define>,
    tables: Vec<&'a Table>,
    hooks: Vec<&'a Hook>,
}

impl<'a> Names<'a> {
    fn new(items: &'a [Cow<Item>]) -> Names<'a> {
        let mut names = Names { procedures: Vec::new(), defines: Vec::new(), tables: Vec::new(), hooks: Vec::new() };
        items.iter().for_each(|item| names.add_item(&item.kind));
        names
    }

    fn add_item(&mut self, kind: &'a ItemKind) {
        match kind {
            ItemKind::Procedure(procedure) => self.procedures.push(procedure),
            ItemKind::Define(define) => self.defines.push(define),
            ItemKind::Table(table) => self.tables.push(table),
            ItemKind::Hook(hook) => self.hooks.push(hook),
            _ => {}
        }
    }

    fn find_procedure(&self, name: &str) -> Option<&'a Procedure> {
        self.procedures.iter().copied().find(|procedure| procedure.name.text == name)
    }

    /// The definition (`define`) with a name.
    fn find_definition(&self, name: &str) -> Option<&'a Define> {
        self.defines.iter().copied().find(|define| define.name.text == name)
    }

    /// The names of everything that can be called.
    fn callable_names(&self) -> Vec<&'a str> {
        let procedures = self.procedures.iter().map(|procedure| &procedure.name);
        let named = procedures.chain(self.defines.iter().map(|define| &define.name));
        let named = named.chain(self.tables.iter().map(|table| &table.name)).chain(self.hooks.iter().map(|hook| &hook.name));
        named.map(|name| name.text.as_str()).collect()
    }

    /// Reports calls of unknown names.
    fn report_unknown_calls(&self, expr: &Expr, problems: &mut Vec<Problem>) {
        if let ExprKind::Call(name, _) = &expr.kind {
            let known = self.callable_names();
            if !known.contains(&name.text.as_str()) {
                let problem = Problem::error(codes::UNKNOWN_NAME, format!("nothing is defined as `{}`", name.text));
                let problem = problem.with_label(name.span, "not known").with_subject(&name.text);
                problems.push(match foreign_word_help(&name.text) {
                    Some(help) => problem.help(help),
                    None => problem.suggest(&name.text, known),
                });
            }
        }
        child_expressions(expr).into_iter().for_each(|child| self.report_unknown_calls(child, problems));
    }

    /// Whether a name is that of a table that always gives a number.
    fn is_table(&self, name: &str) -> bool {
        self.tables.iter().any(|table| table.name.text == name && table.of.is_none() && table.otherwise.is_some())
    }
}

/// The meaning of dice at some place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wants {
    /// Their sum.
    Number,
    /// The list of their results.
    List,
}

/// The type of a value, as far as its form shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueKind {
    Number,
    Flag,
}

/// Writes the statements of the procedure.
struct Writer<'a> {
    names: &'a Names<'a>,
    phrase: &'a Phrase,
    statements: Vec<Statement>,
    /// The next number for a generated name.
    next: usize,
    problems: Vec<Problem>,
}

impl<'a> Writer<'a> {
    fn add_statement(&mut self, kind: StatementKind, span: Span) {
        self.statements.push(Statement { kind, span, cites: Vec::new() });
    }

    /// A new name, which cannot be written in rules.
    fn fresh_name(&mut self, span: Span) -> Name {
        self.next += 1;
        Name { text: format!("value {}", self.next), span }
    }

    /// Gives a value a name, and returns the name as an expression.
    fn bind_name(&mut self, value: Expr) -> Expr {
        let (span, name) = (value.span, self.fresh_name(value.span));
        let stands = Expr { kind: ExprKind::Name(name.text.clone()), span };
        self.add_statement(StatementKind::Let { name, value }, span);
        stands
    }

    /// The pool that a name in the phrase represents.
    fn find_pool(&self, expr: &Expr) -> Option<&'a Pool> {
        if !matches!(expr.kind, ExprKind::Name(_)) {
            return None;
        }
        // The name may be in brackets.
        let inside = self.phrase.pools.range(expr.span.start..expr.span.end);
        inside.map(|(_, pool)| pool).find(|pool| pool.span.end <= expr.span.end)
    }

    /// Whether an expression is dice, perhaps with only some kept: if a number is needed, their sum is meant.
    fn is_dice(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Keep { list, .. } => self.is_dice(list),
            ExprKind::Binary(BinaryOp::Plus, left, right) => self.is_dice(left) && self.is_dice(right),
            _ => self.find_pool(expr).is_some(),
        }
    }

    /// Whether an expression is always a list and never a sum, by its form.
    fn is_list(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Keep { list, .. } => !self.is_dice(list),
            kind => makes_list(kind),
        }
    }

    /// The procedure that an expression calls directly.
    fn called_procedure(&self, expr: &Expr) -> Option<&'a Procedure> {
        let name = match &expr.kind {
            ExprKind::Call(name, _) => &name.text,
            ExprKind::Name(name) if self.names.find_definition(name).is_none() => name,
            _ => return None,
        };
        self.names.find_procedure(name)
    }

    /// Whether an expression has dice or calls procedures.
    fn has_dice_or_calls(&self, expr: &Expr) -> bool {
        self.find_pool(expr).is_some()
            || self.called_procedure(expr).is_some()
            || child_expressions(expr).into_iter().any(|child| self.has_dice_or_calls(child))
    }

    /// Returns an expression without dice and procedures, which become statements before it.
    fn write_expression(&mut self, expr: &Expr, wants: Wants) -> Expr {
        if let Some(pool) = self.find_pool(expr) {
            return self.write_pool(pool, wants);
        }
        if let Some(procedure) = self.called_procedure(expr) {
            let arguments = match &expr.kind {
                ExprKind::Call(_, arguments) => arguments.as_slice(),
                _ => &[],
            };
            return self.write_call(procedure, arguments, expr.span);
        }
        if !self.has_dice_or_calls(expr) {
            return expr.clone();
        }
        use Wants::{List, Number};
        let span = expr.span;
        let kind = match &expr.kind {
            ExprKind::Binary(operator @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                return self.write_either(*operator, left, right, span);
            }
            ExprKind::If(condition, yes, no) => return self.write_if(condition, yes, no, wants, span),
            ExprKind::Binary(operator, left, right) => {
                let lists = match operator {
                    BinaryOp::Plus => wants == List,
                    BinaryOp::Without => true,
                    _ => self.is_list(left) || self.is_list(right),
                };
                let wants = if lists { List } else { Number };
                ExprKind::Binary(*operator, self.write_boxed(left, wants), self.write_boxed(right, wants))
            }
            ExprKind::Member(of, name) => ExprKind::Member(self.write_boxed(of, Number), name.clone()),
            ExprKind::Call(name, arguments) => ExprKind::Call(name.clone(), self.write_arguments(name, arguments)),
            ExprKind::List(members) => {
                ExprKind::List(members.iter().map(|member| self.write_expression(member, Number)).collect())
            }
            ExprKind::Range(from, to) => ExprKind::Range(self.write_boxed(from, Number), self.write_boxed(to, Number)),
            ExprKind::Not(inner) => ExprKind::Not(self.write_boxed(inner, Number)),
            ExprKind::Is { negated, left, right } => {
                ExprKind::Is { negated: *negated, left: self.write_boxed(left, Number), right: self.write_boxed(right, Number) }
            }
            ExprKind::IsState { negated, left, state } => {
                let wants = if *state == StateWord::Empty { List } else { Number };
                ExprKind::IsState { negated: *negated, left: self.write_boxed(left, wants), state: *state }
            }
            ExprKind::IsA { negated, left, kind } => {
                ExprKind::IsA { negated: *negated, left: self.write_boxed(left, Number), kind: kind.clone() }
            }
            ExprKind::In { negated, item, set } => {
                ExprKind::In { negated: *negated, item: self.write_boxed(item, Number), set: self.write_boxed(set, List) }
            }
            ExprKind::Where(set, condition) => {
                ExprKind::Where(self.write_boxed(set, List), Box::new(self.write_for_members(condition)))
            }
            ExprKind::Of(word, inner) => {
                let of_one = find_builtin(word).is_some_and(|builtin| matches!(builtin.takes, OperandKind::Number(_)));
                ExprKind::Of(word.clone(), self.write_boxed(inner, if of_one { Number } else { List }))
            }
            ExprKind::Keep { extreme, count, list } => {
                let (count, kept) = (self.write_boxed(count, Number), self.write_boxed(list, List));
                let kept = Expr { kind: ExprKind::Keep { extreme: *extreme, count, list: kept }, span };
                return if wants == Number && self.is_dice(list) { self.bind_name(sum_of(kept)) } else { kept };
            }
            ExprKind::Sorted { down, list, missing } => {
                ExprKind::Sorted { down: *down, list: self.write_boxed(list, List), missing: *missing }
            }
            ExprKind::Top(count, zone) => ExprKind::Top(self.write_boxed(count, Number), self.write_boxed(zone, List)),
            ExprKind::Nth(place, list) => ExprKind::Nth(self.write_boxed(place, Number), self.write_boxed(list, List)),
            ExprKind::OnBoard(word, operands) => {
                ExprKind::OnBoard(*word, operands.iter().map(|operand| self.write_expression(operand, Number)).collect())
            }
            ExprKind::Called(set, name) => ExprKind::Called(self.write_boxed(set, wants), name.clone()),
            ExprKind::Quantified { which, set, condition } => ExprKind::Quantified {
                which: *which,
                set: self.write_boxed(set, List),
                condition: Box::new(self.write_for_members(condition)),
            },
            ExprKind::Best { one, set, keys } => {
                let set = self.write_boxed(set, List);
                let keys = keys.iter().map(|key| Key { value: self.write_for_members(&key.value), ..key.clone() }).collect();
                ExprKind::Best { one: *one, set, keys }
            }
            ExprKind::Can { obliging, family, arguments } => {
                let arguments = arguments.iter().map(|argument| self.write_expression(argument, Number)).collect();
                ExprKind::Can { obliging: *obliging, family: family.clone(), arguments }
            }
            ExprKind::Supposing(places, then) => ExprKind::Supposing(places.clone(), Box::new(self.write_for_members(then))),
            ExprKind::Divided { left, right, up } => {
                ExprKind::Divided { left: self.write_boxed(left, Number), right: self.write_boxed(right, Number), up: *up }
            }
            ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::None | ExprKind::Name(_) => expr.kind.clone(),
        };
        let written = Expr { kind, span };
        if stays_a_list(&written) || wants == List { written } else { self.bind_name(written) }
    }

    /// Undoes a name: returns the value of the last `let` if `value` is its name, and removes the statement.
    fn unbind_name(&mut self, value: Expr) -> Expr {
        match (&value.kind, self.statements.last().map(|last| &last.kind)) {
            (ExprKind::Name(wanted), Some(StatementKind::Let { name, value: named })) if name.text == *wanted => {
                let named = named.clone();
                self.statements.pop();
                named
            }
            _ => value,
        }
    }

    /// The same as [`Writer::write_expression`], in a box.
    fn write_boxed(&mut self, expr: &Expr, wants: Wants) -> Box<Expr> {
        Box::new(self.write_expression(expr, wants))
    }

    /// Writes the roll of a pool, and returns its results or their sum.
    fn write_pool(&mut self, pool: &Pool, wants: Wants) -> Expr {
        let what = self.write_expression(&pool.count, Wants::Number);
        let size = self.write_expression(&pool.size, Wants::Number);
        let name = self.fresh_name(pool.span);
        let shown = Expr { kind: ExprKind::Name(name.text.clone()), span: pool.span };
        self.add_statement(StatementKind::Roll { what, pool: Some(size), reason: None, name: Some(name) }, pool.span);
        match wants {
            Wants::List => shown,
            Wants::Number => self.bind_name(sum_of(shown)),
        }
    }

    /// Writes the call of a procedure, and returns its result.
    fn write_call(&mut self, procedure: &'a Procedure, arguments: &[Expr], span: Span) -> Expr {
        if procedure.gives.is_none() {
            let name = &procedure.name.text;
            self.problems.push(
                Problem::error(codes::ODDS_VALUE, format!("`{name}` gives no value, so it has no odds"))
                    .with_label(span, "gives no value")
                    .with_label(procedure.name.span, "declared without a `:` and a type")
                    .help("ask for the odds of an expression, or of a procedure with a `give`"),
            );
        }
        let arguments = self.write_fitting_params(&procedure.params, arguments);
        let result = self.fresh_name(span);
        let value = Expr { kind: ExprKind::Name(result.text.clone()), span };
        let name = Name { text: procedure.name.text.clone(), span };
        self.add_statement(StatementKind::Do { name, args: Some(arguments), result: Some(result) }, span);
        value
    }

    /// Writes the arguments of a definition, a table or a value.
    fn write_arguments(&mut self, name: &Name, arguments: &[Expr]) -> Vec<Expr> {
        let params = self.names.find_definition(&name.text).map_or(&[][..], |define| define.params.as_slice());
        self.write_fitting_params(params, arguments)
    }

    /// Writes arguments: dice mean a list where the parameter is one, and otherwise their sum.
    fn write_fitting_params(&mut self, params: &[Param], arguments: &[Expr]) -> Vec<Expr> {
        let wants = |index: usize| match params.get(index).map(|param| &param.of.kind) {
            Some(TypeKind::ListOf(_)) => Wants::List,
            Some(TypeKind::Named(name)) if name.text == "numbers" => Wants::List,
            _ => Wants::Number,
        };
        arguments.iter().enumerate().map(|(index, argument)| self.write_expression(argument, wants(index))).collect()
    }

    /// Writes a part that is evaluated for each of several members, in which nothing can happen.
    fn write_for_members(&mut self, expr: &Expr) -> Expr {
        if self.has_dice_or_calls(expr) {
            self.problems.push(
                Problem::error(codes::ODDS_FORM, "dice and procedures cannot run for each member of a list")
                    .with_label(expr.span, "worked out for each member")
                    .help("roll outside the condition, or write a procedure with `each … in …` and ask for its value"),
            );
        }
        expr.clone()
    }

    /// Writes `and` or `or`. The right side runs only if the left side does not decide the result.
    fn write_either(&mut self, operator: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Expr {
        let left = self.write_expression(left, Wants::Number);
        if !self.has_dice_or_calls(right) {
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right.clone()));
            return self.bind_name(Expr { kind, span });
        }
        let result = self.bind_name(left);
        let condition = match operator {
            BinaryOp::And => result.clone(),
            _ => Expr { kind: ExprKind::Not(Box::new(result.clone())), span },
        };
        let block = self.write_assignment_block(right, &result);
        self.add_statement(StatementKind::If { arms: vec![(condition, block)], otherwise: None }, span);
        result
    }

    /// Writes a conditional: the contents of a branch run only if the branch is taken.
    fn write_if(&mut self, condition: &Expr, yes: &Expr, no: &Expr, wants: Wants, span: Span) -> Expr {
        let condition = self.write_expression(condition, Wants::Number);
        // Without a known type there is no first value for a result: then the dice of both branches are thrown, and one of the
        // values is used.
        let sort = self.value_sort(yes).filter(|sort| self.value_sort(no) == Some(*sort) && wants == Wants::Number);
        let Some(sort) = sort else {
            let (yes, no) = (self.write_boxed(yes, wants), self.write_boxed(no, wants));
            let chosen = Expr { kind: ExprKind::If(Box::new(condition), yes, no), span };
            return if wants == Wants::List { chosen } else { self.bind_name(chosen) };
        };
        let first = match sort {
            ValueKind::Number => ExprKind::Number(0),
            ValueKind::Flag => ExprKind::Name("no".to_string()),
        };
        // This comes before the result, which only the branches set, so that the condition is forgotten after it.
        let result = self.bind_name(Expr { kind: first, span });
        let (yes, no) = (self.write_assignment_block(yes, &result), self.write_assignment_block(no, &result));
        self.add_statement(StatementKind::If { arms: vec![(condition, yes)], otherwise: Some(no) }, span);
        result
    }

    /// A block that sets a name to the value of an expression.
    fn write_assignment_block(&mut self, expr: &Expr, place: &Expr) -> Block {
        let outer = std::mem::take(&mut self.statements);
        let value = self.write_expression(expr, Wants::Number);
        self.add_statement(StatementKind::Set { place: place.clone(), value, event: None }, expr.span);
        Block { statements: std::mem::replace(&mut self.statements, outer) }
    }

    /// The type of an expression's value, if its form shows that this is a number or a flag.
    fn value_sort(&self, expr: &Expr) -> Option<ValueKind> {
        if self.find_pool(expr).is_some() {
            return Some(ValueKind::Number);
        }
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Divided { .. } => Some(ValueKind::Number),
            ExprKind::Keep { list, .. } => self.is_dice(list).then_some(ValueKind::Number),
            ExprKind::Of(word, _) => {
                find_builtin(word).filter(|of| (of.gives)(Type::Number) == Type::Number).map(|_| ValueKind::Number)
            }
            ExprKind::Binary(operator, left, _) => match operator {
                BinaryOp::Minus | BinaryOp::Times | BinaryOp::Remainder | BinaryOp::AtLeast | BinaryOp::AtMost => {
                    Some(ValueKind::Number)
                }
                BinaryOp::Plus => self.value_sort(left),
                BinaryOp::Without => None,
                _ => Some(ValueKind::Flag),
            },
            ExprKind::Not(_)
            | ExprKind::Is { .. }
            | ExprKind::IsState { .. }
            | ExprKind::IsA { .. }
            | ExprKind::In { .. }
            | ExprKind::Quantified { .. }
            | ExprKind::Can { .. } => Some(ValueKind::Flag),
            ExprKind::If(_, yes, _) => self.value_sort(yes),
            ExprKind::Name(name) if name == "yes" || name == "no" => Some(ValueKind::Flag),
            ExprKind::Call(name, _) | ExprKind::Member(_, name) if self.names.is_table(&name.text) => Some(ValueKind::Number),
            ExprKind::Name(_) | ExprKind::Call(..) => {
                let of = self.called_procedure(expr).and_then(|procedure| procedure.gives.as_ref());
                match of.map(|of| &of.kind) {
                    Some(TypeKind::Named(name)) if name.text == "number" => Some(ValueKind::Number),
                    Some(TypeKind::Named(name)) if name.text == "flag" => Some(ValueKind::Flag),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The sum of a list.
fn sum_of(list: Expr) -> Expr {
    let span = list.span;
    Expr { kind: ExprKind::Of(SUM.to_string(), Box::new(list)), span }
}

/// Whether a form always makes a list.
fn makes_list(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::List(_) | ExprKind::Range(..) | ExprKind::Sorted { .. } | ExprKind::Where(..))
}

/// Whether an expression makes a list from a list: its reader works on the throw itself, and so comes at once.
fn stays_a_list(expr: &Expr) -> bool {
    makes_list(&expr.kind) || matches!(&expr.kind, ExprKind::Binary(BinaryOp::Without, ..) | ExprKind::Best { one: false, .. })
}

/// The direct children of an expression.
fn child_expressions(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::None | ExprKind::Name(_) => Vec::new(),
        ExprKind::Member(of, _) | ExprKind::Called(of, _) | ExprKind::Not(of) | ExprKind::Of(_, of) => vec![of],
        ExprKind::IsState { left, .. } | ExprKind::IsA { left, .. } => vec![left],
        ExprKind::Sorted { list, .. } => vec![list],
        ExprKind::Keep { count, list, .. } => vec![count, list],
        ExprKind::Call(_, parts)
        | ExprKind::List(parts)
        | ExprKind::Can { arguments: parts, .. }
        | ExprKind::OnBoard(_, parts) => parts.iter().collect(),
        ExprKind::Range(one, other)
        | ExprKind::Binary(_, one, other)
        | ExprKind::Is { left: one, right: other, .. }
        | ExprKind::In { item: one, set: other, .. }
        | ExprKind::Where(one, other)
        | ExprKind::Top(one, other)
        | ExprKind::Nth(one, other)
        | ExprKind::Quantified { set: one, condition: other, .. }
        | ExprKind::Divided { left: one, right: other, .. } => vec![one, other],
        ExprKind::If(one, other, third) => vec![one, other, third],
        ExprKind::Best { set, keys, .. } => std::iter::once(set.as_ref()).chain(keys.iter().map(|key| &key.value)).collect(),
        ExprKind::Supposing(places, then) => {
            places.iter().flat_map(|(place, value)| [place, value]).chain([then.as_ref()]).collect()
        }
    }
}
