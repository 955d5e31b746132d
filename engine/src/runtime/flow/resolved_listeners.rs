//! Hooks in unwatched games: the listeners are determined beforehand, so that a hook at which no ability acts needs no window.
//!
//! They are prepared by `specialise` when the code of a match is made. A *listener* is a clause of an ability in play; its
//! conditions normally run in slots of its own, and here in those of the *opener*, the frame with the `open`.

use crate::runtime::context::{Listener, Roster};
use crate::runtime::eval::substitute::substitute_slots;
use crate::runtime::flow::frames::MOST_FRAMES;
use crate::runtime::flow::window::{HookCheck, can_listener_act};
use crate::runtime::flow::{Machine, PlayContext};
use ludex_program::{Comparison, Expr, NONE, OpenCode, Program, Slot, Value};

/// A clause that may act when a hook is opened, and its conditions, translated to the slots of the opener.
#[derive(Clone, Debug)]
pub struct ResolvedListener {
    listener: Listener,
    /// Tests for the right side: these cost least, and usually decide.
    whose: Vec<SlotTest>,
    /// Other conditions that cannot fail for any values of the slots.
    sure: Vec<Expr>,
    /// The other conditions.
    guard: Vec<Expr>,
}

/// A test whether a slot of the opener holds a value, or does not.
#[derive(Clone, Copy, Debug)]
struct SlotTest {
    slot: Slot,
    value: Value,
    holds: bool,
}

impl SlotTest {
    /// Turns a condition into such a test, if it has that form.
    fn from_condition(condition: &Expr) -> Option<SlotTest> {
        match condition {
            Expr::Compare(comparison @ (Comparison::Equal | Comparison::NotEqual), left, right) => {
                match (left.as_ref(), right.as_ref()) {
                    (Expr::Local(slot), Expr::Constant(value)) | (Expr::Constant(value), Expr::Local(slot)) => {
                        Some(SlotTest { slot: *slot, value: *value, holds: *comparison == Comparison::Equal })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// All clauses that may act at an `open`; `None` if one of them needs full evaluation.
pub fn resolved_listeners(program: &Program, roster: &Roster, open: &OpenCode) -> Option<Box<[ResolvedListener]>> {
    let is_plain = |argument: &Expr| matches!(argument, Expr::Local(_) | Expr::Constant(_));
    let is_veiled = program.hooks[open.hook as usize].veiled && !open.without_offers;
    if is_veiled || open.first.is_some() || !open.arguments.iter().all(is_plain) {
        return None;
    }
    roster
        .listeners_of(open.hook)
        .iter()
        .filter(|listener| can_listener_act(program, open, listener))
        .map(|listener| resolved_listener(program, roster, open, *listener))
        .collect()
}

/// Translates the conditions of a listener; `None` if one of them may fail or is not simple enough.
fn resolved_listener(program: &Program, roster: &Roster, open: &OpenCode, listener: Listener) -> Option<ResolvedListener> {
    let instance = &roster.instances[listener.instance as usize];
    // A card may change hands, and then works for another side.
    let me = (instance.holder < roster.first_piece).then_some(Value::from(instance.side));
    let owner = [me, Some(Value::from(instance.holder)), Some(instance.settings).filter(|settings| *settings != NONE)];
    let value_of = |slot: Slot| match open.arguments.get(usize::from(slot)) {
        Some(argument) => Some(argument.clone()),
        None => owner.get(usize::from(slot) - open.arguments.len()).copied().flatten().map(Expr::Constant),
    };
    let guard = program.clauses[listener.clause as usize].guard.iter().map(|guard| substitute_slots(guard, &value_of));
    let guard: Vec<Expr> = guard.collect::<Option<_>>()?;
    // The order of the conditions decides which fails first.
    if guard.iter().any(|condition| program.can_fail(condition)) {
        return None;
    }
    let (mut whose, mut sure, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for condition in guard {
        match SlotTest::from_condition(&condition) {
            Some(test) => whose.push(test),
            None if is_sure(&condition) => sure.push(condition),
            None => others.push(condition),
        }
    }
    Some(ResolvedListener { listener, whose, sure, guard: others })
}

/// Whether evaluating a condition can never fail, for any values of its slots.
fn is_sure(condition: &Expr) -> bool {
    match condition {
        Expr::Constant(_) | Expr::Local(_) | Expr::TableField(_) => true,
        Expr::Not(inner) => is_sure(inner),
        Expr::And(left, right) | Expr::Or(left, right) | Expr::Compare(_, left, right) => is_sure(left) && is_sure(right),
        _ => false,
    }
}

impl Machine {
    /// The result of opening a hook in an unwatched game, for the listeners determined beforehand. An idle hook is over at once.
    /// `base` is that of the opener's slots, and `listeners` those of the hook, if they were determined.
    #[inline(never)]
    pub(super) fn check_listeners(
        &mut self,
        context: &PlayContext,
        base: usize,
        listeners: Option<&[ResolvedListener]>,
    ) -> HookCheck {
        let Some(resolved_listeners) = listeners else { return HookCheck::Unresolved };
        if self.state.frames.len() >= MOST_FRAMES {
            return HookCheck::Unresolved;
        }
        let (lists, stand) = (self.state.lists.len(), self.meter.work_so_far());
        self.meter.add_work(resolved_listeners.len() as u64);
        let is_used = resolved_listeners.iter().any(|resolved_listener| self.may_act(context, base, resolved_listener));
        self.state.lists.truncate(lists);
        if is_used {
            // The conditions are evaluated again in the window.
            self.meter.restore_work(stand);
            return HookCheck::Used;
        }
        // Serials are counted as if a window had been opened.
        self.state.serial += 1;
        HookCheck::Idle
    }

    /// Whether a listener may act in the current state: the cheap conditions first, then whether its ability works and has a use
    /// left.
    fn may_act(&mut self, context: &PlayContext, base: usize, resolved_listener: &ResolvedListener) -> bool {
        let ResolvedListener { listener, whose, sure, guard } = resolved_listener;
        whose.iter().all(|test| (self.read_slot(base, test.slot) == test.value) == test.holds)
            && sure.iter().all(|condition| self.evaluate_condition(context, base, condition))
            && self.can_clause_act(context, *listener)
            && guard.iter().all(|condition| self.evaluate_condition(context, base, condition))
    }
}
