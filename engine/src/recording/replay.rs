//! Replays a recording, and reports where play differs from it.
//!
//! A *forced* decision has only one answer and is not shown to its seat. Files of the first format, and those of simulations,
//! lack the answers to forced decisions, so the replay gives them itself. Then entries and decisions have other numbers in the
//! file than in the session, and [`Places`] and `ahead` convert them. A *share* is a text that a player contributes to the seed.

use crate::recording::session::{RecordedSession, TakeBack};
use crate::recording::{Ending, Entry, FIRST_FORMAT, Header, Recording, Step};
use crate::runtime::Session;
use ludex_compiler::position::Position;
use ludex_program::{Parent, Program};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, join_words};
use std::collections::BTreeSet;
use std::fmt;
use std::iter::Peekable;
use std::sync::Arc;

/// The first place at which play differs from the recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The number of the entry, from 1; `None` at the start of play.
    pub entry: Option<usize>,
    /// The fact in the recording, as a clause after "expected that".
    pub expected: String,
    /// The actual fact, as a clause.
    pub found: String,
}

/// A replay of a recording, entry by entry.
pub struct Replay<E: Iterator<Item = Entry>> {
    format: u32,
    entries: Peekable<E>,
    /// The session in which the entries are played.
    recorded: RecordedSession,
    /// Number of entries played.
    played: usize,
    /// The places of the entries in the session.
    places: Places,
    /// The difference between current decision numbers and those of a file of the first format, which does not number forced
    /// decisions.
    ahead: i64,
}

/// Replays a whole recording and compares its end, if it has one. `position` is the parsed position that play starts from, if the
/// header has the text of one.
pub fn replay_recording(recording: &Recording, program: Arc<Program>, position: Option<Position>) -> Result<Session, Divergence> {
    let (mut replay, _) = Replay::start(&recording.header, recording.entries.iter().cloned(), program, position)?;
    while replay.play_next()?.is_some() {}
    Ok(replay.check_ending(recording.ending.as_ref())?.into_session())
}

impl<E: Iterator<Item = Entry>> Replay<E> {
    /// Starts play as the header says; no entry is played yet. `position` is the parsed position that play starts from, if the
    /// header has the text of one. The step has the events up to the first question. A divergence if the players' shares do not
    /// combine to the recorded seed, or if play cannot start so.
    pub fn start(
        header: &Header,
        entries: E,
        program: Arc<Program>,
        position: Option<Position>,
    ) -> Result<(Replay<E>, Step), Divergence> {
        if let Some(shares) = &header.shares
            && shares.combined_seed() != header.seed
        {
            let found = format!("they make {}", shares.combined_seed());
            return Err(Divergence::new(format!("all shares make the seed {}", header.seed), found));
        }
        let (recorded, step) = RecordedSession::start(program, &header.session_setup(position), header.clone())
            .map_err(|problem| Divergence::new("play starts as the first line says", problem.message.to_string()))?;
        let (format, entries, places) = (header.format, entries.peekable(), Places::default());
        Ok((Replay { format, entries, recorded, played: 0, places, ahead: 0 }, step))
    }

    /// Plays the next entry; `None` after the last one. Forced answers that the file lacks are given automatically, before the
    /// next entry and after the last; such a step comes without an entry of the file.
    pub fn play_next(&mut self) -> Result<Option<(Option<Entry>, Step)>, Divergence> {
        if let Some(step) = self.give_forced_answer()? {
            return Ok(Some((None, step)));
        }
        let Some(entry) = self.entries.next() else { return Ok(None) };
        let own = self.with_current_numbers(&entry);
        self.places.add_shift(self.played, self.recorded.entries().len());
        self.played += 1;
        let step = self.recorded.apply_entry(&own).map_err(|divergence| divergence.in_entry(self.played))?;
        Ok(Some((Some(entry), step)))
    }

    /// Answers a forced decision, unless the next entry answers it.
    fn give_forced_answer(&mut self) -> Result<Option<Step>, Divergence> {
        let Some(forced) = self.recorded.forced_decision() else { return Ok(None) };
        let (id, seat) = (forced.id, forced.seat);
        let is_own = |entry: &Entry| matches!(entry, Entry::Answer { decision, seat: by, .. } if (*decision, *by) == (id, seat));
        if !self.is_of_first_format() && self.entries.peek().is_some_and(is_own) {
            return Ok(None);
        }
        let expected = || format!("decision {id} has one answer");
        let step = self.recorded.answer_forced().transpose();
        step.map_err(|problem| Divergence::new(expected(), problem.message.to_string()).in_entry(self.played + 1))
    }

    /// Converts an entry of the file to the numbers of the session.
    fn with_current_numbers(&mut self, entry: &Entry) -> Entry {
        match entry {
            Entry::Answer { decision, seat, key } if self.is_of_first_format() => {
                let own: Vec<u64> =
                    self.recorded.open_decisions().iter().filter(|open| open.seat == *seat).map(|open| open.id).collect();
                let expected = decision.saturating_add_signed(self.ahead);
                let found = own.iter().find(|id| **id == expected).or(own.first()).copied().unwrap_or(*decision);
                self.ahead = found.wrapping_sub(*decision).cast_signed();
                let decision = found;
                Entry::Answer { decision, seat: *seat, key: key.clone() }
            }
            Entry::TakenBack { undo } => {
                let to = undo.to.checked_sub(1).map_or(0, |entry| self.places.session_index(entry) + 1);
                Entry::TakenBack { undo: TakeBack { to, ..*undo } }
            }
            other => other.clone(),
        }
    }

