//! The rest of a scenario whose beginning is already written: the play after it. `record` plays a scenario to its end, lets a
//! person go on, and adds the rest.

use super::story::{Step, Story};
use crate::scenario::MatchableEvent;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::Dice;
use ludex_engine::yaml::OutputValue;
use std::collections::BTreeMap;

/// The parts of a scenario that its beginning lacks.
pub struct ScenarioRest {
    /// Further lines of `play`.
    pub steps: Vec<OutputValue>,
    /// All results of chance, including those of the beginning.
    pub results: Vec<i64>,
    /// The lines of `then`, for a scenario that has none.
    pub ending: Vec<(String, OutputValue)>,
    /// The number of answers, without those of a referee that rules as usual.
    pub answers: usize,
}

/// The state at the end of a beginning.
#[derive(Clone, Copy, Debug)]
pub struct BeginningState {
    /// Number of answers that are part of it.
    pub answers: usize,
    /// True if the referee rules as usual in it, because no step names the referee.
    pub ruled: bool,
}

impl Story {
    /// The play after a beginning. Pieces have the names that the position gives them.
    pub fn rest_after_beginning(&self, begun: BeginningState) -> Result<ScenarioRest, Problem> {
        let untold = |why: String| Problem::error(codes::SCENARIO_STATE, format!("this cannot be written as a scenario: {why}"));
        let (to, since) = (self.answer_count(), begun.answers.min(self.answer_count()));
        let names: BTreeMap<usize, String> = self.session.labels().iter().map(|(name, piece)| (*piece, name.clone())).collect();
        let groups = self.step_groups(since, begun.ruled);
        let (answers, mut steps) = (groups.len(), Vec::new());
        for group in groups {
            steps.extend(group.first().and_then(|step| step.given.as_ref()).map(|answer| self.step_of_answer(answer, &names)));
            let told: Vec<&MatchableEvent> = self.select_notable(group.iter().flat_map(|step| &step.told).map(|(_, told)| told));
            steps.extend(self.step_of_expectation(&told, &names));
        }
        if !begun.ruled {
            steps.extend(self.referee_step(to).map_err(untold)?);
        }
        let results = match &self.setup.dice {
            Dice::Listed(results) => results.iter().take(self.steps.get(to).map_or(0, |step| step.results)).copied().collect(),
            Dice::Seeded | Dice::External | Dice::ExternalAll => Vec::new(),
        };
        Ok(ScenarioRest { steps, results, ending: self.ending_entries(since, to).map_err(untold)?, answers })
    }

    /// The steps after a beginning, each with the following ones of a referee that rules as usual, which scenarios leave out.
    /// `since` is the number of answers in the beginning.
    fn step_groups(&self, since: usize, ruled: bool) -> Vec<&[Step]> {
        let referee = self.program.referee_seat(self.setup.sides.len());
        let goes_with_it = |step: &Step| ruled && step.given.as_ref().is_some_and(|answer| Some(answer.seat) == referee);
        let behind = self.steps.get(since + 1..).unwrap_or_default();
        // Rulings that still belong to the beginning are part of it.
        let own = behind.iter().position(|step| !goes_with_it(step)).unwrap_or(behind.len());
        behind.get(own..).unwrap_or_default().chunk_by(|_, next| goes_with_it(next)).collect()
    }
}
