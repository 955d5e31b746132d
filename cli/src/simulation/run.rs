//! Plays the games of a plan on several threads.
//!
//! Threads take games in small groups, each with a worker of its own, whose counts are added at the end. A trouble is a game in
//! which the rules, an ability or Ludex failed; it is counted, and the others are played. A program at a seat must see every
//! event, so its games are recorded in a transcript.

use super::plan::Plan;
use super::rows::{Row, Rows};
use super::tally::Tally;
use super::trouble::{Trouble, TroubleKind};
use super::{check, game};
use crate::guard::catch_panic;
use crate::work;
use ludex_bots::play::play_game;
use ludex_bots::score::FinishedGame;
use ludex_bots::usage::{EventNames, Usage};
use ludex_bots::{Player, Series, Transcript};
use ludex_engine::problem::Problem;
use ludex_engine::program::{ProcedureId, Program};
use ludex_engine::recording::Header;
use ludex_engine::runtime::{Counter, Pending, Session, Setup};
use std::num::NonZero;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Extra work besides counting.
#[derive(Clone, Copy, Default)]
pub struct Settings<'a> {
    /// `None`: the number of the machine's cores.
    pub threads: Option<NonZero<usize>>,
    pub check: bool,
    pub usage: bool,
    /// Counters whose means are reported.
    pub counters: &'a [Counter],
    /// The file for one row per game, if requested.
    pub rows: Option<&'a Rows>,
}

/// Maximum number of games that a thread takes at a time.
pub(super) const MOST_AT_ONCE: u64 = 32;

/// Plays some games of a plan, by number, and adds them up. `progress` receives the number of games just played. Fails if a
/// program at a seat no longer answers.
pub fn run_plan(
    program: &Arc<Program>,
    plan: &Plan,
    games: Range<u64>,
    settings: Settings<'_>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Tally, Box<Problem>> {
    // Checked games are slow, so each one reports progress.
    let most_at_once = if settings.check { 1 } else { MOST_AT_ONCE };
    let sharing = Sharing { games, threads: settings.threads, most_at_once, progress };
    sharing.play_all_games(|| Worker::new(program, plan, settings), Tally::add_tally)
}

/// Plays games on its own thread and counts them.
pub(super) trait Counting {
    type Counted: Send;

    /// Fails if a program no longer answers.
    fn play_game(&mut self, index: u64) -> Result<(), Box<Problem>>;

    /// Passes on uncounted data of finished games.
    fn flush_rows(&mut self) {}

    fn into_counts(self) -> Self::Counted;
}

/// Games shared among threads.
pub(super) struct Sharing<'a> {
    pub games: Range<u64>,
    /// `None`: the number of the machine's cores.
    pub threads: Option<NonZero<usize>>,
    /// Maximum number of games that a thread takes at a time.
    pub most_at_once: u64,
    /// Receives the number of games just played.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl Sharing<'_> {
    /// Lets workers play all games, or as many as they can before the work is stopped. Adding their counts in any order must give
    /// the same result.
    pub fn play_all_games<W: Counting>(
        self,
        begin: impl Fn() -> W + Sync,
        add: impl Fn(&mut W::Counted, W::Counted),
    ) -> Result<W::Counted, Box<Problem>> {
        let Sharing { games, threads, most_at_once, progress } = self;
        let count = games.end.saturating_sub(games.start);
        let threads = threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZero::get);
        let threads = threads.min(usize::try_from(count).unwrap_or(usize::MAX)).max(1);
        let at_once = (count / (threads as u64 * 16)).clamp(1, most_at_once);
        let next = AtomicU64::new(games.start);
        let work = || {
            let mut worker = begin();
            loop {
                let start = next.fetch_add(at_once, Ordering::Relaxed);
                if start >= games.end || work::is_stopped() {
                    return Ok(worker.into_counts());
                }
                let end = (start + at_once).min(games.end);
                for index in start..end {
                    if work::is_stopped() {
                        break;
                    }
                    if let Err(problem) = worker.play_game(index) {
                        // The other threads need not start any more.
                        next.store(games.end, Ordering::Relaxed);
                        return Err(problem);
                    }
                }
                worker.flush_rows();
                progress(end - start);
            }
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut counted = work()?;
            for worker in workers {
                match worker.join() {
                    Ok(more) => add(&mut counted, more?),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok(counted)
        })
    }
}

/// Plays games of a plan one after another.
pub(super) struct Worker<'a> {
    program: &'a Arc<Program>,
    plan: &'a Plan,
    settings: Settings<'a>,
    /// Whether a program plays at a seat.
    has_programs: bool,
    /// Adapted to each game in turn.
    setup: Setup,
    /// Starts games of the same program cheaply.
    series: Series,
    bots: Vec<Box<dyn Player>>,
    /// The scope for turns, and all scopes.
    turn: Option<ProcedureId>,
    scopes: Vec<ProcedureId>,
    /// Number of times each scope began in the last game.
    begun: Vec<u64>,
    /// The events to count for the usage.
    told: EventNames,
    pub(super) tally: Tally,
    /// Rows of games since they were last written.
    rows: Vec<Row>,
}

impl Counting for Worker<'_> {
    type Counted = Tally;

    fn play_game(&mut self, index: u64) -> Result<(), Box<Problem>> {
        self.plan.prepare_setup(&mut self.setup, index);
        self.plan.seat_bots(&mut self.bots, self.program, index);
        self.play_seated(index)
    }

    fn flush_rows(&mut self) {
        if let Some(rows) = self.settings.rows {
            rows.add_rows(std::mem::take(&mut self.rows));
        }
    }

    fn into_counts(self) -> Tally {
        self.tally
    }
}

