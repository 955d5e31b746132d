//! Uses of abilities: how many are left, and what is counted.

use super::event::{Happening, PieceView};
use super::limits::MOST_USES_NOTED;
use super::machine::{Instance, Machine, Rules};
use super::state::EntityId;
use crate::program::{UseLimit, Value};

impl Machine {
    /// Uses left of an ability: the least over its limits, or none if it has no limit.
    pub fn uses_left(&self, rules: Rules, instance: u16) -> Option<Value> {
        let found = &rules.cast.instances[instance as usize];
        let limits = &rules.program.abilities[found.ability as usize].uses;
        limits.iter().enumerate().map(|(index, limit)| self.left_of(rules, found, index, limit)).min()
    }

    /// Uses left under one limit of an ability.
    #[inline]
    pub fn left_of(&self, rules: Rules, instance: &Instance, index: usize, limit: &UseLimit) -> Value {
        let serial = self.state.scope_serial(limit.per);
        limit.times
            - if limit.shared { self.used_by_all(rules, instance, index, serial) } else { self.used(instance, index, serial) }
    }

    /// How often an ability was used in a run of a scope, by the place of the limit.
    #[inline]
    fn used(&self, instance: &Instance, index: usize, serial: u32) -> Value {
        let count = self.state.uses.get(usize::from(instance.uses) + index);
        count.filter(|count| count.serial == serial).map_or(0, |count| count.times)
    }

    /// How often all of a side that have the ability used it in a run of a scope.
    fn used_by_all(&self, rules: Rules, instance: &Instance, index: usize, serial: u32) -> Value {
        let sharing =
            rules.cast.instances.iter().filter(|other| (other.ability, other.side) == (instance.ability, instance.side));
        sharing.map(|other| self.used(other, index, serial)).sum()
    }

    #[inline]
    pub fn can_use(&self, rules: Rules, instance: u16) -> bool {
        let found = &rules.cast.instances[instance as usize];
        let limits = &rules.program.abilities[found.ability as usize].uses;
        // What an earlier run of the scope has counted is not held against this one: it matters only where it is enough.
        limits.iter().enumerate().all(|(index, limit)| {
            let count = self.state.uses.get(usize::from(found.uses) + index);
            count.is_some_and(|count| count.times < limit.times) && !limit.shared || self.left_of(rules, found, index, limit) > 0
        })
    }

    /// Counts a use and announces it.
    pub fn charge(&mut self, rules: Rules, instance: u16) {
        if !self.spend_on_changes(1) {
            return;
        }
        let found = &rules.cast.instances[instance as usize];
        let ability = &rules.program.abilities[found.ability as usize];
        for (index, limit) in ability.uses.iter().enumerate() {
            let serial = self.state.scope_serial(limit.per);
            let Some(count) = self.state.uses.get_mut(usize::from(found.uses) + index) else { continue };
            if count.serial != serial {
                *count = super::state::UseCount { times: 0, serial };
            }
            count.times = count.times.saturating_add(1);
        }
        if !ability.uses.is_empty() {
            self.state.spent.push((instance, self.state.serial));
        }
        if self.state.spent.len() > MOST_USES_NOTED {
            self.fault_as(crate::codes::PIECE_LIMIT, "abilities are used more than 100,000 times in this match");
        }
        self.note_effect(rules, instance);
        if self.watched {
            let text = format!("{} uses {}", self.actor_name(rules, Value::from(found.holder)), ability.title);
            let happening = Happening::Used { ability: ability.id.clone(), piece: self.card_of(rules, found.holder) };
            let side = usize::try_from(self.side_of_ability(rules, instance)).ok();
            self.announce(rules, "used", happening, side, Some(text));
        }
    }

    /// The card that has an ability, if a card has it.
    fn card_of(&self, rules: Rules, holder: EntityId) -> Option<PieceView> {
        (holder >= rules.cast.first_piece).then(|| self.piece_view(rules, Value::from(holder)))
    }

    /// Counts that an ability was used, changed a value or barred a move, for those who watch.
    pub fn note_effect(&mut self, rules: Rules, instance: u16) {
        self.note_effects(rules, instance, 1);
    }

    /// Counts several effects of an ability, for those who watch.
    pub fn note_effects(&mut self, rules: Rules, instance: u16, more: u64) {
        if !self.watched {
            return;
        }
        self.effects.resize(rules.cast.instances.len(), 0);
        if let Some(times) = self.effects.get_mut(usize::from(instance)) {
            *times = times.saturating_add(more);
        }
    }

    /// Gives back what was used since a scope began.
    pub(super) fn restore_uses(&mut self, rules: Rules, since: u32) {
        while let Some((instance, serial)) = self.state.spent.last().copied() {
            if serial < since {
                return;
            }
            self.state.spent.pop();
            let found = &rules.cast.instances[instance as usize];
            for index in 0..rules.program.abilities[found.ability as usize].uses.len() {
                if let Some(count) = self.state.uses.get_mut(usize::from(found.uses) + index) {
                    count.times = (count.times - 1).max(0);
                }
            }
        }
    }
}
