//! `ludex check`: everything wrong with libraries, or with some files.

use crate::args::Common;
use crate::checking::{Checking, asked, games_of};
use crate::exit::{DONE, PROBLEMS};
use crate::load::{self, Loaded};
use crate::output;
use crate::stop::Stop;
use ludex_engine::library::BUNDLED;
use ludex_engine::problem::joined;
use ludex_validator::Report;
use serde_json::json;
use std::path::PathBuf;

/// Look for mistakes in rules, sheets, scripts and scenarios
#[derive(clap::Args)]
pub struct Args {
    /// Files or folders; without any, all libraries are checked
    paths: Vec<PathBuf>,
}

pub fn run(args: Args, common: &Common) -> Result<u8, Stop> {
    let loaded = load::load_with(&common.libraries, &args.paths);
    let mut checking = Checking::new(&loaded, common.wanted());
    let report = Report::new(match args.paths.is_empty() {
        true => checking.everything(),
        false => checking.some(&args.paths),
    });
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

/// The packages that are checked, each with all that it extends.
fn packages(loaded: &Loaded, paths: &[PathBuf]) -> Vec<(String, Vec<String>)> {
    let games = match paths.is_empty() {
        true => loaded.library.games(),
        false => games_of(loaded, &asked(loaded, paths)).into_iter().collect(),
    };
    let line = |game: String| {
        let parents = loaded.parents(&game);
        (game, parents)
    };
    games.into_iter().map(line).filter(|(_, parents)| !parents.is_empty()).collect()
}
