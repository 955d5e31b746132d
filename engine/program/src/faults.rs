//! Expressions that can fail in play, judged by their form, and the holes of texts that can. Such holes are evaluated even if
//! the text is not read. The type checker ensures that members of `none` are never read. The engine also asks this before it
//! skips code without an effect (`runtime/flow/specialise.rs`).

use super::{Calculation, Expr, Program, Shape, TextId, TextPart, Value};

/// The lowest and the highest possible value of an expression.
type Range = (i64, i64);

/// All numbers.
const ANY: Range = (-(Value::MAX as i64), Value::MAX as i64);
/// A flag.
const FLAG: Range = (0, 1);
/// The number of pieces in a zone: pieces are numbered in 16 bits.
const PIECES: Range = (0, u16::MAX as i64);
/// The length of a list: all lists together have fewer members.
const MEMBERS: Range = (0, 1_000_000);
/// Maximum length of a range such as `(1..6)`.
pub const MOST_IN_RANGE: Value = 10_000;

impl Program {
    /// Whether evaluation may fail, apart from exceeding the budget of work.
    pub fn can_fail(&self, expr: &Expr) -> bool {
        self.sure_range(expr).is_none()
    }

    /// Finds, for each text, the holes that can fail.
    pub fn find_text_checks(&mut self) {
        // A choice refers to texts that were made before it.
        for text in 0..self.texts.len() as TextId {
            let checks: Vec<TextPart> =
                self.text_parts(text).iter().filter(|part| self.can_fail_to_show(part)).cloned().collect();
            if !checks.is_empty() {
                self.checks.insert(text, checks);
            }
        }
    }

    /// Whether a part of a text can fail; a choice can also fail in the text that it chooses.
    fn can_fail_to_show(&self, part: &TextPart) -> bool {
        match part {
            TextPart::Words(_) => false,
            TextPart::Hole(expr, _) | TextPart::Written(expr) => self.can_fail(expr),
            TextPart::Choice { condition, yes, no } => self.can_fail(condition) || self.is_checked(*yes) || self.is_checked(*no),
        }
    }

    /// Whether a text has holes that can fail.
    #[inline]
    pub fn is_checked(&self, text: TextId) -> bool {
        !self.checks.is_empty() && self.checks.contains_key(&text)
    }

