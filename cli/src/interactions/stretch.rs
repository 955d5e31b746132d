//! A stretch of play, from before a hook is opened until it closes, replayed with its clauses in another order. `check --play`
//! compares the states after both, to find abilities whose order matters. A meeting is one opening of a hook at which several
//! clauses act.

use ludex_bots::rng::{BotRng, derive_seed};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::{Choice, Decision, MeetingOptions, Order, Pending, Session, SessionOptions, Setup, StateAfter, keys};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of answers at one hook before a replay is abandoned.
const MOST_ANSWERS: usize = 200;

/// Faults that stop endless play.
const LIMITS: [&str; 4] = [codes::STEP_LIMIT, codes::SCRIPT_LIMIT, codes::CALLS_TOO_DEEP, codes::PIECE_LIMIT];

/// The state that a replay starts from.
#[derive(Clone)]
pub enum ReplayStart {
    /// The start of the game, with the base of its random streams.
    Start(Arc<Program>, Box<Setup>, u64),
    /// An open question.
    Question(Arc<Session>),
}

/// Starts a game that records what abilities do at hooks. `luck` is the base of its random streams: each clause at a hook has
/// one of its own, so that another order does not change its results. Also returns the fault that stopped the start, if any.
pub fn start_session(
    program: &Arc<Program>,
    setup: &Setup,
    luck: u64,
    order: Order,
) -> Result<(Session, Option<Box<Problem>>), Problem> {
    let meetings = Some(MeetingOptions { luck, order });
    Session::start_until_fault(
        program.clone(),
        setup,
        SessionOptions { counts_only: true, meetings, ..SessionOptions::default() },
    )
}

impl ReplayStart {
    /// Returns a session that uses an order from here on.
    fn resume_session(&self, order: Order) -> Option<(Session, Option<Box<Problem>>)> {
        match self {
            ReplayStart::Start(program, setup, luck) => start_session(program, setup, *luck, order).ok(),
            ReplayStart::Question(session) => {
                let mut session = Session::clone(session);
                session.set_meeting_order(order);
                Some((session, None))
            }
        }
    }
}

/// An answer: its seat, and its key.
pub type Answer = (usize, String);

/// The stretch to replay.
pub struct Stretch<'s> {
    pub before: &'s ReplayStart,
    /// Answers before the hook is opened, and at it.
    pub answers: &'s [Answer],
    /// Index of the hook among those opened from there on.
    pub meeting: usize,
}

/// How a replay ended.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplayEnd {
    /// The hook closed: the state then, and the questions asked, regardless of their order.
    Over(Box<StateAfter>, Vec<String>),
    /// A limit stopped it.
    Limit,
    /// A fault stopped it.
    Fault(String),
    /// An answer was no longer possible.
    Refused,
    /// The hook was not opened, or did not close after many answers.
    Lost,
}

impl Stretch<'_> {
    /// Replays it with the clauses in an order. At the hook, each seat gives its own answers when it is asked, because another order
    /// may ask the seats in another order. Beyond them it passes at offers, and answers other questions at random; the same
    /// question always gets the same answer.
    pub fn replay_in_order(&self, order: Order) -> ReplayEnd {
        let Some((mut session, mut fault)) = self.before.resume_session(order) else { return ReplayEnd::Lost };
        let (mut given, mut asked) = (self.answers.iter(), QuestionCounts::default());
        for _ in 0..self.answers.len() + MOST_ANSWERS {
            if let Some(after) = session.meetings().get(self.meeting).and_then(|meeting| meeting.after.clone()) {
                return match given.len() {
                    0 => ReplayEnd::Over(Box::new(after), asked.sorted_questions()),
                    _ => ReplayEnd::Refused,
                };
            }
            if let Some(fault) = fault {
                return end_of_fault(&fault);
            }
            let is_open = session.meetings().len() > self.meeting;
            let Pending::Decisions(open) = session.pending() else { return ReplayEnd::Lost };
            let Some(decision) = open.first().cloned() else { return ReplayEnd::Lost };
            let choice = match given.as_slice().first() {
                Some((seat, key)) if !is_open || *seat == decision.seat => {
                    given.next();
                    match session.find_choice(decision.id, key) {
                        Ok(choice) => choice,
                        Err(_) => return ReplayEnd::Refused,
                    }
                }
                _ if !is_open => return ReplayEnd::Lost,
                // A player that has made its given uses makes no others.
                _ => match session
                    .find_choice(decision.id, keys::PASS)
                    .ok()
                    .filter(|_| session.offering_hook() == Some(self.meeting))
                {
                    Some(pass) => pass,
                    None => asked.answer_at_random(&session, &decision),
                },
            };
            fault = session.choose(decision.id, choice).err();
        }
        ReplayEnd::Lost
    }
}

/// The end that a fault causes.
fn end_of_fault(fault: &Problem) -> ReplayEnd {
    match LIMITS.contains(&fault.code) {
        true => ReplayEnd::Limit,
        false => ReplayEnd::Fault(fault.message.to_string()),
    }
}

/// Questions, and the number of times each was asked.
#[derive(Default)]
struct QuestionCounts(BTreeMap<String, u64>);

impl QuestionCounts {
    /// The seed is the question's words and how often it was asked, so that both orders get the same answer to it.
    fn answer_at_random(&mut self, session: &Session, decision: &Decision) -> Choice {
        let words = format!("{}: {}", decision.seat, session.prompt(decision.id));
        let seed = words.bytes().fold(0, |seed, byte| derive_seed(seed, u64::from(byte)));
        let times = self.0.entry(words).and_modify(|times| *times += 1).or_insert(1);
        decision.answers().draw_answer(&mut BotRng::new(seed, *times))
    }

    /// Every question with its count, in an order that does not depend on when it was asked.
    fn sorted_questions(self) -> Vec<String> {
        self.0.into_iter().map(|(words, times)| format!("{words} {times}")).collect()
    }
}
