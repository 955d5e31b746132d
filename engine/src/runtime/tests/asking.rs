//! Questions: what may be answered, what is not asked, and what passing means.

use crate::runtime::{Choice, Form, Pending};
use crate::testing::{Table, game};
use ludex_syntax::codes;

const THINGS: &str = r#"
sides 2
die sizes 4, 6
type sign is one of rock, paper, big_scissors
each side has { zone bag: dice, open  counter points }
family deed(side: side) { dice: dice = none }
action take_one(die in side.bag) is deed when die.size = 6 says "take {die}" gives dice = die do { remove die }
action gain() is deed when side.points = 1 says "gain" do { add 1 to side.points }
to play {
  let me = first of sides
  BEFORE
  WHAT
  finish with nobody
}
"#;

/// A table where the first side has dice of these sizes and is asked something.
fn asked(sizes: &[i32], what: &str) -> Table {
    let before: String = sizes.iter().map(|size| format!("create die(size: {size}) in me.bag for me\n")).collect();
    let mut table = game(&THINGS.replace("BEFORE", &before).replace("WHAT", what)).play();
    table.new_event_texts();
    table
}

#[test]
fn one_of_a_set_is_chosen() {
    let mut table = asked(&[4, 6, 6], "me must choose 1 in me.bag as die \"Which one?\"  say \"{die}\"");
    assert_eq!(table.prompt(0), "Which one?");
    assert_eq!(table.options(0), ["choose(0)", "choose(1)", "choose(2)"]);
    table.answer(0, "choose(1)");
    assert_eq!(table.new_event_texts()[..2], ["chose(choose(1) by 0)", "said(d6)"]);
}

#[test]
fn several_of_a_set_are_chosen() {
    let mut table = asked(&[4, 6, 6], "me must choose 1 to 2 in me.bag as dice  say \"{dice}\"");
    assert_eq!(table.decision(0).form, Form::Some { min: 1, max: 2 });
    let id = table.decision(0).id;
    for wrong in [vec![], vec![0, 1, 2], vec![1, 1], vec![2, 1], vec![3]] {
        assert!(table.session.choose(id, Choice::Options(wrong)).is_err());
    }
    assert_eq!(table.session.find_choice(id, "choose(0+0)").expect_err("twice").reason, "`0` is named twice");
    table.answer(0, "choose(2+0)");
    assert_eq!(table.new_event_texts()[..2], ["chose(choose(0+2) by 0)", "said(d4 and d6)"]);
}

#[test]
fn equal_things_are_told_apart() {
    let mut table = asked(&[], "me must choose 1 to 2 in [5, 3, 5] as numbers \"Which ones?\"  say \"{numbers}\"");
    assert_eq!(table.options(0), ["choose(5)", "choose(3)", "choose(5#2)"]);
    table.answer(0, "choose(5+5#2)");
    assert_eq!(table.new_event_texts()[..2], ["chose(choose(5+5#2) by 0)", "said(5 and 5)"]);
}

/// Whoever names one of very many things, or all of them, is not kept waiting: equal ones are counted once for all.
#[test]
fn things_are_found_among_very_many_equal_ones() {
    let many = |what: &str| asked(&[], &format!("let some = (1..10000)  let many = some + some  {what}"));
    let one = many("me may choose 1 in many as one");
    let find = |key: &str| one.session.find_choice(one.decision(0).id, key);
    assert_eq!(find("choose(10000#2)"), Ok(Choice::Option(19_999)));
    assert_eq!(find("pass"), Ok(Choice::Option(20_000)));
    assert!(find("choose(none)").is_err());
    assert!(find("10000#2").is_err());
    let several = many("me must choose 1 to 20000 in many as several");
    let (id, all) = (several.decision(0).id, Choice::Options((0..20_000).collect()));
    let key = several.session.choice_key(id, &all).expect("a key");
    assert!(key.ends_with("+9999#2+10000#2)"));
    assert_eq!(several.session.find_choice(id, &key), Ok(all));
}

