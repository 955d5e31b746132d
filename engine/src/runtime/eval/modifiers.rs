//! Values changed by abilities and marks.
//! Some hooks are not opened, but have a *value* that expressions read. *Modifiers*, clauses of abilities and marks at the hook,
//! change it one after another, layer by layer. The first slots of a modifier are the hook's parameters, its owner's values
//! (`me`, `holder` and others), and the value so far (`it`). `State::bearing` holds the marks that have an effect.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::state::{MarkInstance, Values};
use ludex_program::{Expr, HookId, NONE, Value};
use ludex_syntax::codes;

/// Maximum nesting depth of values with modifiers, and of searches for a move.
const MOST_VALUES: u32 = 40;

impl Eval {
    /// A hook's value with all modifiers applied, in order.
    #[inline(never)]
    pub fn hook_value(&mut self, context: &Context, base: usize, hook: HookId, arguments: &[Expr]) -> Value {
        let info = &context.program.hooks[hook as usize];
        let Some((_, formula)) = &info.value else { return NONE };
        if !self.enter_nested_value() {
            return NONE;
        }
        let mut values: Values = arguments.iter().map(|argument| self.evaluate(context, base, argument)).collect();
        let mut value = self.evaluate_separately(context, &formula.expr, formula.slots, &values);
        if !self.state.bearing.is_empty() {
            value = self.hook_value_with_marks(context, hook, &values, value);
            self.depth -= 1;
            return value;
        }
        for listener in context.roster.listeners_of(hook) {
            let clause = &context.program.clauses[listener.clause as usize];
            let Some(modified) = &clause.value else { continue };
            self.meter.add_work(1);
            values.truncate(info.params.len());
            values.extend(self.owner_values(context, listener.instance));
            values.push(value);
            if self.can_clause_act(context, *listener)
                && self.guards_hold(context, &clause.guard, &values, clause.slots, listener.clause)
            {
                value = self.apply_modifier(context, value, modified, clause.slots, &values, Some(listener.instance));
            }
        }
        self.depth -= 1;
        value
    }

    /// Like [`Eval::hook_value`], with the modifiers of marks: in each layer they come after those of abilities.
    fn hook_value_with_marks(&mut self, context: &Context, hook: HookId, arguments: &[Value], mut value: Value) -> Value {
        let program = context.program;
        if !self.spend_on(self.state.bearing.len() * 2) {
            return NONE;
        }
        let mut modifiers = self.modifiers_of(context, hook);
        modifiers.sort_by_key(|(clause, ..)| program.clauses[*clause as usize].layer);
        for (clause, instance, owner) in modifiers {
            if !self.spend_work(2) {
                break;
            }
            let info = &program.clauses[clause as usize];
            let mut values = Values::from_slice(arguments);
            values.extend(owner);
            values.push(value);
            if let Some(modified) =
                info.value.as_ref().filter(|_| self.guards_hold(context, &info.guard, &values, info.slots, clause))
            {
                value = self.apply_modifier(context, value, modified, info.slots, &values, instance);
            }
        }
        value
    }

    /// The modifiers of a hook's value: each clause, the instance of its ability (`None` for a mark), and the owner's values.
    /// Their own conditions are not tested yet.
    pub fn modifiers_of(&mut self, context: &Context, hook: HookId) -> Vec<(u16, Option<u16>, Values)> {
        let program = context.program;
        let mut modifiers = Vec::new();
        for listener in context.roster.listeners_of(hook) {
            if program.clauses[listener.clause as usize].value.is_some() && self.can_clause_act(context, *listener) {
                let owner = self.owner_values(context, listener.instance).collect();
                modifiers.push((listener.clause, Some(listener.instance), owner));
            }
        }
        for bearing in &self.state.bearing {
            let of_mark = program.marks[bearing.mark as usize].modifiers.iter().copied();
            let here = of_mark.filter(|clause| program.clauses[*clause as usize].hook == hook);
            modifiers.extend(here.map(|clause| (clause, None, self.mark_values(context, bearing))));
        }
        modifiers
    }

    /// A value after a modifier of an ability or a mark.
    fn apply_modifier(
        &mut self,
        context: &Context,
        value: Value,
        modified: &Expr,
        slots: u16,
        values: &[Value],
        instance: Option<u16>,
    ) -> Value {
        let after = self.evaluate_separately(context, modified, slots, values);
        if let Some(instance) = instance.filter(|_| after != value) {
            self.count_effect(context, instance);
        }
        after
    }

    /// Enters a value that may depend on others of its kind. False if the recursion seems endless. Otherwise the caller takes 1
    /// from [`Eval::depth`] when it is done.
    pub fn enter_nested_value(&mut self) -> bool {
        if self.depth >= MOST_VALUES {
            self.raise_as(codes::CALLS_TOO_DEEP, "a value depends on itself without end");
        }
        // After a fault evaluation stops, so that many branches end as fast as one.
        let sound = self.fault.is_none();
        self.depth += u32::from(sound);
        sound
    }

    /// `me`, `holder` and the fields of a mark on a thing.
    pub fn mark_values(&self, context: &Context, bearing: &MarkInstance) -> Values {
        let holder = Value::from(bearing.entity);
        let mut values = Values::from_slice(&[self.state.board.side_of(context.program, holder), holder]);
        values.extend(bearing.fields.iter().copied());
        values
    }
}
