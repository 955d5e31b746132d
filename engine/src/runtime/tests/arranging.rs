//! Things put in order, and totals divided.

use crate::runtime::arrange::amounts_between;
use crate::runtime::{Choice, Dice, Form, Pending, Setup, Viewer};
use crate::testing::{Table, event_text, game, setup};
use ludex_syntax::codes;
use proptest::{prelude::*, sample};

const BAGS: &str = r#"
sides 2
die sizes 4, 6, 8
each side has { zone bag: dice, open  zone deck: dice, seen by nobody, in order  counter points }
to play {
  let me = first of sides
  create die(size: 4) in me.bag for me  create die(size: 6) in me.bag for me  create die(size: 8) in me.bag for me
  WHAT
  finish with nobody
}
"#;

/// A table where the first side has a d4, a d6 and a d8, and is asked something.
fn asked(what: &str) -> Table {
    let mut table = game(&BAGS.replace("WHAT", what)).play();
    table.new_event_texts();
    table
}

fn texts(table: &Table) -> Vec<String> {
    let id = table.decision(0).id;
    table.session.options(id, 0, 9).into_iter().map(|option| option.text).collect()
}

// --- order -----------------------------------------------------------------------------

#[test]
fn things_are_put_in_order() {
    let mut table = asked("me must order me.bag as dice \"Which comes first?\"  say \"{first of dice} and {last of dice}\"");
    let decision = table.decision(0);
    assert_eq!((decision.form, decision.count, decision.may_pass), (Form::Order, 3, false));
    assert_eq!(table.prompt(0), "Which comes first?");
    assert_eq!(table.options(0), ["order(0)", "order(1)", "order(2)"]);
    assert_eq!(texts(&table), ["d4", "d6", "d8"]);
    table.answer(0, "order(2+0+1)");
    assert_eq!(table.events[table.told].text, "side 0: d8, then d4, then d6");
    assert_eq!(table.new_event_texts()[..2], ["chose(order(2+0+1) by 0)", "said(d8 and d6)"]);
    table.check();
}

#[test]
fn an_order_is_every_thing_once() {
    let mut table = asked("me must order me.bag as dice");
    let id = table.decision(0).id;
    for wrong in [vec![], vec![0, 1], vec![0, 1, 1], vec![0, 1, 3], vec![0, 1, 2, 2]] {
        assert!(table.session.choose(id, Choice::Options(wrong)).is_err());
    }
    assert!(table.session.choose(id, Choice::Option(0)).is_err());
    let refused = |key: &str| table.session.find_choice(id, key).expect_err("no order").reason;
    assert_eq!(refused("order(0+1)"), "that is only 2 of 3, and each must be named");
    assert_eq!(refused("order(0+0+1)"), "`0` is named twice");
    assert_eq!(refused("order(0+1+7)"), "`7` is not among the things to put in order");
    assert_eq!(refused("pass"), "`pass` is not among the things to put in order");
    assert_eq!(table.session.find_choice(id, " 1 + 0 + 2 "), Ok(Choice::Options(vec![1, 0, 2])));
}

#[test]
fn numbers_words_and_sides_are_put_in_order() {
    let mut table = asked(
        "me must order [5, 3, 5] as numbers  say \"{numbers}\"
         me must order sides as order  say \"{first of order}\"",
    );
    assert_eq!(table.options(0), ["order(5)", "order(3)", "order(5#2)"], "equal ones are told apart");
    table.answer(0, "order(3+5#2+5)").answer(0, "order(1+0)");
    assert_eq!(table.new_said_texts(), ["3, 5 and 5", "side 1"]);
}

#[test]
fn less_than_two_things_are_in_order_already() {
    let happened = |what: &str| {
        let events = asked(what).events;
        events.iter().map(event_text).filter(|event| !event.starts_with("created")).collect::<Vec<String>>()
    };
    let over = "finished(nobody)".to_string();
    let one = "me must order me.bag where it.size = 4 as dice  say \"{dice}\"";
    assert_eq!(happened(one), ["chose(order(0) by 0)".to_string(), "said(d4)".to_string(), over.clone()]);
    let none = "me must order me.bag where it.size = 5 as dice ELSE  say \"{dice}\"";
    assert_eq!(happened(&none.replace("ELSE", "")), ["said(nothing)".to_string(), over.clone()]);
    assert_eq!(happened(&none.replace("ELSE", "else { say \"none\"  stop }")), ["said(none)", over.as_str()]);
}

