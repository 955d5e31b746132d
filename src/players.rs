//! Who answers for a seat, apart from people: bots that know no game and see no more than their seat.

pub mod greedy;
pub mod random;
pub mod stream;

use crate::cli::PlayerSpec;
use greedy::Greedy;
use ludex_engine::runtime::{Choice, Decision, Session};
use random::Random;
use stream::Stream;

/// Answers the decisions of one seat.
pub trait Player {
    /// A legal answer to an open decision of its seat. A bot may look at the session only through what the
    /// seat may know: its view, the options, and sessions imagined from them.
    fn answer(&mut self, session: &Session, decision: &Decision) -> Choice;
}

/// Why there is no such player, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPlayer {
    pub message: String,
    pub help: String,
}

/// The bot for a seat; each seat of each session draws from a stream of its own.
pub fn bot(player: &PlayerSpec, seed: u64, seat: usize) -> Result<Box<dyn Player>, NoPlayer> {
    let stream = Stream::new(seed, seat as u64);
    match player {
        PlayerSpec::Random => Ok(Box::new(Random::new(stream))),
        PlayerSpec::Greedy => Ok(Box::new(Greedy::new(stream))),
        PlayerSpec::Human => Err(NoPlayer::new("nobody is asked here, so no human can play")),
        PlayerSpec::Policy(name) => Err(NoPlayer::new(format!("the policy `{name}` cannot be a player yet"))),
        PlayerSpec::Exec(program) => Err(NoPlayer::new(format!("the program `{program}` cannot be a player yet"))),
    }
}

impl NoPlayer {
    fn new(message: impl Into<String>) -> NoPlayer {
        NoPlayer { message: message.into(), help: "the players `random` and `greedy` answer by themselves".to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bots_answer_by_themselves() {
        assert!(bot(&PlayerSpec::Random, 1, 0).is_ok());
        assert!(bot(&PlayerSpec::Greedy, 1, 0).is_ok());
        assert!(bot(&PlayerSpec::Human, 1, 0).is_err());
        assert!(bot(&PlayerSpec::Policy("careful".into()), 1, 0).is_err());
    }
}
