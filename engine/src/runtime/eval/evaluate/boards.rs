//! Cells of boards, and where they stand.

use crate::program::{BoardInfo, Expr, Line, NONE, OnBoard, Value};
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
    /// The operands are the numbers, and then the cell or the first cell of the board.
    #[inline(never)]
    pub(super) fn on_board(&mut self, context: &Context, base: usize, what: OnBoard, operands: &[Expr]) -> Value {
        let mut values = [NONE; 3];
        for (value, operand) in values.iter_mut().zip(operands) {
            *value = self.evaluate(context, base, operand);
        }
        let zone = operands.len().checked_sub(1).and_then(|last| values.get(last)).copied().unwrap_or(NONE);
        if zone == NONE {
            return self.nothing_there();
        }
        let [first, second, _] = values;
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
