//! Games at the terminal, played from a pipe.

use crate::support::{Folder, Run, ludex_in, run};

const SEATS: [&str; 6] = ["--seed", "7", "--seat", "0=kunzite", "--seat", "1=rubeus:random"];

fn play(folder: &Folder, more: &[&str], input: &str) -> Run {
    let args: Vec<&str> = ["play", "dice-challenge"].iter().chain(&SEATS).chain(more).copied().collect();
    ludex_in(folder, &args, input)
}

/// Where the game says that it is kept.
fn kept(run: &Run) -> String {
    let line = run.stdout.lines().find_map(|line| line.strip_prefix("kept in "));
    line.unwrap_or_else(|| panic!("the game is not kept:\n{}\n{}", run.stdout, run.stderr)).to_string()
}

fn recording(run: &Run) -> String {
    std::fs::read_to_string(kept(run)).unwrap()
}

fn assert_replays(folder: &Folder, path: &str) {
    let run = ludex_in(folder, &["replay", path], "");
    assert_eq!(run.status, 0, "{}", run.stderr);
}

#[test]
fn nothing_needs_to_be_said() {
    let folder = Folder::new("play-bare");
    let run = ludex_in(&folder, &["play"], "\n\n\n\n\nquit\n");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("Dice Challenge"));
}

#[test]
fn every_question_before_the_game_is_answered_from_a_pipe() {
    let folder = Folder::new("play-questions");
    let input = "victory_tokens=99\nvictory_tokens=1\n\nnobody\n0\nsailor moon\ntuxedo\nhuman\nquit\n";
    let run = ludex_in(&folder, &["play", "dice-challenge"], input);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("`victory_tokens` is a number from 1 to 9, not `99`"));
    assert!(run.stdout.contains("there is no character `nobody`"));
    assert!(run.stdout.contains("Sailor Moon against Tuxedo Mask"));
    assert!(recording(&run).contains("\"victory_tokens\":1"));
}

#[test]
fn questions_before_the_game_tell_what_may_be_typed() {
    let folder = Folder::new("play-help");
    let run = ludex_in(&folder, &["play", "dice-challenge"], "help\n\n?\nquit\n");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let (_, told) = run.stdout.split_once("The rules as usual?").unwrap_or_default();
    insta::assert_snapshot!(told);
}

#[test]
fn whoever_leaves_before_the_game_leaves_nothing_behind() {
    let folder = Folder::new("play-leave");
    for input in ["quit\n", "\n\nquit\n", "\n\nkunzite\n\nquit\n"] {
        let run = ludex_in(&folder, &["play"], input);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(!run.stdout.contains("kept in"), "{}", run.stdout);
    }
}

#[test]
fn the_end_of_the_input_keeps_the_game() {
    let folder = Folder::new("play-end");
    let run = play(&folder, &[], "1\n");
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("the input ended"));
    assert!(run.stderr.contains("ludex play --resume"));
    assert_eq!(recording(&run).lines().filter(|line| line.contains("\"seat\":0,\"key\"")).count(), 1);
    assert_replays(&folder, &kept(&run));
}

#[test]
fn a_game_that_is_left_goes_on_where_it_stopped() {
    let folder = Folder::new("play-resume");
    let left = play(&folder, &[], "1\nquit\n");
    assert_eq!(left.status, 0);
    let before = recording(&left);
    let run = ludex_in(&folder, &["play", "--resume", &kept(&left)], "1\nquit\n");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(kept(&run), kept(&left));
    let after = recording(&run);
    assert!(after.starts_with(&before) && after.len() > before.len());
    assert_replays(&folder, &kept(&run));
}

#[test]
fn a_copy_is_left_as_it_is() {
    let folder = Folder::new("play-copy");
    let left = play(&folder, &[], "1\nsave mine.ludexrec\nquit\n");
    let copy = std::fs::read_to_string(folder.file("mine.ludexrec")).unwrap();
    assert_eq!(copy, recording(&left));
    let run = ludex_in(&folder, &["play", "--resume", "mine.ludexrec"], "1\nquit\n");
    assert_eq!(std::fs::read_to_string(folder.file("mine.ludexrec")).unwrap(), copy);
    assert!(recording(&run).starts_with(&copy));
}

