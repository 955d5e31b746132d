//! The protocol, spoken from the other end.

use crate::orders_and_amounts::ferry;
use crate::support::{Folder, ludex_in};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};

/// The other end of a game.
pub struct Table {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Whether one seat is told alone.
    is_alone: bool,
    /// How many events have come.
    events: u64,
    /// What they said.
    told: Vec<Value>,
}

impl Table {
    fn new(folder: &Folder, more: &[&str]) -> Table {
        Table::of(folder, &["dice-challenge", "--seat", "0=kunzite"], more)
    }

    pub fn of(folder: &Folder, game: &[&str], more: &[&str]) -> Table {
        let args: Vec<&str> = ["host"].iter().chain(game).chain(more).copied().collect();
        let mut child = folder.command(&args).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let is_alone = args.contains(&"--as");
        Table { child, input, output, is_alone, events: 0, told: Vec::new() }
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The next line, with events counted.
    pub fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let line: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: `{line}`"));
        let to = line.get("to");
        assert!(if self.is_alone { to.is_none() } else { to.is_some_and(|to| *to == "all" || to.is_array()) }, "{line}");
        if line["type"] == "event" {
            self.events += 1;
            assert_eq!(line["n"], self.events);
            self.told.push(line["text"].clone());
        }
        line
    }

    /// The next line of a type.
    pub fn wait_for(&mut self, kind: &str) -> Value {
        loop {
            let line = self.hear();
            assert!(line["type"] == kind || line["type"] == "event" || line["type"] == "hello", "wanted {kind}: {line}");
            if line["type"] == kind {
                return line;
            }
        }
    }

    /// The next event of a kind that the first seat gives rise to.
    pub fn wait_for_event(&mut self, kind: &str) -> Value {
        loop {
            let line = self.hear();
            assert!(line["type"] == "event", "wanted {kind}: {line}");
            if line["kind"] == kind && line["by"] == 0 {
                return line;
            }
        }
    }

    fn say(&mut self, line: impl AsRef<[u8]>) {
        // A host that has ended already reads no more; what it said before is heard all the same.
        let _ = self.input.write_all(&[line.as_ref(), b"\n"].concat());
        let _ = self.input.flush();
    }

    pub fn tell(&mut self, line: Value) {
        self.say(line.to_string());
    }

    /// Answers everything by `answer` until the game is over.
    fn play(&mut self, answer: impl Fn(&Value) -> Value) -> Value {
        loop {
            let line = self.hear();
            match line["type"].as_str().unwrap() {
                "decision" | "random" => {
                    let answer = answer(&line);
                    self.tell(answer);
                }
                "outcome" => return line,
                "event" | "hello" | "accepted" => {}
                _ => panic!("{line}"),
            }
        }
    }

    /// Ends it as a failure of the machine would.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub fn leave(mut self) -> i32 {
        drop(self.input);
        self.child.wait().unwrap().code().unwrap()
    }
}

/// The first option, named in a way that depends on the decision.
fn first(line: &Value) -> Value {
    let (id, option) = (line["id"].as_u64().unwrap(), &line["options"][0]);
    if line["form"] == "some" {
        let least = line["min"].as_u64().unwrap();
        return json!({ "choose": id, "options": (0..least).collect::<Vec<u64>>() });
    }
    match id % 3 {
        0 => json!({ "choose": id, "seat": line["seat"], "option": 0, "unknown": true }),
        1 => json!({ "choose": id, "key": option["key"] }),
        _ => json!({ "choose": id, "action": option["action"], "args": option["args"] }),
    }
}

#[test]
fn a_whole_game_is_played_and_recorded() {
    let folder = Folder::new("host-whole");
    let mut table = Table::new(&folder, &["--seat", "1=rubeus", "--seed", "5"]);
    let hello = table.hear();
    assert_eq!((&hello["type"], &hello["protocol"]), (&json!("hello"), &json!(1)));
    assert_eq!(hello["seats"][1]["player"], "stdin");
    let outcome = table.play(first);
    assert_eq!(outcome["seed"], 5);
    assert_eq!(outcome["result"], "win");
    let (told, recording) = (table.told.clone(), outcome["recording"].as_str().unwrap().to_string());
    assert_eq!(table.leave(), 0);
    let replay = ludex_in(&folder, &["replay", &recording, "--format", "json"], "");
    assert_eq!(replay.status, 0, "{}", replay.stderr);
    let report: Value = serde_json::from_str(&replay.stdout).unwrap();
    // The recording knows what is the rules' own business as well.
    let mut all = report["events"].as_array().unwrap().iter();
    assert!(told.iter().all(|text| all.any(|event| event["text"] == *text)), "what was told is replayed, in order");
    assert!(told.len() > 100 && told.len() < report["events"].as_array().unwrap().len());
}

