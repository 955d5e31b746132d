//! Tournaments from outside: `ludex tournament`, one process for each thing that is done.

mod soak;

use crate::support::{Folder, Run, ludex_in};
use serde_json::Value;
use soak::Plan;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout};
use std::time::Duration;

/// A tournament in a folder of its own.
struct Hall(Folder);

impl Hall {
    /// A tournament of Dice Challenge in which some have joined.
    fn new(name: &str, more: &[&str], names: &[&str]) -> Hall {
        Hall::of("dice-challenge", name, more, names)
    }

    fn of(game: &str, name: &str, more: &[&str], names: &[&str]) -> Hall {
        let hall = Hall(Folder::new(&format!("tournament-{name}")));
        hall.0.remove("cup.ludextournament");
        hall.done(&[&["new", "cup", "--game", game], more].concat());
        if !names.is_empty() {
            hall.done(&[&["join"], names].concat());
        }
        hall
    }

    fn run(&self, words: &[&str], input: &str) -> Run {
        ludex_in(&self.0, &[&["tournament"], words].concat(), input)
    }

    /// What a command says that must be done.
    #[track_caller]
    fn done(&self, words: &[&str]) -> Value {
        let run = self.run(&[words, &["--format", "json"]].concat(), "");
        assert_eq!(run.status, 0, "{words:?}\n{}{}", run.stdout, run.stderr);
        serde_json::from_str(run.stdout.lines().last().unwrap_or_default()).unwrap()
    }

    /// What people read when it is done.
    #[track_caller]
    fn told(&self, words: &[&str]) -> String {
        let run = self.run(words, "");
        assert_eq!(run.status, 0, "{words:?}\n{}{}", run.stdout, run.stderr);
        run.stdout
    }

    /// Why it is not done.
    #[track_caller]
    fn refused(&self, words: &[&str]) -> String {
        let run = self.run(words, "");
        assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{words:?}\n{}", run.stderr);
        one_line(&run.stderr)
    }

    #[track_caller]
    fn usage(&self, words: &[&str]) -> String {
        let run = self.run(words, "");
        assert_eq!(run.status, 2, "{words:?}\n{}{}", run.stdout, run.stderr);
        one_line(&run.stderr)
    }

    /// An accepted duel between two who are free.
    fn accepted(&self, one: &str, other: &str) -> String {
        let duel = self.done(&["challenge", other, "--as", one])["duel"]["duel"].to_string();
        self.done(&["accept", &duel, "--as", other]);
        duel
    }

    /// An accepted duel for which both have chosen.
    fn ready(&self, one: &str, other: &str) -> String {
        let duel = self.accepted(one, other);
        self.done(&["choose", "kunzite", "--as", one]);
        self.done(&["choose", "rubeus", "--as", other]);
        duel
    }

    fn beats(&self, winner: &str, loser: &str) -> String {
        let duel = self.ready(winner, loser);
        self.done(&["report", &duel, "--winner", winner]);
        duel
    }

    fn standings(&self) -> Value {
        self.done(&["standings"])
    }

    /// Names and tokens, the most first.
    fn tokens(&self) -> Vec<(String, i64)> {
        let standings = self.standings();
        let players = standings["players"].as_array().unwrap();
        players.iter().map(|player| (player["name"].as_str().unwrap().to_string(), player["tokens"].as_i64().unwrap())).collect()
    }

    fn duel(&self, number: &str) -> Value {
        self.done(&["show", number])["duel"].clone()
    }

    fn state(&self, number: &str) -> String {
        self.duel(number)["state"].as_str().unwrap().to_string()
    }

    /// Everything that can be read anywhere while a duel goes on.
    fn everything(&self) -> String {
        let shown: [&[&str]; 5] =
            [&["standings", "--html", "wall.html"], &["duels", "--all"], &["show", "1"], &["log"], &["duels"]];
        let told = shown.iter().map(|words| format!("{}{}", self.told(words), self.done(words)));
        let page = || std::fs::read_to_string(self.0.file("wall.html")).unwrap();
        told.collect::<Vec<_>>().join("") + page().as_str()
    }
}

/// A problem as one line, however it was broken.
fn one_line(told: &str) -> String {
    told.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn tokens(pairs: &[(&str, i64)]) -> Vec<(String, i64)> {
    pairs.iter().map(|(name, tokens)| (name.to_string(), *tokens)).collect()
}

// --- the rules of tournaments -------------------------------------------------------

#[test]
fn every_rule_has_a_test_here() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/dice-challenge/README.md")).unwrap();
    let ids: Vec<String> = page.split("`dc_").skip(1).map(|rest| rest[..3].to_string()).collect();
    assert_eq!(ids.len(), 10);
    for id in ids {
        assert!(include_str!("tournament.rs").contains(&format!("\nfn dc_{id}_")), "{id}");
    }
}

