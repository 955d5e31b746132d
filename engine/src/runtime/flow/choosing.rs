//! Recording and announcing choices.
//!
//! A chosen move becomes a *record* in the list arena, which rules read and `do` carries out. `place` is the index of a question
//! among the open ones, and `index` that of an option.

use crate::runtime::eval::question::{GroupKind, Question};
use crate::runtime::flow::{Machine, PlayContext};
use ludex_program::Value;

impl Machine {
    /// Makes the record of a chosen move: action, ability, the family's fields, bound values, roles. Returns its place in the
    /// arena, or none after a fault.
    pub fn record_chosen_move(&mut self, context: &PlayContext, place: usize, index: u64) -> Value {
        self.check_chosen(context, place, index);
        let questions = std::mem::take(&mut self.scratch.questions);
        let value = self.record_option(context, &questions[place], index);
        self.scratch.questions = questions;
        value
    }

    /// The same for a question that has been taken out of the machine, so that both can be used.
    #[inline(never)]
    fn record_option(&mut self, context: &PlayContext, question: &Question, index: u64) -> Value {
        let found =
            question.locate_option(index).and_then(|(group, local)| Some((group, question.move_arguments(group, local)?)));
        let Some((group, chosen)) = found else { return self.raise("an answer names an option that does not exist") };
        if group.kind == GroupKind::Grant {
            self.charge_grant(context, group.instance);
        }
        self.record_move(context, question, group, &chosen)
    }

    /// Counts a use of the ability that grants an action, if its uses are limited.
    fn charge_grant(&mut self, context: &PlayContext, instance: u16) {
        let ability = context.roster.instances[instance as usize].ability;
        match context.program.abilities[ability as usize].uses.is_empty() {
            true => self.count_effect(context, instance),
            false => self.charge_use(context, instance),
        }
    }
}
