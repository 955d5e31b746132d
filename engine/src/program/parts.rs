//! The parts of expressions, and the slots they read.

use super::{Expr, Slot};

/// The direct parts of an expression, to look at or to change: `$each` goes through several, `$of` borrows one's value.
macro_rules! visit_parts {
    ($expr:expr, $visit:expr, $each:ident, $($of:tt)+) => {
        match $expr {
            Expr::Constant(_) | Expr::Local(_) | Expr::Sides | Expr::Table | Expr::Referee | Expr::Every(_) => {}
            Expr::LocalField { .. } | Expr::TableField(_) | Expr::LentZone { .. } | Expr::LocalZone { .. } => {}
            Expr::LocalPlace(_) | Expr::LocalFoe(_) | Expr::LocalMoveField { .. } => {}
            Expr::Field { of: a, .. }
            | Expr::Zone { of: a, .. }
            | Expr::HasMark { of: a, .. }
            | Expr::KindIs { of: a, .. }
            | Expr::Printed { of: a, .. }
            | Expr::PrintedList { of: a, .. }
            | Expr::SheetIs { of: a, .. }
            | Expr::PrintedName(a)
            | Expr::PrintOf(a)
            | Expr::MoveField { of: a, .. }
            | Expr::MoveIs { of: a, .. }
            | Expr::MoveIn { of: a, .. }
            | Expr::AsMove { of: a, .. }
            | Expr::PlaceOf(a)
            | Expr::Foe(a)
            | Expr::SideOf(a)
            | Expr::Not(a)
            | Expr::IsOdd(a)
            | Expr::CountZone(a)
            | Expr::CountList(a)
            | Expr::SumList(a)
            | Expr::Sorts { list: a, .. }
            | Expr::ZoneList(a)
            | Expr::Single(a)
            | Expr::EntrantsOf(a)
            | Expr::Neighbours(a)
            | Expr::Neighbour { of: a, .. }
            | Expr::SumZone { zone: a, .. }
            | Expr::FieldList { zone: a, .. }
            | Expr::ExtremeOf { list: a, .. }
            | Expr::EndOf { list: a, .. }
            | Expr::Sorted { list: a, .. }
            | Expr::MapZone { list: a, .. } => $visit(a),
            Expr::And(a, b)
            | Expr::Or(a, b)
            | Expr::Compare(_, a, b)
            | Expr::CompareLists(_, a, b)
            | Expr::Add(a, b)
            | Expr::Subtract(a, b)
            | Expr::Multiply(a, b)
            | Expr::AtLeast(a, b)
            | Expr::AtMost(a, b)
            | Expr::Range(a, b)
            | Expr::Concatenate(a, b)
            | Expr::Without(a, b)
            | Expr::Divide { left: a, right: b, .. }
            | Expr::InZone { item: a, zone: b }
            | Expr::InList { item: a, list: b }
            | Expr::Top { count: a, zone: b }
            | Expr::With { value: a, then: b, .. }
            | Expr::Quantified { list: a, condition: b, .. }
            | Expr::Where { list: a, condition: b, .. }
            | Expr::Map { list: a, value: b, .. } => {
                $visit(a);
                $visit(b);
            }
            Expr::If(a, b, c) | Expr::AnswerOf { answers: a, members: b, of: c } => {
                $visit(a);
                $visit(b);
                $visit(c);
            }
            Expr::Fold { arguments: members, .. } | Expr::Can { arguments: members, .. } | Expr::ListOf(members) => {
                members.$each().for_each($visit)
            }
            Expr::CanWhere { arguments, condition, .. } => {
                arguments.$each().for_each(&mut *$visit);
                $visit(condition);
            }
            Expr::Supposing { changes, then } => {
                for supposed in changes.$each() {
                    $visit($($of)+ supposed.of);
                    $visit($($of)+ supposed.value);
                }
                $visit(then);
            }
            Expr::BestOne { list, keys, .. } | Expr::BestAll { list, keys, .. } => {
                $visit(list);
                keys.$each().for_each(|key| $visit($($of)+ key.value));
            }
        }
    };
}

/// Calls `visit` on the direct parts of an expression.
pub fn parts<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit_parts!(expr, visit, iter, &);
}

/// Calls `visit` on the direct parts of an expression, to change them.
pub fn parts_mut(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    visit_parts!(expr, visit, iter_mut, &mut);
}

/// Every slot an expression reads.
pub fn slots_read(expr: &Expr, found: &mut Vec<Slot>) {
    if let Expr::Local(slot) = expr {
        found.push(*slot);
    }
    parts(expr, &mut |part| slots_read(part, found));
}
