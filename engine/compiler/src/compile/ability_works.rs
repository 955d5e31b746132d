//! Compiles when abilities work, and which uses the entrants of a side share.
//!
//! The rules may state for one ability, or for all abilities of entrants, a condition under which they work: `me` is the side and
//! `holder` the thing that has the ability. The uses of an ability are limited per run of a scope, which is a procedure such as a
//! turn; the rules may say that the entrants of a side share these uses.

use super::Compiler;
use crate::types::Type;
use ludex_program::Formula;
use ludex_syntax::tree::{Expr as Written, Item, ItemKind, Name};
use std::borrow::Cow;

impl Compiler<'_> {
    /// Compiles these declarations. All abilities must have been compiled.
    pub(super) fn compile_working(&mut self, items: &[Cow<Item>]) {
        for item in items {
            match &item.kind {
                ItemKind::Works { ability, when } => self.compile_works_when(ability.as_ref(), when),
                ItemKind::SharedUses { scopes } => scopes.iter().for_each(|scope| self.share_uses(scope)),
                _ => {}
            }
        }
    }

    /// Compiles a condition for one ability, or for all abilities of entrants.
    fn compile_works_when(&mut self, ability: Option<&Name>, when: &Written) {
        let holder = match ability.and_then(|name| self.program.ability_by_id(&name.text)) {
            Some(ability) => self.holders[usize::from(ability)].clone(),
            None => self.program.sides.entrant.map_or(Type::Unknown, Type::Entity),
        };
        self.begin_function();
        self.add_slot("me", Type::side_type());
        self.add_slot("holder", holder.clone());
        let formula = Formula { expr: self.compile_condition(when), slots: self.function.most_slots };
        for (info, own) in self.program.abilities.iter_mut().zip(&self.holders) {
            if ability.map_or(*own == holder, |name| name.text == info.id) {
                info.works.push(formula.clone());
            }
        }
    }

    /// Marks all limits per run of a scope as shared.
    fn share_uses(&mut self, scope: &Name) {
        let Some(per) = self.find_scope(scope) else { return };
        let limits = self.program.abilities.iter_mut().flat_map(|ability| &mut ability.uses);
        limits.filter(|limit| limit.per == per).for_each(|limit| limit.shared = true);
    }
}
