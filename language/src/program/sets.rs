//! Which fields and marks code may set, with all the code that it carries out.

use super::flow::reachable;
use super::{Address, HookId, Instruction, KindId, ProcedureId, Program};
use std::collections::BTreeSet;

/// What may be set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sets {
    /// Fields, by the kinds of the things that have them.
    pub fields: BTreeSet<(KindId, u16)>,
    /// Marks that are set or taken away.
    pub marks: BTreeSet<u16>,
}

/// What each piece of code may set.
#[derive(Clone, Debug, Default)]
pub struct SetsOfCode {
    procedures: Vec<Sets>,
    hooks: Vec<Sets>,
    moves: Sets,
}

/// What carries out code of its own.
#[derive(Clone, Copy)]
enum Code {
    Procedure(ProcedureId),
    Hook(HookId),
    Moves,
}

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
        let within = |start: Address| reachable(program, &[start]);
        let procedures = program.procedures.iter().enumerate();
        let procedures = procedures.map(|(index, info)| (Code::Procedure(index as ProcedureId), within(info.start)));
        let clauses = program.clauses.iter().filter_map(|info| Some((Code::Hook(info.hook), within(info.body.start()?))));
        let moves = program.actions.iter().filter_map(|info| Some((Code::Moves, within(info.body?))));
        let all: Vec<(Code, Vec<Address>)> = procedures.chain(clauses).chain(moves).collect();
        let mut found = SetsOfCode {
            procedures: vec![Sets::default(); program.procedures.len()],
            hooks: vec![Sets::default(); program.hooks.len()],
            moves: Sets::default(),
        };
        let mut grows = true;
        while std::mem::take(&mut grows) {
            for (code, addresses) in &all {
                let mut sets = found.carried_out(program, addresses);
                addresses.iter().for_each(|at| sets.extend(&Sets::at(program, *at)));
                let known = found.sets_mut(*code);
                let before = known.clone();
                known.extend(&sets);
                grows |= *known != before;
            }
        }
        found
    }

    /// What is set in other frames while these instructions run: in procedures, moves and abilities.
    pub fn carried_out<'a>(&self, program: &Program, instructions: impl IntoIterator<Item = &'a Address>) -> Sets {
        let mut sets = Sets::default();
        for at in instructions {
            let hook = match program.code.get(*at as usize) {
                Some(Instruction::Call { procedure, .. }) => {
                    self.procedures.get(usize::from(*procedure)).into_iter().for_each(|inner| sets.extend(inner));
                    None
                }
                Some(Instruction::DoMove { .. }) => {
                    sets.extend(&self.moves);
                    None
                }
                Some(Instruction::Open(open)) => Some(open.hook),
                Some(instruction) => instruction.question().and_then(|ask| ask.during.as_ref()).map(|(hook, _)| *hook),
                None => None,
            };
            hook.and_then(|hook| self.hooks.get(usize::from(hook))).into_iter().for_each(|inner| sets.extend(inner));
        }
        sets
    }

    fn sets_mut(&mut self, code: Code) -> &mut Sets {
        match code {
            Code::Procedure(procedure) => &mut self.procedures[usize::from(procedure)],
            Code::Hook(hook) => &mut self.hooks[usize::from(hook)],
            Code::Moves => &mut self.moves,
        }
    }
}
