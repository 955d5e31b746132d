//! Hooks as they are opened with nobody watching: who hears of one is worked out beforehand, so that a moment at which
//! nobody does anything goes by without a window.

use crate::program::{Address, Expr, NONE, OpenCode, Program, Slot, Value};
use crate::runtime::context::{Listener, Roster};
use crate::runtime::eval::substitute::substitute;
use crate::runtime::flow::frames::MOST_FRAMES;
use crate::runtime::flow::window::acts;
use crate::runtime::flow::{Machine, PlayContext};

/// A clause that may do something when a hook is opened, and the conditions for it, told in the slots of the opener.
#[derive(Clone, Debug)]
pub struct ResolvedListener {
    listener: Listener,
    /// Conditions that read nothing that might not be there. They are about whose moment it is, and cost least.
    sure: Vec<Expr>,
    /// The other conditions.
    guard: Vec<Expr>,
}

/// Everybody who may do something at an `open`; none if one of them must be looked at more closely.
pub fn resolved_listeners(program: &Program, roster: &Roster, open: &OpenCode) -> Option<Box<[ResolvedListener]>> {
    let is_plain = |argument: &Expr| matches!(argument, Expr::Local(_) | Expr::Constant(_));
    if open.first.is_some() || !open.arguments.iter().all(is_plain) {
        return None;
    }
    let listeners = roster.listeners[open.hook as usize].first().map_or(&[][..], Vec::as_slice);
    listeners
        .iter()
        .filter(|listener| acts(program, open, listener))
        .map(|listener| resolved_listener(program, roster, open, *listener))
        .collect()
}

fn resolved_listener(program: &Program, roster: &Roster, open: &OpenCode, listener: Listener) -> Option<ResolvedListener> {
    let instance = &roster.instances[listener.instance as usize];
    // A card may change hands, and with it the side that it works for.
    let me = (instance.holder < roster.first_piece).then_some(Value::from(instance.side));
    let owner = [me, Some(Value::from(instance.holder)), Some(instance.settings).filter(|settings| *settings != NONE)];
    let value_of = |slot: Slot| match open.arguments.get(usize::from(slot)) {
        Some(argument) => Some(argument.clone()),
        None => owner.get(usize::from(slot) - open.arguments.len()).copied().flatten().map(Expr::Constant),
    };
    let guard = program.clauses[listener.clause as usize].guard.iter().map(|guard| substitute(guard, &value_of));
    let guard: Vec<Expr> = guard.collect::<Option<_>>()?;
    let (sure, guard) = guard.into_iter().partition(is_sure);
    Some(ResolvedListener { listener, sure, guard })
}

/// Whether a condition can be worked out whatever its slots hold.
fn is_sure(condition: &Expr) -> bool {
    match condition {
        Expr::Constant(_) | Expr::Local(_) | Expr::TableField(_) => true,
        Expr::Not(inner) => is_sure(inner),
        Expr::And(left, right) | Expr::Or(left, right) | Expr::Compare(_, left, right) => is_sure(left) && is_sure(right),
        _ => false,
    }
}

impl Machine {
    /// Opens a hook at which nobody does anything, as things are; false if somebody might. Nobody is watching.
    #[inline(never)]
    pub(super) fn skip_idle_hook(&mut self, context: &PlayContext, base: usize, at: Address) -> bool {
        let Some(resolved_listeners) = context.code.get(at as usize).and_then(|step| step.resolved_listeners.as_deref()) else {
            return false;
        };
        if self.state.frames.len() >= MOST_FRAMES {
            return false;
        }
        let (lists, stand) = (self.state.lists.len(), self.meter.stand());
        self.meter.add(resolved_listeners.len() as u64);
        let is_used = resolved_listeners.iter().any(|resolved_listener| self.may_act(context, base, resolved_listener));
        self.state.lists.truncate(lists);
        // What comes is numbered as if somebody might have done something.
        self.state.serial += u32::from(!is_used);
        if is_used {
            // The same is asked again where they act.
            self.meter.go_back(stand);
        }
        !is_used
    }

    fn may_act(&mut self, context: &PlayContext, base: usize, resolved_listener: &ResolvedListener) -> bool {
        resolved_listener.sure.iter().all(|condition| self.holds(context, base, condition))
            && self.may_happen(context, resolved_listener.listener)
            && resolved_listener.guard.iter().all(|condition| self.holds(context, base, condition))
    }
}