#[test]
fn saving_replaces_nothing_but_recordings() {
    let folder = Folder::new("play-save");
    folder.write("notes.txt", "mine");
    let run = play(&folder, &[], "save notes.txt\nsave /nowhere/at/all\nquit\n");
    assert_eq!(run.status, 0);
    assert!(run.stdout.contains("a file with that name exists, and it is not a recording"));
    assert!(run.stdout.contains("`/nowhere/at/all` cannot be written"));
    assert_eq!(std::fs::read_to_string(folder.file("notes.txt")).unwrap(), "mine");
}

#[test]
fn saving_replaces_a_recording_of_the_same_game_only() {
    let folder = Folder::new("play-save-over");
    let saved = || std::fs::read_to_string(folder.file("mine.ludexrec")).unwrap();
    let play = |seed: &str, input: &str| {
        ludex_in(&folder, &["play", "dice-challenge", "--seed", seed, "--seat", "0=kunzite", "--seat", "1=rubeus:random"], input)
    };
    play("1", "save mine.ludexrec\n1\nsave mine.ludexrec\nquit\n");
    let first = saved();
    assert!(first.contains("\"key\""), "the second save has the answer:\n{first}");
    let other = play("2", "save mine.ludexrec\nquit\n");
    assert!(other.stdout.contains("another game has been saved in that file"), "{}", other.stdout);
    assert_eq!(saved(), first);
}

#[test]
fn wrong_answers_are_answered_and_change_nothing() {
    let folder = Folder::new("play-wrong");
    let long = "9".repeat(10_000);
    let input =
        format!("\n0\n99\n-1\n1 2\nfireball\npower_attack(0>99)\nwhy power_attack(0>99)\n{long}\n\u{1b}[2J\nundo\nquit\n");
    let run = play(&folder, &[], &input);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for words in ["there is no number 99", "choose one number at a time", "`fireball`", "too long", "no decision to go back to"] {
        assert!(run.stdout.contains(words), "`{words}` is not in\n{}", run.stdout);
    }
    assert!(!run.stdout.contains('\u{1b}'));
    assert!(!recording(&run).contains("\"seat\":0,\"key\""));
}

#[test]
fn a_pipe_that_never_answers_is_left() {
    let folder = Folder::new("play-endless");
    let run = play(&folder, &[], &"fireball\n".repeat(5_000));
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("1000 lines in a row"), "{}", run.stderr);
}

#[test]
fn every_command_is_understood() {
    let folder = Folder::new("play-commands");
    let run = play(&folder, &[], "help\nhint\nwhy\nlog\nlog 3\nlog all\nlook\nall\nsave\nresign\nno\nquit\n");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("hint: "));
    assert!(run.stdout.contains("because of "));
    assert!(run.stdout.contains(".ludex:"));
}

#[test]
fn going_back_across_dice_is_a_take_back_with_fresh_dice() {
    let folder = Folder::new("play-undo");
    let run = play(&folder, &[], "power_attack(0>8)\nundo\nquit\n");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("takes back the last decision; from here on, chance is drawn again"));
    assert!(recording(&run).contains("\"undo\":{\"seat\":0,\"to\":1,\"seed\":"));
    assert_replays(&folder, &kept(&run));
}

const USED_UP: &str = "this would undo a roll or another player's answer, and this match allows no more of that";

/// How often a move is taken back, of so many times that it is tried.
fn taken_back(run: &Run) -> usize {
    recording(run).matches("\"undo\"").count()
}

