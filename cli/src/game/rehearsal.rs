//! A game that one person plays at all the seats that people answer for, from a beginning that is written down.

use super::in_progress::Game;
use super::luck::{Luck, Rehearsal};
use super::seats::Seat;
use ludex_bots::updates::{EventLog, Update};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::recording::{Header, RecordedSession, Step};
use ludex_engine::runtime::{Choice, Dice, Setup};
use std::sync::Arc;

/// A beginning: where play starts, and what was answered since.
pub struct Beginning {
    pub program: Arc<Program>,
    /// Results of chance in it count for nothing: they come from [`Luck`].
    pub setup: Setup,
    /// The text of the position, if play starts from one.
    pub position: Option<String>,
    /// Seats with the keys of their answers, without those that answer themselves.
    pub answers: Vec<(usize, String)>,
}

/// A game as it stands after a beginning.
pub struct Rehearsed {
    pub game: Game,
    /// What has happened until then.
    pub told: Vec<Update>,
    /// How many answers were given.
    pub answers: usize,
}

impl Game {
    /// Plays a beginning.
    pub fn rehearse(beginning: Beginning, seats: Vec<Seat>, mut luck: Luck) -> Result<Rehearsed, Problem> {
        let Beginning { program, setup, position, answers } = beginning;
        let setup = Setup { dice: Dice::External, watched: true, ..setup };
        let records = seats.iter().map(Seat::record).collect();
        let header = Header { position, ..Header::new(&program, &setup, records, String::new()) };
        let (mut recorded, start) = RecordedSession::start(program, &setup, header)?;
        let (mut steps, mut given) = (vec![start], 0);
        follow(&mut recorded, &mut luck, &mut steps).map_err(|problem| *problem)?;
        for (seat, key) in answers {
            // What the rules leave no choice about was answered already.
            let Some(decision) = recorded.decisions().iter().find(|open| open.seat == seat).map(|open| open.id) else { continue };
            steps.push(recorded.answer(decision, Choice::Key(key)).map_err(|problem| *problem)?);
            given += 1;
            follow(&mut recorded, &mut luck, &mut steps).map_err(|problem| *problem)?;
        }
        let (mut event_log, begun) = (EventLog::new(seats.len()), recorded.entries().len());
        // Nobody goes back behind the beginning: how much was told before each of its entries is of no use.
        let events = steps.into_iter().flat_map(|step| step.events).collect();
        let told = event_log.tell(None, events, begun);
        let game = Game::resume(recorded, seats, None, event_log).rehearsed(Rehearsal { luck, begun });
        Ok(Rehearsed { game, told, answers: given })
    }
}

/// Takes a session on to where somebody is asked.
fn follow(recorded: &mut RecordedSession, luck: &mut Luck, steps: &mut Vec<Step>) -> Result<(), Box<Problem>> {
    loop {
        let step = match recorded.answer_forced() {
            Some(step) => step?,
            None => match luck.next(&recorded.session().pending()) {
                Some(results) => recorded.supply(&results)?,
                None => return Ok(()),
            },
        };
        steps.push(step);
    }
}
