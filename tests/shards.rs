//! A run that is shared out among processes comes to what one run comes to.

use crate::support::{Folder, Luck, Run, ludex_in};
use serde_json::Value;

/// Some of its games end by a fault, and it has payoffs and a counter of either owner.
const RISKY: &str = "ludex 1
game risky \"Risky\"
sides 2
die sizes 12
each side has { counter won: halves }
the table has { zone tray: dice, open  counter shown }
to play {
  let one = first of sides
  create die(size: 12) in tray as die
  roll die
  set shown to 12 divided by (die.value - 1) rounded down
  set one.won to half of die.value
  finish with payoff of side = if side is one then side.won else 0 - one.won
}
";

fn risky(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("rules/risky/risky.ludex", RISKY);
    folder
}

/// Plays shards of a run into the folder `run`.
fn play(folder: &Folder, asked: &[&str], shards: impl IntoIterator<Item = String>) {
    for shard in shards {
        let played = ludex_in(folder, &[&["sim"], asked, &["--shard", &shard, "--out", "run"]].concat(), "");
        assert_eq!(played.status, 0, "{}", played.stderr);
    }
}

fn all_of(count: usize) -> impl Iterator<Item = String> {
    (0..count).map(move |number| format!("{number}/{count}"))
}

fn merge(folder: &Folder, format: &str) -> Run {
    ludex_in(folder, &["merge", "run", "--format", format], "")
}

/// Whatever the division, the shards come to what the run prints, as text and as JSON.
fn comes_to_the_same(name: &str, asked: &[&str], divisions: &[usize]) {
    let folder = risky(name);
    for &count in divisions {
        play(&folder, asked, all_of(count));
        for format in ["text", "json"] {
            let whole = ludex_in(&folder, &[&["sim"], asked, &["--format", format]].concat(), "");
            let merged = merge(&folder, format);
            assert_eq!(merged.stdout, whole.stdout, "{asked:?} in {count} as {format}");
            assert_eq!(merged.status, whole.status, "{asked:?} in {count} as {format}");
        }
        std::fs::remove_dir_all(folder.file("run")).unwrap();
    }
}

#[test]
fn faults_payoffs_and_counters_add_up() {
    comes_to_the_same("shards-faults", &["risky", "--games", "300", "--count", "shown", "--count", "won", "--check"], &[1, 7]);
}

#[test]
fn more_shards_than_games_add_up() {
    comes_to_the_same("shards-few-games", &["risky", "--games", "3", "--seed", "5"], &[5]);
}

#[test]
fn moves_abilities_and_pairs_add_up() {
    comes_to_the_same("shards-pairs", &["dice-challenge", "--all-pairs", "--usage", "--games", "600"], &[3]);
}

#[test]
fn modes_options_teams_and_players_are_those_of_the_run() {
    let asked = ["season-3", "--mode", "tag-team", "--team-size", "3", "--games", "12", "--seat", "1=:auto"];
    comes_to_the_same("shards-teams", &asked, &[4]);
}

#[test]
fn a_shard_says_what_it_played_and_where_that_is() {
    let folder = risky("shards-said");
    let said = ludex_in(&folder, &["sim", "risky", "--games", "100", "--shard", "1/3", "--out", "run", "--format", "json"], "");
    let said: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!((said["shard"].as_str(), said["games"].to_string().as_str()), (Some("1/3"), "[33,66]"));
    assert!(std::fs::read_to_string(said["file"].as_str().map(|file| folder.file(file)).unwrap()).is_ok());
}

#[test]
fn a_gap_is_told_with_the_shards_that_fill_it() {
    let folder = risky("shards-gap");
    play(&folder, &["risky", "--games", "100"], ["0/10", "1/10", "4/10", "9/10"].map(str::to_string));
    let merged = merge(&folder, "text");
    assert_ne!(merged.status, 0);
    assert!(merged.stdout.is_empty(), "{}", merged.stdout);
    assert!(merged.stderr.contains("games 20 to 39 are missing"), "{}", merged.stderr);
    assert!(merged.stderr.contains("play `--shard 2/10` and `--shard 3/10`"), "{}", merged.stderr);
    assert!(merged.stderr.contains("games 50 to 89 are missing"), "{}", merged.stderr);
}

#[test]
fn shards_of_two_divisions_that_overlap_are_told_by_name() {
    let folder = risky("shards-double");
    play(&folder, &["risky", "--games", "100"], ["0/2", "1/2", "3/4"].map(str::to_string));
    let merged = merge(&folder, "json");
    assert_ne!(merged.status, 0);
    let twice = "games 75 to 99 are in `run/shard-1-of-2.json` and in `run/shard-3-of-4.json`";
    assert!(merged.stdout.contains(twice), "{}", merged.stdout);
}