#[test]
fn passing_an_order_gives_no_things() {
    let mut table = asked("me may order me.bag as dice \"Order them?\" \"leave them\"  say \"{dice}\"");
    assert!(table.decision(0).may_pass);
    let mut other = table.clone();
    table.answer(0, "pass");
    assert_eq!(table.events[table.told].text, "side 0: leave them");
    assert_eq!(table.new_event_texts()[..2], ["chose(pass by 0)", "said(nothing)"]);
    other.answer(0, "order(1+2+0)");
    assert_eq!(other.new_said_texts(), ["d6, d8 and d4"]);
}

#[test]
fn the_top_of_a_deck_is_put_back_in_another_order() {
    let mut table = asked(
        "move me.bag to me.deck
         me must order top 2 of me.deck as seen \"The last lies on top\"
         move seen to me.deck
         move top 1 of me.deck to me.bag
         say \"{me.bag}\"",
    );
    assert_eq!(texts(&table), ["d8", "d6"], "from the top, and the one who is asked is shown them");
    table.answer(0, "order(2+1)");
    let chose = table.events.iter().find(|event| event.name == "chose").expect("an answer");
    assert_eq!((chose.seen_by(Viewer::Seat(0)).is_some(), chose.seen_by(Viewer::Seat(1)).is_some()), (true, false));
    assert_eq!(table.new_said_texts(), ["d6"]);
    table.check();
}

// --- a total ---------------------------------------------------------------------------

#[test]
fn a_total_is_divided() {
    let mut table = asked(
        "me must divide 60 in steps of 10 among me.bag as shares \"Share it\"
         say \"{shares}\"  each die in me.bag { say \"{die} gets {shares(die)}\" }
         say \"{me.bag where shares(it) > 0}\"",
    );
    let decision = table.decision(0);
    assert_eq!((decision.form, decision.count), (Form::Split { total: 60, step: 10 }, 3));
    assert_eq!(table.options(0), ["divide(0)", "divide(1)", "divide(2)"]);
    table.answer(0, "divide(2=40 + 0=20)");
    assert_eq!(table.events[table.told].text, "side 0: 20 for d4 and 40 for d8");
    assert_eq!(table.new_event_texts()[0], "chose(divide(0=20+2=40) by 0)");
    table.told = 0;
    assert_eq!(table.new_said_texts(), ["20, 0 and 40", "d4 gets 20", "d6 gets 0", "d8 gets 40", "d4 and d8"]);
    table.check();
}

#[test]
fn amounts_are_refused_with_a_reason() {
    let mut table = asked("me must divide 60 in steps of 10 among me.bag as shares");
    let id = table.decision(0).id;
    assert_eq!(table.prompt(0), "Divide 60 in steps of 10");
    let problem = table.session.choose(id, Choice::Amounts(vec![30, 0, 40])).expect_err("too much");
    assert_eq!(problem.message.to_string(), "the amounts add up to 70, but must add up to 60");
    for wrong in [Choice::Option(0), Choice::Options(vec![]), Choice::Options(vec![0, 1, 2]), Choice::Amounts(vec![60])] {
        assert!(table.session.choose(id, wrong).is_err());
    }
    let refused = |key: &str| table.session.find_choice(id, key).expect_err("no division").reason;
    assert_eq!(refused("divide(0=35+1=25)"), "35 is not a multiple of 10");
    assert_eq!(refused("divide(0=70+1=-10)"), "-10 is less than 0");
    assert_eq!(refused("divide(0=30+0=30)"), "`0` is named twice");
    assert_eq!(refused("divide(7=60)"), "`7` is not among those who get a share");
    assert_eq!(refused("divide(0)"), "`0` does not say who gets how much");
    assert_eq!(
        table.session.find_choice(id, "divide(0)").expect_err("no amount").help.as_deref(),
        Some("write it as `divide(0=60)`")
    );
    assert_eq!(table.session.find_choice(id, "0=60"), Ok(Choice::Amounts(vec![60, 0, 0])));
    assert_eq!(table.session.find_choice(id, "divide(0=0+1=60)"), Ok(Choice::Amounts(vec![0, 60, 0])));
}

