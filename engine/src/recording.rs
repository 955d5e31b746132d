//! What was played, in a form that plays it again: the save, the replay, the undo stack and the bug report in one.
//!
//! A recording is lines of JSON. The first says what was played and from which seed, each further one is one answer
//! by key, one throw of real dice, one take-back, one secret pick withdrawn or one resignation, and the last, when play
//! is over, says how it ended. Each bears a checksum that ties it to those before ([`Chain`]). [`Recording::parse`]
//! reads the file as far as it is sound, [`RecordedSession`] is a session that is written down as it is played, and
//! [`replay`] plays a recording again.
//!
//! A session that is recorded can be taken back, which plays a recording again: so `session`, `entries`, `history`, `retrace` and
//! `replay` use each other.

mod chain;
mod digest;
mod ending;
mod entries;
mod history;
mod parse;
mod replay;
mod retrace;
mod session;
mod shares;
#[cfg(test)]
mod tests;

pub use chain::Chain;
pub use digest::{Digest, commitment, fresh_seed, seed_of_bots};
pub use ending::{Ending, OutcomeRecord, result_word};
pub use entries::Entries;
pub use parse::{Contents, LONGEST_LINE, MOST_BYTES, Reader, Reading, check_length};
pub use replay::{Divergence, Replay, package_warning, replay};
pub use retrace::{Given, Way};
pub use session::{AnswerError, RecordedSession, Step, TakeBack};
pub use shares::{LONGEST_SHARE, Share, Shares, commitment_to_share, is_share};

use crate::runtime::{Dice, Seed, Setup};
use ludex_compiler::position::Position;
use ludex_program::{Parent, Program};
use ludex_syntax::problem::Problem;
use ludex_syntax::yaml::Node;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// The format that is written.
pub const FORMAT: u32 = 2;

/// The first format, which is read for ever: its lines bear no checksums, and secret picks stand in it only once their
/// whole group had picked.
pub const FIRST_FORMAT: u32 = 1;

/// A recording as it was read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The first line.
    pub header: Header,
    /// What was done since, in order.
    pub entries: Vec<Entry>,
    /// How play ended; none while it goes on.
    pub ending: Option<Ending>,
}

/// The first line: all it takes to start the same session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The number of the format, from [`FIRST_FORMAT`] to [`FORMAT`].
    #[serde(rename = "ludex-recording")]
    pub format: u32,
    /// The version of Ludex that played.
    pub ludex: String,
    /// What makes seeded results; another name than its seed has today means that it no longer gives the same dice.
    pub generator: String,
    /// The id of the game.
    pub game: String,
    /// The mode: `standard`, unless another one was chosen.
    pub mode: String,
    /// Every option of the game, in declared order: a whole number or a word.
    #[serde(deserialize_with = "options")]
    pub options: serde_json::Map<String, serde_json::Value>,
    /// As [`Program::hash`].
    pub package_hash: String,
    /// What a package extends, the game itself first, each with the hash over its own files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<Parent>,
    /// Hashes of the files the game was compiled from, by path.
    pub files: BTreeMap<String, String>,
    /// For each side the ids of its entrants.
    pub sides: Vec<Vec<String>>,
    /// Who sat where, by seat.
    pub seats: Vec<SeatRecord>,
    /// What the players of the sides were called, in the order of the sides; empty for a side without a name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The text of the position file play began from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The entry it began at, with what the procedures around it were given: `actions(active: 1) in turn(active: 1)`. Where
    /// a position has an entry and this is missing, the recording is of a time when 0 stood for all of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// What chance started from.
    pub seed: Seed,
    /// What the seed was made of, if those who play have put something in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shares: Option<Shares>,
    /// What hides the seed in the commitment, see [`commitment`].
    pub salt: String,
    /// Whether chance came from the seed.
    #[serde(default)]
    pub dice: DiceRecord,
    /// Whether copies of pieces exchange their numbers when they are shuffled out of somebody's sight. They do where nobody can
    /// foretell chance; recordings that do not say so are of a time when pieces kept their numbers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub renumbers: bool,
}

/// What programs read of options: nothing but whole numbers and words comes out as it went in.
fn options<'de, D: Deserializer<'de>>(from: D) -> Result<serde_json::Map<String, serde_json::Value>, D::Error> {
    let options = serde_json::Map::deserialize(from)?;
    match options.iter().find(|(_, value)| !value.is_string() && !value.is_i64()) {
        Some((name, _)) => Err(D::Error::custom(format!("the option `{name}` is neither a whole number nor a word"))),
        None => Ok(options),
    }
}

/// Who sat where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatRecord {
    /// Its number, from 0: sides first, then the referee.
    pub seat: usize,
    /// None for the referee's seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<usize>,
    /// The ids of what the side brought.
    pub entrants: Vec<String>,
    /// `human`, `stdin`, or the name of a bot.
    pub player: String,
}

impl Header {
    /// The seats of people.
    pub fn people(&self) -> Vec<usize> {
        let is_person = |seat: &&SeatRecord| matches!(&*seat.player, "human" | "stdin");
        self.seats.iter().filter(is_person).map(|seat| seat.seat).collect()
    }
}

