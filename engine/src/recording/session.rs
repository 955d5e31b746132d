//! A session that is recorded as it is played, and whose moves can be taken back.
//!
//! A decision is *forced* if it has only one answer and its seat must not notice; it is answered without being asked, and
//! recorded all the same. A *pick* is an answer to a question that several seats are asked at once, its *group*: its events are
//! *held* until all of them have answered. A *settled* entry is public. The command's `game`, the host and `replay` play through
//! this.

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

/// The return of a seat to the state before one of its answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeBack {
    /// The seat that goes back.
    pub seat: usize,
    /// The number of the answer's entry, from 1: play returns to the state before it.
    pub to: usize,
    /// The new seed of chance, if there was a draw or new information since that answer. `None` if there was neither, so going
    /// back affects no other seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// Also deals again what no human player sees. Older recordings did not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redeals: bool,
}

/// The result of one entry.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// The entry to write before anything else is asked or shown.
    pub entry: Option<Entry>,
    /// The events; empty while others are still picking in secret.
    pub events: Vec<Event>,
}

/// The reason why an answer by key was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerError {
    /// It is not legal now.
    Refused(Refusal),
    /// It is legal, but the rules or an ability failed while carrying it out.
    Fault(Box<Problem>),
}

/// A pick that stays secret until the others of its group have answered.
#[derive(Clone, Debug)]
struct SecretPick {
    /// The session before the pick, to return to if it is withdrawn.
    before: Session,
    group: Option<u64>,
    seat: usize,
    /// The index of its entry.
    index: usize,
}

/// A session with all of its answers.
#[derive(Clone, Debug)]
pub struct RecordedSession {
    header: Header,
    /// The position that play began from, as it was read.
    position: Option<Position>,
    session: Session,
    entries: Entries,
    /// The states that play can return to.
    pub(super) history: History,
    /// The picks that are still secret, in order.
    held: Vec<SecretPick>,
    /// The indexes of passes that hide whether there was a choice. Seats cannot go back to them.
    passes: Vec<usize>,
    /// A forced decision that was reached by a take-back: it is asked anyway.
    asked_again: Option<DecisionId>,
    /// The number of entries that are public. Picks that are held or were never shown do not count.
    settled: usize,
    /// The digest of all events so far, and of take-backs.
    digest: Digest,
}

impl RecordedSession {
    /// Starts play. The step has the events up to the first question. The recording uses the current format, even if `header`
    /// names another. Fails if play cannot start, or if a forced answer fails.
    pub fn start(program: Arc<Program>, setup: &Setup, header: Header) -> Result<(RecordedSession, Step), Problem> {
        let header = Header { format: FORMAT, ..header };
        let options = SessionOptions { stops_at_forced: true, renumbers: header.renumbers, ..SessionOptions::default() };
        let session = Session::start_with(program, setup, options)?;
        let (history, digest) = (History::new(&session, header.human_seats()), Digest::default());
        let (entries, held, passes) = (Entries::default(), Vec::new(), Vec::new());
        let (asked_again, settled, position) = (None, 0, setup.position.clone());
        let mut recorded =
            RecordedSession { header, position, session, entries, history, held, passes, asked_again, settled, digest };
        recorded.try_forced().map_err(|problem| *problem)?;
        let step = recorded.make_step(None);
        Ok((recorded, step))
    }

    /// The session after its first `entries` entries. It replays everything up to there, so that answers need no copies for the
    /// rare ones that fail.
    pub fn rewind_to(&self, entries: usize) -> Result<RecordedSession, Divergence> {
        let setup = self.header.session_setup(self.position.clone());
        let (mut recorded, _) = RecordedSession::start(self.session.program().clone(), &setup, self.header.clone())
            .map_err(|problem| Divergence::new("play starts as it did", problem.message.to_string()))?;
        for entry in self.entries.iter().take(entries) {
            recorded.apply_entry(&entry)?;
        }
        Ok(recorded)
    }

    /// The session alone, to play on without recording.
    pub fn into_session(self) -> Session {
        self.session
    }

    /// The first line, in the current format.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The current session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// All entries so far, including secret picks.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    /// The entries that led to the current state, in order, without what was taken back and without picks that are still secret.
    pub(super) fn entries_in_force(&self) -> Vec<Entry> {
        let mut places: Vec<usize> = self.history.path_backwards().filter(|place| !self.is_held(*place)).collect();
        places.reverse();
        places.into_iter().filter_map(|place| self.entries.get(place)).collect()
    }