#[test]
fn exactly_so_many_or_none_at_all() {
    let what = "me may choose 2 in me.bag as dice  say \"{dice}\"";
    let table = asked(&[4, 6, 6], what);
    let id = table.decision(0).id;
    assert!(table.clone().session.choose(id, Choice::Options(vec![1])).is_err(), "one is neither two nor none");
    assert_eq!(table.clone().answer(0, "choose(0+1)").new_said_texts(), ["d4 and d6"]);
    assert_eq!(table.clone().answer(0, "pass").new_said_texts(), ["nothing"]);
    // There are not two: nobody is asked.
    let events = asked(&[4], what).events;
    assert_eq!(crate::testing::event_text(&events[1]), "said(nothing)");
}

#[test]
fn numbers_words_and_yes_or_no_are_chosen() {
    let mut table = asked(
        &[],
        "me must choose number in 2..5 as bid  say \"{bid + 1}\"
         me must choose a sign as shown  say \"{shown}\"
         me may \"Go on?\" as goes_on  say \"{goes_on}\"",
    );
    let id = table.decision(0).id;
    assert!(table.session.choose(id, Choice::Number(6)).is_err());
    assert!(table.session.choose(id, Choice::Option(0)).is_err());
    assert_eq!(table.session.find_choice(id, "7").expect_err("too large").reason, "`7` is not a number from 2 to 5");
    table.answer(0, "number(5)");
    assert_eq!(table.options(0), ["choose(rock)", "choose(paper)", "choose(big_scissors)"]);
    table.answer(0, "choose(big_scissors)");
    assert_eq!((table.prompt(0).as_str(), table.options(0)), ("Go on?", vec!["yes".to_string(), "no".to_string()]));
    table.answer(0, "no");
    assert_eq!(table.new_said_texts(), ["6", "big scissors", "no"]);
}

#[test]
fn a_move_is_chosen_and_done() {
    let what =
        "me must choose deed as deed else { say \"no deed\"  stop }  if deed is take_one { say \"took {deed.dice}\" }  do deed";
    let mut table = asked(&[4, 6, 6], &format!("set me.points to 1  {what}"));
    assert_eq!(table.options(0), ["take_one(1)", "take_one(2)", "gain"]);
    let decision = table.decision(0);
    let texts: Vec<String> = table.session.options(decision.id, 0, 9).into_iter().map(|option| option.text).collect();
    assert_eq!(texts, ["take d6", "take d6", "gain"]);
    table.new_event_texts();
    table.answer(0, "take_one(2)");
    assert_eq!(table.new_event_texts()[..3], ["chose(take_one(2) by 0)", "said(took d6)", "removed(2 by 0)"]);
    table.check();
}

#[test]
fn why_a_move_is_refused_is_told() {
    let table = asked(&[4, 6, 6], "me must choose deed as deed else { }");
    let refused = |key: &str| table.session.find_choice(table.decision(0).id, key).expect_err("refused").reason;
    assert!(refused("take_one(0)").contains("the rule `die.size = 6` does not hold"), "{}", refused("take_one(0)"));
    assert!(refused("gain").contains("the rule `side.points = 1` does not hold"), "{}", refused("gain"));
    assert_eq!(refused("take_two(1)"), "there is no move called `take_two`");
}

#[test]
fn rules_say_why_a_move_is_refused() {
    let rules = r#"sides 2
hook noon()
family bid { }
action offer(amount in (2..12)) is bid
  when amount != 7 else "{amount} brings bad luck" @PND-01
action swap(one in sides, other in sides) is bid
  when one is not other else "{one} has that already"
to play { open noon()  first of sides must choose bid as bid else { } }"#;
    let table = game(rules).play();
    let refused = |key: &str| table.session.find_choice(table.decision(0).id, key).expect_err("refused").reason;
    assert_eq!(refused("offer(7)"), "7 is not allowed: 7 brings bad luck (PND-01)");
    assert_eq!(refused("swap(1>1)"), "side 1 has that already");
    let nap = "//! ability nap \"Nap\"\n//! trigger sleep at noon()\n//!   when 1 = 1 else \"it is too hot\"\n//!   do { }\n";
    let told = game(rules).script("nap", nap).problems();
    assert_eq!(told, ["this reason is never shown: only moves with roles are refused with a reason"]);
}

