//! Variables that only ever hold answers to questions for moves of one family. The engine skips what the moves of such a
//! variable certainly do not have or do, for the players of a match (`runtime/flow/unset_fields.rs`).

use super::flow::{def_use, reachable_addresses};
use super::{Address, AskCodeWhat, Expr, FamilyId, Instruction, Program, Slot};
use std::collections::BTreeMap;

/// By address of a procedure: the slots that only questions for moves of one family fill.
#[derive(Clone, Debug, Default)]
pub struct MoveSlots(BTreeMap<Address, Vec<(Slot, FamilyId)>>);

impl MoveSlots {
    /// Finds these slots in a finished program.
    pub fn from_program(program: &Program) -> MoveSlots {
        let mut asked = MoveSlots::default();
        // Without such a question there is nothing to find in the code.
        if !program.code.iter().any(|instruction| asked_family(instruction).is_some()) {
            return asked;
        }
        for procedure in &program.procedures {
            let addresses = reachable_addresses(program, &[procedure.start]);
            let moves = single_family_slots(program, &addresses, procedure.params.len());
            if !moves.is_empty() {
                asked.0.extend(addresses.into_iter().map(|at| (at, moves.clone())));
            }
        }
        asked
    }

    /// The single family whose moves may be in a slot at an address, if there is one.
    pub fn family_in_slot(&self, at: Address, slot: Slot) -> Option<FamilyId> {
        let (_, family) = self.0.get(&at)?.iter().find(|(own, _)| *own == slot)?;
        Some(*family)
    }
}

/// The family, if a question asks for moves of one family only.
fn asked_family(instruction: &Instruction) -> Option<FamilyId> {
    let Instruction::Ask(ask) = instruction else { return None };
    match (&ask.what, ask.otherwise) {
        (AskCodeWhat::Families(families), Some(_)) if families.len() == 1 => Some(families[0].0),
        _ => None,
    }
}

/// The slots of a procedure, besides its parameters, that only hold moves of one family.
fn single_family_slots(program: &Program, addresses: &[Address], params: usize) -> Vec<(Slot, FamilyId)> {
    let mut moves: Vec<(Slot, FamilyId)> = Vec::new();
    let mut others: Vec<Slot> = Vec::new();
    // Pairs of a slot and another from which it is filled.
    let mut copies: Vec<(Slot, Slot)> = Vec::new();
    for at in addresses {
        match program.code.get(*at as usize) {
            Some(asking @ Instruction::Ask(ask)) => match asked_family(asking) {
                Some(family) => moves.push((ask.slot, family)),
                None => others.extend(def_use(program, *at).writes),
            },
            Some(Instruction::Let { slot, value: Expr::Local(from), .. }) => copies.push((*slot, *from)),
            _ => {
                let def_use = def_use(program, *at);
                others.extend(def_use.writes);
                def_use.reads.iter().for_each(|expr| expr.collect_bound_slots(&mut others));
            }
        }
    }
    let mut alone = moves.clone();
    alone.retain(|(slot, family)| {
        let is_other = usize::from(*slot) < params || others.contains(slot);
        !is_other && moves.iter().all(|(other, own)| other != slot || own == family)
    });
    // A slot filled from another is only as well known as that one.
    for (slot, from) in &copies {
        let family = alone.iter().find(|(other, _)| other == from).map(|(_, family)| *family);
        let is_new = !moves.iter().any(|(other, _)| other == slot);
        alone.extend(family.filter(|_| is_new && !others.contains(slot)).map(|family| (*slot, family)));
    }
    while let Some(place) =
        alone.iter().position(|(slot, family)| copies.iter().any(|(to, from)| to == slot && !alone.contains(&(*from, *family))))
    {
        alone.remove(place);
    }
    alone
}
