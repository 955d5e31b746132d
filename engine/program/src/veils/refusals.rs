//! Warnings of refused looking ahead: rules keep a value that may follow from something hidden, and that looking ahead can
//! neither copy nor redraw. The engine decides in play whether it refuses; this reports where that is likely.

use super::hidden_branches::{HiddenBranch, Set, Setting};
use super::telling::question;
use super::{Room, Survey};
use crate::flow::{Lifetimes, reachable};
use crate::{Address, ClauseKind, Expr, HookId, Instruction, Slot};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use std::collections::{BTreeMap, BTreeSet};

impl<'p> Survey<'p> {
    /// Returns a warning for each assignment of such a value.
    pub fn refusals(&mut self) -> Vec<Problem> {
        let asking = Asking::of(self);
        let within = self.within_hidden_branches();
        let mut problems = Vec::new();
        let mut lifetimes = None;
        self.find_passed();
        for (what, settings) in self.settings.clone().into_iter().chain(self.passed.clone()) {
            for setting in settings {
                let Some(kept) = self.kept(what, &setting) else { continue };
                let is_refused = match what {
                    Set::Slot(room, slot) => {
                        // Values that a question itself reads are reported as revealing.
                        let lifetimes = lifetimes.get_or_insert_with(|| Lifetimes::of(self.program));
                        let mut waits = lifetimes.alive_after(setting.first, slot);
                        waits.retain(|at| asking.may_ask(self, *at));
                        self.is_hidden_at_some(&setting, room, &waits)
                    }
                    Set::Mark(_) | Set::Field(..) if !asking.asks_after(self, setting.room, setting.at) => false,
                    Set::Mark(_) | Set::Field(..) if within.contains(&setting.at) => true,
                    Set::Field(..) if kept.may_be_drawn => self.is_of_hidden_length(&setting),
                    Set::Mark(_) | Set::Field(..) => self.is_derived(&setting, &[]),
                    Set::Value(_) => false,
                };
                if is_refused {
                    problems.extend(self.refusal(&kept, &setting));
                }
            }
        }
        problems
    }

