//! What the end of a match is worth to each side.

use crate::runtime::{OutcomeResult, Payoff, Pending};
use crate::testing::{Table, game, setup};

fn rules(sides: usize, statements: &str) -> String {
    format!(
        "sides {sides}\neach side has {{ counter points, lives }}\ndie sizes 6\npiece die (dice)
each side has {{ zone hand: dice, seen by owner }}
to play {{ {statements} }}"
    )
}

#[track_caller]
fn play(sides: usize, statements: &str) -> Table {
    let table = Table::new(&game(&rules(sides, statements)).program(), &setup(&vec![&[] as &[&str]; sides]));
    table.check();
    table
}

/// How the match ended, who won, and the payoffs as people read them.
#[track_caller]
fn ended(table: &Table) -> (OutcomeResult, Vec<usize>, String) {
    let Pending::Finished(outcome) = table.session.pending() else { panic!("play goes on") };
    let payoffs = outcome.payoffs.iter().flatten().map(Payoff::to_string).collect::<Vec<_>>().join(" ");
    (outcome.result, outcome.winners.clone(), payoffs)
}

#[track_caller]
fn finished(sides: usize, statements: &str) -> (OutcomeResult, Vec<usize>, String) {
    ended(&play(sides, statements))
}

const COUNTED: &str = "let number = 0  each side in sides { add 1 to number  set side.points to number * number } ";

#[test]
fn the_highest_payoff_wins() {
    let with = |payoff: &str| finished(3, &format!("{COUNTED} finish with payoff of side = {payoff}"));
    assert_eq!(with("side.points"), (OutcomeResult::Win, vec![2], "1 4 9".to_string()));
    assert_eq!(with("5 - side.points"), (OutcomeResult::Win, vec![0], "4 1 -4".to_string()));
    assert_eq!(with("half of side.points"), (OutcomeResult::Win, vec![2], "0.5 2 4.5".to_string()));
    assert_eq!(with("0 - half of side.points"), (OutcomeResult::Win, vec![0], "-0.5 -2 -4.5".to_string()));
    assert_eq!(with("if side.points = 9 then 0 else 3"), (OutcomeResult::Tie, vec![0, 1], "3 3 0".to_string()));
    assert_eq!(with("0"), (OutcomeResult::Tie, vec![0, 1, 2], "0 0 0".to_string()));
    assert_eq!(finished(1, "finish with payoff of seat = 0 - 7"), (OutcomeResult::Win, vec![0], "-7".to_string()));
}

#[test]
fn winners_that_are_named_win_whatever_the_payoffs_are() {
    let with = |statement: &str| finished(2, &format!("{COUNTED} {statement}"));
    let payoffs = || "1 4".to_string();
    assert_eq!(with("finish with first of sides, payoff of side = side.points"), (OutcomeResult::Win, vec![0], payoffs()));
    assert_eq!(with("finish with sides, payoff of side = side.points"), (OutcomeResult::Tie, vec![0, 1], payoffs()));
    assert_eq!(with("finish with nobody, payoff of side = side.points"), (OutcomeResult::Nobody, vec![], payoffs()));
    assert_eq!(with("finish with nobody"), (OutcomeResult::Nobody, vec![], String::new()));
}

#[test]
fn an_end_without_a_winner_is_no_cap() {
    let with = |statements: &str| finished(2, statements).0;
    let nobody = "finish with nobody \"it is lost\"";
    assert_eq!(with(nobody), OutcomeResult::Nobody);
    assert_eq!(with("say \"nothing more\""), OutcomeResult::Nobody);
    assert_eq!(with("finish with sides where it.points > 9"), OutcomeResult::Nobody);
    assert_eq!(with(&format!("repeat at most 3 times {{ {nobody} }} otherwise {{ finish with sides }}")), OutcomeResult::Nobody);
    assert_eq!(with("repeat at most 3 times { say \"on\" } otherwise { finish with sides }"), OutcomeResult::Tie);
    assert_eq!(with(&format!("repeat at most 3 times {{ say \"on\" }} otherwise {{ {nobody} }}")), OutcomeResult::Capped);
    let inside = format!("repeat at most 3 times {{ say \"on\" }} otherwise {{ if count of sides = 2 {{ {nobody} }} }}");
    assert_eq!(with(&inside), OutcomeResult::Capped);
    let behind = format!("repeat at most 3 times {{ say \"on\" }} otherwise {{ say \"enough\" }} {nobody}");
    assert_eq!(with(&behind), OutcomeResult::Nobody);
}