#[test]
fn why_a_move_is_refused_tells_nothing_hidden() {
    let reasons = |rank: i32| {
        let table = game(&format!(
            "sides 2
piece card (cards) {{ counter rank in 1..6 }}
each side has {{ zone hand: cards, seen by owner }}
hook noon()
family deed (me: side) {{ }}
action guess(number in (1..6)) is deed
  when it_is_high(me) else \"the card is too low\"
  when number > 3 else \"{{number}} is too little beside {{sum of me.foe.hand.rank}}\"
action draw(amount in (me.foe.hand.rank)) is deed
action wait is deed when it_is_high(me) else \"the card is too low\"
define it_is_high(me: side) = any of me.foe.hand has it.rank > 4
to play {{
  let me = first of sides
  create card(rank: {rank}) in me.foe.hand
  me may choose deed(me) as deed
}}"
        ))
        .play();
        let decision = table.decision(0).id;
        ["guess(1)", "draw(6)", "draw(1)", "wait"].map(|key| match table.session.find_choice(decision, key) {
            Ok(_) => "offered".to_string(),
            Err(refused) => refused.reason,
        })
    };
    let untold = |key: &str| format!("`{key}` is not offered now");
    let too_little = "1 is not allowed: the rule `number > 3` does not hold";
    assert_eq!(reasons(2), [too_little, &untold("draw(6)"), &untold("draw(1)"), &untold("wait")]);
    assert_eq!(reasons(6)[..3], [too_little, "offered", &untold("draw(1)")]);
}

#[test]
fn what_has_one_answer_is_not_asked() {
    let forced = |sizes: &[i32], what: &str| {
        let happened = asked(sizes, what).events;
        happened.iter().map(crate::testing::event_text).filter(|event| !event.starts_with("created")).collect::<Vec<String>>()
    };
    let over = "finished(nobody)".to_string();
    assert_eq!(forced(&[4], "me must choose 1 in me.bag as die"), ["chose(choose(0) by 0)".to_string(), over.clone()]);
    assert_eq!(forced(&[4, 4], "me must choose 2 in me.bag as dice"), ["chose(choose(0+1) by 0)".to_string(), over.clone()]);
    assert_eq!(forced(&[4, 6], "me must choose deed as deed else { }"), ["chose(take_one(1) by 0)".to_string(), over.clone()]);
    assert_eq!(forced(&[], "me must choose number in 3..3 as bid"), ["chose(number(3) by 0)".to_string(), over.clone()]);
    // Nothing can be chosen: the way out is taken, and announced where passing was an option.
    assert_eq!(
        forced(&[4], "me must choose deed as deed else { say \"none\" }"),
        ["chose(pass by 0)".to_string(), "said(none)".to_string(), over.clone()]
    );
    assert_eq!(forced(&[], "me must choose 1 in me.bag as die else { say \"none\" }"), ["said(none)".to_string(), over]);
    let fault = |prompt: &str| {
        let what = format!("me must choose 1 in me.bag as die {prompt}");
        let problem = game(&THINGS.replace("BEFORE", "").replace("WHAT", &what)).fault();
        assert_eq!((problem.code, problem.labels.len()), (codes::EMPTY_CHOICE, 1));
        problem.message.to_string()
    };
    assert_eq!(fault(""), "the question has no options to choose from");
    assert_eq!(fault("\"Which?\""), "“Which?” has no options to choose from");
}

#[test]
fn may_leaves_a_way_out() {
    let what = "me may choose deed as deed  if deed is none { say \"passed\" } else { say \"did\" }";
    let mut table = asked(&[6], what);
    assert_eq!(table.options(0), ["take_one(0)", "pass"], "one move and passing are two answers");
    table.answer(0, "pass");
    assert_eq!(table.new_event_texts()[..2], ["chose(pass by 0)", "said(passed)"]);
    // With no move at all it goes by in silence.
    let silent = asked(&[4], what).events;
    assert_eq!(silent[1..].iter().map(crate::testing::event_text).collect::<Vec<_>>(), ["said(passed)", "finished(nobody)"]);
    let mut table = asked(&[4], "me may choose 1 in me.bag as die  say \"{die}\"");
    assert_eq!(table.options(0), ["choose(0)", "pass"]);
    table.answer(0, "pass");
    assert_eq!(table.new_said_texts(), ["none"]);
}

