//! Where play parts because of something that not all can see, and what is set then.

use super::{Room, Survey};
use crate::program::flow::{between, joins};
use crate::program::{Address, Expr, HookId, Instruction, KindId, Slot};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Something that rules set, or that abilities change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Set {
    Slot(Room, Slot),
    Field(KindId, u16),
    Mark(u16),
    Value(HookId),
}

/// Where something is set.
#[derive(Clone, Debug)]
pub struct Setting<'p> {
    pub room: Room,
    pub at: Address,
    /// To what; of a mark, on what.
    pub value: &'p Expr,
}

/// A branch or a loop that hangs on something that not all can see.
#[derive(Debug)]
pub struct HiddenBranch<'p> {
    pub room: Room,
    pub condition: &'p Expr,
    /// What may be left out.
    pub within: BTreeSet<Address>,
}

impl<'p> Survey<'p> {
    /// Notes where variables, fields that not all are shown, and marks are set.
    pub fn find_settings(&mut self) {
        let program = self.program;
        for (room, addresses) in &*self.code.clone() {
            for at in addresses.iter().copied() {
                let (sets, value): (Vec<Set>, _) = match program.code.get(at as usize) {
                    Some(Instruction::Let { slot, value, .. }) => (vec![Set::Slot(*room, *slot)], value),
                    Some(
                        Instruction::Set { of, field, value, .. }
                        | Instruction::Add { of, field, value, .. }
                        | Instruction::SetList { of, field, value, .. },
                    ) => {
                        let kinds = self.value(*room, of).kinds;
                        (kinds.iter().map(|kind| Set::Field(*kind, *field)).collect(), value)
                    }
                    Some(Instruction::Mark(code)) => (vec![Set::Mark(code.mark)], &code.what),
                    Some(Instruction::Unmark { what, mark }) => (vec![Set::Mark(*mark)], what),
                    _ => continue,
                };
                for set in sets {
                    self.settings.entry(set).or_default().push(Setting { room: *room, at, value });
                }
            }
        }
    }

    /// Of which kinds the things are whose fields each instruction sets.
    pub fn kinds_set(&self) -> BTreeMap<Address, Vec<KindId>> {
        let mut found: BTreeMap<Address, Vec<KindId>> = BTreeMap::new();
        for (set, settings) in &self.settings {
            let Set::Field(kind, _) = set else { continue };
            settings.iter().for_each(|setting| found.entry(setting.at).or_default().push(*kind));
        }
        found
    }

    /// Notes where play parts because of what some cannot see. Whether there are more such places than before.
    pub fn find_hidden_branches(&mut self) -> bool {
        let program = self.program;
        let mut found = Vec::new();
        for (room, addresses) in &*self.code.clone() {
            for at in addresses {
                let Some((branch, condition)) = self.branch(*at) else { continue };
                if self.hides(*room, condition, &[]) {
                    found.push((*room, branch, condition));
                }
            }
        }
        if found.len() == self.branches.len() {
            return false;
        }
        let joins = joins(program);
        let branches = found.into_iter().map(|(room, branch, condition)| {
            let within = between(program, branch, joins.get(branch as usize).copied().flatten());
            HiddenBranch { room, condition, within }
        });
        self.branches = branches.collect::<Vec<_>>().into();
        true
    }

    /// Where play parts at or behind an address, with what decides it.
    fn branch(&self, at: Address) -> Option<(Address, &'p Expr)> {
        let code = &self.program.code;
        match code.get(at as usize)? {
            Instruction::JumpUnless { condition, .. } => Some((at, condition)),
            Instruction::RepeatNext { most, .. } => Some((at, most)),
            Instruction::EachBegin { list, slot } => {
                let is_next = |code: &Instruction| matches!(code, Instruction::EachNext { slot: next, .. } if next == slot);
                let next = code.iter().skip(at as usize).position(is_next)?;
                Some((at + next as Address, list))
            }
            _ => None,
        }
    }
}

/// All hidden branches, as they are known so far.
pub type HiddenBranches<'p> = Rc<[HiddenBranch<'p>]>;
