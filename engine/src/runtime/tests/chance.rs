//! Chance: results from a generator, from a list, and from real dice.

use crate::runtime::{Dice, Pending, RandomKind, Session, Setup};
use crate::testing::{Table, Texts, game, setup};

fn rolls() -> Texts {
    game(
        "sides 2
die sizes 4, 6
each side has { zone bag: dice, open }
to play {
  each side in sides { create die(size: 4) in side.bag for side  create die(size: 6) in side.bag for side }
  let me = first of sides
  roll me.bag because \"first of {me}\"
  me may \"Go on?\" as goes_on
  if goes_on { roll sides.bag }
  shuffle me.bag
  let you = last of sides
  you may \"Over?\" as over
  finish with nobody
}",
    )
}

fn values(table: &mut Table) -> Vec<String> {
    table.new_event_texts().into_iter().filter(|event| event.starts_with("rolled") || event.starts_with("shuffled")).collect()
}

#[test]
fn listed_results_are_taken_in_order() {
    let mut table = rolls().play_with_results(&[4, 1, 1, 2, 3, 4, 2]);
    assert_eq!(values(&mut table), ["rolled(0, 4 by 0)", "rolled(1, 1 by 0)"]);
    assert_eq!(table.session.unused_results(), [1, 2, 3, 4, 2]);
    table.answer(0, "yes");
    assert_eq!(
        values(&mut table),
        ["rolled(0, 1 by 0)", "rolled(1, 2 by 0)", "rolled(2, 3 by 1)", "rolled(3, 4 by 1)", "shuffled(bag by 0)"]
    );
    assert!(table.session.unused_results().is_empty());
    table.check();
}

#[test]
fn results_left_over_are_known() {
    let mut table = rolls().play_with_results(&[4, 1, 2, 6, 6]);
    table.answer(0, "no").answer(1, "no");
    assert!(matches!(table.session.pending(), Pending::Finished(_)));
    assert_eq!(table.session.unused_results(), [6, 6]);
}

#[test]
fn a_missing_result_is_told_and_taken_back() {
    let mut table = rolls().play_with_results(&[4, 1, 2]);
    let before = table.clone();
    let problem = table.try_answer(0, "yes").expect_err("too few");
    assert_eq!(problem.message.to_string(), "a d6 is rolled, but no listed result is left (3 were given)");
    assert!(!problem.labels.is_empty());
    assert!(table.session.same_state(&before.session));
    table.answer(0, "no");
}

#[test]
fn a_result_that_a_die_cannot_show_is_told() {
    let start =
        |results: Vec<i64>| Session::start(rolls().program(), &Setup { dice: Dice::Listed(results), ..setup(&[&[], &[]]) });
    let message = |results| start(results).err().map(|problem| problem.message.to_string()).unwrap_or_default();
    assert_eq!(message(vec![5, 1]), "result 1 of the list is 5, which a d4 cannot show");
    assert_eq!(message(vec![1, 0]), "result 2 of the list is 0, which a d6 cannot show");
    assert_eq!(message(vec![]), "a d4 is rolled, but no listed result is left (0 were given)");
}

#[test]
fn real_dice_are_asked_for_together() {
    let program = rolls().program();
    let mut table = Table::new(&program, &Setup { dice: Dice::External, ..setup(&[&[], &[]]) });
    let Pending::Random(request) = table.session.pending() else { panic!("dice are wanted") };
    let first = request.id;
    assert_eq!((request.kind, request.reason.as_str()), (RandomKind::Roll, "first of side 0"));
    assert_eq!(request.draws.iter().map(|draw| (draw.piece, draw.size)).collect::<Vec<_>>(), [(Some(0), 4), (Some(1), 6)]);
    assert!(table.session.supply(&[4]).is_err());
    assert!(table.session.supply(&[4, 7]).is_err());
    table.supply(&[4, 6]).answer(0, "yes");
    let Pending::Random(request) = table.session.pending() else { panic!("dice are wanted") };
    assert!(request.id > first);
    assert_eq!(request.draws.len(), 4);
    let copy = table.clone();
    table.supply(&[1, 2, 3, 4]);
    let Pending::Random(request) = table.session.pending() else { panic!("a shuffle is wanted") };
    assert_eq!((request.kind, request.draws.iter().map(|draw| draw.size).collect::<Vec<_>>()), (RandomKind::Shuffle, vec![2]));
    table.supply(&[1]).answer(1, "no").check();
    // The same results from a list lead to the same board.
    let mut listed = rolls().play_with_results(&[4, 6, 1, 2, 3, 4, 1]);
    listed.answer(0, "yes").answer(1, "no");
    assert_eq!(listed.events, table.events);
    assert!(listed.session.same_state(&table.session));
    assert!(matches!(copy.session.pending(), Pending::Random(_)), "a copy still waits");
}

