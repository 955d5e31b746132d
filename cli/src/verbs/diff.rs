//! `ludex diff`: the changes that a library or a package makes to the games it builds on.
//!
//! Both sides are made into a [`Snapshot`], which is compared by names. A package is compared with what it extends, and a
//! library with the same games without it.

mod report;
mod snapshot;

use crate::args::CommonArgs;
use crate::exit::DONE;
use crate::load::{self, LoadedLibraries, slashed_path};
use crate::output;
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::library::Library;
use ludex_engine::problem::{Problem, nearest_word};
use serde_json::json;
use snapshot::{Change, Snapshot, find_changes};
use std::path::{Path, PathBuf};

/// Show what a library or a package changes in the games it builds on
#[derive(clap::Args)]
pub struct Args {
    /// A folder or a packed library, or the id of a package, which is compared with what it extends
    #[arg(value_name = "LIBRARY")]
    library: PathBuf,
    /// Only this game
    game: Option<String>,
}

/// The differences of one game.
struct GameDifference {
    game: String,
    title: String,
    /// The games it is compared with: itself without the library, or those it extends. Empty for a new game.
    with: Vec<String>,
    changes: Vec<Change>,
}

pub fn run(args: &Args, common: &CommonArgs) -> Result<u8, Stop> {
    let (loaded, found) = if args.library.exists() { diff_library(args, common)? } else { diff_package(args, common)? };
    if common.is_json() {
        let games: Vec<_> = found.iter().map(GameDifference::to_json).collect();
        output::print_json(&json!({ "ludex": 1, "command": "diff", "library": slashed_path(&args.library), "games": games }));
    } else {
        output::print_errors(&loaded.problems, &loaded.library.sources);
        let texts: Vec<String> = found.iter().map(GameDifference::comparison_text).collect();
        let text = if texts.is_empty() { "It changes no game.\n".to_string() } else { texts.join("\n") };
        output::print_paged(&text, common.no_pager);
    }
    Ok(DONE)
}

/// Compares every game that a library has files for with the same game without the library.
fn diff_library(args: &Args, common: &CommonArgs) -> Result<(LoadedLibraries, Vec<GameDifference>), Stop> {
    let mut common = common.clone();
    common.libraries.push(args.library.clone());
    let loaded = load::open_libraries(&common);
    let name = slashed_path(&args.library);
    let without = loaded.library.without_library(&name);
    let games = loaded.library.games_of_library(&name);
    if games.is_empty() && loaded.problems.iter().any(Problem::is_error) {
        return Err(Stop::new(loaded.problems.clone(), loaded.library.sources.clone()));
    }
    let games = select_games(games, args)?;
    let found = games.iter().map(|game| {
        let with = if without.find_game(game).is_some() { vec![game.clone()] } else { loaded.ancestor_games(game) };
        compare_game(&loaded.library, game, &without, with)
    });
    let found = found.collect();
    Ok((loaded, found))
}

/// Compares a package with what it extends, all from the same libraries.
fn diff_package(args: &Args, common: &CommonArgs) -> Result<(LoadedLibraries, Vec<GameDifference>), Stop> {
    let loaded = common.load_libraries();
    let id = slashed_path(&args.library);
    if loaded.library.find_game(&id).is_none() {
        return Err(unknown_library_problem(&args.library, &loaded).into());
    }
    let parents = loaded.ancestor_games(&id);
    if parents.is_empty() {
        let problem = Problem::error(codes::COMMAND_LINE, format!("`{id}` extends no other game"));
        return Err(problem.help("name a package that extends one, or a library that changes this one").into());
    }
    select_games(vec![id.clone()], args)?;
    let found = compare_game(&loaded.library, &id, &loaded.library, parents);
    Ok((loaded, vec![found]))
}

/// The games to compare: the one that the command line names, or all.
fn select_games(games: Vec<String>, args: &Args) -> Result<Vec<String>, Problem> {
    let Some(game) = &args.game else { return Ok(games) };
    match games.contains(game) {
        true => Ok(vec![game.clone()]),
        false => {
            let message = format!("`{}` changes nothing in `{game}`", slashed_path(&args.library));
            Err(Problem::error(codes::UNKNOWN_GAME, message).help(match games.as_slice() {
                [] => "it has no files for any game".to_string(),
                games => format!("it has files for {}", games.join(", ")),
            }))
        }
    }
}

fn unknown_library_problem(path: &Path, loaded: &LoadedLibraries) -> Problem {
    let name = slashed_path(path);
    let games = loaded.library.game_ids();
    let packages = games.iter().filter(|game| !loaded.ancestor_games(game).is_empty()).map(String::as_str);
    let help = match nearest_word(&name, packages) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "name a folder, a packed library or a package that extends a game".to_string(),
    };
    Problem::error(codes::FILE_MISSING, format!("`{name}` is neither a library nor a package")).help(help)
}

/// Compares a game in one library with the games `with` in another, taken together.
fn compare_game(after: &Library, game: &str, before: &Library, with: Vec<String>) -> GameDifference {
    let mut old = Snapshot::default();
    with.iter().for_each(|game| old.add_game(before, game));
    let mut new = Snapshot::default();
    new.add_game(after, game);
    let title = after.find_game(game).map_or(String::new(), |game| game.title.clone());
    GameDifference { game: game.to_string(), title, with, changes: find_changes(&old, &new) }
}
