//! Columns: values that belong to every member of a list, and can be read without evaluating an expression for each.
//! A filter is a condition made of at most two tests of columns. It is made once for all members, with the current values of
//! other slots, for lists and for the candidates of moves. Columns alone also serve moves of many pieces (`effect/bulk.rs`) and
//! the search for pairs.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::state::{Board, Entity, members_of};
use ludex_program::{Comparison, Expr, NONE, Program, SheetId, Slot, Value};

/// A value that each member of a list has, or that is the same for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::runtime) enum Column {
    Itself,
    Place,
    /// Number of pieces in it.
    Pieces,
    Field(u16),
    /// A printed value of the print that a field refers to.
    Printed {
        field: u16,
        column: u16,
    },
    Same(Value),
}

/// A condition on the members of a list that reads nothing but columns.
#[derive(Clone, Copy, Debug)]
pub(in crate::runtime) struct Filter {
    first: Test,
    /// The second test. Conditions with more tests are evaluated for each member.
    second: Option<Test>,
    /// True if passing one of the two tests is enough.
    either: bool,
    /// The fields and wanted values, if each test compares a field with a constant, which is the most common form. A single test
    /// is stored twice.
    fields: Option<[(u16, Value); 2]>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Test {
    Compares {
        left: Column,
        comparison: Comparison,
        right: Column,
    },
    /// Whether the print in a column is of a certain sheet.
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
    /// Whether its value stays the same while members of the list move.
    pub(in crate::runtime) fn stays_in_a_move(self) -> bool {
        !matches!(self, Column::Place | Column::Pieces)
    }

    /// Its value for a member; `None` if it reads a field of `none`.
    #[inline(always)]
    pub(in crate::runtime) fn member_value(self, program: &Program, board: &Board, member: Value) -> Option<Value> {
        match self {
            Column::Itself => Some(member),
            Column::Place => Some(board.place_of(member)),
            Column::Pieces => Some(board.count_pieces(member) as Value),
            Column::Field(field) => board.field(member, field),
            Column::Printed { field, column } => program.prints.printed_value(board.field(member, field)?, column),
            Column::Same(value) => Some(value),
        }
    }
}

impl Test {
    /// Whether a member passes; `None` if the test reads a field of `none`.
    #[inline(always)]
    pub(super) fn member_passes(self, program: &Program, board: &Board, member: Value) -> Option<bool> {
        match self {
            Test::Compares { left, comparison, right } => Some(
                comparison.holds_for(left.member_value(program, board, member)?, right.member_value(program, board, member)?),
            ),
            Test::Sheet { of, sheet, is } => {
                let print = program.prints.find_print(of.member_value(program, board, member)?);
                Some(print.is_some_and(|print| program.prints.is_sheet(print.sheet, sheet)) == is)
            }
            Test::Mark { mark, bears } => Some(board.has_mark(member, mark) == bears),
        }
    }
}

impl Filter {
    /// The filter of one test or two; `either` is whether passing one is enough.
    #[inline]
    fn new(first: Test, second: Option<Test>, either: bool) -> Filter {
        let wanted = |test: Test| match test {
            Test::Compares { left: Column::Field(field), comparison: Comparison::Equal, right: Column::Same(value) } => {
                Some((field, value))
            }
            _ => None,
        };
        let fields = match (wanted(first), second) {
            (Some(one), None) => Some([one, one]),
            (Some(one), Some(other)) if !either => wanted(other).map(|other| [one, other]),
            _ => None,
        };
        Filter { first, second, either, fields }
    }

    /// The column that the condition first compares with a number, the number, and the other test.
    #[inline]
    pub(super) fn equality_test(&self) -> Option<(Column, Value, Option<Test>)> {
        let Test::Compares { left, comparison: Comparison::Equal, right } = self.first else { return None };
        if self.either {
            return None;
        }
        match (left, right) {
            (column, Column::Same(value)) | (Column::Same(value), column)
                if matches!(column, Column::Field(_) | Column::Printed { .. }) =>
            {
                Some((column, value, self.second))
            }
            _ => None,
        }
    }

    /// Whether the condition holds for a member; `None` if it reads a field of `none`.
    #[inline(always)]
    pub(in crate::runtime) fn member_passes(&self, program: &Program, board: &Board, member: Value) -> Option<bool> {
        if let Some([one, other]) = self.fields {
            let cells = board.cells.get(board.entity(member)?.cells as usize..)?;
            return Some(*cells.get(usize::from(one.0))? == one.1 && *cells.get(usize::from(other.0))? == other.1);
        }
        let first = self.first.member_passes(program, board, member)?;
        match self.second {
            Some(second) if first != self.either => second.member_passes(program, board, member),
            _ => Some(first),
        }
    }