    /// The number of entries that are public.
    pub fn public_entry_count(&self) -> usize {
        self.settled
    }

    /// The open decisions, including forced ones.
    pub fn open_decisions(&self) -> &[Decision] {
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

    /// The whole recording so far, to save elsewhere.
    pub fn recording_text(&self) -> String {
        let mut chain = Chain::default();
        self.unsealed_lines().map(|line| chain.seal_line(&line)).collect()
    }

    /// The lines, without their checksums.
    pub fn unsealed_lines(&self) -> impl Iterator<Item = String> {
        let entries = self.entries.iter().map(|entry| entry.to_line());
        std::iter::once(self.header.to_line()).chain(entries).chain(self.ending().map(|ending| ending.to_line()))
    }

    /// Answers an open decision. The step has no events while others of its group still pick. If the rules or an ability fail,
    /// the session is unchanged.
    pub fn answer_decision(&mut self, decision: DecisionId, choice: Choice) -> Result<Step, Box<Problem>> {
        let open = self.open_decisions().iter().find(|open| open.id == decision);
        let named = open.zip(self.session.choice_key(decision, &choice));
        let Some((&Decision { seat, group, veiled, .. }, key)) = named else {
            let message = format!("this is not an answer to decision {decision}");
            return Err(Box::new(Problem::error(codes::ILLEGAL_CHOICE, message)));
        };
        if self.held.is_empty() {
            self.history.keep_session(&self.session);
        }
        let before = self.session.clone();
        self.session.choose(decision, choice)?;
        if let Err(problem) = self.try_forced() {
            self.session = before;
            return Err(problem);
        }
        self.held.push(SecretPick { before, group, seat, index: self.entries.len() });
        if veiled && key == PASS {
            self.passes.push(self.entries.len());
        }
        self.asked_again = None;
        self.history.add_on_path();
        let entry = Entry::Answer { decision, seat, key };
        self.entries.push(&entry);
        Ok(self.release_answer(entry))
    }

    /// The first open decision that has only one answer and is not asked, if any.
    pub(crate) fn forced_decision(&self) -> Option<&Decision> {
        self.open_decisions().iter().find(|open| open.forced && self.asked_again != Some(open.id))
    }

    /// Answers a forced decision that is not asked; `None` if all open decisions are asked.
    pub fn answer_forced(&mut self) -> Option<Result<Step, Box<Problem>>> {
        let decision = self.forced_decision()?.id;
        let answer = self.session.forced_answer(decision)?;
        Some(self.answer_decision(decision, answer))
    }

    /// Tries on a copy the forced answers that follow. They belong to the answer that led to them, so that this fails if one of
    /// them does.
    fn try_forced(&self) -> Result<(), Box<Problem>> {
        if self.forced_decision().is_none() {
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
        let choice = self.session.find_choice(decision, key).map_err(AnswerError::Refused)?;
        self.answer_decision(decision, choice).map_err(AnswerError::Fault)
    }

    /// Supplies requested results of chance, one for each draw. If the rules or an ability fail, the session is unchanged.
    pub fn supply(&mut self, result: &[i64]) -> Result<Step, Box<Problem>> {
        let random = match self.session.pending() {
            Pending::Random(request) => request.id,
            _ => 0,
        };
        self.history.keep_session(&self.session);
        let before = self.session.clone();
        self.session.supply(result)?;
        if let Err(problem) = self.try_forced() {
            self.session = before;
            return Err(problem);
        }
        Ok(self.write_entry(Entry::Thrown { random, result: result.to_vec() }))
    }

    /// Lets a seat resign. Secret picks are dropped.
    pub fn resign(&mut self, seat: usize) -> Step {
        self.drop_picks();
        self.asked_again = None;
        self.session.resign(seat);
        self.write_entry(Entry::Resigned { resign: seat })
    }

    /// The seats with picks that are still secret, in order, with the indexes of their entries.
    pub fn secret_picks(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> {
        self.held.iter().map(|held| (held.seat, held.index))
    }

    /// Withdraws a secret pick of a seat; `None` if it has none. Other secret picks stay.
    pub fn withdraw_pick(&mut self, seat: usize) -> Option<Step> {
        let place = self.held.iter().position(|held| held.seat == seat)?;
        let mut later = self.held.split_off(place).into_iter();
        let withdrawn = later.next()?;
        self.session = withdrawn.before;
        self.history.remove_from_path(withdrawn.index);
        for held in later {
            let before = self.session.clone();
            if let Some(Entry::Answer { decision, key, .. }) = self.entries.get(held.index) {
                // It was legal a moment ago, and picks of a group do not depend on each other.
                let _ = self.session.choose(decision, Choice::Key(key));
            }
            self.held.push(SecretPick { before, ..held });
        }
        let entry = Entry::Withdrawn { withdraw: seat };
        self.history.add_off_path();
        self.entries.push(&entry);
        Some(Step { entry: Some(entry), events: Vec::new() })
    }

    /// The take-back of the seat's last answer, for [`RecordedSession::carry_out_take_back`]; `None` if it has not answered yet.
    pub fn possible_take_back(&self, seat: usize) -> Option<TakeBack> {
        let answered = |index: &usize| self.entries.answered_decision(*index).is_some_and(|(by, _)| by == seat);
        let leads_back = |index: &usize| !self.is_held(*index) && self.passes.binary_search(index).is_err();
        let index = self.history.path_backwards().filter(leads_back).find(answered)?;
        // Only public entries count, so that secret picks do not influence the seed.
        let seed = self.reveals_more(index).then(|| fresh_seed(self.header.seed, self.settled + 1));
        let index = if seed.is_some() { self.first_of_group(index) } else { index };
        // With only bots at the table, a new deal is unnecessary: they learn nothing from the old one.
        let redeals = seed.is_some() && self.session.program().hides && !self.header.human_seats().is_empty();
        Some(TakeBack { seat, to: index + 1, seed, redeals })
    }

    /// The index of the first answer of the secret group to which the answer at `index` belongs, or `index` itself. A seat cannot
    /// go back to a single answer of such a group, because the answers of the others are known by now.
    fn first_of_group(&self, index: usize) -> usize {
        let group = |index: usize| {
            let (_, decision) = self.entries.answered_decision(index)?;
            let before = self.history.session_before(&self.entries, index)?;
            let Pending::Decisions(open) = before.pending() else { return None };
            open.iter().find(|open| open.id == decision && open.secret)?.group
        };
        let Some(own) = group(index) else { return index };
        let earlier = self.history.path_backwards().skip_while(|place| *place != index);
        earlier.take_while(|place| group(*place) == Some(own)).last().unwrap_or(index)
    }

    /// Carries out a take-back, see [`RecordedSession::possible_take_back`]; `None` if there is no such answer, or if it was already taken
    /// back with the answer that led to it. Other seats must make their secret picks again.
    pub fn carry_out_take_back(&mut self, undo: TakeBack) -> Option<Step> {
        let index = undo.to.checked_sub(1)?;
        let (_, decision) = self.entries.answered_decision(index)?;
        if self.is_held(index) || !self.history.is_in_force(index) {
            return None;
        }
        self.drop_picks();
        self.session = self.history.back_to(&self.entries, index, undo.seed.is_some())?;
        self.asked_again = Some(decision);
        let entry = Entry::TakenBack { undo };
        self.history.renew_chance(&mut self.session, undo);
        self.digest.add_line(entry.to_line().trim_end());
        self.settled += 1;
        self.entries.push(&entry);
        Some(self.make_step(Some(entry)))
    }

    /// Carries out an entry of a recording.
    pub(crate) fn apply_entry(&mut self, entry: &Entry) -> Result<Step, Divergence> {
        match entry {
            Entry::Answer { decision, seat, key } => self.apply_answer(*decision, *seat, key),
            Entry::Thrown { random, result } => self.apply_thrown(*random, result),
            Entry::TakenBack { undo } => self.carry_out_take_back(*undo).ok_or_else(|| self.missing_answer_divergence(undo.to)),
            Entry::Resigned { resign } if matches!(self.session.pending(), Pending::Finished(_)) => {
                Err(Divergence::new(format!("seat {resign} gives up"), self.waiting_text()))
            }
            Entry::Resigned { resign } => Ok(self.resign(*resign)),
            Entry::Withdrawn { withdraw } => self
                .withdraw_pick(*withdraw)
                .ok_or_else(|| Divergence::new(format!("seat {withdraw} withdraws its pick"), "it has no secret pick")),
        }
    }

    /// The divergence if the answer in the entry with the number `to` cannot be taken back.
    fn missing_answer_divergence(&self, to: usize) -> Divergence {
        Divergence::new(format!("the answer in entry {to} is taken back"), "it was taken back before")
    }

    /// Carries out a recorded answer. A divergence if its decision is not open for the seat, or if the key is not accepted.
    fn apply_answer(&mut self, decision: DecisionId, seat: usize, key: &str) -> Result<Step, Divergence> {
        let expected = || format!("seat {seat} answers `{key}` to decision {decision}");
        let Some(open) = self.open_decisions().iter().find(|open| open.id == decision && open.seat == seat) else {
            return Err(Divergence::new(expected(), self.waiting_text()));
        };
        if open.forced {
            return self.apply_forced(decision, key).map_err(|found| Divergence::new(expected(), found));
        }
        self.answer_key(decision, key).map_err(|error| Divergence::new(expected(), error.to_string()))
    }

    /// Gives the forced answer, if it has this key.
    fn apply_forced(&mut self, decision: DecisionId, key: &str) -> Result<Step, String> {
        let answer = self.session.forced_answer(decision).ok_or("it has no answer")?;
        match self.session.choice_key(decision, &answer) {
            Some(own) if own == key => {
                self.answer_decision(decision, answer).map_err(|problem| format!("play fails: {}", problem.message))
            }
            own => Err(format!("the only answer is `{}`", own.unwrap_or_default())),
        }
    }

    /// Supplies recorded results. A divergence if play does not wait for the throw with this number.
    fn apply_thrown(&mut self, random: u64, result: &[i64]) -> Result<Step, Divergence> {
        let expected = || format!("throw {random} gets the results {result:?}");
        let asked = matches!(self.session.pending(), Pending::Random(request) if request.id == random);
        if !asked {
            return Err(Divergence::new(expected(), self.waiting_text()));
        }
        self.supply(result).map_err(|problem| Divergence::new(expected(), problem.message.to_string()))
    }

    /// A description of what the session waits for.
    pub(super) fn waiting_text(&self) -> String {
        match self.session.pending() {
            Pending::Finished(_) => "play is over".to_string(),
            Pending::Random(request) => format!("play waits for throw {}: {}", request.id, request.reason),
            Pending::Decisions(open) => {
                let asked: Vec<String> = open.iter().map(|d| format!("decision {} is open for seat {}", d.id, d.seat)).collect();
                ludex_syntax::problem::join_words(&asked, "and")
            }
        }
    }

    /// Whether the entries since the one at `index` involve chance, new information or an answer of another seat. Every game with
    /// hidden information counts as if they did.
    fn reveals_more(&self, index: usize) -> bool {
        let later = (index + 1..self.entries.len()).filter(|&later| self.history.is_known(later) && !self.is_held(later));
        let mut answers = later.filter(|&later| !self.entries.is_take_back(later));
        let has_drawn =
            || self.history.session_before(&self.entries, index).is_some_and(|before| self.session.has_drawn_since(&before));
        answers.next().is_some() || self.session.program().hides || has_drawn()
    }

    /// Whether the entry at an index is a secret pick.
    fn is_held(&self, index: usize) -> bool {
        self.held.iter().any(|held| held.index == index)
    }

    /// Drops secret picks, which will never be shown.
    fn drop_picks(&mut self) {
        self.held.drain(..).rev().for_each(|held| self.history.remove_from_path(held.index));
    }

    /// Releases the events of the answer in `entry`, unless others of its group still have to pick.
    fn release_answer(&mut self, entry: Entry) -> Step {
        let held = |open: &Decision| self.held.iter().any(|held| held.group.is_some() && held.group == open.group);
        if self.open_decisions().iter().any(held) {
            return Step { entry: Some(entry), events: Vec::new() };
        }
        self.settled += self.held.len();
        self.held.clear();
        self.make_step(Some(entry))
    }

    /// Adds an entry that is public at once.
    fn write_entry(&mut self, entry: Entry) -> Step {
        self.history.add_on_path();
        self.entries.push(&entry);
        self.settled += 1;
        self.make_step(Some(entry))
    }

    /// Takes the events from the session into the digest and into a step.
    fn make_step(&mut self, entry: Option<Entry>) -> Step {
        let events = self.session.take_events();
        for event in &events {
            self.digest.add_event(event);
        }
        Step { entry, events }
    }
}

impl Entry {
    /// The seat whose answer, take-back, withdrawal or resignation it is.
    pub(crate) fn acting_seat(&self) -> Option<usize> {
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
