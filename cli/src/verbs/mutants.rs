//! `ludex test --mutants N`: measures whether the scenarios of a package notice broken rules.
//!
//! A break, or change, makes a mistake in one place of a package; a scenario notices it by failing. See `mutation`. The changes
//! are tried in a random order, so that their share is an estimate for all of them.

use super::sharding::RequestedPart;
use crate::args::CommonArgs;
use crate::exit::{DONE, PROBLEMS};
use crate::game::on_interrupt;
use crate::load::LoadedLibraries;
use crate::mutation::{BreakResult, Breakable, PackageResults, Trial, package_texts_hash};
use crate::output;
use crate::shards::{Divisible, MergeableCounts, Pieces};
use crate::stop::Stop;
use crate::work;
use ludex_engine::library::{CompileRequest, hash};
use ludex_engine::problem::Problem;
use ludex_engine::source::SourceId;
use ludex_validator::report::problem_json;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The settings that decide which changes scenarios notice, besides the files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// The targets as named: games, files and folders.
    pub targets: Vec<String>,
    pub mode: Option<String>,
    pub options: BTreeMap<String, String>,
    /// Maximum number of changes per package, counting those that `check` accepts.
    pub mutants: u32,
    pub seed: u64,
    /// The packages to break, in order, each with the maximum number of changes to try.
    games: Vec<(String, u64)>,
}

/// The request before it is known how much can be broken.
pub struct MutationOrder<'o> {
    pub loaded: &'o LoadedLibraries,
    pub common: &'o CommonArgs,
    pub games: Vec<String>,
    pub wanted: CompileRequest,
    pub mutants: u32,
    pub seed: u64,
    /// The texts to break; if empty, all of them.
    pub only: BTreeSet<SourceId>,
}

/// The changes tried, by number: those of the first package, then those of the second.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Trials(Vec<(u64, Trial)>);

impl MergeableCounts for Trials {
    fn add_counts(&mut self, other: Trials) {
        self.0.extend(other.0);
    }
}

impl Divisible for Request {
    const VERB: &'static str = "test";
    const PIECES: Pieces = Pieces { one: "change", many: "changes", done: "try" };
    type Counted = Trials;

    fn piece_count(&self) -> u64 {
        self.games.iter().fold(0, |sum: u64, (_, changes)| sum.saturating_add(*changes))
    }
}

impl Request {
    /// The hash of all files that affect the result.
    pub fn hash(&self, loaded: &LoadedLibraries) -> String {
        let hashes: Vec<String> = self.games.iter().map(|(game, _)| package_texts_hash(loaded, game)).collect();
        hash(&hashes.join("\n"))
    }

    /// The packages with the numbers of their changes.
    fn package_ranges(&self) -> impl Iterator<Item = (Range<u64>, &String)> {
        let mut next = 0u64;
        self.games.iter().map(move |(game, changes)| {
            let first = next;
            next = next.saturating_add(*changes);
            (first..next, game)
        })
    }
}

impl MutationOrder<'_> {
    /// All breaks of a package; the problems if it does not compile.
    fn breakable_package<'b>(&'b self, game: &'b str) -> Result<Breakable<'b>, Stop> {
        let stop = |problems: Vec<Problem>| Stop::new(problems, self.loaded.library.sources.clone());
        Breakable::new(self.loaded, game, &self.wanted, (self.seed, &self.only)).map_err(stop)
    }
}

/// Breaks each package the requested number of times.
pub fn run(order: &MutationOrder<'_>) -> Result<u8, Stop> {
    work::keep_what_is_done();
    let mut packages = Vec::new();
    for game in order.games.iter().take_while(|_| !work::is_stopped()) {
        let breakable = order.breakable_package(game)?;
        let asked = u64::from(order.mutants);
        packages.push(breakable.package_results(&try_changes(&breakable, game, 0..asked), asked));
    }
    Ok(report_packages(&packages, order.common))
}

/// Tries some of the changes, and stores the result of each. `targets` are the arguments of the command line, for the request.
pub fn try_shard(order: &MutationOrder<'_>, targets: &[String], asked: RequestedPart<'_>) -> Result<u8, Stop> {
    // An interrupted shard is not kept.
    on_interrupt();
    let CompileRequest { mode, options, .. } = order.wanted.clone();
    let all = order.games.iter().map(|game| order.breakable_package(game)).collect::<Result<Vec<_>, Stop>>()?;
    let changes = all.iter().map(|breakable| u64::from(order.mutants).min(breakable.break_count() as u64));
    let games = order.games.iter().cloned().zip(changes).collect();
    let request = Request { targets: targets.to_vec(), games, mode, options, mutants: order.mutants, seed: order.seed };
    let own = asked.part.own_pieces(request.piece_count());
    let mut trials = Trials::default();
    for ((numbers, game), breakable) in request.package_ranges().zip(&all) {
        let (first, last) = (own.start.max(numbers.start), own.end.min(numbers.end));
        if first < last {
            trials.0.extend((first..).zip(try_changes(breakable, game, first - numbers.start..last - numbers.start)));
        }
    }
    asked.write_shard(order.common, &request, request.hash(order.loaded), &trials)
}