#[test]
fn the_seed_was_fixed_before_play() {
    let folder = Folder::new("host-commitment");
    let mut table = Table::new(&folder, &["--seat", "1=rubeus"]);
    let promised = table.hear()["seed_commitment"].as_str().unwrap().to_string();
    table.tell(json!({ "quit": true }));
    let outcome = table.play(first);
    let (seed, salt) = (outcome["seed"].as_str().unwrap(), outcome["salt"].as_str().unwrap());
    assert_eq!(ludex_engine::recording::commitment_to_seed(seed, salt), promised);
    assert_eq!(outcome["result"], "abandoned");
    assert_eq!(table.leave(), 0);
}

#[test]
fn lines_that_mean_nothing_are_rejected_and_change_nothing() {
    let folder = Folder::new("host-rejected");
    let mut table = Table::new(&folder, &["--seat", "1=rubeus", "--seed", "5"]);
    let decision = table.wait_for("decision");
    let (id, seat) = (decision["id"].as_u64().unwrap(), decision["seat"].as_u64().unwrap());
    let wrong = [
        json!([]),
        json!({}),
        json!({ "choose": id }),
        json!({ "choose": id, "option": decision["count"] }),
        json!({ "choose": id, "seat": 1 - seat, "option": 0 }),
        json!({ "choose": id, "key": "power_attack(99>0)" }),
        json!({ "choose": id, "number": 3 }),
        json!({ "choose": id, "args": { "die": 99 } }),
        json!({ "choose": id + 7, "option": 0 }),
        json!({ "random": 1, "result": [1] }),
        json!({ "view": 12 }),
        json!({ "undo": { "seat": seat } }),
        json!({ "consent": true }),
        json!({ "state": true }),
    ];
    for line in wrong {
        table.tell(line.clone());
        let answer = table.hear();
        assert_eq!(answer["type"], "rejected", "{line}: {answer}");
        assert!(answer["code"].as_str().unwrap().starts_with("LX"), "{answer}");
        assert!(!answer["reason"].as_str().unwrap().is_empty());
    }
    for bytes in [&b"nonsense"[..], b"\xff\xfe", b"\"\\ud800\"", &[b'['; 100_000], &[b'x'; 3_000_000]] {
        table.say(bytes);
        assert_eq!(table.hear()["type"], "rejected");
    }
    table.tell(json!({ "resync": seat }));
    assert_eq!(table.hear()["type"], "hello");
    assert_eq!(table.hear()["view"], decision["view"]);
    assert_eq!(table.hear(), decision);
    assert_eq!(table.leave(), 1);
}

#[test]
fn real_dice_are_asked_for() {
    let folder = Folder::new("host-external");
    let mut table = Table::new(&folder, &["--seat", "1=rubeus:random", "--dice", "external"]);
    let throw = table.wait_for("random");
    table.tell(json!({ "random": throw["id"], "result": [99] }));
    assert_eq!(table.hear()["type"], "rejected");
    let lowest = |line: &Value| match line["type"].as_str() {
        Some("random") => {
            let sizes = line["draws"].as_array().unwrap().iter().map(|draw| draw["size"].as_i64().unwrap());
            let result: Vec<i64> = sizes.enumerate().map(|(index, size)| (index as i64 % size) + 1).collect();
            json!({ "random": line["id"], "result": result })
        }
        _ => first(line),
    };
    let answer = lowest(&throw);
    table.tell(answer);
    table.play(lowest);
    assert_eq!(table.leave(), 0);
}

