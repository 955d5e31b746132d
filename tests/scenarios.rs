//! `ludex test`, as it is shipped.

use crate::support::{Folder, Run, ludex, ludex_in};
use std::path::Path;

/// Runs one scenario of the bundled game from a folder of its own.
fn judge(name: &str, scenario: &str) -> Run {
    let folder = Folder::new(name);
    let file = folder.write("rules/dice-challenge/scenarios/mine.yaml", scenario);
    ludex(&["test", &file])
}

/// A turn of side 0, whose dice are a, b and c against x and y.
fn turn(random: &str, play: &str) -> String {
    format!(
        "- name: a turn
  shows: [DC-021]
  position:
    sides:
      - entrants: [sailor-mercury]
        zones: {{in_play: [{{id: a, size: 4, value: 2}}, {{id: b, size: 6, value: 5}}, {{id: c, size: 8, value: 3}}]}}
      - entrants: [kunzite]
        zones: {{in_play: [{{id: x, size: 6, value: 4}}, {{id: y, size: 20, value: 5}}]}}
    at: turn(active: 0)
  random: {random}
{play}"
    )
}

fn fails(name: &str, scenario: &str, words: &[&str]) {
    let run = judge(name, scenario);
    assert_eq!(run.status, 1, "{}\n{}", run.stdout, run.stderr);
    for word in words {
        assert!(run.stderr.contains(word), "`{word}` is not in\n{}", run.stderr);
    }
}

#[test]
fn the_bundled_scenarios_reach_everything() {
    let run = ludex(&["test", "--coverage"]);
    assert_eq!(run.status, 0, "{}\n{}", run.stdout, run.stderr);
}

/// Runs the scenarios of the bundled game and one of an ability that stands in the folder, for coverage.
fn cover(name: &str, rolls: &str) -> Run {
    second_look(name, SECOND_SIGHT, rolls, &["--coverage"])
}

/// The same with another script, and with these arguments.
fn second_look(name: &str, script: &str, rolls: &str, arguments: &[&str]) -> Run {
    let folder = Folder::new(name);
    folder.write("characters/dice-challenge/night-owl.yaml", NIGHT_OWL);
    folder.write("scripts/dice-challenge/second-sight.rhai", script);
    folder.write(
        "rules/dice-challenge/scenarios/second-sight.yaml",
        &format!(
            "- name: a second look
  position:
    sides:
      - entrants: [night-owl]
        zones: {{in_play: [{{id: a, size: 12, value: 6}}, {{id: b, size: 4, value: 4}}]}}
      - entrants: [kunzite]
        zones: {{in_play: [{{id: x, size: 20, value: 1}}]}}
    at: turn(active: 0)
  random: {rolls}
  play:
    - 0: second_sight(a)
    - expect: [rolled(a)]
    - 0: second_sight(b)
    - expect: [rolled(b)]
"
        ),
    );
    let path = folder.path();
    ludex(&[&["test", "dice-challenge", "--library", &path], arguments].concat())
}

const NIGHT_OWL: &str = "name: Night Owl
starting: [6, 6, 8, 12]
reserve: [4, 10, 10, 20]
abilities: [second-sight]
provenance: {starting: ours, reserve: ours}
";

const SECOND_SIGHT: &str = "//! ability second-sight \"Second Sight\"
//!   \"Before an attack, roll one of your dice again and keep the better result.\"
//! uses 3 per match
//!
//! offer second_sight(die in me.in_play) at turn_begins(active)
//!   says \"roll {die} again and keep the better result\"

fn second_sight(die) {
    let before = die.value;
    roll(die);
    if die.value < before {
        better(die, before);
    }
}

