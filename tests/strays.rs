//! What lies in the current folder and has nothing to do with games keeps none from being played.

use crate::support::{Folder, ludex_in};

/// A folder of somebody who has other things in it, too.
fn home(name: &str) -> Folder {
    let folder = Folder::empty(name);
    folder.write("scripts/tool.rhai", "fn help() { 3 }\n");
    folder.write("characters/heroes/bob.yaml", "name: Bob\nhealth: 3\n");
    folder
}

const VERBS: [&[&str]; 8] = [
    &["list"],
    &["show", "dice-challenge"],
    &["sim", "dice-challenge", "--games", "2"],
    &["odds", "dice-challenge", "1d6"],
    &["play", "dice-challenge", "--seat", "0=sailor-mercury:random", "--seat", "1=kunzite:random"],
    &["host", "dice-challenge", "--seat", "0=sailor-mercury:random", "--seat", "1=kunzite:random"],
    &["explain", "LX0005"],
    &["test", "dicewing"],
];

#[test]
fn every_verb_works_beside_them_and_says_that_they_are_there() {
    let folder = home("strays-verbs");
    folder.write("characters/heroes/eve.yaml", "name: [\n");
    folder.write("rules/notes.ludex", "these are no rules\n");
    for verb in VERBS {
        let run = ludex_in(&folder, verb, "");
        assert_eq!(run.status, 0, "{verb:?}: {}", run.stderr);
        let is_told = run.stderr.contains("3 files have errors and are left out, such as `characters/heroes/bob.yaml`");
        assert_eq!(is_told, verb[0] != "explain", "{verb:?}: {}", run.stderr);
        // It reads no libraries, so that there is nothing to leave out.
        if verb[0] == "explain" {
            continue;
        }
        let without = ludex_in(&folder, &[verb, &["--no-local"]].concat(), "");
        assert_eq!(without.status, 0, "{verb:?}: {}", without.stderr);
        assert!(!without.stderr.contains("left out"), "{verb:?}: {}", without.stderr);
    }
}

#[test]
fn check_tells_them_all_in_a_folder_that_is_named_too() {
    let folder = home("strays-check");
    let checked = ludex_in(&folder, &["check"], "");
    assert_ne!(checked.status, 0);
    for file in ["scripts/tool.rhai", "characters/heroes/bob.yaml"] {
        assert!(checked.stdout.contains(file), "{file}: {}", checked.stdout);
    }
    let named = ludex_in(&folder, &["sim", "dice-challenge", "--games", "2", "--library", "."], "");
    assert_eq!(named.status, 0);
    assert!(named.stderr.contains("2 files have errors and are left out"), "{}", named.stderr);
}

#[test]
fn the_game_that_is_meant_may_be_one_of_them() {
    let folder = home("strays-meant");
    folder.write("rules/hop/hop.ludex", "ludex 1\ngamee hop \"Hop\"\n");
    let run = ludex_in(&folder, &["sim", "hop"], "");
    assert_ne!(run.status, 0);
    assert!(run.stderr.contains("there is no game `hop`") && run.stderr.contains("hop.ludex"), "{}", run.stderr);
}

#[test]
fn a_file_that_is_not_read_is_no_file_without_problems() {
    let folder = Folder::empty("strays-unread");
    folder.write("notes.txt", "remember the milk\n");
    folder.write("characters/dice-challenge/owl.YAML", "name: Owl\n");
    for (asked, told) in [
        (&["check", "notes.txt"][..], "no game reads this file"),
        (&["check", "characters/dice-challenge/owl.YAML"], "call it `owl.yaml`"),
        (&["check"], "call it `owl.yaml`"),
    ] {
        let run = ludex_in(&folder, asked, "");
        assert!(run.stdout.contains(told), "{asked:?}: {}", run.stdout);
        assert_ne!(ludex_in(&folder, &[asked, &["--deny", "warnings"]].concat(), "").status, 0);
    }
}
