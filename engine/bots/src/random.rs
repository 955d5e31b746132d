//! The bot to which every answer is equally likely.

use crate::player::Player;
use crate::rng::BotRng;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::{Choice, Decision, Session};

/// A bot that answers at random.
#[derive(Clone, Debug)]
pub struct Random {
    rng: BotRng,
}

impl Random {
    /// A bot that draws its answers from this stream.
    pub fn new(rng: BotRng) -> Random {
        Random { rng }
    }

    /// Returns a legal answer at random. Only the number of options matters.
    pub fn random_choice(&mut self, decision: &Decision) -> Choice {
        decision.answers().draw_answer(&mut self.rng)
    }
}

impl Player for Random {
    fn answer(&mut self, _session: &Session, decision: &Decision) -> Result<Choice, Box<Problem>> {
        Ok(self.random_choice(decision))
    }

    fn draw_stream(&mut self) -> Option<&mut BotRng> {
        Some(&mut self.rng)
    }

    fn draw_from(&mut self, rng: BotRng) {
        *self = Random::new(rng);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::runtime::Form;
    use std::collections::BTreeMap;

    /// How often each answer to a decision about three things was given.
    fn given(form: Form, may_pass: bool, answers: usize) -> Vec<u32> {
        let decision =
            Decision { id: 1, seat: 0, form, count: 3, may_pass, group: None, secret: false, veiled: false, forced: false };
        let mut random = Random::new(BotRng::new(9, 0));
        let mut seen = BTreeMap::new();
        for _ in 0..answers * 1_000 {
            *seen.entry(format!("{:?}", random.random_choice(&decision))).or_insert(0u32) += 1;
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
        let Choice::Amounts(amounts) = Random::new(BotRng::new(9, 1)).random_choice(&decision) else { panic!("amounts") };
        assert_eq!((amounts.len(), amounts.iter().sum::<i64>()), (500, 2_000_000_000));
    }
}
