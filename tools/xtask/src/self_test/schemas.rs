//! What `check` refuses of the keys of sheets and scenarios, the schemas refuse, too: they are held against mistakes that
//! `cargo xtask self-test` makes. All of them are tried with `LUDEX_SCHEMA_MISTAKES=100000`.

#[path = "../../../../tests/as_json.rs"]
mod as_json;

use super::drawn::mistakes;
use as_json::json;
use jsonschema::Validator;
use ludex::tooling::{CommonArgs, LoadedLibraries, file_schema, open_libraries};
use ludex_engine::Compile;
use ludex_engine::library::CompileRequest;
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

fn of_game(loaded: &LoadedLibraries, game: &str, file: &str) -> Validator {
    let each = loaded.library.requests_by_mode(game, &CompileRequest { open: true, ..CompileRequest::default() });
    let (programs, _) = loaded.library.compile_each(game, &each);
    let programs: Vec<(Option<String>, &Program)> = programs.iter().map(|(mode, program)| (mode.clone(), program)).collect();
    jsonschema::draft7::new(&file_schema(file, &programs).unwrap()).unwrap()
}

#[test]
fn mistakes_in_keys_are_refused_by_the_schemas() {
    let most = std::env::var("LUDEX_SCHEMA_MISTAKES").ok().and_then(|most| most.parse().ok()).unwrap_or(40);
    let loaded = open_libraries(&CommonArgs { no_local: true, ..CommonArgs::default() });
    let mut schemas: BTreeMap<(String, &str), Validator> = BTreeMap::new();
    let mut escaped = Vec::new();
    for (class, file) in CLASSES {
        let changes = mistakes(&loaded.library, class, most);
        assert!(changes.len() >= 20, "{class}: only {}", changes.len());
        for change in changes {
            let source = loaded.library.sources.get(change.source);
            let changed = change.apply_to(&source.text);
            let Some(game) = loaded.library.games_of_source(change.source).into_iter().next() else { continue };
            let schema = schemas.entry((game.clone(), file)).or_insert_with(|| of_game(&loaded, &game, file));
            // What is no YAML any longer is underlined by every editor.
            if let (Some(node), problems) = yaml::parse_document(&changed, change.source)
                && problems.is_empty()
                && schema.is_valid(&json(&node))
            {
                let (before, after) = change.before_and_after(&source.text);
                escaped.push(format!("{class}: {}:{}: `{before}` → `{after}`", source.name, change.start_line(&source.text)));
            }
        }
    }
    assert!(escaped.is_empty(), "{}:\n{}", escaped.len(), escaped.join("\n"));
}
