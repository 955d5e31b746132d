//! What is chosen is noted and announced.

use crate::program::Value;
use crate::runtime::eval::question::{GroupKind, Question};
use crate::runtime::flow::{Machine, Play};

impl Machine {
    /// Makes the record of a chosen move: action, ability, the family's fields, context, roles.
    pub fn choose_move(&mut self, rules: Play, place: usize, index: u64) -> Value {
        let questions = std::mem::take(&mut self.scratch.questions);
        let value = self.choose_among(rules, &questions[place], index);
        self.scratch.questions = questions;
        value
    }

    #[inline(never)]
    fn choose_among(&mut self, rules: Play, question: &Question, index: u64) -> Value {
        let found = question.locate(index).and_then(|(group, local)| Some((group, question.chosen(group, local)?)));
        let Some((group, chosen)) = found else { return self.fault("an answer names an option that there is not") };
        if group.kind == GroupKind::Grant {
            self.charge_grant(rules, group.instance);
        }
        self.record_move(rules, question, group, &chosen)
    }

    /// Counts the use of an ability that grants an action, if its uses are limited.
    fn charge_grant(&mut self, rules: Play, instance: u16) {
        let ability = rules.cast.instances[instance as usize].ability;
        match rules.program.abilities[ability as usize].uses.is_empty() {
            true => self.note_effect(rules, instance),
            false => self.charge(rules, instance),
        }
    }
}
