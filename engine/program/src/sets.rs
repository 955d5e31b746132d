//! Which fields and marks code may set, with the procedures that it carries out.

use super::flow::reachable;
use super::{Address, Instruction, KindId, Program};
use std::collections::BTreeSet;

/// What may be set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sets {
    /// Fields, by the kinds of the things that have them.
    pub fields: BTreeSet<(KindId, u16)>,
    /// Marks that are set or taken away.
    pub marks: BTreeSet<u16>,
}

/// What each procedure may set, with those that it carries out.
#[derive(Clone, Debug, Default)]
pub struct SetsOfCode(Vec<Sets>);

impl Sets {
    /// What an instruction sets itself.
    pub fn at(program: &Program, at: Address) -> Sets {
        let mut sets = Sets::default();
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

    /// Takes in what else may be set.
    pub fn extend(&mut self, other: &Sets) {
        self.fields.extend(&other.fields);
        self.marks.extend(&other.marks);
    }
}

impl SetsOfCode {
    /// Of a program in which something is hidden. Of others no fields are known.
    pub fn of(program: &Program) -> SetsOfCode {
        let within: Vec<Vec<Address>> = program.procedures.iter().map(|info| reachable(program, &[info.start])).collect();
        let mut found = SetsOfCode(vec![Sets::default(); within.len()]);
        let mut grows = true;
        while std::mem::take(&mut grows) {
            for (index, addresses) in within.iter().enumerate() {
                let mut sets = found.carried_out(program, addresses);
                addresses.iter().for_each(|at| sets.extend(&Sets::at(program, *at)));
                grows |= sets != found.0[index];
                found.0[index] = sets;
            }
        }
        found
    }

    /// What procedures set that these instructions carry out. What moves and abilities set is left out: they might set anything.
    pub fn carried_out<'a>(&self, program: &Program, instructions: impl IntoIterator<Item = &'a Address>) -> Sets {
        let mut sets = Sets::default();
        for at in instructions {
            if let Some(Instruction::Call { procedure, .. }) = program.code.get(*at as usize) {
                self.0.get(usize::from(*procedure)).into_iter().for_each(|inner| sets.extend(inner));
            }
        }
        sets
    }
}
