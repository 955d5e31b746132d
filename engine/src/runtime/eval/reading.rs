//! Partial evaluation of conditions on moves: everything known before a move is computed, so that only the role fillings are left
//! to test.
//!
//! It is used for restrictions and for `can … where` when there are many moves. `it` is the slot that holds the move in the
//! condition; the condition reads fields of the move, and these come from roles. A role is *of one thing*, or of several: a set.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::narrowing::MoveCondition;
use crate::runtime::eval::question::{Group, Question};
use ludex_program::{ActionInfo, Expr, FieldSource, NONE, RoleAmount, Slot, Value};

/// The moves of a group, as the subject of a condition.
#[derive(Clone, Copy)]
pub struct GroupMoves<'a> {
    pub context: &'a Context<'a>,
    pub question: &'a Question,
    pub group: &'a Group,
    /// The slot that holds the move in the condition.
    pub it: Slot,
}

impl<'a> GroupMoves<'a> {
    fn action_info(&self) -> &'a ActionInfo {
        &self.context.program.actions[usize::from(self.group.action)]
    }

    /// The roles that some fields depend on; `None` if a field is computed from a role.
    fn roles_of_fields(&self, fields: &[u16]) -> Option<Vec<usize>> {
        let info = self.action_info();
        let roles = info.context..info.context + info.roles.len() as Slot;
        let mut behind = Vec::new();
        for field in fields {
            match info.fields.get(usize::from(*field))? {
                FieldSource::Role(role) | FieldSource::RoleAsList(role) => behind.push(*role),
                FieldSource::EmptyList => {}
                FieldSource::Computed(expr) if expr.unbound_slots().iter().any(|slot| roles.contains(slot)) => return None,
                FieldSource::Computed(_) => {}
            }
        }
        behind.sort_unstable();
        behind.dedup();
        Some(behind)
    }

    /// Whether a role takes one thing at most.
    fn is_single(&self, role: usize) -> bool {
        !matches!(self.action_info().roles[role].amount, RoleAmount::Some(..))
    }

    /// The candidates of a role of one thing.
    fn role_candidates(&self, role: usize) -> Vec<Value> {
        let search = &self.group.search;
        let nothing = search.role_filling(role).optional.then_some(NONE);
        search.candidate_ids(&self.question.gathered, role).chain(nothing).collect()
    }
}

/// Evaluates a part of the condition for a move, given by its record; none if the part reads nothing of the move.
pub type Evaluate<'f> = &'f mut dyn FnMut(&mut Eval, &Expr, Value) -> Value;

impl Eval {
    /// The meaning of a condition on the moves of a group; `None` if the moves have to be tested one by one.
    pub fn read_condition(&mut self, of: &GroupMoves, condition: &Expr, evaluate: Evaluate) -> Option<MoveCondition> {
        if self.fault.is_some() || !of.group.search.has_candidates() {
            return None;
        }
        let reading = self.read_condition_part(of, condition, evaluate);
        // A failing part might never be evaluated for a real move, so the moves are tested one by one.
        let failed = self.fault.take().is_some();
        reading.filter(|_| !failed)
    }

    /// The meaning of a part of a condition, see [`Eval::read_condition`].
    fn read_condition_part(&mut self, of: &GroupMoves, part: &Expr, evaluate: Evaluate) -> Option<MoveCondition> {
        let mut fields = Vec::new();
        if fields_of_move(part, of.it, &mut fields) {
            match of.roles_of_fields(&fields)?.as_slice() {
                [] => return Some(MoveCondition::Known(self.part_holds(of, &fields, None, part, evaluate))),
                [role] if of.is_single(*role) => return Some(self.read_single(of, &fields, *role, part, evaluate)),
                _ => {}
            }
        }
        match part {
            Expr::Not(inner) => Some(self.read_condition_part(of, inner, evaluate)?.negate()),
            Expr::And(left, right) => match self.read_condition_part(of, left, evaluate)? {
                MoveCondition::Known(false) => Some(MoveCondition::Known(false)),
                left => Some(left.and_condition(self.read_condition_part(of, right, evaluate)?)),
            },
            Expr::Or(left, right) => match self.read_condition_part(of, left, evaluate)? {
                MoveCondition::Known(true) => Some(MoveCondition::Known(true)),
                left => Some(left.or_condition(self.read_condition_part(of, right, evaluate)?)),
            },
            Expr::InList { item, list } => self.read_membership(of, item, list, evaluate),
            _ => None,
        }
    }

    /// The things in a role of one thing for which a part holds, if the part depends on this role alone.
    fn read_single(&mut self, of: &GroupMoves, fields: &[u16], role: usize, part: &Expr, evaluate: Evaluate) -> MoveCondition {
        let mut things = of.role_candidates(role);
        things.retain(|thing| self.part_holds(of, fields, Some((role, *thing)), part, evaluate));
        MoveCondition::Is { role, things }
    }

    /// `x in it.dice`
    fn read_membership(&mut self, of: &GroupMoves, item: &Expr, list: &Expr, evaluate: Evaluate) -> Option<MoveCondition> {
        let FieldSource::Role(role) = of.action_info().fields.get(usize::from(field_of_move(list, of.it)?))? else { return None };
        if item.unbound_slots().contains(&of.it) {
            return None;
        }
        Some(MoveCondition::Has { role: *role, thing: evaluate(self, item, NONE) })
    }

    /// Whether a part holds for a move of which only some fields matter. `filled` is the role on which these depend, and the
    /// thing in it.
    fn part_holds(
        &mut self,
        of: &GroupMoves,
        fields: &[u16],
        filled: Option<(usize, Value)>,
        part: &Expr,
        evaluate: Evaluate,
    ) -> bool {
        let lists = self.state.lists.len();
        let made = self.record_fields(of.context, of.question, of.group, fields, filled);
        let holds = evaluate(self, part, made) != 0;
        self.state.lists.truncate(lists);
        holds
    }
}

/// The field of the move in a slot, if the expression is such a field.
fn field_of_move(expr: &Expr, it: Slot) -> Option<u16> {
    match expr {
        Expr::LocalMoveField { slot, index } if *slot == it => Some(*index),
        Expr::MoveField { of, index } if **of == Expr::Local(it) => Some(*index),
        _ => None,
    }
}

/// Collects the fields of the move in a slot that an expression reads; false if it reads anything of the move other than fields
/// and its action.
fn fields_of_move(expr: &Expr, it: Slot, fields: &mut Vec<u16>) -> bool {
    if let Some(field) = field_of_move(expr, it) {
        fields.push(field);
        return true;
    }
    match expr {
        Expr::Local(slot) => *slot != it,
        Expr::MoveIs { of, .. } | Expr::MoveIn { of, .. } if **of == Expr::Local(it) => true,
        other => {
            let mut only_fields = true;
            other.visit_parts(&mut |part| only_fields &= fields_of_move(part, it, fields));
            only_fields
        }
    }
}
