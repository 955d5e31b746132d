//! `ludex resume`: unfinished games.

use super::playing::go_on::go_on;
use super::playing::rematch::play;
use crate::args::{Common, Shown};
use crate::exit::DONE;
use crate::fullscreen;
use crate::game::kept::KeptGame;
use crate::game::{RecordingStore, UndoLimit, on_interrupt};
use crate::layout::{Table, counted};
use crate::output;
use crate::stop::Stop;
use crate::terminal::{Input, Screen};
use crate::tournament::time;
use jiff::Timestamp;
use ludex_engine::codes;
use ludex_engine::problem::{Problem, joined};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The game: its number in the list, or a recording; without it the unfinished games are listed
    #[arg(value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    shown: Shown,
    /// If you play only against bots, how often you may go back past a roll or
    /// anything revealed: a number, or unlimited
    #[arg(long, value_name = "N", default_value = "3")]
    undo: UndoLimit,
}

pub fn run(args: Args, common: &Common) -> Result<u8, Stop> {
    let Some(game) = &args.game else {
        return Ok(list(common));
    };
    let path = path(game)?;
    on_interrupt();
    let begun = go_on(&path, common)?;
    let face = fullscreen::face(Screen::detect(args.shown.plain), Input::new(), &begun.0);
    play(begun, args.undo, &*face)
}

fn list(common: &Common) -> u8 {
    let games = KeptGame::all();
    match common.json() {
        true => output::json(&json!({
            "ludex": 1,
            "command": "resume",
            "games": games.iter().map(in_json).collect::<Vec<_>>(),
        })),
        false => in_words(&games),
    }
    DONE
}

fn in_words(games: &[KeptGame]) {
    if games.is_empty() {
        return output::line("there are no unfinished games");
    }
    let mut table = Table::default();
    for game in games {
        table.row([game.number.to_string(), game.title().to_string(), game.who(), when(game), how_far(game)]);
    }
    output::print(&table.text());
    games.iter().for_each(|game| output::line(&format!("{:>4}  {}{}", game.number, game.path.display(), with_libraries(game))));
    output::line("\n`ludex resume NUMBER` continues one");
}

/// The libraries of a game, in words.
fn with_libraries(game: &KeptGame) -> String {
    let libraries = RecordingStore::libraries_of(&game.path);
    let names: Vec<String> = libraries.iter().map(|library| format!("`{}`", library.display())).collect();
    if names.is_empty() { String::new() } else { format!(", with {}", joined(&names, "and")) }
}

fn when(game: &KeptGame) -> String {
    game.played.and_then(|time| Timestamp::try_from(time).ok()).map(time::shown).unwrap_or_default()
}

/// The number of answers, and any obstacle to more.
fn how_far(game: &KeptGame) -> String {
    let Some(contents) = &game.contents else { return "cannot be read".to_string() };
    let answers = counted(contents.entries, "answer", "answers");
    match (&game.player, &contents.damage) {
        (Some(player), _) => format!("{answers}, played now by {player}"),
        (None, Some(_)) => format!("{answers}, damaged after that"),
        (None, None) => answers,
    }
}

fn in_json(game: &KeptGame) -> Value {
    let contents = game.contents.as_ref();
    json!({
        "number": game.number,
        "game": contents.map(|contents| &contents.header.game),
        "mode": contents.map(|contents| &contents.header.mode),
        "seats": contents.map(|contents| &contents.header.seats),
        "played": game.played.and_then(|time| Timestamp::try_from(time).ok()).map(|time| time.to_string()),
        "answers": contents.map(|contents| contents.entries),
        "damage": contents.and_then(|contents| contents.damage.as_ref()),
        "played_by": game.player,
        "recording": game.path,
        "libraries": RecordingStore::libraries_of(&game.path),
    })
}

/// The file of a game. A number selects one of the list, unless a file has that name.
fn path(game: &str) -> Result<PathBuf, Problem> {
    let named = PathBuf::from(game);
    let Some(number) = game.parse::<u64>().ok().filter(|_| !named.exists()) else {
        return Ok(named);
    };
    let unfinished = RecordingStore::of_play().map(|store| store.unfinished()).unwrap_or_default();
    let found = unfinished.into_iter().find(|(known, _)| *known == number);
    found.map(|(_, path)| path).ok_or_else(|| {
        let problem = Problem::error(codes::FILE_MISSING, format!("there is no unfinished game {number}"));
        problem.help("`ludex resume` lists them")
    })
}
