//! A mistake in one file keeps only what needs that file from working. One line names the file and how to see the mistake.

use crate::support::{Folder, Run, ludex_in, run};

/// A library with a sound game, and what is wrong beside it: a game whose rules cannot be read, a package that extends it, a
/// sheet of no game, a file that is no text, and a manifest that says nothing.
fn library(name: &str) -> Folder {
    let folder = Folder::empty(name);
    folder.write(
        "lib/rules/pond/pond.ludex",
        "ludex 1\ngame pond \"Pond\"\nsides 2 of 1 animal\nsheet animal (animals) { counter reach: number = 1 in 0..9 }\n\
         each side has { counter fish: number = 0 in 0..9 }\n\
         hook day_begins(active: side)\n\
         to play {\n  let leader = first of sides\n  open day_begins(leader)\n  leader may \"Leap?\" as leaps\n\
         \x20 if leaps { finish with leader }\n  finish with nobody\n}\n",
    );
    folder.write("lib/characters/pond/otter.yaml", "name: Otter\nreach: 3\n");
    folder.write("lib/characters/pond/heron.yaml", "name: Heron\nreach: 2\n");
    folder
}

fn with_mistakes(name: &str) -> Folder {
    let folder = library(name);
    folder.write("lib/rules/fen/fen.ludex", "ludex 1\ngame fen \"Fen\"\nsides 2\nto play { lep }\n");
    folder.write("lib/rules/deep-pond/deep.ludex", "ludex 1\npackage deep-pond \"Deep\" extends pond\nreplace to swim { }\n");
    folder.write("lib/characters/marsh/newt.yaml", "name: Newt\n");
    std::fs::write(folder.file("lib/characters/marsh/toad.yaml"), b"name: Kr\xf6te\n").unwrap();
    folder.write("lib/ludex.yaml", "ludex-library: 1\nname: [\n");
    folder
}

/// Everything that needs no other file than those of the sound game.
const VERBS: [&[&str]; 13] = [
    &["list"],
    &["doctor"],
    &["show", "pond"],
    &["show", "pond", "otter"],
    &["show", "pond", "words"],
    &["schema", "pond"],
    &["odds", "pond", "2 + 1"],
    &["new", "character", "Night Owl", "--game", "pond", "--into", "made"],
    &["new", "game", "Brook", "--into", "made"],
    &["test", "pond"],
    &["sim", "pond", "--seat", "0=otter", "--seat", "1=heron", "--games", "2"],
    &["play", "pond", "--seat", "0=otter:random", "--seat", "1=heron:random"],
    &["host", "pond", "--seat", "0=otter:random", "--seat", "1=heron:random"],
];

fn remarks(run: &Run) -> Vec<&str> {
    run.stderr.lines().filter(|line| line.contains("left out")).collect()
}

#[test]
fn what_needs_no_broken_file_works_and_one_line_says_which_are_broken() {
    for verb in VERBS {
        let folder = with_mistakes("beside-mistakes");
        let run = run(&folder, &[verb, &["--library", "lib"]].concat(), "");
        // `new` is for the files that it writes; games that it does not open say nothing.
        if verb.starts_with(&["new", "game"]) {
            continue;
        }
        let told = remarks(&run);
        assert_eq!(told.len(), 1, "{verb:?}: {}", run.stderr);
        assert!(
            told[0].contains("files have errors") && told[0].contains("`ludex check --library lib`"),
            "{verb:?}: {}",
            told[0]
        );
    }
}

#[test]
fn the_command_that_the_line_names_shows_the_mistakes() {
    let folder = with_mistakes("beside-mistakes-check");
    let checked = ludex_in(&folder, &["check", "--library", "lib"], "");
    assert_eq!(checked.status, 1, "{}", checked.stdout);
    for file in ["fen.ludex", "deep.ludex", "newt.yaml", "toad.yaml", "lib/ludex.yaml"] {
        assert!(checked.stdout.contains(file), "{file}: {}", checked.stdout);
    }
}

