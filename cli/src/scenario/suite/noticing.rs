//! Finds the scenarios that reach a place, and checks whether they notice a change there.

use super::super::{Scenario, run};
use super::{Covered, Suite};
use ludex_engine::source::Span;
use std::collections::BTreeSet;

/// A scenario that passes.
#[derive(Clone, Debug)]
pub struct Passing {
    /// The span of its name.
    pub name: Span,
    /// The statements and conditions that it reaches.
    pub reached: BTreeSet<Span>,
}

impl Suite<'_> {
    /// The scenarios that pass, each with its coverage.
    pub fn passing(&mut self) -> Vec<Passing> {
        let mut passing = Vec::new();
        for (scenario, package) in self.scenarios() {
            let mut covered = Covered::default();
            if self.comes_out(&scenario, &package, Some(&mut covered)) {
                passing.push(Passing { name: scenario.name.span, reached: covered.reached().collect() });
            }
        }
        passing
    }

    /// Whether one of some scenarios, given by the spans of their names, fails.
    pub fn notices(&mut self, names: &BTreeSet<Span>) -> bool {
        let asked: Vec<_> = self.scenarios().into_iter().filter(|(scenario, _)| names.contains(&scenario.name.span)).collect();
        asked.iter().any(|(scenario, package)| !self.comes_out(scenario, package, None))
    }

    /// The scenarios to run, with their packages.
    fn scenarios(&self) -> Vec<(Scenario, String)> {
        let all = self.files.all().flat_map(|file| file.scenarios.iter().map(|scenario| (scenario, &file.package)));
        let run = all.filter(|(scenario, _)| !self.replaced.contains(&scenario.name.span));
        run.map(|(scenario, package)| (scenario.clone(), package.clone())).collect()
    }

    fn comes_out(&mut self, scenario: &Scenario, package: &str, covered: Option<&mut Covered>) -> bool {
        if !self.files.wrong(scenario, package).is_empty() {
            return false;
        }
        let program = self.program(scenario);
        program.is_ok_and(|program| run::run(&program, scenario, covered, &mut Vec::new()).is_ok())
    }
}
