mod against_rhai;
mod compiled;
mod reached;
pub mod testing;

use crate::Compile;
use crate::runtime::{Dice, Pending};
use crate::tests::scripting::testing::{
    POND, ability, answer, decision, game, played, said, shown, start, start_game, start_script,
};
use insta::assert_snapshot;
use ludex_compiler::library::{CompileRequest, File, Library};
use ludex_compiler::scripting::api;
use ludex_compiler::scripting::api::ROWS;
use std::collections::BTreeMap;

/// Statements in `act`, run.
fn run(statements: &str, answers: &[&str]) -> String {
    said(&format!("fn act(me, prey, holder, table) {{\n{statements}\n}}"), answers)
}

/// A small script for every function of the API, and what it says.
const USES: &[(&str, &str, &[&str], &str)] = &[
    ("choose/3", "let die = choose(me, \"Which?\", me.nest); say(`${die.size}`);", &["choose(1)"], "6"),
    (
        "may_choose/4",
        "let die = may_choose(me, \"Which?\", me.nest, \"none\"); say(if die == () { \"passed\" } else { \"chose\" });",
        &["pass"],
        "passed",
    ),
    (
        "may_choose_move/4",
        "let hop = may_choose_move(me, \"Hop?\", \"hop\", \"stay\"); if hop != () { say(`${len(hop.dice)}`); }",
        &["leap(1)"],
        "1",
    ),
    (
        "do_move/1",
        "let hop = may_choose_move(me, \"Hop?\", \"hop\", \"stay\"); if hop != () { do_move(hop); } say(\"landed\");",
        &["leap(0+1)"],
        "landed",
    ),
    ("choose_some/5", "let dice = choose_some(me, \"Which?\", me.nest, 0, 2); say(`${len(dice)}`);", &["choose(0+1)"], "2"),
    ("choose_number/4", "say(`${choose_number(me, \"How many?\", 2, 5)}`);", &["number(4)"], "4"),
    ("may/2", "if may(me, \"Really?\") { say(\"yes\"); } else { say(\"no\"); }", &["no"], "no"),
    ("debug/1", "debug(me.nest); debug(\"seen?\"); debug(me.mood); debug(prey.prey); say(\"quiet\");", &[], "quiet"),
    ("roll/1", "roll(me.nest); roll(prey); say(if prey.value >= 1 { \"rolled\" } else { \"lost\" });", &[], "rolled"),
    ("roll/2", "roll(me.nest, \"for luck\"); say(`${me.nest[1].value > 0}`);", &[], "true"),
    ("move_to/2", "for die in me.nest { move_to(die, me.den); } say(`${len(me.nest)} ${len(me.den)}`);", &[], "0 2"),
    ("move_to/4", "move_to(prey, me.den, \"dug\", `${text_of(prey)} digs`); say(`${len(me.den)}`);", &[], "1"),
    ("move_to_bottom/2", "move_to(me.nest[0], me.den); move_to_bottom(me.nest[0], me.den); say(`${me.den[0].size}`);", &[], "6"),
    ("shuffle/1", "move_to(me.nest, me.den); shuffle(me.den); say(`${len(me.den)}`);", &[], "2"),
    ("show/2", "show(me.nest, me.foe); say(\"shown\");", &[], "shown"),
    ("set/5", "set(me, \"flies\", 2, \"fed\", `${2} flies`); say(`${me.flies}`);", &[], "2"),
    ("add/5", "add(me, \"flies\", 2, \"fed\", \"flies!\"); say(`${me.flies}`);", &[], "2"),
    ("top/2", "move_to(me.nest, me.den); say(`${top(1, me.den)[0].size}`);", &[], "6"),
    ("sorts/1", "say(`${len(sorts(me.nest))}`);", &[], "2"),
    ("sides/0", "say(`${len(sides())}`);", &[], "2"),
    (
        "set/3",
        "set(me, \"flies\", 7); set(me, \"mood\", \"cross\"); set(prey, \"prey\", ()); say(`${me.flies} ${me.mood}`);",
        &[],
        "7 cross",
    ),
    ("add/3", "add(me, \"flies\", 7); add(me, \"flies\", -3); say(`${me.flies}`);", &[], "4"),
    ("mark/2", "mark(me.nest, \"wet\"); say(`${has_mark(prey, \"wet\")}`);", &[], "true"),
    ("mark/3", "mark(prey, \"wet\", end_of_this(\"day\")); say(`${has_mark(prey, \"wet\")}`);", &[], "true"),
    ("unmark/2", "mark(prey, \"wet\"); unmark(me.nest, \"wet\"); say(`${has_mark(prey, \"wet\")}`);", &[], "false"),
    ("has_mark/2", "say(`${has_mark(me, \"sleepy\")}`);", &[], "false"),
    ("is_a/2", "say(`${is_a(holder, \"frog\")} ${is_a(prey, \"frog\")}`);", &[], "true false"),
    ("end_of_this/1", "mark(me, \"sleepy\", end_of_this(\"match\")); say(`${has_mark(me, \"sleepy\")}`);", &[], "true"),
    ("end_of_next/1", "mark(me, \"sleepy\", end_of_next(\"day\")); say(`${has_mark(me, \"sleepy\")}`);", &[], "true"),
    ("end_of_next/2", "mark(me, \"sleepy\", end_of_next(\"day\", me.foe)); say(`${has_mark(me, \"sleepy\")}`);", &[], "true"),
    ("answer/1", "answer(\"silence\");", &[], "hush"),
    ("say/1", "say(\"hello\");", &[], "hello"),
    ("len/1", "say(`${len(me.nest)} ${len([1, 2, 3])} ${me.nest.len()} ${len(\"frog\")}`);", &[], "2 3 2 4"),
    (
        "contains/2",
        "say(`${contains(me.nest, prey)} ${prey in me.den} ${2 in [1, 2]} ${prey in [prey]}`);",
        &[],
        "true false true true",
    ),
    ("pieces/1", "let dice = pieces(me.nest); dice.reverse(); say(`${dice[0].size}`);", &[], "6"),
    ("option/1", "say(`${option(\"depth\") + 1} ${option(\"weather\")}`);", &[], "4 rainy"),
    ("text_of/1", "say(text_of(prey));", &[], "d4"),
];