#[test]
fn a_shard_of_another_run_is_told_with_what_differs() {
    let others: [(&[&str], &str); 4] = [
        (&["risky", "--games", "100", "--seed", "2"], "seed is 2, not 1"),
        (&["risky", "--games", "101"], "games is 101, not 100"),
        (&["risky", "--games", "100", "--count", "won"], "count is [\"won\"], not []"),
        (&["dice-challenge", "--games", "100"], "game is \"dice-challenge\", not \"risky\""),
    ];
    for (other, differs) in others {
        let folder = risky("shards-foreign");
        play(&folder, &["risky", "--games", "100"], ["0/2".to_string()]);
        play(&folder, other, ["1/2".to_string()]);
        let merged = merge(&folder, "json");
        assert_ne!(merged.status, 0);
        let told: Value = serde_json::from_str(&merged.stdout).unwrap();
        let message = told["problems"][0]["message"].as_str().unwrap_or_default();
        assert!(message.contains("shard-1-of-2.json") && message.contains(differs), "{message}");
    }
}

#[test]
fn shards_of_changed_rules_do_not_count() {
    let folder = risky("shards-changed");
    play(&folder, &["risky", "--games", "100"], all_of(2));
    folder.write("rules/risky/risky.ludex", &RISKY.replace("12 divided", "24 divided"));
    let merged = merge(&folder, "text");
    assert_ne!(merged.status, 0);
    assert!(merged.stderr.contains("not those that the shards were played with"), "{}", merged.stderr);
    play(&folder, &["risky", "--games", "100"], ["1/2".to_string()]);
    let merged = merge(&folder, "text");
    assert!(merged.stderr.contains("the hash of the game's files"), "{}", merged.stderr);
}

/// Whatever happens to a byte of a shard, it is found out.
#[test]
fn a_damaged_shard_is_never_counted() {
    let folder = risky("shards-damaged");
    play(&folder, &["risky", "--games", "100"], all_of(2));
    let path = folder.file("run/shard-1-of-2.json");
    let sound = std::fs::read(&path).unwrap();
    let mut luck = Luck(7);
    for _ in 0..40 {
        let mut damaged = sound.clone();
        let at = luck.below(sound.len() as u64) as usize;
        match luck.below(3) {
            0 => damaged[at] ^= 1 << luck.below(7),
            1 => damaged.truncate(at),
            _ => drop(damaged.remove(at)),
        }
        std::fs::write(&path, &damaged).unwrap();
        let merged = merge(&folder, "text");
        // The end of the last line counts for nothing.
        let is_harmless = damaged.trim_ascii_end() == sound.trim_ascii_end();
        assert_eq!(merged.status == 0, is_harmless, "{}", merged.stderr);
        assert!(is_harmless || merged.stderr.contains("shard-1-of-2.json"), "{}", merged.stderr);
    }
}

#[test]
fn what_is_left_of_a_shard_that_was_being_written_is_none() {
    let folder = risky("shards-draft");
    play(&folder, &["risky", "--games", "100"], all_of(2));
    let whole = merge(&folder, "text").stdout;
    folder.write("run/shard-1-of-2.json.4711.draft", "{\"ludex\":1,");
    folder.write("run/README.md", "not a shard");
    assert_eq!(merge(&folder, "text").stdout, whole);
    // A shard that is played again takes the place of the same.
    play(&folder, &["risky", "--games", "100"], ["1/2".to_string()]);
    assert_eq!(merge(&folder, "text").stdout, whole);
}

#[test]
fn programs_cannot_be_asked_again() {
    let folder = risky("shards-program");
    let asked = ["sim", "dice-challenge", "--seat", "0=:exec=true", "--shard", "0/2", "--out", "run"];
    let refused = ludex_in(&folder, &asked, "");
    assert_ne!(refused.status, 0);
    assert!(refused.stderr.contains("`--shard` plays games again"), "{}", refused.stderr);
}

#[test]
fn a_folder_without_shards_says_how_they_are_made() {
    let folder = risky("shards-none");
    std::fs::create_dir(folder.file("run")).unwrap();
    let merged = merge(&folder, "text");
    assert!(merged.stderr.contains("there are no shards in `run`") && merged.stderr.contains("--shard 0/4"), "{}", merged.stderr);
}
