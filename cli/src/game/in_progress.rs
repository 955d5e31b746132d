//! The game itself: answers, bots' answers, take-backs, and updates for the people who play.
//!
//! Each action yields steps: a step is one entry of the recording (an answer, a throw, a take-back or a resignation) with its
//! events. An action writes its steps to the file first, and only then reports their events to bots and people as updates.

use super::explored_chance::Rehearsal;
use super::recorder::Recorder;
use super::seats::{self, Seat};
use super::store::unrecorded_problem;
use super::undo::{Undo, UndoLimit, count_take_backs};
use ludex_bots::rng::derive_seed;
use ludex_bots::updates::{EventLog, Update};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::recording::{Ending, Entry, Header, RecordedSession, Shares, Step, TakeBack, seed_of_bots};
use ludex_engine::runtime::{Choice, Decision, DecisionId, Pending, Session, Setup};
use std::path::Path;
use std::sync::Arc;

/// Maximum number of other answers tried for a bot whose answer made the rules or an ability fail.
const MOST_TRIES: u64 = 1000;

/// A game with its recording and the players at its seats.
pub struct Game {
    recorded: RecordedSession,
    seats: Vec<Seat>,
    /// `None` if the game is not kept on disk.
    recorder: Option<Recorder>,
    /// Numbers the updates, for each seat separately.
    event_log: EventLog,
    /// The updates that the caller has not taken yet.
    updates: Vec<Update>,
    undo_limit: UndoLimit,
    /// The seats of people who are not there to agree to anything.
    away: Vec<usize>,
    /// Set if one person explores the game alone, with nothing hidden.
    rehearsal: Option<Rehearsal>,
    /// The last answer, result or other action that was begun, in words for a bug report.
    trying: Option<String>,
    /// Why the recording could not be written, if the last attempt failed.
    unwritten: Option<String>,
}

/// The starting data of a game.
pub struct NewGame {
    pub program: Arc<Program>,
    pub setup: Setup,
    pub seats: Vec<Seat>,
    /// The shares that made the seed, if the players contributed some.
    pub shares: Option<Shares>,
    /// Hides the seed in the commitment that is published before play.
    pub salt: String,
    /// The text of the position file, if play starts from a position.
    pub position: Option<String>,
}

impl Game {
    /// Starts play and writes the first line of the recording. `recorder` creates the recording, or returns `None` to keep
    /// none; it is called only once the game is sure to start. If the first line, or what follows without a question, cannot
    /// be written, there is no game.
    pub fn start(deal: NewGame, recorder: impl FnOnce() -> Result<Option<Recorder>, Problem>) -> Result<Game, Problem> {
        let NewGame { program, setup, seats, shares, salt, position } = deal;
        let records = seats.iter().map(Seat::seat_record).collect();
        let header = Header { position, shares, ..Header::new(&program, &setup, records, salt) };
        let line = header.to_line();
        let (recorded, step) = RecordedSession::start(program, &setup, header)?;
        let (event_log, mut seats) = (EventLog::new(seats.len()), seats);
        let mut recorder = recorder()?;
        if let Some(Err(error)) = recorder.as_mut().map(|recorder| recorder.write_synced([line])) {
            recorder.into_iter().for_each(Recorder::discard_recording);
            return Err(unrecorded_problem(&error));
        }
        seats::announce_start(&mut seats, recorded.header());
        let mut game = Game::resume(recorded, seats, recorder, event_log);
        if let Err(problem) = game.carry_out_step(true, None, 0, step) {
            game.recorder.into_iter().for_each(Recorder::discard_recording);
            return Err(*problem);
        }
        Ok(game)
    }

    /// Continues a recording that was replayed to its end. The players at `seats` must already know everything up to here, and
    /// `event_log` must have counted it.
    pub fn resume(recorded: RecordedSession, seats: Vec<Seat>, recorder: Option<Recorder>, event_log: EventLog) -> Game {
        let (updates, undo_limit) = (Vec::new(), UndoLimit::default());
        let away = Vec::new();
        let (rehearsal, trying, unwritten) = (None, None, None);
        Game { recorded, seats, recorder, event_log, updates, undo_limit, away, rehearsal, trying, unwritten }
    }

