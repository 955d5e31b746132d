//! Procedures and functions that are sure never to end: whichever way they take, they carry out themselves again, or go round in
//! a loop.

use crate::resolve::{carried_out_again, circles};
use ludex_program::flow::def_use;
use ludex_program::{Address, Expr, Instruction, ProcedureId, Program, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use std::collections::BTreeSet;

/// What is known of the procedures of a program, those that functions of scripts have become among them.
struct Ends<'p> {
    program: &'p Program,
    /// Those that may come to their end.
    ending: Vec<bool>,
    /// Those that may end something around them, or the match.
    leaving: Vec<bool>,
    /// Moves and abilities may do so.
    others_leave: bool,
}

/// Complains of everything that is sure never to end, once each.
pub(super) fn complain(program: &Program) -> Vec<Problem> {
    let count = program.procedures.len();
    // What could not be compiled has no code.
    let ending = program.procedures.iter().map(|procedure| procedure.start as usize >= program.code.len()).collect();
    let mut ends = Ends { program, ending, leaving: vec![false; count], others_leave: false };
    ends.find_leaving();
    while ends.find_more_ending() {}
    let endless: Vec<ProcedureId> = (0..count as ProcedureId).filter(|procedure| !ends.ending[usize::from(*procedure)]).collect();
    let again = |procedure: ProcedureId| ends.ways_on(program.procedures[usize::from(procedure)].start).endless;
    let mut problems: Vec<Problem> = circles(endless.iter().copied(), &|procedure| again(procedure).into_iter().collect())
        .iter()
        .map(|circle| {
            let named = |procedure: &ProcedureId| {
                let info = &program.procedures[usize::from(*procedure)];
                (info.name.clone(), Some(info.span))
            };
            carried_out_again(&circle.iter().map(named).collect::<Vec<_>>())
        })
        .collect();
    let own = endless.iter().map(|procedure| program.procedures[usize::from(*procedure)].start);
    let clauses = program.clauses.iter().filter_map(|clause| clause.body.start());
    for start in own.chain(clauses) {
        let ways = ends.ways_on(start);
        if !ways.ends && ways.endless.is_empty() && !ways.seen.is_empty() {
            let problem =
                Problem::error(codes::NEVER_LEFT, "this loop has no way out").at(ends.place_of_loop(start), "again and again");
            problems.push(problem.help("add `if … { break; }` where it is to end, or go through a list with `for … in …`"));
        }
    }
    problems
}

/// What the ways from an address lead to.
#[derive(Default)]
struct Ways {
    ends: bool,
    /// Procedures that never end, as far as is known.
    endless: BTreeSet<ProcedureId>,
    seen: BTreeSet<Address>,
}

impl Ends<'_> {
    /// Finds out what may end more than itself.
    fn find_leaving(&mut self) {
        loop {
            let before = (self.leaving.clone(), self.others_leave);
            for procedure in 0..self.leaving.len() {
                let start = self.program.procedures[procedure].start;
                self.leaving[procedure] = self.leaving[procedure] || self.may_leave(start, Some(procedure as ProcedureId));
            }
            let clauses = self.program.clauses.iter().filter_map(|clause| clause.body.start());
            let mut bodies = self.program.actions.iter().filter_map(|action| action.body).chain(clauses);
            self.others_leave = self.others_leave || bodies.any(|start| self.may_leave(start, None));
            if before == (self.leaving.clone(), self.others_leave) {
                return;
            }
        }
    }

    fn may_leave(&self, start: Address, own: Option<ProcedureId>) -> bool {
        ludex_program::flow::reachable(self.program, &[start]).into_iter().any(|at| match &self.program.code[at as usize] {
            Instruction::Finish(_) => true,
            Instruction::Stop { procedure } => Some(*procedure) != own,
            other => self.leaves(other),
        })
    }

    /// Whether an instruction lets something happen that may end what is around.
    fn leaves(&self, instruction: &Instruction) -> bool {
        match instruction {
            Instruction::Call { procedure, .. } => self.leaving[usize::from(*procedure)],
            Instruction::Open(_) | Instruction::DoMove { .. } => self.others_leave,
            asking => self.others_leave && asking.lets_others_act(),
        }
    }

    /// Marks procedures that may end because others may; whether there were any.
    fn find_more_ending(&mut self) -> bool {
        let mut found = false;
        for procedure in 0..self.ending.len() {
            let start = self.program.procedures[procedure].start;
            let ends = self.ending[procedure] || self.ways_on(start).ends;
            found |= ends != self.ending[procedure];
            self.ending[procedure] = ends;
        }
        found
    }

    /// Follows all ways from an address, as far as procedures that never end.
    fn ways_on(&self, start: Address) -> Ways {
        let mut ways = Ways::default();
        let mut waiting = vec![start];
        while let Some(at) = waiting.pop() {
            let Some(instruction) = self.program.code.get(at as usize).filter(|_| ways.seen.insert(at)) else { continue };
            match instruction {
                Instruction::Call { procedure, .. } if !self.ending[usize::from(*procedure)] => {
                    ways.ends |= self.leaves(instruction);
                    ways.endless.insert(*procedure);
                }
                Instruction::Return { .. } | Instruction::Stop { .. } | Instruction::Finish(_) | Instruction::CapReached => {
                    ways.ends = true;
                }
                Instruction::JumpUnless { condition: Expr::Constant(condition), to } => {
                    waiting.push(if *condition == 0 { *to } else { at + 1 });
                }
                // A loop of a script, which is left only from within.
                Instruction::RepeatNext { most: Expr::Constant(Value::MAX), .. } => waiting.push(at + 1),
                Instruction::Open(open) => {
                    ways.ends |= self.leaves(instruction);
                    waiting.extend(open.arms.iter().copied());
                }
                other => {
                    ways.ends |= self.leaves(other);
                    waiting.extend(def_use(self.program, at).next);
                }
            }
        }
        ways
    }

    /// Where the loop stands that is never left: play comes to it, and not to what is behind it.
    fn place_of_loop(&self, start: Address) -> Span {
        let seen = self.ways_on(start).seen;
        let is_never_left = |at: &&Address| match self.program.code.get(**at as usize) {
            Some(Instruction::RepeatNext { end, .. }) => !seen.contains(end),
            _ => false,
        };
        let at = seen.iter().find(is_never_left).copied().unwrap_or(start);
        self.program.places[at as usize].span
    }
}
