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
    let folder = Folder::empty(name);
    folder.write("rules/risky/risky.ludex", RISKY);
    folder
}

/// Plays shards of a run of `sim` into the folder `run`.
fn play(folder: &Folder, asked: &[&str], shards: impl IntoIterator<Item = String>) {
    shared_out(folder, &[&["sim"], asked].concat(), shards);
}

/// Writes shards of what a verb does into the folder `run`.
fn shared_out(folder: &Folder, asked: &[&str], shards: impl IntoIterator<Item = String>) {
    for shard in shards {
        let done = ludex_in(folder, &[asked, &["--shard", &shard, "--out", "run"]].concat(), "");
        assert_eq!(done.status, 0, "{}", done.stderr);
    }
}

fn all_of(count: usize) -> impl Iterator<Item = String> {
    (0..count).map(move |number| format!("{number}/{count}"))
}

fn merge(folder: &Folder, format: &str) -> Run {
    ludex_in(folder, &["merge", "run", "--format", format], "")
}

/// Whatever the division, the shards of a run of `sim` come to what it prints, as text and as JSON.
fn comes_to_the_same(name: &str, asked: &[&str], divisions: &[usize]) {
    merges_to_the_same(&risky(name), &[&["sim"], asked].concat(), divisions);
}

/// The same of whatever a verb does.
fn merges_to_the_same(folder: &Folder, asked: &[&str], divisions: &[usize]) {
    for &count in divisions {
        shared_out(folder, asked, all_of(count));
        for format in ["text", "json"] {
            let whole = told_alike(ludex_in(folder, &[asked, &["--format", format]].concat(), ""));
            let merged = told_alike(merge(folder, format));
            assert_eq!(merged.stdout, whole.stdout, "{asked:?} in {count} as {format}");
            assert_eq!(merged.status, whole.status, "{asked:?} in {count} as {format}");
        }
        std::fs::remove_dir_all(folder.file("run")).unwrap();
    }
}

/// Recordings of games that went wrong are numbered, and every run keeps its own.
fn told_alike(run: Run) -> Run {
    let folder = "simulated/";
    let without = |part: &str| part.trim_start_matches(|sign: char| sign.is_ascii_digit()).to_string();
    let stdout = run.stdout.split(folder).map(without).collect::<Vec<_>>().join(folder);
    Run { stdout, ..run }
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
    assert!(refused.stderr.contains("`--shard` replays games"), "{}", refused.stderr);
}

#[test]
fn a_folder_without_shards_says_how_they_are_made() {
    let folder = risky("shards-none");
    std::fs::create_dir(folder.file("run")).unwrap();
    let merged = merge(&folder, "text");
    assert!(merged.stderr.contains("there are no shards in `run`") && merged.stderr.contains("--shard 0/4"), "{}", merged.stderr);
}

// --- the other verbs -----------------------------------------------------------

/// What `test --mutants` breaks, with one scenario that does not look at everything.
fn scored(name: &str) -> Folder {
    let folder = Folder::empty(name);
    let rules = "ludex 1
game stones \"Stones\"
sides 2
each side has { counter stones  counter turns }
to play {
  repeat 2 times { each side in sides { do turn(side) } }
  finish with those of sides with highest it.stones
}
to turn(side: side) {
  add 1 to side.turns
  side must choose number in 1..3 as taken
  if taken = 3 { add 2 to side.stones }
  add taken to side.stones
}
";
    let scenario = "- name: Whoever takes three gets two more
  start: {}
  play:
    - 0: 3
    - 1: 2
    - 0: 1
    - 1: 1
  then: {sides: [{counters: {stones: 6}}, {counters: {stones: 3}}]}
";
    folder.write("rules/stones/game.ludex", rules);
    folder.write("rules/stones/scenarios/taking.yaml", scenario);
    folder
}

