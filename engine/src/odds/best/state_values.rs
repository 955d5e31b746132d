//! Computes the value of each state under best play, from the ends to the start: as fractions if play never returns to a state,
//! otherwise by interval iteration.
//!
//! A *ring* is a group of states that lead to each other, or one state alone. `worths` are the numerical values of the ends, by
//! their numbers, and `wants_high` says whether a seat maximises the value. `solution` calls this with the rings in an order in
//! which each comes after all that it leads to.

use crate::odds::best::graph::{Graph, NOT_FOLLOWED, Node};
use crate::odds::budget::Trouble;
use crate::odds::search::Search;
use crate::odds::weight::{Denominator, Factors, Weight};
use num_bigint::BigUint;

/// The values of all states.
pub struct Values {
    /// The lower bound of each value. If play never returns to a state, the bounds differ only by rounding.
    pub low: Vec<f64>,
    /// The upper bound of each value.
    pub high: Vec<f64>,
    /// Exact values relative to the least one, if known.
    pub exact: Option<Vec<Weight>>,
    /// The index of the best answer to each question.
    pub picks: Vec<u32>,
}

impl Values {
    /// The middle of a state's bounds.
    pub fn middle_value(&self, state: u32) -> f64 {
        (self.low[state as usize] + self.high[state as usize]) / 2.0
    }

    /// Whether two states have the same value: exactly, or as far as their bounds tell.
    pub fn are_equal(&self, one: u32, other: u32, factors: &Factors) -> bool {
        match &self.exact {
            Some(exact) => {
                let [one, other] = [one, other].map(|state| factors.fraction_of_weight(&exact[state as usize]));
                one.minus(&other).is_zero()
            }
            None => {
                let overlaps = |one: u32, other: u32| self.low[one as usize] <= self.high[other as usize] + ROUNDED;
                overlaps(one, other) && overlaps(other, one)
            }
        }
    }
}

/// Interval iteration ends when bounds are this close, as a fraction of the range of all values.
const CLOSE: f64 = 1e-13;

/// Bounds that stay this far apart are useless.
pub const FAR: f64 = 1e-6;

/// All rounding errors together are smaller than this, as a fraction of the highest value.
pub const ROUNDED: f64 = 1e-10;

/// Maximum number of sweeps over the states of a ring.
const MOST_SWEEPS: usize = 200_000;

/// Computes the values of all states. `order` has the rings, each after all that it leads to. Fails with [`Trouble::Again`] if
/// the bounds stay far apart, as they do if play can go on for ever.
pub fn compute_state_values(
    graph: &Graph,
    worths: &[i64],
    order: &[Vec<u32>],
    wants_high: &impl Fn(usize) -> bool,
    search: &mut Search,
) -> Result<Values, Trouble> {
    let count = graph.nodes.len();
    let (least, most) = (worths.iter().min().copied().unwrap_or(0), worths.iter().max().copied().unwrap_or(0));
    let mut values =
        Values { low: vec![least as f64; count], high: vec![most as f64; count], exact: None, picks: vec![0; count] };
    search.budget.reserve_bytes(count * 24)?;
    let mut is_acyclic = true;
    for ring in order {
        let turns = ring.len() > 1 || graph.leads_to_itself(ring[0]);
        is_acyclic &= !turns;
        for sweep in 0.. {
            search.budget.spend_work(ring.len() as u64 / 4 + 1)?;
            let mut apart = 0.0f64;
            let mut moved = 0.0f64;
            for state in ring {
                let at = *state as usize;
                let before = (values.low[at], values.high[at]);
                let of = |to: u32| (values.low[to as usize], values.high[to as usize]);
                let (low, high) = state_bounds(&graph.nodes[at], of, worths, wants_high);
                (values.low[at], values.high[at]) = (low, high);
                apart = apart.max(high - low);
                moved = moved.max((low - before.0).abs()).max((high - before.1).abs());
            }
            let range = (most - least) as f64;
            if !turns || apart <= CLOSE * range {
                break;
            }
            // Bounds come no closer than those of the successors of the ring, except for endless play.
            if moved <= f64::EPSILON * range || sweep >= MOST_SWEEPS {
                if apart > FAR * range {
                    return Err(Trouble::Again);
                }
                break;
            }
        }
        for state in ring {
            values.picks[*state as usize] = best_answer(&graph.nodes[*state as usize], &values, wants_high);
        }
    }
    if is_acyclic {
        values.exact = compute_exact_values(graph, worths, order, wants_high, &mut values, search)?;
    }
    Ok(values)
}

