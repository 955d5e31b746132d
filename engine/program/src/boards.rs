//! Boards: zones in columns and rows, each a cell. The geometry follows from the number of columns and rows alone, without
//! reading other cells. A cell is given by its index among all cells of its board, row by row from the bottom, from 0. The
//! engine adds the zone of the first cell to it (`runtime/eval/evaluate/boards.rs`). Columns and rows count from 1.

use super::KindId;

/// Maximum number of cells of a board.
pub const MOST_BOARD_CELLS: usize = 1_024;
/// Maximum number of cells of all boards of a game together, including those of each side and entrant.
pub const MOST_CELLS_IN_GAME: usize = 16_384;

/// A board of a kind. Its cells are consecutive zones of the kind, row by row from the bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardInfo {
    /// Its name in the rules: `meadow`.
    pub name: String,
    /// The kind that has it, among [`super::Program::kinds`].
    pub kind: KindId,
    /// Its first cell, among the zones of the kind.
    pub first: u16,
    /// Number of cells in a row.
    pub columns: u16,
    /// Number of rows.
    pub rows: u16,
}

/// A step from one cell to the next: columns to the right and rows up.
pub type Step = (i32, i32);

/// The directions of straight lines: along rows, along columns, and along both diagonals.
const WAYS: [Step; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The neighbourhood of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbourhood {
    /// All eight cells around it, as far as the board reaches.
    All,
    /// Those to the left and right, above and below.
    Orthogonal,
    /// Those at its corners.
    Diagonal,
}

/// An operation on a board or a cell, with its operands. A board is given by its first cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardOperation {
    /// All cells of the board with this index among [`super::Program::boards`].
    Cells(u16),
    /// The cell of a board in a column and a row, or none.
    CellAt,
    /// The column of a cell; 0 for another zone.
    Column,
    /// The row of a cell; 0 for another zone.
    Row,
    /// The cells that touch a cell.
    Neighbours(Neighbourhood),
    /// The cells of a row of a board, by its number.
    RowAt,
    /// The cells of a column of a board.
    ColumnAt,
    /// All rows of a board, each a list of cells.
    Rows,
    /// All columns of a board.
    Columns,
    /// All diagonals of a board with at least two cells.
    Diagonals,
    /// All straight lines of a given length on a board.
    Lines,
    /// The straight lines of a given length that contain a cell.
    LinesThrough,
    /// The cells that follow a cell, at a given step of columns and rows.
    Run,
}

impl BoardOperation {
    /// Whether it gives a list of lines, which [`BoardInfo::any_line`] iterates over.
    pub fn gives_lines(self) -> bool {
        matches!(
            self,
            BoardOperation::Rows
                | BoardOperation::Columns
                | BoardOperation::Diagonals
                | BoardOperation::Lines
                | BoardOperation::LinesThrough
        )
    }

    /// Whether it visits every cell of the board, even those where no line begins. The engine then counts work for each of
    /// them.
    pub fn visits_every_cell(self) -> bool {
        matches!(self, BoardOperation::Diagonals | BoardOperation::Lines)
    }
}

/// Cells in a straight line: the first, the distance to the next among all cells, and the number of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    first: i32,
    step: i32,
    length: i32,
}

impl Line {
    /// The empty line.
    pub const NONE: Line = Line { first: 0, step: 0, length: 0 };

    /// Number of cells.
    #[inline]
    pub fn cell_count(self) -> usize {
        self.length.max(0) as usize
    }

    /// The indices of its cells among all cells of the board.
    #[inline]
    pub fn cell_indexes(self) -> impl DoubleEndedIterator<Item = i32> {
        (0..self.length).map(move |place| self.first + place * self.step)
    }

    /// The cell at an index into the line, from 0.
    #[inline]
    pub fn nth_cell(self, place: usize) -> Option<i32> {
        i32::try_from(place).ok().filter(|place| *place < self.length).map(|place| self.first + place * self.step)
    }

    /// The same line with its cells counted from `number` instead of 0. With the number of the zone that is the first cell,
    /// its cells become zones.
    #[inline]
    pub fn shift_cells(self, number: i32) -> Line {
        Line { first: self.first + number, ..self }
    }
}

