//! `ludex check --play N`: games between bots that answer at random, in every mode. A fault is reported at its line like any
//! other problem, with a recording of as few answers as possible.
//!
//! A table is a game in one mode, with random players. The games of all tables are numbered in a row, so that they can be
//! divided into shards. A trouble is a game that ended with a fault or a failed check.

use crate::game::RecordingStore;
use crate::load::LoadedLibraries;
use crate::shards::{Divisible, MergeableCounts, Pieces};
use crate::simulation::{self, MOST_TROUBLES, Plan, Settings, Tally, Trouble, TroubleKind, shrink_trouble};
use crate::stop::Stop;
use crate::work;
use ludex_engine::Compile;
use ludex_engine::codes;
use ludex_engine::library::{CompileRequest, hash};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// What fails beside errors.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Denied {
    /// Warnings
    Warnings,
    /// Certain warnings
    CertainWarnings,
}

#[derive(clap::Args)]
pub struct Playtest {
    /// Also play this many games of every mode between bots that answer at random, and look for faults in them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    play: Option<u64>,
}

impl Playtest {
    pub fn game_count(&self) -> Option<u64> {
        self.play
    }
}

/// The settings that decide the course of the games and the report, besides the files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// The files and folders to check.
    pub paths: Vec<PathBuf>,
    pub options: BTreeMap<String, String>,
    pub mode: Option<String>,
    pub deny: Option<Denied>,
    pub baseline: Option<PathBuf>,
    pub seed: u64,
    /// The number of games of each game in each of its modes.
    pub play: u64,
    /// The games and modes to play, in order.
    pub modes: Vec<GameMode>,
}

/// A game and one of its modes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameMode {
    game: String,
    mode: Option<String>,
}

/// The numbers of games in which something went wrong: those of the first mode, then those of the second.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Troubles {
    troubles: Vec<u64>,
    /// A digest of all outcomes.
    digest: u64,
}

impl MergeableCounts for Troubles {
    fn add_counts(&mut self, other: Troubles) {
        self.troubles.extend(other.troubles);
        self.digest = self.digest.wrapping_add(other.digest);
    }
}

impl Divisible for Request {
    const VERB: &'static str = "check";
    const PIECES: Pieces = Pieces { one: "game", many: "games", done: "play" };
    type Counted = Troubles;

    fn piece_count(&self) -> u64 {
        self.play.saturating_mul(self.modes.len() as u64)
    }
}

/// The games in all modes in which they can be played.
pub fn playable_modes(loaded: &LoadedLibraries, games: &[String], wanted: &CompileRequest) -> Vec<GameMode> {
    let of_game = |game: &String| {
        let modes = loaded.library.requests_by_mode(game, wanted).into_iter();
        let playable = modes.filter(|mode| Table::new(loaded, game, mode, 1, 1).is_some());
        playable.map(|mode| GameMode { game: game.clone(), mode: mode.mode }).collect::<Vec<_>>()
    };
    games.iter().flat_map(of_game).collect()
}

impl Request {
    fn mode_and_options(&self, mode: Option<String>) -> CompileRequest {
        CompileRequest { mode, options: self.options.clone(), open: false }
    }

    /// The modes with the numbers of their games.
    fn numbered_tables<'l>(&'l self, loaded: &'l LoadedLibraries) -> impl Iterator<Item = (Range<u64>, Table)> + 'l {
        // If there are more games than numbers, the last modes get none; those are never reached.
        let first = |place: usize| self.play.saturating_mul(place as u64);
        let numbers = move |place: usize| first(place)..first(place + 1);
        let table = move |(place, of): (usize, &GameMode)| {
            let table = Table::new(loaded, &of.game, &self.mode_and_options(of.mode.clone()), self.play, self.seed)?;
            Some((numbers(place), table))
        };
        self.modes.iter().enumerate().filter_map(table)
    }

    /// The hash of the files of all games that are played.
    pub fn hash(&self, loaded: &LoadedLibraries) -> String {
        let hashes: Vec<String> = self.numbered_tables(loaded).map(|(_, table)| table.program.hash.clone()).collect();
        hash(&hashes.join("\n"))
    }

    /// Plays some of the games, by number.
    pub fn play_range(&self, loaded: &LoadedLibraries, own: Range<u64>) -> Result<Troubles, Stop> {
        let mut counted = Troubles::default();
        for (numbers, table) in self.numbered_tables(loaded) {
            let (first, last) = (own.start.max(numbers.start), own.end.min(numbers.end));
            if first < last {
                let tally =
                    table.play_table(first - numbers.start..last - numbers.start).map_err(|problem| Stop::from(*problem))?;
                counted.troubles.extend(tally.troubles.iter().map(|trouble| numbers.start + trouble.index));
                counted.digest = counted.digest.wrapping_add(tally.digest);
            }
        }
        Ok(counted)
    }

