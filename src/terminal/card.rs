//! A card to read: what is printed on it, and what its abilities do.

use ludex_engine::program::{NONE, Print, Program, Shape, Value};
use ludex_engine::runtime::facts::printed_words;

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
    let facts = printed(program, print).into_iter().filter(|(shape, _, _)| !is_part(shape)).map(|(_, name, words)| (name, words));
    let facts = facts.map(|(name, words)| format!("{name} {words}"));
    let head: Vec<String> = std::iter::once(sheet.replace('_', " ")).chain(facts).collect();
    let mut lines = vec![format!("{}: {}", program.prints.text(print.name), head.join(", "))];
    lines.extend(parts(program, print).into_iter().map(|part| format!("  {part}")));
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

/// The parts of a card, such as its attacks: `Bite: damage 30`.
fn parts(program: &Program, print: &Print) -> Vec<String> {
    let columns = columns(program, print);
    let members = columns.iter().filter(|(shape, _, _)| is_part(shape)).flat_map(|(shape, _, value)| match shape {
        Shape::List(_) => program.prints.list(*value).to_vec(),
        _ => vec![*value],
    });
    let parts = members.filter_map(|part| program.prints.print(part));
    parts.map(|part| format!("{}: {}", program.prints.text(part.name), told(program, part))).collect()
}

/// `cost soul, soul, damage 30`
fn told(program: &Program, print: &Print) -> String {
    printed(program, print).into_iter().map(|(_, name, words)| format!("{name} {words}")).collect::<Vec<_>>().join(", ")
}

/// What a sheet prints that says something.
fn printed<'p>(program: &'p Program, print: &Print) -> Vec<(&'p Shape, String, String)> {
    let words = columns(program, print)
        .into_iter()
        .map(|(shape, name, value)| (shape, name.replace('_', " "), printed_words(program, shape, value)));
    words.filter(|(_, _, words)| !matches!(words.as_str(), "" | "none" | "no" | "0")).collect()
}

/// The columns that a sheet prints, with their values, but for those that say what goes without saying.
fn columns<'p>(program: &'p Program, print: &Print) -> Vec<(&'p Shape, &'p str, Value)> {
    let root = program.prints.sheets.get(usize::from(print.sheet)).map(|sheet| usize::from(sheet.root));
    let columns = root.and_then(|root| program.prints.sheets.get(root)).map_or(&[][..], |root| root.columns.as_slice());
    let lines = program.prints.printed(print.sheet).into_iter();
    let column = |line: ludex_engine::program::Printed| {
        let column = columns.get(usize::from(line.column))?;
        let value = print.values.get(usize::from(line.column)).copied().unwrap_or(NONE);
        (line.default != Some(value)).then_some((&column.shape, column.name.as_str(), value))
    };
    lines.filter_map(column).collect()
}

/// Whether values of a shape are parts with lines of their own.
fn is_part(shape: &Shape) -> bool {
    match shape {
        Shape::Sheet(_) => true,
        Shape::List(inner) | Shape::OrNone(inner) => is_part(inner),
        _ => false,
    }
}
