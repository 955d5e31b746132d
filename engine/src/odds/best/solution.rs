//! All states with their values, and the results for the start.
//!
//! A *ring* is a group of states that lead to each other, or one state alone. A *worth* is the numerical value of an end. A *cap*
//! is the most rounds that a loop may have; see `caps`. `best` makes a [`Solution`] for each [`Scope`] that it tries.

use crate::odds::best::graph::{Explorer, Graph, NOT_FOLLOWED, Node, Scope};
use crate::odds::best::state_values::{ROUNDED, Values, compute_state_values};
use crate::odds::budget::{Budget, Trouble};
use crate::odds::chain::{Cases, Transitions, find_rings, solve_chain};
use crate::odds::fraction::Fraction;
use crate::odds::search::Search;
use crate::odds::weight::{Denominator, Weight};
use crate::odds::{Odds, OddsMethod, OddsQuery};
use ludex_program::{NONE, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use num_bigint::BigUint;
use std::rc::Rc;

/// A value, exact or approximate.
#[derive(Clone, Debug)]
pub enum Worth {
    /// The exact value.
    Exactly(Fraction),
    /// An approximate value.
    About {
        /// The middle of the interval.
        value: f64,
        /// The greatest possible error.
        within: f64,
    },
}

impl Worth {
    /// The nearest floating-point number.
    pub fn to_f64(&self) -> f64 {
        match self {
            Worth::Exactly(value) => value.to_f64(),
            Worth::About { value, .. } => *value,
        }
    }
}

/// A cap that is less likely than this has no noticeable influence.
const NEGLIGIBLE: f64 = 1e-30;

/// All states with their values.
pub struct Solution<'a> {
    pub explorer: Explorer<'a>,
    pub graph: Graph,
    pub values: Values,
    /// The states in groups that lead to each other, each after all groups that it leads to.
    pub order: Vec<Vec<u32>>,
    /// The side that maximises the value, then the side that minimises it.
    pub sides: Vec<usize>,
    /// The lowest value. Exact values are stored relative to it.
    least: i64,
    /// The bounds of the start's value, if the caps of loops may change it.
    capped: Option<(f64, f64)>,
}

