//! What `check` refuses of the keys of sheets and scenarios, the schemas refuse, too: they are held against mistakes that
//! `cargo xtask self-test` makes. All of them are tried with `LUDEX_SCHEMA_MISTAKES=100000`.

#[path = "../../../../tests/as_json.rs"]
mod as_json;

use super::drawn::mistakes;
use as_json::json;
use jsonschema::Validator;
use ludex::tooling::{Common, Loaded, load, schema};
use ludex_engine::Compile;
use ludex_engine::library::Wanted;
use ludex_engine::program::Program;
use ludex_engine::yaml;
use std::collections::BTreeMap;

/// Classes of mistakes, and what they are made in.
const CLASSES: [(&str, &str); 4] = [
    ("key of a sheet misspelt", "sheet"),
    ("word for a number in a sheet", "sheet"),
    ("list for one in a sheet", "sheet"),
    ("key of a scenario misspelt", "scenario"),
];

fn of_game(loaded: &Loaded, game: &str, file: &str) -> Validator {
    let each = loaded.library.in_each_mode(game, &Wanted { open: true, ..Wanted::default() });
    let (programs, _) = loaded.library.compile_each(game, &each);
    let programs: Vec<(Option<String>, &Program)> = programs.iter().map(|(mode, program)| (mode.clone(), program)).collect();
    jsonschema::draft7::new(&schema(file, &programs).unwrap()).unwrap()
}

#[test]
fn mistakes_in_keys_are_refused_by_the_schemas() {
    let most = std::env::var("LUDEX_SCHEMA_MISTAKES").ok().and_then(|most| most.parse().ok()).unwrap_or(40);
    let loaded = load(&Common { no_local: true, ..Common::default() });
    let mut schemas: BTreeMap<(String, &str), Validator> = BTreeMap::new();
    let mut escaped = Vec::new();
    for (class, file) in CLASSES {
        let changes = mistakes(&loaded.library, class, most);
        assert!(changes.len() >= 20, "{class}: only {}", changes.len());
        for change in changes {
            let source = loaded.library.sources.get(change.source);
            let changed = change.applied(&source.text);
            let Some(game) = loaded.library.games_with(change.source).into_iter().next() else { continue };
            let schema = schemas.entry((game.clone(), file)).or_insert_with(|| of_game(&loaded, &game, file));
            // What is no YAML any longer is underlined by every editor.
            if let (Some(node), problems) = yaml::read(&changed, change.source)
                && problems.is_empty()
                && schema.is_valid(&json(&node))
            {
                let (before, after) = change.shown(&source.text);
                escaped.push(format!("{class}: {}:{}: `{before}` → `{after}`", source.name, change.line(&source.text)));
            }
        }
    }
    assert!(escaped.is_empty(), "{}:\n{}", escaped.len(), escaped.join("\n"));
}