#[test]
fn dc_400_any_number_of_players_meet_in_normal_matches_of_two() {
    let names: Vec<String> = (1..=30).map(|number| format!("Player {number}")).collect();
    let hall = Hall::new("dc-400", &[], &names.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(hall.tokens().len(), 30);
    let duel = hall.accepted("Player 1", "Player 30");
    hall.done(&["choose", "sailor-mercury", "--as", "Player 1"]);
    hall.done(&["choose", "kunzite", "--as", "Player 30"]);
    hall.done(&["play", &duel, "--seat", "0=:random", "--seat", "1=:random"]);
    let recording = hall.told(&["recording", &duel]);
    let header: Value = serde_json::from_str(recording.lines().next().unwrap()).unwrap();
    assert_eq!(header["sides"], serde_json::json!([["sailor-mercury"], ["kunzite"]]));
    assert_eq!((&header["game"], &header["mode"]), (&"dice-challenge".into(), &"standard".into()));
}

#[test]
fn dc_401_everybody_starts_with_as_many_tokens() {
    let usual = Hall::new("dc-401-usual", &[], &["Ann", "Bob"]);
    assert_eq!(usual.tokens(), tokens(&[("Ann", 5), ("Bob", 5)]));
    let hall = Hall::new("dc-401", &["--tokens", "8"], &["Ann", "Bob"]);
    hall.beats("Ann", "Bob");
    hall.done(&["join", "Cleo"]);
    assert_eq!(hall.tokens(), tokens(&[("Ann", 9), ("Cleo", 8), ("Bob", 7)]));
    hall.usage(&["new", "other", "--game", "dice-challenge", "--tokens", "0"]);
}

#[test]
fn dc_402_the_organiser_fixes_how_long_it_goes_on() {
    let left = |more: &[&str]| Hall::new("dc-402", more, &[]).standings()["seconds_left"].as_i64().unwrap();
    let about = |seconds: i64, left: i64| (seconds - 60..=seconds).contains(&left);
    assert!(about(3_600, left(&[])), "an hour is usual for up to ten players");
    assert!(about(172_800, left(&["--for", "2d"])));
    assert!(left(&["--until", "2999-01-01 18:30"]) > 1_000_000);
    let hall = Hall::new("dc-402", &[], &[]);
    let new = ["new", "other", "--game", "dice-challenge"];
    hall.usage(&[&new[..], &["--for", "1h", "--until", "18:30"]].concat());
    hall.usage(&[&new[..], &["--for", "soon"]].concat());
    assert!(hall.refused(&[&new[..], &["--until", "2020-01-01 18:30"]].concat()).contains("2020-01-01 18:30 has passed"));
    hall.done(&["deadline", "--for", "3h"]);
    assert!(hall.usage(&["deadline"]).contains("--until <TIME>|--for <LENGTH>"), "nothing is moved by asking");
    assert!(about(10_800, hall.standings()["seconds_left"].as_i64().unwrap()));
}

#[test]
fn dc_403_anybody_challenges_anybody_again_and_again_and_anybody_refuses() {
    let hall = Hall::new("dc-403", &[], &["Ann", "Bob", "Cleo"]);
    for number in 1..=3 {
        let duel = hall.done(&["challenge", "Bob", "--as", "Ann"])["duel"].clone();
        assert_eq!(duel["duel"], number);
        let refused = hall.done(&["refuse", "--as", "Bob"])["duel"].clone();
        assert_eq!((&refused["duel"], &refused["state"]), (&duel["duel"], &"refused".into()));
    }
    hall.beats("Ann", "Bob");
    hall.beats("Ann", "Bob");
    hall.beats("Bob", "Cleo");
    assert_eq!(hall.tokens(), tokens(&[("Ann", 7), ("Bob", 4), ("Cleo", 4)]));
    hall.done(&["challenge", "Bob", "--as", "Ann"]);
    for stranger in ["Ann", "Cleo"] {
        let refusal = hall.refused(&["accept", "7", "--as", stranger]);
        assert!(refusal.contains(&format!("only Bob can answer duel 7, not {stranger}")), "{refusal}");
    }
}

#[test]
fn dc_404_both_choose_in_secret_and_are_revealed_together() {
    let hall = Hall::new("dc-404", &[], &["Ann", "Bob"]);
    let duel = hall.accepted("Ann", "Bob");
    let refusal = hall.refused(&["report", &duel, "--winner", "Ann"]);
    assert!(refusal.contains("duel 1 cannot be reported: both have to choose"), "{refusal}");
    assert!(refusal.contains("`ludex tournament report 1 --called-off` ends the duel without a result"), "{refusal}");
    let first = hall.run(&["choose", "kunzite", "--as", "Ann"], "");
    assert_eq!(first.status, 0, "{}", first.stderr);
    let shown = [first.stdout, first.stderr, hall.everything()].concat().to_lowercase();
    assert!(!shown.contains("kunzite"), "{shown}");
    assert!(shown.contains("ann has chosen, bob has not yet"));
    let second = hall.told(&["choose", "sailor-mercury", "--as", "Bob"]);
    assert!(second.contains("ready, Ann plays Kunzite, Bob plays Sailor Mercury"), "{second}");
    assert_eq!(hall.duel("1")["line_ups"], serde_json::json!([["kunzite"], ["sailor-mercury"]]));
}

#[test]
fn dc_404_what_is_typed_in_secret_is_not_repeated() {
    let hall = Hall::new("dc-404-typed", &[], &["Ann", "Bob"]);
    hall.accepted("Ann", "Bob");
    let typed = hall.run(&["choose", "--as", "Ann"], "nobody\nkunzite\n");
    assert_eq!(typed.status, 0, "{}", typed.stderr);
    // Everybody is in the list to choose from, and nobody is named after it.
    let (list, answered) = typed.stdout.split_once("there is no character `nobody`").unwrap();
    assert!(list.contains("Ann, who plays for you?") && list.contains("Kunzite"), "{list}");
    assert!(!answered.to_lowercase().contains("kunzite"), "{answered}");
    hall.done(&["choose", "rubeus", "--as", "Bob"]);
    assert_eq!(hall.duel("1")["line_ups"], serde_json::json!([["kunzite"], ["rubeus"]]));
}

#[test]
fn dc_405_who_have_chosen_the_same_choose_again_or_both_agree_to_it() {
    let hall = Hall::new("dc-405", &[], &["Ann", "Bob"]);
    let duel = hall.accepted("Ann", "Bob");
    let choose = |name: &str, id: &str| hall.done(&["choose", id, "--as", name])["duel"]["state"].clone();
    choose("Ann", "kunzite");
    assert_eq!(choose("Bob", "kunzite"), "same");
    for words in [&["play", &duel][..], &["report", &duel, "--winner", "Bob"], &["report", &duel, "--tie"]] {
        assert!(hall.refused(words).contains("both have chosen Kunzite, and choose again unless both agree to it"));
    }
    assert_eq!(choose("Bob", "rubeus"), "choosing");
    assert_eq!(hall.duel(&duel)["line_ups"], Value::Null, "again in secret");
    assert_eq!(choose("Ann", "rubeus"), "same");
    assert_eq!(hall.done(&["agree", "--as", "Ann"])["duel"]["state"], "same");
    assert_eq!(hall.done(&["agree", "--as", "Bob"])["duel"]["state"], "ready");
    let played = hall.done(&["play", &duel, "--seat", "0=:random", "--seat", "1=:random"]);
    assert_eq!(played["duel"]["line_ups"], serde_json::json!([["rubeus"], ["rubeus"]]));
    assert_ne!(played["duel"]["winner"], Value::Null);
}

#[test]
fn dc_406_the_match_is_best_of_five_and_its_loser_gives_the_winner_a_token() {
    let hall = Hall::new("dc-406", &[], &["Ann", "Bob"]);
    let duel = hall.accepted("Ann", "Bob");
    hall.done(&["choose", "sailor-mercury", "--as", "Ann"]);
    hall.done(&["choose", "kunzite", "--as", "Bob"]);
    let won = hall.done(&["play", &duel, "--seat", "0=:random", "--seat", "1=:random"])["duel"]["winner"].clone();
    let (winner, loser) = if won == "Ann" { ("Ann", "Bob") } else { ("Bob", "Ann") };
    assert_eq!(hall.tokens(), tokens(&[(winner, 6), (loser, 4)]));
    assert_eq!(hall.standings()["options"]["victory_tokens"], "3");
    hall.done(&["recording", &duel, "duel.ludexrec"]);
    let replay = ludex_in(&hall.0, &["replay", "duel.ludexrec", "--format", "json"], "");
    let replayed: Value = serde_json::from_str(&replay.stdout).unwrap();
    let side = usize::from(winner == "Bob");
    assert_eq!(replayed["outcome"]["winners"], serde_json::json!([side]));
    assert_eq!(replayed["outcome"]["scores"][side.to_string()]["tokens"], 3, "{}", replayed["outcome"]);
}

#[test]
fn dc_407_who_has_no_tokens_left_is_out() {
    let hall = Hall::new("dc-407", &["--tokens", "1"], &["Ann", "Bob", "Cleo"]);
    let waiting = hall.done(&["challenge", "Cleo", "--as", "Bob"])["duel"]["duel"].to_string();
    hall.beats("Ann", "Bob");
    assert_eq!(hall.duel(&waiting)["reason"], "no_tokens");
    for words in [["challenge", "Cleo", "--as", "Bob"], ["challenge", "Bob", "--as", "Cleo"]] {
        assert!(hall.refused(&words).contains("Bob has no tokens left, and is out"));
    }
    assert_eq!(hall.standings()["players"][2]["status"], "out");
}

#[test]
fn dc_408_it_ends_when_one_holds_every_token() {
    let hall = Hall::new("dc-408-all", &["--tokens", "1"], &["Ann", "Bob", "Cleo"]);
    hall.beats("Bob", "Ann");
    assert_eq!(hall.standings()["state"], "running");
    let duel = hall.ready("Bob", "Cleo");
    let told = hall.told(&["report", &duel, "--winner", "Bob"]);
    assert!(told.contains("one player holds every token: Bob is the champion, with 3 tokens"), "{told}");
    assert!(hall.refused(&["join", "Dora"]).contains("one player holds every token"));
}

#[test]
fn dc_408_it_ends_at_the_deadline_and_who_have_as_many_share_the_championship() {
    let hall = Hall::new("dc-408-time", &[], &["Ann", "Bob", "Cleo"]);
    hall.beats("Ann", "Cleo");
    hall.beats("Bob", "Cleo");
    let open = hall.accepted("Ann", "Bob");
    hall.done(&["deadline", "--for", "1s"]);
    std::thread::sleep(Duration::from_millis(2_100));
    assert!(hall.refused(&["report", &open, "--winner", "Ann"]).contains("time is up"));
    assert_eq!(hall.duel(&open)["reason"], "time_up");
    let standings = hall.standings();
    assert_eq!(standings["champions"], serde_json::json!(["Ann", "Bob"]));
    assert!(hall.told(&["standings"]).contains("Ann and Bob share the championship, with 6 tokens each"));
}

#[test]
fn dc_409_showing_that_one_wants_to_play_binds_nobody() {
    let hall = Hall::new("dc-409", &[], &["Ann", "Bob", "Cleo"]);
    hall.accepted("Ann", "Bob");
    let status = |place: usize| hall.standings()["players"][place]["status"].clone();
    assert_eq!([status(0), status(1), status(2)], ["in_duel", "in_duel", "free"]);
    // Who is shown as free may refuse, and who is not may be challenged.
    hall.done(&["challenge", "Cleo", "--as", "Ann"]);
    hall.done(&["refuse", "--as", "Cleo"]);
    hall.done(&["challenge", "Ann", "--as", "Cleo"]);
}

// --- games played here ---------------------------------------------------------------

/// A game that ends as an option says, after one question. Sides bring nothing.
const COIN: &str = r#"ludex 1
game coin "Coin"

sides 2

option ends is one of won, tied, off, broken = won

each side has { counter points }

family call(active: side) {}

action heads() is call
  says "heads"

action tails() is call
  says "tails"

to play {
  let caller = first of sides
  caller must choose call as call "Heads or tails?" else { finish with nobody }
  if ends is tied { finish with sides }
  if ends is off { finish with nobody "the coin rolled away" }
  if ends is broken { set caller.points to 1 divided by caller.points rounded down }
  finish with caller
}
"#;

/// A tournament of Coin with a duel that is ready.
fn coin(name: &str, ends: &str) -> Hall {
    let folder = Folder::new(&format!("tournament-coin-{name}"));
    folder.write("coin.ludex", COIN);
    folder.remove("cup.ludextournament");
    let hall = Hall(folder);
    hall.done(&["new", "cup", "--game", "coin", "--option", &format!("ends={ends}")]);
    hall.done(&["join", "Ann", "Bob"]);
    hall.accepted("Ann", "Bob");
    hall
}

#[test]
fn any_game_of_two_sides_has_tournaments() {
    let hall = coin("any", "won");
    assert_eq!(hall.state("1"), "ready", "nobody brings anything, so nobody chooses");
    assert!(hall.refused(&["choose", "heads", "--as", "Ann"]).contains("players bring nothing to a duel of Coin"));
    let played = hall.run(&["play", "--as", "Bob"], "heads\n");
    assert_eq!(played.status, 0, "{}", played.stderr);
    assert!(
        played.stdout.contains("duel 1, Ann against Bob: Ann has won; Ann has 6 tokens, Bob has 4 tokens"),
        "{}",
        played.stdout
    );
}

#[test]
fn a_game_that_is_not_for_two_sides_has_none() {
    let folder = Folder::new("tournament-three");
    folder.write("three.ludex", &COIN.replace("sides 2", "sides 3..4").replace("coin \"Coin\"", "three \"Three\""));
    let hall = Hall(folder);
    assert!(hall.refused(&["new", "cup", "--game", "three"]).contains("Three is for 3 to 4 sides, and a duel has two"));
    assert!(!hall.0.file("cup.ludextournament").exists());
}

#[test]
fn who_gives_up_has_lost() {
    let hall = coin("gives-up", "won");
    let played = hall.run(&["play", "1"], "resign\nyes\n");
    assert_eq!(played.status, 0, "{}", played.stderr);
    assert_eq!(hall.tokens(), tokens(&[("Bob", 6), ("Ann", 4)]));
}

#[test]
fn a_tie_a_game_that_is_called_off_and_a_fault_make_the_duel_void() {
    for (ends, reason, status) in [("tied", "tie", 0), ("off", "called_off", 0), ("broken", "fault", 1)] {
        let hall = coin(ends, ends);
        let played = hall.run(&["play", "1", "--seat", "0=:random", "--seat", "1=:random"], "");
        assert_eq!(played.status, status, "{ends}: {}", played.stderr);
        let duel = hall.duel("1");
        assert_eq!((&duel["state"], &duel["reason"]), (&"void".into(), &reason.into()), "{}", played.stderr);
        assert_eq!(hall.tokens(), tokens(&[("Ann", 5), ("Bob", 5)]));
        assert!(
            hall.told(&["recording", "1"]).starts_with("{\"ludex-recording\""),
            "the recording is kept for who wants to see why"
        );
    }
}

#[test]
fn who_leaves_a_game_leaves_the_duel_open() {
    let hall = coin("leaves", "won");
    let left = hall.run(&["play", "1"], "help\nquit\nyes\n");
    assert_eq!(left.status, 0, "{}", left.stderr);
    assert!(left.stderr.contains("duel 1 stays open"), "{}", left.stderr);
    assert!(left.stdout.contains("leave; the game is not kept"), "{}", left.stdout);
    assert_eq!(hall.run(&["play", "1"], "").status, 1, "the input ended");
    assert_eq!(hall.state("1"), "ready");
    hall.done(&["report", "1", "--winner", "Bob"]);
    assert!(hall.refused(&["recording", "1"]).contains("duel 1 has no recording: Bob has won"));
}

/// A game in the middle of which somebody is asked.
struct Game {
    process: Child,
    output: BufReader<ChildStdout>,
}

impl Game {
    fn begin(hall: &Hall) -> Game {
        let mut process = hall.0.command(&["tournament", "play", "1", "--plain"]).spawn().unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        assert!(output.by_ref().lines().map_while(Result::ok).any(|line| line.contains("Heads or tails?")));
        Game { process, output }
    }

    /// Answers, and gives what is told beside the results.
    fn end(mut self) -> String {
        self.process.stdin.take().unwrap().write_all(b"heads\n").unwrap();
        self.output.read_to_string(&mut String::new()).unwrap();
        let output = self.process.wait_with_output().unwrap();
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

#[test]
fn a_duel_whose_process_is_killed_can_be_played_again() {
    let hall = coin("killed", "won");
    let mut game = Game::begin(&hall);
    game.process.kill().unwrap();
    game.process.wait().unwrap();
    assert_eq!(hall.state("1"), "ready");
    assert_eq!(hall.run(&["play", "1"], "heads\n").status, 0);
    assert_eq!(hall.tokens(), tokens(&[("Ann", 6), ("Bob", 4)]));
}

#[test]
fn of_two_games_of_one_duel_the_one_that_was_begun_last_counts() {
    let hall = coin("twice", "won");
    let (first, second) = (Game::begin(&hall), Game::begin(&hall));
    let told = first.end();
    assert!(told.contains("this game does not count: the duel was started again in the meantime"), "{told}");
    assert!(told.contains("its recording is stored in"), "{told}");
    assert_eq!(hall.state("1"), "ready");
    second.end();
    assert_eq!(hall.tokens(), tokens(&[("Ann", 6), ("Bob", 4)]));
}

#[test]
fn a_game_that_ends_after_time_is_up_does_not_count() {
    let hall = coin("late", "won");
    let game = Game::begin(&hall);
    hall.done(&["deadline", "--for", "1s"]);
    std::thread::sleep(Duration::from_millis(2_100));
    let told = game.end();
    assert!(told.contains("this game does not count: the duel had already ended"), "{told}");
    assert_eq!(hall.tokens(), tokens(&[("Ann", 5), ("Bob", 5)]));
    assert!(hall.told(&["recording", "1"]).contains("\"outcome\""));
}

#[test]
fn changed_files_of_the_game_are_a_note() {
    let hall = coin("changed", "won");
    hall.0.write("coin.ludex", &COIN.replace("\"heads\"", "\"crown\""));
    let played = hall.run(&["play", "1"], "1\n");
    assert_eq!(played.status, 0, "{}", played.stderr);
    assert!(played.stderr.contains("the files of the game have changed since the tournament began"), "{}", played.stderr);
}

#[test]
fn line_ups_that_cannot_play_are_refused() {
    let hall = Hall::new("line-ups", &[], &["Ann", "Bob"]);
    assert!(hall.refused(&["choose", "kunzite", "--as", "Ann"]).contains("Ann is not in a duel"));
    hall.accepted("Ann", "Bob");
    let refusal = hall.refused(&["choose", "kunzyte", "--as", "Ann"]);
    assert!(refusal.contains("there is no character `kunzyte`") && refusal.contains("did you mean `kunzite`?"), "{refusal}");
    assert!(
        hall.refused(&["choose", "kunzite", "rubeus", "--as", "Ann"])
            .contains("each player brings 1 character to a duel of this tournament, not 2")
    );
    assert_eq!(hall.duel("1")["chosen"], serde_json::json!([false, false]));
}

// --- teams -----------------------------------------------------------------------------

#[test]
fn all_duels_have_teams_of_the_size_that_was_fixed() {
    let hall = Hall::new("teams", &["--mode", "tag-team", "--team-size", "3"], &["Ann", "Bob"]);
    hall.done(&["standings", "--html", "wall.html"]);
    let page = std::fs::read_to_string(hall.0.file("wall.html")).unwrap();
    for told in [hall.told(&["standings"]), page] {
        assert!(
            told.contains("Dice Challenge (Tag Team) tournament") && told.contains("each player brings 3 characters"),
            "{told}"
        );
    }
    assert_eq!(hall.standings()["team_size"], 3);
    hall.accepted("Ann", "Bob");
    for (ids, count) in [(&["kunzite"][..], 1), (&["kunzite", "rubeus"], 2), (&["kunzite", "rubeus", "saphir", "droids"], 4)] {
        let refusal = hall.refused(&[&["choose", "--as", "Ann"], ids].concat());
        assert!(
            refusal.contains(&format!("each player brings 3 characters to a duel of this tournament, not {count}")),
            "{refusal}"
        );
        assert!(refusal.contains("name 3, with a space between them"), "{refusal}");
    }
    assert!(hall.refused(&["choose", "kunzite", "rubeus", "kunzite", "--as", "Ann"]).contains("`kunzite` appears twice"));
    let typed = hall.run(&["choose", "--as", "Ann"], "kunzite\nkunzite\nrubeus\nsaphir\n");
    assert_eq!(typed.status, 0, "{}", typed.stderr);
    assert!(typed.stdout.contains("Kunzite is on this side already"), "{}", typed.stdout);
    let same = hall.done(&["choose", "saphir", "kunzite", "rubeus", "--as", "Bob"]);
    assert_eq!(same["duel"]["state"], "same", "in another order");
    hall.done(&["choose", "saphir", "kunzite", "esmeraude", "--as", "Bob"]);
    assert_eq!(hall.done(&["choose", "rubeus", "kunzite", "saphir", "--as", "Ann"])["duel"]["state"], "ready");
    let played = hall.done(&["play", "1", "--seat", "0=:random", "--seat", "1=:random"]);
    assert_eq!(played["duel"]["state"], "finished");
    let header: Value = serde_json::from_str(hall.told(&["recording", "1"]).lines().next().unwrap()).unwrap();
    assert_eq!(header["sides"], serde_json::json!([["rubeus", "kunzite", "saphir"], ["saphir", "kunzite", "esmeraude"]]));
}

#[test]
fn teams_are_as_small_as_the_game_allows_unless_it_is_said() {
    let told = |game: &[&str]| {
        let hall = Hall(Folder::new("tournament-team-size"));
        hall.0.remove("cup.ludextournament");
        hall.told(&[&["new", "cup", "--game"], game].concat())
    };
    assert!(told(&["dice-challenge"]).contains("each player starts with 5 tokens and brings 1 character to each duel\n"));
    assert!(told(&["dice-challenge", "--mode", "single-combat"]).contains("and brings 2 characters to each duel\n"));
    assert!(told(&["tri-stat", "--team-size", "5"]).contains("and brings 5 fighters to each duel\n"));
    assert!(told(&["dicewing"]).contains("each player starts with 5 tokens\n"));
}

#[test]
fn a_size_that_the_game_does_not_allow_is_refused() {
    let hall = Hall(Folder::new("tournament-no-team"));
    let refusal = |game: &[&str]| {
        let told = hall.usage(&[&["new", "cup", "--game"], game].concat());
        assert!(!hall.0.file("cup.ludextournament").exists());
        told
    };
    for size in ["0", "1", "5", "99999999999"] {
        let told = refusal(&["dice-challenge", "--mode", "tag-team", "--team-size", size]);
        assert!(
            told.contains(&format!(
                "`--team-size {size}` does not fit: the sides of Dice Challenge (Tag Team) bring 2 to 4 characters"
            )),
            "{told}"
        );
        assert!(told.contains("choose a number from 2 to 4"), "{told}");
    }
    let one = refusal(&["dice-challenge", "--team-size", "1"]);
    assert!(one.contains("the sides of Dice Challenge bring 1 character") && one.contains("leave it out"), "{one}");
    let none = refusal(&["dicewing", "--team-size", "2"]);
    assert!(none.contains("the sides of DiceWing bring nothing") && none.contains("leave it out"), "{none}");
    refusal(&["dice-challenge", "--mode", "tag-team", "--team-size", "two"]);
}

#[test]
fn a_game_with_too_few_for_a_team_has_no_tournament() {
    let hall = Hall(Folder::new("tournament-few"));
    let sides = "sheet animal (animals) {\n  legs: number\n}\nsides 2 of 1..4 animal, all different\n";
    hall.0.write("few.ludex", &COIN.replace("sides 2", sides).replace("coin \"Coin\"", "few \"Few\""));
    let new = ["new", "cup", "--game", "few", "--team-size", "2"];
    let none = hall.refused(&new);
    assert!(none.contains("a side brings 2 animals, but there is none in Few"), "{none}");
    hall.0.write("otter.yaml", "game: few\nname: Otter\nlegs: 4\n");
    let one = hall.refused(&new);
    assert!(one.contains("a side brings 2 animals, but there is only 1 in Few"), "{one}");
    assert!(!hall.0.file("cup.ludextournament").exists());
    hall.done(&["new", "cup", "--game", "few"]);
    hall.0.remove("cup.ludextournament");
}

// --- results, corrections, the journal -------------------------------------------------

#[test]
fn a_wrong_result_is_corrected_by_the_organiser() {
    let hall = Hall::new("correct", &["--organiser", "Olga"], &["Ann", "Bob"]);
    let duel = hall.beats("Ann", "Bob");
    let refusal = hall.refused(&["report", &duel, "--winner", "Bob", "--as", "Bob"]);
    assert!(refusal.contains("duel 1 cannot be reported: Ann has won"), "{refusal}");
    assert!(refusal.contains("`ludex tournament void 1`"), "{refusal}");
    assert!(hall.refused(&["void", &duel, "--as", "Bob"]).contains("only the organiser can do this, not Bob"));
    hall.done(&["void", &duel, "--as", "Olga"]);
    assert_eq!(hall.tokens(), tokens(&[("Ann", 5), ("Bob", 5)]));
}

#[test]
fn the_journal_tells_everything_that_was_done() {
    let hall = Hall::new("journal", &[], &["Ann", "Bob"]);
    let duel = hall.beats("Bob", "Ann");
    hall.refused(&["report", &duel, "--winner", "Ann"]);
    hall.done(&["void", &duel]);
    hall.done(&["leave", "--as", "Ann"]);
    hall.done(&["close"]);
    let log = hall.done(&["log"]);
    let told: Vec<String> = log["log"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| format!("{}: {}", entry["by"].as_str().unwrap_or("-"), entry["text"].as_str().unwrap()))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    organiser: the tournament begins
    Ann: Ann joins
    Bob: Bob joins
    Bob: duel 1: Bob challenges Ann
    Ann: duel 1: accepted
    Bob: duel 1: Bob has chosen
    Ann: duel 1: Ann has chosen
    -: duel 1: Bob plays Kunzite, Ann plays Rubeus
    organiser: duel 1: reported, Bob wins
    organiser: duel 1: void, corrected by the organiser; Bob had won
    Ann: Ann leaves
    organiser: the tournament is closed; champion: Ann and Bob
    ");
    assert_eq!(hall.done(&["log", "--last", "2"])["log"].as_array().unwrap().len(), 2);
}

// --- names ---------------------------------------------------------------------------

#[test]
fn names_of_any_kind_are_shown_safely_everywhere() {
    let names = ["<script>alert(1)</script>", "O'Brien \"the\" &", "a\u{1b}[2Jb\nc", "\u{202e}evil", "🎲🎲"];
    let hall = Hall::new("names", &[], &names);
    hall.beats(names[2], names[3]);
    let shown = format!("{}{}{}", hall.told(&["standings"]), hall.told(&["duels", "--all"]), hall.told(&["log"]));
    assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown:?}");
    assert_eq!(hall.standings()["players"][0]["name"], names[2], "programs get names as they are");
    hall.done(&["standings", "--html", "wall.html"]);
    let page = std::fs::read_to_string(hall.0.file("wall.html")).unwrap();
    assert_eq!(page.matches("<script").count(), 1, "{page}");
    assert!(!page.contains(['\u{1b}', '\u{202e}']));
    assert!(hall.refused(&["join", " o'brien  \"THE\" & "]).contains("there is a player O'Brien \"the\" & already"));
    assert!(hall.refused(&["join", "\u{200b} "]).contains("has no visible characters"));
    assert!(hall.refused(&["join", &"x".repeat(41)]).contains("has 41 letters"));
    assert!(hall.refused(&["challenge", "🎲", "--as", "🎲🎲"]).contains("there is no player `🎲`"));
}

#[test]
fn all_who_join_at_once_join_or_none() {
    let hall = Hall::new("at-once", &[], &["Ann"]);
    hall.refused(&["join", "Bob", "Cleo", "ann"]);
    assert_eq!(hall.tokens(), tokens(&[("Ann", 5)]));
}

// --- the page ------------------------------------------------------------------------

#[test]
fn the_page_is_written_anew_after_every_operation() {
    let hall = Hall::new("page", &[], &["Ann", "Bob"]);
    let _ = std::fs::remove_file(hall.0.file("wall.html"));
    let page = || std::fs::read_to_string(hall.0.file("wall.html")).unwrap();
    hall.done(&["standings", "--html", "wall.html"]);
    assert!(page().contains("<bdi>Ann</bdi>") && !page().contains("challenges"));
    hall.done(&["challenge", "Bob", "--as", "Ann"]);
    assert!(page().contains("<bdi>Ann</bdi> challenges <bdi>Bob</bdi>"));
    hall.done(&["standings", "--no-html"]);
    hall.done(&["join", "Cleo"]);
    assert!(!page().contains("Cleo"));
    assert!(!hall.0.file(".wall.html.draft").exists());
}

#[test]
fn a_page_that_cannot_be_written_is_a_note_beside_the_operation() {
    let hall = Hall::new("page-gone", &[], &["Ann", "Bob"]);
    std::fs::create_dir_all(hall.0.file("wall")).unwrap();
    hall.done(&["standings", "--html", "wall/wall.html"]);
    std::fs::remove_dir_all(hall.0.file("wall")).unwrap();
    let run = hall.run(&["challenge", "Bob", "--as", "Ann"], "");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("duel 1, Ann against Bob"));
    let told: String = run.stderr.chars().filter(|sign| !sign.is_whitespace() && *sign != '│').collect();
    assert!(told.contains("wall.html`cannotbewritten"), "{}", run.stderr);
}

#[test]
fn a_page_never_takes_the_place_of_something_else() {
    let hall = Hall::new("page-other", &[], &["Ann"]);
    hall.0.write("notes.html", "my notes");
    assert!(
        hall.refused(&["standings", "--html", "notes.html"])
            .contains("a file with this name exists, and it is not the page of a tournament")
    );
    assert!(hall.refused(&["standings", "--html", "cup.ludextournament"]).contains("not the page of a tournament"));
    assert_eq!(std::fs::read_to_string(hall.0.file("notes.html")).unwrap(), "my notes");
}

// --- files ---------------------------------------------------------------------------

#[test]
fn the_tournament_is_the_one_named_or_the_only_one_here() {
    let hall = Hall::new("which", &[], &["Ann"]);
    hall.0.remove("second.ludextournament");
    hall.done(&["new", "second", "--game", "dice-challenge"]);
    let refusal = hall.refused(&["standings"]);
    assert!(refusal.contains("`cup.ludextournament` and `second.ludextournament`"), "{refusal}");
    assert_eq!(hall.done(&["standings", "--tournament", "cup"])["players"][0]["name"], "Ann");
    let mut by_variable = hall.0.command(&["tournament", "standings"]);
    let output = by_variable.env("LUDEX_TOURNAMENT", hall.0.file("cup.ludextournament")).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("Ann"));
    let nowhere = Hall(Folder::new("tournament-nowhere"));
    assert!(nowhere.refused(&["standings"]).contains("this folder has no tournament"));
    assert!(nowhere.refused(&["standings", "--tournament", "gone"]).contains("there is no tournament `gone.ludextournament`"));
}

