//! Branches and loops that depend on hidden information, and the values set in them. An *assignment* puts a value into a
//! *target*: a slot, a field or a mark. [`Survey::find_assignments`] and [`Survey::find_hidden_branches`] prepare the
//! searches of `telling` and `refusals`.

use super::{Room, Survey};
use crate::flow::addresses_between;
use crate::{Address, Expr, HookId, Instruction, KindId, Slot};
use std::collections::{BTreeMap, BTreeSet};

/// A target of assignments. The value of a hook, which modifiers change, is only used to visit it once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AssignmentTarget {
    Slot(Room, Slot),
    Field(KindId, u16),
    Mark(u16),
    Value(HookId),
}

/// An assignment.
#[derive(Clone, Debug)]
pub struct Assignment<'p> {
    /// The room in which the value is evaluated.
    pub room: Room,
    pub at: Address,
    /// The first instruction that may read it. For a parameter, the start of the procedure.
    pub first: Address,
    /// The assigned value. For a mark, the thing that gets it.
    pub value: &'p Expr,
}

/// The value that decides the direction of play.
#[derive(Clone, Copy, Debug)]
pub enum BranchCondition<'p> {
    /// A condition, or the number of repetitions.
    Value(&'p Expr),
    /// The length of a list.
    Length(&'p Expr),
}

/// A branch or a loop that depends on hidden information.
#[derive(Clone, Debug)]
pub struct HiddenBranch<'p> {
    pub room: Room,
    pub decides: BranchCondition<'p>,
    /// The code that may be skipped.
    pub within: BTreeSet<Address>,
}

impl<'p> Survey<'p> {
    /// Finds the assignments to variables, to fields that are not shown to all, and of marks.
    pub fn find_assignments(&mut self) {
        let program = self.program;
        for (room, addresses) in &*self.code.clone() {
            for at in addresses.iter().copied() {
                let (sets, value): (Vec<AssignmentTarget>, _) = match program.code.get(at as usize) {
                    Some(Instruction::Let { slot, value, .. }) => (vec![AssignmentTarget::Slot(*room, *slot)], value),
                    Some(
                        Instruction::Set { of, field, value, .. }
                        | Instruction::Add { of, field, value, .. }
                        | Instruction::SetList { of, field, value, .. },
                    ) => {
                        let kinds = self.possible_values(*room, of).kinds;
                        (kinds.iter().map(|kind| AssignmentTarget::Field(*kind, *field)).collect(), value)
                    }
                    Some(Instruction::Mark(code)) => (vec![AssignmentTarget::Mark(code.mark)], &code.what),
                    Some(Instruction::Unmark { what, mark }) => (vec![AssignmentTarget::Mark(*mark)], what),
                    _ => continue,
                };
                for set in sets {
                    self.settings.entry(set).or_default().push(Assignment { room: *room, at, first: at + 1, value });
                }
            }
        }
    }

    /// For each assignment to a field, the kinds of the things it may apply to.
    pub fn assigned_kinds(&self) -> BTreeMap<Address, Vec<KindId>> {
        let mut found: BTreeMap<Address, Vec<KindId>> = BTreeMap::new();
        for (set, settings) in &self.settings {
            let AssignmentTarget::Field(kind, _) = set else { continue };
            settings.iter().for_each(|setting| found.entry(setting.at).or_default().push(*kind));
        }
        found
    }

    /// Finds the branches that depend on hidden information. Values set in such branches may make others hidden.
    pub fn find_hidden_branches(&mut self) {
        let code = self.code.clone();
        let of_room = |(room, addresses): &'_ (Room, Vec<Address>)| {
            let branches: Vec<_> = addresses.iter().filter_map(|at| self.branch_at(*at)).collect();
            branches.into_iter().map(|(at, decides)| (*room, at, decides)).collect::<Vec<_>>()
        };
        let mut open: Vec<(Room, Address, BranchCondition<'p>)> = code.iter().flat_map(of_room).collect();
        loop {
            let (hidden, others): (Vec<_>, Vec<_>) =
                open.into_iter().partition(|(room, _, decides)| self.branch_depends_on_hidden(*room, *decides, &[]));
            if hidden.is_empty() {
                return;
            }
            let program = self.program;
            let branches = hidden.into_iter().map(|(room, at, decides)| {
                let within = addresses_between(program, at, program.join_address(at));
                HiddenBranch { room, decides, within }
            });
            self.branches.extend(branches);
            open = others;
        }
    }

    /// The branch at or after an address, with the value that decides it. A loop over a list is found at its `EachBegin`, and
    /// its branch is the `EachNext` of the same slot.
    fn branch_at(&self, at: Address) -> Option<(Address, BranchCondition<'p>)> {
        let code = &self.program.code;
        match code.get(at as usize)? {
            Instruction::JumpUnless { condition, .. } => Some((at, BranchCondition::Value(condition))),
            Instruction::RepeatNext { most, .. } => Some((at, BranchCondition::Value(most))),
            Instruction::EachBegin { list, slot } => {
                let is_next = |code: &Instruction| matches!(code, Instruction::EachNext { slot: next, .. } if next == slot);
                let next = code.iter().skip(at as usize).position(is_next)?;
                Some((at + next as Address, BranchCondition::Length(list)))
            }
            _ => None,
        }
    }
}
