//! Reads the abilities that a file lists.
//!
//! The rules or scripts declare abilities; a file lists the ones that its entrant or card has. A setting is the file's value for a
//! parameter of an ability, kept as a print of the ability's own settings sheet.

use super::MOST_NAMED;
use super::columns::{self, Columns, SheetValue};
use ludex_program::{AbilityId, Print, Program, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::{Near, Problem, closest_match, join_words};
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::yaml::{Node, Value as Yaml};
use std::collections::BTreeMap;

/// A listed ability, and the file's settings for its parameters.
pub(super) type NamedAbility = (AbilityId, Option<Vec<(u16, SheetValue)>>);

/// Reads the list under `abilities`. Reports unknown and repeated ones; those of other modes are left out.
pub(super) fn read_abilities(program: &Program, node: &Node, problems: &mut Vec<Problem>) -> Vec<NamedAbility> {
    let Some(list) = node.as_list(problems, "`abilities`") else { return Vec::new() };
    let mut found: Vec<(NamedAbility, Span)> = Vec::new();
    for node in list {
        let Some((name, span, settings)) = ability_name(node, problems) else { continue };
        // It belongs to another mode.
        if program.absent_abilities.contains(name) {
            continue;
        }
        let Some(id) = program.ability_by_id(name) else {
            problems.push(unknown_ability_problem(program, name, span));
            continue;
        };
        match found.iter().find(|((known, _), _)| *known == id) {
            Some((_, first)) => problems.push(
                Problem::error(codes::ABILITY_TWICE, format!("the ability `{name}` is given twice"))
                    .with_label(span, "given again")
                    .with_label(*first, "given here")
                    .help("remove one of the two"),
            ),
            None => found.push(((id, read_settings(program, id, span, settings, problems)), span)),
        }
    }
    found.into_iter().map(|(named, _)| named).collect()
}

/// Reads `big-hop`, or `{big-hop: {setting: value}}`: the name, its place, and the settings.
fn ability_name<'n>(node: &'n Node, problems: &mut Vec<Problem>) -> Option<(&'n str, Span, Option<&'n Node>)> {
    match &node.value {
        Yaml::Map(entries) => match entries.as_slice() {
            [(key, settings)] => Some((&key.name, key.span, Some(settings).filter(|settings| settings.value != Yaml::Null))),
            _ => {
                let problem = Problem::error(codes::YAML_TYPE, "each entry of `abilities` names one ability")
                    .with_label(node.span, format!("has {} keys", entries.len()));
                problems.push(problem.help("write `- ability: {setting: value}`, each ability on its own line"));
                None
            }
        },
        _ => node.as_text(problems, "an ability").map(|name| (name, node.span, None)),
    }
}

/// Reads a sheet's settings for an ability's parameters, by column. The value of a single parameter is written alone:
/// `{big-hop: 3}`. None if the ability has no parameters. `span` is the place of its name.
fn read_settings(
    program: &Program,
    ability: AbilityId,
    span: Span,
    given: Option<&Node>,
    problems: &mut Vec<Problem>,
) -> Option<Vec<(u16, SheetValue)>> {
    let info = &program.abilities[usize::from(ability)];
    let columns = Columns { program, sheet: info.settings };
    let known = columns.all_columns();
    let mut settings: Vec<(u16, SheetValue)> = Vec::new();
    match (given, known.as_slice()) {
        (None, _) => {}
        (Some(node), [(printed, column)]) if !matches!(node.value, Yaml::Map(_)) => {
            settings.extend(columns.read_column(column, node, problems).map(|said| (printed.column, said)));
            return Some(settings);
        }
        (Some(node), _) => {
            let entries = node.as_entries(problems, "the settings of an ability")?;
            for (key, node) in entries {
                match columns.find_column(&key.name) {
                    Some((printed, column)) => {
                        settings
                            .push((printed.column, columns.read_column(column, node, problems).unwrap_or(SheetValue::Value(0))));
                    }
                    None => problems.push(unknown_setting_problem(&info.id, &key.name, key.span, columns)),
                }
            }
        }
    }
    for (_, column) in known.iter().filter(|(printed, _)| printed.default.is_none()) {
        if !settings
            .iter()
            .any(|(given, _)| columns.find_column(&column.name).is_some_and(|(printed, _)| printed.column == *given))
        {
            let message = format!("`{}` needs its setting `{}`", info.id, column.name);
            let problem = Problem::error(codes::MISSING_VALUE, message).with_label(span, "not set here");
            problems.push(problem.help(format!("write `- {}: {{{}: …}}`", info.id, column.name)));
        }
    }
    info.settings.map(|_| settings)
}

/// The error for a setting that an ability does not have.
fn unknown_setting_problem(ability: &str, name: &str, span: Span, columns: Columns) -> Problem {
    let problem =
        Problem::error(codes::UNKNOWN_SETTING, format!("`{ability}` has no setting `{name}`")).with_label(span, "not known here");
    let known: Vec<String> = columns.all_columns().into_iter().map(|(_, column)| column.name.clone()).collect();
    match (known.is_empty(), closest_match(name, known.iter().map(String::as_str))) {
        (true, _) => problem.help(format!("`{ability}` has no settings: write its name alone")),
        (false, Some(near)) => problem.suggest_near(near),
        (false, None) => {
            let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            problem.help(format!("it has the settings {}", join_words(&known, "and")))
        }
    }
}

/// The error for an ability that does not exist.
fn unknown_ability_problem(program: &Program, name: &str, span: Span) -> Problem {
    let known: Vec<&str> = program.abilities.iter().map(|ability| ability.id.as_str()).collect();
    let titled = program.abilities.iter().find(|ability| ability.title.eq_ignore_ascii_case(name));
    let problem = Problem::error(codes::UNKNOWN_ABILITY, format!("there is no ability `{name}`"))
        .with_label(span, "not known")
        .with_subject(name);
    match titled.map(|ability| Near::sole_match(name, &ability.id)).or_else(|| closest_match(name, known.iter().copied())) {
        Some(near) => problem.suggest_near(near),
        None if known.len() > MOST_NAMED => problem
            .help(format!("`ludex show {} abilities` lists them; a script `{name}.rhai` would make a new one", program.game)),
        None if known.is_empty() => problem.help(format!("the game has no abilities; a script `{name}.rhai` would make one")),
        None => {
            let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            problem.help(format!("there are {}; a script `{name}.rhai` would make a new one", join_words(&known, "and")))
        }
    }
}

/// Adds a file's settings for an ability to the prints, as a print of its settings sheet. Returns the print's index; none if the
/// ability has no parameters.
pub(super) fn store_settings(
    program: &mut Program,
    ability: AbilityId,
    settings: Option<Vec<(u16, SheetValue)>>,
    source: SourceId,
) -> Option<Value> {
    let sheet = program.abilities[usize::from(ability)].settings?;
    let values = columns::row_values(&mut program.prints, sheet, settings.unwrap_or_default(), source);
    let id = program.abilities[usize::from(ability)].id.clone();
    Some(program.prints.add_print(Print {
        id,
        name: 0,
        sheet,
        values,
        abilities: Vec::new(),
        provenance: BTreeMap::new(),
        note: None,
        source,
    }))
}
