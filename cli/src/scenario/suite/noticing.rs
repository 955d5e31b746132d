//! Which scenarios reach a place, and whether they notice that something was changed there.

use super::super::{Scenario, run};
use super::{Covered, Suite};
use ludex_engine::source::Span;
use std::collections::BTreeSet;

/// One scenario that comes out as it should.
#[derive(Clone, Debug)]
pub struct Passing {
    /// The place of its name.
    pub name: Span,
    /// The statements and conditions that it reaches.
    pub reached: BTreeSet<Span>,
}

impl Suite<'_> {
    /// The scenarios that pass, each with what it reaches.
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

    /// Whether one of some scenarios, given by the places of their names, does not pass.
    pub fn notices(&mut self, names: &BTreeSet<Span>) -> bool {
        let asked: Vec<_> = self.scenarios().into_iter().filter(|(scenario, _)| names.contains(&scenario.name.span)).collect();
        asked.iter().any(|(scenario, package)| !self.comes_out(scenario, package, None))
    }

    /// Those that are run, with the packages whose they are.
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
