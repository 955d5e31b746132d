mod kinds;

use crate::cli::{Common, DONE, PROBLEMS};
use crate::layout::{Table, counted, paragraph};
use crate::load::Loaded;
use crate::output;
use kinds::Kinds;
use ludex_engine::library::{BUNDLED, Game};
use ludex_engine::problem::{Problem, joined};
use ludex_engine::sheet::{self, Entry};
use ludex_engine::source::SourceId;
use ludex_engine::yaml::Value;
use serde_json::json;
use std::collections::BTreeMap;

/// Of more that another library has added, only how many there are is told.
const MOST_NAMED: usize = 8;

/// Tell which games there are, and where each part of them comes from
#[derive(clap::Args)]
pub struct Args {}

pub fn run(_args: Args, common: &Common) -> u8 {
    let loaded = common.load();
    output::errors(&loaded.problems, &loaded.library.sources);
    let games: Vec<Listed> =
        loaded.library.games().iter().filter_map(|id| loaded.library.game(id)).map(|game| Listed::new(game, &loaded)).collect();
    if common.json() {
        let games: Vec<_> = games.iter().map(Listed::json).collect();
        output::json(&json!({ "ludex": 1, "command": "list", "games": games }));
    } else {
        output::print(&text(&games));
    }
    if loaded.problems.iter().any(Problem::is_error) { PROBLEMS } else { DONE }
}

/// One game as it is listed.
struct Listed<'a> {
    game: &'a Game,
    kinds: Kinds<'a>,
    sheets: Vec<Item<'a>>,
    abilities: Vec<Item<'a>>,
}

/// A sheet or an ability with the library it came from.
struct Item<'a> {
    id: String,
    from: &'a str,
    /// It is of a file of the game that this one extends.
    inherited: bool,
    /// Of a sheet: which of the game's sheets it is.
    kind: Option<&'a str>,
    /// The lines of a sheet that are not from the rules, with where they are from.
    unprinted: BTreeMap<String, String>,
}

impl<'a> Listed<'a> {
    fn new(game: &'a Game, loaded: &'a Loaded) -> Listed<'a> {
        let library = &loaded.library;
        let kinds = Kinds::new(library.rules(&game.id));
        let parent = game.extends.as_deref().unwrap_or_default();
        let inherited: Vec<SourceId> =
            library.sheets(parent).into_values().chain(library.scripts(parent).into_values()).collect();
        let item = |id: String, source: SourceId| {
            let (from, inherited) = (library.origin(source), inherited.contains(&source));
            Item { id, from, inherited, kind: None, unprinted: BTreeMap::new() }
        };
        let mut sheets = Vec::new();
        for (stem, source) in library.sheets(&game.id) {
            let entries = library.sheet(source).map_or(Vec::new(), |node| sheet::entries(&stem, source, node));
            let sheet = |entry: Entry| {
                let (kind, unprinted) = (kinds.of(&entry), unprinted(&entry));
                Item { kind, unprinted, ..item(entry.id, source) }
            };
            sheets.extend(entries.into_iter().map(sheet));
        }
        let abilities = library.scripts(&game.id).into_iter().map(|(id, source)| item(id, source)).collect();
        Listed { game, kinds, sheets, abilities }
    }

    fn json(&self) -> serde_json::Value {
        let sheet =
            |item: &Item| json!({ "id": item.id, "sheet": item.kind, "from": item.from, "not_from_rules": item.unprinted });
        let (brought, others): (Vec<&Item>, Vec<&Item>) = self.sheets.iter().partition(|item| self.kinds.is_brought(item.kind));
        let abilities: Vec<_> = self.abilities.iter().map(|item| json!({ "id": item.id, "from": item.from })).collect();
        json!({
            "id": self.game.id,
            "title": self.game.title,
            "from": self.game.library,
            "extends": self.game.extends,
            "characters": brought.into_iter().map(sheet).collect::<Vec<_>>(),
            "sheets": others.into_iter().map(sheet).collect::<Vec<_>>(),
            "abilities": abilities,
        })
    }

    fn about(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut counts = self.counted(&self.sheets.iter().collect::<Vec<_>>());
        if !counts.is_empty() || !self.abilities.is_empty() {
            counts.push(counted(self.abilities.len(), "ability", "abilities"));
            lines.push(counts.join(", "));
        }
        if let Some(parent) = &self.game.extends {
            lines.push(format!("changes {parent}"));
        }
        lines.extend(self.added_elsewhere());
        let unprinted: Vec<&Item> = self.sheets.iter().filter(|item| !item.unprinted.is_empty()).collect();
        if !unprinted.is_empty() {
            lines.push(format!("* not from the rules: parts of {}", joined(&self.counted(&unprinted), "and")));
        }
        lines
    }

    /// `6 decks`, `124 cards`.
    fn counted(&self, sheets: &[&Item]) -> Vec<String> {
        self.kinds.counted(&sheets.iter().map(|item| item.kind).collect::<Vec<_>>())
    }

    /// What other libraries than the game's own have added.
    fn added_elsewhere(&self) -> Vec<String> {
        let is_added = |item: &&Item| item.from != self.game.library && !item.inherited;
        let mut added: BTreeMap<&str, (Vec<&Item>, Vec<&Item>)> = BTreeMap::new();
        self.sheets.iter().filter(is_added).for_each(|item| added.entry(item.from).or_default().0.push(item));
        self.abilities.iter().filter(is_added).for_each(|item| added.entry(item.from).or_default().1.push(item));
        let told = |(from, (sheets, abilities)): (&str, (Vec<&Item>, Vec<&Item>))| {
            let mut words: Vec<String> = sheets.iter().chain(&abilities).map(|item| item.id.clone()).collect();
            if words.len() > MOST_NAMED {
                words = self.counted(&sheets);
                words.extend((!abilities.is_empty()).then(|| counted(abilities.len(), "ability", "abilities")));
            }
            format!("from {}: {}", place(from), words.join(", "))
        };
        added.into_iter().map(told).collect()
    }
}

fn text(games: &[Listed]) -> String {
    if games.is_empty() {
        return "There are no games.\n".to_string();
    }
    let mut table = Table::default();
    for listed in games {
        table.row([listed.game.id.as_str(), &format!("{} ({})", listed.game.title, place(&listed.game.library))]);
        for line in listed.about() {
            table.row([String::new(), line]);
        }
    }
    let mut text = format!("{}\n{}", output::heading("Games"), table.text());
    let marked = games.iter().flat_map(|listed| &listed.sheets).any(|item| !item.unprinted.is_empty());
    text.push('\n');
    if marked {
        text.push_str(&paragraph("`ludex show` marks each part that is not from the rules.", 0));
    }
    text.push_str("`ludex play GAME` starts a game.\n");
    text
}

/// A library as people read it.
pub(super) fn place(library: &str) -> &str {
    match library {
        BUNDLED => "bundled",
        "." => "this folder",
        folder => folder,
    }
}

/// The lines of a sheet whose provenance is another than the rules.
fn unprinted(sheet: &Entry) -> BTreeMap<String, String> {
    let Some(Value::Map(lines)) = sheet.line("provenance").map(|node| &node.value) else { return BTreeMap::new() };
    let mut found = BTreeMap::new();
    for (key, node) in lines {
        if let Value::Text(word) = &node.value
            && word != "seed"
        {
            found.insert(key.name.clone(), word.clone());
        }
    }
    found
}