#[test]
fn what_can_be_divided_in_one_way_is_not_asked() {
    let happened = |what: &str| {
        let mut table = asked(what);
        table.told = 0;
        let news = table.new_event_texts().into_iter().filter(|event| !event.starts_with("created"));
        news.collect::<Vec<String>>()
    };
    let one = "me must divide 20 in steps of 10 among me.bag where it.size = 4 as shares  say \"{shares}\"";
    assert_eq!(happened(one), ["chose(divide(0=20) by 0)", "said(20)", "finished(nobody)"]);
    let zero = "me must divide 0 in steps of 10 among me.bag as shares  say \"{shares}\"";
    assert_eq!(happened(zero), ["chose(divide() by 0)", "said(0, 0 and 0)", "finished(nobody)"]);
    let nobody = "me must divide 0 in steps of 1 among me.deck as shares  say \"{shares}\"";
    // Whether there are dice in the deck to get something, not all can see.
    assert_eq!(happened(nobody), ["chose(pass by 0)", "said(nothing)", "finished(nobody)"]);
    let other = "me must divide 5 in steps of 1 among me.deck as shares else { say \"lost\" }";
    assert_eq!(happened(other), ["chose(pass by 0)", "said(lost)", "finished(nobody)"]);
    let may = "me may divide 5 in steps of 1 among me.deck as shares  say \"{shares}\"";
    assert_eq!(happened(may), ["chose(pass by 0)", "said(nothing)", "finished(nobody)"]);
    let may = "me may divide 0 in steps of 1 among me.bag as shares  say \"{shares}\"";
    assert_eq!(happened(may), ["said(0, 0 and 0)", "finished(nobody)"]);
}

#[test]
fn who_passes_gives_nobody_anything() {
    let mut table = asked(
        "me may divide 20 in steps of 10 among me.bag as shares \"Share?\" \"keep it\"
         say \"{shares(last of me.bag)}\"",
    );
    table.answer(0, "pass");
    assert_eq!(table.events[table.told].text, "side 0: keep it");
    assert_eq!(table.new_said_texts(), ["0"]);
}

#[test]
fn a_total_that_does_not_fit_its_steps_is_a_fault() {
    let fault = |what: &str| {
        let texts = game(&BAGS.replace("WHAT", what));
        let problem = texts.fault();
        let place = texts.program().sources.span_text(problem.labels[0].0).to_string();
        assert!(place.starts_with("me must divide") || place.starts_with("\"{shares"), "{place}");
        (problem.code, problem.message.to_string(), problem.help.unwrap_or_default())
    };
    let uneven = fault("add 65 to me.points  me must divide me.points in steps of 10 among me.bag as shares");
    let help = "divide a multiple of the step, or use steps of 1".to_string();
    assert_eq!(uneven, (codes::UNEVEN_DIVISION, "65 cannot be divided in steps of 10".to_string(), help));
    let step = fault("me must divide 60 in steps of me.points among me.bag as shares");
    assert_eq!((step.0, step.1.as_str()), (codes::UNEVEN_DIVISION, "60 cannot be divided in steps of 0"));
    let below = fault("me must divide 0 - (count of me.bag) in steps of 1 among me.bag as shares");
    assert_eq!((below.0, below.1.as_str()), (codes::UNEVEN_DIVISION, "the total to divide, -3, is less than 0"));
    let nobody = fault("me must divide 60 in steps of 10 among me.deck as shares");
    let help = "say after the question what happens then, with `else { … }`".to_string();
    assert_eq!(nobody, (codes::EMPTY_CHOICE, "there are no receivers for the 60".to_string(), help));
    let stranger =
        fault("me must divide 0 in steps of 1 among me.bag where it.size = 4 as shares  say \"{shares(last of me.bag)}\"");
    assert_eq!(stranger.1, "the rules need an answer about something that was not part of the question");
}

