//! Facts that follow from conditions: values that are not `none` and lists that are not empty, if they hold and if they do
//! not. The compiler uses them so that code after a test need not handle `none` or an empty list again.

use super::{Comparison, Expr, NONE, PIECE_SHEET, Quantifier, Slot};

/// Maximum number of facts from one condition.
const MOST_TOLD: usize = 50;

/// A certain fact.
#[derive(Clone, Debug, PartialEq)]
pub enum SureFact {
    /// The value is not `none`.
    There(Expr),
    /// The list has a member.
    Filled(Expr),
}

impl SureFact {
    /// The value or the list.
    pub fn expr(&self) -> &Expr {
        let (SureFact::There(expr) | SureFact::Filled(expr)) = self;
        expr
    }

    /// Same as [`Self::expr`], to renumber its slots.
    pub fn expr_mut(&mut self) -> &mut Expr {
        let (SureFact::There(expr) | SureFact::Filled(expr)) = self;
        expr
    }
}

/// The facts if a condition holds, and if it does not.
#[derive(Debug, Default)]
pub struct ConditionFacts {
    pub holds: Vec<SureFact>,
    pub fails: Vec<SureFact>,
}

impl ConditionFacts {
    /// The facts that follow from a condition. `is_there` says whether the operands of comparisons are present.
    pub fn from_condition(condition: &Expr, is_there: &dyn Fn(&Expr) -> bool) -> ConditionFacts {
        let mut told = ConditionFacts::default();
        told.add_facts(condition, true, is_there);
        told.holds.truncate(MOST_TOLD);
        told.fails.truncate(MOST_TOLD);
        told
    }

    /// The facts for when the condition holds, or for when it fails.
    fn facts_if(&mut self, where_it_holds: bool) -> &mut Vec<SureFact> {
        if where_it_holds { &mut self.holds } else { &mut self.fails }
    }

    /// Adds the facts that follow from a condition or from its negation. `is_so` says which; `is_there` is that of
    /// [`ConditionFacts::from_condition`].
    fn add_facts(&mut self, condition: &Expr, is_so: bool, is_there: &dyn Fn(&Expr) -> bool) {
        match condition {
            Expr::Not(inner) => self.add_facts(inner, !is_so, is_there),
            Expr::Remembered { value, .. } => self.add_facts(value, is_so, is_there),
            Expr::With { slot, value, then } => self.add_bound_facts(*slot, value, then, is_so, is_there),
            // If `and` holds, both operands do. If it fails, either may have failed.
            Expr::And(left, right) => self.add_joint_facts(left, right, is_so, true, is_there),
            Expr::Or(left, right) => self.add_joint_facts(left, right, is_so, false, is_there),
            Expr::Compare(comparison, left, right) => self.add_comparison_facts(*comparison, left, right, is_so, is_there),
            Expr::HasMark { of, .. } | Expr::KindIs { of, .. } | Expr::MoveIs { of, .. } | Expr::MoveIn { of, .. } => {
                self.facts_if(is_so).push(SureFact::There((**of).clone()));
            }
            Expr::SheetIs { of, .. } => self.facts_if(is_so).push(SureFact::There(print_bearer(of).clone())),
            Expr::InZone { item, zone } => {
                let in_zone = [SureFact::There((**item).clone()), SureFact::Filled(Expr::ZoneList(zone.clone()))];
                self.facts_if(is_so).extend(in_zone);
            }
            Expr::InList { list, .. } => self.add_filled_list(list, is_so),
            Expr::Quantified { which, list, slot, condition } => {
                let found = match which {
                    Quantifier::Any => is_so,
                    Quantifier::NoneOf => !is_so,
                    // If not all members meet it, there is one that does not.
                    Quantifier::All => return self.add_filled_list(list, !is_so),
                };
                let such = Expr::Where { list: list.clone(), slot: *slot, condition: condition.clone() };
                self.add_filled_list(&such, found);
            }
            _ => {}
        }
    }

