//! Finds the sheets in a game's files: one in each, or several under `sheets:`.
//!
//! Each entry is a sheet of an entrant or of a card. The library keeps the parsed files; the entries refer to them.

use super::columns::unknown_sheet_problem;
use super::{SHEET_KEYS, read_card, read_entrant_sheet};
use ludex_program::{Program, SheetId, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, join_words};
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::yaml::{Key, Node, Value as Yaml};
use std::collections::{BTreeMap, BTreeSet};

/// A sheet in a file.
#[derive(Clone, Debug)]
pub struct SheetEntry<'n> {
    /// Its id: the name of the file, or its key under `sheets:`.
    pub id: String,
    /// Its file.
    pub source: SourceId,
    /// Its first place in the file.
    pub span: Span,
    /// Its lines.
    pub node: &'n Node,
    /// The file's `sheet`, the default for all its sheets.
    usual: Option<&'n Node>,
}

impl SheetEntry<'_> {
    /// The name of its declared sheet, if it is given.
    pub fn declared_sheet_name(&self) -> Option<&str> {
        match &self.find_line(SHEET_KEYS[0]).or(self.usual)?.value {
            Yaml::Text(name) => Some(name),
            _ => None,
        }
    }

    /// The value of a key in the sheet.
    pub fn find_line(&self, key: &str) -> Option<&Node> {
        let Yaml::Map(lines) = &self.node.value else { return None };
        lines.iter().find(|(known, _)| known.name == key).map(|(_, node)| node)
    }
}

/// The sheets of one file. `stem` is the name of the file, which is the id of a sheet that has a file to itself.
pub fn entries_in_file<'n>(stem: &str, source: SourceId, node: &'n Node) -> Vec<SheetEntry<'n>> {
    let Yaml::Map(lines) = &node.value else {
        return vec![SheetEntry { id: stem.to_string(), source, span: node.span, node, usual: None }];
    };
    let line = |name: &str| lines.iter().find(|(key, _)| key.name == name);
    let start = lines.first().map_or(node.span, |(key, _)| key.span);
    match line("sheets") {
        Some((_, Node { value: Yaml::Map(sheets), .. })) => {
            let usual = line("sheet").map(|(_, node)| node);
            let entry = |(key, node): &'n (Key, Node)| SheetEntry { id: key.name.clone(), source, span: key.span, node, usual };
            sheets.iter().map(entry).collect()
        }
        _ => vec![SheetEntry { id: stem.to_string(), source, span: start, node, usual: None }],
    }
}

/// Reads all sheets of a game into its program. Cards come first, because entrants may list them. Ids of sheets that cannot be read
/// are kept as unread, so that lists with them cause no further errors.
pub fn read_all_sheets(entries: &[SheetEntry], program: &mut Program, problems: &mut Vec<Problem>) {
    if program.sides.entrant.is_none() && program.prints.sheets.is_empty() {
        problems.extend(unread_sheets_problem(entries));
        return;
    }
    let before = problems.len();
    let mut known: BTreeMap<&str, Span> = BTreeMap::new();
    let mut sorted: Vec<(&SheetEntry, SheetUse)> = Vec::new();
    for entry in entries {
        if let Some(first) = known.insert(&entry.id, entry.span) {
            let problem = Problem::error(codes::NAME_TAKEN, format!("the name `{}` is taken", entry.id));
            problems.push(
                problem
                    .with_label(entry.span, "again here")
                    .with_label(first, "first here")
                    .help("give one of them another name"),
            );
            continue;
        }
        match entry_sheet_use(entry, program, problems) {
            Some(of) => sorted.push((entry, of)),
            None => program.prints.unread.ids.extend(possible_ids(entry)),
        }
    }
    let cards = |(_, of): &&(&SheetEntry, SheetUse)| matches!(of, SheetUse::Card(_));
    for (entry, of) in sorted.iter().filter(cards).chain(sorted.iter().filter(|sheet| !cards(sheet))) {
        match of {
            SheetUse::Card(sheet) => {
                if read_card(entry.node, entry.source, &entry.id, *sheet, program, problems).is_none() {
                    program.prints.unread.ids.extend(possible_ids(entry));
                }
            }
            SheetUse::Entrant(sheet) => {
                if let Some(sheet) = read_entrant_sheet(entry.node, entry.source, &entry.id, *sheet, program, problems) {
                    program.sheets.insert(entry.id.clone(), sheet);
                }
            }
        }
    }
    // An unreadable list may contain any of them.
    if !problems.iter().skip(before).any(Problem::is_error) && !program.prints.unread.any {
        report_unlisted_cards(&sorted, program, problems);
    }
}

/// The warning for the sheets of a game that reads none: one for all of them.
fn unread_sheets_problem(entries: &[SheetEntry]) -> Option<Problem> {
    let (first, others) = entries.split_first()?;
    let problem = Problem::warning(codes::SHEETS_UNREAD, "the game has no sheets, so these lines are never read");
    let remark = match others.len() {
        0 => "a sheet".to_string(),
        1 => "a sheet, and there is another one".to_string(),
        more => format!("a sheet, and there are {more} more"),
    };
    let help = "declare in the rules what sheets hold, as in `sheet character (characters) { … }` and `sides 2 of 1 character`, or remove the files";
    Some(problem.with_label(first.span, remark).help(help))
}

