//! A game played again, step by step, without the answers that were taken back.

use crate::scenario::Told;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::recording::{RecordedSession, Way};
use ludex_engine::runtime::{Choice, Dice, Pending, Session, SessionOptions, Setup, Viewer};
use ludex_engine::source::SourceId;
use ludex_engine::yaml::{self, Node, Written};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Signs around the number of a piece in a key, until its name is filled in. Keys never contain them.
pub(super) const MARKS: [char; 2] = ['\u{1}', '\u{2}'];

/// The state from which play began.
#[derive(Clone, Debug)]
pub enum Beginning {
    Start,
    /// The lines of a position, without its heading.
    Position(Written),
}

/// A game as it was played.
pub struct Story {
    pub program: Arc<Program>,
    pub(super) setup: Setup,
    pub(super) beginning: Beginning,
    /// The state after the last step.
    pub(super) session: Session,
    /// The start, then one step for each answer.
    pub(super) steps: Vec<Step>,
    /// True if a player gave up, which a scenario cannot express.
    pub resigned: bool,
}

/// The effect of an answer, or the start.
pub(super) struct Step {
    /// The seat and the key of the answer; `None` at the start.
    pub given: Option<Answer>,
    /// The events, each with its number.
    pub told: Vec<(u64, Told)>,
    /// The number of results of chance drawn by then.
    pub results: usize,
    /// The number of entries begun by then.
    pub entered: usize,
}

pub(super) struct Answer {
    pub seat: usize,
    pub key: String,
    /// The key with [`MARKS`] around the number of each piece.
    pub open: String,
    pub pieces: BTreeSet<usize>,
}

impl Story {
    /// The story of a recorded session, without picks that are still secret.
    pub fn of(recorded: &RecordedSession) -> Result<Story, Problem> {
        let (program, header) = (recorded.session().program(), recorded.header());
        let mut problems = Vec::new();
        let node = header.position.as_deref().and_then(|text| yaml::read(text, SourceId(0)).0);
        let position = node.as_ref().and_then(|node| header.read_position(node, program, &mut problems));
        let beginning = node.as_ref().map_or(Beginning::Start, beginning);
        let way = recorded.way(program.clone(), position)?;
        Story::from(program.clone(), way, beginning)
    }

    /// A game along a way from its start.
    pub fn along(program: Arc<Program>, way: Way) -> Result<Story, Problem> {
        Story::from(program, way, Beginning::Start)
    }

    fn from(program: Arc<Program>, way: Way, beginning: Beginning) -> Result<Story, Problem> {
        let setup = Setup { dice: Dice::Listed(way.results), names: Vec::new(), watched: true, ..way.setup };
        let session = Session::start_with(program.clone(), &setup, SessionOptions { traces: true, ..SessionOptions::default() })?;
        let mut story = Story { program, setup, beginning, session, steps: Vec::new(), resigned: way.resigned };
        story.note(None);
        for given in way.given.into_iter().filter(|given| !given.forced) {
            story.answer(given.seat, given.key)?;
        }
        Ok(story)
    }

    /// The default name of its scenario: who plays whom.
    pub fn name(&self) -> String {
        let names: Vec<String> = self.session.view(Viewer::Spectator).sides.into_iter().map(|side| side.name).collect();
        names.join(" against ")
    }

    /// The number of answers.
    pub fn answers(&self) -> usize {
        self.steps.len() - 1
    }

    /// The session after a number of answers.
    pub fn session_after(&self, answers: usize) -> Result<Session, Problem> {
        let mut session =
            Session::start_with(self.program.clone(), &self.setup, SessionOptions { traces: true, ..SessionOptions::default() })?;
        for answer in self.steps.iter().take(answers + 1).filter_map(|step| step.given.as_ref()) {
            choose(&mut session, answer.seat, &answer.key)?;
        }
        Ok(session)
    }

    /// The first step with an event that passes a test.
    pub fn first(&self, test: impl Fn(&Told) -> bool) -> Option<usize> {
        self.steps.iter().position(|step| step.told.iter().any(|(_, told)| test(told)))
    }

    /// The number of events that pass a test.
    pub fn count(&self, test: impl Fn(&Told) -> bool) -> usize {
        self.steps.iter().flat_map(|step| &step.told).filter(|(_, told)| test(told)).count()
    }

    fn answer(&mut self, seat: usize, key: String) -> Result<(), Problem> {
        let decision = open_for(&self.session, seat)?;
        let pieces = self.session.pieces_in(decision, &key);
        let marked: BTreeMap<usize, String> =
            pieces.iter().map(|piece| (*piece, format!("{}{piece}{}", MARKS[0], MARKS[1]))).collect();
        let open = self.session.key_with_names(decision, &key, &marked);
        choose(&mut self.session, seat, &key)?;
        self.note(Some(Answer { seat, key, open, pieces }));
        Ok(())
    }

    fn note(&mut self, given: Option<Answer>) {
        let told = self.session.take_events().iter().map(|event| (event.number, Told::of(event))).collect();
        let (results, entered) = (self.session.results().len(), self.session.entered().len());
        self.steps.push(Step { given, told, results, entered });
    }
}

/// Gives an answer by key.
pub(super) fn choose(session: &mut Session, seat: usize, key: &str) -> Result<(), Problem> {
    let decision = open_for(session, seat)?;
    session.choose(decision, Choice::Key(key.to_string())).map_err(|problem| *problem)
}

fn open_for(session: &Session, seat: usize) -> Result<u64, Problem> {
    let open = match session.pending() {
        Pending::Decisions(open) => open.iter().find(|open| open.seat == seat).map(|open| open.id),
        Pending::Random(_) | Pending::Finished(_) => None,
    };
    open.ok_or_else(|| {
        Problem::error(
            codes::RECORDING_DIVERGED,
            format!("seat {seat} has answered, and is not asked when the game is played again"),
        )
    })
}

/// The lines of a position that are not its heading.
fn beginning(node: &Node) -> Beginning {
    let Written::Map(mut lines) = Written::from(node) else { return Beginning::Start };
    lines.retain(|(key, _)| !["ludex-position", "game", "mode", "options"].contains(&key.as_str()));
    Beginning::Position(Written::Map(lines))
}
