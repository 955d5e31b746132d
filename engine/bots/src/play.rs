//! One game between bots. The session asks one or more seats at a time; the first open question is answered, until none is
//! open.

use crate::player::Player;
use crate::rng::BotRng;
use crate::transcript::Transcript;
use ludex_engine::problem::Problem;
use ludex_engine::recording::Entry;
use ludex_engine::runtime::{Pending, Session};

/// A game that has not ended after this many answers never will.
pub const MOST_ANSWERS: u64 = 1_000_000;

/// Lets the bots answer until play is over, and returns the number of answers. If any bot is a program, `transcript` is given.
pub fn play_game(
    session: &mut Session,
    bots: &mut [Box<dyn Player>],
    mut transcript: Option<&mut Transcript>,
) -> Result<u64, Box<Problem>> {
    if transcript.is_none()
        && let Some(lots) = all_draw_streams(bots)
    {
        return play_out(session, bots, lots);
    }
    let mut answers = 0;
    loop {
        if let Some(transcript) = &mut transcript {
            transcript.pass_on(session, bots);
        }
        let entries = transcript.as_deref_mut().map(|transcript| &mut transcript.entries);
        if !answer_next(session, bots, entries)? {
            return Ok(answers);
        }
        answers += 1;
        if answers > MOST_ANSWERS {
            return Err(Box::new(endless_problem()));
        }
    }
}

/// The random streams of all bots, if all of them answer by random draws alone. `None` if some bot does not.
fn all_draw_streams(bots: &mut [Box<dyn Player>]) -> Option<Vec<BotRng>> {
    bots.iter_mut().map(|bot| bot.draw_stream().cloned()).collect()
}

/// Same as [`play_game`], for bots that draw all answers from these streams.
fn play_out(session: &mut Session, bots: &mut [Box<dyn Player>], mut lots: Vec<BotRng>) -> Result<u64, Box<Problem>> {
    let played = session.play_out(&mut lots, MOST_ANSWERS + 1);
    // The bots continue where their streams have come to.
    for (bot, drawn) in bots.iter_mut().zip(lots) {
        if let Some(lots) = bot.draw_stream() {
            *lots = drawn;
        }
    }
    let answers = played?;
    match session.pending() {
        _ if answers > MOST_ANSWERS => Err(Box::new(endless_problem())),
        Pending::Decisions([decision, ..]) => Err(Box::new(empty_seat_problem(decision.seat))),
        _ => Ok(answers),
    }
}

/// Prepares bots for the game with this seed: each seat draws from a stream of its own.
pub fn reseed_bots(bots: &mut [Box<dyn Player>], seed: u64) {
    for (seat, bot) in bots.iter_mut().enumerate() {
        bot.draw_from(BotRng::new(seed, seat as u64));
    }
}

/// Has the first open decision answered, if there is one, and adds its entry to `entries`. Returns false if none is open.
pub fn answer_next(
    session: &mut Session,
    bots: &mut [Box<dyn Player>],
    entries: Option<&mut Vec<Entry>>,
) -> Result<bool, Box<Problem>> {
    let Pending::Decisions(open) = session.pending() else { return Ok(false) };
    let Some(decision) = open.first() else { return Ok(false) };
    let Some(bot) = bots.get_mut(decision.seat) else { return Err(Box::new(empty_seat_problem(decision.seat))) };
    let choice = bot.answer(session, decision)?;
    let (decision, seat) = (decision.id, decision.seat);
    if let Some(entries) = entries {
        let key = session.choice_key(decision, &choice).unwrap_or_default();
        entries.push(Entry::Answer { decision, seat, key });
    }
    session.choose(decision, choice)?;
    Ok(true)
}

/// The problem of a game that has not ended after [`MOST_ANSWERS`] answers.
fn endless_problem() -> Problem {
    Problem::error("", format!("the game has not ended after {MOST_ANSWERS} answers"))
        .help("give a loop of the rules a cap that ends the game")
}

/// The problem of a question to a seat without a bot.
fn empty_seat_problem(seat: usize) -> Problem {
    Problem::error("", format!("seat {seat} is asked, but has no player"))
}
