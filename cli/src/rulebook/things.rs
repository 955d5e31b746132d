//! Things to read: the print of a card or a sheet, the text of an ability, the faces of a die.
//!
//! A print is the data that a sheet gives to a card or entrant, one value for each column of its sheet. `rules WORD`, and the
//! command `rules` in play, read things by name.

use crate::layout::readable_name;
use ludex_engine::problem::count_alike;
use ludex_engine::program::{
    AbilityInfo, FieldInfo, ListedAbility, NONE, Print, PrintedLine, PrintedPiece, Program, Shape, Sheet, Value,
};
use ludex_engine::runtime::facts::{Fact, printed_fact};

/// Maximum number of things shown in full. Beyond it only the names are listed.
const MOST_READ: usize = 5;

/// A thing with a name.
enum Thing<'p> {
    Card(&'p Print),
    Entrant(&'p Sheet),
    Ability(&'p AbilityInfo),
}

/// The lines of the things with this name, or with the words in their names.
pub fn find_thing_lines(program: &Program, words: &str) -> Vec<String> {
    let words = words.trim().to_lowercase();
    if words.is_empty() {
        return Vec::new();
    }
    if let Some(die) = die_text(program, &words) {
        return vec![die];
    }
    let known = all_things(program);
    let mut found: Vec<&Thing> = known.iter().filter(|thing| thing.is_called(program, &words)).collect();
    if found.is_empty() {
        found = known.iter().filter(|thing| thing.thing_name(program).to_lowercase().contains(&words)).collect();
    }
    // A card already shows its own ability.
    let read: Vec<&str> =
        found.iter().filter(|thing| !matches!(thing, Thing::Ability(_))).map(|thing| thing.thing_name(program)).collect();
    found.retain(|thing| !matches!(thing, Thing::Ability(ability) if read.contains(&ability.title.as_str())));
    match found.len() <= MOST_READ {
        true => found.into_iter().flat_map(|thing| thing.thing_lines(program)).collect(),
        false => {
            let mut names: Vec<&str> = found.into_iter().map(|thing| thing.thing_name(program)).collect();
            names.dedup();
            vec![format!("which of these? {}", names.join(", "))]
        }
    }
}

/// Everything that can be read by name: entrants, then cards, then abilities.
fn all_things(program: &Program) -> Vec<Thing<'_>> {
    let entrants = program.sheets.values().map(Thing::Entrant);
    let cards = program.prints.ids.values().filter_map(|print| program.prints.find_print(*print)).map(Thing::Card);
    entrants.chain(cards).chain(program.abilities.iter().map(Thing::Ability)).collect()
}

impl Thing<'_> {
    /// Its name for players.
    fn thing_name<'s>(&'s self, program: &'s Program) -> &'s str {
        match self {
            Thing::Card(print) => program.prints.printed_text(print.name),
            Thing::Entrant(sheet) => &sheet.name,
            Thing::Ability(ability) => &ability.title,
        }
    }

    /// Whether words in lower case are its name or its id.
    fn is_called(&self, program: &Program, words: &str) -> bool {
        let id = match self {
            Thing::Card(print) => &print.id,
            Thing::Entrant(sheet) => &sheet.id,
            Thing::Ability(ability) => &ability.id,
        };
        self.thing_name(program).to_lowercase() == words || id == words
    }

    /// Everything there is to read about it.
    fn thing_lines(&self, program: &Program) -> Vec<String> {
        match self {
            Thing::Card(print) => card_lines(program, print),
            Thing::Entrant(sheet) => entrant_lines(program, sheet),
            Thing::Ability(ability) => vec![format!("{}{}: {}", ability.title, uses_text(program, ability), ability.text)],
        }
    }
}