    /// Passes each member to `stop`, with the result of the condition, until it returns true. `None` if the condition reads a
    /// field of `none`.
    #[inline(always)]
    fn visit_members<M: Copy + Into<Value>>(
        &self,
        program: &Program,
        board: &Board,
        members: &[M],
        mut stop: impl FnMut(Value, bool) -> bool,
    ) -> Option<()> {
        for member in members {
            let member = (*member).into();
            if stop(member, self.member_passes(program, board, member)?) {
                break;
            }
        }
        Some(())
    }

    /// Appends the members of a list that pass to the arena, as a list; `None` if the condition reads a field of `none`.
    pub(super) fn append_passing(&self, program: &Program, board: &Board, lists: &mut Vec<Value>, list: Value) -> Option<()> {
        match (self.first, self.second) {
            // Conditions on places and fields are the most common.
            (Test::Compares { left: Column::Place, comparison, right: Column::Field(field) }, None) => {
                list_where(lists, list, |member| Some(comparison.holds_for(board.place_of(member), board.field(member, field)?)))
            }
            (Test::Compares { left: Column::Field(field), comparison, right: Column::Same(value) }, None) => {
                list_where(lists, list, |member| Some(comparison.holds_for(board.field(member, field)?, value)))
            }
            _ => list_where(lists, list, |member| self.member_passes(program, board, member)),
        }
    }

    /// Keeps the members for which the condition holds. Returns false if the condition reads a field of `none`.
    pub(in crate::runtime) fn retain<M>(
        &self,
        program: &Program,
        board: &Board,
        members: &mut Vec<M>,
        id: impl Fn(&M) -> Value,
    ) -> bool {
        let mut sound = true;
        match (self.first, self.second) {
            // The most common condition on cells of a board is that they are empty.
            (Test::Compares { left: Column::Pieces, comparison, right: Column::Same(value) }, None) => {
                members.retain(|member| comparison.holds_for(board.count_pieces(id(member)) as Value, value));
            }
            _ => members.retain(|member| {
                let passes = self.member_passes(program, board, id(member));
                sound &= passes.is_some();
                passes == Some(true)
            }),
        }
        sound
    }

    /// Number of members that pass; `None` if the condition reads a field of `none`.
    pub(super) fn count_passing<M: Copy + Into<Value>>(&self, program: &Program, board: &Board, members: &[M]) -> Option<usize> {
        let mut count = 0;
        self.visit_members(program, board, members, |_, passes| {
            count += usize::from(passes);
            false
        })?;
        Some(count)
    }

    /// The first member that passes (or fails), if there is one; the outer `None` means that the condition reads a field of
    /// `none`.
    pub(super) fn first_passing<M: Copy + Into<Value>>(
        &self,
        program: &Program,
        board: &Board,
        members: &[M],
        passing: bool,
    ) -> Option<Option<Value>> {
        let mut found = None;
        self.visit_members(program, board, members, |member, passes| {
            found = (passes == passing).then_some(member);
            found.is_some()
        })?;
        Some(found)
    }