    /// The problems of games that were played elsewhere, found by playing these again.
    pub fn replay_problems(&self, loaded: &LoadedLibraries, mut counted: Troubles) -> Result<Vec<Problem>, Stop> {
        counted.troubles.sort_unstable();
        let mut problems = Vec::new();
        for (numbers, table) in self.numbered_tables(loaded) {
            let mut troubles = Vec::new();
            let own = counted.troubles.iter().filter(|number| numbers.contains(number));
            for index in own.map(|number| number - numbers.start).take(MOST_TROUBLES) {
                troubles.extend(table.play_table(index..index + 1).map_err(|problem| Stop::from(*problem))?.troubles);
            }
            add_new(&mut problems, distinct_problems(&table, troubles));
        }
        Ok(problems)
    }
}

/// The problems found in `number` games of each mode of some games.
pub fn find_problems(
    loaded: &LoadedLibraries,
    games: &[String],
    wanted: &CompileRequest,
    number: u64,
    seed: u64,
) -> Vec<Problem> {
    let mut problems: Vec<Problem> = Vec::new();
    for game in games {
        for mode in loaded.library.requests_by_mode(game, wanted).into_iter().take_while(|_| !work::is_stopped()) {
            let Some(table) = Table::new(loaded, game, &mode, number, seed) else { continue };
            add_new(
                &mut problems,
                match table.play_table(0..number) {
                    Ok(tally) => distinct_problems(&table, tally.troubles),
                    Err(problem) => vec![*problem],
                },
            );
        }
    }
    problems
}

/// Adds problems that are not known yet, because modes share most of the rules.
fn add_new(problems: &mut Vec<Problem>, found: Vec<Problem>) {
    for problem in found {
        let is_known = |known: &Problem| (known.code, known.labels.first()) == (problem.code, problem.labels.first());
        if problem.labels.is_empty() || !problems.iter().any(is_known) {
            problems.push(problem);
        }
    }
}

/// A game in one mode, with its players.
struct Table {
    program: Arc<Program>,
    plan: Plan,
    /// The paths of the libraries that the game has files from.
    libraries: Vec<PathBuf>,
}

impl Table {
    /// `None` if the mode cannot be played without further options. `number` is the number of games in its plan.
    fn new(loaded: &LoadedLibraries, game: &str, wanted: &CompileRequest, number: u64, seed: u64) -> Option<Table> {
        let program = loaded.library.compile(game, wanted).0.map(Arc::new)?;
        let plan = Plan::random_plan(&program, number, seed)?;
        Some(Table { program, plan, libraries: loaded.libraries_of(game) })
    }

    /// Plays some games of this table, by number, with checks of the engine's invariants.
    fn play_table(&self, games: Range<u64>) -> Result<Tally, Box<Problem>> {
        let bar = work::progress_bar(games.end - games.start, "games");
        let settings = Settings { check: true, ..Settings::default() };
        let tally = simulation::run_plan(&self.program, &self.plan, games, settings, &|games| bar.inc(games));
        bar.finish_and_clear();
        tally
    }
}

/// Each fault once, with the shortest game that leads to it. Problems of the same code and place count as the same.
fn distinct_problems(table: &Table, troubles: Vec<Trouble>) -> Vec<Problem> {
    let mut shortest: Vec<Trouble> = Vec::new();
    for trouble in troubles {
        let same = |known: &&mut Trouble| match (known.fault_problem(), trouble.fault_problem()) {
            (Some(known), Some(other)) => (known.code, known.labels.first()) == (other.code, other.labels.first()),
            _ => known.message() == trouble.message(),
        };
        match shortest.iter_mut().find(same) {
            Some(known) if known.entries.len() <= trouble.entries.len() => {}
            Some(known) => *known = trouble,
            None => shortest.push(trouble),
        }
    }
    shortest.into_iter().map(|trouble| trouble_problem(table, shrink_trouble(&table.program, &table.plan, trouble))).collect()
}

/// The fault itself, with the way to play it again. The game is stored among the faults of `sim`.
fn trouble_problem(Table { program, libraries, .. }: &Table, trouble: Trouble) -> Problem {
    let problem = match &trouble.kind {
        TroubleKind::Fault(fault) => (**fault).clone(),
        TroubleKind::Check(failed) => Problem::error(codes::INTERNAL, format!("Ludex itself has failed: {failed}")),
    };
    let advice = problem.help.as_ref().map_or(String::new(), |help| format!("{help}; "));
    let kept = match RecordingStore::of_sim().map(|store| store.add_whole(&program.game, &trouble.recording_text(), libraries)) {
        Some(Ok(path)) => format!("`ludex replay {}` plays the game up to here again", path.display()),
        Some(Err(error)) => format!("the game could not be stored: {error}"),
        None => "the game is not stored, as there is no folder for it".to_string(),
    };
    let answers = match trouble.entries.len() {
        0 => "before the first answer".to_string(),
        1 => "after 1 answer".to_string(),
        more => format!("after {more} answers"),
    };
    let mode = if program.mode == "standard" { String::new() } else { format!(", in mode {}", program.mode) };
    let message = format!("{}, {answers}{mode}", problem.message);
    Problem { message: message.into(), ..problem }.help(format!("{advice}{kept}"))
}