#[test]
fn sides_may_bring_nothing() {
    let folder = Folder::new("host-bare");
    let mut table = Table::of(&folder, &["dicewing"], &["--seed", "5"]);
    let hello = table.hear();
    assert_eq!(
        hello["seats"],
        json!([0, 1].map(|seat| json!({ "seat": seat, "side": seat, "entrants": [], "player": "stdin" })))
    );
    assert_eq!(table.play(first)["result"], "win");
    assert_eq!(table.leave(), 0);
    let mut table = Table::of(&folder, &["dicewing"], &["--seat", "1=:greedy", "--seed", "5"]);
    assert_eq!(table.hear()["seats"][1]["player"], "greedy");
    assert_eq!(table.play(first)["result"], "win");
    assert_eq!(table.leave(), 0);
    let run = ludex_in(&folder, &["host", "dicewing", "--seat", "1=greedy"], "");
    let line: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.status, &line["code"]), (1, &json!("LX0907")));
    assert_eq!(line["help"], "name only the player, after a colon: `--seat 1=:greedy`");
}

#[test]
fn real_dice_may_have_faces_of_their_own() {
    let folder = Folder::new("host-faces");
    let mut table = Table::of(&folder, &["dicewing"], &["--dice", "external"]);
    let throw = table.wait_for("random");
    assert_eq!(throw["draws"][3], json!({ "piece": 3, "size": 10 }));
    let tens: Vec<i64> = (1..=10).map(|face| face * 10).collect();
    assert_eq!(throw["draws"][4], json!({ "piece": 4, "size": 10, "title": "d%", "faces": tens }));
    table.tell(json!({ "random": throw["id"], "result": [1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 50, 6, 8] }));
    let refused = table.hear();
    assert_eq!((&refused["type"], &refused["reason"].as_str().unwrap().contains("d% shows 10")), (&json!("rejected"), &true));
    let roll = |line: &Value| match line["type"].as_str() {
        Some("random") => {
            let throw = line["id"].as_i64().unwrap();
            let one = |(index, draw): (usize, &Value)| match draw["faces"].as_array() {
                Some(faces) => faces[index % faces.len()].clone(),
                None => json!((index as i64 + throw) % draw["size"].as_i64().unwrap() + 1),
            };
            let result: Vec<Value> = line["draws"].as_array().unwrap().iter().enumerate().map(one).collect();
            json!({ "random": line["id"], "result": result })
        }
        _ => first(line),
    };
    let answer = roll(&throw);
    table.tell(answer);
    table.play(roll);
    assert_eq!(table.leave(), 0);
}

/// Each side rolls two dice behind a screen and shows one.
pub const SCREENS: &str = "ludex 1
game screens \"Screens\"
sides 2
die sizes 6
each side has { zone behind: dice, seen by owner  zone shown: dice, open }
to play {
  each side in sides { create die(size: 6) in side.behind for side  create die(size: 6) in side.behind for side }
  roll sides.behind
  each side in sides { side must choose 1 in side.behind as die  move die to side.shown }
  finish with nobody
}
";

#[test]
fn who_may_not_see_an_event_learns_that_there_was_one() {
    let folder = Folder::new("host-hidden");
    folder.write("rules/screens/game.ludex", SCREENS);
    let mut seen: [Vec<(u64, String)>; 2] = Default::default();
    let run =
        ludex_in(&folder, &["host", "screens", "--seed", "3"], "{\"choose\":1,\"option\":0}\n{\"choose\":2,\"option\":1}\n");
    for line in run.stdout.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let seats = if line["to"] == "all" { vec![json!(0), json!(1)] } else { line["to"].as_array().unwrap().clone() };
        for seat in seats.iter().filter(|_| line["type"] == "event") {
            seen[seat.as_u64().unwrap() as usize].push((line["n"].as_u64().unwrap(), line["kind"].as_str().unwrap().to_string()));
        }
    }
    for (seat, seen) in seen.iter().enumerate() {
        assert_eq!(seen.iter().map(|(number, _)| *number).collect::<Vec<_>>(), (1..=seen.len() as u64).collect::<Vec<_>>());
        let own = |kind: &str| seen.iter().filter(|(_, found)| found == kind).count();
        // Its own two dice are made and rolled, it chooses, and both show one.
        assert_eq!([own("created"), own("rolled"), own("chose"), own("moved")], [2, 2, 1, 2], "seat {seat}: {seen:?}");
        assert_eq!(own("hidden"), 5);
    }
}