/// The bounds of a state, from those of its successors, which `of` returns.
pub fn state_bounds(
    node: &Node,
    of: impl Fn(u32) -> (f64, f64),
    worths: &[i64],
    wants_high: &impl Fn(usize) -> bool,
) -> (f64, f64) {
    match node {
        Node::End(number) => (worths[*number as usize] as f64, worths[*number as usize] as f64),
        Node::Chance { to, cases } => to.iter().zip(&cases.chances).fold((0.0, 0.0), |(low, high), (to, part)| {
            let next = of(*to);
            (low + part * next.0, high + part * next.1)
        }),
        Node::Question { seat, to } => {
            let best = |one: (f64, f64), other: (f64, f64)| match wants_high(*seat) {
                true => (one.0.max(other.0), one.1.max(other.1)),
                false => (one.0.min(other.0), one.1.min(other.1)),
            };
            to.iter().filter(|to| **to != NOT_FOLLOWED).map(|to| of(*to)).reduce(best).unwrap_or((0.0, 0.0))
        }
        Node::Open => (0.0, 0.0),
    }
}

/// The index of the best answer to a question, the first among equals; 0 for other nodes.
fn best_answer(node: &Node, values: &Values, wants_high: &impl Fn(usize) -> bool) -> u32 {
    let Node::Question { seat, to } = node else { return 0 };
    let mut best = None;
    for (answer, to) in to.iter().enumerate().filter(|(_, to)| **to != NOT_FOLLOWED) {
        let value = values.middle_value(*to);
        let is_better = best.is_none_or(|(_, best)| if wants_high(*seat) { value > best } else { value < best });
        if is_better {
            best = Some((answer as u32, value));
        }
    }
    best.map_or(0, |(answer, _)| answer)
}

/// Computes exact values relative to the least one, with the best answers. Play must never return to a state. `None` if the
/// numbers become too long.
fn compute_exact_values(
    graph: &Graph,
    worths: &[i64],
    order: &[Vec<u32>],
    wants_high: &impl Fn(usize) -> bool,
    values: &mut Values,
    search: &mut Search,
) -> Result<Option<Vec<Weight>>, Trouble> {
    let least = worths.iter().min().copied().unwrap_or(0);
    let mut found: Vec<Weight> = vec![Weight::default(); graph.nodes.len()];
    // The result is useful even without exact values.
    let (spent, most) = (search.budget.spent, search.budget.work_left() / 2);
    for state in order.iter().flatten() {
        let at = *state as usize;
        let value = match &graph.nodes[at] {
            Node::End(number) => Weight {
                numerator: BigUint::from((worths[*number as usize] - least).unsigned_abs()),
                denominator: Denominator::default(),
            },
            Node::Chance { to, cases } => {
                let mut sum = Weight::default();
                for (to, ways) in to.iter().zip(&cases.ways) {
                    let part = &found[*to as usize];
                    search.factors.add_share(&mut sum, &(&part.numerator * ways), &part.denominator.times(&cases.of));
                }
                search.budget.spend_work(to.len() as u64 / 4 + sum.numerator.bits() * to.len() as u64 / 1_024)?;
                sum
            }
            Node::Question { seat, to } => {
                let mut best = values.picks[at];
                let is_close = |one: u32, other: u32| {
                    (values.middle_value(one) - values.middle_value(other)).abs()
                        <= ROUNDED * values.middle_value(one).abs().max(1.0)
                };
                let chosen = to[best as usize];
                let rivals = to.iter().enumerate().filter(|(answer, to)| {
                    *answer as u32 != best && **to != NOT_FOLLOWED && **to != chosen && is_close(**to, chosen)
                });
                let rivals: Vec<(u32, u32)> = rivals.map(|(answer, to)| (answer as u32, *to)).collect();
                for (answer, rival) in rivals {
                    let [one, other] =
                        [rival, to[best as usize]].map(|state| search.factors.fraction_of_weight(&found[state as usize]));
                    let difference = if wants_high(*seat) { one.minus(&other) } else { other.minus(&one) };
                    let is_first = difference.is_zero() && answer < best;
                    if is_first || difference.is_positive() {
                        best = answer;
                    }
                }
                values.picks[at] = best;
                found[to[best as usize] as usize].clone()
            }
            Node::Open => Weight::default(),
        };
        search.budget.reserve_bytes(value.numerator.bits() as usize / 8 + 40)?;
        found[at] = value;
        if search.budget.spent - spent > most {
            return Ok(None);
        }
    }
    Ok(Some(found))
}
