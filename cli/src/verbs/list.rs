//! `ludex list`: the games, with the library that each part of them comes from. Nothing is compiled, so that games with errors
//! are listed too. A library is a folder or a packed file; a kind is a sort of sheets that the rules declare.

pub(super) mod kinds;
pub(super) mod libraries;

use crate::args::CommonArgs;
use crate::exit::{DONE, PROBLEMS};
use crate::layout::{Table, count_text, paragraph_text};
use crate::load::{LoadedLibraries, slashed_path};
use crate::output;
use crate::stop::Stop;
use kinds::Kinds;
pub(super) use libraries::library_name;
use ludex_engine::library::Game;
use ludex_engine::problem::{Problem, join_words};
use ludex_engine::sheet::SheetEntry;
use ludex_engine::source::SourceId;
use ludex_engine::yaml::Value;
use ludex_validator::report::problem_json;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Maximum number of additions of another library that are named; of more, only the counts are shown.
const MOST_NAMED: usize = 8;

/// The columns of the CSV output.
const CSV: [&str; 5] = ["game", "what", "id", "title", "from"];

/// List the games, and where each part of them comes from
#[derive(clap::Args)]
pub struct Args {
    /// Only the games for which this folder or packed library has files
    #[arg(value_name = "DIR|ZIP")]
    library: Option<PathBuf>,
}

pub fn run(args: Args, common: &CommonArgs) -> Result<u8, Stop> {
    let mut common = common.clone();
    common.libraries.extend(args.library.clone());
    let mut loaded = common.load_libraries();
    let libraries = loaded.problems_of_libraries();
    let is_wrong = libraries.iter().any(Problem::is_error);
    if !common.is_json() {
        output::print_errors(&libraries, &loaded.library.sources);
        loaded.remark_on_errors();
    }
    let sources = &loaded.library.sources;
    let ids = match &args.library {
        Some(library) => loaded.library.games_of_library(&slashed_path(library)),
        None => loaded.library.game_ids(),
    };
    let games: Vec<GameListing> =
        ids.iter().filter_map(|id| loaded.library.find_game(id)).map(|game| GameListing::new(game, &loaded)).collect();
    if common.is_json() {
        let games: Vec<_> = games.iter().map(GameListing::to_json).collect();
        let problems: Vec<_> = loaded.all_problems().iter().map(|problem| problem_json(problem, sources)).collect();
        output::print_json(&json!({
            "ludex": 1,
            "command": "list",
            "games": games,
            "libraries": libraries::libraries_json(&loaded.library, None),
            "problems": problems,
        }));
    } else if common.is_csv() {
        output::print_csv(&CSV, &games.iter().flat_map(GameListing::csv_rows).collect::<Vec<_>>());
    } else {
        // An unreadable library may hold games, so an empty list may be wrong.
        if !games.is_empty() || !is_wrong {
            output::print_paged(&list_text(&games, &libraries::libraries_text(&loaded.library)), common.no_pager);
        }
    }
    Ok(if is_wrong { PROBLEMS } else { DONE })
}

/// A game in the list.
struct GameListing<'a> {
    game: &'a Game,
    /// The games it extends, then the game itself.
    line: Vec<&'a Game>,
    kinds: Kinds<'a>,
    sheets: Vec<Item<'a>>,
    abilities: Vec<Item<'a>>,
}

/// A sheet or an ability with its library.
struct Item<'a> {
    id: String,
    from: &'a str,
    /// True if it comes from a file of a game that this one extends.
    inherited: bool,
    /// For an ability, the only mode that has it.
    mode: Option<String>,
    /// For a sheet, its kind among the game's sheets.
    kind: Option<&'a str>,
    /// The lines of a sheet that do not come from the rules, with their sources.
    unprinted: BTreeMap<String, String>,
}

