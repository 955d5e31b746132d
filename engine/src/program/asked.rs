//! Variables into which nothing but answers to questions for moves of one family comes.

use super::flow::{deed, reachable};
use super::parts::parts;
use super::{Address, AskCodeWhat, Expr, FamilyId, Instruction, Program, Slot};
use std::collections::BTreeMap;

/// For each address of a procedure the slots that only questions for moves of one family fill.
#[derive(Clone, Debug, Default)]
pub struct Asked(BTreeMap<Address, Vec<(Slot, FamilyId)>>);

impl Asked {
    pub fn of(program: &Program) -> Asked {
        let mut asked = Asked::default();
        for procedure in &program.procedures {
            let addresses = reachable(program, &[procedure.start]);
            let moves = moves_in(program, &addresses, procedure.params.len());
            if !moves.is_empty() {
                asked.0.extend(addresses.into_iter().map(|at| (at, moves.clone())));
            }
        }
        asked
    }

    /// The family whose moves alone fill a slot of the frame in which an address is carried out.
    pub fn family(&self, at: Address, slot: Slot) -> Option<FamilyId> {
        let (_, family) = self.0.get(&at)?.iter().find(|(own, _)| *own == slot)?;
        Some(*family)
    }
}

/// The slots of a procedure, beside its parameters, into which nothing but moves of one family comes.
fn moves_in(program: &Program, addresses: &[Address], params: usize) -> Vec<(Slot, FamilyId)> {
    let mut moves: Vec<(Slot, FamilyId)> = Vec::new();
    let mut others: Vec<Slot> = Vec::new();
    for at in addresses {
        match program.code.get(*at as usize) {
            Some(Instruction::Ask(ask)) => match (&ask.what, ask.otherwise) {
                (AskCodeWhat::Families(families), Some(_)) if families.len() == 1 => moves.push((ask.slot, families[0].0)),
                (AskCodeWhat::Divide(divide), _) => others.extend([ask.slot, divide.receivers]),
                _ => others.push(ask.slot),
            },
            Some(Instruction::AskAtOnce(code)) => {
                others.extend([code.ask.slot, code.members, code.variable]);
                if let AskCodeWhat::Divide(divide) = &code.ask.what {
                    others.push(divide.receivers);
                }
            }
            _ => {
                let deed = deed(program, *at);
                others.extend(deed.writes);
                deed.reads.iter().for_each(|expr| bound_slots(expr, &mut others));
            }
        }
    }
    let alone = |(slot, family): &(Slot, FamilyId)| {
        usize::from(*slot) >= params && !others.contains(slot) && moves.iter().all(|(other, own)| other != slot || own == family)
    };
    moves.iter().copied().filter(alone).collect()
}

/// Slots that an expression fills on its way.
fn bound_slots(expr: &Expr, found: &mut Vec<Slot>) {
    if let Expr::With { slot, .. }
    | Expr::Quantified { slot, .. }
    | Expr::Where { slot, .. }
    | Expr::Map { slot, .. }
    | Expr::CanWhere { slot, .. }
    | Expr::BestOne { slot, .. }
    | Expr::BestAll { slot, .. } = expr
    {
        found.push(*slot);
    }
    parts(expr, &mut |part| bound_slots(part, found));
}
