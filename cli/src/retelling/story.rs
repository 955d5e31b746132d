//! A game played again, step by step, without the answers that were taken back. Step 0 is the start; each later step is one
//! answer with the events after it. Forced answers, which are not asked for, are no steps.

use crate::scenario::MatchableEvent;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::recording::{RecordedSession, ShortestPath};
use ludex_engine::runtime::{Choice, Dice, Pending, Session, SessionOptions, Setup, Viewer};
use ludex_engine::source::SourceId;
use ludex_engine::yaml::{self, Node, OutputValue};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Signs around the number of a piece in a key, until its name is filled in. Keys never contain them.
pub(super) const MARKS: [char; 2] = ['\u{1}', '\u{2}'];

/// The state from which play began.
#[derive(Clone, Debug)]
pub enum Beginning {
    Start,
    /// The lines of a position, without its heading.
    Position(OutputValue),
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
    pub told: Vec<(u64, MatchableEvent)>,
    /// The number of results of chance drawn by then.
    pub results: usize,
    /// The number of entries of the rules (procedures at which play can start) begun by then.
    pub entered: usize,
}

/// An answer of a seat.
pub(super) struct Answer {
    pub seat: usize,
    pub key: String,
    /// The key with the number of each piece between [`MARKS`], to be replaced by a name.
    pub open: String,
    /// The numbers of the pieces in the key.
    pub pieces: BTreeSet<usize>,
}

impl Story {
    /// The story of a recorded session, without picks that are still secret. An error if it cannot be played again.
    pub fn from_recording(recorded: &RecordedSession) -> Result<Story, Problem> {
        let (program, header) = (recorded.session().program(), recorded.header());
        let mut problems = Vec::new();
        let node = header.position.as_deref().and_then(|text| yaml::parse_document(text, SourceId(0)).0);
        let position = node.as_ref().and_then(|node| header.read_position(node, program, &mut problems));
        let beginning = node.as_ref().map_or(Beginning::Start, position_beginning);
        let way = recorded.shortest_path(program.clone(), position)?;
        Story::from_beginning(program.clone(), way, beginning)
    }

    /// The story of a game along a path from its start, as `new` tries it.
    pub fn from_way(program: Arc<Program>, way: ShortestPath) -> Result<Story, Problem> {
        Story::from_beginning(program, way, Beginning::Start)
    }

    /// Plays a path again, from its setup and with its results of chance.
    fn from_beginning(program: Arc<Program>, way: ShortestPath, beginning: Beginning) -> Result<Story, Problem> {
        let setup = Setup { dice: Dice::Listed(way.results), names: Vec::new(), watched: true, ..way.setup };
        let session = Session::start_with(program.clone(), &setup, SessionOptions { traces: true, ..SessionOptions::default() })?;
        let mut story = Story { program, setup, beginning, session, steps: Vec::new(), resigned: way.resigned };
        story.add_step(None);
        for given in way.given.into_iter().filter(|given| !given.forced) {
            story.give_answer(given.seat, given.key)?;
        }
        Ok(story)
    }

    /// The default name of its scenario: who plays whom.
    pub fn default_name(&self) -> String {
        let names: Vec<String> = self.session.view(Viewer::Spectator).sides.into_iter().map(|side| side.name).collect();
        names.join(" against ")
    }

    /// The number of answers.
    pub fn answer_count(&self) -> usize {
        self.steps.len() - 1
    }

    /// The session after a number of answers, played again from the start.
    pub fn session_after(&self, answers: usize) -> Result<Session, Problem> {
        let mut session =
            Session::start_with(self.program.clone(), &self.setup, SessionOptions { traces: true, ..SessionOptions::default() })?;
        for answer in self.steps.iter().take(answers + 1).filter_map(|step| step.given.as_ref()) {
            answer_by_key(&mut session, answer.seat, &answer.key)?;
        }
        Ok(session)
    }

    /// The first step with an event that passes a test.
    pub fn first_step_with(&self, test: impl Fn(&MatchableEvent) -> bool) -> Option<usize> {
        self.steps.iter().position(|step| step.told.iter().any(|(_, told)| test(told)))
    }

    /// The number of events that pass a test.
    pub fn count_events(&self, test: impl Fn(&MatchableEvent) -> bool) -> usize {
        self.steps.iter().flat_map(|step| &step.told).filter(|(_, told)| test(told)).count()
    }

    /// Gives the next answer, and adds its step.
    fn give_answer(&mut self, seat: usize, key: String) -> Result<(), Problem> {
        let decision = open_decision(&self.session, seat)?;
        let pieces = self.session.pieces_in(decision, &key);
        let marked: BTreeMap<usize, String> =
            pieces.iter().map(|piece| (*piece, format!("{}{piece}{}", MARKS[0], MARKS[1]))).collect();
        let open = self.session.key_with_names(decision, &key, &marked);
        answer_by_key(&mut self.session, seat, &key)?;
        self.add_step(Some(Answer { seat, key, open, pieces }));
        Ok(())
    }

    /// Adds a step with the events since the last one.
    fn add_step(&mut self, given: Option<Answer>) {
        let told = self.session.take_events().iter().map(|event| (event.number, MatchableEvent::from_event(event))).collect();
        let (results, entered) = (self.session.chance_results().len(), self.session.entry_records().len());
        self.steps.push(Step { given, told, results, entered });
    }
}

/// Gives an answer by key. An error if the seat is not asked, or the answer is not legal.
pub(super) fn answer_by_key(session: &mut Session, seat: usize, key: &str) -> Result<(), Problem> {
    let decision = open_decision(session, seat)?;
    session.choose(decision, Choice::Key(key.to_string())).map_err(|problem| *problem)
}

/// The decision that a seat is asked; an error if there is none.
fn open_decision(session: &Session, seat: usize) -> Result<u64, Problem> {
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
fn position_beginning(node: &Node) -> Beginning {
    let OutputValue::Map(mut lines) = OutputValue::from(node) else { return Beginning::Start };
    lines.retain(|(key, _)| !["ludex-position", "game", "mode", "options"].contains(&key.as_str()));
    Beginning::Position(OutputValue::Map(lines))
}
