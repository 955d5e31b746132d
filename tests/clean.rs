//! Whatever names and texts a library brings: nothing of it steers the terminal of whoever looks.

use crate::support::{Folder, Run, ludex_in};

/// Escapes, signs of C1, signs that turn text around or end lines, and signs that nobody sees.
const HOSTILE: &str =
    "\u{1b}[31mX\u{1b}]0;t\u{7}\u{8}\u{7f}\u{9b}2J\u{85}\u{202e}\u{2066}\u{200f}\u{61c}\u{2028}\u{200b}\u{feff}\u{fdd0}";

/// The same as it may stand in double quotes of YAML, where a raw escape is refused.
const IN_YAML: &str = r"\e[31mX\e]0;t\a\b\x7f\x9b2J\x85\u202e\u2066\u200f\u061c\u2028\u200b\ufeff\ufdd0";

const RULES: &str = r#"ludex 1
game pond "Pond HOSTILE"

sides 2 of 1 otter

option goal = 3 in 1..9 "points HOSTILE"

die sizes 4

sheet otter (otters) { zone nest: dice, open }

each side has { counter points  zone lodge: dice, open  mark wet "is wet HOSTILE" }

family decision(active: side) {}

hook dusk(side: side) "Dusk HOSTILE"

action swim(die in active.lodge) is decision says "swim HOSTILE with {die}"
action dive(die in active.lodge) is decision says "dive HOSTILE with {die}"

to play {
  each side in sides { create die(size: 4) in side.lodge for side  mark side as wet  roll side.lodge because "luck HOSTILE" }
  repeat at most 100 times { each side in sides { do turn(side) } }
  otherwise { finish with nobody "nobody HOSTILE" }
}

scope turn(active: side) {
  active must choose decision "Which HOSTILE?" else { stop turn }
  open dusk(active)
  say "{active.otters} HOSTILE goes on"
  add 1 to active.points as fed "{active} HOSTILE eats"
  if active.points >= goal { finish with active }
}

mode night "Night HOSTILE" { replace option goal = 2 in 1..9 "points HOSTILE" }
"#;

const ABILITY: &str = r#"//! ability splash "Splash HOSTILE"
//!   "Splashes HOSTILE."
//! offer splash at dusk(side)
//!   when side is me
//!   says "splash HOSTILE"

fn splash() { say("splash HOSTILE"); }
"#;

const SHEET: &str = "name: \"NAME HOSTILE\\nFORGED\"\nnote: \"note HOSTILE\"\nnest: [4]\nabilities: [splash]\n";

const SCENARIO: &str = "- name: \"scenario HOSTILE\"
  start: {sides: [{entrants: [heron]}, {entrants: [otter]}]}
  random: [1, 1]
  play:
    - 0: \"swim HOSTILE\"
";

fn write(folder: &Folder, path: &str, text: &str) {
    let hostile = if path.ends_with(".yaml") { IN_YAML } else { HOSTILE };
    folder.write(path, &text.replace("HOSTILE", hostile));
}

fn pond(name: &str) -> Folder {
    let folder = Folder::new(name);
    write(&folder, "rules/pond/pond.ludex", RULES);
    write(&folder, "rules/pond/scenarios/all.yaml", SCENARIO);
    write(&folder, "scripts/pond/splash.rhai", ABILITY);
    write(&folder, "characters/pond/otter.yaml", &SHEET.replace("NAME", "Otter"));
    write(&folder, "characters/pond/heron.yaml", &SHEET.replace("NAME", "Heron"));
    folder
}

