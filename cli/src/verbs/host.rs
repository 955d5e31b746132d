//! `ludex host`: a game over lines of JSON.
//!
//! Other programs play through `host`: it writes questions and events as lines of JSON to stdout, and reads answers from stdin.
//! A share is a number that a seat adds to the seed, so that no single player decides the dice.

use crate::args::{CommonArgs, PlayerNames, PlayerSpec};
use crate::game::loaded::{
    GameRequest, LoadedGame, PositionText, entrant_word, open_requested_game, playable_sheets, unknown_seat_problem,
};
use crate::game::{
    self, Game, NewGame, Recorder, RecordingStore, UndoLimit, allow_no_recording, new_salt, new_seed, on_interrupt, warn_of_seed,
};
use crate::host::input::{Input, stdin_lines};
use crate::host::line_output::{Out, refuse_start};
use crate::host::shares::gather_shares;
use crate::host::{self, HostOptions};
use crate::stop::Stop;
use ludex_bots::rng::BotRng;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::recording::seed_of_bots;
use ludex_engine::runtime::{Dice, Setup};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The game; a position may name it
    game: Option<String>,
    /// The number that decides all dice. Anyone who knows it, or works it out from some rolls, can predict the rest;
    /// without it, rolls cannot be predicted
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Where results of dice come from
    #[arg(long, value_name = "SOURCE", default_value = "seeded")]
    dice: DiceSource,
    /// Results of dice to use instead, in order, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "dice")]
    rolls: Option<Vec<i64>>,
    /// Start from a position in a file
    #[arg(long, value_name = "FILE")]
    position: Option<PathBuf>,
    #[command(flatten)]
    names: PlayerNames,
    /// Send only the lines that this seat may see
    #[arg(long = "as", value_name = "SEAT")]
    as_seat: Option<usize>,
    /// Let each seat add a share to the seed, so that no seat decides it alone
    #[arg(long, conflicts_with_all = ["seed", "rolls"])]
    shares: bool,
    /// Allow requests for the whole state, with everything that is hidden
    #[arg(long)]
    trusted: bool,
    /// How often a seat that plays only against bots may go back past a roll or
    /// anything revealed: a number, or unlimited
    #[arg(long, value_name = "N", default_value = "3")]
    undo: UndoLimit,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum DiceSource {
    /// Ludex rolls
    Seeded,
    /// Results are asked for in lines of their own
    External,
}

/// Runs the host. A problem that prevents the game is sent as a line to the other end and also printed.
pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    on_interrupt();
    let options = HostOptions { as_seat: args.as_seat, trusted: args.trusted };
    let mut input = stdin_lines();
    let game = start_new_game(&args, common, &mut input).inspect_err(|stop| {
        if !stop.problems.is_empty() {
            refuse_start(&stop.main_problem(), args.as_seat);
        }
    })?;
    Ok(host::run_host(game.limit_undo(args.undo), options, input))
}

/// Starts the game of the command line. With `--shares`, the players outside are asked for their shares first.
fn start_new_game(args: &Args, common: &CommonArgs, input: &mut Input) -> Result<Game, Stop> {
    let position = args.position.as_deref().map(PositionText::File);
    let loaded =
        open_requested_game(common, GameRequest { game: args.game.as_deref(), wanted: common.requested_settings(), position })?;
    loaded.print_warnings();
    let sides = deal_sides(&loaded, common, args.seed.unwrap_or_else(new_seed))?;
    let seats =
        |seed: u64| loaded.assign_seats(&sides, &common.seats, common.referee.as_ref(), "stdin", |_| PlayerSpec::Human, seed);
    let planned = seats(0)?;
    if let Some(seat) = args.as_seat.filter(|&seat| seat >= planned.len()) {
        return Err(loaded.stop_with_problem(unknown_seat_problem(seat, planned.len())));
    }
    let outside: Vec<usize> = planned.iter().filter(|seat| !seat.is_bot()).map(|seat| seat.number).collect();
    let (shares, salt) = match args.shares {
        true => {
            let (shares, salt) = gather_shares(&outside, &Out::to_stdout(args.as_seat), input)?;
            (Some(shares), salt)
        }
        false => (None, new_salt()),
    };
    let seed = game::choose_seed(args.seed, shares.as_ref()).map_err(|problem| loaded.stop_with_problem(problem))?;
    let seats = seats(seed_of_bots(seed))?;
    warn_of_seed(seed, &dice_source(args), &seats);
    let names = args.names.names_by_side(sides.len()).map_err(|problem| loaded.stop_with_problem(problem))?;
    let setup =
        Setup { sides: sides.clone(), seed, dice: dice_source(args), position: loaded.position.clone(), names, watched: true };
    let (program, position) = (loaded.program.clone(), loaded.position_text.clone());
    let recorder = || host_recorder(&loaded.program.game, &loaded.libraries);
    let deal = NewGame { program, setup, seats, shares, salt, position };
    Game::start(deal, recorder).map_err(|problem| loaded.stop_with_problem(problem))
}

/// The entrants of each side. Only a bot's side may be left open, and is dealt. `seed` decides the entrants that are dealt.
fn deal_sides(loaded: &LoadedGame, common: &CommonArgs, seed: u64) -> Result<Vec<Vec<String>>, Stop> {
    let mut sides = loaded.choose_entrants(&common.seats)?;
    if loaded.program.sides.entrants_least == 0 {
        return Ok(sides);
    }
    let mut rng = BotRng::new(seed, u64::MAX);
    let team = loaded.team_size(&sides);
    let open: Vec<usize> = (0..sides.len()).filter(|side| sides[*side].is_empty()).collect();
    for side in open {
        let player = common.seats.iter().rev().find(|spec| spec.side == side).and_then(|spec| spec.player.as_ref());
        if player.is_none_or(|player| *player == PlayerSpec::Human) {
            return Err(loaded.stop_with_problem(no_entrant_problem(side, loaded)));
        }
        sides[side] = loaded.draw_entrants(team, &sides, &mut rng);
    }
    Ok(sides)
}

fn no_entrant_problem(side: usize, loaded: &LoadedGame) -> Problem {
    let word = entrant_word(&loaded.program);
    let example = playable_sheets(&loaded.program).first().map_or("NAME", |sheet| &sheet.id);
    Problem::error(codes::SEATS, format!("seat {side} has no {word}")).help(format!("for example `--seat {side}={example}`"))
}

/// The source of results of dice: the listed ones, the other end, or the seed.
fn dice_source(args: &Args) -> Dice {
    match (&args.rolls, args.dice) {
        (Some(rolls), _) => Dice::Listed(rolls.clone()),
        (None, DiceSource::External) => Dice::External,
        (None, DiceSource::Seeded) => Dice::Seeded,
    }
}

/// A recorder in the folder for games of `host`; none if this system has no such folder. `allow_no_recording` decides whether
/// play goes on if it cannot be written.
fn host_recorder(game: &str, libraries: &[PathBuf]) -> Result<Option<Recorder>, Problem> {
    RecordingStore::of_host().map_or(Ok(None), |store| allow_no_recording(store.add_recording(game, libraries), None))
}
