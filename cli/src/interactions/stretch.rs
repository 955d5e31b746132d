//! A stretch of play, from before a hook is opened until it closes, replayed in another order.

use ludex_bots::rng::{BotRng, derive};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::{After, Choice, Decision, MeetingOptions, Order, Pending, Session, SessionOptions, Setup, keys};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of answers at one hook before a replay is abandoned.
const MOST_ANSWERS: usize = 200;

/// Faults that stop endless play.
const LIMITS: [&str; 4] = [codes::STEP_LIMIT, codes::SCRIPT_LIMIT, codes::CALLS_TOO_DEEP, codes::PIECE_LIMIT];

/// The state that a replay starts from.
#[derive(Clone)]
pub enum Before {
    /// The start of the game.
    Start(Arc<Program>, Box<Setup>, u64),
    /// An open question.
    Question(Arc<Session>),
}

/// Starts a game that records what abilities do at hooks.
pub fn start(program: &Arc<Program>, setup: &Setup, luck: u64, order: Order) -> Result<(Session, Option<Box<Problem>>), Problem> {
    let meetings = Some(MeetingOptions { luck, order });
    Session::start_until_fault(
        program.clone(),
        setup,
        SessionOptions { counts_only: true, meetings, ..SessionOptions::default() },
    )
}

impl Before {
    /// Returns a session that uses an order from here on.
    fn session(&self, order: Order) -> Option<(Session, Option<Box<Problem>>)> {
        match self {
            Before::Start(program, setup, luck) => start(program, setup, *luck, order).ok(),
            Before::Question(session) => {
                let mut session = Session::clone(session);
                session.meet_in(order);
                Some((session, None))
            }
        }
    }
}

/// An answer by its key.
pub type Answer = (usize, String);

/// The stretch to replay.
pub struct Stretch<'s> {
    pub before: &'s Before,
    /// Answers before the hook is opened, and at it.
    pub answers: &'s [Answer],
    /// Index of the hook among those opened from there on.
    pub meeting: usize,
}

/// How a replay ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The hook closed: the state then, and the questions asked, regardless of their order.
    Over(Box<After>, Vec<String>),
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
    /// Replays it in an order. Questions at the hook beyond the given answers are answered at random; the same question always
    /// gets the same answer.
    pub fn played(&self, order: Order) -> End {
        let Some((mut session, mut fault)) = self.before.session(order) else { return End::Lost };
        let (mut given, mut asked) = (self.answers.iter(), Asked::default());
        for _ in 0..self.answers.len() + MOST_ANSWERS {
            if let Some(after) = session.meetings().get(self.meeting).and_then(|meeting| meeting.after.clone()) {
                return match given.len() {
                    0 => End::Over(Box::new(after), asked.sorted()),
                    _ => End::Refused,
                };
            }
            if let Some(fault) = fault {
                return ended(&fault);
            }
            let is_open = session.meetings().len() > self.meeting;
            let Pending::Decisions(open) = session.pending() else { return End::Lost };
            let Some(decision) = open.first().cloned() else { return End::Lost };
            let choice = match given.as_slice().first() {
                Some((seat, key)) if !is_open || *seat == decision.seat => {
                    given.next();
                    match session.find(decision.id, key) {
                        Ok(choice) => choice,
                        Err(_) => return End::Refused,
                    }
                }
                _ if !is_open => return End::Lost,
                // A player that has made its given uses makes no others.
                _ => match session.find(decision.id, keys::PASS).ok().filter(|_| session.offering() == Some(self.meeting)) {
                    Some(pass) => pass,
                    None => asked.answer(&session, &decision),
                },
            };
            fault = session.choose(decision.id, choice).err();
        }
        End::Lost
    }
}

/// The end that a fault causes.
fn ended(fault: &Problem) -> End {
    match LIMITS.contains(&fault.code) {
        true => End::Limit,
        false => End::Fault(fault.message.to_string()),
    }
}

/// Questions, and the number of times each was asked.
#[derive(Default)]
struct Asked(BTreeMap<String, u64>);

impl Asked {
    fn answer(&mut self, session: &Session, decision: &Decision) -> Choice {
        let words = format!("{}: {}", decision.seat, session.prompt(decision.id));
        let seed = words.bytes().fold(0, |seed, byte| derive(seed, u64::from(byte)));
        let times = self.0.entry(words).and_modify(|times| *times += 1).or_insert(1);
        decision.answers().drawn(&mut BotRng::new(seed, *times))
    }

    fn sorted(self) -> Vec<String> {
        self.0.into_iter().map(|(words, times)| format!("{words} {times}")).collect()
    }
}