/// A d1 shows a 1, and of one piece that one is drawn.
#[test]
fn what_has_only_one_result_is_not_asked_for() {
    let rules = "sides 2
die sizes 1, 6
die stamp \"stamp\" with faces 7
the table has { zone bag: dice, open }
to play {
  create die(size: 1) in bag  create die(size: 6) in bag  create stamp() in bag
  roll bag
  roll 2 dice of size 1 as shown
  draw 1 in top 1 of bag at random as drawn
  if drawn is not none { say \"{bag.value} {shown} {drawn.size}\" }
  roll bag where it.size = 1
  draw 1 in bag at random as last_drawn
}";
    let program = game(rules).program();
    let mut table = Table::new(&program, &Setup { dice: Dice::External, ..setup(&[&[], &[]]) });
    let sizes = |table: &Table| match table.session.pending() {
        Pending::Random(request) => request.draws.iter().map(|draw| draw.size).collect(),
        _ => Vec::new(),
    };
    assert_eq!(sizes(&table), [6]);
    table.supply(&[5]);
    assert_eq!(sizes(&table), [3], "which of three is drawn at the end");
    table.supply(&[2]);
    assert!(matches!(table.session.pending(), Pending::Finished(_)));
    assert_eq!(table.new_said_texts(), ["1, 5 and 7 1 and 1 1"]);
}

#[test]
fn an_imagined_session_throws_its_own_dice() {
    let program = rolls().program();
    let mut table = Table::new(&program, &Setup { dice: Dice::External, ..setup(&[&[], &[]]) });
    table.supply(&[4, 6]);
    let id = table.decision(0).id;
    let mut imagined = table.session.imagine(0, 3);
    imagined.choose(id, crate::runtime::Choice::Option(0)).expect("legal");
    assert!(matches!(imagined.pending(), Pending::Decisions(_)));
}

#[test]
fn a_seed_tells_all_results() {
    let start = |seed: u64| {
        let mut table = Table::new(&rolls().program(), &Setup { seed: seed.into(), ..setup(&[&[], &[]]) });
        table.answer(0, "yes");
        values(&mut table)
    };
    assert_eq!(start(3), start(3));
    assert_ne!(start(3), start(4));
}

#[test]
fn who_watches_changes_nothing() {
    let program = rolls().program();
    let play = |watched| {
        let mut table = Table::new(&program, &Setup { watched, ..setup(&[&[], &[]]) });
        table.answer(0, "yes");
        table.session.view(crate::runtime::Viewer::Trusted)
    };
    assert_eq!(play(true), play(false));
}

/// A little game with dice that are no pieces.
fn pool() -> Texts {
    game(
        "sides 2
each side has { counter points }
to play {
  let me = first of sides
  roll 2 d6 because \"for {me}\" as shown
  repeat 2 times {
    add sum of shown to me.points
    roll count of (shown where it = 6) + 1 dice of size 4 as shown
  }
  add count of shown to me.points
  me may \"Over?\" as over
  finish with me
}",
    )
}

fn pools(table: &mut Table) -> Vec<String> {
    table.new_event_texts().into_iter().filter(|event| event.starts_with("rolled_pool") || event.starts_with("set")).collect()
}

#[test]
fn dice_that_are_no_pieces_give_a_list() {
    let mut table = pool().play_with_results(&[6, 3, 4, 1, 2]);
    assert_eq!(
        pools(&mut table),
        [
            "rolled_pool(6, 6, 3)",
            "set(points, 9 by 0)",
            "rolled_pool(4, 4, 1)",
            "set(points, 14 by 0)",
            "rolled_pool(4, 2)",
            "set(points, 15 by 0)",
        ]
    );
    table.check();
}

#[test]
fn dice_that_are_no_pieces_are_thrown_together_by_people() {
    let mut session =
        Session::start(pool().program(), &Setup { dice: Dice::External, ..setup(&[&[], &[]]) }).expect("play starts");
    let Pending::Random(request) = session.pending() else { panic!("dice are wanted") };
    assert_eq!(request.reason, "for side 0");
    assert_eq!(request.draws.iter().map(|draw| (draw.piece, draw.size)).collect::<Vec<_>>(), [(None, 6), (None, 6)]);
    session.supply(&[6, 6]).expect("two results");
    let Pending::Random(request) = session.pending() else { panic!("more dice are wanted") };
    assert_eq!(request.draws.len(), 3);
}

#[test]
fn too_many_dice_in_a_pool_are_a_fault() {
    let rules = "sides 2
each side has { counter points = 999 }
to play { roll (first of sides).points + 2 d6 as shown  finish with nobody }";
    let problem = Session::start(game(rules).program(), &setup(&[&[], &[]])).expect_err("too many");
    assert_eq!(problem.message.to_string(), "1001 d6 cannot be rolled: a throw has 0 to 1000 dice of 1 to 1000000 faces");
}

const LOTTERY: &str =
    "sides 2\ndie sizes 4, 6, 8\neach side has { zone nest: dice, seen by owner  zone out: dice, open }\nto play {
  let me = first of sides
  create die(size: 4) in me.nest for me  create die(size: 6) in me.nest for me  create die(size: 8) in me.nest for me
  draw 2 in me.nest at random because \"luck\" as lost  move lost to me.out
  draw 1 in me.nest at random as one  if one is not none { say \"{one.size} left\" }
  move me.nest to me.out  draw 1 in me.nest at random as other  if other is none { say \"nothing\" }
}";

#[test]
fn pieces_are_drawn_at_random() {
    let mut table = game(LOTTERY).play_with_results(&[3, 1, 1]);
    assert_eq!(table.new_said_texts(), ["6 left", "nothing"]);
    table.check();
    let drawn: Vec<&str> = table.events.iter().filter(|event| event.name == "drawn").map(|event| event.text.as_str()).collect();
    assert_eq!(drawn, ["d8 and d4 are drawn at random (luck)", "d6 is drawn at random"]);
    assert!(table.events.iter().all(|event| event.name != "drawn" || event.seen_by(crate::runtime::Viewer::Seat(1)).is_none()));
    assert_eq!(
        game("sides 2\nto play { draw 1 in sides at random as one  say \"{one}\" }").problems(),
        ["only pieces are drawn, but this is a side"]
    );
}
