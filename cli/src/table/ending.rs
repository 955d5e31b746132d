//! The end of a game, in words.

use ludex_engine::problem::join_words;
use ludex_engine::runtime::{Outcome, OutcomeResult};

/// The result as the end of a sentence. `names` are the winners; `several` is true if their names need a plural verb, as those
/// of a team do.
pub fn ending_text(outcome: &Outcome, names: &[&str], several: bool) -> String {
    let winners = join_words(names, "and");
    let win = if several { "win" } else { "wins" };
    match outcome.result {
        OutcomeResult::Win => format!("{winners} {win} the game"),
        OutcomeResult::Tie => format!("the game is tied between {winners}"),
        OutcomeResult::Abandoned if names.is_empty() => "the game is given up".to_string(),
        OutcomeResult::Abandoned => format!("the game is given up, and {winners} {win}"),
        OutcomeResult::Nobody => "the game ends without a winner".to_string(),
        OutcomeResult::Capped => "the game ends without a winner: it has gone on for too long".to_string(),
    }
}

/// The payoff of a side, if the rules define one.
pub fn payoff_text(outcome: &Outcome, side: usize) -> Option<String> {
    let payoff = outcome.payoffs.as_ref()?.get(side)?;
    Some(format!("payoff {payoff}"))
}
