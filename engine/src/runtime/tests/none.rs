//! What may be `none`: where a value is needed one that may be missing is refused, and what has been tested is there.

use crate::testing::{Texts, game};

/// A game whose sides have frogs, some of which ride on others.
fn pond(more: &str, then: &str) -> Texts {
    game(&format!(
        r#"sides 2
die sizes 4, 6
type coat is one of green, blue
piece frog (frogs) {{ rides: frog or none  coat: coat or none  host: side or none  counter flies  mark wet }}
each side has {{ zone nest, den: frogs, open  counter points }}
the table has {{ zone water: frogs, open  last_one: side or none  best: number  depth: number }}
hook dusk(side: side)
family hop(side: side) {{ frog: frog  other: frog or none }}
action leap(frog in side.nest) is hop says "leap" gives other = frog.rides
table calls(flies) {{ 1..3: 4  4: 5 }}
define fullest(side: side) = the one of side.nest with highest it.flies
to feed(frog: frog) {{ add 1 to frog.flies }}
to greet(side: side) {{ say "{{side}}" }}
to found(side: side): frog or none {{ give first of side.nest }}
to empty_water {{ each side in sides {{ move water to side.den }} }}
to forget_last {{ set last_one to none }}
{more}
to play {{
  let me = first of sides
  {then}
}}"#
    ))
}

/// What is refused as possibly missing, the words of the place.
fn refused(more: &str, then: &str) -> Vec<String> {
    let texts = pond(more, then);
    let (library, problems) = (texts.library(), texts.compile().err().unwrap_or_default());
    let errors = problems.iter().filter(|problem| problem.is_error());
    let place = |problem: &crate::problem::Problem| {
        let (span, _) = problem.labels[0];
        library.sources.slice(span).to_string()
    };
    errors.map(|problem| if problem.code == "LX0405" { place(problem) } else { format!("{problem:?}") }).collect()
}

#[track_caller]
fn is_refused(then: &str, place: &str) {
    assert_eq!(refused("", then), [place], "{then}");
}

#[track_caller]
fn is_sound(then: &str) {
    assert_eq!(refused("", then), [""; 0], "{then}");
}

#[test]
fn what_may_be_missing_has_nothing_and_can_do_nothing() {
    for (then, place) in [
        ("add 1 to last_one.points", "last_one"),
        ("set last_one.points to 3", "last_one"),
        ("say \"{last_one.points}\"", "last_one"),
        ("let frog = first of me.nest  say \"{frog.flies}\"", "frog"),
        ("say \"{(last of me.nest).flies}\"", "(last of me.nest)"),
        ("say \"{(member 2 of me.nest).flies}\"", "(member 2 of me.nest)"),
        ("say \"{fullest(me).flies}\"", "fullest(me)"),
        ("do feed(first of me.nest)", "first of me.nest"),
        ("do greet(last_one)", "last_one"),
        ("set depth to calls(best)", "calls(best)"),
        ("each frog in me.nest { move me.den to frog.place }", "frog.place"),
        ("each frog in me.nest { set frog.host.points to 1 }", "frog.host"),
        ("last_one may choose 1 in me.nest as frog \"Which?\"", "last_one"),
        ("me may choose hop as hop \"Hop?\"  do hop", "hop"),
        ("me may choose hop as hop \"Hop?\"  say \"{hop.frog}\"", "hop"),
        ("me may choose number in 1..4 as size \"How large?\"  create frog(flies: size) in water", "size"),
        ("do found(me) as frog  do feed(frog)", "frog"),
        ("draw 1 in me.nest at random as frog  do feed(frog)", "frog"),
        ("if me.nest.host is empty { say \"{(me.nest where it.rides.flies > 1)}\" }", "it.rides"),
        ("let n = sum of (those of me.nest with highest it.rides.flies).flies  set depth to n", "it.rides"),
        ("say \"{if last_one is none then last_one.points else 0}\"", "last_one"),
        ("mark first of me.nest as wet until end of next day of last_one", "last_one"),
    ] {
        let days = "scope day(side: side) { say \"day\" }";
        let day = if then.contains("day") { format!("{then}  do day(me)") } else { then.to_string() };
        let then = day.as_str();
        assert_eq!(refused(days, then), [place], "{then}");
    }
}

#[test]
fn what_may_be_missing_is_compared_shown_kept_and_listed() {
    is_sound("if last_one is me or last_one is none { say \"{last_one}\" }  set last_one to none  finish with last_one");
    is_sound("let frog = first of me.nest  move frog to water  remove frog  mark frog as wet  each one in frog { do feed(one) }");
    is_sound("let frog = first of me.nest  if frog is wet { do feed(frog) }  if frog is a frog { do feed(frog) }");
    is_sound("let frogs = [first of me.nest, last of me.den]  each frog in frogs { do feed(frog) }");
    is_sound("say \"{count of [first of me.nest]}\"");
    is_sound(
        "say \"{sum of member 2 of me.nest.flies} {count of first of [4, 6]} {highest of last of (me.nest.flies where it > 0)}\"",
    );
    is_sound("each size in member 2 of me.nest.flies { say \"{size}\" }  if 4 in first of me.nest.flies { say \"four\" }");
    is_sound("each coat in [green] { say \"{count of (me.nest where it.coat is coat)}\" }");
}

