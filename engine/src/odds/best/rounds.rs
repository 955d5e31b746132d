//! Loops whose rounds are not counted while players decide.
//!
//! A *round* is one run through the body of a `repeat` loop, and its *cap* the most rounds that it may have. `graph` resets the
//! counters before it compares states, so that states of different rounds are equal; `caps` bounds the error.

use crate::odds::stops::{FEW_ROUNDS, round_at};
use crate::runtime::flow::Machine;
use ludex_program::{Address, Expr, Program, Slot};
use std::ops::Range;

/// The loops of a program that may have many rounds.
#[derive(Debug, Default)]
pub struct Rounds {
    pub loops: Vec<CappedLoop>,
}

/// A loop with a cap that is a constant.
#[derive(Debug)]
pub struct CappedLoop {
    /// The steps of a round.
    round: Range<Address>,
    /// The slot that counts the rounds. Nothing else reads it.
    counter: Slot,
    /// The cap.
    most: u32,
    /// Maximum number of rounds that began between two states; 0 if play has not reached the loop.
    at_once: u32,
}

impl CappedLoop {
    /// Whether play has reached it.
    pub fn is_used(&self) -> bool {
        self.at_once > 0
    }

    /// Minimum number of states that begin a round before its cap is reached.
    pub fn fewest_states_to_cap(&self) -> u32 {
        self.most / self.at_once.max(1)
    }
}

/// Maximum number of loops: each has a bit.
const MOST_LOOPS: usize = 64;

impl Rounds {
    /// The loops of a program with more rounds than `FEW_ROUNDS`, up to 64 of them.
    pub fn from_program(program: &Program) -> Rounds {
        let found = (0..program.code.len() as Address).filter_map(|at| {
            let (counter, most, round) = round_at(program, at)?;
            let Expr::Constant(most) = most else { return None };
            let most = u32::try_from(*most).ok().filter(|_| *most > FEW_ROUNDS)?;
            Some(CappedLoop { round, counter, most, at_once: 0 })
        });
        Rounds { loops: found.take(MOST_LOOPS).collect() }
    }

    /// Whether there is any such loop.
    pub fn has_loops(&self) -> bool {
        !self.loops.is_empty()
    }

    /// Resets the counters of running loops. Returns two bitmasks: the loops that are running, and those in which a round has
    /// begun since the last reset.
    pub fn reset_counters(&mut self, machine: &mut Machine) -> (u64, u64) {
        let (mut inside, mut begun) = (0, 0);
        for (number, own) in self.loops.iter_mut().enumerate() {
            for place in 0..machine.state.frames.len() {
                let frame = machine.state.frames[place];
                if !frame.runs_instructions() || !own.round.contains(&frame.at) {
                    continue;
                }
                inside |= 1 << number;
                let base = frame.base as usize;
                let rounds = u32::try_from(machine.read_slot(base, own.counter)).unwrap_or(0);
                own.at_once = own.at_once.max(rounds);
                begun |= u64::from(rounds > 0) << number;
                machine.set_slot(base, own.counter, 0);
            }
        }
        (inside, begun)
    }
}
