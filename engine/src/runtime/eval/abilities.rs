//! Uses of abilities: counts and limits.
//! An *instance* is an ability of one *holder*, an entrant or a piece, by its index in the roster; `me` is the side that it works
//! for. A *listener* is a clause of an instance at a hook. A limit counts uses in one run of a *scope*, a procedure that names a
//! time; the *serial* of its frame identifies the run. `bound` are the values of a clause's first slots, such as the hook's
//! parameters, `me` and `holder`.

use crate::runtime::context::{Context, Instance, Listener};
use crate::runtime::eval::Eval;
use crate::runtime::state::{FrameRole, NOWHERE, Values};
use ludex_program::{ClauseKind, Expr, Formula, HookId, NONE, UseLimit, Value};

impl Eval {
    /// Uses left under one limit of an ability. `index` is that of the limit among those of the ability.
    #[inline]
    pub fn uses_left(&self, context: &Context, instance: &Instance, index: usize, limit: &UseLimit) -> Value {
        let serial = self.state.scope_serial(limit.per);
        limit.times
            - if limit.shared {
                self.count_shared_uses(context, instance, index, serial)
            } else {
                self.count_uses(instance, index, serial)
            }
    }

    /// Number of uses of an ability in a run of a scope, by the index of the limit.
    #[inline]
    fn count_uses(&self, instance: &Instance, index: usize, serial: u32) -> Value {
        let count = self.state.uses.get(usize::from(instance.uses) + index);
        count.filter(|count| count.serial == serial).map_or(0, |count| count.times)
    }

    /// Number of uses in a run of a scope, over all entrants of the side that have the ability.
    fn count_shared_uses(&self, context: &Context, instance: &Instance, index: usize, serial: u32) -> Value {
        let sharing =
            context.roster.instances.iter().filter(|other| (other.ability, other.side) == (instance.ability, instance.side));
        sharing.map(|other| self.count_uses(other, index, serial)).sum()
    }

    /// Whether an ability has a use left.
    #[inline]
    pub fn can_use(&self, context: &Context, instance: u16) -> bool {
        let found = &context.roster.instances[instance as usize];
        let Some(limit) = &found.limit else { return self.is_within_limits(context, found) };
        let count = self.state.uses.get(usize::from(found.uses));
        // A count from an earlier run of the scope does not apply to this one.
        count.is_some_and(|count| count.times < limit.times || count.serial != self.state.scope_serial(limit.per))
    }

    /// Whether all limits of an ability allow another use.
    #[inline(never)]
    fn is_within_limits(&self, context: &Context, found: &Instance) -> bool {
        let limits = &context.program.abilities[found.ability as usize].uses;
        // A count below the limit is enough, whichever run it is from.
        limits.iter().enumerate().all(|(index, limit)| {
            let count = self.state.uses.get(usize::from(found.uses) + index);
            count.is_some_and(|count| count.times < limit.times) && !limit.shared
                || self.uses_left(context, found, index, limit) > 0
        })
    }

    /// In a watched game, counts a use of an ability, or a changed value, or a forbidden move.
    pub fn count_effect(&mut self, context: &Context, instance: u16) {
        self.count_effects(context, instance, 1);
    }

    /// In a watched game, counts several effects of an ability.
    pub fn count_effects(&mut self, context: &Context, instance: u16, more: u64) {
        if !self.watched {
            return;
        }
        self.influence.resize(context.roster.instances.len(), 0);
        if let Some(times) = self.influence.get_mut(usize::from(instance)) {
            *times = times.saturating_add(more);
        }
    }

    /// The ability that is acting now. [`NOWHERE`] if there is none.
    pub fn acting_instance(&self) -> u16 {
        let acting = self.state.acting_frame().and_then(|index| self.state.frames.get(index));
        match acting.map(|frame| frame.role) {
            Some(FrameRole::Clause { instance } | FrameRole::Move { instance }) => instance,
            _ => NOWHERE,
        }
    }

    /// Whether a clause's ability works, and either has a use left or needs none.
    #[inline(always)]
    pub fn can_clause_act(&mut self, context: &Context, listener: Listener) -> bool {
        self.ability_works(context, listener.instance)
            && (context.program.clauses[listener.clause as usize].free || self.can_use(context, listener.instance))
    }

    /// The parameters of the top window, then `me` and `holder` of a listener.
    pub fn hook_context(&self, context: &Context, listener: Listener) -> Values {
        let clause = &context.program.clauses[listener.clause as usize];
        let params = context.program.hooks[clause.hook as usize].params.len();
        let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
        self.with_owner(context, listener.instance, self.state.slots.get(base..base + params).unwrap_or(&[]))
    }

