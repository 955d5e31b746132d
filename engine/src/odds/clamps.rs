//! Clamps numbers that only grow and are only compared with others: beyond the highest of those, their exact value is irrelevant.
//!
//! So a count that grows for ever but is only tested with `>= 5` has six values.
//!
//! A *clamp* is a value of a slot that represents all higher ones. `search` replaces higher values by it, so that more states are
//! equal.

use crate::odds::points::find_addend;
use ludex_program::flow::{def_use, reachable_addresses};
use ludex_program::{Address, Expr, Instruction, ProcedureId, Program, Slot, Value};
use std::collections::BTreeMap;

/// The upper clamp of each slot of a procedure that has one: a value that represents all higher ones. `gives` is the clamp of the
/// procedure's result.
pub fn find_clamps(program: &Program, procedure: ProcedureId, gives: Option<Value>) -> BTreeMap<Slot, Value> {
    let info = &program.procedures[usize::from(procedure)];
    let steps = reachable_addresses(program, &[info.start]);
    let params = info.params.len() as Slot;
    (0..info.slots)
        .filter_map(|slot| Some((slot, SlotUses { program, steps: &steps, params, gives }.slot_clamp(slot)?)))
        .collect()
}

/// The uses of the slots of a procedure.
struct SlotUses<'p> {
    program: &'p Program,
    /// The addresses that the procedure can reach.
    steps: &'p [Address],
    /// Number of parameters, which are the first slots: their values are not known.
    params: Slot,
    /// The clamp of the procedure's result.
    gives: Option<Value>,
}

/// Maximum depth to which the origin of a number is traced.
const DEEPEST: u32 = 8;

impl SlotUses<'_> {
    /// The clamp of a slot: the lowest value that represents all higher ones. `None` if the slot can shrink, or has a use other
    /// than a comparison with a constant or the return of a clamped result.
    fn slot_clamp(&self, slot: Slot) -> Option<Value> {
        let mut highest = None;
        for at in self.steps {
            let step = &self.program.code[*at as usize];
            match step {
                _ if find_addend(step).is_some_and(|(own, _)| own == slot) => {
                    let (_, more) = find_addend(step)?;
                    let grows =
                        matches!(step, Instruction::Let { value: Expr::Add(..), .. }) && self.is_never_negative(more, DEEPEST);
                    if !grows {
                        return None;
                    }
                }
                Instruction::Return { value: Some(Expr::Local(own)) } if *own == slot => highest = highest.max(Some(self.gives?)),
                _ => {
                    let found = def_use(self.program, *at);
                    if found.slots.contains(&slot) || found.unclear {
                        return None;
                    }
                    for expr in found.reads {
                        self.note_comparisons(expr, slot, &mut highest)?;
                    }
                }
            }
        }
        highest
    }

    /// Notes the numbers with which a slot is compared; `None` if it has any other use.
    fn note_comparisons(&self, expr: &Expr, slot: Slot, highest: &mut Option<Value>) -> Option<()> {
        if !expr.unbound_slots().contains(&slot) {
            return Some(());
        }
        match expr {
            Expr::Compare(_, one, other) => {
                let number = match (one.as_ref(), other.as_ref()) {
                    (Expr::Local(own), Expr::Constant(number)) | (Expr::Constant(number), Expr::Local(own)) if *own == slot => {
                        *number
                    }
                    _ => return None,
                };
                *highest = (*highest).max(Some(number.checked_add(1)?));
                Some(())
            }
            Expr::Local(_) => None,
            _ => {
                let mut parts = Vec::new();
                expr.visit_parts(&mut |part| parts.push(part));
                // A form that reads the slot itself does more than compare it.
                let reads = parts.iter().all(|part| !part.unbound_slots().contains(&slot));
                if reads { None } else { parts.into_iter().try_for_each(|part| self.note_comparisons(part, slot, highest)) }
            }
        }
    }

    /// Whether a number is certain never to be negative. `depth` limits the search.
    fn is_never_negative(&self, expr: &Expr, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        let is_no_loss = |expr: &Expr| self.is_never_negative(expr, depth - 1);
        match expr {
            Expr::Constant(number) => *number >= 0,
            Expr::CountList(_) | Expr::CountZone(_) => true,
            Expr::SumList(list) | Expr::ExtremeOf { list, .. } => self.holds_only_dice(list, depth - 1),
            Expr::Add(one, other) | Expr::Multiply(one, other) | Expr::AtMost(one, other) => is_no_loss(one) && is_no_loss(other),
            Expr::AtLeast(one, other) => is_no_loss(one) || is_no_loss(other),
            Expr::If(_, one, other) => is_no_loss(one) && is_no_loss(other),
            Expr::With { then, .. } => is_no_loss(then),
            Expr::Local(slot) => self.is_filled_only_by(*slot, &|step| match step {
                Instruction::Let { list: false, value, .. } => is_no_loss(value),
                _ => false,
            }),
            _ => false,
        }
    }

    /// Whether a list is certain to hold only results of dice, which are never negative. `depth` limits the search.
    fn holds_only_dice(&self, list: &Expr, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        match list {
            Expr::Where { list, .. } | Expr::Sorted { list, .. } | Expr::Without(list, _) => {
                self.holds_only_dice(list, depth - 1)
            }
            Expr::Local(slot) => self.is_filled_only_by(*slot, &|step| match step {
                Instruction::RollPool { .. } => true,
                Instruction::Let { value, .. } => self.holds_only_dice(value, depth - 1),
                _ => false,
            }),
            _ => false,
        }
    }

    /// Whether a slot is filled only by steps for which `is_one` is true, and not by an argument or an expression.
    fn is_filled_only_by(&self, slot: Slot, is_one: &dyn Fn(&Instruction) -> bool) -> bool {
        let fills = |at: &&Address| def_use(self.program, **at).writes.contains(&slot);
        let binds = |part: &Expr| matches!(part, Expr::With { slot: own, .. } if *own == slot);
        let is_bound = |at: &Address| def_use(self.program, *at).reads.iter().any(|expr| expr.contains(&binds));
        slot >= self.params
            && !self.steps.iter().any(is_bound)
            && self.steps.iter().filter(fills).all(|at| is_one(&self.program.code[*at as usize]))
    }
}