fn better(die, value) {
    set(die, \"value\", value);
}
";

#[test]
fn coverage_counts_what_scripts_do() {
    let run = cover("all of it", "[2, 4]");
    assert_eq!(run.status, 0, "{}\n{}", run.stdout, run.stderr);
    let run = cover("half of it", "[7, 4]");
    assert_eq!(run.status, 1, "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.contains(", 0 failed"), "{}", run.stdout);
    for gap in [
        "second-sight.rhai:11:8: never true: die.value < before",
        "second-sight.rhai:12:9: never reached: better(die, before)",
        "second-sight.rhai:17:5: never reached: set(die, \"value\", value)",
    ] {
        assert!(run.stdout.contains(gap), "`{gap}` is not in\n{}", run.stdout);
    }
    assert_eq!(run.stdout.lines().count(), 6, "{}", run.stdout);
    let run = cover("the other half", "[2, 3]");
    assert!(run.stdout.ends_with("second-sight.rhai:11:8: always true: die.value < before\n"), "{}", run.stdout);
}

#[test]
fn what_scripts_print_is_shown_also_before_a_fault() {
    let printing = SECOND_SIGHT.replace(
        "    if die.value",
        "    debug(before);\n    debug(`rolled ${die.value}`);\n    debug([die]);\n    debug(die.owner);\n    if die.value",
    );
    let run = second_look("prints", &printing, "[2, 4]", &[]);
    assert_eq!(run.status, 0, "{}\n{}", run.stdout, run.stderr);
    let lines: Vec<&str> = run.stdout.lines().map(|line| line.rsplit('/').next().unwrap_or(line)).collect();
    let expected = [
        "second-sight.yaml:1: a second look prints",
        "second-sight.rhai:11: 6",
        "second-sight.rhai:12: rolled 2",
        "second-sight.rhai:13: d12:2",
        "second-sight.rhai:14: Night Owl",
        "second-sight.rhai:11: 4",
        "second-sight.rhai:12: rolled 4",
        "second-sight.rhai:13: d4:4",
        "second-sight.rhai:14: Night Owl",
    ];
    assert_eq!(lines[..expected.len()], expected, "{}", run.stdout);
    let faulty = printing.replace("better(die, before)", "better(die, before / (before - before))");
    let run = second_look("prints before a fault", &faulty, "[2, 4]", &[]);
    assert_eq!(run.status, 1, "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("second-sight.rhai:12: rolled 2"), "{}", run.stdout);
}

#[test]
fn a_scenario_passes_when_all_is_as_expected() {
    let play = "  play:
    - 0: {only: [power_attack(b > x), power_attack(b > y), skill_attack(c+a > y)], not: {power_attack(a > x): \"\"}}
    - 0: power_attack(b > x)
    - expect: [captured(x by 0), rolled(b, 6)]
  then: {sides: [{zones: {captured: [x]}}], outcome: none}
";
    let run = judge("passes", &turn("[6]", play));
    assert_eq!(run.status, 0, "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("1 scenario, 0 failed"), "{}", run.stdout);
}

#[test]
fn the_first_step_that_differs_is_told_with_what_happened() {
    let play = "  play:\n    - 0: power_attack(b > x)\n    - expect: [captured(x by 0), rolled(b, 5)]\n";
    fails("events", &turn("[6]", play), &["LX0811", "mine.yaml", "expected `rolled(b, 5)`", "rolled(b, 6 by 0)"]);
}

#[test]
fn options_are_compared() {
    let play = "  play:\n    - 0: {legal: [power_attack(a > x)]}\n";
    fails("legal", &turn("[]", play), &["LX0812", "`power_attack(a > x)` should be possible", "power_attack(b > x)"]);
    let play = "  play:\n    - 0: {not: {power_attack(b > x): \"\"}}\n";
    fails("not", &turn("[]", play), &["`power_attack(b > x)` should not be possible"]);
    let play = "  play:\n    - 0: {only: [power_attack(b > x)]}\n";
    fails("only", &turn("[]", play), &["LX0812"]);
}

#[test]
fn a_rule_that_is_shown_stands_in_the_table() {
    let play = "  play:\n    - 0: power_attack(b > x)\n    - expect: [captured(x by 0)]\n";
    let shown = turn("[6]", play).replace("DC-021", "DC-210");
    fails("shows", &shown, &["LX0312", "there is no rule `DC-210`"]);
}

#[test]
fn what_is_ruled_out_must_be_something_that_the_game_has() {
    let cases = [
        ("power_atack(a > x)", "there is no move called `power_atack`", "did you mean `power_attack`?"),
        ("nonsense", "there is no move called `nonsense`", "`nonsense` is never possible, so this tests nothing"),
        ("power_attack(a > zz)", "nothing is called `zz`", "`power_attack(a > zz)` is never possible"),
        ("power_attack(a)", "`power_attack` takes `die` and `target`, separated by `>`", "LX0812"),
        ("power_attack(a > x", "`power_attack(a > x` is not a key", "write it as in `name(a+b > c)`"),
        ("choose(kunzyte)", "nothing is called `kunzyte`", "never possible"),
    ];
    for (key, reason, help) in cases {
        let play = format!("  play:\n    - 0: {{not: [\"{key}\"]}}\n");
        fails("misspelt", &turn("[]", &play), &[reason, help]);
    }
    let play = "  play:\n    - 0: {not: {\"power_atack(a > x)\": \"DC-021\"}}\n";
    fails("with a reason", &turn("[]", play), &["there is no move called `power_atack`"]);
}

#[test]
fn what_the_game_has_and_does_not_offer_may_be_ruled_out() {
    let keys = "power_attack(a > x), skill_attack(a+b > x), pass, planet_power, choose(a), choose(a+x), a, 3, number(4), order(a+b), choose(kunzite)";
    let play = format!("  play:\n    - 0: {{not: [{keys}]}}\n");
    let run = judge("ruled out", &turn("[]", &play));
    assert_eq!(run.status, 0, "{}\n{}", run.stdout, run.stderr);
}

#[test]
fn every_listed_result_is_used() {
    let play = "  play:\n    - 0: power_attack(b > x)\n    - expect: [captured(x)]\n";
    fails("left over", &turn("[6, 3]", play), &["LX0814", "the result 3 is left over"]);
    fails("missing", &turn("[]", play), &["LX0814", "a result is needed, but none is listed"]);
}

#[test]
fn the_right_seat_is_asked() {
    let play = "  play:\n    - 1: power_attack(y > a)\n    - expect: [captured(a)]\n";
    fails("seat", &turn("[]", play), &["LX0815", "seat 1 should be asked, but seat 0 is"]);
}

#[test]
fn an_answer_that_is_no_option_is_told() {
    let play = "  play:\n    - 0: skill_attack(a+b > x)\n    - expect: [captured(x)]\n";
    fails("answer", &turn("[]", play), &["LX0816", "this cannot be chosen"]);
}

#[test]
fn the_end_is_compared() {
    let play = "  play:\n    - 0: power_attack(b > x)\n  then: {sides: [{zones: {captured: [y]}, counters: {tokens: 1}}], outcome: tie}\n";
    fails("end", &turn("[6]", play), &["LX0813", "`tokens` of side 0 should be 1, but is 0", "found [{id: x"]);
}

#[test]
fn every_scenario_of_the_page_passes() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/SCENARIOS.md")).unwrap();
    let blocks = page.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next());
    // Entries of `unnoticed.yaml` are no scenarios.
    let scenarios: Vec<&str> = blocks.filter(|block| !block.starts_with("- in:")).collect();
    assert!(scenarios.len() >= 3, "only {} scenarios were found", scenarios.len());
    for (number, scenario) in scenarios.into_iter().enumerate() {
        let folder = Folder::outside(&format!("page-of-scenarios-{number}"));
        let run = ludex(&["test", &folder.write("scenario.yaml", scenario)]);
        assert_eq!(run.status, 0, "{scenario}\n{}\n{}", run.stdout, run.stderr);
        assert!(run.stdout.contains("1 scenario, 0 failed"), "{}", run.stdout);
    }
}

#[test]
fn a_scenario_must_be_able_to_fail() {
    fails("empty", &turn("[6]", "  play:\n    - 0: power_attack(b > x)\n"), &["LX0810", "checks nothing"]);
}

#[test]
fn a_target_that_is_not_there_is_told() {
    let run = ludex(&["test", "dice-chalenge"]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("did you mean `dice-challenge`?"), "{}", run.stderr);
}

/// A game whose sides bring nothing: a stone is thrown, and then one question answers itself.
const STONES: &str = r#"ludex 1
game stones "Stones"
sides 2
die sizes 6
type mood is one of glad, sad
each side has {
  counter score in 0..9
  luck: number
  mood: mood
  rival: side or none
  hope: halves
  best: die or none
  sure: flag
  zone pile: dice, open
}
each side has { mark lucky "has luck" }
the table has { counter thrown  next_up: side or none  secret: number }
family throw(active: side) {}
action far() is throw says "throw far" do { add 2 to thrown as flew "it flies"  add half of 3 to side_on_turn.hope }
action near() is throw says "throw near" do { add 1 to thrown as flew "it flies" }
define side_on_turn = if next_up is none then first of sides else next_up
to play {
  set next_up to first of sides
  repeat at most 20 times until thrown > 8 { if next_up is not none { do turn(next_up) } } otherwise { finish with nobody }
  finish with sides
}
entry scope turn(active: side) {
  active must choose throw as throw else { stop turn }
  do throw
  active must choose number in 1..1 as one
  add one to active.score
  set active.luck to active.luck + 1
  set next_up to active.foe
}
"#;

const THROWN: &str = "- name: a throw
  game: stones
  position:
    sides:
      - {counters: {luck: 3, mood: sad, rival: 1, hope: 1.5, sure: yes}, marks: [lucky], zones: {pile: [{id: a, size: 6, value: 2}]}}
      - {}
    table: {thrown: 1, next_up: 0, secret: 7}
    at: turn(active: 0)
  play:
    - exactly: []
";

/// Runs a scenario of that game, which goes on so, from a file beside it.
fn thrown(name: &str, rest: &str) -> Run {
    let folder = Folder::new(name);
    folder.write("lib/rules/stones/stones.ludex", STONES);
    let file = folder.write("thrown.yaml", &format!("{THROWN}{rest}"));
    ludex(&["test", &file, "--library", &folder.file("lib").to_string_lossy()])
}

#[test]
fn a_scenario_says_whose_it_is_and_may_check_the_table_right_after_an_answer() {
    let rest = "    - 0: far
    - exactly: [flew(2 more), set(hope, 1.5 more by 0)]
    - check:
        sides: [{counters: {luck: 3, score: 0, mood: sad, rival: 1, hope: 3, best: none, sure: yes}, marks: [lucky]}]
        table: {thrown: 3, secret: 7, next_up: side 0}
    - exactly: [set(score, 1 more by 0), set(luck, 4), set(next_up)]
    - 1: {only: [far, near]}
    - 1: near
    - check: {sides: [{}, {counters: {luck: 0}}]}
  then: {sides: [{counters: {luck: 4, rival: side 1}}, {counters: {score: 0}}], outcome: none}
";
    let run = thrown("scenarios-check", rest);
    assert_eq!(run.status, 0, "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("stones: 1 scenario, 0 failed"), "{}", run.stdout);
}

#[test]
fn an_amount_for_a_total_and_what_is_not_so_are_told() {
    let told = |name: &str, rest: &str, words: &[&str]| {
        let run = thrown(name, rest);
        assert_eq!(run.status, 1, "{}\n{}", run.stdout, run.stderr);
        for word in words {
            assert!(run.stderr.contains(word), "`{word}` is not in\n{}", run.stderr);
        }
    };
    told("scenarios-amount", "    - 0: far\n    - expect: [flew(2)]\n", &["a number alone is the new value", "`flew(2"]);
    let check = "    - 0: far\n    - check: {sides: [{marks: [], counters: {luck: 4, rival: 0}}], table: {secret: 8}}\n";
    told("scenarios-check-fails", check, &["LX0813", "found [lucky]", "found 3", "found side 1", "found 7"]);
    told("scenarios-check-refused", "    - check: {refused: \"x\"}\n", &["LX0212", "only in `then`"]);
}

#[test]
fn scenarios_of_one_folder_are_run_together_and_alone() {
    let folder = Folder::new("scenarios-of-one-folder");
    let scenario = turn("[6]", "  play:\n    - 0: power_attack(b > x)\n    - expect: [captured(x)]\n");
    let (one, other) = (folder.write("one.yaml", &scenario), folder.write("other.yaml", &scenario));
    let run = ludex(&["test", &one, &other]);
    assert!(run.stdout.contains("dice-challenge: 2 scenarios, 0 failed"), "{}\n{}", run.stdout, run.stderr);
    folder.write("rules/dice-challenge/scenarios/mine.yaml", &scenario);
    for path in ["rules/dice-challenge/scenarios", "rules/dice-challenge", "rules"] {
        let run = ludex(&["test", &folder.file(path).to_string_lossy()]);
        assert!(run.stdout.contains("dice-challenge: 1 scenario, 0 failed"), "{path}: {}\n{}", run.stdout, run.stderr);
    }
}

/// Wherever the game is: the folder of the scenario need not come behind it.
#[test]
fn a_folder_of_scenarios_alone_is_for_a_game_of_another_library() {
    let folder = Folder::new("scenarios-alone");
    folder.write("lib/rules/stones/stones.ludex", STONES);
    let alone = format!(
        "{THROWN}    - 0: far\n    - exactly: [flew(2 more), set(hope, 1.5 more by 0)]\n    - check: {{table: {{thrown: 3}}}}\n"
    );
    let mine = Folder::new("scenarios-alone-mine");
    mine.write("rules/stones/scenarios/thrown.yaml", &alone);
    let file = "rules/stones/scenarios/thrown.yaml";
    let run = ludex_in(&mine, &["test", file, "--library", &folder.file("lib").to_string_lossy()], "");
    assert!(run.stdout.contains("stones: 1 scenario, 0 failed"), "{}\n{}", run.stdout, run.stderr);
    let run = ludex_in(&mine, &["test", file], "");
    assert!(run.stderr.contains("there is no game `stones`"), "{}", run.stderr);
    assert!(!run.stderr.contains("there are no scenarios"), "{}", run.stderr);
}

const BIDS: &str = r#"ludex 1
game bids "Bids"
sides 2
type fruit (fruits) is one of fig, lime_green
each side has { bids: list of number in 0..9, at most 3, shown  eaten: list of fruit, at most 3 }
the table has { order: list of side, at most 2 }
to play { do round(first of sides) }
entry to round(me: side) {
  me must choose number in 1..5 as bid
  add bid to me.bids as bade "{me} bids {bid}"
  add fig to me.eaten
  set order to [me.foe, me]
  take 1 from me.foe.bids
  me must choose number in 1..5 as last
  say "{last}"
}
"#;

#[test]
fn lists_are_set_expected_and_told_member_by_member() {
    let run = |name: &str, expected: &str| {
        let folder = Folder::new(name);
        folder.write("lib/rules/bids/bids.ludex", BIDS);
        let scenario = format!(
            "- name: bids
  game: bids
  position:
    sides: [{{counters: {{bids: [4], eaten: [lime_green]}}}}, {{counters: {{bids: [1, 2, 1]}}}}]
    table: {{order: [0]}}
    at: round(me: 0)
  play:
    - 0: number(5)
    - expect: [bade(4, 5 by 0), set(order), set(bids, 2)]
  then:
    sides: [{{counters: {{bids: [4, 5], eaten: [lime_green, fig]}}}}, {{counters: {{bids: [2], eaten: []}}}}]
    table: {{order: {expected}}}
"
        );
        let file = folder.write("bids.yaml", &scenario);
        ludex(&["test", &file, "--library", &folder.file("lib").to_string_lossy()])
    };
    let right = run("lists", "[1, 0]");
    assert!(right.stdout.contains("bids: 1 scenario, 0 failed"), "{}\n{}", right.stdout, right.stderr);
    let wrong = run("lists-wrong", "[0, 1]");
    assert!(wrong.stderr.contains("`order` should be [0, 1], but is [side 1, side 0]"), "{}", wrong.stderr);
}

#[test]
fn a_scenario_of_another_game_than_its_file_is_refused() {
    let words = ["LX0005", "this scenario is for `dicewing`, but its file belongs to `dice-challenge`"];
    fails("another-game", &turn("[6]", "  game: dicewing\n  then: {outcome: none}\n"), &words);
}

#[test]
fn names_of_a_position_are_keys_where_people_and_programs_play() {
    let folder = Folder::new("names-of-a-position");
    let scenario = turn("[]", "");
    let position = scenario.split("  position:\n").nth(1).and_then(|rest| rest.split("  random").next()).unwrap();
    let position: String =
        position.lines().filter_map(|line| line.strip_prefix("    ")).map(|line| format!("{line}\n")).collect();
    let file = folder.write("position.yaml", &format!("ludex-position: 1\ngame: dice-challenge\n{position}"));
    for key in ["skill_attack(c+a > y)", "skill_attack(2+a>y)", "power_attack(b > x)"] {
        let input = format!("{{\"choose\":1,\"key\":\"{key}\"}}\n");
        let run = crate::support::ludex_in(&folder, &["host", "dice-challenge", "--position", &file], &input);
        assert!(run.stdout.contains("\"chose\"") && !run.stdout.contains("rejected"), "{key}: {}\n{}", run.stdout, run.stderr);
    }
}

#[test]
fn what_was_answered_without_asking_is_told_where_a_step_does_not_fit() {
    let folder = Folder::new("answered by itself");
    folder.write(
        "rules/pond/pond.ludex",
        "ludex 1
game pond \"Pond\"
sides 2
type sign is one of leaf, stone
to play {
  let me = first of sides
  me must choose a sign as shown
  me.foe must choose number in 1..1 as height
  roll 1 d6 as luck
  me must choose number in 1..3 as length
  if length = height or shown is leaf or sum of luck = 1 { finish with me }
}
",
    );
    let told = |random: &str, steps: &str| {
        let scenario =
            format!("- name: a step too many\n  start: {{}}\n  random: {random}\n  play:\n{steps}  then: {{outcome: win}}\n");
        folder.write("rules/pond/scenarios/steps.yaml", &scenario);
        let run = ludex(&["test", "pond", "--library", &folder.path()]);
        assert_eq!(run.status, 1, "{}\n{}", run.stdout, run.stderr);
        run.stderr.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let answered = "help: this was answered without asking: number(1) by 1;";
    for (random, steps) in [
        ("[3]", "    - 0: leaf\n    - 1: 1\n    - 0: 2\n"),
        ("[3]", "    - 0: leaf\n    - 0: 9\n"),
        ("[3]", "    - 0: leaf\n    - 0: {legal: [leaf]}\n"),
        ("[]", "    - 0: leaf\n    - 0: 2\n"),
    ] {
        let run = told(random, steps);
        assert!(run.contains(answered), "{run}");
    }
    assert!(!told("[3]", "    - 0: water\n").contains("without asking"));
}

/// Cards have fields and are no dice: what was found is shown with the fields that were expected.
#[test]
fn cards_that_were_found_are_shown_with_what_was_expected_of_them() {
    let folder = Folder::empty("scenarios-found-cards");
    folder.write(
        "rules/rows/rows.ludex",
        "ludex 1\ngame rows \"Rows\"\nsides 2\npiece ticket (tickets) { counter bulls: number = 1 in 0..9 }\n\
         the table has { zone row: tickets, open }\n\
         to play {\n  first of sides must choose 1 in row as ticket \"Which?\"\n  add 2 to ticket.bulls\n  finish with nobody\n}\n",
    );
    folder.write(
        "rules/rows/scenarios/bulls.yaml",
        "- name: bulls\n  position: {table: {row: [{id: p, bulls: 4}, {id: q, bulls: 1}]}}\n  play:\n    - 0: choose(p)\n\
         \x20 then: {table: {row: [{id: p, bulls: 7}, {id: q, bulls: 1}]}}\n",
    );
    let tested = ludex_in(&folder, &["test", "rows"], "");
    assert_eq!(tested.status, 1);
    assert!(tested.stderr.contains("[{id: p, bulls: 6}, {id: q, bulls: 1}]"), "{}", tested.stderr);
}