#[test]
fn changes_that_no_scenario_notices_add_up() {
    let folder = scored("shards-mutants");
    merges_to_the_same(&folder, &["test", "stones", "--mutants", "9", "--seed", "3"], &[1, 3]);
    // As many as there are, over two packages.
    folder.write("rules/risky/risky.ludex", RISKY);
    merges_to_the_same(&folder, &["test", "risky", "stones", "--mutants", "200"], &[5]);
}

#[test]
fn shards_of_changes_are_of_the_scenarios_too() {
    let folder = scored("shards-mutants-changed");
    shared_out(&folder, &["test", "stones", "--mutants", "4"], all_of(2));
    let scenario = std::fs::read_to_string(folder.file("rules/stones/scenarios/taking.yaml")).unwrap();
    folder.write("rules/stones/scenarios/taking.yaml", &scenario.replace("stones: 6}", "stones: 6, turns: 2}"));
    let merged = merge(&folder, "text");
    assert_ne!(merged.status, 0);
    assert!(merged.stderr.contains("not those that the shards were played with"), "{}", merged.stderr);
    shared_out(&folder, &["test", "stones", "--mutants", "4"], ["1/2".to_string()]);
    assert!(merge(&folder, "text").stderr.contains("the hash of the game's files"));
}

#[test]
fn faults_that_check_finds_in_play_add_up() {
    let folder = risky("shards-check");
    let asked = ["check", "rules/risky", "--play", "60", "--seed", "4"];
    merges_to_the_same(&folder, &asked, &[1, 4]);
    shared_out(&folder, &[&asked[..], &["--deny", "warnings"]].concat(), all_of(2));
    assert!(merge(&folder, "concise").stdout.contains("LX0"), "{}", merge(&folder, "concise").stdout);
}

#[test]
fn what_cannot_be_played_is_told_and_no_shard_is_written() {
    let folder = risky("shards-unsound");
    folder.write("rules/risky/risky.ludex", &RISKY.replace("set shown to", "set shone to"));
    let refused = ludex_in(&folder, &["check", "rules/risky", "--play", "9", "--shard", "0/2", "--out", "run"], "");
    assert_ne!(refused.status, 0);
    assert!(refused.stdout.contains("shone") && !folder.file("run").exists(), "{}", refused.stdout);
}

#[test]
fn rolls_add_up() {
    let folder = risky("shards-odds");
    let asked = ["odds", "risky", "sum of 3d12", "--limit", "1", "--samples", "1000", "--seed", "9"];
    merges_to_the_same(&folder, &asked, &[1, 3]);
    let lists = ["odds", "risky", "sorted 2d12", "--limit", "1", "--samples", "5"];
    merges_to_the_same(&folder, &lists, &[7]);
}

#[test]
fn exact_odds_have_no_parts() {
    let folder = risky("shards-exact");
    let refused = ludex_in(&folder, &["odds", "risky", "1d12", "--shard", "0/2", "--out", "run"], "");
    assert_ne!(refused.status, 0);
    assert!(refused.stderr.contains("these odds are exact"), "{}", refused.stderr);
}

#[test]
fn only_what_is_long_has_parts() {
    let folder = scored("shards-short");
    for (asked, flag) in [(["test", "stones"], "`--mutants`"), (["check", "rules/stones"], "`--play`")] {
        let refused = ludex_in(&folder, &[&asked[..], &["--shard", "0/2", "--out", "run"]].concat(), "");
        assert_ne!(refused.status, 0);
        assert!(refused.stderr.contains(flag), "{}", refused.stderr);
    }
}

#[test]
fn shards_of_two_verbs_do_not_mix() {
    let folder = risky("shards-mixed");
    play(&folder, &["risky", "--games", "100"], ["0/2".to_string()]);
    shared_out(&folder, &["odds", "risky", "2d12", "--limit", "1", "--samples", "100"], ["1/2".to_string()]);
    let merged = merge(&folder, "text");
    assert_ne!(merged.status, 0);
    assert!(merged.stderr.contains("the verb is odds, not sim"), "{}", merged.stderr);
}
