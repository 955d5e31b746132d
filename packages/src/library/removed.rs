//! What is unknown because a package has removed it: whoever reads that it is unknown must see where it went.

use super::{Game, Library};
use crate::codes;
use crate::problem::Problem;
use ludex_language::compose::{LayerId, Layers, Removed};

/// Codes of names that are not known.
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
    /// A problem about a name that a package has removed: with the place, and with what to do where one package uses what
    /// another has removed.
    pub(super) fn with_removal(&self, mut problem: Problem, removed: &[Removed], line: &[&Game], layers: &Layers) -> Problem {
        let Some((place, remark)) = problem.labels.first_mut().filter(|_| UNKNOWN.contains(&problem.code)) else {
            return problem;
        };
        let word = self.sources.slice(*place).trim_matches(['"', '\'']).to_string();
        let Some(gone) = removed.iter().find(|gone| gone.name == word && gone.place != *place) else { return problem };
        let Some(user) = line.iter().position(|game| game.holds(place.source)) else { return problem };
        *remark = format!("`{}` uses it", line[user].id);
        problem.help = Some(help(&word, user, gone.package, line, layers));
        problem.at(gone.place, format!("{} removes it here", gone.by))
    }
}

/// What to do, by who knows of whom.
fn help(word: &str, user: LayerId, remover: LayerId, line: &[&Game], layers: &Layers) -> String {
    let (using, removing) = (&line[user].id, &line[remover].id);
    if layers.descends(user, remover) {
        return format!("declare `{word}` in `{using}` again, or do without it");
    }
    if user == remover || layers.descends(remover, user) {
        return format!("replace in `{removing}` what uses it, too, or do not remove it");
    }
    let heir = layers.heir(&[user, remover]);
    format!("`{heir}` extends both: declare `{word}` there again, or leave out one of the two")
}