#[test]
fn who_plays_bots_cannot_roll_again_for_ever() {
    let folder = Folder::new("play-undo-limit");
    let again = "power_attack(0>8)\nundo\n".repeat(5);
    let run = play(&folder, &[], &format!("{again}resign\nyes\n"));
    assert_eq!((run.status, taken_back(&run)), (0, 3), "{}", run.stderr);
    for left in ["2 more", "1 more", "no more"] {
        let told = format!("takes back the last decision; from here on, chance is drawn again; {left} in this match");
        assert_eq!(run.stdout.matches(&told).count(), 1, "{told}");
    }
    assert_eq!(run.stdout.matches(USED_UP).count(), 2);
    assert!(run.stdout.contains("Kunzite took back 3 decisions past a roll or another's answer"), "{}", run.stdout);
    assert_replays(&folder, &kept(&run));

    let forbidden = play(&folder, &["--undo", "0"], &format!("{again}quit\n"));
    assert_eq!((taken_back(&forbidden), forbidden.stdout.matches(USED_UP).count()), (0, 5));
    let free = play(&folder, &["--undo", "unlimited"], &format!("{again}quit\n"));
    assert_eq!((taken_back(&free), free.stdout.contains("in this match")), (5, false));
}

#[test]
fn leaving_and_resuming_gives_no_more_undo() {
    let folder = Folder::new("play-undo-resumed");
    let left = play(&folder, &[], &format!("{}quit\n", "power_attack(0>8)\nundo\n".repeat(2)));
    let again = format!("{}quit\n", "power_attack(0>8)\nundo\n".repeat(2));
    let resumed = ludex_in(&folder, &["play", "--resume", &kept(&left)], &again);
    assert_eq!(resumed.stdout.matches(USED_UP).count(), 1, "{}", resumed.stdout);
    let more = ludex_in(&folder, &["play", "--undo", "4", "--resume", &kept(&resumed)], "undo\nundo\nquit\n");
    assert_eq!(more.stdout.matches("; no more in this match").count(), 1, "{}", more.stdout);
}

/// Each side takes two of three dice that nobody rolls.
const TWICE: &str = "ludex 1
game twice \"Twice\"
sides 2
die sizes 6
each side has { zone shown: dice, open  zone taken: dice, open }
to play {
  each side in sides { repeat 3 times { create die(size: 6) in side.shown for side } }
  each side in sides { repeat 2 times { side must choose 1 in side.shown as die  move die to side.taken } }
  finish with nobody
}
";

#[test]
fn what_is_nobody_elses_business_may_be_taken_back_any_time() {
    let folder = Folder::new("play-undo-free");
    folder.write("rules/twice/game.ludex", TWICE);
    let args = ["play", "twice", "--undo", "0", "--seat", "0=:human", "--seat", "1=:greedy"];
    let run = ludex_in(&folder, &args, &format!("{}quit\n", "1\nundo\n".repeat(5)));
    assert_eq!((run.stdout.matches("takes back the last decision\n").count(), taken_back(&run)), (5, 5), "{}", run.stdout);
}

