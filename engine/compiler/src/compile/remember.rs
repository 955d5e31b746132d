//! Memoises definitions that are evaluated for each member of a list or each candidate of a role. Values are cached by
//! arguments until something changes.
//!
//! Such a definition would be evaluated again for every member. It is only worth caching if its arguments are often the same ones
//! and its value takes a search through a list. Called by `calls` for each inlined definition.

use super::{Compiler, Local, Meaning};
use crate::types::Type;
use ludex_program::{Comparison, Expr, MOST_REMEMBERED, Quantifier, Slot};

impl Compiler<'_> {
    /// Memoises an inlined definition, or those of its `and` operands for which it pays off: it is evaluated for members or
    /// candidates, and its arguments do not differ for each. `of` is its type, `params` are its parameters, and `computed` the
    /// slots and values of arguments that are evaluated first.
    pub(super) fn memoise_definition(&mut self, expr: Expr, of: &Type, params: &[Local], computed: &[(Slot, Expr)]) -> Expr {
        let is_plain = params.len() <= MOST_REMEMBERED && !of.is_list() && params.iter().all(|param| !param.of.is_list());
        if !is_plain {
            return expr;
        }
        let argument = |param: &Local| match &param.meaning {
            Meaning::Slot(slot) => Expr::Local(*slot),
            Meaning::Alias(expr) => expr.clone(),
        };
        let arguments: Vec<Expr> = params.iter().map(argument).collect();
        let given = computed.iter().map(|(_, value)| value).chain(&arguments);
        let is_repeated =
            self.function.members.iter().any(|member| !given.clone().any(|given| differs_for_each_member(given, *member)));
        if is_repeated { self.memoise_part(expr, &arguments) } else { expr }
    }

    /// Memoises an expression if it is worth it, or the operands of an `and`.
    fn memoise_part(&mut self, expr: Expr, arguments: &[Expr]) -> Expr {
        match expr {
            // Searches test each operand separately.
            Expr::And(left, right) => {
                let [left, right] = [left, right].map(|part| Box::new(self.memoise_part(*part, arguments)));
                Expr::And(left, right)
            }
            expr if is_worth_memoising(&expr) => {
                // Beyond the maximum number, definitions are evaluated each time.
                let which = self.remembered;
                let Some(next) = which.checked_add(1) else { return expr };
                self.remembered = next;
                Expr::Remembered { which, arguments: arguments.to_vec(), value: Box::new(expr) }
            }
            expr => expr,
        }
    }
}

/// Whether an expression searches lists and reads only the board. Reads of modified values are counted, so they are not
/// cached.
fn is_worth_memoising(expr: &Expr) -> bool {
    let looks_through = |expr: &Expr| {
        matches!(
            expr,
            Expr::Quantified { .. }
                | Expr::Where { .. }
                | Expr::Map { .. }
                | Expr::MapList { .. }
                | Expr::MapZone { .. }
                | Expr::BestOne { .. }
                | Expr::BestAll { .. }
                | Expr::Every(_)
        )
    };
    let is_beside = |expr: &Expr| {
        matches!(
            expr,
            Expr::Fold { .. } | Expr::Can { .. } | Expr::CanWhere { .. } | Expr::Supposing { .. } | Expr::AnswerOf { .. }
        )
    };
    let is_told_at_once = asks_one_zone(expr, &looks_through);
    expr.contains(&looks_through) && !expr.contains(&is_beside) && !is_told_at_once
}

/// Whether an expression only asks if a zone has a piece with a known number: an index answers that as fast as the cache.
fn asks_one_zone(expr: &Expr, looks_through: &dyn Fn(&Expr) -> bool) -> bool {
    let Expr::Quantified { which: Quantifier::Any | Quantifier::NoneOf, list, condition, .. } = expr else { return false };
    let is_known = |number: &Expr| matches!(number, Expr::Constant(_) | Expr::Local(_));
    let is_equality = matches!(condition.as_ref(), Expr::Compare(Comparison::Equal, _, number) if is_known(number));
    is_equality
        && matches!(list.as_ref(), Expr::ZoneList(_))
        && !list.contains(looks_through)
        && !condition.contains(looks_through)
}

/// Whether an expression is likely to differ for each member: the member itself, or computed from it. Many members share a
/// field's value.
fn differs_for_each_member(expr: &Expr, member: Slot) -> bool {
    match expr {
        Expr::Local(slot) => *slot == member,
        Expr::Add(..) | Expr::Subtract(..) | Expr::Multiply(..) => expr.unbound_slots().contains(&member),
        Expr::Field { .. } | Expr::Held { .. } | Expr::Printed { .. } => false,
        other => {
            let mut is_another = false;
            other.visit_parts(&mut |part| is_another = is_another || differs_for_each_member(part, member));
            is_another
        }
    }
}
