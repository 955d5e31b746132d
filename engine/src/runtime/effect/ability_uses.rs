//! Uses of abilities: counted, and possibly given back.
//!
//! An *instance* is an ability of one holder, by its index in the roster. A limit counts uses in one run of a scope, a procedure
//! that names a time; the *serial* of a frame identifies its run.

use crate::runtime::context::Context;
use crate::runtime::effect::Effects;
use crate::runtime::event::{Audience, EventKind, PieceView};
use crate::runtime::limits::MOST_USES_NOTED;
use crate::runtime::state::EntityId;
use ludex_program::Value;

impl Effects {
    /// Counts a use of an ability in play under all its limits, and announces it.
    pub fn charge_use(&mut self, context: &Context, instance: u16) {
        if !self.spend_on_changes(1) {
            return;
        }
        let found = &context.roster.instances[instance as usize];
        let ability = &context.program.abilities[found.ability as usize];
        for (index, limit) in ability.uses.iter().enumerate() {
            let serial = self.state.scope_serial(limit.per);
            let Some(count) = self.state.uses.get_mut(usize::from(found.uses) + index) else { continue };
            if count.serial != serial {
                *count = crate::runtime::state::UseCount { times: 0, serial };
            }
            count.times = count.times.saturating_add(1);
        }
        if !ability.uses.is_empty() {
            let serial = self.state.serial;
            self.state.use_log.push((instance, serial));
        }
        if self.state.use_log.len() > MOST_USES_NOTED {
            self.raise_as(ludex_syntax::codes::PIECE_LIMIT, "abilities are used more than 100,000 times in this match");
        }
        self.count_effect(context, instance);
        if !self.watched {
            return;
        }
        let side = usize::try_from(self.side_of_ability(context, instance)).ok();
        if self.counts_only {
            let kind = EventKind::Used { ability: ability.id.clone(), piece: None };
            self.announce_to(context, kind, side, None, Audience::All);
        } else {
            let text = format!("{} uses {}", self.actor_name(context, Value::from(found.holder)), ability.title);
            let kind = EventKind::Used { ability: ability.id.clone(), piece: self.card_of(context, found.holder) };
            self.announce(context, kind, side, Some(text));
        }
    }

    /// The card that has an ability, if a card has it.
    fn card_of(&self, context: &Context, holder: EntityId) -> Option<PieceView> {
        (holder >= context.roster.first_piece).then(|| self.piece_view(context, Value::from(holder)))
    }

    /// Gives back the uses since a scope began. `since` is the serial of the scope's run.
    pub(super) fn restore_uses(&mut self, context: &Context, since: u32) {
        while let Some((instance, serial)) = self.state.use_log.last().copied() {
            if serial < since {
                return;
            }
            self.state.use_log.pop();
            let found = &context.roster.instances[instance as usize];
            for index in 0..context.program.abilities[found.ability as usize].uses.len() {
                if let Some(count) = self.state.uses.get_mut(usize::from(found.uses) + index) {
                    // The count may be of a later run, and then does not include this use.
                    count.times = (count.times - 1).max(0);
                }
            }
        }
    }
}
