//! Clashes: unrelated layers have changed the same thing. A layer is a package, or its block for a mode. The error names a common
//! heir, a package that extends all packages involved and can say which version counts.

use super::{ChangeKind, LayerId, Layers, Version};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, join_words};

/// The thing that several layers have changed.
pub struct ContestedThing {
    /// Its name for messages: `` `define points` ``.
    pub what: String,
    /// The way to settle it.
    pub settle: ClashRemedy,
}

/// The way in which a common descendant decides which version counts.
pub enum ClashRemedy {
    /// A declaration: `replace define points …`.
    Declaration(String),
    /// A file with this name.
    Script(String),
    /// A sheet with this id.
    Sheet(String),
}

/// The error for versions of which none descends from all others.
pub fn clash_problem<T>(versions: &[&Version<T>], contested: &ContestedThing, layers: &Layers) -> Problem {
    let all: Vec<LayerId> = versions.iter().map(|version| version.layer).collect();
    let who: Vec<String> = all.iter().map(|layer| layers.layer_text(*layer)).collect();
    let (both, change) = (if all.len() == 2 { "both" } else { "all" }, clash_verb(versions));
    let message = format!("{} {both} {change} {}", join_words(&who, "and"), contested.what);
    let problem = versions.iter().zip(&who).fold(Problem::error(codes::PACKAGES_CLASH, message), |problem, (version, who)| {
        problem.with_label(version.place, format!("{who} {} it here", change_verb(version.how)))
    });
    problem.help(clash_help(&all, &contested.settle, layers))
}

/// The verb for the changes of several layers.
fn clash_verb<T>(versions: &[&Version<T>]) -> &'static str {
    let declares = versions.iter().all(|version| version.how == ChangeKind::Declares);
    if declares { "declare" } else { "change" }
}

/// The verb for the change of one layer.
fn change_verb(how: ChangeKind) -> &'static str {
    match how {
        ChangeKind::Declares => "declares",
        ChangeKind::Replaces => "replaces",
        ChangeKind::Removes => "removes",
    }
}

/// The advice where to settle a clash between these layers.
fn clash_help(all: &[LayerId], settle: &ClashRemedy, layers: &Layers) -> String {
    let heir = layers.common_heir(all);
    let mode = all.iter().find_map(|layer| layers.layer_mode(*layer));
    let both = if all.len() == 2 { "both" } else { "all of them" };
    match (settle, mode) {
        (ClashRemedy::Declaration(words), None) => {
            format!("`{heir}` extends {both}: say there which one counts, with `{words}`")
        }
        (ClashRemedy::Declaration(words), Some(mode)) => {
            format!("say in `{heir}` which one counts, with `replace mode {mode} {{ {words} }}`")
        }
        (ClashRemedy::Script(id), None) => {
            format!("`{heir}` extends {both}: put a script `{id}.rhai` with a line `//! replaces` there")
        }
        (ClashRemedy::Script(id), Some(mode)) => {
            format!("put a script `{id}.rhai` with the lines `//! mode {mode}` and `//! replaces` into `{heir}`")
        }
        (ClashRemedy::Sheet(id), _) => {
            format!("`{heir}` extends {both}: put a sheet `{id}.yaml` with a line `replaces: true` there")
        }
    }
}
