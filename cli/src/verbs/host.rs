//! `ludex host`: a game over lines of JSON.

use crate::args::{Common, Names, PlayerSpec};
use crate::game::loaded::{GameRequest, LoadedGame, PositionText, entrant_word, entrants, no_such_seat, open};
use crate::game::{
    self, Game, NewGame, Recorder, RecordingStore, UndoLimit, new_salt, new_seed, on_interrupt, unless_impossible, warn_of_seed,
};
use crate::host::input::{Input, input};
use crate::host::out::{Out, refuse};
use crate::host::shares::gather;
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
    names: Names,
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
pub fn run(args: Args, common: &Common) -> Result<u8, Stop> {
    on_interrupt();
    let options = HostOptions { as_seat: args.as_seat, trusted: args.trusted };
    let mut input = input();
    let game = begin(&args, common, &mut input).inspect_err(|stop| {
        if !stop.problems.is_empty() {
            refuse(&stop.first(), args.as_seat);
        }
    })?;
    Ok(host::run(game.limit_undo(args.undo), options, input))
}

fn begin(args: &Args, common: &Common, input: &mut Input) -> Result<Game, Stop> {
    let position = args.position.as_deref().map(PositionText::File);
    let loaded = open(common, GameRequest { game: args.game.as_deref(), wanted: common.wanted(), position })?;
    loaded.report();
    let sides = sides(&loaded, common, args.seed.unwrap_or_else(new_seed))?;
    let seats = |seed: u64| loaded.seats(&sides, &common.seats, common.referee.as_ref(), "stdin", |_| PlayerSpec::Human, seed);
    let planned = seats(0)?;
    if let Some(seat) = args.as_seat.filter(|&seat| seat >= planned.len()) {
        return Err(loaded.bad(no_such_seat(seat, planned.len())));
    }
    let outside: Vec<usize> = planned.iter().filter(|seat| !seat.is_bot()).map(|seat| seat.number).collect();
    let (shares, salt) = match args.shares {
        true => {
            let (shares, salt) = gather(&outside, &Out::stdout(args.as_seat), input)?;
            (Some(shares), salt)
        }
        false => (None, new_salt()),
    };
    let seed = game::seed(args.seed, shares.as_ref()).map_err(|problem| loaded.bad(problem))?;
    let seats = seats(seed_of_bots(seed))?;
    warn_of_seed(seed, &dice(args), &seats);
    let names = args.names.of_sides(sides.len()).map_err(|problem| loaded.bad(problem))?;
    let setup = Setup { sides: sides.clone(), seed, dice: dice(args), position: loaded.position.clone(), names, watched: true };
    let (program, position) = (loaded.program.clone(), loaded.position_text.clone());
    let recorder = || recorder(&loaded.program.game, &loaded.libraries);
    let deal = NewGame { program, setup, seats, shares, salt, position };
    Game::start(deal, recorder).map_err(|problem| loaded.bad(problem))
}

/// The entrants of each side. Only a bot's side may be left open, and is dealt.
fn sides(loaded: &LoadedGame, common: &Common, seed: u64) -> Result<Vec<Vec<String>>, Stop> {
    let mut sides = loaded.entrants(&common.seats)?;
    if loaded.program.sides.entrants_least == 0 {
        return Ok(sides);
    }
    let mut rng = BotRng::new(seed, u64::MAX);
    let team = loaded.team_size(&sides);
    let open: Vec<usize> = (0..sides.len()).filter(|side| sides[*side].is_empty()).collect();
    for side in open {
        let player = common.seats.iter().rev().find(|spec| spec.side == side).and_then(|spec| spec.player.as_ref());
        if player.is_none_or(|player| *player == PlayerSpec::Human) {
            return Err(loaded.bad(nobody_there(side, loaded)));
        }
        sides[side] = loaded.any_entrants(team, &sides, &mut rng);
    }
    Ok(sides)
}

fn nobody_there(side: usize, loaded: &LoadedGame) -> Problem {
    let word = entrant_word(&loaded.program);
    let example = entrants(&loaded.program).first().map_or("NAME", |sheet| &sheet.id);
    Problem::error(codes::SEATS, format!("seat {side} has no {word}")).help(format!("for example `--seat {side}={example}`"))
}

fn dice(args: &Args) -> Dice {
    match (&args.rolls, args.dice) {
        (Some(rolls), _) => Dice::Listed(rolls.clone()),
        (None, DiceSource::External) => Dice::External,
        (None, DiceSource::Seeded) => Dice::Seeded,
    }
}

fn recorder(game: &str, libraries: &[PathBuf]) -> Result<Option<Recorder>, Problem> {
    RecordingStore::of_host().map_or(Ok(None), |store| unless_impossible(store.add(game, libraries), None))
}