#[test]
fn what_is_no_tournament_is_refused_and_left_alone() {
    let hall = Hall::new("no-tournament", &[], &[]);
    let notes = hall.0.write(
        "notes.ludextournament",
        "notes, and no tournament at all, of more than a hundred letters, so that it is no start of a database",
    );
    assert!(hall.refused(&["standings", "--tournament", &notes]).contains("is not a tournament"));
    assert!(hall.refused(&["new", &notes, "--game", "dice-challenge"]).contains("there is a file"));
    assert!(std::fs::read_to_string(&notes).unwrap().starts_with("notes"));
    assert!(hall.refused(&["new", "no/folder/cup", "--game", "dice-challenge"]).contains("cannot be written"));
}

#[test]
fn what_was_fixed_at_the_start_is_not_asked_for_later() {
    let hall = Hall::new("fixed", &[], &["Ann", "Bob"]);
    assert!(
        hall.usage(&["standings", "--option", "victory_tokens=1"])
            .contains("`ludex tournament standings` has no flag `--option`")
    );
    hall.accepted("Ann", "Bob");
    hall.done(&["choose", "kunzite", "--as", "Ann"]);
    hall.done(&["choose", "rubeus", "--as", "Bob"]);
    assert!(hall.usage(&["play", "1", "--seat", "0=sailor-moon"]).contains("has already chosen who plays on which side"));
    assert!(hall.refused(&["play", "1", "--seat", "2=:random"]).contains("there is no seat 2"));
}