    /// Turns it into a rehearsal, in which take-backs are unlimited and need no consent.
    pub(super) fn with_rehearsal(self, rehearsal: Rehearsal) -> Game {
        Game { rehearsal: Some(rehearsal), undo_limit: UndoLimit::NONE, ..self }
    }

    /// Whether one person explores the game alone, with nothing hidden.
    pub fn is_rehearsal(&self) -> bool {
        self.rehearsal.is_some()
    }

    pub fn session(&self) -> &Session {
        self.recorded.session()
    }

    pub fn header(&self) -> &Header {
        self.recorded.header()
    }

    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// The path of the recording, if it is kept.
    pub fn recording_path(&self) -> Option<&Path> {
        self.recorder.as_ref().map(Recorder::recording_path)
    }

    /// Number of entries in the recording: answers, throws, take-backs, withdrawals and resignations.
    pub fn entry_count(&self) -> usize {
        self.recorded.entries().len()
    }

    /// The session with all its answers.
    pub fn recorded_session(&self) -> &RecordedSession {
        &self.recorded
    }

    /// The full text of the recording so far.
    pub fn recording_text(&self) -> String {
        self.recorded.recording_text()
    }

    /// Returns and clears the updates that people have not seen yet.
    pub fn take_updates(&mut self) -> Vec<Update> {
        std::mem::take(&mut self.updates)
    }

    /// The open decisions of people's seats.
    pub fn open_decisions(&self) -> Vec<Decision> {
        self.recorded.open_decisions().iter().filter(|decision| !self.is_bot(decision.seat)).cloned().collect()
    }

    /// The open decisions of a seat, if a person answers for it, each with a number. It depends only on this seat's answers
    /// and on take-backs, so it does not reveal how many questions others get. No later decision of the seat has the same
    /// number.
    pub fn open_decisions_of(&self, seat: usize) -> Vec<(u64, Decision)> {
        let first = self.recorded.entries().count_known_to(seat) as u64 + 1;
        (first..).zip(self.open_decisions().into_iter().filter(|decision| decision.seat == seat)).collect()
    }

    /// Whether a bot answers next.
    pub fn is_bots_turn(&self) -> bool {
        self.next_bot_seat().is_some()
    }

    /// The seat of the bot that answers next.
    pub fn next_bot_seat(&self) -> Option<usize> {
        self.recorded.open_decisions().iter().map(|decision| decision.seat).find(|seat| self.is_bot(*seat))
    }

    /// Why answers are refused now: the recording cannot be written. The next answer tries again.
    pub fn write_failure(&self) -> Option<&str> {
        self.unwritten.as_deref()
    }

    /// Lets the next bot that is asked give one answer. Returns false if no bot is asked (a person must answer, a throw is
    /// awaited, or play is over), or if the recording cannot be written, see [`Game::write_failure`].
    ///
    /// Bots' answers are written at once, but synced to disk only when no bot is asked any more. If a bot's answer makes the
    /// rules fail, it gets the first other answer that works. An error if none does, or if the bot itself fails.
    pub fn let_bot_answer(&mut self) -> Result<bool, Box<Problem>> {
        let asked = self.recorded.open_decisions().iter().find(|decision| self.is_bot(decision.seat)).cloned();
        let Some(decision) = asked else {
            if let Some(Err(error)) = self.recorder.as_mut().map(Recorder::sync_to_disk) {
                self.note_unwritten(&error.to_string());
            }
            return Ok(false);
        };
        // The bot sees a copy of the session in which everything hidden from its seat is dealt again. Only public entries
        // count for the seed, so that secret picks of others do not influence the bot.
        let seed = derive_seed(seed_of_bots(self.header().seed), self.recorded.public_entry_count() as u64);
        let imagined = self.session().imagine(decision.seat, seed);
        let choice = self.seats.get_mut(decision.seat).and_then(|seat| seat.bot_answer(&imagined, &decision)).transpose()?;
        // A bot is at the seat, so there is always a choice.
        let answered = self.answer_with_sync(false, decision.id, choice.unwrap_or(Choice::Option(0)));
        let answered = answered.or_else(|problem| self.give_fallback_answer(&decision, problem));
        match answered {
            Err(problem) if is_unwritten(&problem) => Ok(false),
            answered => answered.map(|()| true),
        }
    }

