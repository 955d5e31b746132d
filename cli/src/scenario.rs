//! Scenarios: the tests of a game, written in YAML beside its rules.
//!
//! A file is read to [`Scenario`]s with a place for every word; `run` plays one against a session and
//! gives a problem for the first thing that is not as it should be.

mod answer;
mod by_itself;
mod check_options;
mod coverage;
mod ending;
mod events;
mod files;
mod heading;
mod labels;
mod meaning;
mod pattern;
mod read;
mod rules;
mod run;
mod suite;
mod tour;
mod unfinished;
mod unplayed;
mod vocabulary;

pub use events::{Argument, Told, is_answer, is_frame, result};
pub use files::{Files, Read};
pub use heading::Places;
pub use labels::Labels;
pub use read::read;
pub use rules::{Rule, cited_in, ids_in, row_of};
pub use run::passes;
pub use suite::{Passing, Suite, Verdict};
pub use tour::{Guide, LEARNER, Tour};
pub use unfinished::Unfinished;
pub use vocabulary::Vocabulary;

use ending::Ending;
use ludex_engine::position::{Heading, Spanned};
use ludex_engine::source::Span;
use ludex_engine::yaml::Node;
pub use pattern::Pattern;

/// One test: where play starts, what is thrown, what is answered, and what must come of it.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub name: Spanned<String>,
    /// The scenarios of what its package extends that it stands in for.
    pub replaces: Vec<Spanned<String>>,
    /// The rules it shows, by id.
    pub shows: Vec<Spanned<String>>,
    /// Game, mode and options.
    pub heading: Heading,
    /// Where they are said.
    pub places: Places,
    pub start: Start,
    pub random: Vec<Spanned<i64>>,
    pub steps: Vec<Step>,
    pub ending: Option<Ending>,
}

/// Where play starts.
#[derive(Clone, Debug)]
pub enum Start {
    /// In the middle; read once the program is there to read it with.
    Position(Node),
    /// At the beginning, with these entrants.
    Beginning(Vec<Vec<Spanned<String>>>),
}

/// One line of `play`.
#[derive(Clone, Debug)]
pub struct Step {
    pub span: Span,
    pub kind: StepKind,
}

/// Whose question it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Seat(usize),
    Referee,
}

#[derive(Clone, Debug)]
pub enum StepKind {
    /// A seat answers.
    Answer { who: Who, answer: Answer },
    /// What a seat may answer now, and what not.
    Options { who: Who, expected: ExpectedOptions },
    /// What has happened since the last answer, in order.
    Events { patterns: Vec<Spanned<Pattern>>, exactly: bool },
    /// How the table stands right after what the last answer leads to by itself.
    Check(Ending),
    /// What whoever is guided through the scenario is told here.
    Tell(String),
}

/// An answer as a scenario writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A key, or words that only one option's sentence has.
    Words(String),
    /// What the roles of a move are, and perhaps the action.
    Arguments { action: Option<String>, roles: Vec<(String, Vec<String>)> },
}

/// What a decision must and must not offer.
#[derive(Clone, Debug, Default)]
pub struct ExpectedOptions {
    /// Among the options.
    pub legal: Vec<Spanned<String>>,
    /// All the options there are.
    pub only: Option<Vec<Spanned<String>>>,
    /// Not among the options, with words that the reason must have.
    pub not: Vec<(Spanned<String>, String)>,
}

impl Scenario {
    /// Whether there is anything it could fail by.
    pub fn checks(&self) -> bool {
        self.ending.is_some() || self.steps.iter().any(|step| !matches!(step.kind, StepKind::Answer { .. } | StepKind::Tell(_)))
    }
}
