//! `ludex test`: runs the scenarios of a game and reports the results.
//!
//! A target is a game, a file or a folder. Scenarios belong to a game, and also run for every package that extends it, unless
//! that replaces them. With `--mutants` the verb measures instead how many mistakes in the rules they notice.

use crate::args::CommonArgs;
use crate::exit::{DONE, PROBLEMS};
use crate::layout::count_text;
use crate::load::{self, LoadedLibraries, Purpose, did_you_mean};
use crate::output;
use crate::scenario::{Suite, Verdict};
use crate::stop::Stop;
use crate::verbs::mutants::MutationOrder;
use crate::verbs::sharding::Sharding;
use crate::verbs::{fixing, mutants};
use crate::{edited_file, watching, work};
use ludex_engine::codes;
use ludex_engine::library::FileRole;
use ludex_engine::problem::{Edit, Problem, apply_edits};
use ludex_engine::source::{SourceId, Sources, Span};
use ludex_validator::report::problem_json;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// Games, files of scenarios, or folders of such files; without any, all games
    #[arg(value_name = "GAME|PATH")]
    targets: Vec<String>,
    /// Also list the rules that no scenario shows, and the statements and sides of conditions that no scenario reaches, in
    /// scripts too
    #[arg(long)]
    coverage: bool,
    /// Break statements and conditions of the rules and scripts, one at a time, and list those that no scenario notices;
    /// if you name files of rules or scripts, only theirs
    #[arg(long, value_name = "N", conflicts_with = "coverage", value_parser = clap::value_parser!(u32).range(1..))]
    mutants: Option<u32>,
    /// The seed with which `--mutants` chooses what to break
    #[arg(long, value_name = "N", default_value_t = 1, requires = "mutants")]
    seed: u64,
    #[command(flatten)]
    sharding: Sharding,
    /// Run the scenarios again whenever a file is saved, until Ctrl-C
    #[arg(long, conflicts_with = "mutants")]
    watch: bool,
    /// Change the expectations of failing scenarios to what happens now; the changes are shown first
    #[arg(long, conflicts_with_all = ["mutants", "watch"])]
    update: bool,
    /// Do not ask before files are changed
    #[arg(long, requires = "update")]
    yes: bool,
}

/// Files of scenarios by the game they test.
pub type Files = BTreeMap<String, Vec<SourceId>>;

/// Updates expectations first, if requested, and then runs the scenarios, again whenever a file is saved with `--watch`.
pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    args.sharding.refuse_without("--mutants", args.mutants.is_some())?;
    let paths: Vec<PathBuf> = args.targets.iter().map(PathBuf::from).filter(|path| path.exists()).collect();
    if args.update {
        update_scenarios(&args, common)?;
    }
    match args.watch {
        true => watching::watch_files("test", common, &paths, || test_once(&args, common)),
        false => test_once(&args, common),
    }
}

/// Updates scenarios that fail only because of their expectations.
fn update_scenarios(args: &Args, common: &CommonArgs) -> Result<(), Stop> {
    let (mut loaded, files) = find_scenarios(&args.targets, common)?;
    require_sound(&mut loaded, files.keys(), common)?;
    let mut edits: BTreeMap<SourceId, Vec<Edit>> = BTreeMap::new();
    for (game, files) in &files {
        let mut suite = Suite::new(&loaded.library, game, common.requested_settings());
        suite.amends = true;
        // A package also runs the scenarios of others, but must not change them.
        for file in files.iter().filter(|file| loaded.editable_file(**file).is_some()) {
            suite.run_file(*file);
        }
        for verdict in suite.verdicts.into_iter().filter(|verdict| verdict.package == *game) {
            edits.entry(verdict.span.source).or_default().extend(verdict.amended);
        }
    }
    let text = |source: SourceId| loaded.library.sources.get(source).text.as_str();
    edits.retain(|_, edits| !edits.is_empty());
    let count = edits.values().map(Vec::len).sum();
    let texts: BTreeMap<SourceId, String> =
        edits.iter().map(|(source, edits)| (*source, apply_edits(text(*source), edits.iter().collect()))).collect();
    if texts.is_empty() {
        output::print_remark("there are no expectations to change");
        return Ok(());
    }
    output::print_text(&fixing::unified_diff(&loaded, &texts));
    let what = format!("{} in {}", count_text(count, "expectation", "expectations"), count_text(texts.len(), "file", "files"));
    if fixing::confirm_change(args.yes, "--update", &what) {
        for (source, new) in &texts {
            if let Some(path) = loaded.editable_file(*source) {
                edited_file::write_edited(path, text(*source), new, "test --update")?;
            }
        }
        output::print_remark(&format!("{what} updated"));
    }
    Ok(())
}

