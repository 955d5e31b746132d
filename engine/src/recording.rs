//! A played game in a form that can be replayed: the save file, the replay, the undo stack and the bug report in one.
//!
//! A recording is lines of JSON. The first line says which game was played and from which seed. Each further line is one answer
//! by key, one throw of real dice, one take-back, one withdrawn secret pick or one resignation. The last line, once play is over,
//! says how it ended. Each line has a checksum that ties it to the lines before ([`Chain`]). [`Recording::parse`] reads the file
//! as far as it is intact, [`RecordedSession`] is a session that is recorded as it is played, and [`replay_recording`] plays a
//! recording again.
//!
//! Taking back moves in a recorded session replays its recording: so `session`, `entries`, `history`, `retrace` and `replay` use
//! each other.
//!
//! A *key* is the text of an answer within a decision. A *share* is a text that a player contributes to the seed. A *secret pick*
//! is an answer that stays hidden until all seats of its group have answered. The command's `game` writes recordings and reopens
//! them; `replay` and `retelling` play them again.

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
pub use digest::{Digest, commitment_to_seed, fresh_seed, seed_of_bots};
pub use ending::{Ending, OutcomeRecord, result_word};
pub use entries::Entries;
pub use parse::{Contents, LONGEST_LINE, MOST_BYTES, ParsedRecording, Reader, check_length};
pub use replay::{Divergence, Replay, package_warning, replay_recording};
pub use retrace::{PathAnswer, ShortestPath};
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

/// The current format, in which recordings are written.
pub const FORMAT: u32 = 2;

/// The first format, which stays readable for ever. Its lines have no checksums, and secret picks are recorded only once their
/// whole group has picked.
pub const FIRST_FORMAT: u32 = 1;

/// A recording as read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The first line.
    pub header: Header,
    /// The entries after the header, in order.
    pub entries: Vec<Entry>,
    /// The end of play; `None` while it goes on.
    pub ending: Option<Ending>,
}

/// The first line: everything needed to start the same session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The number of the format, from [`FIRST_FORMAT`] to [`FORMAT`].
    #[serde(rename = "ludex-recording")]
    pub format: u32,
    /// The version of Ludex that wrote the recording.
    pub ludex: String,
    /// The name of the random generator. If the generator of the seed has another name today, it no longer gives the same dice.
    pub generator: String,
    /// The id of the game.
    pub game: String,
    /// The mode: `standard`, unless another one was chosen.
    pub mode: String,
    /// Every option of the game, in declared order: a whole number or a word.
    #[serde(deserialize_with = "read_options")]
    pub options: serde_json::Map<String, serde_json::Value>,
    /// See [`Program::hash`].
    pub package_hash: String,
    /// The packages that the game extends, the base game first, each with the hash of its own files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<Parent>,
    /// Hashes of the source files of the game, by path.
    pub files: BTreeMap<String, String>,
    /// The ids of the entrants of each side.
    pub sides: Vec<Vec<String>>,
    /// The players, by seat.
    pub seats: Vec<SeatRecord>,
    /// The names of the players, in the order of the sides; empty for a side without a name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The text of the position file from which play began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The position's entry point, with the arguments of its procedures: `actions(active: 1) in turn(active: 1)`. If a position
    /// has an entry and this field is missing, the recording is from a version that passed 0 for every argument.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// The seed of all chance.
    pub seed: Seed,
    /// The shares that the seed was made from, if the players contributed any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shares: Option<Shares>,
    /// The salt that hides the seed in the commitment, see [`commitment_to_seed`].
    pub salt: String,
    /// The source of chance.
    #[serde(default)]
    pub dice: DiceRecord,
    /// Whether copies of pieces exchange their numbers when they are shuffled out of a player's sight. They do if chance
    /// cannot be predicted. In older recordings, which lack this field, pieces kept their numbers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub renumbers: bool,
}

/// Reads options for [`Header::options`]. Accepts only whole numbers and words, so that they are written back as they were read.
fn read_options<'de, D: Deserializer<'de>>(from: D) -> Result<serde_json::Map<String, serde_json::Value>, D::Error> {
    let options = serde_json::Map::deserialize(from)?;
    match options.iter().find(|(_, value)| !value.is_string() && !value.is_i64()) {
        Some((name, _)) => Err(D::Error::custom(format!("the option `{name}` is neither a whole number nor a word"))),
        None => Ok(options),
    }
}

