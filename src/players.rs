//! Who answers for a seat, apart from people: bots that know no game and see no more than their seat.

pub mod greedy;
pub mod random;
pub mod stream;

use greedy::Greedy;
use ludex_engine::problem::nearest;
use ludex_engine::runtime::{Choice, Decision, Session};
use random::Random;
use std::fmt;
use std::str::FromStr;
use stream::Stream;

/// Answers the decisions of one seat.
pub trait Player {
    /// A legal answer to an open decision of its seat. A bot may look at the session only through what the
    /// seat may know: its view, the options, and sessions imagined from them.
    fn answer(&mut self, session: &Session, decision: &Decision) -> Choice;
}

/// The player that a seat asks for, as the command line writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PlayerKind {
    /// Somebody at the terminal, or at the other end of a pipe.
    #[default]
    Human,
    /// Every option equally likely.
    Random,
    /// Looks at what may come of each option.
    Greedy,
    /// A procedure of the rules that answers each decision.
    Policy(String),
    /// Another program, spoken to over its input and output.
    Exec(String),
}

/// The words that [`PlayerKind`] is written in.
const KINDS: [&str; 5] = ["human", "random", "greedy", "policy", "exec"];

/// Why there is no such player, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPlayer {
    pub message: String,
    pub help: String,
}

impl PlayerKind {
    /// The bot for a seat; each seat of each session draws from a stream of its own.
    pub fn bot(&self, seed: u64, seat: usize) -> Result<Box<dyn Player>, NoPlayer> {
        let stream = Stream::new(seed, seat as u64);
        match self {
            PlayerKind::Random => Ok(Box::new(Random::new(stream))),
            PlayerKind::Greedy => Ok(Box::new(Greedy::new(stream))),
            PlayerKind::Human => Err(NoPlayer::new("a human cannot answer for a seat here")),
            PlayerKind::Policy(_) => Err(NoPlayer::new("policies cannot be used as players yet")),
            PlayerKind::Exec(_) => Err(NoPlayer::new("other programs cannot be used as players yet")),
        }
    }

    /// Whether a person is asked.
    pub fn is_human(&self) -> bool {
        *self == PlayerKind::Human
    }
}

impl NoPlayer {
    fn new(message: impl Into<String>) -> NoPlayer {
        NoPlayer { message: message.into(), help: "use `random` or `greedy`".to_string() }
    }
}

impl FromStr for PlayerKind {
    type Err = NoPlayer;

    fn from_str(text: &str) -> Result<PlayerKind, NoPlayer> {
        let (word, name) = text.split_once('=').unwrap_or((text, ""));
        match (word, name) {
            ("human", "") => Ok(PlayerKind::Human),
            ("random", "") => Ok(PlayerKind::Random),
            ("greedy", "") => Ok(PlayerKind::Greedy),
            ("policy" | "exec", "") => Err(NoPlayer {
                message: format!("`{word}` needs a name"),
                help: format!("write `{word}=NAME`"),
            }),
            ("policy", name) => Ok(PlayerKind::Policy(name.to_string())),
            ("exec", program) => Ok(PlayerKind::Exec(program.to_string())),
            _ => Err(unknown(text, word)),
        }
    }
}

fn unknown(text: &str, word: &str) -> NoPlayer {
    let help = match nearest(word, KINDS) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "players are `human`, `random`, `greedy`, `policy=NAME` and `exec=PROGRAM`".to_string(),
    };
    NoPlayer { message: format!("there is no player `{text}`"), help }
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerKind::Human => f.write_str("human"),
            PlayerKind::Random => f.write_str("random"),
            PlayerKind::Greedy => f.write_str("greedy"),
            PlayerKind::Policy(name) => write!(f, "policy={name}"),
            PlayerKind::Exec(program) => write!(f, "exec={program}"),
        }
    }
}

impl fmt::Display for NoPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl std::error::Error for NoPlayer {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_written_as_they_are_read() {
        for text in ["human", "random", "greedy", "policy=careful", "exec=./bot"] {
            assert_eq!(text.parse::<PlayerKind>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_misspelt_player_is_told_the_right_word() {
        assert_eq!("gredy".parse::<PlayerKind>().unwrap_err().help, "did you mean `greedy`?");
        assert_eq!("policy=".parse::<PlayerKind>().unwrap_err().message, "`policy` needs a name");
        assert!("random=3".parse::<PlayerKind>().is_err());
    }

    #[test]
    fn only_bots_answer_by_themselves() {
        assert!(PlayerKind::Random.bot(1, 0).is_ok());
        assert!(PlayerKind::Human.bot(1, 0).is_err());
        assert!(PlayerKind::Policy("careful".into()).bot(1, 0).is_err());
    }
}
