//! The functions of rhai that scripts may use beside the table of the API: on numbers, texts and lists.

use super::{Checker, Type};
use crate::codes;
use crate::problem::Problem;
use rhai::{Expr, Position};

/// What each takes, in words, and what it is for. `list` before a name: it changes the list, which must be a variable.
pub static METHODS: &[(&str, &str, &str)] = &[
    ("abs", "abs(number)", "A number without its sign."),
    ("sign", "sign(number)", "-1, 0 or 1."),
    ("min", "min(number, number)", "The lower of two numbers."),
    ("max", "max(number, number)", "The higher of two numbers."),
    ("is_odd", "is_odd(number)", "Whether a number is odd."),
    ("is_even", "is_even(number)", "Whether a number is even."),
    ("is_empty", "is_empty(list)", "Whether a list or text is empty; of a zone, `len(zone) == 0`."),
    ("index_of", "index_of(list, member)", "The place of a member in a list, from 0; -1 if it is not there."),
    ("push", "list.push(member)", "Puts a member at the end of a list."),
    ("insert", "list.insert(place, member)", "Puts a member at a place of a list."),
    ("pop", "list.pop()", "Takes the last member off a list, and gives it; nothing if there is none."),
    ("remove", "list.remove(place)", "Takes the member at a place off a list, and gives it; nothing if there is none."),
    ("reverse", "list.reverse()", "Turns a list round."),
    ("sort", "list.sort()", "Sorts a list of numbers, lowest first."),
    ("clear", "list.clear()", "Empties a list."),
    ("to_string", "to_string(number)", "A number, or true or false, as a text."),
];

pub fn is_method(name: &str) -> bool {
    METHODS.iter().any(|(known, ..)| *known == name)
}

impl Checker<'_> {
    /// A call of one of [`METHODS`].
    pub(super) fn call_method(&mut self, name: &str, arguments: &[&Expr], given: &[Type], position: Position) -> Type {
        let changes = matches!(name, "push" | "insert" | "pop" | "remove" | "reverse" | "sort" | "clear");
        let number = |of: &Type| of.fits(&Type::Number);
        match (name, given) {
            (_, []) => self.unfit_method(name, position),
            ("abs" | "sign", [a]) if number(a) => Type::Number,
            ("min" | "max", [a, b]) if number(a) && number(b) => Type::Number,
            ("is_odd" | "is_even", [a]) if number(a) => Type::Flag,
            ("is_empty", [Type::List(_) | Type::Text | Type::Word(_) | Type::Unknown]) => Type::Flag,
            ("index_of", [Type::List(of), member]) if member.fits(of) => Type::Number,
            ("to_string", [Type::Number | Type::Flag | Type::Text | Type::Word(_) | Type::Unknown]) => Type::Text,
            (_, [list, rest @ ..]) if changes => self.change_list(name, arguments, list, rest, position),
            _ => self.unfit_method(name, position),
        }
    }

    fn change_list(&mut self, name: &str, arguments: &[&Expr], list: &Type, rest: &[Type], position: Position) -> Type {
        let of = match list {
            Type::List(of) => (**of).clone(),
            Type::Unknown => return Type::Unknown,
            Type::Zone(_) => {
                let span = self.text.word(position);
                let problem = Problem::error(codes::CANNOT_SET, format!("`{name}` does not work on a zone")).at(span, "here");
                self.report(problem.help("pieces are put into zones with `move_to`"));
                return Type::Unknown;
            }
            _ => return self.unfit_method(name, position),
        };
        let Some(Expr::Variable(variable, ..)) = arguments.first() else {
            let span = self.text.word(position);
            let problem =
                Problem::error(codes::CANNOT_SET, format!("`{name}` changes a list, and this one belongs to the rules"))
                    .at(span, "cannot be changed");
            self.report(problem.help("keep the list with `let`, and change that"));
            return Type::Unknown;
        };
        let grown = match (name, rest) {
            ("push", [member]) => Some(member),
            ("insert", [place, member]) if place.fits(&Type::Number) => Some(member),
            _ => None,
        };
        if let Some(member) = grown {
            self.grow(&variable.1, &of, member, arguments.last().copied());
            return Type::Nothing;
        }
        match (name, rest) {
            ("pop", []) => of.or_none(),
            ("remove", [place]) if place.fits(&Type::Number) => of.or_none(),
            ("reverse" | "clear", []) => Type::Nothing,
            ("sort", []) if of.fits(&Type::Number) => Type::Nothing,
            _ => self.unfit_method(name, position),
        }
    }

    /// The first member of an empty list tells what it holds.
    fn grow(&mut self, list: &str, of: &Type, member: &Type, written: Option<&Expr>) {
        if of.is_open() {
            if let Some(at) = self.place_of(list) {
                self.body.variables[at].of = member.clone().list();
            }
        } else if !member.fits(of) {
            let (holds, new) = (self.words(&of.clone().list()), self.words(member));
            if let Some(written) = written {
                let span = self.span(written);
                self.complain(
                    codes::SCRIPT_ARGUMENT_TYPE,
                    format!("`{list}` is {holds}, so it cannot take {new}"),
                    span,
                    new.clone(),
                );
            }
        }
    }

    fn unfit_method(&mut self, name: &str, position: Position) -> Type {
        let written = METHODS.iter().find(|(known, ..)| *known == name).map_or("", |(_, written, _)| written);
        let span = self.text.word(position);
        let problem =
            Problem::error(codes::SCRIPT_ARGUMENT_TYPE, format!("`{name}` needs something to work on")).at(span, "here");
        self.report(problem.help(format!("write `{written}`")));
        Type::Unknown
    }
}