    /// Answers a decision. The answer is on disk before anyone sees it. If it cannot be written, it does not take effect; the
    /// same holds for every other action.
    pub fn answer_decision(&mut self, decision: DecisionId, choice: Choice) -> Result<(), Box<Problem>> {
        self.answer_with_sync(true, decision, choice)
    }

    /// Answers a decision. If `synced`, the answer is on disk afterwards; if not, it is only handed to the system.
    fn answer_with_sync(&mut self, synced: bool, decision: DecisionId, choice: Choice) -> Result<(), Box<Problem>> {
        self.trying = self.session().choice_key(decision, &choice).map(|key| format!("`{key}`"));
        let before = self.entry_count();
        let step = self.recorded.answer_decision(decision, choice)?;
        self.carry_out_step(synced, None, before, step)
    }

    /// Supplies the results of the throw that the session waits for, one for each draw.
    pub fn supply_results(&mut self, results: &[i64]) -> Result<(), Box<Problem>> {
        self.trying = Some(format!("the results {results:?}"));
        let before = self.entry_count();
        let step = self.recorded.supply(results)?;
        self.carry_out_step(true, None, before, step)
    }

    /// Withdraws a secret pick of the seat: an answer that stays hidden until all seats that are asked at once have answered.
    /// Returns false if there is none, or if it is part of a rehearsal's beginning.
    pub fn withdraw_pick(&mut self, seat: usize) -> Result<bool, Box<Problem>> {
        if self.recorded.secret_picks().any(|(other, entry)| other == seat && entry < self.beginning_entries()) {
            return Ok(false);
        }
        self.trying = Some("the withdrawal of a pick".to_string());
        let before = self.entry_count();
        let Some(step) = self.recorded.withdraw_pick(seat) else { return Ok(false) };
        self.carry_out_step(true, None, before, step).map(|()| true)
    }

    /// Carries out a take-back that [`Game::undo_for_seat`] has returned. Nothing happens if its answer is already taken back.
    pub fn apply_take_back(&mut self, undo: TakeBack) -> Result<(), Box<Problem>> {
        self.trying = Some("an undo".to_string());
        let before = self.entry_count();
        let Some(step) = self.recorded.carry_out_take_back(undo) else { return Ok(()) };
        self.carry_out_step(true, Some(undo), before, step)
    }

    /// Records that a seat gives up, and carries it out.
    pub fn resign_seat(&mut self, seat: usize) -> Result<(), Box<Problem>> {
        self.trying = Some("a resignation".to_string());
        let before = self.entry_count();
        let step = self.recorded.resign(seat);
        self.carry_out_step(true, None, before, step)
    }

    /// The report of a bug that has ended this game, with details that help to find it. The answer that triggered it is not in
    /// the recording, so play can resume from there.
    pub fn bug_report(&self, bug: &Problem) -> Problem {
        let last = self.trying.as_ref().map_or(String::new(), |last| format!("; the last thing it did was to carry out {last}"));
        let problem = Problem { message: format!("{}{last}", bug.message).into(), ..bug.clone() };
        match self.recording_path() {
            Some(path) => {
                problem.help(format!("this is a bug in Ludex: send the recording {} with this message", path.display()))
            }
            None => problem,
        }
    }

    fn is_bot(&self, seat: usize) -> bool {
        self.seats.get(seat).is_some_and(Seat::is_bot)
    }

    /// Gives the first answer that works, for a bot whose own answer failed with `problem`. If none works, `problem` is the
    /// error.
    fn give_fallback_answer(&mut self, decision: &Decision, problem: Box<Problem>) -> Result<(), Box<Problem>> {
        if is_unwritten(&problem) {
            return Err(problem);
        }
        self.updates.push(Update::Fault(problem.clone()));
        for choice in decision.answers().simple_answers(MOST_TRIES) {
            match self.answer_with_sync(false, decision.id, choice) {
                Err(other) if !is_unwritten(&other) => {}
                answered => return answered,
            }
        }
        Err(problem)
    }

