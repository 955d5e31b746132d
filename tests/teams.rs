//! Games in which a side brings several: put together by hand, on the board and in the story, and in simulations.

use crate::host::Table;
use crate::support::{Folder, Run, ludex_in, run};
use serde_json::{Value, json};

const TAG_TEAM: [&str; 4] = ["--mode", "tag-team", "--seed", "5"];

fn play(name: &str, seats: &[&str], input: &str) -> Run {
    let folder = Folder::outside(name);
    let seats = seats.iter().flat_map(|seat| ["--seat", *seat]);
    let args: Vec<&str> = ["play", "dice-challenge"].into_iter().chain(TAG_TEAM).chain(seats).collect();
    ludex_in(&folder, &args, input)
}

fn simulated(name: &str, args: &[&str]) -> Run {
    let args = [&["sim", "dice-challenge", "--mode", "tag-team"], args].concat();
    ludex_in(&Folder::outside(name), &args, "")
}

// --- before the game ---------------------------------------------------------------------

#[test]
fn the_mode_and_both_teams_are_asked_for() {
    let answers = "tag-team\n\n2\nsailor-moon\nSailor Moon\nkunzite\n\n1\nquit\n";
    let run = run(&Folder::outside("teams-asked"), &["play", "dice-challenge"], answers);
    let (told, asked) = (run.stdout, run.stderr);
    assert!(told.contains(". Tag Team (tag-team)\n"), "{told}");
    assert!(told.contains("Tag Team: the rules as usual?\n"), "{told}");
    assert!(asked.contains("How many does each side bring? 2 to 4 [2]:"), "{asked}");
    assert!(told.contains("Sailor Moon is on this side already"), "{told}");
    assert!(told.contains("\nSailor Moon and Kunzite (you) against "), "{told}");
}

#[test]
fn a_team_that_is_left_open_is_as_large_as_the_other() {
    let seats = ["0=sailor-moon,kunzite,droids:human", "1=:greedy"];
    let told = play("teams-open", &seats, "quit\n").stdout;
    let (_, against) = told.split_once("(you) against ").expect("who plays");
    assert_eq!(against.split(" (greedy bot)").next().unwrap().split([',', '&']).count(), 2, "{against}");
}

#[test]
fn teams_that_cannot_meet_are_refused_before_anything_is_played() {
    let refused = [
        (&["0=sailor-moon,kunzite", "1=sailor-mars"][..], "a side brings 2 to 4, not 1"),
        (&["0=sailor-moon,sailor-moon", "1=sailor-mars,kunzite"], "`sailor-moon` appears twice on one side"),
        (&["0=sailor-moon,kunzite", "1=sailor-mars,droids,rubeus"], "side 0 brings 2 and side 1 brings 3"),
    ];
    for (number, (seats, message)) in refused.into_iter().enumerate() {
        let seats: Vec<&str> = seats.iter().flat_map(|seat| ["--seat", *seat]).collect();
        let sim = simulated(&format!("teams-refused-{number}"), &seats);
        assert!(sim.status != 0 && sim.stderr.contains(message), "{}", sim.stderr);
        assert_eq!(sim.stdout, "");
        let args = [&["play", "dice-challenge", "--mode", "tag-team"], &seats[..]].concat();
        let played = ludex_in(&Folder::outside(&format!("teams-not-played-{number}")), &args, "quit\n");
        assert!(played.status != 0 && played.stderr.contains(message), "{}", played.stderr);
    }
}

// --- at the table ------------------------------------------------------------------------

