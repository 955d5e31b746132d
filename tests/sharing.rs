//! What a variant changes, what the files of a game look like, and what shells and the manual know of the command line.

use crate::as_json::json;
use crate::engine_names_no_game::files;
use crate::support::{Folder, ludex, run};
use ludex_engine::source::SourceId;
use ludex_engine::yaml;
use serde_json::Value;
use std::path::Path;

/// The games of the repository, each with the library it is in.
fn games() -> Vec<(String, Vec<String>)> {
    let listed = |more: &[&str]| {
        let listed: Value = serde_json::from_str(&ludex(&[&["list", "--format", "json"], more].concat()).stdout).unwrap();
        let ids = listed["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap().to_string());
        ids.collect::<Vec<_>>()
    };
    let classics = format!("{}/examples/classics", env!("CARGO_MANIFEST_DIR"));
    let bundled = listed(&[]);
    let all = listed(&["--library", &classics]);
    let more = |game: &String| if bundled.contains(game) { Vec::new() } else { vec!["--library".to_string(), classics.clone()] };
    all.iter().map(|game| (game.clone(), more(game))).collect()
}

fn schema(game: &str, more: &[String], file: &str) -> jsonschema::Validator {
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    let printed = ludex(&[&["schema", game, file], more.as_slice()].concat());
    assert_eq!(printed.status, 0, "{game} {file}: {}", printed.stderr);
    let schema: Value = serde_json::from_str(&printed.stdout).unwrap();
    assert!(jsonschema::draft7::meta::is_valid(&schema), "{game} {file}");
    jsonschema::draft7::new(&schema).unwrap()
}

/// A file as an editor reads it, in which calls such as `turn(active: 0)` need no quotes.
fn read(path: &Path) -> Value {
    parsed(&std::fs::read_to_string(path).unwrap())
}

fn parsed(text: &str) -> Value {
    let (node, problems) = yaml::parse_document(text, SourceId(0));
    assert!(problems.is_empty(), "{problems:?}");
    json(&node.unwrap())
}

/// The files of a kind that a game has itself.
fn own_files(game: &str, more: &[String], folder: &str) -> Vec<std::path::PathBuf> {
    let root = more.last().map_or(env!("CARGO_MANIFEST_DIR"), String::as_str);
    files(&Path::new(root).join(folder.replace("GAME", game)), &["yaml"])
}

#[test]
fn every_sheet_and_scenario_fits_the_schema_of_its_game() {
    let mut count = 0;
    for (game, more) in games() {
        for (folder, file) in [("characters/GAME", "sheet"), ("rules/GAME/scenarios", "scenario")] {
            let schema = schema(&game, &more, file);
            for path in own_files(&game, &more, folder) {
                let wrong: Vec<String> =
                    schema.iter_errors(&read(&path)).map(|error| format!("{} at {}", error, error.instance_path())).collect();
                let shown: Vec<String> = wrong.iter().map(|error| error.chars().take(600).collect()).collect();
                assert!(wrong.is_empty(), "{}: {}", path.display(), shown.join("\n"));
                count += 1;
            }
        }
    }
    assert!(count > 150, "only {count} files");
}

/// Misspells each key of a value in turn, and puts a value of another sort in the place of each. Keys that name things of the
/// writer's own, below those listed, are left alone.
fn mutants(value: &Value, found: &mut Vec<Value>, rebuild: &dyn Fn(Value) -> Value) {
    let Value::Object(entries) = value else { return };
    for (key, inner) in entries {
        let with = |changed_key: &str, changed: Value| {
            let entries = entries.iter().map(|(known, old)| match known == key {
                true => (changed_key.to_string(), changed.clone()),
                false => (known.clone(), old.clone()),
            });
            rebuild(Value::Object(entries.collect()))
        };
        found.push(with(&format!("{key}x"), inner.clone()));
        found.push(with(key, serde_json::json!({ "no": { "such": ["thing"] } })));
        if key != "abilities" {
            mutants(inner, found, &|changed| with(key, changed));
        }
    }
}

#[test]
fn misspelt_and_wrong_typed_keys_of_sheets_are_refused() {
    let mut count = 0;
    for (game, more) in games() {
        let schema = schema(&game, &more, "sheet");
        for path in own_files(&game, &more, "characters/GAME").into_iter().take(12) {
            let sheet = read(&path);
            if sheet.get("sheets").is_some() {
                continue;
            }
            let mut found = Vec::new();
            mutants(&sheet, &mut found, &|changed| changed);
            for mutant in &found {
                assert!(!schema.is_valid(mutant), "{}: {mutant}", path.display());
            }
            count += found.len();
        }
    }
    assert!(count > 500, "only {count} mutants");
}

#[test]
fn mistakes_in_scenarios_and_positions_are_refused() {
    let schema = schema("dice-challenge", &[], "scenario");
    let scenario = |from: &str, to: &str| {
        let text = "- name: One\n  shows: [DC-021]\n  position:\n    sides:\n      - entrants: [sailor-mercury]\n        zones: {in_play: [{id: a, size: 4, value: 2}]}\n        counters: {tokens: 1}\n      - entrants: [kunzite]\n    at: turn(active: 0)\n  random: [6]\n  play:\n    - 0: {legal: [pass]}\n    - expect: [rolled(a, 6)]\n  then: {sides: [{counters: {tokens: 1}}], outcome: none}\n";
        assert!(text.contains(from), "{from}");
        parsed(&text.replacen(from, to, 1))
    };
    assert!(schema.is_valid(&scenario("kunzite", "kunzite")));
    for (from, to) in [
        ("shows:", "show:"),
        ("position:", "positon:"),
        ("entrants: [kunzite]", "entrants: [kunzit]"),
        ("entrants: [kunzite]", "entrant: [kunzite]"),
        ("in_play", "in_pla"),
        ("size: 4", "size: four"),
        ("size: 4", "sise: 4"),
        ("{tokens: 1}\n      -", "{token: 1}\n      -"),
        ("{tokens: 1}\n      -", "{tokens: many}\n      -"),
        ("[6]", "[six]"),
        ("legal", "leagl"),
        ("expect", "expct"),
        ("then:", "than:"),
        ("outcome", "outcom"),
        ("[{counters: {tokens", "[{counters: {token"),
    ] {
        assert!(!schema.is_valid(&scenario(from, to)), "{from} → {to}");
    }
}

#[test]
fn a_position_may_say_of_pieces_of_nobody_that_they_are() {
    let classics = format!("{}/examples/classics", env!("CARGO_MANIFEST_DIR"));
    let yahtzee = schema("yahtzee", &["--library".to_string(), classics], "position");
    let tray = |owner: &str| {
        parsed(&format!(
            "table: {{zones: {{tray: [{{size: 6, owner: {owner}}}]}}}}\nsides: [{{}}, {{}}]\nat: \"turn(active: 0)\"\n"
        ))
    };
    assert!(yahtzee.is_valid(&tray("none")) && yahtzee.is_valid(&tray("1")));
    assert!(!yahtzee.is_valid(&tray("nobody")));
}

#[test]
fn other_kinds_of_files_are_asked_for_by_name() {
    let deck = ludex(&["schema", "sailor-moon-ccg", "deck"]);
    assert!(deck.stdout.contains("\"title\": \"A deck of Sailor Moon CCG\""), "{}", deck.stderr);
    let wrong = ludex(&["schema", "sailor-moon-ccg", "dekc"]);
    assert_eq!(wrong.status, 1);
    assert!(wrong.stderr.contains("did you mean `deck`?"), "{}", wrong.stderr);
}

#[test]
fn a_variant_is_told_in_words_of_the_rules() {
    let folder = Folder::empty("sharing-diff");
    folder.write(
        "mine/characters/dice-challenge/kunzite.yaml",
        "name: Kunzite\nreplaces: true\nstarting: [20, 20]\nreserve: [4, 4]\nabilities: []\n",
    );
    folder
        .write("mine/characters/dice-challenge/night-owl.yaml", "name: Night Owl\nstarting: [6]\nreserve: [4]\nabilities: []\n");
    let told = run(&folder, &["diff", "mine", "--no-local"], "").stdout;
    assert!(told.starts_with("Dice Challenge (dice-challenge)\n\nSheets\n  new      character night-owl\n"), "{told}");
    assert!(told.contains("  new      character night-owl\n      name       Night Owl\n      starting   [6]\n"), "{told}");
    assert!(told.contains("changed  character kunzite\n") && told.contains("→ [20, 20]"), "{told}");
    assert!(!told.contains("Rules"), "{told}");
    let json: Value = serde_json::from_str(&run(&folder, &["diff", "mine", "--format", "json"], "").stdout).unwrap();
    let changes = json["games"][0]["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 2);
    assert_eq!((&changes[0]["what"], &changes[0]["how"]), (&"character kunzite".into(), &"changed".into()));
    let nothing = crate::support::ludex_in(&folder, &["diff", "mine", "tri-stat"], "");
    assert!(nothing.stderr.contains("`mine` changes nothing in `tri-stat`"), "{}", nothing.stderr);
}

#[test]
fn a_package_is_told_beside_what_it_extends() {
    let folder = Folder::empty("sharing-package");
    folder.write("rules/hop/hop.ludex", "ludex 1\ngame hop \"Hop\"\nsides 2\noption goal = 3 in 1..9 \"flies that win\"\neach side has { counter flies }\ndefine won(side: side) = side.flies >= goal\nto play { finish with nobody }\n");
    folder.write("rules/far/far.ludex", "ludex 1\npackage far \"Far\" extends hop\nreplace option goal = 5 in 1..9 \"flies that win\"\neach side has { counter frogs }\n");
    let told = run(&folder, &["diff", "far"], "").stdout;
    assert!(told.starts_with("Far (far) compared with hop\n"), "{told}");
    assert!(told.contains("new      counter frogs of side\n"), "{told}");
    assert!(told.contains("changed  option goal\n    - option goal = 3 in 1..9"), "{told}");
    assert!(told.contains("    + option goal = 5 in 1..9"), "{told}");
    assert!(!told.contains("won") && !told.contains("flies of side"), "{told}");
}

#[test]
fn shells_complete_verbs_and_the_manual_has_a_page_for_each() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = ludex(&["completions", shell]);
        assert_eq!(script.status, 0);
        assert!(script.stdout.contains("LUDEX_COMPLETE") && script.stdout.contains("ludex"), "{shell}");
    }
    let folder = Folder::empty("sharing-man");
    let pages = run(&folder, &["man", "pages"], "").stdout;
    for page in ["ludex.1", "ludex-play.1", "ludex-tournament-join.1"] {
        assert!(pages.contains(page), "{pages}");
        assert!(std::fs::read_to_string(folder.file(&format!("pages/{page}"))).unwrap().contains(".SH SYNOPSIS"));
    }
    assert!(run(&folder, &["man"], "").stdout.contains(".TH ludex 1"));
}