impl BoardInfo {
    /// Number of cells.
    #[inline]
    pub fn cell_count(&self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    /// Whether the board is a single row.
    pub fn is_row(&self) -> bool {
        self.rows == 1
    }

    /// The column and row of a cell, both counted from 1, from its index among all cells.
    pub fn cell_position(&self, cell: usize) -> (usize, usize) {
        let columns = usize::from(self.columns).max(1);
        (cell % columns + 1, cell / columns + 1)
    }

    /// The name of a cell in keys, positions and views: `meadow.2.3`, or `path.2` if there is only one row.
    pub fn cell_name(&self, cell: usize) -> String {
        let (column, row) = self.cell_position(cell);
        match self.is_row() {
            true => format!("{}.{column}", self.name),
            false => format!("{}.{column}.{row}", self.name),
        }
    }

    /// The name of a cell for players: `column 2, row 3`, or `place 2` if there is only one row.
    pub fn cell_place_text(&self, cell: usize) -> String {
        let (column, row) = self.cell_position(cell);
        match self.is_row() {
            true => format!("place {column}"),
            false => format!("column {column}, row {row}"),
        }
    }

    /// The cell in a column and a row, if there is one.
    #[inline]
    pub fn cell_at(&self, column: i32, row: i32) -> Option<i32> {
        let is_on = column >= 1 && column <= i32::from(self.columns) && row >= 1 && row <= i32::from(self.rows);
        is_on.then(|| (row - 1) * i32::from(self.columns) + column - 1)
    }

    /// The column and row of a cell, both from 1.
    #[inline]
    fn column_and_row(&self, cell: i32) -> (i32, i32) {
        let columns = i32::from(self.columns).max(1);
        (cell % columns + 1, cell / columns + 1)
    }

    /// Number of steps from a cell until the board ends.
    fn steps_to_edge(&self, cell: i32, step: Step) -> i32 {
        self.steps_to_edge_from(self.column_and_row(cell), step)
    }

    /// Same as [`Self::steps_to_edge`], from a column and a row. A step may be of any length.
    #[inline]
    fn steps_to_edge_from(&self, (column, row): (i32, i32), (right, up): Step) -> i32 {
        let room = |place: i32, size: u16, by: i32| match by {
            0 => i32::MAX,
            1 => i32::from(size) - place,
            -1 => place - 1,
            2.. => (i32::from(size) - place) / by,
            // A step too long to be negated leaves the board at once.
            _ => by.checked_neg().map_or(0, |by| (place - 1) / by),
        };
        match (right, up) {
            // A zero step goes nowhere.
            (0, 0) => 0,
            _ => room(column, self.columns, right).min(room(row, self.rows, up)),
        }
    }

    /// A line of `length` cells from `first` on, at a given step.
    #[inline]
    fn make_line(&self, first: i32, (right, up): Step, length: i32) -> Line {
        Line { first, step: right.wrapping_add(up.wrapping_mul(i32::from(self.columns))), length }
    }

    /// The cells that follow one at a given step, without it.
    #[inline]
    pub fn run_line(&self, cell: i32, step: Step) -> Line {
        let line = self.make_line(cell, step, self.steps_to_edge(cell, step));
        Line { first: cell.wrapping_add(line.step), ..line }
    }

    /// The cells of a row, from the left; none if there is no such row.
    #[inline]
    pub fn row_line(&self, row: i32) -> Line {
        self.cell_at(1, row).map_or(Line::NONE, |first| self.make_line(first, (1, 0), i32::from(self.columns)))
    }

    /// The cells of a column, from the bottom; none if there is no such column.
    #[inline]
    pub fn column_line(&self, column: i32) -> Line {
        self.cell_at(column, 1).map_or(Line::NONE, |first| self.make_line(first, (0, 1), i32::from(self.rows)))
    }

    /// The diagonals with at least two cells: those that rise, then those that fall.
    pub fn diagonal_lines(&self) -> impl Iterator<Item = Line> {
        let begins = |step: Step| {
            let is_first =
                move |cell: &i32| self.steps_to_edge(*cell, (-step.0, -step.1)) == 0 && self.steps_to_edge(*cell, step) > 0;
            self.all_cells().filter(is_first).map(move |cell| self.make_line(cell, step, self.steps_to_edge(cell, step) + 1))
        };
        begins((1, 1)).chain(begins((1, -1)))
    }

    /// Iterates over all straight lines of this length until `is_so` holds for one. Order: along rows, along columns, along
    /// rising diagonals, along falling diagonals, and in each direction by first cell, row by row.
    fn any_line_of(&self, length: i32, mut is_so: impl FnMut(Line) -> bool) -> bool {
        let (columns, rows) = (i32::from(self.columns), i32::from(self.rows));
        self.line_directions(length).iter().any(|step| {
            // The extent of the line beyond its first cell.
            let (ahead, above) = (step.0 * (length - 1), step.1 * (length - 1));
            let first_row = 0.max(-above);
            (first_row..rows.min(rows.saturating_sub(above))).any(|row| {
                let begin = row * columns;
                (begin..begin + columns - ahead).any(|cell| is_so(self.make_line(cell, *step, length)))
            })
        })
    }

    /// Iterates over the lines of this length through a cell until `is_so` holds for one.
    fn any_line_through(&self, cell: i32, length: i32, mut is_so: impl FnMut(Line) -> bool) -> bool {
        let place = self.column_and_row(cell);
        self.line_directions(length).iter().any(|step| {
            let behind = self.steps_to_edge_from(place, (-step.0, -step.1)).min(length - 1);
            let ahead = self.steps_to_edge_from(place, *step).min(length - 1);
            let whole = self.make_line(cell, *step, length);
            // `back` cells of the line come before the cell, the others after it.
            let mut backs = (length - 1 - ahead..behind + 1).rev();
            backs.any(|back| is_so(Line { first: cell - back * whole.step, ..whole }))
        })
    }

    /// The directions in which lines of this length run; none for a length below 1. For a line of one cell all directions are
    /// the same.
    fn line_directions(&self, length: i32) -> &'static [Step] {
        match length {
            ..=0 => &[],
            1 => &WAYS[..1],
            _ => &WAYS,
        }
    }

