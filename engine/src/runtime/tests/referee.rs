//! A referee: a seat on no side, which the rules may ask.

use crate::runtime::policy::default_answer;
use crate::runtime::{Pending, Viewer};
use crate::testing::{Table, game};

const RACE: &str = "
sides 2
referee \"Timekeeper\"
type verdict is one of fair, foul
family ruling() {}
action restart is ruling do { say \"again\" }
each side has { counter laps }
to play {
  each side in sides { add 1 to side.laps }
  referee may \"Does the start count?\" as counts
  referee may choose number in 1..3 as extra \"Extra laps\"
  referee may choose a verdict as verdict
  referee may choose ruling as ruling
  if ruling is not none { do ruling }
  say \"{counts} {extra} {verdict}\"
  finish with first of sides
}";

#[test]
fn the_referee_sits_after_the_sides() {
    let mut table = game(RACE).play();
    assert_eq!(table.asked_seats(), [2]);
    assert_eq!(table.prompt(2), "Does the start count?");
    assert_eq!(table.session.side_name(2), "Timekeeper");
    let view = table.session.view(Viewer::Seat(2));
    assert_eq!(view.sides.len(), 2);
    table.new_event_texts();
    table.answer(2, "yes");
    assert_eq!(table.new_event_texts(), ["chose(yes by 2)"]);
    table.answer(2, "number(2)").answer(2, "choose(foul)").answer(2, "restart");
    assert_eq!(table.new_said_texts(), ["again", "yes 2 foul"]);
    table.check();
}

#[test]
fn what_is_usual_is_that_the_referee_says_nothing() {
    let mut table = game(RACE).play();
    while let Some(decision) = table.open_decisions().first().cloned() {
        let choice = default_answer(&table.session, &decision);
        let key = table.session.choice_key(decision.id, &choice).expect("it has a key");
        table.answer(decision.seat, &key);
    }
    assert_eq!(table.new_said_texts(), ["no none none"]);
}

#[test]
fn nobody_wins_when_the_referee_leaves() {
    let mut table: Table = game(RACE).play();
    table.session.resign(2);
    let Pending::Finished(outcome) = table.session.pending() else { panic!("play is over") };
    assert!(outcome.winners.is_empty());
}

#[test]
fn a_referee_can_only_be_asked() {
    let rules = "sides 2\nreferee \"Timekeeper\"\nto play { finish with referee }";
    assert_eq!(game(rules).problems(), ["the referee is not a side and has nothing: it can only be asked"]);
    let rules = "sides 2\nto play { referee may \"Why?\" as reason finish with nobody }";
    assert!(game(rules).problems()[0].contains("referee"), "{:?}", game(rules).problems());
}
