//! Compiles the functions of rhai that scripts may use besides those of the API: on numbers, texts and lists.
//!
//! A list of a script is a value: to change it, a new list is put into the variable. A list is open while it is empty and the type
//! of its members is not known yet.

use super::values::{TypedValue, Value, calculated};
use super::{ScriptCompiler, Type, Variable};
use crate::scripting::read::Closure;
use ludex_program::{Calculation, Comparison, Expr as Machine, Quantifier};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use rhai::{Expr, Position, Stmt};

/// The functions that change a list.
const CHANGING: &[&str] = &["push", "insert", "pop", "remove", "reverse", "sort", "clear"];

/// The form and the description of each. `list` before a name: it changes the list, which must be a variable.
pub static METHODS: &[(&str, &str, &str)] = &[
    ("abs", "abs(number)", "A number without its sign."),
    ("sign", "sign(number)", "-1, 0 or 1."),
    ("min", "min(number, number)", "The lower of two numbers."),
    ("max", "max(number, number)", "The higher of two numbers."),
    ("is_odd", "is_odd(number)", "Whether a number is odd."),
    ("is_even", "is_even(number)", "Whether a number is even."),
    ("is_empty", "is_empty(things)", "Whether a list, a zone or a text is empty."),
    ("index_of", "index_of(list, member)", "The place of a member in a list, from 0; -1 if it is not there."),
    ("filter", "list.filter(|x| condition)", "The members for which a condition is true."),
    ("map", "list.map(|x| value)", "A value for each member, as a list."),
    ("some", "list.some(|x| condition)", "Whether a condition is true for one member or more."),
    ("all", "list.all(|x| condition)", "Whether a condition is true for each member; for an empty list it is."),
    ("push", "list.push(member)", "Puts a member at the end of a list."),
    ("insert", "list.insert(place, member)", "Puts a member at a place of a list."),
    ("pop", "list.pop()", "Takes the last member off a list, and gives it; nothing if there is none."),
    ("remove", "list.remove(place)", "Takes the member at a place off a list, and gives it; nothing if there is none."),
    ("reverse", "list.reverse()", "Turns a list round."),
    ("sort", "list.sort()", "Sorts a list of numbers, lowest first."),
    ("clear", "list.clear()", "Empties a list."),
    ("to_string", "to_string(number)", "A number, or true or false, as a text."),
];

/// The functions that take a closure, which is evaluated for each member of a list.
const ASKING: &[&str] = &["filter", "map", "some", "all"];

/// Whether a function takes a closure.
pub fn takes_closure(name: &str) -> bool {
    ASKING.contains(&name)
}

/// Whether a function is one of [`METHODS`].
pub fn is_method(name: &str) -> bool {
    METHODS.iter().any(|(known, ..)| *known == name)
}

/// Whether it is one of [`METHODS`] that changes nothing.
pub fn is_looking(name: &str) -> bool {
    is_method(name) && !CHANGING.contains(&name)
}