/// Three sides: some are asked at the same time, one alone, and everybody in turn.
const THREE: &str = "ludex 1
game three \"Three\"
sides 3
die sizes 6
each side has { zone behind: dice, seen by owner  zone shown: dice, open }
to play {
  each side in sides { create die(size: 6) in side.behind for side  create die(size: 6) in side.behind for side }
  roll sides.behind
  let first = first of sides
  let last = last of sides
  repeat 3 times {
    last must choose number in 1..3 as bid \"How many?\"
    each side in sides at once in secret must choose number in 1..3 as bids \"Your bid?\"
    last must choose number in 1..3 as again \"And how many now?\"
    first must choose number in 1..3 as own \"And you?\"
  }
  finish with nobody
}
";

/// Nothing in the lines of one seat counts what others are sent: neither whom a line is for, nor the number of a decision or
/// of a group of them, nor that of an answer.
#[test]
fn who_is_told_alone_cannot_count_what_others_are_told() {
    let folder = Folder::new("host-alone");
    folder.write("rules/three/game.ludex", THREE);
    let others = ["three", "--seat", "1=:random", "--seat", "2=:random"];
    let mut table = Table::of(&folder, &others, &["--as", "0", "--seed", "5"]);
    let mut asked = 0;
    loop {
        let line = table.hear();
        assert!(["to", "recording"].iter().all(|field| line.get(field).is_none()), "{line}");
        match line["type"].as_str().unwrap() {
            "decision" => {
                asked += 1;
                assert_eq!(line["id"], asked);
                assert_eq!(line.get("group"), (asked % 2 == 1).then(|| json!(asked)).as_ref());
                table.tell(json!({ "choose": asked + 7, "number": 1 }));
                assert_eq!(table.hear()["reason"], format!("decision {} is not open for seat 0", asked + 7));
                table.tell(json!({ "choose": asked, "option": 1 }));
                let refused = table.hear();
                assert_eq!(refused["in_reply_to"], asked, "{refused}");
                assert!(refused["reason"].as_str().unwrap().starts_with("this decision wants"), "{refused}");
                table.tell(json!({ "resync": 0 }));
                assert_eq!((&table.hear()["type"], &table.hear()["type"]), (&json!("hello"), &json!("view")));
                assert_eq!(table.hear(), line);
                table.tell(json!({ "choose": asked, "number": 1 }));
            }
            "accepted" => assert_eq!(line["in_reply_to"], asked),
            "event" => assert_eq!(line.get("decision"), None, "{line}"),
            "outcome" => break,
            _ => assert_eq!(line["type"], "hello"),
        }
    }
    assert_eq!(asked, 6);
    assert_eq!(table.leave(), 0);
}

/// Whoever passes lines on sees whom each is for; where one seat is told alone, not even `--trusted` shows the state.
#[test]
fn the_state_is_never_for_one_seat() {
    let folder = Folder::new("host-alone-state");
    folder.write("rules/three/game.ludex", THREE);
    for (more, expected) in [(&["--trusted"][..], "state"), (&["--trusted", "--as", "2"], "rejected"), (&[], "rejected")] {
        let run = ludex_in(&folder, &[&["host", "three"], more].concat(), "{\"state\":true}\n{\"quit\":true}\n");
        assert_eq!(run.status, 0, "{}", run.stderr);
        let lines: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines[lines.len() - 2]["type"], expected, "{more:?}");
    }
}