#[test]
fn a_test_narrows_constants() {
    let or_else = "define or_else(maybe: number or none, other: number): number = if maybe is none then other else maybe";
    for given in ["none", "if no then 1 else none", "if yes then none else 1", "if yes then 1 else none"] {
        assert_eq!(refused(or_else, &format!("set depth to or_else({given}, count of me.nest)")), [""; 0], "{given}");
    }
    is_refused("set depth to if no then 1 else none", "if no then 1 else none");
}

#[test]
fn a_test_narrows() {
    for then in [
        "if last_one is not none { do greet(last_one) }",
        "if last_one is none { say \"nobody\" } else { do greet(last_one) }",
        "if last_one is none { stop }  do greet(last_one)",
        "if not (last_one is not none) { finish with nobody }  do greet(last_one)",
        "if last_one is not none and last_one.points > 2 { do greet(last_one) }",
        "if last_one is none or last_one.points = 0 { stop }  do greet(last_one)",
        "if last_one is me { do greet(last_one) }",
        "say \"{if last_one is none then \"nobody\" else \"{last_one.points}\"}\"",
        "set depth to if last_one is none then 0 else last_one.points",
        "each frog in me.nest where it.rides is not none and it.rides.flies > 1 { do feed(frog) }",
        "each frog in me.nest { if frog.rides is not none { do feed(frog.rides) } }",
        "each host in (me.nest.host where it is not none) { do greet(host) }",
        "me may choose hop as hop \"Hop?\"  if hop is not none { do hop }",
        "me may choose hop as hop \"Hop?\"  if hop is leap { say \"{hop.frog}\" }",
        "me must choose hop as hop \"Hop?\" else { stop }  do hop",
        "each side in sides at once may choose hop(side) as hops \"Hop?\"  each side in sides where hops(it) is not none { do hops(side) }",
        "set depth to calls(4)",
        "repeat at most 9 times { me may choose hop as hop \"Hop?\"  if hop is none { leave }  do hop }",
        "repeat at most 9 times until last_one is not none { set last_one to me } otherwise { stop }  do greet(last_one)",
        "repeat at most 9 times until last_one is none { do greet(last_one)  set last_one to none }",
        "let host = last_one  if host is none { stop }  do empty_water  open dusk(me)  do greet(host)",
        "if last_one is none { set last_one to me }  do greet(last_one)",
        "set last_one to me.foe  do greet(last_one)",
        "if last_one is none { stop }  add 1 to last_one.points  move me.nest to water  do greet(last_one)",
        "if fullest(me) is not none { do feed(fullest(me)) }",
        "if count of (those of me.nest with highest it.flies) = 1 { say \"one\" }",
    ] {
        is_sound(then);
    }
}

#[test]
fn what_was_tested_may_have_changed() {
    for (then, place) in [
        ("if last_one is none { stop }  set last_one to none  do greet(last_one)", "last_one"),
        ("if last_one is none { stop }  do forget_last  do greet(last_one)", "last_one"),
        ("if last_one is none { stop }  open dusk(me)  do greet(last_one)", "last_one"),
        ("if last_one is none { stop }  repeat 2 times { do greet(last_one)  do forget_last }", "last_one"),
        ("if me.nest is empty { stop }  do empty_water  move me.nest to me.den  do feed(first of me.nest)", "first of me.nest"),
        ("let host = last_one  if host is none { stop }  repeat 2 times { do greet(host)  set host to last_one }", "host"),
        ("if last_one is not none { say \"one\" }  do greet(last_one)", "last_one"),
        ("if last_one is none { say \"nobody\" }  do greet(last_one)", "last_one"),
        ("if last_one is none or depth = 1 { say \"x\" } else { stop }  do greet(last_one)", "last_one"),
        ("if last_one is not none or depth = 1 { do greet(last_one) }", "last_one"),
        ("me must choose hop as hop \"Hop?\" else { say \"none\" }  do hop", "hop"),
        (
            "repeat 2 times { me must choose hop as hop \"Hop?\" else { leave }  do hop }  me may choose hop as hop \"Hop?\"  do hop",
            "hop",
        ),
        ("let frog = last of [first of me.nest]  do feed(frog)", "frog"),
    ] {
        is_refused(then, place);
    }
}

