//! Policies of the rules, and what is usual where nobody decides.

use crate::runtime::policy::{names, usual};
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
    let decision = table.open().first().cloned()?;
    let choice = table.session.preferred(decision.id, policy)?;
    table.session.choice_key(decision.id, &choice)
}

fn usually(table: &Table) -> String {
    let decision = table.open()[0].clone();
    table.session.choice_key(decision.id, &usual(&table.session, &decision)).expect("a key")
}

#[test]
fn the_first_line_that_applies_decides_and_later_ones_break_ties() {
    let mut table = game(BERRIES).play();
    assert_eq!(names(table.session.program()), ["greedy_bird", "lazy_bird"]);
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
    while let Some(decision) = table.open().first().cloned() {
        let key = usually(&table);
        assert_eq!(preferred(&table, "nobody"), None);
        table.answer(decision.seat, &key);
        said.push(key);
    }
    assert_eq!(said, ["pick(1)", "pick(1)", "pass", "no", "number(3)", "pass"]);
}