#[test]
fn what_is_written_wrong_is_told_before_play() {
    let told = |what: &str| game(&BAGS.replace("WHAT", what)).error_details();
    let told = |what: &str| told(what).into_iter().map(|(code, message, _)| (code, message)).collect::<Vec<_>>();
    let uneven = vec![(codes::UNEVEN_DIVISION, "65 cannot be divided in steps of 10".to_string())];
    assert_eq!(told("me must divide 65 in steps of 10 among me.bag as shares  say \"{shares}\""), uneven);
    let count = told("me must divide 60 in steps of 10 among me.bag as shares  say \"{shares(me, me)}\"");
    assert_eq!(count[0].0, codes::ARGUMENT_COUNT);
    let stranger = told("me must divide 60 in steps of 10 among me.bag as shares  say \"{shares(me)}\"");
    assert_eq!(stranger[0].0, codes::WRONG_TYPE);
    let order = told("me must order me.points as order");
    assert_eq!(order[0].0, codes::NOT_MANY);
    let call = told("me must order me.bag as dice  say \"{dice(me)}\"");
    assert_eq!(call[0], (codes::ARGUMENT_COUNT, "`dice` takes nothing in brackets".to_string()));
}

#[test]
fn a_name_is_filled_again_with_those_that_it_is_for() {
    let mut table = asked(
        "me must divide 2 in steps of 1 among me.bag as shares
         repeat 2 times { me must divide 3 in steps of 1 among me.bag where it.size > 4 as shares }
         say \"{shares(last of me.bag)} of {shares}\"
         me must choose 1 to 2 in [7, 8] as shares
         say \"{shares}\"",
    );
    table.answer(0, "divide(0=2)").answer(0, "divide(1=3)").answer(0, "divide(1=1+2=2)").answer(0, "choose(8)");
    assert_eq!(table.new_said_texts(), ["2 of 1 and 2", "8"]);
    let name = "me must divide 2 in steps of 1 among me.bag as shares
        me must choose 1 to 2 in [7, 8] as shares
        say \"{shares(first of me.bag)}\"";
    assert_eq!(game(&BAGS.replace("WHAT", name)).problems(), ["`shares` takes nothing in brackets"]);
}

// --- at once, in secret, imagined ----------------------------------------------------------

const FIELDS: &str = r#"
sides 2
die sizes 4, 6, 8
each side has { counter points }
to play {
  let places = [1, 2, 3]
  each side in sides at once in secret must divide 6 in steps of 2 among places as troops "Your troops"
  each side in sides { say "{troops(side)}" }
  each place in places {
    each side in sides { if troops(side, place) > troops(side.foe, place) { add 1 to side.points } }
  }
  each side in sides at once must order places as ranks
  each side in sides { say "{ranks(side)}" }
  finish with those of sides with highest it.points
}
"#;

#[test]
fn several_divide_in_secret_and_put_in_order() {
    let mut table = game(FIELDS).play();
    assert_eq!(table.asked_seats(), [0, 1]);
    assert_eq!(table.prompt(1), "Your troops");
    table.answer(0, "divide(1=6)");
    assert!(table.new_event_texts().iter().all(|event| !event.starts_with("chose")));
    table.answer(1, "divide(2=2+3=4)");
    let news = table.new_event_texts();
    let first = news.iter().position(|event| event.starts_with("chose")).expect("answers");
    assert_eq!(news[first..first + 2], ["chose(divide(1=6) by 0)", "chose(divide(2=2+3=4) by 1)"]);
    assert_eq!(news[first + 2..first + 4], ["said(6, 0 and 0)", "said(0, 2 and 4)"]);
    assert_eq!(news[first + 4..], ["set(points, 1 by 0)", "set(points, 1 by 1)", "set(points, 2 by 1)"]);
    table.answer(1, "order(3+1+2)").answer(0, "order(1+2+3)");
    assert_eq!(table.new_said_texts(), ["1, 2 and 3", "3, 1 and 2"]);
    let Pending::Finished(outcome) = table.session.pending() else { panic!("it is over") };
    assert_eq!(outcome.winners, [1]);
    table.check();
}

#[test]
fn several_may_pass() {
    let rules = FIELDS.replace("must divide", "may divide").replace("must order places", "may order places");
    let mut table = game(&rules).play();
    table.answer(0, "pass").answer(1, "divide(2=2+3=4)");
    assert_eq!(table.new_said_texts(), ["0, 0 and 0", "0, 2 and 4"]);
    table.answer(0, "pass").answer(1, "pass");
    assert_eq!(table.new_said_texts(), ["nothing", "nothing"]);
    table.check();
}