    /// Writes and announces a step that was just taken, and those that follow without a question. `before` is the number of
    /// entries before it; `undo` is the take-back that the step is, if it is one.
    fn carry_out_step(&mut self, synced: bool, undo: Option<TakeBack>, before: usize, step: Step) -> Result<(), Box<Problem>> {
        let steps = self.collect_steps(step);
        self.write_steps(synced, before, &steps)?;
        let (mut undo, mut entries) = (undo, before);
        for step in steps {
            entries += usize::from(step.entry.is_some());
            self.announce_step(undo.take(), step, entries);
        }
        self.announce_end();
        Ok(())
    }

    /// Takes the steps that follow without a question, and returns all: forced answers, and in a rehearsal results of chance.
    fn collect_steps(&mut self, step: Step) -> Vec<Step> {
        let mut steps = vec![step];
        loop {
            while let Some(Ok(step)) = self.recorded.answer_forced() {
                steps.push(step);
            }
            let pending = self.recorded.session().pending();
            let Some(results) = self.rehearsal.as_mut().and_then(|rehearsal| rehearsal.luck.next_results(&pending)) else {
                return steps;
            };
            match self.recorded.supply(&results) {
                Ok(step) => steps.push(step),
                Err(problem) => {
                    self.updates.push(Update::Fault(problem));
                    return steps;
                }
            }
        }
    }

    /// Writes the entries of some steps to the recording, and the end of play if they reach it. On failure play goes back to
    /// the first `before` entries, so that nothing happens that is not recorded.
    fn write_steps(&mut self, synced: bool, before: usize, steps: &[Step]) -> Result<(), Box<Problem>> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let ending = self.recorded.ending();
        let lines = steps.iter().filter_map(|step| step.entry.as_ref()).map(Entry::to_line);
        let lines = lines.chain(ending.as_ref().map(Ending::to_line));
        let written = if synced || ending.is_some() { recorder.write_synced(lines) } else { recorder.write_lines(lines) };
        match written {
            Ok(()) => {
                self.unwritten = None;
                if ending.is_some() {
                    recorder.release_lock();
                }
                Ok(())
            }
            Err(error) => {
                // If this fails, the players learn of it: otherwise the game would diverge from its recording.
                self.recorded = self.recorded.rewind_to(before).unwrap_or_else(|divergence| panic!("{divergence}"));
                self.note_unwritten(&error.to_string());
                Err(Box::new(unwritten_problem(&error.to_string())))
            }
        }
    }

    /// Reports the failure once, not for each attempt.
    fn note_unwritten(&mut self, reason: &str) {
        if self.unwritten.replace(reason.to_string()).is_none() {
            self.updates.push(Update::Unwritten(reason.to_string()));
        }
    }

    /// Reports a step to bots and people. `entries` is the number of entries including it.
    fn announce_step(&mut self, undo: Option<TakeBack>, step: Step, entries: usize) {
        let mut updates = self.event_log.number_updates(undo, step.events, entries);
        if let Some(Update::TakenBack(undone)) = updates.first_mut() {
            // Only a take-back with a new seed counts against the limit.
            undone.left = self.undos_left(undone.undo.seat).filter(|_| undone.undo.seed.is_some());
        }
        seats::send_updates(&mut self.seats, self.recorded.session(), &updates);
        self.updates.extend(updates);
    }

    /// Tells the players at the seats how play ended, if it is over.
    fn announce_end(&mut self) {
        if let Pending::Finished(outcome) = self.recorded.session().pending() {
            let undone = count_take_backs(self.recorded.entries().take_backs(), self.recorded.header().seats.len());
            let players = self.seats.iter_mut().filter_map(Seat::bot_player);
            players.for_each(|player| player.hear_end(outcome, self.recorded.header(), &undone));
        }
    }
}

impl Game {
    /// Limits how many decisions each seat may take back without asking for consent.
    pub fn limit_undo(self, undo_limit: UndoLimit) -> Game {
        Game { undo_limit, ..self }
    }

    /// Sets the seats of people who are away. They are not asked to consent to take-backs. While no other person is there, the
    /// seat's take-backs are limited as against bots.
    pub fn set_away(&mut self, away: Vec<usize>) {
        self.away = away;
    }

