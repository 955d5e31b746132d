//! Policies of the rules, and what is usual where nobody decides.

use crate::runtime::policy::{default_answer, sorted_policy_names};
use crate::runtime::random::seeded_generator;
use crate::testing::{Table, game};

const BERRIES: &str = "
sides 2
each side has { counter berries, tired }
family deed(side: side) { gain: number = 0  effort: number = 0 }
action pick(number in (1..4)) is deed gives gain = number gives effort = number
  do { add number to side.berries }
action climb is deed gives gain = 4 gives effort = 1
  do { add 4 to side.berries }
action rest is deed
  do { set side.tired to 0 }
family help(side: side) {}
action share is help
policy greedy_bird for deed {
  when side.tired > 2 and it is rest prefer highest 1
  prefer highest it.gain
  prefer highest 0 - it.effort
}
policy greedy_bird for help { when side.berries > 9 prefer highest 1 }
policy lazy_bird for deed { prefer highest 0 - it.effort }
to play {
  let me = first of sides
  me must choose deed(me) as deed else { stop }
  set me.tired to 3
  me must choose deed(me) as deed else { stop }
  set me.berries to 10
  me may choose help(me) as kindness
  me may \"Fly away?\" as away
  me must choose number in 3..5 as number
  me may choose 1 in [7, 8] as one
  finish with me
}";

/// The key of what a policy prefers in the first open decision.
fn preferred(table: &Table, policy: &str) -> Option<String> {
    let decision = table.open_decisions().first().cloned()?;
    let choice = table.session.preferred_move(decision.id, policy, &mut seeded_generator(1))?;
    table.session.choice_key(decision.id, &choice)
}

fn usually(table: &Table) -> String {
    let decision = table.open_decisions()[0].clone();
    table.session.choice_key(decision.id, &default_answer(&table.session, &decision)).expect("a key")
}

#[test]
fn the_first_line_that_applies_decides_and_later_ones_break_ties() {
    let mut table = game(BERRIES).play();
    assert_eq!(sorted_policy_names(table.session.program()), ["greedy_bird", "lazy_bird"]);
    assert_eq!(preferred(&table, "greedy_bird").as_deref(), Some("climb"));
    assert_eq!(preferred(&table, "lazy_bird").as_deref(), Some("rest"));
    table.answer(0, "pick(2)");
    assert_eq!(preferred(&table, "greedy_bird").as_deref(), Some("rest"), "its first line speaks of this move only");
    table.answer(0, "rest");
    assert_eq!(preferred(&table, "greedy_bird").as_deref(), Some("share"));
    assert_eq!(preferred(&table, "lazy_bird"), None, "it says nothing of helping");
}

#[test]
fn what_is_usual_is_to_pass() {
    let mut table = game(BERRIES).play();
    let mut said = Vec::new();
    while let Some(decision) = table.open_decisions().first().cloned() {
        let key = usually(&table);
        assert_eq!(preferred(&table, "nobody"), None);
        table.answer(decision.seat, &key);
        said.push(key);
    }
    assert_eq!(said, ["pick(1)", "pick(1)", "pass", "no", "number(3)", "pass"]);
}

/// Two ways, of which a policy goes the first by chance.
fn mixed(chance: &str) -> String {
    format!(
        "sides 2
family path(side: side) {{}}
action left is path
action right is path
action back is path
policy wander for path {{ {chance} }}
to play {{ let me = first of sides  me must choose path(me) as path else {{ stop }}  finish with me }}"
    )
}

/// How often each way is gone, in so many times.
fn gone(chance: &str, times: usize) -> [usize; 4] {
    let table = game(&mixed(chance)).play();
    let (mut lots, id) = (seeded_generator(5), table.open_decisions()[0].id);
    let mut gone = [0; 4];
    for _ in 0..times {
        let found =
            table.session.preferred_move(id, "wander", &mut lots).and_then(|choice| table.session.choice_key(id, &choice));
        gone[["left", "right", "back"].iter().position(|way| found.as_deref() == Some(way)).unwrap_or(3)] += 1;
    }
    gone
}

#[test]
fn a_line_with_a_chance_counts_so_often() {
    let left = "when it is left prefer highest 1";
    let right = "when it is right prefer highest 1";
    assert_eq!(gone(&format!("with chance 0/1 {left} {right}"), 500), [0, 500, 0, 0]);
    assert_eq!(gone(&format!("with chance 1/1 {left} {right}"), 500), [500, 0, 0, 0]);
    assert_eq!(gone(&format!("with chance 0/1000000 {left}"), 500), [0, 0, 0, 500], "it says nothing");
    let [left_gone, right_gone, ..] = gone(&format!("with chance 1/3 {left} {right}"), 6_000);
    assert!((1_850..2_150).contains(&left_gone) && left_gone + right_gone == 6_000, "{left_gone}");
    // Each is drawn by itself: one in three, half of the others, and the rest.
    let thirds = gone(&format!("with chance 1/3 {left} with chance 1/2 {right} when it is back prefer highest 1"), 6_000);
    assert!(thirds[..3].iter().all(|gone| (1_850..2_150).contains(gone)), "{thirds:?}");
    let neither = gone(&format!("with chance 1/2 {left} with chance 1/2 {right}"), 6_000);
    assert!((1_350..1_650).contains(&neither[3]) && (2_850..3_150).contains(&neither[0]), "{neither:?}");
}

#[test]
fn what_is_no_chance_is_refused() {
    for (chance, words) in [
        ("1/0", "a chance cannot be out of 0"),
        ("0/0", "a chance cannot be out of 0"),
        ("4/3", "4 times in 3 is more than always"),
        ("1/1000001", "out of at most 1,000,000, but this is out of 1000001"),
        ("99999999999/3", "too large"),
        ("0.5", "expected"),
        ("x/3", "expected a number"),
        ("1", "expected `/`"),
        ("50%", "expected `/`"),
    ] {
        let problems = game(&mixed(&format!("with chance {chance} prefer highest 1"))).problems();
        assert!(problems.iter().any(|problem| problem.contains(words)), "{chance}: {problems:?}");
    }
    for chance in ["0/1", "1/1", "1000000/1000000", "1 / 3"] {
        game(&mixed(&format!("with chance {chance} prefer highest 1"))).program();
    }
}
