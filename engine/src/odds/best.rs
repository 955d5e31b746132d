//! Odds under best play: the value of an expression, or of a whole match, if all players make the best decisions.
//!
//! `graph` finds everything that can happen. `state_values` computes values backwards from the ends. `caps` bounds the influence
//! of the caps of long loops, whose rounds are not counted (`rounds`), and `solution` combines both. `table` walks through best
//! play and reports each question with the values of its answers. Policies with chances are followed through all draws (`draws`).
//!
//! A *worth* is the numerical value of an end of play. A *seat* is the number of a side that is asked; at most two may decide,
//! one for a high value and one for a low one. `ludex odds --best` calls [`OddsQuery::find_best_play`].

mod caps;
mod draws;
mod graph;
mod rounds;
mod solution;
mod state_values;
mod table;

pub use solution::Worth;
pub use table::{Answer, Question, Rows};

use crate::odds::budget::{Budget, Reason, Trouble};
use crate::odds::{Effort, Odds, OddsQuery};
use crate::runtime::policy;
use graph::{Node, Scope};
use ludex_program::{Program, Shape};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use rounds::Rounds;
use solution::Solution;
use std::sync::Arc;

/// The value of an expression under best play.
#[derive(Clone, Debug)]
pub struct Best {
    /// The game in its mode.
    pub program: Arc<Program>,
    /// The type of the values.
    pub shape: Shape,
    /// Whether the expression is the whole match.
    pub is_match: bool,
    /// The side that maximises the value, if one is asked, and then the side that minimises it, if two are.
    pub sides: Vec<String>,
    /// The mean of a number, the probability of yes, or the expected share of a match.
    pub worth: Worth,
    /// The probabilities of all values under best play, if they are known exactly.
    pub odds: Option<Odds>,
    /// The value if the first of `sides` plays by a policy.
    pub policy: Option<Worth>,
    /// The questions reached under best play, the likeliest first.
    pub questions: Vec<Question>,
    /// Total number of questions.
    pub asked: usize,
    /// Number of states.
    pub states: usize,
    /// The work done.
    pub work: u64,
}

/// Work spent on a more complete search before a smaller one is tried.
const WORK_OF_TRYING: u64 = 4_000_000;

impl OddsQuery {
    /// Returns the value of the expression if each side that is asked plays as well as it can. Of the sides that are asked, the
    /// first in `sides` maximises the value; a second one minimises it. With a policy, also returns the value if the first plays
    /// by that policy.
    ///
    /// Fails with a [`Problem`] if the value is neither a number nor a flag, if a side does not see everything that matters, if
    /// more than two sides decide, or if the work exceeds `effort`.
    pub fn find_best_play(&self, effort: &Effort, policy: Option<&str>, rows: Rows) -> Result<Best, Box<Problem>> {
        self.check_best(policy)?;
        let found = self.without_stops().map_err(Box::new)?.search_best_play(effort, policy, rows);
        found.map_err(|problem| Box::new(self.with_seat_help(*problem)))
    }

    /// Searches with counted rounds and all answers first, and with less if that is too much work. `self` is a query without
    /// stops.
    fn search_best_play(&self, effort: &Effort, policy: Option<&str>, rows: Rows) -> Result<Best, Box<Problem>> {
        let refuse = |trouble| best_play_problem(trouble, effort);
        // Counted rounds give exact values, but many states. So does exploring the other answers when one of them wins.
        let whole = Scope { counts_rounds: true, follows_all: true, policy: None };
        let winning = Scope { follows_all: false, ..whole };
        let uncounted = Scope { counts_rounds: false, ..winning };
        let has_long_loops = Rounds::from_program(&self.game.program).has_loops();
        let last = if has_long_loops { uncounted } else { winning };
        let mut budget = Budget::new(effort);
        let mut scope = whole;
        let mut solved = loop {
            let share = budget.spent + (effort.limit / 4).min(WORK_OF_TRYING);
            budget.set_limit(if scope == last { effort.limit } else { share });
            match Solution::explore_and_solve(self, budget, scope) {
                Ok(solved) => break solved,
                Err((spent, trouble)) => {
                    scope = match trouble {
                        Trouble::Stopped(_) => return Err(refuse(trouble)),
                        _ if scope == whole => winning,
                        Trouble::TooMuch if scope != last => last,
                        trouble => return Err(refuse(trouble)),
                    };
                    budget = spent;
                    budget.begin_again();
                }
            }
        };
        solved.explorer.search.budget.set_limit(effort.limit);
        let questions = solved.reached_questions(self, rows).map_err(refuse)?;
        let odds = solved.odds_by_picks(self).map_err(refuse)?;
        let mut best = Best {
            program: Arc::clone(&self.game.program),
            shape: self.shape.clone(),
            is_match: self.is_match,
            sides: solved.sides.iter().map(|seat| self.side_name(*seat)).collect(),
            worth: solved.start_worth(self),
            odds,
            policy: None,
            questions,
            asked: solved.graph.nodes.iter().filter(|node| matches!(node, Node::Question { .. })).count(),
            states: solved.graph.nodes.len(),
            work: solved.explorer.search.budget.spent,
        };
        if let (Some(policy), Some(seat)) = (policy, solved.sides.first()) {
            let seat = *seat;
            let scope = Scope { policy: Some((seat, policy)), ..scope };
            let followed = Solution::explore_and_solve(self, solved.explorer.search.budget, scope);
            best.policy = Some(followed.map_err(|(_, trouble)| refuse(trouble))?.start_worth(self));
        }
        Ok(best)
    }

    /// Refuses values that are neither numbers nor flags, and unknown policies.
    fn check_best(&self, policy: Option<&str>) -> Result<(), Box<Problem>> {
        let inner = match &self.shape {
            Shape::OrNone(inner) => inner,
            shape => shape,
        };
        if !matches!(inner, Shape::Number | Shape::Halves | Shape::Flag) {
            let problem = Problem::error(codes::ODDS_VALUE, "best play needs a number, or yes or no");
            let span = self.rules.places.last().map(|place| place.span);
            let problem = span.into_iter().fold(problem, |problem, span| problem.with_label(span, "neither of them"));
            return Err(Box::new(
                problem.help("compare it with something, as in `… = 3`, or count or add up a list: `sum of …`"),
            ));
        }
        policy.map_or(Ok(()), |policy| policy::check_policy(&self.game.program, policy, "")).map_err(Box::new)
    }
}

/// The problem that says why best play is not computed.
fn best_play_problem(trouble: Trouble, effort: &Effort) -> Box<Problem> {
    let stopped = |why: &str| format!("best play is not worked out: {why}");
    let (message, help) = match trouble {
        Trouble::Problem(problem) => return problem,
        Trouble::Stopped(Reason::Time) => (stopped("its time was up"), "allow more with `--time`"),
        Trouble::Stopped(Reason::Memory) => (stopped("its memory was full"), "allow more with `--memory`"),
        Trouble::Stopped(Reason::Interrupted) => (stopped("it was interrupted"), "run it again, and let it finish"),
        Trouble::Again => (
            stopped("play can go on for ever, or to a cap that decides its value"),
            "lower the cap of the loop, or let the loop end earlier",
        ),
        Trouble::TooMuch => (
            format!("best play needs {}", effort.exceeded_limit_text()),
            "allow more with `--limit` and `--memory`, or ask for a part of it: a turn, a hand, or a match to fewer points",
        ),
    };
    Box::new(Problem::error(codes::BEST_PLAY, message).help(help))
}
