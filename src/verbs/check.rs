//! `ludex check`: everything wrong with libraries, or with some files.

use crate::args::Common;
use crate::exit::{DONE, PROBLEMS};
use crate::load::{self, Loaded};
use crate::output;
use crate::stop::Stop;
use crate::verbs::list::parents;
use ludex_engine::codes;
use ludex_engine::library::{BUNDLED, Role, Wanted};
use ludex_engine::position::{Heading, Position};
use ludex_engine::problem::{Problem, joined};
use ludex_engine::program::{Program, ScriptFile};
use ludex_engine::source::{SourceId, Span};
use ludex_engine::yaml;
use ludex_validator::Report;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Look for mistakes in rules, sheets and scripts
#[derive(clap::Args)]
pub struct Args {
    /// Files or folders; without any, all libraries are checked
    paths: Vec<PathBuf>,
}

pub fn run(args: Args, common: &Common) -> Result<u8, Stop> {
    let loaded = load::load_with(&common.libraries, &args.paths);
    let report = match args.paths.is_empty() {
        true => everything(&loaded, common),
        false => some(&loaded, &args.paths, common),
    };
    let packages = packages(&loaded, &args.paths);
    if common.json() {
        let mut object = report.to_json(&loaded.library.sources, "check");
        object["packages"] = packages.iter().map(|line| json!({ "id": line.0, "extends": line.1 })).collect();
        output::json(&object);
    } else {
        let own = |(id, _): &&(String, Vec<String>)| is_own(&loaded, id);
        let extends = |(id, parents): &(String, Vec<String>)| format!("{id} extends {}\n", joined(parents, "and"));
        output::print(&packages.iter().filter(own).map(extends).collect::<String>());
        output::report(&report, &loaded.library.sources);
    }
    Ok(if report.is_ok() { DONE } else { PROBLEMS })
}

/// Whether a game is somebody's own, and not one of those that come with the program.
fn is_own(loaded: &Loaded, game: &str) -> bool {
    loaded.library.game(game).is_some_and(|game| game.library != BUNDLED)
}

fn everything(loaded: &Loaded, common: &Common) -> Report {
    let mut problems = loaded.problems.clone();
    if let Some(problem) = common.mode.as_ref().and_then(|mode| no_such_mode(loaded, mode)) {
        problems.push(problem);
        return Report::new(problems);
    }
    for game in games_wanted(loaded, &common.wanted()) {
        problems.extend(problems_of(loaded, &game, &common.wanted()));
    }
    Report::new(problems)
}

fn no_such_mode(loaded: &Loaded, mode: &str) -> Option<Problem> {
    let (library, games) = (&loaded.library, loaded.library.games());
    if games.iter().any(|game| library.has_mode(game, mode)) {
        return None;
    }
    let modes: BTreeSet<String> = games.iter().flat_map(|game| library.modes(game)).collect();
    let problem = Problem::error(codes::UNKNOWN_MODE, format!("no game has a mode `{mode}`"));
    Some(problem.suggest(mode, modes.iter().map(String::as_str)))
}

/// All games; where a mode or an option is asked for, those that have it, if any has.
fn games_wanted(loaded: &Loaded, wanted: &Wanted) -> Vec<String> {
    let games = loaded.library.games();
    let has_mode = |game: &String| wanted.mode.as_ref().is_none_or(|mode| loaded.library.has_mode(game, mode));
    let has_options = |game: &String| wanted.options.keys().all(|option| loaded.library.options(game).contains(option));
    let fitting: Vec<String> = games.iter().filter(|game| has_mode(game) && has_options(game)).cloned().collect();
    if fitting.is_empty() { games } else { fitting }
}

/// Only the games that the files are part of. Errors in their rules and scripts are told too: with them,
/// nothing else can be checked.
fn some(loaded: &Loaded, paths: &[PathBuf], common: &Common) -> Report {
    let library = &loaded.library;
    let asked = asked(loaded, paths);
    let concerns = |problem: &Problem| {
        let sources = || problem.labels.iter().map(|(span, _)| span.source);
        problem.labels.is_empty()
            || sources().any(|source| asked.contains(&source))
            || problem.is_error() && !sources().any(|source| library.role(source) == Role::Sheet)
    };
    let mut problems = loaded.problems.clone();
    for source in asked.iter().filter(|source| is_loose_yaml(loaded, **source)) {
        problems.extend(problems_of_position(loaded, *source, common));
    }
    problems.retain(concerns);
    for game in games_of(loaded, &asked) {
        let found = problems_of(loaded, &game, &common.wanted());
        let parents = problems_of_parents(loaded, &game, &common.wanted());
        let is_made = |problem: &Problem| problem.is_error() && parents.as_ref().is_some_and(|known| !known.contains(problem));
        problems.extend(found.into_iter().filter(|problem| concerns(problem) || is_made(problem)));
    }
    Report::new(problems)
}

