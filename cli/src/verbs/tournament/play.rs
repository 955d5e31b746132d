//! `ludex tournament play`: plays a duel here, and stores its result with its recording.
//!
//! A commitment is a hash of the game's seed, which identifies the game when it ends: a duel may be started again, and only the
//! game with the last commitment counts.

use super::context::{Context, duel_message, wrap_sentence};
use super::game::open_game;
use crate::args::{CommonArgs, DisplayArgs, PlayerSpec};
use crate::fullscreen;
use crate::game::loaded::{LoadedGame, unknown_seat_problem};
use crate::game::{Game, NewGame, RecordingStore, UndoLimit, new_salt, on_interrupt, unpredictable_seed};
use crate::output;
use crate::stop::Stop;
use crate::terminal::{self, Input, Log, PlayEnd, Screen, StoppedGame};
use crate::tournament::duel::{Duel, DuelId, VoidReason};
use crate::tournament::rules::{self, Actor, CountStatus, GameEnding};
use crate::tournament::state::Tournament;
use crate::verbs::playing::DiceSource;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::recording::seed_of_bots;
use ludex_engine::runtime::{Outcome, OutcomeResult, Setup};
use std::io;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The number of the duel; not needed with --as, for your own
    #[arg(value_name = "DUEL")]
    duel: Option<i64>,
    /// Where results of dice come from
    #[arg(long, value_name = "SOURCE", default_value = "seeded")]
    dice: DiceSource,
    /// How often a player may go back past a roll or anything revealed, against
    /// a bot: a number, or unlimited
    #[arg(long, value_name = "N", default_value = "3")]
    undo: UndoLimit,
    #[command(flatten)]
    shown: DisplayArgs,
    /// Who starts the game
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
}

/// Begins the game in the tournament, plays it at this terminal, and stores its end.
pub fn run(args: &Args, context: &Context) -> Result<u8, Stop> {
    on_interrupt();
    let tournament = context.read_tournament()?;
    let actor = Actor::find_by_name(&tournament, args.name.as_deref())?;
    let id = rules::duel_to_play(&tournament, &actor, args.duel.map(DuelId))?;
    let duel = rules::duel_numbered(&tournament, id)?;
    let loaded = open_game(context, &tournament.settings.game)?;
    let game = start_duel(args, context, &loaded, &tournament, duel)?;
    let commitment = game.header().published_commitment();
    context.apply_change(|tournament, now| rules::begin_game(tournament, &actor, id, &commitment, now))?;
    output::print_remark(&wrap_sentence(&tournament.summary_line(duel)));
    let face = fullscreen::choose_face(Screen::detect(args.shown.plain), Input::new(), &game);
    let played = terminal::play_game(game, Log::default(), &*face);
    finish_duel(context, id, &commitment, played)
}

/// The game of a duel, with the challenger on the first side.
fn start_duel(args: &Args, context: &Context, loaded: &LoadedGame, tournament: &Tournament, duel: &Duel) -> Result<Game, Stop> {
    let common = context.common;
    if let Some(spec) = common.seats.iter().find(|spec| !spec.entrants.is_empty()) {
        let help = format!("name only who answers: `--seat {}=:human`", spec.side);
        let message = "the tournament has already chosen who plays on which side";
        return Err(Stop::usage_error(Problem::error(codes::TOURNAMENT_REFUSED, message).help(help)));
    }
    if let Some(spec) = common.seats.iter().find(|spec| spec.side > 1) {
        return Err(loaded.stop_with_problem(unknown_seat_problem(spec.side, 2)));
    }
    let ids = |side: usize| duel.line_ups[side].iter().flatten().map(|entrant| entrant.id.clone()).collect();
    let sides: Vec<Vec<String>> = vec![ids(0), ids(1)];
    let seed = unpredictable_seed().map_err(|problem| loaded.stop_with_problem(problem))?;
    let mut seats = loaded.assign_seats(
        &sides,
        &common.seats,
        common.referee.as_ref(),
        "human",
        |_| PlayerSpec::Human,
        seed_of_bots(seed),
    )?;
    for (seat, player) in seats.iter_mut().zip(duel.players).filter(|(seat, _)| !seat.is_bot()) {
        seat.player = tournament.player_name(player);
    }
    let setup = Setup { sides, seed, dice: args.dice.to_dice(), position: None, names: Vec::new(), watched: true };
    let deal = NewGame { program: loaded.program.clone(), setup, seats, shares: None, salt: new_salt(), position: None };
    Ok(Game::start(deal, || Ok(None)).map_err(|problem| loaded.stop_with_problem(problem))?.limit_undo(args.undo))
}

/// Stores the end of a game with its recording. A game that was left leaves the duel open.
fn finish_duel(context: &Context, id: DuelId, commitment: &str, played: StoppedGame) -> Result<u8, Stop> {
    let Some(ending) = duel_ending(&played.end) else {
        let number = id.0;
        output::print_remark(&format!(
            "duel {number} stays open: `ludex tournament play {number}` starts it again, `report` ends it"
        ));
        return played.status;
    };
    let recording = played.game.recording_text();
    let kept = context.apply_change(|tournament, now| {
        let counted = rules::finish_game(tournament, id, commitment, ending, recording.clone(), now)?;
        Ok((counted, duel_message(tournament, id)?))
    });
    let (counted, message) = kept.inspect_err(|_| keep_apart(&played.game.header().game, &recording, context.common))?;
    match counted {
        CountStatus::Yes => {}
        CountStatus::TooLate => output::print_remark("this game does not count: the duel had already ended"),
        CountStatus::BegunAnew => {
            output::print_remark("this game does not count: the duel was started again in the meantime");
            keep_apart(&played.game.header().game, &recording, context.common);
        }
    }
    // With JSON, stdout holds a single object, so a failure replaces the state of the duel.
    if played.status.is_ok() || !context.common.is_json() {
        context.print_message("play", message);
    }
    played.status
}

/// The effect of a game on its duel; `None` if it was not finished.
fn duel_ending(end: &PlayEnd) -> Option<GameEnding> {
    match end {
        PlayEnd::Left => None,
        PlayEnd::Fault => Some(GameEnding::Void(VoidReason::Fault)),
        PlayEnd::Over(outcome) => Some(outcome_ending(outcome)),
    }
}

/// A sole winner wins the duel; without one, it is void.
fn outcome_ending(outcome: &Outcome) -> GameEnding {
    match (outcome.result, outcome.winners.as_slice()) {
        (OutcomeResult::Win | OutcomeResult::Abandoned, [winner]) => GameEnding::Won(*winner),
        (OutcomeResult::Win | OutcomeResult::Tie, _) => GameEnding::Void(VoidReason::Tie),
        (OutcomeResult::Abandoned | OutcomeResult::Nobody | OutcomeResult::Capped, _) => GameEnding::Void(VoidReason::CalledOff),
    }
}

/// Stores a recording that does not belong to the duel with the games played outside tournaments.
fn keep_apart(game: &str, recording: &str, common: &CommonArgs) {
    let libraries: Vec<PathBuf> = common.libraries.iter().filter_map(|library| library.canonicalize().ok()).collect();
    let kept = match RecordingStore::play_store() {
        Some(store) => store.add_whole(game, recording, &libraries),
        None => Err(io::Error::new(io::ErrorKind::NotFound, "there is no folder for it")),
    };
    match kept {
        Ok(path) => output::print_remark(&format!("its recording is stored in {}", path.display())),
        Err(error) => output::print_failure(format!("its recording cannot be stored: {error}"), None),
    }
}