/// What a shell is told that a command line can go on with.
fn completed(folder: &Folder, words: &[&str]) -> Vec<String> {
    let mut command = folder.command(&[&["--", "ludex"], words].concat());
    let told = command.env("LUDEX_COMPLETE", "bash").env("_CLAP_IFS", "\n").env("_CLAP_COMPLETE_INDEX", words.len().to_string());
    let told = told.env("_CLAP_COMPLETE_COMP_TYPE", "9").env("_CLAP_COMPLETE_SPACE", "false").output().unwrap();
    assert!(told.status.success() && told.stderr.is_empty(), "{}", String::from_utf8_lossy(&told.stderr));
    String::from_utf8_lossy(&told.stdout).lines().map(str::to_string).collect()
}

#[test]
fn shells_complete_games_and_what_they_have() {
    let folder = Folder::new("sharing-completed");
    folder.write("rules/toss/toss.ludex", "ludex 1\ngame toss \"Toss\"\nsides 2\nto play { finish with nobody }\n");
    assert_eq!(completed(&folder, &["play", "to"]), ["toss"], "a game of the current folder");
    assert_eq!(completed(&folder, &["--no-local", "play", "to"]), [""; 0]);
    assert_eq!(completed(&folder, &["sim", "dicew"]), ["dicewing"]);
    assert_eq!(completed(&folder, &["show", "dice-challenge", "sailor-merc"]), ["sailor-mercury"]);
    assert_eq!(completed(&folder, &["sim", "dice-challenge", "--seat", "0=kunz"]), ["0=kunzite"]);
    assert_eq!(completed(&folder, &["sim", "sailor-moon-ccg", "--mode", "ba"]), ["basic"]);
    let abilities = completed(&folder, &["rules", "dice-challenge", "dark-k"]);
    assert!(abilities.contains(&"dark-kingdom".to_string()), "{abilities:?}");
    let verbs = completed(&folder, &["re"]);
    assert_eq!(verbs, ["resume", "record", "replay"]);
    // What cannot be read is told by `check`.
    folder.write("rules/toss/toss.ludex", "ludex 1\ngame {");
    assert_eq!(completed(&folder, &["sim", "dicew"]), ["dicewing"]);
}

