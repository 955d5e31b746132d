//! `ludex diff`: the changes that a library or a package makes to the games it builds on.

mod snapshot;
mod told;

use crate::args::Common;
use crate::exit::DONE;
use crate::load::{self, Loaded, slashed};
use crate::output;
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::library::Library;
use ludex_engine::problem::{Problem, nearest};
use serde_json::json;
use snapshot::{Change, Snapshot, changes};
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
struct Differing {
    game: String,
    title: String,
    /// The games it is compared with: itself without the library, or those it extends. Empty for a new game.
    with: Vec<String>,
    changes: Vec<Change>,
}

pub fn run(args: &Args, common: &Common) -> Result<u8, Stop> {
    let (loaded, found) = if args.library.exists() { of_library(args, common)? } else { of_package(args, common)? };
    if common.json() {
        let games: Vec<_> = found.iter().map(Differing::json).collect();
        output::json(&json!({ "ludex": 1, "command": "diff", "library": slashed(&args.library), "games": games }));
    } else {
        output::errors(&loaded.problems, &loaded.library.sources);
        let texts: Vec<String> = found.iter().map(Differing::text).collect();
        let text = if texts.is_empty() { "It changes no game.\n".to_string() } else { texts.join("\n") };
        output::print_paged(&text, common.no_pager);
    }
    Ok(DONE)
}

fn of_library(args: &Args, common: &Common) -> Result<(Loaded, Vec<Differing>), Stop> {
    let mut common = common.clone();
    common.libraries.push(args.library.clone());
    let loaded = load::load(&common);
    let name = slashed(&args.library);
    let without = loaded.library.without(&name);
    let games = loaded.library.games_of_library(&name);
    if games.is_empty() && loaded.problems.iter().any(Problem::is_error) {
        return Err(Stop::new(loaded.problems.clone(), loaded.library.sources.clone()));
    }
    let games = wanted(games, args)?;
    let found = games.iter().map(|game| {
        let with = if without.game(game).is_some() { vec![game.clone()] } else { loaded.parents(game) };
        differing(&loaded.library, game, &without, with)
    });
    let found = found.collect();
    Ok((loaded, found))
}

/// Compares a package with what it extends, all from the same libraries.
fn of_package(args: &Args, common: &Common) -> Result<(Loaded, Vec<Differing>), Stop> {
    let loaded = common.load();
    let id = slashed(&args.library);
    if loaded.library.game(&id).is_none() {
        return Err(missing(&args.library, &loaded).into());
    }
    let parents = loaded.parents(&id);
    if parents.is_empty() {
        let problem = Problem::error(codes::COMMAND_LINE, format!("`{id}` extends no other game"));
        return Err(problem.help("name a package that extends one, or a library that changes this one").into());
    }
    wanted(vec![id.clone()], args)?;
    let found = differing(&loaded.library, &id, &loaded.library, parents);
    Ok((loaded, vec![found]))
}

fn wanted(games: Vec<String>, args: &Args) -> Result<Vec<String>, Problem> {
    let Some(game) = &args.game else { return Ok(games) };
    match games.contains(game) {
        true => Ok(vec![game.clone()]),
        false => {
            let message = format!("`{}` changes nothing in `{game}`", slashed(&args.library));
            Err(Problem::error(codes::UNKNOWN_GAME, message).help(match games.as_slice() {
                [] => "it has no files for any game".to_string(),
                games => format!("it has files for {}", games.join(", ")),
            }))
        }
    }
}

fn missing(path: &Path, loaded: &Loaded) -> Problem {
    let name = slashed(path);
    let games = loaded.library.games();
    let packages = games.iter().filter(|game| !loaded.parents(game).is_empty()).map(String::as_str);
    let help = match nearest(&name, packages) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "name a folder, a packed library or a package that extends a game".to_string(),
    };
    Problem::error(codes::FILE_MISSING, format!("`{name}` is neither a library nor a package")).help(help)
}

fn differing(after: &Library, game: &str, before: &Library, with: Vec<String>) -> Differing {
    let mut old = Snapshot::default();
    with.iter().for_each(|game| old.add(before, game));
    let mut new = Snapshot::default();
    new.add(after, game);
    let title = after.game(game).map_or(String::new(), |game| game.title.clone());
    Differing { game: game.to_string(), title, with, changes: changes(&old, &new) }
}
