//! Coverage of the rules and scripts, place by place.
//!
//! [`Coverage`] records addresses; here they become places in the source, for reports of what was reached. A *guard* is the
//! condition of an ability's clause.

use crate::runtime::coverage::Coverage;
use ludex_program::{Address, Instruction, Program};
use ludex_syntax::source::Span;
use std::collections::BTreeMap;

/// A place in the rules or scripts, with its coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReachedPlace {
    /// Its place in the source.
    pub span: Span,
    /// True if a statement ran, or a condition was true.
    pub yes: bool,
    /// For conditions: whether it was also false; true for statements.
    pub no: bool,
    /// True for a condition, false for a statement.
    pub condition: bool,
    /// True for a condition that the options settle, so that no game evaluates it. Only programs with open options have such
    /// conditions.
    pub settled: bool,
}

impl ReachedPlace {
    /// A statement, and whether it ran.
    fn for_statement(span: Span, ran: bool) -> ReachedPlace {
        ReachedPlace { span, yes: ran, no: true, condition: false, settled: false }
    }

    /// A condition, and whether it was ever true and ever false.
    fn for_condition(span: Span, (yes, no): (bool, bool)) -> ReachedPlace {
        ReachedPlace { span, yes, no, condition: true, settled: false }
    }
}

impl Coverage {
    /// Every statement and condition of a program, in order of place.
    pub fn reached_places(&self, program: &Program) -> Vec<ReachedPlace> {
        let mut places = Vec::new();
        for (at, instruction) in program.code.iter().enumerate() {
            let at = at as Address;
            // A statement of a script consists of several instructions.
            let Some(place) = program.code_place(at).filter(|_| !program.is_script(at)) else { continue };
            match instruction {
                // Jumps connect statements, but are not statements.
                Instruction::Jump(_) | Instruction::EachNext { .. } | Instruction::RepeatNext { .. } => {}
                Instruction::Return { value: None } | Instruction::CapReached | Instruction::NothingToChoose { .. } => {}
                Instruction::JumpUnless { condition, .. } => {
                    let settled = condition.is_settled_by_options();
                    places.push(ReachedPlace { settled, ..ReachedPlace::for_condition(place.span, self.condition_outcomes(at)) });
                }
                _ => places.push(ReachedPlace::for_statement(place.span, self.has_reached(at))),
            }
        }
        for (index, clause) in program.clauses.iter().enumerate() {
            if !clause.guard.is_empty() {
                places.push(ReachedPlace::for_condition(clause.span, self.guard_outcomes(index as u16)));
            }
        }
        places.extend(self.places_of_scripts(program));
        places.sort_by_key(|reached| reached.span);
        places
    }

    /// The statements and conditions of scripts. A function is compiled once for each combination of argument types.
    fn places_of_scripts(&self, program: &Program) -> impl Iterator<Item = ReachedPlace> {
        let mut found: BTreeMap<(bool, Span), (bool, bool)> = BTreeMap::new();
        for point in &program.script_points {
            let (yes, no) = if point.condition { self.condition_outcomes(point.at) } else { (self.has_reached(point.at), true) };
            let reached = found.entry((point.condition, point.span)).or_default();
            *reached = (reached.0 || yes, reached.1 || no);
        }
        found.into_iter().map(|((condition, span), (yes, no))| match condition {
            true => ReachedPlace::for_condition(span, (yes, no)),
            false => ReachedPlace::for_statement(span, yes),
        })
    }
}
