//! What a move needs whatever fills its roles, told before any candidate is looked at.
//!
//! `when top is nothing or (top is pair and rank > top_rank)` cannot hold for any card while `top` is a straight. So the part of
//! a condition that no role decides becomes a condition of its own: where it does not hold, the action has no move, and nothing
//! is gathered. In the same way what is read at once is asked before what looks through lists.

use crate::program::{ActionInfo, Expr, Joining, SearchPlan, Slot};

/// Gives an action the needs of its conditions, where its moves are not counted by a kernel.
pub(super) fn tell_needs(action: &mut ActionInfo) {
    if action.fillings.is_some() {
        return;
    }
    let roles = action.roles.iter().enumerate();
    let filled: Vec<Slot> = roles.flat_map(|(index, role)| [action.context + index as Slot, role.filter_slot]).collect();
    let tests = action.roles.iter().filter(|role| role.after == 0).flat_map(|role| &role.tests);
    let joining = match &action.search {
        SearchPlan::Walk(conditions) => conditions.as_slice(),
        _ => &[],
    };
    let conditions = tests.chain(joining.iter().map(|condition| &condition.expr));
    let needs: Vec<Expr> = conditions.filter_map(|condition| need(condition, &filled)).collect();
    for need in needs {
        if !action.guard.contains(&need) {
            action.guard.push(need);
        }
    }
    tell_needs_of_roles(action, &filled);
    action.enough = enough_before_last(action);
    if let SearchPlan::Walk(conditions) = &mut action.search {
        *conditions = simplest_first(std::mem::take(conditions));
    }
}

/// What lets every candidate of the last role make a move, if that can be told before the role is filled. Of `dice > quantity or
/// (dice = quantity and shown > face)` that is, for `shown`, that `dice` is above `quantity`.
fn enough_before_last(action: &ActionInfo) -> Option<Expr> {
    let SearchPlan::Walk(conditions) = &action.search else { return None };
    let last = action.roles.len().checked_sub(1)?;
    let unknown = [action.context + last as Slot, action.roles[last].filter_slot];
    let conditions = conditions.iter().filter(|condition| condition.after > last);
    let enough: Option<Vec<Expr>> = conditions.map(|condition| enough(&condition.expr, &unknown)).collect();
    enough?.into_iter().reduce(|one, other| Expr::And(Box::new(one), Box::new(other)))
}

/// What makes a condition hold, as far as it is read at once and does not read any of some slots; none if nothing does.
fn enough(condition: &Expr, unknown: &[Slot]) -> Option<Expr> {
    match condition {
        Expr::And(left, right) => Some(Expr::And(Box::new(enough(left, unknown)?), Box::new(enough(right, unknown)?))),
        Expr::Or(left, right) => {
            // What stands first is always looked at, and may fail.
            let right = if is_read_at_once(left) { enough(right, unknown) } else { None };
            match (enough(left, unknown), right) {
                (Some(left), Some(right)) => Some(Expr::Or(Box::new(left), Box::new(right))),
                (one, other) => one.or(other),
            }
        }
        Expr::Remembered { value, .. } => enough(value, unknown),
        other => known_at_once(other, unknown),
    }
}

/// Gives each role what a candidate must be, whatever fills the other roles. Of `dice > quantity or (dice = quantity and shown >
/// face)` that is, for `dice`, that it is not below `quantity`.
fn tell_needs_of_roles(action: &mut ActionInfo, filled: &[Slot]) {
    let SearchPlan::Walk(conditions) = &action.search else { return };
    for (index, role) in action.roles.iter_mut().enumerate() {
        let slot = action.context + index as Slot;
        if role.shape.is_list() || role.after > 0 || role.filter_slot != slot {
            continue;
        }
        let others: Vec<Slot> = filled.iter().copied().filter(|other| *other != slot).collect();
        let needs = conditions.iter().filter_map(|condition| need(&condition.expr, &others));
        let own: Vec<Expr> = needs.filter(|need| need.slots().contains(&slot)).collect();
        if !own.is_empty() {
            // Other actions take the same things without it.
            role.shared = None;
            role.tests.extend(own);
        }
    }
}

/// What must hold for a condition to hold, as far as it is read at once and does not read any of some slots; none if that is
/// nothing.
fn need(condition: &Expr, unknown: &[Slot]) -> Option<Expr> {
    match condition {
        Expr::And(left, right) => match (need(left, unknown), need(right, unknown)) {
            (Some(left), Some(right)) => Some(Expr::And(Box::new(left), Box::new(right))),
            (one, other) => one.or(other),
        },
        Expr::Or(left, right) => Some(Expr::Or(Box::new(need(left, unknown)?), Box::new(need(right, unknown)?))),
        // What is worked out for the inner part is not worked out here.
        Expr::With { slot, then, .. } => need(then, &[unknown, &[*slot]].concat()),
        Expr::Remembered { value, .. } => need(value, unknown),
        other => known_at_once(other, unknown),
    }
}

/// An expression that is read at once and does not read any of some slots.
fn known_at_once(expr: &Expr, unknown: &[Slot]) -> Option<Expr> {
    (is_read_at_once(expr) && !expr.slots().iter().any(|slot| unknown.contains(slot))).then(|| expr.clone())
}