/// Runs the scenarios, or breaks the rules. The games share one budget of work, in their order. A game with errors fails, and
/// does not keep others from running.
fn test_once(args: &Args, common: &CommonArgs) -> Result<u8, Stop> {
    let (mut loaded, files) = find_scenarios(&args.targets, common)?;
    if let Some(mutants) = args.mutants {
        refuse_scenarios(&loaded, &args.targets)?;
        require_sound(&mut loaded, files.keys(), common)?;
        let only = mutation_targets(&loaded, &args.targets);
        let games = files.into_keys().collect();
        let order =
            MutationOrder { loaded: &loaded, common, games, wanted: common.requested_settings(), mutants, seed: args.seed, only };
        return match args.sharding.requested_part() {
            Some(asked) => mutants::try_shard(&order, &args.targets, asked),
            None => mutants::run(&order),
        };
    }
    let broken = broken_games(&mut loaded, files.keys(), common);
    if let Some(stop) = broken.values().next().filter(|_| broken.len() == files.len()) {
        return Err(stop.clone());
    }
    work::keep_what_is_done();
    let bar = work::progress_bar(files.values().map(Vec::len).sum::<usize>() as u64, "files of scenarios");
    let mut suites: Vec<(&str, Suite)> = Vec::new();
    for (game, files) in &files {
        let mut suite = Suite::new(&loaded.library, game, common.requested_settings());
        if let Some(stop) = broken.get(game) {
            suite.problems.extend(stop.problems.iter().cloned());
            suites.push((game.as_str(), suite));
            continue;
        }
        suite.work_left = suites.last().map_or(suite.work_left, |(_, before)| before.work_left);
        if args.coverage {
            suite.count_everything();
        }
        for file in files.iter().take_while(|_| !work::is_stopped()) {
            suite.run_file(*file);
            bar.inc(1);
        }
        suites.push((game.as_str(), suite));
    }
    bar.finish_and_clear();
    let report = Report { suites: &suites, sources: &loaded.library.sources };
    if common.is_json() {
        output::print_json(&report.results_json());
    } else {
        output::print_problems(&report.collect_problems(), report.sources);
        output::print_text(&report.results_text());
    }
    Ok(work::exit_status(if report.is_clean() { DONE } else { PROBLEMS }))
}

// --- targets -------------------------------------------------------------------

/// Loads the libraries and finds the scenarios to run; a target that is not found is a problem.
pub fn find_scenarios(targets: &[String], common: &CommonArgs) -> Result<(LoadedLibraries, Files), Stop> {
    let mut loaded = common.load_libraries();
    let games = loaded.library.game_ids();
    let (named, paths): (Vec<&String>, Vec<&String>) = targets.iter().partition(|target| games.contains(target));
    if let Some(target) = paths.iter().find(|target| !Path::new(target).exists()) {
        let problem = Problem::error(codes::UNKNOWN_GAME, format!("`{target}` is not a game, a file or a folder"));
        return Err(problem.help(did_you_mean(target, &games)).into());
    }
    let paths: Vec<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
    if !paths.is_empty() {
        loaded = load::open_libraries_around(common, &paths);
    }
    let mut files = Files::new();
    for game in if targets.is_empty() { games.iter().collect() } else { named } {
        files.insert(game.clone(), Suite::all_files(&loaded.library, game));
    }
    for path in &paths {
        add_scenarios(path, &loaded, &mut files)?;
    }
    if targets.is_empty() {
        files.retain(|_, files| !files.is_empty());
    }
    Ok((loaded, files))
}

