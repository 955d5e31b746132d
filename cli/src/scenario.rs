//! Scenarios: the tests of a game, written in YAML beside its rules. `test` runs them, `check` finds mistakes in them without
//! playing, and a tour is a scenario that is played with a learner.
//!
//! A file is parsed into [`Scenario`]s with a span for every word, so that problems can point to it. `run` plays one in a
//! session and returns a problem for the first unmet expectation.

mod answer;
mod check_options;
mod coverage;
mod ending;
mod events;
mod files;
mod forced_answers;
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

pub use events::{Argument, MatchableEvent, is_answer, is_scope_event, result_word};
pub use files::{FileCache, GameScenarios};
pub use heading::HeadingPlaces;
pub use labels::Labels;
pub use read::read_scenarios;
pub use rules::{Rule, cited_in, ids_in, rule_text};
pub use run::check_text_passes;
pub use suite::{PassingScenario, Suite, Verdict};
pub use tour::{Guide, LEARNER, Tour};
pub use unfinished::UnfinishedScenario;
pub use vocabulary::Vocabulary;

use ending::Ending;
use ludex_engine::position::{Heading, Spanned};
use ludex_engine::source::Span;
use ludex_engine::yaml::Node;
pub use pattern::Pattern;

/// One test: the start of play, the throws, the answers, and the expected result.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub name: Spanned<String>,
    /// The scenarios of ancestor packages that it replaces.
    pub replaces: Vec<Spanned<String>>,
    /// The rules it shows, by id.
    pub shows: Vec<Spanned<String>>,
    /// Game, mode and options.
    pub heading: Heading,
    /// The spans of these in the file.
    pub places: HeadingPlaces,
    pub start: Start,
    /// The results of chance, in order.
    pub random: Vec<Spanned<i64>>,
    /// The lines of `play`.
    pub steps: Vec<Step>,
    /// The result that `then` expects.
    pub ending: Option<Ending>,
}

/// The start of play.
#[derive(Clone, Debug)]
pub enum Start {
    /// From a position, which is read once the program is known.
    Position(Node),
    /// From the beginning, with these entrants.
    Beginning(Vec<Vec<Spanned<String>>>),
}

/// One line of `play`.
#[derive(Clone, Debug)]
pub struct Step {
    pub span: Span,
    pub kind: StepKind,
}

/// The seat of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionSeat {
    Seat(usize),
    Referee,
}

/// The content of a line of `play`.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// A seat answers.
    Answer { who: QuestionSeat, answer: Answer },
    /// Options that a seat must and must not have now.
    Options { who: QuestionSeat, expected: ExpectedOptions },
    /// The events since the last answer, in order.
    Events { patterns: Vec<Spanned<Pattern>>, exactly: bool },
    /// The state of the table after the last answer and everything that follows by itself.
    Check(Ending),
    /// Text for a player who is guided through the scenario.
    Tell(String),
}

/// An answer as a scenario writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A key, or words that occur in the sentence of only one option.
    Words(String),
    /// The roles of a move, and optionally the action.
    Arguments { action: Option<String>, roles: Vec<(String, Vec<String>)> },
}

/// The options that a decision must and must not have.
#[derive(Clone, Debug, Default)]
pub struct ExpectedOptions {
    /// Must be among the options.
    pub legal: Vec<Spanned<String>>,
    /// The complete list of options.
    pub only: Option<Vec<Spanned<String>>>,
    /// Must not be among the options, with words that the reason must contain.
    pub not: Vec<(Spanned<String>, String)>,
}

impl Scenario {
    /// Whether it has any expectation.
    pub fn has_expectation(&self) -> bool {
        self.ending.is_some() || self.steps.iter().any(|step| !matches!(step.kind, StepKind::Answer { .. } | StepKind::Tell(_)))
    }
}