#[test]
fn every_function_of_the_table_runs() {
    for row in ROWS {
        let key = format!("{}/{}", row.name, row.params.len());
        let (_, script, answers, wanted) =
            USES.iter().find(|(name, ..)| *name == key).unwrap_or_else(|| panic!("{key} is not tried"));
        let told = run(script, answers);
        assert_eq!(told.lines().next(), Some(*wanted), "{key}: {told}");
    }
    assert_eq!(USES.len(), ROWS.len());
}

#[test]
fn values_go_in_and_out() {
    assert_snapshot!(run("say(`${prey.owner == me} ${me.foe.nest[0].size} ${holder.side == me} ${me != me.foe}`);", &[]), @"true 8 true true");
    assert_snapshot!(run("let place = prey.place; if place != () { say(`${place == me.nest} ${len(place)}`); }", &[]), @"true 2");
    assert_snapshot!(run("say(`${prey.prey == ()}`); set(prey, \"prey\", me.nest[1]); let other = prey.prey; if other != () { say(text_of(other)); }", &[]), @r#"
    true
    d6
    "#);
    assert_snapshot!(run("move_to(me.nest, table.water); say(`${len(table.water)}`); let turn = table.turn_of; if turn == () { say(\"nobody's turn\"); }", &[]), @r#"
    2
    nobody's turn
    "#);
    assert_snapshot!(run("cheer(me, \"cross\"); feed(me, 3); soak(me.nest); swap(prey, ()); say(`${me.mood} ${me.flies} ${has_mark(prey, \"wet\")}`);", &[]), @r#"
    swapped
    cross 3 true
    "#);
    assert_snapshot!(run("let n = 1; while n < 100 { n *= 2; if n == 64 { break; } } let text = \"n\"; text += \"!\"; say(text + `${n} ${-n} ${n % 7} ${2 ** 5} ${n / 3}`);", &[]), @"n!64 -64 1 32 21");
    assert_snapshot!(run("for (die, i) in me.nest { say(`${i}: ${die.size}`); } for i in 0..2 { say(`${i}`); } for x in [3, 1] { say(`${x}`); }", &[]), @r#"
    0: 4
    1: 6
    0
    1
    3
    1
    "#);
    assert_snapshot!(run("say(`${is_empty(me.mood)} ${is_empty([])} ${is_empty(\"\")} ${len(me.mood)}`);", &[]), @"false true true 4");
    assert_snapshot!(run("let l = [3, 1]; l.push(2); l.insert(0, 5); l.reverse(); l.sort(); let a = l.pop(); let b = l.remove(0); say(`${a == 5} ${b == 1} ${l.index_of(3)} ${len(l)} ${abs(-1)} ${sign(-2)} ${min(1, 2)} ${max(1, 2)} ${is_odd(1)} ${is_even(1)} ${is_empty(l)} ${to_string(1)}`);", &[]), @"true true 1 2 1 -1 1 2 true false false 1");
}

#[test]
fn moving_pieces_does_not_disturb_a_walk() {
    assert_snapshot!(run("for die in me.nest { move_to(die, me.den); for other in me.den { say(`${die.size} ${other.size}`); } }", &[]), @r#"
    4 4
    6 4
    6 6
    "#);
}

#[test]
fn faults_name_their_line() {
    assert_snapshot!(run("say(\"before\");\nlet n = 1 / me.flies;", &[]), @r"
    LX0911 a number is divided by zero
      6: `let n = 1 / me.flies` here
    ");
    assert_snapshot!(run("let n = 1 % me.flies;", &[]), @r"
    LX0911 a number is divided by zero
      5: `let n = 1 % me.flies` here
    ");
    assert_snapshot!(run("let n = 2147483647;\nn += 1;", &[]), @r"
    LX0914 a number goes beyond 2,147,483,647
      6: `n += 1` here
    ");
    assert_snapshot!(run("let n = 10 ** 30;", &[]), @r"
    LX0914 a number goes beyond 2,147,483,647
      5: `let n = 10 ** 30` here
    ");
    assert_snapshot!(run("let n = 2 ** -1;", &[]), @r"
    LX0914 a number goes beyond 2,147,483,647
      5: `let n = 2 ** -1` here
    ");
    assert_snapshot!(run("let n = -2147483647; n = abs(n) + 1;", &[]), @r"
    LX0914 a number goes beyond 2,147,483,647
      5: `n = abs(n) + 1` here
    ");
    assert_snapshot!(run("let die = choose(me, \"Which?\", me.den);", &[]), @r#"
    LX0913 “Which?” has no options to choose from
      5: `let die = choose(me, "Which?", me.den)` here
    "#);
    assert_snapshot!(run("let dice = choose_some(me, \"Which?\", me.nest, 3, 4);", &[]), @r#"
    LX0913 3 must be chosen for “Which?”, but there are 2
      5: `let dice = choose_some(me, "Which?", me.nest, 3, 4)` here
    "#);
    assert_snapshot!(run("let n = choose_number(me, \"How many?\", 5, 2);", &[]), @r#"
    LX0913 there is no number from 5 to 2 for “How many?”
      5: `let n = choose_number(me, "How many?", 5, 2)` here
    "#);
    assert_snapshot!(run("let n = choose_number(me, \"How many?\", -2147483647, 2147483647 + 1);", &[]), @r#"
    LX0914 a number goes beyond 2,147,483,647
      5: `let n = choose_number(me, "How many?", -2147483647, 2147483647 + 1)` here
    "#);
    assert_snapshot!(run("let n = choose(me, \"Which?\", [1, 2000000000 * 2]);", &[]), @r#"
    LX0914 a number goes beyond 2,147,483,647
      5: `let n = choose(me, "Which?", [1, 2000000000 * 2])` here
    "#);
    assert_snapshot!(run("\nroll(me.nest[2]);", &[]), @r"
    LX0920 the list has no place 2: its length is 2, and the first place is 0
      6: `roll(me.nest[2])` here
    ");
    assert_snapshot!(run("let list = [1];\nlist[3] = 2;", &[]), @r"
    LX0920 the list has no place 3: its length is 1, and the first place is 0
      6: `list[3] = 2` here
    ");
    assert_snapshot!(run("let n = 21;\n\nset(me, \"flies\", n);", &[]), @r#"
    LX0932 `flies` would become 21, but it goes from 0 to 20
      7: `set(me, "flies", n)` here
    "#);
    assert_snapshot!(run("\nfeed(me, 99);", &[]), @r"
    LX0932 `flies` would become 99, but it goes from 0 to 20
      36: `add number to side.flies` here
      6: `feed(me, 99)` called here
    ");
    assert_snapshot!(said("fn act(me) {\n  deeper(me);\n}\nfn deeper(side) {\n  add(side, \"flies\", 2147483647 + side.flies + 1);\n}", &[]), @r#"
    LX0914 a number goes beyond 2,147,483,647
      8: `add(side, "flies", 2147483647 + side.flies + 1)` here
      5: `deeper(me)` called here
    "#);
}

#[test]
fn a_number_beyond_counting_is_a_fault_whether_anybody_watches_or_not() {
    let script = ability("fn act(me) { add(me, \"flies\", 2147483647 + 1); }");
    for watched in [true, false] {
        let program = game(POND, &[("act", &script)]).0.map(std::sync::Arc::new).unwrap();
        let sides = vec![vec!["frog".to_string()], vec!["toad".to_string()]];
        let setup =
            crate::runtime::Setup { sides, seed: 1.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched };
        let mut session = crate::runtime::Session::start(program, &setup).unwrap();
        let fault = answer(&mut session, "act").unwrap_err();
        assert_eq!(fault.message.to_string(), "a number goes beyond 2,147,483,647", "watched: {watched}");
    }
}

#[test]
fn nothing_goes_on_for_ever() {
    assert_snapshot!(played("fn act(me) {\n  while me.flies >= 0 { }\n}", &[]), @r"
    LX0912 the script ran for too long and was stopped
      5: `while me.flies >= 0` here
    ");
    assert_snapshot!(played("fn act(me) {\n  let n = 0;\n  while n < 1 { say(\"x\"); }\n}", &[]), @r"
    LX0912 the script ran for too long and was stopped
      6: `while n < 1` here
    ");
    assert_snapshot!(played("fn act(me) { deeper(1); }\nfn deeper(n) {\n  if n > 0 { deeper(n + 1); }\n}", &[]), @r"
    LX0931 the rules are nested too deeply: 200 procedures, functions, windows and effects are open
      6: `if n > 0` here
      6: `deeper(n + 1)` called here
      4: `deeper(1)` called here
    ");
    assert_snapshot!(played("fn act(me) {\n  let text = \"x\";\n  while me.flies >= 0 { text += text; }\n}", &[]), @r"
    LX0915 all lists together hold more than 500,000 values
      6: `text += text` here
    ");
    assert_snapshot!(played("fn act(me) {\n  let text = \"x\";\n  while me.flies >= 0 { text = `${text}${text}`; }\n}", &[]), @r"
    LX0915 all lists together hold more than 500,000 values
      6: `text = `${text}${text}`` here
    ");
    assert_snapshot!(played("fn act(me) {\n  let list = [1];\n  while me.flies >= 0 { list.push(1); }\n}", &[]), @r"
    LX0912 the script ran for too long and was stopped
      6: `list.push(1)` here
    ");
    assert_snapshot!(played("fn act(me) {\n  let list = [[1]];\n  while me.flies >= 0 { list.push(list[0]); }\n}", &[]), @r"
    LX0915 all lists together hold more than 500,000 values
      6: `list.push(list[0])` here
    ");
    assert_snapshot!(played("fn act(me) {\n  for i in 0..2147483647 { }\n}", &[]), @r"
    LX0912 the script ran for too long and was stopped
      5: `for i in 0..2147483647` here
    ");
    assert_snapshot!(played("fn act(me) {\n  for i in 0..2147483647 { for j in 0..i { feed(me, 0); } }\n}", &[]), @r"
    LX0915 the rules make more than 10,000 changes before they ask a player
      36: `add number to side.flies` here
      5: `feed(me, 0)` called here
    ");
    assert_snapshot!(played("fn act(me) {\n  while me.flies >= 0 { roll(me.nest); }\n}", &[]), @r"
    LX0915 the rules make more than 10,000 changes before they ask a player
      5: `roll(me.nest)` here
    ");
    // Where in the loop it is stopped may differ by what coverage adds and takes away again.
    let endless = crate::tests::scripting::testing::told(
        &mut start("fn act(me) {\n  while me.flies >= 0 { for die in me.nest { } }\n}"),
        &[],
    );
    assert!(endless.starts_with("LX0912 the script ran for too long and was stopped\n  5: "), "{endless}");
}

#[test]
fn procedures_and_nested_scripts_spend_what_their_script_has() {
    assert_snapshot!(played("fn act(me) {\n  while me.flies >= 0 { feed(me, 0); }\n}", &[]), @r"
    LX0915 the rules make more than 10,000 changes before they ask a player
      36: `add number to side.flies` here
      5: `feed(me, 0)` called here
    ");
    assert_snapshot!(played("fn act(me) {\n  spin();\n}", &[]), @r"
    LX0915 the rules make more than 10,000 changes before they ask a player
      41: `set table.turn_of to first of sides` here
      5: `spin()` called here
    ");
    // Another ability that works a little, set off again and again: the count is not begun anew.
    let outer = ability("fn act(me) {\n  while me.flies >= 0 { rest(me); }\n}");
    let inner =
        "//! ability nap \"Nap\"\n//! trigger nap at rested(active)\nfn nap(me) { let n = 0; for i in 0..100 { n += i; } }";
    let mut session = start_game(POND, &[("act", &outer), ("nap", inner)], Dice::Seeded);
    let problem = answer(&mut session, "act").unwrap_err();
    assert_snapshot!(shown(&[problem], &session.program().sources), @r"
    LX0915 the rules make more than 10,000 changes before they ask a player
      3: `let n = 0` here
      5: `rest(me)` called here
    ");
    // An ability that sets itself off.
    let inner = "//! ability nap \"Nap\"\n//! trigger nap at rested(active)\nfn nap(me) { rest(me); }";
    let mut session = start_game(POND, &[("act", &outer), ("nap", inner)], Dice::Seeded);
    let problem = answer(&mut session, "act").unwrap_err();
    assert_snapshot!(shown(&[problem], &session.program().sources), @r"
    LX0931 the rules are nested too deeply: 200 procedures, functions, windows and effects are open
      40: `open rested(active)` here
      3: `rest(me)` called here
      5: `rest(me)` called here
    ");
}

#[test]
fn a_fault_takes_play_back_to_the_question() {
    let mut session = start("fn act(me) { add(me, \"flies\", 5); if may(me, \"Go on?\") { while me.flies >= 0 { } } }");
    answer(&mut session, "act").unwrap();
    let before = session.clone();
    assert!(answer(&mut session, "yes").is_err());
    assert!(session.same_state(&before));
    answer(&mut session, "no").unwrap();
    assert!(session.verify_state().is_ok());
}

#[test]
fn a_script_may_ask_as_often_as_it_wants() {
    let mut session = start("fn act(me) { let asked = 0; while may(me, \"Again?\") { asked += 1; } say(`${asked}`); }");
    answer(&mut session, "act").unwrap();
    (0..500).for_each(|_| answer(&mut session, "yes").unwrap());
    session.take_events();
    answer(&mut session, "no").unwrap();
    assert!(session.take_events().iter().any(|event| event.text == "500"));
}

#[test]
fn operations_are_counted_from_the_beginning_of_the_script() {
    // A run after an answer does again what came before; that does not count twice.
    let text = "fn act(me) { for i in 0..40000 { } may(me, \"a\"); may(me, \"b\"); may(me, \"c\"); for i in 0..40000 { } say(\"done\"); }";
    assert_eq!(said(text, &["yes", "no", "yes"]).lines().next(), Some("done"));
}

#[test]
fn dice_from_outside_are_asked_for_inside_scripts() {
    let mut session = start_script(
        &ability("fn act(me) { roll(me.nest, \"luck\"); roll(me.nest[0]); say(`${me.nest[0].value}`); }"),
        Dice::External,
    );
    answer(&mut session, "act").unwrap();
    assert!(matches!(session.pending(), Pending::Random(_)));
    session.supply(&[3, 5]).unwrap();
    session.supply(&[2]).unwrap();
    let told: Vec<String> =
        session.take_events().into_iter().filter(|event| event.name == "said").map(|event| event.text).collect();
    assert_eq!(told.first().map(String::as_str), Some("2"));
}

#[test]
fn the_same_script_does_the_same_on_every_run() {
    let text = "fn act(me) { for die in me.nest { roll(die); if may(me, `Again ${die.value}?`) { roll(me.nest); } } say(`${me.nest[0].value}`); }";
    assert_eq!(played(text, &["yes", "yes"]), played(text, &["yes", "yes"]));
}

#[test]
fn sessions_are_cloned_at_questions_inside_scripts() {
    let mut session = start("fn act(me) { roll(me.nest); if may(me, \"Again?\") { roll(me.nest); } }");
    answer(&mut session, "act").unwrap();
    let mut other = session.clone();
    assert_eq!(decision(&other), decision(&session));
    answer(&mut session, "yes").unwrap();
    answer(&mut other, "yes").unwrap();
    assert!(session.same_state(&other));
}

#[test]
fn a_script_without_its_function_is_no_game() {
    let (program, problems, _) = game(POND, &[("act", &ability("fn act(me) { rol(me); }"))]);
    assert!(program.is_none());
    assert_eq!(problems.len(), 1);
}

#[test]
fn functions_are_explained() {
    assert_snapshot!(api::explain("roll").unwrap_or_default(), @r"
    roll(dice)

      Rolls a die, a list of dice, or all dice of a zone.

      dice: a die, a list of dice or a zone of dice
      gives nothing

    roll(dice, reason)

      Rolls dice; players who roll real dice read the reason.

      dice: a die, a list of dice or a zone of dice
      reason: a text
      gives nothing
    ");
    assert_eq!(api::explain("rol"), None);
}

/// The scripts in the documentation, each sound.
#[test]
fn the_examples_of_the_readme_are_sound() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = include_str!("../../../scripts/README.md");
    let examples: Vec<&str> = readme
        .split("```rhai\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .filter(|text| text.starts_with("//!"))
        .collect();
    assert_eq!(examples.len(), 2);
    let folders = ["rules/dice-challenge", "scripts/dice-challenge"];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap().flatten());
    let mut texts: BTreeMap<String, String> = entries
        .filter(|entry| entry.path().is_file())
        .map(|entry| (entry.path().strip_prefix(&root).unwrap().to_string_lossy().to_string(), entry.path()))
        .map(|(path, file)| (path, std::fs::read_to_string(file).unwrap()))
        .collect();
    for text in examples {
        let name = text.split_whitespace().nth(2).unwrap_or_default();
        texts.insert(format!("scripts/dice-challenge/{name}.rhai"), text.to_string());
    }
    let files = texts.into_iter().map(|(path, text)| File { path, text, library: "test".to_string() }).collect();
    let (library, _) = Library::new(files);
    let (program, problems) = library.compile("dice-challenge", &CompileRequest::default());
    let sound = problems.iter().all(|problem| !problem.code.starts_with("LX07"));
    assert!(program.is_some() && sound, "{}", shown(&problems, &library.sources));
}

#[test]
fn values_of_the_rules_are_called_by_their_names() {
    assert_snapshot!(run("say(`${heavy(prey)} ${heavy(me.nest[1])} ${dampness()} ${prize(2)} ${prize(dampness() + 1)} ${prize(9)} ${reach(me)}`);", &[]), @"false true 3 10 20 0 2");
    assert_snapshot!(run("for die in me.nest { if heavy(die) && prize(die.size - 3) == 10 { say(text_of(die)); } }", &[]), @"d6");
}

#[test]
fn events_have_the_names_and_sentences_that_scripts_give_them() {
    let script = "fn act(me, prey) { set(me, \"flies\", 3, \"fed\", `${text_of(me)} has eaten`); move_to(prey, me.den, \"dug\", `${text_of(prey)} digs`); }";
    assert_snapshot!(played(script, &[]), @r"
    chose: Frog: use Act
    used: Frog uses Act
    fed: Frog has eaten
    dug: d4 digs
    ");
}

#[test]
fn a_comment_behind_a_statement_cites_rules() {
    let script = "fn act(me, prey) {\n  roll(prey); // @P-1 @P-2 the first roll\n  if me.flies == 0 { // @P-3\n    roll(prey);\n  }\n  add(me, \"flies\", 1);\n}";
    let mut session = start(script);
    session.take_events();
    answer(&mut session, "act").unwrap();
    let cited: Vec<String> =
        session.take_events().iter().map(|event| format!("{}: {:?}", event.name, event.cause.rules)).collect();
    assert_snapshot!(cited.join("\n"), @r#"
    chose: []
    used: []
    rolled: ["P-1", "P-2"]
    rolled: []
    set: []
    "#);
}

#[test]
fn lists_are_joined() {
    assert_snapshot!(run("let all = me.nest + me.foe.nest; say(`${len(all)} ${len([1] + [2, 3])} ${len(me.nest + [prey])}`);", &[]), @"3 3 3");
}

#[test]
fn functions_without_a_name_ask_about_each_member() {
    assert_snapshot!(run("let big = me.nest.filter(|die| die.size > 5); let sizes = me.nest.map(|die| die.size * 2); say(`${len(big)} ${sizes[0]} ${sizes[1]}`);", &[]), @"1 8 12");
    assert_snapshot!(run("let least = 5; say(`${me.nest.some(|die| die.size > least)} ${all(me.nest, |die| die.size > least)} ${[1, 2, 3].filter(|n| is_odd(n) && n > 1)[0]}`);", &[]), @"true false 3");
    assert_snapshot!(run("let dice = me.nest.filter(|die| sides().all(|side| side.flies < die.size)); say(`${len(dice)} ${me.nest.filter(|die| { heavy(die) }).map(|die| die.size)[0]}`);", &[]), @"2 6");
}

#[test]
fn a_granted_move_does_what_the_function_of_its_name_says() {
    let script = r#"//! ability act "Act"
//! offer act at hopped(active, prey)
//!   when active is me
//! grant dive(die in active.nest) is hop
//!   when active is me
//!   says "dive with {die}"
//!   gives dice = [die]
fn act(me) {
    let hop = may_choose_move(me, "Hop?", "hop", "stay");
    if hop != () { do_move(hop); }
}
fn dive(die, active, me, holder) {
    move_to(die, active.den);
    say(`${len(active.den)} ${active == me && holder.side == me} ${may(me, "Deeper?")}`);
}
"#;
    let mut session = start_script(script, Dice::Seeded);
    let happened = testing::told(&mut session, &["dive(1)", "yes"]);
    assert!(happened.contains("said: 1 true true"), "{happened}");
}

/// Without a function a granted move only happens; a function of no such name is told, with the name that it may have wanted.
#[test]
fn a_function_that_misses_the_name_of_a_granted_move_is_told() {
    let header = "//! ability act \"Act\"\n//! grant dive(die in active.nest) is hop\n//!   says \"dive with {die}\"\n//!   gives dice = [die]\n";
    let told = |functions: &str| {
        let (_, problems, sources) = game(POND, &[("act", &format!("{header}{functions}"))]);
        shown(&problems, &sources)
    };
    assert_snapshot!(told(""), @"");
    assert_snapshot!(told("fn dve(die) { roll(die); }"), @r#"
    LX0705 nothing calls `dve`
      5: `dve` never called
      help: did you mean `dive`?
    "#);
    assert_snapshot!(told("fn dive(dei) { answer(\"splash\"); }"), @r#"
    LX0718 `dei` is not known to `dive`
      5: `dei` not known
      help: did you mean `die`?
    LX0301 a move answers no hook, so there is no answer `splash`
      5: `"splash"` not known
      help: there is none here; leave this out
    "#);
}

#[test]
fn nobody_at_the_table_sees_what_a_script_prints_for_tests() {
    let happened = played("fn act(me) { debug(\"a hidden card\"); say(\"heard\"); }", &[]);
    assert!(happened.contains("heard") && !happened.contains("hidden"), "{happened}");
}