#[test]
fn people_and_programs_are_told() {
    let table = play(2, &format!("{COUNTED} finish with payoff of side = half of side.points \"the bank is empty\""));
    let event = table.events.last().expect("an end");
    assert_eq!(event.text, "side 1 wins: the bank is empty; the payoffs are 0.5 for side 0 and 2 for side 1");
    let told = crate::json::event_json(event, 1);
    assert_eq!(told["outcome"]["payoffs"], serde_json::json!([0.5, 2]));
    assert_eq!(told["outcome"]["winners"], serde_json::json!([1]));
    let table = play(1, "finish with payoff of side = 3");
    assert_eq!(table.events.last().map(|event| event.text.as_str()), Some("side 0 wins; the payoff is 3 for side 0"));
    let told = crate::json::event_json(play(2, "finish with first of sides").events.last().expect("an end"), 1);
    assert_eq!(told["outcome"].get("payoffs"), None);
}

#[test]
fn a_text_may_follow_any_finish() {
    let said = |statement: &str| play(2, statement).events.last().map(|event| event.text.clone()).unwrap_or_default();
    assert_eq!(said("finish with first of sides \"all is said\""), "side 0 wins: all is said");
    assert_eq!(said("finish with sides \"{count of sides} are left\""), "side 0 and side 1 share the win: 2 are left");
}

#[test]
fn a_side_that_is_out_has_a_payoff_and_does_not_win_by_it() {
    let out = format!("{COUNTED} remove last of sides  finish with payoff of side = side.points");
    assert_eq!(finished(3, &out), (OutcomeResult::Win, vec![1], "1 4 9".to_string()));
    let all = "each side in sides { remove side }  finish with payoff of side = 2";
    assert_eq!(finished(2, all), (OutcomeResult::Nobody, vec![], "2 2".to_string()));
}

#[test]
fn whoever_gives_up_has_no_payoff() {
    let mut table = play(2, "(first of sides) must choose number in 1..2 as number  finish with payoff of side = 1");
    table.session.resign(0);
    assert_eq!(ended(&table), (OutcomeResult::Abandoned, vec![1], String::new()));
}

#[test]
fn lists_and_names_around_stay_as_they_are() {
    let statements = "let side = last of sides  let many = [1, 2, 3]
        if count of many = 3 { finish with side, payoff of player = sum of (many where it > player.points) \"{side}\" }";
    assert_eq!(finished(2, statements), (OutcomeResult::Win, vec![1], "6 6".to_string()));
}

#[test]
fn payoffs_may_come_of_what_is_hidden() {
    let statements = "create die(size: 6) in (last of sides).hand for last of sides as hidden
        finish with payoff of side = sum of side.hand.size";
    assert_eq!(finished(2, statements), (OutcomeResult::Win, vec![1], "0 6".to_string()));
}

#[test]
fn what_is_too_large_is_a_fault_and_ends_nothing() {
    for too_much in ["2147483647 + side.lives + 1", "half of 2147483647 + half of 2147483647", "(0 - 2147483647) * 2"] {
        let statements =
            format!("(first of sides) must choose number in 1..2 as number  finish with payoff of side = {too_much}");
        let mut table = play(2, &statements);
        let id = table.open_decisions()[0].id;
        let fault = table.session.choose(id, crate::runtime::Choice::Number(1)).expect_err("a fault");
        assert!(
            fault.message.to_string().contains("2,147,483,647") || fault.message.to_string().contains("1,073,741,823"),
            "{}",
            fault.message
        );
        assert!(!fault.labels.is_empty());
        assert!(matches!(table.session.pending(), Pending::Decisions(open) if open.len() == 1));
    }
    let most = "finish with payoff of side = if side is first of sides then 2147483647 else 0 - 2147483647";
    assert_eq!(finished(2, most), (OutcomeResult::Win, vec![0], "2147483647 -2147483647".to_string()));
}

#[test]
fn a_payoff_is_a_number() {
    for (value, found) in [("side", "a side"), ("yes", "yes or no"), ("sides", "a list of sides"), ("none", "none")] {
        let problems = game(&rules(2, &format!("finish with payoff of side = {value}"))).problems();
        assert!(
            problems.iter().any(|problem| problem.contains("a payoff is a number") && problem.contains(found)),
            "{problems:?}"
        );
    }
}
