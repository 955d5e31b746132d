//! `ludex tournament new`: a new tournament in a file of its own.

use super::context::{Context, Message};
use super::game::game_title;
use super::locate;
use super::team::choose_team;
use crate::args::CommonArgs;
use crate::game::loaded::{GameRequest, LoadedGame, open_requested_game};
use crate::stop::Stop;
use crate::tournament::rules::{self, MOST_PLAYERS};
use crate::tournament::state::{Game, Settings, Tournament};
use crate::tournament::store::Store;
use crate::tournament::time::{Length, Until};
use crate::tournament::{json, name, text, time};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ludex_engine::codes;
use ludex_engine::problem::{Problem, range_text};
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The file to store it in; without an ending it gets `.ludextournament`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The game of all duels
    #[arg(long, value_name = "GAME")]
    game: String,
    /// How many tokens each player starts with; 5 to 10 are usual
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(i64).range(1..=1000))]
    tokens: i64,
    /// How many a player brings to each duel, in games that leave it open; if
    /// you leave it out, as few as they allow
    #[arg(long, value_name = "N")]
    team_size: Option<usize>,
    #[command(flatten)]
    end: End,
    /// Who may correct results and close the tournament
    #[arg(long, value_name = "NAME", default_value = "organiser")]
    organiser: String,
}

/// When a tournament ends.
#[derive(clap::Args)]
pub struct End {
    /// When it ends: `18:30`, or `2030-05-01 18:30`
    #[arg(long, value_name = "TIME", conflicts_with = "length")]
    until: Option<Until>,
    /// How long it lasts from now: `90m`, `1h 30m` or `2d`
    #[arg(long = "for", value_name = "LENGTH", id = "length")]
    length: Option<Length>,
}

impl End {
    /// The deadline, which must be in the future.
    pub fn future_deadline(&self, now: Timestamp) -> Result<Timestamp, Problem> {
        let zone = TimeZone::system();
        let deadline = match self.until {
            Some(until) => until.to_timestamp(now, zone),
            None => self.length.unwrap_or_default().end_after(now, zone),
        };
        let deadline = deadline.ok_or_else(|| Problem::error(codes::TOURNAMENT_REFUSED, "this time does not exist"))?;
        rules::ensure_future(deadline, now).map(|()| deadline)
    }
}

/// Checks the game and the settings, and creates the file.
pub fn run(args: &Args, common: &CommonArgs) -> Result<u8, Stop> {
    let now = time::current_time();
    let deadline = args.end.future_deadline(now)?;
    let organiser = name::check_name(&args.organiser)?;
    let game = game_settings(args, common)?;
    let (created, time_up, closed, page) = (now, false, None, None);
    let settings = Settings { game, tokens: args.tokens, organiser, created, deadline, time_up, closed, page };
    let mut tournament = Tournament::new(settings);
    rules::begin_journal(&mut tournament, now);
    let store = Store::create_file(&locate::with_ending(&args.file), &tournament, Box::new(time::current_time))?;
    let message = created_message(&store, &tournament, now);
    Ok(Context { store, common }.print_message("new", message))
}

/// The game with its mode, options and team size. Only games for two sides are admitted.
fn game_settings(args: &Args, common: &CommonArgs) -> Result<Game, Stop> {
    let loaded =
        open_requested_game(common, GameRequest { game: Some(&args.game), wanted: common.requested_settings(), position: None })?;
    loaded.print_warnings();
    let program = &loaded.program;
    if !(program.sides.least..=program.sides.most).contains(&2) {
        return Err(loaded.stop_with_problem(not_for_two(&loaded)));
    }
    Ok(Game {
        id: program.game.clone(),
        title: game_title(program),
        mode: program.mode.clone(),
        options: program.options.iter().map(|option| (option.name.clone(), option.value_text(option.value))).collect(),
        package_hash: program.hash.clone(),
        team: choose_team(&loaded, args.team_size)?,
    })
}

fn not_for_two(loaded: &LoadedGame) -> Problem {
    let program = &loaded.program;
    let sides = range_text(program.sides.least, program.sides.most);
    let message = format!("{} is for {sides} sides, and a duel has two", program.title);
    Problem::error(codes::TOURNAMENT_GAME, message).help("choose another game, or another mode with `--mode`")
}

/// The settings, and how to continue.
fn created_message(store: &Store, tournament: &Tournament, now: Timestamp) -> Message {
    let settings = &tournament.settings;
    let left = time::duration_text(settings.deadline.duration_since(now).as_secs());
    let brings = settings.game.team.as_ref().map(|team| format!(" and brings {team} to each duel")).unwrap_or_default();
    let lines = vec![
        format!("{} is a tournament of {}", store.path().display(), settings.game.title),
        format!("each player starts with {}{brings}", text::tokens_text(settings.tokens)),
        format!("it ends at {}, in {left}", time::local_time_text(settings.deadline)),
        format!("`ludex tournament join NAME` adds a player, up to {MOST_PLAYERS}"),
    ];
    Message { lines, fields: json!({ "file": store.path(), "standings": json::standings_json(tournament, now) }) }
}
