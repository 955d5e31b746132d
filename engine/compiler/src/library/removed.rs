//! Improves errors that result from a package's removals and replacements: they must show the package.
//!
//! A package may remove or replace a declaration that other packages of the line use. The error then occurs in a file that is not
//! at fault.

use super::{Game, Library};
use crate::compose::{LayerId, Layers, RemovedDeclaration, ReshapedDeclaration};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;

/// Codes of errors about unknown names.
const UNKNOWN: [&str; 10] = [
    codes::UNKNOWN_NAME,
    codes::UNKNOWN_FIELD,
    codes::UNKNOWN_HOOK,
    codes::UNKNOWN_ACTION,
    codes::UNKNOWN_PROCEDURE,
    codes::UNKNOWN_OPTION,
    codes::UNKNOWN_TYPE,
    codes::UNKNOWN_ABILITY,
    codes::UNKNOWN_FUNCTION,
    codes::UNKNOWN_VARIABLE,
];

impl Library {
    /// Adds the place of the removal to an error about a removed name. If one package uses what another has removed, adds
    /// advice.
    pub(super) fn with_removal(
        &self,
        mut problem: Problem,
        removed: &[RemovedDeclaration],
        line: &[&Game],
        layers: &Layers,
    ) -> Problem {
        let Some((place, remark)) = problem.labels.first_mut().filter(|_| UNKNOWN.contains(&problem.code)) else {
            return problem;
        };
        let word = self.sources.span_text(*place).trim_matches(['"', '\'']).to_string();
        let Some(gone) = removed.iter().find(|gone| gone.name == word && gone.place != *place) else { return problem };
        let Some(user) = line.iter().position(|game| game.has_file(place.source)) else { return problem };
        *remark = format!("`{}` uses it", line[user].id);
        problem.help = Some(removal_help(&word, user, gone.package, line, layers));
        problem.with_label(gone.place, format!("{} removes it here", gone.by))
    }

    /// Reports calls that do not fit a replaced declaration once, at the replacement.
    pub(super) fn with_replacements(
        &self,
        found: Vec<Problem>,
        reshaped: &[ReshapedDeclaration],
        line: &[&Game],
    ) -> Vec<Problem> {
        let mut told = Vec::new();
        found.into_iter().filter_map(|problem| self.with_replacement(problem, reshaped, line, &mut told)).collect()
    }

    /// The improved error; none if it was already reported.
    fn with_replacement(
        &self,
        problem: Problem,
        reshaped: &[ReshapedDeclaration],
        line: &[&Game],
        told: &mut Vec<Span>,
    ) -> Option<Problem> {
        let [(call, _), (declared, _)] = problem.labels[..] else { return Some(problem) };
        let Some(new) = reshaped.iter().find(|new| new.place == declared).filter(|_| problem.code == codes::ARGUMENT_COUNT)
        else {
            return Some(problem);
        };
        let owner = |place: Span| line.iter().find(|game| game.has_file(place.source)).map(|game| game.id.as_str());
        let (Some(caller), Some(package)) = (owner(call), owner(declared)) else { return Some(problem) };
        if caller == package {
            return Some(problem);
        }
        if told.contains(&declared) {
            return None;
        }
        told.push(declared);
        let subject = &new.subject;
        let before = match new.params {
            Some(params) => format!("replace {subject}({})", self.sources.span_text(params)),
            None => format!("replace {subject}"),
        };
        Some(
            Problem::error(codes::ARGUMENT_COUNT, format!("`{package}` replaces `{subject}` with other parameters"))
                .with_label(declared, "has other parameters")
                .with_label(call, format!("`{caller}` calls it with the old parameters"))
                .help(format!("keep the parameters: `{before} …`; or also replace its callers in `{package}`")),
        )
    }
}

/// Advice, depending on which of the two packages extends the other.
fn removal_help(word: &str, user: LayerId, remover: LayerId, line: &[&Game], layers: &Layers) -> String {
    let (using, removing) = (&line[user].id, &line[remover].id);
    if layers.descends_from(user, remover) {
        return format!("declare `{word}` in `{using}` again, or do without it");
    }
    if user == remover || layers.descends_from(remover, user) {
        return format!("also replace its uses in `{removing}`, or do not remove it");
    }
    let heir = layers.common_heir(&[user, remover]);
    format!("`{heir}` extends both: declare `{word}` there again, or leave out one of the two")
}
