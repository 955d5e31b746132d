//! `ludex resume`: unfinished games.

use super::playing::rematch::play_games;
use super::playing::resume::resume_game;
use crate::args::{CommonArgs, DisplayArgs};
use crate::exit::DONE;
use crate::fullscreen;
use crate::game::unfinished::UnfinishedGame;
use crate::game::{RecordingStore, UndoLimit, on_interrupt};
use crate::layout::{Table, count_text};
use crate::output;
use crate::stop::Stop;
use crate::terminal::{Input, Screen};
use crate::tournament::time;
use jiff::Timestamp;
use ludex_engine::codes;
use ludex_engine::problem::{Problem, join_words};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The game: its number in the list, or a recording; without it the unfinished games are listed
    #[arg(value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    shown: DisplayArgs,
    /// If you play only against bots, how often you may go back past a roll or
    /// anything revealed: a number, or unlimited
    #[arg(long, value_name = "N", default_value = "3")]
    undo: UndoLimit,
}

pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    let Some(game) = &args.game else {
        return Ok(list_games(common));
    };
    let path = find_recording(game)?;
    on_interrupt();
    let begun = resume_game(&path, common)?;
    let face = fullscreen::choose_face(Screen::detect(args.shown.plain), Input::new(), &begun.0);
    play_games(begun, args.undo, &*face)
}

/// Prints the unfinished games of `play`.
fn list_games(common: &CommonArgs) -> u8 {
    let games = UnfinishedGame::list_unfinished();
    match common.is_json() {
        true => output::print_json(&json!({
            "ludex": 1,
            "command": "resume",
            "games": games.iter().map(game_json).collect::<Vec<_>>(),
        })),
        false => print_games(&games),
    }
    DONE
}

/// Prints a table of games, then the file of each.
fn print_games(games: &[UnfinishedGame]) {
    if games.is_empty() {
        return output::print_line("there are no unfinished games");
    }
    let mut table = Table::default();
    for game in games {
        table.add_row([
            game.number.to_string(),
            game.game_id().to_string(),
            game.players_text(),
            last_played_text(game),
            progress_text(game),
        ]);
    }
    output::print_text(&table.to_text());
    games
        .iter()
        .for_each(|game| output::print_line(&format!("{:>4}  {}{}", game.number, game.path.display(), with_libraries(game))));
    output::print_line("\n`ludex resume NUMBER` continues one");
}

/// The libraries of a game, in words.
fn with_libraries(game: &UnfinishedGame) -> String {
    let libraries = RecordingStore::libraries_of(&game.path);
    let names: Vec<String> = libraries.iter().map(|library| format!("`{}`", library.display())).collect();
    if names.is_empty() { String::new() } else { format!(", with {}", join_words(&names, "and")) }
}

/// When the game was last played, in local time.
fn last_played_text(game: &UnfinishedGame) -> String {
    game.played.and_then(|time| Timestamp::try_from(time).ok()).map(time::local_time_text).unwrap_or_default()
}

/// The number of answers, and any obstacle to more.
fn progress_text(game: &UnfinishedGame) -> String {
    let Some(contents) = &game.contents else { return "cannot be read".to_string() };
    let answers = count_text(contents.entries, "answer", "answers");
    match (&game.player, &contents.damage) {
        (Some(player), _) => format!("{answers}, played now by {player}"),
        (None, Some(_)) => format!("{answers}, damaged after that"),
        (None, None) => answers,
    }
}

fn game_json(game: &UnfinishedGame) -> Value {
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
fn find_recording(game: &str) -> Result<PathBuf, Problem> {
    let named = PathBuf::from(game);
    let Some(number) = game.parse::<u64>().ok().filter(|_| !named.exists()) else {
        return Ok(named);
    };
    let unfinished = RecordingStore::play_store().map(|store| store.unfinished_recordings()).unwrap_or_default();
    let found = unfinished.into_iter().find(|(known, _)| *known == number);
    found.map(|(_, path)| path).ok_or_else(|| {
        let problem = Problem::error(codes::FILE_MISSING, format!("there is no unfinished game {number}"));
        problem.help("`ludex resume` lists them")
    })
}
