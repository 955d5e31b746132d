//! Questions put to several at once, whose answers stay hidden until all are in.

use crate::runtime::{OutcomeResult, Pending, Session, Viewer};
use crate::testing::{Table, game, setup};
use ludex_syntax::codes;

const SIGNS: &str = r#"
sides 2
type sign is one of rock, paper, scissors
each side has { counter points }
define beats(one: sign, other: sign) =
  one is rock and other is scissors or one is paper and other is rock or one is scissors and other is paper

to play {
  repeat at most 20 times {
    each side in sides at once in secret must choose a sign as shown "Your sign"
    each side in sides {
      say "{side} shows {shown(side)}"
      if beats(shown(side), shown(side.foe)) { add 1 to side.points }
    }
    each side in sides { if side.points = 2 { finish with side } }
  } otherwise { finish with nobody "nobody ever won" }
}
"#;

/// What everybody but one seat can see of a table.
fn seen(table: &Table, seat: usize) -> String {
    let open: Vec<_> = table.open_decisions().into_iter().filter(|decision| decision.seat != seat).collect();
    let options: Vec<_> = open
        .iter()
        .map(|decision| (table.session.prompt(decision.id), table.session.options(decision.id, 0, decision.count)))
        .collect();
    let views: Vec<_> = [Viewer::Seat(1 - seat), Viewer::Spectator].map(|viewer| table.session.view(viewer)).into();
    format!("{open:?} {options:?} {views:?} {:?}", table.events)
}

#[test]
fn two_decisions_stand_in_one_group() {
    let table = game(SIGNS).play();
    let open = table.open_decisions();
    assert_eq!(table.asked_seats(), [0, 1]);
    assert!(open.iter().all(|decision| decision.secret && decision.group == Some(open[0].id)));
    assert_eq!(open[1].id, open[0].id + 1);
    assert_eq!(table.options(1), ["choose(rock)", "choose(paper)", "choose(scissors)"]);
    assert_eq!(table.prompt(1), "Your sign");
}

#[test]
fn either_may_answer_first_and_all_is_revealed_together() {
    let mut one = game(SIGNS).play();
    one.answer(0, "choose(rock)");
    assert_eq!(one.asked_seats(), [1]);
    assert!(one.new_event_texts().is_empty(), "nothing is told until both are in");
    one.answer(1, "choose(scissors)");
    let news = one.new_event_texts();
    assert_eq!(
        news,
        [
            "chose(choose(rock) by 0)",
            "chose(choose(scissors) by 1)",
            "said(side 0 shows rock)",
            "set(points, 1 by 0)",
            "said(side 1 shows scissors)"
        ]
    );
    let mut other = game(SIGNS).play();
    other.answer(1, "choose(scissors)").answer(0, "choose(rock)");
    assert_eq!(other.events, one.events);
    assert!(other.session.same_state(&one.session));
}

#[test]
fn nobody_can_tell_a_pick_before_all_are_in() {
    for seat in [0, 1] {
        let table = game(SIGNS).play();
        let after = |key: &str| {
            let mut table = table.clone();
            table.answer(seat, key);
            table
        };
        let picks = ["choose(rock)", "choose(paper)", "choose(scissors)"].map(after);
        assert_eq!(seen(&picks[0], seat), seen(&picks[1], seat));
        assert_eq!(seen(&picks[0], seat), seen(&picks[2], seat));
    }
}

#[test]
fn an_imagined_session_does_not_know_a_pick() {
    let table = game(SIGNS).play();
    let outcomes = |key: &str| {
        let mut table = table.clone();
        table.answer(0, key);
        let id = table.decision(1).id;
        let imagine = |seed| {
            let mut imagined = table.session.imagine(1, seed);
            imagined.choose(id, crate::runtime::Choice::Option(0)).expect("legal");
            imagined.view(Viewer::Trusted).sides.into_iter().map(|side| side.counters["points"].clone()).collect::<String>()
        };
        (0..40).map(imagine).collect::<Vec<String>>()
    };
    let rock = outcomes("choose(rock)");
    assert_eq!(rock, outcomes("choose(paper)"));
    for points in ["00", "10", "01"] {
        assert!(rock.iter().any(|found| found == points), "rock meets every sign: {rock:?}");
    }
    // What a seat has picked itself it knows.
    let mut own = table.clone();
    own.answer(1, "choose(paper)");
    for seed in 0..10 {
        let mut imagined = own.session.imagine(1, seed);
        let Pending::Decisions([decision]) = imagined.pending() else { panic!("the other is still asked") };
        let id = decision.id;
        imagined.choose(id, crate::runtime::Choice::Option(0)).expect("legal");
        assert_eq!(imagined.view(Viewer::Trusted).sides[1].counters["points"], "1");
    }
}

