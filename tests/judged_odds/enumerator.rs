//! A plain enumerator: every result of every throw goes through the ordinary evaluator, one after the other.
//!
//! It shares no code with the odds of the engine: it plays matches by the public interface of sessions, and counts.

use crate::judged_odds::random::Random;
use ludex_engine::program::Program;
use ludex_engine::runtime::{Dice, Pending, RandomDraw, Session, Setup};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A share as a fraction in lowest terms.
pub type Share = (u128, u128);

/// Each value with its share.
pub type Shares = BTreeMap<String, Share>;

/// What enumerating came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enumerated {
    Shares(Shares),
    /// A fault of the rules: its message.
    Fault(String),
    /// More walks than may be tried, or fractions that are too large.
    TooMany,
}

/// A walk through the tree of all results.
struct Walk<'v> {
    value: &'v dyn Fn(&Session) -> String,
    /// How often each value came, by the number of cases of the walk.
    counts: BTreeMap<(String, u128), u128>,
    left: u64,
}

/// Why a walk was not finished.
enum Trouble {
    TooMany,
    Fault(String),
}

fn setup(sides: &[Vec<String>]) -> Setup {
    Setup { sides: sides.to_vec(), seed: 1.into(), dice: Dice::External, position: None, names: Vec::new(), watched: false }
}

/// Whether a match starts between sides with these sheets.
pub fn starts(program: &Arc<Program>, sides: &[Vec<String>]) -> bool {
    Session::start(Arc::clone(program), &setup(sides)).is_ok()
}

/// Plays a match of the program with every result of every throw. `value` reads the value off a finished match.
pub fn enumerate(program: &Arc<Program>, sides: &[Vec<String>], most: u64, value: &dyn Fn(&Session) -> String) -> Enumerated {
    let mut walk = Walk { value, counts: BTreeMap::new(), left: most };
    let session = match Session::start(Arc::clone(program), &setup(sides)) {
        Ok(session) => session,
        Err(problem) => return Enumerated::Fault(problem.message.to_string()),
    };
    match walk.go_on(&session, 1) {
        Ok(()) => added(walk.counts).map_or(Enumerated::TooMany, Enumerated::Shares),
        Err(Trouble::TooMany) => Enumerated::TooMany,
        Err(Trouble::Fault(message)) => Enumerated::Fault(message),
    }
}

impl Walk<'_> {
    /// Tries every result of the throw that a session waits for. So far there are that many cases.
    fn go_on(&mut self, session: &Session, cases: u128) -> Result<(), Trouble> {
        let draws = match session.pending() {
            Pending::Finished(_) => {
                self.left = self.left.checked_sub(1).ok_or(Trouble::TooMany)?;
                *self.counts.entry(((self.value)(session), cases)).or_insert(0) += 1;
                return Ok(());
            }
            Pending::Random(request) => request.draws.clone(),
            Pending::Decisions(_) => return Err(Trouble::Fault("somebody is asked".to_string())),
        };
        let sizes = draws.iter().try_fold(cases, |cases, draw| cases.checked_mul(draw.size.unsigned_abs().into()));
        let cases = sizes.ok_or(Trouble::TooMany)?;
        let mut places = vec![0; draws.len()];
        loop {
            let results: Vec<i64> = places.iter().zip(&draws).map(|(place, draw)| face(draw, *place)).collect();
            let mut next = session.clone();
            next.supply(&results).map_err(|problem| Trouble::Fault(problem.message.to_string()))?;
            self.go_on(&next, cases)?;
            let Some(last) = (0..draws.len()).rev().find(|die| places[*die] + 1 < draws[*die].size) else { return Ok(()) };
            places[last] += 1;
            places[last + 1..].fill(0);
        }
    }
}

/// How often each value comes in so many matches with results at random.
pub fn play_at_random(
    program: &Arc<Program>,
    sides: &[Vec<String>],
    samples: u64,
    value: &dyn Fn(&Session) -> String,
) -> BTreeMap<String, u64> {
    let mut times = BTreeMap::new();
    let mut random = Random::new(samples);
    let Ok(first) = Session::start(Arc::clone(program), &setup(sides)) else { return times };
    for _ in 0..samples {
        let mut session = first.clone();
        while let Pending::Random(request) = session.pending() {
            let results: Vec<i64> = request.draws.iter().map(|draw| face(draw, random.between(0, draw.size - 1))).collect();
            if session.supply(&results).is_err() {
                break;
            }
        }
        *times.entry(value(&session)).or_insert(0) += 1;
    }
    times
}

/// Whether a few matches with results at random have each more cases than may be tried.
pub fn are_too_many(program: &Arc<Program>, sides: &[Vec<String>], most: u64) -> bool {
    let mut random = Random::new(most);
    let Ok(first) = Session::start(Arc::clone(program), &setup(sides)) else { return false };
    (0..10).all(|_| {
        let (mut session, mut cases) = (first.clone(), 1u64);
        while let Pending::Random(request) = session.pending() {
            cases = request.draws.iter().fold(cases, |cases, draw| cases.saturating_mul(draw.size.unsigned_abs()));
            let results: Vec<i64> = request.draws.iter().map(|draw| face(draw, random.between(0, draw.size - 1))).collect();
            if session.supply(&results).is_err() {
                break;
            }
        }
        cases > most
    })
}

/// The result of a die at one of its sides, counted from 0.
fn face(draw: &RandomDraw, side: i64) -> i64 {
    match &draw.faces {
        Some(faces) => faces.values[side as usize].into(),
        None => side + 1,
    }
}

/// The shares of all values; none if a number is too large.
fn added(counts: BTreeMap<(String, u128), u128>) -> Option<Shares> {
    let mut shares = Shares::new();
    for ((value, cases), times) in counts {
        let share = shares.entry(value).or_insert((0, 1));
        *share = sum(*share, (times, cases))?;
    }
    Some(shares)
}

fn sum((one, of_one): Share, (other, of_other): Share) -> Option<Share> {
    let common = (of_one / divisor(of_one, of_other)).checked_mul(of_other)?;
    let top = one.checked_mul(common / of_one)?.checked_add(other.checked_mul(common / of_other)?)?;
    let by = divisor(top, common);
    Some((top / by, common / by))
}

fn divisor(one: u128, other: u128) -> u128 {
    if other == 0 { one } else { divisor(other, one % other) }
}