#[test]
fn a_game_with_mistakes_of_its_own_is_not_played() {
    let folder = with_mistakes("beside-mistakes-own");
    for game in ["fen", "deep-pond"] {
        let run = ludex_in(&folder, &["sim", game, "--library", "lib"], "");
        assert_eq!(run.status, 1, "{game}: {}", run.stderr);
        assert!(!run.stderr.contains("newt.yaml"), "{game}: {}", run.stderr);
    }
}

/// Of the game's own library: what the game is without it, nobody has said.
#[test]
fn a_broken_sheet_of_a_game_keeps_it_from_being_played_but_not_from_being_looked_at() {
    let folder = library("beside-mistakes-sheet");
    folder.write("lib/characters/pond/newt.yaml", "name: Newt\nreech: 3\n");
    for verb in [&["show", "pond"][..], &["show", "pond", "otter"], &["odds", "pond", "1 + 1"], &["schema", "pond"]] {
        let run = run(&folder, &[verb, &["--library", "lib"]].concat(), "");
        let told = "`lib/characters/pond/newt.yaml` has an error and is left out: \
                    `ludex check lib/characters/pond/newt.yaml` shows it";
        assert_eq!(remarks(&run), [told], "{verb:?}");
    }
    for verb in [&["sim", "pond"][..], &["show", "pond", "newt"]] {
        let run = ludex_in(&folder, &[verb, &["--library", "lib"]].concat(), "");
        assert_eq!(run.status, 1, "{verb:?}");
        assert!(run.stderr.contains("reech"), "{verb:?}: {}", run.stderr);
    }
    let checked = ludex_in(&folder, &["check", "lib/characters/pond/newt.yaml"], "");
    assert!(checked.status == 1 && checked.stdout.contains("reech"), "{}", checked.stdout);
}

/// A script that cannot be read has no ability, so the sheet that lists it cannot be read either.
#[test]
fn what_other_libraries_add_is_left_out_where_it_is_broken() {
    let folder = library("beside-mistakes-added");
    folder.write("more/scripts/pond/dive.rhai", "//! ability \"Dive\" offer at day_begins\nfn run( {\n");
    folder.write("more/characters/pond/newt.yaml", "name: Newt\nreach: 1\nabilities: [dive]\n");
    folder.write("more/characters/pond/vole.yaml", "name: Vole\nreach: 1\n");
    let with = ["--library", "lib", "--library", "more"];
    let played =
        run(&folder, &[&["sim", "pond", "--seat", "0=vole", "--seat", "1=otter", "--games", "2"][..], &with].concat(), "");
    assert!(remarks(&played)[0].contains("2 files have errors"), "{}", played.stderr);
    let meant = ludex_in(&folder, &[&["sim", "pond", "--seat", "0=newt", "--seat", "1=otter"][..], &with].concat(), "");
    assert_eq!(meant.status, 1);
    assert!(meant.stderr.contains("dive.rhai"), "{}", meant.stderr);
}

#[test]
fn sound_games_are_tested_beside_broken_ones() {
    let folder = with_mistakes("beside-mistakes-test");
    folder.write("lib/rules/pond/scenarios/leap.yaml", "- name: Whoever leaps wins\n  start: {sides: [{entrants: [otter]}, {entrants: [heron]}]}\n  play: [0: yes]\n  then: {outcome: {winner: 0}}\n");
    folder.write("lib/rules/fen/scenarios/fen.yaml", "- name: Never run\n  start: {}\n  then: {outcome: tie}\n");
    let tested = ludex_in(&folder, &["test", "--library", "lib", "pond", "fen"], "");
    assert_eq!(tested.status, 1, "{}", tested.stdout);
    assert!(tested.stdout.contains("pond: 1 scenario, 0 failed\n"), "{}", tested.stdout);
    assert!(tested.stdout.contains("fen: 0 scenarios, 0 failed, and 1 error in their files"), "{}", tested.stdout);
    assert!(tested.stderr.contains("fen.ludex"), "{}", tested.stderr);
}
