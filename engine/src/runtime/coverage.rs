//! Which statements ran, and which conditions came out both ways.

use crate::program::{Address, Instruction, Program};
use crate::scripting;
use crate::source::Span;
use std::collections::BTreeMap;

/// What was reached in one or more sessions of the same program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    reached: BTreeMap<Address, (bool, bool)>,
    guards: BTreeMap<u16, (bool, bool)>,
    /// What scripts passed, by the number of each statement and condition.
    passed: BTreeMap<usize, (bool, bool)>,
    ran: std::collections::BTreeSet<Address>,
}

/// A place in the rules or scripts and whether it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    pub span: Span,
    pub yes: bool,
    /// For conditions: whether it was also seen not to hold; true for statements.
    pub no: bool,
    pub condition: bool,
}

impl Coverage {
    pub fn reach(&mut self, at: Address) {
        self.ran.insert(at);
    }

    /// A condition of the rules came out.
    pub fn decide(&mut self, at: Address, holds: bool) {
        note(self.reached.entry(at).or_default(), holds);
    }

    /// The condition of an ability's clause came out.
    pub fn guard(&mut self, clause: u16, holds: bool) {
        note(self.guards.entry(clause).or_default(), holds);
    }

    /// A script passed a statement, or a condition came out.
    pub fn pass(&mut self, point: usize, holds: bool) {
        note(self.passed.entry(point).or_default(), holds);
    }

    pub fn merge(&mut self, other: &Coverage) {
        self.ran.extend(&other.ran);
        join(&mut self.reached, &other.reached);
        join(&mut self.guards, &other.guards);
        join(&mut self.passed, &other.passed);
    }

    /// Every statement and condition of a program, in order of place.
    pub fn places(&self, program: &Program) -> Vec<Reached> {
        let mut places = Vec::new();
        let stand_ins: Vec<_> = program.clauses.iter().filter_map(|clause| clause.body.plain()).collect();
        for (at, instruction) in program.code.iter().enumerate() {
            let at = at as Address;
            // Scripts are followed themselves.
            if stand_ins.iter().any(|code| code.contains(&at)) {
                continue;
            }
            let Some(place) = program.place(at) else { continue };
            match instruction {
                // Jumps are the seams between statements, not statements.
                Instruction::Jump(_) | Instruction::EachNext { .. } | Instruction::RepeatNext { .. } => {}
                Instruction::Return { value: None } | Instruction::CapReached | Instruction::NothingToChoose { .. } => {}
                Instruction::JumpUnless { .. } => {
                    let (yes, no) = self.reached.get(&at).copied().unwrap_or_default();
                    places.push(Reached { span: place.span, yes, no, condition: true });
                }
                _ => places.push(Reached { span: place.span, yes: self.ran.contains(&at), no: true, condition: false }),
            }
        }
        for (index, clause) in program.clauses.iter().enumerate() {
            if !clause.guard.is_empty() {
                let (yes, no) = self.guards.get(&(index as u16)).copied().unwrap_or_default();
                places.push(Reached { span: clause.span, yes, no, condition: true });
            }
        }
        for (number, point) in scripting::points(program).into_iter().enumerate() {
            let (yes, no) = self.passed.get(&number).copied().unwrap_or_default();
            places.push(Reached { span: point.span, yes, no: no || !point.condition, condition: point.condition });
        }
        places.sort_by_key(|reached| reached.span);
        places
    }
}

fn join<K: Copy + Ord>(own: &mut BTreeMap<K, (bool, bool)>, other: &BTreeMap<K, (bool, bool)>) {
    for (key, (yes, no)) in other {
        let entry = own.entry(*key).or_default();
        *entry = (entry.0 || *yes, entry.1 || *no);
    }
}

fn note(entry: &mut (bool, bool), holds: bool) {
    if holds {
        entry.0 = true;
    } else {
        entry.1 = true;
    }
}