/// The script is tried where there is a bash.
#[test]
fn the_script_of_bash_completes() {
    let folder = Folder::empty("sharing-bash");
    let ludex = env!("CARGO_BIN_EXE_ludex");
    let line = format!(
        "mkdir bin && ln -s {ludex} bin/ludex && PATH=$PWD/bin:$PATH && source <(ludex completions bash) && \
         COMP_WORDS=(ludex sim tri) COMP_CWORD=2 COMP_TYPE=9 && _clap_complete_ludex ludex tri sim && echo \"${{COMPREPLY[@]}}\""
    );
    let Ok(told) = std::process::Command::new("bash").arg("-c").arg(line).current_dir(folder.file(".")).output() else {
        eprintln!("LEFT OUT: there is no bash");
        return;
    };
    assert_eq!(String::from_utf8_lossy(&told.stdout).trim(), "tri-stat", "{}", String::from_utf8_lossy(&told.stderr));
}

#[test]
fn colours_are_shown_where_they_are_asked_for() {
    let folder = Folder::empty("sharing-colours");
    let coloured = |set: &[(&str, &str)]| {
        let mut command = folder.command(&["list"]);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR").env_remove("CLICOLOR_FORCE").envs(set.iter().copied());
        String::from_utf8_lossy(&command.output().unwrap().stdout).contains('\u{1b}')
    };
    assert!(!coloured(&[]), "a pipe is no terminal");
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "0")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn the_doctor_says_what_is_used_and_why() {
    let folder = Folder::empty("sharing-doctor");
    folder
        .write("mine/characters/dice-challenge/night-owl.yaml", "name: Night Owl\nstarting: [6]\nreserve: [4]\nabilities: []\n");
    let told = run(&folder, &["doctor", "--library", "mine", "--format", "json"], "").stdout;
    let told: Value = serde_json::from_str(&told).unwrap();
    let why = |section: &str, name: &str| {
        let found = told[section].as_array().unwrap().iter().find(|finding| finding["name"] == name).unwrap();
        (found["value"].clone(), found["why"].as_str().unwrap().to_string())
    };
    assert_eq!(why("libraries", "mine"), ("1 file for dice-challenge".into(), "named with `--library`".to_string()));
    assert_eq!(why("libraries", ".").0, "not read");
    assert_eq!(why("variables", "LUDEX_LIBRARY").0, Value::Null);
    assert!(why("folders", "games of `play`").0.as_str().unwrap().ends_with("recordings"));
    assert_eq!(why("terminal", "output").0, "no terminal");
    // From a folder inside a library.
    let mut within = folder.command(&["doctor", "--format", "json"]);
    let within = within.current_dir(folder.file("mine/characters/dice-challenge")).output().unwrap();
    let told: Value = serde_json::from_slice(&within.stdout).unwrap();
    let libraries: Vec<_> = told["libraries"].as_array().unwrap().iter().map(|found| (&found["name"], &found["why"])).collect();
    let why = "the current folder is part of this library; `--no-local` leaves it out";
    assert_eq!(libraries[1..], [(&Value::from("../.."), &Value::from(why))]);
}
