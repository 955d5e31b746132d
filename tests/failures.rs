//! Whatever goes wrong is told in one shape: to programs as one object with code and message, to people with the code.

use crate::support::{Folder, Run, ludex_in};
use serde_json::Value;

/// A command line, the exit status that it ends with, and the code of what is wrong with it.
type Case = (&'static str, i32, &'static str);

/// A folder with things that are not what they are taken for.
fn folder(name: &str) -> Folder {
    let folder = Folder::outside(name);
    std::fs::create_dir_all(folder.file("folder")).unwrap();
    std::fs::write(folder.file("binary.yaml"), b"\xff\xfename").unwrap();
    folder.write("large.yaml", &"# much\n".repeat(200_000));
    folder
}

/// What is not told of a case as it should be.
fn untold(folder: &Folder, (line, status, code): Case) -> Option<String> {
    let args: Vec<&str> = line.split_whitespace().collect();
    let words = ludex_in(folder, &args, "");
    let text = format!("{}{}", words.stdout, words.stderr);
    if words.status != status || !text.contains(code) {
        return Some(format!("`{line}` ends with {} and not with {status} and {code}:\n{text}", words.status));
    }
    let json = ludex_in(folder, &[&args[..], &["--format", "json"]].concat(), "");
    let problem = problem(&json, line);
    let has_message = problem["message"].as_str().is_some_and(|message| !message.is_empty());
    let right = json.status == status && problem["code"] == code && has_message;
    (!right).then(|| format!("`{line}` ends with {} in JSON:\n{}\n{}", json.status, json.stdout, json.stderr))
}

/// The first problem of the only object on stdout.
fn problem(run: &Run, line: &str) -> Value {
    let Ok(object) = serde_json::from_str::<Value>(&run.stdout) else { return Value::Null };
    match object["type"].as_str() {
        // Lines for another program have an object for what keeps a game from beginning.
        Some("error") => object,
        _ if object["command"].as_str().is_none_or(|verb| line.starts_with(verb)) => object["problems"][0].clone(),
        _ => Value::Null,
    }
}

#[track_caller]
fn assert_all_told(name: &str, cases: &[Case]) {
    let folder = folder(name);
    let untold: Vec<String> = cases.iter().filter_map(|case| untold(&folder, *case)).collect();
    assert!(untold.is_empty(), "{}", untold.join("\n"));
}

#[test]
fn a_wrong_command_line_is_told_in_either_format() {
    let cases = [
        ("lst", 2, "LX0016"),
        ("list --nosuch", 2, "LX0016"),
        ("show", 2, "LX0016"),
        ("explain LX0101 more", 1, "LX0016"),
        ("check --mode", 2, "LX0016"),
        ("test --games 1", 2, "LX0016"),
        ("sim dicewing --games none", 2, "LX0016"),
        ("sim dicewing --games 0", 2, "LX0016"),
        ("odds dicewing 1d6 --limit 0", 2, "LX0016"),
        ("replay", 2, "LX0016"),
        ("resume 1 --undo often", 2, "LX0016"),
        ("host dicewing --as none", 2, "LX0016"),
        ("tournament join", 2, "LX0016"),
        ("tournament new cup --game dicewing --tokens 0", 2, "LX0016"),
        ("play dicewing --seed none", 2, "LX0016"),
        ("play dicewing --rolls 1,x", 2, "LX0016"),
        ("play dicewing --seat x=1", 2, "LX0907"),
        ("play dicewing --seat 0=:gredy", 2, "LX0907"),
        ("play dicewing --referee nobody", 2, "LX0907"),
        ("play dicewing --seat 0=:random --seat 0=:greedy", 2, "LX0907"),
        ("host dicewing --seat 0=:random --seat 0=:greedy", 2, "LX0907"),
        ("show dicewing --option a", 2, "LX0806"),
        ("tournament standings --mode tag-team", 2, "LX0016"),
    ];
    assert_all_told("failures-usage", &cases);
}

