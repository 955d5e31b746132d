//! Solves a chain of states and transition probabilities exactly.
//!
//! Most chains only go forward. If a loop can return to a state, the states that lead to each other are eliminated one by one:
//! the predecessors of a state are linked to its successors, weighted by how often play passes through it.
//!
//! The states of a chain are numbered, and state 0 is the start. A *ring* is a group of states that lead to each other, or one
//! state alone. A state passes the *weight* with which play reaches it on to its successors.

use crate::odds::budget::{Budget, Trouble};
use crate::odds::fraction::Fraction;
use crate::odds::weight::{Denominator, Factors, Weight};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The numbers of cases of several outcomes.
#[derive(Debug)]
pub struct Cases {
    /// The number of cases of each outcome; empty if only the probabilities are known.
    pub ways: Vec<BigUint>,
    /// The total number of cases.
    pub of: Denominator,
    /// The probabilities of the outcomes, rounded.
    pub chances: Vec<f64>,
}

impl Cases {
    pub fn new(ways: Vec<BigUint>, of: Denominator, factors: &Factors) -> Cases {
        let all = factors.denominator_value(&of);
        let plain = |number: &BigUint| u64::try_from(number).ok().map(|number| number as f64);
        let chance = |ways: &BigUint| match (plain(ways), plain(&all)) {
            (Some(ways), Some(all)) => ways / all,
            _ => Fraction::new(ways.clone(), all.clone()).to_f64(),
        };
        let chances = ways.iter().map(chance).collect();
        Cases { ways, of, chances }
    }
}

/// The transitions of a state with their cases; `None` as long as they are unknown.
pub type Transitions = Option<(Box<[u32]>, Rc<Cases>)>;

/// Maximum number of states that lead to each other.
const MOST_IN_RING: usize = 400;

/// Returns the probability of reaching each end state from the first state. States with unknown transitions have no successors
/// either, but are left out. Fails if a ring is too large.
pub fn solve_chain(
    steps: &[Transitions],
    is_end: impl Fn(u32) -> bool,
    factors: &mut Factors,
    budget: &mut Budget,
) -> Result<BTreeMap<u32, Weight>, Trouble> {
    let mut weights: Vec<Weight> = vec![Weight::default(); steps.len()];
    weights[0] = Weight::one();
    let mut ends = BTreeMap::new();
    let target = |state: usize, place: usize| steps[state].as_ref().and_then(|(to, _)| to.get(place).copied());
    for ring in find_rings(steps.len(), target).into_iter().rev() {
        if let [state] = ring[..] {
            let weight = std::mem::take(&mut weights[state as usize]);
            if is_end(state) {
                ends.insert(state, weight);
                continue;
            }
            let Some((to, cases)) = &steps[state as usize] else { continue };
            pass_weight_on(state, &weight, to, cases, &mut weights, factors, budget)?;
        } else {
            if ring.len() > MOST_IN_RING {
                return Err(Trouble::TooMuch);
            }
            eliminate_ring(&ring, steps, &mut weights, factors, budget)?;
        }
    }
    Ok(ends)
}

/// Passes on the weight of a state that leads to no earlier one, but perhaps to itself. `to` and `cases` are its transitions, and
/// `weights` gets the weights of its successors.
fn pass_weight_on(
    state: u32,
    weight: &Weight,
    to: &[u32],
    cases: &Cases,
    weights: &mut [Weight],
    factors: &mut Factors,
    budget: &mut Budget,
) -> Result<(), Trouble> {
    budget.spend_work(to.len() as u64 * (1 + weight.numerator.bits() / BITS_PER_WORK))?;
    let stays: BigUint = to.iter().zip(&cases.ways).filter(|(to, _)| **to == state).map(|(_, ways)| ways).sum();
    let of = if stays.bits() == 0 {
        cases.of.clone()
    } else {
        // Play returns until it leaves: only the other cases count.
        let leaves = factors.denominator_value(&cases.of) - stays;
        if leaves.bits() == 0 {
            return Ok(());
        }
        factors.factor_number(&leaves)
    };
    let of = weight.denominator.times(&of);
    let size = BYTES_OF_WEIGHT + (weight.numerator.bits() / 8) as usize;
    for (to, ways) in to.iter().zip(&cases.ways).filter(|(to, _)| **to != state) {
        if weights[*to as usize].numerator.bits() == 0 {
            budget.reserve_bytes(size)?;
        }
        factors.add_share(&mut weights[*to as usize], &(&weight.numerator * ways), &of);
    }
    Ok(())
}

/// Approximate memory of a weight in bytes, without its digits.
const BYTES_OF_WEIGHT: usize = 64;