/// Signs that must never reach a terminal; a line end may stand where the program puts it.
fn steers(sign: char) -> bool {
    sign.is_control() && sign != '\n'
        || matches!(sign, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || matches!(sign, '\u{fdd0}'..='\u{fdef}')
}

#[track_caller]
fn is_clean(args: &[&str], run: &Run) {
    for text in [&run.stdout, &run.stderr] {
        assert_eq!(text.chars().find(|sign| steers(*sign)), None, "{args:?}: {text:?}");
    }
}

/// Runs `ludex`, looks at every sign of what it says, and gives it.
#[track_caller]
fn clean(folder: &Folder, args: &[&str], input: &str) -> Run {
    let run = ludex_in(folder, args, input);
    is_clean(args, &run);
    run
}

/// As [`clean`], where the hostile text must be seen, too, and the program must be content.
#[track_caller]
fn clean_and_shown(folder: &Folder, args: &[&str], input: &str) -> Run {
    let run = clean(folder, args, input);
    assert!(run.status == 0, "{args:?}: {}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("␛") || run.stdout.contains("\\u001b"), "{args:?}: {}", run.stdout);
    run
}

#[test]
fn what_is_told_of_a_library_is_clean() {
    let folder = pond("clean-told");
    for args in
        [&["list"][..], &["show", "pond"], &["show", "pond", "heron"], &["show", "pond", "splash"], &["show", "pond", "options"]]
    {
        clean_and_shown(&folder, args, "");
        clean_and_shown(&folder, &[args, &["--format", "json"]].concat(), "");
    }
    clean(&folder, &["show", "pond", "otters"], "");
    clean(&folder, &["show", "pond", "order"], "");
    let sim = ["sim", "pond", "--games", "2", "--usage", "--seat", "0=heron", "--seat", "1=otter"];
    clean(&folder, &sim, "");
    clean(&folder, &[&sim[..], &["--format", "json"]].concat(), "");
    clean(&folder, &["odds", "pond", "\u{1b}[31m\u{202e}"], "");
    clean(&folder, &["explain", "\u{1b}[31m\u{202e}"], "");
}

#[test]
fn what_is_played_is_clean() {
    let folder = pond("clean-played");
    folder.remove("kept.ludexrec");
    let seats = ["--seat", "0=heron:human", "--seat", "1=otter:random", "--seed", "3"];
    let input = "help\nlook\nwhy swim\n\u{1b}[31m\u{202e}\nhint\nlog\n1\nsave kept.ludexrec\n1\n1\n1\n1\nquit\n";
    let play = [&["play", "pond"], &seats[..]].concat();
    clean_and_shown(&folder, &play, input);
    clean(&folder, &["play", "pond", "--mode", "night", "--dice", "physical"], "heron\n\notter\n\n3\n4\n1\n\u{1b}\nquit\n");
    let replayed = clean_and_shown(&folder, &["replay", "kept.ludexrec"], "");
    let is_numbered = |line: &str| line.trim_start().starts_with(|sign: char| sign.is_ascii_digit());
    assert!(replayed.stdout.lines().all(is_numbered), "a text made a line: {}", replayed.stdout);
    clean_and_shown(&folder, &["replay", "kept.ludexrec", "--format", "json"], "");
    let host = ["host", "pond", "--seat", "0=heron", "--seat", "1=otter:random", "--seed", "3"];
    clean_and_shown(&folder, &host, "{\"choose\":1,\"key\":\"\\u001b\\u202e\"}\n\u{202e}\u{1b}\n{\"quit\":true}\n");
}

#[test]
fn what_is_tested_and_checked_is_clean() {
    let folder = pond("clean-checked");
    for args in [&["test", "pond", "--coverage"][..], &["check"]] {
        clean(&folder, args, "");
        clean(&folder, &[args, &["--format", "json"]].concat(), "");
    }
    let broken = Folder::new("clean-broken");
    write(&broken, "rules/pond/pond.ludex", &RULES.replace("to play", "to HOSTILE play"));
    write(
        &broken,
        "rules/lake/lake.ludex",
        "ludex 1\ngame lake \"Lake HOSTILE\"\nto play { say \"HOSTILE\" + nobody HOSTILE }\n",
    );
    write(
        &broken,
        "characters/pond/o\u{1b}[31m\u{202e}\u{9b}.yaml",
        "name: \"HOSTILE\"\n\"key HOSTILE\": 1\nnest: \"HOSTILE\"\n",
    );
    broken.write("characters/pond/raw.yaml", &format!("name: Raw {HOSTILE}\n"));
    broken.write("characters/pond\u{1b}[31m\u{202e}/o.yaml", "name: O\n");
    broken.write("scripts/pond/hop.rhai", &format!("//! ability hop \"{HOSTILE}\"\n//! {HOSTILE}\nfn {HOSTILE}\n"));
    let run = clean(&broken, &["check"], "");
    assert!(run.status == 1 && run.stdout.contains("o␛[31m<U+202E><U+009B>.yaml"), "{}", run.stdout);
    let json = clean(&broken, &["check", "--format", "json"], "");
    assert!(json.stdout.contains("o\\u001b[31m\\u202e\\u009b.yaml"), "{}", json.stdout);
    clean(&broken, &["play", "pond"], "");
    clean(&broken, &["check", "no\u{1b}[31m\u{202e}.yaml"], "");
    clean(&broken, &["test", "pond"], "");
}

#[test]
fn wrong_command_lines_are_clean() {
    let folder = Folder::new("clean-usage");
    let hostile = "\u{1b}[31mx\u{202e}\u{9b}";
    for args in [
        &[hostile][..],
        &["play", hostile],
        &["show", "dicewing", hostile],
        &["replay", hostile],
        &["test", hostile],
        &["sim", "dicewing", "--games", hostile],
        &["sim", "dicewing", "--seat", hostile],
        &["sim", "dicewing", "--option", hostile],
        &["sim", "dicewing", "--mode", hostile],
        &["list", "--library", hostile],
        &["tournament", "new", hostile, "--game", hostile],
    ] {
        let run = clean(&folder, args, "");
        assert_ne!(run.status, 0, "{args:?}");
        assert!(run.stderr.contains("x<U+202E><U+009B>"), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn tournaments_of_hostile_names_are_clean() {
    let folder = Folder::new("clean-tournament");
    folder.remove("cup.ludextournament");
    let (ann, bob) = ("Ann\u{1b}[31m\u{202e}\nFORGED", "Bob\u{9b}2J\u{2066}\u{85}");
    for args in [
        &["new", "cup", "--game", "dicewing"][..],
        &["join", ann, bob],
        &["challenge", bob, "--as", ann],
        &["accept", "--as", bob],
        &["standings"],
        &["duels"],
        &["show", "1"],
        &["log"],
        &["challenge", "nobody\u{1b}", "--as", ann],
    ] {
        clean(&folder, &[&["tournament"], args].concat(), "");
        clean(&folder, &[&["tournament"], args, &["--format", "json"]].concat(), "");
    }
    let standings = clean(&folder, &["tournament", "standings"], "");
    assert!(standings.stdout.contains("Ann␛[31m<U+202E>␊FORGED"), "{}", standings.stdout);
}