impl<'a> Solution<'a> {
    /// Explores everything within a scope, and computes the value of each state. On failure, returns the budget too, for another
    /// attempt.
    pub fn explore_and_solve(asked: &'a OddsQuery, budget: Budget, scope: Scope<'a>) -> Result<Solution<'a>, (Budget, Trouble)> {
        let mut explorer = Explorer::new(asked, budget, scope);
        let found = explorer.explore().and_then(|graph| {
            let first = scope.policy.map(|(seat, _)| seat);
            let sides = deciding_sides(asked, &graph, first)?;
            let worths: Vec<i64> = graph.ends.iter().map(|value| end_worth(value)).collect();
            let least = worths.iter().copied().min().unwrap_or(0);
            // An answer that is not followed counts as staying.
            let target = |state: usize, to: &u32| if *to == NOT_FOLLOWED { state as u32 } else { *to };
            let order = find_rings(graph.nodes.len(), |state, place| {
                graph.nodes[state].successor_states().get(place).map(|to| target(state, to))
            });
            let first = sides.first().copied();
            let wants_high = |seat: usize| Some(seat) == first;
            let values = compute_state_values(&graph, &worths, &order, &wants_high, &mut explorer.search)?;
            let bound = |is_free: &dyn Fn(usize) -> bool| graph.rounds.bound_cap_chance(&graph, &order, &values.picks, is_free);
            let caught = bound(&|seat| !wants_high(seat)).max(bound(&wants_high));
            let capped = match caught {
                ..NEGLIGIBLE => None,
                _ => {
                    // The numbers that a cap may lead to are unknown.
                    let (least, most) = asked.bounds.ok_or(Trouble::Again)?;
                    let range = (f64::from(least), f64::from(most));
                    Some(graph.rounds.bound_start_worth(&graph, &worths, range, &wants_high, &mut explorer.search.budget)?)
                }
            };
            Ok((graph, values, order, sides, least, capped))
        });
        match found {
            Ok((graph, values, order, sides, least, capped)) => {
                Ok(Solution { explorer, graph, values, order, sides, least, capped })
            }
            Err(trouble) => Err((explorer.search.budget, trouble)),
        }
    }

    /// The value of the start, in points.
    pub fn start_worth(&self, asked: &OddsQuery) -> Worth {
        let parts = asked.units_per_point() as u8;
        let part = Fraction::new(BigUint::from(1u8), BigUint::from(parts));
        match &self.values.exact {
            Some(exact) if self.capped.is_none() => {
                let mut value = self.explorer.search.factors.fraction_of_weight(&exact[0]);
                value.add(&Fraction::from_whole(self.least));
                Worth::Exactly(value.times(&part).in_lowest_terms())
            }
            _ => {
                let (low, high) = self.capped.unwrap_or((self.values.low[0], self.values.high[0]));
                let scale = low.abs().max(high.abs()).max(1.0);
                let within = (high - low) / 2.0 + ROUNDED * scale;
                Worth::About { value: (low + high) / 2.0 / f64::from(parts), within: within / f64::from(parts) }
            }
        }
    }

    /// The value of a state as a floating-point number, in halves where the value of the expression is in halves.
    pub fn worth_of_state(&self, state: u32) -> f64 {
        match &self.values.exact {
            Some(exact) => {
                let mut value = self.explorer.search.factors.fraction_of_weight(&exact[state as usize]);
                value.add(&Fraction::from_whole(self.least));
                value.to_f64()
            }
            None => self.values.middle_value(state),
        }
    }

    /// The probabilities of all values, if everyone plays by the best answers found (`picks`). `None` if the values are not
    /// exact.
    pub fn odds_by_picks(&mut self, asked: &OddsQuery) -> Result<Option<Odds>, Trouble> {
        if self.values.exact.is_none() || self.capped.is_some() {
            return Ok(None);
        }
        let Search { factors, budget, .. } = &mut self.explorer.search;
        let one = Rc::new(Cases::new(vec![BigUint::from(1u8)], Denominator::default(), factors));
        let steps: Vec<Transitions> = self
            .graph
            .nodes
            .iter()
            .zip(&self.values.picks)
            .map(|(node, pick)| match node {
                Node::Chance { to, cases } => Some((to.clone(), Rc::clone(cases))),
                Node::Question { to, .. } => Some((vec![to[*pick as usize]].into(), Rc::clone(&one))),
                Node::End(_) | Node::Open => None,
            })
            .collect();
        let nodes = &self.graph.nodes;
        let ends = solve_chain(&steps, |state| matches!(nodes[state as usize], Node::End(_)), factors, budget)?;
        let mut shares: Vec<(Vec<Value>, Weight)> = ends
            .into_iter()
            .filter_map(|(state, weight)| match nodes[state as usize] {
                Node::End(number) => Some((self.graph.ends[number as usize].clone(), weight)),
                _ => None,
            })
            .filter(|(_, weight)| weight.numerator.bits() > 0)
            .collect();
        shares.sort_by(|one, other| one.0.cmp(&other.0));
        let found = OddsMethod::Exactly { work: budget.spent, cut: None };
        Ok(Some(asked.odds_from_shares(shares, factors, found)))
    }
}

/// The sides that decide: the maximiser, then the minimiser. `first` is the side that plays by a policy, which is the maximiser
/// unless the expression is the whole match.
fn deciding_sides(asked: &OddsQuery, graph: &Graph, first: Option<usize>) -> Result<Vec<usize>, Trouble> {
    let deciders: Vec<usize> = graph.deciders.iter().copied().collect();
    let first = if asked.is_match { Some(0) } else { first.or(deciders.first().copied()) };
    let others: Vec<usize> = deciders.iter().copied().filter(|seat| Some(*seat) != first).collect();
    let is_for_two = !asked.is_match || others.is_empty() || asked.game.roster.sides == 2;
    if others.len() > 1 || !is_for_two {
        let names: Vec<String> = deciders.iter().map(|seat| asked.side_name(*seat)).collect();
        let message = format!("{} decide here, but best play is worked out for at most two sides", names.join(", "));
        return Err(Problem::error(codes::ODDS_QUESTION, message)
            .help("ask for a part in which one or two of them decide")
            .into());
    }
    if !others.is_empty() && !graph.is_constant_sum {
        let message = "a gain for one side need not be a loss for the other here, so no play is best for both";
        let help = "ask for a value that one side wants high and the other wants low";
        return Err(Problem::error(codes::BEST_PLAY, message).help(help).into());
    }
    Ok(first.into_iter().chain(others).collect())
}

/// The numerical value of an outcome: a number, halves, or 1 for yes. No number counts as 0, as in a mean.
fn end_worth(value: &[Value]) -> i64 {
    value.first().copied().filter(|value| *value != NONE).map_or(0, i64::from)
}
