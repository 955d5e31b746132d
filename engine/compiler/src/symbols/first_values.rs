//! What fields begin as: most types have something to begin with, others need a first value.

use super::super::types::Type;
use super::Symbols;
use ludex_program::{KindId, KindSort};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, with_article};
use ludex_syntax::tree::{Name, TypeKind, TypeName};

impl Symbols<'_> {
    /// Whether things of a kind are there from the beginning, so that nothing but a first value says what their field is.
    pub(super) fn needs_first_value(&self, kind: KindId, of: &Type) -> bool {
        let may_be_created = self.kinds[usize::from(kind)].sort == KindSort::Piece && self.sheet_of(kind).is_none();
        // Of what is no type for a field something else is said.
        !may_be_created && !of.shape().begins_by_itself()
    }
}

/// A field that nobody has given anything to begin with.
pub(super) fn no_first_value(name: &Name, of: &TypeName) -> Problem {
    let of = written(of);
    let message = format!("`{}` is {} from the beginning, but it is not clear which one", name.text, with_article(&of));
    let problem = Problem::error(codes::NO_FIRST_VALUE, message).at(name.span, "no first value");
    problem.help(format!("write `{of} or none`, or give it a first value: `{}: {of} = …`", name.text))
}

/// A type in the words of the rules.
pub(super) fn written(of: &TypeName) -> String {
    match &of.kind {
        TypeKind::Named(name) => name.text.clone(),
        TypeKind::ListOf(inner) => format!("list of {}", written(inner)),
        TypeKind::ZoneOf(name) => format!("zone of {}", name.text),
        TypeKind::OrNone(inner) => format!("{} or none", written(inner)),
        TypeKind::Whatever => "thing".to_string(),
    }
}
