//! Bounds the influence of the caps of loops whose rounds are not counted: the probability of reaching them, and the value of the
//! start for any outcome at a cap.
//!
//! A *cap* is the most rounds that a loop may have. [`Graph::inside`] and [`Graph::begun`] have one bit for each loop.
//! `Solution::explore_and_solve` calls both bounds after all states are valued.

use crate::odds::best::graph::{Graph, NOT_FOLLOWED, Node};
use crate::odds::best::rounds::Rounds;
use crate::odds::best::state_values::{FAR, state_bounds};
use crate::odds::budget::{Budget, Trouble};
use crate::odds::chain::forward_order;

impl Rounds {
    /// Bounds the probability that any cap is reached, for any choices of the seats for which `is_free` is true; the others
    /// answer by `picks`. `order` has the states in rings, each after all rings that it leads to. A bound of 1 or more means that
    /// nothing is known.
    ///
    /// The more rounds a loop has, the less likely it is. With a factor for each round, the expected product is finite if the
    /// factor is small enough, and so it bounds the probability of many rounds (Markov's inequality).
    pub fn bound_cap_chance(&self, graph: &Graph, order: &[Vec<u32>], picks: &[u32], is_free: impl Fn(usize) -> bool) -> f64 {
        if self.loops.iter().all(|own| !own.is_used()) {
            return 0.0;
        }
        // Upper bound on the expected number of steps of play.
        let steps = FACTORS.iter().find_map(|factor| {
            let product = expected_products(graph, order, picks, &is_free, None, *factor)?;
            Some(product[0] / (factor - 1.0))
        });
        let Some(steps) = steps else { return 1.0 };
        let mut sum = 0.0;
        for (number, own) in self.loops.iter().enumerate().filter(|(_, own)| own.is_used()) {
            let fewest = f64::from(own.fewest_states_to_cap());
            // All of play is in the outermost loop, which begins once.
            let ends = graph.nodes.iter().map(|node| matches!(node, Node::End(_)));
            let is_outermost = graph.inside.iter().zip(ends).all(|(inside, ends)| ends || inside & (1 << number) != 0);
            let bounds = FACTORS.iter().filter_map(|factor| {
                let product = expected_products(graph, order, picks, &is_free, Some(1 << number), *factor)?;
                let most = if is_outermost { product[0] } else { product.iter().copied().fold(1.0, f64::max) };
                Some((most.ln() - fewest * (factor * (1.0 - ROUNDED)).ln()).exp())
            });
            sum += if is_outermost { 1.0 } else { steps } * bounds.fold(1.0, f64::min);
        }
        sum
    }

    /// Returns lower and upper bounds on the start's value, for any outcome at a cap. `worths` are the values of the ends,
    /// between `least` and `most`, and `wants_high` says whether a seat maximises the value. Fails with [`Trouble::Again`] if the
    /// bounds stay too far apart to be useful.
    ///
    /// One loop is followed round by round, starting from the least and the greatest possible value, which also cover its cap:
    /// after fewer rounds than its cap, no cap can have had any other influence. This requires that the rest of play only goes
    /// forward, with fewer rounds of all other loops than their caps.
    pub fn bound_start_worth(
        &self,
        graph: &Graph,
        worths: &[i64],
        (least, most): (f64, f64),
        wants_high: &impl Fn(usize) -> bool,
        budget: &mut Budget,
    ) -> Result<(f64, f64), Trouble> {
        let found = self.loops.iter().enumerate().filter(|(_, own)| own.is_used()).find_map(|(number, own)| {
            let order = self.order_of_round(graph, number)?;
            Some((1u64 << number, own.fewest_states_to_cap(), order))
        });
        let Some((own, rounds, order)) = found else { return Err(Trouble::Again) };
        let mut before = vec![(least, most); graph.nodes.len()];
        let mut now = before.clone();
        for _ in 0..rounds {
            budget.spend_work(1 + graph.nodes.len() as u64 / WORTHS_PER_WORK)?;
            for state in &order {
                let of = |to: u32| if graph.begun[to as usize] & own != 0 { before[to as usize] } else { now[to as usize] };
                now[*state as usize] = state_bounds(&graph.nodes[*state as usize], of, worths, wants_high);
            }
            if now[0].1 - now[0].0 <= CLOSE_ENOUGH * (most - least) {
                break;
            }
            before.copy_from_slice(&now);
        }
        if now[0].1 - now[0].0 > FAR * (most - least) { Err(Trouble::Again) } else { Ok(now[0]) }
    }