impl<'a> GameListing<'a> {
    fn new(game: &'a Game, loaded: &'a LoadedLibraries) -> GameListing<'a> {
        let library = &loaded.library;
        let kinds = Kinds(library.declared_sheets(&game.id));
        let item = |id: String, source: SourceId| {
            let (from, inherited) = (library.source_library(source), !game.has_file(source));
            Item { id, from, inherited, mode: None, kind: None, unprinted: BTreeMap::new() }
        };
        let sheet = |entry: SheetEntry| {
            let (kind, unprinted) = (kinds.kind_of(&entry), find_non_rule_lines(&entry));
            Item { kind, unprinted, ..item(entry.id, entry.source) }
        };
        let sheets = library.game_sheets(&game.id).into_iter().map(sheet).collect();
        let of_modes = library.mode_script_files(&game.id).into_iter();
        let of_modes = of_modes.map(|((mode, id), source)| Item { mode: Some(mode), ..item(id, source) });
        let usual = library.script_files(&game.id).into_iter().map(|(id, source)| item(id, source));
        let line = library.package_line(&game.id);
        GameListing { game, line, kinds, sheets, abilities: usual.chain(of_modes).collect() }
    }

    fn to_json(&self) -> serde_json::Value {
        let sheet =
            |item: &Item| json!({ "id": item.id, "sheet": item.kind, "from": item.from, "not_from_rules": item.unprinted });
        let (brought, others): (Vec<&Item>, Vec<&Item>) = self.sheets.iter().partition(|item| self.kinds.is_brought(item.kind));
        let ability = |item: &Item| json!({ "id": item.id, "from": item.from, "mode": item.mode });
        let abilities: Vec<_> = self.abilities.iter().map(ability).collect();
        json!({
            "id": self.game.id,
            "title": self.game.title,
            "from": self.game.library,
            "extends": parent_ids(&self.line),
            "characters": brought.into_iter().map(sheet).collect::<Vec<_>>(),
            "sheets": others.into_iter().map(sheet).collect::<Vec<_>>(),
            "abilities": abilities,
        })
    }

    /// A row for the game, one for each sheet and one for each ability.
    fn csv_rows(&self) -> Vec<Vec<String>> {
        let row = |what: &str, id: &str, title: &str, from: &str| {
            [self.game.id.as_str(), what, id, title, from].map(str::to_string).to_vec()
        };
        let sheets = self.sheets.iter().map(|item| row(item.kind.unwrap_or("sheet"), &item.id, "", item.from));
        let abilities = self.abilities.iter().map(|item| row("ability", &item.id, "", item.from));
        let game = row("game", &self.game.id, &self.game.title, &self.game.library);
        std::iter::once(game).chain(sheets).chain(abilities).collect()
    }

    /// The lines below a game: its counts, what it extends, and what other libraries add.
    fn detail_lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut counts = self.sheet_count_texts(&self.sheets.iter().collect::<Vec<_>>());
        if !counts.is_empty() || !self.abilities.is_empty() {
            counts.push(ability_count_text(&self.abilities.iter().collect::<Vec<_>>()));
            lines.push(counts.join(", "));
        }
        lines.extend(extends_text(&self.line));
        lines.extend(self.addition_lines());
        let unprinted: Vec<&Item> = self.sheets.iter().filter(|item| !item.unprinted.is_empty()).collect();
        if !unprinted.is_empty() {
            lines.push(format!("* not from the rules: parts of {}", join_words(&self.sheet_count_texts(&unprinted), "and")));
        }
        lines
    }

    /// `6 decks`, `124 cards`.
    fn sheet_count_texts(&self, sheets: &[&Item]) -> Vec<String> {
        self.kinds.count_texts(&sheets.iter().map(|item| item.kind).collect::<Vec<_>>())
    }

    /// The additions of libraries other than the game's own.
    fn addition_lines(&self) -> Vec<String> {
        let is_added = |item: &&Item| item.from != self.game.library && !item.inherited;
        let mut added: BTreeMap<&str, (Vec<&Item>, Vec<&Item>)> = BTreeMap::new();
        self.sheets.iter().filter(is_added).for_each(|item| added.entry(item.from).or_default().0.push(item));
        self.abilities.iter().filter(is_added).for_each(|item| added.entry(item.from).or_default().1.push(item));
        let told = |(from, (sheets, abilities)): (&str, (Vec<&Item>, Vec<&Item>))| {
            let mut words: Vec<String> = sheets.iter().chain(&abilities).map(|item| item.name_text()).collect();
            if words.len() > MOST_NAMED {
                words = self.sheet_count_texts(&sheets);
                words.extend((!abilities.is_empty()).then(|| ability_count_text(&abilities)));
            }
            format!("from {}: {}", library_name(from), words.join(", "))
        };
        added.into_iter().map(told).collect()
    }
}

impl Item<'_> {
    fn name_text(&self) -> String {
        match &self.mode {
            Some(mode) => format!("{} (in {mode})", self.id),
            None => self.id.clone(),
        }
    }
}

/// The number of abilities; one that a mode replaces counts once.
fn ability_count_text(abilities: &[&Item]) -> String {
    let ids: BTreeSet<&str> = abilities.iter().map(|item| item.id.as_str()).collect();
    count_text(ids.len(), "ability", "abilities")
}

/// The games that a game extends. `line` has the games that it extends, and then itself.
pub(super) fn parent_ids<'a>(line: &[&'a Game]) -> Vec<&'a str> {
    line.iter().rev().skip(1).rev().map(|game| game.id.as_str()).collect()
}

/// `extends pond, marsh and lake`
pub(super) fn extends_text(line: &[&Game]) -> Option<String> {
    let parents = parent_ids(line);
    (!parents.is_empty()).then(|| format!("extends {}", join_words(&parents, "and")))
}

/// The list of games, and the libraries with a manifest.
fn list_text(games: &[GameListing], libraries: &str) -> String {
    if games.is_empty() {
        return "There are no games.\n".to_string();
    }
    let mut table = Table::default();
    for listed in games {
        table.add_row([listed.game.id.as_str(), &format!("{} ({})", listed.game.title, library_name(&listed.game.library))]);
        for line in listed.detail_lines() {
            table.add_row([String::new(), line]);
        }
    }
    let mut text = format!("{}\n{}", output::heading_text("Games"), table.to_text());
    let marked = games.iter().flat_map(|listed| &listed.sheets).any(|item| !item.unprinted.is_empty());
    text.push('\n');
    text.push_str(libraries);
    if marked {
        text.push_str(&paragraph_text("`ludex show` marks each part that is not from the rules.", 0));
    }
    text.push_str("`ludex play GAME` starts a game.\n");
    text
}

/// The lines of a sheet that do not come from the rules, with their provenance. A sheet's `provenance` says so; `seed` there
/// means the rules.
fn find_non_rule_lines(sheet: &SheetEntry) -> BTreeMap<String, String> {
    let Some(Value::Map(lines)) = sheet.find_line("provenance").map(|node| &node.value) else { return BTreeMap::new() };
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
