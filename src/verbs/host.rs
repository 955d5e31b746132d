//! `ludex host`

use crate::cli::{Common, PlayerSpec};
use crate::game::opening::{BadStart, Opening, PositionText, Wish, entrant_word, entrants, no_such_seat, open};
use crate::game::{Deal, Game, Recorder, Shelf, UndoLimit, new_salt, new_seed, on_interrupt};
use crate::host::{self, Manner};
use crate::output;
use crate::players::stream::Stream;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::{Dice, Setup};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The game; a position may name it
    game: Option<String>,
    /// The number that all dice follow from; without it nobody can foresee them
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Where results of dice come from
    #[arg(long, value_name = "SOURCE", default_value = "seeded")]
    dice: DiceSource,
    /// Results of dice to use instead, in order, with commas between them
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "dice")]
    rolls: Option<Vec<i64>>,
    /// Start from a position in a file
    #[arg(long, value_name = "FILE")]
    position: Option<PathBuf>,
    /// Send only the lines that this seat may see
    #[arg(long = "as", value_name = "SEAT")]
    as_seat: Option<usize>,
    /// Let the whole state be asked for
    #[arg(long)]
    trusted: bool,
    /// How often a seat may go back across chance or what others know, where
    /// it plays bots only: a number, or unlimited
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

pub fn run(args: Args, common: &Common) -> u8 {
    on_interrupt();
    let manner = Manner { as_seat: args.as_seat, trusted: args.trusted };
    match begin(&args, common) {
        Ok(game) => host::run(game.limit_undo(args.undo), manner),
        Err(bad) => {
            host::refuse(&bad.first());
            bad.report()
        }
    }
}

fn begin(args: &Args, common: &Common) -> Result<Game, BadStart> {
    let position = args.position.as_deref().map(PositionText::File);
    let opening = open(common, Wish { game: args.game.as_deref(), wanted: common.wanted(), position })?;
    opening.report();
    let seed = args.seed.unwrap_or_else(new_seed);
    let sides = sides(&opening, common, seed)?;
    let seats = opening.seats(&sides, &common.seats, common.referee.as_ref(), "stdin", |_| PlayerSpec::Human, seed)?;
    if let Some(seat) = args.as_seat.filter(|&seat| seat >= seats.len()) {
        return Err(opening.bad(no_such_seat(seat, seats.len())));
    }
    let setup = Setup { sides, seed, dice: dice(args), position: opening.position.clone(), watched: true };
    let (program, position) = (opening.program.clone(), opening.position_text.clone());
    let recorder = || recorder(&opening.program.game);
    let deal = Deal { program, setup, seats, salt: new_salt(), position };
    Game::start(deal, recorder).map_err(|problem| opening.bad(problem))
}

/// Who stands on each side; only a bot's side may be left open, and is dealt.
fn sides(opening: &Opening, common: &Common, seed: u64) -> Result<Vec<Vec<String>>, BadStart> {
    let mut sides = opening.entrants(&common.seats)?;
    if opening.program.sides.entrants_least == 0 {
        return Ok(sides);
    }
    let mut stream = Stream::new(seed, u64::MAX);
    let team = opening.team_size(&sides);
    for (side, chosen) in sides.iter_mut().enumerate().filter(|(_, chosen)| chosen.is_empty()) {
        let player = common.seats.iter().rev().find(|spec| spec.side == side).and_then(|spec| spec.player.as_ref());
        if player.is_none_or(|player| *player == PlayerSpec::Human) {
            return Err(opening.bad(nobody_there(side, opening)));
        }
        *chosen = opening.any_entrants(team, &mut stream);
    }
    Ok(sides)
}

fn nobody_there(side: usize, opening: &Opening) -> Problem {
    let word = entrant_word(&opening.program);
    let example = entrants(&opening.program).first().map_or("NAME", |sheet| &sheet.id);
    Problem::error(codes::SEATS, format!("seat {side} has no {word}")).help(format!("for instance `--seat {side}={example}`"))
}

fn dice(args: &Args) -> Dice {
    match (&args.rolls, args.dice) {
        (Some(rolls), _) => Dice::Listed(rolls.clone()),
        (None, DiceSource::External) => Dice::External,
        (None, DiceSource::Seeded) => Dice::Seeded,
    }
}

fn recorder(game: &str) -> Option<Recorder> {
    let made = Shelf::of_host()?.add(game);
    made.map_err(|error| output::failure(&format!("the game cannot be recorded: {error}"), None)).ok()
}
