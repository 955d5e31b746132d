//! Changes of fields, with checks of their ranges.
//!
//! A value that is not allowed is a fault. The caller announces the change.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use ludex_program::{DIE_SIZE, KindId, Value};
use ludex_syntax::codes;

impl Eval {
    /// Sets a field without an announcement. False if the value is not allowed.
    #[inline(always)]
    pub fn change_field(&mut self, context: &Context, of: Value, field: u16, value: Value) -> bool {
        let Some(entity) = self.state.board.entities.get(of as usize) else {
            self.raise("the rules set a field of `none`");
            return false;
        };
        let (kind, cell) = (entity.kind, entity.cells as usize + usize::from(field));
        match context.program.kind(kind).fields.get(usize::from(field)) {
            Some(info) if info.range.is_some() && !self.is_in_range(context, of, kind, field, value) => return false,
            Some(_) => {}
            None => {
                self.raise("the rules set a field that this thing does not have");
                return false;
            }
        }
        if let Some(cell) = self.board_mut().cells.get_mut(cell) {
            *cell = value;
        }
        true
    }

    /// Sets a list field without an announcement. False if the members are not allowed.
    pub fn change_list(&mut self, context: &Context, of: Value, field: u16, members: &[Value]) -> bool {
        let Some(kind) = self.state.board.entities.get(of as usize).map(|entity| entity.kind) else {
            self.raise("the rules set a field of `none`");
            return false;
        };
        let Some(info) = context.program.kind(kind).fields.get(usize::from(field)) else {
            self.raise("the rules set a field that this thing does not have");
            return false;
        };
        if members.len() > usize::from(info.room) {
            let full = format!("`{}` has room for {}, but would hold", info.name, info.room);
            let message = context.fault_words(format!("{full} {}", members.len()), format!("{full} more"));
            self.raise_as(ludex_syntax::codes::LIST_FULL, message);
            return false;
        }
        if !members.iter().all(|member| self.is_in_range(context, of, kind, field, *member)) {
            return false;
        }
        self.board_mut().put_list(of, field, info.room, members);
        true
    }

    /// Checks a value against the range of a field; an error is raised as a fault.
    #[inline(never)]
    pub fn is_in_range(&mut self, context: &Context, of: Value, kind: KindId, field: u16, value: Value) -> bool {
        let program = context.program;
        let size = if program.is_die(kind) { self.state.board.field(of, DIE_SIZE).unwrap_or(0) } else { 0 };
        let refusal = program.range_refusal_text(kind, field, value, size);
        let is_refused = refusal.is_some();
        if let Some(message) = refusal {
            let name = &program.kind(kind).fields[usize::from(field)].name;
            let message = context.fault_words(message, format!("`{name}` would get a value that it cannot have"));
            self.raise_as(codes::OUTSIDE_RANGE, message);
        }
        !is_refused
    }
}
