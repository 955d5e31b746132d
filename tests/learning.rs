//! What whoever has never played a game can read and try.

use crate::support::{Folder, ludex, ludex_in};

const BUNDLED: [&str; 5] = ["dice-challenge", "dicewing", "sailor-moon-ccg", "season-3", "tri-stat"];

/// A terminal of the usual size.
const LINES: usize = 24;

#[test]
fn the_rules_of_every_game_begin_with_one_screen() {
    for game in BUNDLED {
        let run = ludex(&["rules", game]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.stdout.contains("Goal: "), "{game}\n{}", run.stdout);
        assert!(run.stdout.lines().count() <= LINES, "{game} needs {} lines\n{}", run.stdout.lines().count(), run.stdout);
    }
}

#[test]
fn a_rule_a_heading_and_a_name_can_be_read_about() {
    let told = |words: &[&str]| {
        let run = ludex(&[&["rules"], words].concat());
        run.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(told(&["dice-challenge", "dc-021"]).contains("DC-021: Power attack"));
    assert!(told(&["dicewing", "collateral"]).contains("lowers one die in the other side's Squadron"));
    assert!(told(&["dice-challenge", "planet", "power"]).contains("take another turn"));
    assert!(told(&["dice-challenge", "kunzite"]).contains("starting d8 d10 d20 d20"));
    assert!(told(&["sailor-moon-ccg", "luna pen"]).contains("Luna Pen: item"));
    assert!(told(&["season-3", "score"]).contains("Each captured die scores its size"), "what a package extends is told, too");
    let nothing = ludex(&["rules", "dicewing", "zeppelin"]);
    assert_eq!(nothing.status, 1);
    assert!(nothing.stderr.contains("do not mention `zeppelin`"), "{}", nothing.stderr);
}

#[test]
fn a_game_without_a_rulebook_is_told_by_its_readme() {
    let classics = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics");
    let run = ludex(&["rules", "yahtzee", "--library", classics]);
    assert!(run.stdout.contains("Twice you may roll any of them again"), "{}", run.stdout);
    assert!(!run.stdout.contains("Verification"), "{}", run.stdout);
}

#[test]
fn a_rulebook_cites_only_rules_that_there_are() {
    let folder = Folder::outside("learning-cites");
    folder.write("rules/pond/pond.ludex", "ludex 1\ngame pond \"Pond\"\nsides 2\nto play { finish with nobody \"no frogs\" }\n");
    folder.write("rules/pond/README.md", "| id | the rule |\n|---|---|\n| PO-001 | Nobody wins. |\n");
    folder.write("rules/pond/rules.md", "# Pond\n\n<!-- newcomers: shallow -->\n\nNobody wins (PO-001), ever (PO-002).\n");
    let run = ludex_in(&folder, &["check"], "");
    let told = format!("{}{}", run.stdout, run.stderr);
    assert!(told.contains("there is no rule `PO-002`") && !told.contains("no rule `PO-001`"), "{told}");
    assert!(told.contains("`pond` has no mode `shallow`"), "{told}");
}

#[test]
fn a_tour_takes_only_what_it_tells_and_ends_by_itself() {
    let folder = Folder::outside("learning-tour");
    let run = ludex_in(&folder, &["tour", "dice-challenge"], "1\n8\npass\nundo\n4\n");
    assert_eq!(run.status, 0, "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("here the tour goes on with: 3 on d4 and 1 on d8 together capture 4 on d20"), "{}", run.stdout);
    assert!(run.stdout.contains("a tour only goes forward"), "{}", run.stdout);
    assert!(run.stdout.trim_end().ends_with("`rules` in it tells the rest."), "{}", run.stdout);
    let none = ludex_in(&folder, &["tour", "season-3"], "");
    assert_eq!(none.status, 1);
    assert!(none.stderr.contains("`season-3` has no tour"), "{}", none.stderr);
}

#[test]
fn rules_and_things_are_read_in_play_too() {
    let folder = Folder::outside("learning-play");
    let args = ["play", "dice-challenge", "--seat", "0=sailor-moon", "--seat", "1=kunzite:random", "--seed", "7"];
    let run = ludex_in(&folder, &args, "rules\nrules after\nlook dark kingdom\nlook d8\nlook nobody\nquit\n");
    for words in [
        "Goal: win three rounds",
        "move one die from its reserve",
        "Dark Kingdom (3 per match): ",
        "d8: shows 1 to 8",
        "has `nobody` in its name",
    ] {
        assert!(run.stdout.contains(words), "`{words}` is not in\n{}", run.stdout);
    }
}

#[test]
fn whoever_goes_back_is_asked_the_question_before_again() {
    let folder = Folder::outside("learning-back");
    let run = ludex_in(
        &folder,
        &["play", "dice-challenge"],
        "yes\nback\nno\nvictory_tokens=2\n\nkunzite\nback\nsailor moon\nrandom\neasy\nquit\n",
    );
    assert_eq!(run.status, 0, "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("1 to 9: round wins that decide the match"), "{}", run.stdout);
    // Chance may choose Sailor Moon, too, and then both have a number behind their names.
    let sides = run.stdout.lines().find(|line| line.contains(" (you) against ")).unwrap_or_default();
    assert!(sides.starts_with("Sailor Moon") && sides.ends_with(" (random bot)"), "{}", run.stdout);
}
