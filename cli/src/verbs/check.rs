//! `ludex check`: reports the errors of libraries, or of some files.

use crate::args::{Common, Format};
use crate::checking::{Baseline, Checking, Left, asked, games_of};
use crate::exit::{DONE, PROBLEMS};
use crate::game::on_interrupt;
use crate::layout::counted;
use crate::load::{self, Loaded};
use crate::output;
use crate::shards::Divisible;
use crate::stop::Stop;
use crate::verbs::playtest::{Denied, Troubles};
use crate::verbs::sharding::{Asked, Sharding};
use crate::verbs::{fixing, interactions, playtest};
use crate::{watching, work};
use ludex_engine::codes;
use ludex_engine::library::{BUNDLED, Wanted};
use ludex_engine::problem::{Problem, joined};
use ludex_engine::source::Sources;
use ludex_validator::Report;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Find mistakes in rules, sheets, scripts and scenarios
#[derive(clap::Args)]
pub struct Args {
    /// Files or folders; without any, all libraries are checked
    paths: Vec<PathBuf>,
    #[command(flatten)]
    fixing: fixing::Fixing,
    #[command(flatten)]
    playtest: playtest::Playtest,
    #[command(flatten)]
    sharding: Sharding,
    #[command(flatten)]
    interactions: interactions::Interactions,
    /// The seed for `--play` and `--interactions`
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Fail on warnings, too: on all, or only on certain ones
    #[arg(long, value_name = "WHAT")]
    deny: Option<Denied>,
    /// A file of known problems; only others are reported
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all current problems to the file of --baseline
    #[arg(long, requires = "baseline", conflicts_with = "shard")]
    write_baseline: bool,
    /// Check again whenever a file is saved, until Ctrl-C
    #[arg(long, conflicts_with_all = ["fix", "interactions", "write_baseline", "shard"])]
    watch: bool,
}

/// The problem of a game's id, which other verbs take, in place of a path.
fn game_for_path(path: &Path, loaded: &Loaded) -> Option<Problem> {
    let games = loaded.library.games();
    let game = games.iter().find(|game| Path::new(game) == path && !path.exists())?;
    let folder = Path::new("rules").join(game);
    let problem = Problem::error(codes::FILE_MISSING, format!("`{game}` is a game, and `check` takes files and folders"));
    Some(problem.help(match folder.is_dir() {
        true => format!("write `ludex check rules/{game}`, or `ludex check` to check everything here"),
        false => "write `ludex check`, which checks all games, or name the folder of its rules".to_string(),
    }))
}

pub fn run(args: Args, common: &Common) -> Result<u8, Stop> {
    args.sharding.only_with("--play", args.playtest.games().is_some())?;
    match args.watch {
        true => watching::watch("check", common, &args.paths, || once(&args, common)),
        false => once(&args, common),
    }
}

fn once(args: &Args, common: &Common) -> Result<u8, Stop> {
    let loaded = load::load_with(common, &args.paths);
    if let Some(game) = args.paths.iter().find_map(|path| game_for_path(path, &loaded)) {
        return Err(game.into());
    }
    if args.interactions.is_wanted() {
        let games = games(&loaded, &args.paths);
        return interactions::run(&args.interactions, common, &loaded, &games, args.seed);
    }
    let (mut loaded, fixed) = args.fixing.mend(loaded, common, &args.paths)?;
    loaded.look_for_overlooked(common, &args.paths);
    let found = Checking::new(&loaded, common.wanted()).found(&args.paths);
    let is_sound = !found.iter().any(Problem::is_error);
    if let Some(asked) = args.sharding.asked().filter(|_| is_sound) {
        return shard(args, &loaded, common, asked);
    }
    if args.playtest.games().is_some() {
        work::keep_what_is_done();
    }
    let found = with_play(found, &loaded, args, common);
    if let (Some(path), true) = (&args.baseline, args.write_baseline) {
        Baseline::of(Report::new(found.clone()).problems(), &loaded.library.sources).write(path)?;
    }
    let telling = Telling { loaded: &loaded, paths: &args.paths, baseline: args.baseline.as_deref(), deny: args.deny };
    telling.report(found, fixed, common)
}

/// Plays some of the games, and stores the numbers of those in which something went wrong.
fn shard(args: &Args, loaded: &Loaded, common: &Common, asked: Asked<'_>) -> Result<u8, Stop> {
    // An interrupted shard is not kept.
    on_interrupt();
    let Wanted { mode, options, .. } = common.wanted();
    let request = playtest::Request {
        paths: args.paths.clone(),
        deny: args.deny,
        baseline: args.baseline.clone(),
        seed: args.seed,
        play: args.playtest.games().unwrap_or(0),
        modes: playtest::modes(loaded, &games(loaded, &args.paths), &common.wanted()),
        mode,
        options,
    };
    let counted = request.play(loaded, asked.part.pieces(request.pieces()))?;
    asked.write(common, &request, request.hash(loaded), &counted)
}

