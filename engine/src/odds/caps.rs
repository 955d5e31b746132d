//! How likely a loop is to reach its cap.
//!
//! The rounds of a loop are not counted where its cap hardly matters. How likely it is to matter is bounded here: what is in
//! the loop when a round begins is followed from round to round, in rounded numbers that are scaled up as they shrink.

use crate::odds::budget::{Budget, Trouble};
use crate::odds::chain::{Steps, forward};
use std::collections::HashSet;

/// How likely the cap is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cap {
    Never,
    /// Less likely than ten to this power.
    Below(i64),
    /// Likely enough to count the rounds.
    Likely,
}

/// Caps that are less likely than this are left out, as a power of ten.
const NEGLIGIBLE: f64 = -30.0;

/// Less likely than this is not told apart.
const LEAST: f64 = -1_000.0;

/// Rounding errors of all additions together are far smaller.
const ROUNDED: f64 = 1e-6;

/// Bounds how likely so many rounds begin.
pub fn reached(steps: &[Steps], heads: &[u32], most: u64, budget: &mut Budget) -> Result<Cap, Trouble> {
    let is_head: HashSet<u32> = heads.iter().copied().collect();
    let targets = |state: u32| steps[state as usize].iter().flat_map(|(to, _)| to.iter().copied());
    let order = forward(steps.len(), |state| targets(state).filter(|to| !is_head.contains(to)));
    // Where other loops turn in it, each step counts as a round: there are no fewer steps.
    let by_round = order.is_some();
    let order = order.unwrap_or_else(|| (0..steps.len() as u32).collect());
    let mut chances = vec![0.0f64; steps.len()];
    chances[0] = 1.0;
    // What comes to a head is put aside for the next round.
    let mut next = vec![0.0f64; steps.len()];
    let mut power = 0.0f64;
    // The first round begins when a head is first come to.
    for round in 0..=most {
        budget.spend(1 + steps.len() as u64 / 8)?;
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
            return Ok(Cap::Never);
        }
        if left < 1e-100 {
            chances.iter_mut().for_each(|chance| *chance *= 1e100);
            power -= 100.0;
        }
        let below = (chances.iter().sum::<f64>() * (1.0 + ROUNDED)).log10() + power;
        if below < LEAST || round == most {
            return Ok(if below < NEGLIGIBLE { Cap::Below(below.ceil().max(LEAST) as i64) } else { Cap::Likely });
        }
    }
    Ok(Cap::Likely)
}
