//! The games of a plan, shared among threads.

use super::plan::Plan;
use super::tally::{Finished, Tally};
use super::trouble::{Trouble, TroubleKind};
use super::usage::{Told, Usage};
use super::{check, game};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::recording::Header;
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
    let at_once = match settings.check {
        // Such games are slow: each that is over is progress.
        true => 1,
        false => (plan.games / (threads as u64 * 16)).clamp(1, MOST_AT_ONCE),
    };
    let next = AtomicU64::new(0);
    let work = || {
        let mut worker = Worker::new(program, plan, settings);
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
    /// A session with the sides of the setup, so that games between the same need not work out who plays.
    model: Option<Session>,
    told: Told,
    tally: Tally,
}

impl<'a> Worker<'a> {
    fn new(program: &'a Arc<Program>, plan: &'a Plan, settings: Settings) -> Worker<'a> {
        let setup = Setup { watched: settings.usage, ..plan.setup() };
        let mut tally = Tally::new(plan);
        if settings.usage {
            tally.usage = Usage::of(program);
        }
        Worker { program, plan, settings, setup, model: None, told: Told::of(program), tally }
    }

    fn play(&mut self, index: u64) {
        if self.plan.prepare(&mut self.setup, index) {
            self.model = None;
        }
        if let Err(kind) = self.count(index) {
            let trouble = self.trouble(index, kind);
            self.tally.trouble(trouble);
        }
    }

    /// Plays one game to its end and counts it.
    fn count(&mut self, index: u64) -> Result<(), TroubleKind> {
        let mut session = self.start().map_err(Box::new)?;
        let answers = game::play(&mut session, &mut self.plan.bots(self.program, index))?;
        let Pending::Finished(outcome) = session.pending() else {
            return Err(TroubleKind::Check("play stopped without an end".to_string()));
        };
        let turns = game::turns(self.program, &session);
        let scopes: Vec<u64> = game::scopes(self.program).map(|(scope, _)| session.begun(scope)).collect();
        self.tally.finished(self.plan, Finished { index, outcome, turns, answers, scopes: &scopes });
        if self.settings.usage {
            let outcome = outcome.clone();
            self.tally.usage.note(&self.told, &mut session, &outcome);
        }
        if self.settings.check {
            self.check(index, &session, answers)?;
        }
        self.model = Some(session);
        Ok(())
    }

    fn start(&mut self) -> Result<Session, Problem> {
        match self.model.take() {
            Some(mut model) => {
                model.restart(self.setup.seed).map_err(|problem| *problem)?;
                Ok(model)
            }
            None => Session::start(self.program.clone(), &self.setup),
        }
    }

    fn check(&mut self, index: u64, session: &Session, answers: u64) -> Result<(), TroubleKind> {
        session.verify().map_err(TroubleKind::Check)?;
        if index.is_multiple_of(check::one_in(self.plan.games)) {
            self.tally.checked += 1;
            check::game(self.program, self.plan, &self.setup, index, answers).map_err(TroubleKind::Check)?;
        }
        Ok(())
    }

    /// Plays the game again for its answers: games that go well need not remember them.
    fn trouble(&self, index: u64, kind: TroubleKind) -> Trouble {
        let entries = match Session::start(self.program.clone(), &self.setup) {
            Ok(mut session) => game::entries(&mut session, &mut self.plan.bots(self.program, index)),
            Err(_) => Vec::new(),
        };
        let header = Header::new(self.program, &self.setup, self.plan.seats(&self.setup), index.to_string());
        Trouble { index, kind, header, entries }
    }
}
