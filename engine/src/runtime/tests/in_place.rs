//! A procedure that is carried out from one place only stands there. Nobody can tell but by the time it takes.

use crate::testing::{Texts, game};

/// A game in which `hop` is carried out once, or also by a procedure that never runs.
fn hoppers(play: &str, hop: &str, twice: bool) -> Texts {
    let other =
        if twice { "to never(side: side) { do hop(side, 1) }\nto idle { if 1 > 2 { do never(first of sides) } }\n" } else { "" };
    let idle = if twice { "do idle" } else { "" };
    game(&format!(
        "sides 2\ndie sizes 6\npiece die (dice) {{}}\neach side has {{ zone nest: dice, open  counter hops }}
        to play {{ {idle}  {play} }}\n{hop}\n{other}"
    ))
}

/// What happens is the same, and the procedure stands in place only where it can.
#[track_caller]
fn case(play: &str, hop: &str) {
    let (once, twice) = (hoppers(play, hop, false), hoppers(play, hop, true));
    let start = |texts: &Texts| {
        let program = texts.program();
        program.procedure_by_name("hop").map(|hop| program.procedures[usize::from(hop)].start)
    };
    assert_eq!(start(&once), Some(u32::MAX), "{hop}");
    assert_ne!(start(&twice), Some(u32::MAX), "{hop}");
    let (mut once, mut twice) = (once.play(), twice.play());
    loop {
        assert_eq!(once.new_event_texts(), twice.new_event_texts());
        let (Some(open), true) = (once.open_decisions().pop(), once.asked_seats() == twice.asked_seats()) else { break };
        let key = once.options(open.seat).pop().unwrap_or_default();
        once.answer(open.seat, &key);
        twice.answer(open.seat, &key);
    }
    assert_eq!(once.open_decisions(), twice.open_decisions());
    once.check();
}

#[test]
fn its_parameters_are_what_they_are_given() {
    let hop = "to hop(who: side, far: number) { add far to who.hops  say \"{who} hops {far}\" }";
    case("each side in sides { do hop(side.foe, 2 + side.hops) }", hop);
}

#[test]
fn a_parameter_may_be_set_at_the_end_of_a_procedure() {
    let hop =
        "to hop(who: side, far: number) { set who to who.foe  set far to far + 1  add far to who.hops  say \"{who} {far}\" }";
    case("let far = 3  do hop(first of sides, far)", hop);
    case("let one = first of sides  do hop(one, one.foe.hops + 2)", hop);
    case("repeat 3 times { let far = 3  do hop(first of sides, far) }", hop);
    case("let far = 3  let one = first of sides  if far > 2 { do hop(one, far) }", hop);
}

#[test]
fn a_parameter_may_be_set_and_what_was_given_stays() {
    let hop = "to hop(who: side, far: number) { set far to far + 1  set who to who.foe  add far to who.hops }";
    case("let one = first of sides  let far = 3  do hop(one, far)  say \"{one} {far} {one.foe.hops}\"", hop);
}

#[test]
fn names_and_loops_around_are_not_its_own() {
    let hop = "to hop(side: side, far: number) { let one = far  each other in sides { if other is side { leave } add one to other.hops } }";
    case("let one = 7  each side in sides { do hop(side, one)  say \"{one} {side.hops}\" }", hop);
}

#[test]
fn it_may_ask_and_stop_what_runs_around_it() {
    let hop = "to hop(who: side, far: number) { who must choose number in 1..far as chosen  say \"{chosen}\"  if chosen = far { stop race } }
        to stretch(side: side) { do hop(side, 3)  do hop(side, 3) }";
    let race =
        "do race }\nscope race { repeat at most 5 times { each side in sides { do hop(side, 3) } } otherwise { say \"over\" }";
    let race = hoppers(race, &hop.replace("do hop(side, 3)  do hop(side, 3)", ""), false);
    let mut table = race.play();
    table.answer(0, "number(2)").answer(1, "number(1)").answer(0, "number(3)");
    assert_eq!(table.new_said_texts(), ["2", "1", "3"]);
}

#[test]
fn one_that_stops_or_gives_runs_by_itself() {
    for hop in [
        "to hop(side: side, far: number) { if far > 1 { stop }  say \"near\" }",
        "to hop(side: side, far: number) { do over  say \"far\" }\nto over { stop hop }",
        "scope hop(side: side, far: number) { say \"far\" }",
    ] {
        let program = hoppers("do hop(first of sides, 2)", hop, false).program();
        let start = program.procedure_by_name("hop").map(|hop| program.procedures[usize::from(hop)].start);
        assert_ne!(start, Some(u32::MAX), "{hop}");
    }
}

#[test]
fn what_is_wrong_in_it_is_told_once_and_told_where_nothing_carries_it_out() {
    let hop = "to hop(side: side, far: number) { add side to side.hops }";
    assert_eq!(hoppers("do hop(first of sides, 2)", hop, false).problems().len(), 1);
    assert_eq!(hoppers("if 1 > 2 { do hop(first of sides, 2) }", hop, false).problems().len(), 1);
}