#[test]
fn a_list_that_is_not_empty_has_a_first_and_a_last() {
    for then in [
        "if me.nest is not empty { do feed(first of me.nest)  do feed(last of me.nest) }",
        "if me.nest is empty { stop }  do feed(first of me.nest)",
        "if count of me.nest > 0 { do feed(first of me.nest) }",
        "if count of me.nest >= 2 { do feed(member 1 of me.nest) }",
        "if 1 <= count of me.nest { do feed(first of me.nest) }",
        "if any of me.nest has it.flies > 2 { do feed(first of (me.nest where it.flies > 2)) }",
        "if any of me.nest has it.flies > 2 { do feed(first of me.nest) }",
        "each frog in me.nest { say \"{frog} {(first of me.nest).flies}\" }",
        "say \"{all of me.nest has it.flies = (first of me.nest).flies}\"",
        "count place from 1 to count of me.nest { say \"{(member place of me.nest).flies}\" }",
        "create frog() in me.nest for me  do feed(first of me.nest)",
        "do greet(first of sides)  do greet(last of sides)  say \"{(first of me.opponents).points}\"",
        "say \"{first of [4, 6] + 1}\"",
        "if me.nest is not empty { do feed(first of (those of me.nest with highest it.flies)) }",
    ] {
        is_sound(then);
    }
    for (then, place) in [
        ("if count of me.nest < 3 { do feed(first of me.nest) }", "first of me.nest"),
        ("if count of me.nest != 1 { do feed(first of me.nest) }", "first of me.nest"),
        ("if me.nest is not empty { do feed(first of (me.nest where it.flies > 2)) }", "first of (me.nest where it.flies > 2)"),
        ("each frog in me.nest { do feed(first of me.nest)  move frog to water }", "first of me.nest"),
        ("if all of me.nest has it.flies > 2 { do feed(first of me.nest) }", "first of me.nest"),
    ] {
        is_refused(then, place);
    }
}

#[test]
fn roles_conditions_and_clauses_narrow() {
    let sound = |more: &str| assert_eq!(refused(more, "say \"x\""), [""; 0], "{more}");
    sound(
        "action ride(frog in side.nest) is hop when frog.rides is not none when frog.rides.flies > 1 says \"{frog.rides.flies}\"",
    );
    sound("action ride(frog in side.nest where it.rides is not none and it.rides.flies > 1) is hop says \"ride\"");
    sound("action lead(frogs: 2 in side.nest) is hop says \"lead\" gives frog = first of frogs do { do feed(last of frogs) }");
    sound("ability dive \"Dive\"\n  trigger dive at dusk(side) when last_one is not none do { do greet(last_one) }");
    sound("each frog has { mark heavy { forbid hop when it.other is not none and it.other.flies > 1 } }");
    sound("policy likes_company for hop { when it.other is not none prefer highest it.other.flies }");
    let refused = |more: &str, place: &str| assert_eq!(refused(more, "say \"x\""), [place], "{more}");
    refused("action ride(frog in side.nest) is hop when frog.rides.flies > 1 says \"ride\"", "frog.rides");
    refused("action ride(frog in side.nest, other: none or 1 in side.den) is hop says \"{other.flies}\"", "other");
    // It is done later than it was chosen.
    refused(
        "action ride(frog in side.nest) is hop when last_one is not none says \"ride\" do { do greet(last_one) }",
        "last_one",
    );
    refused("ability dive \"Dive\"\n  trigger dive at dusk(side) when depth = 1 do { do greet(last_one) }", "last_one");
    refused("policy likes_company for hop { prefer highest it.other.flies }", "it.other");
}

#[test]
fn pieces_that_the_rules_make_for_somebody_have_an_owner() {
    let use_it = "each frog in me.nest { add 1 to frog.owner.points }";
    is_sound(&format!("create frog() in me.nest for me  {use_it}"));
    is_refused(&format!("create frog() in me.nest  {use_it}"), "frog.owner");
    is_refused(&format!("each one in me.nest {{ set one.owner to none }}  {use_it}"), "frog.owner");
}

#[test]
fn one_mistake_is_told_once_with_what_to_write() {
    let told = pond("", "add 1 to last_one.points  do greet(last_one)  say \"{(first of me.nest).flies}\"").told();
    let help = |place: &str| format!("test it first: `if {place} is not none {{ … }}`");
    let list = "test first whether there is one: `if me.nest is not empty { … }`";
    let expected = [
        ("LX0405", "this may be none instead of a side".to_string(), help("last_one")),
        ("LX0405", "this may be none instead of a frog".to_string(), list.to_string()),
    ];
    assert_eq!(told, expected);
}

#[test]
fn an_answer_that_must_be_given_at_once_is_needed_and_may_be_tested() {
    let asked = |then: &str| {
        format!("each side in sides at once must choose 1 in side.nest as frog \"Which?\"  each side in sides {{ {then} }}")
    };
    is_sound(&asked("do feed(frog(side))"));
    is_sound(&asked("if frog(side) is not none { do feed(frog(side)) }"));
    let fault = pond("", &asked("do feed(frog(side))")).fault();
    assert_eq!(
        (fault.code, fault.message.as_str()),
        ("LX0913", "an answer is needed of somebody who had nothing to choose from")
    );
}

#[test]
fn a_procedure_that_ends_without_give_gives_none() {
    for ends in ["if a = 0 { give a }", "if a = 1 { stop }  give a", "do ends_it  give a }  to ends_it { stop found"] {
        let rules = format!(
            r#"sides 2
to found(a: number): number or none {{ {ends} }}
to play {{
  if count of sides = 2 {{ let before = 9  say "{{before}}" }}
  do found(1) as got
  if got is none {{ say "none" }} else {{ say "{{got}}" }}
  finish with nobody
}}"#
        );
        assert_eq!(game(&rules).play().said(), ["9", "none"], "{ends}");
    }
}
