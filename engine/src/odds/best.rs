//! Odds under best play: what an expression, or a whole match, is worth if players decide as well as can be.
//!
//! `graph` finds all that can happen. Where play never comes back to a state, values are worked out from the ends to the
//! start as fractions, and are exact. Where it can come back, bounds from below and above are brought together (interval
//! iteration), and the value is given with what is left between them.

use crate::codes;
use crate::odds::budget::{Budget, Reason, Trouble};
use crate::odds::chain::{Cases, Steps, rings, solve};
use crate::odds::fraction::Fraction;
use crate::odds::graph::{Explorer, Graph, NOT_FOLLOWED, Node};
use crate::odds::rounds::Rounds;
use crate::odds::search::Search;
use crate::odds::table::Question;
use crate::odds::weight::{Denominator, Factors, Weight};
use crate::odds::{Asked, Effort, Found, Odds, ValueOdds};
use crate::problem::Problem;
use crate::program::{NONE, Program, Shape, Value};
use num_bigint::BigUint;
use std::rc::Rc;
use std::sync::Arc;

/// What something is worth under best play.
#[derive(Clone, Debug)]
pub struct Best {
    /// The game in its mode.
    pub program: Arc<Program>,
    /// The type of the values.
    pub shape: Shape,
    /// Whether the whole match was asked for.
    pub is_match: bool,
    /// The side that wants a high value, if one is asked, and then the side that wants a low one, if two are.
    pub sides: Vec<String>,
    /// The mean of a number, or how likely yes is, or the share of a match that is won.
    pub worth: Worth,
    /// How likely each value is under best play, where that is known exactly.
    pub odds: Option<Odds>,
    /// What the same is worth if `side` plays by a policy.
    pub policy: Option<Worth>,
    /// The questions that are come to under best play, the likeliest first.
    pub questions: Vec<Question>,
    /// How many questions there are in all.
    pub asked: usize,
    /// How many states there are.
    pub states: usize,
    /// How much work it was.
    pub work: u64,
}

/// What something is worth.
#[derive(Clone, Debug)]
pub enum Worth {
    /// Exactly so much.
    Exactly(Fraction),
    /// About so much.
    About {
        /// The middle of what it may be.
        value: f64,
        /// It differs by no more than this.
        within: f64,
    },
}

impl Worth {
    /// The nearest number that a program computes with.
    pub fn to_f64(&self) -> f64 {
        match self {
            Worth::Exactly(value) => value.to_f64(),
            Worth::About { value, .. } => *value,
        }
    }
}

/// So much work goes into counting the rounds of long loops, before it is tried without.
const WORK_OF_COUNTING: u64 = 4_000_000;

/// How much of the decision table is wanted.
#[derive(Clone, Copy, Debug)]
pub enum Rows {
    /// The likeliest questions, so many.
    Likeliest(usize),
    /// All that are come to under best play.
    All,
}

/// The values of all states.
pub struct Values {
    /// What each is worth at least and at most. They differ by rounding alone where play never comes back.
    low: Vec<f64>,
    high: Vec<f64>,
    /// Exact values above the least, where they are known.
    exact: Option<Vec<Weight>>,
    /// The number of the best answer to each question.
    pub picks: Vec<u32>,
}

impl Values {
    /// What a state is worth.
    pub fn middle(&self, state: u32) -> f64 {
        (self.low[state as usize] + self.high[state as usize]) / 2.0
    }

    /// Whether two states are worth the same: exactly so, or as far as can be told.
    pub fn are_equal(&self, one: u32, other: u32, factors: &Factors) -> bool {
        match &self.exact {
            Some(exact) => {
                let [one, other] = [one, other].map(|state| factors.fraction(&exact[state as usize]));
                one.minus(&other).is_zero()
            }
            None => {
                let overlaps = |one: u32, other: u32| self.low[one as usize] <= self.high[other as usize] + ROUNDED;
                overlaps(one, other) && overlaps(other, one)
            }
        }
    }
}