#[test]
fn an_unknown_game_mode_or_option_is_told_in_either_format() {
    let cases = [
        ("show pods", 1, "LX0005"),
        ("play pods", 1, "LX0005"),
        ("test pods", 1, "LX0005"),
        ("sim pods", 1, "LX0005"),
        ("odds pods 1d6", 1, "LX0005"),
        ("host pods", 1, "LX0005"),
        ("tournament new cup --game pods", 1, "LX0005"),
        ("show dicewing --mode slow", 1, "LX0807"),
        ("host dicewing --mode slow", 1, "LX0807"),
        ("play dicewing --option slow=1", 1, "LX0309"),
        ("sim dicewing --option slow=1", 1, "LX0309"),
        ("explain LX9999", 1, "LX0016"),
    ];
    assert_all_told("failures-games", &cases);
}

#[test]
fn wrong_entrants_and_seats_are_told_in_either_format() {
    let cases = [
        ("show dice-challenge oter", 1, "LX0006"),
        ("play dice-challenge --seat 0=oter", 1, "LX0006"),
        ("host dice-challenge --seat 0=oter", 1, "LX0006"),
        ("sim dice-challenge --seat 0=oter", 1, "LX0006"),
        ("odds dice-challenge 1d6 --seat 0=oter", 1, "LX0006"),
        ("sim dice-challenge night-owl", 2, "LX0907"),
        ("play dice-challenge night-owl scout-master", 2, "LX0907"),
        ("play dice-challenge --seat 4=kunzite", 1, "LX0907"),
        ("sim dice-challenge --seat 4=kunzite", 2, "LX0907"),
        ("sim dicewing --referee auto", 2, "LX0907"),
        ("sim dicewing --seat 0=:human", 2, "LX0907"),
        ("play dicewing --seat 0=:policy=none --seat 1=:random", 1, "LX0907"),
        ("tournament new cup --game dice-challenge --team-size 9", 2, "LX0907"),
    ];
    assert_all_told("failures-seats", &cases);
}

#[test]
fn files_that_are_not_what_is_wanted_are_told_in_either_format() {
    let cases = [
        ("list --library missing", 1, "LX0004"),
        ("show dicewing --library missing", 1, "LX0004"),
        ("check missing", 1, "LX0004"),
        ("check folder", 1, "LX0009"),
        ("check binary.yaml", 1, "LX0002"),
        ("check large.yaml", 1, "LX0003"),
        ("test folder", 1, "LX0009"),
        ("play --position missing.yaml", 1, "LX0004"),
        ("play --position folder", 1, "LX0001"),
        ("play --position binary.yaml", 1, "LX0002"),
        ("play --position large.yaml", 1, "LX0003"),
        ("host --position missing.yaml", 1, "LX0004"),
        ("replay missing", 1, "LX0001"),
        ("replay folder", 1, "LX0001"),
        ("replay binary.yaml", 1, "LX0820"),
        ("replay large.yaml", 1, "LX0820"),
        ("play --resume missing", 1, "LX0001"),
        ("resume missing", 1, "LX0001"),
        ("resume folder", 1, "LX0001"),
        ("resume 99", 1, "LX0004"),
        ("tournament standings", 1, "LX1003"),
        ("tournament standings --tournament missing", 1, "LX0004"),
        ("tournament standings --tournament binary.yaml", 1, "LX1001"),
    ];
    assert_all_told("failures-files", &cases);
}

#[test]
fn what_cannot_be_worked_out_or_answered_is_told_in_either_format() {
    let cases = [
        ("odds dicewing 1+", 1, "LX0101"),
        // Nobody answers a question before the game, or in it.
        ("play dice-challenge", 1, "LX0905"),
        ("play dicewing --seat 0=:human --seat 1=:random", 1, "LX0905"),
    ];
    assert_all_told("failures-answers", &cases);
}

#[test]
fn a_code_is_explained_with_its_mended_form() {
    let folder = folder("failures-explain");
    let run = ludex_in(&folder, &["explain", "LX0005", "--format", "json"], "");
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    let nest = "name: Newt\nnest: [4]";
    assert_eq!((&object["example"], &object["mended"]), (&nest.into(), &nest.into()));
    assert_eq!(object["title"], "no game has this name");
}