/// Warns of cards that no sheet lists, so that no side can bring them. If the rules have an admission condition, players may
/// bring their own sheets with any cards.
fn report_unlisted_cards(entries: &[(&SheetEntry, SheetUse)], program: &Program, problems: &mut Vec<Problem>) {
    if program.sides.admission.is_some() || program.sheets.is_empty() {
        return;
    }
    let zones = program.sheets.values().flat_map(|sheet| &sheet.zones);
    let listed: BTreeSet<Value> = zones.flat_map(|(_, pieces)| pieces.iter().filter_map(|piece| piece.print)).collect();
    for (entry, _) in entries.iter().filter(|(_, of)| matches!(of, SheetUse::Card(_))) {
        let print = program.prints.ids.get(&entry.id);
        if print.is_some_and(|print| !listed.contains(print)) {
            let message = format!("no sheet lists the card `{}`, so it is never in the game", entry.id);
            let problem = Problem::probable_warning(codes::CARD_IN_NO_DECK, message).with_label(entry.span, "in no deck");
            problems.push(problem.help(format!("write it in the list of a deck, as in `{}: 1`, or remove it", entry.id)));
        }
    }
}

/// The ids that an unreadable sheet may stand for: its own, or those of several sheets under one of its keys.
fn possible_ids(entry: &SheetEntry) -> Vec<String> {
    let mut ids = vec![entry.id.clone()];
    if let Yaml::Map(lines) = &entry.node.value {
        for (_, node) in lines {
            if let Yaml::Map(inner) = &node.value {
                ids.extend(inner.iter().map(|(key, _)| key.name.clone()));
            }
        }
    }
    ids
}

/// For each ability: the declared sheets of the files that list it. None stands for files that do not name their sheet.
pub type AbilityHolders = BTreeMap<String, BTreeSet<Option<String>>>;

/// Collects the sheets that list each ability.
pub fn ability_holders(entries: &[SheetEntry]) -> AbilityHolders {
    let mut found = AbilityHolders::new();
    for entry in entries {
        let Some(Yaml::List(abilities)) = entry.find_line("abilities").map(|node| &node.value) else { continue };
        let sheet = entry.declared_sheet_name().map(str::to_string);
        for ability in abilities {
            let name = match &ability.value {
                Yaml::Text(name) => Some(name),
                Yaml::Map(settings) => settings.first().map(|(key, _)| &key.name),
                _ => None,
            };
            if let Some(name) = name {
                found.entry(name.clone()).or_default().insert(sheet.clone());
            }
        }
    }
    found
}

/// The thing that a sheet describes, with its declared sheet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SheetUse {
    Entrant(Option<SheetId>),
    Card(SheetId),
}

/// Reports problems of files that do not belong to one of their sheets.
pub fn check_files<'n>(files: impl Iterator<Item = &'n Node>, problems: &mut Vec<Problem>) {
    files.for_each(|node| check_file(node, problems));
}

/// Checks that a file of several sheets has no keys except those that concern all of them.
fn check_file(node: &Node, problems: &mut Vec<Problem>) {
    let Yaml::Map(lines) = &node.value else { return };
    if !lines.iter().any(|(key, _)| key.name == "sheets") {
        return;
    }
    let Some(mut map) = node.as_map(problems, "the file") else { return };
    for key in ["name", "sheet", "game", "replaces", "note"] {
        map.optional_value(key);
    }
    if let Some(sheets) = map.optional_value("sheets") {
        sheets.as_entries(problems, "`sheets`");
    }
    map.finish(problems);
}

/// Whether an entry is of an entrant or a card, and its declared sheet: the one that it names, or the only possible one.
fn entry_sheet_use(entry: &SheetEntry, program: &Program, problems: &mut Vec<Problem>) -> Option<SheetUse> {
    let sheets = program.prints.sheets.iter().enumerate();
    let all: Vec<(SheetId, &str)> =
        sheets.filter(|(_, sheet)| sheet.kind.is_some()).map(|(sheet, info)| (sheet as SheetId, info.name.as_str())).collect();
    let names: Vec<&str> = all.iter().map(|(_, name)| *name).collect();
    let root = |sheet: SheetId| program.prints.sheets.get(usize::from(sheet)).map_or(sheet, |info| info.root);
    let sheet = match (entry.find_line(SHEET_KEYS[0]).or(entry.usual), all.as_slice()) {
        (Some(node), _) => {
            let name = node.as_text(problems, "`sheet`")?;
            match all.iter().find(|(_, known)| *known == name) {
                Some((sheet, _)) => *sheet,
                None => {
                    problems.push(unknown_sheet_problem(name, &names).with_label(node.span, "not declared"));
                    return None;
                }
            }
        }
        // Without sheets of cards, a file can only be an entrant's.
        (None, []) => return Some(SheetUse::Entrant(None)),
        (None, [(first, _), others @ ..]) if others.iter().all(|(other, _)| root(*other) == root(*first)) => root(*first),
        (None, _) => {
            let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let problem = Problem::error(codes::UNKNOWN_SHEET, format!("it is not clear which sheet `{}` is", entry.id));
            let problem = problem.with_label(entry.span, "`sheet` is missing beside this");
            problems.push(problem.help(format!("add a line `sheet: …` with {}", join_words(&quoted, "or"))));
            return None;
        }
    };
    let kind = program.prints.sheets[usize::from(sheet)].kind?;
    if program.is_printed(kind) {
        return Some(SheetUse::Card(sheet));
    }
    Some(SheetUse::Entrant(Some(sheet)))
}