#[test]
fn people_are_asked_before_anything_is_taken_back() {
    let folder = Folder::new("host-undo");
    let mut table = Table::new(&folder, &["--seat", "1=rubeus", "--seed", "5"]);
    let decision = table.wait_for("decision");
    table.tell(first(&decision));
    table.wait_for("decision");
    let seat = decision["seat"].as_u64().unwrap();
    table.tell(json!({ "undo": { "seat": seat } }));
    assert_eq!(table.wait_for("consent")["to"], json!([1 - seat]));
    table.tell(json!({ "consent": false }));
    assert_eq!(table.hear()["type"], "rejected");
    table.tell(json!({ "undo": { "seat": seat } }));
    table.wait_for("consent");
    // The seat that asks has no say in it.
    table.tell(json!({ "consent": { "seat": seat, "agrees": false } }));
    assert_eq!(table.hear()["reason"], format!("seat {seat} is not asked whether it agrees"));
    table.tell(json!({ "consent": { "seat": 1 - seat, "agrees": true } }));
    assert_eq!(table.hear()["kind"], "taken_back");
    let again = table.wait_for("decision");
    assert_eq!((&again["id"], &again["options"], &again["view"]), (&decision["id"], &decision["options"], &decision["view"]));
    table.tell(json!({ "quit": true }));
    // Who agree on it need no number; it is told all the same.
    let mut undone = [0, 0];
    undone[seat as usize] = 1;
    assert_eq!(table.wait_for("outcome")["undone"], json!(undone));
    assert_eq!(table.leave(), 0);
}

#[test]
fn one_seat_may_look_alone() {
    let folder = Folder::new("host-as");
    let mut table = Table::new(&folder, &["--seat", "1=rubeus:random", "--as", "0", "--seed", "5"]);
    let outcome = table.play(|line| {
        assert_eq!(line["seat"], 0);
        first(line)
    });
    assert_eq!(outcome["result"], "win");
    assert_eq!(outcome.get("recording"), None, "{outcome}");
    assert_eq!(table.leave(), 0);
}

const ALONE: [&str; 6] = ["--seat", "1=rubeus:random", "--as", "0", "--seed", "5"];

#[test]
fn one_seat_speaks_for_no_other() {
    let folder = Folder::new("host-as-other");
    let mut table = Table::new(&folder, &ALONE);
    let decision = table.wait_for("decision");
    let id = &decision["id"];
    for (line, in_reply_to) in [
        (json!({ "choose": id, "seat": 1, "option": 0 }), id.clone()),
        (json!({ "view": 1 }), json!("view")),
        (json!({ "undo": { "seat": 1 } }), json!("undo")),
        (json!({ "undo": 1 }), json!("undo")),
        (json!({ "consent": { "seat": 1, "agrees": true } }), json!("consent")),
        (json!({ "resign": 1 }), json!("resign")),
        (json!({ "resync": 1 }), json!("resync")),
        (json!({ "resync": 2 }), json!("resync")),
    ] {
        table.tell(line.clone());
        let answer = table.hear();
        let told = json!([answer["type"], answer["code"], answer["in_reply_to"], answer["reason"]]);
        assert_eq!(told, json!(["rejected", "LX0903", in_reply_to, "only seat 0 may speak here"]), "{line}");
    }
    table.tell(json!({ "resync": 0 }));
    assert_eq!(table.hear()["type"], "hello");
    assert_eq!(table.hear()["view"], decision["view"]);
    assert_eq!(table.hear(), decision);
    assert_eq!(table.leave(), 1);
}

#[test]
fn one_seat_speaks_for_itself() {
    let folder = Folder::new("host-as-own");
    let mut table = Table::new(&folder, &ALONE);
    let decision = table.wait_for("decision");
    table.tell(json!({ "view": 0 }));
    assert_eq!(table.hear()["view"], decision["view"]);
    table.tell(json!({ "choose": decision["id"], "seat": 0, "option": 0 }));
    table.wait_for("decision");
    table.tell(json!({ "consent": { "seat": 0, "agrees": true } }));
    assert_eq!(table.hear()["reason"], "no seat has asked for a take-back");
    table.tell(json!({ "undo": { "seat": 0 } }));
    assert_eq!(table.hear()["kind"], "taken_back");
    assert_eq!(table.wait_for("decision")["options"], decision["options"]);
    table.tell(json!({ "resign": 0 }));
    let outcome = table.wait_for("outcome");
    assert_eq!((&outcome["result"], &outcome["winners"]), (&json!("abandoned"), &json!([1])));
    assert_eq!(table.leave(), 0);
}

/// Whoever throws the dice at this table does so for all.
#[test]
fn one_seat_may_give_what_real_dice_show() {
    let folder = Folder::new("host-as-dice");
    let mut table = Table::new(&folder, &["--seat", "1=rubeus:random", "--as", "0", "--dice", "external"]);
    let throw = table.wait_for("random");
    let ones = vec![1; throw["draws"].as_array().unwrap().len()];
    table.tell(json!({ "random": throw["id"], "result": ones }));
    assert_eq!(table.hear()["type"], "event");
    table.leave();
}