#[test]
fn what_is_imagined_may_be_any_division_and_any_order() {
    let mut seen = [std::collections::BTreeSet::new(), std::collections::BTreeSet::new()];
    let mut table = game(FIELDS).play();
    for (step, key) in ["divide(1=6)", "order(1+2+3)"].into_iter().enumerate() {
        table.answer(0, key);
        let id = table.decision(1).id;
        for seed in 0..200 {
            let mut imagined = table.session.imagine(1, seed);
            imagined
                .choose(id, if step == 0 { Choice::Amounts(vec![2, 2, 2]) } else { Choice::Options(vec![2, 1, 0]) })
                .expect("legal");
            seen[step].insert(format!("{:?}", imagined.state_json()["lists"]));
        }
        table.answer(1, if step == 0 { "divide(1=2+2=2+3=2)" } else { "order(3+2+1)" });
    }
    assert_eq!((seen[0].len(), seen[1].len()), (10, 6), "all divisions of three steps among three, all orders of three");
}

#[test]
fn a_copy_goes_on_and_play_that_nobody_watches_agrees() {
    let program = game(FIELDS).program();
    let start = |watched: bool| Table::new(&program, &Setup { watched, dice: Dice::Seeded, ..setup(&[&[], &[]]) });
    let (mut watched, mut unwatched) = (start(true), start(false));
    for table in [&mut watched, &mut unwatched] {
        table.answer(0, "divide(2=4+3=2)");
        let mut copy = table.clone();
        copy.answer(1, "divide(1=6)");
        table.answer(1, "divide(1=6)");
        assert!(copy.session.same_state(&table.session));
        table.answer(0, "order(2+3+1)");
    }
    assert_eq!(watched.answers, unwatched.answers);
    let points =
        |table: &Table| table.session.view(Viewer::Trusted).sides.into_iter().map(|side| side.counters["points"].clone());
    assert!(points(&watched).eq(["2", "1"]) && points(&unwatched).eq(["2", "1"]));
}

#[test]
fn scripts_go_on_after_orders_and_amounts() {
    let rules = r#"
sides 2 of 1 hero
die sizes 4, 6, 8
sheet hero (heroes) { zone bag: dice, open }
each side has { fighter: hero = first of heroes, lending bag }
hook noon()
to share(side: side): number {
  side must order side.bag as dice
  side must divide 20 in steps of 10 among dice as shares
  give if dice is empty then 0 else shares(first of dice)
}
to play { open noon()  finish with nobody }
"#;
    let script = "//! ability alpha \"Alpha\"\n//! trigger alpha at noon()\n\nfn alpha(me) {\n    say(`${share(me)}`);\n}\n";
    let texts = game(rules).sheet("otter", "name: Otter\nabilities: [alpha]\nbag: [4, 6, 8]\n").script("alpha", script);
    let mut table = texts.sheet("heron", "name: Heron\nabilities: []\nbag: [4]\n").play_with_sheets(&["otter", "heron"]);
    table.answer(0, "order(2+0+1)");
    let mut copy = table.clone();
    for table in [&mut table, &mut copy] {
        assert_eq!(table.options(0), ["divide(2)", "divide(0)", "divide(1)"], "in the new order");
        table.answer(0, "divide(1=10+2=10)");
        assert_eq!(table.new_said_texts(), ["10"]);
        table.check();
    }
}

proptest! {
    #[test]
    fn every_order_and_every_division_has_a_key_that_leads_back(
        order in Just(vec![0u64, 1, 2, 3]).prop_shuffle(),
        cuts in sample::subsequence((0..9).collect::<Vec<u64>>(), 3),
    ) {
        let table = asked("me must order [5, 0 - 3, 5, 5] as numbers  me must divide 60 in steps of 10 among numbers as shares");
        let leads_back = |table: &Table, choice: Choice| {
            let id = table.decision(0).id;
            let key = table.session.choice_key(id, &choice).expect("a key");
            prop_assert_eq!(table.session.find_choice(id, &key), Ok(choice), "{}", key);
            Ok(key)
        };
        let key = leads_back(&table, Choice::Options(order))?;
        let mut table = table;
        table.answer(0, &key);
        let key = leads_back(&table, Choice::Amounts(amounts_between(&cuts, 60, 10)))?;
        table.answer(0, &key);
    }
}
