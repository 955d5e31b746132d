//! Conditions on the cells of a board that read nothing but columns: of the cells themselves, or of what lies in them.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::eval::evaluate::columns::{Filter, may_read};
use ludex_program::{Expr, Line, Quantifier, Slot, Value};

/// What is wanted of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum CellTest {
    OfCell(Filter),
    /// Of all pieces that lie there, of any, or of none.
    OfPieces {
        which: Quantifier,
        filter: Filter,
    },
}

impl Eval {
    /// A condition on cells, each of which stands in `slot`, as a test of them, if it is as simple as that.
    #[inline]
    pub(super) fn cell_test(&self, context: &Context, base: usize, condition: &Expr, slot: Slot) -> Option<CellTest> {
        let Expr::Quantified { which, list, slot: piece, condition: of_pieces } = condition else {
            return self.filter(context, base, condition, slot).map(CellTest::OfCell);
        };
        match list.as_ref() {
            // The filter of the pieces is the same for all cells.
            Expr::ZoneList(zone) if matches!(zone.as_ref(), Expr::Local(of) if *of == slot) && !may_read(of_pieces, slot) => {
                let filter = self.filter(context, base, of_pieces, *piece)?;
                Some(CellTest::OfPieces { which: *which, filter })
            }
            _ => None,
        }
    }

    /// Whether a cell passes; none if the condition asks something of nothing.
    #[inline(always)]
    fn cell_passes(&mut self, context: &Context, test: &CellTest, cell: Value) -> Option<bool> {
        let board = &self.state.board;
        match test {
            CellTest::OfCell(filter) => filter.passes(context.program, board, cell),
            CellTest::OfPieces { which, filter } => {
                // In which order they lie makes no difference.
                let pieces = board.lying(cell);
                self.meter.add(pieces.len() as u64);
                for piece in pieces {
                    if filter.passes(context.program, board, Value::from(*piece))? == (*which != Quantifier::All) {
                        return Some(*which == Quantifier::Any);
                    }
                }
                Some(*which != Quantifier::Any)
            }
        }
    }

    /// The first cell of a line that passes, or does not, if there is one; nothing at all after a fault.
    #[inline]
    pub(super) fn first_cell(&mut self, context: &Context, line: Line, test: &CellTest, passing: bool) -> Option<Option<Value>> {
        for cell in line.cells() {
            match self.cell_passes(context, test, cell) {
                Some(passes) if passes == passing => return self.may_go_on_working().then_some(Some(cell)),
                Some(_) => {}
                None => {
                    self.nothing_there();
                    return None;
                }
            }
        }
        self.may_go_on_working().then_some(None)
    }

    /// How many cells of a line pass.
    pub(super) fn count_cells(&mut self, context: &Context, line: Line, test: &CellTest) -> Value {
        let mut count = 0;
        for cell in line.cells() {
            match self.cell_passes(context, test, cell) {
                Some(passes) => count += Value::from(passes),
                None => return self.nothing_there(),
            }
        }
        count
    }
}
