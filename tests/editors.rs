//! What editors know of the language is made of the grammar, and of the table of the functions of scripts. This makes it anew,
//! and fails where a file in `tools/editors/` says something else; `INSTA_UPDATE=always` writes it.

mod grammar_words;
mod textmate;
mod tree_sitter;

use grammar_words::Words;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The files that are made, with what they should say.
fn generated() -> Vec<(&'static str, String)> {
    let words = Words::read(ludex_grammar::GRAMMAR);
    let pretty = |value: serde_json::Value| format!("{value:#}\n");
    vec![
        ("tools/editors/vscode/syntaxes/ludex.tmLanguage.json", pretty(textmate::rules(&words))),
        ("tools/editors/vscode/syntaxes/ludex-script.tmLanguage.json", pretty(textmate::scripts())),
        ("tools/editors/tree-sitter-ludex/src/grammar.json", pretty(tree_sitter::rules(&words))),
        ("tools/editors/tree-sitter-ludex-script/src/grammar.json", pretty(tree_sitter::scripts())),
    ]
}

#[test]
fn what_editors_know_is_up_to_date() {
    let writes = std::env::var("INSTA_UPDATE").is_ok_and(|wish| wish == "always");
    for (path, wanted) in generated() {
        let place = root().join(path);
        if writes {
            std::fs::create_dir_all(place.parent().unwrap()).unwrap();
            std::fs::write(&place, &wanted).unwrap();
        }
        let found = std::fs::read_to_string(&place).unwrap_or_default();
        assert!(found == wanted, "{path} is stale: run this test with INSTA_UPDATE=always, and look at what has changed");
    }
}

#[test]
fn every_word_of_the_grammar_is_of_one_sort() {
    let words = Words::read(ludex_grammar::GRAMMAR);
    assert!(words.others.contains(&"seen".to_string()) && words.others.contains(&"family".to_string()));
    assert!(words.statements.contains(&"roll".to_string()) && words.reserved.contains(&"until".to_string()));
    assert!(words.builtins.contains(&"sum".to_string()) && words.builtins.contains(&"any".to_string()));
    let all: Vec<&String> = words.all().collect();
    assert!(all.len() > 150, "{}", all.len());
    for (index, word) in all.iter().enumerate() {
        assert!(!all[..index].contains(word), "`{word}` is of two sorts");
    }
}

#[test]
fn the_files_for_editors_are_json_and_name_files_that_are_there() {
    let folder = root().join("tools/editors/vscode");
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_str(&std::fs::read_to_string(folder.join(name)).unwrap())
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let package = read("package.json");
    let contributes = &package["contributes"];
    let named = contributes["grammars"].as_array().unwrap().iter().map(|grammar| &grammar["path"]);
    let named = named.chain(contributes["languages"].as_array().unwrap().iter().map(|language| &language["configuration"]));
    for path in named {
        let path = path.as_str().unwrap();
        assert!(folder.join(Path::new(path)).is_file(), "{path}");
        read(path);
    }
    // What the problem matcher takes apart is what `check --format concise` writes.
    let pattern = contributes["problemMatchers"][0]["pattern"]["regexp"].as_str().unwrap();
    assert_eq!(pattern, r"^(.+?):(\d+):(\d+): (error|warning) (LX\d{4})(?: \(probable\))? (.*)$");
}
