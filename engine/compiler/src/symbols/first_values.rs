//! First values of fields: most types have a default, others need a declared one.

use super::super::types::Type;
use super::Symbols;
use ludex_program::{KindId, KindSort};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, with_article};
use ludex_syntax::tree::{Name, TypeKind, TypeName};

impl Symbols<'_> {
    /// Whether a field must have a declared first value, because its things exist from the start and its type has no default.
    pub(super) fn needs_first_value(&self, kind: KindId, of: &Type) -> bool {
        let may_be_created = self.kinds[usize::from(kind)].sort == KindSort::Piece && self.sheet_of(kind).is_none();
        // An invalid field type is reported elsewhere.
        !may_be_created && !of.to_shape().has_first_value()
    }
}

/// The error for a field without a first value.
pub(super) fn first_value_problem(name: &Name, of: &TypeName) -> Problem {
    let of = type_name_text(of);
    let message = format!("`{}` is {} from the beginning, but it is not clear which one", name.text, with_article(&of));
    let problem = Problem::error(codes::NO_FIRST_VALUE, message).with_label(name.span, "no first value");
    problem.help(format!("write `{of} or none`, or give it a first value: `{}: {of} = …`", name.text))
}

/// A type as written in the rules.
pub(super) fn type_name_text(of: &TypeName) -> String {
    match &of.kind {
        TypeKind::Named(name) => name.text.clone(),
        TypeKind::ListOf(inner) => format!("list of {}", type_name_text(inner)),
        TypeKind::ZoneOf(name) => format!("zone of {}", name.text),
        TypeKind::OrNone(inner) => format!("{} or none", type_name_text(inner)),
        TypeKind::Whatever => "thing".to_string(),
    }
}
