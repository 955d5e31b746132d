//! Several options at once, an order and amounts: which choice they make, for whoever has written their numbers.

use ludex_engine::runtime::arrange::{wrong_amounts, wrong_order};
use ludex_engine::runtime::{Choice, Decision, Form};
use std::collections::BTreeSet;

/// Why some options are no answer. Who has read them says it in the words in which they were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// One of them is named twice.
    Twice,
    /// An order has to name each.
    Incomplete(String),
    /// More or fewer than are to be chosen, or another form of answer is wanted.
    Count,
}

/// The choice of these options, which are numbered from 0.
pub fn options(decision: &Decision, indexes: Vec<u64>) -> Result<Choice, Unfit> {
    let different: BTreeSet<u64> = indexes.iter().copied().collect();
    if different.len() < indexes.len() {
        return Err(Unfit::Twice);
    }
    match decision.form {
        // Only an order is told by how they stand.
        Form::Order => match wrong_order(&indexes, decision.count) {
            Some(reason) => Err(Unfit::Incomplete(reason)),
            None => Ok(Choice::Options(indexes)),
        },
        Form::Some { min, max } if (min..=max).contains(&(indexes.len() as u64)) => {
            Ok(Choice::Options(different.into_iter().collect()))
        }
        _ => Err(Unfit::Count),
    }
}

/// The choice of amounts, one for each of so many things.
pub fn amounts(count: u64, total: i64, step: i64, amounts: &[i64]) -> Result<Choice, String> {
    wrong_amounts(amounts, count, total, step).map_or_else(|| Ok(Choice::Amounts(amounts.to_vec())), Err)
}