#[test]
fn who_plays_bots_goes_back_three_times() {
    let folder = Folder::new("host-undo-limit");
    let mut table = Table::new(&folder, &["--seat", "1=rubeus:random", "--seed", "5"]);
    let mut decision = table.wait_for("decision");
    for left in [2, 1, 0] {
        table.tell(first(&decision));
        table.wait_for("decision");
        table.tell(json!({ "undo": { "seat": 0 } }));
        let undone = table.hear();
        assert_eq!(
            (&undone["kind"], &undone["fresh_randomness"], &undone["left"]),
            (&json!("taken_back"), &json!(true), &json!(left))
        );
        decision = table.wait_for("decision");
    }
    table.tell(first(&decision));
    let open = table.wait_for("decision");
    table.tell(json!({ "undo": { "seat": 0 } }));
    let refused = table.hear();
    assert_eq!((&refused["type"], &refused["code"]), (&json!("rejected"), &json!("LX0917")));
    assert_eq!(refused["help"], "start `ludex host` with `--undo N` to allow each seat N take-backs");
    table.tell(json!({ "resync": 0 }));
    table.wait_for("hello");
    assert_eq!(table.hear()["type"], "view");
    assert_eq!(table.hear(), open);
    table.tell(json!({ "quit": true }));
    assert_eq!(table.wait_for("outcome")["undone"], json!([3, 0]));
    assert_eq!(table.leave(), 0);

    let mut strict = Table::new(&folder, &["--seat", "1=rubeus:random", "--seed", "5", "--undo", "0"]);
    let decision = strict.wait_for("decision");
    strict.tell(first(&decision));
    strict.wait_for("decision");
    strict.tell(json!({ "undo": { "seat": 0 } }));
    assert_eq!(strict.hear()["code"], "LX0917");
    strict.leave();
}

#[test]
fn the_referee_may_look_alone() {
    let folder = Folder::new("host-referee");
    let seats = ["tri-stat", "--seat", "0=sailor-venus", "--seat", "1=youma:random", "--referee", "human"];
    let mut table = Table::of(&folder, &seats, &["--seed", "3", "--as", "2"]);
    assert_eq!(table.hear()["seats"][2]["seat"], 2);
    table.tell(json!({ "view": 2 }));
    assert_eq!(table.wait_for("view")["view"]["seat"], 2);
    table.leave();

    let beyond = ludex_in(&folder, &[&["host"][..], &seats, &["--as", "3"]].concat(), "");
    assert_eq!(beyond.status, 1);
    let line: Value = serde_json::from_str(&beyond.stdout).unwrap();
    // What was wrong with the command line is not for one seat.
    assert_eq!((&line["code"], &line["message"]), (&json!("LX0907"), &json!("the game cannot begin")));
    assert!(
        beyond.stderr.contains("there is no seat 3") && beyond.stderr.contains("the seats are 0, 1 and 2"),
        "{}",
        beyond.stderr
    );
}

#[test]
fn a_bad_start_is_one_line() {
    let folder = Folder::new("host-bad");
    for args in [
        &["host", "pnod"][..],
        &["host", "dice-challenge"],
        &["host", "dice-challenge", "--seat", "0=kunzite", "--seat", "1=nobody"],
        &["host", "dice-challenge", "--seat", "0=kunzite", "--seat", "1=rubeus", "--option", "victory_tokens=none"],
        &["host", "dice-challenge", "--seat", "0=kunzite", "--seat", "1=rubeus", "--rolls", "1,2,3"],
        &["host", "dice-challenge", "--position", "nowhere.yaml"],
    ] {
        let run = ludex_in(&folder, args, "");
        assert_eq!(run.status, 1, "{args:?}");
        let line: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(line["type"], "error", "{args:?}");
        assert!(line["code"].as_str().unwrap().starts_with("LX"));
    }
}

/// A fight of one against twelve: more moves than anybody lists.
fn fight(folder: &Folder) -> Table {
    let foes = format!("1=dark-queen{}:random", ",youma".repeat(11));
    Table::of(folder, &["tri-stat", "--seat", "0=sailor-venus", "--seat", &foes], &["--seed", "3", "--referee", "auto"])
}

