//! Several are chosen among very many, in every way a game is played in.

use crate::host::Table;
use crate::support::{Folder, ludex_in, run};
use serde_json::{Value, json};

/// A bird takes one of a lower or the same value, or several one that shows what they show together.
const RULES: &str = r#"ludex 1
game birds "Birds"

sides 2

option flock = 25 in 1..1000 "how many small birds each side has"
option rounds = 2 in 1..9 "how many turns each side has"

die sizes 6, 20

the table has { next_up: side = first of sides }

each side has {
  zone tree, basket: dice, open
  counter score
}

piece die (dice) {
  mark asleep "is asleep" { forbid hunt when holder in it.birds }
  mark keen "must be there" { demand hunt when it is pounce or holder in it.birds }
}

family hunt(active: side) { birds: dice  prey: die }

action pounce(bird in active.tree, prey in active.foe.tree) is hunt
  when bird.value >= prey.value
  says "{bird} takes {prey}"
  gives birds = bird

action swarm(birds: 2 or more in active.tree, prey in active.foe.tree) is hunt
  when sum of birds.value = prey.value
  says "{birds} together take {prey}"

policy bold for hunt { prefer highest it.prey.value  prefer highest count of it.birds }

standing of side = side.score

to play {
  each side in sides {
    repeat 2 times { create die(size: 20) in side.tree for side }
    repeat flock times { create die(size: 6) in side.tree for side }
  }
  roll sides.tree because "the morning"
  each side in sides { create die(size: 6) in side.tree for side }
  repeat rounds times { repeat 2 times { do turn(next_up) } }
  finish with those of sides with highest it.score
}

entry scope turn(active: side) {
  set next_up to active.foe
  mark first of active.tree as asleep until end of turn
  mark last of active.tree as keen until end of turn
  active must choose hunt as hunt "Your hunt" else { stop turn }
  add hunt.prey.value to active.score
  move hunt.prey to active.basket
  roll hunt.birds because "they come back"
}
"#;

pub fn birds(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("rules/birds/birds.ludex", RULES);
    folder
}

/// A turn with 25 birds: they show 1 to 6 again and again; the last has not been rolled.
fn position() -> String {
    let small: Vec<String> = (0..24).map(|bird| format!("{{size: 6, value: {}}}", 1 + bird % 6)).collect();
    format!(
        "sides:
  - zones: {{tree: [{}, 6]}}
  - zones: {{tree: [{{size: 20, value: 20}}, {{size: 20, value: 7}}, {{size: 20, value: 2}}]}}
at: 'turn(active: 0)'
",
        small.join(", ")
    )
}

fn report(folder: &Folder, args: &[&str]) -> Value {
    let all = [&["sim", "birds", "--format", "json", "--seed", "3"], args].concat();
    serde_json::from_str(&run(folder, &all, "").stdout).unwrap()
}

#[test]
fn bots_play_with_very_many_dice_and_all_checks_hold() {
    let folder = birds("swarm-sim");
    assert_eq!(run(&folder, &["check"], "").stdout, "no problems\n");
    for flock in ["flock=25", "flock=70", "flock=150"] {
        let report = report(&folder, &["--games", "1", "--check", "--option", flock, "--option", "rounds=1"]);
        assert_eq!(
            (&report["faults"], &report["check"]["failed"], &report["check"]["in_full"]),
            (&json!(0), &json!(0), &json!(1))
        );
    }
}

#[test]
fn every_kind_of_player_plays_with_very_many_dice() {
    let folder = birds("swarm-players");
    for (first, second) in [("random", "greedy"), ("policy=bold", "auto")] {
        let seats = [format!("0=:{first}"), format!("1=:{second}")];
        let args = ["--games", "2", "--option", "flock=70", "--seat", &seats[0], "--seat", &seats[1]];
        assert_eq!(report(&folder, &args)["faults"], 0, "{seats:?}");
    }
}

/// Conditions that ask more of a set than that its sum is a number.
const GATHERED: [&str; 6] = [
    "all of birds has it.value = (first of birds).value when sum of birds.value > prey.value",
    "sum of birds.value >= prey.value",
    "count of (birds where it.value > 3) = prey.value",
    "highest of birds.value < prey.value",
    "sum of birds.value is odd and none of birds has it.value = prey.value",
    "remainder of (sum of birds.value) divided by 7 = 3",
];

