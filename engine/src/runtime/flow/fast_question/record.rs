//! The record of a plain move, laid out before anybody plays, so that making one is filling in.

use crate::runtime::flow::fast_question::in_slots_of;
use ludex_program::{ActionId, ActionInfo, Expr, FieldSource, NONE, RoleAmount, Slot, Value};

/// The record of an action's moves, behind the lists that its fields stand for.
#[derive(Clone, Debug)]
pub struct RecordLayout {
    cells: Vec<Cell>,
    /// Cells that hold what stands in a slot of the question, and which slot that is.
    slots: Vec<(usize, Slot)>,
    /// How many of the cells are lists that come before the record.
    lists: usize,
}

/// A number that is known from the start, and what it is counted from.
#[derive(Clone, Copy, Debug)]
struct Cell {
    from: Origin,
    number: Value,
}

/// What a cell is counted from: its place among what a move brings.
#[derive(Clone, Copy, Debug)]
enum Origin {
    Zero,
    /// What fills the first role, or the second.
    First,
    Second,
    /// Where the cells begin on the arena.
    Start,
}

impl Cell {
    fn same(number: Value) -> Cell {
        Cell { from: Origin::Zero, number }
    }

    fn role(role: usize) -> Cell {
        Cell { from: if role == 0 { Origin::First } else { Origin::Second }, number: 0 }
    }
}

impl RecordLayout {
    /// How the moves of an action are written down, if nothing has to be worked out for it.
    pub fn of(id: ActionId, action: &ActionInfo, arguments: &[Expr]) -> Option<RecordLayout> {
        let mut cells = Vec::new();
        let mut fields = Vec::new();
        for source in &action.fields {
            let list = Cell { from: Origin::Start, number: cells.len() as Value };
            fields.push(match source {
                FieldSource::Role(role) => Cell::role(*role),
                FieldSource::RoleAsList(role) if matches!(action.roles.get(*role)?.amount, RoleAmount::One) => {
                    cells.extend([Cell::same(1), Cell::role(*role)]);
                    list
                }
                FieldSource::EmptyList => {
                    cells.push(Cell::same(0));
                    list
                }
                FieldSource::RoleAsList(_) | FieldSource::Computed(_) => return None,
            });
        }
        let lists = cells.len();
        cells.extend([Cell::same(Value::from(id)), Cell::same(NONE)]);
        cells.extend(fields);
        let mut slots = Vec::new();
        // What only the move's `do` reads.
        if action.body.is_some() {
            for slot in 0..action.context {
                let Expr::Local(slot) = in_slots_of(&Expr::Local(slot), arguments)? else { return None };
                slots.push((cells.len(), slot));
                cells.push(Cell::same(NONE));
            }
            cells.extend((0..action.roles.len()).map(Cell::role));
        }
        Some(RecordLayout { cells, slots, lists })
    }

    /// Writes the record of a move on the arena; `slots` are the question's.
    #[inline]
    pub fn write(&self, lists: &mut Vec<Value>, roles: [Value; 2], slots: &[Value]) -> Value {
        let at = lists.len();
        let origins = [0, roles[0], roles[1], at as Value];
        lists.extend(self.cells.iter().map(|cell| origins[cell.from as usize].wrapping_add(cell.number)));
        for (place, slot) in &self.slots {
            if let (Some(cell), Some(value)) = (lists.get_mut(at + place), slots.get(usize::from(*slot))) {
                *cell = *value;
            }
        }
        (at + self.lists) as Value
    }
}
