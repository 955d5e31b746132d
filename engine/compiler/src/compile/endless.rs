//! Detects procedures and functions that certainly never end: on every path they call themselves again or loop.
//!
//! Called once all code is complete. First it is assumed that no procedure ends; then those are marked that have a path to an end,
//! until no more are found. The others are endless. Code may also end a procedure around it: a match that finishes, or a `stop` of
//! an outer procedure, here called leaving.

use crate::resolve::{endless_procedures_problem, find_cycles};
use ludex_program::flow::def_use;
use ludex_program::{Address, Expr, Instruction, ProcedureId, Program, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use std::collections::BTreeSet;

/// An analysis of the procedures of a program, including those compiled from functions of scripts.
struct EndAnalysis<'p> {
    program: &'p Program,
    /// Procedures that may end.
    ending: Vec<bool>,
    /// Procedures that may end a caller or the match.
    leaving: Vec<bool>,
    /// Bodies of moves and clauses of abilities may do so.
    others_leave: bool,
}

/// Reports each procedure or loop that certainly never ends, once.
pub(super) fn report_endless(program: &Program) -> Vec<Problem> {
    let count = program.procedures.len();
    // Procedures that failed to compile or are inlined have no code of their own.
    let ending = program.procedures.iter().map(|procedure| procedure.start as usize >= program.code.len()).collect();
    let mut ends = EndAnalysis { program, ending, leaving: vec![false; count], others_leave: false };
    ends.find_leaving();
    while ends.find_more_ending() {}
    let endless: Vec<ProcedureId> = (0..count as ProcedureId).filter(|procedure| !ends.ending[usize::from(*procedure)]).collect();
    // The endless procedures that each one calls on its paths.
    let again = |procedure: ProcedureId| ends.follow_paths(program.procedures[usize::from(procedure)].start).endless;
    let edges = endless.iter().map(|procedure| (*procedure, again(*procedure))).collect();
    let mut problems: Vec<Problem> = find_cycles(&edges)
        .iter()
        .map(|circle| {
            let named = |procedure: &ProcedureId| {
                let info = &program.procedures[usize::from(*procedure)];
                (info.name.clone(), Some(info.span))
            };
            endless_procedures_problem(&circle.iter().map(named).collect::<Vec<_>>())
        })
        .collect();
    let own = endless.iter().map(|procedure| program.procedures[usize::from(*procedure)].start);
    let clauses = program.clauses.iter().filter_map(|clause| clause.body.start_address());
    for start in own.chain(clauses) {
        let ways = ends.follow_paths(start);
        if !ways.ends && ways.endless.is_empty() && !ways.seen.is_empty() {
            let problem = Problem::error(codes::NEVER_LEFT, "this loop has no way out")
                .with_label(ends.place_of_loop(start), "again and again");
            problems.push(problem.help("add `if … { break; }` where it should end, or go through a list with `for … in …`"));
        }
    }
    problems
}

/// A summary of the paths from an address.
#[derive(Default)]
struct PathSummary {
    /// Some path ends the code itself, or something around it.
    ends: bool,
    /// Procedures not known to end that are called on the paths.
    endless: BTreeSet<ProcedureId>,
    /// All addresses that the paths reach.
    seen: BTreeSet<Address>,
}

impl EndAnalysis<'_> {
    /// Finds the procedures that may end more than themselves. Repeats, because one may do so by calling another.
    fn find_leaving(&mut self) {
        loop {
            let before = (self.leaving.clone(), self.others_leave);
            for procedure in 0..self.leaving.len() {
                let start = self.program.procedures[procedure].start;
                self.leaving[procedure] = self.leaving[procedure] || self.may_leave(start, Some(procedure as ProcedureId));
            }
            let clauses = self.program.clauses.iter().filter_map(|clause| clause.body.start_address());
            let mut bodies = self.program.actions.iter().filter_map(|action| action.body).chain(clauses);
            self.others_leave = self.others_leave || bodies.any(|start| self.may_leave(start, None));
            if before == (self.leaving.clone(), self.others_leave) {
                return;
            }
        }
    }

    /// Whether code may end something around it. `own` is the procedure that it belongs to: a stop of that one does not count.
    fn may_leave(&self, start: Address, own: Option<ProcedureId>) -> bool {
        ludex_program::flow::reachable_addresses(self.program, &[start]).into_iter().any(|at| {
            match &self.program.code[at as usize] {
                Instruction::Finish(_) => true,
                Instruction::Stop { procedure } => Some(*procedure) != own,
                other => self.may_end_outer(other),
            }
        })
    }

    /// Whether an instruction may run code that ends an enclosing procedure.
    fn may_end_outer(&self, instruction: &Instruction) -> bool {
        match instruction {
            Instruction::Call { procedure, .. } => self.leaving[usize::from(*procedure)],
            Instruction::Open(_) | Instruction::DoMove { .. } => self.others_leave,
            asking => self.others_leave && asking.lets_others_act(),
        }
    }

    /// Marks more procedures that may end because those they call may. Returns true if there were any.
    fn find_more_ending(&mut self) -> bool {
        let mut found = false;
        for procedure in 0..self.ending.len() {
            let start = self.program.procedures[procedure].start;
            let ends = self.ending[procedure] || self.follow_paths(start).ends;
            found |= ends != self.ending[procedure];
            self.ending[procedure] = ends;
        }
        found
    }

    /// Follows all paths from an address, up to calls of procedures that never end.
    fn follow_paths(&self, start: Address) -> PathSummary {
        let mut ways = PathSummary::default();
        let mut waiting = vec![start];
        while let Some(at) = waiting.pop() {
            let Some(instruction) = self.program.code.get(at as usize).filter(|_| ways.seen.insert(at)) else { continue };
            match instruction {
                Instruction::Call { procedure, .. } if !self.ending[usize::from(*procedure)] => {
                    ways.ends |= self.may_end_outer(instruction);
                    ways.endless.insert(*procedure);
                }
                Instruction::Return { .. } | Instruction::Stop { .. } | Instruction::Finish(_) | Instruction::CapReached => {
                    ways.ends = true;
                }
                Instruction::JumpUnless { condition: Expr::Constant(condition), to } => {
                    waiting.push(if *condition == 0 { *to } else { at + 1 });
                }
                // A loop of a script, which is only left from within.
                Instruction::RepeatNext { most: Expr::Constant(Value::MAX), .. } => waiting.push(at + 1),
                Instruction::Open(open) => {
                    ways.ends |= self.may_end_outer(instruction);
                    waiting.extend(open.arms.iter().copied());
                }
                other => {
                    ways.ends |= self.may_end_outer(other);
                    waiting.extend(def_use(self.program, at).next);
                }
            }
        }
        ways
    }

    /// The place of the loop that is never left: play reaches it, but not the code after it.
    fn place_of_loop(&self, start: Address) -> Span {
        let seen = self.follow_paths(start).seen;
        let is_never_left = |at: &&Address| match self.program.code.get(**at as usize) {
            Some(Instruction::RepeatNext { end, .. }) => !seen.contains(end),
            _ => false,
        };
        let at = seen.iter().find(is_never_left).copied().unwrap_or(start);
        self.program.places[at as usize].span
    }
}
