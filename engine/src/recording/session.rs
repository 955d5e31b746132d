//! A session that is written down as it is played, and can be taken back.

use crate::recording::digest::{Digest, fresh_seed};
use crate::recording::ending::Ending;
use crate::recording::history::History;
use crate::recording::{Chain, Divergence, Entries, Entry, FORMAT, Header};
use crate::runtime::question::keys::PASS;
use crate::runtime::{Choice, Decision, DecisionId, Event, Pending, Refusal, Seed, Session, SessionOptions, Setup};
use ludex_compiler::position::Position;
use ludex_program::Program;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A seat goes back to where it gave an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeBack {
    /// Who goes back.
    pub seat: usize,
    /// The number of the answer's entry, from 1: play stands where it stood before it.
    pub to: usize,
    /// What chance draws from afterwards, if anything was drawn or told since that answer. None: nothing was, and
    /// going back is nobody else's business.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// What no person at the table sees is dealt again, too. Older recordings did not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redeals: bool,
}

/// What one entry led to.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// What is to be written down before anything else is asked or told.
    pub entry: Option<Entry>,
    /// What has happened; nothing while others still pick in secret.
    pub events: Vec<Event>,
}

/// Why an answer by key was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerError {
    /// It is not legal now.
    Refused(Refusal),
    /// It is legal, but the rules or an ability failed over it.
    Fault(Box<Problem>),
}

/// A pick that is secret until the others of its group have answered.
#[derive(Clone, Debug)]
struct Held {
    before: Session,
    group: Option<u64>,
    seat: usize,
    /// The place of its entry.
    index: usize,
}

/// A session with all that was answered in it.
#[derive(Clone, Debug)]
pub struct RecordedSession {
    header: Header,
    /// What play began from, as it was read.
    position: Option<Position>,
    session: Session,
    entries: Entries,
    pub(super) history: History,
    held: Vec<Held>,
    /// The places of answers that pass where the others cannot know whether there was a choice: nobody goes back to them.
    passes: Vec<usize>,
    /// A forced decision that a take-back has led to: it is asked all the same.
    asked_again: Option<DecisionId>,
    /// How many entries everybody may know of: picks that are held or were never shown are none of them.
    settled: usize,
    digest: Digest,
}

impl RecordedSession {
    /// Starts play; the step holds the events up to the first question. It is written down in the format of today,
    /// whichever the first line is of.
    pub fn start(program: Arc<Program>, setup: &Setup, header: Header) -> Result<(RecordedSession, Step), Problem> {
        let header = Header { format: FORMAT, ..header };
        let options = SessionOptions { stops_at_forced: true, renumbers: header.renumbers, ..SessionOptions::default() };
        let session = Session::start_with(program, setup, options)?;
        let (history, digest) = (History::new(&session, header.people()), Digest::default());
        let (entries, held, passes) = (Entries::default(), Vec::new(), Vec::new());
        let (asked_again, settled, position) = (None, 0, setup.position.clone());
        let mut recorded =
            RecordedSession { header, position, session, entries, history, held, passes, asked_again, settled, digest };
        recorded.try_forced().map_err(|problem| *problem)?;
        let step = recorded.step(None);
        Ok((recorded, step))
    }

    /// The game as it was after its first `entries` entries. Everything up to there is played again, so that no answer costs
    /// anything for the sake of the rare ones that come to nothing.
    pub fn rewound(&self, entries: usize) -> Result<RecordedSession, Divergence> {
        let setup = self.header.setup(self.position.clone());
        let (mut recorded, _) = RecordedSession::start(self.session.program().clone(), &setup, self.header.clone())
            .map_err(|problem| Divergence::new("play starts as it did", problem.message.to_string()))?;
        for entry in self.entries.iter().take(entries) {
            recorded.apply(&entry)?;
        }
        Ok(recorded)
    }

    /// The session alone, to play on without writing it down.
    pub fn into_session(self) -> Session {
        self.session
    }

    /// The first line, in the format of today.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The session as it is now.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// All that is written down so far, picks in secret among it.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    /// What led to where play stands, in order, without what was taken back and without picks that are still secret.
    pub(super) fn in_force(&self) -> Vec<Entry> {
        let mut places: Vec<usize> = self.history.backwards().filter(|place| !self.is_held(*place)).collect();
        places.reverse();
        places.into_iter().filter_map(|place| self.entries.get(place)).collect()
    }

