//! Warnings of refused looking ahead: rules keep a value that may follow from something hidden, and that looking ahead can
//! neither copy nor redraw. The engine decides in play whether it refuses; this reports where that is likely. *Looking ahead*
//! is play on a copy of the match, for hints, previews and bots, in which everything that a seat cannot see is dealt and
//! drawn again. A value is *kept* if it is in a variable, field or mark while a seat may be asked.

use super::hidden_branches::{Assignment, AssignmentTarget, HiddenBranch};
use super::telling::question_with_seats;
use super::{Room, Survey};
use crate::flow::{Lifetimes, reachable_addresses};
use crate::{Address, ClauseKind, Expr, HookId, Instruction, Slot};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use std::collections::{BTreeMap, BTreeSet};

impl<'p> Survey<'p> {
    /// Returns a warning for each assignment of such a value.
    pub fn find_refusals(&mut self) -> Vec<Problem> {
        let asking = AskingCode::from_survey(self);
        let within = self.within_hidden_branches();
        let mut problems = Vec::new();
        let mut lifetimes = None;
        self.find_passed_values();
        for (what, settings) in self.settings.clone().into_iter().chain(self.passed.clone()) {
            for setting in settings {
                let Some(kept) = self.kept_value(what, &setting) else { continue };
                let is_refused = match what {
                    AssignmentTarget::Slot(room, slot) => {
                        // Values that a question itself reads are reported as revealing.
                        let lifetimes = lifetimes.get_or_insert_with(|| Lifetimes::from_program(self.program));
                        let mut waits = lifetimes.alive_after(setting.first, slot);
                        waits.retain(|at| asking.may_ask(self, *at));
                        self.is_hidden_at_some(&setting, room, &waits)
                    }
                    AssignmentTarget::Mark(_) | AssignmentTarget::Field(..)
                        if !asking.asks_after(self, setting.room, setting.at) =>
                    {
                        false
                    }
                    AssignmentTarget::Mark(_) | AssignmentTarget::Field(..) if within.contains(&setting.at) => true,
                    AssignmentTarget::Field(..) if kept.may_be_drawn => self.is_of_hidden_length(&setting),
                    AssignmentTarget::Mark(_) | AssignmentTarget::Field(..) => self.is_derived(&setting, &[]),
                    AssignmentTarget::Value(_) => false,
                };
                if is_refused {
                    problems.extend(self.refusal_problem(&kept, &setting));
                }
            }
        }
        problems
    }

