//! What of the rules and scripts was reached, place by place.

use crate::program::{Address, Instruction, Program};
use crate::runtime::coverage::Coverage;
use crate::scripting;
use crate::source::Span;

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
        for (number, point) in scripting::points(program).into_iter().enumerate() {
            let (yes, no) = self.passed(number);
            places.push(Reached { span: point.span, yes, no: no || !point.condition, condition: point.condition });
        }
        places.sort_by_key(|reached| reached.span);
        places
    }
}
