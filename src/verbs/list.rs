//! `ludex list`: the games, and where everything comes from.

use crate::cli::{Common, DONE, PROBLEMS};
use crate::layout::{Table, counted, paragraph};
use crate::load::Loaded;
use crate::output;
use ludex_engine::library::{BUNDLED, Game};
use ludex_engine::problem::Problem;
use ludex_engine::source::SourceId;
use ludex_engine::yaml::{Node, Value};
use serde_json::json;
use std::collections::BTreeMap;

/// Tell which games there are, and where each comes from
#[derive(clap::Args)]
pub struct Args {}

pub fn run(_args: Args, common: &Common) -> u8 {
    let loaded = common.load();
    output::problems(&loaded.problems, &loaded.library.sources);
    let games: Vec<Entry> =
        loaded.library.games().iter().filter_map(|id| loaded.library.game(id)).map(|game| Entry::new(game, &loaded)).collect();
    if common.json() {
        let games: Vec<_> = games.iter().map(Entry::json).collect();
        output::json(&json!({ "ludex": 1, "command": "list", "games": games }));
    } else {
        output::print(&text(&games));
    }
    if loaded.problems.iter().any(Problem::is_error) { PROBLEMS } else { DONE }
}

/// One game as it is listed.
struct Entry<'a> {
    game: &'a Game,
    characters: Vec<Item>,
    abilities: Vec<Item>,
}

/// A sheet or script with the library it came from.
struct Item {
    id: String,
    from: String,
    /// It is a file of the game that this one extends.
    inherited: bool,
    /// The lists of a sheet that are not from the rules, with where they are from.
    unprinted: BTreeMap<String, String>,
}

impl<'a> Entry<'a> {
    fn new(game: &'a Game, loaded: &Loaded) -> Entry<'a> {
        let library = &loaded.library;
        let parent = game.extends.as_deref().unwrap_or_default();
        let inherited: Vec<SourceId> =
            library.sheets(parent).into_values().chain(library.scripts(parent).into_values()).collect();
        let items = |sources: BTreeMap<String, SourceId>| {
            sources
                .into_iter()
                .map(|(id, source)| Item {
                    id,
                    from: library.origin(source).to_string(),
                    inherited: inherited.contains(&source),
                    unprinted: library.sheet(source).map(unprinted).unwrap_or_default(),
                })
                .collect()
        };
        let characters = items(library.sheets(&game.id));
        let abilities = items(library.scripts(&game.id));
        Entry { game, characters, abilities }
    }

    fn json(&self) -> serde_json::Value {
        let items = |items: &[Item]| -> Vec<serde_json::Value> {
            items.iter().map(|item| json!({ "id": item.id, "from": item.from, "not_from_rules": item.unprinted })).collect()
        };
        let abilities: Vec<_> = self.abilities.iter().map(|item| json!({ "id": item.id, "from": item.from })).collect();
        json!({
            "id": self.game.id,
            "title": self.game.title,
            "from": self.game.library,
            "extends": self.game.extends,
            "characters": items(&self.characters),
            "abilities": abilities,
        })
    }

    fn about(&self) -> Vec<String> {
        let mut lines = Vec::new();
        // A game may do without both.
        if !self.characters.is_empty() || !self.abilities.is_empty() {
            lines.push(format!(
                "{}, {}",
                counted(self.characters.len(), "character", "characters"),
                counted(self.abilities.len(), "ability", "abilities")
            ));
        }
        if let Some(parent) = &self.game.extends {
            lines.push(format!("changes {parent}"));
        }
        lines.extend(self.added_elsewhere());
        let unprinted = self.characters.iter().filter(|item| !item.unprinted.is_empty()).count();
        if unprinted > 0 {
            lines.push(format!("* not from the rules: parts of {}", counted(unprinted, "character", "characters")));
        }
        lines
    }

    /// What other libraries than the game's own have added.
    fn added_elsewhere(&self) -> Vec<String> {
        let mut added: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let items = self.characters.iter().chain(&self.abilities);
        for item in items.filter(|item| item.from != self.game.library && !item.inherited) {
            added.entry(&item.from).or_default().push(&item.id);
        }
        added.into_iter().map(|(from, ids)| format!("from {}: {}", place(from), ids.join(", "))).collect()
    }
}

fn text(games: &[Entry]) -> String {
    if games.is_empty() {
        return "There are no games.\n".to_string();
    }
    let mut table = Table::default();
    for entry in games {
        table.row([entry.game.id.as_str(), &format!("{} ({})", entry.game.title, place(&entry.game.library))]);
        for line in entry.about() {
            table.row([String::new(), line]);
        }
    }
    let mut text = format!("{}\n{}", output::heading("Games"), table.text());
    let marked = games.iter().flat_map(|entry| &entry.characters).any(|item| !item.unprinted.is_empty());
    text.push('\n');
    if marked {
        text.push_str(&paragraph("`ludex show GAME` marks each part that is not from the rules.", 0));
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

/// The lists of a sheet whose provenance is another than the rules.
fn unprinted(sheet: &Node) -> BTreeMap<String, String> {
    let Value::Map(entries) = &sheet.value else { return BTreeMap::new() };
    let provenance = entries.iter().find(|(key, _)| key.name == "provenance").map(|(_, node)| &node.value);
    let Some(Value::Map(lists)) = provenance else { return BTreeMap::new() };
    let mut found = BTreeMap::new();
    for (key, node) in lists {
        if let Value::Text(word) = &node.value
            && word != "seed"
        {
            found.insert(key.name.clone(), word.clone());
        }
    }
    found
}