impl ScriptCompiler<'_> {
    /// Compiles a call of one of [`METHODS`] without a closure.
    pub(super) fn call_method(
        &mut self,
        name: &str,
        arguments: &[&Expr],
        given: Vec<TypedValue>,
        position: Position,
    ) -> TypedValue {
        if CHANGING.contains(&name) {
            return self.change_list(name, arguments, given, position);
        }
        let mut given = given.into_iter();
        let is_number = |worth: &TypedValue| worth.of.fits(&Type::Number);
        match (name, given.next(), given.next(), given.next()) {
            ("abs" | "sign", Some(a), None, None) if is_number(&a) => self.signed(name, a),
            ("min" | "max", Some(a), Some(b), None) if is_number(&a) && is_number(&b) => {
                let (a, b) = (Box::new(self.expr(a)), Box::new(self.expr(b)));
                TypedValue::number(if name == "min" { Machine::AtMost(a, b) } else { Machine::AtLeast(a, b) })
            }
            ("is_odd", Some(a), None, None) if is_number(&a) => TypedValue::flag(Machine::IsOdd(Box::new(self.expr(a)))),
            ("is_even", Some(a), None, None) if is_number(&a) => {
                TypedValue::flag(Machine::Not(Box::new(Machine::IsOdd(Box::new(self.expr(a))))))
            }
            ("is_empty", Some(a), None, None) if matches!(a.of, Type::Zone(_)) => {
                let count = Machine::CountZone(Box::new(self.expr(a)));
                TypedValue::flag(Machine::Compare(Comparison::Equal, Box::new(count), Box::new(Machine::Constant(0))))
            }
            ("is_empty", Some(a), None, None) if matches!(a.of, Type::List(_) | Type::Text | Type::Word(_) | Type::Unknown) => {
                let count = self.length(a);
                TypedValue::flag(Machine::Compare(Comparison::Equal, Box::new(count), Box::new(Machine::Constant(0))))
            }
            ("index_of", Some(list), Some(member), None)
                if matches!(&list.of, Type::List(of) if member.of.fits(of)) && arguments.len() == 2 =>
            {
                self.place_in(list, member, arguments[1])
            }
            ("to_string", Some(a), None, None)
                if matches!(a.of, Type::Number | Type::Flag | Type::Text | Type::Word(_) | Type::Unknown) =>
            {
                TypedValue::text(self.parts(a))
            }
            _ => self.unfit_method(name, position),
        }
    }

    /// Compiles `list.filter(|x| …)` and similar calls. The closure must be an expression of the member.
    pub(super) fn compile_closure_call(
        &mut self,
        name: &str,
        list: TypedValue,
        closure: &Closure,
        position: Position,
    ) -> TypedValue {
        let (Some(member), [param], Some(body)) = (list.of.member(), closure.params.as_slice(), only_value(&closure.body)) else {
            return self.unfit_method(name, position);
        };
        if self.acts(body) {
            let span = self.span(body);
            self.forbid("a function without a name can only look", span, "go through the list with `for … in`");
            return TypedValue::unknown();
        }
        let (list, slot) = (Box::new(self.members(list)), self.new_slot());
        let (variables, facts) = (self.body.variables.len(), self.body.facts.len());
        let worth = TypedValue::new(member.clone(), Machine::Local(slot));
        self.body.variables.push(Variable { name: param.clone(), worth });
        let told = self.expression(body);
        let of = told.of.clone();
        if name != "map" {
            self.want_flag(body, &of);
        }
        let told = Box::new(self.expr(told));
        self.body.variables.truncate(variables);
        self.body.facts.truncate(facts);
        match name {
            "filter" => TypedValue::new(member.list(), Machine::Where { list, slot, condition: told }),
            "map" if of.is_list() => {
                let span = self.span(body);
                self.forbid("`map` gives no lists and no texts", span, "fill a list with `push`");
                TypedValue::unknown()
            }
            "map" => TypedValue::new(of.list(), Machine::Map { list, slot, value: told }),
            _ => {
                let which = if name == "some" { Quantifier::Any } else { Quantifier::All };
                TypedValue::flag(Machine::Quantified { which, list, slot, condition: told })
            }
        }
    }

    /// The length of a list or a text.
    pub(super) fn length(&mut self, worth: TypedValue) -> Machine {
        match worth.of {
            Type::Zone(_) => Machine::CountZone(Box::new(self.expr(worth))),
            Type::Word(_) => Machine::CountList(Box::new(self.stored(worth, &Type::Text))),
            _ => Machine::CountList(Box::new(self.members(worth))),
        }
    }

    /// Compiles `abs` or `sign` of a number. The number is evaluated once into a slot, because it is read several times.
    fn signed(&mut self, name: &str, number: TypedValue) -> TypedValue {
        let (slot, value) = (self.new_slot(), Box::new(self.expr(number)));
        let it = || Box::new(Machine::Local(slot));
        let zero = || Box::new(Machine::Constant(0));
        let then = match name {
            "abs" => Machine::AtLeast(it(), Box::new(Machine::Subtract(zero(), it()))),
            _ => {
                let sign = |number| Box::new(Machine::Constant(number));
                let below = Machine::Compare(Comparison::Less, it(), zero());
                let above = Machine::Compare(Comparison::Greater, it(), zero());
                Machine::If(Box::new(below), sign(-1), Box::new(Machine::If(Box::new(above), sign(1), sign(0))))
            }
        };
        TypedValue::number(Machine::With { slot, value, then: Box::new(then) })
    }

    /// Compiles a function that changes the list in a variable, by assigning a new list.
    fn change_list(&mut self, name: &str, arguments: &[&Expr], given: Vec<TypedValue>, position: Position) -> TypedValue {
        let mut given = given.into_iter();
        let list = given.next().map_or(Type::Nothing, |worth| worth.of);
        let of = match list {
            Type::List(of) => *of,
            Type::Unknown => return TypedValue::unknown(),
            Type::Zone(_) => {
                let span = self.text.word(position);
                let problem =
                    Problem::error(codes::CANNOT_SET, format!("`{name}` does not work on a zone")).with_label(span, "here");
                self.report(problem.help("pieces are put into zones with `move_to`"));
                return TypedValue::unknown();
            }
            _ => return self.unfit_method(name, position),
        };
        let variable = match arguments.first() {
            Some(Expr::Variable(variable, ..)) => self.place_of(&variable.1).map(|at| (at, variable.1.to_string())),
            _ => None,
        };
        let Some((at, variable)) = variable else {
            let span = self.text.word(position);
            let problem =
                Problem::error(codes::CANNOT_SET, format!("`{name}` changes a list, and this one belongs to the rules"))
                    .with_label(span, "cannot be changed");
            self.report(problem.help("keep the list with `let`, and change that"));
            return TypedValue::unknown();
        };
        let is_number = |worth: &TypedValue| worth.of.fits(&Type::Number);
        match (name, given.next(), given.next(), given.next()) {
            ("push", Some(member), None, None) => {
                let held = self.check_new_member(&variable, &of, &member.of, arguments.last().copied());
                let member = self.stored(member, &held);
                self.change(at, |list| Machine::Concatenate(Box::new(list), Box::new(Machine::ListOf(vec![member]))))
            }
            ("insert", Some(place), Some(member), None) if is_number(&place) => {
                let held = self.check_new_member(&variable, &of, &member.of, arguments.last().copied());
                let (place, member) = (self.expr(place), self.stored(member, &held));
                self.change(at, |list| calculated(Calculation::Inserted, [list, place, member]))
            }
            ("pop", None, None, None) => self.take(at, of, Machine::Constant(-1)),
            ("remove", Some(place), None, None) if is_number(&place) => {
                let place = self.expr(place);
                let place = self.kept(place, &Type::Number);
                self.take(at, of, place)
            }
            ("reverse", None, None, None) => self.change(at, |list| calculated(Calculation::Reversed, [list])),
            ("clear", None, None, None) => self.change(at, |_| Machine::ListOf(Vec::new())),
            ("sort", None, None, None) if of.fits(&Type::Number) => {
                self.change(at, |list| Machine::Sorted { down: false, list: Box::new(list) })
            }
            _ => self.unfit_method(name, position),
        }
    }

    /// Puts a changed list into the variable at an index.
    fn change(&mut self, at: usize, change: impl FnOnce(Machine) -> Machine) -> TypedValue {
        let TypedValue { of, value } = self.body.variables[at].worth.clone();
        if let Value::Expr(list) = value {
            self.put_into(at, TypedValue::new(of, change(list)));
        }
        TypedValue::nothing()
    }

    /// Removes the member at an index (`place`) from the list in the variable at `at`. Returns the member, or nothing if there is
    /// none.
    fn take(&mut self, at: usize, of: Type, place: Machine) -> TypedValue {
        let list = self.body.variables[at].worth.clone();
        let taken = calculated(Calculation::MemberOrNone, [self.expr(list), place.clone()]);
        let taken = self.kept(taken, &of.clone().or_none());
        self.change(at, |list| calculated(Calculation::Dropped, [list, place]));
        TypedValue::new(of.or_none(), taken)
    }

    /// Checks that a list can take a new member, and infers the type of an empty list from it. Returns the member type.
    fn check_new_member(&mut self, list: &str, of: &Type, member: &Type, written: Option<&Expr>) -> Type {
        if of.is_open() {
            if let Some(at) = self.place_of(list) {
                self.body.variables[at].worth.of = member.clone().list();
            }
            return member.clone();
        }
        if !member.fits(of) {
            let (holds, new) = (self.words(&of.clone().list()), self.words(member));
            if let Some(written) = written {
                let span = self.span(written);
                self.report_error(
                    codes::SCRIPT_ARGUMENT_TYPE,
                    format!("`{list}` is {holds}, so it cannot take {new}"),
                    span,
                    new.clone(),
                );
            }
        }
        of.clone()
    }

    /// Reports a call of one of [`METHODS`] with the wrong arguments.
    fn unfit_method(&mut self, name: &str, position: Position) -> TypedValue {
        let written = METHODS.iter().find(|(known, ..)| *known == name).map_or("", |(_, written, _)| written);
        let span = self.text.word(position);
        let problem =
            Problem::error(codes::SCRIPT_ARGUMENT_TYPE, format!("`{name}` needs something to work on")).with_label(span, "here");
        self.report(problem.help(format!("write `{written}`")));
        TypedValue::unknown()
    }
}

/// The single expression of a closure's body.
fn only_value(body: &[Stmt]) -> Option<&Expr> {
    match body {
        [Stmt::Expr(value)] => Some(value),
        [Stmt::Block(block)] => only_value(block.statements()),
        _ => None,
    }
}
