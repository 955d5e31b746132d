//! A guided tour: the scenario in `scenarios/tour.yaml`. A player who learns the game has seat 0. Steps of the form `tell: …`
//! have the text for them, and they give the answers of the scenario themselves.

use super::labels::Labels;
use super::read::read_scenarios;
use super::{Answer, QuestionSeat, Scenario, StepKind, answer, run};
use ludex_bots::Player;
use ludex_engine::library::{CompileRequest, Library};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::policy::default_answer;
use ludex_engine::runtime::{Choice, Decision, Session, Setup};
use ludex_engine::yaml;
use std::collections::VecDeque;
use std::sync::Arc;

/// The learner's seat.
pub const LEARNER: usize = 0;

/// A scenario to be played with a learner.
pub struct Tour {
    scenario: Scenario,
}

impl Tour {
    /// The tour of a game, if it has one.
    pub fn find_tour(library: &Library, game: &str) -> Option<Tour> {
        let is_tour = |name: &str| name.ends_with("/tour.yaml") || name == "tour.yaml";
        let source = library.scenario_files(game).into_iter().find(|source| is_tour(&library.sources.get(*source).name))?;
        let (root, mut problems) = yaml::parse_document(&library.sources.get(source).text, source);
        let scenario = read_scenarios(&root?, &mut problems).into_iter().next()?;
        Some(Tour { scenario })
    }

    /// The mode and the options that it is for.
    pub fn mode_and_options(&self) -> CompileRequest {
        let heading = &self.scenario.heading;
        CompileRequest { mode: heading.mode.clone(), options: heading.options.clone(), open: false }
    }

    /// The start of play.
    pub fn build_setup(&self, program: &Arc<Program>) -> Result<Setup, Vec<Problem>> {
        run::build_setup(program, &self.scenario)
    }

    /// A player that answers for another seat as in the scenario.
    pub fn partner_for_seat(&self, seat: usize) -> Box<dyn Player> {
        let answers = self.scenario.steps.iter().filter_map(|step| match &step.kind {
            StepKind::Answer { who: QuestionSeat::Seat(other), answer } if *other == seat => Some(answer.clone()),
            _ => None,
        });
        Box::new(Partner { answers: answers.collect() })
    }

    /// The texts and answers for the learner.
    pub fn into_guide(self) -> Guide {
        Guide { scenario: self.scenario, next: 0 }
    }
}

/// Gives the answers of a scenario, and the default ones after its end.
struct Partner {
    answers: VecDeque<Answer>,
}

impl Player for Partner {
    fn answer(&mut self, session: &Session, decision: &Decision) -> Result<Choice, Box<Problem>> {
        let meant = self
            .answers
            .front()
            .and_then(|answer| answer::resolve_answer(session, decision, answer, &session_labels(session)).ok());
        if meant.is_some() {
            self.answers.pop_front();
        }
        Ok(meant.unwrap_or_else(|| default_answer(session, decision)))
    }
}

/// The learner's texts and answers.
pub struct Guide {
    scenario: Scenario,
    /// Index of the next step.
    next: usize,
}

/// One answer of the learner, with the text before it.
pub struct Lesson {
    pub told: Vec<String>,
    pub choice: Choice,
}

impl Guide {
    /// The text before a decision of the learner, and the expected answer; `None` if the tour is over.
    pub fn next_lesson(&self, session: &Session, decision: &Decision) -> Option<Lesson> {
        let answer = self.scenario.steps.get(self.next + self.steps_ahead()?)?;
        let StepKind::Answer { answer, .. } = &answer.kind else { return None };
        let choice = answer::resolve_answer(session, decision, answer, &session_labels(session)).ok()?;
        Some(Lesson { told: self.lesson_texts(self.steps_ahead()?), choice })
    }

    /// Advances after the learner's answer.
    pub fn advance_lesson(&mut self) {
        self.next += self.steps_ahead().map_or(0, |ahead| ahead + 1);
    }

    /// The text at the end.
    pub fn closing_texts(&self) -> Vec<String> {
        self.lesson_texts(usize::MAX)
    }

    /// Number of steps before the learner's next answer.
    fn steps_ahead(&self) -> Option<usize> {
        let is_own = |kind: &StepKind| matches!(kind, StepKind::Answer { who: QuestionSeat::Seat(LEARNER), .. });
        self.scenario.steps.iter().skip(self.next).position(|step| is_own(&step.kind))
    }

    /// The texts among the next `steps` steps.
    fn lesson_texts(&self, steps: usize) -> Vec<String> {
        let told = self.scenario.steps.iter().skip(self.next).take(steps).filter_map(|step| match &step.kind {
            StepKind::Tell(text) => Some(text.clone()),
            _ => None,
        });
        told.collect()
    }
}

fn session_labels(session: &Session) -> Labels {
    Labels::new(session.labels().clone()).with_keys(session.piece_keys())
}