/// This many bits cost as much as one more addition.
const BITS_PER_WORK: u64 = 1_024;

/// Eliminates states that lead to each other, one after another, and passes on their weights.
fn eliminate_ring(
    ring: &[u32],
    steps: &[Transitions],
    weights: &mut [Weight],
    factors: &mut Factors,
    budget: &mut Budget,
) -> Result<(), Trouble> {
    type Row = BTreeMap<u32, Fraction>;
    // The transitions of the states of the ring, each with its probability.
    let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
    // The probability with which play comes to each state from outside the ring, and past the states removed so far.
    let mut comes = Row::new();
    for state in ring {
        comes.insert(*state, factors.fraction_of_weight(&std::mem::take(&mut weights[*state as usize])));
        let mut row = Row::new();
        if let Some((to, cases)) = &steps[*state as usize] {
            let all = factors.denominator_value(&cases.of);
            for (to, ways) in to.iter().zip(&cases.ways) {
                row.entry(*to).or_insert_with(Fraction::zero).add(&Fraction::new(ways.clone(), all.clone()));
            }
        }
        rows.insert(*state, row);
    }
    for state in ring {
        let mut row = rows.remove(state).unwrap_or_default();
        let leaves = Fraction::one().minus(&row.remove(state).unwrap_or_else(Fraction::zero)).in_lowest_terms();
        if leaves.is_zero() {
            comes.remove(state);
            rows.values_mut().for_each(|other| drop(other.remove(state)));
            continue;
        }
        row.values_mut().for_each(|chance| *chance = chance.divided_by(&leaves).in_lowest_terms());
        for other in rows.values_mut().chain(std::iter::once(&mut comes)) {
            let Some(chance) = other.remove(state) else { continue };
            for (to, after) in &row {
                budget.spend_work(1 + (chance.bit_length() + after.bit_length()) / 64)?;
                let sum = other.entry(*to).or_insert_with(Fraction::zero);
                sum.add(&chance.times(after));
                *sum = sum.in_lowest_terms();
            }
        }
    }
    for (to, chance) in comes {
        let chance = factors.weight_of_fraction(&chance);
        factors.add_share(&mut weights[to as usize], &chance.numerator, &chance.denominator);
    }
    Ok(())
}

/// Sorts all states so that each comes before its successors; `None` if there is no such order.
pub fn forward_order<T: Iterator<Item = u32>>(count: usize, targets: impl Fn(u32) -> T) -> Option<Vec<u32>> {
    let states = 0..count as u32;
    let mut before = vec![0u32; count];
    states.clone().flat_map(&targets).for_each(|to| before[to as usize] += 1);
    let mut order: Vec<u32> = states.filter(|state| before[*state as usize] == 0).collect();
    let mut next = 0;
    while let Some(state) = order.get(next).copied() {
        next += 1;
        for to in targets(state) {
            before[to as usize] -= 1;
            if before[to as usize] == 0 {
                order.push(to);
            }
        }
    }
    (order.len() == count).then_some(order)
}

/// Groups the states that lead to each other, each group after all groups that it leads to (Tarjan, without recursion). States
/// that the first state does not reach are left out. `target` returns a successor of a state, by number, and `None` after the
/// last.
pub fn find_rings(count: usize, target: impl Fn(usize, usize) -> Option<u32>) -> Vec<Vec<u32>> {
    const UNSEEN: u32 = u32::MAX;
    let mut index = vec![UNSEEN; count];
    let mut low = vec![0u32; count];
    let mut is_open = vec![false; count];
    let (mut open, mut found, mut next) = (Vec::new(), Vec::new(), 0u32);
    let mut path: Vec<(u32, usize)> = vec![(0, 0)];
    while let Some((state, place)) = path.last_mut() {
        let at = *state as usize;
        if *place == 0 {
            (index[at], low[at], is_open[at]) = (next, next, true);
            open.push(*state);
            next += 1;
        }
        let to = target(at, *place);
        *place += 1;
        match to {
            Some(to) if index[to as usize] == UNSEEN => path.push((to, 0)),
            Some(to) if is_open[to as usize] => low[at] = low[at].min(index[to as usize]),
            Some(_) => {}
            None => {
                let state = *state;
                path.pop();
                if let Some((before, _)) = path.last() {
                    low[*before as usize] = low[*before as usize].min(low[at]);
                }
                if low[at] == index[at] {
                    let begin = open.iter().rposition(|other| *other == state).unwrap_or(0);
                    let ring = open.split_off(begin);
                    ring.iter().for_each(|state| is_open[*state as usize] = false);
                    found.push(ring);
                }
            }
        }
    }
    found
}
