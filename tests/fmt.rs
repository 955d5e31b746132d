//! `ludex fmt`: what it changes, what it leaves alone, and how it says so.

use crate::checking::ponds;
use crate::support::{Folder, ludex, ludex_in};
use serde_json::Value;
use std::path::Path;

const REST: &str = "rules/ponds/rest.ludex";
const LOOSE: &str = "to rest(side: side){\n      set next_up to side  # later\n\n\n add 1 to side.pebbles  @PO-1\n}\n";
const NEAT: &str = "to rest(side: side) {\n  set next_up to side                # later\n\n  \
                    add 1 to side.pebbles                                                 @PO-1\n}\n";

fn resting(name: &str, text: &str) -> Folder {
    let folder = ponds(&format!("fmt {name}"));
    folder.write(REST, text);
    folder
}

fn read(folder: &Folder) -> String {
    std::fs::read_to_string(folder.file(REST)).unwrap()
}

#[test]
fn the_bundled_files_and_the_examples_are_formatted() {
    for folder in ["rules", "scripts", "examples/classics"] {
        let place = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let run = ludex(&["fmt", "--check", &place.to_string_lossy()]);
        assert_eq!(run.status, 0, "run `cargo run -- fmt {folder}`\n{}{}", run.stdout, run.stderr);
    }
}

#[test]
fn files_are_changed_once() {
    let folder = resting("once", LOOSE);
    let first = ludex_in(&folder, &["fmt", REST], "");
    assert_eq!(
        (first.status, first.stdout.as_str(), first.stderr.as_str()),
        (0, "rules/ponds/rest.ludex\n", "1 file formatted\n")
    );
    assert_eq!(read(&folder), NEAT);
    let again = ludex_in(&folder, &["fmt", REST], "");
    assert_eq!((again.status, again.stdout.as_str(), again.stderr.as_str()), (0, "", "1 file was formatted already\n"));
    let checked = ludex_in(&folder, &["fmt", "--check", REST], "");
    assert_eq!((checked.status, checked.stderr.as_str()), (0, "1 file is formatted\n"));
}

#[test]
fn without_paths_all_that_does_not_come_with_ludex_is_formatted() {
    let folder = resting("all", LOOSE);
    assert_eq!(ludex_in(&folder, &["fmt"], "").status, 0);
    assert_eq!(read(&folder), NEAT);
}

#[test]
fn check_changes_nothing_and_shows_what_it_would_change() {
    let folder = resting("check", LOOSE);
    let checked = ludex_in(&folder, &["fmt", "--check", REST], "");
    assert_eq!(checked.status, 1);
    assert!(checked.stdout.contains("-to rest(side: side){\n") && checked.stdout.contains("+to rest(side: side) {\n"));
    assert_eq!(checked.stderr, "1 file is not formatted\n");
    assert_eq!(read(&folder), LOOSE);
}

#[test]
fn files_with_errors_stay_as_they_are() {
    let folder = resting("errors", "to rest(side: side) {\n      set next_up = side\n}\n");
    folder.write("rules/ponds/other.ludex", LOOSE.replace("rest", "other").as_str());
    let formatted = ludex_in(&folder, &["fmt", "rules"], "");
    assert_eq!(formatted.status, 1);
    assert!(formatted.stderr.contains("rules/ponds/rest.ludex:2:19"), "{}", formatted.stderr);
    assert!(formatted.stderr.contains("1 has errors and is left as it is"), "{}", formatted.stderr);
    assert!(read(&folder).contains("      set next_up = side"));
    assert!(formatted.stdout.contains("rules/ponds/other.ludex\n"), "{}", formatted.stdout);
}

#[test]
fn line_ends_and_marks_stay() {
    let folder = resting("line ends", &format!("\u{feff}{}", LOOSE.replace('\n', "\r\n")));
    assert_eq!(ludex_in(&folder, &["fmt", REST], "").status, 0);
    assert_eq!(read(&folder), format!("\u{feff}{}", NEAT.replace('\n', "\r\n")));
}

#[test]
fn editors_pipe_texts_through() {
    let folder = Folder::new("fmt piped");
    let rules = ludex_in(&folder, &["fmt", "-"], LOOSE);
    assert_eq!((rules.status, rules.stdout.as_str(), rules.stderr.as_str()), (0, NEAT, ""));
    let script = "//!ability hop \"Hop\"\nfn hop( ){\nroll(1);\n}\n";
    assert_eq!(ludex_in(&folder, &["fmt", "-"], script).stdout, "//! ability hop \"Hop\"\nfn hop( ){\n    roll(1);\n}\n");
    let wrong = ludex_in(&folder, &["fmt", "-"], "to play { say \"a\"\n");
    assert_eq!((wrong.status, wrong.stdout.as_str()), (1, ""));
    assert!(wrong.stderr.contains("input:1:9"), "{}", wrong.stderr);
}

#[test]
fn programs_read_one_object() {
    let folder = resting("json", LOOSE);
    let checked = ludex_in(&folder, &["fmt", "--check", REST, "--format", "json"], "");
    let object: Value = serde_json::from_str(&checked.stdout).unwrap();
    assert_eq!((checked.status, &object["command"], &object["unchanged"]), (1, &"fmt".into(), &0.into()));
    assert_eq!(object["changed"][0]["file"], "rules/ponds/rest.ludex");
    assert!(object["changed"][0]["diff"].as_str().unwrap().contains("+to rest(side: side) {"));
    let piped = ludex_in(&folder, &["fmt", "-", "--format", "json"], LOOSE);
    let object: Value = serde_json::from_str(&piped.stdout).unwrap();
    assert_eq!(object["changed"][0]["text"], NEAT);
}

#[test]
fn what_cannot_be_formatted_is_named() {
    let folder = resting("named", LOOSE);
    let missing = ludex_in(&folder, &["fmt", "rules/ponds/rast.ludex"], "");
    assert_eq!(missing.status, 1);
    assert!(missing.stderr.contains("there is no file or folder `rules/ponds/rast.ludex`"), "{}", missing.stderr);
    folder.write("characters/ponds/heron.yaml", "name: Heron\n");
    let sheet = ludex_in(&folder, &["fmt", "characters/ponds/heron.yaml"], "");
    assert!(sheet.stderr.contains("`heron.yaml` is not formatted"), "{}", sheet.stderr);
}
