//! The fields and marks that code may set, including the procedures it calls. The engine asks this when a branch depends on
//! something hidden (`runtime/flow/taint.rs`): everything that the skipped code could have set must then count as hidden as
//! well.

use super::flow::reachable_addresses;
use super::{Address, Instruction, KindId, Program};
use std::collections::BTreeSet;

/// Fields and marks that may be set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldsAndMarks {
    /// Fields, by the kinds of the things that have them.
    pub fields: BTreeSet<(KindId, u16)>,
    /// Marks that are set or removed.
    pub marks: BTreeSet<u16>,
}

/// For each procedure, the fields and marks that it may set, including the procedures it calls.
#[derive(Clone, Debug, Default)]
pub struct ProcedureSets(Vec<FieldsAndMarks>);

impl FieldsAndMarks {
    /// The fields and marks that an instruction sets itself.
    pub fn from_instruction(program: &Program, at: Address) -> FieldsAndMarks {
        let mut sets = FieldsAndMarks::default();
        match program.code.get(at as usize) {
            Some(Instruction::Set { field, .. } | Instruction::SetList { field, .. } | Instruction::Add { field, .. }) => {
                let kinds = program.kinds_set.get(&at).into_iter().flatten();
                sets.fields.extend(kinds.map(|kind| (*kind, *field)));
            }
            Some(Instruction::Mark(code)) => drop(sets.marks.insert(code.mark)),
            Some(Instruction::Unmark { mark, .. }) => drop(sets.marks.insert(*mark)),
            _ => {}
        }
        sets
    }

    /// Adds all of another set.
    pub fn extend(&mut self, other: &FieldsAndMarks) {
        self.fields.extend(&other.fields);
        self.marks.extend(&other.marks);
    }
}

impl ProcedureSets {
    /// Summarises a program in which something is hidden. For other programs no fields are known.
    pub fn from_program(program: &Program) -> ProcedureSets {
        let within: Vec<Vec<Address>> =
            program.procedures.iter().map(|info| reachable_addresses(program, &[info.start])).collect();
        let mut found = ProcedureSets(vec![FieldsAndMarks::default(); within.len()]);
        let mut grows = true;
        // Procedures may call each other in circles, so this repeats until no set grows.
        while std::mem::take(&mut grows) {
            for (index, addresses) in within.iter().enumerate() {
                let mut sets = found.sets_of_calls(program, addresses);
                addresses.iter().for_each(|at| sets.extend(&FieldsAndMarks::from_instruction(program, *at)));
                grows |= sets != found.0[index];
                found.0[index] = sets;
            }
        }
        found
    }

    /// The fields and marks set by the procedures that these instructions call. Moves and abilities are left out: they might
    /// set anything.
    pub fn sets_of_calls<'a>(&self, program: &Program, instructions: impl IntoIterator<Item = &'a Address>) -> FieldsAndMarks {
        let mut sets = FieldsAndMarks::default();
        for at in instructions {
            if let Some(Instruction::Call { procedure, .. }) = program.code.get(*at as usize) {
                self.0.get(usize::from(*procedure)).into_iter().for_each(|inner| sets.extend(inner));
            }
        }
        sets
    }
}