/// Interval iteration ends when bounds are this close, as a part of the range of all values.
const CLOSE: f64 = 1e-13;

/// Bounds that stay as far apart as this say too little.
pub(super) const FAR: f64 = 1e-6;

/// All rounding errors together are smaller than this, as a part of the highest value.
const ROUNDED: f64 = 1e-10;

/// How often the states of a ring are gone through.
const MOST_SWEEPS: usize = 200_000;

/// A cap that is reached less likely than this has no influence that could be told.
const NEGLIGIBLE: f64 = 1e-30;

impl Asked {
    /// What the expression is worth if each side that is asked plays as well as it can. The first of them wants a high value;
    /// if there is another, it wants a low one. With a policy, also what it is worth if the first side plays by that.
    ///
    /// Fails with a [`Problem`] that tells why, where the value is no number and no flag, where a side does not see all that
    /// matters, where more than two sides decide, and where it is more work than `effort` allows.
    pub fn best(&self, effort: &Effort, policy: Option<&str>, rows: Rows) -> Result<Best, Box<Problem>> {
        self.check_best(policy)?;
        self.without_stops().map_err(Box::new)?.best_of(effort, policy, rows)
    }

    fn best_of(&self, effort: &Effort, policy: Option<&str>, rows: Rows) -> Result<Best, Box<Problem>> {
        let refuse = |trouble| refused(trouble, effort);
        let has_long_loops = Rounds::of(&self.game.program).are_any();
        let mut budget = Budget::new(effort);
        if has_long_loops {
            budget.set_limit((effort.limit / 4).min(WORK_OF_COUNTING));
        }
        // Rounds that are counted give exact values, and many states.
        let mut counts_rounds = true;
        let mut solved = match Solved::of(self, budget, counts_rounds, None) {
            Err((mut budget, Trouble::TooMuch)) if has_long_loops => {
                counts_rounds = false;
                budget.set_limit(effort.limit);
                budget.begin_again();
                Solved::of(self, budget, counts_rounds, None)
            }
            solved => solved,
        }
        .map_err(|(_, trouble)| refuse(trouble))?;
        solved.explorer.search.budget.set_limit(effort.limit);
        let questions = solved.questions(self, rows).map_err(refuse)?;
        let odds = solved.odds(self).map_err(refuse)?;
        let mut best = Best {
            program: Arc::clone(&self.game.program),
            shape: self.shape.clone(),
            is_match: self.is_match,
            sides: solved.sides.iter().map(|seat| self.side_name(*seat)).collect(),
            worth: solved.worth(self),
            odds,
            policy: None,
            questions,
            asked: solved.graph.nodes.iter().filter(|node| matches!(node, Node::Question { .. })).count(),
            states: solved.graph.nodes.len(),
            work: solved.explorer.search.budget.spent,
        };
        if let (Some(policy), Some(seat)) = (policy, solved.sides.first()) {
            let seat = *seat;
            let followed = Solved::of(self, solved.explorer.search.budget, counts_rounds, Some((seat, policy)));
            best.policy = Some(followed.map_err(|(_, trouble)| refuse(trouble))?.worth(self));
        }
        Ok(best)
    }

    fn check_best(&self, policy: Option<&str>) -> Result<(), Box<Problem>> {
        let inner = match &self.shape {
            Shape::OrNone(inner) => inner,
            shape => shape,
        };
        if !matches!(inner, Shape::Number | Shape::Halves | Shape::Flag) {
            let problem = Problem::error(codes::ODDS_VALUE, "best play needs a number, or yes and no");
            return Err(Box::new(problem.help("compare the value with something, such as `weather = sunny`")));
        }
        let names = self.game.program.policy_names();
        match policy {
            Some(policy) if !names.contains(policy) => {
                let message = format!("`{}` has no policy `{policy}`", self.game.program.game);
                Err(Box::new(Problem::error(codes::UNKNOWN_NAME, message).suggest(policy, names)))
            }
            _ => Ok(()),
        }
    }
}

