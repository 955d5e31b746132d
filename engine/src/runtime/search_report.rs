//! How the moves of each action are found, for authors of rules: which moves are counted without testing each one, and which are
//! not.
//!
//! A *role* is a part of a move that the player decides, and *several* means that it takes a set of things. A move is found by
//! the action's search plan, which the compiler chooses. `ludex show` reports the method.

use crate::runtime::limits::{MOST_FREE, MOST_SEARCHED, MOST_SUMMED};
use ludex_program::{ActionInfo, Expr, RoleAmount, SearchPlan};
use ludex_syntax::source::Span;

/// The method that finds the moves of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HowFound<'p> {
    /// The roles are independent: moves are counted by multiplying.
    Free,
    /// A number of one role is compared with a number of another: pairs are counted without a list.
    Compared {
        /// The role whose number is on the left.
        left: &'p str,
        /// The role whose number is on the right.
        right: &'p str,
    },
    /// The sum of a role of several, perhaps plus one more thing, is compared with a number of another role: sums are counted.
    Summed {
        /// The role of several.
        set: &'p str,
        /// A role for one more thing, whose number joins the sum.
        joining: Option<&'p str>,
        /// The role whose number the sum must equal.
        target: &'p str,
    },
    /// The second of two roles is only used in comparisons. For each thing in the first role, the conditions are evaluated for
    /// all candidates of the second at once.
    Paired {
        /// The first role.
        first: &'p str,
        /// The role that is compared.
        second: &'p str,
    },
    /// The conditions can be evaluated by reading a role of several member by member: sets are counted.
    Gathered {
        /// The role of several.
        set: &'p str,
    },
    /// Each combination is tested.
    Looked {
        /// The conditions that make this necessary.
        conditions: Vec<Span>,
        /// Roles whose candidates depend on earlier roles.
        dependent: Vec<&'p str>,
    },
}

impl HowFound<'_> {
    /// Maximum number of things that a role of several may choose from. If each combination is tested, there may be more when few
    /// are chosen.
    pub fn most_things(&self) -> usize {
        match self {
            HowFound::Free | HowFound::Gathered { .. } => MOST_FREE,
            HowFound::Summed { .. } => MOST_SUMMED,
            HowFound::Compared { .. } | HowFound::Paired { .. } | HowFound::Looked { .. } => MOST_SEARCHED,
        }
    }

    /// Returns the method for an action.
    pub fn for_action(action: &ActionInfo) -> HowFound<'_> {
        let role = |index: usize| action.roles.get(index).map_or("", |role| role.name.as_str());
        match &action.search {
            SearchPlan::Product => HowFound::Free,
            SearchPlan::Compare { left, right, .. } => HowFound::Compared { left: role(*left), right: role(*right) },
            SearchPlan::SumEqual { set, joker, target, .. } => {
                HowFound::Summed { set: role(*set), joining: joker.map(|(joker, _)| role(joker)), target: role(*target) }
            }
            SearchPlan::Walk(_) if let Some(found) = &action.aggregation => HowFound::Gathered { set: role(found.set) },
            SearchPlan::Walk(_) if action.pairing.is_some() => HowFound::Paired { first: role(0), second: role(1) },
            SearchPlan::Walk(_) => HowFound::Looked {
                conditions: action
                    .conditions
                    .iter()
                    .filter(|found| joins_roles(action, &found.expr))
                    .map(|found| found.span)
                    .collect(),
                dependent: action.roles.iter().filter(|role| role.after > 0).map(|role| role.name.as_str()).collect(),
            },
        }
    }
}

/// Whether a condition, or a conjunct of it, depends on more than one thing: on several roles, or on a role that may take several
/// things or none.
fn joins_roles(action: &ActionInfo, condition: &Expr) -> bool {
    if let Expr::And(left, right) = condition {
        return joins_roles(action, left) || joins_roles(action, right);
    }
    let read = condition.unbound_slots();
    let mut roles = action.roles.iter().zip(action.context..).filter(|(_, slot)| read.contains(slot)).map(|(role, _)| role);
    match (roles.next(), roles.next()) {
        (Some(only), None) => !matches!(only.amount, RoleAmount::One),
        (first, _) => first.is_some(),
    }
}
