//! Which statements and conditions of scripts run.

use crate::runtime::Session;
use crate::tests::scripting::testing::{POND, ability, answer, played, pond, start_covered, start_game_covered, told};
use insta::assert_snapshot;
use ludex_program::{Program, ScriptPoint};

/// A script of all forms in which statements stand.
const FORMS: &str = r#"fn act(me, prey) {
    // a comment; { if false }
    let n = 1; /* } */ n += 2;
    if n > 2 { say("a; b"); } else if me.flies == 0 && n > 1 { say("{"); } else { say("}"); }
    for (die, i) in me.nest { roll(die); }
    while n < 5 { n += 1; }
    loop { if n == 7 { break; } n += 1; continue; }
    do { n -= 1; } until n < 3;
    { mark(prey, "wet"); }
    let words = if is_odd(n) { "odd" } else { "even" };
    say(`${words}; { ${if n > 0 { 1 } else { 0 }}`);
    let list = [n, 2]; list[0] = 3; list.push(4);
    say(`${deeper(me)}`);
}

fn deeper(side) {
    if side.flies > 0
    {
        return 0;
    }
    add(side, "flies", 1);
    (if side.flies > 0 { 4 } else { 5 }) + 6
}
"#;

/// The statements and then the conditions of scripts, each once.
fn points(program: &Program) -> Vec<ScriptPoint> {
    let mut points = program.script_points.clone();
    points.sort_by_key(|point| (point.condition, point.span));
    points.dedup_by_key(|point| (point.condition, point.span));
    points
}

/// What scripts have not reached, by file and line.
fn missed(session: &Session) -> String {
    let program = session.program();
    let points = points(program);
    let places = session.coverage().map(|coverage| coverage.reached_places(program)).unwrap_or_default();
    let in_scripts = places.into_iter().filter(|place| points.iter().any(|point| point.span == place.span));
    let missed = in_scripts.filter(|place| !(place.yes && place.no)).map(|place| {
        let how = match (place.condition, place.yes, place.no) {
            (false, ..) => "never reached",
            (true, true, _) => "always true",
            (true, _, true) => "never true",
            (true, ..) => "never asked",
        };
        let (file, line) = (&program.sources.get(place.span.source).name, program.sources.line_column(place.span).0);
        format!("{file}:{line}: {how}: {}\n", program.sources.span_text(place.span))
    });
    missed.collect()
}

/// What the ability has not reached when it has been used and some answers have been given.
fn missed_by(functions: &str, answers: &[&str]) -> String {
    let mut session = start_covered(functions);
    told(&mut session, answers);
    missed(&session)
}

