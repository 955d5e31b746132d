//! Bounds the probability that a loop reaches its cap.
//!
//! The rounds of a loop are not counted if its cap hardly matters. The bound shows whether it does: the states of the loop at the
//! beginning of a round are followed from round to round, in rounded numbers that are scaled up as they shrink.
//!
//! A *head* is a state at the beginning of a round, and the *cap* is the most rounds that a loop may have. `search` counts the
//! rounds after all if the cap is likely to be reached.

use crate::odds::budget::{Budget, Trouble};
use crate::odds::chain::{Transitions, forward_order};
use std::collections::HashSet;

/// The probability of reaching the cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapChance {
    /// No followed path reaches it.
    Never,
    /// Less likely than ten to this power.
    Below(i64),
    /// Likely enough to count the rounds.
    Likely,
}

/// Caps less likely than this are left out, as a power of ten.
const NEGLIGIBLE: f64 = -30.0;

/// Probabilities below this are not distinguished, as a power of ten.
const LEAST: f64 = -1_000.0;

/// All rounding errors of additions together are far smaller.
const ROUNDED: f64 = 1e-6;

/// Bounds the probability that `most` rounds of a loop begin. `steps` are the transitions of the states of its procedure, of
/// which the first is the start; `heads` are the states at the beginning of a round.
pub fn find_cap_chance(steps: &[Transitions], heads: &[u32], most: u64, budget: &mut Budget) -> Result<CapChance, Trouble> {
    let is_head: HashSet<u32> = heads.iter().copied().collect();
    let targets = |state: u32| steps[state as usize].iter().flat_map(|(to, _)| to.iter().copied());
    let order = forward_order(steps.len(), |state| targets(state).filter(|to| !is_head.contains(to)));
    // If other loops run within it, each step counts as a round: there are at least as many steps.
    let by_round = order.is_some();
    let order = order.unwrap_or_else(|| (0..steps.len() as u32).collect());
    let mut chances = vec![0.0f64; steps.len()];
    chances[0] = 1.0;
    // Weight that reaches a head is set aside for the next round.
    let mut next = vec![0.0f64; steps.len()];
    let mut power = 0.0f64;
    // The first round begins when play first reaches a head.
    for round in 0..=most {
        budget.spend_work(1 + steps.len() as u64 / 8)?;
        for state in &order {
            let chance = std::mem::take(&mut chances[*state as usize]);
            let Some((to, cases)) = steps[*state as usize].as_ref().filter(|_| chance > 0.0) else { continue };
            for (to, part) in to.iter().zip(&cases.chances) {
                let waits = !by_round || is_head.contains(to);
                let sum = if waits { &mut next[*to as usize] } else { &mut chances[*to as usize] };
                *sum += chance * part;
            }
        }
        std::mem::swap(&mut chances, &mut next);
        let left: f64 = chances.iter().sum();
        if left == 0.0 {
            return Ok(CapChance::Never);
        }
        if left < 1e-100 {
            chances.iter_mut().for_each(|chance| *chance *= 1e100);
            power -= 100.0;
        }
        let below = (chances.iter().sum::<f64>() * (1.0 + ROUNDED)).log10() + power;
        if below < LEAST || round == most {
            return Ok(if below < NEGLIGIBLE { CapChance::Below(below.ceil().max(LEAST) as i64) } else { CapChance::Likely });
        }
    }
    Ok(CapChance::Likely)
}
