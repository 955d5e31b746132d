//! Packages that extend several others, and modes with scripts of their own, from outside: in folders of somebody's own.

use crate::support::{Folder, Run, ludex_in, run};
use serde_json::Value;
use std::path::Path;

fn json(folder: &Folder, args: &[&str]) -> Value {
    let args = [args, &["--format", "json"]].concat();
    serde_json::from_str(&ludex_in(folder, &args, "").stdout).unwrap()
}

fn fails(folder: &Folder, args: &[&str]) -> Run {
    let run = ludex_in(folder, args, "");
    assert_eq!(run.status, 1, "{}\n{}", run.stdout, run.stderr);
    run
}

// --- the example of the description ------------------------------------------------------

/// The blocks of the page on packages, by what stands behind the fence.
fn blocks(language: &str) -> Vec<String> {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/REFERENCE.md")).unwrap();
    let section = page.split("\n### ").find(|section| section.starts_with("Packages that extend others\n")).unwrap();
    let fence = format!("```{language}\n");
    section.split(&fence).skip(1).map(|block| block.split("```").next().unwrap().to_string()).collect()
}

/// The three packages of the example, in a folder of their own.
fn our_table(name: &str) -> Folder {
    let folder = Folder::outside(name);
    for id in ["small-dice", "kind-damage", "our-dicewing"] {
        let rules = blocks("ludex").into_iter().find(|block| block.contains(&format!("package {id} "))).unwrap();
        folder.write(&format!("rules/{id}/rules.ludex"), &rules);
    }
    folder
}

#[test]
fn the_example_of_the_page_is_checked_shown_and_played() {
    let folder = our_table("our-dicewing");
    let checked = run(&folder, &["check"], "").stdout;
    assert_eq!(
        checked,
        "kind-damage extends dicewing\nour-dicewing extends dicewing, small-dice and kind-damage\nsmall-dice extends dicewing\nno problems\n"
    );
    let listed = run(&folder, &["list"], "").stdout;
    assert!(listed.contains("extends dicewing, small-dice and kind-damage"), "{listed}");
    let shown = run(&folder, &["show", "our-dicewing"], "").stdout;
    assert!(shown.contains("\nextends dicewing, small-dice and kind-damage\n"), "{shown}");
    let overview = json(&folder, &["show", "our-dicewing"]);
    assert_eq!(overview["overview"]["extends"], serde_json::json!(["dicewing", "small-dice", "kind-damage"]));
    let seats = ["--seat", "0=:greedy", "--seat", "1=:greedy"];
    let played = run(&folder, &[&["play", "our-dicewing", "--seed", "5"], &seats[..]].concat(), "").stdout;
    assert!(played.contains("Our DiceWing") && played.contains(" wins") && !played.contains("Collateral"), "{played}");
    let report = json(&folder, &["sim", "our-dicewing", "--games", "50", "--check"]);
    assert_eq!((&report["faults"], &report["check"]["failed"]), (&0.into(), &0.into()));
}

#[test]
fn the_example_clashes_as_the_page_says() {
    let folder = our_table("our-dicewing-clashes");
    folder.write(
        "rules/our-dicewing/rules.ludex",
        "ludex 1\npackage our-dicewing \"Our DiceWing\" extends small-dice, kind-damage\n",
    );
    let checked = fails(&folder, &["check"]).stdout;
    let told = blocks("text").concat();
    assert!(told.len() > 100 && checked.contains(told.trim()), "{checked}");
    let refused = fails(&folder, &["play", "our-dicewing"]);
    assert!(refused.stderr.contains("both change `define on_target`"), "{}", refused.stderr);
}

#[test]
fn a_package_is_told_what_it_makes_of_the_sheets_of_others() {
    let folder = Folder::outside("broken-sheets");
    let path = folder
        .write("rules/slow/slow.ludex", "package slow \"Slow\" extends dice-challenge\neach character has { counter speed }\n");
    folder.write(
        "rules/fast/fast.ludex",
        "package fast \"Fast\" extends dice-challenge\nreplace die sizes 2, 4, 6, 8, 10, 12, 20\n",
    );
    let checked = run(&folder, &["check", &path], "").stdout;
    assert!(checked.contains("the counter `speed` is never read") && checked.ends_with("\n1 warning\n"), "{checked}");
    let checked = fails(&folder, &["check", "rules/fast"]).stdout;
    assert!(checked.contains("there is no d1") && checked.contains("characters/dice-challenge/"), "{checked}");
}

