//! A game that ended with a fault → a shorter one with the same fault.
//!
//! `check --play` uses it, so that a report shows few answers. Each shorter game is played, and is kept if it ends in the same
//! fault.

use super::plan::Plan;
use super::trouble::{Trouble, TroubleKind};
use crate::guard::catch_panic;
use ludex_bots::rng::BotRng;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::recording::Entry;
use ludex_engine::runtime::{Pending, Session, Setup};
use std::sync::Arc;

/// Maximum number of shorter games that are tried.
const MOST_TRIES: usize = 300;
/// Maximum number of these with new answers from the start.
const MOST_FRESH: u64 = 60;
/// The stream of a seed from which new answers are drawn.
const ANSWERING: u64 = (1 << 32) + 2;

/// Finds a game with the same fault after as few answers as possible. Some answers are left out, and later ones are given where
/// they fit. A failed check is returned as it is.
pub fn shrink_trouble(program: &Arc<Program>, plan: &Plan, trouble: Trouble) -> Trouble {
    let TroubleKind::Fault(fault) = &trouble.kind else { return trouble };
    let mut setup = plan.setup_template();
    plan.prepare_setup(&mut setup, trouble.index);
    let seed = plan.seed_of(trouble.index);
    let mut shrinking = Shrinker { program, setup, fault, best: trouble.entries.clone(), tries: 0 };
    shrinking.try_fresh_answers(seed);
    shrinking.leave_out_answers(seed);
    Trouble { entries: shrinking.best, ..trouble }
}

/// The search for a shorter game.
struct Shrinker<'s> {
    program: &'s Arc<Program>,
    setup: Setup,
    fault: &'s Problem,
    /// The shortest game so far.
    best: Vec<Entry>,
    tries: usize,
}

impl Shrinker<'_> {
    /// Plays games with random answers, some of which reach the fault sooner.
    fn try_fresh_answers(&mut self, seed: u64) {
        for index in 0..MOST_FRESH {
            self.try_shorter(&[], BotRng::new(seed, ANSWERING + index));
        }
    }

    /// Leaves out halves, quarters and so on, until nothing more can be left out.
    fn leave_out_answers(&mut self, seed: u64) {
        let mut length = self.best.len() / 2;
        while length > 0 {
            let mut start = 0;
            let before = self.best.len();
            while start < self.best.len() && self.tries < MOST_TRIES {
                let mut keys = answer_keys(&self.best);
                keys.drain(start..(start + length).min(keys.len()));
                if !self.try_shorter(&keys, BotRng::new(seed, ANSWERING)) {
                    start += length;
                }
            }
            if self.best.len() == before || length > self.best.len() {
                length /= 2;
            }
            if self.tries >= MOST_TRIES {
                return;
            }
        }
    }

    /// Whether the same fault occurs with fewer answers. It becomes the best then. `keys` are the answers to give, see
    /// [`Shrinker::entries_with_fault`].
    fn try_shorter(&mut self, keys: &[String], rng: BotRng) -> bool {
        self.tries += 1;
        let most = self.best.len();
        most > 0
            && self.entries_with_fault(keys, rng, most - 1).is_some_and(|entries| {
                self.best = entries;
                true
            })
    }

    /// Plays with the first key that fits each question, and a random answer where none does. Returns the game if the same
    /// fault occurs within `most` answers.
    fn entries_with_fault(&self, keys: &[String], mut rng: BotRng, most: usize) -> Option<Vec<Entry>> {
        let mut entries = Vec::new();
        let fault = catch_panic(|| -> Result<(), Box<Problem>> {
            let mut session = Session::start(self.program.clone(), &self.setup).map_err(Box::new)?;
            let mut left = keys;
            while entries.len() < most {
                let Pending::Decisions(open) = session.pending() else { break };
                let Some(decision) = open.first() else { break };
                let (id, seat) = (decision.id, decision.seat);
                let given = left.iter().enumerate().find_map(|(place, key)| Some((place, session.find_choice(id, key).ok()?)));
                let choice = match given {
                    Some((place, choice)) => {
                        left = &left[place + 1..];
                        choice
                    }
                    None => decision.answers().draw_answer(&mut rng),
                };
                entries.push(Entry::Answer { decision: id, seat, key: session.choice_key(id, &choice).unwrap_or_default() });
                session.choose(id, choice)?;
            }
            Ok(())
        });
        let fault = match fault {
            Ok(played) => played.err()?,
            Err(bug) => bug,
        };
        self.is_same_fault(&fault).then_some(entries)
    }

    /// Whether a fault has the same code and the same place.
    fn is_same_fault(&self, fault: &Problem) -> bool {
        let place = |problem: &Problem| problem.labels.first().map(|(span, _)| *span);
        fault.code == self.fault.code && place(fault) == place(self.fault)
    }
}

fn answer_keys(entries: &[Entry]) -> Vec<String> {
    let key = |entry: &Entry| match entry {
        Entry::Answer { key, .. } => Some(key.clone()),
        _ => None,
    };
    entries.iter().filter_map(key).collect()
}
