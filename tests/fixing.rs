//! What `check --fix` mends, how it writes, and what it leaves alone.

use crate::checking::{check, ponds, problems};
use crate::support::Folder;
use serde_json::Value;

const REST: &str = "rules/ponds/rest.ludex";

/// The game with a procedure in which something is written so.
fn resting(name: &str, block: &str) -> Folder {
    let folder = ponds(&format!("fix {name}"));
    folder.write(REST, &rest(block));
    folder
}

fn rest(block: &str) -> String {
    format!("to rest(side: side) {{\n  {block}\n}}\n")
}

fn read(folder: &Folder, path: &str) -> String {
    String::from_utf8(std::fs::read(folder.file(path)).unwrap()).unwrap()
}

/// The rules after they were mended, and what was said.
fn mended(folder: &Folder) -> (String, String) {
    let run = check(folder, &["--fix", "--yes", REST]);
    (read(folder, REST), format!("{}{}", run.stdout, run.stderr))
}

/// Mistakes with what they are mended to.
const MENDED: &[(&str, &str)] = &[
    // a word that is near to one known word
    ("add 1 to side.pebles", "add 1 to side.pebbles"),
    ("rolll side.pond", "roll side.pond"),
    ("if side.pond is emty { roll side.pond }", "if side.pond is empty { roll side.pond }"),
    // forms of other languages
    ("set next_up = side", "set next_up to side"),
    ("set next_up=side", "set next_up to side"),
    ("let a: 2  add a to side.pebbles", "let a = 2  add a to side.pebbles"),
    ("if !(side.pebbles == 2) { roll side.pond }", "if not (side.pebbles = 2) { roll side.pond }"),
    (
        "if side.pebbles > 1 && side.pebbles < 4 then { roll side.pond }",
        "if side.pebbles > 1 and side.pebbles < 4 { roll side.pond }",
    ),
    ("side.pebbles += 2", "add 2 to side.pebbles"),
    ("let gone = roll side.pond  say \"{gone}\"", "roll side.pond as gone  say \"{gone}\""),
    ("rest(side.foe)", "do rest(side.foe)"),
    // signs
    ("say “gefällt {side}”", "say \"gefällt {side}\""),
    ("say 'done'", "say \"done\""),
    ("say \"é\"  // für später", "say \"é\"  # für später"),
    // two on one line
    ("add side.pebles to side.foe.pebles", "add side.pebbles to side.foe.pebbles"),
];

#[test]
fn certain_mistakes_are_mended_and_mending_again_changes_nothing() {
    let folder = ponds("fix certain");
    let procedure = |(number, block): (usize, &str)| format!("to rest_{number}(side: side) {{\n  {block}\n}}\n");
    let text = |blocks: Vec<&str>| {
        let procedures: String = blocks.into_iter().enumerate().map(procedure).collect();
        format!("{}{procedures}", rest("say \"rest\""))
    };
    folder.write(REST, &text(MENDED.iter().map(|(wrong, _)| *wrong).collect()));
    let (first, said) = mended(&folder);
    assert_eq!(first, text(MENDED.iter().map(|(_, right)| *right).collect()), "{said}");
    let (second, said) = mended(&folder);
    assert!(said.contains("no problem can be fixed"), "{said}");
    assert_eq!(second, first);
}

#[test]
fn one_mistake_may_hide_the_next() {
    let folder = resting("rounds", "addd 1 to side.pebles");
    let (text, said) = mended(&folder);
    assert_eq!(text, rest("add 1 to side.pebbles"), "{said}");
}

/// Two names are near, a name is new, and a slip stands in a text.
#[test]
fn what_needs_a_decision_is_left_alone() {
    let block = "let ab = 1  let ac = 2  add ax to side.pebbles  add ab + ac to side.pebbles  set xyz to 4  say \"pebles\"";
    let folder = resting("left", block);
    let (text, said) = mended(&folder);
    assert!(said.contains("no problem can be fixed"), "{said}");
    assert_eq!(text, rest(block));
}

#[test]
fn sheets_scripts_and_scenarios_are_mended() {
    let folder = ponds("fix files");
    folder.write("characters/ponds/otter.yaml", "name: Otter\nnset: [4, 6, 8]\nabilities: [secnd-leap]\n");
    folder.write("scripts/ponds/dive.rhai", &read(&folder, "scripts/ponds/dive.rhai").replace("roll(me", "rroll(me"));
    folder.write("rules/ponds/scenarios/a.yaml", "- name: A\n  position: {sides: [{entrants: [oter]}, {entrants: [\"hreon\"]}]}\n  random: [3, 3, 3]\n  play:\n    - 0: laep(4)\n    - expect: [rolledd]\n");
    let run = check(&folder, &["--fix", "--yes"]);
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    assert_eq!(read(&folder, "characters/ponds/otter.yaml"), "name: Otter\nnest: [4, 6, 8]\nabilities: [second-leap]\n");
    assert!(read(&folder, "scripts/ponds/dive.rhai").contains("    roll(me.pond);"));
    let scenario = "- name: A\n  position: {sides: [{entrants: [otter]}, {entrants: [\"heron\"]}]}\n  random: [3, 3, 3]\n  play:\n    - 0: leap(4)\n    - expect: [rolled]\n";
    assert_eq!(read(&folder, "rules/ponds/scenarios/a.yaml"), scenario);
}