#[test]
fn passing_after_may_leads_to_else() {
    let mut table = asked(&[6], "me may choose deed as deed else { say \"passed\"  stop }  say \"did {deed.dice}\"");
    let mut copy = table.clone();
    copy.answer(0, "pass");
    assert_eq!(copy.new_said_texts(), ["passed"]);
    table.answer(0, "take_one(0)");
    assert_eq!(table.new_said_texts(), ["did d6"]);
    // So it does of one thing and of several.
    for what in ["1 in me.bag", "2 in me.bag"] {
        let mut table =
            asked(&[4, 6], &format!("me may choose {what} as chosen else {{ say \"passed\"  stop }}  say \"{{chosen}}\""));
        table.answer(0, "pass");
        assert_eq!(table.new_said_texts(), ["passed"], "{what}");
    }
}

#[test]
fn an_answer_fills_a_name_known_before() {
    let mut table =
        asked(&[4, 6], "me must choose 1 in me.bag as die  repeat 2 times { me must choose 1 in me.bag as die }  say \"{die}\"");
    table.answer(0, "choose(0)").answer(0, "choose(0)").answer(0, "choose(1)");
    assert_eq!(table.new_said_texts(), ["d6"]);
}

#[test]
fn only_open_decisions_can_be_answered() {
    let mut table = asked(&[4, 6], "me must choose 1 in me.bag as die");
    let id = table.decision(0).id;
    assert!(table.session.choose(id + 1, Choice::Option(0)).is_err());
    table.answer(0, "choose(0)");
    assert!(table.session.choose(id, Choice::Option(0)).is_err());
    assert!(matches!(table.session.pending(), Pending::Finished(_)));
    assert_eq!(table.session.prompt(id), "");
    assert_eq!(table.session.option(id, 0), None);
}

#[test]
fn a_set_that_depends_on_another_role_is_named_and_done_as_chosen() {
    let rules = r#"
sides 2
die sizes 4, 6
each side has { zone bag, box: dice, open }
family gift(side: side) { dice: dice }
action pass_on(who in sides, dice: 1 to 2 in who.bag) is gift
  says "{dice} of {who}"
  do { move dice to who.box }
to play {
  each side in sides { create die(size: 4) in side.bag for side  create die(size: 6) in side.bag for side }
  (first of sides) must choose gift as gift else { stop }
  do gift
  finish with nobody
}
"#;
    let mut table = game(&rules.replace("(first of sides) must", "let side = first of sides\n  side must")).play();
    assert_eq!(
        table.options(0),
        ["pass_on(0>0)", "pass_on(0>1)", "pass_on(0>0+1)", "pass_on(1>2)", "pass_on(1>3)", "pass_on(1>2+3)"]
    );
    table.new_event_texts();
    table.answer(0, "pass_on(0>0+1)");
    assert_eq!(table.new_event_texts()[..3], ["chose(pass_on(0>0+1) by 0)", "moved(0, box by 0)", "moved(1, box by 0)"]);
}

#[test]
fn a_number_or_a_word_that_may_be_chosen_may_be_passed() {
    let rules = "sides 2
type colour is one of red, green
to play {
  let me = first of sides
  me may choose number in 2..4 as number \"A number\"
  me may choose a colour as colour \"A colour\"
  me may choose number in 3..count of sides as never
  me may choose number in 3..3 as only
  say \"{number} {colour} {never} {only}\"
  finish with me
}";
    let mut table = game(rules).play();
    assert!(table.open_decisions()[0].may_pass);
    table.answer(0, "pass");
    assert_eq!(table.options(0), ["choose(red)", "choose(green)", "pass"]);
    table.answer(0, "pass").answer(0, "pass");
    assert_eq!(table.new_said_texts(), ["none none none none"]);
    let mut table = game(rules).play();
    table.answer(0, "number(3)").answer(0, "choose(green)").answer(0, "number(3)");
    assert_eq!(table.new_said_texts(), ["3 green none 3"]);
}
