//! The features of a legal action: its number, its block, and for each of its first two parts the value or the piece's row.
//!
//! An *action* is a number to choose, and a *block* a run of consecutive actions of one sort. Its *parts* are what it means
//! beyond that: a number or a piece. Learners that score each legal action by itself read these rows.

use crate::runtime::encoding::columns::Columns;
use crate::runtime::encoding::space::{Part, Space};

/// Number of columns for the action and its block.
const HEAD: usize = 2;

/// Number of columns of a part: its value, and the row of its piece.
fn part_width(columns: &Columns) -> usize {
    1 + columns.piece_width
}

/// Number of features of an action.
pub fn row_width(columns: &Columns) -> usize {
    HEAD + 2 * part_width(columns)
}

/// The names of the features.
pub fn feature_names(columns: &Columns) -> Vec<String> {
    let part = |part: &str| {
        let row = columns.piece_names.iter().map(|name| format!("{part}: {name}")).collect::<Vec<_>>();
        std::iter::once(format!("{part}: value, or piece + 1")).chain(row).collect::<Vec<_>>()
    };
    let head = ["action".to_string(), "block".to_string()];
    head.into_iter().chain(part("first part")).chain(part("second part")).collect()
}

/// Writes a row for each action in `legal`, as many as fit, and returns their number. `observation` is the row of the seat to
/// choose, which has the rows of the pieces.
pub fn write_rows(columns: &Columns, space: &Space, legal: &[u32], observation: &[f32], rows: &mut [f32]) -> usize {
    let wide = row_width(columns);
    let count = legal.len().min(rows.len() / wide);
    for (action, row) in legal.iter().zip(rows.chunks_exact_mut(wide)) {
        row.fill(0.0);
        let Some(meaning) = space.meanings.get(*action as usize) else { continue };
        (row[0], row[1]) = (*action as f32, meaning.block as f32);
        for (part, cells) in meaning.parts.iter().zip(row[HEAD..].chunks_exact_mut(part_width(columns))) {
            match part {
                Part::Nothing => {}
                Part::Number(number) => cells[0] = *number,
                Part::Piece(number) => {
                    cells[0] = (*number + 1) as f32;
                    let start = columns.row_of(*number as usize);
                    if let Some(seen) = observation.get(start..start + columns.piece_width) {
                        cells[1..].copy_from_slice(seen);
                    }
                }
            }
        }
    }
    rows.get_mut(count * wide..).into_iter().for_each(|rest| rest.fill(0.0));
    count
}