#[test]
fn lines_end_as_they_did_and_a_mark_stays() {
    let folder = ponds("fix ends");
    folder.write(REST, "\u{feff}to rest(side: side) {\r\n  say \"für ä\"  add 1 to side.pebles\r\n  # ü\n}\r\n");
    let (text, said) = mended(&folder);
    let right = "\u{feff}to rest(side: side) {\r\n  say \"für ä\"  add 1 to side.pebbles\r\n  # ü\n}\r\n";
    assert_eq!(text, right, "{said}");
}

/// Without `--yes`, and where nobody can be asked, what would be changed is only shown.
#[test]
fn nothing_is_written_unasked() {
    let folder = resting("unasked", "add 1 to side.pebles");
    let before = read(&folder, REST);
    let run = check(&folder, &["--fix", REST]);
    assert_eq!((run.status, read(&folder, REST)), (1, before));
    assert!(run.stdout.contains("-  add 1 to side.pebles\n+  add 1 to side.pebbles\n"), "{}", run.stdout);
    assert!(run.stderr.contains("add `--yes` to `--fix`"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn at_a_terminal_somebody_is_asked() {
    let folder = resting("asked", "add 1 to side.pebles");
    let before = read(&folder, REST);
    let refused = crate::keyboard::typed(&folder, &["check", "--fix", REST], &["what?", "n"]);
    assert_eq!((refused.status, read(&folder, REST)), (1, before), "{}", refused.stderr);
    assert_eq!(refused.stderr.matches("1 problem in 1 file: change the files? [y/n]").count(), 2, "{}", refused.stderr);
    let taken = crate::keyboard::typed(&folder, &["check", "--fix", REST], &["y"]);
    assert_eq!((taken.status, read(&folder, REST)), (0, rest("add 1 to side.pebbles")), "{}{}", taken.stdout, taken.stderr);
}

/// Only the files that are named are changed.
#[test]
fn other_files_are_left_alone() {
    let folder = resting("named", "add 1 to side.pebles");
    let otter = "name: Otter\nnset: [4, 6, 8]\nabilities: [second-leap]\n";
    folder.write("characters/ponds/otter.yaml", otter);
    check(&folder, &["--fix", "--yes", REST]);
    assert_eq!(read(&folder, REST), rest("add 1 to side.pebbles"));
    assert_eq!(read(&folder, "characters/ponds/otter.yaml"), otter);
}

/// A slip that keeps other mistakes from being found: mended, the file would have more errors. The other slip is mended.
#[test]
fn no_file_gets_more_errors() {
    let folder = ponds("fix worse");
    let text = |counter: &str| {
        let wrong = "  add otter to side.pebbles\n  add heron to side.pebbles\n  add swan to side.pebbles\n";
        format!(
            "to rest(side: side) {{\n  if side.pond is empty then {{ roll side.pond }}\n{wrong}  add 1 to side.{counter}\n}}\n"
        )
    };
    folder.write(REST, &text("pebles"));
    let errors = |folder: &Folder| problems(folder, &[REST]).len();
    let before = errors(&folder);
    let (_, said) = mended(&folder);
    assert!(errors(&folder) <= before, "{said}");
}

#[test]
fn programs_get_the_edits() {
    let folder = resting("json", "say \"ä\"  add 1 to side.pebles");
    let found = problems(&folder, &[REST]);
    let edit = &found[0]["edits"][0];
    let text = rest("say \"ä\"  add 1 to side.pebles");
    let bytes = edit["start"].as_u64().unwrap() as usize..edit["end"].as_u64().unwrap() as usize;
    assert_eq!((&text[bytes], edit["text"].as_str()), ("pebles", Some("pebbles")));
    assert_eq!((edit["line"].as_u64(), edit["column"].as_u64(), edit["file"].as_str()), (Some(2), Some(26), Some(REST)));
    let sarif: Value = serde_json::from_str(&check(&folder, &["--format", "sarif"]).stdout).unwrap();
    let change = &sarif["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["artifactLocation"]["uri"], REST);
    assert_eq!(change["replacements"][0]["insertedContent"]["text"], "pebbles");
    assert_eq!(change["replacements"][0]["deletedRegion"]["startColumn"], 26);
    let fixed = check(&folder, &["--fix", "--yes", "--format", "json"]);
    let report: Value = serde_json::from_str(&fixed.stdout).unwrap();
    assert_eq!(report["fixed"], serde_json::json!([{ "file": REST, "problems": 1 }]));
    assert!(fixed.stderr.contains("+  say"), "{}", fixed.stderr);
}

/// A warning of what may be meant says so in every form, and `--deny` can leave it out.
#[test]
fn what_may_be_meant_is_told_as_such() {
    let folder = resting("confidence", "let Two = 2  add Two to side.pebbles");
    let found = problems(&folder, &[REST]);
    assert_eq!((found[0]["code"].as_str(), found[0]["confidence"].as_str()), (Some("LX0104"), Some("probable")));
    let concise = check(&folder, &[REST, "--format", "concise"]).stdout;
    assert!(concise.contains(": warning LX0104 (probable) "), "{concise}");
    assert!(check(&folder, &[REST]).stdout.contains("LX0104 (probable)\n"));
    let sarif: Value = serde_json::from_str(&check(&folder, &[REST, "--format", "sarif"]).stdout).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["properties"]["confidence"], "probable");
    assert_eq!(check(&folder, &[REST, "--deny", "warnings"]).status, 1);
    assert_eq!(check(&folder, &[REST, "--deny", "certain-warnings"]).status, 0);
    folder.write(REST, &rest("let unused = 2"));
    assert_eq!(check(&folder, &[REST, "--deny", "certain-warnings"]).status, 1);
}
