//! A game of racers, whose sheets print numbers and words: what `check`, `show` and the table make of them.

use crate::support::{Folder, Run, ludex_in};

const RULES: &str = r#"ludex 1
game race "The Race"

sides 2 of 1..3 racer

type coat is one of fur, feathers

sheet racer (racers) {
  speed: number in 1..12
  coat: coat = fur
  stamina: number = 2 * speed in 0..20
}

each racer has { counter breath = stamina  mark tired "must rest" }

family step(racer: racer) {}

action run(past in racers where it is not racer) is step
  when racer.breath >= 3
  says "{racer} runs past {past}"
  do { take 3 from racer.breath as panted }

action rest() is step
  when racer is not tired
  says "{racer} rests"
  do { mark racer as tired }

to play {
  repeat at most 9 times {
    each racer in racers { racer must choose step(racer) as step "What does {racer} do?" else { skip } do step }
  }
}
"#;

pub fn race(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("rules/race/race.ludex", RULES);
    folder.write("characters/race/otter.yaml", "name: Otter\nspeed: 4\nprovenance: {speed: ours}\n");
    folder.write("characters/race/heron.yaml", "name: Heron\nspeed: 3\ncoat: feathers\nstamina: 5\n");
    folder
}

pub fn run(folder: &Folder, args: &[&str]) -> Run {
    ludex_in(folder, args, "")
}

#[test]
fn a_sheet_is_shown_with_what_the_rules_work_out() {
    let folder = race("race-show");
    let shown = run(&folder, &["show", "race", "otter"]);
    let lines: Vec<String> = shown.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert!(lines.contains(&"speed 4 ours: made by the author of the file".to_string()), "{}{}", shown.stdout, shown.stderr);
    assert!(lines.contains(&"stamina 8 derived: computed by the rules".to_string()), "{}", shown.stdout);
    let heron = run(&folder, &["show", "race", "heron"]).stdout;
    assert!(heron.lines().any(|line| line.split_whitespace().eq(["stamina", "5"])), "{heron}");
    let overview = run(&folder, &["show", "race"]).stdout;
    assert!(overview.lines().any(|line| line.split_whitespace().eq(["otter", "4+"])), "{overview}");
}