    /// Whether and how the seat may take back its last answer. A take-back has a new seed if chance was drawn or others may
    /// have learned something since that answer; any other is free.
    pub fn undo_for_seat(&self, seat: usize) -> Undo {
        let Some(undo) = self.recorded.possible_take_back(seat).filter(|undo| undo.to > self.beginning_entries()) else {
            return Undo::Nothing;
        };
        let others: Vec<usize> = self.other_people_present(seat).filter(|_| !self.is_rehearsal()).collect();
        match (undo.seed, self.undos_left(seat)) {
            (None, _) => Undo::Free(undo),
            (Some(_), _) if !others.is_empty() => Undo::WithConsent(undo, others),
            (Some(_), Some(0)) => Undo::UsedUp,
            (Some(_), _) => Undo::Free(undo),
        }
    }

    /// The seat for which a person answered last; `None` if no person has answered since the beginning. A pick that is still
    /// secret comes before all answers that others know.
    pub fn last_answering_seat(&self) -> Option<usize> {
        let is_own = |seat: &usize| !self.is_bot(*seat);
        let pick = self.recorded.secret_picks().rev().find(|(seat, entry)| is_own(seat) && *entry >= self.beginning_entries());
        let known = || self.human_seats().filter_map(|seat| self.recorded.possible_take_back(seat)).max_by_key(|undo| undo.to);
        pick.map(|(seat, _)| seat).or_else(|| known().filter(|undo| undo.to > self.beginning_entries()).map(|undo| undo.seat))
    }

    /// Number of entries that cannot be taken back: the beginning of a rehearsal. It is compared with `TakeBack::to`, which
    /// counts entries from 1, and with the entries of secret picks, which count from 0.
    fn beginning_entries(&self) -> usize {
        self.rehearsal.as_ref().map_or(0, |rehearsal| rehearsal.begun)
    }

    /// The number of take-backs of each seat that undid chance, or answers or knowledge of others.
    pub fn take_back_counts(&self) -> Vec<usize> {
        count_take_backs(self.recorded.entries().take_backs(), self.seats.len())
    }

    /// The seats that people answer for.
    pub fn human_seats(&self) -> impl Iterator<Item = usize> {
        self.seats.iter().filter(|seat| !seat.is_bot()).map(|seat| seat.number)
    }

    /// The other people who can be asked for consent.
    fn other_people_present(&self, seat: usize) -> impl Iterator<Item = usize> {
        self.human_seats().filter(move |other| *other != seat && !self.away.contains(other))
    }

    /// The number of counted take-backs that the seat has left; `None` if unlimited. People who play each other ask for consent
    /// instead.
    fn undos_left(&self, seat: usize) -> Option<usize> {
        let undone = self.take_back_counts().get(seat).copied().unwrap_or(0);
        let is_alone = self.is_rehearsal() || self.other_people_present(seat).next().is_none();
        self.undo_limit.remaining_after(undone).filter(|_| is_alone)
    }
}

/// The problem for an action that could not be recorded.
fn unwritten_problem(reason: &str) -> Problem {
    let message = format!("the recording cannot be written, so this was not done: {reason}");
    Problem::error(codes::FILE_NOT_WRITTEN, message).help("make room on the disk, then try again")
}

/// Whether an action failed because it could not be recorded.
fn is_unwritten(problem: &Problem) -> bool {
    problem.code == codes::FILE_NOT_WRITTEN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::broken;

    #[test]
    fn a_report_of_a_bug_tells_what_led_to_it() {
        let path = std::env::temp_dir().join(format!("ludex-bug-{}.ludexrec", std::process::id()));
        let mut game = broken::buggy_game(&path);
        while let Ok(Ok(true)) = crate::guard::catch_panic(|| game.let_bot_answer()) {}
        let bug = Problem::error("", "Ludex itself has failed: a bug");
        let problem = game.bug_report(&bug);
        let expected = "Ludex itself has failed: a bug; the last thing it did was to carry out `choose(";
        assert!(problem.message.to_string().starts_with(expected), "{}", problem.message);
        let help = format!("this is a bug in Ludex: send the recording {} with this message", path.display());
        assert_eq!(problem.help, Some(help));
        broken::assert_kept(&path);
    }
}
