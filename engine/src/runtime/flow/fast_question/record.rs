//! The record of a plain move, laid out before anybody plays, so that making one is filling in.

use crate::program::{ActionId, ActionInfo, Expr, FieldSource, NONE, RoleAmount, Slot, Value};
use crate::runtime::flow::fast_question::in_slots_of;

/// The record of an action's moves and the lists that its fields stand for.
#[derive(Clone, Debug)]
pub struct RecordLayout {
    /// What is the same in all of them.
    form: Vec<Value>,
    /// What is not, and where it stands.
    parts: Vec<(usize, Part)>,
    /// How much of the form are lists that come before the record.
    lists: usize,
}

#[derive(Clone, Copy, Debug)]
enum Part {
    Same(Value),
    /// What fills a role.
    Role(usize),
    /// What stands in a slot of the question.
    Slot(Slot),
    /// The list that begins so far into the form.
    List(usize),
}

impl RecordLayout {
    /// How the moves of an action are written down, if nothing has to be worked out for it.
    pub fn of(id: ActionId, action: &ActionInfo, arguments: &[Expr]) -> Option<RecordLayout> {
        let mut parts = Vec::new();
        let mut fields = Vec::new();
        for source in &action.fields {
            let list = Part::List(parts.len());
            fields.push(match source {
                FieldSource::Role(role) => Part::Role(*role),
                FieldSource::RoleAsList(role) if matches!(action.roles.get(*role)?.amount, RoleAmount::One) => {
                    parts.extend([Part::Same(1), Part::Role(*role)]);
                    list
                }
                FieldSource::EmptyList => {
                    parts.push(Part::Same(0));
                    list
                }
                FieldSource::RoleAsList(_) | FieldSource::Computed(_) => return None,
            });
        }
        let lists = parts.len();
        parts.extend([Part::Same(Value::from(id)), Part::Same(NONE)]);
        parts.extend(fields);
        // What only the move's `do` reads.
        if action.body.is_some() {
            for slot in 0..action.context {
                let Expr::Local(slot) = in_slots_of(&Expr::Local(slot), arguments)? else { return None };
                parts.push(Part::Slot(slot));
            }
            parts.extend((0..action.roles.len()).map(Part::Role));
        }
        let same = |part: &Part| if let Part::Same(value) = part { *value } else { NONE };
        let form = parts.iter().map(same).collect();
        let parts = parts.into_iter().enumerate().filter(|(_, part)| !matches!(part, Part::Same(_))).collect();
        Some(RecordLayout { form, parts, lists })
    }

    /// Writes the record of a move on the arena; `slots` are the question's.
    #[inline]
    pub fn write(&self, lists: &mut Vec<Value>, roles: [Value; 2], slots: &[Value]) -> Value {
        let at = lists.len();
        lists.extend_from_slice(&self.form);
        for (place, part) in &self.parts {
            let value = match *part {
                Part::Same(value) => value,
                Part::Role(role) => roles[usize::from(role > 0)],
                Part::Slot(slot) => slots.get(usize::from(slot)).copied().unwrap_or(NONE),
                Part::List(start) => (at + start) as Value,
            };
            if let Some(cell) = lists.get_mut(at + place) {
                *cell = value;
            }
        }
        (at + self.lists) as Value
    }
}
