//! Clashes: unrelated layers have changed the same thing.

use super::{How, LayerId, Layers, Version};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, joined};

/// The thing that several layers have changed.
pub struct Contested {
    /// Its name for messages: `` `define points` ``.
    pub what: String,
    pub settle: Settle,
}

/// The way in which a common descendant decides which version counts.
pub enum Settle {
    /// A declaration: `replace define points …`.
    Declaration(String),
    /// A file with this name.
    Script(String),
    Sheet(String),
}

/// The error for versions of which none descends from all others.
pub fn clash<T>(versions: &[&Version<T>], contested: &Contested, layers: &Layers) -> Problem {
    let all: Vec<LayerId> = versions.iter().map(|version| version.layer).collect();
    let who: Vec<String> = all.iter().map(|layer| layers.words(*layer)).collect();
    let (both, change) = (if all.len() == 2 { "both" } else { "all" }, verb(versions));
    let message = format!("{} {both} {change} {}", joined(&who, "and"), contested.what);
    let problem = versions.iter().zip(&who).fold(Problem::error(codes::PACKAGES_CLASH, message), |problem, (version, who)| {
        problem.at(version.place, format!("{who} {} it here", words(version.how)))
    });
    problem.help(help(&all, &contested.settle, layers))
}

fn verb<T>(versions: &[&Version<T>]) -> &'static str {
    let declares = versions.iter().all(|version| version.how == How::Declares);
    if declares { "declare" } else { "change" }
}

fn words(how: How) -> &'static str {
    match how {
        How::Declares => "declares",
        How::Replaces => "replaces",
        How::Removes => "removes",
    }
}

fn help(all: &[LayerId], settle: &Settle, layers: &Layers) -> String {
    let heir = layers.heir(all);
    let mode = all.iter().find_map(|layer| layers.mode(*layer));
    let both = if all.len() == 2 { "both" } else { "all of them" };
    match (settle, mode) {
        (Settle::Declaration(words), None) => {
            format!("`{heir}` extends {both}: say there which one counts, with `{words}`")
        }
        (Settle::Declaration(words), Some(mode)) => {
            format!("say in `{heir}` which one counts, with `replace mode {mode} {{ {words} }}`")
        }
        (Settle::Script(id), None) => {
            format!("`{heir}` extends {both}: put a script `{id}.rhai` with a line `//! replaces` there")
        }
        (Settle::Script(id), Some(mode)) => {
            format!("put a script `{id}.rhai` with the lines `//! mode {mode}` and `//! replaces` into `{heir}`")
        }
        (Settle::Sheet(id), _) => {
            format!("`{heir}` extends {both}: put a sheet `{id}.yaml` with a line `replaces: true` there")
        }
    }
}
