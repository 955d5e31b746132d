//! `ludex test`: the scenarios of a game, run and judged.

use crate::cli::{Common, DONE, PROBLEMS};
use crate::load::{self, Loaded};
use crate::output;
use crate::scenario::{Suite, Verdict};
use ludex_engine::problem::Problem;
use ludex_engine::source::{SourceId, Sources};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// Games, files of scenarios, or folders of such files; all games if there are none
    #[arg(value_name = "GAME|PATH")]
    targets: Vec<String>,
    /// Tell also which rules, statements and sides of conditions no scenario reaches
    #[arg(long)]
    coverage: bool,
}

/// Files of scenarios by the game they test.
type Files = BTreeMap<String, Vec<SourceId>>;

pub fn run(args: Args, common: &Common) -> u8 {
    let mut loaded = common.load();
    let files = match files(&args.targets, &mut loaded) {
        Ok(files) => files,
        Err(problem) => {
            output::problems(&[problem], &loaded.library.sources);
            return PROBLEMS;
        }
    };
    let mut suites = Vec::new();
    for (game, files) in &files {
        if let Err(status) = common.compile_from(&loaded, game, &common.wanted()) {
            return status;
        }
        let mut suite = Suite::new(&loaded.library, game, common.wanted());
        files.iter().for_each(|file| suite.file(*file));
        suites.push((game.as_str(), suite));
    }
    let report = Report { suites: &suites, sources: &loaded.library.sources, coverage: args.coverage };
    if common.json() {
        output::json(&report.json());
    } else {
        output::print(&report.text());
        output::problems(&report.problems(), report.sources);
    }
    if report.is_clean() { DONE } else { PROBLEMS }
}

// --- what to run ---------------------------------------------------------------

fn files(targets: &[String], loaded: &mut Loaded) -> Result<Files, Problem> {
    let games = loaded.library.games();
    let mut files = Files::new();
    let whole: Vec<&String> = if targets.is_empty() { games.iter().collect() } else { targets.iter().collect() };
    for target in whole {
        if games.contains(target) {
            files.entry(target.clone()).or_default().extend(loaded.library.scenarios(target));
            continue;
        }
        for path in scenario_files(Path::new(target)) {
            let source = load::text(&path, &mut loaded.library.sources)?;
            let game = game_of(&path, &games).ok_or_else(|| no_game(target, &games))?;
            files.entry(game).or_default().push(source);
        }
    }
    if targets.is_empty() {
        files.retain(|_, files| !files.is_empty());
    }
    Ok(files)
}

/// A path itself, or the YAML files of a folder and the folders in it.
fn scenario_files(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else { return vec![path.to_path_buf()] };
    let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    let inside = paths.into_iter().filter(|path| path.is_dir() || is_yaml(path));
    inside.flat_map(|path| scenario_files(&path)).collect()
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
}

/// The game in whose folder a file lies, or the only one there is.
fn game_of(path: &Path, games: &[String]) -> Option<String> {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let folders = whole.components().rev().filter_map(|part| part.as_os_str().to_str());
    let named = folders.filter_map(|folder| games.iter().find(|game| *game == folder)).next();
    let only = games.first().filter(|_| games.len() == 1);
    named.or(only).cloned()
}

fn no_game(target: &str, games: &[String]) -> Problem {
    let problem = Problem::error("", format!("it cannot be told which game `{target}` tests"));
    problem.help(format!("put it into `rules/GAME/scenarios`, where GAME is one of {}", games.join(", ")))
}

// --- what came of it -----------------------------------------------------------

struct Report<'a> {
    suites: &'a [(&'a str, Suite<'a>)],
    sources: &'a Sources,
    coverage: bool,
}

impl Report<'_> {
    fn verdicts(&self) -> impl Iterator<Item = (&str, &Verdict)> {
        self.suites.iter().flat_map(|(game, suite)| suite.verdicts.iter().map(|verdict| (*game, verdict)))
    }

    fn is_clean(&self) -> bool {
        let files = self.suites.iter().all(|(_, suite)| !suite.problems.iter().any(Problem::is_error));
        let covered = !self.coverage || self.suites.iter().all(|(_, suite)| suite.covered.is_complete());
        files && covered && self.verdicts().all(|(_, verdict)| verdict.passed())
    }

    /// Of the files, then of the scenarios.
    fn problems(&self) -> Vec<Problem> {
        let files = self.suites.iter().flat_map(|(_, suite)| &suite.problems);
        files.chain(self.verdicts().flat_map(|(_, verdict)| &verdict.problems)).cloned().collect()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (game, suite) in self.suites {
            let failed: Vec<&Verdict> = suite.verdicts.iter().filter(|verdict| !verdict.passed()).collect();
            for verdict in &failed {
                text.push_str(&format!("{}: failed: {}\n", self.place(verdict), verdict.name));
            }
            let run = suite.verdicts.len();
            let unread = suite.problems.iter().filter(|problem| problem.is_error()).count();
            let unread = if unread > 0 { format!(", and {unread} mistakes in their files") } else { String::new() };
            text.push_str(&format!("{game}: {run} scenarios, {} failed{unread}\n", failed.len()));
            if self.coverage {
                text.push_str(&suite.covered.text(self.sources));
            }
        }
        text
    }

    fn place(&self, verdict: &Verdict) -> String {
        let (line, _) = self.sources.line_column(verdict.span);
        format!("{}:{line}", self.sources.get(verdict.span.source).name)
    }

    fn json(&self) -> Value {
        let games = self.suites.iter().map(|(game, suite)| {
            let failed = suite.verdicts.iter().filter(|verdict| !verdict.passed()).count();
            let mut value = json!({
                "game": game,
                "scenarios": suite.verdicts.len(),
                "failed": failed,
                "results": suite.verdicts.iter().map(|verdict| self.verdict(verdict)).collect::<Vec<_>>(),
                "problems": suite.problems.iter().map(|problem| self.problem(problem)).collect::<Vec<_>>(),
            });
            if let Some(object) = value.as_object_mut().filter(|_| self.coverage) {
                object.insert("coverage".to_string(), suite.covered.json(self.sources));
            }
            value
        });
        let games: Vec<Value> = games.collect();
        json!({
            "ludex": 1,
            "command": "test",
            "scenarios": self.verdicts().count(),
            "failed": self.verdicts().filter(|(_, verdict)| !verdict.passed()).count(),
            "games": games,
        })
    }

    fn verdict(&self, verdict: &Verdict) -> Value {
        let (line, _) = self.sources.line_column(verdict.span);
        json!({
            "name": verdict.name,
            "file": self.sources.get(verdict.span.source).name,
            "line": line,
            "passed": verdict.passed(),
            "problems": verdict.problems.iter().map(|problem| self.problem(problem)).collect::<Vec<_>>(),
        })
    }

    fn problem(&self, problem: &Problem) -> Value {
        let labels = problem.labels.iter().map(|(span, remark)| {
            let (line, column) = self.sources.line_column(*span);
            json!({ "file": self.sources.get(span.source).name, "line": line, "column": column, "remark": remark })
        });
        json!({
            "code": problem.code,
            "message": problem.message,
            "labels": labels.collect::<Vec<_>>(),
            "help": problem.help,
        })
    }
}