#[test]
fn a_match_of_signs_is_played_to_its_end() {
    let mut table = game(SIGNS).play();
    for _ in 0..2 {
        table.answer(1, "choose(rock)").answer(0, "choose(rock)");
    }
    table.answer(0, "choose(paper)").answer(1, "choose(rock)").answer(1, "choose(scissors)").answer(0, "choose(rock)");
    let Pending::Finished(outcome) = table.session.pending() else { panic!("it is over") };
    assert_eq!((outcome.result, outcome.winners.as_slice()), (OutcomeResult::Win, &[0][..]));
    table.check();
}

#[test]
fn a_copy_between_two_secret_answers_goes_on_as_the_original() {
    let mut table = game(SIGNS).play();
    table.answer(1, "choose(paper)");
    let mut copy = table.clone();
    assert_eq!(copy.options(0), ["choose(rock)", "choose(paper)", "choose(scissors)"]);
    copy.answer(0, "choose(scissors)");
    table.answer(0, "choose(scissors)");
    assert!(copy.session.same_state(&table.session));
    assert_eq!(copy.events, table.events);
}

// --- what lies hidden ------------------------------------------------------------------

/// Each side draws from a deck that nobody sees into a hand of its own, and shows one of it.
const HANDS: &str = "
sides 2
die sizes 4, 6
each side has {
  zone deck: dice, seen by nobody
  zone hand: dice, seen by owner
  zone shown: dice, open
}
to play {
  each side in sides { create die(size: 4) in side.deck for side  create die(size: 6) in side.deck for side }
  each side in sides { move side.deck to side.hand }
  let me = first of sides
  roll me.hand
  me must choose 1 in me.hand as kept
  each die in me.hand where it is not kept { move die to me.shown }
  me may \"Over?\" as over
  finish with nobody
}";

#[test]
fn events_are_for_those_who_see_where_they_happen() {
    let mut table = game(HANDS).play_with_results(&[3, 5]);
    table.answer(0, "choose(0)");
    let seen = |viewer: Viewer| {
        let told = table.events.iter().filter_map(|event| event.seen_by(viewer));
        told.map(|event| event.name.clone()).filter(|kind| kind != "began" && kind != "ended").collect::<Vec<_>>()
    };
    assert_eq!(seen(Viewer::Trusted).len(), 4 + 4 + 2 + 1 + 1);
    assert_eq!(seen(Viewer::Seat(0)), ["moved", "moved", "rolled", "rolled", "chose", "moved"]);
    assert_eq!(seen(Viewer::Seat(1)), ["moved", "moved", "moved"], "its own draws, and what is shown");
    assert_eq!(seen(Viewer::Spectator), ["moved"]);
}

// --- moves, pieces, numbers ------------------------------------------------------------

const BAYS: &str = r#"
sides 2
die sizes 4, 6
each side has { zone squadron: dice, open  zone bay: dice, open }
family launch(side: side) { dice: dice }
action pair(dice: 2 in side.squadron) is launch
action single(die in side.squadron) is launch gives dice = die
to play {
  each side in sides {
    create die(size: 4) in side.squadron for side
    create die(size: 6) in side.squadron for side
    create die(size: 6) in side.squadron for side
  }
  FIRST
  finish with nobody
}
"#;

fn bays(what: &str) -> Table {
    game(&BAYS.replace("FIRST", what)).play()
}

