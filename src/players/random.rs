//! The bot for which every answer is equally likely.

use super::player::Player;
use crate::rng::BotRng;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::arrange::{amounts_between, cuts};
use ludex_engine::runtime::{Choice, Decision, Form, Session};

#[derive(Clone, Debug)]
pub struct Random {
    rng: BotRng,
}

impl Random {
    pub fn new(rng: BotRng) -> Random {
        Random { rng }
    }

    /// Any legal answer; nothing but the number of options matters.
    #[inline]
    pub fn choose(&mut self, decision: &Decision) -> Choice {
        match decision.form {
            Form::One => Choice::Option(self.rng.below(decision.count)),
            Form::Some { min, max } => Choice::Options(subset(&mut self.rng, decision.count, min, max, decision.may_pass)),
            // Choosing none is as likely as any number; one more than the last stands for it.
            Form::Number { min, max } => match self.rng.between(min, max.saturating_add(i64::from(decision.may_pass))) {
                beyond if beyond > max => Choice::Options(Vec::new()),
                number => Choice::Number(number),
            },
            Form::Order if decision.may_pass && self.is_none(orders(decision.count)) => Choice::Options(Vec::new()),
            Form::Order => Choice::Options(self.rng.shuffled(decision.count)),
            Form::Split { total, step } => {
                let (row, size) = cuts(decision.count, total, step);
                match decision.may_pass && self.is_none(binomial(row, size)) {
                    true => Choice::Options(Vec::new()),
                    false => Choice::Amounts(amounts_between(&self.rng.sample(row, size), total, step)),
                }
            }
        }
    }

    /// Whether nothing is chosen, which is as likely as each of so many answers.
    fn is_none(&mut self, answers: f64) -> bool {
        self.rng.fraction() * (answers + 1.0) < 1.0
    }
}

impl Player for Random {
    #[inline]
    fn answer(&mut self, _session: &Session, decision: &Decision) -> Result<Choice, Box<Problem>> {
        Ok(self.choose(decision))
    }
}

/// A set of `least` to `most` of the numbers below `count`, each equally likely; with `or_none` the empty set is one more.
fn subset(rng: &mut BotRng, count: u64, least: u64, most: u64, or_none: bool) -> Vec<u64> {
    let most = most.min(count);
    let sizes = weights(count, least, most);
    let all = sizes.iter().sum::<f64>();
    // The weights are numbers of sets as multiples of how many there are of the least size.
    let none = if or_none { 1.0 / binomial(count, least) } else { 0.0 };
    let mut draw = rng.fraction() * (all + none);
    if draw >= all {
        return Vec::new();
    }
    let mut size = least;
    for weight in sizes {
        if draw < weight || size == most {
            break;
        }
        draw -= weight;
        size += 1;
    }
    rng.sample(count, size)
}

/// How many orders of so many things there are, as near as an `f64` can tell.
fn orders(count: u64) -> f64 {
    (1..=count).fold(1.0, |orders: f64, things| (orders * things as f64).min(1e200))
}

/// How many sets of a size there are, as near as an `f64` can tell.
fn binomial(count: u64, size: u64) -> f64 {
    (0..size).fold(1.0, |sets: f64, taken| (sets * (count - taken) as f64 / (taken + 1) as f64).min(1e200))
}

/// How many sets there are of each size from `least` to `most`, against those of size `least`.
fn weights(count: u64, least: u64, most: u64) -> Vec<f64> {
    let mut weight = 1.0f64;
    let mut weights = vec![weight];
    for size in least..most {
        // Held back from infinity, which only sets over hundreds of things can reach.
        weight = (weight * (count - size) as f64 / (size + 1) as f64).min(1e200);
        weights.push(weight);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn there_are_as_many_sets_as_counting_says() {
        assert_eq!(weights(4, 0, 4), [1.0, 4.0, 6.0, 4.0, 1.0]);
        assert_eq!(weights(4, 1, 2), [1.0, 1.5]);
        assert_eq!(weights(5, 2, 2), [1.0]);
    }

    #[test]
    fn every_legal_set_is_equally_likely() {
        let mut rng = BotRng::new(11, 0);
        let mut seen = BTreeMap::new();
        for _ in 0..14_000 {
            *seen.entry(subset(&mut rng, 4, 1, 3, false)).or_insert(0u32) += 1;
        }
        assert_eq!(seen.len(), 4 + 6 + 4);
        assert!(seen.values().all(|&times| (880..1120).contains(&times)), "{seen:?}");
    }

    #[test]
    fn choosing_nothing_is_as_likely_as_any_set() {
        let mut rng = BotRng::new(5, 0);
        let mut seen = BTreeMap::new();
        for _ in 0..7_000 {
            *seen.entry(subset(&mut rng, 4, 2, 2, true)).or_insert(0u32) += 1;
        }
        assert_eq!(seen.len(), 6 + 1);
        assert!(seen.values().all(|&times| (880..1120).contains(&times)), "{seen:?}");
    }

    /// How often each answer to a decision about three things was given.
    fn given(form: Form, may_pass: bool, answers: usize) -> Vec<u32> {
        let decision =
            Decision { id: 1, seat: 0, form, count: 3, may_pass, group: None, secret: false, veiled: false, forced: false };
        let mut random = Random::new(BotRng::new(9, 0));
        let mut seen = BTreeMap::new();
        for _ in 0..answers * 1_000 {
            *seen.entry(format!("{:?}", random.choose(&decision))).or_insert(0u32) += 1;
        }
        assert_eq!(seen.len(), answers, "{seen:?}");
        seen.into_values().collect()
    }

    #[test]
    fn every_order_and_every_division_is_equally_likely() {
        let split = Form::Split { total: 30, step: 10 };
        let all = [given(Form::Order, false, 6), given(Form::Order, true, 7), given(split, false, 10), given(split, true, 11)];
        assert!(all.iter().flatten().all(|&times| (880..1120).contains(&times)), "{all:?}");
    }

    #[test]
    fn a_large_total_is_divided_among_many() {
        let form = Form::Split { total: 2_000_000_000, step: 1 };
        let decision = Decision {
            id: 1,
            seat: 0,
            form,
            count: 500,
            may_pass: true,
            group: None,
            secret: false,
            veiled: false,
            forced: false,
        };
        let Choice::Amounts(amounts) = Random::new(BotRng::new(9, 1)).choose(&decision) else { panic!("amounts") };
        assert_eq!((amounts.len(), amounts.iter().sum::<i64>()), (500, 2_000_000_000));
    }

    #[test]
    fn a_set_over_many_things_is_still_legal() {
        let size = subset(&mut BotRng::new(2, 0), 5_000, 1, 5_000, false).len();
        assert!((1..=5_000).contains(&size));
    }
}
