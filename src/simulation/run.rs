//! The games of a plan, shared among threads.

use super::plan::Plan;
use super::tally::{Finished, Tally};
use super::trouble::{Trouble, TroubleKind};
use super::{check, engine, game};
use ludex_engine::program::Program;
use ludex_engine::runtime::{Pending, Session, Setup};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What to do beside counting.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// None: as many as the machine has cores.
    pub threads: Option<NonZero<usize>>,
    pub check: bool,
    pub usage: bool,
}

/// The most games a thread takes at a time.
const MOST_AT_ONCE: u64 = 256;

/// Plays all games and adds them up. `progress` hears how many more have been played.
pub fn run(program: &Arc<Program>, plan: &Plan, settings: Settings, progress: &(dyn Fn(u64) + Sync)) -> Tally {
    let threads = settings.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let threads = threads.min(usize::try_from(plan.games).unwrap_or(usize::MAX)).max(1);
    let at_once = (plan.games / (threads as u64 * 16)).clamp(1, MOST_AT_ONCE);
    let next = AtomicU64::new(0);
    let work = || {
        let mut worker = Worker { program, plan, settings, setup: plan.setup(), tally: Tally::new(plan) };
        loop {
            let start = next.fetch_add(at_once, Ordering::Relaxed);
            if start >= plan.games {
                return worker.tally;
            }
            let end = (start + at_once).min(plan.games);
            (start..end).for_each(|index| worker.play(index));
            progress(end - start);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut tally = work();
        for worker in workers {
            match worker.join() {
                Ok(more) => tally.add(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        tally
    })
}

struct Worker<'a> {
    program: &'a Arc<Program>,
    plan: &'a Plan,
    settings: Settings,
    /// Made into that of each game in turn.
    setup: Setup,
    tally: Tally,
}

impl Worker<'_> {
    fn play(&mut self, index: u64) {
        self.plan.prepare(&mut self.setup, index);
        self.setup.watched = self.settings.usage;
        if let Err(kind) = self.count(index) {
            let trouble = self.trouble(index, kind);
            self.tally.trouble(trouble);
        }
    }

    /// Plays one game to its end and counts it.
    fn count(&mut self, index: u64) -> Result<(), TroubleKind> {
        let started = Session::start(self.program.clone(), &self.setup);
        let mut session = started.map_err(Box::new)?;
        let answers = game::play(&mut session, &mut self.plan.bots(index))?;
        let Pending::Finished(outcome) = session.pending() else {
            return Err(TroubleKind::Check("play stopped without an end".to_string()));
        };
        let turns = game::turns(self.program, &session);
        self.tally.finished(self.plan, Finished { index, outcome, turns, answers });
        if self.settings.usage {
            let outcome = outcome.clone();
            self.tally.usage.note(&session.take_events(), &outcome);
        }
        if self.settings.check { self.check(index, &session, answers) } else { Ok(()) }
    }

    fn check(&mut self, index: u64, session: &Session, answers: u64) -> Result<(), TroubleKind> {
        engine::verify(session).map_err(TroubleKind::Check)?;
        if check::is_sampled(index) {
            self.tally.checked += 1;
            check::game(self.program, self.plan, &self.setup, index, answers).map_err(TroubleKind::Check)?;
        }
        Ok(())
    }

    /// Plays the game again for its answers: games that go well need not remember them.
    fn trouble(&self, index: u64, kind: TroubleKind) -> Trouble {
        let answers = match Session::start(self.program.clone(), &self.setup) {
            Ok(mut session) => game::answers(&mut session, &mut self.plan.bots(index)),
            Err(_) => Vec::new(),
        };
        Trouble { index, seed: self.setup.seed, sides: self.setup.sides.clone(), kind, answers }
    }
}
