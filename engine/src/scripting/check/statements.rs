//! Statements of a script, one after the other.

use super::conditions::told;
use super::{Checker, Type, Variable, syntax};
use crate::codes;
use crate::problem::Problem;
use crate::source::Span;
use rhai::{ASTFlags, Expr, FlowControl, Ident, OpAssignment, Stmt};

/// Whether a block always leaves its function or loop, so that what follows it does not run after it.
pub fn leaves(block: &[Stmt]) -> bool {
    block.last().is_some_and(|last| match last {
        Stmt::Return(..) | Stmt::BreakLoop(..) => true,
        Stmt::Block(inner) => leaves(inner.statements()),
        Stmt::If(flow, _) => leaves(flow.body.statements()) && leaves(flow.branch.statements()),
        _ => false,
    })
}

impl Checker<'_> {
    /// Checks a block; what it gives is what its last statement gives.
    pub(super) fn block(&mut self, block: &[Stmt]) -> Type {
        let (variables, facts) = (self.body.variables.len(), self.body.facts.len());
        let mut gives = Type::Nothing;
        for statement in block {
            gives = self.statement(statement);
        }
        self.body.variables.truncate(variables);
        self.body.facts.truncate(facts);
        gives
    }

    fn statement(&mut self, statement: &Stmt) -> Type {
        match statement {
            Stmt::Noop(_) => Type::Nothing,
            Stmt::If(flow, _) => self.choice(flow),
            Stmt::While(flow, _) => {
                if !matches!(flow.expr, Expr::Unit(_)) {
                    self.condition(&flow.expr);
                }
                self.block_where(flow.body.statements(), told(&flow.expr).holds);
                Type::Nothing
            }
            Stmt::Do(flow, ..) => {
                self.block(flow.body.statements());
                self.condition(&flow.expr);
                Type::Nothing
            }
            Stmt::For(parts, _) => {
                let (name, counter, flow) = &**parts;
                self.each(name, counter.as_ref(), flow);
                Type::Nothing
            }
            Stmt::Var(parts, ..) => {
                let (name, value, _) = &**parts;
                let of = self.expression(value);
                if let Some(call) = gives_nothing(value).filter(|_| of == Type::Nothing) {
                    let span = self.span(value);
                    self.complain(
                        codes::SCRIPT_UNTYPED,
                        format!("`{call}` gives nothing that `{}` could hold", name.name),
                        span,
                        "gives nothing",
                    );
                }
                self.declare(&name.name, of);
                Type::Nothing
            }
            Stmt::Assignment(parts) => {
                let (how, sides) = &**parts;
                self.assignment(how, &sides.lhs, &sides.rhs);
                Type::Nothing
            }
            Stmt::FnCall(call, position) => self.call(call, *position),
            Stmt::Block(block) => self.block(block.statements()),
            Stmt::Expr(value) => self.expression(value),
            Stmt::BreakLoop(value, ..) => {
                if let Some(value) = value {
                    let span = self.span(value);
                    self.forbid("a loop gives no value", span, "set a variable before `break`");
                }
                Type::Nothing
            }
            Stmt::Return(value, flags, position) => {
                if flags.contains(ASTFlags::BREAK) {
                    let problem = syntax::forbidden("throw").at(self.text.word(*position), "not allowed");
                    self.report(problem);
                }
                self.returned(value.as_deref());
                Type::Nothing
            }
            Stmt::TryCatch(flow, position) => {
                let problem = syntax::forbidden("try").at(self.text.word(*position), "not allowed");
                self.report(problem);
                self.block(flow.body.statements());
                Type::Nothing
            }
            Stmt::Switch(_, position) => {
                let span = self.text.word(*position);
                self.forbid("`switch` is not allowed in scripts", span, "write `if … { } else if … { } else { }`");
                Type::Unknown
            }
            other => {
                let span = self.text.word(other.position());
                self.forbid("this is not allowed in scripts", span, "`scripts/README.md` lists what is");
                Type::Unknown
            }
        }
    }

    pub(super) fn forbid(&mut self, message: &str, span: Span, help: &str) {
        self.report(Problem::error(codes::SCRIPT_FORBIDDEN, message).at(span, "not allowed").help(help));
    }

    pub(super) fn declare(&mut self, name: &str, of: Type) {
        self.body.variables.push(Variable { name: name.to_string(), of });
    }

    /// A variable's place, the innermost of that name.
    pub(super) fn place_of(&self, name: &str) -> Option<usize> {
        self.body.variables.iter().rposition(|variable| variable.name == name)
    }

    fn learn(&mut self, names: Vec<String>) {
        let places: Vec<usize> = names.iter().filter_map(|name| self.place_of(name)).collect();
        self.body.facts.extend(places);
    }

    /// A block that runs where some variables are known to hold something.
    fn block_where(&mut self, block: &[Stmt], there: Vec<String>) -> Type {
        let facts = self.body.facts.len();
        self.learn(there);
        let gives = self.block(block);
        self.body.facts.truncate(facts);
        gives
    }

    pub(super) fn choice(&mut self, flow: &FlowControl) -> Type {
        self.condition(&flow.expr);
        let told = told(&flow.expr);
        let (first, second) = (flow.body.statements(), flow.branch.statements());
        let one = self.block_where(first, told.holds.clone());
        let other = self.block_where(second, told.fails.clone());
        match (leaves(first), leaves(second)) {
            (true, false) => self.learn(told.fails),
            (false, true) => self.learn(told.holds),
            _ => {}
        }
        match (leaves(first), leaves(second)) {
            (true, _) => other,
            (_, true) => one,
            // As a statement, an `if` may do different things whose values nobody wants.
            _ if one.clone().either(other.clone()).is_none() => Type::Unknown,
            _ => one.either(other).unwrap_or(Type::Unknown),
        }
    }

    fn condition(&mut self, condition: &Expr) {
        let of = self.expression(condition);
        self.want_flag(condition, &of);
    }

    pub(super) fn want_flag(&mut self, condition: &Expr, of: &Type) {
        if matches!(of, Type::Flag | Type::Unknown) {
            return;
        }
        let words = self.words(of);
        let span = self.span(condition);
        let problem =
            Problem::error(codes::SCRIPT_TYPE, format!("a condition is true or false, but this is {words}")).at(span, words);
        self.report(match of {
            Type::Number => problem.help("compare it, as in `… > 0`"),
            Type::OrNone(_) => problem.help("ask whether there is one with `… != ()`"),
            Type::List(_) | Type::Zone(_) => problem.help("ask whether it holds anything with `len(…) > 0`"),
            _ => problem.help("compare it with `==`"),
        });
    }

    fn each(&mut self, name: &Ident, counter: Option<&Ident>, flow: &FlowControl) {
        let of = self.expression(&flow.expr);
        let member = match &of {
            Type::Range => Some(Type::Number),
            other => other.member(),
        };
        let member = member.unwrap_or_else(|| {
            let (words, span) = (self.words(&of), self.span(&flow.expr));
            let problem =
                Problem::error(codes::SCRIPT_TYPE, format!("`for` goes through a list, a zone or a range, but this is {words}"))
                    .at(span, words);
            let help =
                if of == Type::Number { "write `for i in 0..n { … }`" } else { "for example `for die in me.nest { … }`" };
            self.report(problem.help(help));
            Type::Unknown
        });
        let variables = self.body.variables.len();
        if let Some(counter) = counter {
            self.declare(&counter.name, Type::Number);
        }
        self.declare(&name.name, member);
        self.block(flow.body.statements());
        self.body.variables.truncate(variables);
    }

    fn returned(&mut self, value: Option<&Expr>) {
        let of = value.map_or(Type::Nothing, |value| self.expression(value));
        let before = self.body.gives.take();
        let gives = match (before, value) {
            (None, _) => of,
            (Some(before), Some(value)) => {
                let span = self.span(value);
                self.joined(before, of, span)
            }
            (Some(before), None) => before.either(of).unwrap_or(Type::Unknown),
        };
        self.body.gives = Some(gives);
    }

    fn assignment(&mut self, how: &OpAssignment, place: &Expr, value: &Expr) {
        let of = self.expression(value);
        match place {
            Expr::Variable(name, _, position) => self.assign_variable(&name.1, how, *position, value, of),
            Expr::Index(..) => {
                let wanted = self.expression(place);
                if matches!(self.base_of(place), Some(Type::Zone(_))) {
                    let span = self.span(place);
                    self.complain(codes::CANNOT_SET, "what is in a zone cannot be set", span, "move pieces with `move_to`");
                } else if !of.fits(&wanted) {
                    self.changed("this place of the list", &wanted, &of, value);
                }
            }
            _ => self.assign_field(how, place, value),
        }
    }

    fn assign_variable(&mut self, name: &str, how: &OpAssignment, position: rhai::Position, value: &Expr, of: Type) {
        let Some(at) = self.place_of(name) else {
            self.unknown_variable(name, position);
            return;
        };
        let old = self.body.variables[at].of.clone();
        if let Some((.., operator, sign)) = how.get_op_assignment_info() {
            let span = self.text.word(how.position());
            let made = self.operation(operator, sign, &old, &of, span);
            if !made.fits(&old) {
                self.changed(&format!("`{name}`"), &old, &made, value);
            }
            return;
        }
        // What was known of the old value is not known of the new one.
        self.body.facts.retain(|fact| *fact != at);
        match &old {
            Type::Nothing => self.body.variables[at].of = of.or_none(),
            old if old.is_open() && of.fits(old) => self.body.variables[at].of = of,
            old if of.fits(old) => {
                if matches!(old, Type::OrNone(_)) && !matches!(of, Type::OrNone(_) | Type::Nothing | Type::Unknown) {
                    self.body.facts.push(at);
                }
            }
            old => {
                let old = old.clone();
                self.changed(&format!("`{name}`"), &old, &of, value);
            }
        }
    }

    fn changed(&mut self, what: &str, old: &Type, new: &Type, value: &Expr) {
        let (old, new, span) = (self.words(old), self.words(new), self.span(value));
        let message = format!("{what} holds {old}, so it cannot become {new}");
        self.report(Problem::error(codes::SCRIPT_VARIABLE_TYPE, message).at(span, new).help("use a second variable"));
    }

    /// `die.value = 3` sets nothing: things are changed by functions, so that everybody is told.
    fn assign_field(&mut self, how: &OpAssignment, place: &Expr, value: &Expr) {
        let (of, span) = (self.expression(place), self.span(place));
        if of.is_unknown() {
            return;
        }
        let (written, new) = (self.slice(span), self.span(value));
        let new = self.slice(new);
        let problem = Problem::error(codes::CANNOT_SET, format!("`{written}` cannot be set in this way")).at(span, "here");
        let help = match (written.rsplit_once('.'), how.get_op_assignment_info()) {
            _ if written.ends_with(']') => "move pieces with `move_to`".to_string(),
            (Some((thing, field)), None) => format!("write `set({thing}, \"{field}\", {new})`"),
            (Some((thing, field)), Some((.., "+"))) => format!("write `add({thing}, \"{field}\", {new})`"),
            (Some((thing, field)), Some((.., "-"))) => format!("write `add({thing}, \"{field}\", -{new})`"),
            (Some((thing, field)), Some(_)) => format!("write `set({thing}, \"{field}\", …)`"),
            (None, _) => "only variables can be set with `=`".to_string(),
        };
        self.report(problem.help(help));
    }
}

/// The name of the function whose call this is.
fn gives_nothing(value: &Expr) -> Option<String> {
    match value {
        Expr::FnCall(call, _) if !call.is_operator_call() => Some(call.name.to_string()),
        _ => None,
    }
}
