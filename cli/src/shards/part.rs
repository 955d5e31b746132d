//! The share of divided work that a process does.
//!
//! `--shard 3/64` is part 3 of 64. The pieces of each part are computed from these two numbers, so that processes need not
//! communicate.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Maximum number of shards for which missing ones are named.
const MOST_NAMED: u64 = 1 << 20;

/// One shard of a division, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Part {
    number: u64,
    /// The number of parts.
    of: u64,
}

impl Part {
    /// The pieces of this part out of `all`. The sizes of parts differ by at most one.
    pub fn own_pieces(self, all: u64) -> Range<u64> {
        let up_to = |parts: u64| (u128::from(all) * u128::from(parts) / u128::from(self.of)) as u64;
        up_to(self.number)..up_to(self.number + 1)
    }

    /// The parts of the same division within some pieces; empty if there are too many to name. Only parts whose pieces are all
    /// among these count. `all` is the number of pieces of the whole run.
    pub fn parts_among(self, pieces: &Range<u64>, all: u64) -> Vec<Part> {
        if self.of > MOST_NAMED {
            return Vec::new();
        }
        let of = u128::from(self.of);
        let first = |piece: u64| (u128::from(piece) * of / u128::from(all.max(1))) as u64;
        // Parts at the edges, which may have pieces outside.
        let near = first(pieces.start)..=first(pieces.end.saturating_sub(1)).min(self.of - 1);
        let parts = near.map(|number| Part { number, ..self });
        parts
            .filter(|part| {
                let own = part.own_pieces(all);
                !own.is_empty() && pieces.start <= own.start && own.end <= pieces.end
            })
            .collect()
    }

    /// The file name `shard-03-of-64.json`. Names sort like shards.
    pub fn file_name(self) -> String {
        format!("shard-{}.json", self.number_text())
    }

    /// A file of this shard only: `games-03-of-64.parquet` for `games.parquet`.
    pub fn own_file(self, path: &Path) -> PathBuf {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let ending = path.extension().map_or(String::new(), |ending| format!(".{}", ending.to_string_lossy()));
        path.with_file_name(format!("{name}-{}{ending}", self.number_text()))
    }

    /// The numbers in names of files, padded to the width of the last part: `03-of-64`.
    fn number_text(self) -> String {
        let width = (self.of - 1).to_string().len();
        format!("{:0width$}-of-{}", self.number, self.of)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let (number, of): (u64, u64) =
            numbers.ok_or("write it as `3/64`: the shard, counted from 0, and the number of shards")?;
        match of {
            0 => Err("the number of shards must be at least 1".to_string()),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str) -> Part {
        text.parse().unwrap()
    }

    #[test]
    fn shards_divide_the_pieces_without_gaps() {
        for (all, of) in [(10, 3), (3, 7), (0, 2), (u64::MAX, 64), (64, 64), (100, 1)] {
            let mut next = 0;
            for number in 0..of {
                let pieces = Part { number, of }.own_pieces(all);
                assert_eq!(pieces.start, next);
                assert!(pieces.end - pieces.start <= all / of + 1);
                next = pieces.end;
            }
            assert_eq!(next, all);
        }
    }

    #[test]
    fn shards_are_counted_from_0() {
        assert_eq!(part("3/64").to_string(), "3/64");
        assert_eq!(part("3/64").file_name(), "shard-03-of-64.json");
        assert_eq!(part("0/1").file_name(), "shard-0-of-1.json");
        assert_eq!(part("3/64").own_file(Path::new("run/all.jsonl")), Path::new("run/all-03-of-64.jsonl"));
        for wrong in ["64/64", "1/0", "3", "3/", "-1/4", "a/b"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }
}
