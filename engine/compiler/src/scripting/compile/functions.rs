//! Compiles functions of scripts: the bodies of clauses, and the functions they call.
//!
//! The function of a clause runs in the clause's frame: the values that the clause knows, such as `me`, are in the first slots. A
//! called function gets a frame of its own, as a procedure. Its result type is inferred from its exits; a recursive one starts with
//! a guess, and is compiled again if that was wrong.

use super::values::{TypedValue, Value};
use super::{
    Body, Call, CompiledFunction, FunctionInProgress, ScriptCompiler, Type, Variable, WORK_OF_FUNCTION, statements, types,
};
use crate::scripting::read::Function;
use crate::scripting::text::FoundFunction;
use ludex_program::{Address, Expr, Instruction, KnownValue, NONE, ProcedureId, Shape, Slot, TABLE};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, closest_match, join_words};
use ludex_syntax::source::Span;
use std::rc::Rc;

/// Maximum call depth of functions during compilation.
const MOST_DEPTH: usize = 24;
/// Maximum number of times that a recursive function is compiled to infer its result type.
const MOST_GUESSES: usize = 4;

impl ScriptCompiler<'_> {
    /// Compiles the function `name` that runs a clause or granted move `of` that name. `known` are the values available there by
    /// name, and `slots` is the number of slots they take. Returns its address and its number of slots.
    pub(super) fn compile_entry_function(
        &mut self,
        of: &str,
        name: &str,
        (known, slots): (&[KnownValue], Slot),
        written: &[FoundFunction],
    ) -> Option<(Address, Slot)> {
        self.used.insert(name.to_string());
        let found = written.iter().find(|function| function.name == name)?;
        self.code.place.span = found.span;
        (self.body.next_slot, self.body.most_slots) = (slots, slots);
        let start = self.code.next_address();
        self.body.held = known.iter().filter(|known| known.column.is_none()).map(held).collect();
        self.begin_function();
        for (param, span) in &found.params {
            let worth = self.parameter(of, param, *span, known);
            self.body.variables.push(Variable { name: param.clone(), worth });
        }
        let function = self.function(name, found.params.len())?;
        self.body_of(&function);
        Some((start, self.body.most_slots))
    }

    /// The value of a clause for a parameter. If the function may change it, it is copied to a slot of the function's frame.
    fn parameter(&mut self, of: &str, param: &str, span: Span, known: &[KnownValue]) -> TypedValue {
        let Some(found) = known.iter().find(|known| known.name == *param) else {
            return match param {
                "table" => self.keep(TypedValue::new(Type::Entity(TABLE), Expr::Table)),
                _ => self.unknown_parameter(of, param, span, known),
            };
        };
        let value = match found.column {
            Some(column) => types::printed(Box::new(Expr::Local(found.slot)), column, &found.shape),
            None => Expr::Local(found.slot),
        };
        let worth = self.of_rules(value, &found.shape);
        match &worth.value {
            Value::Expr(Expr::Local(_)) => worth,
            _ => self.keep(worth),
        }
    }

    /// Reports a parameter whose name the clause does not know.
    fn unknown_parameter(&mut self, of: &str, param: &str, span: Span, known: &[KnownValue]) -> TypedValue {
        let mut names: Vec<&str> = known.iter().map(|known| known.name.as_str()).collect();
        names.push("table");
        let problem =
            Problem::error(codes::FUNCTION_PARAMETER, format!("`{param}` is not known to `{of}`")).with_label(span, "not known");
        self.report(match closest_match(param, names.iter().copied()) {
            Some(near) => problem.suggest_near(near),
            None => {
                problem.help(format!("a function gets its values by name; here it may ask for {}", join_words(&names, "and")))
            }
        });
        TypedValue::unknown()
    }

    /// The script's function with this name and number of parameters.
    pub(super) fn function(&self, name: &str, count: usize) -> Option<Rc<Function>> {
        self.functions.get(name)?.iter().find(|function| function.params.len() == count).cloned()
    }

    /// Emits a call of a function, which is compiled for the types of the arguments.
    pub(super) fn call_function(&mut self, function: &Function, given: Vec<TypedValue>) -> TypedValue {
        let call = Call {
            hook: self.body.hook,
            function: function.name.clone(),
            arguments: given.iter().map(|worth| worth.of.clone()).collect(),
        };
        if let Some(worth) = given.iter().find(|worth| matches!(worth.value, Value::Duration(_) | Value::Range(..))) {
            let words = self.words(&worth.of);
            self.report_error(
                codes::SCRIPT_FORBIDDEN,
                format!("{words} cannot be handed to a function"),
                self.code.place.span,
                "handed on here",
            );
            return TypedValue::unknown();
        }
        let (procedure, gives) = self.find_or_compile_function(function, &call);
        let arguments: Vec<Expr> = given.into_iter().map(|worth| self.expr(worth)).collect();
        if gives == Type::Nothing {
            self.code.emit(Instruction::Call { procedure, arguments, result: None });
            return TypedValue::nothing();
        }
        let slot = self.new_slot();
        self.hold(slot, "", &gives);
        self.code.emit(Instruction::Call { procedure, arguments, result: Some(slot) });
        TypedValue::new(gives, Expr::Local(slot))
    }

    /// The procedure of a function for the types of a call, and its result type. It is compiled now, unless it was before.
    fn find_or_compile_function(&mut self, function: &Function, call: &Call) -> (ProcedureId, Type) {
        self.used.insert(call.function.clone());
        if let Some(done) = self.done.iter().find(|done| done.call == *call) {
            return (done.procedure, done.gives.clone());
        }
        if let Some(active) = self.active.iter_mut().find(|active| active.call == *call) {
            // It is recursive: its result type follows from its other exits.
            active.is_guessed = true;
            return (active.procedure, active.guess.clone());
        }
        if self.active.len() >= MOST_DEPTH {
            self.report_error(
                codes::TOO_DEEP,
                format!("functions call each other more than {MOST_DEPTH} deep, each with values of other kinds"),
                function.span,
                "called by itself with lists of lists",
            );
            return (0, Type::Unknown);
        }
        if !self.spend(WORK_OF_FUNCTION) {
            return (0, Type::Unknown);
        }
        // The function's code is in the middle of its caller's, which jumps over it.
        let over = self.code.jump();
        let found = self.compile_function(function, call);
        self.code.patch_to_next(over);
        found
    }

    /// Compiles a function for a call, again with a better guess if its result type was guessed wrong.
    fn compile_function(&mut self, function: &Function, call: &Call) -> (ProcedureId, Type) {
        let (mark, done, mut guess) = (self.code.mark(), self.done.len(), Type::Unknown);
        for round in 1.. {
            let params = function.params.iter().cloned().zip(call.arguments.iter().map(|of| of.shape(self.program)));
            let procedure = self.code.procedure(&function.name, params.collect(), function.span);
            self.active.push(FunctionInProgress { call: call.clone(), procedure, guess: guess.clone(), is_guessed: false });
            let (mut gives, slots) = self.compile_in_own_frame(function, call);
            let active = self.active.pop();
            // No exit gives a value.
            if gives.is_unknown() {
                gives = Type::Nothing;
            }
            let is_wrong = active.is_some_and(|active| active.is_guessed && active.guess != gives);
            if is_wrong && round < MOST_GUESSES {
                self.code.go_back(mark);
                self.done.truncate(done);
                guess = gives;
                continue;
            }
            self.code.finish_procedure(procedure, gives.shape(self.program), slots);
            self.done.push(CompiledFunction { call: call.clone(), gives: gives.clone(), procedure });
            return (procedure, gives);
        }
        (0, Type::Unknown)
    }

    /// Compiles a function in its own frame. Returns its result type and its number of slots.
    fn compile_in_own_frame(&mut self, function: &Function, call: &Call) -> (Type, Slot) {
        let count = call.arguments.len() as Slot;
        let variable = |(slot, (name, of)): (usize, (&String, &Type))| Variable {
            name: name.clone(),
            worth: TypedValue::new(of.clone(), Expr::Local(slot as Slot)),
        };
        let variables = function.params.iter().zip(&call.arguments).enumerate().map(variable).collect();
        let rules = self.body.rules.clone();
        let inner = Body { variables, rules, hook: call.hook, next_slot: count, most_slots: count, ..Body::default() };
        let outer = std::mem::replace(&mut self.body, inner);
        let params = function.params.iter().zip(&call.arguments).enumerate();
        self.body.held = params.map(|(slot, (name, of))| (slot as Slot, name.clone(), of.shape(self.program))).collect();
        self.begin_function();
        let place = self.code.place.clone();
        let gives = self.body_of(function);
        self.code.place = place;
        let inner = std::mem::replace(&mut self.body, outer);
        self.begin_function();
        (gives, inner.most_slots)
    }

    /// Compiles the body of a function, with the return at its end. Returns its result type.
    fn body_of(&mut self, function: &Function) -> Type {
        let outer = self.text;
        self.text = outer.script().part(function.start);
        let mut last = self.block(&function.body, !self.body.of_clause);
        self.text = outer;
        // Branches of different types give no value.
        if last.of.is_unknown() && !self.active.last().is_some_and(|active| active.is_guessed) {
            last = TypedValue::nothing();
        }
        let of = last.of.clone();
        let gives = match self.body.gives.take() {
            // A function that always returns has no value at its end.
            Some(returned) if statements::leaves(&function.body) => returned,
            Some(returned) => self.common_type_or_error(returned, of.clone(), function.span),
            None => of.clone(),
        };
        if self.body.of_clause || gives == Type::Nothing {
            self.code.emit(Instruction::Return { value: None });
            return gives;
        }
        let value = self.expr(last);
        let at = self.code.emit(Instruction::Return { value: Some(value) });
        self.body.returns.push((at, of));
        let returns = std::mem::take(&mut self.body.returns);
        self.join_values(returns, &gives);
        gives
    }

    /// Compiles `return`, with or without a value.
    pub(super) fn return_(&mut self, worth: TypedValue) {
        if self.body.of_clause {
            self.code.emit(Instruction::Return { value: None });
            return;
        }
        let of = worth.of.clone();
        let value = if of == Type::Nothing { Expr::Constant(NONE) } else { self.expr(worth) };
        let at = self.code.emit(Instruction::Return { value: Some(value) });
        self.body.returns.push((at, of));
    }

    /// The common type of two branches. Reports an error if there is none.
    pub(super) fn common_type_or_error(&mut self, one: Type, other: Type, span: Span) -> Type {
        let (first, second) = (self.words(&one), self.words(&other));
        one.either(other).unwrap_or_else(|| {
            let message = format!("this gives {first} in one case and {second} in another");
            self.report(
                Problem::error(codes::SCRIPT_UNTYPED, message)
                    .with_label(span, "two kinds of value")
                    .help("give the same kind of value in every case"),
            );
            Type::Unknown
        })
    }
}

/// A known value as the contents of its slot.
fn held(known: &KnownValue) -> (Slot, String, Shape) {
    (known.slot, known.name.clone(), known.shape.clone())
}
