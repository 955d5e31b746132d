//! Columns: what stands with every member of a list, and is read without working anything out for each.

use crate::program::{Comparison, Expr, NONE, Program, SheetId, Slot, Value};
use crate::runtime::eval::Eval;
use crate::runtime::state::{Board, Entity, members_of};

/// A value that each member of a list has, or that is the same for all.
#[derive(Clone, Copy, Debug)]
pub(in crate::runtime) enum Column {
    Itself,
    Place,
    Field(u16),
    /// What is printed in a column of what a field tells.
    Printed {
        field: u16,
        column: u16,
    },
    Same(Value),
}

/// A condition on the members of a list that reads nothing but columns.
#[derive(Clone, Copy, Debug)]
pub(in crate::runtime) enum Filter {
    Compares {
        left: Column,
        comparison: Comparison,
        right: Column,
    },
    /// A column that tells what is printed on the member: whether it is that sheet.
    Sheet {
        of: Column,
        sheet: SheetId,
        is: bool,
    },
    Mark {
        mark: u16,
        bears: bool,
    },
}

impl Column {
    /// Whether it stays what it is while members of the list move.
    pub(in crate::runtime) fn stays_in_a_move(self) -> bool {
        !matches!(self, Column::Place)
    }

    #[inline(always)]
    pub(in crate::runtime) fn read(self, program: &Program, board: &Board, member: Value) -> Option<Value> {
        match self {
            Column::Itself => Some(member),
            Column::Place => Some(board.place_of(member)),
            Column::Field(field) => board.field(member, field),
            Column::Printed { field, column } => program.prints.value(board.field(member, field)?, column),
            Column::Same(value) => Some(value),
        }
    }
}

impl Filter {
    /// Whether the condition holds for a member; none if it asks something of nothing.
    #[inline(always)]
    pub(in crate::runtime) fn passes(self, program: &Program, board: &Board, member: Value) -> Option<bool> {
        match self {
            Filter::Compares { left, comparison, right } => {
                Some(comparison.holds(left.read(program, board, member)?, right.read(program, board, member)?))
            }
            Filter::Sheet { of, sheet, is } => {
                let print = program.prints.print(of.read(program, board, member)?);
                Some(print.is_some_and(|print| program.prints.is_sheet(print.sheet, sheet)) == is)
            }
            Filter::Mark { mark, bears } => Some(board.has_mark(member, mark) == bears),
        }
    }

    /// Puts the members of a list for which the condition holds at the end of the arena, as a list; none if it asks
    /// something of nothing.
    pub(super) fn list(self, program: &Program, board: &Board, lists: &mut Vec<Value>, list: Value) -> Option<()> {
        match self {
            // Places and fields are what rules look at most.
            Filter::Compares { left: Column::Place, comparison, right: Column::Field(field) } => {
                list_where(lists, list, |member| Some(comparison.holds(board.place_of(member), board.field(member, field)?)))
            }
            Filter::Compares { left: Column::Field(field), comparison, right: Column::Same(value) } => {
                list_where(lists, list, |member| Some(comparison.holds(board.field(member, field)?, value)))
            }
            _ => list_where(lists, list, |member| self.passes(program, board, member)),
        }
    }

    /// How many members of a list pass; none if the condition asks something of nothing.
    pub(super) fn count(self, program: &Program, board: &Board, members: &[Value]) -> Option<usize> {
        members.iter().try_fold(0, |count, member| Some(count + usize::from(self.passes(program, board, *member)?)))
    }

    /// Puts those of all things that count for which the condition holds on the arena, one after the other; the last that
    /// was looked at, and none if the condition asks something of nothing.
    #[inline]
    pub(super) fn list_all(
        self,
        program: &Program,
        board: &Board,
        lists: &mut Vec<Value>,
        counts: impl Fn(&Entity) -> bool,
    ) -> Option<Value> {
        match self {
            Filter::Compares { left: Column::Place, comparison, right: Column::Field(field) } => {
                list_all(board, lists, counts, |_, entity| Some(comparison.holds(entity.zone(), board.cell(entity, field)?)))
            }
            _ => list_all(board, lists, counts, |id, _| self.passes(program, board, id)),
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

impl Eval {
    /// A condition as a filter of the members that stand in `slot`, if it is as simple as that.
    #[inline]
    pub(in crate::runtime) fn filter(&self, base: usize, condition: &Expr, slot: Slot) -> Option<Filter> {
        let (condition, holds) = match condition {
            Expr::Not(inner) => (inner.as_ref(), false),
            other => (other, true),
        };
        match condition {
            Expr::Compare(comparison, left, right) if holds => {
                let (left, right) = (self.column(base, left, slot)?, self.column(base, right, slot)?);
                Some(Filter::Compares { left, comparison: *comparison, right })
            }
            Expr::SheetIs { of, sheet } => Some(Filter::Sheet { of: self.column(base, of, slot)?, sheet: *sheet, is: holds }),
            Expr::HasMark { of, mark } if matches!(of.as_ref(), Expr::Local(of) if *of == slot) => {
                Some(Filter::Mark { mark: *mark, bears: holds })
            }
            _ => None,
        }
    }

    pub(in crate::runtime) fn column(&self, base: usize, expr: &Expr, slot: Slot) -> Option<Column> {
        match expr {
            Expr::Constant(value) => Some(Column::Same(*value)),
            Expr::Local(of) if *of == slot => Some(Column::Itself),
            Expr::Local(other) => Some(Column::Same(self.slot(base, *other))),
            Expr::LocalPlace(of) if *of == slot => Some(Column::Place),
            Expr::LocalField { slot: of, field } if *of == slot => Some(Column::Field(*field)),
            Expr::Printed { of, column } => match of.as_ref() {
                Expr::LocalField { slot: of, field } if *of == slot => Some(Column::Printed { field: *field, column: *column }),
                _ => None,
            },
            _ => None,
        }
    }
}