/// The player of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatRecord {
    /// The seat number, from 0: sides first, then the referee.
    pub seat: usize,
    /// The side; `None` for the referee's seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<usize>,
    /// The ids of the side's entrants.
    pub entrants: Vec<String>,
    /// `human`, `stdin`, or the name of a bot.
    pub player: String,
}

impl Header {
    /// The seats of human players.
    pub fn human_seats(&self) -> Vec<usize> {
        let is_person = |seat: &&SeatRecord| matches!(&*seat.player, "human" | "stdin");
        self.seats.iter().filter(is_person).map(|seat| seat.seat).collect()
    }
}

/// The source of results of chance.
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
    /// Each throw is an entry of its own. Older recordings have entries even for throws with only one possible result.
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
        /// The seat that answered.
        seat: usize,
        /// The key of the answer.
        key: String,
    },
    /// Results of chance that were supplied from outside.
    Thrown {
        /// The number of the throw, see [`crate::runtime::RandomRequest::id`].
        random: u64,
        /// One result for each draw.
        result: Vec<i64>,
    },
    /// A seat went back to the state before its answer in entry `to` (from 1).
    TakenBack {
        /// The seat that went back, and the entry it went back to.
        undo: TakeBack,
    },
    /// A seat withdrew its secret pick while others of the group were still picking.
    Withdrawn {
        /// The seat.
        withdraw: usize,
    },
    /// A seat resigned.
    Resigned {
        /// The seat.
        resign: usize,
    },
}

/// All lines of a recording, and the chain for further lines.
pub fn recording_text(header: &Header, entries: &[Entry], ending: Option<&Ending>) -> (String, Chain) {
    let mut chain = Chain::default();
    let mut text = chain.seal_line(&header.to_line());
    for entry in entries {
        text.push_str(&chain.seal_line(&entry.to_line()));
    }
    text.extend(ending.map(|ending| chain.seal_line(&ending.to_line())));
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
            options: crate::json::game_options_json(program),
            package_hash: program.hash.clone(),
            parents: program.parents.clone(),
            files: program.files.iter().cloned().collect(),
            sides: setup.sides.clone(),
            seats,
            names: setup.names.clone(),
            position: None,
            entry: setup.position.as_ref().and_then(|position| position.at.as_ref()).map(|entry| entry.entry_text(program)),
            seed: setup.seed,
            shares: None,
            salt,
            dice: DiceRecord::from(&setup.dice),
            renumbers: !setup.seed.is_foreseeable(),
        }
    }

    /// The setup of the session. The caller, who knows the game's words, reads the position's text.
    pub(crate) fn session_setup(&self, position: Option<Position>) -> Setup {
        Setup {
            sides: self.sides.clone(),
            seed: self.seed,
            dice: Dice::from(&self.dice),
            position,
            names: self.names.clone(),
            watched: true,
        }
    }

    /// Reads the position that play began from, by the rules of the recording's version.
    pub fn read_position(&self, node: &Node, program: &Program, problems: &mut Vec<Problem>) -> Option<Position> {
        match self.entry {
            Some(_) => Position::read(node, program, problems),
            None => Position::read_with_zeros(node, program, problems),
        }
    }

    /// A hash that can be published before play without revealing the seed, or the table's share of it.
    pub fn published_commitment(&self) -> String {
        match &self.shares {
            Some(shares) => commitment_to_seed(&shares.own, &self.salt),
            None => commitment_to_seed(self.seed, &self.salt),
        }
    }

    /// The options in the words of the command line.
    pub fn option_texts(&self) -> BTreeMap<String, String> {
        let word = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
        self.options.iter().map(|(name, value)| (name.clone(), word(value))).collect()
    }

    /// One line with its line end, without its checksum.
    pub fn to_line(&self) -> String {
        to_json_line(self)
    }
}

impl Entry {
    /// One line with its line end, without its checksum.
    pub fn to_line(&self) -> String {
        to_json_line(self)
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

/// A value as one line of JSON, with its line end.
fn to_json_line(value: &impl Serialize) -> String {
    // Maps with string keys, numbers and strings: serialising them cannot fail.
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}
