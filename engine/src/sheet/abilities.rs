//! The abilities that a file lists.

use super::MOST_NAMED;
use super::columns::Said;
use crate::codes;
use crate::problem::{Problem, joined, nearest};
use crate::program::{AbilityId, Program};
use crate::source::Span;
use crate::yaml::{Node, Value as Yaml};

/// An ability that is listed, and what the file sets for its parameters.
pub(super) type Named = (AbilityId, Option<Vec<(u16, Said)>>);

pub(super) fn read(program: &Program, node: &Node, problems: &mut Vec<Problem>) -> Vec<Named> {
    let Some(list) = node.as_list(problems, "`abilities`") else { return Vec::new() };
    let mut found: Vec<(Named, Span)> = Vec::new();
    for node in list {
        let Some((name, span)) = ability_name(program, node, problems) else { continue };
        let Some(id) = program.ability(name) else {
            problems.push(unknown_ability(program, name, span));
            continue;
        };
        match found.iter().find(|((known, _), _)| *known == id) {
            Some((_, first)) => problems.push(
                Problem::error(codes::ABILITY_TWICE, format!("the ability `{name}` is given twice"))
                    .at(span, "given again")
                    .at(*first, "given here")
                    .help("remove one of the two"),
            ),
            None => found.push(((id, None), span)),
        }
    }
    found.into_iter().map(|(named, _)| named).collect()
}

/// `big-hop`, or `{big-hop: {setting: value}}`.
fn ability_name<'n>(program: &Program, node: &'n Node, problems: &mut Vec<Problem>) -> Option<(&'n str, Span)> {
    match &node.value {
        Yaml::Map(entries) => match entries.as_slice() {
            [(key, settings)] => {
                check_settings(program, &key.name, settings, problems);
                Some((&key.name, key.span))
            }
            _ => {
                let problem = Problem::error(codes::YAML_TYPE, "one entry of `abilities` names one ability")
                    .at(node.span, format!("has {} keys", entries.len()));
                problems.push(problem.help("write `- ability: {setting: value}`, each ability on its own line"));
                None
            }
        },
        _ => node.as_text(problems, "an ability").map(|name| (name, node.span)),
    }
}

fn check_settings(program: &Program, ability: &str, settings: &Node, problems: &mut Vec<Problem>) {
    if settings.value == Yaml::Null || program.ability(ability).is_none() {
        return;
    }
    let Some(entries) = settings.as_entries(problems, "the settings of an ability") else { return };
    for (key, _) in entries {
        problems.push(
            Problem::error(codes::UNKNOWN_SETTING, format!("`{ability}` has no setting `{}`", key.name))
                .at(key.span, "not known here")
                .help(format!("`{ability}` is used as it is: write it without settings")),
        );
    }
}

fn unknown_ability(program: &Program, name: &str, span: Span) -> Problem {
    let known: Vec<&str> = program.abilities.iter().map(|ability| ability.id.as_str()).collect();
    let titled = program.abilities.iter().find(|ability| ability.title.eq_ignore_ascii_case(name));
    let problem = Problem::error(codes::UNKNOWN_ABILITY, format!("there is no ability `{name}`")).at(span, "not known");
    match titled.map(|ability| ability.id.as_str()).or_else(|| nearest(name, known.iter().copied())) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None if known.len() > MOST_NAMED => problem
            .help(format!("`ludex show {} abilities` lists them; a script `{name}.rhai` would make a new one", program.game)),
        None if known.is_empty() => problem.help(format!("the game has none; a script `{name}.rhai` would make it")),
        None => {
            let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            problem.help(format!("there are {}; a script `{name}.rhai` would make a new one", joined(&known, "and")))
        }
    }
}

/// Keeps what a file sets for an ability's parameters; its place among all that is printed.
pub(super) fn keep_settings(
    _program: &mut Program,
    _ability: AbilityId,
    _settings: Option<Vec<(u16, Said)>>,
    _source: crate::source::SourceId,
) -> Option<crate::program::Value> {
    None
}