#[test]
fn sheets_that_clash_are_told_to_whoever_puts_them_together() {
    let folder = Folder::outside("clashing-sheets");
    for id in ["one", "other"] {
        folder.write(&format!("rules/{id}/{id}.ludex"), &format!("package {id} \"{id}\" extends dice-challenge\n"));
        folder.write(&format!("characters/{id}/night-owl.yaml"), "name: Night Owl\nstarting: [6]\nreserve: [4]\n");
    }
    let path = folder.write("rules/both/both.ludex", "package both \"Both\" extends one, other\n");
    let checked = fails(&folder, &["check", &path]).stdout;
    assert!(checked.contains("`one` and `other` both declare the sheet `night-owl`"), "{checked}");
    assert!(
        checked.contains("characters/one/night-owl.yaml:1:1") && checked.contains("characters/other/night-owl.yaml:1:1"),
        "{checked}"
    );
}

#[test]
fn packages_that_do_not_touch_play_alike_in_either_order() {
    let folder = Folder::outside("either-order");
    folder.write(
        "rules/short/short.ludex",
        "package short \"Short\" extends dice-challenge\nreplace option victory_tokens = 1 in 1..9\n",
    );
    folder.write(
        "rules/mean/mean.ludex",
        "package mean \"Mean\" extends dice-challenge\nreplace define points(side: side): halves = sum of side.captured.size\n",
    );
    folder.write("rules/one/one.ludex", "package one \"One\" extends short, mean\n");
    folder.write("rules/other/other.ludex", "package other \"One\" extends mean, short\n");
    let digest = |game: &str| {
        let args = ["sim", game, "--seat", "0=sailor-mercury", "--seat", "1=kunzite", "--games", "40"];
        json(&folder, &args)["digest"].clone()
    };
    assert!(digest("one").is_string());
    assert_eq!(digest("one"), digest("other"));
    assert_ne!(digest("one"), digest("short"));
    assert_ne!(digest("one"), digest("mean"));
    let shown = |game: &str| {
        let shown = run(&folder, &["show", game], "").stdout;
        let unnamed = shown.replace(&format!("({game})"), "()").replace(&format!("show {game} "), "show ");
        unnamed.replace("short and mean", "mean and short")
    };
    assert_eq!(shown("one"), shown("other"));
}

// --- scenarios -----------------------------------------------------------------------------

const POND: &str = "ludex 1
game pond \"Pond\"
sides 2
define reach: number = 2
define depth: number = 3
hook dusk(side: side)
to play { do day  finish with sides }
entry to day {
  let far = reach
  if far > 5 { say \"far\" } else { say \"reach {reach}\" }
  say \"depth {depth}\"
}
mode by-night \"By night\" {
  replace define depth: number = 30
}
";

const SCENARIOS: &str = "- name: Newts reach two
  shows: [PO-001]
  start: {}
  play:
    - expect: ['said(\"reach 2\")']
- name: It is three deep
  shows: [PO-002]
  start: {}
  play:
    - expect: ['said(\"depth 3\")']
- name: At night it is deeper
  start: {mode: by-night}
  play:
    - expect: ['said(\"depth 30\")']
";

/// A pond with a table of its rules, a package that changes how far newts reach, and one that extends it.
fn ponds(name: &str) -> Folder {
    let folder = Folder::outside(name);
    folder.write("rules/pond/pond.ludex", POND);
    folder.write("rules/pond/scenarios/pond.yaml", SCENARIOS);
    folder.write(
        "rules/pond/README.md",
        "| id | the rule |\n|---|---|\n| PO-001 | Newts reach two. |\n| PO-002 | It is three deep. |\n",
    );
    folder.write("rules/marsh/marsh.ludex", "package marsh \"Marsh\" extends pond\nreplace define reach: number = 7\n");
    folder.write("rules/delta/delta.ludex", "package delta \"Delta\" extends marsh\n");
    folder
}