    /// Collects the values that loops and calls put into slots.
    fn find_passed(&mut self) {
        let program = self.program;
        let given = self.given_values();
        for (room, addresses) in &*self.code.clone() {
            for at in addresses.iter().copied() {
                let mut add = |slot: Set, setting| self.passed.entry(slot).or_default().push(setting);
                match program.code.get(at as usize) {
                    Some(Instruction::EachBegin { slot, list }) => {
                        add(Set::Slot(*room, *slot), Setting { room: *room, at, first: at + 1, value: list });
                    }
                    Some(Instruction::Call { procedure, arguments, result }) => {
                        let (callee, first) = (usize::from(*procedure), program.procedures[usize::from(*procedure)].start);
                        for (slot, value) in arguments.iter().enumerate() {
                            let setting = Setting { room: *room, at, first, value };
                            add(Set::Slot(Room::Procedure(callee), slot as Slot), setting);
                        }
                        let Some(slot) = result else { continue };
                        for (place, value) in given.get(&callee).into_iter().flatten() {
                            let setting = Setting { room: Room::Procedure(callee), at: *place, first: at + 1, value };
                            add(Set::Slot(*room, *slot), setting);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// By procedure: the values it gives, and where.
    fn given_values(&self) -> BTreeMap<usize, Vec<(Address, &'p Expr)>> {
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
    fn kept(&self, what: Set, setting: &Setting) -> Option<Kept> {
        let program = self.program;
        let (name, sort, shape, range) = match what {
            Set::Value(_) => return None,
            Set::Mark(mark) => {
                let info = &program.marks[usize::from(mark)];
                let kept = Kept { name: info.name.clone(), sort: Sort::Mark, may_be_drawn: false };
                return (!info.is_told()).then_some(kept);
            }
            Set::Field(kind, field) => {
                if program.is_told(kind, field) {
                    return None;
                }
                let info = program.kind(kind).fields.get(usize::from(field))?;
                (info.name.clone(), Sort::Field, info.shape.clone(), info.range)
            }
            Set::Slot(_, slot) => {
                let held = program.slots_at(setting.first).remove(&slot)?;
                (held.name.clone(), Sort::Variable, held.shape.clone(), None)
            }
        };
        let may_be_drawn = shape.is_bounded(range);
        (!may_be_drawn || shape.is_list() && range.is_some()).then_some(Kept { name, sort, may_be_drawn })
    }

    // --- hidden origins -----------------------------------------------------------------

    /// Whether a seat asked at one of the given addresses may not know the value of a slot.
    fn is_hidden_at_some(&mut self, setting: &Setting<'p>, room: Room, waits: &[Address]) -> bool {
        // An argument keeps its value whatever branch passes it.
        let is_argument = matches!(self.program.code[setting.at as usize], Instruction::Call { .. });
        let branches = if is_argument { Vec::new() } else { self.branches_around(setting) };
        // Most questions ask the same seats.
        let mut asked_before = BTreeSet::new();
        waits.iter().any(|at| {
            let asked = self.program.code.get(*at as usize).and_then(question).map(|(_, asked)| asked);
            let asked = asked.filter(|_| setting.room == room && !is_argument).unwrap_or_default();
            let left: Vec<usize> = branches.iter().copied().filter(|index| !self.branches[*index].within.contains(at)).collect();
            if !asked_before.insert((asked.clone(), left.clone())) {
                return false;
            }
            let is_hidden_branch = left.into_iter().any(|index| {
                let HiddenBranch { room, decides, .. } = self.branches[index];
                self.decision_hides(room, decides, &asked)
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
                    waiting.extend(reachable(self.program, &[start]).into_iter().filter(|at| found.insert(*at)));
                }
            }
        }
        found
    }

    /// Whether a value follows from something hidden. A reference to a hidden piece does not: looking ahead swaps such
    /// pieces.
    fn is_derived(&mut self, setting: &Setting<'p>, asked: &[Slot]) -> bool {
        self.looked_at.clear();
        self.derives(setting.room, setting.value, asked)
    }

    fn derives(&mut self, room: Room, expr: &'p Expr, asked: &[Slot]) -> bool {
        match expr {
            Expr::Local(slot) => self.is_set_so(room, *slot, asked),
            Expr::Where { list, condition, .. } => self.looks(room, list, asked) || self.looks(room, condition, asked),
            Expr::BestOne { list, keys, .. } | Expr::BestAll { list, keys, .. } => {
                self.looks(room, list, asked) || keys.iter().any(|key| self.looks(room, &key.value, asked))
            }
            Expr::If(condition, yes, no) => {
                self.looks(room, condition, asked) || self.derives(room, yes, asked) || self.derives(room, no, asked)
            }
            expr if self.points(room, expr) => {
                let mut parts = Vec::new();
                expr.parts(&mut |part| parts.push(part));
                parts.into_iter().any(|part| self.derives(room, part, asked))
            }
            expr => self.looks(room, expr, asked),
        }
    }

    /// Whether an expression refers to things by their place, without reading any.
    fn points(&mut self, room: Room, expr: &'p Expr) -> bool {
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
                !self.value(room, expr).kinds.is_empty()
            }
            _ => false,
        }
    }

    fn is_set_so(&mut self, room: Room, slot: Slot, asked: &[Slot]) -> bool {
        self.once(Set::Slot(room, slot), asked, |survey| {
            let set = [&survey.settings, &survey.passed].map(|settings| settings.get(&Set::Slot(room, slot)).cloned());
            set.iter().flatten().flatten().any(|setting| {
                let asked = if setting.room == room { asked } else { &[] };
                survey.derives(setting.room, setting.value, asked) || survey.is_in_hidden_branch(setting, asked)
            })
        })
    }

    /// Whether the length of a list may depend on hidden information.
    fn is_of_hidden_length(&mut self, setting: &Setting<'p>) -> bool {
        self.looked_at.clear();
        let mut lists = vec![setting.value];
        while let Some(list) = lists.pop() {
            match list {
                Expr::Where { .. } if self.derives(setting.room, list, &[]) => return true,
                // Its length is fixed.
                Expr::ListOf(_) => {}
                _ => list.parts(&mut |part| lists.push(part)),
            }
        }
        false
    }

    fn refusal(&self, kept: &Kept, setting: &Setting) -> Option<Problem> {
        let span = self.program.places.get(setting.at as usize)?.span;
        let Kept { name, sort, .. } = kept;
        let what = match (sort, name.is_empty()) {
            (_, true) => "a list".to_string(),
            (Sort::Mark, _) => format!("the mark `{name}`"),
            (_, false) => format!("`{name}`"),
        };
        let help = match sort {
            Sort::Field => {
                "give it a range, such as `in 0..9`; or write `shown` if all may know it; or compute it where it is needed"
            }
            Sort::Variable => "compute it where it is needed, in a `define`, instead of keeping it past a question",
            Sort::Mark => "write a text after its declaration if all may know it, or test the reason for it where it matters",
        };
        let message = format!("looking ahead is refused while the rules keep {what}, which may depend on something hidden");
        let label = "hints, previews and bots would reveal it, so they are refused";
        Some(Problem::probable_warning(codes::NO_LOOK_AHEAD, message).with_label(span, label).help(help))
    }
}

/// A kept value.
struct Kept {
    /// Its name in the rules; empty for the list of a loop.
    name: String,
    sort: Sort,
    /// The list has a known length and can be redrawn.
    may_be_drawn: bool,
}

#[derive(Clone, Copy)]
enum Sort {
    Field,
    Variable,
    Mark,
}

/// The code in which players may be asked.
#[derive(Default)]
struct Asking {
    /// Procedures that ask, directly or through calls.
    procedures: BTreeSet<usize>,
    /// Hooks at which abilities ask.
    hooks: BTreeSet<HookId>,
    /// Procedures after which a seat is asked.
    before: BTreeSet<usize>,
}

impl Asking {
    fn of(survey: &Survey) -> Asking {
        let clauses = survey.program.clauses.iter();
        let offered = clauses.filter(|clause| clause.kind == ClauseKind::Offer).map(|clause| clause.hook).collect();
        let mut asking = Asking { hooks: offered, ..Asking::default() };
        asking.find_asking(survey);
        asking.find_before(survey);
        asking
    }

    fn find_asking(&mut self, survey: &Survey) {
        let mut quiet: Vec<(Room, Vec<Address>)> = survey.code.iter().map(|(room, at)| (*room, waiting_in(survey, at))).collect();
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

    fn find_before(&mut self, survey: &Survey) {
        let mut calls: Vec<(usize, usize)> = Vec::new();
        let mut waiting: Vec<usize> = Vec::new();
        for (room, addresses) in &*survey.code {
            for at in addresses {
                let Some(Instruction::Call { procedure, .. }) = survey.program.code.get(*at as usize) else { continue };
                match room {
                    Room::Procedure(_) if !self.asks_behind(survey, *at) => {}
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
            Room::Procedure(index) => self.before.contains(&index) || self.asks_behind(survey, at),
            _ => true,
        }
    }

    /// Whether a seat may be asked after an instruction, within the same code.
    fn asks_behind(&self, survey: &Survey, at: Address) -> bool {
        reachable(survey.program, &[at + 1]).into_iter().any(|at| self.may_ask(survey, at))
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
fn waiting_in(survey: &Survey, addresses: &[Address]) -> Vec<Address> {
    let waits = |at: &Address| survey.program.code.get(*at as usize).is_some_and(Instruction::may_wait);
    addresses.iter().copied().filter(waits).collect()
}
