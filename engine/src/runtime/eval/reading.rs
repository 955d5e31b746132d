//! Reading a condition on moves: working out what is known before a move is, so that only what fills the roles is left to see.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::narrowing::Reading;
use crate::runtime::eval::question::{Group, Question};
use ludex_program::{ActionInfo, Expr, FieldSource, NONE, RoleAmount, Slot, Value};

/// The moves of a group that a condition speaks of.
#[derive(Clone, Copy)]
pub struct MovesOf<'a> {
    pub context: &'a Context<'a>,
    pub question: &'a Question,
    pub group: &'a Group,
    /// The slot in which the condition has the move.
    pub it: Slot,
}

impl<'a> MovesOf<'a> {
    fn action(&self) -> &'a ActionInfo {
        &self.context.program.actions[usize::from(self.group.action)]
    }

    /// The roles that fill some fields; none if a field is worked out from what fills a role.
    fn roles_behind(&self, fields: &[u16]) -> Option<Vec<usize>> {
        let info = self.action();
        let roles = info.context..info.context + info.roles.len() as Slot;
        let mut behind = Vec::new();
        for field in fields {
            match info.fields.get(usize::from(*field))? {
                FieldSource::Role(role) | FieldSource::RoleAsList(role) => behind.push(*role),
                FieldSource::EmptyList => {}
                FieldSource::Computed(expr) if expr.slots().iter().any(|slot| roles.contains(slot)) => return None,
                FieldSource::Computed(_) => {}
            }
        }
        behind.sort_unstable();
        behind.dedup();
        Some(behind)
    }

    fn is_single(&self, role: usize) -> bool {
        !matches!(self.action().roles[role].amount, RoleAmount::Some(..))
    }

    /// What may fill a role of one thing.
    fn things(&self, role: usize) -> Vec<Value> {
        let search = &self.group.search;
        let nothing = search.filling(role).optional.then_some(NONE);
        search.candidates(&self.question.gathered, role).chain(nothing).collect()
    }
}

/// Works a part of the condition out, with a move in its place.
pub type Evaluate<'f> = &'f mut dyn FnMut(&mut Eval, &Expr, Value) -> Value;

impl Eval {
    /// What a condition on the moves of a group comes to; none if the moves have to be looked at one by one.
    pub fn read_condition(&mut self, of: &MovesOf, condition: &Expr, evaluate: Evaluate) -> Option<Reading> {
        if self.fault.is_some() || !of.group.search.has_candidates() {
            return None;
        }
        let reading = self.read_part(of, condition, evaluate);
        // A part may fail that is never asked for: move by move it shows whether it is.
        let failed = self.fault.take().is_some();
        reading.filter(|_| !failed)
    }

    fn read_part(&mut self, of: &MovesOf, part: &Expr, evaluate: Evaluate) -> Option<Reading> {
        let mut fields = Vec::new();
        if fields_of_move(part, of.it, &mut fields) {
            match of.roles_behind(&fields)?.as_slice() {
                [] => return Some(Reading::Known(self.holds_of(of, &fields, None, part, evaluate))),
                [role] if of.is_single(*role) => return Some(self.read_single(of, &fields, *role, part, evaluate)),
                _ => {}
            }
        }
        match part {
            Expr::Not(inner) => Some(self.read_part(of, inner, evaluate)?.negated()),
            Expr::And(left, right) => match self.read_part(of, left, evaluate)? {
                Reading::Known(false) => Some(Reading::Known(false)),
                left => Some(left.and(self.read_part(of, right, evaluate)?)),
            },
            Expr::Or(left, right) => match self.read_part(of, left, evaluate)? {
                Reading::Known(true) => Some(Reading::Known(true)),
                left => Some(left.or(self.read_part(of, right, evaluate)?)),
            },
            Expr::InList { item, list } => self.read_membership(of, item, list, evaluate),
            _ => None,
        }
    }

    /// Which things a part holds of that speaks of one role of one thing.
    fn read_single(&mut self, of: &MovesOf, fields: &[u16], role: usize, part: &Expr, evaluate: Evaluate) -> Reading {
        let mut things = of.things(role);
        things.retain(|thing| self.holds_of(of, fields, Some((role, *thing)), part, evaluate));
        Reading::Is { role, things }
    }

    /// `x in it.dice`
    fn read_membership(&mut self, of: &MovesOf, item: &Expr, list: &Expr, evaluate: Evaluate) -> Option<Reading> {
        let FieldSource::Role(role) = of.action().fields.get(usize::from(field_of_move(list, of.it)?))? else { return None };
        if item.slots().contains(&of.it) {
            return None;
        }
        Some(Reading::Has { role: *role, thing: evaluate(self, item, NONE) })
    }

    /// Whether a part holds of a move of which only some fields matter.
    fn holds_of(
        &mut self,
        of: &MovesOf,
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

/// The field of the move in a slot that an expression is.
fn field_of_move(expr: &Expr, it: Slot) -> Option<u16> {
    match expr {
        Expr::LocalMoveField { slot, index } if *slot == it => Some(*index),
        Expr::MoveField { of, index } if **of == Expr::Local(it) => Some(*index),
        _ => None,
    }
}

/// Collects the fields of the move in a slot that an expression reads; false if it reads more of the move than fields, and of
/// which action it is.
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
            other.parts(&mut |part| only_fields &= fields_of_move(part, it, fields));
            only_fields
        }
    }
}
