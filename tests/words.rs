//! Nothing of any game stands in the engine: the words of the bundled packages are looked for in its sources.
//!
//! Test modules may speak of games: they play them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Words that packages use too and that are no game's own.
const COMMON: &[(&str, &str)] = &[
    ("what the language itself speaks of", "dice die first last me nobody owner place play pool side size"),
    (
        "what any game has, in views, positions and libraries",
        "active card cards character deck draw drawing drawn draws hand outside pairs person played round rounds score \
         scores tie turn win wins won",
    ),
    (
        "words of Rust and of programs",
        "actions advance always amount at_once base body box capped counted covers declaration declarations declare \
         declared draft drafted event events exchange fails fixed flipped form hidden hit hits holder host hosts \
         initial item items join joined joins level limit line_of location lower_first mask match moment number \
         opponents optional origin part pending plan power prepare reaches readable ready rest result rolled shared \
         sign site spend start start_with starting starts_with step tag tags target targets total type_of use",
    ),
    (
        "plain English",
        "able acting again allowed alone announce back barred basic before begins below bite blocks both by carried \
         check chosen damaged deed division doubled down drawn due enter extra fall fit forget found fresh further \
         give_back given goes_on gone held joining kept known lacking larger lay_out leaving lend lender lent lost luck \
         made met monster more old once opener other out own partner past pick placed plain points reach refused \
         restored returned same seen separate settle settled share shown smaller spent strong theirs there up \
         used usual wait wanted worth",
    ),
];

/// Words after which a declaration names something.
const NAMING: [&str; 21] = [
    "ability", "action", "as", "counter", "define", "family", "game", "grant", "hook", "instead", "let", "mark", "offer",
    "option", "package", "piece", "scope", "sheet", "to", "trigger", "type",
];

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

// --- the words of the packages ------------------------------------------------------

/// Names and signs of a text in the rules language, without texts and comments.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    for line in text.lines() {
        let outside_texts: String = line.split('"').step_by(2).collect::<Vec<_>>().join(" \" ");
        let line = outside_texts.split('#').next().unwrap_or("");
        let mut word = String::new();
        for letter in line.chars().chain([' ']) {
            match letter {
                'a'..='z' | '0'..='9' | '_' => word.push(letter),
                '-' if !word.is_empty() => word.push('_'),
                other => {
                    if !word.is_empty() {
                        tokens.push(std::mem::take(&mut word));
                    }
                    if !other.is_whitespace() {
                        tokens.push(other.to_string());
                    }
                }
            }
        }
    }
    tokens
}

/// What a text in the rules language gives names to.
fn declared(text: &str) -> BTreeSet<String> {
    let tokens = tokens(text);
    let at = |index: Option<usize>| index.and_then(|index| tokens.get(index)).map_or("", String::as_str);
    let mut names = BTreeSet::new();
    // Whether a name of a list comes next, as in `zone starting, reserve:` and `is one of rock, paper`.
    let mut expected = false;
    for (index, token) in tokens.iter().enumerate() {
        let (before, after) = (at(index.checked_sub(1)), at(Some(index + 1)));
        let is_name = token.starts_with(|first: char| first.is_ascii_lowercase());
        // `move die to hand` names nothing, `to settle(die: die)` does.
        let named = match before {
            "to" => ["(", "{", ":"].contains(&after),
            _ => NAMING.contains(&before) || after == ":",
        };
        if is_name && (named || expected) {
            names.insert(token.clone());
        }
        expected = match token.as_str() {
            "zone" | "counter" => after != "of",
            "of" => before == "one" && at(index.checked_sub(2)) == "is",
            "," => expected,
            _ => expected && after == ",",
        };
    }
    names
}

/// The name in a sheet, and the parts of it that are words of their own.
fn parts(name: &str) -> Vec<String> {
    let whole = name.to_lowercase().replace([' ', '-'], "_");
    let own = whole.split('_').filter(|part| part.len() > 3).map(str::to_string).collect::<Vec<_>>();
    [vec![whole.clone()], own].concat()
}

