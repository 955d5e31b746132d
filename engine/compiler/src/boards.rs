//! The built-in members of a board's cells.

use super::types::Type;
use ludex_program::{Around, KindId, OnBoard};

/// The members of a cell, with the operation for each.
pub const CELL_MEMBERS: [(&str, OnBoard); 5] = [
    ("column", OnBoard::Column),
    ("row", OnBoard::Row),
    ("neighbours", OnBoard::Neighbours(Around::All)),
    ("orthogonal_neighbours", OnBoard::Neighbours(Around::Orthogonal)),
    ("diagonal_neighbours", OnBoard::Neighbours(Around::Diagonal)),
];

/// The operation for a member of a cell; none if it has no such member.
pub fn cell_member(name: &str) -> Option<OnBoard> {
    CELL_MEMBERS.iter().find(|(known, _)| *known == name).map(|(_, what)| *what)
}

/// The type of an operation on a board or cell whose zones hold pieces of a kind.
pub fn type_on_board(what: OnBoard, holds: KindId) -> Type {
    let cell = Type::Zone(holds);
    match what {
        OnBoard::Column | OnBoard::Row => Type::Number,
        OnBoard::CellAt => cell.or_none(),
        OnBoard::Cells(_) | OnBoard::Neighbours(_) | OnBoard::RowAt | OnBoard::ColumnAt | OnBoard::Run => cell.into_list(),
        OnBoard::Rows | OnBoard::Columns | OnBoard::Diagonals | OnBoard::Lines | OnBoard::LinesThrough => {
            cell.into_list().into_list()
        }
    }
}