#[test]
fn sixty_things_are_chosen_from_whatever_is_gathered_of_them() {
    for condition in GATHERED {
        let folder = birds("swarm-gathered");
        let rules = RULES.replace("when sum of birds.value = prey.value", &format!("when {condition}"));
        folder.write("rules/birds/birds.ludex", &rules);
        assert_eq!(run(&folder, &["check"], "").stdout, "no problems\n", "{condition}");
        let many = report(&folder, &["--games", "2", "--option", "flock=58"]);
        assert_eq!(many["faults"], json!(0), "{condition}: {many:#}");
        let told = run(&folder, &["show", "birds", "moves"], "").stdout;
        assert!(told.contains("swarm: counted by what the conditions compute from the members of `birds`"), "{told}");
    }
}

#[test]
fn all_checks_hold_where_sets_are_gathered() {
    for condition in &GATHERED[..4] {
        let folder = birds("swarm-checked");
        let rules = RULES.replace("when sum of birds.value = prey.value", &format!("when {condition}"));
        folder.write("rules/birds/birds.ludex", &rules);
        let report = report(&folder, &["--games", "1", "--check", "--option", "flock=8", "--option", "rounds=1"]);
        assert_eq!((&report["faults"], &report["check"]["failed"]), (&json!(0), &json!(0)), "{condition}: {report:#}");
    }
}

/// The last bird must be there, and the first may not; three of 6 and one of 2 make 20 with it.
const SCENARIO: &str = "- name: One of very many sets is named by its KIND
  position:
POSITION  random: [6, 5, 4, 3, 2]
  play:
    - 0:
        legal: [swarm(24+1+17+5+11 > 25), swarm(24+1+4 > 26)]
        not: {swarm(1+17+5+11 > 25): keen, swarm(24+0+5 > 26): asleep, swarm(24+1+2 > 26): does not hold, swarm(24+25 > 26): cannot be}
    - 0: ANSWER
    - expect: ['chose(swarm(1+5+11+17+24>25) by 0)', 'set(score, 20 by 0)']
";

#[test]
fn scenarios_answer_among_very_many_by_key_and_by_roles() {
    let folder = birds("swarm-scenario");
    let indented: String = position().lines().map(|line| format!("    {line}\n")).collect();
    let scenario =
        |kind: &str, answer: &str| SCENARIO.replace("POSITION", &indented).replace("KIND", kind).replace("ANSWER", answer);
    let by_key = scenario("key", "swarm(17 + 11 + 5 + 24 + 1 > 25)");
    let by_roles = scenario("roles", "{action: swarm, birds: [17, 11, 5, 24, 1], prey: 25}");
    folder.write("rules/birds/scenarios/keys.yaml", &format!("{by_key}{by_roles}"));
    let told = run(&folder, &["test", "birds"], "");
    assert_eq!(told.stdout, "birds: 2 scenarios, 0 failed\n");
}

/// A turn with 25 birds, hosted.
fn hosted(folder: &Folder) -> Table {
    let file = folder.write("position.yaml", &position());
    Table::of(folder, &["birds", "--seat", "1=:random"], &["--seed", "5", "--position", &file])
}

fn keys(decision: &Value) -> Vec<&str> {
    decision["options"].as_array().unwrap().iter().map(|option| option["key"].as_str().unwrap()).collect()
}

#[test]
fn programs_put_a_set_together_one_by_one() {
    let folder = birds("swarm-host");
    let mut table = hosted(&folder);
    let first = table.wait_for("decision");
    let id = &first["id"];
    assert_eq!((&first["step"], &first["about"], keys(&first)), (&json!(1), &json!("kind of move"), vec!["pounce", "swarm"]));
    assert!(first["moves"].as_u64() > Some(1_000));
    table.tell(json!({ "choose": id, "key": "swarm" }));
    let prey = table.wait_for("decision");
    assert_eq!((&prey["about"], keys(&prey)), (&json!("swarm: prey"), vec!["choose(25)", "choose(26)", "choose(27)", "back"]));
    table.tell(json!({ "choose": id, "args": { "prey": 26 } }));

    // Bird 0 is asleep, and 7 is shown by at most four birds besides the one that shows nothing.
    let birds = table.wait_for("decision");
    assert_eq!((&birds["form"], &birds["step"], &birds["about"]), (&json!("one"), &json!(3), &json!("swarm: birds")));
    assert_eq!(birds["options"].as_array().unwrap().len(), 23 + 1 + 1);
    table.tell(json!({ "choose": id, "key": "choose(5)" }));
    let further = table.wait_for("decision");
    assert_eq!((&further["step"], &further["about"]), (&json!(4), &json!("swarm: birds, d6:6 so far")));
    // The birds that show 1, the one that must be there, and going back.
    assert_eq!(keys(&further), ["choose(6)", "choose(12)", "choose(18)", "choose(24)", "back"]);
    table.tell(json!({ "choose": id, "option": 4 }));
    assert_eq!(table.wait_for("decision")["step"], 3);

    for (answer, reason) in [
        (json!({ "choose": id, "key": "done" }), "there is no move called `done`"),
        (json!({ "choose": id, "option": 25 }), "there is no option 25: there are 24, numbered from 0"),
        (json!({ "choose": id, "key": "choose(0)" }), "`choose(0)` is not offered now"),
        (json!({ "choose": id, "options": [1, 2] }), "this decision wants one option, by `option`, `key` or `args`"),
    ] {
        table.tell(answer);
        assert_eq!(table.wait_for("rejected")["reason"], reason);
    }
    for (bird, left) in [(24, "d6 so far"), (5, "d6 and d6:6 so far")] {
        table.tell(json!({ "choose": id, "args": { "birds": bird } }));
        let further = table.wait_for("decision");
        assert_eq!(further["about"], json!(format!("swarm: birds, {left}")));
    }
    table.tell(json!({ "choose": id, "option": 1 }));
    assert_eq!(table.wait_for_event("chose")["key"], "swarm(5+12+24>26)");
    table.leave();
}

