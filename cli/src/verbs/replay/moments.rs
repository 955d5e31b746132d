//! The moments of a recording: the start, and one after each entry.
//!
//! `replay --step` and `--at` show them. A scope is a part of play with a name, such as a turn; the stage is the scopes that
//! are open at a moment.

use crate::game::ReopenedRecording;
use crate::table::Stage;
use crate::terminal::event_text::{Line, story_lines};
use ludex_engine::problem::Problem;
use ludex_engine::recording::{Divergence, Entry};
use ludex_engine::runtime::{Event, EventKind, Session, Viewer};

/// The moments of a recording, as far as it can be replayed.
pub struct Moments {
    moments: Vec<Moment>,
    /// The name of each side.
    sides: Vec<String>,
    /// The first difference between replay and recording, if there is one.
    pub divergence: Option<Divergence>,
}

/// The start of play or an entry, with its events.
pub struct Moment {
    entry: Option<Entry>,
    pub events: Vec<Event>,
    /// The open parts of play, the innermost last.
    pub stage: Vec<String>,
}

impl Moments {
    /// Replays a recording as far as possible. Fails only if it does not even start.
    pub fn from_recording(reopened: &ReopenedRecording) -> Result<Moments, Divergence> {
        let (mut replay, start) = reopened.start_replay()?;
        let mut stage = Stage::default();
        start.events.iter().for_each(|event| stage.apply_event(event));
        let mut moments = vec![Moment { entry: None, events: start.events, stage: stage.scope_texts() }];
        let divergence = loop {
            match replay.play_next() {
                Ok(None) => break None,
                Err(divergence) => break Some(divergence),
                Ok(Some((entry, step))) => {
                    step.events.iter().for_each(|event| stage.apply_event(event));
                    let new = Moment { entry, events: step.events, stage: stage.scope_texts() };
                    match moments.last_mut().filter(|_| new.entry.is_none()) {
                        // Forced answers belong to the entry before them.
                        Some(last) => last.take_in(new),
                        None => moments.push(new),
                    }
                }
            }
        };
        let view = replay.recorded_session().session().view(Viewer::Spectator);
        let sides = view.sides.into_iter().map(|side| side.name).collect();
        let divergence = divergence.or_else(|| reopened.finish_replay(replay).err());
        Ok(Moments { moments, sides, divergence })
    }

    /// The number of the last entry that was replayed.
    pub fn last_number(&self) -> usize {
        self.moments.len() - 1
    }

    /// A moment by the number of its entry; 0 is the start.
    pub fn get(&self, number: usize) -> Option<&Moment> {
        self.moments.get(number)
    }

    /// The title of a moment: its number, the recorded entry, and the stage of play.
    pub fn moment_title(&self, number: usize) -> String {
        let Some(moment) = self.get(number) else { return String::new() };
        let what = moment.entry.as_ref().map_or("the start".to_string(), |entry| self.entry_text(entry));
        let stage = if moment.stage.is_empty() { String::new() } else { format!(" · {}", moment.stage.join(", ")) };
        format!("{number} of {}: {what}{stage}", self.last_number())
    }

    /// A recorded entry in words.
    fn entry_text(&self, entry: &Entry) -> String {
        let name = |seat: usize| self.sides.get(seat).map_or_else(|| format!("seat {seat}"), String::clone);
        match entry {
            Entry::Answer { seat, key, .. } => format!("{} answers {key}", name(*seat)),
            Entry::Thrown { result, .. } => {
                let results: Vec<String> = result.iter().map(i64::to_string).collect();
                format!("{} is rolled", results.join(", "))
            }
            Entry::TakenBack { undo } => format!("{} goes back to the answer in entry {}", name(undo.seat), undo.to),
            Entry::Withdrawn { withdraw } => format!("{} withdraws a secret pick", name(*withdraw)),
            Entry::Resigned { resign } => format!("{} gives up", name(*resign)),
        }
    }

    /// The events of an entry, as `play` prints them.
    pub fn story_lines(&self, number: usize) -> Vec<Line> {
        self.get(number).map_or_else(Vec::new, |moment| story_lines(&moment.events, &self.sides))
    }

    /// The names of all parts of play that begin, such as `turn`.
    pub fn scope_names(&self) -> Vec<&str> {
        let begun = self.moments.iter().flat_map(|moment| moment.starting_scopes());
        let mut scopes: Vec<&str> = Vec::new();
        begun.for_each(|scope| {
            if !scopes.contains(&scope) {
                scopes.push(scope);
            }
        });
        scopes
    }

    /// The next moment after `after` in which this part of play begins.
    pub fn next_start(&self, scope: &str, after: usize) -> Option<usize> {
        (after + 1..self.moments.len()).find(|number| self.begins_scope(*number, scope))
    }

    /// The last moment before `before` in which this part of play begins.
    pub fn previous_start(&self, scope: &str, before: usize) -> Option<usize> {
        (0..before).rev().find(|number| self.begins_scope(*number, scope))
    }

    /// Whether a part of play of this name begins at a moment.
    fn begins_scope(&self, number: usize, scope: &str) -> bool {
        self.get(number).is_some_and(|moment| moment.starting_scopes().any(|begun| begun == scope))
    }

    /// The session at a moment. The recording is replayed up to it, since sessions are not kept.
    pub fn session_at(&self, reopened: &ReopenedRecording, number: usize) -> Result<Session, Divergence> {
        let (mut replay, _) = reopened.start_replay()?;
        let mut entries = 0;
        // Forced answers after an entry still belong to it, so the replay goes on to the next entry or to the end.
        let mut session = replay.recorded_session().session().clone();
        while let Ok(Some((entry, _))) = replay.play_next() {
            entries += usize::from(entry.is_some());
            if entries > number {
                break;
            }
            session = replay.recorded_session().session().clone();
        }
        Ok(session)
    }
}

impl Moment {
    /// Adds the events of forced answers.
    fn take_in(&mut self, other: Moment) {
        self.events.extend(other.events);
        self.stage = other.stage;
    }

    /// The names of the parts of play that begin here.
    fn starting_scopes(&self) -> impl Iterator<Item = &str> {
        self.events.iter().filter_map(|event| match &event.kind {
            EventKind::Began { scope } => Some(scope.as_str()),
            _ => None,
        })
    }
}

/// The problem of a divergence, with advice on what to look at.
pub fn divergence_problem(divergence: &Divergence, file: &str) -> Problem {
    let problem = Problem::from(divergence.clone());
    match divergence.entry.and_then(|entry| entry.checked_sub(1)) {
        Some(before) => problem.help(format!("`ludex replay {file} --at {before}` shows the table before it")),
        None => problem.help(format!(
            "every recorded answer can still be given; `ludex replay {file} --step` shows the events of each today"
        )),
    }
}
