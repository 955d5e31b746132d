//! A session that is written down as it is played, and can be taken back.

use super::digest::{Digest, fresh_seed};
use super::ending::Ending;
use super::{Divergence, Entry, Header};
use crate::codes;
use crate::problem::Problem;
use crate::program::{Program, Seen};
use crate::runtime::{Choice, Decision, DecisionId, Event, Pending, Refusal, Session, Setup};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A seat goes back to where it gave an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeBack {
    pub seat: usize,
    /// The number of the answer's entry, from 1: play stands where it stood before it.
    pub to: usize,
    /// What chance draws from afterwards, if anything was drawn or told since that answer. None: nothing was, and
    /// going back is nobody else's business.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// What one entry led to.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// What is to be written down before anything else is asked. Nothing while others still pick in secret; then
    /// all picks of the group at once.
    pub entries: Vec<Entry>,
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

/// An answer that is not written down yet.
#[derive(Clone, Debug)]
struct Held {
    before: Session,
    group: Option<u64>,
    entry: Entry,
}

/// A session with all that was answered in it.
#[derive(Clone, Debug)]
pub struct RecordedSession {
    header: Header,
    session: Session,
    entries: Vec<Entry>,
    /// For each entry the session as it was before it.
    before: Vec<Session>,
    /// Picks that are secret until the others of their group have answered.
    held: Vec<Held>,
    digest: Digest,
}

impl RecordedSession {
    /// Starts play; the step holds the events up to the first question.
    pub fn start(program: Arc<Program>, setup: &Setup, header: Header) -> Result<(RecordedSession, Step), Problem> {
        let session = Session::start(program, setup)?;
        let (entries, before, held) = (Vec::new(), Vec::new(), Vec::new());
        let mut recorded = RecordedSession { header, session, entries, before, held, digest: Digest::default() };
        let step = recorded.step(Vec::new());
        Ok((recorded, step))
    }

    pub fn into_session(self) -> Session {
        self.session
    }

    pub fn header(&self) -> &Header {
        &self.header
    }

    pub fn session(&self) -> &Session {
        &self.session
    }

    /// All that is written down so far.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

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
        let entries = self.entries.iter().map(Entry::to_line);
        let ending = self.ending().map(|ending| ending.to_line());
        std::iter::once(self.header.to_line()).chain(entries).chain(ending).collect()
    }

    /// Answers a decision.
    pub fn answer(&mut self, decision: DecisionId, choice: Choice) -> Result<Step, Box<Problem>> {
        let open = self.decisions().iter().find(|open| open.id == decision);
        let named = open.zip(self.session.choice_key(decision, &choice));
        let Some((&Decision { seat, group, .. }, key)) = named else {
            return Err(Box::new(Problem::error(codes::ILLEGAL_CHOICE, format!("decision {decision} has no such answer"))));
        };
        let before = self.session.clone();
        self.session.choose(decision, choice)?;
        self.held.push(Held { before, group, entry: Entry::Answer { decision, seat, key } });
        Ok(self.commit())
    }

    /// Answers a decision by key.
    pub fn answer_key(&mut self, decision: DecisionId, key: &str) -> Result<Step, AnswerError> {
        let choice = self.session.find(decision, key).map_err(AnswerError::Refused)?;
        self.answer(decision, choice).map_err(AnswerError::Fault)
    }

    /// Gives results of chance that were asked for. If the rules or an ability fail over them, nothing has changed.
    pub fn supply(&mut self, result: &[i64]) -> Result<Step, Box<Problem>> {
        let random = match self.session.pending() {
            Pending::Random(request) => request.id,
            _ => 0,
        };
        let before = self.session.clone();
        if let Err(problem) = self.session.supply(result) {
            self.session = before;
            return Err(problem);
        }
        Ok(self.write(before, Entry::Thrown { random, result: result.to_vec() }))
    }

    /// A seat gives up.
    pub fn resign(&mut self, seat: usize) -> Step {
        let before = self.session.clone();
        self.held.clear();
        self.session.resign(seat);
        self.write(before, Entry::Resigned { resign: seat })
    }

    /// Takes back a pick that the others do not know of yet; tells whether there was one.
    pub fn withdraw(&mut self, seat: usize) -> bool {
        let own = |held: &Held| held.entry.seat() == Some(seat);
        let Some(index) = self.held.iter().position(own) else {
            return false;
        };
        let mut later = self.held.split_off(index).into_iter();
        if let Some(withdrawn) = later.next() {
            self.session = withdrawn.before;
        }
        for held in later {
            if let Entry::Answer { decision, key, .. } = &held.entry {
                // It was legal a moment ago, and picks of one group do not depend on each other.
                let _ = self.answer_key(*decision, key);
            }
        }
        true
    }

    /// What taking back the seat's last answer would be; none if it has not answered yet.
    pub fn take_back(&self, seat: usize) -> Option<TakeBack> {
        let mut index = self.entries.len();
        loop {
            index = self.entries[..index].iter().rposition(|entry| entry.leads_back(seat))?;
            match &self.entries[index] {
                Entry::TakenBack { undo } => index = undo.to - 1,
                _ => break,
            }
        }
        let seed = self.tells_more(index).then(|| fresh_seed(self.header.seed, self.entries.len() + 1));
        Some(TakeBack { seat, to: index + 1, seed })
    }

    /// Goes back as [`RecordedSession::take_back`] says. Picks that others hold in secret are theirs to make again.
    pub fn undo(&mut self, undo: TakeBack) -> Step {
        let Some(earlier) = undo.to.checked_sub(1).and_then(|index| self.before.get(index)).cloned() else {
            return Step::default();
        };
        let before = std::mem::replace(&mut self.session, earlier);
        self.held.clear();
        if let Some(seed) = undo.seed {
            self.session.reseed(seed);
        }
        let entry = Entry::TakenBack { undo };
        self.digest.add_line(entry.to_line().trim_end());
        self.write(before, entry)
    }

    /// Does what an entry of a recording says.
    pub fn apply(&mut self, entry: &Entry) -> Result<Step, Divergence> {
        match entry {
            Entry::Answer { decision, seat, key } => self.apply_answer(*decision, *seat, key),
            Entry::Thrown { random, result } => self.apply_thrown(*random, result),
            Entry::TakenBack { undo } => Ok(self.undo(*undo)),
            Entry::Resigned { resign } => Ok(self.resign(*resign)),
        }
    }

    fn apply_answer(&mut self, decision: DecisionId, seat: usize, key: &str) -> Result<Step, Divergence> {
        let expected = || format!("seat {seat} answers `{key}` to decision {decision}");
        let open = self.decisions().iter().any(|open| open.id == decision && open.seat == seat);
        if !open {
            return Err(Divergence::new(expected(), self.waiting()));
        }
        self.answer_key(decision, key).map_err(|error| Divergence::new(expected(), error.to_string()))
    }

    fn apply_thrown(&mut self, random: u64, result: &[i64]) -> Result<Step, Divergence> {
        let expected = || format!("the results {result:?} are given to throw {random}");
        let asked = matches!(self.session.pending(), Pending::Random(request) if request.id == random);
        if !asked {
            return Err(Divergence::new(expected(), self.waiting()));
        }
        self.supply(result).map_err(|problem| Divergence::new(expected(), problem.message))
    }

    /// What the session waits for, in words.
    pub(super) fn waiting(&self) -> String {
        match self.session.pending() {
            Pending::Finished(_) => "play is over".to_string(),
            Pending::Random(request) => format!("throw {} is waited for: {}", request.id, request.reason),
            Pending::Decisions(open) => {
                let asked: Vec<String> = open.iter().map(|d| format!("decision {} is put to seat {}", d.id, d.seat)).collect();
                crate::problem::joined(&asked, "and")
            }
        }
    }

    /// Whether anything since the entry at `index` was chance, became known, or was answered by another seat.
    fn tells_more(&self, index: usize) -> bool {
        let alone = self.entries[index + 1..].iter().all(|entry| matches!(entry, Entry::TakenBack { .. }));
        let mut zones = self.session.program().kinds.iter().flat_map(|kind| &kind.zones);
        let secrets = zones.any(|zone| zone.seen != Seen::All);
        let drawn = self.before.get(index).is_some_and(|before| self.session.has_drawn_since(before));
        !alone || secrets || drawn
    }

    /// Writes down the picks that were held, unless others of their group have still to pick.
    fn commit(&mut self) -> Step {
        let held = |open: &Decision| self.held.iter().any(|held| held.group.is_some() && held.group == open.group);
        if self.decisions().iter().any(held) {
            return Step::default();
        }
        let (before, entries): (Vec<Session>, Vec<Entry>) =
            std::mem::take(&mut self.held).into_iter().map(|held| (held.before, held.entry)).unzip();
        self.before.extend(before);
        self.entries.extend_from_slice(&entries);
        self.step(entries)
    }

    fn write(&mut self, before: Session, entry: Entry) -> Step {
        self.before.push(before);
        self.entries.push(entry.clone());
        self.step(vec![entry])
    }

    fn step(&mut self, entries: Vec<Entry>) -> Step {
        let events = self.session.take_events();
        for event in &events {
            self.digest.add(event);
        }
        Step { entries, events }
    }
}

impl Entry {
    /// The seat whose answer, take-back or resignation it is.
    pub fn seat(&self) -> Option<usize> {
        match self {
            Entry::Answer { seat, .. } | Entry::Resigned { resign: seat } => Some(*seat),
            Entry::TakenBack { undo } => Some(undo.seat),
            Entry::Thrown { .. } => None,
        }
    }

    /// Whether going back from later entries has to look at this one: an answer of the seat, or a way back of anybody.
    fn leads_back(&self, seat: usize) -> bool {
        match self {
            Entry::Answer { seat: by, .. } => *by == seat,
            Entry::TakenBack { .. } => true,
            Entry::Thrown { .. } | Entry::Resigned { .. } => false,
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