/// Compiles games. Returns those that cannot be played because of errors.
fn broken_games<'g>(
    loaded: &mut LoadedLibraries,
    games: impl Iterator<Item = &'g String>,
    common: &CommonArgs,
) -> BTreeMap<&'g String, Stop> {
    let broken = games.map(|game| (game, common.compile_from(loaded, game, &common.requested_settings(), Purpose::Playing)));
    broken.filter_map(|(game, compiled)| Some((game, compiled.err()?))).collect()
}

/// Refuses the games if one of them has such errors. These are errors that prevent play.
pub fn require_sound<'g>(
    loaded: &mut LoadedLibraries,
    games: impl Iterator<Item = &'g String>,
    common: &CommonArgs,
) -> Result<(), Stop> {
    broken_games(loaded, games, common).into_values().next().map_or(Ok(()), Err)
}

/// Adds the scenarios of a file or, recursively, of a folder.
fn add_scenarios(path: &Path, loaded: &LoadedLibraries, files: &mut Files) -> Result<(), Stop> {
    let library = &loaded.library;
    let mut found = false;
    for source in loaded.sources_under(path) {
        if library.source_role(source) != FileRole::Scenario && !loaded.is_single_file(source, path) {
            continue;
        }
        let games = library.games_of_source(source);
        let holds = |game: &&String| library.find_game(game).is_some_and(|game| game.has_file(source));
        let own = games.iter().find(|game| library.scenario_files(game).contains(&source) || holds(game));
        let Some(game) = own.or(games.first()) else { continue };
        files.entry(game.clone()).or_default().push(source);
        found = true;
    }
    if found {
        return Ok(());
    }
    let none = Problem::error(codes::FILE_MISSING, format!("there are no scenarios in `{}`", path.display()));
    let none = none.help("scenarios are YAML files in `rules/GAME/scenarios`");
    let mut problems = loaded.all_problems();
    // The errors of the files say more.
    if !problems.iter().any(Problem::is_error) {
        problems.push(none);
    }
    Err(Stop::new(problems, library.sources.clone()))
}

/// Refuses scenario files as targets of mutation, because only rules and scripts are mutated.
fn refuse_scenarios(loaded: &LoadedLibraries, targets: &[String]) -> Result<(), Problem> {
    let is_scenario =
        |path: &&Path| loaded.sources_under(path).iter().any(|source| loaded.library.source_role(*source) == FileRole::Scenario);
    let Some(path) = targets.iter().map(Path::new).filter(|path| path.is_file() && !load::is_packed(path)).find(is_scenario)
    else {
        return Ok(());
    };
    let problem =
        Problem::error(codes::COMMAND_LINE, format!("`{}` has scenarios, but only rules and scripts are broken", path.display()));
    Err(problem.help("name a game, or a file of its rules or scripts: all scenarios of the game are run on each change"))
}

/// The named rule and script files, to which mutation is limited.
pub fn mutation_targets(loaded: &LoadedLibraries, targets: &[String]) -> BTreeSet<SourceId> {
    let files = targets.iter().map(Path::new).filter(|path| path.is_file());
    let sources = files.flat_map(|path| loaded.sources_under(path));
    sources.filter(|source| matches!(loaded.library.source_role(*source), FileRole::Rules | FileRole::Script)).collect()
}

// --- results -------------------------------------------------------------------

/// The results of all games: the suite of each.
struct Report<'a> {
    suites: &'a [(&'a str, Suite<'a>)],
    sources: &'a Sources,
}