    /// Whether the recording has the first format.
    fn is_of_first_format(&self) -> bool {
        self.format == FIRST_FORMAT
    }

    /// Compares the end of play with the recorded one, if there is one. Returns the session with its whole history, ready to
    /// continue where the recording stops.
    pub fn check_ending(self, expected: Option<&Ending>) -> Result<RecordedSession, Divergence> {
        let Some(expected) = expected else {
            return Ok(self.recorded);
        };
        let Some(found) = self.recorded.ending() else {
            return Err(Divergence::new("play is over", self.recorded.waiting_text()).in_entry(self.played));
        };
        if !found.outcome.agrees_with(&expected.outcome) {
            return Err(Divergence::new(expected.outcome.to_string(), found.outcome.to_string()));
        }
        // The first format lacks forced answers, and so has fewer events.
        let is_shorter = self.is_of_first_format() && self.recorded.entries().len() > self.played;
        if (expected.events, &expected.digest) != (found.events, &found.digest) && !is_shorter {
            let sum = |ending: &Ending| format!("{} events with the digest {}", ending.events, ending.digest);
            return Err(Divergence::new(sum(expected), sum(&found)));
        }
        Ok(self.recorded)
    }

    /// Number of entries of the recording that were played.
    pub fn played_count(&self) -> usize {
        self.played
    }

    /// The session so far.
    pub fn recorded_session(&self) -> &RecordedSession {
        &self.recorded
    }
}

/// Maps indexes of entries in a file to those in the session, which adds forced answers of its own. Each shift applies from some
/// entry on.
#[derive(Debug, Default)]
struct Places {
    shifts: Vec<(usize, usize)>,
}

impl Places {
    /// Notes that the entry at index `entry` of the file is at index `place` of the session.
    fn add_shift(&mut self, entry: usize, place: usize) {
        let shift = place.saturating_sub(entry);
        if self.shifts.last().map_or(0, |(_, shift)| *shift) != shift {
            self.shifts.push((entry, shift));
        }
    }

    /// The index in the session of the entry at an index of the file.
    fn session_index(&self, entry: usize) -> usize {
        let later = self.shifts.partition_point(|(from, _)| *from <= entry);
        entry + later.checked_sub(1).map_or(0, |place| self.shifts[place].1)
    }
}

impl From<Divergence> for Problem {
    fn from(divergence: Divergence) -> Problem {
        Problem::error(codes::RECORDING_DIVERGED, divergence.to_string())
    }
}

impl Divergence {
    /// A divergence at the start of play. Both texts are clauses.
    pub(super) fn new(expected: impl Into<String>, found: impl Into<String>) -> Divergence {
        Divergence { entry: None, expected: expected.into(), found: found.into() }
    }

    /// The same divergence, in the entry with a number from 1.
    fn in_entry(self, entry: usize) -> Divergence {
        Divergence { entry: Some(entry), ..self }
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.entry {
            Some(entry) => write!(formatter, "play differs from the recording at entry {entry}")?,
            None => write!(formatter, "play differs from the recording")?,
        }
        write!(formatter, "; expected: {}; found: {}", self.expected, self.found)
    }
}

/// A warning that a recording was made with other files, and how they differ; `None` if they are the same.
pub fn package_warning(header: &Header, program: &Program) -> Option<Problem> {
    if header.package_hash == program.hash {
        return None;
    }
    let mut differences: Vec<String> = other_parents(header, program).into_iter().collect();
    differences.extend(changed_files(header, program));
    if header.generator != header.seed.generator_name() {
        differences.push(format!("its dice came from the generator `{}`", header.generator));
    }
    let message = "the game has changed since this was recorded; play goes on for as long as every answer is possible";
    let problem = Problem::warning(codes::RECORDING_PACKAGE, message);
    Some(match differences.is_empty() {
        true => problem,
        false => problem.help(differences.join("; ")),
    })
}

/// The packages that the game extended when it was recorded, if they or their order have changed.
fn other_parents(header: &Header, program: &Program) -> Option<String> {
    let ids = |parents: &[Parent]| parents.iter().map(|parent| format!("`{}`", parent.id)).collect::<Vec<_>>();
    let (then, now) = (ids(&header.parents), ids(&program.parents));
    // Old recordings do not record what the package extended.
    (!then.is_empty() && then != now).then(|| match now.is_empty() {
        true => format!("it extended {}", join_words(&then, "and")),
        false => format!("it extended {}, and extends {} now", join_words(&then, "and"), join_words(&now, "and")),
    })
}

/// The differences between the recorded files and those of the program, one phrase for each file.
fn changed_files(header: &Header, program: &Program) -> Vec<String> {
    let now: std::collections::BTreeMap<&str, &str> =
        program.files.iter().map(|(path, hash)| (path.as_str(), hash.as_str())).collect();
    let paths: BTreeSet<&str> = header.files.keys().map(String::as_str).chain(now.keys().copied()).collect();
    let change = |path: &str| match (header.files.get(path), now.get(path)) {
        (Some(_), None) => Some(format!("`{path}` is gone")),
        (None, Some(_)) => Some(format!("`{path}` is new")),
        (Some(then), Some(now)) if then != now => Some(format!("`{path}` has changed")),
        _ => None,
    };
    paths.into_iter().filter_map(change).collect()
}
