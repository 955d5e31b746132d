//! Entries: where a position may start, and the calls that would lead there.

use super::Compiler;
use crate::codes;
use crate::problem::Problem;
use crate::program::{CallSite, Instruction, ProcedureId};
use crate::source::Span;

impl Compiler<'_> {
    /// For each entry: the calls from `play` to it. Each procedure on the way must be called from one place only.
    /// An entry of the game that the chosen mode, which stands in `blocks`, never comes to is no entry there.
    pub(super) fn trace_entries(&mut self, blocks: &[Span]) {
        for entry in 0..self.program.procedures.len() {
            if !self.program.procedures[entry].entry {
                continue;
            }
            let place = self.program.procedures[entry].span;
            let inherited = !blocks.is_empty() && !blocks.iter().any(|block| block.holds(place));
            let mut chain = Vec::new();
            let mut current = entry as ProcedureId;
            while current != self.program.play && chain.len() <= self.program.procedures.len() {
                let sites = self.call_sites(current);
                let &[site] = sites.as_slice() else {
                    if sites.is_empty() && inherited {
                        self.program.procedures[entry].entry = false;
                        chain.clear();
                        break;
                    }
                    self.entry_problem(entry, current, sites.len());
                    chain.clear();
                    break;
                };
                chain.insert(0, site);
                current = site.procedure;
            }
            self.program.procedures[entry].chain = chain;
        }
    }

    fn call_sites(&self, wanted: ProcedureId) -> Vec<CallSite> {
        let mut sites = Vec::new();
        for (at, instruction) in self.program.code.iter().enumerate() {
            if let Instruction::Call { procedure, .. } = instruction
                && *procedure == wanted
                && let Some(caller) = self.procedure_at(at as u32)
            {
                sites.push(CallSite { procedure: caller, next: at as u32 + 1 });
            }
        }
        sites
    }

    /// The procedure whose code holds an address.
    fn procedure_at(&self, at: u32) -> Option<ProcedureId> {
        let starts = self.program.procedures.iter().enumerate().filter(|(_, procedure)| procedure.start <= at);
        starts.max_by_key(|(_, procedure)| procedure.start).map(|(index, _)| index as ProcedureId)
    }

    fn entry_problem(&mut self, entry: usize, called: ProcedureId, sites: usize) {
        let (name, other) = (&self.program.procedures[entry].name, &self.program.procedures[called as usize].name);
        let message = match sites {
            0 => format!("play can never come to `{name}`: nothing calls `{other}`"),
            _ => format!(
                "a position cannot start at `{name}`: `{other}` is called from {sites} places, so what follows it is not clear"
            ),
        };
        let problem = Problem::error(codes::ENTRY_LOCAL, message).at(self.program.procedures[entry].span, "declared here");
        self.problems.push(problem.help("call it, and what leads to it, from one place"));
    }
}