/// Prints what a single run would have printed.
pub fn report_merged(
    loaded: &LoadedLibraries,
    request: &Request,
    mut trials: Trials,
    common: &CommonArgs,
    only: BTreeSet<SourceId>,
) -> Result<u8, Stop> {
    trials.0.sort_by_key(|(number, _)| *number);
    let games = request.games.iter().map(|(game, _)| game.clone()).collect();
    let order = MutationOrder {
        loaded,
        common,
        games,
        wanted: common.requested_settings(),
        mutants: request.mutants,
        seed: request.seed,
        only,
    };
    let mut packages = Vec::new();
    for (numbers, game) in request.package_ranges() {
        let own = trials.0.iter().filter(|(number, _)| numbers.contains(number));
        let own: Vec<Trial> = own.map(|(_, trial)| *trial).collect();
        packages.push(order.breakable_package(game)?.package_results(&own, numbers.end - numbers.start));
    }
    Ok(report_packages(&packages, common))
}

/// Tries some of the changes of a package, by number, and shows the progress.
fn try_changes(breakable: &Breakable<'_>, game: &str, range: Range<u64>) -> Vec<Trial> {
    let bar = work::progress_bar(range.end - range.start, &format!("changes of {game}"));
    let tried = breakable.try_breaks(range.start as usize..range.end as usize, &|| bar.inc(1));
    bar.finish_and_clear();
    tried
}

/// Reports the results of the packages. Returns the exit status.
fn report_packages(packages: &[PackageResults], common: &CommonArgs) -> u8 {
    if common.is_json() {
        output::print_json(&report_json(packages));
    } else {
        packages.iter().for_each(print_package);
    }
    work::exit_status(if packages.iter().all(PackageResults::is_clean) { DONE } else { PROBLEMS })
}

fn print_package(package: &PackageResults) {
    output::print_problems(&package.useless, &package.sources);
    output::print_text(&package_text(package));
}

/// The changes that are not noticed, first those with a stated reason, and then the share.
fn package_text(package: &PackageResults) -> String {
    let mut text = String::new();
    for (tried, because) in package.explained_breaks() {
        text.push_str(&change_text(tried, "not noticed, and need not be"));
        text.push_str(&format!("  because {because}\n"));
    }
    for tried in package.unnoticed_breaks() {
        text.push_str(&change_text(tried, "no scenario notices"));
    }
    text.push_str(&share_text(package));
    text
}

/// A change with its place; `what` says what became of it.
fn change_text(tried: &BreakResult, what: &str) -> String {
    let BreakResult { file, line, how, before, after, .. } = tried;
    format!("{file}:{line}: {what}: {}\n  `{before}`\n  becomes `{after}`\n", how.change_text())
}

/// The share of changes noticed, of all changes and of those that need to be noticed.
fn share_text(package: &PackageResults) -> String {
    let (noticed, explained, all) = (package.noticed_count(), package.explained_breaks().count(), package.tried.len());
    let share = |all: usize| (noticed * 100).checked_div(all).unwrap_or(0);
    let mut text = format!("{}: {noticed} of {all} changes noticed, {} %", package.game, share(all));
    if explained > 0 {
        let could_be = all - explained;
        text.push_str(&format!("; {noticed} of the {could_be} that need to be, {} %", share(could_be)));
    }
    text + "\n"
}

fn report_json(packages: &[PackageResults]) -> Value {
    json!({ "ludex": 1, "command": "test", "packages": packages.iter().map(package_json).collect::<Vec<_>>() })
}

fn package_json(package: &PackageResults) -> Value {
    let explained = package.explained_breaks().map(|(tried, because)| {
        let mut object = change_json(tried);
        object["because"] = json!(because);
        object
    });
    json!({
        "game": package.game,
        "places": package.places,
        "tried": package.tried.len(),
        "noticed": package.noticed_count(),
        "unnoticed": package.unnoticed_breaks().map(change_json).collect::<Vec<_>>(),
        "explained": explained.collect::<Vec<_>>(),
        "problems": package.useless.iter().map(|problem| problem_json(problem, &package.sources)).collect::<Vec<_>>(),
    })
}

fn change_json(tried: &BreakResult) -> Value {
    let BreakResult { file, line, how, before, after, .. } = tried;
    json!({ "file": file, "line": line, "how": how.change_text(), "before": before, "after": after })
}