/// Prints what a single run would have printed.
pub fn merged(loaded: &Loaded, request: &playtest::Request, counted: Troubles, common: &Common) -> Result<u8, Stop> {
    let mut found = Checking::new(loaded, common.wanted()).found(&request.paths);
    if !found.iter().any(Problem::is_error) {
        found.extend(request.problems(loaded, counted)?);
    }
    let telling = Telling { loaded, paths: &request.paths, baseline: request.baseline.as_deref(), deny: request.deny };
    telling.report(found, None, common)
}

/// The settings of the report.
struct Telling<'t> {
    loaded: &'t Loaded,
    paths: &'t [PathBuf],
    baseline: Option<&'t Path>,
    deny: Option<Denied>,
}

impl Telling<'_> {
    /// Reports the problems in the chosen format and returns the exit status. `fixed` lists the changes of `--fix`.
    fn report(&self, found: Vec<Problem>, fixed: Option<Value>, common: &Common) -> Result<u8, Stop> {
        let sources = &self.loaded.library.sources;
        let found = Report::new(found).problems().to_vec();
        let left = match self.baseline {
            Some(path) => known(path, found, sources)?,
            None => Left { problems: found, known: 0, gone: 0 },
        };
        let report = Report::new(left.problems);
        match common.format {
            Format::Text | Format::Csv => tell(&report, self.loaded, self.paths),
            Format::Json => {
                let mut object = report.to_json(sources, "check");
                let packages = packages(self.loaded, self.paths).into_iter();
                object["packages"] = packages.map(|line| json!({ "id": line.0, "extends": line.1 })).collect();
                if self.baseline.is_some() {
                    object["known"] = json!(left.known);
                }
                if let Some(fixed) = fixed {
                    object["fixed"] = fixed;
                }
                output::json(&object);
            }
            Format::Concise => output::plain(&report.to_lines(sources)),
            Format::Github => output::plain(&report.to_github(sources)),
            Format::Sarif => output::json(&report.to_sarif(sources)),
        }
        if self.baseline.is_some() {
            remark(left.known, left.gone);
        }
        Ok(work::status(if report.errors() + denied(&report, self.deny) > 0 { PROBLEMS } else { DONE }))
    }
}

/// The number of warnings that count as errors.
fn denied(report: &Report, deny: Option<Denied>) -> usize {
    match deny {
        None => 0,
        Some(Denied::Warnings) => report.warnings(),
        Some(Denied::CertainWarnings) => report.certain_warnings(),
    }
}

/// The problems that are not in a file of known ones.
fn known(path: &std::path::Path, found: Vec<Problem>, sources: &Sources) -> Result<Left, Stop> {
    let mut all = sources.clone();
    match Baseline::read(path, &mut all) {
        Ok(baseline) => Ok(baseline.left(found, sources)),
        Err(problem) if problem.code == codes::FILE_MISSING => {
            Err(problem.help("`--write-baseline` writes it, with all current problems").into())
        }
        Err(problem) => Err(Stop::new(vec![problem], all)),
    }
}

/// Prints the number of known problems, and of those that are gone.
fn remark(known: usize, gone: u64) {
    let gone = match gone {
        0 => String::new(),
        gone => {
            let gone = counted(gone as usize, "is", "are");
            format!("; {gone} no longer there, and `--write-baseline` updates the file")
        }
    };
    output::remark(&format!("{} known and not reported{gone}", counted(known, "problem is", "problems are")));
}

fn tell(report: &Report, loaded: &Loaded, paths: &[PathBuf]) {
    let own = |(id, _): &&(String, Vec<String>)| is_own(loaded, id);
    let extends = |(id, parents): &(String, Vec<String>)| format!("{id} extends {}\n", joined(parents, "and"));
    output::print(&packages(loaded, paths).iter().filter(own).map(extends).collect::<String>());
    output::report(report, &loaded.library.sources);
}

/// The problems and, if games are to be played and no error prevents it, those found in play.
fn with_play(mut found: Vec<Problem>, loaded: &Loaded, args: &Args, common: &Common) -> Vec<Problem> {
    let is_sound = !found.iter().any(Problem::is_error);
    let Some(number) = args.playtest.games().filter(|_| is_sound) else { return found };
    let games = games(loaded, &args.paths);
    found.extend(playtest::problems(loaded, &games, &common.wanted(), number, args.seed));
    found
}

/// The games that some files belong to; without any, all games.
fn games(loaded: &Loaded, paths: &[PathBuf]) -> Vec<String> {
    match paths.is_empty() {
        true => loaded.library.games(),
        false => games_of(loaded, &asked(loaded, paths)).into_iter().collect(),
    }
}

/// Whether a game is the user's own rather than bundled.
fn is_own(loaded: &Loaded, game: &str) -> bool {
    loaded.library.game(game).is_some_and(|game| game.library != BUNDLED)
}

/// The checked packages, each with all that it extends.
fn packages(loaded: &Loaded, paths: &[PathBuf]) -> Vec<(String, Vec<String>)> {
    let line = |game: String| {
        let parents = loaded.parents(&game);
        (game, parents)
    };
    games(loaded, paths).into_iter().map(line).filter(|(_, parents)| !parents.is_empty()).collect()
}