    /// Sorts all states so that each comes after its successors in the same round of the loop `number`. `None` if there is no
    /// such order, or if other loops may reach their caps in a round.
    fn order_of_round(&self, graph: &Graph, number: usize) -> Option<Vec<u32>> {
        let own = 1u64 << number;
        let begun = &graph.begun;
        let stays = move |to: u32| begun[to as usize] & own == 0;
        let next = |state: u32| {
            let targets = graph.nodes[state as usize].successor_states().iter().copied();
            targets.filter(move |to| *to != NOT_FOLLOWED && stays(*to))
        };
        let mut order = forward_order(graph.nodes.len(), next)?;
        order.reverse();
        let mut longest = vec![0u32; graph.nodes.len()];
        for (other, limits) in self.loops.iter().enumerate().filter(|(other, limits)| *other != number && limits.is_used()) {
            let bit = 1u64 << other;
            for state in &order {
                let at = *state as usize;
                let inner = next(*state).filter(|to| graph.inside[*to as usize] & bit != 0);
                longest[at] = inner.map(|to| longest[to as usize]).max().unwrap_or(0) + u32::from(graph.begun[at] & bit != 0);
                if longest[at] >= limits.fewest_states_to_cap() {
                    return None;
                }
            }
        }
        Some(order)
    }
}

/// Bounds this close are close enough, as a fraction of the range of all values.
const CLOSE_ENOUGH: f64 = 1e-7;

/// Number of states that are valued with one unit of work.
const WORTHS_PER_WORK: u64 = 16;

/// Factors per round or step, the largest first.
const FACTORS: [f64; 12] = [4.0, 2.0, 1.5, 1.3, 1.2, 1.12, 1.07, 1.04, 1.02, 1.01, 1.003, 1.0005];

/// Products beyond this count as infinite.
const ENDLESS: f64 = 1e200;

/// An upper bound on all rounding errors of a product, per step.
const ROUNDED: f64 = 1e-9;

/// Maximum number of sweeps over the states of a ring.
const MOST_SWEEPS: usize = 5_000;

/// Computes, from each state, the expected product of a factor: one for each round of a loop while play stays in it, or for each
/// step if no loop is given. `own` is the bit of the loop. `None` if it does not converge.
fn expected_products(
    graph: &Graph,
    order: &[Vec<u32>],
    picks: &[u32],
    is_free: &impl Fn(usize) -> bool,
    own: Option<u64>,
    factor: f64,
) -> Option<Vec<f64>> {
    let mut found = vec![1.0f64; graph.nodes.len()];
    let next = |state: u32, found: &[f64]| -> f64 {
        let at = state as usize;
        if own.is_some_and(|own| graph.inside[at] & own == 0) {
            return 1.0;
        }
        let counts = own.is_none_or(|own| graph.begun[at] & own != 0);
        let factor = if counts { factor } else { 1.0 };
        let of = |to: u32| found[to as usize];
        match &graph.nodes[at] {
            Node::Chance { to, cases } => factor * to.iter().zip(&cases.chances).map(|(to, part)| of(*to) * part).sum::<f64>(),
            Node::Question { seat, to } if is_free(*seat) => {
                factor * to.iter().filter(|to| **to != NOT_FOLLOWED).map(|to| of(*to)).fold(0.0, f64::max)
            }
            Node::Question { to, .. } => factor * of(to[picks[at] as usize]),
            Node::End(_) | Node::Open => 1.0,
        }
    };
    for ring in order {
        for sweep in 0.. {
            let mut change = 0.0f64;
            for state in ring {
                let value = next(*state, &found);
                let before = std::mem::replace(&mut found[*state as usize], value);
                change = change.max((value - before).abs() / value);
                if value > ENDLESS {
                    return None;
                }
            }
            if ring.len() == 1 && !graph.leads_to_itself(ring[0]) || change < ROUNDED / 10.0 {
                break;
            }
            if sweep >= MOST_SWEEPS {
                return None;
            }
        }
    }
    Some(found)
}