    /// Appends to the arena all things from index `first` on that count and pass. Returns the last thing that counts; `None` if
    /// the condition reads a field of `none`.
    #[inline]
    pub(super) fn append_all_passing(
        &self,
        program: &Program,
        board: &Board,
        lists: &mut Vec<Value>,
        first: usize,
        counts: impl Fn(&Entity) -> bool,
    ) -> Option<Value> {
        match (self.first, self.second) {
            (Test::Compares { left: Column::Place, comparison, right: Column::Field(field) }, None) => {
                let passes = |_, entity: &Entity| Some(comparison.holds_for(entity.zone_id(), board.cell(entity, field)?));
                list_all(board, lists, first, counts, passes)
            }
            _ => list_all(board, lists, first, counts, |id, _| self.member_passes(program, board, id)),
        }
    }
}

/// Appends the members of a list that pass to the arena, as a list; `None` as soon as `passes` returns it.
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

/// Appends the things from index `first` on that count and pass, without a length. Returns the last that counts.
#[inline(always)]
fn list_all(
    board: &Board,
    lists: &mut Vec<Value>,
    first: usize,
    counts: impl Fn(&Entity) -> bool,
    passes: impl Fn(Value, &Entity) -> Option<bool>,
) -> Option<Value> {
    let mut last = NONE;
    for (id, entity) in board.entities.iter().enumerate().skip(first) {
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
    /// Turns a condition on members in `slot` into a filter, if it is simple enough.
    #[inline]
    pub(in crate::runtime) fn make_filter(&self, context: &Context, base: usize, condition: &Expr, slot: Slot) -> Option<Filter> {
        if let Expr::And(left, right) | Expr::Or(left, right) = condition {
            if !is_plain(left) || !is_plain(right) {
                return None;
            }
            let (first, second) = (self.make_test(context, base, left, slot)?, self.make_test(context, base, right, slot)?);
            return Some(Filter::new(first, Some(second), matches!(condition, Expr::Or(..))));
        }
        self.make_test(context, base, condition, slot).map(|first| Filter::new(first, None, false))
    }

    /// Turns a condition into a test, if it is simple enough.
    #[inline]
    fn make_test(&self, context: &Context, base: usize, condition: &Expr, slot: Slot) -> Option<Test> {
        let (condition, holds) = match condition {
            Expr::Not(inner) => (inner.as_ref(), false),
            other => (other, true),
        };
        match condition {
            Expr::Compare(comparison, left, right) if holds => {
                let (left, right) = (self.make_column(context, base, left, slot)?, self.make_column(context, base, right, slot)?);
                Some(Test::Compares { left, comparison: *comparison, right })
            }
            Expr::SheetIs { of, sheet } => {
                Some(Test::Sheet { of: self.make_column(context, base, of, slot)?, sheet: *sheet, is: holds })
            }
            Expr::HasMark { of, mark } if matches!(of.as_ref(), Expr::Local(of) if *of == slot) => {
                Some(Test::Mark { mark: *mark, bears: holds })
            }
            _ => None,
        }
    }

    /// Turns an expression on the member in `slot` into a column, if it is one. Other slots are read at once.
    #[inline]
    pub(in crate::runtime) fn make_column(&self, context: &Context, base: usize, expr: &Expr, slot: Slot) -> Option<Column> {
        match expr {
            Expr::Constant(value) => Some(Column::Same(*value)),
            Expr::Local(of) if *of == slot => Some(Column::Itself),
            Expr::Local(other) => Some(Column::Same(self.read_slot(base, *other))),
            Expr::LocalPlace(of) if *of == slot => Some(Column::Place),
            Expr::CountZone(zone) if matches!(zone.as_ref(), Expr::Local(of) if *of == slot) => Some(Column::Pieces),
            Expr::LocalField { slot: of, field } if *of == slot => Some(Column::Field(*field)),
            Expr::LocalField { slot: other, field } => {
                self.state.board.field(self.read_slot(base, *other), *field).map(Column::Same)
            }
            Expr::TableField(field) => self.state.board.field(Value::from(context.roster.table), *field).map(Column::Same),
            Expr::Printed { of, column } => match self.make_column(context, base, of, slot)? {
                Column::Field(field) => Some(Column::Printed { field, column: *column }),
                Column::Same(print) => context.program.prints.printed_value(print, *column).map(Column::Same),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether a condition may read a slot. False is certain; forms that this does not look into count as reading it. Used to find
/// conditions on pieces that are the same for all cells.
pub(super) fn may_depend_on_slot(condition: &Expr, slot: Slot) -> bool {
    match condition {
        Expr::Constant(_) | Expr::TableField(_) => false,
        Expr::Local(read) | Expr::LocalPlace(read) | Expr::LocalField { slot: read, .. } => *read == slot,
        Expr::Not(a) | Expr::CountZone(a) => may_depend_on_slot(a, slot),
        Expr::Printed { of, .. } | Expr::SheetIs { of, .. } | Expr::HasMark { of, .. } => may_depend_on_slot(of, slot),
        Expr::And(a, b) | Expr::Or(a, b) | Expr::Compare(_, a, b) => may_depend_on_slot(a, slot) || may_depend_on_slot(b, slot),
        _ => true,
    }
}

/// Whether a condition has the form of a test, so that building one is worthwhile.
#[inline]
fn is_plain(condition: &Expr) -> bool {
    matches!(condition, Expr::Compare(..) | Expr::Not(_) | Expr::SheetIs { .. } | Expr::HasMark { .. })
}
