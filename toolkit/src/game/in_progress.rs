//! The game itself: whose turn it is to answer, what is taken back, and what everybody is to be told of it.

use super::interrupt::set_kept;
use super::luck::Rehearsal;
use super::recorder::Recorder;
use super::seats::{self, Seat};
use super::undo::{Undo, UndoLimit, undone};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::recording::{Header, RecordedSession, Shares, Step, TakeBack, seed_of_bots};
use ludex_engine::runtime::{Choice, Decision, DecisionId, Pending, Session, Setup};
use ludex_players::rng::derive;
use ludex_players::updates::{EventLog, Update};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// How many other answers are tried for a bot whose answer made the rules or an ability fail.
const MOST_TRIES: u64 = 1000;

pub struct Game {
    recorded: RecordedSession,
    seats: Vec<Seat>,
    recorder: Option<Recorder>,
    event_log: EventLog,
    updates: Vec<Update>,
    undo_limit: UndoLimit,
    /// The seats of people who are not there to agree to anything.
    away: Vec<usize>,
    rehearsal: Option<Rehearsal>,
    /// What is being carried out, in words.
    trying: Option<String>,
}

/// What a game starts from.
pub struct NewGame {
    pub program: Arc<Program>,
    pub setup: Setup,
    pub seats: Vec<Seat>,
    /// What the seed was made of, if those who play have put something in.
    pub shares: Option<Shares>,
    pub salt: String,
    /// The text of the position file, if play starts in the middle.
    pub position: Option<String>,
}

impl Game {
    /// Starts play, and writes the first line of the recording, which is made once it is certain that there is a game.
    pub fn start(deal: NewGame, recorder: impl FnOnce() -> Option<Recorder>) -> Result<Game, Problem> {
        let NewGame { program, setup, seats, shares, salt, position } = deal;
        let records = seats.iter().map(Seat::record).collect();
        let header = Header { position, shares, ..Header::new(&program, &setup, records, salt) };
        let line = header.to_line();
        let (recorded, step) = RecordedSession::start(program, &setup, header)?;
        let (event_log, mut seats) = (EventLog::new(seats.len()), seats);
        seats::begin(&mut seats, recorded.header());
        let mut game = Game::resume(recorded, seats, recorder(), event_log);
        game.write(&line);
        game.take(step);
        Ok(game)
    }

    /// Goes on with a recording that was played again to its end. The programs at the seats were told so far.
    pub fn resume(recorded: RecordedSession, seats: Vec<Seat>, recorder: Option<Recorder>, event_log: EventLog) -> Game {
        let (updates, undo_limit) = (Vec::new(), UndoLimit::default());
        let away = Vec::new();
        Game { recorded, seats, recorder, event_log, updates, undo_limit, away, rehearsal: None, trying: None }
    }

    pub(super) fn rehearsed(self, rehearsal: Rehearsal) -> Game {
        Game { rehearsal: Some(rehearsal), undo_limit: UndoLimit::NONE, ..self }
    }

    /// Whether one person plays it for the sake of what comes of it, and hides nothing from themselves.
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

    /// Where the recording is kept, if it is.
    pub fn path(&self) -> Option<&Path> {
        self.recorder.as_ref().map(Recorder::path)
    }

    /// How many entries the recording has.
    pub fn entries(&self) -> usize {
        self.recorded.entries().len()
    }

    /// The session with all that was answered in it.
    pub fn recorded(&self) -> &RecordedSession {
        &self.recorded
    }

    /// The whole recording as it stands.
    pub fn recording(&self) -> String {
        self.recorded.text()
    }

    /// What people have not been told yet.
    pub fn take_updates(&mut self) -> Vec<Update> {
        std::mem::take(&mut self.updates)
    }

    /// The open decisions of the seats that people answer for.
    pub fn open(&self) -> Vec<Decision> {
        self.recorded.decisions().iter().filter(|decision| !self.is_bot(decision.seat)).cloned().collect()
    }

    /// The open decisions of one of those seats, each with a number by which nobody can count what others are asked: it
    /// depends on nothing but what this seat has answered, and on take-backs. No later decision of the seat has the same.
    pub fn open_to(&self, seat: usize) -> Vec<(u64, Decision)> {
        let first = self.recorded.entries().known_to(seat) as u64 + 1;
        (first..).zip(self.open().into_iter().filter(|decision| decision.seat == seat)).collect()
    }

    /// Whether a bot answers next.
    pub fn is_bots_turn(&self) -> bool {
        self.bot_asked().is_some()
    }

    /// The seat of the bot that answers next.
    pub fn bot_asked(&self) -> Option<usize> {
        self.recorded.decisions().iter().map(|decision| decision.seat).find(|seat| self.is_bot(*seat))
    }

