//! What may be `none`: where a value is needed one that may be missing is refused, and what has been tested is there.

use crate::runtime::Session;
use crate::testing::{Texts, game, setup};

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
    let place = |problem: &ludex_syntax::problem::Problem| {
        let (span, _) = problem.labels[0];
        library.sources.span_text(span).to_string()
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
    let told = pond("", "add 1 to last_one.points  do greet(last_one)  say \"{(first of me.nest).flies}\"").error_details();
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
        (fault.code, fault.message.to_string().as_str()),
        ("LX0913", "the rules need an answer from a player who had nothing to choose from")
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
        assert_eq!(game(&rules).play().new_said_texts(), ["9", "none"], "{ends}");
    }
}

/// Forms that are told something that may be none. Each is refused, or nothing goes wrong when it is none.
#[test]
fn what_is_not_refused_goes_well_with_none() {
    let of_zones = [
        "let x = run 1, 0 from Z",
        "let x = run 1 from Z",
        "let x = lines of 2 through Z",
        "let x = Z.column",
        "let x = Z.row",
        "let x = Z.neighbours",
        "let x = Z.orthogonal_neighbours",
        "let x = Z.discs",
        "let x = Z.disc",
        "let x = count of Z",
        "let x = Z is empty",
        "let x = top 1 of Z",
        "let x = first of Z",
        "let x = any of Z has it.n > 1",
        "let x = Z where it.n > 1",
        "let x = sum of Z.n",
        "let x = other in Z",
        "let x = Z is other.place",
        "move other to Z",
        "move other to bottom of Z",
        "create disc() in Z",
        "shuffle Z",
        "draw 1 in Z at random as x",
        "draw 2 in Z at random as x",
        "each x in Z { set x.n to 1 }",
        "move Z to spare",
        "remove Z",
        "show Z to me",
        "me may choose 1 in Z as x",
        "me must choose any number in Z as x",
        "me must order Z as x",
        "me may divide 2 in steps of 1 among Z as x",
        "do see(Z)",
        "open calm(Z) { when nothing {} }",
        "let x = [Z]",
        "let x = Z.disc.n",
        "let x = seen(Z)",
        "let x = any of lines of 2 through Z as l has all of l has it is empty",
    ];
    let of_numbers = [
        "let x = N + 1",
        "let x = 2 * N",
        "let x = N divided by 2 rounded down",
        "let x = 5 divided by N rounded up",
        "let x = half of N",
        "let x = N is odd",
        "let x = N but at least 1",
        "let x = N < 3",
        "let x = N = 3",
        "let x = (1..N)",
        "let x = member N of sides",
        "let x = highest N of me.list",
        "let x = top N of spare",
        "let x = cell 1, N of board",
        "let x = lines of N of board",
        "let x = lines of N through spot",
        "repeat N times { say \"x\" }",
        "repeat at most N times { leave } otherwise {}",
        "count i from N to 3 { say \"{i}\" }",
        "add N to me.points",
        "set me.points to N",
        "add N to me.list",
        "roll N d6 as x",
        "roll 2 dice of size N as x",
        "me must choose number in N..3 as x",
        "me must choose N in me.list as x",
        "me must divide N in steps of 1 among sides as x",
        "me must divide 3 in steps of N among sides as x",
        "let x = points_for(N)",
        "do count_to(N)",
        "let x = sum of [N, 1]",
        "let x = sorted [N, 1]",
        "let x = me.list without N",
        "let x = N in me.list",
        "let x = remainder of N divided by 2",
        "finish with payoff of side = N",
    ];
    let of_sides = [
        "let x = S.points",
        "let x = S.foe",
        "let x = S.opponents",
        "S may \"?\" as x",
        "finish with S",
        "say \"x\" to S",
        "show spare to S",
        "set other.owner to S",
        "create disc() in spare for S",
        "do greet(S)",
        "open wave(S) asking S first { when nothing {} }",
        "open idle() asking S first { when nothing {} }",
        "mark S as wet",
        "unmark S as wet",
        "remove S",
        "add 1 to S.points",
        "let x = S is me",
        "let x = S in sides",
        "let x = can go(S)",
        "me may choose go(S) as x",
        "let x = welcome(S)",
        "let x = the one of S.opponents with highest it.points",
        "S must choose number in 1..2 as x",
    ];
    let placed = |form: &str, sign: char, what: &str| {
        format!("{}{}", &form[..form.find(sign).unwrap()], form[form.find(sign).unwrap()..].replace(sign, what))
    };
    let zones = of_zones.iter().map(|form| placed(form, 'Z', "one.place"));
    let numbers = of_numbers.iter().map(|form| placed(form, 'N', "(member 9 of me.list)"));
    let sides = of_sides.iter().map(|form| placed(form, 'S', "nobody_yet"));
    let (mut refused, mut sound, mut wrong) = (0, 0, Vec::new());
    for form in zones.chain(numbers).chain(sides) {
        let rules = format!(
            "sides 2
piece disc (discs) {{ counter n }}
the table has {{ zone board: grid 3 by 3 of discs, open  zone spare: discs, open  nobody_yet: side or none }}
each side has {{ counter points  list: list of number, at most 4  mark wet }}
hook calm(cell: zone of discs)
hook wave(side: side)
hook idle()
family go(side: side) {{}}
action went is go says \"go\"
table points_for(n) {{ 1: 2  otherwise: 0 }}
define seen(cell: zone of discs) = count of cell
define welcome(side: side) = side.points
to see(cell: zone of discs) {{ say \"{{count of cell}}\" }}
to count_to(n: number) {{ say \"{{n}}\" }}
to greet(side: side) {{ say \"{{side}}\" }}
to play {{
  let me = first of sides
  let spot = cell 2, 2 of board
  create disc() in spot for me as one
  create disc() in spare for me as other
  set me.list to [1, 2]
  remove one
  {form}
  finish with me
}}"
        );
        match game(&rules).compile() {
            Err(problems) => {
                let errors: Vec<String> =
                    problems.iter().filter(|problem| problem.is_error()).map(|problem| problem.message.to_string()).collect();
                refused += 1;
                wrong.extend((!errors.iter().any(|message| message.contains("none"))).then(|| format!("{form}: {errors:?}")));
            }
            Ok(program) => {
                sound += 1;
                let fault = Session::start(program, &setup(&[&[], &[]])).err();
                wrong.extend(fault.map(|fault| format!("{form}: {}", fault.message)));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(refused > 50 && sound > 20, "{refused} {sound}");
}
