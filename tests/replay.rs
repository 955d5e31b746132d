//! Recordings played again.

use crate::engine_names_no_game::files;
use crate::support::{Folder, bundled_whole, ludex_in, unsealed};
use ludex_engine::Compile;
use ludex_engine::library::CompileRequest;
use ludex_engine::recording::{Chain, FIRST_FORMAT, Recording, replay_recording as replay_whole};
use ludex_engine::runtime::Pending;
use ludex_engine::source::SourceId;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// A whole game of two bots.
fn whole_game(folder: &Folder) -> String {
    let args = ["play", "dice-challenge", "--seed", "11", "--seat", "0=droids:random", "--seat", "1=wiseman:random"];
    let run = ludex_in(folder, &args, "");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let path = run.stdout.lines().find_map(|line| line.strip_prefix("kept in ")).unwrap();
    std::fs::read_to_string(path).unwrap()
}

/// A recording whose lines were changed on purpose, with the checksums that they have now.
fn sealed(text: &str) -> String {
    let mut chain = Chain::default();
    unsealed(text).lines().map(|line| chain.seal_line(line)).collect()
}

fn replay(folder: &Folder, text: &str) -> (i32, String) {
    let path = folder.write("game.ludexrec", text);
    let run = ludex_in(folder, &["replay", &path], "");
    (run.status, run.stderr)
}

#[test]
fn a_recording_gives_the_same_events_again() {
    let folder = Folder::new("replay-same");
    let path = folder.write("game.ludexrec", &whole_game(&folder));
    let once = ludex_in(&folder, &["replay", &path, "--format", "json"], "");
    let again = ludex_in(&folder, &["replay", &path, "--format", "json"], "");
    assert_eq!(once.status, 0, "{}", once.stderr);
    assert_eq!(once.stdout, again.stdout);
    let report: Value = serde_json::from_str(&once.stdout).unwrap();
    assert_eq!(report["command"], "replay");
    assert!(report["divergence"].is_null());
    assert_eq!(report["events"].as_array().unwrap().last().unwrap()["kind"], "finished");
}

#[test]
fn a_recording_cut_anywhere_loses_nothing_that_was_answered() {
    let folder = Folder::new("replay-cut");
    let text = whole_game(&folder);
    let first = text.find('\n').unwrap();
    for cut in (first + 1..text.len()).step_by((text.len() - first) / 8) {
        let (status, said) = replay(&folder, &text[..cut]);
        assert_eq!(status, 0, "cut at {cut}: {said}");
    }
}

#[test]
fn another_answer_is_told_where_it_stands() {
    let folder = Folder::new("replay-answer");
    let text = whole_game(&folder);
    let line = text.lines().nth(3).unwrap();
    let (status, said) = replay(&folder, &sealed(&text.replace(line, "{\"decision\":999,\"seat\":0,\"key\":\"pass\"}")));
    assert_eq!(status, 1);
    assert!(said.contains("entry 3") && said.contains("expected") && said.contains("found"), "{said}");
}

#[test]
fn another_seed_is_noticed() {
    let folder = Folder::new("replay-seed");
    let (status, said) = replay(&folder, &sealed(&whole_game(&folder).replace("\"seed\":11", "\"seed\":12")));
    assert_eq!(status, 1, "{said}");
}

#[test]
fn another_package_is_told_file_by_file() {
    let folder = Folder::new("replay-package");
    let text = whole_game(&folder).replace("\"package_hash\":\"", "\"package_hash\":\"0");
    let text = text.replace("\"rules/dice-challenge/play.ludex\":\"", "\"rules/dice-challenge/play.ludex\":\"0");
    let (status, said) = replay(&folder, &sealed(&text));
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("`rules/dice-challenge/play.ludex` has changed"), "{said}");
}

#[test]
fn what_is_no_recording_is_refused() {
    let folder = Folder::new("replay-garbage");
    for text in [
        "",
        "\0\0\0",
        "{}",
        "[[[[",
        "name: otter\n",
        "{\"ludex-recording\":3}\n",
        "{\"ludex-recording\":2}\n",
        "{\"ludex-recording\":1}\n",
    ] {
        let (status, said) = replay(&folder, text);
        assert_eq!(status, 1, "{text}");
        assert!(said.contains("LX08"), "{said}");
    }
    assert_eq!(ludex_in(&folder, &["replay", "nowhere.ludexrec"], "").status, 1);
}

