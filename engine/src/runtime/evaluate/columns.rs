//! Columns: what stands with every member of a list, and is read without working anything out for each.

use crate::program::{Comparison, Expr, NONE, Slot, Value};
use crate::runtime::machine::Machine;
use crate::runtime::state::{Board, Entity, members_of};

/// A value that each member of a list has, or that is the same for all.
#[derive(Clone, Copy, Debug)]
pub(in crate::runtime) enum Column {
    Itself,
    Place,
    Field(u16),
    Same(Value),
}

/// A condition that compares two columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    left: Column,
    comparison: Comparison,
    right: Column,
}

impl Column {
    /// Whether it stays what it is while members of the list move.
    pub(in crate::runtime) fn stays_in_a_move(self) -> bool {
        !matches!(self, Column::Place)
    }

    #[inline(always)]
    pub(in crate::runtime) fn read(self, board: &Board, member: Value) -> Option<Value> {
        match self {
            Column::Itself => Some(member),
            Column::Place => Some(board.place_of(member)),
            Column::Field(field) => board.field(member, field),
            Column::Same(value) => Some(value),
        }
    }

    /// As [`Column::read`], of a thing that has been looked up.
    #[inline(always)]
    fn read_of(self, board: &Board, id: Value, entity: &Entity) -> Option<Value> {
        match self {
            Column::Itself => Some(id),
            Column::Place => Some(entity.zone()),
            Column::Field(field) => board.cell(entity, field),
            Column::Same(value) => Some(value),
        }
    }
}

impl Filter {
    /// Puts the members of a list for which the condition holds at the end of the arena, as a list; none if it asks
    /// something of nothing.
    pub(super) fn list(self, board: &Board, lists: &mut Vec<Value>, list: Value) -> Option<()> {
        let Filter { left, comparison, right } = self;
        match (left, right) {
            // Places and fields are what rules look at most.
            (Column::Place, Column::Field(field)) => {
                list_where(lists, list, |member| Some(comparison.holds(board.place_of(member), board.field(member, field)?)))
            }
            (Column::Field(field), Column::Same(value)) => {
                list_where(lists, list, |member| Some(comparison.holds(board.field(member, field)?, value)))
            }
            _ => list_where(lists, list, |member| Some(comparison.holds(left.read(board, member)?, right.read(board, member)?))),
        }
    }

    /// Puts those of all things that count for which the condition holds on the arena, one after the other; the last that
    /// was looked at, and none if the condition asks something of nothing.
    #[inline]
    pub(super) fn list_all(self, board: &Board, lists: &mut Vec<Value>, counts: impl Fn(&Entity) -> bool) -> Option<Value> {
        let Filter { left, comparison, right } = self;
        match (left, right) {
            (Column::Place, Column::Field(field)) => {
                list_all(board, lists, counts, |_, entity| Some(comparison.holds(entity.zone(), board.cell(entity, field)?)))
            }
            _ => list_all(board, lists, counts, |id, entity| {
                Some(comparison.holds(left.read_of(board, id, entity)?, right.read_of(board, id, entity)?))
            }),
        }
    }
}

#[inline(always)]
fn list_where(lists: &mut Vec<Value>, list: Value, passes: impl Fn(Value) -> Option<bool>) -> Option<()> {
    let at = lists.len();
    lists.push(0);
    let first = list as usize + 1;
    for place in first..first + members_of(lists, list).len() {
        let member = *lists.get(place)?;
        if passes(member)? {
            lists.push(member);
        }
    }
    lists[at] = (lists.len() - at - 1) as Value;
    Some(())
}

#[inline(always)]
fn list_all(
    board: &Board,
    lists: &mut Vec<Value>,
    counts: impl Fn(&Entity) -> bool,
    passes: impl Fn(Value, &Entity) -> Option<bool>,
) -> Option<Value> {
    let mut last = NONE;
    for (id, entity) in board.entities.iter().enumerate() {
        if counts(entity) {
            last = id as Value;
            if passes(last, entity)? {
                lists.push(last);
            }
        }
    }
    Some(last)
}

impl Machine {
    /// A condition as a filter of the members that stand in `slot`, if it is as simple as that.
    pub(super) fn filter(&self, base: usize, condition: &Expr, slot: Slot) -> Option<Filter> {
        let Expr::Compare(comparison, left, right) = condition else { return None };
        let column = |expr: &Expr| self.column(base, expr, slot);
        Some(Filter { left: column(left)?, comparison: *comparison, right: column(right)? })
    }

    pub(in crate::runtime) fn column(&self, base: usize, expr: &Expr, slot: Slot) -> Option<Column> {
        match expr {
            Expr::Constant(value) => Some(Column::Same(*value)),
            Expr::Local(of) if *of == slot => Some(Column::Itself),
            Expr::Local(other) => Some(Column::Same(self.slot(base, *other))),
            Expr::LocalPlace(of) if *of == slot => Some(Column::Place),
            Expr::LocalField { slot: of, field } if *of == slot => Some(Column::Field(*field)),
            _ => None,
        }
    }
}
