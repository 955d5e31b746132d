//! Nothing of any game stands in the engine: the ids and titles of the bundled games, sheets and abilities are looked for
//! in its sources.
//!
//! Test modules may speak of games: they play them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Ids and titles that are plain English words, too.
const PLAIN: [&str; 3] = ["alone", "hidden", "past"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All files under a folder with one of these endings, in order.
pub fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, endings));
        } else if path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

// --- the names of the packages ------------------------------------------------------

/// The id and the title in a line that declares a game, a package or an ability: `ability hop "Hop"`.
fn declared(line: &str, sorts: &[&str]) -> Vec<String> {
    let mut words = line.split_whitespace();
    if !words.next().is_some_and(|sort| sorts.contains(&sort)) {
        return Vec::new();
    }
    words.next().into_iter().chain(line.split('"').nth(1)).map(plain).collect()
}

/// The ids and names in a file of sheets. Blocks inside a sheet, such as attacks, have names that are no sheet's.
fn sheets(path: &Path, text: &str) -> Vec<String> {
    let depth = if text.lines().any(|line| line == "sheets:") { 2 } else { 0 };
    let indented = |line: &&str| line.len() - line.trim_start().len() == depth;
    let id = |line: &str| line.trim().strip_suffix(':').filter(|id| *id != "sheets").map(plain);
    let name = |line: &str| line.trim().strip_prefix("name:").map(plain);
    let names = text.lines().filter(|line| line.len() - line.trim_start().len() == depth * 2).filter_map(name);
    match depth {
        0 => names.chain([plain(&path.file_stem().unwrap().to_string_lossy())]).collect(),
        _ => names.chain(text.lines().filter(indented).filter_map(id)).collect(),
    }
}

/// The ids and titles of the bundled games, sheets and abilities.
fn names() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for path in files(&root().join("rules"), &["ludex"]) {
        let text = fs::read_to_string(path).unwrap();
        names.extend(text.lines().flat_map(|line| declared(line, &["game", "package"])));
    }
    for path in files(&root().join("scripts"), &["rhai"]) {
        let text = fs::read_to_string(path).unwrap();
        let header = text.lines().filter_map(|line| line.strip_prefix("//!"));
        names.extend(header.flat_map(|line| declared(line, &["ability"])));
    }
    for path in files(&root().join("characters"), &["yaml"]) {
        names.extend(sheets(&path, &fs::read_to_string(&path).unwrap()));
    }
    names.remove("");
    names
}

// --- the sources -------------------------------------------------------

/// Modules that are there for tests only.
fn test_modules(sources: &BTreeMap<PathBuf, String>) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for (path, text) in sources {
        let folder = match path.file_stem().unwrap().to_str() {
            Some("lib" | "main") => path.parent().unwrap().to_path_buf(),
            _ => path.with_extension(""),
        };
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for pair in lines.windows(2) {
            if pair[0] == "#[cfg(test)]"
                && let Some(name) =
                    pair[1].trim_start_matches("pub ").strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';'))
            {
                found.insert(folder.join(name));
            }
        }
    }
    found
}

/// A source as it ships: without the tests at its end.
pub fn shipped(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

/// A line or a name in small letters, with its words apart: `PlanetPower` and `Planet Power!` as `planet_power`.
fn plain(line: &str) -> String {
    let mut plain = String::new();
    let mut before = ' ';
    for letter in line.chars() {
        let starts_a_word = letter.is_uppercase() && before.is_lowercase();
        if (starts_a_word || !letter.is_alphanumeric()) && !plain.ends_with('_') {
            plain.push('_');
        }
        if letter.is_alphanumeric() {
            plain.extend(letter.to_lowercase());
        }
        before = letter;
    }
    plain.trim_matches('_').to_string()
}

/// The names in a plain line, each of at most `longest` words.
fn names_in<'n>(line: &str, names: &'n BTreeSet<String>, longest: usize) -> impl Iterator<Item = &'n String> {
    let words: Vec<&str> = line.split('_').collect();
    let runs = (0..words.len()).flat_map(|from| (from + 1..=words.len().min(from + longest)).map(move |to| from..to));
    let found: BTreeSet<&String> = runs.filter_map(|run| names.get(&words[run].join("_"))).collect();
    found.into_iter()
}

#[test]
fn the_engine_knows_no_game() {
    let mut names = names();
    for known in ["dice_challenge", "sailor_mercury", "power_body", "planet_power", "king_s_hologram", "kings_hologram"] {
        assert!(names.contains(known), "`{known}` is a name of a package");
    }
    let mut sources = BTreeMap::new();
    for folder in [
        "engine/syntax/grammar/src",
        "engine/syntax/src",
        "engine/program/src",
        "engine/compiler/src",
        "engine/src",
        "validator/src",
    ] {
        let found = files(&root().join(folder), &["rs", "pest"]);
        sources.extend(found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())));
    }
    let tests = test_modules(&sources);
    assert!(tests.iter().any(|path| path.ends_with("testing")), "test modules are known as such");
    names.retain(|name| !PLAIN.contains(&name.as_str()));
    let longest = names.iter().map(|name| name.split('_').count()).max().unwrap_or(0);
    let found: Vec<_> = names_in("a_sailor_mercury_of_dice_challenge", &names, longest).collect();
    assert_eq!(found, ["dice_challenge", "mercury", "sailor_mercury"]);
    let mut spoken = Vec::new();
    for (path, text) in &sources {
        if path.ancestors().any(|path| tests.contains(&path.with_extension(""))) {
            continue;
        }
        for (number, line) in shipped(text).lines().enumerate() {
            let path = path.strip_prefix(root()).unwrap().display();
            let words = plain(line);
            let found = names_in(&words, &names, longest);
            spoken.extend(found.map(|name| format!("{path}:{}: `{name}` in {}", number + 1, line.trim())));
        }
    }
    assert!(spoken.is_empty(), "names of packages in the engine:\n{}", spoken.join("\n"));
}

#[test]
fn each_plain_word_is_a_name() {
    let names = names();
    assert!(PLAIN.iter().all(|word| names.contains(*word)), "an exception that nothing needs any more");
}