    /// The cells that touch one, row by row from the bottom.
    pub fn neighbour_cells(&self, cell: i32, around: Neighbourhood) -> impl Iterator<Item = i32> {
        let (column, row) = self.column_and_row(cell);
        let steps = (-1..=1).flat_map(|up: i32| (-1..=1).map(move |right: i32| (right, up)));
        let is_meant = move |(right, up): &Step| match around {
            Neighbourhood::All => (*right, *up) != (0, 0),
            Neighbourhood::Orthogonal => right.abs() + up.abs() == 1,
            Neighbourhood::Diagonal => right.abs() + up.abs() == 2,
        };
        steps.filter(is_meant).filter_map(move |(right, up)| self.cell_at(column + right, row + up))
    }

    /// The cells of a row, a column or a run; none for other operations. `cell` is where a run begins. The numbers are the
    /// row or column, or the step of a run.
    #[inline]
    pub fn single_line(&self, what: BoardOperation, cell: i32, (first, second): (i32, i32)) -> Option<Line> {
        match what {
            BoardOperation::RowAt => Some(self.row_line(first)),
            BoardOperation::ColumnAt => Some(self.column_line(first)),
            BoardOperation::Run => Some(self.run_line(cell, (first, second))),
            _ => None,
        }
    }

    /// Iterates over the requested lines until `is_so` holds for one. Returns true if it did. `cell` is that of
    /// [`BoardOperation::LinesThrough`], and `length` that of lines; other operations ignore them.
    pub fn any_line(&self, what: BoardOperation, cell: i32, length: i32, is_so: impl FnMut(Line) -> bool) -> bool {
        match what {
            BoardOperation::Rows => (1..=i32::from(self.rows)).map(|row| self.row_line(row)).any(is_so),
            BoardOperation::Columns => (1..=i32::from(self.columns)).map(|column| self.column_line(column)).any(is_so),
            BoardOperation::Diagonals => self.diagonal_lines().any(is_so),
            BoardOperation::Lines => self.any_line_of(length, is_so),
            BoardOperation::LinesThrough => self.any_line_through(cell, length, is_so),
            _ => false,
        }
    }