/// Why best play is not worked out.
fn refused(trouble: Trouble, effort: &Effort) -> Box<Problem> {
    let (message, help) = match trouble {
        Trouble::Problem(problem) => return problem,
        Trouble::Stopped(Reason::Time) => ("best play is not worked out: its time was up", "allow more with `--time`"),
        Trouble::Stopped(Reason::Memory) => ("best play is not worked out: its memory was full", "allow more with `--memory`"),
        Trouble::Stopped(Reason::Interrupted) => ("best play is not worked out: it was interrupted", "let it go on"),
        Trouble::Again => {
            let message = "best play is not worked out: play can go on for ever, or to a cap that decides what it is worth";
            return Box::new(
                Problem::error(codes::BEST_PLAY, message).help("lower the cap of the loop, or let the loop end earlier"),
            );
        }
        Trouble::TooMuch => {
            let message = format!("best play needs more work than {}", effort.limit);
            let help = "allow more with `--limit`, or ask for a part of it: a turn, a hand, or a match to fewer points";
            return Box::new(Problem::error(codes::BEST_PLAY, message).help(help));
        }
    };
    Box::new(Problem::error(codes::BEST_PLAY, message).help(help))
}

/// All states with their values.
pub(super) struct Solved<'a> {
    pub explorer: Explorer<'a>,
    pub graph: Graph,
    pub values: Values,
    /// The states in groups that lead to each other, each behind all that it leads to.
    pub order: Vec<Vec<u32>>,
    /// The side that wants a high value, and the one that wants a low one.
    pub sides: Vec<usize>,
    /// What the lowest value is, which exact values are above.
    least: i64,
    /// What the start is worth at least and at most, where the caps of loops may change it.
    capped: Option<(f64, f64)>,
}

impl<'a> Solved<'a> {
    fn of(
        asked: &'a Asked,
        budget: Budget,
        counts_rounds: bool,
        policy: Option<(usize, &'a str)>,
    ) -> Result<Solved<'a>, (Budget, Trouble)> {
        let mut explorer = Explorer::new(asked, budget, counts_rounds, policy);
        let found = explorer.explore().and_then(|graph| {
            let first = policy.map(|(seat, _)| seat);
            let sides = sides(asked, &graph, first)?;
            let worths: Vec<i64> = graph.ends.iter().map(|value| worth_of(value)).collect();
            let least = worths.iter().copied().min().unwrap_or(0);
            // An answer that is not followed leads nowhere new.
            let target = |state: usize, to: &u32| if *to == NOT_FOLLOWED { state as u32 } else { *to };
            let order =
                rings(graph.nodes.len(), |state, place| graph.nodes[state].targets().get(place).map(|to| target(state, to)));
            let first = sides.first().copied();
            let wants_high = |seat: usize| Some(seat) == first;
            let values = values(&graph, &worths, &order, &wants_high, &mut explorer.search)?;
            let bound = |is_free: &dyn Fn(usize) -> bool| graph.rounds.bound(&graph, &order, &values.picks, is_free);
            let caught = bound(&|seat| !wants_high(seat)).max(bound(&wants_high));
            let capped = match caught {
                ..NEGLIGIBLE => None,
                _ => Some(graph.rounds.capped(&graph, &worths, &wants_high, &mut explorer.search.budget)?),
            };
            Ok((graph, values, order, sides, least, capped))
        });
        match found {
            Ok((graph, values, order, sides, least, capped)) => {
                Ok(Solved { explorer, graph, values, order, sides, least, capped })
            }
            Err(trouble) => Err((explorer.search.budget, trouble)),
        }
    }

