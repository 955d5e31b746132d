//! `ludex test --mutants N`: measures whether the scenarios of a package notice broken rules.

use super::sharding::Asked;
use crate::args::Common;
use crate::exit::{DONE, PROBLEMS};
use crate::game::on_interrupt;
use crate::load::Loaded;
use crate::mutation::{Breakable, Package, Trial, Tried, hash_of};
use crate::output;
use crate::shards::{Counted, Divisible, Pieces};
use crate::stop::Stop;
use crate::work;
use ludex_engine::library::{Wanted, hash};
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
pub struct Order<'o> {
    pub loaded: &'o Loaded,
    pub common: &'o Common,
    pub games: Vec<String>,
    pub wanted: Wanted,
    pub mutants: u32,
    pub seed: u64,
    /// The texts to break; if empty, all of them.
    pub only: BTreeSet<SourceId>,
}

/// The changes tried, by number: those of the first package, then those of the second.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Trials(Vec<(u64, Trial)>);

impl Counted for Trials {
    fn add(&mut self, other: Trials) {
        self.0.extend(other.0);
    }
}

impl Divisible for Request {
    const VERB: &'static str = "test";
    const PIECES: Pieces = Pieces { one: "change", many: "changes", done: "try" };
    type Counted = Trials;

    fn pieces(&self) -> u64 {
        self.games.iter().fold(0, |sum: u64, (_, changes)| sum.saturating_add(*changes))
    }
}

impl Request {
    /// The hash of all files that affect the result.
    pub fn hash(&self, loaded: &Loaded) -> String {
        let hashes: Vec<String> = self.games.iter().map(|(game, _)| hash_of(loaded, game)).collect();
        hash(&hashes.join("\n"))
    }

    /// The packages with the numbers of their changes.
    fn packages(&self) -> impl Iterator<Item = (Range<u64>, &String)> {
        let mut next = 0u64;
        self.games.iter().map(move |(game, changes)| {
            let first = next;
            next = next.saturating_add(*changes);
            (first..next, game)
        })
    }
}

impl Order<'_> {
    fn breakable<'b>(&'b self, game: &'b str) -> Result<Breakable<'b>, Stop> {
        let stop = |problems: Vec<Problem>| Stop::new(problems, self.loaded.library.sources.clone());
        Breakable::new(self.loaded, game, &self.wanted, (self.seed, &self.only)).map_err(stop)
    }
}

/// Breaks each package the requested number of times.
pub fn run(order: &Order<'_>) -> Result<u8, Stop> {
    work::keep_what_is_done();
    let mut packages = Vec::new();
    for game in order.games.iter().take_while(|_| !work::is_stopped()) {
        let breakable = order.breakable(game)?;
        let asked = u64::from(order.mutants);
        packages.push(breakable.package(&tried(&breakable, game, 0..asked), asked));
    }
    Ok(report(&packages, order.common))
}

/// Tries some of the changes, and stores the result of each.
pub fn shard(order: &Order<'_>, targets: &[String], asked: Asked<'_>) -> Result<u8, Stop> {
    // An interrupted shard is not kept.
    on_interrupt();
    let Wanted { mode, options, .. } = order.wanted.clone();
    let all = order.games.iter().map(|game| order.breakable(game)).collect::<Result<Vec<_>, Stop>>()?;
    let changes = all.iter().map(|breakable| u64::from(order.mutants).min(breakable.places() as u64));
    let games = order.games.iter().cloned().zip(changes).collect();
    let request = Request { targets: targets.to_vec(), games, mode, options, mutants: order.mutants, seed: order.seed };
    let own = asked.part.pieces(request.pieces());
    let mut trials = Trials::default();
    for ((numbers, game), breakable) in request.packages().zip(&all) {
        let (first, last) = (own.start.max(numbers.start), own.end.min(numbers.end));
        if first < last {
            trials.0.extend((first..).zip(tried(breakable, game, first - numbers.start..last - numbers.start)));
        }
    }
    asked.write(order.common, &request, request.hash(order.loaded), &trials)
}

