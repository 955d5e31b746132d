//! Ranges of numeric expressions, judged by their form: literals, options, counters, fields with a range, and counts.
//! Definitions are not followed, because another package or mode may change them.
//!
//! Used to warn of comparisons that always or never hold, and to report empty bounds of a choice.

use super::Compiler;
use crate::resolve::empty_range_problem;
use crate::types::Type;
use ludex_program::{Comparison, Expr, GameOptionKind, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Expr as Written, ExprKind};

/// The lowest and the highest possible number.
pub(super) type NumberRange = (i64, i64);

impl Compiler<'_> {
    /// The range of the number that `written` was just lowered to, `expr` of type `of`; none if it is unknown. The range of a field
    /// is only known directly after it was read.
    pub(super) fn number_range(&self, written: &Written, expr: &Expr, of: &Type) -> Option<NumberRange> {
        if *of != Type::Number {
            return None;
        }
        match (&written.kind, expr) {
            (ExprKind::Number(number), _) => Some((*number, *number)),
            (ExprKind::Name(_), Expr::Option(option)) => self.option_range(*option),
            (ExprKind::Name(_) | ExprKind::Member(..), Expr::Field { .. }) => self.last_read,
            (ExprKind::Of(..), Expr::CountZone(_) | Expr::CountList(_)) => Some((0, i64::from(Value::MAX))),
            _ => None,
        }
    }

    /// The numbers that an option may have.
    fn option_range(&self, option: u16) -> Option<NumberRange> {
        match self.program.options.get(usize::from(option))?.kind {
            GameOptionKind::Number { least, most } => Some((i64::from(least), i64::from(most))),
            GameOptionKind::Words(_) => None,
        }
    }

    /// Warns of a comparison that has the same result for all possible numbers.
    pub(super) fn warn_if_settled(
        &mut self,
        comparison: Comparison,
        (left, right): (Option<NumberRange>, Option<NumberRange>),
        span: Span,
    ) {
        // In a definition, the range may be that of one particular argument.
        if !self.open || self.function.defined_inside > 0 {
            return;
        }
        let (Some(left), Some(right)) = (left, right) else { return };
        let Some(holds) = comparison_result(comparison, left, right) else { return };
        let message = format!("this {} holds", if holds { "always" } else { "never" });
        let problem = Problem::warning(codes::ALWAYS_SO, message).with_label(span, ranges_text(left, right));
        self.problems.push(problem.help("compare it with a number inside its range, or leave the condition out"));
    }

    /// Reports a certain division by 0.
    pub(super) fn expect_not_zero(&mut self, written: &Written, divisor: &Expr) {
        if *divisor == Expr::Constant(0) && matches!(written.kind, ExprKind::Number(0)) {
            self.report_error(codes::DIVISION_BY_ZERO, "a number cannot be divided by 0", written.span, "this is 0");
        }
    }

    /// Checks the bounds of a choice, if they are known.
    pub(super) fn expect_some_between(&mut self, least: &Expr, most: &Expr, span: Span) {
        if let (Some(from), Some(to)) = (self.constant_range(least), self.constant_range(most))
            && from.0 > to.1
        {
            self.problems.push(empty_range_problem(from.0, to.1).with_label(span, "the higher number comes first"));
        }
    }

    /// The range of a bound that is a constant or an option.
    fn constant_range(&self, expr: &Expr) -> Option<NumberRange> {
        match expr {
            Expr::Constant(number) => Some((i64::from(*number), i64::from(*number))),
            Expr::Option(option) => self.option_range(*option),
            _ => None,
        }
    }
}

/// The result of a comparison, if it is the same for all numbers of two ranges.
fn comparison_result(comparison: Comparison, left: NumberRange, right: NumberRange) -> Option<bool> {
    let (below, above) = (left.1 < right.0, left.0 > right.1);
    let (at_most, at_least) = (left.1 <= right.0, left.0 >= right.1);
    let one = left.0 == left.1 && left == right;
    let (always, never) = match comparison {
        Comparison::Equal => (one, below || above),
        Comparison::NotEqual => (below || above, one),
        Comparison::Less => (below, at_least),
        Comparison::LessEqual => (at_most, above),
        Comparison::Greater => (above, at_most),
        Comparison::GreaterEqual => (at_least, below),
    };
    if always { Some(true) } else { never.then_some(false) }
}

/// Describes the ranges, as in “from 0 to 9, compared with 12”.
fn ranges_text(left: NumberRange, right: NumberRange) -> String {
    format!("{}, compared with {}", range_text(left), range_text(right))
}

fn range_text((least, most): NumberRange) -> String {
    match (least, most) {
        (least, most) if least == most => least.to_string(),
        (least, most) if most == i64::from(Value::MAX) => format!("at least {least}"),
        (least, most) => format!("from {least} to {most}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with what each comparison says of every pair of numbers.
    #[test]
    fn a_comparison_is_settled_if_all_numbers_agree() {
        use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let ranges: Vec<NumberRange> = (0..5).flat_map(|least| (least..5).map(move |most| (least, most))).collect();
        for comparison in [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual] {
            for (left, right) in ranges.iter().flat_map(|left| ranges.iter().map(move |right| (*left, *right))) {
                let pairs = (left.0..=left.1).flat_map(|one| (right.0..=right.1).map(move |other| (one, other)));
                let found: Vec<bool> = pairs.map(|(one, other)| comparison.holds_for(one as Value, other as Value)).collect();
                let all = |wanted: bool| found.iter().all(|holds| *holds == wanted).then_some(wanted);
                assert_eq!(
                    comparison_result(comparison, left, right),
                    all(true).or(all(false)),
                    "{comparison:?} {left:?} {right:?}"
                );
            }
        }
    }
}