    /// What the start is worth.
    fn worth(&self, asked: &Asked) -> Worth {
        let parts = asked.parts() as u8;
        let part = Fraction::new(BigUint::from(1u8), BigUint::from(parts));
        match &self.values.exact {
            Some(exact) if self.capped.is_none() => {
                let mut value = self.explorer.search.factors.fraction(&exact[0]);
                value.add(&Fraction::whole(self.least));
                Worth::Exactly(value.times(&part).reduced())
            }
            _ => {
                let (low, high) = self.capped.unwrap_or((self.values.low[0], self.values.high[0]));
                let scale = low.abs().max(high.abs()).max(1.0);
                let within = (high - low) / 2.0 + ROUNDED * scale;
                Worth::About { value: (low + high) / 2.0 / f64::from(parts), within: within / f64::from(parts) }
            }
        }
    }

    /// How likely each value is, if all play as `picks` says.
    fn odds(&mut self, asked: &Asked) -> Result<Option<Odds>, Trouble> {
        if self.values.exact.is_none() || self.capped.is_some() {
            return Ok(None);
        }
        let Search { factors, budget, .. } = &mut self.explorer.search;
        let one = Rc::new(Cases::new(vec![BigUint::from(1u8)], Denominator::default(), factors));
        let steps: Vec<Steps> = self
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
        let ends = solve(&steps, |state| matches!(nodes[state as usize], Node::End(_)), factors, budget)?;
        let mut found: Vec<(Vec<Value>, Weight)> = ends
            .into_iter()
            .filter_map(|(state, weight)| match nodes[state as usize] {
                Node::End(number) => Some((self.graph.ends[number as usize].clone(), weight)),
                _ => None,
            })
            .filter(|(_, weight)| weight.numerator.bits() > 0)
            .collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        let (values, weights): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let (cases, of) = factors.over_one(&weights);
        let of = factors.number(&of);
        let values = values.into_iter().zip(cases).zip(&weights).map(|((value, cases), weight)| {
            let share = factors.fraction(weight);
            ValueOdds { at_most: 0.0, shown: String::new(), share, value, cases, times: 0 }
        });
        let found = Found::Exactly { work: budget.spent, cut: None };
        Ok(Some(asked.shown(values.collect(), of, found)))
    }
}

/// The sides that decide: who wants a high value, and who wants a low one.
fn sides(asked: &Asked, graph: &Graph, first: Option<usize>) -> Result<Vec<usize>, Trouble> {
    let deciders: Vec<usize> = graph.deciders.iter().copied().collect();
    let first = if asked.is_match { Some(0) } else { first.or(deciders.first().copied()) };
    let others: Vec<usize> = deciders.iter().copied().filter(|seat| Some(*seat) != first).collect();
    let is_for_two = !asked.is_match || others.is_empty() || asked.game.roster.sides == 2;
    if others.len() > 1 || !is_for_two {
        let names: Vec<String> = deciders.iter().map(|seat| asked.side_name(*seat)).collect();
        let message = format!("{} decide here, and best play is worked out for at most two", names.join(", "));
        return Err(Problem::error(codes::ODDS_QUESTION, message)
            .help("ask for a part in which one or two of them decide")
            .into());
    }
    if !others.is_empty() && !graph.is_constant_sum {
        let message = "what one side wins here the other need not lose, so there is no best play for both";
        let help = "ask for a part with a value, which one side wants to be high and the other low";
        return Err(Problem::error(codes::BEST_PLAY, message).help(help).into());
    }
    Ok(first.into_iter().chain(others).collect())
}

/// What a value is worth: a number, halves, or 1 for yes. No number is 0, as in a mean.
fn worth_of(value: &[Value]) -> i64 {
    value.first().copied().filter(|value| *value != NONE).map_or(0, i64::from)
}

