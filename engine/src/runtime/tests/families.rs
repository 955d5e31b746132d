//! Families that are part of others, and choices from several at once.

use crate::testing::{Texts, game};

const RULES: &str = r#"
sides 2
family deed(active: side) { cost: number = 1 }
family leap(active: side) is deed { far: number }
family rest(active: side) { hours: number  cost: number = 0 }
action wait is deed says "wait" do { say "waits" }
action hop(far in (1..2)) is leap says "hop {far}" do { say "hops {far}" }
action jump is leap says "jump" gives far = 9 gives cost = 3 do { say "jumps" }
action nap(hours in [4]) is rest says "nap" do { say "naps" }
to far(leap: leap) { say "far {leap.far} cost {leap.cost}" }
to price(deed: deed) { say "price {deed.cost}" }
"#;

fn with(statements: &str) -> Texts {
    game(&format!("{RULES}\nto play {{ let me = first of sides  {statements} }}"))
}

#[test]
fn moves_of_a_part_are_moves_of_the_whole() {
    let mut table = with(
        "me may choose deed as deed else { stop } do deed do price(deed)
        if deed is leap { do far(deed) } if deed is wait { say \"none\" }",
    )
    .play();
    assert_eq!(table.options(0), ["wait", "hop(1)", "hop(2)", "jump", "pass"]);
    let mut other = table.clone();
    assert_eq!(table.answer(0, "jump").new_said_texts(), ["jumps", "price 3", "far 9 cost 3"]);
    assert_eq!(other.answer(0, "wait").new_said_texts(), ["waits", "price 1", "none"]);
}

#[test]
fn one_question_chooses_from_several_families() {
    let mut table = with(
        "if can deed(me) and can leap(me) { say \"can\" }
        me may choose leap or rest as deed \"Well?\" if deed is none { stop }
        say \"cost {deed.cost}\" if deed is rest { do deed stop } do far(deed)",
    )
    .play();
    assert_eq!(table.options(0), ["hop(1)", "hop(2)", "jump", "nap(4)", "pass"]);
    let mut other = table.clone();
    assert_eq!(table.answer(0, "hop(2)").new_said_texts(), ["can", "cost 1", "far 2 cost 1"]);
    assert_eq!(other.answer(0, "nap(4)").new_said_texts(), ["can", "cost 0", "naps"]);
}

#[test]
fn what_no_action_fills_begins_as_fields_do() {
    let mut table = game(
        "sides 2
        type sign is one of leaf, stone
        family deed(active: side) { foe: side or none  cost: number  gain: halves  done: flag  sign: sign  all: list of side }
        action wait is deed says \"wait\"
        action call(foe in sides) is deed says \"call {foe}\" gives all = sides gives sign = stone
        to play {
          let me = first of sides
          me may choose deed as deed else { stop }
          say \"{deed.foe is none} {deed.cost} {deed.gain} {deed.done} {deed.sign} {count of deed.all}\"
        }",
    )
    .play();
    let mut other = table.clone();
    assert_eq!(table.answer(0, "wait").new_said_texts(), ["yes 0 0 no leaf 0"]);
    assert_eq!(other.answer(0, "call(1)").new_said_texts(), ["no 0 0 no stone 2"]);
}

#[test]
fn why_a_word_cannot_be_chosen_is_said_as_of_a_number() {
    let table = game(
        "sides 2
        type sign is one of leaf, stone, water
        family tell(active: side) {}
        action tell_sign(foe in sides, sign in [leaf, stone]) is tell
          when sign is not stone or foe is active else \"{foe} has no {sign}\"
          says \"tell {foe} of {sign}\"
        to play { let me = first of sides  me may choose tell as told }",
    )
    .play();
    let refused =
        |key: &str| table.session.find_choice(table.decision(0).id, key).err().map(|refusal| refusal.reason).unwrap_or_default();
    assert_eq!(refused("tell_sign(1>stone)"), "side 1 has no stone");
    assert_eq!(refused("tell_sign(1>water)"), "water cannot be the sign here: the rules do not offer it for this");
    assert_eq!(refused("tell_sign(1>fire)"), "`fire` cannot be the sign");
}

#[test]
fn a_move_of_another_family_is_a_fault() {
    let mut table = with("me may choose leap or rest as deed else { stop } do far(deed)").play();
    let fault = table.try_answer(0, "nap(4)").err().map(|problem| problem.message.to_string());
    assert_eq!(fault.as_deref(), Some("a move of `leap` is needed, but another one was chosen"));
}

#[test]
fn wrong_families_are_told() {
    let told = |from: &str, to: &str| game(&RULES.replace(from, to)).problems();
    let play = "\nto play { }";
    let of = |from: &str, to: &str| told(from, to).into_iter().filter(|problem| !problem.contains("play")).collect::<Vec<_>>();
    assert_eq!(of("is leap says \"jump\" gives far = 9 ", "is leap says \"jump\""), [] as [&str; 0], "a number begins as 0");
    assert_eq!(
        of("{ far: number }", "{ far: number  onto: side }"),
        [
            "`hop` does not say what `onto` is, which every `leap` has",
            "`jump` does not say what `onto` is, which every `leap` has"
        ]
    );
    let circle = format!("{RULES}family dig(active: side) is sink {{ }}\nfamily sink(active: side) is dig {{ }}{play}");
    assert_eq!(game(&circle).problems()[0], "`sink` is part of itself");
    let other = format!("{}{play}", RULES.replace("family leap(active: side)", "family leap(active: side, step: number)"));
    assert_eq!(game(&other).problems()[0], "`leap` needs the same parameters as `deed`, which it is part of");
    assert_eq!(
        with("me may choose leap or rest as deed say \"{deed.hours}\"").problems(),
        ["a move of `leap` or `rest` or none has nothing called `hours`"]
    );
    assert_eq!(
        with("me may choose rest as deed else { stop } do far(deed)").problems()[0],
        "a move of `leap` is needed here, but this is a move of `rest`"
    );
}

#[test]
fn a_block_for_each_action_of_a_family() {
    let table = with(
        "me may choose deed as deed else { stop }
        depending on deed { wait { say \"waited\" } hop { say \"hopped\" } } otherwise { say \"something else\" }",
    )
    .play();
    let after = |key: &str| table.clone().answer(0, key).new_said_texts();
    assert_eq!([after("wait"), after("hop(2)"), after("jump")], [["waited"], ["hopped"], ["something else"]]);
}

#[test]
fn a_block_is_missing_or_for_no_action_of_the_family() {
    assert_eq!(
        with("me may choose leap as leap else { stop } depending on leap { hop { } }").problems(),
        ["no case handles `jump`"]
    );
    assert_eq!(
        with("me may choose leap as leap else { stop } depending on leap { hop { } jump { } nap { } }").problems(),
        ["`nap` is not an action of this family"]
    );
    assert_eq!(
        with("me may choose leap as leap depending on leap { hop { } jump { } }").problems(),
        ["`depending on` needs one of several words, or a move, but this is a move of `leap` or none"]
    );
    let all = with("me may choose leap or rest as deed else { stop } depending on deed { hop { } jump { } nap { } }");
    assert!(all.compile().is_ok());
}