    /// The indices of all cells.
    pub fn all_cells(&self) -> std::ops::Range<i32> {
        0..self.cell_count() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn board(columns: u16, rows: u16) -> BoardInfo {
        BoardInfo { name: "meadow".to_string(), kind: 0, first: 0, columns, rows }
    }

    /// The cells from one on that a plain walk comes to.
    fn walked(board: &BoardInfo, cell: i32, step: Step) -> Vec<i32> {
        let (mut column, mut row) = board.column_and_row(cell);
        let mut found = Vec::new();
        if step == (0, 0) {
            return found;
        }
        loop {
            (column, row) = (column.saturating_add(step.0), row.saturating_add(step.1));
            match board.cell_at(column, row) {
                Some(cell) => found.push(cell),
                None => return found,
            }
        }
    }

    /// The lines that are gone through.
    fn lines(board: &BoardInfo, what: BoardOperation, cell: i32, length: i32) -> Vec<Line> {
        let mut all = Vec::new();
        let is_found = board.any_line(what, cell, length, |line| {
            all.push(line);
            false
        });
        assert!(!is_found);
        all
    }

    /// All lines of so many cells, as sets, from a walk in all eight directions.
    fn lines_walked(board: &BoardInfo, length: usize) -> BTreeSet<BTreeSet<i32>> {
        let steps = (-1..=1).flat_map(|up| (-1..=1).map(move |right| (right, up)));
        let all = steps.flat_map(|step| board.all_cells().map(move |cell| (cell, step)));
        let lines = all.filter_map(|(cell, step)| {
            let line: BTreeSet<i32> = std::iter::once(cell).chain(walked(board, cell, step)).take(length).collect();
            (line.len() == length).then_some(line)
        });
        lines.collect()
    }

    fn set(line: Line) -> BTreeSet<i32> {
        line.cell_indexes().collect()
    }

    #[test]
    fn known_numbers_of_lines() {
        let count = |columns, rows, length| lines(&board(columns, rows), BoardOperation::Lines, 0, length).len();
        assert_eq!(count(3, 3, 3), 8);
        assert_eq!(count(7, 6, 4), 69);
        assert_eq!(count(19, 19, 5), 1020);
        assert_eq!(count(24, 1, 2), 23);
        assert_eq!(board(8, 8).diagonal_lines().count(), 26);
    }

    proptest! {
        #[test]
        fn lines_are_those_of_a_walk(columns in 1u16..9, rows in 1u16..9, length in 1usize..7) {
            let board = board(columns, rows);
            let all = lines(&board, BoardOperation::Lines, 0, length as i32);
            let sets: BTreeSet<BTreeSet<i32>> = all.iter().map(|line| set(*line)).collect();
            prop_assert_eq!(sets.len(), all.len(), "no line comes twice");
            prop_assert_eq!(&sets, &lines_walked(&board, length));
            for cell in board.all_cells() {
                let through = lines(&board, BoardOperation::LinesThrough, cell, length as i32);
                let own: BTreeSet<BTreeSet<i32>> = through.iter().map(|line| set(*line)).collect();
                let wanted: BTreeSet<BTreeSet<i32>> = sets.iter().filter(|line| line.contains(&cell)).cloned().collect();
                prop_assert_eq!(own.len(), through.len());
                prop_assert_eq!(own, wanted);
                prop_assert!(through.iter().all(|line| all.contains(line)), "a line runs the same way wherever it is asked for");
            }
        }

        #[test]
        fn runs_are_those_of_a_walk(columns in 1u16..9, rows in 1u16..9, right in -4i32..5, up in -4i32..5, cell in 0i32..64) {
            let board = board(columns, rows);
            let cell = cell % board.cell_count() as i32;
            prop_assert_eq!(board.run_line(cell, (right, up)).cell_indexes().collect::<Vec<_>>(), walked(&board, cell, (right, up)));
            for extreme in [(i32::MIN, 0), (0, i32::MAX), (i32::MIN + 1, up), (i32::MAX, i32::MIN)] {
                prop_assert_eq!(board.run_line(cell, extreme).cell_indexes().count(), 0);
            }
        }

        #[test]
        fn rows_columns_and_diagonals_are_the_board(columns in 1u16..9, rows in 1u16..9) {
            let board = board(columns, rows);
            let of_rows: Vec<i32> = (1..=i32::from(rows)).flat_map(|row| board.row_line(row).cell_indexes()).collect();
            prop_assert_eq!(of_rows, board.all_cells().collect::<Vec<_>>());
            let of_columns: BTreeSet<i32> = (1..=i32::from(columns)).flat_map(|column| board.column_line(column).cell_indexes()).collect();
            prop_assert_eq!(of_columns.len(), board.cell_count());
            prop_assert_eq!(board.row_line(0).cell_count() + board.column_line(i32::from(columns) + 1).cell_count(), 0);
            for line in board.diagonal_lines() {
                let cells: Vec<i32> = line.cell_indexes().collect();
                let touches = |pair: &[i32]| board.neighbour_cells(pair[0], Neighbourhood::Diagonal).any(|cell| cell == pair[1]);
                let is_diagonal = cells.len() > 1 && cells.windows(2).all(touches);
                prop_assert!(is_diagonal);
            }
        }

        #[test]
        fn neighbours_are_one_step_away(columns in 1u16..9, rows in 1u16..9) {
            let board = board(columns, rows);
            for cell in board.all_cells() {
                let (column, row) = board.column_and_row(cell);
                let near = |other: &i32| {
                    let (c, r) = board.column_and_row(*other);
                    *other != cell && (c - column).abs() <= 1 && (r - row).abs() <= 1
                };
                let wanted: Vec<i32> = board.all_cells().filter(near).collect();
                prop_assert_eq!(board.neighbour_cells(cell, Neighbourhood::All).collect::<Vec<_>>(), wanted);
                let parts = [Neighbourhood::Orthogonal, Neighbourhood::Diagonal].map(|around| board.neighbour_cells(cell, around).count());
                prop_assert_eq!(parts.iter().sum::<usize>(), board.neighbour_cells(cell, Neighbourhood::All).count());
            }
        }
    }
}
