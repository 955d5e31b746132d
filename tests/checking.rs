//! What `check` finds in scenarios, positions and citations without playing anything, and how it tells it.

use crate::support::{Folder, Run, ludex_in};
use insta::assert_snapshot;
use serde_json::Value;
use std::path::Path;

/// The small game of the examples of codes, in a folder of its own.
pub fn ponds(name: &str) -> Folder {
    let folder = Folder::empty(&format!("checking {name}"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/codes/ponds");
    for path in crate::engine_names_no_game::files(&root, &["ludex", "yaml", "rhai"]) {
        let within = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        folder.write(&within, &std::fs::read_to_string(&path).unwrap());
    }
    folder
}

/// The problems of a run of `check --format json`, by their places.
pub fn problems(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    let run = check(folder, &[arguments, &["--format", "json"]].concat());
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}{}", run.stdout, run.stderr));
    let mut problems = report["problems"].as_array().unwrap().clone();
    problems.sort_by_key(|problem| (problem["file"].as_str().map(str::to_string), problem["line"].as_u64()));
    problems
}

pub fn check(folder: &Folder, arguments: &[&str]) -> Run {
    ludex_in(folder, &[&["check"], arguments].concat(), "")
}

/// Each scenario has one mistake, which is told on its line, alone, with the word that is meant.
#[test]
fn scenarios_are_checked_without_being_played() {
    let sound = "
  position: {sides: [{entrants: [otter], zones: {pond: [{id: a, size: 6, value: 3}]}}, {entrants: [heron]}], at: day(active: 0)}
  random: [3]
  play:
    - 0: leap(a)
    - expect: [rolled(a, 3), marked(a, tired), found_pebble(1 by 0)]
    - check: {sides: [{counters: {pebbles: 1}, zones: {pond: [{id: a, size: 6, marks: [tired]}]}}], table: {next_up: 1}}
  then: {outcome: none}
";
    let mistakes = [
        // the keys of a scenario and of its parts
        ("  play:", "  plaay:", "LX0212", "play"),
        ("  position:", "  postion:", "LX0212", "position"),
        ("  then:", "  tehn:", "LX0212", "then"),
        ("- expect:", "- expct:", "LX0212", "expect"),
        ("outcome:", "outcom:", "LX0212", "outcome"),
        ("outcome: none", "outcome: nome", "LX0214", "none"),
        // a position
        ("sides: [{entrants", "sidse: [{entrants", "LX0212", "sides"),
        ("[{entrants: [otter]", "[{entrnts: [otter]", "LX0212", "entrants"),
        ("[{entrants: [otter]", "[{entrants: [oter]", "LX0006", "otter"),
        ("zones: {pond: [{id: a, size: 6, value", "zones: {pnod: [{id: a, size: 6, value", "LX0802", "pond"),
        ("size: 6, value: 3", "sizee: 6, value: 3", "LX0310", "size"),
        ("day(active: 0)", "dya(active: 0)", "LX0804", "day"),
        ("], at: day", "], options: {pebbles_to_wim: 3}, at: day", "LX0309", "pebbles_to_win"),
        // steps
        ("- 0: leap(a)", "- 2: leap(a)", "LX0815", ""),
        ("- 0: leap(a)", "- 0: laep(a)", "LX0816", "leap"),
        ("- 0: leap(a)", "- 0: leap(ab)", "LX0816", "a"),
        ("- 0: leap(a)", "- 0: {dei: a}", "LX0816", "die"),
        ("- 0: leap(a)", "- 0: {legal: [laep(a)]}", "LX0812", "leap"),
        ("- 0: leap(a)", "- 0: {legla: [leap(a)]}", "LX0816", "legal"),
        ("- 0: leap(a)", "- 0: {not: [leap(ab)]}", "LX0812", "a"),
        // events
        ("found_pebble(", "found_peble(", "LX0827", "found_pebble"),
        ("rolled(a,", "roled(a,", "LX0827", "rolled"),
        ("rolled(a,", "rolled(b,", "LX0828", "a"),
        ("marked(a, tired)", "marked(a, tird)", "LX0828", "tired"),
        ("1 by 0)]", "1 by 2)]", "LX0828", ""),
        ("- check: {sides", "- exactly: []\n    - expect: [rolled]\n    - check: {sides", "LX0828", ""),
        // what the table must look like
        ("counters: {pebbles", "counters: {pebles", "LX0310", "pebbles"),
        ("{pebbles: 1}", "{pebbles: many}", "LX0210", ""),
        ("zones: {pond: [{id: a, size: 6, marks", "zones: {ponds: [{id: a, size: 6, marks", "LX0802", "pond"),
        ("marks: [tired]", "marks: [tierd]", "LX0305", "tired"),
        ("table: {next_up", "table: {nextup", "LX0310", "next_up"),
        ("[{id: a, size: 6, marks", "[{id: ab, size: 6, marks", "LX0803", "a"),
    ];
    let folder = ponds("scenarios");
    let scenario = |number: usize, (from, to, ..): &(&str, &str, &str, &str)| {
        let text = sound.replacen(from, to, 1);
        assert_ne!(text, sound, "{from}");
        format!("- name: Mistake {number}{text}")
    };
    let texts: Vec<String> = mistakes.iter().enumerate().map(|(number, mistake)| scenario(number, mistake)).collect();
    folder.write("rules/ponds/scenarios/sound.yaml", &format!("- name: No mistake{sound}"));
    folder.write("rules/ponds/scenarios/wrong.yaml", &texts.concat());
    let mut found = problems(&folder, &["rules/ponds/scenarios"]).into_iter();
    let mut line = 1;
    for ((from, to, code, near), text) in mistakes.iter().zip(&texts) {
        let problem = found.next().unwrap_or_else(|| panic!("{to} is not found"));
        let last = to.lines().rfind(|part| !part.starts_with("    - check")).unwrap();
        let at = line + text.lines().position(|line| line.contains(last.trim())).unwrap() as u64;
        assert_eq!((problem["code"].as_str(), problem["line"].as_u64()), (Some(*code), Some(at)), "{from} → {to}: {problem}");
        let help = problem["help"].as_str().unwrap_or_default();
        assert!(near.is_empty() || help == format!("did you mean `{near}`?"), "{to}: {problem}");
        line += text.lines().count() as u64;
    }
    assert_eq!(found.next(), None);
}

#[test]
fn what_no_table_lists_is_not_cited() {
    let folder = ponds("citations");
    folder.write(
        "rules/ponds/README.md",
        "| id | the rule |\n|---|---|\n| PO-001 | They leap. |\n\n| reading | here |\n|---|---|\n| A-7 | |\n",
    );
    let rules = "to rest(side: side) { say \"good night\" }  @PO-001 @A-7\n";
    folder.write("rules/ponds/rest.ludex", rules);
    assert_eq!(problems(&folder, &["rules"]), [] as [Value; 0]);

    folder.write("rules/ponds/rest.ludex", &rules.replace("PO-001", "PO-002"));
    let script = std::fs::read_to_string(folder.file("scripts/ponds/second-leap.rhai")).unwrap();
    folder.write("scripts/ponds/second-leap.rhai", &script.replacen('\n', "  @A-8\n", 1));
    folder.write("rules/ponds/scenarios/s.yaml", "- name: One\n  shows: [A-7]\n  start: {sides: [[otter], [heron]]}\n  random: [3, 5, 6]\n  play: [0: {legal: [leap(1)]}]\n");
    let found = problems(&folder, &["rules", "scripts"]);
    let told: Vec<String> =
        found.iter().map(|problem| format!("{} {}", problem["file"].as_str().unwrap(), problem["message"])).collect();
    let expected = [
        "rules/ponds/rest.ludex \"there is no rule `PO-002`\"",
        "rules/ponds/scenarios/s.yaml \"there is no rule `A-7`\"",
        "scripts/ponds/second-leap.rhai \"there is no rule `A-8`\"",
    ];
    assert_eq!(told, expected);
    assert!(found.iter().all(|problem| problem["code"] == "LX0312"));
}

/// However many there are, each is told by itself, once.
#[test]
fn each_of_many_scenarios_is_told() {
    let folder = ponds("many");
    let scenario = |number: usize| {
        format!(
            "- name: Scenario {number}\n  start: {{sides: [[otter], [heron]]}}\n  random: [3, 5, 6]\n  play: [0: {{legal: [laep(1)]}}]\n"
        )
    };
    folder.write("rules/ponds/scenarios/many.yaml", &(0..300).map(scenario).collect::<String>());
    assert_eq!(problems(&folder, &["rules/ponds/scenarios/many.yaml"]).len(), 300);
}

// --- forms -----------------------------------------------------------------------------

/// A scenario twice: a warning; and one with a mistake.
fn with_a_warning_and_an_error(name: &str) -> Folder {
    let folder = ponds(name);
    let scenario = |key: &str| {
        format!("- name: One\n  start: {{sides: [[otter], [heron]]}}\n  random: [3, 5, 6]\n  play: [0: {{legal: [{key}(1)]}}]\n")
    };
    folder.write("rules/ponds/scenarios/s.yaml", &[scenario("leap"), scenario("laep")].concat());
    folder
}

#[test]
fn a_problem_is_one_line_or_one_command_or_one_result() {
    let folder = with_a_warning_and_an_error("forms");
    let told = |format: &str| check(&folder, &["rules", "--format", format]);
    let concise = told("concise");
    let expected = "\
rules/ponds/scenarios/s.yaml:8:22: error LX0812 `laep(1)` should be possible, but never is
rules/ponds/scenarios/s.yaml:5:9: warning LX0826 (probable) two scenarios are called `One`
";
    assert_eq!((concise.status, concise.stdout.as_str()), (1, expected));
    let github = told("github").stdout;
    let first =
        "::error file=rules/ponds/scenarios/s.yaml,line=8,endLine=8,col=22,endColumn=29,title=LX0812::`laep(1)` should be";
    assert!(github.starts_with(first) && github.contains("is%0Adid you mean `leap`?\n::warning file="), "{github}");
    let sarif: Value = serde_json::from_str(&told("sarif").stdout).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!((&sarif["version"], results.len(), &results[1]["ruleId"]), (&Value::from("2.1.0"), 2, &Value::from("LX0826")));
    assert_eq!(told("pretty").stdout, told("text").stdout);

    let refused = ludex_in(&folder, &["list", "--format", "sarif"], "");
    assert!(
        refused.status == 2 && refused.stderr.contains("invalid value 'sarif' for '--format <FORMAT>'"),
        "{}",
        refused.stderr
    );
}

#[test]
fn warnings_fail_where_they_are_denied() {
    let folder = with_a_warning_and_an_error("denied");
    let path = "rules/ponds/scenarios/s.yaml";
    let text = std::fs::read_to_string(folder.file(path)).unwrap();
    folder.write(path, &text.replace("laep", "leap"));
    assert_eq!(check(&folder, &["rules"]).status, 0);
    assert_eq!(check(&folder, &["rules", "--deny", "warnings"]).status, 1);
    folder.write(path, &text.replace("laep", "leap").replacen("One", "Two", 1));
    assert_eq!(check(&folder, &["rules", "--deny", "warnings"]).status, 0);
}

// --- what is accepted ------------------------------------------------------------------

#[test]
fn warnings_are_ignored_with_a_reason_on_a_line_or_in_a_file() {
    let folder = ponds("ignores");
    let scenario = |name: &str| {
        format!(
            "- name: {name}\n  start: {{sides: [[otter], [heron]]}}\n  random: [3, 5, 6]\n  play: [0: {{legal: [leap(1)]}}]\n"
        )
    };
    let told = |text: String| -> Vec<String> {
        folder.write("rules/ponds/scenarios/s.yaml", &text);
        problems(&folder, &["rules"])
            .iter()
            .map(|problem| format!("{} {}", problem["code"].as_str().unwrap(), problem["line"]))
            .collect()
    };
    let (one, ignore) = (scenario("One"), "# ludex: ignore LX0826 because they are alike");
    assert_eq!(told(format!("{one}{one}")), ["LX0826 5"]);
    assert_eq!(told(format!("{one}{}", scenario(&format!("One  {ignore}")))), [] as [&str; 0]);
    assert_eq!(told(format!("{one}{ignore}\n{one}")), [] as [&str; 0]);
    assert_eq!(told(format!("# Of ponds.\n{ignore}\n\n{one}{one}{one}")), [] as [&str; 0]);
    // Only there, and only with a reason.
    assert_eq!(told(format!("{one}{ignore}\n{one}{one}")), ["LX0826 10"]);
    assert_eq!(told(format!("{ignore}\n{one}")), ["LX0018 1"]);
    assert_eq!(told(format!("# ludex: ignore LX0826\n{one}{one}")), ["LX0017 1", "LX0826 6"]);
    assert_eq!(told(format!("# ludex: ignroe LX0826 because\n{one}")), ["LX0017 1"]);
    assert_eq!(told(format!("# ludex: ignore LX0862 because so\n{one}")), ["LX0017 1"]);
}

#[test]
fn what_need_not_be_noticed_is_said_with_a_place_and_a_reason() {
    let folder = ponds("unnoticed");
    let told = |entry: &str| -> Vec<String> {
        folder.write("rules/ponds/unnoticed.yaml", &format!("- {}\n", entry.replace("; ", "\n  ")));
        let found = problems(&folder, &["rules"]);
        let words = |problem: &Value| format!("{} {}: {}", problem["code"], problem["message"], problem["help"]).replace('"', "");
        found.iter().map(words).collect()
    };
    assert_eq!(told("in: play; because: either order is the same"), [] as [&str; 0]);
    assert_eq!(told("in: play; at: to   play; how: [exchanged, one-more]; because: nobody can tell"), [] as [&str; 0]);
    assert_snapshot!(told("in: play; how: exchnaged; because: nobody can tell").join("\n"), @"LX0214 `how` cannot be `exchnaged`: did you mean `exchanged`?");
    assert_snapshot!(told("in: play; how: exchanged").join("\n"), @"LX0213 the entry has no `because`: add a line `because: …`");
    assert_snapshot!(told("in: plya; because: nobody can tell").join("\n"), @"LX0018 this package declares no `plya`: did you mean `play`?");
    assert_snapshot!(told("in: play; at: add 9 to nothing; because: nobody can tell").join("\n"), @"LX0018 no line of `play` has these words: copy them from the line as it is now, or remove the entry");
}

#[test]
fn comments_about_mutants_are_told_where_they_go() {
    let folder = ponds("ignored-mutants");
    let rules = std::fs::read_to_string(folder.file("rules/ponds/ponds.ludex")).unwrap();
    folder.write("rules/ponds/ponds.ludex", &format!("{rules}\n# ludex: ignore mutants exchanged because nobody can tell\n"));
    let found = problems(&folder, &["rules"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["code"], "LX0017");
    assert!(found[0]["help"].as_str().unwrap().contains("rules/GAME/unnoticed.yaml"), "{}", found[0]);
}

#[test]
fn known_problems_are_not_told_again() {
    let folder = with_a_warning_and_an_error("baseline");
    let known =
        |arguments: &[&str]| check(&folder, &[&["rules", "--format", "concise", "--baseline", "known.json"], arguments].concat());
    let missing = known(&[]);
    assert!(missing.status == 1 && missing.stderr.contains("`--write-baseline` writes it"), "{}", missing.stderr);
    let written = known(&["--write-baseline"]);
    assert_eq!(
        (written.status, written.stdout.as_str(), written.stderr.as_str()),
        (0, "", "2 problems are known and not reported\n")
    );

    // Lines may move; what is new is told, and what is gone is counted.
    let path = "rules/ponds/scenarios/s.yaml";
    let text = std::fs::read_to_string(folder.file(path)).unwrap();
    folder.write(path, &format!("# moved\n{}", text.replacen("[leap(1)]", "[leap(11)]", 1)));
    assert_eq!((known(&[]).status, known(&[]).stdout.as_str()), (0, ""));
    folder.write(path, &text.replacen("[leap(1)]", "[laep(2)]", 1).replacen("One", "Two", 1));
    let new = known(&[]);
    assert_eq!((new.status, new.stdout.lines().count()), (1, 1), "{}", new.stdout);
    assert!(new.stderr.starts_with("1 problem is known and not reported; 1 is no longer there"), "{}", new.stderr);

    folder.write("known.json", "{}");
    assert!(known(&[]).stderr.contains("LX0019"));
}

// --- what comes first ------------------------------------------------------------------

#[test]
fn the_cause_is_told_first_and_alone() {
    let folder = ponds("causes");
    let mistakes = [
        ("rules/ponds/ponds.ludex", "game ponds", "gamee ponds", "LX0101", "rules/ponds/ponds.ludex:2"),
        ("characters/ponds/otter.yaml", "name: ", "name: [", "LX0201", "characters/ponds/otter.yaml"),
        ("scripts/ponds/dive.rhai", "//! ability", "//! abilty", "LX0703", "scripts/ponds/dive.rhai:1"),
    ];
    for (path, from, to, code, place) in mistakes {
        let text = std::fs::read_to_string(folder.file(path)).unwrap();
        assert!(text.contains(from), "{path}: {text}");
        folder.write(path, &text.replacen(from, to, 1));
        let told = check(&folder, &["--format", "concise"]).stdout;
        folder.write(path, &text);
        assert!(told.starts_with(place) && told.contains(code) && told.lines().count() == 1, "{told}");
    }
}

#[test]
fn the_name_of_a_game_is_told_from_a_missing_file() {
    let folder = Folder::new("check-game-for-path");
    let run = ludex_in(&folder, &["check", "dice-challenge"], "");
    assert!(run.stderr.contains("`dice-challenge` is a game, and `check` takes files and folders"), "{}", run.stderr);
    folder.write("rules/dice-challenge/scenarios/none.yaml", "[]\n");
    let run = ludex_in(&folder, &["check", "dice-challenge"], "");
    assert!(run.stderr.contains("write `ludex check rules/dice-challenge`"), "{}", run.stderr);
    let run = ludex_in(&folder, &["check", "dice-challange"], "");
    assert!(run.stdout.contains("there is no file or folder `dice-challange`"), "{}", run.stdout);
}