/// What `why captures` and `log all` answer at the end of a run.
fn told_last(run: &Run) -> Vec<&str> {
    let (_, told) = run.stdout.rsplit_once("> why captures\n").unwrap();
    told.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[test]
fn what_was_taken_back_is_neither_a_cause_nor_in_the_log() {
    let folder = Folder::new("play-undo-log");
    let asked = "why captures\nlog all\nquit\n";
    let run = play(&folder, &[], &format!("power_attack(0>8)\nundo\n{asked}"));
    let before = play(&folder, &[], asked);
    assert_eq!(told_last(&run), told_last(&before));
    assert_eq!(told_last(&run)[0], "there is no move called `captures`");

    let resumed = ludex_in(&folder, &["play", "--resume", &kept(&run)], asked);
    assert_eq!(told_last(&resumed), told_last(&before));
    let on = ludex_in(&folder, &["play", "--resume", &kept(&run)], &format!("power_attack(0>8)\n{asked}"));
    assert!(told_last(&on)[0].contains(" captures "), "{}", on.stdout);
}

#[test]
fn people_agree_before_anything_is_taken_back() {
    let folder = Folder::new("play-consent");
    let args = ["play", "dice-challenge", "--seed", "3", "--seat", "0=kunzite", "--seat", "1=rubeus:human"];
    let run = ludex_in(&folder, &args, "1\n1\n1\n1\nundo\nno\nundo\nyes\nquit\n");
    assert!(run.stdout.contains("not taken back"));
    assert_eq!(recording(&run).matches("\"undo\"").count(), 1);
    assert_replays(&folder, &kept(&run));
}

#[test]
fn real_dice_are_typed_in() {
    let folder = Folder::new("play-physical");
    let input = "6 6 6\n8 8 8 8 99 9 9 9\n1 0 3 4 4 3 12 12\nquit\n";
    let run = play(&folder, &["--dice", "physical"], input);
    assert!(run.stdout.contains("roll d8 d10 d20 d20 for Kunzite, then d4 d4 d12 d12 for Rubeus"), "{}", run.stdout);
    assert!(run.stdout.contains("type what each of these shows"));
    assert!(run.stdout.contains("a d4 shows 1 to 4, not 99"));
    assert!(recording(&run).contains("\"result\":[1,10,3,4,4,3,12,12]"), "{}", run.stdout);
}

#[test]
fn a_game_that_is_over_is_not_resumed() {
    let folder = Folder::new("play-over");
    let run = play(&folder, &[], "resign\nyes\n");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let again = ludex_in(&folder, &["play", "--resume", &kept(&run)], "");
    assert_eq!(again.status, 1);
    assert!(again.stderr.contains("this game is over"));
    assert_replays(&folder, &kept(&run));
}

#[test]
fn entrants_of_one_side_with_the_same_ability_are_told_apart() {
    let folder = Folder::new("play-team");
    let args = ["play", "tri-stat", "--seat", "0=sailor-moon,sailor-moon", "--seat", "1=youma:random", "--seed", "3"];
    let run = ludex_in(&folder, &args, "quit\n");
    assert_eq!(run.status, 0, "{}", run.stderr);
    for (name, initiative) in [("Sailor Moon", 6), ("Sailor Moon (2)", 3)] {
        let mut lines = run.stdout.lines().filter(|line| line.trim_start().starts_with(&format!("{name} · Health")));
        let told = format!("initiative {initiative} · may act at {initiative} · Moon Tiara: 1 left this round");
        assert!(lines.any(|line| line.ends_with(&told)), "{}", run.stdout);
    }
}

#[test]
fn what_the_game_is_not_made_for_is_a_mistake_of_the_command_line() {
    let folder = Folder::new("play-usage");
    for verb in ["play", "host", "sim"] {
        let twice =
            ludex_in(&folder, &[verb, "dicewing", "--seat", "0=:random", "--seat", "1=:random", "--seat", "0=:greedy"], "");
        assert_eq!(twice.status, 2, "{verb}");
        assert!(twice.stderr.contains("side 0 has more than one `--seat`"), "{verb}: {}", twice.stderr);

        let args = [verb, "dicewing", "--seat", "0=:random", "--seat", "1=:random", "--referee", "random"];
        let refereed = ludex_in(&folder, &args, "");
        assert_eq!(refereed.status, 2, "{verb}");
        assert!(refereed.stderr.contains("DiceWing has no referee"), "{verb}: {}", refereed.stderr);
        assert!(refereed.stderr.contains("help: leave out `--referee`"), "{verb}: {}", refereed.stderr);
    }
}

#[test]
fn who_names_what_is_not_there_learns_what_is() {
    let folder = Folder::new("play-what-is-there");
    folder.write("first.yaml", "at: turn\n");
    folder.write("second.yaml", "at: turn\n");
    let seats = ["--seat", "0=kunzite", "--seat", "1=rubeus:random"];
    for (more, message, help) in [
        (["--position", "."], "`.` is a folder, not a file", "name a file in it"),
        (["--position", "middle.yaml"], "there is no file `middle.yaml`", "there are `first.yaml` and `second.yaml`"),
        (["--position", "middle.txt"], "there is no file `middle.txt`", "paths start in the folder"),
        (["--option", "x=1"], "`dice-challenge` has no option `x`", "its options are `"),
    ] {
        let run = ludex_in(&folder, &[&["play", "dice-challenge"][..], &seats, &more].concat(), "");
        assert_eq!(run.status, 1, "{more:?}");
        assert!(run.stderr.contains(message) && run.stderr.contains(help), "{more:?}: {}", run.stderr);
    }
}

#[test]
fn who_is_not_there_is_told() {
    let folder = Folder::new("play-bad");
    for (args, words) in [
        (["play", "pnod", "--plain", "--seed=1"], "there is no game `pnod`"),
        (["play", "dice-challenge", "--seat", "0=kunzit"], "did you mean `kunzite`?"),
        (["play", "dice-challenge", "--seat", "4=kunzite"], "there is no seat 4"),
        (["play", "dice-challenge", "--seat", "18446744073709551615=kunzite"], "there is no seat 18446744073709551615"),
        (["play", "dice-challenge", "--resume", "x"], "cannot be used with"),
    ] {
        let run = ludex_in(&folder, &args, "");
        assert!(run.status == 1 || run.status == 2, "{args:?}");
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
}

/// Where a move is put together in steps, the sentence of `hint` is an answer as a whole.
#[test]
fn what_a_hint_says_can_be_typed() {
    let folder = Folder::empty("play-hint-typed");
    let classics = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics");
    let play = |input: &str| {
        let game = ["play", "liars-dice", "--plain", "--library", classics, "--seed", "5"];
        let seats = ["--seat", "0=:human", "--seat", "1=:human", "--name", "0=Ann", "--name", "1=Bea"];
        let run = run(&folder, &[&game[..], &seats].concat(), input);
        format!("{}{}", run.stdout, run.stderr)
    };
    let hinted = play("\nhint\nquit\n");
    let words = hinted.lines().find_map(|line| line.split_once("hint: ")).map(|(_, words)| words.to_string()).unwrap();
    let typed = play(&format!("\n{}\n\nquit\n", words.replace('×', "x")));
    assert!(!typed.contains("nothing to choose"), "{typed}");
    assert!(typed.contains("hand over to Bea"), "{typed}");
}

/// Using an ability asks the same seat again at once, and passing lets the rival reply: both are judged after the reply.
#[test]
fn a_hint_rolls_low_dice_again_and_keeps_high_ones() {
    let folder = Folder::new("play-hint-again");
    let hinted = |seat: &str, others: &str, attack: u32, value: u32, seed: u32| {
        let (rolls, seed) = (format!("{others},12,2,3,4,6,{value}"), seed.to_string());
        let args = ["play", "dice-challenge", "--plain", "--rolls", &rolls, "--seed", &seed];
        let seats = ["--seat", seat, "--seat", "1=sailor-mercury:random"];
        let input = format!("{attack}\nhint\nquit\n");
        let run = ludex_in(&folder, &[&args[..], &seats].concat(), &input);
        let words = run.stdout.lines().find_map(|line| line.strip_prefix("hint: ")?.split_once(". "));
        words.unwrap_or_else(|| panic!("{}{}", run.stdout, run.stderr)).1.to_string()
    };
    // The number of the attack in which a 12 captures a 6.
    for (seat, size, others, attack) in [("0=kunzite", 20, "1,5,10", 11), ("0=nephrite", 12, "1,3,10", 10)] {
        for seed in 1..=3 {
            assert_eq!(hinted(seat, others, attack, size, seed), "pass");
            for low in [1, 2] {
                assert_eq!(hinted(seat, others, attack, low, seed), format!("roll {low} on d{size} once more"));
            }
        }
    }
}
