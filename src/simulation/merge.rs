//! The shards of a folder, put together to what one run would have counted.

use super::request::Request;
use super::shard::{Part, Shard};
use super::tally::Tally;
use super::trouble::MOST_TROUBLES;
use crate::layout::grouped;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What the shards of a folder come to.
#[derive(Debug)]
pub struct Merged {
    pub request: Request,
    pub package_hash: String,
    pub tally: Tally,
    /// The numbers of the first games in which something went wrong.
    pub troubles: Vec<u64>,
}

/// At most so many gaps, and so many files of each kind, are told.
const MOST_TOLD: usize = 20;

/// Adds up the shards of a folder, one after the other, so that it does not matter how many there are.
pub fn merged(folder: &Path) -> Result<Merged, Vec<Problem>> {
    let mut merging = Merging::default();
    for path in files(folder).map_err(|problem| vec![problem])? {
        merging.add(path);
    }
    merging.finish(folder)
}

/// The files that may be shards, by name. What is left of a shard that was being written when its process ended is none.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let unreadable = |error: std::io::Error| {
        let message = format!("`{}` cannot be read: {error}", folder.display());
        Problem::error(codes::FILE_UNREADABLE, message).help("name the folder that `ludex sim --shard` has written to")
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|ending| ending == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[derive(Default)]
struct Merging {
    /// What the first shard says of the run, and its file.
    first: Option<(Shard, PathBuf)>,
    tally: Option<Tally>,
    troubles: Vec<u64>,
    played: Vec<(Range<u64>, PathBuf)>,
    damaged: Vec<Problem>,
    foreign: Vec<Problem>,
}

impl Merging {
    fn add(&mut self, path: PathBuf) {
        let shard = match Shard::read(&path) {
            Ok(shard) => shard,
            Err(why) => {
                let message = format!("`{}` is no whole shard: {why}", path.display());
                let help = "delete it, and play that shard again";
                self.damaged.push(Problem::error(codes::SHARD_DAMAGED, message).help(help));
                return;
            }
        };
        if let Some(problem) = self.first.as_ref().and_then(|(first, of)| foreign(&shard, &path, first, of)) {
            self.foreign.push(problem);
            return;
        }
        self.played.push((shard.games(), path.clone()));
        self.troubles.extend(&shard.troubles);
        match &mut self.tally {
            Some(tally) => tally.add(shard.tally),
            None => {
                self.tally = Some(shard.tally.clone());
                self.first = Some((shard, path));
            }
        }
    }

    fn finish(mut self, folder: &Path) -> Result<Merged, Vec<Problem>> {
        let (Some((first, _)), Some(tally)) = (self.first, self.tally) else {
            let message = format!("there are no shards in `{}`", folder.display());
            let help = "`ludex sim GAME --shard 0/4 --out DIR` writes the first of four";
            let none = Problem::error(codes::SHARDS_INCOMPLETE, message).help(help);
            return Err(if self.damaged.is_empty() { vec![none] } else { told(self.damaged) });
        };
        let mut problems = told(self.damaged);
        problems.extend(told(self.foreign));
        let incomplete = uncovered(&mut self.played, first.request.games, first.shard);
        // What is missing may be in a file that cannot be read.
        if problems.is_empty() {
            problems.extend(told(incomplete));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        self.troubles.sort_unstable();
        self.troubles.truncate(MOST_TROUBLES);
        Ok(Merged { request: first.request, package_hash: first.package_hash, tally, troubles: self.troubles })
    }
}

/// The first of some problems of one kind.
fn told(mut problems: Vec<Problem>) -> Vec<Problem> {
    let more = problems.len().saturating_sub(MOST_TOLD);
    problems.truncate(MOST_TOLD);
    if let Some(last) = problems.last_mut().filter(|_| more > 0) {
        last.message.push_str(&format!(" (and {more} more like this)"));
    }
    problems
}

/// Says how a shard is of another run than the first one, if it is.
fn foreign(shard: &Shard, path: &Path, first: &Shard, of: &Path) -> Option<Problem> {
    let json = |shard: &Shard| serde_json::to_value(&shard.request).unwrap_or_default();
    let (one, other) = (json(shard), json(first));
    let keys = one.as_object().into_iter().flatten();
    let asked = keys.map(|(key, value)| (key.replace('_', "-"), value.to_string(), other[key.as_str()].to_string()));
    let files = ("the hash of the game's files".to_string(), shard.package_hash.clone(), first.package_hash.clone());
    let version = ("the version of Ludex".to_string(), shard.version.clone(), first.version.clone());
    let differs = asked.chain([files, version]).find(|(_, one, other)| one != other);
    differs.map(|(what, one, other)| {
        let message = format!("`{}` is of another run than `{}`: {what} is {one}, not {other}", path.display(), of.display());
        Problem::error(codes::SHARD_FOREIGN, message).help("keep the shards of each run in a folder of their own")
    })
}

/// The games that no shard has played, and those that several have.
fn uncovered(played: &mut [(Range<u64>, PathBuf)], all: u64, division: Part) -> Vec<Problem> {
    played.sort_by_key(|(games, _)| (games.start, games.end));
    let mut problems = Vec::new();
    let mut next = 0;
    let mut last: Option<&PathBuf> = None;
    for (games, path) in played.iter().filter(|(games, _)| !games.is_empty()) {
        if games.start > next {
            problems.push(missing(next..games.start, all, division));
        }
        if let Some(last) = last.filter(|_| games.start < next) {
            let twice = numbered(games.start..games.end.min(next));
            let message = format!("{twice} are in `{}` and in `{}`", last.display(), path.display());
            problems.push(Problem::error(codes::SHARDS_INCOMPLETE, message).help("delete one of the two files"));
        }
        if games.end >= next {
            (next, last) = (games.end, Some(path));
        }
    }
    if next < all {
        problems.push(missing(next..all, all, division));
    }
    problems
}

fn missing(games: Range<u64>, all: u64, division: Part) -> Problem {
    let parts = division.among(&games, all);
    let help = match parts.as_slice() {
        [] => "play the shards that have them".to_string(),
        [part] => format!("play `--shard {part}`"),
        [one, other] => format!("play `--shard {one}` and `--shard {other}`"),
        [first, .., last] => format!("play `--shard {first}` to `--shard {last}`"),
    };
    let verb = if games.end - games.start == 1 { "is" } else { "are" };
    let message = format!("{} {verb} missing", numbered(games));
    Problem::error(codes::SHARDS_INCOMPLETE, message).help(help)
}

/// `game 3`, `games 3 to 8`: as `sim` numbers them, from 0.
fn numbered(games: Range<u64>) -> String {
    match games.end.saturating_sub(games.start) {
        1 => format!("game {}", grouped(games.start)),
        _ => format!("games {} to {}", grouped(games.start), grouped(games.end.saturating_sub(1))),
    }
}
