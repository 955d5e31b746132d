//! Shell completion beyond verbs and flags: games, and the modes, options, sheets and abilities of the game on the command line.
//! Nothing is compiled for it. Files with problems complete nothing; `check` reports them.
//!
//! Shells run `ludex` with an environment variable, and the command line after `--`, to request the words that may come next.

use crate::args::CommonArgs;
use crate::load::{self, LoadedLibraries};
use clap::{Arg, Command};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::CompleteEnv;
use std::collections::BTreeSet;
use std::ffi::OsStr;

/// The environment variable that a shell's script sets to request completions.
pub const ASKED: &str = "LUDEX_COMPLETE";

/// If a shell requests completions, prints them and ends this process.
pub fn answer_shells(command: fn() -> Command) {
    CompleteEnv::with_factory(command).var(ASKED).bin("ludex").complete();
}

/// Adds completers to the arguments that name something of a library.
pub fn add_completers(command: Command) -> Command {
    command.mut_args(add_completer).mut_subcommands(add_completers)
}

/// Adds the completer for an argument's id. The ids are the field names of the verbs' arguments.
fn add_completer(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "game" => {
            arg.add(ArgValueCompleter::new(|current: &OsStr| matching_candidates(current, &game_names(&load_for_completion()))))
        }
        "targets" => arg.add(ArgValueCompleter::new(complete_game_or_path)),
        "mode" => arg.add(complete_from_game(|loaded, game| loaded.library.mode_names(game))),
        "options" => arg.add(complete_from_game(option_names)),
        "seats" => arg.add(complete_from_game(sheet_ids)),
        "subject" | "words" => {
            arg.add(complete_from_game(|loaded, game| [sheet_ids(loaded, game), ability_ids(loaded, game)].concat()))
        }
        _ => arg,
    }
}

/// A completer with names of the game that is on the command line, from `names`; it completes nothing if no game is there.
fn complete_from_game(names: impl Fn(&LoadedLibraries, &str) -> Vec<String> + Send + Sync + 'static) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let loaded = load_for_completion();
        let games = game_names(&loaded);
        let game = command_words().into_iter().find(|word| games.contains(word));
        game.map_or(Vec::new(), |game| matching_candidates(current, &names(&loaded, &game)))
    })
}

fn complete_game_or_path(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut found = matching_candidates(current, &game_names(&load_for_completion()));
    found.extend(PathCompleter::any().complete(current));
    found
}

/// The names that start with the current text. After `0=` only the rest is compared. Several names may be joined by commas.
fn matching_candidates(current: &OsStr, names: &[String]) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else { return Vec::new() };
    let begun = current.rfind(['=', ',']).map_or(0, |place| place + 1);
    let (before, begun) = current.split_at(begun);
    let names: BTreeSet<&String> = names.iter().filter(|name| name.starts_with(begun)).collect();
    names.into_iter().map(|name| CompletionCandidate::new(format!("{before}{name}"))).collect()
}

fn game_names(loaded: &LoadedLibraries) -> Vec<String> {
    loaded.library.game_ids()
}

/// The options of a game, each with the `=` that comes before its value.
fn option_names(loaded: &LoadedLibraries, game: &str) -> Vec<String> {
    loaded.library.option_names(game).into_iter().map(|option| format!("{option}=")).collect()
}

fn sheet_ids(loaded: &LoadedLibraries, game: &str) -> Vec<String> {
    loaded.library.game_sheets(game).into_iter().map(|sheet| sheet.id.to_string()).collect()
}

fn ability_ids(loaded: &LoadedLibraries, game: &str) -> Vec<String> {
    loaded.library.script_files(game).into_keys().collect()
}

/// The libraries of the command line.
fn load_for_completion() -> LoadedLibraries {
    let words = command_words();
    let named = words.windows(2).filter(|pair| pair[0] == "--library").map(|pair| pair[1].clone());
    let joined = words.iter().filter_map(|word| word.strip_prefix("--library=").map(str::to_string));
    let libraries = named.chain(joined).map(Into::into).collect();
    load::open_libraries(&CommonArgs {
        libraries,
        no_local: words.iter().any(|word| word == "--no-local"),
        ..CommonArgs::default()
    })
}

/// The words of the command line to complete.
fn command_words() -> Vec<String> {
    std::env::args_os().skip_while(|word| word != "--").skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}
