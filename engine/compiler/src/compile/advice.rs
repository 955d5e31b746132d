//! Suggestions for values of a wrong type, or that cannot be compared.
//!
//! Each function returns the help text of an error, or none if there is nothing better to say.

use super::Compiler;
use crate::types::Type;
use ludex_program::Comparison;

impl Compiler<'_> {
    /// Suggests a replacement for a value of a wrong type.
    pub(super) fn suggest_replacement(&self, found: &Type, wanted: &Type) -> Option<String> {
        match (found.without_none(), wanted.without_none()) {
            (Type::Text, Type::Number | Type::Halves | Type::Word(_) | Type::Flag) => {
                Some("numbers and words need no quotation marks; a text is only shown, or compared with `is`".to_string())
            }
            (Type::Flag, Type::Number | Type::Halves) => Some("choose between numbers, as in `if … then 1 else 0`".to_string()),
            (Type::Number | Type::Halves, Type::Flag) => Some("compare it with something, as in `… = 3`".to_string()),
            (Type::List(_) | Type::Zone(_), Type::Number | Type::Halves) => {
                Some("count them, `count of …`, or add up a value of each, `sum of …`".to_string())
            }
            (Type::List(item), wanted) if **item == *wanted => Some("take one of them, as in `first of …`".to_string()),
            (Type::Zone(kind), Type::Entity(wanted)) if kind == wanted => {
                Some("take one of them, as in `first of …`".to_string())
            }
            (found, wanted) => self.member_of_type(found, |of| of.without_none() == wanted).map(|name| member_advice(&name)),
        }
    }

    /// Suggests a replacement for an invalid comparison.
    pub(super) fn suggest_comparison(&self, comparison: Comparison, left: &Type, right: &Type) -> Option<String> {
        let several = |of: &Type| matches!(of, Type::List(_) | Type::Zone(_));
        let identity = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        match (left, right) {
            (several_things, Type::None) | (Type::None, several_things) if several(several_things) => {
                Some("write `is empty` or `is not empty`".to_string())
            }
            (Type::Zone(_), Type::Zone(_)) if identity => Some(
                "write `count of …` on both sides to compare how many there are, or `is` to ask for the same place".to_string(),
            ),
            (one, other) if several(one) && several(other) => {
                Some("write `count of …` on both sides to compare how many there are".to_string())
            }
            (one, other) if several(one) || several(other) => {
                Some("count them, `count of …`, or add up a value of each, `sum of …`".to_string())
            }
            (Type::OrNone(inner), other) | (other, Type::OrNone(inner)) if inner.is_number() && other.is_number() => {
                Some("`sum of …` makes it a number, which is 0 for none".to_string())
            }
            (one, other) => {
                let thing = if one.is_number() { other } else { one };
                self.member_of_type(thing, Type::is_number).map(|name| member_advice(&name))
            }
        }
    }

    /// Finds a member whose type passes a test: one that the rules give to a thing or a move, or a column of its sheet.
    fn member_of_type(&self, of: &Type, fits: impl Fn(&Type) -> bool) -> Option<String> {
        match of.without_none() {
            Type::Entity(kind) => {
                let names = self.symbols.member_names(*kind);
                let printed = self.symbols.sheet_of(*kind);
                let known = |name: &String| {
                    let field = self.symbols.find_field(*kind, name);
                    field.or_else(|| self.symbols.find_column(printed?, name)).is_some_and(|(_, of)| fits(&of))
                };
                // The rules' own members come after the built-in ones.
                names.into_iter().rfind(known)
            }
            Type::Sheet(sheet) => {
                let known = |name: &&str| self.symbols.find_column(*sheet, name).is_some_and(|(_, of)| fits(&of));
                self.symbols.column_names(*sheet).find(known).map(str::to_string)
            }
            Type::Move(family) => {
                let fields = &self.symbols.families[usize::from(*family)].fields;
                fields.iter().find(|(_, of, _)| fits(of)).map(|(name, ..)| name.clone())
            }
            _ => None,
        }
    }
}

fn member_advice(member: &str) -> String {
    format!("name the member that you mean, such as `….{member}`")
}