/// Where results of chance came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiceRecord {
    /// From the seed.
    #[default]
    Seeded,
    /// From this list, in order.
    Listed(Vec<i64>),
    /// Each throw is an entry of its own, unless only one result is possible.
    #[serde(rename = "thrown")]
    External,
    /// Each throw is an entry of its own. Recordings were like this before certain results stopped being asked for.
    #[serde(rename = "external")]
    ExternalAll,
}

/// One line after the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Entry {
    /// A seat answered a decision.
    Answer {
        /// The number of the decision.
        decision: u64,
        /// Who answered.
        seat: usize,
        /// The key of the answer.
        key: String,
    },
    /// Results of chance that were given from outside.
    Thrown {
        /// The number of the throw, see [`crate::runtime::RandomRequest::id`].
        random: u64,
        /// One result for each draw.
        result: Vec<i64>,
    },
    /// A seat went back to where it gave the answer in entry `to` (from 1).
    TakenBack {
        /// Who went back, and where to.
        undo: TakeBack,
    },
    /// A seat took a secret pick back while others of the group still picked.
    Withdrawn {
        /// The seat.
        withdraw: usize,
    },
    /// A seat gave up.
    Resigned {
        /// The seat.
        resign: usize,
    },
}

/// All lines of a recording, and the chain that a further line goes on with.
pub fn text(header: &Header, entries: &[Entry], ending: Option<&Ending>) -> (String, Chain) {
    let mut chain = Chain::default();
    let mut text = chain.seal(&header.to_line());
    for entry in entries {
        text.push_str(&chain.seal(&entry.to_line()));
    }
    text.extend(ending.map(|ending| chain.seal(&ending.to_line())));
    (text, chain)
}

impl Header {
    /// The first line for a session that is about to start.
    pub fn new(program: &Program, setup: &Setup, seats: Vec<SeatRecord>, salt: String) -> Header {
        Header {
            format: FORMAT,
            ludex: env!("CARGO_PKG_VERSION").to_string(),
            generator: setup.seed.generator_name().to_string(),
            game: program.game.clone(),
            mode: program.mode.clone(),
            options: crate::json::options(program),
            package_hash: program.hash.clone(),
            parents: program.parents.clone(),
            files: program.files.iter().cloned().collect(),
            sides: setup.sides.clone(),
            seats,
            names: setup.names.clone(),
            position: None,
            entry: setup.position.as_ref().and_then(|position| position.at.as_ref()).map(|entry| entry.words(program)),
            seed: setup.seed,
            shares: None,
            salt,
            dice: DiceRecord::from(&setup.dice),
            renumbers: !setup.seed.is_foreseeable(),
        }
    }

    /// What to start a session from. The position's text is read by whoever knows the game's words.
    pub(crate) fn setup(&self, position: Option<Position>) -> Setup {
        Setup {
            sides: self.sides.clone(),
            seed: self.seed,
            dice: Dice::from(&self.dice),
            position,
            names: self.names.clone(),
            watched: true,
        }
    }

    /// Reads the position that play began from as it was read then.
    pub fn read_position(&self, node: &Node, program: &Program, problems: &mut Vec<Problem>) -> Option<Position> {
        match self.entry {
            Some(_) => Position::read(node, program, problems),
            None => Position::read_with_zeros(node, program, problems),
        }
    }

    /// What may be shown before play without telling the seed, or the table's share of it.
    pub fn commitment(&self) -> String {
        match &self.shares {
            Some(shares) => commitment(&shares.own, &self.salt),
            None => commitment(self.seed, &self.salt),
        }
    }

    /// The options in the words in which they are given on the command line.
    pub fn option_words(&self) -> BTreeMap<String, String> {
        let word = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
        self.options.iter().map(|(name, value)| (name.clone(), word(value))).collect()
    }

    /// As one line with its line end, and without its checksum.
    pub fn to_line(&self) -> String {
        line(self)
    }
}

impl Entry {
    /// As one line with its line end, and without its checksum.
    pub fn to_line(&self) -> String {
        line(self)
    }
}

impl From<&Dice> for DiceRecord {
    fn from(dice: &Dice) -> DiceRecord {
        match dice {
            Dice::Seeded => DiceRecord::Seeded,
            Dice::Listed(results) => DiceRecord::Listed(results.clone()),
            Dice::External => DiceRecord::External,
            Dice::ExternalAll => DiceRecord::ExternalAll,
        }
    }
}

impl From<&DiceRecord> for Dice {
    fn from(dice: &DiceRecord) -> Dice {
        match dice {
            DiceRecord::Seeded => Dice::Seeded,
            DiceRecord::Listed(results) => Dice::Listed(results.clone()),
            DiceRecord::External => Dice::External,
            DiceRecord::ExternalAll => Dice::ExternalAll,
        }
    }
}

fn line(value: &impl Serialize) -> String {
    // Maps with words as keys, numbers and strings: nothing in them can fail to be written.
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}
