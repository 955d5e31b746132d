//! Cells of boards, and their positions.
//! The cells of a board are consecutive zones of the thing that has it, and the value of a cell is its zone. `place` is the index
//! of a cell within its board. A *line* is a row, column, diagonal or part of one.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::evaluate::cells::CellTest;
use ludex_program::{BoardInfo, BoardOperation, Expr, Line, NONE, Quantifier, Slot, Value};

/// A cell, or the first one if the board is meant as a whole.
struct BoardCell<'p> {
    board: &'p BoardInfo,
    /// The zone that is the first cell of the board.
    first: Value,
    /// Its index among the cells.
    place: i32,
}

impl Eval {
    /// The value of an expression on cells.
    #[inline(never)]
    pub(super) fn evaluate_on_board(&mut self, context: &Context, base: usize, what: BoardOperation, operands: &[Expr]) -> Value {
        let Some((zone, first, second)) = self.cell_operands(context, base, operands) else { return NONE };
        let Some(cell) = self.cell_of(context, zone) else { return self.value_off_board(what) };
        let (board, place) = (cell.board, cell.place);
        match what {
            BoardOperation::Column => board.cell_position(place as usize).0 as Value,
            BoardOperation::Row => board.cell_position(place as usize).1 as Value,
            BoardOperation::CellAt => board.cell_at(first, second).map_or(NONE, |place| cell.first + place),
            BoardOperation::Cells(_) => self.push_cells(&cell, board.all_cells()),
            BoardOperation::Neighbours(around) => self.push_cells(&cell, board.neighbour_cells(place, around)),
            lines if lines.gives_lines() => self.push_lines(&cell, lines, first),
            line => match board.single_line(line, place, (first, second)) {
                Some(line) => self.push_cells(&cell, line.cell_indexes()),
                None => NONE,
            },
        }
    }

    /// The operands of an expression on cells. The last one is the cell, or the first cell of the board, and is returned first;
    /// the numbers before it follow.
    fn cell_operands(&mut self, context: &Context, base: usize, operands: &[Expr]) -> Option<(Value, Value, Value)> {
        let mut values = [NONE; 3];
        for (value, operand) in values.iter_mut().zip(operands) {
            *value = self.evaluate(context, base, operand);
        }
        let zone = operands.len().checked_sub(1).and_then(|last| values.get(last)).copied().unwrap_or(NONE);
        if zone == NONE {
            self.raise_none_read();
            return None;
        }
        Some((zone, values[0], values[1]))
    }

    /// The cells of a row, a column or a run, without making a list. Empty for a zone that is not a cell.
    pub(super) fn line_on_board(&mut self, context: &Context, base: usize, what: BoardOperation, operands: &[Expr]) -> Line {
        let Some((zone, first, second)) = self.cell_operands(context, base, operands) else { return Line::NONE };
        let Some(cell) = self.cell_of(context, zone) else { return Line::NONE };
        let line = cell.board.single_line(what, cell.place, (first, second)).unwrap_or(Line::NONE);
        line.shift_cells(cell.first)
    }

    /// Whether a condition holds (or fails, if `holds` is false) for one of the lines of a board or through a cell. Stops at the
    /// first. `None` if the expression does not give lines.
    pub(super) fn any_line_matches(
        &mut self,
        context: &Context,
        base: usize,
        (what, operands): (BoardOperation, &[Expr]),
        (slot, condition): (Slot, &Expr),
        holds: bool,
    ) -> Option<bool> {
        if !what.gives_lines() {
            return None;
        }
        let Some((zone, length, _)) = self.cell_operands(context, base, operands) else { return Some(false) };
        let Some(cell) = self.cell_of(context, zone) else { return Some(false) };
        if !self.can_search_lines(&cell, what) {
            return Some(false);
        }
        let found = match self.line_test(context, base, slot, condition) {
            Some((which, test)) => {
                let is_so = |line: Line| self.line_passes(context, line.shift_cells(cell.first), which, &test) == Some(holds);
                cell.board.any_line(what, cell.place, length, is_so)
            }
            None => {
                let is_so =
                    |line: Line| self.line_condition_holds(context, base, line.shift_cells(cell.first), (slot, condition), holds);
                cell.board.any_line(what, cell.place, length, is_so)
            }
        };
        Some(found)
    }

