//! The last line of a finished recording.
//!
//! `session` makes it once play is over, and a replay compares it with its own end.

use crate::recording::digest::Digest;
use crate::runtime::{Outcome, OutcomeResult, Payoff};
use ludex_syntax::problem::join_words;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The end of play, with a digest of everything that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// The outcome.
    pub outcome: OutcomeRecord,
    /// See [`Digest::event_count`].
    pub events: u64,
    /// See [`Digest::digest_text`].
    pub digest: String,
}

/// The outcome without scores and texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeRecord {
    /// `win`, `tie`, `nobody`, `abandoned` or `capped`.
    pub result: String,
    /// The sides that won.
    pub winners: Vec<usize>,
    /// The payoff of each side, if the rules define payoffs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payoffs: Option<Vec<Payoff>>,
}

impl OutcomeRecord {
    /// Whether a recorded outcome means the same as this one, which a replay has found. Before the result `nobody` existed, it
    /// was written `capped`.
    pub fn agrees_with(&self, recorded: &OutcomeRecord) -> bool {
        let [nobody, capped] = [OutcomeResult::Nobody, OutcomeResult::Capped].map(result_word);
        let is_older = self.result == nobody && recorded.result == capped;
        self == recorded || is_older && (&self.winners, &self.payoffs) == (&recorded.winners, &recorded.payoffs)
    }
}

impl Ending {
    /// The ending of a play with this digest.
    pub fn new(outcome: &Outcome, digest: &Digest) -> Ending {
        Ending {
            outcome: OutcomeRecord {
                result: result_word(outcome.result).to_string(),
                winners: outcome.winners.clone(),
                payoffs: outcome.payoffs.clone(),
            },
            events: digest.event_count(),
            digest: digest.digest_text(),
        }
    }

    /// One line with its line end, without its checksum.
    pub fn to_line(&self) -> String {
        crate::recording::to_json_line(self)
    }
}

impl fmt::Display for OutcomeRecord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides: Vec<String> = self.winners.iter().map(|side| format!("side {side}")).collect();
        match sides.is_empty() {
            true => write!(formatter, "the result is `{}`", self.result)?,
            false => write!(formatter, "the result is `{}` for {}", self.result, join_words(&sides, "and"))?,
        }
        let Some(payoffs) = &self.payoffs else { return Ok(()) };
        let payoffs: Vec<String> = payoffs.iter().map(Payoff::to_string).collect();
        write!(formatter, " with payoffs {}", join_words(&payoffs, "and"))
    }
}

/// The protocol's word for a result.
pub fn result_word(result: OutcomeResult) -> &'static str {
    match result {
        OutcomeResult::Win => "win",
        OutcomeResult::Tie => "tie",
        OutcomeResult::Abandoned => "abandoned",
        OutcomeResult::Nobody => "nobody",
        OutcomeResult::Capped => "capped",
    }
}
