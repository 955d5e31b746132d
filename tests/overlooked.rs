//! `check` names what looks meant for a game and is not read, with what would make it read.

use crate::support::{Folder, ludex_in};
use insta::assert_snapshot;
use std::path::Path;

const PIG: &str = "ludex 1\ngame piglet \"Piglet\"\nsides 2\nto play { finish with nobody }\n";
const OWL: &str = "name: Owl\nstarting: [4, 6, 8, 10]\n";
const SCENARIO: &str = "- name: Nobody wins\n  start: {}\n  then: {outcome: none}\n";

/// What `check` says of a folder with these files. It fails if warnings are denied.
fn checked(name: &str, files: &[(&str, &str)]) -> String {
    let folder = Folder::empty(&format!("overlooked-{name}"));
    for (path, text) in files {
        folder.write(path, text);
    }
    let checked = ludex_in(&folder, &["check"], "");
    let denied = ludex_in(&folder, &["check", "--deny", "warnings"], "");
    assert_eq!(denied.status == 0, checked.stdout == "no problems\n", "{}", checked.stdout);
    checked.stdout
}

#[test]
fn names_that_end_otherwise() {
    assert_snapshot!(checked(
        "names",
        &[
            ("rules/piglet/piglet.ludex", PIG),
            ("rules/piglet/copy.ludex.bak", PIG),
            ("rules/piglet/more.txt", PIG),
            ("rules/piglet/old.ludex~", PIG),
            ("rules/piglet/spelt.ludx", PIG),
            ("characters/dice-challenge/night-owl.yaml.txt", OWL),
            ("ludex.yml", "ludex-library: 1\n"),
            ("owl.yaml.txt", OWL),
        ]
    ));
}

#[test]
fn folders_in_which_nobody_looks() {
    assert_snapshot!(checked(
        "folders",
        &[
            ("rules/piglet/piglet.ludex", PIG),
            ("rules/piglet/scenario/nobody.yaml", SCENARIO),
            ("character/dice-challenge/owl.yaml", OWL),
            ("scenarios/nobody.yaml", SCENARIO),
            ("scripts/dice-challenge/owl.yaml", OWL),
            ("wolf/wolf.ludex", PIG),
        ]
    ));
}

#[test]
fn loose_sheets_that_lack_a_line() {
    assert_snapshot!(checked(
        "loose",
        &[
            ("rules/piglet/piglet.ludex", PIG),
            ("empty.yaml", ""),
            ("misspelt.yaml", &OWL.replace("name", "nmae")),
            ("nameless.yaml", "starting: [4, 6]\n"),
            ("only-name.yaml", "name: Owl\n"),
        ]
    ));
}

/// A key that sheets have beside a line of numbers is no chance.
#[test]
fn a_loose_sheet_without_a_name_is_told_where_no_library_is() {
    let nameless = "starting: [4, 6]\nreserve: [8]\nabilities: [second-sight]\n";
    assert_snapshot!(checked("alone", &[("night-owl.yaml", nameless)]), @r"
    LX0010

      ⚠ `night-owl.yaml` is not read: it has no line `name:`
      help: begin it with `name: NAME` if it is a sheet

    1 warning
    ");
    assert!(checked("alone-empty", &[("owl.yaml", "")]).contains("`owl.yaml` is not read: it is empty"));
}

#[test]
fn a_manifest_that_cannot_be_read() {
    assert_snapshot!(checked("manifest", &[("rules/piglet/piglet.ludex", PIG), ("ludex.yaml", "ludex-libary: 1\n")]));
}

#[test]
fn a_game_in_the_place_of_a_bundled_one() {
    let mine = PIG.replace("piglet", "dicewing").replace("Piglet", "Mine");
    assert_snapshot!(checked("replaced", &[("rules/dicewing/mine.ludex", &mine)]));
    let meant = format!("#! replaces\n{mine}");
    assert_eq!(checked("replaced-meant", &[("rules/dicewing/mine.ludex", &meant)]), "no problems\n");
    // Whoever has the sources of Ludex has the bundled games twice.
    let same = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/dice-challenge/game.ludex")).unwrap();
    let told = checked("replaced-same", &[("rules/dice-challenge/game.ludex", &same)]);
    assert!(!told.contains("LX0020"), "{told}");
}

/// Files in other encodings are found where nobody has named the folder, too.
#[test]
fn texts_in_other_encodings() {
    let utf16: Vec<u8> = std::iter::once(0xfeff_u16).chain(PIG.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for (path, bytes) in [
        ("rules/piglet/piglet.ludex", utf16.as_slice()),
        ("rules/piglet/piglet.ludex", b"ludex 1\n# gr\xf6\xdfe\n"),
        ("kroete.yaml", b"name: Kr\xf6te\nstarting: [4, 6]\n"),
    ] {
        let folder = Folder::empty("overlooked-encodings");
        folder.write(path, "");
        std::fs::write(folder.file(path), bytes).unwrap();
        let checked = ludex_in(&folder, &["check", "--format", "concise"], "");
        assert_eq!(checked.status, 1, "{path}");
        assert!(checked.stdout.starts_with(path) && checked.stdout.contains("LX0002"), "{path}: {}", checked.stdout);
    }
}

/// Other tools have files of these names and endings, too.
#[test]
fn what_is_not_meant_is_left_alone() {
    let ci = "name: CI\non: push\n";
    let files = [
        ("docker-compose.yaml", "services: {}\n"),
        ("notes.txt", "remember the milk\n"),
        ("script/deploy.sh", "make\n"),
        ("character/data.yaml", ci),
        ("scenarios/load.yaml", ci),
        ("pack/pack.yaml", OWL),
    ];
    let loose = [("matrix.yaml", "sizes: [4, 6]\n"), ("arcade.yaml", "game: tetris\n")];
    assert_eq!(checked("others", &[&files[..], &loose].concat()), "no problems\n");
    assert_eq!(checked("others-beside", &[&files[1..], &[("rules/piglet/piglet.ludex", PIG)]].concat()), "no problems\n");
}

#[test]
fn a_file_that_is_asked_about_is_told_once() {
    let folder = Folder::empty("overlooked-asked");
    folder.write("characters/dice-challenge/owl.yaml.txt", OWL);
    folder.write("characters/dice-challenge/rat.yaml.txt", OWL);
    let told = ludex_in(&folder, &["check", "characters/dice-challenge/owl.yaml.txt", "--format", "concise"], "").stdout;
    assert_eq!(told.lines().filter(|line| line.contains("LX0010")).count(), 1, "{told}");
    assert!(!told.contains("rat"), "{told}");
}