    /// Facts about a slot also hold for the value that was put into it.
    fn add_bound_facts(&mut self, slot: Slot, value: &Expr, then: &Expr, is_so: bool, is_there: &dyn Fn(&Expr) -> bool) {
        let mut inside = ConditionFacts::default();
        inside.add_facts(then, is_so, is_there);
        for (from, where_it_holds) in [(inside.holds, true), (inside.fails, false)] {
            for is in from {
                match is {
                    SureFact::There(Expr::Local(read)) if read == slot => {
                        self.facts_if(where_it_holds).push(SureFact::There(value.clone()))
                    }
                    is if !is.expr().unbound_slots().contains(&slot) => self.facts_if(where_it_holds).push(is),
                    _ => {}
                }
            }
        }
    }

    /// Adds what two joined conditions tell: with `and` that both hold, if it holds; with `or` that both fail, if it fails.
    fn add_joint_facts(&mut self, left: &Expr, right: &Expr, is_so: bool, and: bool, is_there: &dyn Fn(&Expr) -> bool) {
        let mut both = ConditionFacts::default();
        both.add_facts(left, true, is_there);
        both.add_facts(right, true, is_there);
        let (told, wanted) = if and { (both.holds, is_so) } else { (both.fails, !is_so) };
        if self.facts_if(wanted).len() < MOST_TOLD {
            self.facts_if(wanted).extend(told);
        }
    }

    /// Facts come from a count compared with a constant, and from equality with `none` or with something that is there.
    fn add_comparison_facts(
        &mut self,
        comparison: Comparison,
        left: &Expr,
        right: &Expr,
        is_so: bool,
        is_there: &dyn Fn(&Expr) -> bool,
    ) {
        let (left, right, comparison) = match left {
            Expr::Constant(_) => (right, left, comparison.swap_operands()),
            _ => (left, right, comparison),
        };
        if let (Some(list), Expr::Constant(number)) = (counted_list(left), right) {
            // If it does not hold for 0, there is a member if it holds.
            let tells_by_holding = !comparison.holds_for(0, *number);
            return self.add_filled_list(&list, if tells_by_holding { is_so } else { !is_so });
        }
        let equal = match comparison {
            Comparison::Equal => is_so,
            Comparison::NotEqual => !is_so,
            _ => return,
        };
        if let Expr::Constant(NONE) = right {
            return self.facts_if(!equal).push(SureFact::There(left.clone()));
        }
        for (one, other) in [(left, right), (right, left)] {
            if is_there(other) && !matches!(one, Expr::Constant(_)) {
                self.facts_if(equal).push(SureFact::There(one.clone()));
            }
        }
    }

    /// Adds that a list has a member, and so does each list that it was taken from. `is_so` is true if this follows when the
    /// condition holds, false if it follows when it fails.
    fn add_filled_list(&mut self, list: &Expr, is_so: bool) {
        let sure = self.facts_if(is_so);
        let mut list = list;
        while sure.len() < MOST_TOLD {
            sure.push(SureFact::Filled(list.clone()));
            list = match list {
                Expr::Where { list, .. }
                | Expr::Sorted { list, .. }
                | Expr::Keep { list, .. }
                | Expr::Sorts { list, .. }
                | Expr::Map { list, .. }
                | Expr::MapList { list, .. }
                | Expr::MapZone { list, .. }
                | Expr::BestAll { list, .. }
                | Expr::Without(list, _) => list,
                Expr::Top { zone, .. } => return sure.push(SureFact::Filled(Expr::ZoneList(zone.clone()))),
                Expr::Single(thing) => return sure.push(SureFact::There((**thing).clone())),
                _ => return,
            };
        }
    }
}

/// The list whose members are counted.
fn counted_list(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::CountList(list) => Some((**list).clone()),
        Expr::CountZone(zone) => Some(Expr::ZoneList(zone.clone())),
        _ => None,
    }
}

/// The thing that a print belongs to.
fn print_bearer(print: &Expr) -> &Expr {
    match print {
        Expr::Field { of, field: PIECE_SHEET } | Expr::PrintOf(of) => of,
        print => print,
    }
}