/// Prints what a single run would have printed.
pub fn merged(
    loaded: &Loaded,
    request: &Request,
    mut trials: Trials,
    common: &Common,
    only: BTreeSet<SourceId>,
) -> Result<u8, Stop> {
    trials.0.sort_by_key(|(number, _)| *number);
    let games = request.games.iter().map(|(game, _)| game.clone()).collect();
    let order = Order { loaded, common, games, wanted: common.wanted(), mutants: request.mutants, seed: request.seed, only };
    let mut packages = Vec::new();
    for (numbers, game) in request.packages() {
        let own = trials.0.iter().filter(|(number, _)| numbers.contains(number));
        let own: Vec<Trial> = own.map(|(_, trial)| *trial).collect();
        packages.push(order.breakable(game)?.package(&own, numbers.end - numbers.start));
    }
    Ok(report(&packages, common))
}

fn tried(breakable: &Breakable<'_>, game: &str, range: Range<u64>) -> Vec<Trial> {
    let bar = work::bar(range.end - range.start, &format!("changes of {game}"));
    let tried = breakable.tried(range.start as usize..range.end as usize, &|| bar.inc(1));
    bar.finish_and_clear();
    tried
}

/// Reports the results of the packages. Returns the exit status.
fn report(packages: &[Package], common: &Common) -> u8 {
    if common.json() {
        output::json(&object(packages));
    } else {
        packages.iter().for_each(tell);
    }
    work::status(if packages.iter().all(Package::is_clean) { DONE } else { PROBLEMS })
}

fn tell(package: &Package) {
    output::problems(&package.useless, &package.sources);
    output::print(&text(package));
}

fn text(package: &Package) -> String {
    let mut text = String::new();
    for (tried, because) in package.explained() {
        text.push_str(&change(tried, "not noticed, and need not be"));
        text.push_str(&format!("  because {because}\n"));
    }
    for tried in package.unnoticed() {
        text.push_str(&change(tried, "no scenario notices"));
    }
    text.push_str(&shares(package));
    text
}

fn change(tried: &Tried, what: &str) -> String {
    let Tried { file, line, how, before, after, .. } = tried;
    format!("{file}:{line}: {what}: {}\n  `{before}`\n  becomes `{after}`\n", how.told())
}

/// The share of changes noticed, of all changes and of those that need to be noticed.
fn shares(package: &Package) -> String {
    let (noticed, explained, all) = (package.noticed(), package.explained().count(), package.tried.len());
    let share = |all: usize| (noticed * 100).checked_div(all).unwrap_or(0);
    let mut text = format!("{}: {noticed} of {all} changes noticed, {} %", package.game, share(all));
    if explained > 0 {
        let could_be = all - explained;
        text.push_str(&format!("; {noticed} of the {could_be} that need to be, {} %", share(could_be)));
    }
    text + "\n"
}

fn object(packages: &[Package]) -> Value {
    json!({ "ludex": 1, "command": "test", "packages": packages.iter().map(package_object).collect::<Vec<_>>() })
}

fn package_object(package: &Package) -> Value {
    let explained = package.explained().map(|(tried, because)| {
        let mut object = change_object(tried);
        object["because"] = json!(because);
        object
    });
    json!({
        "game": package.game,
        "places": package.places,
        "tried": package.tried.len(),
        "noticed": package.noticed(),
        "unnoticed": package.unnoticed().map(change_object).collect::<Vec<_>>(),
        "explained": explained.collect::<Vec<_>>(),
        "problems": package.useless.iter().map(|problem| problem_json(problem, &package.sources)).collect::<Vec<_>>(),
    })
}

fn change_object(tried: &Tried) -> Value {
    let Tried { file, line, how, before, after, .. } = tried;
    json!({ "file": file, "line": line, "how": how.told(), "before": before, "after": after })
}
