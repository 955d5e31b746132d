//! The odds of one expression, as all reports read them.
//!
//! Odds are exact, counted from random rolls, or only bounded if the search was stopped. Fractions are exact and may be very
//! long.

use crate::simulation::Share;
use crate::work;
use ludex_engine::odds::{Effort, Fraction, Odds, OddsMethod, Reason, ValueOdds};
use ludex_engine::program::Shape;

/// An expression with its odds.
pub struct Answer {
    pub expression: String,
    pub odds: Odds,
    /// The effort that was allowed.
    pub effort: Effort,
    /// For each value, the probabilities of at least that and of at most that.
    sums: Vec<(Fraction, Fraction)>,
}

/// A probability.
pub enum Chance {
    /// Counted over all results.
    Exact(Fraction),
    /// The share of random rolls, with its confidence interval.
    Rolled(Share),
    /// Bounds that are certain, since the rest was not searched.
    Between { low: f64, high: f64 },
}

impl Answer {
    pub fn new(expression: &str, odds: Odds, effort: &Effort) -> Answer {
        let sums = if odds.are_numbers() { odds.cumulative_shares() } else { Vec::new() };
        Answer { expression: expression.trim().to_string(), odds, effort: *effort, sums }
    }

    /// Whether every result was counted, apart from cases below the cutoff.
    pub fn is_exact(&self) -> bool {
        matches!(self.odds.found, OddsMethod::Exactly { .. })
    }

    /// Whether the search was stopped, so that only bounds are known.
    pub fn has_bounds_only(&self) -> bool {
        matches!(self.odds.found, OddsMethod::Between { .. })
    }

    /// The bound on the probability of cases that were left out, if any were.
    pub fn cutoff_bound(&self) -> Option<String> {
        match self.odds.found {
            OddsMethod::Exactly { cut, .. } => cut.map(|power| format!("1e{power}")),
            _ => None,
        }
    }

    /// The reason that the work stopped early.
    pub fn stop_reason(&self) -> Option<Reason> {
        match self.odds.found {
            OddsMethod::Between { reason } => Some(reason),
            OddsMethod::ByTrying { samples } if samples < self.effort.samples => {
                Some(if work::is_stopped() { Reason::Interrupted } else { Reason::Time })
            }
            _ => None,
        }
    }

    /// The probability of any of some values. `members` are the indices of the values.
    pub fn chance_of(&self, members: &[usize]) -> Chance {
        let members = members.iter().filter_map(|member| self.odds.values.get(*member));
        match self.odds.found {
            OddsMethod::Exactly { .. } => Chance::Exact(match members.clone().collect::<Vec<_>>()[..] {
                [one] => one.share.clone(),
                _ => self.sum_shares(members),
            }),
            OddsMethod::ByTrying { samples } => {
                Chance::Rolled(Share::from_counts(members.map(|value| value.times).sum(), samples))
            }
            OddsMethod::Between { .. } => {
                let low = self.sum_shares(members).to_f64();
                Chance::Between { low, high: (low + self.unsettled_chance()).min(1.0) }
            }
        }
    }

    /// The share of some values, not reduced.
    fn sum_shares<'v>(&self, values: impl Iterator<Item = &'v ValueOdds>) -> Fraction {
        let mut sum = Fraction::new(Default::default(), self.odds.of.clone());
        values.for_each(|value| sum.add(&Fraction::new(value.cases.clone(), self.odds.of.clone())));
        sum
    }

    /// The probability of all cases whose value is not known yet.
    pub fn unsettled_chance(&self) -> f64 {
        match self.odds.found {
            OddsMethod::Between { .. } => Fraction::one().minus(&self.sum_shares(self.odds.values.iter())).to_f64(),
            _ => 0.0,
        }
    }

    /// The probability of at least this value, not reduced.
    pub fn at_least(&self, value: usize) -> Option<&Fraction> {
        self.sums.get(value).map(|(at_least, _)| at_least)
    }

    /// The probability of at most this value, not reduced.
    pub fn at_most(&self, value: usize) -> Option<&Fraction> {
        self.sums.get(value).map(|(_, at_most)| at_most)
    }

    /// The mean and the variance of numbers, if they are known.
    pub fn mean_and_variance(&self) -> Option<(Fraction, Fraction)> {
        let known = Some(&self.odds).filter(|_| !self.has_bounds_only())?;
        Some((known.mean()?, known.variance()?))
    }

    /// A value as a number of halves, if it is a number.
    pub fn value_in_halves(&self, value: &ValueOdds) -> Option<i64> {
        match (&self.odds.shape, value.value.as_slice()) {
            (Shape::Number, [number]) => Some(i64::from(*number) * 2),
            (Shape::Halves, [halves]) => Some(i64::from(*halves)),
            _ => None,
        }
    }
}

/// The word for the reason that the work stopped.
pub fn reason_word(reason: Reason) -> &'static str {
    match reason {
        Reason::Time => "time",
        Reason::Memory => "memory",
        Reason::Interrupted => "interrupted",
    }
}
