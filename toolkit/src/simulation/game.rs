//! One game between bots.

use super::transcript::Transcript;
use crate::guard::guarded;
use crate::players::Player;
use ludex_engine::problem::Problem;
use ludex_engine::program::{KindSort, ProcedureId, Program, Shape};
use ludex_engine::recording::Entry;
use ludex_engine::runtime::{Pending, Session};

/// A game that has not ended after so many answers never will.
const MOST_ANSWERS: u64 = 1_000_000;

/// Lets the bots answer until play is over; the number of their answers. `transcript` is there if programs are among them.
pub fn play(
    session: &mut Session,
    bots: &mut [Box<dyn Player>],
    mut transcript: Option<&mut Transcript>,
) -> Result<u64, Box<Problem>> {
    let mut answers = 0;
    loop {
        if let Some(transcript) = &mut transcript {
            transcript.pass_on(session, bots);
        }
        let keep = |entry: &dyn Fn() -> Entry| transcript.iter_mut().for_each(|transcript| transcript.entries.push(entry()));
        if !answer(session, bots, keep)? {
            return Ok(answers);
        }
        answers += 1;
        if answers > MOST_ANSWERS {
            return Err(Box::new(endless()));
        }
    }
}

/// As [`play`], but gives what a recording has of it; what went wrong meanwhile is left out.
pub fn entries(session: &mut Session, bots: &mut [Box<dyn Player>]) -> Vec<Entry> {
    let mut given = Vec::new();
    let _ = guarded(|| {
        for _ in 0..MOST_ANSWERS {
            let Ok(true) = answer(session, bots, |entry| given.push(entry())) else { break };
        }
    });
    given
}

/// Has the first open decision answered, if there is one. `tell` may ask what to record of it.
#[inline]
pub(super) fn answer(
    session: &mut Session,
    bots: &mut [Box<dyn Player>],
    mut tell: impl FnMut(&dyn Fn() -> Entry),
) -> Result<bool, Box<Problem>> {
    let Pending::Decisions(open) = session.pending() else { return Ok(false) };
    let Some(decision) = open.first() else { return Ok(false) };
    let Some(bot) = bots.get_mut(decision.seat) else { return Err(Box::new(nobody(decision.seat))) };
    let choice = bot.answer(session, decision)?;
    let (decision, seat) = (decision.id, decision.seat);
    tell(&|| Entry::Answer { decision, seat, key: session.choice_key(decision, &choice).unwrap_or_default() });
    session.choose(decision, choice)?;
    Ok(true)
}

/// Turns begun, where the rules have a scope that is one: an entry that begins with the side it belongs to.
pub fn turns(program: &Program, session: &Session) -> u64 {
    let turn = program.procedures.iter().position(|procedure| {
        let of_a_side = procedure.params.first().is_some_and(|(_, shape)| is_side(program, shape));
        procedure.scope && procedure.entry && of_a_side
    });
    turn.map_or(0, |turn| session.begun(turn as u16))
}

/// The scopes of the rules, in the order in which they are declared.
pub fn scopes(program: &Program) -> impl Iterator<Item = (ProcedureId, &str)> {
    let procedures = program.procedures.iter().enumerate();
    procedures.filter(|(_, procedure)| procedure.scope).map(|(id, procedure)| (id as ProcedureId, procedure.name.as_str()))
}

fn is_side(program: &Program, shape: &Shape) -> bool {
    matches!(shape, Shape::Entity(kind) if program.kind(*kind).sort == KindSort::Side)
}

fn endless() -> Problem {
    Problem::error("", format!("the game has not ended after {MOST_ANSWERS} answers"))
        .help("give a loop of the rules a cap that ends the game")
}

fn nobody(seat: usize) -> Problem {
    Problem::error("", format!("seat {seat} is asked, and nobody sits there"))
}
