//! The record of a plain move, laid out before play, so that making one only fills in values.
//!
//! A *record* is the form of a chosen move in the list arena: action, ability, fields, and the first slots of its `do`. See
//! `record_filled` in `eval/legal.rs`, which makes the same record by evaluation.

use crate::runtime::flow::fast_question::in_slots_of;
use ludex_program::{ActionId, ActionInfo, Expr, FieldSource, NONE, RoleAmount, Slot, Value};

/// The record of an action's moves, preceded by the lists in its fields.
#[derive(Clone, Debug)]
pub struct RecordLayout {
    cells: Vec<RecordCell>,
    /// Indexes of the cells that hold a slot of the question, with that slot.
    slots: Vec<(usize, Slot)>,
    /// Number of cells for lists, which come before the record.
    lists: usize,
}

/// A constant number, relative to an origin.
#[derive(Clone, Copy, Debug)]
struct RecordCell {
    from: Origin,
    number: Value,
}

/// The origin of a cell, as an index among the inputs of a move.
#[derive(Clone, Copy, Debug)]
enum Origin {
    Zero,
    /// The filling of the first role, or of the second.
    First,
    Second,
    /// The index of the first cell in the arena.
    Start,
}

impl RecordCell {
    /// A cell with a constant number.
    fn constant_cell(number: Value) -> RecordCell {
        RecordCell { from: Origin::Zero, number }
    }

    /// A cell with the filling of a role: the first, or else the second.
    fn role_cell(role: usize) -> RecordCell {
        RecordCell { from: if role == 0 { Origin::First } else { Origin::Second }, number: 0 }
    }
}

impl RecordLayout {
    /// The layout of the records of an action's moves, if they need no evaluation. `arguments` are those of the family in the
    /// question.
    pub fn from_action(id: ActionId, action: &ActionInfo, arguments: &[Expr]) -> Option<RecordLayout> {
        let mut cells = Vec::new();
        let mut fields = Vec::new();
        for source in &action.fields {
            let list = RecordCell { from: Origin::Start, number: cells.len() as Value };
            fields.push(match source {
                FieldSource::Role(role) => RecordCell::role_cell(*role),
                FieldSource::RoleAsList(role) if matches!(action.roles.get(*role)?.amount, RoleAmount::One) => {
                    cells.extend([RecordCell::constant_cell(1), RecordCell::role_cell(*role)]);
                    list
                }
                FieldSource::EmptyList => {
                    cells.push(RecordCell::constant_cell(0));
                    list
                }
                FieldSource::RoleAsList(_) | FieldSource::Computed(_) => return None,
            });
        }
        let lists = cells.len();
        cells.extend([RecordCell::constant_cell(Value::from(id)), RecordCell::constant_cell(NONE)]);
        cells.extend(fields);
        let mut slots = Vec::new();
        // Only the move's `do` reads these.
        if action.body.is_some() {
            for slot in 0..action.context {
                let Expr::Local(slot) = in_slots_of(&Expr::Local(slot), arguments)? else { return None };
                slots.push((cells.len(), slot));
                cells.push(RecordCell::constant_cell(NONE));
            }
            cells.extend((0..action.roles.len()).map(RecordCell::role_cell));
        }
        Some(RecordLayout { cells, slots, lists })
    }

    /// Writes the record of a move to the arena; `slots` are the question's. `roles` are the fillings of both roles. Returns the
    /// place of the record, which comes after the lists in its fields.
    #[inline]
    pub fn write_cells(&self, lists: &mut Vec<Value>, roles: [Value; 2], slots: &[Value]) -> Value {
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