/// The words of the language, which nothing can be called.
fn reserved() -> BTreeSet<String> {
    let reference = fs::read_to_string(root().join("rules/README.md")).unwrap();
    let listed = reference.lines().filter_map(|line| line.strip_prefix("> "));
    listed.flat_map(str::split_whitespace).map(str::to_string).collect()
}

/// Every word of the bundled packages.
fn packages() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for path in files(&root().join("rules"), &["ludex"]) {
        words.extend(declared(&fs::read_to_string(path).unwrap()));
    }
    for path in files(&root().join("scripts"), &["rhai"]) {
        let text = fs::read_to_string(&path).unwrap();
        // On one line, since a text may go on over several.
        let header = text.lines().filter_map(|line| line.strip_prefix("//!")).collect::<Vec<&str>>().join(" ");
        words.extend(declared(&header));
        words.insert(path.file_stem().unwrap().to_string_lossy().replace('-', "_"));
    }
    for path in files(&root().join("characters"), &["yaml"]) {
        words.extend(parts(&path.file_stem().unwrap().to_string_lossy()));
        let text = fs::read_to_string(&path).unwrap();
        words.extend(text.lines().filter_map(|line| line.strip_prefix("name:")).flat_map(|name| parts(name.trim())));
        // Of several sheets in a file only whole names: titles of cards are made of plain words.
        let inner = text.lines().filter_map(|line| line.trim_start().trim_start_matches("- {").strip_prefix("name:"));
        words.extend(inner.map(|name| name.split(',').next().unwrap_or(name).trim().to_lowercase().replace([' ', '-'], "_")));
    }
    words
}

// --- the words of the sources -------------------------------------------------------

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
fn shipped(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

/// A line in small letters, its words and names apart: `PlanetPower` as `planet_power`.
fn plain(line: &str) -> String {
    let mut plain = String::new();
    let mut before = ' ';
    for letter in line.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            plain.push('_');
        }
        plain.extend(letter.to_lowercase());
        before = letter;
    }
    plain.replace('-', "_")
}

/// Whether a line speaks of a word; names of several words may also stand apart.
fn speaks_of(line: &str, word: &str) -> bool {
    let stands = |word: &str| {
        line.match_indices(word).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + word.len()..].chars().next();
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        })
    };
    stands(word)
}

#[test]
fn the_engine_knows_no_game() {
    let reserved = reserved();
    let common: BTreeSet<&str> = COMMON.iter().flat_map(|(_, words)| words.split_whitespace()).collect();
    let words: Vec<String> =
        packages().into_iter().filter(|word| !common.contains(word.as_str()) && !reserved.contains(word)).collect();
    for known in [
        "power_attack",
        "planet_power",
        "sailor",
        "kunzite",
        "in_play",
        "victory_tokens",
        "captured",
        "dice_challenge",
        "refunded",
    ] {
        assert!(words.iter().any(|word| word == known), "`{known}` is a word of a package");
    }
    let mut sources = BTreeMap::new();
    for folder in ["engine/src", "validator/src"] {
        let found = files(&root().join(folder), &["rs", "pest"]);
        sources.extend(found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())));
    }
    let tests = test_modules(&sources);
    assert!(tests.iter().any(|path| path.ends_with("testing")), "test modules are known as such");
    let mut spoken = Vec::new();
    for (path, text) in &sources {
        if path.ancestors().any(|path| tests.contains(&path.with_extension(""))) {
            continue;
        }
        for (number, line) in shipped(text).lines().enumerate() {
            let line = plain(line);
            let of = words.iter().filter(|word| speaks_of(&line, word));
            let path = path.strip_prefix(root()).unwrap().display();
            spoken.extend(of.map(|word| format!("{path}:{}: `{word}` in {}", number + 1, line.trim())));
        }
    }
    assert!(spoken.is_empty(), "words of packages in the engine:\n{}", spoken.join("\n"));
}

#[test]
fn each_common_word_is_needed() {
    let words = packages();
    let idle: Vec<&str> =
        COMMON.iter().flat_map(|(_, words)| words.split_whitespace()).filter(|word| !words.contains(*word)).collect();
    assert_eq!(idle, [""; 0], "no package uses these words, so they need no exception");
}
