//! A card to read: what is printed on it, and what its abilities do.

use crate::layout::spaced;
use ludex_engine::program::{FieldInfo, NONE, Print, Printed, Program, Shape, Value};
use ludex_engine::runtime::facts::{Fact, printed_fact};

/// Fewer cards than these are read in full; of more only the names are told.
const MOST_READ: usize = 5;

/// The lines of the cards that are called so, or that have the words in their names.
pub fn read(program: &Program, words: &str) -> Vec<String> {
    let words = words.trim().to_lowercase();
    let cards = || program.prints.ids.values().filter_map(|print| program.prints.print(*print));
    let name = |print: &Print| program.prints.text(print.name).to_lowercase();
    let mut found: Vec<&Print> = cards().filter(|print| name(print) == words).collect();
    if found.is_empty() {
        found = cards().filter(|print| name(print).contains(&words)).collect();
    }
    match found.len() <= MOST_READ {
        true => found.into_iter().flat_map(|print| card(program, print)).collect(),
        false => {
            let mut names: Vec<&str> = found.into_iter().map(|print| program.prints.text(print.name)).collect();
            names.dedup();
            vec![format!("which of these? {}", names.join(", "))]
        }
    }
}

/// `Otter: ally; health 80`, then a line for each part and each ability.
fn card(program: &Program, print: &Print) -> Vec<String> {
    let sheet = program.prints.sheets.get(usize::from(print.sheet)).map_or("", |sheet| sheet.name.as_str());
    let (parts, plain): (Vec<Column>, Vec<Column>) =
        columns(program, print).into_iter().partition(|(column, _)| is_part(&column.shape));
    let head: Vec<String> = std::iter::once(spaced(sheet)).chain(facts(program, &plain)).collect();
    let mut lines = vec![format!("{}: {}", program.prints.text(print.name), head.join(", "))];
    lines.extend(
        parts
            .into_iter()
            .flat_map(|(column, value)| members(program, &column.shape, value))
            .map(|part| format!("  {}: {}", program.prints.text(part.name), told(program, part))),
    );
    let abilities = print.abilities.iter().filter_map(|listed| {
        let ability = program.abilities.get(usize::from(listed.ability))?;
        let settings = listed.settings.and_then(|settings| program.prints.print(settings));
        let settings = settings.map(|settings| told(program, settings)).filter(|told| !told.is_empty());
        let settings = settings.map(|told| format!(" ({told})")).unwrap_or_default();
        Some(format!("  {}{settings}: {}", ability.title, ability.text))
    });
    lines.extend(abilities);
    lines
}

/// The parts that stand in a column, such as attacks.
fn members<'p>(program: &'p Program, shape: &Shape, value: Value) -> Vec<&'p Print> {
    let members = match shape {
        Shape::List(_) => program.prints.list(value),
        _ => &[value],
    };
    members.iter().filter_map(|part| program.prints.print(*part)).collect()
}

/// `cost soul, soul, damage 30`
fn told(program: &Program, print: &Print) -> String {
    facts(program, &columns(program, print)).collect::<Vec<_>>().join(", ")
}

/// What columns say, as far as they say something.
fn facts(program: &Program, columns: &[Column]) -> impl Iterator<Item = String> {
    let facts = columns.iter().map(|(column, value)| printed_fact(program, column, *value));
    facts.filter(Fact::tells).map(|fact| fact.words())
}

/// What a sheet prints in a column.
type Column<'p> = (&'p FieldInfo, Value);

/// The columns that a sheet prints, but for those that say what goes without saying.
fn columns<'p>(program: &'p Program, print: &Print) -> Vec<Column<'p>> {
    let column = |(printed, column): (Printed, &'p FieldInfo)| {
        let value = print.values.get(usize::from(printed.column)).copied().unwrap_or(NONE);
        (printed.default != Some(value)).then_some((column, value))
    };
    program.prints.columns(print.sheet).into_iter().filter_map(column).collect()
}

/// Whether values of a shape are parts with lines of their own.
fn is_part(shape: &Shape) -> bool {
    match shape {
        Shape::Sheet(_) => true,
        Shape::List(inner) | Shape::OrNone(inner) => is_part(inner),
        _ => false,
    }
}
