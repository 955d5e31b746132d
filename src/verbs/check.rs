//! `ludex check`: everything wrong with libraries, or with some files.

use crate::cli::{Common, DONE, PROBLEMS};
use crate::load::{self, Loaded};
use crate::output;
use ludex_engine::codes;
use ludex_engine::library::{Role, Wanted};
use ludex_engine::position::{Heading, Position};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::source::{SourceId, Span};
use ludex_engine::yaml;
use ludex_validator::Report;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Look for mistakes in rules, sheets and scripts
#[derive(clap::Args)]
pub struct Args {
    /// Files or folders; without any, all libraries are checked
    paths: Vec<PathBuf>,
}

pub fn run(args: Args, common: &Common) -> u8 {
    let loaded = load::load_with(&common.libraries, &args.paths);
    let report = match args.paths.is_empty() {
        true => everything(&loaded, common),
        false => some(&loaded, &args.paths, common),
    };
    if common.json() {
        output::json(&report.to_json(&loaded.library.sources, "check"));
    } else {
        output::print(&report.to_text(&loaded.library.sources, &output::look(output::colour())));
    }
    if report.is_ok() { DONE } else { PROBLEMS }
}

fn everything(loaded: &Loaded, common: &Common) -> Report {
    let mut problems = loaded.problems.clone();
    for game in loaded.library.games() {
        problems.extend(problems_of(loaded, &game, &common.wanted()));
    }
    Report::new(problems)
}

/// Only the games that the files are part of. Errors in their rules and scripts are told too: with them,
/// nothing else can be checked.
fn some(loaded: &Loaded, paths: &[PathBuf], common: &Common) -> Report {
    let library = &loaded.library;
    let asked: BTreeSet<SourceId> = paths.iter().flat_map(|path| loaded.under(path)).collect();
    let games: BTreeSet<String> = asked.iter().flat_map(|source| library.games_with(*source)).collect();
    let mut problems = loaded.problems.clone();
    for game in &games {
        problems.extend(problems_of(loaded, game, &common.wanted()));
    }
    for source in asked.iter().filter(|source| is_loose_yaml(loaded, **source)) {
        problems.extend(problems_of_position(loaded, *source, common));
    }
    problems.retain(|problem| {
        let sources = || problem.labels.iter().map(|(span, _)| span.source);
        problem.labels.is_empty()
            || sources().any(|source| asked.contains(&source))
            || problem.is_error() && !sources().any(|source| library.role(source) == Role::Sheet)
    });
    Report::new(problems)
}

fn is_loose_yaml(loaded: &Loaded, source: SourceId) -> bool {
    let path = loaded.library.path(source);
    loaded.library.role(source) == Role::Other && (path.ends_with(".yaml") || path.ends_with(".yml"))
}

fn problems_of(loaded: &Loaded, game: &str, wanted: &Wanted) -> Vec<Problem> {
    let (program, mut problems) = loaded.library.compile(game, wanted);
    if let Some(program) = program {
        problems.extend(unused_scripts(loaded, &program));
    }
    problems
}

/// Scripts that no sheet names.
fn unused_scripts(loaded: &Loaded, program: &Program) -> Vec<Problem> {
    let of_entrants = program.sheets.values().flat_map(|sheet| &sheet.abilities);
    let of_cards = program.prints.prints.iter().flat_map(|print| &print.abilities);
    let used: BTreeSet<_> = of_entrants.chain(of_cards).map(|listed| listed.ability).collect();
    loaded
        .library
        .scripts(&program.game)
        .into_iter()
        .filter(|(stem, _)| program.ability(stem).is_some_and(|id| !used.contains(&id)))
        .map(|(stem, source)| {
            Problem::warning(codes::FILE_UNUSED, format!("no sheet has the ability `{stem}`"))
                .at(Span::new(source, 0, 0), "never used")
                .help(format!("name it in a sheet: `abilities: [{stem}]`"))
        })
        .collect()
}

/// A file that is no part of a game may be a position.
fn problems_of_position(loaded: &Loaded, source: SourceId, common: &Common) -> Vec<Problem> {
    let (node, mut problems) = yaml::read(&loaded.library.sources.get(source).text, source);
    let Some(node) = node else { return problems };
    let heading = Heading::read(&node);
    let Some(game) = heading.game else {
        let problem = Problem::warning(codes::FILE_UNUSED, "this file is for no game");
        return vec![problem.at(Span::new(source, 0, 0), "neither rules, sheet, script nor position")];
    };
    let mut options: BTreeMap<String, String> = heading.options;
    options.extend(common.wanted().options);
    let wanted = Wanted { mode: common.mode.clone().or(heading.mode), options };
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