/// The values of all states; each ring comes after all that it leads to.
fn values(
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
    search.budget.keep(count * 24)?;
    let mut is_acyclic = true;
    for ring in order {
        let turns = ring.len() > 1 || graph.nodes[ring[0] as usize].targets().contains(&ring[0]);
        is_acyclic &= !turns;
        for sweep in 0.. {
            search.budget.spend(ring.len() as u64 / 4 + 1)?;
            let mut apart = 0.0f64;
            let mut moved = 0.0f64;
            for state in ring {
                let at = *state as usize;
                let before = (values.low[at], values.high[at]);
                let of = |to: u32| (values.low[to as usize], values.high[to as usize]);
                let (low, high) = bounds(&graph.nodes[at], of, worths, wants_high);
                (values.low[at], values.high[at]) = (low, high);
                apart = apart.max(high - low);
                moved = moved.max((low - before.0).abs()).max((high - before.1).abs());
            }
            let range = (most - least) as f64;
            if !turns || apart <= CLOSE * range {
                break;
            }
            // Bounds come no closer than those of the states that the ring leads to, apart from play that can go on for ever.
            if moved <= f64::EPSILON * range || sweep >= MOST_SWEEPS {
                if apart > FAR * range {
                    return Err(Trouble::Again);
                }
                break;
            }
        }
        for state in ring {
            values.picks[*state as usize] = pick(&graph.nodes[*state as usize], &values, wants_high);
        }
    }
    if is_acyclic {
        values.exact = exact(graph, worths, order, wants_high, &mut values, search)?;
    }
    Ok(values)
}

/// The bounds of a state, from those of the states that it leads to.
pub(super) fn bounds(
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

/// The number of the best answer, the first of those that are equal.
fn pick(node: &Node, values: &Values, wants_high: &impl Fn(usize) -> bool) -> u32 {
    let Node::Question { seat, to } = node else { return 0 };
    let mut best = None;
    for (answer, to) in to.iter().enumerate().filter(|(_, to)| **to != NOT_FOLLOWED) {
        let value = values.middle(*to);
        let is_better = best.is_none_or(|(_, best)| if wants_high(*seat) { value > best } else { value < best });
        if is_better {
            best = Some((answer as u32, value));
        }
    }
    best.map_or(0, |(answer, _)| answer)
}

/// Exact values above the least one, with the picks that they lead to. Play never comes back to a state. None if the numbers
/// become too long.
fn exact(
    graph: &Graph,
    worths: &[i64],
    order: &[Vec<u32>],
    wants_high: &impl Fn(usize) -> bool,
    values: &mut Values,
    search: &mut Search,
) -> Result<Option<Vec<Weight>>, Trouble> {
    let least = worths.iter().min().copied().unwrap_or(0);
    let mut found: Vec<Weight> = vec![Weight::default(); graph.nodes.len()];
    // Without exact values there is still something to tell.
    let (spent, most) = (search.budget.spent, search.budget.left() / 2);
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
                search.budget.spend(to.len() as u64 / 4 + sum.numerator.bits() * to.len() as u64 / 1_024)?;
                sum
            }
            Node::Question { seat, to } => {
                let mut best = values.picks[at];
                let is_close = |one: u32, other: u32| {
                    (values.middle(one) - values.middle(other)).abs() <= ROUNDED * values.middle(one).abs().max(1.0)
                };
                let chosen = to[best as usize];
                let rivals = to.iter().enumerate().filter(|(answer, to)| {
                    *answer as u32 != best && **to != NOT_FOLLOWED && **to != chosen && is_close(**to, chosen)
                });
                let rivals: Vec<(u32, u32)> = rivals.map(|(answer, to)| (answer as u32, *to)).collect();
                for (answer, rival) in rivals {
                    let [one, other] = [rival, to[best as usize]].map(|state| search.factors.fraction(&found[state as usize]));
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
        search.budget.keep(value.numerator.bits() as usize / 8 + 40)?;
        found[at] = value;
        if search.budget.spent - spent > most {
            return Ok(None);
        }
    }
    Ok(Some(found))
}