#[test]
fn a_whole_move_may_be_named_while_a_set_is_put_together() {
    for answer in [
        json!({ "key": "swarm(17+11+5+24+1>25)" }),
        json!({ "action": "swarm", "args": { "birds": [17, 11, 5, 24, 1], "prey": 25 } }),
        json!({ "args": { "birds": [17, 11, 5, 24, 1], "prey": 25 } }),
    ] {
        let folder = birds("swarm-whole");
        let mut table = hosted(&folder);
        let id = table.wait_for("decision")["id"].clone();
        for key in ["swarm", "choose(25)", "choose(5)", "choose(2)"] {
            table.tell(json!({ "choose": id, "key": key }));
            table.wait_for("decision");
        }
        let mut answer = answer;
        answer["choose"] = id;
        table.tell(answer);
        assert_eq!(table.wait_for_event("chose")["key"], "swarm(1+5+11+17+24>25)");
        table.leave();
    }
}

/// Takes an option that is not the first where it can, and writes what it hears to a file.
const BOT: &str = r#"
while read -r line; do
  echo "$line" >> heard.txt
  case "$line" in
    *'"about":"swarm: birds'*) id=${line#*\"id\":}; echo "{\"choose\":${id%%,*},\"option\":0}" ;;
    *'"type":"decision"'*) id=${line#*\"id\":}; echo "{\"choose\":${id%%,*},\"option\":1}" ;;
  esac
done
"#;

#[test]
fn a_program_at_a_seat_puts_sets_together() {
    let folder = birds("swarm-exec");
    folder.write("bot.sh", BOT);
    let seats = ["--seat", "0=:exec=sh bot.sh", "--seat", "1=:random"];
    let played = run(&folder, &[&["play", "birds", "--seed", "5", "--option", "flock=70"][..], &seats].concat(), "");
    let heard = std::fs::read_to_string(folder.file("heard.txt")).unwrap();
    assert!(heard.contains("so far"), "{}", played.stdout);
    assert!(heard.lines().any(|line| line.contains("\"key\":\"swarm(") && line.contains("\"kind\":\"chose\"")), "{heard}");
}

#[test]
fn people_put_sets_together_save_and_take_back() {
    let folder = birds("swarm-play");
    let file = folder.write("position.yaml", &position());
    let args = ["play", "birds", "--plain", "--seed", "5", "--position", &file, "--seat", "0=:human", "--seat", "1=:random"];
    let input = "swarm\n2\nchoose(24)\nback\nchoose(24)\nchoose(5)\nchoose(12)\nundo\nhint\nwhy swarm(24+25 > 26)\n\
        swarm(24+1+17+5+11 > 25)\nsave saved.ludexrec\nquit\n";
    let told = run(&folder, &args, input).stdout;
    for part in [
        "step 2 of ",
        ": prey",
        ": birds, d6 so far",
        "6 on d6, 1 on d6 and d6 together take 7 on d20",
        "2 on d6, 6 on d6, 6 on d6, 6 on d6 and d6 together take 20 on d20",
    ] {
        assert!(told.contains(part), "{part} is not in\n{told}");
    }
    let recorded = std::fs::read_to_string(folder.file("saved.ludexrec")).unwrap();
    assert!(recorded.contains("swarm(5+12+24>26)") && recorded.contains("swarm(1+5+11+17+24>25)"), "{recorded}");
    assert_eq!(ludex_in(&folder, &["replay", "saved.ludexrec"], "").status, 0);
}
