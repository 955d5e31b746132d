//! A guided beginning: the scenario in `scenarios/tour.yaml`. Seat 0 is somebody who learns the game. What they are told stands
//! in steps of the form `tell: …`, and they give the answers of the scenario themselves.

use super::labels::Labels;
use super::{Answer, Scenario, StepKind, Who, answer, read, run};
use ludex_bots::Player;
use ludex_engine::library::{Library, Wanted};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::policy::usual;
use ludex_engine::runtime::{Choice, Decision, Session, Setup};
use ludex_engine::yaml;
use std::collections::VecDeque;
use std::sync::Arc;

/// The seat of whoever learns.
pub const LEARNER: usize = 0;

/// A scenario to be played with somebody.
pub struct Tour {
    scenario: Scenario,
}

impl Tour {
    /// That of a game, if it has one.
    pub fn of(library: &Library, game: &str) -> Option<Tour> {
        let is_tour = |name: &str| name.ends_with("/tour.yaml") || name == "tour.yaml";
        let source = library.scenarios(game).into_iter().find(|source| is_tour(&library.sources.get(*source).name))?;
        let (root, mut problems) = yaml::read(&library.sources.get(source).text, source);
        let scenario = read(&root?, &mut problems).into_iter().next()?;
        Some(Tour { scenario })
    }

    /// The mode and the options that it is for.
    pub fn wanted(&self) -> Wanted {
        let heading = &self.scenario.heading;
        Wanted { mode: heading.mode.clone(), options: heading.options.clone(), open: false }
    }

    /// Where it starts.
    pub fn setup(&self, program: &Arc<Program>) -> Result<Setup, Vec<Problem>> {
        run::setup(program, &self.scenario)
    }

    /// Who answers for another seat as the scenario says.
    pub fn partner(&self, seat: usize) -> Box<dyn Player> {
        let answers = self.scenario.steps.iter().filter_map(|step| match &step.kind {
            StepKind::Answer { who: Who::Seat(other), answer } if *other == seat => Some(answer.clone()),
            _ => None,
        });
        Box::new(Partner { answers: answers.collect() })
    }

    pub fn guide(self) -> Guide {
        Guide { scenario: self.scenario, next: 0 }
    }
}

/// Answers as a scenario says, and as is usual when it says no more.
struct Partner {
    answers: VecDeque<Answer>,
}

impl Player for Partner {
    fn answer(&mut self, session: &Session, decision: &Decision) -> Result<Choice, Box<Problem>> {
        let meant = self.answers.front().and_then(|answer| answer::choice(session, decision, answer, &labels(session)).ok());
        if meant.is_some() {
            self.answers.pop_front();
        }
        Ok(meant.unwrap_or_else(|| usual(session, decision)))
    }
}

/// What the learner is told, and what they answer.
pub struct Guide {
    scenario: Scenario,
    next: usize,
}

/// One answer of the learner, with what they are told before it.
pub struct Lesson {
    pub told: Vec<String>,
    pub choice: Choice,
}

impl Guide {
    /// What is told before a decision of the learner and what they are to answer; nothing where the tour is over.
    pub fn lesson(&self, session: &Session, decision: &Decision) -> Option<Lesson> {
        let answer = self.scenario.steps.get(self.next + self.ahead()?)?;
        let StepKind::Answer { answer, .. } = &answer.kind else { return None };
        let choice = answer::choice(session, decision, answer, &labels(session)).ok()?;
        Some(Lesson { told: self.told(self.ahead()?), choice })
    }

    /// The answer was given.
    pub fn go_on(&mut self) {
        self.next += self.ahead().map_or(0, |ahead| ahead + 1);
    }

    /// What is told at the end.
    pub fn rest(&self) -> Vec<String> {
        self.told(usize::MAX)
    }

    /// How many steps come before the learner's next answer.
    fn ahead(&self) -> Option<usize> {
        let is_own = |kind: &StepKind| matches!(kind, StepKind::Answer { who: Who::Seat(LEARNER), .. });
        self.scenario.steps.iter().skip(self.next).position(|step| is_own(&step.kind))
    }

    fn told(&self, steps: usize) -> Vec<String> {
        let told = self.scenario.steps.iter().skip(self.next).take(steps).filter_map(|step| match &step.kind {
            StepKind::Tell(text) => Some(text.clone()),
            _ => None,
        });
        told.collect()
    }
}

fn labels(session: &Session) -> Labels {
    Labels::new(session.labels().clone()).with_keys(session.piece_keys())
}