    /// Lets a bot answer, if one is asked; tells whether one was. If none was, somebody else is asked next or play is over,
    /// and all that was answered is on the disk.
    pub fn bot_answers(&mut self) -> Result<bool, Box<Problem>> {
        let asked = self.recorded.decisions().iter().find(|decision| self.is_bot(decision.seat)).cloned();
        let Some(decision) = asked else {
            self.sync();
            return Ok(false);
        };
        let seed = derive(seed_of_bots(self.header().seed), self.recorded.settled() as u64);
        let imagined = self.session().imagine(decision.seat, seed);
        let choice = self.seats.get_mut(decision.seat).and_then(|seat| seat.answer(&imagined, &decision)).transpose()?;
        let answered = self.answer(decision.id, choice.unwrap_or(Choice::Option(0)));
        answered.or_else(|problem| self.bot_answers_otherwise(&decision, problem)).map(|()| true)
    }

    /// Answers a decision.
    pub fn answer(&mut self, decision: DecisionId, choice: Choice) -> Result<(), Box<Problem>> {
        self.trying = self.session().choice_key(decision, &choice).map(|key| format!("`{key}`"));
        let step = self.recorded.answer(decision, choice)?;
        self.take(step);
        Ok(())
    }

    /// Gives the results of chance that are asked for.
    pub fn supply(&mut self, results: &[i64]) -> Result<(), Box<Problem>> {
        self.trying = Some(format!("the results {results:?}"));
        let step = self.recorded.supply(results)?;
        self.take(step);
        Ok(())
    }

    /// Takes back a pick that nobody else knows of; tells whether there was one.
    pub fn withdraw(&mut self, seat: usize) -> bool {
        if self.recorded.picks().any(|(other, entry)| other == seat && entry < self.begun()) {
            return false;
        }
        let step = self.recorded.withdraw(seat);
        step.map(|step| self.take(step)).is_some()
    }

    pub fn undo(&mut self, undo: TakeBack) {
        self.trying = Some("an undo".to_string());
        if let Some(step) = self.recorded.undo(undo) {
            self.take_in(Some(undo), step);
        }
    }

    pub fn resign(&mut self, seat: usize) {
        self.trying = Some("a resignation".to_string());
        let step = self.recorded.resign(seat);
        self.take(step);
    }

    /// A bug that has ended this game, with what helps to find it. The answer that led to it is not in the recording, which
    /// can be gone on with.
    pub fn ended_by(&self, bug: &Problem) -> Problem {
        let last = self.trying.as_ref().map_or(String::new(), |last| format!("; the last thing it did was to carry out {last}"));
        let problem = Problem { message: format!("{}{last}", bug.message), ..bug.clone() };
        match self.path() {
            Some(path) => {
                problem.help(format!("this is a bug in Ludex: send the recording {} with this message", path.display()))
            }
            None => problem,
        }
    }

    fn is_bot(&self, seat: usize) -> bool {
        self.seats.get(seat).is_some_and(Seat::is_bot)
    }

    /// The first answer that works, for a bot whose own did not.
    fn bot_answers_otherwise(&mut self, decision: &Decision, problem: Box<Problem>) -> Result<(), Box<Problem>> {
        self.updates.push(Update::Fault(problem.clone()));
        let worked = decision.answers().simple(MOST_TRIES).any(|choice| self.answer(decision.id, choice).is_ok());
        if worked { Ok(()) } else { Err(problem) }
    }

    fn take(&mut self, step: Step) {
        self.take_in(None, step);
    }

    /// Takes a step in, and those that follow from it without anybody being asked.
    fn take_in(&mut self, undo: Option<TakeBack>, step: Step) {
        self.take_one(undo, step);
        loop {
            while let Some(Ok(step)) = self.recorded.answer_forced() {
                self.take_one(None, step);
            }
            let pending = self.recorded.session().pending();
            let Some(results) = self.rehearsal.as_mut().and_then(|rehearsal| rehearsal.luck.next(&pending)) else { return };
            match self.recorded.supply(&results) {
                Ok(step) => self.take_one(None, step),
                Err(problem) => return self.updates.push(Update::Fault(problem)),
            }
        }
    }

    fn take_one(&mut self, undo: Option<TakeBack>, step: Step) {
        if let Some(entry) = &step.entry {
            self.write(&entry.to_line());
        }
        if let Some(ending) = self.recorded.ending() {
            self.write(&ending.to_line());
            self.try_to_keep(Recorder::finish);
        }
        let mut updates = self.event_log.tell(undo, step.events, self.entries());
        if let Some(Update::TakenBack(undone)) = updates.first_mut() {
            undone.left = self.undos_left(undone.undo.seat).filter(|_| undone.undo.seed.is_some());
        }
        self.tell_players(&updates);
        self.updates.extend(updates);
    }