/// The faces of `d6` or `d%`.
fn die_text(program: &Program, words: &str) -> Option<String> {
    if let Some(kind) = program.faces.iter().find(|kind| kind.title.to_lowercase() == words) {
        return Some(format!("{}: shows {}", kind.title, kind.values_text()));
    }
    let size: u32 = words.strip_prefix('d')?.parse().ok().filter(|size| *size > 0)?;
    Some(match size {
        1 => "d1: shows 1".to_string(),
        _ => format!("d{size}: shows 1 to {size}"),
    })
}

/// `Otter: swimmer; pond d6 d8`, followed by a line for each ability.
fn entrant_lines(program: &Program, sheet: &Sheet) -> Vec<String> {
    let kind = program.kind(sheet.kind);
    let mut head = vec![readable_name(&kind.name)];
    head.extend(zone_texts(program, sheet));
    let shown = sheet
        .fields
        .iter()
        .filter_map(|(index, value)| Some(printed_fact(program, kind.fields.get(usize::from(*index))?, *value)));
    head.extend(shown.filter(Fact::has_content).map(|fact| fact.fact_text()));
    let columns = program.prints.find_print(sheet.print).map_or(Vec::new(), |print| printed_columns(program, print));
    head.extend(fact_texts(program, &columns));
    let mut lines = vec![format!("{}: {}", sheet.name, head.join("; "))];
    lines.extend(sheet.note.iter().map(|note| format!("  {note}")));
    lines.extend(ability_lines(program, &sheet.abilities));
    lines
}

/// The contents of each of an entrant's zones: `starting d4 d8 d8`.
pub fn zone_texts(program: &Program, sheet: &Sheet) -> Vec<String> {
    let kind = program.kind(sheet.kind);
    let zone = |(zone, pieces): &(u16, Vec<PrintedPiece>)| {
        let name = &kind.zones.get(usize::from(*zone))?.name;
        let names: Vec<String> = pieces.iter().map(|piece| piece_name(program, piece)).collect();
        let told = match pieces.iter().all(|piece| piece.print.is_none()) {
            true => names.join(" "),
            false => count_alike(names.iter().map(String::as_str)).join(", "),
        };
        (!told.is_empty()).then(|| format!("{} {told}", readable_name(name)))
    };
    sheet.zones.iter().filter_map(zone).collect()
}

/// A one-line summary of an entrant before play: the contents of its zones, and its abilities.
pub fn entrant_summary(program: &Program, sheet: &Sheet) -> String {
    let titles = sheet.abilities.iter().filter_map(|listed| program.abilities.get(usize::from(listed.ability)));
    let titles: Vec<String> = titles.map(|ability| ability.title.clone()).collect();
    let dice = sheet.zones.iter().any(|(_, pieces)| pieces.iter().any(|piece| piece.print.is_none()));
    let zones = if dice { zone_texts(program, sheet) } else { Vec::new() };
    // Space is short, and all of it is dice.
    let zones = zones.into_iter().map(|zone| zone.replace(" d", " "));
    let parts: Vec<String> = zones.chain([titles.join(", ")]).filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}

/// The name of a printed piece: that of a card, or the title of a die.
fn piece_name(program: &Program, piece: &PrintedPiece) -> String {
    match piece.print.and_then(|print| program.prints.find_print(print)) {
        Some(print) => program.prints.printed_text(print.name).to_string(),
        None => program.die_title(piece.kind, piece.size, piece.marks).unwrap_or_else(|| format!("d{}", piece.size)),
    }
}

/// The limits of an ability: ` (1 per match)`.
fn uses_text(program: &Program, ability: &AbilityInfo) -> String {
    let scope = |id: u16| program.procedures.get(usize::from(id)).map_or("match", |procedure| &procedure.name);
    let limits = ability.uses.iter().map(|limit| format!("{} per {}", limit.times, readable_name(scope(limit.per))));
    let limits: Vec<String> = limits.collect();
    if limits.is_empty() { String::new() } else { format!(" ({})", limits.join(", ")) }
}

