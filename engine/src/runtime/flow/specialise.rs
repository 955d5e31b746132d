//! The rules, specialised to the players: instructions that certainly do nothing are skipped.
//!
//! Addresses stay the same, so that play can continue in the original rules, and the other way round.

use crate::runtime::context::Roster;
use crate::runtime::flow::fast_question::FastQuestion;
use crate::runtime::flow::resolved_listeners::{ResolvedListener, resolved_listeners};
use crate::runtime::flow::unset_fields::{is_list_always_empty, is_move_without_effect};
use crate::runtime::flow::window::is_heard;
use crate::runtime::limits::WORK_OF_STEP;
use ludex_program::operands::Operand;
use ludex_program::{Address, Expr, Instruction, Program};

/// An instruction, and the address of the next one with an effect.
// The fields that are read at each step come first, next to the tag of the instruction.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Step {
    pub next: Address,
    /// The work: 0 if the instruction is skipped, so that play costs the same whether the game is watched or not.
    pub work: u32,
    pub instruction: Instruction,
    /// Set if it is a fast question.
    pub fast: Option<Box<FastQuestion>>,
    /// The listeners, if it opens a hook.
    pub resolved_listeners: Option<Box<[ResolvedListener]>>,
}

/// Specialises each instruction for unwatched games. Jumps are followed. Some instructions are skipped, unless they can fail:
/// texts, hooks without a listener, moves of things that cannot be chosen, and loops that do nothing or end at once. A call or a
/// return may still lead to a skipped instruction, so a jump takes its place.
pub fn specialise_code(program: &Program, roster: &Roster) -> Vec<Step> {
    let follow = |at: Address| skip_to_effect(program, roster, at, 0);
    // For each address, and the one after the last, the first with an effect from there on.
    let thread: Vec<Address> = (0..=program.code.len() as Address).map(follow).collect();
    let step = |(at, instruction): (usize, &Instruction)| {
        // A loop that consists only of jumps leads to a jump.
        let end = program.code.get(thread[at] as usize);
        let is_passed_by = thread[at] as usize != at && !matches!(end, Some(Instruction::Jump(_)));
        if is_passed_by {
            let next = thread[at];
            return Step { instruction: Instruction::Jump(next), next, work: 0, fast: None, resolved_listeners: None };
        }
        let mut instruction = instruction.clone();
        instruction.visit_operands_mut(&mut |operand| {
            if let Operand::GoesTo(target) = operand {
                *target = thread.get(*target as usize).copied().unwrap_or(*target);
            }
        });
        // The table is a constant for these players, and so is read without evaluation.
        if let Instruction::Set { of, .. } | Instruction::SetList { of, .. } | Instruction::Add { of, .. } = &mut instruction
            && *of == Expr::Table
        {
            *of = Expr::Constant(roster.table.into());
        }
        if let Instruction::Roll { what, .. } = &mut instruction
            && let Expr::Concatenate(dice, more) = what
            && is_list_always_empty(program, roster, at as Address, more)
        {
            *what = dice.as_ref().clone();
        }
        let fast = match &instruction {
            Instruction::Ask(ask) => FastQuestion::from_ask(program, roster, ask).map(Box::new),
            _ => None,
        };
        let resolved_listeners = match &instruction {
            Instruction::Open(open) => resolved_listeners(program, roster, open),
            _ => None,
        };
        Step { instruction, next: thread[at + 1], work: WORK_OF_STEP as u32, fast, resolved_listeners }
    };
    program.code.iter().enumerate().map(step).collect()
}

/// The first address from `at` on with an effect. A loop that consists only of jumps must still be run, so that the machine
/// notices it. `depth` is the number of loops around it that are being checked.
fn skip_to_effect(program: &Program, roster: &Roster, mut at: u32, depth: u32) -> u32 {
    const MOST_JUMPS: u32 = 64;
    for _ in 0..MOST_JUMPS {
        at = match program.code.get(at as usize) {
            Some(Instruction::Jump(to)) => *to,
            Some(Instruction::Open(open))
                if !is_heard(program, roster, open) && !open.arguments.iter().any(|argument| program.can_fail(argument)) =>
            {
                open.arms.last().copied().unwrap_or(open.next)
            }
            Some(Instruction::Say { text, to }) if !program.is_checked(*text) && !to.iter().any(|to| program.can_fail(to)) => {
                at + 1
            }
            Some(Instruction::Debug { text }) if !program.is_checked(*text) => at + 1,
            Some(Instruction::Move { what, .. }) if is_list_always_empty(program, roster, at, what) => at + 1,
            Some(Instruction::DoMove { value }) if is_move_without_effect(program, roster, at, value) => at + 1,
            Some(Instruction::EachBegin { list, .. }) if depth < MOST_DEPTH && !program.can_fail(list) => {
                match program.code.get(at as usize + 1) {
                    Some(Instruction::EachNext { end, .. }) if skip_to_effect(program, roster, at + 2, depth + 1) == at + 1 => {
                        *end
                    }
                    _ => return at,
                }
            }
            Some(Instruction::RepeatBegin { .. }) if depth < MOST_DEPTH => match program.code.get(at as usize + 1) {
                Some(Instruction::RepeatNext { most: Expr::Constant(1..), end, .. }) => {
                    let [first, last] = [at + 2, *end].map(|at| skip_to_effect(program, roster, at, depth + 1));
                    // The steps of a round may be anywhere. The loop ends at once only if they lead to its end.
                    if first != last {
                        return at;
                    }
                    last
                }
                _ => return at,
            },
            _ => return at,
        };
    }
    at
}

/// Maximum nesting depth of loops that are checked for ending at once.
const MOST_DEPTH: u32 = 4;