/// What is wrong without a package: what is wrong with it besides comes from the package, wherever it shows.
fn problems_of_parents(loaded: &Loaded, game: &str, wanted: &Wanted) -> Option<Vec<Problem>> {
    let line = loaded.library.line(game);
    let parents = parents(&line);
    (!parents.is_empty()).then(|| parents.into_iter().flat_map(|parent| problems_of(loaded, parent, wanted)).collect())
}

/// The files that are meant.
fn asked(loaded: &Loaded, paths: &[PathBuf]) -> BTreeSet<SourceId> {
    paths.iter().flat_map(|path| loaded.under(path)).collect()
}

/// The games that files are part of.
fn games_of(loaded: &Loaded, asked: &BTreeSet<SourceId>) -> BTreeSet<String> {
    asked.iter().flat_map(|source| loaded.library.games_with(*source)).collect()
}

/// The packages that are checked, each with all that it extends.
fn packages(loaded: &Loaded, paths: &[PathBuf]) -> Vec<(String, Vec<String>)> {
    let games = match paths.is_empty() {
        true => loaded.library.games(),
        false => games_of(loaded, &asked(loaded, paths)).into_iter().collect(),
    };
    let line = |game: String| {
        let line = loaded.library.line(&game);
        let parents: Vec<String> = parents(&line).into_iter().map(str::to_string).collect();
        (game, parents)
    };
    games.into_iter().map(line).filter(|(_, parents)| !parents.is_empty()).collect()
}

fn is_loose_yaml(loaded: &Loaded, source: SourceId) -> bool {
    let path = loaded.library.path(source);
    loaded.library.role(source) == Role::Other && (path.ends_with(".yaml") || path.ends_with(".yml"))
}

/// What is wrong with a game in each of its modes, or in the one that is asked for, whatever options are chosen.
fn problems_of(loaded: &Loaded, game: &str, wanted: &Wanted) -> Vec<Problem> {
    let mut modes = vec![wanted.mode.clone()];
    if wanted.mode.is_none() {
        modes.extend(loaded.library.modes(game).into_iter().map(Some));
    }
    let each: Vec<Wanted> = modes.into_iter().map(|mode| Wanted { mode, open: true, ..wanted.clone() }).collect();
    let (programs, mut problems) = loaded.library.compile_each(game, &each);
    let own = |source: SourceId| loaded.library.game(game).is_some_and(|game| game.holds(source));
    problems.extend(unused_scripts(&programs, own));
    problems
}

/// The game's own scripts of which no sheet names the ability, in whatever mode.
fn unused_scripts(programs: &[Program], own: impl Fn(SourceId) -> bool) -> Vec<Problem> {
    let used: BTreeSet<&str> = programs.iter().flat_map(listed).collect();
    let scripts: BTreeMap<SourceId, &str> = programs.iter().flat_map(scripts).collect();
    let unused = scripts.into_iter().filter(|(source, id)| own(*source) && !used.contains(id));
    unused
        .map(|(source, id)| {
            Problem::warning(codes::FILE_UNUSED, format!("no sheet has the ability `{id}`"))
                .at(Span::new(source, 0, 0), "never used")
                .help(format!("name it in a sheet: `abilities: [{id}]`"))
        })
        .collect()
}

/// The files of abilities, each with the ability's id.
fn scripts(program: &Program) -> impl Iterator<Item = (SourceId, &str)> {
    let id = |script: &ScriptFile| Some(program.abilities.get(usize::from(script.ability))?.id.as_str());
    program.scripts.iter().filter_map(move |script| Some((script.source, id(script)?)))
}

/// The ids of the abilities that sheets list.
fn listed(program: &Program) -> impl Iterator<Item = &str> {
    let of_entrants = program.sheets.values().flat_map(|sheet| &sheet.abilities);
    let of_cards = program.prints.prints.iter().flat_map(|print| &print.abilities);
    of_entrants.chain(of_cards).filter_map(|listed| Some(program.abilities.get(usize::from(listed.ability))?.id.as_str()))
}

/// A file that is no part of a game may be a position.
fn problems_of_position(loaded: &Loaded, source: SourceId, common: &Common) -> Vec<Problem> {
    let (node, mut problems) = yaml::read(&loaded.library.sources.get(source).text, source);
    let Some(node) = node else { return problems };
    let heading = Heading::read(&node);
    let Some(game) = heading.game else {
        let problem = Problem::warning(codes::FILE_UNUSED, "this file belongs to no game");
        return vec![problem.at(Span::new(source, 0, 0), "neither rules, sheet, script nor position")];
    };
    let mut options: BTreeMap<String, String> = heading.options;
    options.extend(common.wanted().options);
    let wanted = Wanted { mode: common.mode.clone().or(heading.mode), options, open: false };
    let (program, found) = loaded.library.compile(&game.value, &wanted);
    problems.extend(found.into_iter().map(|problem| match problem.labels.is_empty() {
        true => problem.at(game.span, "named here"),
        false => problem,
    }));
    if let Some(program) = program {
        Position::read(&node, &program, &mut problems);
    }
    problems
}