#[test]
fn the_story_and_the_board_tell_who_of_a_team_does_it() {
    let seats = ["0=sailor-moon,kunzite:human", "1=sailor-mars,sailor-jupiter:greedy"];
    let told = play("teams-told", &seats, "1\nquit\n").stdout;
    for line in [
        "d8 d8 d10 d20 → in play of Sailor Moon",
        "Kunzite rolls 6 on d8, 3 on d10, 6 on d20, 4 on d20",
        "  Sailor Moon, fighter · Planet Power: 1 left this match",
        "  Kunzite · Dark Kingdom: 3 left this match",
    ] {
        assert!(told.contains(&format!("\n{line}\n")), "{line}\n{told}");
    }
    // The rolls of one are not told as those of another.
    assert!(!told.contains("Sailor Moon and Kunzite rolls"), "{told}");
}

#[test]
fn a_team_that_wins_is_several() {
    let told = play("teams-win", &["0=sailor-moon,kunzite:random", "1=droids,rubeus:random"], "").stdout;
    let end: Vec<&str> = told.lines().filter(|line| line.contains(" the game")).collect();
    assert!(end.len() == 1 && end[0].contains(" and ") && end[0].ends_with(" win the game"), "{end:?}");
}

// --- simulations -------------------------------------------------------------------------

#[test]
fn both_teams_of_each_game_are_drawn() {
    let args = ["--all-pairs", "--team-size", "3", "--games", "20", "--seed", "7"];
    let told = simulated("teams-drawn", &args).stdout;
    assert!(told.contains("both teams of 3 are drawn for each game, from the seed and the number of the game\n"), "{told}");
    let report = |name: &str| -> Value {
        serde_json::from_str(&simulated(name, &[&args[..], &["--format", "json"]].concat()).stdout).unwrap()
    };
    let drawn = report("teams-drawn-json")["drawn"].clone();
    let games: u64 = drawn.as_array().unwrap().iter().map(|entrant| entrant["games"].as_u64().unwrap()).sum();
    let wins: u64 = drawn.as_array().unwrap().iter().map(|entrant| entrant["wins"].as_u64().unwrap()).sum();
    // Three on each side play each game, and three of them win it.
    assert_eq!((games, wins), (20 * 6, 20 * 3));
    assert_eq!(report("teams-drawn-again")["drawn"], drawn);
}

#[test]
fn the_size_of_drawn_teams_must_fit() {
    let wrong = [
        (&["--all-pairs", "--team-size", "5"][..], "2 to 4"),
        (&["--seat", "0=sailor-moon,kunzite", "--team-size", "3"], "`--team-size` is 3"),
    ];
    for (number, (args, message)) in wrong.into_iter().enumerate() {
        let sim = simulated(&format!("teams-size-{number}"), args);
        assert!(sim.status == 2 && sim.stderr.contains(message), "{}", sim.stderr);
    }
}

// --- what a team keeps to itself ---------------------------------------------------------

/// Between two answers nobody else hears anything of the first: not whom it names, and no event.
#[test]
fn a_nomination_is_secret_until_both_teams_have_nominated() {
    let seats = ["--mode", "single-combat", "--seat", "0=sailor-moon,kunzite", "--seat", "1=droids,rubeus", "--seed", "1"];
    let folder = Folder::outside("teams-secret");
    let mut table = Table::of(&folder, &["dice-challenge"], &seats);
    let asked = [table.wait_for("decision"), table.wait_for("decision")];
    assert_eq!((&asked[0]["to"], &asked[1]["to"]), (&json!([0]), &json!([1])));
    table.tell(json!({ "choose": asked[0]["id"], "seat": 0, "key": "choose(kunzite)" }));
    assert_eq!(table.hear(), json!({ "type": "accepted", "to": [0], "in_reply_to": asked[0]["id"] }));
    table.tell(json!({ "choose": asked[1]["id"], "seat": 1, "key": "choose(rubeus)" }));
    assert_eq!(table.hear(), json!({ "type": "accepted", "to": [1], "in_reply_to": asked[1]["id"] }));
    let told = [table.hear(), table.hear()];
    assert_eq!((&told[0]["key"], &told[1]["key"]), (&json!("choose(kunzite)"), &json!("choose(rubeus)")));
}
