//! The built-in members of a board's cells, and the types of operations on boards. A cell is a zone, so its type is that of a zone.
//! `symbols`, `resolve` and `compile` use this.

use super::types::Type;
use ludex_program::{BoardOperation, KindId, Neighbourhood};

/// The members of a cell, with the operation for each.
pub const CELL_MEMBERS: [(&str, BoardOperation); 5] = [
    ("column", BoardOperation::Column),
    ("row", BoardOperation::Row),
    ("neighbours", BoardOperation::Neighbours(Neighbourhood::All)),
    ("orthogonal_neighbours", BoardOperation::Neighbours(Neighbourhood::Orthogonal)),
    ("diagonal_neighbours", BoardOperation::Neighbours(Neighbourhood::Diagonal)),
];

/// The operation for a member of a cell; none if it has no such member.
pub fn cell_member(name: &str) -> Option<BoardOperation> {
    CELL_MEMBERS.iter().find(|(known, _)| *known == name).map(|(_, what)| *what)
}

/// The type of an operation on a board or cell whose zones hold pieces of a kind.
pub fn type_on_board(what: BoardOperation, holds: KindId) -> Type {
    let cell = Type::Zone(holds);
    match what {
        BoardOperation::Column | BoardOperation::Row => Type::Number,
        BoardOperation::CellAt => cell.or_none(),
        BoardOperation::Cells(_)
        | BoardOperation::Neighbours(_)
        | BoardOperation::RowAt
        | BoardOperation::ColumnAt
        | BoardOperation::Run => cell.into_list(),
        BoardOperation::Rows
        | BoardOperation::Columns
        | BoardOperation::Diagonals
        | BoardOperation::Lines
        | BoardOperation::LinesThrough => cell.into_list().into_list(),
    }
}
