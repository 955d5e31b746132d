//! Faults: what goes wrong in play is told with its place, and the session stays as it was.

use crate::runtime::{Session, Setup};
use crate::testing::{Table, Texts, game, setup};
use ludex_program::Program;
use ludex_syntax::problem::Problem;

const HEAD: &str = "sides 2
die sizes 6
each side has { zone bag: dice, open  counter points  counter lives = 3 in 0..9  friend: side or none }
to play {
";

/// What goes wrong with some statements: the message, and the text that is pointed at.
#[track_caller]
fn fault(statements: &str) -> (String, String) {
    fault_of(&game(&format!("{HEAD}let me = first of sides\n{statements}\nfinish with nobody }}")))
}

#[track_caller]
fn fault_of(texts: &Texts) -> (String, String) {
    let problem = texts.fault();
    (problem.message.to_string(), pointed_at(&texts.program(), &problem))
}

fn pointed_at(program: &Program, problem: &Problem) -> String {
    problem.labels.first().map_or(String::new(), |(span, _)| program.sources.span_text(*span).to_string())
}

#[track_caller]
fn faults(statements: &str, at: &str, message: &str) {
    assert_eq!(fault(statements), (message.to_string(), at.to_string()));
}

const TOO_LARGE: &str = "a number goes beyond 2,147,483,647";

#[test]
fn none_has_nothing() {
    let told = |then: &str| game(&format!("{HEAD}let me = first of sides\n{then}\nfinish with nobody }}")).error_details();
    for then in [
        "let f = first of (sides where it.points = 1)  say \"{f.points}\"",
        "let f = first of (sides where it.points = 1)  set f.points to 1",
        "create die(size: 6) in me.bag for me  let f = first of (sides where it.points = 1)  move me.bag to f.bag",
        "let f = first of (sides where it.points = 1)  f may \"?\" as b",
    ] {
        let told: Vec<_> = told(then).into_iter().map(|(code, message, _)| (code, message)).collect();
        assert_eq!(told, [("LX0405", "this may be none instead of a side".to_string())], "{then}");
    }
}

#[test]
fn counters_keep_within_their_range() {
    faults("add 7 to me.lives", "add 7 to me.lives", "`lives` would become 10, but it goes from 0 to 9");
    faults("set me.lives to 0 - 1", "set me.lives to 0 - 1", "`lives` would become -1, but it goes from 0 to 9");
    faults("take 4 from me.lives", "take 4 from me.lives", "`lives` would become -1, but it goes from 0 to 9");
}

/// The value may follow from what some cannot see.
#[test]
fn where_something_is_hidden_a_fault_tells_no_value() {
    let told = |statements: &str| {
        let declared = "each side has { zone hand: dice, seen by owner  notes: list of number, at most 2 }\nto play {";
        fault_of(&game(&format!(
            "{}let me = first of sides\nlet secret = 7 + count of me.hand\n{statements}\nfinish with nobody }}",
            HEAD.replace("to play {", declared)
        )))
        .0
    };
    assert_eq!(told("set me.lives to me.lives + secret"), "`lives` would get a value that it cannot have");
    assert_eq!(told("repeat secret times { add secret to me.notes }"), "`notes` has room for 2, but would hold more");
    assert!(told("roll (secret * 1000) d6 as thrown").starts_with("these dice cannot be rolled"));
}

#[test]
fn a_fault_is_where_the_value_is_worked_out() {
    let bag = "each side in sides at once must choose 1 in side.bag as picks";
    let missing = "the rules need an answer from a player who had nothing to choose from";
    for watched in [true, false] {
        let at = |statements: &str| {
            let rules = format!(
                "{HEAD}let me = first of sides\n{statements}\nfinish with nobody }}
to lose(die: die) {{ say \"lost\"  remove die }}
to part(whole: number): number {{ let n = whole  give 60 divided by n rounded down }}
to both(one: number, other: number) {{ say \"{{one}} {{other}}\" }}"
            );
            let program = game(&rules).program();
            let setup = Setup { watched, ..setup(&[&[], &[]]) };
            let problem = Session::start(program.clone(), &setup).expect_err("something goes wrong");
            (problem.message.to_string(), pointed_at(&program, &problem))
        };
        assert_eq!(at(&format!("{bag}  do lose(picks(me))")), (missing.to_string(), "do lose(picks(me))".to_string()));
        let zero = || "a number is divided by zero".to_string();
        assert_eq!(at("do part(me.points) as n  say \"{n}\""), (zero(), "give 60 divided by n rounded down".to_string()));
        let both = "do both(1, 60 divided by me.points rounded down)";
        assert_eq!(at(both), (zero(), both.to_string()));
    }
}

#[test]
fn numbers_that_grow_too_large_are_told() {
    faults("set me.points to 2147483647 + 1", "set me.points to 2147483647 + 1", TOO_LARGE);
    faults("set me.points to 2147483647  add 1 to me.points", "add 1 to me.points", "a counter would go beyond 2,147,483,647");
    faults("let n = 65536  let m = n * n", "let m = n * n", TOO_LARGE);
    faults("let n = sum of [2147483647, 1]", "let n = sum of [2147483647, 1]", TOO_LARGE);
    let piled = "set me.points to 2147483647  set me.foe.points to 1  let n = sum of sides.points";
    faults(piled, "let n = sum of sides.points", TOO_LARGE);
    faults(
        "let n = 0  let m = 6 divided by n rounded down",
        "let m = 6 divided by n rounded down",
        "a number is divided by zero",
    );
}

#[test]
fn division_rounds_as_it_says() {
    let mut table = game(
        "sides 2
to play {
  let minus = 0 - 2
  say \"{7 divided by 2 rounded down} {7 divided by 2 rounded up} {7 divided by minus rounded down} {7 divided by minus rounded up}\"
  say \"{(0 - 7) divided by 2 rounded down} {(0 - 7) divided by 2 rounded up} {(0 - 7) divided by minus rounded down} {6 divided by minus rounded up}\"
  finish with nobody
}",
    )
    .play();
    assert_eq!(table.new_said_texts(), ["3 4 -4 -3", "-4 -3 3 -3"]);
}

#[test]
fn a_cap_without_a_word_is_a_fault() {
    faults(
        "repeat at most 3 times until me.points = 1 { say \"on\" }",
        "repeat at most 3 times until me.points = 1 { say \"on\" }",
        "a loop reached its cap, and the rules do not say what happens then",
    );
}

#[test]
fn pieces_go_somewhere() {
    let rules = "sides 2\ndie sizes 6\neach side has { zone bag: dice, open }\npiece die (dice) { goal: zone of dice or none }\nto play {\n  let me = first of sides\n  create die(size: 6) in me.bag for me as d\n  move d to d.goal\n}";
    assert_eq!(game(rules).problems(), ["this may be none instead of a zone of dice"]);
}

#[test]
fn what_goes_round_for_ever_is_stopped() {
    let texts = game("sides 2\nto play { do again }\nto again { if count of sides = 2 { do again } }");
    assert_eq!(
        fault_of(&texts),
        (
            "the rules are nested too deeply: 200 procedures, functions, windows and effects are open".to_string(),
            "count of sides = 2".to_string()
        )
    );
    let endless = game("sides 2\nto play { repeat 2000000000 times { repeat 2000000000 times { leave } } }");
    assert_eq!(endless.fault().message.to_string(), "the rules do too much work before they ask a player");
}

// --- abilities ------------------------------------------------------------------------

const HERO: &str = r#"
sides 2 of 1 hero
sheet hero (heroes) { }
die sizes 6
each side has { counter points  counter lives in 0..9  zone bag: dice, open }
hook moment(side: side)
hook again()
hook worth(side: side): number = 1
family deed(side: side) { }
action act() is deed when worth(side) > 0
to play { let me = first of sides  me may "Begin?" as begins  open moment(me)  me may "Over?" as over  finish with nobody }
to repeat_it { open again() }
to busy { repeat 100000 times { if count of sides = 0 { leave } } }
to valued(side: side): number { give worth(side) }
"#;

fn hero(header: &str, body: &str) -> Table {
    let header: String = header.lines().map(|line| format!("//! {line}\n")).collect();
    let script = format!("//! ability trick \"Trick\"\n{header}{body}");
    game(HERO)
        .sheet("otter", "name: Otter\nabilities: [trick]\n")
        .sheet("heron", "name: Heron\n")
        .script("trick", &script)
        .play_with_sheets(&["otter", "heron"])
}

/// What goes wrong in an ability, where, and that nothing has changed.
#[track_caller]
fn ability_fault(header: &str, body: &str) -> (String, String) {
    let mut table = hero(header, body);
    let before = table.clone();
    let problem = table.try_answer(0, "yes").expect_err("something goes wrong");
    assert!(table.session.same_state(&before.session));
    assert_eq!(table.open_decisions(), before.open_decisions());
    assert!(table.session.take_events().is_empty());
    let place = problem.labels.first().map(|(span, _)| {
        let sources = &table.session.program().sources;
        format!("{}:{}", sources.get(span.source).name, sources.line_column(*span).0)
    });
    (problem.message.to_string(), place.unwrap_or_default())
}

#[test]
fn abilities_that_set_themselves_off_without_end_are_stopped() {
    let rules = "trigger one at moment(side)\n  do { do repeat_it }\ntrigger two at again()\n  do { do repeat_it }";
    let (message, place) = ability_fault(rules, "");
    assert_eq!(message, "the rules are nested too deeply: 200 procedures, functions, windows and effects are open");
    assert_eq!(place, "scripts/pond/trick.rhai:5");
    let scripts = "trigger one at moment(side)\ntrigger two at again()";
    let (message, place) = ability_fault(scripts, "fn one() { repeat_it(); }\nfn two() { repeat_it(); }\n");
    assert_eq!(message, "the rules are nested too deeply: 200 procedures, functions, windows and effects are open");
    assert!(!place.is_empty());
}

#[test]
fn values_that_depend_on_themselves_are_refused() {
    let circles = |part: &str| game(HERO).script("trick", &format!("//! ability trick \"Trick\"\n//! {part}\n")).problems();
    assert_eq!(circles("modify worth(side): it + worth(side) + worth(side.foe)"), ["`worth` is defined by itself"]);
    assert_eq!(
        circles("modify worth(side) when can deed(side): it + 1"),
        ["`worth` is defined by itself: `worth` → `can deed` → `worth`"]
    );
}

#[test]
fn scripts_that_go_on_and_on_are_stopped() {
    let trigger = "trigger one at moment(side)";
    let limit = |body: &str| ability_fault(trigger, &format!("fn one(me) {{\n  {body}\n}}\n"));
    let endless = ("the script ran for too long and was stopped".to_string(), "scripts/pond/trick.rhai:4".to_string());
    assert_eq!(limit("let n = 0; while me.points >= 0 { n += 1; }"), endless);
    assert_eq!(
        limit("while me.points >= 0 { add(me, \"points\", 1); }").0,
        "the rules make more than 10,000 changes before they ask a player"
    );
    assert_eq!(limit("while me.points >= 0 { busy(); }").0, endless.0);
    assert_eq!(limit("let s = \"ab\"; while me.points >= 0 { s += s; }").0, "all lists together hold more than 500,000 values");
    assert_eq!(limit("let s = [1]; while me.points >= 0 { s.push(1); }").0, endless.0);
    let deep = ability_fault(trigger, "fn one(me) { two(1) }\nfn two(n) { if n > 0 { two(n + 1) } }\n");
    assert_eq!(deep.0, "the rules are nested too deeply: 200 procedures, functions, windows and effects are open");
}

#[test]
fn faults_of_scripts_tell_their_line() {
    let at = |line: usize| format!("scripts/pond/trick.rhai:{line}");
    let fault =
        |body: &str| ability_fault("trigger one at moment(side)", &format!("fn one(me) {{\n  let n = 0;\n  {body}\n}}\n"));
    assert_eq!(fault("let m = 1 / n;"), ("a number is divided by zero".to_string(), at(5)));
    assert_eq!(fault("let m = 2147483647 + 1 + n;"), (TOO_LARGE.to_string(), at(5)));
    assert_eq!(fault("add(me, \"lives\", 10);").0, "`lives` would become 10, but it goes from 0 to 9");
    assert_eq!(fault("let n = 10; set(me, \"lives\", n);").1, at(5));
    assert_eq!(fault("set(me, \"points\", 2000000000 + 1000000000);").0, TOO_LARGE);
    assert_eq!(fault("choose(me, \"Which?\", me.bag);").0, "“Which?” has no options to choose from");
}

#[test]
fn after_a_fault_another_answer_goes_on() {
    let mut table = hero(
        "offer one at moment(side)",
        "fn one(me) { let n = choose_number(me, \"Lives?\", 1, 20); add(me, \"lives\", n); }\n",
    );
    table.answer(0, "yes").answer(0, "one");
    assert!(table.try_answer(0, "number(10)").is_err());
    table.answer(0, "number(9)").answer(0, "one");
    assert!(table.try_answer(0, "number(1)").is_err());
    table.check();
}
