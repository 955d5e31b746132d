//! A position in the middle of each classic game, written by hand: it is played, kept, replayed, and gone on with.

use super::{GAMES, library};
use crate::support::{Folder, Run, run};
use serde_json::Value;

const SEATS: [&str; 4] = ["0=:random", "1=:random", "2=:random", "3=:random"];

/// The path of the recording that a run has kept, and its text.
fn kept(played: &Run) -> (String, String) {
    let path = played.stdout.lines().find_map(|line| line.strip_prefix("kept in ")).expect("a recording");
    (path.to_string(), std::fs::read_to_string(path).unwrap())
}

/// How a recorded game ended, after its recording was played again.
fn outcome(folder: &Folder, root: &str, path: &str) -> Value {
    let replayed = run(folder, &["replay", path, "--library", root, "--format", "json"], "");
    let report: Value = serde_json::from_str(&replayed.stdout).unwrap();
    report["outcome"].clone()
}

/// Random bots play on to the end. A game that was left halfway goes on, and ends as well.
fn goes_on(game: &str) {
    let folder = Folder::new(&format!("classics-position-{game}"));
    let root = library().to_string_lossy().into_owned();
    let position = library().join("rules").join(game).join("positions/middle.yaml").to_string_lossy().into_owned();
    run(&folder, &["check", &position, "--library", &root], "");
    let sides = std::fs::read_to_string(&position).unwrap().matches("\n  - entrants:").count().max(2);
    let seats = SEATS[..sides].iter().flat_map(|seat| ["--seat", seat]);
    let args = ["play", game, "--library", &root, "--position", &position, "--seed", "3", "--plain"];
    let played = run(&folder, &args.into_iter().chain(seats).collect::<Vec<_>>(), "");
    let (path, recording) = kept(&played);
    let lines: Vec<&str> = recording.lines().collect();
    assert!(lines[0].contains("\"entry\":") && lines.last().unwrap().contains("\"outcome\":"), "{game}: {recording}");
    let ended = outcome(&folder, &root, &path);
    assert!(!ended.is_null(), "{game}: {recording}");

    let half: String = lines[..lines.len().div_ceil(2)].iter().map(|line| format!("{line}\n")).collect();
    let left = folder.write("left.ludexrec", &half);
    let resumed = run(&folder, &["play", "--resume", &left, "--library", &root, "--plain"], "");
    let (path, recording) = kept(&resumed);
    assert!(recording.lines().count() > half.lines().count() && !outcome(&folder, &root, &path).is_null(), "{game}: {recording}");
}

#[test]
fn a_position_in_the_middle_of_each_game_is_played_kept_and_gone_on_with() {
    std::thread::scope(|scope| {
        let games: Vec<_> = GAMES.iter().map(|game| scope.spawn(|| goes_on(game))).collect();
        games.into_iter().for_each(|game| game.join().expect("a game goes on"));
    });
}
