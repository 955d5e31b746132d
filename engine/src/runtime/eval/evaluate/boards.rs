//! Cells of boards, and where they stand.

use crate::program::{BoardInfo, Expr, Line, NONE, OnBoard, Slot, Value};
use crate::runtime::context::Context;
use crate::runtime::eval::Eval;

/// A cell, or the first of a board that is spoken of as a whole.
struct Cell<'p> {
    board: &'p BoardInfo,
    /// The zone that is the first cell of the board.
    first: Value,
    /// Its place among the cells.
    place: i32,
}

impl Eval {
    #[inline(never)]
    pub(super) fn on_board(&mut self, context: &Context, base: usize, what: OnBoard, operands: &[Expr]) -> Value {
        let Some((zone, first, second)) = self.asked_of_cell(context, base, operands) else { return NONE };
        let Some(cell) = self.cell_of(context, zone) else { return self.on_no_board(what) };
        let (board, place) = (cell.board, cell.place);
        match what {
            OnBoard::Column => board.place(place as usize).0 as Value,
            OnBoard::Row => board.place(place as usize).1 as Value,
            OnBoard::CellAt => board.cell(first, second).map_or(NONE, |place| cell.first + place),
            OnBoard::Cells(_) => self.push_cells(&cell, board.all()),
            OnBoard::Neighbours(around) => self.push_cells(&cell, board.neighbours(place, around)),
            OnBoard::RowAt => self.push_cells(&cell, board.row(first).cells()),
            OnBoard::ColumnAt => self.push_cells(&cell, board.column(first).cells()),
            OnBoard::Run => self.push_cells(&cell, board.run(place, (first, second)).cells()),
            OnBoard::Rows => self.push_lines(&cell, (1..=Value::from(board.rows)).map(|row| board.row(row))),
            OnBoard::Columns => self.push_lines(&cell, (1..=Value::from(board.columns)).map(|column| board.column(column))),
            // Every cell is looked at, whether a line begins there or not.
            OnBoard::Diagonals | OnBoard::Lines if !self.spend_on(board.cells()) => NONE,
            OnBoard::Diagonals => self.push_lines(&cell, board.diagonals()),
            OnBoard::Lines => self.push_lines(&cell, board.lines(first)),
            OnBoard::LinesThrough => self.push_lines(&cell, board.lines_through(place, first)),
        }
    }

    /// What is asked of a cell: the cell, or the first one of the board, which is the last operand, and the numbers before it.
    fn asked_of_cell(&mut self, context: &Context, base: usize, operands: &[Expr]) -> Option<(Value, Value, Value)> {
        let mut values = [NONE; 3];
        for (value, operand) in values.iter_mut().zip(operands) {
            *value = self.evaluate(context, base, operand);
        }
        let zone = operands.len().checked_sub(1).and_then(|last| values.get(last)).copied().unwrap_or(NONE);
        if zone == NONE {
            self.nothing_there();
            return None;
        }
        Some((zone, values[0], values[1]))
    }

    /// The cells of a row, a column or a run, for which no list is made.
    pub(super) fn line_on_board(&mut self, context: &Context, base: usize, what: OnBoard, operands: &[Expr]) -> Line {
        let Some((zone, first, second)) = self.asked_of_cell(context, base, operands) else { return Line::NONE };
        let Some(cell) = self.cell_of(context, zone) else { return Line::NONE };
        let line = match what {
            OnBoard::RowAt => cell.board.row(first),
            OnBoard::ColumnAt => cell.board.column(first),
            OnBoard::Run => cell.board.run(cell.place, (first, second)),
            _ => Line::NONE,
        };
        line.counted_from(cell.first)
    }

    /// Whether a condition holds for one of the lines of a board, or for one of those through a cell, looked for until there
    /// is one. None if what is asked for are no lines.
    pub(super) fn one_of_lines(
        &mut self,
        context: &Context,
        base: usize,
        (what, operands): (OnBoard, &[Expr]),
        (slot, condition): (Slot, &Expr),
        holds: bool,
    ) -> Option<bool> {
        if !matches!(what, OnBoard::Rows | OnBoard::Columns | OnBoard::Diagonals | OnBoard::Lines | OnBoard::LinesThrough) {
            return None;
        }
        let Some((zone, length, _)) = self.asked_of_cell(context, base, operands) else { return Some(false) };
        let Some(cell) = self.cell_of(context, zone) else { return Some(false) };
        let board = cell.board;
        // Every cell is looked at, whether a line begins there or not.
        if matches!(what, OnBoard::Diagonals | OnBoard::Lines) && !self.spend_on(board.cells()) {
            return Some(false);
        }
        let is_so = |line: Line| self.is_line_so(context, base, line.counted_from(cell.first), (slot, condition), holds);
        Some(match what {
            OnBoard::Rows => (1..=Value::from(board.rows)).map(|row| board.row(row)).any(is_so),
            OnBoard::Columns => (1..=Value::from(board.columns)).map(|column| board.column(column)).any(is_so),
            OnBoard::Diagonals => board.diagonals().any(is_so),
            OnBoard::Lines => board.lines(length).any(is_so),
            _ => board.lines_through(cell.place, length).any(is_so),
        })
    }

    fn is_line_so(&mut self, context: &Context, base: usize, line: Line, (slot, condition): (Slot, &Expr), holds: bool) -> bool {
        if self.fault.is_some() || !self.spend_on(1 + line.len()) {
            return false;
        }
        let lists = self.begin_list();
        self.state.lists.extend(line.cells());
        let list = self.end_list(lists);
        let is_so = self.test(context, base, slot, list, condition) == holds;
        self.state.lists.truncate(list as usize);
        is_so && self.fault.is_none()
    }

    fn cell_of<'p>(&self, context: &Context<'p>, zone: Value) -> Option<Cell<'p>> {
        let found = self.state.board.zones.get(usize::try_from(zone).ok()?)?;
        let owner = self.state.board.entities.get(usize::from(found.owner))?;
        let program = context.program;
        let board = program.kind(owner.kind).zones.get(usize::from(found.index))?.board?;
        let board = program.boards.get(usize::from(board))?;
        let (first, place) = (Value::from(owner.zones + board.first), i32::from(found.index - board.first));
        Some(Cell { board, first, place })
    }

    /// What is said of a zone that is no cell: it stands in no column and has nothing around it.
    fn on_no_board(&mut self, what: OnBoard) -> Value {
        match what {
            OnBoard::Column | OnBoard::Row => 0,
            OnBoard::CellAt => NONE,
            _ => self.push_list(&[]),
        }
    }

    fn push_cells(&mut self, of: &Cell, cells: impl Iterator<Item = i32>) -> Value {
        let at = self.begin_list();
        self.state.lists.extend(cells.map(|cell| of.first + cell));
        let length = self.state.lists.len().saturating_sub(at);
        if !self.spend_on(length) {
            return NONE;
        }
        self.end_list(at)
    }

    /// The lists of a list lie before it.
    fn push_lines(&mut self, of: &Cell, lines: impl Iterator<Item = Line>) -> Value {
        let mut places = smallvec::SmallVec::<[Value; 16]>::new();
        for line in lines {
            if !self.spend_on(line.len()) {
                return NONE;
            }
            let at = self.begin_list();
            self.state.lists.extend(line.cells().map(|cell| of.first + cell));
            places.push(self.end_list(at));
        }
        self.push_list(&places)
    }
}