    /// The arguments of a hook or a family, then `me` and `holder` of an ability.
    #[inline(always)]
    pub fn with_owner(&self, context: &Context, instance: u16, arguments: &[Value]) -> Values {
        let mut bound = Values::from_slice(arguments);
        self.owner_values(context, instance).for_each(|value| bound.push(value));
        bound
    }

    /// `me` and `holder` of an ability, and the settings of its sheet, if it has any.
    #[inline]
    pub fn owner_values(&self, context: &Context, instance: u16) -> impl Iterator<Item = Value> + use<> {
        let found = &context.roster.instances[instance as usize];
        let (me, settings) = (self.side_of_ability(context, instance), Some(found.settings));
        [me, Value::from(found.holder)].into_iter().chain(settings.filter(|settings| *settings != NONE))
    }

    /// The side that an ability works for now: a card may have changed hands.
    pub fn side_of_ability(&self, context: &Context, instance: u16) -> Value {
        let found = &context.roster.instances[instance as usize];
        match found.holder < context.roster.first_piece {
            true => Value::from(found.side),
            false => self.state.board.side_of(context.program, Value::from(found.holder)),
        }
    }

    /// Whether an ability works now: its holder is in the game, and the rules' condition holds.
    #[inline(always)]
    pub fn ability_works(&mut self, context: &Context, instance: u16) -> bool {
        let found = &context.roster.instances[instance as usize];
        self.is_holder_in_game(context, found) && (!found.conditional || self.conditions_hold(context, instance))
    }

    /// Whether the conditions hold under which the rules let an ability work.
    #[inline(never)]
    fn conditions_hold(&mut self, context: &Context, instance: u16) -> bool {
        let found = &context.roster.instances[instance as usize];
        let conditions: &[Formula] = &context.program.abilities[found.ability as usize].works;
        let owner = [self.side_of_ability(context, instance), Value::from(found.holder)];
        conditions.iter().all(|condition| self.evaluate_separately(context, &condition.expr, condition.slots, &owner) != 0)
    }

    /// Whether the holder of an ability is still in the game.
    #[inline(always)]
    fn is_holder_in_game(&self, context: &Context, found: &Instance) -> bool {
        if found.holder < context.roster.first_piece {
            return !self.is_out(Value::from(found.side));
        }
        self.state.board.entities.get(usize::from(found.holder)).is_some_and(|holder| holder.place != NOWHERE)
    }

    /// Whether the conditions of a clause hold. They are evaluated in `slots` slots of their own. `clause` is its index, for
    /// coverage.
    pub fn guards_hold(&mut self, context: &Context, guards: &[Expr], bound: &[Value], slots: u16, clause: u16) -> bool {
        if guards.is_empty() {
            return true;
        }
        let (base, lists) = (self.state.slots.len(), self.state.lists.len());
        self.state.slots.extend_from_slice(bound);
        self.state.slots.resize(base + (slots as usize).max(bound.len()), NONE);
        let holds = guards.iter().all(|guard| self.evaluate(context, base, guard) != 0);
        self.state.slots.truncate(base);
        self.state.lists.truncate(lists);
        if let Some(coverage) = &mut self.coverage {
            coverage.record_guard(clause, holds);
        }
        holds
    }

    /// Whether a side has an ability with an offer at a hook that may still be used.
    pub fn has_offer(&mut self, context: &Context, hook: HookId, side: u16) -> bool {
        let mut listeners = context.roster.listeners_of(hook).iter();
        listeners.any(|listener| self.is_offered_to(context, *listener, side) && self.can_clause_act(context, *listener))
    }

    /// Whether a side has an ability with an offer at a hook, even if it may not be used.
    pub fn has_offering_ability(&self, context: &Context, hook: HookId, side: u16) -> bool {
        context.roster.listeners_of(hook).iter().any(|listener| self.is_offered_to(context, *listener, side))
    }

    /// Whether a clause may be an offer to a side.
    #[inline(always)]
    fn is_offered_to(&self, context: &Context, listener: Listener, side: u16) -> bool {
        let clause = &context.program.clauses[listener.clause as usize];
        // The seats of an offer with `to` are known only when the question is built.
        clause.kind == ClauseKind::Offer
            && (clause.to.is_some() || self.side_of_ability(context, listener.instance) == Value::from(side))
    }
}