    /// How many entries everybody may know of.
    pub fn settled(&self) -> usize {
        self.settled
    }

    /// What is open, with decisions that are forced.
    pub fn decisions(&self) -> &[Decision] {
        match self.session.pending() {
            Pending::Decisions(decisions) => decisions,
            _ => &[],
        }
    }

    /// The last line, once play is over.
    pub fn ending(&self) -> Option<Ending> {
        match self.session.pending() {
            Pending::Finished(outcome) => Some(Ending::new(outcome, &self.digest)),
            _ => None,
        }
    }

    /// The whole recording as it stands, for saving elsewhere.
    pub fn text(&self) -> String {
        let mut chain = Chain::default();
        self.lines().map(|line| chain.seal(&line)).collect()
    }

    /// Its lines, without their checksums.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let entries = self.entries.iter().map(|entry| entry.to_line());
        std::iter::once(self.header.to_line()).chain(entries).chain(self.ending().map(|ending| ending.to_line()))
    }

    /// Answers a decision.
    pub fn answer(&mut self, decision: DecisionId, choice: Choice) -> Result<Step, Box<Problem>> {
        let open = self.decisions().iter().find(|open| open.id == decision);
        let named = open.zip(self.session.choice_key(decision, &choice));
        let Some((&Decision { seat, group, veiled, .. }, key)) = named else {
            return Err(Box::new(Problem::error(codes::ILLEGAL_CHOICE, format!("decision {decision} has no such answer"))));
        };
        if self.held.is_empty() {
            self.history.keep(&self.session);
        }
        let before = self.session.clone();
        self.session.choose(decision, choice)?;
        if let Err(problem) = self.try_forced() {
            self.session = before;
            return Err(problem);
        }
        self.held.push(Held { before, group, seat, index: self.entries.len() });
        if veiled && key == PASS {
            self.passes.push(self.entries.len());
        }
        self.asked_again = None;
        self.history.go_on();
        let entry = Entry::Answer { decision, seat, key };
        self.entries.push(&entry);
        Ok(self.commit(entry))
    }

    /// The open decision that has only one answer and is not asked, if there is one.
    pub(crate) fn forced(&self) -> Option<&Decision> {
        self.decisions().iter().find(|open| open.forced && self.asked_again != Some(open.id))
    }

    /// Gives the only answer to a decision that is not asked; none if all that is open is asked.
    pub fn answer_forced(&mut self) -> Option<Result<Step, Box<Problem>>> {
        let decision = self.forced()?.id;
        let answer = self.session.forced_answer(decision)?;
        Some(self.answer(decision, answer))
    }

    /// Whether the rules and abilities bear what answers itself: it belongs to the answer that led to it, and fails with it.
    fn try_forced(&self) -> Result<(), Box<Problem>> {
        if self.forced().is_none() {
            return Ok(());
        }
        let mut ahead = self.session.clone();
        loop {
            let Pending::Decisions(open) = ahead.pending() else { return Ok(()) };
            let Some(decision) = open.iter().find(|open| open.forced).map(|open| open.id) else { return Ok(()) };
            let Some(answer) = ahead.forced_answer(decision) else { return Ok(()) };
            ahead.choose(decision, answer)?;
        }
    }

    /// Answers a decision by key.
    pub(crate) fn answer_key(&mut self, decision: DecisionId, key: &str) -> Result<Step, AnswerError> {
        let choice = self.session.find(decision, key).map_err(AnswerError::Refused)?;
        self.answer(decision, choice).map_err(AnswerError::Fault)
    }

    /// Gives results of chance that were asked for. If the rules or an ability fail over them, nothing has changed.
    pub fn supply(&mut self, result: &[i64]) -> Result<Step, Box<Problem>> {
        let random = match self.session.pending() {
            Pending::Random(request) => request.id,
            _ => 0,
        };
        self.history.keep(&self.session);
        let before = self.session.clone();
        self.session.supply(result)?;
        if let Err(problem) = self.try_forced() {
            self.session = before;
            return Err(problem);
        }
        Ok(self.write(Entry::Thrown { random, result: result.to_vec() }))
    }

    /// A seat gives up.
    pub fn resign(&mut self, seat: usize) -> Step {
        self.drop_picks();
        self.asked_again = None;
        self.session.resign(seat);
        self.write(Entry::Resigned { resign: seat })
    }

    /// The seats of the picks that others do not know of yet, in order, with the places of their entries.
    pub fn picks(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> {
        self.held.iter().map(|held| (held.seat, held.index))
    }

    /// Takes back a pick that the others do not know of yet; none if there is none.
    pub fn withdraw(&mut self, seat: usize) -> Option<Step> {
        let place = self.held.iter().position(|held| held.seat == seat)?;
        let mut later = self.held.split_off(place).into_iter();
        let withdrawn = later.next()?;
        self.session = withdrawn.before;
        self.history.skip(withdrawn.index);
        for held in later {
            let before = self.session.clone();
            if let Some(Entry::Answer { decision, key, .. }) = self.entries.get(held.index) {
                // It was legal a moment ago, and picks of one group do not depend on each other.
                let _ = self.session.choose(decision, Choice::Key(key));
            }
            self.held.push(Held { before, ..held });
        }
        let entry = Entry::Withdrawn { withdraw: seat };
        self.history.stay();
        self.entries.push(&entry);
        Some(Step { entry: Some(entry), events: Vec::new() })
    }

    /// What taking back the seat's last answer would be; none if it has not answered yet.
    pub fn take_back(&self, seat: usize) -> Option<TakeBack> {
        let answered = |index: &usize| self.entries.answered(*index).is_some_and(|(by, _)| by == seat);
        let leads_back = |index: &usize| !self.is_held(*index) && self.passes.binary_search(index).is_err();
        let index = self.history.backwards().filter(leads_back).find(answered)?;
        let seed = self.tells_more(index).then(|| fresh_seed(self.header.seed, self.settled + 1));
        let index = if seed.is_some() { self.first_of_group(index) } else { index };
        // Bots among themselves learn nothing from it.
        let redeals = seed.is_some() && self.session.program().hides && !self.header.people().is_empty();
        Some(TakeBack { seat, to: index + 1, seed, redeals })
    }

    /// The first answer to the questions that were put at once with the one of an answer. Where they were secret, nobody may
    /// go back to one when others have answered already, as their answers are known by now.
    fn first_of_group(&self, index: usize) -> usize {
        let group = |index: usize| {
            let (_, decision) = self.entries.answered(index)?;
            let before = self.history.before(&self.entries, index)?;
            let Pending::Decisions(open) = before.pending() else { return None };
            open.iter().find(|open| open.id == decision && open.secret)?.group
        };
        let Some(own) = group(index) else { return index };
        let earlier = self.history.backwards().skip_while(|place| *place != index);
        earlier.take_while(|place| group(*place) == Some(own)).last().unwrap_or(index)
    }

    /// Goes back as [`RecordedSession::take_back`] says; none if there is no such answer, or it was taken back already
    /// together with what led to it. Picks that others hold in secret are theirs to make again.
    pub fn undo(&mut self, undo: TakeBack) -> Option<Step> {
        let index = undo.to.checked_sub(1)?;
        let (_, decision) = self.entries.answered(index)?;
        if self.is_held(index) || !self.history.is_in_force(index) {
            return None;
        }
        self.drop_picks();
        self.session = self.history.back_to(&self.entries, index, undo.seed.is_some())?;
        self.asked_again = Some(decision);
        let entry = Entry::TakenBack { undo };
        self.history.draw_anew(&mut self.session, undo);
        self.digest.add_line(entry.to_line().trim_end());
        self.settled += 1;
        self.entries.push(&entry);
        Some(self.step(Some(entry)))
    }

    /// Does what an entry of a recording says.
    pub(crate) fn apply(&mut self, entry: &Entry) -> Result<Step, Divergence> {
        match entry {
            Entry::Answer { decision, seat, key } => self.apply_answer(*decision, *seat, key),
            Entry::Thrown { random, result } => self.apply_thrown(*random, result),
            Entry::TakenBack { undo } => self.undo(*undo).ok_or_else(|| self.nothing_to_take_back(undo.to)),
            Entry::Resigned { resign } if matches!(self.session.pending(), Pending::Finished(_)) => {
                Err(Divergence::new(format!("seat {resign} gives up"), self.waiting()))
            }
            Entry::Resigned { resign } => Ok(self.resign(*resign)),
            Entry::Withdrawn { withdraw } => self.withdraw(*withdraw).ok_or_else(|| {
                Divergence::new(format!("seat {withdraw} withdraws its pick"), "it has none that is not known yet")
            }),
        }
    }

    fn nothing_to_take_back(&self, to: usize) -> Divergence {
        Divergence::new(format!("the answer in entry {to} is taken back"), "it was taken back before")
    }

    fn apply_answer(&mut self, decision: DecisionId, seat: usize, key: &str) -> Result<Step, Divergence> {
        let expected = || format!("seat {seat} answers `{key}` to decision {decision}");
        let Some(open) = self.decisions().iter().find(|open| open.id == decision && open.seat == seat) else {
            return Err(Divergence::new(expected(), self.waiting()));
        };
        if open.forced {
            return self.apply_forced(decision, key).map_err(|found| Divergence::new(expected(), found));
        }
        self.answer_key(decision, key).map_err(|error| Divergence::new(expected(), error.to_string()))
    }

    /// The only answer there is, if it is called so.
    fn apply_forced(&mut self, decision: DecisionId, key: &str) -> Result<Step, String> {
        let answer = self.session.forced_answer(decision).ok_or("it has no answer")?;
        match self.session.choice_key(decision, &answer) {
            Some(own) if own == key => {
                self.answer(decision, answer).map_err(|problem| format!("play fails: {}", problem.message))
            }
            own => Err(format!("the only answer is `{}`", own.unwrap_or_default())),
        }
    }

    fn apply_thrown(&mut self, random: u64, result: &[i64]) -> Result<Step, Divergence> {
        let expected = || format!("the results {result:?} are given to throw {random}");
        let asked = matches!(self.session.pending(), Pending::Random(request) if request.id == random);
        if !asked {
            return Err(Divergence::new(expected(), self.waiting()));
        }
        self.supply(result).map_err(|problem| Divergence::new(expected(), problem.message.to_string()))
    }

    /// What the session waits for, in words.
    pub(super) fn waiting(&self) -> String {
        match self.session.pending() {
            Pending::Finished(_) => "play is over".to_string(),
            Pending::Random(request) => format!("throw {} is waited for: {}", request.id, request.reason),
            Pending::Decisions(open) => {
                let asked: Vec<String> = open.iter().map(|d| format!("decision {} is put to seat {}", d.id, d.seat)).collect();
                ludex_syntax::problem::joined(&asked, "and")
            }
        }
    }

    /// Whether anything since the entry at `index` was chance, became known, or was answered by another seat.
    fn tells_more(&self, index: usize) -> bool {
        let later = (index + 1..self.entries.len()).filter(|&later| self.history.is_known(later) && !self.is_held(later));
        let mut answers = later.filter(|&later| !self.entries.is_take_back(later));
        let has_drawn = || self.history.before(&self.entries, index).is_some_and(|before| self.session.has_drawn_since(&before));
        answers.next().is_some() || self.session.program().hides || has_drawn()
    }

    fn is_held(&self, index: usize) -> bool {
        self.held.iter().any(|held| held.index == index)
    }

    /// Picks that nobody else will ever know of.
    fn drop_picks(&mut self) {
        self.held.drain(..).rev().for_each(|held| self.history.skip(held.index));
    }

    /// Tells what happened, unless others of the group have still to pick.
    fn commit(&mut self, entry: Entry) -> Step {
        let held = |open: &Decision| self.held.iter().any(|held| held.group.is_some() && held.group == open.group);
        if self.decisions().iter().any(held) {
            return Step { entry: Some(entry), events: Vec::new() };
        }
        self.settled += self.held.len();
        self.held.clear();
        self.step(Some(entry))
    }

    fn write(&mut self, entry: Entry) -> Step {
        self.history.go_on();
        self.entries.push(&entry);
        self.settled += 1;
        self.step(Some(entry))
    }

    fn step(&mut self, entry: Option<Entry>) -> Step {
        let events = self.session.take_events();
        for event in &events {
            self.digest.add(event);
        }
        Step { entry, events }
    }
}

impl Entry {
    /// The seat whose answer, take-back, withdrawal or resignation it is.
    pub(crate) fn seat(&self) -> Option<usize> {
        match self {
            Entry::Answer { seat, .. } | Entry::Resigned { resign: seat } | Entry::Withdrawn { withdraw: seat } => Some(*seat),
            Entry::TakenBack { undo } => Some(undo.seat),
            Entry::Thrown { .. } => None,
        }
    }
}

impl fmt::Display for AnswerError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerError::Refused(refusal) => write!(formatter, "the answer is refused: {}", refusal.reason),
            AnswerError::Fault(problem) => write!(formatter, "play fails: {}", problem.message),
        }
    }
}