    /// The range of values of an expression, or of the members of a list; none if it can fail. Values that are not numbers
    /// have the full range.
    fn sure_range(&self, expr: &Expr) -> Option<Range> {
        let mut parts = Vec::new();
        expr.visit_parts(&mut |part| parts.push(self.sure_range(part)));
        let parts: Vec<Range> = parts.into_iter().collect::<Option<_>>()?;
        let of = |place: usize| parts.get(place).copied().unwrap_or(ANY);
        match expr {
            Expr::Constant(value) => Some((i64::from(*value), i64::from(*value))),
            Expr::TableField(field)
            | Expr::LocalField { field, .. }
            | Expr::Field { field, .. }
            | Expr::FieldList { field, .. }
            | Expr::Held { field, .. } => Some(self.field_range(*field)),
            Expr::Add(..) => range_within_numbers((of(0).0 + of(1).0, of(0).1 + of(1).1)),
            Expr::Subtract(..) => range_within_numbers((of(0).0 - of(1).1, of(0).1 - of(1).0)),
            Expr::Multiply(..) => product_range(of(0), of(1)),
            Expr::Divide { .. } => quotient_range(of(0), of(1)),
            Expr::AtLeast(..) => Some((of(0).0.max(of(1).0), of(0).1.max(of(1).1))),
            Expr::AtMost(..) => Some((of(0).0.min(of(1).0), of(0).1.min(of(1).1))),
            Expr::If(..) => Some(union_range(of(1), of(2))),
            Expr::Concatenate(..) => Some(union_range(of(0), of(1))),
            Expr::Range(..) => (of(1).1 - of(0).0 < i64::from(MOST_IN_RANGE)).then(|| union_range(of(0), of(1))),
            Expr::Single(_) | Expr::Without(..) | Expr::Where { .. } | Expr::Sorted { .. } | Expr::BestAll { .. } => Some(of(0)),
            Expr::With { .. } | Expr::Map { .. } | Expr::MapList { .. } | Expr::Keep { .. } => Some(of(1)),
            Expr::Remembered { .. } => parts.last().copied(),
            Expr::ListOf(_) => Some(parts.into_iter().reduce(union_range).unwrap_or((0, 0))),
            // For an empty list it is 0.
            Expr::ExtremeOf { .. } => Some(union_range(of(0), (0, 0))),
            Expr::SumList(_) => product_range(union_range(of(0), (0, 0)), MEMBERS),
            Expr::SumZone { field, .. } => product_range(union_range(self.field_range(*field), (0, 0)), PIECES),
            Expr::CountZone(_) => Some(PIECES),
            Expr::CountList(_) => Some(MEMBERS),
            Expr::Not(_)
            | Expr::And(..)
            | Expr::Or(..)
            | Expr::Compare(..)
            | Expr::CompareLists(..)
            | Expr::IsOdd(_)
            | Expr::HasMark { .. }
            | Expr::KindIs { .. }
            | Expr::SheetIs { .. }
            | Expr::MoveIs { .. }
            | Expr::MoveIn { .. }
            | Expr::InZone { .. }
            | Expr::InList { .. }
            | Expr::Quantified { .. } => Some(FLAG),
            Expr::Calculated(how, _) => match how {
                Calculation::Quotient | Calculation::Remainder | Calculation::RemainderDown => quotient_range(of(0), of(1)),
                Calculation::Power
                | Calculation::MemberAt
                | Calculation::Owed
                | Calculation::Replaced
                | Calculation::PrintedText => None,
                Calculation::MemberOrNone
                | Calculation::Nth
                | Calculation::Inserted
                | Calculation::Dropped
                | Calculation::Reversed
                | Calculation::PlaceOf
                | Calculation::PlaceOfList
                | Calculation::HoldsRun
                | Calculation::Letters
                | Calculation::LettersOfEach
                | Calculation::LettersOfWord(_)
                | Calculation::LettersOfEachWord(_)
                | Calculation::Digits => Some(ANY),
            },
            // Modifiers, legal moves and supposed values are not analysed.
            Expr::Fold { .. }
            | Expr::Can { .. }
            | Expr::CanWhere { .. }
            | Expr::Supposing { .. }
            | Expr::AnswerOf { .. }
            | Expr::AsMove { .. } => None,
            Expr::Option(_)
            | Expr::Local(_)
            | Expr::LocalZone { .. }
            | Expr::LocalPlace(_)
            | Expr::LocalFoe(_)
            | Expr::LocalMoveField { .. }
            | Expr::LentZone { .. }
            | Expr::Zone { .. }
            | Expr::PlaceOf(_)
            | Expr::Printed { .. }
            | Expr::PrintedName(_)
            | Expr::PrintOf(_)
            | Expr::Table
            | Expr::Referee
            | Expr::Foe(_)
            | Expr::SideOf(_)
            | Expr::Neighbour { .. }
            | Expr::MoveField { .. }
            | Expr::OnBoard(..)
            | Expr::EndOf { .. }
            | Expr::Sorts { .. }
            | Expr::BestOne { .. }
            | Expr::ZoneList(_)
            | Expr::PrintedList { .. }
            | Expr::MapZone { .. }
            | Expr::Top { .. }
            | Expr::Sides
            | Expr::Every(_)
            | Expr::EntrantsOf(_)
            | Expr::Neighbours(_) => Some(ANY),
        }
    }

    /// The range of the fields at this index, over all kinds.
    fn field_range(&self, field: u16) -> Range {
        let fields = self.kinds.iter().filter_map(|kind| kind.fields.get(usize::from(field)));
        let ranges = fields.map(|field| match (field.range, &field.shape) {
            // A die that has not been rolled shows 0.
            (Some((least, most)), Shape::Number) => (i64::from(least.min(0)), i64::from(most.max(0))),
            _ => ANY,
        });
        ranges.reduce(union_range).unwrap_or(ANY)
    }
}

/// The union of two ranges.
fn union_range(one: Range, other: Range) -> Range {
    (one.0.min(other.0), one.1.max(other.1))
}

/// The range, unless it exceeds that of numbers.
fn range_within_numbers(range: Range) -> Option<Range> {
    (range.0 >= ANY.0 && range.1 <= ANY.1).then_some(range)
}

/// The range of a product; none if it exceeds that of numbers.
fn product_range(left: Range, right: Range) -> Option<Range> {
    let ends = [left.0 * right.0, left.0 * right.1, left.1 * right.0, left.1 * right.1];
    range_within_numbers((ends.into_iter().min()?, ends.into_iter().max()?))
}

/// The range of a quotient or remainder, with any rounding; none if the divisor can be 0.
fn quotient_range(left: Range, right: Range) -> Option<Range> {
    let largest = [left.0, left.1, right.0, right.1].into_iter().map(i64::abs).max()?;
    let is_never_zero = right.0 > 0 || right.1 < 0;
    is_never_zero.then(|| range_within_numbers((-largest, largest))).flatten()
}
