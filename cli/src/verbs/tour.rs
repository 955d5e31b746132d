//! `ludex tour`: a first turn, with explanations of what to do and why.
//!
//! A tour is a scenario: a person plays seat 0 and gives its answers with the help of its texts, and the other seats answer as
//! it says.

use crate::args::{CommonArgs, PlayerSpec};
use crate::game::{Game, NewGame, Seat, new_salt};
use crate::load::{Purpose, refuse_unknown_game};
use crate::scenario::{LEARNER, Tour};
use crate::stop::Stop;
use crate::terminal::{InLines, Input, Log, Screen, play_guided};
use ludex_engine::codes;
use ludex_engine::problem::Problem;

/// Play a first turn with a guide who explains what to do and why
#[derive(clap::Args)]
pub struct Args {
    /// The game
    game: String,
    /// Plain lines, for screen readers and pipes
    #[arg(long)]
    plain: bool,
}

pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    let mut loaded = common.load_libraries();
    refuse_unknown_game(&args.game, &loaded.library.game_ids())?;
    let Some(tour) = Tour::find_tour(&loaded.library, &args.game) else { return Err(no_tour(&args.game).into()) };
    let program = common.compile_from(&mut loaded, &args.game, &tour.mode_and_options(), Purpose::Playing)?;
    let stop = |problems| Stop::new(problems, program.sources.clone());
    let setup = tour.build_setup(&program).map_err(stop)?;
    let mut seats: Vec<Seat> = Vec::new();
    for (number, entrants) in setup.sides.iter().enumerate() {
        seats.push(match number {
            LEARNER => Seat::for_outside_player(number, entrants.clone(), "human"),
            _ => Seat::for_player(number, entrants.clone(), "tour", tour.partner_for_seat(number)),
        });
    }
    if let Some(number) = program.referee_seat(setup.sides.len()) {
        seats.push(Seat::for_bot(number, Vec::new(), &PlayerSpec::Auto, &program, 0)?.into_referee());
    }
    let deal = NewGame { program: program.clone(), setup, seats, shares: None, salt: new_salt(), position: None };
    // A tour is never resumed, so it is not recorded.
    let game = Game::start(deal, || Ok(None)).map_err(|problem| stop(vec![problem]))?;
    let face = InLines::new(Screen::detect(args.plain), Input::new());
    play_guided(game, Log::default(), &face, Some(tour.into_guide())).status
}

fn no_tour(game: &str) -> Problem {
    let problem = Problem::error(codes::FILE_MISSING, format!("`{game}` has no tour"));
    problem
        .help(format!("`ludex rules {game}` shows how it is played; a tour is a scenario in `rules/{game}/scenarios/tour.yaml`"))
}
