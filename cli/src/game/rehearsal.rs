//! A rehearsal: a game in which one person plays all human seats, from a prepared beginning. `record` uses it to write
//! scenarios, and to continue one from its answers. It is not kept on disk.

use super::explored_chance::{Luck, Rehearsal};
use super::in_progress::Game;
use super::seats::Seat;
use ludex_bots::updates::{EventLog, Update};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::recording::{Header, RecordedSession, Step};
use ludex_engine::runtime::{Choice, Dice, Setup};
use std::sync::Arc;

/// A beginning: the start of play and the answers given since.
pub struct Beginning {
    pub program: Arc<Program>,
    /// Its results of chance are ignored: they come from [`Luck`].
    pub setup: Setup,
    /// The text of the position, if play starts from one.
    pub position: Option<String>,
    /// Seats and the keys of their answers, without seats that bots answer for.
    pub answers: Vec<(usize, String)>,
}

/// A game after its beginning.
pub struct RehearsedGame {
    pub game: Game,
    /// The updates of the beginning, which [`Game::take_updates`] does not return.
    pub told: Vec<Update>,
    /// Number of answers of the beginning that were given; those of forced decisions are skipped.
    pub answers: usize,
}

impl Game {
    /// Plays a beginning to its next question. An error if an answer is refused or play fails.
    pub fn rehearse_beginning(beginning: Beginning, seats: Vec<Seat>, mut luck: Luck) -> Result<RehearsedGame, Problem> {
        let Beginning { program, setup, position, answers } = beginning;
        let setup = Setup { dice: Dice::External, watched: true, ..setup };
        let records = seats.iter().map(Seat::seat_record).collect();
        let header = Header { position, ..Header::new(&program, &setup, records, String::new()) };
        let (mut recorded, start) = RecordedSession::start(program, &setup, header)?;
        let (mut steps, mut given) = (vec![start], 0);
        advance_to_question(&mut recorded, &mut luck, &mut steps).map_err(|problem| *problem)?;
        for (seat, key) in answers {
            // Forced choices have already been answered.
            let Some(decision) = recorded.open_decisions().iter().find(|open| open.seat == seat).map(|open| open.id) else {
                continue;
            };
            steps.push(recorded.answer_decision(decision, Choice::Key(key)).map_err(|problem| *problem)?);
            given += 1;
            advance_to_question(&mut recorded, &mut luck, &mut steps).map_err(|problem| *problem)?;
        }
        let (mut event_log, begun) = (EventLog::new(seats.len()), recorded.entries().len());
        // Entries of the beginning cannot be taken back, so the number of events before each is not needed.
        let events = steps.into_iter().flat_map(|step| step.events).collect();
        let told = event_log.number_updates(None, events, begun);
        let game = Game::resume(recorded, seats, None, event_log).with_rehearsal(Rehearsal { luck, begun });
        Ok(RehearsedGame { game, told, answers: given })
    }
}

/// Gives forced answers and supplies results of chance until a question is open, people must type a throw, or play is over.
/// Adds the steps to `steps`.
fn advance_to_question(recorded: &mut RecordedSession, luck: &mut Luck, steps: &mut Vec<Step>) -> Result<(), Box<Problem>> {
    loop {
        let step = match recorded.answer_forced() {
            Some(step) => step?,
            None => match luck.next_results(&recorded.session().pending()) {
                Some(results) => recorded.supply(&results)?,
                None => return Ok(()),
            },
        };
        steps.push(step);
    }
}
