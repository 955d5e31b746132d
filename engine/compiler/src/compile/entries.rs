//! Checks entries, the procedures at which a position may start: the calls that would lead there, and whether a position can
//! provide what the callers still need.
//!
//! A scope is a procedure that names a time, such as a turn. When play starts at an entry, the procedures that lead to it are
//! opened as if each had just called the next one: a call site is the place where one does. The code after a call may read slots of
//! the caller, and a position can only state some of them, namely parameters. Called when all code of the rules is compiled.

use super::Compiler;
use crate::field::is_argument_shape;
use ludex_program::flow::{first_readers, reachable_addresses};
use ludex_program::{Address, CallSite, Instruction, ProcedureId, ProcedureInfo, SIDE, Shape, Slot};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use std::collections::BTreeSet;

/// The calls of one procedure.
#[derive(Default)]
struct ProcedureCalls {
    /// Calls from other procedures.
    sites: Vec<CallSite>,
    /// Number of further calls in moves, abilities and marks.
    others: usize,
}

/// The reason why a caller still needs a slot after the call.
enum SlotNeed {
    Nothing,
    /// A parameter that a position can give. The side of a scope is needed even if no code reads it: the event at the scope's end
    /// names it, and marks that last until the scope's end depend on it.
    Parameter,
    /// The count of a `repeat`, which starts over.
    Count,
    /// A value that no position can give, with the instruction that needs it.
    Unsaid(Address),
}