#[test]
fn families_may_be_chosen_from_at_once() {
    let mut table = bays(
        "each side in sides at once in secret must choose launch as launched
         each side in sides { say \"{side}: {launched(side).dice}\" }",
    );
    assert_eq!(table.options(1), ["pair(3+4)", "pair(3+5)", "pair(4+5)", "single(3)", "single(4)", "single(5)"]);
    table.new_event_texts();
    table.answer(1, "single(4)");
    let other = {
        let mut table = bays(
            "each side in sides at once in secret must choose launch as launched
             each side in sides { say \"{side}: {launched(side).dice}\" }",
        );
        table.new_event_texts();
        table.answer(1, "pair(3+5)");
        seen(&table, 1)
    };
    assert_eq!(seen(&table, 1).replace("choose", ""), other.replace("choose", ""));
    table.answer(0, "pair(0+2)");
    assert_eq!(table.new_said_texts(), ["side 0: d4 and d6", "side 1: d6"]);
}

#[test]
fn things_may_be_chosen_at_once() {
    let mut table = bays(
        "each side in sides at once in secret must choose 2 in side.squadron as launched \"Launch two\"
         each side in sides { move launched(side) to side.bay }",
    );
    table.new_event_texts();
    table.answer(1, "choose(3+5)");
    assert!(table.new_event_texts().is_empty());
    table.answer(0, "choose(0+1)");
    let news = table.new_event_texts();
    let moved = ["moved(0, bay by 0)", "moved(1, bay by 0)", "moved(3, bay by 1)", "moved(5, bay by 1)"];
    assert_eq!(news[..6], [&["chose(choose(0+1) by 0)", "chose(choose(3+5) by 1)"][..], &moved].concat());
    let mut one = bays(
        "each side in sides at once in secret must choose 1 in side.squadron as picked
         each side in sides { move picked(side) to side.bay }",
    );
    one.new_event_texts();
    one.answer(0, "choose(1)").answer(1, "choose(4)");
    assert_eq!(one.new_event_texts()[2..4], ["moved(1, bay by 0)", "moved(4, bay by 1)"]);
}

#[test]
fn numbers_and_passing_at_once() {
    let mut table = bays(
        "each side in sides at once in secret must choose number in 1..6 as bid
         each side in sides { say \"{bid(side)}\" }
         each side in sides at once may choose 1 in side.squadron as shown
         each side in sides { if shown(side) is none { say \"{side} shows nothing\" } }",
    );
    table.answer(1, "number(6)").answer(0, "number(2)");
    assert_eq!(table.new_said_texts(), ["2", "6"]);
    assert!(table.open_decisions().iter().all(|decision| !decision.secret));
    table.answer(0, "pass").answer(1, "choose(3)");
    assert_eq!(table.new_said_texts(), ["side 0 shows nothing"]);
}

#[test]
fn a_second_text_words_passing_for_each_that_is_asked() {
    let mut table = bays(
        "each side in sides at once in secret may choose 1 in side.squadron as picked \"Launch one?\" \"{side} launches nothing\"
         each side in sides where picked(it) is none { say \"{side} has launched nothing\" }",
    );
    let words = |table: &Table, seat: usize| {
        let decision = table.decision(seat);
        let passing = table.session.find_choice(decision.id, "pass").ok().and_then(|choice| match choice {
            crate::runtime::Choice::Option(index) => table.session.option(decision.id, index),
            _ => None,
        });
        passing.map(|option| option.text)
    };
    assert_eq!(words(&table, 0).as_deref(), Some("side 0 launches nothing"));
    assert_eq!(words(&table, 1).as_deref(), Some("side 1 launches nothing"));
    table.answer(1, "pass").answer(0, "choose(2)");
    assert_eq!(table.new_said_texts(), ["side 1 has launched nothing"]);
    let chosen: Vec<&str> = table.events.iter().filter(|event| event.name == "chose").map(|event| event.text.as_str()).collect();
    assert_eq!(chosen, ["side 0: d6", "side 1: side 1 launches nothing"]);
}

/// What is wrong with a question to several, and what is advised.
fn wrong(question: &str) -> Vec<(&'static str, String, String)> {
    game(&BAYS.replace("FIRST", question)).error_details()
}

#[test]
fn who_chose_nothing_is_told_behind_a_question_to_several() {
    let advised = |question: &str| {
        let told = wrong(question);
        assert_eq!((told.len(), told[0].0, &*told[0].1), (1, codes::AT_ONCE, "a question put to several at once has no `else`"));
        told[0].2.clone()
    };
    assert_eq!(
        advised("each side in sides at once must choose launch as launched else { say \"nothing\" }"),
        "write after the question: `each side in sides where launched(it) is none { … }`"
    );
    assert_eq!(
        advised("each side in sides where it is first of sides at once may choose 2 in side.squadron else { say \"nothing\" }"),
        "name the answers with `as chosen`, and write after the question: `each side in … where chosen(it) is empty { … }`"
    );
    assert_eq!(
        advised("each side in sides at once must choose number in 1..6 as bid else { say \"nothing\" }"),
        "leave it out: every seat has an answer"
    );
}

#[test]
fn what_is_advised_in_the_place_of_else_is_played() {
    let mut table = bays(
        "move (first of sides).squadron to (first of sides).bay
         each side in sides at once must choose launch as launched
         each side in sides where launched(it) is none { say \"{side} has nothing to launch\" }
         each side in sides at once may choose 2 in side.squadron as chosen
         each side in sides where chosen(it) is empty { say \"{side} rests\" }",
    );
    table.answer(1, "single(3)").answer(1, "pass");
    assert_eq!(table.new_said_texts(), ["side 0 has nothing to launch", "side 0 rests", "side 1 rests"]);
}

#[test]
fn abilities_do_not_come_between_questions_to_several() {
    let question = "each side in sides at once must choose launch during ready(side) as launched\n open ready(first of sides)";
    let told = game(&(BAYS.replace("FIRST", question) + "\nhook ready(active: side)")).error_details();
    let help = "leave `during` out: a used ability would tell the others something; \
                write `open ready(…)` before or after the question";
    let message = "abilities cannot be used while several seats are asked at once";
    assert_eq!(told, [(codes::AT_ONCE, message.to_string(), help.to_string())]);
}

#[test]
fn who_has_nothing_to_choose_is_not_asked() {
    let mut table = bays(
        "move (first of sides).squadron to (first of sides).bay
         each side in sides at once in secret may choose 1 in side.squadron as picked
         each side in sides { if picked(side) is none { say \"{side} picks nothing\" } }",
    );
    assert_eq!(table.asked_seats(), [1]);
    table.answer(1, "choose(5)");
    assert_eq!(table.new_said_texts(), ["side 0 picks nothing"]);
}

#[test]
fn only_those_named_are_asked() {
    let mut table = bays(
        "each side in [last of sides] at once must choose 1 in side.squadron as picked
         move picked(last of sides) to (last of sides).bay",
    );
    assert_eq!(table.asked_seats(), [1]);
    table.answer(1, "choose(4)").check();
}

#[test]
fn questions_at_once_may_stand_in_what_a_script_sets_off() {
    let rules = SIGNS
        .replace("sides 2\n", "sides 2 of 1 hero\nsheet hero (heroes) { }\nhook begun()\n")
        .replace("to play {", "to play {\n open begun()")
        + "to duel { each side in sides at once in secret must choose a sign as drawn\n each side in sides { say \"{drawn(side)}\" } }";
    let texts = game(&rules).sheet("otter", "name: Otter\nabilities: [hasty]\n").script(
        "hasty",
        "//! ability hasty \"Hasty\"\n//! trigger hasty at begun()\nfn hasty(me) { if may(me, \"Duel?\") { duel(); duel(); } }\n",
    );
    let start = texts.play_with_sheets(&["otter", "otter"]);
    for (first, second) in [(0, 1), (1, 0)] {
        let mut table = start.clone();
        table.answer(0, "yes");
        let group = table.open_decisions()[0].id;
        let key = ["choose(rock)", "choose(paper)"];
        table.answer(first, key[first]);
        assert_eq!(table.open_decisions()[0].id, group + second as u64, "the questions keep their numbers");
        assert_eq!(table.new_said_texts(), [""; 0]);
        let mut copy = table.clone();
        copy.answer(second, key[second]);
        table.answer(second, key[second]);
        assert_eq!(table.open_decisions()[0].id, group + 2);
        assert_eq!(table.new_said_texts(), ["rock", "paper"]);
        assert!(copy.session.same_state(&table.session));
        table.answer(second, "choose(rock)").answer(first, "choose(rock)").answer(1, "no").check();
    }
}

#[test]
fn moves_chosen_at_once_are_done_one_by_one() {
    let rules = "sides 2
each side has { counter points }
family deed(side: side) {}
action earn(number in (1..3)) is deed do { add number to side.points }
action wait is deed do { say \"{side} waits\" }
to play {
  each side in sides at once in secret must choose deed(side) as plan
  each side in sides where plan(it) is not wait { say \"{side} earns\" }
  each side in sides { do plan(side) }
  each side in sides { say \"{side} has {side.points}\" }
  finish with nobody
}";
    let mut table = game(rules).play();
    table.answer(1, "wait").answer(0, "earn(3)");
    assert_eq!(table.new_said_texts(), ["side 0 earns", "side 1 waits", "side 0 has 3", "side 1 has 0"]);
}

const THREE_SIGNS: &str = r#"
sides 3
type sign is one of rock, paper, scissors
to play {
  repeat at most 20 times {
    each side in sides at once in secret must choose a sign as shown "Your sign"
    each side in sides { say "{side} shows {shown(side)}" }
  } otherwise { finish with nobody "nobody ever won" }
}
"#;

/// What is open in what one seat imagines.
fn imagined(table: &Table, seat: usize, seed: u64) -> (Session, Vec<(u64, usize)>) {
    let session = table.session.imagine(seat, seed);
    let Pending::Decisions(open) = session.pending() else { panic!("somebody is asked") };
    let open = open.iter().map(|decision| (decision.id, decision.seat)).collect();
    (session, open)
}

#[test]
fn an_imagined_session_does_not_know_who_has_picked() {
    let none = Table::new(&game(THREE_SIGNS).program(), &setup(&[&[], &[], &[]]));
    for (own, asked) in [(false, vec![1]), (true, vec![0, 2])] {
        let mut table = none.clone();
        if own {
            table.answer(1, "choose(paper)");
        }
        let mut picked = table.clone();
        picked.answer(0, "choose(rock)");
        for seed in 0..20 {
            let [(one, open), (other, open_there)] = [&table, &picked].map(|table| imagined(table, 1, seed));
            assert_eq!(open.iter().map(|(_, seat)| *seat).collect::<Vec<_>>(), asked);
            assert_eq!(open, open_there);
            assert!(one.same_state(&other));
        }
    }
}
