//! Shell completion beyond verbs and flags: games, and the modes, options, sheets and abilities of the game on the command line.
//! Nothing is compiled for it. Files with problems complete nothing; `check` reports them.

use crate::args::Common;
use crate::load::{self, Loaded};
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
pub fn completed(command: Command) -> Command {
    command.mut_args(with_completer).mut_subcommands(completed)
}

fn with_completer(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "game" => arg.add(ArgValueCompleter::new(|current: &OsStr| matching(current, &games(&loaded())))),
        "targets" => arg.add(ArgValueCompleter::new(game_or_path)),
        "mode" => arg.add(of_game(|loaded, game| loaded.library.modes(game))),
        "options" => arg.add(of_game(options)),
        "seats" => arg.add(of_game(sheets)),
        "subject" | "words" => arg.add(of_game(|loaded, game| [sheets(loaded, game), abilities(loaded, game)].concat())),
        _ => arg,
    }
}

fn of_game(names: impl Fn(&Loaded, &str) -> Vec<String> + Send + Sync + 'static) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let loaded = loaded();
        let games = games(&loaded);
        let game = words().into_iter().find(|word| games.contains(word));
        game.map_or(Vec::new(), |game| matching(current, &names(&loaded, &game)))
    })
}

fn game_or_path(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut found = matching(current, &games(&loaded()));
    found.extend(PathCompleter::any().complete(current));
    found
}

/// The names that start with the current text. After `0=` only the rest is compared.
fn matching(current: &OsStr, names: &[String]) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else { return Vec::new() };
    let begun = current.rfind(['=', ',']).map_or(0, |place| place + 1);
    let (before, begun) = current.split_at(begun);
    let names: BTreeSet<&String> = names.iter().filter(|name| name.starts_with(begun)).collect();
    names.into_iter().map(|name| CompletionCandidate::new(format!("{before}{name}"))).collect()
}

fn games(loaded: &Loaded) -> Vec<String> {
    loaded.library.games()
}

fn options(loaded: &Loaded, game: &str) -> Vec<String> {
    loaded.library.options(game).into_iter().map(|option| format!("{option}=")).collect()
}

fn sheets(loaded: &Loaded, game: &str) -> Vec<String> {
    loaded.library.sheets(game).into_iter().map(|sheet| sheet.id.to_string()).collect()
}

fn abilities(loaded: &Loaded, game: &str) -> Vec<String> {
    loaded.library.scripts(game).into_keys().collect()
}

/// The libraries of the command line.
fn loaded() -> Loaded {
    let words = words();
    let named = words.windows(2).filter(|pair| pair[0] == "--library").map(|pair| pair[1].clone());
    let joined = words.iter().filter_map(|word| word.strip_prefix("--library=").map(str::to_string));
    let libraries = named.chain(joined).map(Into::into).collect();
    load::load(&Common { libraries, no_local: words.iter().any(|word| word == "--no-local"), ..Common::default() })
}

/// The words of the command line to complete.
fn words() -> Vec<String> {
    std::env::args_os().skip_while(|word| word != "--").skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}