impl<'a> Worker<'a> {
    pub(super) fn new(program: &'a Arc<Program>, plan: &'a Plan, settings: Settings<'a>) -> Worker<'a> {
        let has_programs = plan.has_programs();
        let setup = Setup { watched: settings.usage || has_programs, ..plan.setup_template() };
        // Programs read all events.
        let counts_only = settings.usage && !has_programs;
        let mut tally = Tally::new(plan);
        if settings.usage {
            tally.usage = Usage::empty_for(program);
        }
        Worker {
            program,
            plan,
            settings,
            has_programs,
            setup,
            series: Series::new(program.clone(), counts_only),
            bots: Vec::new(),
            turn: game::turn_scope(program),
            scopes: game::declared_scopes(program).map(|(scope, _)| scope).collect(),
            begun: Vec::new(),
            told: EventNames::from_program(program),
            tally,
            rows: Vec::new(),
        }
    }

    /// Plays a game with the seated bots. A failure of the game is counted as a trouble; the error is that of a program that no
    /// longer answers.
    fn play_seated(&mut self, index: u64) -> Result<(), Box<Problem>> {
        let mut transcript = self.has_programs.then(|| Transcript::announce_start(self.recording_header(index), &mut self.bots));
        let counted = catch_panic(|| self.play_and_count(index, transcript.as_mut()));
        if let Err(kind) = counted.unwrap_or_else(|bug| Err(TroubleKind::Fault(bug))) {
            if let Some(problem) = self.bots.iter().find_map(|bot| bot.failure_problem()) {
                return Err(problem);
            }
            // A game that failed a check has come to its end.
            if self.settings.rows.is_some() && self.rows.last().is_none_or(|row| row.game != index) {
                self.rows.push(Row::new(self.plan, &self.setup.sides, index, None, 0, 0));
            }
            let trouble = self.build_trouble(index, kind, transcript);
            self.tally.add_trouble(trouble);
            // A bug may have left bots in any state. Programs keep their seats, since they did not cause it.
            if !self.has_programs {
                self.bots.clear();
            }
        }
        Ok(())
    }

    /// Plays one game to its end and counts it. `transcript` records it for programs. The error is a fault, or a check that
    /// failed after the game was counted.
    fn play_and_count(&mut self, index: u64, mut transcript: Option<&mut Transcript>) -> Result<(), TroubleKind> {
        let session = self.series.next(&self.setup)?;
        let answers = play_game(session, &mut self.bots, transcript.as_deref_mut())?;
        let Pending::Finished(outcome) = session.pending() else {
            return Err(TroubleKind::Check("play stopped without an end".to_string()));
        };
        self.tally.largest = self.tally.largest.maximum_of_each(session.usage());
        let turns = self.turn.map_or(0, |turn| session.times_begun(turn));
        session.write_times_begun(&self.scopes, &mut self.begun);
        let counted: Vec<Vec<i64>> = self.settings.counters.iter().map(|counter| session.counter_values(*counter)).collect();
        self.tally.add_game(self.plan, &FinishedGame { index, outcome, turns, answers, scopes: &self.begun }, &counted);
        if let Some(transcript) = &transcript {
            transcript.announce_end(outcome, &mut self.bots);
        }
        if self.settings.rows.is_some() {
            self.rows.push(Row::new(self.plan, &self.setup.sides, index, Some(outcome), answers, turns));
        }
        if self.settings.usage {
            let outcome = outcome.clone();
            let events = transcript.map_or_else(|| session.take_events(), |transcript| std::mem::take(&mut transcript.events));
            self.tally.usage.add_game(&self.told, session, &events, &outcome);
            session.keep_events_in(events);
        }
        if self.settings.check {
            session.verify_state().map_err(TroubleKind::Check)?;
            if index.is_multiple_of(check::full_check_interval(self.plan.games)) {
                self.tally.checked += 1;
                check::check_game(self.program, self.plan, &self.setup, index, answers).map_err(TroubleKind::Check)?;
            }
        }
        Ok(())
    }

    /// Replays the game to get its answers, unless they were kept. Games without trouble need not remember them.
    fn build_trouble(&self, index: u64, kind: TroubleKind, transcript: Option<Transcript>) -> Trouble {
        let entries = match (transcript, catch_panic(|| Session::start(self.program.clone(), &self.setup))) {
            (Some(transcript), _) => transcript.entries,
            (None, Ok(Ok(mut session))) => game::collect_entries(&mut session, &mut self.plan.make_bots(self.program, index)),
            (None, _) => Vec::new(),
        };
        Trouble { index, kind, header: self.recording_header(index), entries }
    }

    /// The header of a recording of this game. The setup must be that of the game.
    fn recording_header(&self, index: u64) -> Header {
        Header::new(self.program, &self.setup, self.plan.seat_records(&self.setup), index.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::broken;
    use ludex_engine::codes;

    #[test]
    fn a_bug_ends_one_game_and_not_the_others() {
        let program = broken::buggy_program();
        let plan = Plan::new(&program, &[], None, 3, 1).unwrap();
        let mut worker = Worker::new(&program, &plan, Settings::default());
        worker.play_game(0).unwrap();
        plan.prepare_setup(&mut worker.setup, 1);
        worker.bots = vec![Box::new(broken::PanickingPlayer), Box::new(broken::PanickingPlayer)];
        worker.play_seated(1).unwrap();
        worker.play_game(2).unwrap();
        let tally = worker.tally;
        assert_eq!((tally.all.games, tally.faults, tally.is_clean()), (2, 1, false));
        assert_eq!(tally.troubles[0].index, 1);
        assert!(tally.troubles[0].fault_problem().is_some_and(|problem| problem.code == codes::INTERNAL));
    }
}
