//! Every answer can be put together, each in one way; and nothing else can.

use crate::runtime::encoding::{EncodedSession, Encoding};
use crate::runtime::{Pending, Session};
use crate::testing::{game, setup};
use std::collections::BTreeSet;
use std::sync::Arc;

const BAGS: &str = r#"
sides 2
die sizes 4, 6, 8, 10
each side has { zone bag: dice, open  zone kept: dice, open  counter points }
family deed(active: side) {}
action grab(die in active.bag) is deed
action swap(mine in active.bag, other in active.kept) is deed
action gather(dice: 1 or more in active.bag) is deed
action two(dice: 2 in active.bag, target in active.kept) is deed when sum of dice.size > target.size
to play {
  let me = first of sides
  each size in [4, 6, 8] { create die(size: size) in me.bag for me }
  each size in [4, 10] { create die(size: size) in me.kept for me }
  WHAT
  finish with nobody
}
"#;

fn begun(what: &str) -> EncodedSession {
    let program = game(&BAGS.replace("WHAT", what)).program();
    let session = Session::start(program, &setup(&[&[], &[]])).expect("it starts");
    let encoding = Encoding::from_session(&session).expect("it is encoded");
    EncodedSession::new(session, Arc::new(encoding))
}

/// What is chosen in the end, by the actions that lead there; play goes on to the end.
fn leaves(game: &EncodedSession, so_far: &[u32], found: &mut Vec<(Vec<u32>, String)>) {
    for action in game.legal_actions() {
        let mut further = game.clone();
        further.play_action(*action).expect("what is legal can be chosen");
        let actions = [so_far, &[*action]].concat();
        match further.is_fresh() {
            false => leaves(&further, &actions, found),
            true => found.push((actions, further.session().state_json().to_string())),
        }
    }
}

/// Puts every answer to a question together.
#[track_caller]
fn all_answers(what: &str) -> Vec<(Vec<u32>, String)> {
    let game = begun(what);
    let Pending::Decisions([decision, ..]) = game.session().pending() else { panic!("nothing is asked") };
    let number = decision.answers().count_answers();
    let mut found = Vec::new();
    leaves(&game, &[], &mut found);
    let ways: BTreeSet<&Vec<u32>> = found.iter().map(|(actions, _)| actions).collect();
    assert_eq!((ways.len(), found.len() as u128), (found.len(), number), "{what}");
    found
}

/// The answer is kept, so that different answers lead to different states.
#[track_caller]
fn each_leads_elsewhere(what: &str) {
    let found = all_answers(what);
    let states: BTreeSet<&String> = found.iter().map(|(_, state)| state).collect();
    assert_eq!(states.len(), found.len(), "{what}");
}

#[test]
fn moves_of_one_thing_of_two_and_of_several() {
    all_answers("me must choose deed as deed else { }");
    all_answers("me may choose deed as deed");
}

#[test]
fn one_of_several_and_several_of_many() {
    each_leads_elsewhere("me must choose 1 in me.bag as die  move die to me.kept");
    each_leads_elsewhere("me must choose 2 in me.bag as some_dice  move some_dice to me.kept");
    all_answers("me may choose 1 or more in me.bag as some_dice  move some_dice to me.kept");
    all_answers("me may choose 2 in me.bag as some_dice  move some_dice to me.kept");
}

#[test]
fn numbers_narrow_and_wide() {
    each_leads_elsewhere("me must choose number in 3..12 as number  set me.points to number");
    each_leads_elsewhere("me must choose number in -20..990 as number  set me.points to number");
    all_answers("me may choose number in 1..4 as number");
}

#[test]
fn orders_and_divisions() {
    all_answers("me must order me.bag as dice");
    all_answers("me may order me.bag as dice");
    all_answers("me must divide 30 in steps of 10 among me.bag as shares");
    all_answers("me must divide 400 in steps of 1 among me.kept as shares");
    all_answers("me may divide 20 in steps of 10 among me.bag as shares");
}

#[test]
fn equal_members_are_told_apart_by_their_place() {
    all_answers("me must order [5, 5, 7] as numbers");
    all_answers("me must choose 2 in [5, 5, 7] as numbers");
    all_answers("me must choose 1 in [5, 5, 7] as number");
}

#[test]
fn an_illegal_action_changes_nothing() {
    let mut game = begun("me must choose number in 3..12 as number");
    let (legal, before) = (game.legal_actions().to_vec(), game.session().state_json());
    let illegal = (0..).find(|action| !legal.contains(action)).expect("some action is not legal");
    assert_eq!(game.play_action(illegal).expect_err("it is refused").code, ludex_syntax::codes::ILLEGAL_CHOICE);
    assert_eq!((game.legal_actions(), game.session().state_json()), (legal.as_slice(), before));
}

#[test]
fn nothing_may_be_chosen_before_the_next_question_has_been_looked_at() {
    let mut at_once = begun("me must choose 2 in me.bag as some_dice  me must choose number in 3..12 as number");
    let mut in_parts = at_once.clone();
    let mut waited = 0;
    while at_once.asked_seat().is_some() {
        let place = at_once.legal_actions().len() - 1;
        at_once.play_at(place).expect("what is legal can be chosen");
        in_parts.choose_at(place).expect("it can be chosen in parts, too");
        if in_parts.asked_seat().is_none() {
            waited += 1;
            let session = in_parts.session().state_json();
            assert!(in_parts.legal_actions().is_empty());
            in_parts.choose_at(0).expect_err("there is nothing to choose");
            assert_eq!(in_parts.session().state_json(), session);
        }
        in_parts.open_question();
        assert_eq!((in_parts.asked_seat(), in_parts.legal_actions()), (at_once.asked_seat(), at_once.legal_actions()));
        assert_eq!(in_parts.session().state_json(), at_once.session().state_json());
    }
    // The answer to each of the two questions.
    assert_eq!(waited, 2);
}

#[test]
fn moves_that_are_only_counted_are_the_same_actions() {
    let rules = r#"
sides 2
die sizes 6
each side has { zone bag: dice, open }
family strike(active: side) {}
action one(die in active.bag, target in active.foe.bag) is strike when die.value >= target.value
action many(dice: 2 or more in active.bag, target in active.foe.bag) is strike when sum of dice.value = target.value
to play {
  each side in sides { repeat 4 times { create die(size: 6) in side.bag for side } }
  repeat 50 times {
    roll sides.bag
    first of sides must choose strike as strike else { }
  }
}
"#;
    let program = game(rules).program();
    let begin = || Session::start(program.clone(), &setup(&[&[], &[]])).expect("it starts");
    let encoding = Arc::new(Encoding::from_session(&begin()).expect("it is encoded"));
    let mut counted = EncodedSession::new(begin(), encoding.clone());
    let mut steps = 0;
    while counted.asked_seat().is_some() {
        let mut session = counted.session().clone();
        session.start_watching();
        let in_full = EncodedSession::new(session, encoding.clone());
        if counted.is_fresh() {
            assert_eq!(counted.legal_actions(), in_full.legal_actions());
        }
        let action = counted.legal_actions()[steps % counted.legal_actions().len()];
        counted.play_action(action).expect("what is legal can be chosen");
        steps += 1;
    }
    assert!(steps > 20);
}