    /// Collects the values that loops and calls put into slots.
    fn find_passed_values(&mut self) {
        let program = self.program;
        let given = self.returned_values();
        for (room, addresses) in &*self.code.clone() {
            for at in addresses.iter().copied() {
                let mut add = |slot: AssignmentTarget, setting| self.passed.entry(slot).or_default().push(setting);
                match program.code.get(at as usize) {
                    Some(Instruction::EachBegin { slot, list }) => {
                        add(AssignmentTarget::Slot(*room, *slot), Assignment { room: *room, at, first: at + 1, value: list });
                    }
                    Some(Instruction::Call { procedure, arguments, result }) => {
                        let (callee, first) = (usize::from(*procedure), program.procedures[usize::from(*procedure)].start);
                        for (slot, value) in arguments.iter().enumerate() {
                            let setting = Assignment { room: *room, at, first, value };
                            add(AssignmentTarget::Slot(Room::Procedure(callee), slot as Slot), setting);
                        }
                        let Some(slot) = result else { continue };
                        for (place, value) in given.get(&callee).into_iter().flatten() {
                            let setting = Assignment { room: Room::Procedure(callee), at: *place, first: at + 1, value };
                            add(AssignmentTarget::Slot(*room, *slot), setting);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// By procedure: the values it gives, and where.
    fn returned_values(&self) -> BTreeMap<usize, Vec<(Address, &'p Expr)>> {
        let mut given: BTreeMap<usize, Vec<(Address, &'p Expr)>> = BTreeMap::new();
        for (room, addresses) in &*self.code {
            let Room::Procedure(index) = room else { continue };
            for at in addresses {
                if let Some(Instruction::Return { value: Some(value) }) = self.program.code.get(*at as usize) {
                    given.entry(*index).or_default().push((*at, value));
                }
            }
        }
        given
    }

    /// The assigned target, unless looking ahead can always copy or redraw it.
    fn kept_value(&self, what: AssignmentTarget, setting: &Assignment) -> Option<KeptValue> {
        let program = self.program;
        let (name, sort, shape, range) = match what {
            AssignmentTarget::Value(_) => return None,
            AssignmentTarget::Mark(mark) => {
                let info = &program.marks[usize::from(mark)];
                let kept = KeptValue { name: info.name.clone(), sort: KeptSort::Mark, may_be_drawn: false };
                return (!info.is_public()).then_some(kept);
            }
            AssignmentTarget::Field(kind, field) => {
                if program.is_public_field(kind, field) {
                    return None;
                }
                let info = program.kind(kind).fields.get(usize::from(field))?;
                (info.name.clone(), KeptSort::Field, info.shape.clone(), info.range)
            }
            AssignmentTarget::Slot(_, slot) => {
                let held = program.slots_at(setting.first).remove(&slot)?;
                (held.name.clone(), KeptSort::Variable, held.shape.clone(), None)
            }
        };
        let may_be_drawn = shape.is_bounded(range);
        (!may_be_drawn || shape.is_list() && range.is_some()).then_some(KeptValue { name, sort, may_be_drawn })
    }

    // --- hidden origins -----------------------------------------------------------------

    /// Whether a seat asked at one of the given addresses may not know the value of a slot.
    fn is_hidden_at_some(&mut self, setting: &Assignment<'p>, room: Room, waits: &[Address]) -> bool {
        // An argument keeps its value whatever branch passes it.
        let is_argument = matches!(self.program.code[setting.at as usize], Instruction::Call { .. });
        let branches = if is_argument { Vec::new() } else { self.branches_around(setting) };
        // Most questions ask the same seats.
        let mut asked_before = BTreeSet::new();
        waits.iter().any(|at| {
            let asked = self.program.code.get(*at as usize).and_then(question_with_seats).map(|(_, asked)| asked);
            let asked = asked.filter(|_| setting.room == room && !is_argument).unwrap_or_default();
            let left: Vec<usize> = branches.iter().copied().filter(|index| !self.branches[*index].within.contains(at)).collect();
            if !asked_before.insert((asked.clone(), left.clone())) {
                return false;
            }
            let is_hidden_branch = left.into_iter().any(|index| {
                let HiddenBranch { room, decides, .. } = self.branches[index];
                self.branch_depends_on_hidden(room, decides, &asked)
            });
            is_hidden_branch || self.is_derived(setting, &asked)
        })
    }

    /// The instructions in hidden branches, and those of the procedures called there.
    fn within_hidden_branches(&self) -> BTreeSet<Address> {
        let mut found: BTreeSet<Address> = self.branches.iter().flat_map(|branch| &branch.within).copied().collect();
        let mut waiting: Vec<Address> = found.iter().copied().collect();
        while let Some(at) = waiting.pop() {
            if let Some(Instruction::Call { procedure, .. }) = self.program.code.get(at as usize) {
                let start = self.program.procedures[usize::from(*procedure)].start;
                if !found.contains(&start) {
                    waiting.extend(reachable_addresses(self.program, &[start]).into_iter().filter(|at| found.insert(*at)));
                }
            }
        }
        found
    }

    /// Whether a value follows from something hidden. A reference to a hidden piece does not: looking ahead swaps such
    /// pieces.
    fn is_derived(&mut self, setting: &Assignment<'p>, asked: &[Slot]) -> bool {
        self.looked_at.clear();
        self.follows_from_hidden(setting.room, setting.value, asked)
    }

    /// Same as [`Self::is_derived`], within a search.
    fn follows_from_hidden(&mut self, room: Room, expr: &'p Expr, asked: &[Slot]) -> bool {
        match expr {
            Expr::Local(slot) => self.is_slot_derived(room, *slot, asked),
            Expr::Where { list, condition, .. } => {
                self.reads_hidden(room, list, asked) || self.reads_hidden(room, condition, asked)
            }
            Expr::BestOne { list, keys, .. } | Expr::BestAll { list, keys, .. } => {
                self.reads_hidden(room, list, asked) || keys.iter().any(|key| self.reads_hidden(room, &key.value, asked))
            }
            Expr::If(condition, yes, no) => {
                self.reads_hidden(room, condition, asked)
                    || self.follows_from_hidden(room, yes, asked)
                    || self.follows_from_hidden(room, no, asked)
            }
            expr if self.refers_by_place(room, expr) => {
                let mut parts = Vec::new();
                expr.visit_parts(&mut |part| parts.push(part));
                parts.into_iter().any(|part| self.follows_from_hidden(room, part, asked))
            }
            expr => self.reads_hidden(room, expr, asked),
        }
    }

    /// Whether an expression refers to things by their place, without reading any.
    fn refers_by_place(&mut self, room: Room, expr: &'p Expr) -> bool {
        match expr {
            Expr::Zone { .. }
            | Expr::LocalZone { .. }
            | Expr::LentZone { .. }
            | Expr::MapZone { .. }
            | Expr::ZoneList(_)
            | Expr::LocalPlace(_)
            | Expr::PlaceOf(_)
            | Expr::LocalFoe(_)
            | Expr::Foe(_)
            | Expr::SideOf(_)
            | Expr::Neighbour { .. }
            | Expr::Neighbours(_)
            | Expr::EntrantsOf(_)
            | Expr::OnBoard(..)
            | Expr::EndOf { .. }
            | Expr::Top { .. }
            | Expr::Sorts { .. }
            | Expr::ListOf(_)
            | Expr::Single(_)
            | Expr::Concatenate(..)
            | Expr::Without(..)
            | Expr::With { .. }
            | Expr::Calculated(..) => true,
            Expr::Field { .. } | Expr::LocalField { .. } | Expr::TableField(_) | Expr::Held { .. } => {
                !self.possible_values(room, expr).kinds.is_empty()
            }
            _ => false,
        }
    }

    /// Whether a value that was put into a slot follows from something hidden.
    fn is_slot_derived(&mut self, room: Room, slot: Slot, asked: &[Slot]) -> bool {
        self.visit_once(AssignmentTarget::Slot(room, slot), asked, |survey| {
            let set =
                [&survey.settings, &survey.passed].map(|settings| settings.get(&AssignmentTarget::Slot(room, slot)).cloned());
            set.iter().flatten().flatten().any(|setting| {
                let asked = if setting.room == room { asked } else { &[] };
                survey.follows_from_hidden(setting.room, setting.value, asked) || survey.is_in_hidden_branch(setting, asked)
            })
        })
    }

    /// Whether the length of a list may depend on hidden information.
    fn is_of_hidden_length(&mut self, setting: &Assignment<'p>) -> bool {
        self.looked_at.clear();
        let mut lists = vec![setting.value];
        while let Some(list) = lists.pop() {
            match list {
                Expr::Where { .. } if self.follows_from_hidden(setting.room, list, &[]) => return true,
                // Its length is fixed.
                Expr::ListOf(_) => {}
                _ => list.visit_parts(&mut |part| lists.push(part)),
            }
        }
        false
    }

    /// The warning about a kept value at its assignment.
    fn refusal_problem(&self, kept: &KeptValue, setting: &Assignment) -> Option<Problem> {
        let span = self.program.places.get(setting.at as usize)?.span;
        let KeptValue { name, sort, .. } = kept;
        let what = match (sort, name.is_empty()) {
            (_, true) => "a list".to_string(),
            (KeptSort::Mark, _) => format!("the mark `{name}`"),
            (_, false) => format!("`{name}`"),
        };
        let help = match sort {
            KeptSort::Field => {
                "give it a range, such as `in 0..9`; or write `shown` if all may know it; or compute it where it is needed"
            }
            KeptSort::Variable => "compute it where it is needed, in a `define`, instead of keeping it past a question",
            KeptSort::Mark => "write a text after its declaration if all may know it, or test the reason for it where it matters",
        };
        let message = format!("looking ahead is refused while the rules keep {what}, which may depend on something hidden");
        let label = "hints, previews and bots would reveal it, so they are refused";
        Some(Problem::probable_warning(codes::NO_LOOK_AHEAD, message).with_label(span, label).help(help))
    }
}

/// A kept value.
struct KeptValue {
    /// Its name in the rules; empty for the list of a loop.
    name: String,
    sort: KeptSort,
    /// The list has a known length and can be redrawn.
    may_be_drawn: bool,
}

/// The places in which a value can be kept.
#[derive(Clone, Copy)]
enum KeptSort {
    Field,
    Variable,
    Mark,
}

/// The code in which players may be asked.
#[derive(Default)]
struct AskingCode {
    /// Procedures that ask, directly or through calls.
    procedures: BTreeSet<usize>,
    /// Hooks at which abilities ask.
    hooks: BTreeSet<HookId>,
    /// Procedures after which a seat is asked.
    before: BTreeSet<usize>,
}

impl AskingCode {
    /// Finds the code in which players may be asked.
    fn from_survey(survey: &Survey) -> AskingCode {
        let clauses = survey.program.clauses.iter();
        let offered = clauses.filter(|clause| clause.kind == ClauseKind::Offer).map(|clause| clause.hook).collect();
        let mut asking = AskingCode { hooks: offered, ..AskingCode::default() };
        asking.find_asking_code(survey);
        asking.find_asked_after(survey);
        asking
    }

    /// Finds the procedures that ask and the hooks with code that asks, until no call adds one.
    fn find_asking_code(&mut self, survey: &Survey) {
        let mut quiet: Vec<(Room, Vec<Address>)> =
            survey.code.iter().map(|(room, at)| (*room, waiting_addresses(survey, at))).collect();
        let mut grows = true;
        while std::mem::take(&mut grows) {
            // Most procedures come after those that they call, or before them.
            quiet.reverse();
            quiet.retain(|(room, addresses)| {
                let asks = addresses.iter().any(|at| self.may_ask(survey, *at));
                grows |= asks;
                match room {
                    Room::Procedure(index) if asks => drop(self.procedures.insert(*index)),
                    Room::Clause(index) if asks => drop(self.hooks.insert(survey.program.clauses[usize::from(*index)].hook)),
                    _ => {}
                }
                !asks
            });
        }
    }

    /// Finds the procedures after whose end a seat may be asked: in a caller, or after the caller.
    fn find_asked_after(&mut self, survey: &Survey) {
        let mut calls: Vec<(usize, usize)> = Vec::new();
        let mut waiting: Vec<usize> = Vec::new();
        for (room, addresses) in &*survey.code {
            for at in addresses {
                let Some(Instruction::Call { procedure, .. }) = survey.program.code.get(*at as usize) else { continue };
                match room {
                    Room::Procedure(_) if !self.asks_later(survey, *at) => {}
                    _ => waiting.push(usize::from(*procedure)),
                }
                if let Room::Procedure(caller) = room {
                    calls.push((*caller, usize::from(*procedure)));
                }
            }
        }
        calls.sort_unstable();
        while let Some(procedure) = waiting.pop() {
            if self.before.insert(procedure) {
                let first = calls.partition_point(|(caller, _)| *caller < procedure);
                let own = calls[first..].iter().take_while(|(caller, _)| *caller == procedure);
                waiting.extend(own.map(|(_, called)| *called));
            }
        }
    }

    /// Whether a seat may be asked after an instruction.
    fn asks_after(&self, survey: &Survey, room: Room, at: Address) -> bool {
        match room {
            Room::Procedure(index) => self.before.contains(&index) || self.asks_later(survey, at),
            _ => true,
        }
    }

    /// Whether a seat may be asked after an instruction, within the same code.
    fn asks_later(&self, survey: &Survey, at: Address) -> bool {
        reachable_addresses(survey.program, &[at + 1]).into_iter().any(|at| self.may_ask(survey, at))
    }

    /// Whether play may wait for an answer at an instruction.
    fn may_ask(&self, survey: &Survey, at: Address) -> bool {
        match survey.program.code.get(at as usize) {
            Some(Instruction::Ask(_) | Instruction::AskAtOnce(_) | Instruction::DoMove { .. }) => true,
            Some(Instruction::Call { procedure, .. }) => self.procedures.contains(&usize::from(*procedure)),
            Some(Instruction::Open(open)) => self.hooks.contains(&open.hook),
            _ => false,
        }
    }
}

/// The addresses among these at which play may wait.
fn waiting_addresses(survey: &Survey, addresses: &[Address]) -> Vec<Address> {
    let waits = |at: &Address| survey.program.code.get(*at as usize).is_some_and(Instruction::may_wait);
    addresses.iter().copied().filter(waits).collect()
}
