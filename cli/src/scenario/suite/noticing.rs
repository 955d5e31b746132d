//! Finds the scenarios that reach a place, and checks whether they notice a change there.
//!
//! `test --mutants` uses it: a change of the rules is noticed if a scenario that passed fails with it.

use super::super::{Scenario, run};
use super::{CoverageTotals, Suite};
use ludex_engine::source::Span;
use std::collections::BTreeSet;

/// A scenario that passes.
#[derive(Clone, Debug)]
pub struct PassingScenario {
    /// The span of its name.
    pub name: Span,
    /// The statements and conditions that it reaches.
    pub reached: BTreeSet<Span>,
}

impl Suite<'_> {
    /// The scenarios that pass, each with its coverage.
    pub fn passing_scenarios(&mut self) -> Vec<PassingScenario> {
        let mut passing = Vec::new();
        for (scenario, package) in self.scenarios_to_run() {
            let mut covered = CoverageTotals::default();
            if self.is_passing(&scenario, &package, Some(&mut covered)) {
                passing.push(PassingScenario { name: scenario.name.span, reached: covered.reached_spans().collect() });
            }
        }
        passing
    }

    /// Whether one of some scenarios, given by the spans of their names, fails. A program that does not compile fails all of
    /// them.
    pub fn has_failure_among(&mut self, names: &BTreeSet<Span>) -> bool {
        let asked: Vec<_> =
            self.scenarios_to_run().into_iter().filter(|(scenario, _)| names.contains(&scenario.name.span)).collect();
        asked.iter().any(|(scenario, package)| !self.is_passing(scenario, package, None))
    }

    /// The scenarios to run, with their packages.
    fn scenarios_to_run(&self) -> Vec<(Scenario, String)> {
        let all = self.files.scenario_files().flat_map(|file| file.scenarios.iter().map(|scenario| (scenario, &file.package)));
        let run = all.filter(|(scenario, _)| !self.replaced.contains(&scenario.name.span));
        run.map(|(scenario, package)| (scenario.clone(), package.clone())).collect()
    }

    /// Adds the coverage to `covered`, if it is given.
    fn is_passing(&mut self, scenario: &Scenario, package: &str, covered: Option<&mut CoverageTotals>) -> bool {
        if !self.files.scenario_problems(scenario, package).is_empty() {
            return false;
        }
        let program = self.scenario_program(scenario);
        program.is_ok_and(|program| run::run_scenario(&program, scenario, covered, &mut Vec::new()).is_ok())
    }
}
