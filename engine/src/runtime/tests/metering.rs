//! What play costs: every way to go on for ever, or to hold ever more, ends in a fault with its place.

use crate::runtime::tests::attacks::{ATTACKS, Attack};
use crate::runtime::{Choice, Dice, Pending, Session, Setup};
use crate::testing::{game, setup};
use ludex_program::Program;
use ludex_syntax::problem::Problem;
use std::sync::Arc;

/// So much work is an answer given here: a hundredth of what it has in play, as tests are not optimised.
const WORK: u64 = 400_000;

fn program(attack: &Attack) -> Arc<Program> {
    let texts = game(&attack.rules());
    let sheet = |abilities: &str| format!("name: Frog\nabilities: [{abilities}]\n");
    match attack.ability().as_str() {
        "" => texts.sheet("otter", &sheet("")),
        ability => texts.sheet("otter", &sheet("act")).script("act", ability),
    }
    .sheet("heron", "name: Heron\n")
    .program()
}

fn begin(program: &Arc<Program>, watched: bool) -> Session {
    let sides = setup(&[&["otter"], &["heron"]]);
    let mut session = Session::start(program.clone(), &Setup { watched, ..sides }).unwrap_or_else(|fault| panic!("{fault:?}"));
    session.machine.meter.limit_work(WORK);
    session
}

/// What answering the first question comes to.
fn answered(session: &mut Session) -> Result<(), Box<Problem>> {
    let decision = session.machine.decisions[0].id;
    session.choose(decision, Choice::Option(0))
}

#[test]
fn whatever_goes_on_for_ever_ends_in_a_fault_with_its_place() {
    for attack in ATTACKS {
        let program = program(attack);
        let fault = |watched: bool| {
            let mut session = begin(&program, watched);
            let before = session.usage();
            let fault = answered(&mut session).expect_err(attack.name);
            assert!(!fault.labels.is_empty(), "{}: {fault:?}", attack.name);
            assert_eq!(session.usage() == before, watched, "{}: a watched session is as it was", attack.name);
            let state = &session.machine.state;
            assert!(state.lists.len() < 1_000_000 && state.slots.len() < 1_000_000, "{}", attack.name);
            (fault, session.machine.meter.work_so_far())
        };
        let ((told, _), (untold, work)) = (fault(true), fault(false));
        assert_eq!((told.code, &told.message), (untold.code, &untold.message), "{}", attack.name);
        // What is looked at without asking, one member after the other, is soon asked for.
        assert!(work < begin(&program, false).machine.meter.work_so_far() + WORK + 120_000_000, "{}: {work}", attack.name);
    }
}

#[test]
fn texts_of_a_match_are_cut_where_they_are_too_many() {
    let (mut meter, text) = (crate::runtime::eval::meter::Meter::default(), "x".repeat(1_000));
    let mut told = 0;
    while meter.shorten_output(&text) == text {
        meter.begin_answer();
        told += text.len();
    }
    assert_eq!(told / 1_000, (32 << 20) / 1_000);
    assert_eq!(meter.for_next_match(crate::runtime::Usage::default()).shorten_output(&text), text);
}

#[test]
fn what_is_said_is_cut_and_never_a_fault() {
    let say = |times: usize, words: &str| {
        let rules = format!("sides 2\nto play {{ repeat {times} times {{ say \"{words}\" }}  finish with nobody \"{words}\" }}");
        let mut table = game(&rules).play();
        (table.new_said_texts(), table.session)
    };
    let (said, _) = say(3, "short");
    assert_eq!(said, ["short", "short", "short"]);
    let ending = |session: &Session| match session.pending() {
        Pending::Finished(outcome) => outcome.text.clone(),
        other => panic!("{other:?}"),
    };
    // Whatever was said before, the end is told.
    let (said, session) = say(3_000, "short");
    assert_eq!((said.len(), ending(&session).as_deref()), (2_000, Some("short")));
    let long = "é".repeat(5_000);
    let cut = format!("{}…", "é".repeat(1_000));
    let (said, session) = say(1, &long);
    assert_eq!((said, ending(&session)), (vec![cut.clone()], Some(cut)));
    // Where nobody watches there are no words, and the same end.
    let quiet = Setup { watched: false, ..setup(&[&[], &[]]) };
    let unwatched = Session::start(session.program().clone(), &quiet).unwrap();
    assert_eq!((ending(&unwatched), &unwatched.machine.state.finished), (None, &session.machine.state.finished));
}

