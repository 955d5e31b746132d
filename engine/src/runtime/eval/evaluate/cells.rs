//! Conditions on the cells of a board that read only columns: of the cells themselves, or of the pieces in them.
//!
//! They are made into a `CellTest` once, and the cells are then tested without evaluating an expression for each.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::evaluate::columns::{Filter, may_depend_on_slot};
use ludex_program::{Expr, Line, Quantifier, Slot, Value};

/// A test of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum CellTest {
    OfCell(Filter),
    /// A test that all, any or none of the pieces in it must pass.
    OfPieces {
        which: Quantifier,
        filter: Filter,
    },
}

impl Eval {
    /// Turns a condition on cells in `slot` into a test, if it is simple enough.
    #[inline]
    pub(super) fn cell_test(&self, context: &Context, base: usize, condition: &Expr, slot: Slot) -> Option<CellTest> {
        let Expr::Quantified { which, list, slot: piece, condition: of_pieces } = condition else {
            return self.make_filter(context, base, condition, slot).map(CellTest::OfCell);
        };
        match list.as_ref() {
            // The filter of the pieces is the same for all cells.
            Expr::ZoneList(zone)
                if matches!(zone.as_ref(), Expr::Local(of) if *of == slot) && !may_depend_on_slot(of_pieces, slot) =>
            {
                let filter = self.make_filter(context, base, of_pieces, *piece)?;
                Some(CellTest::OfPieces { which: *which, filter })
            }
            _ => None,
        }
    }

    /// Whether a cell passes; `None` if the condition reads a field of `none`.
    #[inline(always)]
    fn cell_passes(&mut self, context: &Context, test: &CellTest, cell: Value) -> Option<bool> {
        let board = &self.state.board;
        match test {
            CellTest::OfCell(filter) => filter.member_passes(context.program, board, cell),
            CellTest::OfPieces { which, filter } => {
                // The order of the pieces does not matter.
                let pieces = board.unordered_pieces(cell);
                self.meter.add_work(pieces.len() as u64);
                for piece in pieces {
                    if filter.member_passes(context.program, board, Value::from(*piece))? == (*which != Quantifier::All) {
                        return Some(*which == Quantifier::Any);
                    }
                }
                Some(*which != Quantifier::Any)
            }
        }
    }

    /// The first cell of a line that passes (or fails), if there is one; the outer `None` is a fault.
    #[inline]
    pub(super) fn first_cell(&mut self, context: &Context, line: Line, test: &CellTest, passing: bool) -> Option<Option<Value>> {
        for cell in line.cell_indexes() {
            match self.cell_passes(context, test, cell) {
                Some(passes) if passes == passing => return self.may_go_on_working().then_some(Some(cell)),
                Some(_) => {}
                None => {
                    self.raise_none_read();
                    return None;
                }
            }
        }
        self.may_go_on_working().then_some(None)
    }

    /// Number of cells of a line that pass.
    pub(super) fn count_cells(&mut self, context: &Context, line: Line, test: &CellTest) -> Value {
        let mut count = 0;
        for cell in line.cell_indexes() {
            match self.cell_passes(context, test, cell) {
                Some(passes) => count += Value::from(passes),
                None => return self.raise_none_read(),
            }
        }
        count
    }
}
