//! The limits of fields that accept only some numbers. The compiler uses them for values that it knows, and the engine before
//! it sets a field.

use super::{DIE_SIZE, DIE_VALUE, KindId, NONE, Program, Value};
use ludex_syntax::problem::join_words;

impl Program {
    /// Explains why a field cannot have a value: “`lives` would become 10, but it goes from 0 to 9”. None if it can. `size`
    /// is the size of the die that has the field, or 0 if unknown.
    pub fn range_refusal_text(&self, kind: KindId, field: u16, value: Value, size: Value) -> Option<String> {
        let bounds = self.broken_bounds_text(kind, field, value, size)?;
        let name = &self.kind(kind).fields.get(usize::from(field))?.name;
        Some(format!("`{name}` would become {value}, but {bounds}"))
    }

    /// Describes the allowed values of a field that cannot have this one.
    fn broken_bounds_text(&self, kind: KindId, field: u16, value: Value, size: Value) -> Option<String> {
        let (least, most) = self.kind(kind).fields.get(usize::from(field))?.range.filter(|_| value != NONE)?;
        match (field, self.faces_of(kind)) {
            // The die has not been rolled yet.
            (DIE_VALUE, _) if self.is_die(kind) && value == 0 => None,
            // Faces may have gaps between the lowest and the highest.
            (DIE_VALUE, Some(faces)) => {
                (!faces.values.contains(&value)).then(|| format!("a {} shows {}", faces.title, faces.values_text()))
            }
            (DIE_SIZE, Some(faces)) => (value != least).then(|| format!("a {} always has {least} sides", faces.title)),
            (DIE_SIZE, None) if self.is_die(kind) && !self.die_sizes.is_empty() => {
                (!self.die_sizes.contains(&value)).then(|| {
                    let sizes: Vec<String> = self.die_sizes.iter().map(Value::to_string).collect();
                    let of_dice = if sizes.len() == 1 { "the size of every die is" } else { "the sizes of dice are" };
                    format!("{of_dice} {}", join_words(&sizes, "and"))
                })
            }
            (DIE_VALUE, None) if self.is_die(kind) && size > 0 => {
                (!(1..=size).contains(&value)).then(|| format!("a d{size} shows 1 to {size}"))
            }
            _ => (!(least..=most).contains(&value)).then(|| format!("it goes from {least} to {most}")),
        }
    }
}
