//! Fields of moves that nobody who plays can fill: what is read from them is sure to be the empty list.

use super::machine::Cast;
use crate::language::compile::parts;
use crate::odds::flow::{deed, reachable};
use crate::program::{Address, AskCodeWhat, Expr, FamilyId, FieldSource, Instruction, Program, Slot};
use std::collections::BTreeMap;

/// For each address the slots that only questions for moves of one family fill.
#[derive(Default)]
pub struct Unfilled(BTreeMap<Address, Vec<(Slot, FamilyId)>>);

impl Unfilled {
    pub fn of(program: &Program) -> Unfilled {
        let mut unfilled = Unfilled::default();
        for procedure in &program.procedures {
            let addresses = reachable(program, &[procedure.start]);
            let moves = moves_in(program, &addresses, procedure.params.len());
            if !moves.is_empty() {
                unfilled.0.extend(addresses.into_iter().map(|at| (at, moves.clone())));
            }
        }
        unfilled
    }

    /// Whether a list that is read at an address is sure to be empty among those who play.
    pub fn is_empty(&self, program: &Program, cast: &Cast, at: Address, list: &Expr) -> bool {
        let (Expr::LocalMoveField { slot, index }, Some(moves)) = (list, self.0.get(&at)) else { return false };
        moves.iter().any(|(own, family)| own == slot && is_unfilled(program, cast, *family, *index))
    }
}

/// Whether no action of a family fills a field.
fn is_unfilled(program: &Program, cast: &Cast, family: FamilyId, field: u16) -> bool {
    let info = &program.families[usize::from(family)];
    let leaves_out = |action: &u16| {
        let source = program.actions[usize::from(*action)].fields.get(usize::from(field));
        matches!(source, Some(FieldSource::EmptyList))
    };
    info.parts == [family] && cast.grants[usize::from(family)].is_empty() && info.actions.iter().all(leaves_out)
}

/// The slots of a procedure, beside its parameters, into which nothing but moves of one family comes.
fn moves_in(program: &Program, addresses: &[Address], params: usize) -> Vec<(Slot, FamilyId)> {
    let mut moves: Vec<(Slot, FamilyId)> = Vec::new();
    let mut others: Vec<Slot> = Vec::new();
    for at in addresses {
        match program.code.get(*at as usize) {
            Some(Instruction::Ask(ask)) => match (&ask.what, ask.otherwise) {
                (AskCodeWhat::Families(families), Some(_)) if families.len() == 1 => moves.push((ask.slot, families[0].0)),
                _ => others.push(ask.slot),
            },
            Some(Instruction::AskAtOnce(code)) => others.extend([code.ask.slot, code.members, code.variable]),
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
    | Expr::BestOne { slot, .. }
    | Expr::BestAll { slot, .. } = expr
    {
        found.push(*slot);
    }
    parts(expr, &mut |part| bound_slots(part, found));
}
