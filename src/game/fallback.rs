//! What is answered for a bot whose answer made the rules or an ability fail.

use ludex_engine::runtime::{Choice, Decision, Form};

/// How many other answers are tried for a bot whose answer made an ability fail.
const MOST_TRIES: u64 = 1000;

/// The simplest answers to a decision, in order.
pub fn plain_answers(decision: &Decision) -> Box<dyn Iterator<Item = Choice> + '_> {
    match decision.form {
        Form::One => Box::new((0..decision.count.min(MOST_TRIES)).map(Choice::Option)),
        Form::Some { min, .. } => Box::new(std::iter::once(Choice::Options((0..min).collect()))),
        Form::Number { min, max } => Box::new((min..=max).take(MOST_TRIES as usize).map(Choice::Number)),
        Form::Order => {
            let order = |first: u64| Choice::Options((first..decision.count).chain(0..first).collect());
            Box::new((0..decision.count.min(MOST_TRIES)).map(order))
        }
        Form::Split { total, .. } => {
            let places = 0..decision.count;
            let all_for =
                move |chosen: u64| Choice::Amounts(places.clone().map(|place| if place == chosen { total } else { 0 }).collect());
            Box::new((0..decision.count.min(MOST_TRIES)).map(all_for))
        }
    }
}
