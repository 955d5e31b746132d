//! Declares families that are part of others. A family is a set of actions that a question asks for; a question for one also asks
//! for the families that are part of it. `base` is the family that one is part of.

use super::{Family, Symbols};
use ludex_program::MOST_MOVE_FIELDS;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;

impl Symbols<'_> {
    /// Links each family to its base, and adds the inherited fields before its own. Both must have the same parameters.
    pub(super) fn inherit_family_members(&mut self, problems: &mut Vec<Problem>) {
        let bases = std::mem::take(&mut self.bases);
        for (index, base) in bases.iter().enumerate() {
            let Some(name) = base else { continue };
            let Some(found) = self.find_family(&name.text).map(usize::from) else { continue };
            if self.family_ancestry(found as u16).any(|base| usize::from(base) == index) {
                let problem =
                    Problem::error(codes::GOES_IN_CIRCLES, format!("`{}` is part of itself", self.families[index].name));
                problems.push(problem.with_label(name.span, "goes round in a circle"));
                continue;
            }
            self.families[index].base = Some(found as u16);
            let types = |family: &Family| family.params.iter().map(|(_, of)| of.clone()).collect::<Vec<_>>();
            if types(&self.families[index]) != types(&self.families[found]) {
                let message =
                    format!("`{}` needs the same parameters as `{}`, which it is part of", self.families[index].name, name.text);
                let problem =
                    Problem::error(codes::ARGUMENT_COUNT, message).with_label(self.families[index].span, "other parameters");
                problems.push(
                    problem
                        .with_label(self.families[found].span, "is part of this")
                        .help("give both the same, in the same order"),
                );
            }
        }
        // Bases come first, so that each family finds its base complete.
        let mut order: Vec<usize> = (0..self.families.len()).collect();
        order.sort_by_key(|index| self.family_ancestry(*index as u16).count());
        self.family_parts = vec![Vec::new(); self.families.len()];
        for part in 0..self.families.len() as u16 {
            let line: Vec<u16> = self.family_ancestry(part).collect();
            line.into_iter().for_each(|family| self.family_parts[usize::from(family)].push(part));
        }
        for index in order {
            let Some(base) = self.families[index].base else { continue };
            let mut fields = self.families[usize::from(base)].fields.clone();
            for field in std::mem::take(&mut self.families[index].fields) {
                match fields.iter_mut().find(|(name, ..)| *name == field.0) {
                    // A redeclared field of the same type may have its own first value.
                    Some(inherited) if inherited.1 == field.1 => *inherited = field,
                    Some(_) => {
                        let message = format!("`{}` has another type in the family that this one is part of", field.0);
                        problems.push(
                            Problem::error(codes::WRONG_TYPE, message).with_label(self.families[index].span, "declared here"),
                        );
                    }
                    None => fields.push(field),
                }
            }
            self.families[index].fields = fields;
        }
        self.check_field_counts(problems);
    }

    /// Reports families with more fields than the record of a move can hold, including inherited ones.
    fn check_field_counts(&self, problems: &mut Vec<Problem>) {
        for family in self.families.iter().filter(|family| family.fields.len() > MOST_MOVE_FIELDS) {
            let message = format!(
                "the moves of `{}` have {} fields, but at most {MOST_MOVE_FIELDS} are allowed",
                family.name,
                family.fields.len()
            );
            let problem = Problem::error(codes::TOO_MANY, message).with_label(family.span, "too many fields");
            problems.push(problem.help("compute some of these values in a definition that takes the move's things"));
        }
    }

    /// A family and those it is part of, nearest first.
    fn family_ancestry(&self, family: u16) -> impl Iterator<Item = u16> + '_ {
        std::iter::successors(Some(family), |family| self.families[usize::from(*family)].base)
    }

    /// Whether a family is `of`, or part of it.
    pub fn is_family(&self, family: u16, of: u16) -> bool {
        self.family_ancestry(family).any(|base| base == of)
    }

    /// A family and the families that are part of it, in declared order.
    pub fn parts_of(&self, family: u16) -> &[u16] {
        &self.family_parts[usize::from(family)]
    }
}