#[test]
fn every_statement_and_condition_is_counted_once() {
    let program = pond(&ability(FORMS)).0.unwrap();
    let listed = points(&program).into_iter().map(|point| {
        let what = if point.condition { "whether " } else { "" };
        format!("{}: {what}{}\n", program.sources.line_column(point.span).0, program.sources.span_text(point.span))
    });
    assert_snapshot!(listed.collect::<String>(), @r#"
    6: let n = 1
    6: n += 2
    7: if n > 2
    7: say("a; b")
    7: say("{")
    7: say("}")
    8: for (die, i) in me.nest
    8: roll(die)
    9: while n < 5
    9: n += 1
    10: loop
    10: if n == 7
    10: break
    10: n += 1
    10: continue
    11: do
    11: n -= 1
    12: mark(prey, "wet")
    13: let words = if is_odd(n)
    13: "odd"
    13: "even"
    14: say(`${words}; { ${if n > 0
    14: 1
    14: 0
    15: let list = [n, 2]
    15: list[0] = 3
    15: list.push(4)
    16: say(`${deeper(me)}`)
    20: if side.flies > 0
    22: return 0
    24: add(side, "flies", 1)
    25: (if side.flies > 0
    25: 4
    25: 5
    7: whether n > 2
    7: whether me.flies == 0 && n > 1
    10: whether n == 7
    13: whether is_odd(n)
    14: whether n > 0
    20: whether side.flies > 0
    25: whether side.flies > 0
    "#);
}

#[test]
fn what_is_not_reached_is_told() {
    assert_snapshot!(played(FORMS, &[]), @r"
    chose: Frog: use Act
    used: Frog uses Act
    said: a; b
    rolled: Frog's d4 shows 3
    rolled: Frog's d6 shows 1
    marked: d4:3 is wet
    said: even; { 1
    set: Frog's flies is 1
    said: 10
    ");
    assert_snapshot!(missed_by(FORMS, &[]), @r#"
    test/scripts/pond/act.rhai:7: always true: n > 2
    test/scripts/pond/act.rhai:7: never asked: me.flies == 0 && n > 1
    test/scripts/pond/act.rhai:7: never reached: say("{")
    test/scripts/pond/act.rhai:7: never reached: say("}")
    test/scripts/pond/act.rhai:13: never true: is_odd(n)
    test/scripts/pond/act.rhai:13: never reached: "odd"
    test/scripts/pond/act.rhai:14: always true: n > 0
    test/scripts/pond/act.rhai:14: never reached: 0
    test/scripts/pond/act.rhai:20: never true: side.flies > 0
    test/scripts/pond/act.rhai:22: never reached: return 0
    test/scripts/pond/act.rhai:25: always true: side.flies > 0
    test/scripts/pond/act.rhai:25: never reached: 5
    "#);
}

#[test]
fn what_comes_after_a_question_is_reached_when_the_answer_has_come() {
    let script = "fn act(me) {\n  if may(me, \"Go on?\") {\n    say(\"on\");\n  }\n  say(\"done\");\n}";
    assert_snapshot!(missed_by(script, &[]), @r#"
    test/scripts/pond/act.rhai:5: never asked: may(me, "Go on?")
    test/scripts/pond/act.rhai:6: never reached: say("on")
    test/scripts/pond/act.rhai:8: never reached: say("done")
    "#);
    assert_snapshot!(missed_by(script, &["yes"]), @r#"test/scripts/pond/act.rhai:5: always true: may(me, "Go on?")"#);
    let mut session = start_covered(script);
    answer(&mut session, "act").unwrap();
    let mut other = session.clone();
    answer(&mut session, "yes").unwrap();
    answer(&mut other, "no").unwrap();
    let asked = |session: &Session| {
        let places = session.coverage().unwrap().reached_places(session.program());
        let asked = places.iter().find(|place| session.program().sources.span_text(place.span).starts_with("may")).unwrap();
        (asked.yes, asked.no)
    };
    assert_eq!((asked(&session), asked(&other)), ((true, false), (false, true)));
}

#[test]
fn scripts_are_told_apart() {
    let act = ability("fn act(me) { rest(me); say(\"done\"); }");
    let nap = "//! ability nap \"Nap\"\n//! trigger nap at rested(active)\nfn nap(me) { if me.flies > 0 { say(\"full\"); } }";
    let mut session = start_game_covered(POND, &[("act", &act), ("nap", nap)]);
    assert_snapshot!(missed(&session), @r#"
    test/scripts/pond/act.rhai:4: never reached: rest(me)
    test/scripts/pond/act.rhai:4: never reached: say("done")
    test/scripts/pond/nap.rhai:3: never reached: if me.flies > 0
    test/scripts/pond/nap.rhai:3: never asked: me.flies > 0
    test/scripts/pond/nap.rhai:3: never reached: say("full")
    "#);
    answer(&mut session, "act").unwrap();
    assert_snapshot!(missed(&session), @r#"
    test/scripts/pond/nap.rhai:3: never true: me.flies > 0
    test/scripts/pond/nap.rhai:3: never reached: say("full")
    "#);
}

#[test]
fn a_function_may_have_any_name() {
    let script = "fn act(me) { reached(1); reached_(2, true); }
fn reached(n) { say(`${n}`); }
fn reached_(n, flag) { say(`${n} ${flag}`); }";
    assert!(played(script, &[]).ends_with("said: 1\nsaid: 2 true\n"));
    assert_eq!(missed_by(script, &[]), "");
}

#[test]
fn conditions_may_stand_as_deep_as_they_can_be_read() {
    let script = |deep: usize| {
        let (open, close) = ("(".repeat(deep), ")".repeat(deep));
        format!("fn act(me) {{ if {open}me.flies > 0{close} {{ say(\"full\"); }} else {{ say(\"hungry\"); }} }}")
    };
    let deepest = (1..64).rev().find(|deep| pond(&ability(&script(*deep))).0.is_some()).unwrap_or_default();
    assert!(deepest > 8, "{deepest}");
    assert!(played(&script(deepest), &[]).ends_with("said: hungry\n"));
}