const FAR: &str = "- name: Newts reach far in the marsh
  replaces: Newts reach two
  shows: [PO-001]
  start: {}
  play:
    - expect: ['said(\"far\")']
";

#[test]
fn scenarios_of_all_that_is_extended_run_in_the_package() {
    let folder = ponds("inherited-scenarios");
    let tested = fails(&folder, &["test", "marsh", "delta"]);
    assert!(
        tested.stdout.contains("pond.yaml:1: failed: Newts reach two (of pond)\ndelta: 3 scenarios, 1 failed\n"),
        "{}",
        tested.stdout
    );
    assert!(tested.stdout.contains("marsh: 3 scenarios, 1 failed\n"), "{}", tested.stdout);
    assert_eq!(run(&folder, &["test", "pond"], "").stdout, "pond: 3 scenarios, 0 failed\n");
}

#[test]
fn a_scenario_stands_in_for_one_that_no_longer_holds() {
    let folder = ponds("standing-in");
    folder.write("rules/marsh/scenarios/marsh.yaml", FAR);
    assert_eq!(
        run(&folder, &["test", "pond", "marsh", "delta"], "").stdout,
        "delta: 3 scenarios, 0 failed\nmarsh: 3 scenarios, 0 failed\npond: 3 scenarios, 0 failed\n"
    );
    let report = json(&folder, &["test", "delta"]);
    let packages: Vec<&Value> =
        report["games"][0]["results"].as_array().unwrap().iter().map(|result| &result["package"]).collect();
    assert_eq!(packages, ["pond", "pond", "marsh"]);
}

#[test]
fn what_a_scenario_stands_in_for_must_be_there() {
    let folder = ponds("standing-in-for-nothing");
    folder.write("rules/marsh/scenarios/marsh.yaml", &FAR.replace("replaces: Newts reach two", "replaces: [Newts reach tow]"));
    let told = fails(&folder, &["test", "marsh"]).stderr;
    assert!(told.contains("LX0008") && told.contains("no scenario `Newts reach tow` to replace"), "{told}");
    assert!(told.contains("did you mean `Newts reach two`?"), "{told}");
    folder.write("rules/pond/scenarios/more.yaml", &FAR.replace("Newts reach far in the marsh", "Newts reach on"));
    let told = fails(&folder, &["test", "pond"]).stderr;
    assert!(told.contains("no package that `pond` extends has scenarios: leave this out"), "{told}");
}

#[test]
fn the_coverage_of_a_package_is_over_its_whole_line() {
    let folder = ponds("coverage-of-a-line");
    folder.write(
        "rules/marsh/README.md",
        "| id | the rule |\n|---|---|\n| MA-001 | Newts reach far. |\n| PO-002 | It is deep. |\n",
    );
    folder.write("rules/marsh/scenarios/marsh.yaml", FAR);
    let tested = fails(&folder, &["test", "marsh", "--coverage"]).stdout;
    assert!(tested.contains("coverage: 2 of 3 rules, "), "{tested}");
    assert!(tested.contains("rules that no scenario shows: MA-001\n"), "{tested}");
    assert!(tested.contains("pond.ludex:10:6: always true: far > 5\n"), "{tested}");
    // A scenario of a package may show rules of what it extends, and no others.
    folder.write("rules/marsh/scenarios/marsh.yaml", &FAR.replace("PO-001", "PO-009"));
    let told = fails(&folder, &["test", "marsh"]).stderr;
    assert!(told.contains("there is no rule `PO-009`"), "{told}");
}

#[test]
fn scenarios_of_a_game_without_a_table_show_what_they_like_in_any_package() {
    let folder = ponds("no-table");
    std::fs::remove_file(folder.file("rules/pond/README.md")).unwrap();
    folder.write("rules/delta/README.md", "| id | the rule |\n|---|---|\n| DE-001 | It is three deep. |\n");
    folder.write("rules/marsh/scenarios/marsh.yaml", FAR);
    folder.write(
        "rules/delta/scenarios/delta.yaml",
        &SCENARIOS
            .replace("PO-001", "DE-001")
            .replace("Newts reach two", "Far")
            .replace("reach 2", "far")
            .replace("  shows: [PO-002]\n", ""),
    );
    assert_eq!(run(&folder, &["test", "delta"], "").stdout, "delta: 6 scenarios, 0 failed\n");
}

