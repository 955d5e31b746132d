//! One run shared out among processes or machines. Each plays a shard of the games and writes down what it counted; all shards
//! together are the run. Nothing is written down but whole numbers and words, so that the sum is that of one run, bit for bit.

use super::request::Request;
use super::tally::Tally;
use crate::whole_file::{Readers, replace, with_ending};
use ludex_engine::library::hash;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The form of the files.
const FORM: u32 = 1;

/// The most bytes of a file that is read.
const LONGEST: u64 = 64 << 20;

/// Which of how many shards, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Part {
    number: u64,
    of: u64,
}

/// What one shard has counted, and of what run it is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    ludex: u32,
    /// Of the program that played.
    pub version: String,
    /// Of the files of the game.
    pub package_hash: String,
    pub request: Request,
    pub shard: Part,
    /// The games that were played: the number of the first, and that of the first after them.
    games: (u64, u64),
    /// The numbers of the first games in which something went wrong.
    pub troubles: Vec<u64>,
    pub tally: Tally,
}

impl Part {
    /// The games of this part of so many. The parts differ by one game at most.
    pub fn games(self, all: u64) -> Range<u64> {
        let up_to = |parts: u64| (u128::from(all) * u128::from(parts) / u128::from(self.of)) as u64;
        up_to(self.number)..up_to(self.number + 1)
    }

    /// The parts of the same division that lie within some games.
    pub fn among(self, games: &Range<u64>, all: u64) -> Vec<Part> {
        let of = u128::from(self.of);
        let first = |game: u64| (u128::from(game) * of / u128::from(all.max(1))) as u64;
        let near = first(games.start)..=first(games.end.saturating_sub(1)).min(self.of - 1);
        let parts = near.map(|number| Part { number, ..self });
        parts
            .filter(|part| {
                !part.games(all).is_empty() && games.start <= part.games(all).start && part.games(all).end <= games.end
            })
            .collect()
    }

    /// `shard-03-of-64.json`: names sort as the shards do.
    fn file_name(self) -> String {
        let width = (self.of - 1).to_string().len();
        format!("shard-{:0width$}-of-{}.json", self.number, self.of)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let (number, of): (u64, u64) = numbers.ok_or("write it as `3/64`: the shard, counted from 0, and how many there are")?;
        match of {
            0 => Err("there is at least one shard".to_string()),
            _ if number >= of => Err(format!("shards are counted from 0: of {of} shards the last is `{}/{of}`", of - 1)),
            _ => Ok(Part { number, of }),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl From<Part> for String {
    fn from(part: Part) -> String {
        part.to_string()
    }
}

impl TryFrom<String> for Part {
    type Error = String;

    fn try_from(text: String) -> Result<Part, String> {
        text.parse()
    }
}

impl Shard {
    pub fn new(request: Request, package_hash: String, shard: Part, tally: Tally) -> Shard {
        let Range { start, end } = shard.games(request.games);
        Shard {
            ludex: FORM,
            version: env!("CARGO_PKG_VERSION").to_string(),
            package_hash,
            request,
            shard,
            games: (start, end),
            troubles: tally.troubles.iter().map(|trouble| trouble.index).collect(),
            tally,
        }
    }

    pub fn games(&self) -> Range<u64> {
        self.games.0..self.games.1
    }

    /// Writes the shard into a folder, whole or not at all. One that is there already is replaced: it has counted the same.
    pub fn write(&self, folder: &Path) -> io::Result<PathBuf> {
        fs::create_dir_all(folder)?;
        let path = folder.join(self.shard.file_name());
        let draft = with_ending(&path, &format!("{}.draft", std::process::id()));
        let line = serde_json::to_string(self).map_err(io::Error::other)?;
        let text = format!("{line}\n{}\n", hash(&line));
        replace(&path, &draft, &text, Readers::All).map(|()| path)
    }

    /// Reads the file of a shard; says what is wrong with it if it is none.
    pub fn read(path: &Path) -> Result<Shard, String> {
        let size = fs::metadata(path).map_err(|error| error.to_string())?.len();
        if size > LONGEST {
            return Err("it is too large".to_string());
        }
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let (line, digits) = text.split_once('\n').ok_or("it is cut off")?;
        if digits.trim_end() != hash(line) {
            return Err("what is in it is not what was written".to_string());
        }
        let shard: Shard = serde_json::from_str(line).map_err(|error| format!("it cannot be read: {error}"))?;
        match shard.ludex == FORM && shard.games() == shard.shard.games(shard.request.games) {
            true => Ok(shard),
            false => Err("it is not of this form".to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str) -> Part {
        text.parse().unwrap()
    }

    #[test]
    fn shards_divide_the_games_without_gaps() {
        for (all, of) in [(10, 3), (3, 7), (0, 2), (u64::MAX, 64), (64, 64), (100, 1)] {
            let mut next = 0;
            for number in 0..of {
                let games = Part { number, of }.games(all);
                assert_eq!(games.start, next);
                assert!(games.end - games.start <= all / of + 1);
                next = games.end;
            }
            assert_eq!(next, all);
        }
    }

    #[test]
    fn shards_are_counted_from_0() {
        assert_eq!(part("3/64").to_string(), "3/64");
        assert_eq!(part("3/64").file_name(), "shard-03-of-64.json");
        assert_eq!(part("0/1").file_name(), "shard-0-of-1.json");
        for wrong in ["64/64", "1/0", "3", "3/", "-1/4", "a/b"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }
}