#[test]
fn the_match_pays_for_all_answers_and_gets_back_what_is_taken_back() {
    let rules = "sides 2\neach side has { counter points }
to play { let me = first of sides
  repeat 1000 times { me may \"Again?\" as again  repeat 100 times { set me.points to 1 } }
  finish with nobody }";
    let mut table = game(rules).play();
    let used = |session: &Session| session.usage();
    let one = table.clone();
    table.answer(0, "yes");
    let first = used(&table.session).work_of_match - used(&one.session).work_of_match;
    table.answer(0, "no");
    let second = used(&table.session).work_of_match - used(&one.session).work_of_match;
    assert_eq!(second, 2 * first, "each answer costs the same, whatever it is");
    // Taken back, it has cost nothing; and looking ahead costs nothing either.
    let mut again = one.clone();
    let mut ahead = again.session.imagine(0, 7);
    for _ in 0..5 {
        let decision = ahead.machine.decisions[0].id;
        ahead.choose(decision, Choice::Option(0)).unwrap();
    }
    assert_eq!(used(&again.session), used(&one.session));
    again.answer(0, "no");
    assert_eq!(used(&again.session).work_of_match - used(&one.session).work_of_match, first);
    // The match has so much, in however many answers.
    let most = used(&again.session).work_of_match + 3 * first + first / 2;
    again.session.machine.meter.limit_match(most);
    again.answer(0, "no").answer(0, "no").answer(0, "no");
    let fault = again.try_answer(0, "no").expect_err("nothing is left");
    assert_eq!(fault.message.to_string(), "this match has used up its budget of work");
    assert!(!fault.labels.is_empty());
    // What is asked can still be looked at.
    assert_eq!(again.options(0), ["yes", "no"]);
}

#[test]
fn a_match_ends_in_a_fault_however_little_each_answer_does() {
    let rules =
        "sides 2\nto play { let me = first of sides  repeat 1000 times { me may \"Again?\" as again }  finish with nobody }";
    for watched in [true, false] {
        let setup = Setup { watched, ..setup(&[&[], &[]]) };
        let mut session = Session::start(game(rules).program(), &setup).unwrap();
        session.machine.meter.limit_changes_of_match(50);
        let mut answers = 0;
        let fault = loop {
            match answered(&mut session) {
                Ok(()) => answers += 1,
                Err(fault) => break fault,
            }
        };
        assert_eq!(answers, 50);
        assert_eq!(fault.message.to_string(), "this match has more than 50 answers and changes");
        assert!(!fault.labels.is_empty());
    }
}

#[test]
fn what_rules_say_without_end_is_told_up_to_the_ceiling_of_texts() {
    let mut meter = crate::runtime::eval::meter::Meter::default();
    let mut said = 0;
    while meter.may_say() {
        meter.begin_answer();
        said += 1;
    }
    assert_eq!(said, (32 << 20) / 256 + 1);
}

#[test]
fn a_state_is_the_same_whatever_it_has_cost() {
    let rules = "sides 2\nto play { let me = first of sides  me may \"?\" as a  me may \"?\" as b }";
    let table = game(rules).play();
    let mut dear = table.clone();
    assert!(dear.session.machine.spend_work(1_000));
    assert!(dear.session.same_state(&table.session));
    assert_ne!(dear.session.usage(), table.session.usage());
}

#[test]
fn a_script_pays_once_for_what_it_does_however_often_it_asks() {
    let script = "fn act(me) { for i in 0..300 { may(me, \"On?\"); for j in 0..80 { me.points; } } }";
    let attack = Attack { name: "asks", declared: "", ready: "", then: "open moment(me)", script };
    let program = program(&attack);
    let mut session = begin(&program, true);
    let mut costs = Vec::new();
    for _ in 0..300 {
        let before = session.usage().work_of_match;
        answered(&mut session).expect("it may ask as often as it wants");
        costs.push(session.usage().work_of_match - before);
    }
    assert!(costs[1..].iter().all(|cost| *cost == costs[1]), "{costs:?}");
}

#[test]
fn dice_listed_and_drawn_cost_the_same() {
    let rules = "sides 2\ndie sizes 6\neach side has { zone bag: dice, open  counter points }
to play { let me = first of sides  say \"here\"  repeat 9 times { create die(size: 6) in me.bag for me }
  roll me.bag  add count of me.bag to me.points  me may \"?\" as a  finish with nobody }";
    let texts = game(rules);
    let listed = Setup { dice: Dice::Listed(vec![3; 9]), ..setup(&[&[], &[]]) };
    let listed = Session::start(texts.program(), &listed).unwrap();
    let quiet = Session::start(texts.program(), &Setup { watched: false, ..setup(&[&[], &[]]) }).unwrap();
    let drawn = texts.play().session;
    assert_eq!(listed.usage(), drawn.usage());
    assert_eq!(quiet.usage(), drawn.usage());
}

// --- nothing that rules say leads out of what there is ----------------------------------------

#[test]
fn lists_that_cost_too_much_where_they_end_are_a_fault_and_no_panic() {
    let rules = |then: &str| {
        format!(
            "sides 2\nsheet card {{ nums: list of number }}\npiece card (cards) from card
each side has {{ zone hand: cards, open  counter points }}
to play {{ let me = first of sides  {then}  finish with nobody }}"
        )
    };
    for then in [
        "let l = sorted (1..20000)",
        "let l = sorted ((1..20000) + [1])",
        "let n = sum of ((1..20000) where it > 5)",
        "let l = (1..20000) without [1]",
        "let n = sum of (1..20000)",
        "each n in 1..20000 { add n to me.points }",
    ] {
        let texts = game(&rules(then));
        match texts.compile() {
            Ok(program) => {
                for watched in [true, false] {
                    let setup = Setup { watched, ..setup(&[&[], &[]]) };
                    let fault = Session::start(program.clone(), &setup).map(|_| ()).expect_err(then);
                    assert!(!fault.labels.is_empty(), "{then}");
                }
            }
            Err(problems) => assert!(then.contains("each n in"), "{then}: {problems:#?}"),
        }
    }
}

#[test]
fn pieces_lie_only_where_such_pieces_may() {
    let rules = |then: &str| {
        format!(
            "sides 2\ndie sizes 6\npiece coin (coins) {{ a: number  b: number  c: number  worth: number }}
each side has {{ zone nest: dice, open  zone bag: coins, open }}
to play {{ let me = first of sides  create die(size: 6) in me.nest for me  create coin(worth: 2) in me.bag for me
{then} each c in me.bag {{ set c.worth to 3 }}  finish with nobody }}"
        )
    };
    assert_eq!(game(&rules("")).play().new_said_texts(), Vec::<String>::new());
    for (then, message) in [
        ("move me.nest to me.bag", "dice cannot be here: this is a zone of coins"),
        ("move me.bag to me.nest", "coins cannot be here: this is a zone of dice"),
        ("create die(size: 6) in me.bag for me", "dice cannot be here: this is a zone of coins"),
        ("move sides to me.bag", "only pieces are moved, but this is a side"),
    ] {
        assert_eq!(game(&rules(then)).problems(), [message], "{then}");
    }
}

#[test]
fn first_values_lie_in_their_range() {
    let told = |counter: &str| game(&format!("sides 2\neach side has {{ {counter} }}\nto play {{ }}")).error_details();
    assert_eq!(told("counter part = 65536 in 1..2")[0].1, "`part` is 65536 at first, but it must be from 1 to 2");
    assert_eq!(told("counter part = 2 in 1..2"), []);
}
