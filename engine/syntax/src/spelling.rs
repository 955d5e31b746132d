//! The spelling of expressions, independent of their place. Expressions have no side effects, so two with the same spelling at
//! one place have the same value. The compiler compares them to find conditions and rows that repeat others.

use super::tree::{Expr, ExprKind, Text, TextPart};
use std::fmt::Write;
use std::mem::discriminant;

/// A canonical spelling: two expressions share it only if they say the same.
pub fn canonical_spelling(expr: &Expr) -> String {
    let mut spelling = String::new();
    spell_expr(expr, &mut spelling);
    spelling
}

/// Whether two expressions have the same spelling.
pub fn are_alike(one: &Expr, other: &Expr) -> bool {
    discriminant(&one.kind) == discriminant(&other.kind) && canonical_spelling(one) == canonical_spelling(other)
}

/// Adds the spelling of an expression to `into`.
fn spell_expr(expr: &Expr, into: &mut String) {
    match &expr.kind {
        ExprKind::Number(number) => push_display(into, number),
        ExprKind::None => into.push_str("none"),
        ExprKind::Text(text) => spell_text(text, into),
        ExprKind::Name(name) => into.push_str(name),
        ExprKind::Member(of, name) => spell_form(into, &format!(".{}", name.text), [of.as_ref()]),
        ExprKind::Call(name, arguments) => spell_form(into, &format!("{}()", name.text), arguments),
        ExprKind::List(members) => spell_form(into, "[]", members),
        ExprKind::Range(from, to) => spell_form(into, "..", [from.as_ref(), to]),
        ExprKind::Not(inner) => spell_form(into, "not", [inner.as_ref()]),
        ExprKind::Binary(operator, left, right) => spell_form(into, &format!("{operator:?}"), [left.as_ref(), right]),
        ExprKind::Is { negated, left, right } => spell_form(into, is_or_not(*negated), [left.as_ref(), right]),
        ExprKind::IsState { negated, left, state } => {
            spell_form(into, &format!("{} {state:?}", is_or_not(*negated)), [left.as_ref()]);
        }
        ExprKind::IsA { negated, left, kind } => {
            spell_form(into, &format!("{} a {}", is_or_not(*negated), kind.text), [left.as_ref()])
        }
        ExprKind::In { negated, item, set } => spell_form(into, &format!("{} in", is_or_not(*negated)), [item.as_ref(), set]),
        ExprKind::If(condition, yes, no) => spell_form(into, "if", [condition.as_ref(), yes, no]),
        ExprKind::Where(set, condition) => spell_form(into, "where", [set.as_ref(), condition]),
        ExprKind::Called(set, name) => spell_form(into, &format!("as {}", name.text), [set.as_ref()]),
        ExprKind::Of(word, inner) => spell_form(into, &format!("{word} of"), [inner.as_ref()]),
        ExprKind::Keep { extreme, count, list } => spell_form(into, &format!("keep {extreme:?}"), [count.as_ref(), list]),
        ExprKind::Sorted { down, list, missing } => spell_form(into, &format!("sorted {down} {missing:?}"), [list.as_ref()]),
        ExprKind::Top(count, zone) => spell_form(into, "top", [count.as_ref(), zone]),
        ExprKind::Nth(place, list) => spell_form(into, "member", [place.as_ref(), list]),
        ExprKind::OnBoard(word, operands) => spell_form(into, &format!("{word:?}"), operands),
        ExprKind::Quantified { which, set, condition } => spell_form(into, &format!("{which:?}"), [set.as_ref(), condition]),
        ExprKind::Best { one, set, keys } => {
            let ways: Vec<_> = keys.iter().map(|key| (key.extreme, key.missing)).collect();
            let parts = std::iter::once(set.as_ref()).chain(keys.iter().map(|key| &key.value));
            spell_form(into, &format!("best {one} {ways:?}"), parts);
        }
        ExprKind::Can { obliging, family, arguments } => {
            spell_form(into, &format!("{} {}", if *obliging { "can" } else { "may" }, family.text), arguments);
        }
        ExprKind::Supposing(changes, then) => {
            let parts = changes.iter().flat_map(|(place, value)| [place, value]).chain([then.as_ref()]);
            spell_form(into, "supposing", parts);
        }
        ExprKind::Divided { left, right, up } => spell_form(into, &format!("divided {up}"), [left.as_ref(), right]),
    }
}

fn is_or_not(negated: bool) -> &'static str {
    if negated { "is not" } else { "is" }
}

fn push_display(into: &mut String, word: impl std::fmt::Display) {
    // Writing to a string cannot fail.
    let _ = write!(into, "{word}");
}

/// Spells a form as a head with its parts in brackets.
fn spell_form<'a>(into: &mut String, head: &str, parts: impl IntoIterator<Item = &'a Expr>) {
    into.push_str(head);
    into.push('(');
    for part in parts {
        spell_expr(part, into);
        into.push(',');
    }
    into.push(')');
}

/// Spells a text with its holes.
fn spell_text(text: &Text, into: &mut String) {
    for part in &text.parts {
        match part {
            TextPart::Words(words) => push_display(into, format_args!("{words:?}")),
            TextPart::Hole(hole) => spell_form(into, "hole", [hole]),
        }
    }
}
