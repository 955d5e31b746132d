//! Compiles operations on boards and their cells.
//!
//! A board is a grid or row of cells. Each cell is a zone of the thing that has the board, in order from [`BoardInfo::first`]; so a
//! board is compiled to its first cell and its index. Columns and rows count from 1.

use super::Compiler;
use crate::boards::{CELL_MEMBERS, cell_member, type_on_board};
use crate::types::Type;
use ludex_program::{BoardInfo, BoardOperation, Expr, KindId, NONE, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{BoardWord, Expr as Written, ExprKind};

impl Compiler<'_> {
    /// The cells of a thing's board, by the board's name; none if its kind has no such board.
    pub(super) fn board_cells(&self, of: &Expr, kind: KindId, name: &str) -> Option<(Expr, Type)> {
        let which = self.symbols.find_board(kind, name)?;
        let board = &self.symbols.boards[usize::from(which)];
        let (first, what) = (Expr::Zone { of: Box::new(of.clone()), zone: board.first }, BoardOperation::Cells(which));
        Some((Expr::OnBoard(what, vec![first]), type_on_board(what, self.symbols.board_piece_kind(board))))
    }

    /// A member of a cell: its position, or the pieces in it by their singular or plural name. None if the zone is no cell or has
    /// no such member. `holds` is the kind of its pieces.
    pub(super) fn member_of_cell(&self, cell: &Expr, holds: KindId, name: &str) -> Option<(Expr, Type)> {
        if !self.symbols.can_be_on_boards(holds) {
            return None;
        }
        if let Some(what) = cell_member(name) {
            return Some((Expr::OnBoard(what, vec![cell.clone()]), type_on_board(what, holds)));
        }
        let (kind, pieces) = (self.program.kind(holds), Expr::ZoneList(Box::new(cell.clone())));
        if name == kind.plural {
            return Some((pieces, Type::Entity(holds).into_list()));
        }
        // Of several pieces, the topmost.
        let topmost = Expr::EndOf { last: true, list: Box::new(pieces) };
        (name == kind.name).then(|| (topmost, Type::Entity(holds).or_none()))
    }

    /// The members of a zone whose pieces may be on boards.
    pub(super) fn cell_member_names(&self, holds: KindId) -> impl Iterator<Item = String> {
        let kind = self.program.kind(holds);
        let names = CELL_MEMBERS.iter().map(|(name, _)| (*name).to_string()).chain([kind.name.clone(), kind.plural.clone()]);
        let all: Vec<String> = names.filter(|_| self.symbols.can_be_on_boards(holds)).collect();
        all.into_iter()
    }

    /// Compiles `cell 2, 3 of board`: the numbers, and the board or cell that they refer to.
    pub(super) fn compile_board_expression(&mut self, word: BoardWord, operands: &[Written]) -> (Expr, Type) {
        let Some((of, written)) = operands.split_last() else { return (Expr::Constant(NONE), Type::Unknown) };
        let numbers: Vec<Expr> = written.iter().map(|number| self.compile_number(number)).collect();
        if matches!(word, BoardWord::LinesThrough | BoardWord::Run) {
            return self.compile_through_cell(word, numbers, of);
        }
        let Some((first, which)) = self.compile_board(of) else { return (Expr::Constant(NONE), Type::Unknown) };
        let board = self.symbols.boards[usize::from(which)].clone();
        let what = match word {
            BoardWord::Cell => BoardOperation::CellAt,
            BoardWord::Row => BoardOperation::RowAt,
            BoardWord::Column => BoardOperation::ColumnAt,
            BoardWord::Rows => BoardOperation::Rows,
            BoardWord::Columns => BoardOperation::Columns,
            BoardWord::Diagonals => BoardOperation::Diagonals,
            BoardWord::Lines | BoardWord::LinesThrough | BoardWord::Run => BoardOperation::Lines,
        };
        let before = self.problems.len();
        if self.symbols.is_valid_board(which) {
            self.check_place(what, &numbers, written, of.span, &board);
        }
        // After an error about its position, a cell counts as certain, so that it is not reported again as one that may be none.
        let is_told = self.problems.len() > before;
        let numbers = if what == BoardOperation::CellAt { add_second_number(numbers, 1) } else { numbers };
        let found = type_on_board(what, self.symbols.board_piece_kind(&board));
        // A cell is certain if its position is known, or if it was tested.
        let is_there = what == BoardOperation::CellAt && (is_told || is_on_board(&numbers, &board));
        let found = if is_there { found.without_none().clone() } else { found };
        (Expr::OnBoard(what, numbers.into_iter().chain([first]).collect()), found)
    }

    /// Compiles `lines of 4 through cell` and `run 1, 0 from cell`, which name a cell instead of a board.
    fn compile_through_cell(&mut self, word: BoardWord, numbers: Vec<Expr>, of: &Written) -> (Expr, Type) {
        let (cell, found) = self.compile_expression(of);
        let holds = match found.without_none() {
            Type::Zone(holds) => *holds,
            Type::Unknown => return (Expr::Constant(NONE), Type::Unknown),
            _ => {
                let words = self.type_text(&found);
                self.report_error(
                    codes::WRONG_TYPE,
                    format!("a cell is needed here, but this is {words}"),
                    of.span,
                    "not a cell",
                );
                return (Expr::Constant(NONE), Type::Unknown);
            }
        };
        if !self.symbols.can_be_on_boards(holds) {
            let plural = &self.program.kind(holds).plural;
            let problem =
                Problem::error(codes::WRONG_TYPE, format!("no board has cells for {plural}")).with_label(of.span, "not a cell");
            self.problems.push(problem.help(format!("declare a board: `zone board: grid 8 by 8 of {plural}, open`")));
        }
        self.require_value(of, &cell, &found);
        let (what, numbers) = match word {
            BoardWord::Run => (BoardOperation::Run, add_second_number(numbers, 0)),
            _ => (BoardOperation::LinesThrough, numbers),
        };
        (Expr::OnBoard(what, numbers.into_iter().chain([cell]).collect()), type_on_board(what, holds))
    }

    /// Compiles a board. Returns its first cell and its index.
    fn compile_board(&mut self, written: &Written) -> Option<(Expr, u16)> {
        let (expr, found) = self.compile_expression(written);
        let board = first_cell(expr);
        if board.is_none() && found != Type::Unknown {
            let words = self.type_text(&found);
            let message = format!("a board is needed here, but this is {words}");
            let problem = Problem::error(codes::WRONG_TYPE, message).with_label(written.span, "not a board");
            self.problems.push(match self.symbols.boards.first() {
                Some(board) => problem.help(format!("write the name of a board, such as `{}`", board.name)),
                None => problem.help("declare a board: `zone board: grid 8 by 8 of …, open`"),
            });
        }
        board
    }

    /// Reports a constant position or length of line that does not fit the board. `whole` is the place of the expression, and
    /// `written` are its numbers.
    fn check_place(&mut self, what: BoardOperation, numbers: &[Expr], written: &[Written], whole: Span, board: &BoardInfo) {
        let size = if board.is_row() {
            format!("`{}` is a row of {}", board.name, board.columns)
        } else {
            format!("`{}` has {} columns and {} rows", board.name, board.columns, board.rows)
        };
        // The argument of a definition may be constant, but its place would be the wrong one to report.
        let is_written = |place: &Written| !matches!(&place.kind, ExprKind::Name(name) if self.find_local(name).is_some());
        let known: Vec<Option<Value>> = numbers
            .iter()
            .zip(written)
            .map(|(number, place)| match number {
                Expr::Constant(number) if is_written(place) => Some(*number),
                _ => None,
            })
            .collect();
        let mosts: &[(u16, &str)] = match what {
            BoardOperation::CellAt if board.is_row() => &[(board.columns, "cell"), (board.rows, "row")],
            BoardOperation::CellAt => &[(board.columns, "column"), (board.rows, "row")],
            BoardOperation::ColumnAt => &[(board.columns, "column")],
            BoardOperation::RowAt => &[(board.rows, "row")],
            _ => &[],
        };
        if what == BoardOperation::CellAt && numbers.len() == 1 && !board.is_row() {
            let problem = Problem::error(codes::OFF_THE_BOARD, format!("{size}, so a cell needs two numbers"));
            let help = format!("write the column and the row: `cell 1, 1 of {}`", board.name);
            return self
                .problems
                .push(problem.with_label(written.first().map_or(whole, |number| number.span), "one number").help(help));
        }
        for ((number, place), (most, word)) in known.iter().zip(written).zip(mosts) {
            if let Some(number) = number.filter(|number| !(1..=Value::from(*most)).contains(number)) {
                let problem = Problem::error(codes::OFF_THE_BOARD, format!("there is no {word} {number}: {size}"));
                let help = match *most {
                    1 => format!("there is only one {word}"),
                    most => format!("{word}s are counted from 1 to {most}"),
                };
                self.problems.push(problem.with_label(place.span, "off the board").help(help));
            }
        }
        if let (BoardOperation::Lines, [Some(length)]) = (what, known.as_slice())
            && !(1..=Value::from(board.columns.max(board.rows))).contains(length)
        {
            let problem = Problem::error(codes::OFF_THE_BOARD, format!("there are no lines of {length}: {size}"));
            let most = board.columns.max(board.rows);
            let place = written.first().map_or(whole, |number| number.span);
            self.problems.push(problem.with_label(place, "off the board").help(format!("its lines have 1 to {most} cells")));
        }
    }
}

/// Whether a column and a row are constant, and on the board.
fn is_on_board(place: &[Expr], board: &BoardInfo) -> bool {
    let fits =
        |(number, most): (&Expr, u16)| matches!(number, Expr::Constant(number) if (1..=Value::from(most)).contains(number));
    place.len() == 2 && place.iter().zip([board.columns, board.rows]).all(fits)
}

/// Adds a default for an omitted second number.
fn add_second_number(mut numbers: Vec<Expr>, second: Value) -> Vec<Expr> {
    if numbers.len() < 2 {
        numbers.push(Expr::Constant(second));
    }
    numbers
}

/// For an expression that lists the cells of a board: the first cell and the board's index.
fn first_cell(expr: Expr) -> Option<(Expr, u16)> {
    match expr {
        Expr::OnBoard(BoardOperation::Cells(board), mut operands) => Some((operands.pop()?, board)),
        // A definition with arguments.
        Expr::With { slot, value, then } => {
            let (then, board) = first_cell(*then)?;
            Some((Expr::With { slot, value, then: Box::new(then) }, board))
        }
        _ => None,
    }
}
