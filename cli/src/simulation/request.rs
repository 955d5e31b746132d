//! The request for a simulation, and its preparation.
//!
//! The verbs `sim` and `merge` make a [`Request`] from flags or from a shard, and prepare it: the game is compiled and the
//! players are checked.

use super::plan::Plan;
use super::report::ReportParts;
use super::rows::Rows;
use super::run::{Settings, run_plan};
use super::tally::Tally;
use super::trouble::MOST_TROUBLES;
use crate::args::{CommonArgs, PlayerSpec, SeatSpec};
use crate::load::Purpose;
use crate::shards::{Divisible, MergeableCounts, Pieces};
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::library;
use ludex_engine::problem::{Problem, join_words, nearest_word};
use ludex_engine::program::Program;
use ludex_engine::runtime::Counter;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// Everything that decides the result of a simulation, except the files of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    pub game: String,
    pub mode: Option<String>,
    pub options: BTreeMap<String, String>,
    pub seats: Vec<SeatSpec>,
    pub referee: Option<PlayerSpec>,
    pub games: u64,
    pub seed: u64,
    pub all_pairs: bool,
    /// Number of entrants for each drawn side, if given.
    pub team_size: Option<NonZero<usize>>,
    /// Whether invariants of the engine are checked in each game.
    pub check: bool,
    /// Whether moves, abilities, cards and events are counted.
    pub usage: bool,
    /// The names of the counters to report.
    pub count: Vec<String>,
}

/// The counts of some of the games.
#[derive(Debug, Serialize, Deserialize)]
pub struct Counts {
    pub tally: Tally,
    /// The numbers of the first games in which something went wrong. The seed reproduces them.
    pub troubles: Vec<u64>,
}

impl From<Tally> for Counts {
    fn from(tally: Tally) -> Counts {
        Counts { troubles: tally.troubles.iter().map(|trouble| trouble.index).collect(), tally }
    }
}

impl MergeableCounts for Counts {
    fn add_counts(&mut self, other: Counts) {
        self.tally.add_tally(other.tally);
        self.troubles.extend(other.troubles);
        self.troubles.sort_unstable();
        self.troubles.truncate(MOST_TROUBLES);
    }
}

impl Divisible for Request {
    const VERB: &'static str = "sim";
    const PIECES: Pieces = Pieces { one: "game", many: "games", done: "play" };
    type Counted = Counts;

    fn piece_count(&self) -> u64 {
        self.games
    }
}

/// A request with its game, ready to play.
pub struct PreparedRequest<'r> {
    pub program: Arc<Program>,
    pub plan: Plan,
    /// The file for one row per game, if requested.
    pub rows: Option<&'r Rows>,
    /// The folders of the libraries that the game has files from.
    pub libraries: Vec<PathBuf>,
    request: &'r Request,
    counters: Vec<(&'r str, Counter)>,
}

impl Request {
    /// Whether a user's program plays.
    pub fn has_programs(&self) -> bool {
        let players = self.seats.iter().filter_map(|seat| seat.player.as_ref()).chain(&self.referee);
        players.into_iter().any(|player| matches!(player, PlayerSpec::Exec(_)))
    }

    /// Loads the game from the libraries of the command line. An error if it does not compile, or if the players, entrants or
    /// counters do not fit.
    pub fn prepare_game(&self, common: &CommonArgs) -> Result<PreparedRequest<'_>, Stop> {
        let wanted = library::CompileRequest { mode: self.mode.clone(), options: self.options.clone(), open: false };
        let mut loaded = common.load_libraries();
        let program = common.compile_from(&mut loaded, &self.game, &wanted, Purpose::Playing)?;
        let team = self.team_size.map(NonZero::get);
        let plan = match self.all_pairs {
            true => Plan::all_pairs(&program, &self.seats, team, self.games, self.seed)?,
            false => Plan::new(&program, &self.seats, team, self.games, self.seed)?,
        };
        let plan = plan.with_referee(&program, self.referee.as_ref())?;
        let plan = if self.check { plan.ensure_repeatable("--check")? } else { plan };
        let counters = find_counters(&program, &self.count)?;
        Ok(PreparedRequest { program, plan, rows: None, libraries: loaded.libraries_of(&self.game), request: self, counters })
    }
}

impl PreparedRequest<'_> {
    /// Plays some of the games, on all cores by default. `progress` receives the number of games just played.
    pub fn play_games(
        &self,
        games: Range<u64>,
        threads: Option<NonZero<usize>>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Tally, Stop> {
        let found: Vec<Counter> = self.counters.iter().map(|(_, counter)| *counter).collect();
        let Request { check, usage, .. } = *self.request;
        let settings = Settings { threads, check, usage, counters: &found, rows: self.rows };
        let played = run_plan(&self.program, &self.plan, games, settings, progress);
        played.map_err(|problem| Stop::new(vec![*problem], self.program.sources.clone()))
    }

    /// The parts of the report.
    pub fn report_parts(&self) -> ReportParts<'_> {
        ReportParts { checking: self.request.check, usage: self.request.usage, counters: &self.counters }
    }
}

/// The counters of these names. A counter of the sides and one of the table may share a name.
fn find_counters<'r>(program: &Program, names: &'r [String]) -> Result<Vec<(&'r str, Counter)>, Stop> {
    let all = Counter::list_counters(program);
    let mut counters: Vec<(&str, Counter)> = Vec::new();
    for name in names {
        let found: Vec<Counter> = all.iter().filter(|(known, _)| known == name).map(|(_, counter)| *counter).collect();
        if found.is_empty() {
            return Err(Stop::usage_error(unknown_counter_problem(program, name, &all)));
        }
        let is_new = |counter: &Counter| counters.iter().all(|(_, known)| known != counter);
        counters.extend(found.into_iter().filter(is_new).map(|counter| (name.as_str(), counter)).collect::<Vec<_>>());
    }
    Ok(counters)
}

fn unknown_counter_problem(program: &Program, name: &str, all: &[(&str, Counter)]) -> Problem {
    let of =
        |of_table: bool| all.iter().filter(move |(_, counter)| counter.of_table == of_table).map(|(name, _)| format!("`{name}`"));
    let lists = [("the sides have", of(false).collect::<Vec<_>>()), ("the table has", of(true).collect())];
    let lists: Vec<String> = lists
        .iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(whose, names)| format!("{whose} {}", join_words(names, "and")))
        .collect();
    let help = match (nearest_word(name, all.iter().map(|(name, _)| *name)), lists.is_empty()) {
        (_, true) => format!("neither the sides of `{}` nor its table have a counter: leave out `--count`", program.game),
        (Some(near), false) => format!("did you mean `{near}`? {}", lists.join("; ")),
        (None, false) => lists.join("; "),
    };
    let message = format!("neither the sides of `{}` nor its table have a counter `{name}`", program.game);
    Problem::error(codes::UNKNOWN_COUNTER, message).help(help)
}