impl Compiler<'_> {
    /// Finds for each entry the calls from `play` to it. Each procedure on the path must be called from one place only. An
    /// inherited entry that the current mode never reaches is no entry there. `blocks` are the spans of that mode.
    pub(super) fn trace_entries(&mut self, blocks: &[Span]) {
        // A caller's error is reported once, even if it leads to several entries.
        let mut told = BTreeSet::new();
        for entry in 0..self.program.procedures.len() {
            let info = &self.program.procedures[entry];
            if info.entry {
                let inherited = !blocks.is_empty() && !blocks.iter().any(|block| block.contains_span(info.span));
                self.trace_entry(entry as ProcedureId, inherited, &mut told);
            }
        }
    }

    /// Traces one entry. `told` are the addresses that problems were reported for.
    fn trace_entry(&mut self, entry: ProcedureId, inherited: bool, told: &mut BTreeSet<Address>) {
        let mut chain = match self.find_call_chain(entry) {
            Ok(chain) => chain,
            Err((_, ProcedureCalls { others: 0, sites })) if inherited && sites.is_empty() => {
                self.program.procedures[usize::from(entry)].entry = false;
                return;
            }
            Err((called, calls)) => {
                self.problems.push(self.unreachable_entry_problem(entry, called, &calls));
                return;
            }
        };
        self.check_parameters(entry);
        for site in &mut chain {
            self.check_caller(entry, site, told);
        }
        self.program.procedures[usize::from(entry)].chain = chain;
    }

    /// The calls from `play` to an entry. Otherwise, the procedure on the path that is not called from exactly one place,
    /// with its calls.
    fn find_call_chain(&self, entry: ProcedureId) -> Result<Vec<CallSite>, (ProcedureId, ProcedureCalls)> {
        let mut chain: Vec<CallSite> = Vec::new();
        let mut current = entry;
        while current != self.program.play {
            let mut calls = self.find_calls(current);
            let [site] = calls.sites.as_slice() else { return Err((current, calls)) };
            if site.procedure == entry || chain.iter().any(|other| other.procedure == site.procedure) {
                // Procedures that only call each other are never reached.
                calls.sites.clear();
                return Err((current, calls));
            }
            current = site.procedure;
            chain.insert(0, site.clone());
        }
        Ok(chain)
    }

    /// Finds all calls of a procedure.
    fn find_calls(&self, wanted: ProcedureId) -> ProcedureCalls {
        let mut calls = ProcedureCalls::default();
        for (at, instruction) in self.program.code.iter().enumerate() {
            let Instruction::Call { procedure, result, .. } = instruction else { continue };
            if *procedure != wanted {
                continue;
            }
            let (next, result) = (at as Address + 1, *result);
            match self.procedure_at(at as Address) {
                Some(procedure) => calls.sites.push(CallSite { procedure, next, result, needs: Vec::new(), counts: Vec::new() }),
                None => calls.others += 1,
            }
        }
        calls
    }

    /// The procedure whose code contains an address. Moves, abilities and marks have code of their own.
    fn procedure_at(&self, at: Address) -> Option<ProcedureId> {
        let starts = self.program.procedures.iter().enumerate().filter(|(_, procedure)| procedure.start <= at);
        let last = starts.max_by_key(|(_, procedure)| procedure.start).filter(|_| at < self.procedures_end);
        last.map(|(index, _)| index as ProcedureId)
    }

    /// The error for an entry that is not reached by exactly one path. `called` is the procedure on the path that `calls` are calls
    /// of.
    fn unreachable_entry_problem(&self, entry: ProcedureId, called: ProcedureId, calls: &ProcedureCalls) -> Problem {
        let (entry, other) = (self.procedure_info(entry), &self.procedure_info(called).name);
        let name = &entry.name;
        let (message, help) = match (calls.sites.len(), calls.others) {
            (0, 0) => (
                format!("play never reaches `{name}`: no code that it reaches calls `{other}`"),
                "call it, and what leads to it, from one place",
            ),
            (0, _) => (
                format!("a position cannot start at `{name}`: `{other}` is called in the middle of a move or an ability"),
                "call it, and what leads to it, from one place in a procedure",
            ),
            (sites, _) => (
                format!(
                    "a position cannot start at `{name}`: `{other}` is called from {sites} places, so what follows it is not clear"
                ),
                "call it, and what leads to it, from one place",
            ),
        };
        Problem::error(codes::ENTRY_LOCAL, message).with_label(entry.span, "declared here").help(help)
    }

    fn procedure_info(&self, id: ProcedureId) -> &ProcedureInfo {
        &self.program.procedures[usize::from(id)]
    }

    // --- values a position must give ---------------------------------------------------

    /// Checks that a position can give all parameters of an entry.
    fn check_parameters(&mut self, entry: ProcedureId) {
        let info = self.procedure_info(entry);
        let unsaid = info.params.iter().find(|(_, shape)| !is_argument_shape(&self.program, shape));
        if let Some((param, _)) = unsaid {
            let message = format!("a position cannot start at `{}`: it cannot say what `{param}` is", info.name);
            let problem = Problem::error(codes::ENTRY_LOCAL, message).with_label(info.span, "declared here");
            self.problems.push(problem.help(
                "a position can name a number, yes or no, a word, a side, an entrant or a piece: keep lists and moves in fields, or work them out in the procedure",
            ));
        }
    }

    /// Records what a caller still needs after the call, and reports what a position cannot give.
    fn check_caller(&mut self, entry: ProcedureId, site: &mut CallSite, told: &mut BTreeSet<Address>) {
        if self.is_after_use(site) {
            if told.insert(site.next) {
                self.problems.push(self.after_use_problem(entry, site));
            }
            return;
        }
        let slots = 0..self.procedure_info(site.procedure).slots;
        for slot in slots.filter(|slot| Some(*slot) != site.result) {
            match self.slot_need(site, slot) {
                SlotNeed::Nothing => {}
                SlotNeed::Parameter => site.needs.push(slot),
                SlotNeed::Count => site.counts.push(slot),
                SlotNeed::Unsaid(reader) if told.insert(reader) => {
                    self.problems.push(self.missing_value_problem(entry, site, slot, reader))
                }
                SlotNeed::Unsaid(_) => {}
            }
        }
    }

    /// The reason why a caller still needs a slot after a call, that is from `site.next` on.
    fn slot_need(&self, site: &CallSite, slot: Slot) -> SlotNeed {
        let caller = self.procedure_info(site.procedure);
        let readers = first_readers(&self.program, site.next, slot);
        let counts = |of: Slot| readers.iter().all(|at| self.counts_rounds(*at, of));
        match (caller.params.get(usize::from(slot)), readers.first()) {
            (Some((_, Shape::Entity(SIDE))), None) if slot == 0 && caller.scope => SlotNeed::Parameter,
            (_, None) => SlotNeed::Nothing,
            (Some((_, shape)), Some(_)) if is_argument_shape(&self.program, shape) => SlotNeed::Parameter,
            (None, Some(_)) if counts(slot) => SlotNeed::Count,
            // The slot after a count holds the length of the arena of lists when the round began. Play that starts here sets it
            // itself, with the count.
            (None, Some(_)) if slot.checked_sub(1).is_some_and(counts) => SlotNeed::Nothing,
            (_, Some(reader)) => SlotNeed::Unsaid(*reader),
        }
    }

    /// Whether an instruction counts the rounds of a `repeat` in this slot.
    fn counts_rounds(&self, at: Address, of: Slot) -> bool {
        matches!(self.program.code.get(at as usize), Some(Instruction::RepeatNext { slot, .. }) if *slot == of)
    }

    /// Whether a call is in a block that runs after each use of an ability.
    fn is_after_use(&self, site: &CallSite) -> bool {
        let blocks = self.program.code.iter().filter_map(|instruction| match instruction {
            Instruction::Open(open) => open.after_use,
            _ => None,
        });
        blocks.into_iter().any(|block| reachable_addresses(&self.program, &[block]).contains(&(site.next - 1)))
    }

    fn after_use_problem(&self, entry: ProcedureId, site: &CallSite) -> Problem {
        let name = &self.procedure_info(entry).name;
        let message = format!("a position cannot start at `{name}`: it would have to say which ability has just been used");
        let problem =
            Problem::error(codes::ENTRY_LOCAL, message).with_label(self.address_span(site.next - 1), "called after each use");
        problem.help("call it after the `open`, or leave `entry` out")
    }

    /// The error for a slot that a caller reads after the call and that a position cannot give.
    fn missing_value_problem(&self, entry: ProcedureId, site: &CallSite, slot: Slot, reader: Address) -> Problem {
        let (name, caller) = (&self.procedure_info(entry).name, &self.procedure_info(site.procedure).name);
        let start = format!("a position cannot start at `{name}`: ");
        let call = self.address_span(site.next - 1);
        if let Some(Instruction::EachNext { .. }) = self.program.code.get(reader as usize) {
            let message =
                format!("{start}`{caller}` calls it in a loop over a list, and a position cannot say how far that loop is");
            let problem = Problem::error(codes::ENTRY_LOCAL, message)
                .with_label(self.address_span(reader), "this loop")
                .with_label(call, "called here");
            return problem.help("write `repeat`, and keep whose turn it is in a field, as in `the table has { next_up: side }`");
        }
        let local = self.slot_name(site, slot);
        let message = format!("{start}`{caller}` still needs `{local}` afterwards, and a position cannot say what it is");
        let problem = Problem::error(codes::ENTRY_LOCAL, message)
            .with_label(self.address_span(reader), "needed here")
            .with_label(call, "called here");
        problem.help(format!("keep `{local}` in a field of the table or of a side, or work it out again after the call"))
    }

    /// The place of an instruction in the source.
    fn address_span(&self, at: Address) -> Span {
        self.program.code_place(at).map_or(self.procedure_info(self.program.play).span, |place| place.span)
    }

    /// The name of a caller's slot at a call.
    fn slot_name(&self, site: &CallSite, slot: Slot) -> &str {
        let own = self.procedure_info(site.procedure).start..site.next;
        let named = self.program.locals.iter().rev().find(|local| own.contains(&local.at) && local.slot == slot);
        named.map_or("", |local| &local.name)
    }
}