    fn tell_players(&mut self, updates: &[Update]) {
        let session = self.recorded.session();
        seats::hear(&mut self.seats, session, updates);
        if let Pending::Finished(outcome) = session.pending() {
            let undone = undone(self.recorded.entries().take_backs(), self.recorded.header().seats.len());
            let players = self.seats.iter_mut().filter_map(Seat::player);
            players.for_each(|player| player.end(outcome, self.recorded.header(), &undone));
        }
    }

    /// Waits until all that was answered is on the disk.
    pub fn sync(&mut self) {
        self.try_to_keep(Recorder::sync);
    }

    fn write(&mut self, line: &str) {
        self.try_to_keep(|recorder| recorder.write(line));
    }

    fn try_to_keep(&mut self, keep: impl FnOnce(&mut Recorder) -> io::Result<()>) {
        if let Some(Err(error)) = self.recorder.as_mut().map(keep) {
            self.recorder = None;
            set_kept(None);
            self.updates.push(Update::NotKept(error.to_string()));
        }
    }
}

impl Game {
    /// How many decisions each seat may take back, where nobody is asked.
    pub fn limit_undo(self, undo_limit: UndoLimit) -> Game {
        Game { undo_limit, ..self }
    }

    /// Notes which people are away: who takes back is not asked for their consent, and is counted as against bots if nobody else
    /// is there.
    pub fn set_away(&mut self, away: Vec<usize>) {
        self.away = away;
    }

    /// What taking back the seat's last answer would be.
    pub fn undo_of(&self, seat: usize) -> Undo {
        let Some(undo) = self.recorded.take_back(seat).filter(|undo| undo.to > self.begun()) else { return Undo::Nothing };
        let others: Vec<usize> = self.others_there(seat).filter(|_| !self.is_rehearsal()).collect();
        match (undo.seed, self.undos_left(seat)) {
            (None, _) => Undo::Free(undo),
            (Some(_), _) if !others.is_empty() => Undo::WithConsent(undo, others),
            (Some(_), Some(0)) => Undo::UsedUp,
            (Some(_), _) => Undo::Free(undo),
        }
    }

    /// The seat for which a person has answered last; none if nobody has since the beginning.
    pub fn answered_last(&self) -> Option<usize> {
        let is_own = |seat: &usize| !self.is_bot(*seat);
        let pick = self.recorded.picks().rev().find(|(seat, entry)| is_own(seat) && *entry >= self.begun());
        let known = || self.people().filter_map(|seat| self.recorded.take_back(seat)).max_by_key(|undo| undo.to);
        pick.map(|(seat, _)| seat).or_else(|| known().filter(|undo| undo.to > self.begun()).map(|undo| undo.seat))
    }

    /// So many entries nobody goes back behind.
    fn begun(&self) -> usize {
        self.rehearsal.as_ref().map_or(0, |rehearsal| rehearsal.begun)
    }

    /// For each seat, how often it went back across chance, or across what others knew or answered.
    pub fn undone(&self) -> Vec<usize> {
        undone(self.recorded.entries().take_backs(), self.seats.len())
    }

    /// The seats that people answer for.
    pub fn people(&self) -> impl Iterator<Item = usize> {
        self.seats.iter().filter(|seat| !seat.is_bot()).map(|seat| seat.number)
    }

    /// The other people who can be asked for their consent.
    fn others_there(&self, seat: usize) -> impl Iterator<Item = usize> {
        self.people().filter(move |other| *other != seat && !self.away.contains(other))
    }

    /// How often the seat may still go back so, unless that is unlimited. People who play each other agree on it instead.
    fn undos_left(&self, seat: usize) -> Option<usize> {
        let undone = self.undone().get(seat).copied().unwrap_or(0);
        let is_alone = self.is_rehearsal() || self.others_there(seat).next().is_none();
        self.undo_limit.left(undone).filter(|_| is_alone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::broken;

    #[test]
    fn a_report_of_a_bug_tells_what_led_to_it() {
        let path = std::env::temp_dir().join(format!("ludex-bug-{}.ludexrec", std::process::id()));
        let mut game = broken::game(&path);
        while let Ok(Ok(true)) = crate::guard::guarded(|| game.bot_answers()) {}
        let bug = Problem::error("", "Ludex itself has failed: a bug");
        let problem = game.ended_by(&bug);
        let expected = "Ludex itself has failed: a bug; the last thing it did was to carry out `choose(";
        assert!(problem.message.starts_with(expected), "{}", problem.message);
        let help = format!("this is a bug in Ludex: send the recording {} with this message", path.display());
        assert_eq!(problem.help, Some(help));
        broken::assert_kept(&path);
    }
}