impl Report<'_> {
    /// The results of scenarios, each with the game that it was run for.
    fn all_verdicts(&self) -> impl Iterator<Item = (&str, &Verdict)> {
        self.suites.iter().flat_map(|(game, suite)| suite.verdicts.iter().map(|verdict| (*game, verdict)))
    }

    /// Whether every scenario passed, no file has errors, and coverage is complete if it was requested.
    fn is_clean(&self) -> bool {
        let files = self.suites.iter().all(|(_, suite)| !suite.problems.iter().any(Problem::is_error));
        let covered = self.suites.iter().flat_map(|(_, suite)| &suite.covered).all(|covered| covered.is_complete());
        files && covered && self.all_verdicts().all(|(_, verdict)| verdict.has_passed())
    }

    /// The problems of the files, then of the scenarios.
    fn collect_problems(&self) -> Vec<Problem> {
        let files = self.suites.iter().flat_map(|(_, suite)| &suite.problems);
        let mut problems: Vec<Problem> = Vec::new();
        for problem in files.chain(self.all_verdicts().flat_map(|(_, verdict)| &verdict.problems)) {
            // The files of an extended package are read for both.
            if !problems.contains(problem) {
                problems.push(problem.clone());
            }
        }
        problems
    }

    /// For each game: output of `debug`, the failed scenarios, the counts, and the coverage.
    fn results_text(&self) -> String {
        let mut text = String::new();
        for (game, suite) in self.suites {
            for verdict in suite.verdicts.iter().filter(|verdict| !verdict.printed.is_empty()) {
                text.push_str(&format!(
                    "{}: {}{} prints\n",
                    self.place_text(verdict.span),
                    verdict.name,
                    package_note(verdict, game)
                ));
                for (span, printed) in &verdict.printed {
                    text.push_str(&format!("  {}: {printed}\n", self.place_text(*span)));
                }
            }
            let failed: Vec<&Verdict> = suite.verdicts.iter().filter(|verdict| !verdict.has_passed()).collect();
            for verdict in &failed {
                text.push_str(&format!(
                    "{}: failed: {}{}\n",
                    self.place_text(verdict.span),
                    verdict.name,
                    package_note(verdict, game)
                ));
            }
            let run = suite.verdicts.len();
            let unread = suite.problems.iter().filter(|problem| problem.is_error()).count();
            let unread = match unread {
                0 => String::new(),
                _ => format!(", and {} in their files", count_text(unread, "error", "errors")),
            };
            text.push_str(&format!("{game}: {}, {} failed{unread}\n", count_text(run, "scenario", "scenarios"), failed.len()));
            if let Some(covered) = &suite.covered {
                text.push_str(&covered.to_text(self.sources));
            }
        }
        text
    }

    /// `pond.yaml:12`
    fn place_text(&self, span: Span) -> String {
        let (line, _) = self.sources.line_column(span);
        format!("{}:{line}", self.sources.get(span.source).name)
    }

    fn results_json(&self) -> Value {
        let games = self.suites.iter().map(|(game, suite)| {
            let failed = suite.verdicts.iter().filter(|verdict| !verdict.has_passed()).count();
            let mut value = json!({
                "game": game,
                "scenarios": suite.verdicts.len(),
                "failed": failed,
                "results": suite.verdicts.iter().map(|verdict| self.verdict_json(verdict)).collect::<Vec<_>>(),
                "problems": suite.problems.iter().map(|problem| problem_json(problem, self.sources)).collect::<Vec<_>>(),
            });
            if let (Some(object), Some(covered)) = (value.as_object_mut(), &suite.covered) {
                object.insert("coverage".to_string(), covered.to_json(self.sources));
            }
            value
        });
        let games: Vec<Value> = games.collect();
        json!({
            "ludex": 1,
            "command": "test",
            "scenarios": self.all_verdicts().count(),
            "failed": self.all_verdicts().filter(|(_, verdict)| !verdict.has_passed()).count(),
            "games": games,
        })
    }

    fn verdict_json(&self, verdict: &Verdict) -> Value {
        let (line, _) = self.sources.line_column(verdict.span);
        json!({
            "name": verdict.name,
            "package": verdict.package,
            "file": self.sources.get(verdict.span.source).name,
            "line": line,
            "passed": verdict.has_passed(),
            "problems": verdict.problems.iter().map(|problem| problem_json(problem, self.sources)).collect::<Vec<_>>(),
            "printed": verdict.printed.iter().map(|(span, text)| {
                json!({ "file": self.sources.get(span.source).name, "line": self.sources.line_column(*span).0, "text": text })
            }).collect::<Vec<_>>(),
        })
    }
}

/// The package of a scenario, if it is not the game's own.
fn package_note(verdict: &Verdict, game: &str) -> String {
    if verdict.package == game { String::new() } else { format!(" (of {})", verdict.package) }
}