/// The next decision that is put in steps; everything before it is answered by its last option.
fn first_step(table: &mut Table) -> Value {
    loop {
        let decision = table.wait_for("decision");
        if decision["step"] == 1 {
            return decision;
        }
        let last = decision["options"].as_array().unwrap().len() - 1;
        table.tell(json!({"choose": decision["id"], "option": last}));
    }
}

#[test]
fn a_choice_among_very_many_moves_goes_step_by_step() {
    let folder = Folder::new("a choice goes step by step");
    let mut table = fight(&folder);
    let first = first_step(&mut table);
    let keys = |decision: &Value| -> Vec<String> {
        decision["options"].as_array().unwrap().iter().map(|option| option["key"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!((&first["of"], &first["form"], &first["back"]), (&json!(3), &json!("one"), &json!(false)));
    assert!(first["moves"].as_u64().unwrap() > 4095, "{first}");
    assert_eq!(keys(&first)[..2], ["martial_arts", "senshi_attack"]);

    let id = &first["id"];
    table.tell(json!({"choose": id, "key": "senshi_attack"}));
    let level = table.wait_for("decision");
    assert_eq!((&level["id"], &level["step"], &level["about"]), (id, &json!(2), &json!("senshi attack: level")));
    assert_eq!(keys(&level).last().map(String::as_str), Some("back"));

    table.tell(json!({"choose": id, "key": "back"}));
    assert_eq!(table.wait_for("decision")["step"], 1);
    table.tell(json!({"choose": id, "option": 1}));
    table.wait_for("decision");
    table.tell(json!({"choose": id, "option": 0}));
    let targets = table.wait_for("decision");
    assert_eq!((&targets["form"], &targets["min"], &targets["max"]), (&json!("some"), &json!(1), &json!(12)));
    assert_eq!((&targets["count"], targets["options"].as_array().unwrap().len()), (&json!(12), 12));

    table.tell(json!({"choose": id, "options": []}));
    assert_eq!(table.wait_for("rejected")["in_reply_to"], *id);
    table.tell(json!({"choose": id, "options": [0, "choose(youma#2)"]}));
    let chose = loop {
        let line = table.hear();
        if line["kind"] == "chose" && line["by"] == 0 {
            break line;
        }
    };
    assert_eq!(chose["key"], "senshi_attack(1>dark-queen+youma#2)");
}

#[test]
fn a_whole_move_may_be_named_at_any_step() {
    let folder = Folder::new("a whole move at any step");
    let mut table = fight(&folder);
    let id = first_step(&mut table)["id"].clone();
    table.tell(json!({"choose": id, "option": 0}));
    assert_eq!(table.wait_for("decision")["step"], 2);
    table.tell(json!({"choose": id, "action": "senshi_attack", "args": {"level": 1, "targets": ["youma#3", "youma"]}}));
    let chose = loop {
        let line = table.hear();
        if line["kind"] == "chose" && line["by"] == 0 {
            break line;
        }
    };
    assert_eq!(chose["key"], "senshi_attack(1>youma+youma#3)");
}

#[test]
fn every_step_may_be_answered_by_what_is_listed() {
    let folder = Folder::new("a step by its arguments");
    let mut table = fight(&folder);
    let first = first_step(&mut table);
    let (id, kind) = (&first["id"], &first["options"][1]);
    let attack = json!({"choose": id, "action": kind["action"], "args": kind["args"]});
    table.tell(attack.clone());
    assert_eq!(table.wait_for("decision")["about"], "senshi attack: level");
    table.tell(json!({"choose": id, "action": "back", "args": {}}));
    assert_eq!(table.wait_for("decision")["step"], 1);
    table.tell(attack);
    let level = table.wait_for("decision");
    table.tell(json!({"choose": id, "args": level["options"][0]["args"]}));
    assert_eq!(table.wait_for("decision")["step"], 3);
}

#[test]
fn orders_and_divided_totals_are_answered() {
    let folder = ferry("host-ferry");
    let mut table = Table::of(&folder, &["ferry", "--seat", "1=:random"], &["--seed", "4", "--as", "0"]);
    let order = table.wait_for("decision");
    assert_eq!((&order["form"], &order["count"]), (&json!("order"), &json!(3)));
    let id = order["id"].as_u64().unwrap();
    let keys: Vec<&str> = order["options"].as_array().unwrap().iter().map(|option| option["key"].as_str().unwrap()).collect();
    let wants = "this decision wants all 3 options in the order wanted, by `options` or `key`";
    for (answer, reason) in [
        (json!({ "choose": id, "options": [2, 0] }), wants),
        (json!({ "choose": id, "options": [] }), wants),
        (json!({ "choose": id, "option": 0 }), wants),
        (json!({ "choose": id, "amounts": [1, 2, 3] }), wants),
        (json!({ "choose": id, "options": [2, 0, 2] }), "an option is chosen twice"),
        (json!({ "choose": id, "options": [2, 0, 3] }), "there is no option 3: there are 3, numbered from 0"),
        (json!({ "choose": id, "options": [2, 0, "order(9)"] }), "`order(9)` is not one of the options"),
        (json!({ "choose": id, "key": "order(0+1)" }), "that is only 2 of 3, and each must be named"),
    ] {
        table.tell(answer);
        assert_eq!(table.wait_for("rejected")["reason"], reason);
    }
    table.tell(json!({ "choose": id, "seat": 0, "options": [2, keys[0], 1] }));
    let chose = table.wait_for_event("chose");
    assert_eq!(chose["key"], format!("order({}+{}+{})", &keys[2][6..7], &keys[0][6..7], &keys[1][6..7]));

    let load = table.wait_for("decision");
    let (id, form) = (load["id"].as_u64().unwrap(), json!([load["form"], load["total"], load["step"], load["may_pass"]]));
    assert_eq!(form, json!(["split", 60, 10, true]));
    table.tell(json!({ "choose": id, "options": [] }));
    assert_eq!(table.wait_for_event("chose")["text"], "side 0: load nothing");

    let guard = table.wait_for("decision");
    let id = guard["id"].as_u64().unwrap();
    let wants = "this decision wants `amounts`, one for each of 3 options: multiples of 2, 4 together";
    for (answer, reason) in [
        (json!({ "choose": id, "options": [0, 1, 2] }), wants),
        (json!({ "choose": id, "options": [] }), wants),
        (json!({ "choose": id, "number": 4 }), wants),
        (json!({ "choose": id, "amounts": [4] }), "there must be 3 amounts, one for each, not 1"),
        (json!({ "choose": id, "amounts": [3, 1, 0] }), "3 is not a multiple of 2"),
        (json!({ "choose": id, "amounts": [6, -2, 0] }), "-2 is less than 0"),
        (json!({ "choose": id, "amounts": [4, 0, 2] }), "the amounts add up to 6, but must add up to 4"),
        (json!({ "choose": id, "amounts": [4, 0, "0"] }), "`amounts` must be a list of whole numbers"),
        (json!({ "choose": id, "key": "divide(1=2)" }), "the amounts add up to 2, but must add up to 4"),
    ] {
        table.tell(answer);
        assert_eq!(table.wait_for("rejected")["reason"], reason);
    }
    table.tell(json!({ "choose": id, "seat": 0, "amounts": [0, 2, 2] }));
    assert_eq!(table.wait_for("accepted")["in_reply_to"], id);
    assert_eq!(table.wait_for_event("chose")["key"], "divide(2=2+3=2)");
    table.leave();
}

/// What a line says takes far more memory than its text.
#[cfg(target_os = "linux")]
#[test]
fn a_line_full_of_numbers_takes_little_memory() {
    let folder = Folder::new("host-numbers");
    let mut table = Table::new(&folder, &["--seat", "1=rubeus:random"]);
    let id = table.wait_for("decision")["id"].clone();
    let held = |table: &Table| crate::support::peak::peak(table.child.id());
    let before = held(&table);
    for bytes in [200_000, 1_000_000] {
        table.say(format!("{{\"choose\":{id},\"options\":[0{}]}}", ",0".repeat(bytes / 2)));
        table.wait_for("rejected");
    }
    let more = held(&table).saturating_sub(before);
    assert!(more < 64 << 20, "{more} bytes");
    table.leave();
}