    /// Turns a condition on lines in `slot` into a test of all, any or none of their cells, if it has that form.
    fn line_test(&self, context: &Context, base: usize, slot: Slot, condition: &Expr) -> Option<(Quantifier, CellTest)> {
        let Expr::Quantified { which, list, slot: cell, condition } = condition else { return None };
        // A test compares with a thing or a number, and never with the line itself.
        match list.as_ref() {
            Expr::Local(of) if *of == slot => self.cell_test(context, base, condition, *cell).map(|test| (*which, test)),
            _ => None,
        }
    }

    /// Whether all, any or none of the cells of a line pass; `None` after a fault.
    #[inline]
    fn line_passes(&mut self, context: &Context, line: Line, which: Quantifier, test: &CellTest) -> Option<bool> {
        if self.fault.is_some() || !self.spend_on(1 + line.cell_count()) {
            return None;
        }
        let found = self.first_cell(context, line, test, which != Quantifier::All)?;
        Some(found.is_some() == (which == Quantifier::Any))
    }

    /// Whether a condition holds (or fails) for a line, which is made a list in `slot`. False after a fault.
    fn line_condition_holds(
        &mut self,
        context: &Context,
        base: usize,
        line: Line,
        (slot, condition): (Slot, &Expr),
        holds: bool,
    ) -> bool {
        if self.fault.is_some() || !self.spend_on(1 + line.cell_count()) {
            return false;
        }
        let lists = self.begin_list();
        self.state.lists.extend(line.cell_indexes());
        let list = self.end_list(lists);
        let is_so = self.test_member(context, base, slot, list, condition) == holds;
        self.state.lists.truncate(list as usize);
        is_so && self.fault.is_none()
    }

    /// The cell that a zone is, if it is one.
    fn cell_of<'p>(&self, context: &Context<'p>, zone: Value) -> Option<BoardCell<'p>> {
        let found = self.state.board.zones.get(usize::try_from(zone).ok()?)?;
        let owner = self.state.board.entities.get(usize::from(found.owner))?;
        let program = context.program;
        let board = program.kind(owner.kind).zones.get(usize::from(found.index))?.board?;
        let board = program.boards.get(usize::from(board))?;
        let (first, place) = (Value::from(owner.zones + board.first), i32::from(found.index - board.first));
        Some(BoardCell { board, first, place })
    }

    /// The value for a zone that is not a cell: it has no column and no neighbours.
    fn value_off_board(&mut self, what: BoardOperation) -> Value {
        match what {
            BoardOperation::Column | BoardOperation::Row => 0,
            BoardOperation::CellAt => NONE,
            _ => self.push_list(&[]),
        }
    }

    /// Makes a list of cells, given by their places.
    fn push_cells(&mut self, of: &BoardCell, cells: impl Iterator<Item = i32>) -> Value {
        let at = self.begin_list();
        self.state.lists.extend(cells.map(|cell| of.first + cell));
        let length = self.state.lists.len().saturating_sub(at);
        if !self.spend_on(length) {
            return NONE;
        }
        self.end_list(at)
    }

    /// Makes a list of lines. The inner lists are stored before the list of them.
    fn push_lines(&mut self, of: &BoardCell, what: BoardOperation, length: Value) -> Value {
        if !self.can_search_lines(of, what) {
            return NONE;
        }
        let mut places = smallvec::SmallVec::<[Value; 16]>::new();
        let costs_too_much = of.board.any_line(what, of.place, length, |line| {
            if !self.spend_on(line.cell_count()) {
                return true;
            }
            let at = self.begin_list();
            self.state.lists.extend(line.shift_cells(of.first).cell_indexes());
            places.push(self.end_list(at));
            false
        });
        if costs_too_much { NONE } else { self.push_list(&places) }
    }

    /// Counts the work of a search for lines that may begin at every cell; false if it is too much.
    fn can_search_lines(&mut self, of: &BoardCell, what: BoardOperation) -> bool {
        !what.visits_every_cell() || self.spend_on(of.board.cell_count())
    }
}