#[test]
fn a_recording_is_not_written_over_anything() {
    let hall = coin("over", "won");
    hall.run(&["play", "1"], "heads\n");
    hall.0.write("kept.ludexrec", "mine");
    assert!(hall.refused(&["recording", "1", "kept.ludexrec"]).contains("`kept.ludexrec` already exists"));
    assert_eq!(std::fs::read_to_string(hall.0.file("kept.ludexrec")).unwrap(), "mine");
    assert!(hall.refused(&["recording", "1", "no/folder/duel.ludexrec"]).contains("cannot be written"));
    assert!(hall.refused(&["recording", "9"]).contains("there is no duel 9"));
}

// --- many at once ----------------------------------------------------------------------

/// The long form is `examples/tournament_soak.rs`.
#[test]
fn many_processes_at_once_lose_nothing_though_some_are_killed() {
    let folder = Folder::new(&format!("tournament-soak-{}", std::process::id()));
    let plan = Plan {
        ludex: PathBuf::from(env!("CARGO_BIN_EXE_ludex")),
        folder: PathBuf::from(folder.path()),
        players: 12,
        duels: 30,
        processes: 4,
        killed: 30,
        patience: 60,
        played: 3,
        seed: 1,
    };
    let report = soak::run(&plan).unwrap_or_else(|problem| panic!("{problem}"));
    assert!(report.results >= 30 && report.entries > 100, "{report}");
    assert!(report.killed > 0, "nothing was tried: {report}");
}