/// Whether an expression only compares what is read at once, which never fails.
fn is_read_at_once(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Local(_) | Expr::TableField(_) => true,
        Expr::Compare(..) | Expr::Not(_) | Expr::And(..) | Expr::Or(..) | Expr::AtLeast(..) | Expr::AtMost(..) => {
            let mut all = true;
            expr.parts(&mut |part| all = all && is_read_at_once(part));
            all
        }
        _ => false,
    }
}

/// Puts what is read at once before what is not, among conditions that can be told as soon as the same roles are filled.
fn simplest_first(conditions: Vec<Joining>) -> Vec<Joining> {
    let mut first: Vec<Joining> = Vec::new();
    for condition in conditions.iter().filter(|condition| !is_read_at_once(&condition.expr)) {
        first.extend(need(&condition.expr, &[]).map(|expr| Joining { expr, after: condition.after }));
    }
    let (simple, rest): (Vec<Joining>, Vec<Joining>) =
        conditions.into_iter().partition(|condition| is_read_at_once(&condition.expr));
    simple.into_iter().chain(first).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::SearchPlan;
    use crate::testing::game;

    const RULES: &str = r#"
        sides 2
        type form is one of nothing, single, straight
        piece card (cards) { rank: number }
        each side has { zone hand: cards, open }
        the table has {
          lead: form, shown
          lowest: number, shown
          length: number, shown
        }
        family play_of(active: side) {}
        define beats(form: form, rank: number) = lead is nothing or (lead is form and rank > lowest)
        define follow(active: side, rank: number) = count of (active.hand where it.rank > rank)
        action single(card in active.hand) is play_of when beats(single, card.rank) says "{card.rank}"
        action straight(card in active.hand, far in (1..3)) is play_of
          when follow(active, card.rank) >= far
          when lead is nothing or (lead is straight and card.rank > lowest and length = far)
          says "{far} from {card.rank}"
        to play {
          let me = first of sides
          count rank from 1 to 3 { create card(rank: rank) in me.hand for me }
          BEFORE
          me may choose play_of as played "Well?"
          say "{played is none}"
        }"#;

    /// The moves that are offered.
    fn offered(before: &str) -> Vec<String> {
        let mut options = game(&RULES.replace("BEFORE", before)).play().options(0);
        options.retain(|option| option != "pass");
        options
    }

    #[test]
    fn the_part_that_no_role_decides_is_a_guard() {
        let program = game(&RULES.replace("BEFORE", "")).program();
        let guards = |name: &str| program.actions.iter().find(|action| action.name == name).map(|action| action.guard.len());
        assert_eq!((guards("single"), guards("straight")), (Some(1), Some(1)));
        let SearchPlan::Walk(conditions) = &program.actions[1].search else { panic!("pairs are looked at one by one") };
        assert!(is_read_at_once(&conditions[0].expr), "what is read at once is asked first");
    }

    #[test]
    fn a_role_is_told_what_it_needs_whatever_fills_the_others() {
        let bids = RULES
            .replace("card in active.hand, far in (1..3)", "far in (1..3), card in active.hand")
            .replace(
                "lead is nothing or (lead is straight and card.rank > lowest and length = far)",
                "far > length or (far = length and card.rank > lowest)",
            )
            .replace("when follow(active, card.rank) >= far", "");
        let program = game(&bids.replace("BEFORE", "")).program();
        assert_eq!(program.actions[1].roles[0].tests.len(), 1, "`far` is not below `length`");
        let offered = |length: u8| {
            let rules = bids.replace("BEFORE", &format!("set length to {length} set lowest to 2"));
            game(&rules).play().options(0).iter().filter(|option| option.contains("straight")).count()
        };
        // Lengths above the last with each of three cards, and the same length with the one that is higher.
        assert_eq!([offered(0), offered(1), offered(2), offered(3)], [9, 7, 4, 1]);
    }

    #[test]
    fn where_enough_is_known_the_last_role_takes_whatever_there_is() {
        let rules = |condition: &str| {
            RULES
                .replace("card in active.hand, far in (1..3)", "far in (1..3), card in active.hand")
                .replace("lead is nothing or (lead is straight and card.rank > lowest and length = far)", condition)
                .replace("when follow(active, card.rank) >= far", "")
        };
        let enough = |condition: &str| game(&rules(condition).replace("BEFORE", "")).program().actions[1].enough.clone();
        assert!(matches!(enough("far > length or (far = length and card.rank > lowest)"), Some(Expr::Compare(..))));
        assert_eq!(enough("far > length and card.rank > lowest"), None);
        // What might fail first is asked first.
        assert_eq!(enough("follow(active, card.rank) > 1 or far > length"), None);
    }

    #[test]
    fn the_moves_are_those_that_the_conditions_leave() {
        assert_eq!(offered("").len(), 6);
        assert_eq!(offered("set lead to single set lowest to 2").len(), 1);
        assert_eq!(offered("set lead to straight set length to 1").len(), 2);
        assert_eq!(offered("set lead to straight set length to 2").len(), 1);
    }
}
