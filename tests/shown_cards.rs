//! A game of cards in which one may look at a hand of another; its files lie outside the repository.

use crate::support::{Folder, ludex_in, run};

const RULES: &str = r#"ludex 1
game peep "Peep"

sides 2..4 of 1 player in a ring

sheet card { rank: number in 1..9 }
sheet player { zone box: cards, seen by nobody, out of play }

piece card (cards) from card {}

each side has {
  zone hand: cards, seen by owner, out of play
  zone laid: cards, open, out of play
}

standing of side = count of side.laid

to play {
  each player in players { move player.box to player.side.hand }
  repeat at most 20 times { each side in sides { do turn(side) } } otherwise { finish with nobody }
}

scope turn(active: side) {
  active must choose deed as chosen "Play a card" else { finish with active }
  do chosen
}

family deed(active: side) { card: card }

action peep(card in sorts of active.hand where it.rank = 1, rival in sides where it is not active) is deed
  says "play {card}: look at the hand of {rival}"
  do { move card to active.laid  show rival.hand to active }

action lay(card in sorts of active.hand where it.rank > 1) is deed
  says "play {card}"
  do { move card to active.laid }
"#;

const CARDS: &str = "sheet: card
sheets:
  spy: {name: Spy, rank: 1}
  nurse: {name: Nurse, rank: 4}
  guard: {name: Guard, rank: 5}
";

fn peep(name: &str) -> Folder {
    let folder = Folder::outside(name);
    folder.write("rules/peep/peep.ludex", RULES);
    folder.write("characters/peep/cards.yaml", CARDS);
    folder.write("characters/peep/ann.yaml", "name: Ann\nsheet: player\nbox: {spy: 1, nurse: 2, guard: 1}\n");
    folder.write("characters/peep/bob.yaml", "name: Bob\nsheet: player\nbox: {nurse: 2, guard: 1, spy: 1}\n");
    folder
}

/// The story from the first question on.
fn played(name: &str, bob: &str, input: &str) -> String {
    let folder = peep(name);
    let args = ["play", "peep", "--plain", "--seed", "4", "--seat", "0=ann:human", "--seat", bob];
    let told = run(&folder, &args, input);
    let (_, story) = told.stdout.split_once("Play a card").unwrap_or_else(|| panic!("{}{}", told.stdout, told.stderr));
    story.to_string()
}

#[test]
fn who_is_shown_cards_reads_of_them_before_the_screen_is_handed_over() {
    let story =
        played("peep-two", "1=bob:human", "taken over\n1\nread\ntaken over\nlog\nwhy sees\n2\ntaken over\nlog\nwhy sees\nquit\n");
    insta::assert_snapshot!(story);
}

#[test]
fn the_end_of_a_game_waits_until_what_one_alone_may_see_has_been_read() {
    let story = played("peep-end", "1=bob:human", "taken over\n1\nread\ntaken over\nresign\nyes\n");
    assert!(story.contains("wins"), "{story}");
}

#[test]
fn cards_that_one_has_been_shown_are_told_where_they_are_hidden() {
    let story = played("peep-alone", "1=bob:greedy", "1\nquit\n");
    assert!(story.contains("Ann sees"), "{story}");
    insta::assert_snapshot!(story);
}

#[test]
fn how_many_play_is_asked_where_the_rules_leave_it_open() {
    let folder = peep("peep-many");
    let told = run(&folder, &["play", "peep", "--plain", "--seed", "4"], "5\nmany\n3\nann\nbob\n\nann\n\nquit\n");
    for wrong in ["it must be 2 to 4, not `5`", "it must be 2 to 4, not `many`"] {
        assert!(told.stdout.contains(wrong), "{}", told.stdout);
    }
    assert!(told.stderr.contains("How many play? 2 to 4 [2]:"), "{}", told.stderr);
    assert!(told.stdout.contains("Ann (1) (you) against Bob (greedy bot) against Ann (3) (greedy bot)"), "{}", told.stdout);
}

#[test]
fn what_is_said_about_the_seats_is_not_asked() {
    let folder = peep("peep-said");
    let told = run(&folder, &["play", "peep", "--seat", "0=ann", "--seat", "1=bob"], "quit\n");
    assert!(!told.stderr.contains("How many"), "{}", told.stderr);
}

#[test]
fn help_shows_what_may_be_typed_here() {
    let story = played("peep-help", "1=bob:random", "help\nquit\n");
    let (_, help) = story.split_once("> help\n").unwrap();
    insta::assert_snapshot!(help);
}

#[test]
fn the_name_of_a_move_lists_those_that_may_be_chosen() {
    let story = played("peep-moves", "1=bob:random", "why lay\nwhy lay(spy)\nquit\n");
    let (_, answers) = story.split_once("> why lay\n").unwrap();
    insta::assert_snapshot!(answers, @r"
    2 moves called `lay` can be chosen now:
      lay(nurse) play Nurse
      lay(guard) play Guard
    > why lay(spy)
    Spy is not allowed: the rule `it.rank > 1` does not hold
    > quit
    ");
}

#[test]
fn of_a_card_that_is_held_twice_the_key_that_may_be_meant_is_told() {
    let story = played("peep-twice", "1=bob:random", "2\nwhy lay(nurse)\nlay(nurse#2)\nquit\n");
    let (_, answers) = story.split_once("> why lay(nurse)\n").unwrap();
    assert!(answers.starts_with("Nurse cannot be the card here: "), "{answers}");
    assert!(answers.lines().next().unwrap_or_default().ends_with("; did you mean `nurse#2`?"), "{answers}");
    assert!(answers.contains("> lay(nurse#2)\nAnn: play Nurse\n"), "{answers}");
}

#[test]
fn warnings_are_told_by_check_and_counted_by_the_others() {
    let folder = peep("peep-warned");
    folder.write("rules/peep/peep.ludex", &RULES.replace("each side has {", "each side has {\n  counter spare\n  counter more"));
    let check = run(&folder, &["check"], "");
    assert!(check.stdout.contains("counter `spare`") && check.stdout.contains("2 warnings"), "{}", check.stdout);
    let seats = ["--seat", "0=ann", "--seat", "1=bob"];
    let play = [&["play", "peep"], &seats[..]].concat();
    for args in [&["sim", "peep", "--games", "2"][..], &["show", "peep"], &["list"], &play] {
        let told = run(&folder, args, "quit\n").stderr;
        let warned: Vec<&str> = told.lines().filter(|line| line.contains("warning")).collect();
        let expected: &[&str] =
            if args == ["list"] { &[] } else { &["2 warnings in the files of the game; `ludex check` shows them"] };
        assert_eq!(warned, expected, "{args:?}");
        assert!(!told.contains("spare"), "{args:?}: {told}");
    }
    folder.write("rules/peep/peep.ludex", &RULES.replace("each side has {", "each side has {\n  counter spare\n  nonsense"));
    let wrong = ludex_in(&folder, &["show", "peep"], "");
    assert!(wrong.status == 1 && wrong.stderr.contains("nonsense"), "{}", wrong.stderr);
}
