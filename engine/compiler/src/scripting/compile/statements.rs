//! Compiles statements of a script.
//!
//! A jump is emitted without a target and patched when the address is known. `wanted` says that the value of a statement or block
//! is used, as that of its last statement is in rhai. A fact says that a variable certainly has a value. A point is a statement or
//! condition that coverage counts.

use super::conditions::told;
use super::values::{TypedValue, Value, calculated};
use super::{ScriptCompiler, Type, Variable};
use crate::scripting::read;
use ludex_program::loops::OpenLoop;
use ludex_program::{Address, Calculation, Expr as Machine, FreedLists, Instruction, NONE, Slot};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use rhai::{ASTFlags, ASTNode, Expr, FlowControl, Ident, OpAssignment, Stmt};

/// Whether a block always leaves its function or loop, so that the code after it does not run.
pub fn leaves(block: &[Stmt]) -> bool {
    block.last().is_some_and(|last| match last {
        Stmt::Return(..) | Stmt::BreakLoop(..) => true,
        Stmt::Block(inner) => leaves(inner.statements()),
        Stmt::If(flow, _) => leaves(flow.body.statements()) && leaves(flow.branch.statements()),
        _ => false,
    })
}

impl ScriptCompiler<'_> {
    /// Compiles a block. If `wanted`, returns the value of its last statement. It may refer to variables of the block, so it
    /// must be stored at once.
    pub(super) fn block(&mut self, block: &[Stmt], wanted: bool) -> TypedValue {
        let (variables, facts, slot) = (self.body.variables.len(), self.body.facts.len(), self.body.next_slot);
        let mut gives = TypedValue::nothing();
        self.warn_of_unreached(block);
        for (index, statement) in block.iter().enumerate() {
            let (free, is_wanted) = (self.body.next_slot, wanted && index + 1 == block.len());
            gives = self.compile_placed_statement(statement, is_wanted);
            if !is_wanted && matches!(statement, Stmt::FnCall(..) | Stmt::Expr(_)) {
                // Its value is not used.
                self.leave_slots(free);
                gives = TypedValue::nothing();
            }
        }
        self.body.variables.truncate(variables);
        self.body.facts.truncate(facts);
        self.leave_slots(slot);
        gives
    }

    /// Warns of statements after one that always leaves its block.
    fn warn_of_unreached(&mut self, block: &[Stmt]) {
        // `throw` is forbidden and reported elsewhere.
        let throws = |statement: &Stmt| matches!(statement, Stmt::Return(_, flags, _) if flags.contains(ASTFlags::BREAK));
        let ends = |statement: &Stmt| !throws(statement) && leaves(std::slice::from_ref(statement));
        let Some(last) = block.iter().position(ends) else { return };
        let next = block[last + 1..].iter().find(|statement| !matches!(statement, Stmt::Noop(_)));
        let place = |compiler: &Self, statement| {
            compiler.leftmost(statement).map(|place| compiler.text.head(compiler.text.statement(place)))
        };
        if let Some((next, last)) = next.and_then(|next| Some((place(self, next)?, place(self, &block[last])?))) {
            let problem = Problem::warning(codes::UNREACHABLE, "this can never happen").with_label(next, "never reached");
            self.report(
                problem.with_label(last, "always ends here").help("remove one of the two, or put the first into an `if`"),
            );
        }
    }

    /// Compiles a statement. Records its place for faults, causes and coverage.
    fn compile_placed_statement(&mut self, statement: &Stmt, wanted: bool) -> TypedValue {
        let (start, place) = (self.code.next_address(), self.code.place.clone());
        let begins = self.leftmost(statement).map(|place| self.text.statement(place));
        if let Some(at) = begins {
            self.code.place.span = self.text.head(at);
            let cited = self.text.cited(at);
            self.code.place.rules = if cited.is_empty() { self.body.rules.clone() } else { cited };
        }
        let worth = self.statement(statement, wanted);
        if !wanted && self.code.next_address() == start {
            self.evaluate_unused_value(&worth);
        }
        if let Some(at) = begins.filter(|at| self.is_point(statement, *at)) {
            self.code.point(self.text.head(at), start, false);
        }
        self.code.place = place;
        worth
    }

    /// Evaluates a value that is not used, since it may be a fault.
    fn evaluate_unused_value(&mut self, worth: &TypedValue) {
        let value = match &worth.value {
            Value::Expr(expr) => expr.clone(),
            _ => Machine::Constant(NONE),
        };
        let slot = self.new_slot();
        self.code.emit_let(slot, value, false);
    }

    /// Whether coverage counts a statement. Statements in a block count separately, and `else if` counts with the first `if`.
    fn is_point(&self, statement: &Stmt, begins: usize) -> bool {
        !matches!(statement, Stmt::Noop(_) | Stmt::Block(_)) && !self.text.is_word_at(begins, "else")
    }

    /// The leftmost place in a statement: the place of `a + b` is that of its sign.
    fn leftmost(&self, statement: &Stmt) -> Option<usize> {
        let mut first: Option<usize> = None;
        statement.walk(&mut Vec::new(), &mut |path| {
            let position = path.last().map(ASTNode::position).filter(|position| !position.is_none());
            first = first.into_iter().chain(position.map(|position| self.text.byte(position))).min();
            true
        });
        first
    }

    /// Compiles a statement by its form.
    fn statement(&mut self, statement: &Stmt, wanted: bool) -> TypedValue {
        match statement {
            Stmt::Noop(_) => TypedValue::nothing(),
            Stmt::If(flow, position) => self.choice(flow, *position, wanted),
            Stmt::While(flow, _) => self.while_(flow),
            Stmt::Do(flow, flags, _) => self.do_(flow, flags.contains(ASTFlags::NEGATED)),
            Stmt::For(parts, _) => {
                let (name, counter, flow) = &**parts;
                self.each(name, counter.as_ref(), flow);
                TypedValue::nothing()
            }
            Stmt::Var(parts, ..) => {
                let (name, value, _) = &**parts;
                self.let_(name, value);
                TypedValue::nothing()
            }
            Stmt::Assignment(parts) => {
                let (how, sides) = &**parts;
                self.assignment(how, &sides.lhs, &sides.rhs);
                TypedValue::nothing()
            }
            Stmt::FnCall(call, position) => self.call(call, *position),
            Stmt::Block(block) => self.inner_block(block.statements(), wanted),
            Stmt::Expr(value) => self.expression(value),
            Stmt::BreakLoop(value, flags, _) => {
                if let Some(value) = value {
                    let span = self.span(value);
                    self.forbid("a loop gives no value", span, "set a variable before `break`");
                }
                let jump = self.code.jump();
                if let Some(open) = self.body.loops.last_mut() {
                    if flags.contains(ASTFlags::BREAK) { open.to_end.push(jump) } else { open.to_next.push(jump) }
                }
                TypedValue::nothing()
            }
            Stmt::Return(value, flags, position) => {
                if flags.contains(ASTFlags::BREAK) {
                    let problem = read::forbidden("throw").with_label(self.text.word(*position), "not allowed");
                    self.report(problem);
                }
                self.returned(value.as_deref());
                TypedValue::nothing()
            }
            Stmt::TryCatch(flow, position) => {
                let problem = read::forbidden("try").with_label(self.text.word(*position), "not allowed");
                self.report(problem);
                self.block(flow.body.statements(), false);
                TypedValue::nothing()
            }
            Stmt::Switch(_, position) => {
                let span = self.text.word(*position);
                self.forbid("`switch` is not allowed in scripts", span, "write `if … { } else if … { } else { }`");
                TypedValue::unknown()
            }
            other => {
                let span = self.text.word(other.position());
                self.forbid("this is not allowed in scripts", span, "`ludex explain scripts` says what is");
                TypedValue::unknown()
            }
        }
    }

    /// Reports a construct that scripts may not use.
    pub(super) fn forbid(&mut self, message: &str, span: Span, help: &str) {
        self.report(Problem::error(codes::SCRIPT_FORBIDDEN, message).with_label(span, "not allowed").help(help));
    }

    // --- variables ---------------------------------------------------------------

    /// Compiles `let name = value`.
    fn let_(&mut self, name: &Ident, value: &Expr) {
        // The slot is allocated first, so that temporary slots can be freed.
        let slot = self.new_slot();
        let worth = self.expression(value);
        if let Some(call) = gives_nothing(value).filter(|_| worth.of == Type::Nothing) {
            let span = self.span(value);
            self.report_error(
                codes::SCRIPT_UNTYPED,
                format!("`{call}` gives nothing that `{}` could hold", name.name),
                span,
                "gives nothing",
            );
        }
        self.declare(&name.name, worth, slot);
    }

    /// Puts a value into a slot under a name. Ranges and durations have no slot; their parts are kept.
    fn declare(&mut self, name: &str, worth: TypedValue, slot: Slot) {
        let worth = match worth.value {
            Value::Range(..) | Value::Duration(_) => self.keep(worth),
            _ => {
                let of = worth.of.clone();
                let value = self.expr(worth);
                self.hold(slot, name, &of);
                self.code.emit_let(slot, value, of.is_list());
                TypedValue::new(of, Machine::Local(slot))
            }
        };
        self.body.variables.push(Variable { name: name.to_string(), worth });
    }

    /// The index of a variable, the innermost of that name.
    pub(super) fn place_of(&self, name: &str) -> Option<usize> {
        self.body.variables.iter().rposition(|variable| variable.name == name)
    }

    /// Notes that variables have a value from here on.
    fn learn(&mut self, names: Vec<String>) {
        let places: Vec<usize> = names.iter().filter_map(|name| self.place_of(name)).collect();
        self.body.facts.extend(places);
    }

    /// Puts a compatible value into the variable at an index. A range or duration cannot be replaced.
    pub(super) fn put_into(&mut self, at: usize, worth: TypedValue) {
        let variable = self.body.variables[at].worth.clone();
        let slot = match variable.value {
            Value::Expr(Machine::Local(slot)) => slot,
            _ => {
                let words = self.words(&variable.of);
                let span = self.code.place.span;
                self.forbid(&format!("a variable that holds {words} keeps it"), span, "make another one with `let`");
                return;
            }
        };
        let value = self.stored(worth, &variable.of);
        if variable.of.is_list() {
            self.keep_lists(slot, &variable.of);
        }
        self.code.emit_let(slot, value, variable.of.is_list());
    }

    /// Notes that a list is put into a slot: loops that the slot outlives must not free it.
    fn keep_lists(&mut self, slot: Slot, of: &Type) {
        if let Some(open) = self.body.loops.last_mut() {
            open.keep_slot_list(slot, of.is_flat());
        }
    }

    // --- branches ----------------------------------------------------------------

    /// Compiles a block in which some variables are known to have a value. Its own value goes into the slot `into`, if its end is
    /// reached. Returns the type of that value, and the address at which it is put there.
    fn block_where(&mut self, block: &[Stmt], there: Vec<String>, into: Option<Slot>) -> (Type, Option<Address>) {
        let facts = self.body.facts.len();
        self.learn(there);
        let gives = self.block(block, into.is_some());
        let of = gives.of.clone();
        let at = into.filter(|_| !leaves(block) && !of.is_unknown()).map(|slot| {
            let value = self.expr(gives);
            self.code.emit_let(slot, value, of.is_list())
        });
        self.body.facts.truncate(facts);
        (of, at)
    }

    /// Compiles `if`, as a statement or as a value.
    pub(super) fn choice(&mut self, flow: &FlowControl, position: rhai::Position, wanted: bool) -> TypedValue {
        let into = wanted.then(|| self.new_slot());
        let condition = self.condition(&flow.expr);
        let skip = self.code.jump_unless(condition);
        self.point_condition(position, skip);
        let told = told(&flow.expr);
        let (first, second) = (flow.body.statements(), flow.branch.statements());
        let (one, one_at) = self.block_where(first, told.holds.clone(), into);
        let to_end = if second.is_empty() && into.is_none() { None } else { Some(self.code.jump()) };
        self.code.patch_to_next(skip);
        let (other, other_at) = self.block_where(second, told.fails.clone(), into);
        to_end.into_iter().for_each(|jump| self.code.patch_to_next(jump));
        match (leaves(first), leaves(second)) {
            (true, false) => self.learn(told.fails),
            (false, true) => self.learn(told.holds),
            _ => {}
        }
        let of = match (leaves(first), leaves(second)) {
            (true, _) => other.clone(),
            (_, true) => one.clone(),
            // As a statement, the branches of an `if` may differ in type, because their values are not used.
            _ => one.clone().either(other.clone()).unwrap_or(Type::Unknown),
        };
        let Some(slot) = into else { return TypedValue::nothing().with_type(of) };
        self.join_values(one_at.zip(Some(one)).into_iter().chain(other_at.zip(Some(other))), &of);
        TypedValue::new(of, Machine::Local(slot))
    }

    /// Adds a point for a condition, whose branching instruction is at an address.
    fn point_condition(&mut self, position: rhai::Position, at: Address) {
        let span = self.text.head(self.text.byte(position) + "if".len());
        self.code.point(span, at, true);
    }

    /// Compiles a nested block, or a block as a value.
    pub(super) fn inner_block(&mut self, block: &[Stmt], wanted: bool) -> TypedValue {
        if !wanted {
            return self.block(block, false);
        }
        let slot = self.new_slot();
        let worth = self.block(block, true);
        let of = worth.of.clone();
        let value = self.expr(worth);
        self.hold(slot, "", &of);
        self.code.emit_let(slot, value, of.is_list());
        TypedValue::new(of, Machine::Local(slot))
    }

    /// Compiles a condition.
    pub(super) fn condition(&mut self, condition: &Expr) -> Machine {
        let worth = self.expression(condition);
        self.want_flag(condition, &worth.of);
        self.expr(worth)
    }

    /// Reports a condition that is not true or false.
    pub(super) fn want_flag(&mut self, condition: &Expr, of: &Type) {
        if matches!(of, Type::Flag | Type::Unknown) {
            return;
        }
        let words = self.words(of);
        let span = self.span(condition);
        let problem = Problem::error(codes::SCRIPT_TYPE, format!("a condition is true or false, but this is {words}"))
            .with_label(span, words);
        self.report(match of {
            Type::Number => problem.help("compare it, as in `… > 0`"),
            Type::OrNone(_) => problem.help("ask whether there is one with `… != ()`"),
            Type::List(_) | Type::Zone(_) => problem.help("ask whether it holds anything with `len(…) > 0`"),
            _ => problem.help("compare it with `==`"),
        });
    }

    // --- loops -------------------------------------------------------------------

    /// Compiles `while` and `loop`: unbounded rounds, which the machine counts.
    fn while_(&mut self, flow: &FlowControl) -> TypedValue {
        self.rounds(Machine::Constant(i32::MAX), |compiler, _| {
            if !matches!(flow.expr, Expr::Unit(_)) {
                let condition = compiler.condition(&flow.expr);
                let done = compiler.code.jump_unless(condition);
                compiler.leave_by(done);
            }
            compiler.block_where(flow.body.statements(), told(&flow.expr).holds, None);
        });
        TypedValue::nothing()
    }

    /// Compiles `do { … } while …` and `do { … } until …`. `continue` jumps to the condition.
    fn do_(&mut self, flow: &FlowControl, until: bool) -> TypedValue {
        self.rounds(Machine::Constant(i32::MAX), |compiler, _| {
            compiler.block(flow.body.statements(), false);
            let to_next = compiler.body.loops.last_mut().map(|open| std::mem::take(&mut open.to_next));
            compiler.code.land_all(to_next.unwrap_or_default());
            let condition = compiler.condition(&flow.expr);
            let goes_on = if until { Machine::Not(Box::new(condition)) } else { condition };
            let done = compiler.code.jump_unless(goes_on);
            compiler.leave_by(done);
        });
        TypedValue::nothing()
    }

    /// Adds a jump to the end of the innermost loop.
    fn leave_by(&mut self, jump: Address) {
        if let Some(open) = self.body.loops.last_mut() {
            open.to_end.push(jump);
        }
    }

    /// Compiles a loop with at most `most` rounds. `body` gets the slot that counts rounds from 1, and compiles one round.
    fn rounds(&mut self, most: Machine, body: impl FnOnce(&mut Self, Slot)) {
        let (variables, first) = (self.body.variables.len(), self.body.next_slot);
        let most = self.kept(most, &Type::Number);
        let (slot, _) = (self.new_slot(), self.new_slot());
        self.code.emit(Instruction::RepeatBegin { slot });
        let start = self.code.next_address();
        self.body.loops.push(OpenLoop::new(self.body.next_slot));
        let next = self.code.emit(Instruction::RepeatNext { slot, most, end: 0, tidy: FreedLists::Nothing });
        body(self, slot);
        self.end_loop(start, next);
        self.body.variables.truncate(variables);
        self.leave_slots(first);
    }

    /// Jumps back to the `start` of a loop and closes it. `next` is the instruction that begins a round or leaves the loop.
    fn end_loop(&mut self, start: Address, next: Address) {
        let back = self.code.jump();
        self.code.patch_jump(back, start);
        let open = self.body.loops.pop().unwrap_or_default();
        for jump in &open.to_next {
            self.code.patch_jump(*jump, start);
        }
        if let Some(instruction) = self.code.instruction_mut(next) {
            instruction.set_freed_lists(open.freed_lists());
        }
        if let Some(outer) = self.body.loops.last_mut() {
            open.pass_kept_lists(outer);
        }
        self.code.patch_to_next(next);
        self.code.land_all(open.to_end);
    }

    /// Compiles `for name in list` and `for (name, counter) in list`.
    fn each(&mut self, name: &Ident, counter: Option<&Ident>, flow: &FlowControl) {
        let worth = self.expression(&flow.expr);
        if let Value::Range(from, to) = worth.value {
            return self.count(name, counter, (from, to), flow);
        }
        let of = worth.of.clone();
        let member = of.member().unwrap_or_else(|| self.not_gone_through(&of, flow));
        let list = self.members(worth);
        let (variables, first) = (self.body.variables.len(), self.body.next_slot);
        let (slot, _, _) = (self.new_slot(), self.new_slot(), self.new_slot());
        self.hold(slot, "", &Type::List(Box::new(member.clone())));
        self.code.emit(Instruction::EachBegin { list, slot });
        let start = self.code.next_address();
        self.body.loops.push(OpenLoop::new(self.body.next_slot));
        let variable = self.new_slot();
        self.hold(variable, &name.name, &member);
        let next = self.code.emit(Instruction::EachNext { slot, variable, end: 0, tidy: FreedLists::Nothing });
        if let Some(counter) = counter {
            // The machine keeps the index of the next member.
            self.declare_counted(&counter.name, Machine::Local(slot + 1), 1);
        }
        self.body
            .variables
            .push(Variable { name: name.name.to_string(), worth: TypedValue::new(member, Machine::Local(variable)) });
        self.block(flow.body.statements(), false);
        self.end_loop(start, next);
        self.body.variables.truncate(variables);
        self.leave_slots(first);
    }

    /// Reports a value that `for` cannot go through. Returns a type for its members.
    fn not_gone_through(&mut self, of: &Type, flow: &FlowControl) -> Type {
        let (words, span) = (self.words(of), self.span(&flow.expr));
        let problem =
            Problem::error(codes::SCRIPT_TYPE, format!("`for` goes through a list, a zone or a range, but this is {words}"))
                .with_label(span, words);
        let help = if *of == Type::Number { "write `for i in 0..n { … }`" } else { "for example `for die in me.nest { … }`" };
        self.report(problem.help(help));
        Type::Unknown
    }

    /// Compiles a loop over the numbers from one up to another, exclusive.
    fn count(&mut self, name: &Ident, counter: Option<&Ident>, (from, to): (Machine, Machine), flow: &FlowControl) {
        let first = self.body.next_slot;
        let from = self.kept(from, &Type::Number);
        let most = Machine::Subtract(Box::new(to), Box::new(from.clone()));
        self.rounds(most, |compiler, round| {
            if let Some(counter) = counter {
                compiler.declare_counted(&counter.name, Machine::Local(round), 1);
            }
            let below = Machine::Add(Box::new(from), Box::new(Machine::Local(round)));
            compiler.declare_counted(&name.name, below, 1);
            compiler.block(flow.body.statements(), false);
        });
        self.leave_slots(first);
    }

    /// Declares a variable for a number, less a constant: rounds count from 1, and scripts from 0.
    fn declare_counted(&mut self, name: &str, number: Machine, less: i32) {
        let slot = self.new_slot();
        let value = Machine::Subtract(Box::new(number), Box::new(Machine::Constant(less)));
        self.declare(name, TypedValue::number(value), slot);
    }

    /// Compiles `return`, and joins the type of its value with those of earlier ones.
    fn returned(&mut self, value: Option<&Expr>) {
        let worth = value.map_or(TypedValue::nothing(), |value| self.expression(value));
        let of = worth.of.clone();
        let before = self.body.gives.take();
        let gives = match (before, value) {
            (None, _) => of,
            (Some(before), Some(value)) => {
                let span = self.span(value);
                self.common_type_or_error(before, of, span)
            }
            (Some(before), None) => before.either(of).unwrap_or(Type::Unknown),
        };
        self.body.gives = Some(gives);
        self.return_(worth);
    }

    // --- assignments -------------------------------------------------------------

    /// Compiles `place = value`, or an operator such as `+=`.
    fn assignment(&mut self, how: &OpAssignment, place: &Expr, value: &Expr) {
        match place {
            Expr::Variable(name, _, position) => {
                let worth = self.expression(value);
                self.assign_variable(&name.1, how, *position, value, worth);
            }
            Expr::Index(sides, ..) => self.assign_member(how, place, (&sides.lhs, &sides.rhs), value),
            _ => {
                self.expression(value);
                self.assign_field(how, place, value);
            }
        }
    }

    /// Assigns a compiled value to a variable. One that holds nothing, or an empty list, takes the type of the value.
    fn assign_variable(&mut self, name: &str, how: &OpAssignment, position: rhai::Position, value: &Expr, worth: TypedValue) {
        let Some(at) = self.place_of(name) else {
            self.unknown_variable(name, position);
            return;
        };
        let variable = self.body.variables[at].worth.clone();
        let old = variable.of.clone();
        if let Some((.., operator, sign)) = how.get_op_assignment_info() {
            let span = self.text.word(how.position());
            let made = self.operation(operator, sign, variable, worth, span);
            match made.of.fits(&old) {
                true => self.put_into(at, made),
                false => self.report_changed_type(&format!("`{name}`"), &old, &made.of, value),
            }
            return;
        }
        // Facts about the old value do not hold for the new one.
        self.body.facts.retain(|fact| *fact != at);
        let of = worth.of.clone();
        match &old {
            Type::Nothing => self.body.variables[at].worth.of = of.or_none(),
            old if old.is_open() && of.fits(old) => self.body.variables[at].worth.of = of,
            old if of.fits(old) => {
                if matches!(old, Type::OrNone(_)) && !matches!(of, Type::OrNone(_) | Type::Nothing | Type::Unknown) {
                    self.body.facts.push(at);
                }
            }
            old => return self.report_changed_type(&format!("`{name}`"), old, &of, value),
        }
        self.put_into(at, worth);
    }

    /// Compiles `list[0] = 3`: assigns a list with that member replaced to the variable.
    fn assign_member(&mut self, how: &OpAssignment, place: &Expr, (list, index): (&Expr, &Expr), value: &Expr) {
        let worth = self.expression(value);
        let old = self.expression(place);
        if matches!(self.base_of(place), Some(Type::Zone(_))) {
            let span = self.span(place);
            self.report_error(codes::CANNOT_SET, "what is in a zone cannot be set", span, "move pieces with `move_to`");
            return;
        }
        let wanted = old.of.clone();
        let made = match how.get_op_assignment_info() {
            Some((.., operator, sign)) => {
                let span = self.text.word(how.position());
                self.operation(operator, sign, old, worth, span)
            }
            None => worth,
        };
        if !made.of.fits(&wanted) {
            return self.report_changed_type("this place of the list", &wanted, &made.of, value);
        }
        let at = match list {
            Expr::Variable(name, ..) if !matches!(index, Expr::Dot(..) | Expr::Index(..)) => self.place_of(&name.1),
            _ => None,
        };
        let Some(at) = at else {
            let span = self.span(place);
            let problem =
                Problem::error(codes::CANNOT_SET, "only members of a variable's own list can be set").with_label(span, "here");
            return self.report(problem.help("keep the list with `let`, and change that"));
        };
        let member = self.stored(made, &wanted);
        let variable = self.body.variables[at].worth.clone();
        let (of, list) = (variable.of.clone(), self.expr(variable));
        let index = self.expression(index);
        let index = self.expr(index);
        self.put_into(at, TypedValue::new(of, calculated(Calculation::Replaced, [list, index, member])));
    }

    /// Reports a value of another type than its place holds.
    fn report_changed_type(&mut self, what: &str, old: &Type, new: &Type, value: &Expr) {
        let (old, new, span) = (self.words(old), self.words(new), self.span(value));
        let message = format!("{what} holds {old}, so it cannot become {new}");
        self.report(Problem::error(codes::SCRIPT_VARIABLE_TYPE, message).with_label(span, new).help("use a second variable"));
    }

    /// Reports `die.value = 3`: only functions change things, so that players are informed.
    fn assign_field(&mut self, how: &OpAssignment, place: &Expr, value: &Expr) {
        let (of, span) = (self.expression(place).of, self.span(place));
        if of.is_unknown() {
            return;
        }
        let (written, new) = (self.slice(span), self.span(value));
        let new = self.slice(new);
        let problem =
            Problem::error(codes::CANNOT_SET, format!("`{written}` cannot be set in this way")).with_label(span, "here");
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

/// The name of the called function, if an expression is a call.
fn gives_nothing(value: &Expr) -> Option<String> {
    match value {
        Expr::FnCall(call, _) if !call.is_operator_call() => Some(call.name.to_string()),
        _ => None,
    }
}
