//! Compiles statements that change a list in a field.
//!
//! A field may hold a list with room for a fixed number of members. Called by `statements`, which has compiled the place to change.

use super::Compiler;
use super::calls::is_simple;
use super::statements::FieldPlace;
use crate::types::Type;
use ludex_program::{Expr, Instruction, KindId};
use ludex_syntax::codes;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Cite, EventName, Expr as Written};

impl Compiler<'_> {
    /// Compiles `set me.picks to [2, 3]`.
    pub(super) fn compile_set_list(
        &mut self,
        place: FieldPlace,
        value: &Written,
        event: Option<&EventName>,
        span: Span,
        cites: &[Cite],
    ) {
        let given = value.span;
        let value = self.compile_as_type(value, &place.of);
        if let (Some(kind), Expr::ListOf(members)) = (place.kind, &value) {
            self.expect_room(kind, place.field, members.len(), given);
            members.iter().for_each(|member| self.expect_in_range(kind, place.field, member, 0, given));
        }
        self.emit_set_list(place, value, event, span, cites);
    }

    /// Compiles `add 3 to me.picks` and, with `less`, `take 3 from me.picks`, with one member or several. The new list replaces the
    /// old one.
    pub(super) fn compile_add_to_list(
        &mut self,
        place: FieldPlace,
        value: &Written,
        less: bool,
        event: Option<&EventName>,
        span: Span,
        cites: &[Cite],
    ) {
        let given = value.span;
        let Type::List(item) = &place.of else { return };
        let (value, of) = match self.compile_word(value, item) {
            Some(word) => (word, item.as_ref().clone()),
            None => self.compile_expression(value),
        };
        let value = match &of {
            Type::List(_) | Type::Zone(_) => self.fit_type(value, of, &place.of, given),
            _ => Expr::Single(Box::new(self.fit_type(value, of, item, given))),
        };
        if let (Some(kind), Expr::Single(member)) = (place.kind, &value) {
            self.expect_in_range(kind, place.field, member, 0, given);
        }
        // The thing is used twice, to read the list and to set it, but must be evaluated once.
        let thing = match is_simple(&place.thing) || place.thing == Expr::Table {
            true => place.thing,
            false => {
                let slot = self.new_slot();
                self.emit_instruction(Instruction::Let { slot, value: place.thing, list: false }, span, &[]);
                Expr::Local(slot)
            }
        };
        let held = Box::new(Expr::Held { of: Box::new(thing.clone()), field: place.field });
        let value = match less {
            true => Expr::Without(held, Box::new(value)),
            false => Expr::Concatenate(held, Box::new(value)),
        };
        self.emit_set_list(FieldPlace { thing, ..place }, value, event, span, cites);
    }

    /// Emits the instruction that replaces the list of a field.
    fn emit_set_list(&mut self, place: FieldPlace, value: Expr, event: Option<&EventName>, span: Span, cites: &[Cite]) {
        let FieldPlace { thing, field, .. } = place;
        let naming = self.compile_event_name(event);
        self.update_field_facts(&thing, field, false);
        self.emit_instruction(Instruction::SetList { of: thing, field, value, naming }, span, cites);
    }

    /// Reports a written list that exceeds the capacity of a field.
    fn expect_room(&mut self, kind: KindId, field: u16, given: usize, span: Span) {
        let Some(info) = self.program.kind(kind).fields.get(usize::from(field)) else { return };
        if given > usize::from(info.room) {
            let message = format!("`{}` has room for {}, but these are {given}", info.name, info.room);
            self.report_error(codes::OUT_OF_RANGE, message, span, "too many");
        }
    }
}
