//! Merges the shards of a folder into the counts of a single run.
//!
//! The shards must be those of one run, and together have every piece exactly once; anything else is a problem. Only the verb
//! `merge` calls this.

use super::{Divisible, MergeableCounts, Part, Pieces, Shard};
use crate::layout::group_digits;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The merged shards of a folder.
#[derive(Debug)]
pub struct MergedCounts<D: Divisible> {
    pub request: D,
    pub package_hash: String,
    pub counted: D::Counted,
}

/// Maximum number of gaps, and of files of each kind, in a report.
const MOST_TOLD: usize = 20;

/// The verb of the first valid shard in a folder; `None` if there is none.
pub fn find_verb(folder: &Path) -> Result<Option<String>, Problem> {
    Ok(shard_files(folder)?.iter().find_map(|path| Shard::read_shard(path).ok()).map(|shard| shard.verb))
}

/// Adds up the shards of a folder one by one, so that their number does not matter.
pub fn merge_folder<D: Divisible>(folder: &Path) -> Result<MergedCounts<D>, Vec<Problem>> {
    let mut merging = ShardMerger::new();
    for path in shard_files(folder).map_err(|problem| vec![problem])? {
        merging.add_file(path);
    }
    merging.finish_merge(folder)
}

/// The possible shards, by name. Drafts left by a process that ended while writing are skipped.
fn shard_files(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let unreadable = |error: std::io::Error| {
        let message = format!("`{}` cannot be read: {error}", folder.display());
        Problem::error(codes::FILE_UNREADABLE, message).help("name the folder that a verb with `--shard` has written to")
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

/// A merge in progress, to which files are added one by one.
struct ShardMerger<D: Divisible> {
    /// The first shard without its counts, its file, and its request.
    first: Option<(Shard, PathBuf, D)>,
    /// The sum so far.
    counted: Option<D::Counted>,
    /// The pieces of each shard that counts, and its file.
    done: Vec<(Range<u64>, PathBuf)>,
    /// Problems of files that are no complete shard.
    damaged: Vec<Problem>,
    /// Problems of shards of another run.
    foreign: Vec<Problem>,
}

impl<D: Divisible> ShardMerger<D> {
    fn new() -> ShardMerger<D> {
        ShardMerger { first: None, counted: None, done: Vec::new(), damaged: Vec::new(), foreign: Vec::new() }
    }

    fn add_file(&mut self, path: PathBuf) {
        if let Err(why) = Shard::read_shard(&path).and_then(|shard| self.add_shard(shard, &path)) {
            let message = format!("`{}` is not a complete shard: {why}", path.display());
            let help = format!("delete it, and {} that shard again", D::PIECES.done);
            self.damaged.push(Problem::error(codes::SHARD_DAMAGED, message).help(help));
        }
    }

    /// Adds a shard. The error says why it does not count at all.
    fn add_shard(&mut self, mut shard: Shard, path: &Path) -> Result<(), String> {
        if let Some(problem) = self.first.as_ref().and_then(|(first, of, _)| foreign_problem(&shard, path, first, of)) {
            self.foreign.push(problem);
            return Ok(());
        }
        let unreadable = |error: serde_json::Error| format!("it has another format: {error}");
        let counted: D::Counted = serde_json::from_value(shard.counted.take()).map_err(unreadable)?;
        let range = shard.piece_range();
        if self.first.is_none() {
            let request: D = serde_json::from_value(shard.request.clone()).map_err(unreadable)?;
            if request.piece_count() != shard.pieces {
                return Err("it has another format".to_string());
            }
            self.first = Some((shard, path.to_path_buf(), request));
        }
        self.done.push((range, path.to_path_buf()));
        match &mut self.counted {
            Some(sum) => sum.add_counts(counted),
            None => self.counted = Some(counted),
        }
        Ok(())
    }

    /// Returns the sum, or why there is none: no shards, damaged or foreign ones, or missing or duplicate pieces.
    fn finish_merge(mut self, folder: &Path) -> Result<MergedCounts<D>, Vec<Problem>> {
        let (Some((first, _, request)), Some(counted)) = (self.first, self.counted) else {
            let message = format!("there are no shards in `{}`", folder.display());
            let help = "`ludex sim GAME --shard 0/4 --out DIR` writes the first of four";
            let none = Problem::error(codes::SHARDS_INCOMPLETE, message).help(help);
            return Err(if self.damaged.is_empty() { vec![none] } else { first_problems(self.damaged) });
        };
        let mut problems = first_problems(self.damaged);
        problems.extend(first_problems(self.foreign));
        let incomplete = coverage_problems(&mut self.done, &first, D::PIECES);
        // The missing pieces may be in an unreadable file.
        if problems.is_empty() {
            problems.extend(first_problems(incomplete));
        }
        match problems.is_empty() {
            true => Ok(MergedCounts { request, package_hash: first.package_hash, counted }),
            false => Err(problems),
        }
    }
}

/// The first few problems of one kind. The last of them says how many more there are.
fn first_problems(mut problems: Vec<Problem>) -> Vec<Problem> {
    let more = problems.len().saturating_sub(MOST_TOLD);
    problems.truncate(MOST_TOLD);
    if let Some(last) = problems.last_mut().filter(|_| more > 0) {
        last.message = format!("{} (and {more} more like this)", last.message).into();
    }
    problems
}

/// Reports how a shard's run differs from that of the first one, if it does. `of` is the file of the first one.
fn foreign_problem(shard: &Shard, path: &Path, first: &Shard, of: &Path) -> Option<Problem> {
    let named = |what: &str, one: &str, other: &str| (what.to_string(), one.to_string(), other.to_string());
    let verb = named("the verb", &shard.verb, &first.verb);
    let keys = shard.request.as_object().into_iter().flatten();
    let asked = keys.map(|(key, value)| (key.replace('_', "-"), value.to_string(), first.request[key.as_str()].to_string()));
    let files = named("the hash of the game's files", &shard.package_hash, &first.package_hash);
    let version = named("the version of Ludex", &shard.version, &first.version);
    let differs = std::iter::once(verb).chain(asked).chain([files, version]).find(|(_, one, other)| one != other);
    differs.map(|(what, one, other)| {
        let message = format!("`{}` is from another run than `{}`: {what} is {one}, not {other}", path.display(), of.display());
        Problem::error(codes::SHARD_FOREIGN, message).help("keep the shards of each run in a folder of their own")
    })
}

/// Reports the pieces that no shard has done, and those that several have.
fn coverage_problems(done: &mut [(Range<u64>, PathBuf)], first: &Shard, names: Pieces) -> Vec<Problem> {
    done.sort_by_key(|(pieces, _)| (pieces.start, pieces.end));
    let (all, division) = (first.pieces, first.shard);
    let mut problems = Vec::new();
    let mut next = 0;
    let mut last: Option<&PathBuf> = None;
    for (pieces, path) in done.iter().filter(|(pieces, _)| !pieces.is_empty()) {
        if pieces.start > next {
            problems.push(missing_problem(next..pieces.start, all, division, names));
        }
        if let Some(last) = last.filter(|_| pieces.start < next) {
            let twice = pieces_text(pieces.start..pieces.end.min(next), names);
            let message = format!("{twice} are in `{}` and in `{}`", last.display(), path.display());
            problems.push(Problem::error(codes::SHARDS_INCOMPLETE, message).help("delete one of the two files"));
        }
        if pieces.end >= next {
            (next, last) = (pieces.end, Some(path));
        }
    }
    if next < all {
        problems.push(missing_problem(next..all, all, division, names));
    }
    problems
}

/// Reports missing pieces, and names the shards of the `division` that contain them.
fn missing_problem(pieces: Range<u64>, all: u64, division: Part, names: Pieces) -> Problem {
    let parts = division.parts_among(&pieces, all);
    let done = names.done;
    let help = match parts.as_slice() {
        [] => format!("{done} the shards that contain them"),
        [part] => format!("{done} `--shard {part}`"),
        [one, other] => format!("{done} `--shard {one}` and `--shard {other}`"),
        [first, .., last] => format!("{done} `--shard {first}` to `--shard {last}`"),
    };
    let verb = if pieces.end - pieces.start == 1 { "is" } else { "are" };
    let message = format!("{} {verb} missing", pieces_text(pieces, names));
    Problem::error(codes::SHARDS_INCOMPLETE, message).help(help)
}

/// Names pieces as the verb numbers them, from 0: `game 3`, `games 3 to 8`.
fn pieces_text(pieces: Range<u64>, names: Pieces) -> String {
    match pieces.end.saturating_sub(pieces.start) {
        1 => format!("{} {}", names.one, group_digits(pieces.start)),
        _ => format!("{} {} to {}", names.many, group_digits(pieces.start), group_digits(pieces.end.saturating_sub(1))),
    }
}
