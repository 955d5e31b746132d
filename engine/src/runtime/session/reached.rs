//! What of the rules and scripts was reached, place by place.

use crate::program::{Address, Instruction, Program};
use crate::runtime::coverage::Coverage;
use crate::source::Span;
use std::collections::BTreeMap;

/// A place in the rules or scripts and whether it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Where it is.
    pub span: Span,
    /// A statement ran, or a condition was seen to hold.
    pub yes: bool,
    /// For conditions: whether it was also seen not to hold; true for statements.
    pub no: bool,
    /// It is a condition and not a statement.
    pub condition: bool,
}

impl Coverage {
    /// Every statement and condition of a program, in order of place.
    pub fn places(&self, program: &Program) -> Vec<Reached> {
        let mut places = Vec::new();
        for (at, instruction) in program.code.iter().enumerate() {
            let at = at as Address;
            // A statement of a script is several instructions.
            let Some(place) = program.place(at).filter(|_| !program.is_script(at)) else { continue };
            match instruction {
                // Jumps are the seams between statements, not statements.
                Instruction::Jump(_) | Instruction::EachNext { .. } | Instruction::RepeatNext { .. } => {}
                Instruction::Return { value: None } | Instruction::CapReached | Instruction::NothingToChoose { .. } => {}
                Instruction::JumpUnless { .. } => {
                    let (yes, no) = self.decided(at);
                    places.push(Reached { span: place.span, yes, no, condition: true });
                }
                _ => places.push(Reached { span: place.span, yes: self.has_reached(at), no: true, condition: false }),
            }
        }
        for (index, clause) in program.clauses.iter().enumerate() {
            if !clause.guard.is_empty() {
                let (yes, no) = self.guarded(index as u16);
                places.push(Reached { span: clause.span, yes, no, condition: true });
            }
        }
        places.extend(self.places_of_scripts(program));
        places.sort_by_key(|reached| reached.span);
        places
    }

    /// The statements and conditions of scripts. A function is compiled for each kind of values that it is called with.
    fn places_of_scripts(&self, program: &Program) -> impl Iterator<Item = Reached> {
        let mut found: BTreeMap<(bool, Span), (bool, bool)> = BTreeMap::new();
        for point in &program.script_points {
            let (yes, no) = if point.condition { self.decided(point.at) } else { (self.has_reached(point.at), true) };
            let reached = found.entry((point.condition, point.span)).or_default();
            *reached = (reached.0 || yes, reached.1 || no);
        }
        found.into_iter().map(|((condition, span), (yes, no))| Reached { span, yes, no, condition })
    }
}