/// Games of all kinds, recorded before format 2: teams, take-backs, secret picks, listed and typed results, one unfinished.
#[test]
fn recordings_of_format_1_are_played_to_their_ends() {
    let library = bundled_whole();
    let mut programs = BTreeMap::new();
    let mut finished = 0;
    for path in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/recordings-1"), &["ludexrec"]) {
        let recording = Recording::parse(SourceId(0), &std::fs::read(&path).unwrap()).unwrap().recording;
        let header = &recording.header;
        assert_eq!(header.format, FIRST_FORMAT, "{path:?}");
        let wanted = CompileRequest { mode: Some(header.mode.clone()), options: header.option_texts(), open: false };
        let program = programs
            .entry((header.game.clone(), header.mode.clone(), header.option_texts()))
            .or_insert_with(|| Arc::new(library.compile(&header.game, &wanted).0.unwrap()));
        // The digest of its events stands in the last line, and is compared.
        let session = replay_whole(&recording, program.clone(), None).unwrap_or_else(|gone| panic!("{path:?}: {gone}"));
        assert_eq!(matches!(session.pending(), Pending::Finished(_)), recording.ending.is_some(), "{path:?}");
        finished += usize::from(recording.ending.is_some());
    }
    assert_eq!(finished, 11);
}

// --- moment by moment --------------------------------------------------------------------------

#[test]
fn a_recording_is_read_moment_by_moment() {
    let folder = Folder::new("replay-steps");
    let path = folder.write("game.ludexrec", &whole_game(&folder));
    let input = "\nback\nback\nturn\nback turn\nto 9999\nto 5\ntable\ntable 9\nrund\nquit\n";
    let read = ludex_in(&folder, &["replay", &path, "--step"], input);
    assert_eq!(read.status, 0, "{}", read.stderr);
    insta::assert_snapshot!(read.stdout);
}

#[test]
fn one_moment_is_shown_with_its_table() {
    let folder = Folder::new("replay-at");
    let path = folder.write("game.ludexrec", &whole_game(&folder));
    let at = |number: &str, more: &[&str]| {
        let args: Vec<&str> = ["replay", &path, "--at", number].iter().chain(more).copied().collect();
        ludex_in(&folder, &args, "")
    };
    insta::assert_snapshot!(at("3", &[]).stdout);
    let report: Value = serde_json::from_str(&at("3", &["--view", "1", "--format", "json"]).stdout).unwrap();
    assert_eq!((&report["entry"], &report["view"]["seat"]), (&3.into(), &1.into()), "{report}");
    let last = report["entries"].as_u64().unwrap();
    assert_eq!(at(&last.to_string(), &[]).status, 0);
    let beyond = at(&(last + 1).to_string(), &[]);
    assert!(beyond.stderr.contains(&format!("the recording has {last}")), "{}", beyond.stderr);
    assert!(at("3", &["--view", "2"]).stderr.contains("there is no seat 2"));
    let whole = ludex_in(&folder, &["replay", &path, "--view", "1"], "");
    assert_eq!(whole.status, 2, "without a table there is nothing to be seen: {}", whole.stderr);
}

/// What was told, without the breaks between its lines.
fn on_one_line(told: &str) -> String {
    told.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The end of what goes the same way, and what comes then, whether it is looked for or come upon.
#[test]
fn the_first_difference_is_told_with_the_table_before_it() {
    let folder = Folder::new("replay-differs");
    let text = whole_game(&folder);
    let line = text.lines().nth(3).unwrap();
    let path = folder.write("game.ludexrec", &sealed(&text.replace(line, "{\"decision\":999,\"seat\":0,\"key\":\"pass\"}")));
    let told = on_one_line(&ludex_in(&folder, &["replay", &path], "").stderr);
    assert!(told.contains("at entry 3; expected: seat 0 answers `pass` to decision 999; found: "), "{told}");
    assert!(told.contains("--at 2` shows the table before it"), "{told}");
    assert_eq!(ludex_in(&folder, &["replay", &path, "--at", "2"], "").status, 0);
    let behind = on_one_line(&ludex_in(&folder, &["replay", &path, "--at", "3"], "").stderr);
    assert!(behind.contains("it is the same up to entry 2"), "{behind}");
    let read = ludex_in(&folder, &["replay", &path, "--step"], "to 2\n\nquit\n");
    assert_eq!(read.status, 1);
    let told = on_one_line(&read.stderr);
    assert!(told.contains("at entry 3; expected: seat 0 answers `pass`"), "{told}");
}
