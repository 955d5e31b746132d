//! `cargo xtask self-test`.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

struct Run {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

/// A folder without a library.
fn nowhere(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn self_test(folder: &PathBuf, args: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let output = command.arg("self-test").args(args).current_dir(folder).env_remove("LUDEX_LIBRARY").env_remove("COLUMNS");
    let output = output.output().unwrap();
    Run {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn ponds(args: &[&str]) -> Run {
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/codes/ponds");
    self_test(&nowhere("nowhere"), &[&["--library", library, "--games-per-mutant", "1"], args].concat())
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}{}", run.stdout, run.stderr))
}

#[test]
fn mistakes_are_made_in_the_library_that_is_brought_along() {
    let report = json(&ponds(&["--mutants-per-class", "3", "--show-escaped", "--format", "json"]));
    let classes = report["classes"].as_array().unwrap();
    assert!(classes.len() >= 40, "{}", classes.len());
    let made = |name: &str| classes.iter().find(|class| class["name"] == name).unwrap();
    for name in ["zone misspelt", "option misspelt", "closing brace missing", "ability in a sheet misspelt", "bracket missing"] {
        let class = made(name);
        assert!(class["mutants"].as_u64() > Some(0) && class["told"] == class["mutants"], "{class}");
    }
    // The bundled library, which is there as well, is left alone.
    let escaped = report["escaped"].as_array().unwrap();
    assert!(escaped.iter().all(|escaped| escaped["file"].as_str().unwrap().contains("ponds")), "{escaped:?}");
    assert_eq!(report["all"]["panics"], 0);
}

#[test]
fn the_same_seed_makes_the_same_mistakes() {
    let report = |seed: &str| {
        let args = ["--class", "zone misspelt", "--mutants-per-class", "6", "--show-escaped", "--seed", seed, "--format", "json"];
        let mut report = json(&ponds(&args));
        // Only how long it took differs.
        report["classes"][0]["milliseconds"] = Value::Null;
        report["groups"][0]["milliseconds"] = Value::Null;
        report["all"]["milliseconds"] = Value::Null;
        report
    };
    assert_eq!(report("3"), report("3"));
}

#[test]
fn people_read_a_table_of_classes_with_sums() {
    let run = ponds(&["--class", "counter misspelt", "--mutants-per-class", "4"]);
    assert_eq!(run.status, Some(0), "{}{}", run.stdout, run.stderr);
    let lines: Vec<Vec<&str>> = run.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    let row = lines.iter().find(|words| words.starts_with(&["counter", "misspelt"])).unwrap();
    assert_eq!(row[2..8], ["4", "100", "100", "100", "100", "0"], "{}", run.stdout);
    assert!(lines.iter().any(|words| words.starts_with(&["all", "4"])), "{}", run.stdout);
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{}", run.stdout);
}

#[test]
fn a_class_that_there_is_not_is_refused() {
    let run = ponds(&["--class", "zone mispelt"]);
    assert_eq!(run.status, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("did you mean `zone misspelt`?"), "{}", run.stderr);
}

#[test]
fn a_library_with_errors_is_not_measured() {
    let folder = nowhere("errors");
    fs::create_dir_all(folder.join("rules/stones")).unwrap();
    fs::write(folder.join("rules/stones/game.ludex"), "ludex 1\ngame stones \"Stones\"\nsides 2\nto play { do nothng }\n")
        .unwrap();
    let run = self_test(&folder, &["--library", "."]);
    assert_eq!(run.status, Some(1), "{}", run.stdout);
    assert!(run.stderr.contains("nothng") && run.stdout.is_empty(), "{}{}", run.stdout, run.stderr);
}