/// A line for each listed ability, with its settings on this sheet.
fn ability_lines(program: &Program, listed: &[ListedAbility]) -> Vec<String> {
    let line = |listed: &ListedAbility| {
        let ability = program.abilities.get(usize::from(listed.ability))?;
        let settings = listed.settings.and_then(|settings| program.prints.find_print(settings));
        let settings = settings.map(|settings| facts_text(program, settings)).filter(|told| !told.is_empty());
        let settings = settings.map(|told| format!(" ({told})")).unwrap_or_default();
        Some(format!("  {}{settings}: {}", ability.title, ability.text))
    };
    listed.iter().filter_map(line).collect()
}

/// The shown facts of a card, by the id of its sheet, in the words used on the table: `health 80`, `points 1`.
pub fn card_facts(program: &Program, sheet: &str) -> Vec<String> {
    let Some(print) = program.prints.ids.get(sheet).and_then(|print| program.prints.find_print(*print)) else {
        return Vec::new();
    };
    let is_told = |column: &&FieldInfo| column.shown && !is_part(&column.shape);
    let told: Vec<Column> = printed_columns(program, print).into_iter().filter(|(column, _)| is_told(column)).collect();
    fact_texts(program, &told).collect()
}

/// `Otter: ally; health 80`, followed by a line for each part and each ability.
fn card_lines(program: &Program, print: &Print) -> Vec<String> {
    let sheet = program.prints.sheets.get(usize::from(print.sheet)).map_or("", |sheet| sheet.name.as_str());
    let (parts, plain): (Vec<Column>, Vec<Column>) =
        printed_columns(program, print).into_iter().partition(|(column, _)| is_part(&column.shape));
    let head: Vec<String> = std::iter::once(readable_name(sheet)).chain(fact_texts(program, &plain)).collect();
    let mut lines = vec![format!("{}: {}", program.prints.printed_text(print.name), head.join(", "))];
    lines.extend(
        parts
            .into_iter()
            .flat_map(|(column, value)| column_parts(program, &column.shape, value))
            .map(|part| format!("  {}: {}", program.prints.printed_text(part.name), facts_text(program, part))),
    );
    lines.extend(ability_lines(program, &print.abilities));
    lines
}

/// The parts in a column, such as attacks.
fn column_parts<'p>(program: &'p Program, shape: &Shape, value: Value) -> Vec<&'p Print> {
    let members = match shape {
        Shape::List(_) => program.prints.printed_list(value),
        _ => &[value],
    };
    members.iter().filter_map(|part| program.prints.find_print(*part)).collect()
}

/// The facts of a print in one line: `cost soul, soul, damage 30`.
fn facts_text(program: &Program, print: &Print) -> String {
    fact_texts(program, &printed_columns(program, print)).collect::<Vec<_>>().join(", ")
}

/// The facts in columns, without empty ones.
fn fact_texts(program: &Program, columns: &[Column]) -> impl Iterator<Item = String> {
    let facts = columns.iter().map(|(column, value)| printed_fact(program, column, *value));
    facts.filter(Fact::has_content).map(|fact| fact.fact_text())
}

/// A column and its printed value.
type Column<'p> = (&'p FieldInfo, Value);

/// The columns that a sheet prints, without default values.
fn printed_columns<'p>(program: &'p Program, print: &Print) -> Vec<Column<'p>> {
    let column = |(printed, column): (PrintedLine, &'p FieldInfo)| {
        let value = print.values.get(usize::from(printed.column)).copied().unwrap_or(NONE);
        (printed.default != Some(value)).then_some((column, value))
    };
    program.prints.sheet_columns(print.sheet).into_iter().filter_map(column).collect()
}

/// Whether values of a shape are parts with lines of their own.
fn is_part(shape: &Shape) -> bool {
    match shape {
        Shape::Sheet(_) => true,
        Shape::List(inner) | Shape::OrNone(inner) => is_part(inner),
        _ => false,
    }
}
