//! Fields get values that they may have.

use crate::program::{DIE_VALUE, KindId, NONE, Value};
use crate::runtime::context::Context;
use crate::runtime::eval::Eval;

impl Eval {
    /// Gives a field a value and tells nobody. False if it may not have that value.
    #[inline]
    pub fn change_field(&mut self, context: &Context, of: Value, field: u16, value: Value) -> bool {
        let Some(entity) = self.state.board.entities.get(of as usize) else {
            self.raise("a field of nothing is to be set");
            return false;
        };
        let (kind, cell) = (entity.kind, entity.cells as usize + usize::from(field));
        match context.program.kind(kind).fields.get(usize::from(field)) {
            Some(info) if info.range.is_some() && !self.is_in_range(context, kind, field, value) => return false,
            Some(_) => {}
            None => {
                self.raise("a field is to be set that this thing does not have");
                return false;
            }
        }
        if let Some(cell) = self.board_mut().cells.get_mut(cell) {
            *cell = value;
        }
        true
    }

    /// Whether a field of bounded values may have a value; it is a fault if not.
    pub fn is_in_range(&mut self, context: &Context, kind: KindId, field: u16, value: Value) -> bool {
        let Some(info) = context.program.kind(kind).fields.get(usize::from(field)) else { return false };
        let Some((least, most)) = info.range.filter(|_| value != NONE) else { return true };
        // Faces of a die may have gaps between the lowest and the highest.
        let faces = context.program.faces_of(kind).filter(|_| field == DIE_VALUE);
        let fits = faces.map_or((least..=most).contains(&value), |faces| faces.values.contains(&value));
        if !fits {
            let bounds = match faces {
                Some(faces) => format!("a {} shows {}", faces.title, faces.words()),
                None => format!("it goes from {least} to {most}"),
            };
            let message = format!("`{}` would become {value}, but {bounds}", info.name);
            self.raise(&message);
        }
        fits
    }
}
