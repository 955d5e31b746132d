//! `ludex check`: reports the errors of libraries, or of some files.
//!
//! The checks themselves are in `checking`. This verb adds games between bots (`playtest`), fixes (`fixing`), and a baseline: a
//! file of known problems, which are not reported. A part of the games can be played as a shard.

use crate::args::{CommonArgs, Format};
use crate::checking::{Baseline, BaselineResult, LibraryCheck, games_of, requested_sources};
use crate::exit::{DONE, PROBLEMS};
use crate::game::on_interrupt;
use crate::layout::count_text;
use crate::load::{self, LoadedLibraries};
use crate::output;
use crate::shards::Divisible;
use crate::stop::Stop;
use crate::verbs::playtest::{Denied, Troubles};
use crate::verbs::sharding::{RequestedPart, Sharding};
use crate::verbs::{fixing, interactions, playtest};
use crate::{watching, work};
use ludex_engine::codes;
use ludex_engine::library::{BUNDLED, CompileRequest};
use ludex_engine::problem::{Problem, join_words};
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
fn game_for_path(path: &Path, loaded: &LoadedLibraries) -> Option<Problem> {
    let games = loaded.library.game_ids();
    let game = games.iter().find(|game| Path::new(game) == path && !path.exists())?;
    let folder = Path::new("rules").join(game);
    let problem = Problem::error(codes::FILE_MISSING, format!("`{game}` is a game, and `check` takes files and folders"));
    Some(problem.help(match folder.is_dir() {
        true => format!("write `ludex check rules/{game}`, or `ludex check` to check everything here"),
        false => "write `ludex check`, which checks all games, or name the folder of its rules".to_string(),
    }))
}

/// Checks once, or again whenever a file is saved.
pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    args.sharding.refuse_without("--play", args.playtest.game_count().is_some())?;
    match args.watch {
        true => watching::watch_files("check", common, &args.paths, || check_once(&args, common)),
        false => check_once(&args, common),
    }
}

/// Checks, in this order: whether paths are right, then the files as they are after fixes, then play, if there are no errors.
fn check_once(args: &Args, common: &CommonArgs) -> Result<u8, Stop> {
    let loaded = load::open_libraries_around(common, &args.paths);
    if let Some(game) = args.paths.iter().find_map(|path| game_for_path(path, &loaded)) {
        return Err(game.into());
    }
    if args.interactions.is_wanted() {
        let games = checked_games(&loaded, &args.paths);
        return interactions::run(&args.interactions, common, &loaded, &games, args.seed);
    }
    let (mut loaded, fixed) = args.fixing.apply_fixes(loaded, common, &args.paths)?;
    loaded.add_overlooked(common, &args.paths);
    let found = LibraryCheck::new(&loaded, common.requested_settings()).find_problems(&args.paths);
    let is_sound = !found.iter().any(Problem::is_error);
    if let Some(asked) = args.sharding.requested_part().filter(|_| is_sound) {
        return playtest_shard(args, &loaded, common, asked);
    }
    if args.playtest.game_count().is_some() {
        work::keep_what_is_done();
    }
    let found = with_play_problems(found, &loaded, args, common);
    if let (Some(path), true) = (&args.baseline, args.write_baseline) {
        Baseline::from_problems(Report::new(found.clone()).problems(), &loaded.library.sources).write_baseline(path)?;
    }
    let telling = ReportSettings { loaded: &loaded, paths: &args.paths, baseline: args.baseline.as_deref(), deny: args.deny };
    telling.report_problems(found, fixed, common)
}

/// Plays some of the games, and stores the numbers of those in which something went wrong. Merging finds the problems of the
/// files again, so that they need not be stored.
fn playtest_shard(args: &Args, loaded: &LoadedLibraries, common: &CommonArgs, asked: RequestedPart<'_>) -> Result<u8, Stop> {
    // An interrupted shard is not kept.
    on_interrupt();
    let CompileRequest { mode, options, .. } = common.requested_settings();
    let request = playtest::Request {
        paths: args.paths.clone(),
        deny: args.deny,
        baseline: args.baseline.clone(),
        seed: args.seed,
        play: args.playtest.game_count().unwrap_or(0),
        modes: playtest::playable_modes(loaded, &checked_games(loaded, &args.paths), &common.requested_settings()),
        mode,
        options,
    };
    let counted = request.play_range(loaded, asked.part.own_pieces(request.piece_count()))?;
    asked.write_shard(common, &request, request.hash(loaded), &counted)
}

/// Prints what a single run would have printed.
pub fn report_merged(
    loaded: &LoadedLibraries,
    request: &playtest::Request,
    counted: Troubles,
    common: &CommonArgs,
) -> Result<u8, Stop> {
    let mut found = LibraryCheck::new(loaded, common.requested_settings()).find_problems(&request.paths);
    if !found.iter().any(Problem::is_error) {
        found.extend(request.replay_problems(loaded, counted)?);
    }
    let telling = ReportSettings { loaded, paths: &request.paths, baseline: request.baseline.as_deref(), deny: request.deny };
    telling.report_problems(found, None, common)
}