// --- modes with scripts of their own ---------------------------------------------------------

const NEWTS: &str = "ludex 1
game newts \"Newts\"
sides 2 of 1 newt
sheet newt (newts) { speed: number = 1 }
hook dusk(side: side)
to play { say \"dusk falls\"  open dusk(first of sides)  finish with sides }
mode by-night \"By night\" { }
";

const HOP: &str = "//! ability hop \"Hop\"\n//! trigger hop at dusk(side)\n//!   do { say \"hop\" }\n";
const FLY: &str = "//! mode by-night
//! replaces
//! ability hop \"Fly\"
//! trigger fly at dusk(side)

fn fly(holder) {
    if holder.speed > 5 {
        say(\"fast\");
    }
    say(\"flies\");
}
";
const GLOW: &str =
    "//! mode by-night\n//! ability glow \"Glow\"\n//! trigger glow at dusk(side)\n\nfn glow() { say(\"it glows\"); }\n";

/// A game with an ability that is another one by night, and one that is there by night only.
fn newts(name: &str) -> Folder {
    let folder = Folder::outside(name);
    folder.write("rules/newts/newts.ludex", NEWTS);
    folder.write("characters/newts/tom.yaml", "name: Tom\nabilities: [hop, glow]\n");
    folder.write("scripts/newts/hop.rhai", HOP);
    folder.write("scripts/newts/by-night/hop.rhai", FLY);
    folder.write("scripts/newts/by-night/glow.rhai", GLOW);
    folder
}

const SEATS: [&str; 4] = ["--seat", "0=tom:random", "--seat", "1=tom:random"];

#[test]
fn a_mode_plays_with_its_own_scripts() {
    let folder = newts("scripts-of-a-mode");
    assert_eq!(run(&folder, &["check"], "").stdout, "no problems\n");
    let by_day = run(&folder, &[&["play", "newts"], &SEATS[..]].concat(), "").stdout;
    assert!(by_day.contains("hop") && !by_day.contains("flies") && !by_day.contains("it glows"), "{by_day}");
    let by_night = run(&folder, &[&["play", "newts", "--mode", "by-night"], &SEATS[..]].concat(), "").stdout;
    assert!(by_night.contains("flies") && by_night.contains("it glows") && !by_night.contains("hop"), "{by_night}");
}

#[test]
fn modes_and_their_abilities_are_listed_and_shown() {
    let folder = newts("modes-shown");
    let listed = run(&folder, &["list"], "").stdout;
    assert!(listed.contains("1 newt, 2 abilities"), "{listed}");
    let abilities =
        json(&folder, &["list"])["games"].as_array().unwrap().iter().find(|game| game["id"] == "newts").unwrap()["abilities"]
            .clone();
    let told: Vec<(&Value, &Value)> =
        abilities.as_array().unwrap().iter().map(|ability| (&ability["id"], &ability["mode"])).collect();
    assert_eq!(told, [(&"hop".into(), &Value::Null), (&"glow".into(), &"by-night".into()), (&"hop".into(), &"by-night".into())]);
    let shown = run(&folder, &["show", "newts"], "").stdout;
    assert!(shown.contains("Modes\n  by-night  By night\n"), "{shown}");
    let hop = run(&folder, &["show", "newts", "hop", "--mode", "by-night"], "").stdout;
    assert!(hop.contains("Fly (hop)") && hop.contains("scripts/newts/by-night/hop.rhai, this folder"), "{hop}");
    let absent = fails(&folder, &["show", "newts", "glow"]).stderr;
    assert!(absent.contains("`newts` has no ability `glow` in this mode"), "{absent}");
    assert!(absent.contains("it is an ability of the mode `by-night`: add `--mode`"), "{absent}");
}

#[test]
fn check_reads_every_mode() {
    let folder = newts("every-mode-is-checked");
    folder.write("scripts/newts/by-night/hop.rhai", &FLY.replace("holder.speed > 5", "holder.sped > 5"));
    let checked = fails(&folder, &["check"]).stdout;
    assert!(checked.contains("scripts/newts/by-night/hop.rhai:7:"), "{checked}");
    folder.write("scripts/newts/by-night/hop.rhai", FLY);
    folder.write(
        "rules/newts/newts.ludex",
        &NEWTS.replace("{ }", "{ replace to play { say \"{count of 3}\"  open dusk(first of sides)  finish with sides } }"),
    );
    let checked = fails(&folder, &["check"]).stdout;
    assert!(checked.contains("newts.ludex:7:"), "{checked}");
    assert_eq!(run(&folder, &["check", "--mode", "standard"], "").stdout, "no problems\n");
}

#[test]
fn a_script_of_a_mode_that_no_sheet_names_is_told_once() {
    let folder = newts("unused-in-a-mode");
    folder.write("scripts/newts/by-night/sleep.rhai", &GLOW.replace("glow", "sleep"));
    let checked = run(&folder, &["check"], "").stdout;
    assert!(checked.contains("no sheet has the ability `sleep`") && checked.ends_with("\n1 warning\n"), "{checked}");
}

#[test]
fn coverage_counts_what_only_a_mode_has() {
    let folder = newts("coverage-of-a-mode");
    let scenario = |mode: &str| {
        format!(
            "- name: \"Dusk falls{mode}\"\n  start: {{sides: [[tom], [tom]]{mode}}}\n  play:\n    - expect: ['said(\"dusk falls\")']\n"
        )
    };
    folder.write("rules/newts/scenarios/dusk.yaml", &scenario(""));
    let tested = fails(&folder, &["test", "newts", "--coverage"]).stdout;
    assert!(tested.contains("by-night/hop.rhai:7:8: never asked: holder.speed > 5\n"), "{tested}");
    assert!(tested.contains("by-night/glow.rhai:5:13: never reached: say(\"it glows\")"), "{tested}");
    folder.write("rules/newts/scenarios/night.yaml", &scenario(", mode: by-night"));
    let tested = fails(&folder, &["test", "newts", "--coverage"]).stdout;
    assert!(tested.contains("by-night/hop.rhai:7:8: never true: holder.speed > 5\n"), "{tested}");
    assert!(!tested.contains("glow.rhai"), "{tested}");
}

#[test]
fn a_misspelt_mode_is_told_on_the_command_line_and_in_scripts() {
    let folder = newts("misspelt-modes");
    let refused = fails(&folder, &["play", "newts", "--mode", "by_night"]).stderr;
    assert!(
        refused.contains("there is no mode `by_night`") && refused.contains("the modes are: by-night and standard"),
        "{refused}"
    );
    folder.write("scripts/newts/by-night/glow.rhai", &GLOW.replace("mode by-night", "mode by-nigth"));
    let checked = fails(&folder, &["check"]).stdout;
    assert!(checked.contains("LX0807") && checked.contains("did you mean `by-night`?"), "{checked}");
}

// --- recordings --------------------------------------------------------------------------------

#[test]
fn a_recording_keeps_what_the_package_extended() {
    let folder = our_table("recorded-package");
    let args = ["play", "our-dicewing", "--seed", "3", "--seat", "0=:human", "--seat", "1=:greedy"];
    run(&folder, &args, "1\nsave match.ludexrec\nquit\n");
    let text = std::fs::read_to_string(folder.file("match.ludexrec")).unwrap();
    let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let parents: Vec<&Value> = header["parents"].as_array().unwrap().iter().map(|parent| &parent["id"]).collect();
    assert_eq!(parents, ["dicewing", "small-dice", "kind-damage"]);
    let base = json(&folder, &["show", "dicewing"])["overview"]["package_hash"].clone();
    assert_eq!(header["parents"][0]["hash"], base);
    let replayed = run(&folder, &["replay", "match.ludexrec"], "");
    assert!(!replayed.stderr.contains("has changed"), "{}", replayed.stderr);

    let rules = folder.file("rules/our-dicewing/rules.ludex");
    let turned = std::fs::read_to_string(&rules).unwrap().replace("small-dice, kind-damage", "kind-damage, small-dice");
    std::fs::write(&rules, turned).unwrap();
    let replayed = run(&folder, &["replay", "match.ludexrec"], "");
    let words: Vec<&str> = replayed.stderr.split_whitespace().collect();
    let told = words.join(" ");
    assert!(
        told.contains(
            "it extended `dicewing`, `small-dice` and `kind-damage`, and extends `dicewing`, `kind-damage` and `small-dice` now"
        ),
        "{told}"
    );
}

// --- a folder of one's own -----------------------------------------------------------------------

#[test]
fn a_loose_package_with_loose_sheets_scripts_and_scenarios() {
    let folder = Folder::outside("loose-package");
    folder.write("short.ludex", "package short \"Short\" extends dice-challenge\nreplace option victory_tokens = 1 in 1..9 \"round wins that decide the match\"\nreplace mode single-combat { replace option victory_tokens = 1 in 0..9 \"round wins that decide the match\" }\n");
    folder.write("night-owl.yaml", "name: Night Owl\nstarting: [6, 6, 8, 12]\nreserve: [4, 10, 10, 20]\nabilities: [second-sight]\nprovenance: {starting: ours, reserve: ours}\n");
    folder.write("second-sight.rhai", "//! ability second-sight \"Second Sight\"\n//! uses 1 per match\n//!\n//! offer second_sight(die in me.in_play) at turn_begins(active)\n//!   when active is me\n//!   says \"roll {die} again\"\n\nfn second_sight(die) { roll(die); }\n");
    let turn = |who: &str| {
        format!(
            "- name: {who} looks\n  position:\n    sides:\n      - entrants: [{who}]\n        zones: {{in_play: [{{id: a, size: 12, value: 9}}, {{id: b, size: 8, value: 8}}]}}\n      - entrants: [kunzite]\n        zones: {{in_play: [{{id: x, size: 20, value: 5}}]}}\n    at: turn(active: 0)\n  play:\n    - 0: power_attack(a > x)\n    - expect: [captured(x by 0)]\n"
        )
    };
    // Of somebody of the game alone, of the package's own, and of both.
    folder.write("known.yaml", &turn("sailor-mercury"));
    folder.write("own.yaml", &turn("night-owl"));
    assert_eq!(run(&folder, &["check"], "").stdout, "short extends dice-challenge\nno problems\n");
    for file in ["known.yaml", "own.yaml"] {
        let tested = run(&folder, &["test", file], "").stdout;
        assert_eq!(tested, "short: 1 scenario, 0 failed\n", "{file}");
    }
    let played =
        run(&folder, &["sim", "short", "--seat", "0=night-owl", "--seat", "1=kunzite", "--games", "20", "--check"], "").stdout;
    assert!(played.contains("0 ended by a fault"), "{played}");
}

#[test]
fn a_loose_scenario_is_meant_for_what_the_other_packages_extend() {
    let folder = Folder::outside("meant-for-the-game");
    let packages = Folder::outside("meant-for-the-game-packages");
    packages.write("rules/short/short.ludex", "package short \"Short\" extends dice-challenge\n");
    packages.write("characters/short/night-owl.yaml", "name: Night Owl\nstarting: [6]\nreserve: [4]\n");
    packages.write("rules/long/long.ludex", "package long \"Long\" extends short\n");
    let start = |who: &str| {
        format!("- name: {who}\n  start: {{sides: [{{entrants: [{who}]}}, {{entrants: [kunzite]}}]}}\n  then: {{outcome: win}}\n")
    };
    let game_of = |who: &str| {
        let file = folder.write("scenario.yaml", &start(who));
        let report = json(&folder, &["test", &file, "--library", &packages.path()]);
        report["games"][0]["game"].as_str().unwrap_or_default().to_string()
    };
    assert_eq!(game_of("sailor-mercury"), "dice-challenge");
    assert_eq!(game_of("night-owl"), "short");
}