#[test]
fn mistakes_in_values_are_shown_in_their_places() {
    let folder = race("race-check");
    let clean = run(&folder, &["check"]);
    assert_eq!(clean.stdout, "no problems\n", "{}", clean.stderr);
    folder.write("characters/race/newt.yaml", "name: Newt\nspeed: 13\ncoat: fru\n");
    let checked = run(&folder, &["check"]);
    let said = format!("{}{}", checked.stdout, checked.stderr);
    for words in ["newt.yaml:2:8", "must be from 1 to 12", "did you mean `fur`?"] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn the_board_shows_each_of_several() {
    let folder = race("race-board");
    let args = ["play", "race", "--seat", "0=otter,heron", "--seat", "1=otter:random", "--seed", "1"];
    let played = ludex_in(&folder, &args, "quit\n").stdout;
    assert!(played.lines().any(|line| line.trim_start().starts_with("Otter") && line.contains("breath 8")), "{played}");
    assert!(played.lines().any(|line| line.trim_start().starts_with("Heron") && line.contains("breath 5")), "{played}");
}

const SCENARIO: &str = "- name: positions and endings tell how entrants stand
  position:
    sides:
      - entrants: [{otter: {speed: 7, breath: 4}}, {otter: {speed: 3, marks: [tired]}}]
      - entrants: [{heron: {coat: fur, stamina: 9}}]
  play:
    - 0: run(heron)
    - expect: ['panted(otter, 1 by 0)']
    - 0: {only: [run(otter), run(heron)]}
    - 0: run(otter)
    - expect: ['panted(otter#2, breath, 3)']
    - 1: run(otter#2)
    - expect: [panted(6 by 1)]
  then:
    sides:
      - entrants: [{otter: {speed: 7, stamina: 14, breath: 1, marks: [tired]}}, {otter: {stamina: 6, breath: 3, marks: [tired]}}]
      - entrants: [{heron: {coat: fur, stamina: 9, breath: 6, marks: []}}]
";

#[test]
fn scenarios_set_and_state_how_entrants_stand() {
    let folder = race("race-scenarios");
    folder.write("rules/race/scenarios/stand.yaml", SCENARIO);
    let tested = run(&folder, &["test", "race"]);
    assert_eq!(tested.status, 0, "{}{}", tested.stdout, tested.stderr);
    folder.write("rules/race/scenarios/stand.yaml", &SCENARIO.replace("breath: 6,", "breath: 7,"));
    let tested = run(&folder, &["test", "race"]);
    let said = format!("{}{}", tested.stdout, tested.stderr);
    assert!(said.contains("`breath` of `heron` should be 7, but is 6"), "{said}");
}

/// The race with a sheet that builds on that of all racers.
fn race_with_a_flier(name: &str) -> Folder {
    let folder = race(name);
    let flier = "\nsheet flier (fliers) is a racer { lift: number in 1..9  counter height = lift }\n";
    let rules =
        RULES.replace("\nfamily", &format!("{flier}\nfamily")).replace("racer.breath >=", "racer.breath + racer.height >=");
    folder.write("rules/race/race.ludex", &rules);
    folder.write("characters/race/tern.yaml", "sheet: flier\nname: Tern\nspeed: 2\nlift: 6\n");
    folder
}

#[test]
fn a_sheet_that_builds_on_another_is_listed_and_shown_with_what_it_has() {
    let folder = race_with_a_flier("race-flier-show");
    assert_eq!(run(&folder, &["check"]).stdout, "no problems\n");
    assert!(run(&folder, &["list"]).stdout.contains("3 racers"));
    let words = |shown: &str| -> Vec<String> {
        shown.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    let tern = run(&folder, &["show", "race", "tern"]).stdout;
    assert!(tern.starts_with("Tern (tern), flier of The Race"), "{tern}");
    assert!(words(&tern).contains(&"lift 6".to_string()) && words(&tern).contains(&"speed 2".to_string()), "{tern}");
    let otter = run(&folder, &["show", "race", "otter"]).stdout;
    assert!(!otter.contains("lift") && !otter.contains("height"), "{otter}");
    let racers = words(&run(&folder, &["show", "race", "racers"]).stdout);
    assert!(racers.contains(&"tern flier 2".to_string()) && racers.contains(&"heron racer 3".to_string()), "{racers:?}");
    let fliers = words(&run(&folder, &["show", "race", "fliers"]).stdout);
    assert!(fliers.contains(&"tern 2 6".to_string()) && !fliers.iter().any(|line| line.contains("heron")), "{fliers:?}");
}

#[test]
fn the_board_shows_what_each_sheet_has() {
    let folder = race_with_a_flier("race-flier-board");
    let args = ["play", "race", "--seat", "0=tern", "--seat", "1=otter:random", "--seed", "1"];
    let played = ludex_in(&folder, &args, "quit\n").stdout;
    let counters = |words: &str| played.lines().any(|line| line.trim() == words);
    assert!(counters("height 6 · breath 4") && counters("breath 8"), "{played}");
}

#[test]
fn a_position_says_of_each_only_what_its_sheet_has() {
    let folder = race_with_a_flier("race-flier-position");
    let scenario = "- name: how high a flier is
  position:
    sides: [{entrants: [{tern: {height: 2}}]}, {entrants: [otter]}]
  play: []
  then: {sides: [{entrants: [{tern: {height: 2}}]}, {}]}
";
    folder.write("rules/race/scenarios/high.yaml", scenario);
    let tested = run(&folder, &["test", "race"]);
    assert_eq!(tested.status, 0, "{}{}", tested.stdout, tested.stderr);
    folder.write("rules/race/scenarios/high.yaml", &scenario.replace("[otter]", "[{otter: {height: 2}}]"));
    let tested = run(&folder, &["test", "race"]);
    let said = format!("{}{}", tested.stdout, tested.stderr);
    assert!(tested.status == 1 && said.contains("there is no counter `height`"), "{said}");
}