/// The settings of the report.
struct ReportSettings<'t> {
    loaded: &'t LoadedLibraries,
    paths: &'t [PathBuf],
    baseline: Option<&'t Path>,
    deny: Option<Denied>,
}

impl ReportSettings<'_> {
    /// Reports the problems in the chosen format and returns the exit status. `fixed` lists the changes of `--fix`.
    fn report_problems(&self, found: Vec<Problem>, fixed: Option<Value>, common: &CommonArgs) -> Result<u8, Stop> {
        let sources = &self.loaded.library.sources;
        let found = Report::new(found).problems().to_vec();
        let left = match self.baseline {
            Some(path) => apply_baseline(path, found, sources)?,
            None => BaselineResult { problems: found, known: 0, gone: 0 },
        };
        let report = Report::new(left.problems);
        match common.format {
            Format::Text | Format::Csv => print_report(&report, self.loaded, self.paths),
            Format::Json => {
                let mut object = report.to_json(sources, "check");
                let packages = checked_packages(self.loaded, self.paths).into_iter();
                object["packages"] = packages.map(|line| json!({ "id": line.0, "extends": line.1 })).collect();
                if self.baseline.is_some() {
                    object["known"] = json!(left.known);
                }
                if let Some(fixed) = fixed {
                    object["fixed"] = fixed;
                }
                output::print_json(&object);
            }
            Format::Concise => output::print_sanitised(&report.to_lines(sources)),
            Format::Github => output::print_sanitised(&report.to_github(sources)),
            Format::Sarif => output::print_json(&report.to_sarif(sources)),
        }
        if self.baseline.is_some() {
            print_known_remark(left.known, left.gone);
        }
        Ok(work::exit_status(if report.error_count() + count_denied(&report, self.deny) > 0 { PROBLEMS } else { DONE }))
    }
}

/// The number of warnings that count as errors.
fn count_denied(report: &Report, deny: Option<Denied>) -> usize {
    match deny {
        None => 0,
        Some(Denied::Warnings) => report.warning_count(),
        Some(Denied::CertainWarnings) => report.certain_warning_count(),
    }
}

/// The problems that are not in a file of known ones.
fn apply_baseline(path: &std::path::Path, found: Vec<Problem>, sources: &Sources) -> Result<BaselineResult, Stop> {
    let mut all = sources.clone();
    match Baseline::read_baseline(path, &mut all) {
        Ok(baseline) => Ok(baseline.remove_known(found, sources)),
        Err(problem) if problem.code == codes::FILE_MISSING => {
            Err(problem.help("`--write-baseline` writes it, with all current problems").into())
        }
        Err(problem) => Err(Stop::new(vec![problem], all)),
    }
}

/// Prints the number of known problems, and of those that are gone.
fn print_known_remark(known: usize, gone: u64) {
    let gone = match gone {
        0 => String::new(),
        gone => {
            let gone = count_text(gone as usize, "is", "are");
            format!("; {gone} no longer there, and `--write-baseline` updates the file")
        }
    };
    output::print_remark(&format!("{} known and not reported{gone}", count_text(known, "problem is", "problems are")));
}

/// Prints which packages of the user's own extend which, and then the problems.
fn print_report(report: &Report, loaded: &LoadedLibraries, paths: &[PathBuf]) {
    let own = |(id, _): &&(String, Vec<String>)| is_own(loaded, id);
    let extends = |(id, parents): &(String, Vec<String>)| format!("{id} extends {}\n", join_words(parents, "and"));
    output::print_text(&checked_packages(loaded, paths).iter().filter(own).map(extends).collect::<String>());
    output::print_report(report, &loaded.library.sources);
}

/// The problems and, if games are to be played and no error prevents it, those found in play.
fn with_play_problems(mut found: Vec<Problem>, loaded: &LoadedLibraries, args: &Args, common: &CommonArgs) -> Vec<Problem> {
    let is_sound = !found.iter().any(Problem::is_error);
    let Some(number) = args.playtest.game_count().filter(|_| is_sound) else { return found };
    let games = checked_games(loaded, &args.paths);
    found.extend(playtest::find_problems(loaded, &games, &common.requested_settings(), number, args.seed));
    found
}

/// The games that some files belong to; without any, all games.
fn checked_games(loaded: &LoadedLibraries, paths: &[PathBuf]) -> Vec<String> {
    match paths.is_empty() {
        true => loaded.library.game_ids(),
        false => games_of(loaded, &requested_sources(loaded, paths)).into_iter().collect(),
    }
}

/// Whether a game is the user's own rather than bundled.
fn is_own(loaded: &LoadedLibraries, game: &str) -> bool {
    loaded.library.find_game(game).is_some_and(|game| game.library != BUNDLED)
}

/// The checked packages, each with all that it extends.
fn checked_packages(loaded: &LoadedLibraries, paths: &[PathBuf]) -> Vec<(String, Vec<String>)> {
    let line = |game: String| {
        let parents = loaded.ancestor_games(&game);
        (game, parents)
    };
    checked_games(loaded, paths).into_iter().map(line).filter(|(_, parents)| !parents.is_empty()).collect()
}
