//! `docs/protocol.md` is whole: every line of real games is as the page says, every field on the page is sent, and every
//! request is understood.

mod page;

use crate::orders_and_amounts::ferry;
use crate::support::{Folder, Luck, ludex_in};
use page::{PAGE, Page, quoted};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};

/// A game is left after so many decisions.
const MOST_DECISIONS: usize = 20;
/// Fields of the page that these games do not send, and the test that does.
const ELSEWHERE: [&str; 1] = ["hello.seat in tests/exec.rs"];

/// Everything that few games do: a side that leaves, pools of dice, numbers, and things that are shown, drawn and removed.
pub const RARE: &str = r#"ludex 1
game rare "Rare"
sides 3
die sizes 6
type sign is one of rock, paper, scissors
each side has {
  zone hand: dice, seen by owner, in order
  next: side or none, shown
  mark tired "needs a rest"
}
each die has { mark hot "is hot"  zone under: dice, seen by owner  zone over: dice, open }
to play {
  each side in sides {
    create die(size: 6) in side.hand for side as die
    create die(size: 6) in die.under for side
    create die(size: 6) in die.over for side
    create die(size: 6) in side.hand for side
    roll side.hand because "the hands"
    mark side as tired
  }
  let me = first of sides
  shuffle me.hand
  draw 1 in me.hand at random because "luck" as found
  me must choose number in 2..5 as bid "How many?"
  roll bid d6 because "a pool" as shown
  me must choose a sign as sign "Which sign?"
  me may "Really?" as sure
  show me.hand to last of sides
  unmark me as tired
  mark me.hand as hot
  unmark me.hand as hot
  say "hello" to me
  each side in sides at once in secret may choose 1 in side.hand as offers "Offer?" "nothing" ask even when forced
  set me.next to last of sides
  remove first of me.hand
  let last = last of sides
  remove last
  me must choose number in 1..2 as late "When?"
  finish with nobody, payoff of side = half of late "it is late"
}
"#;

// --- lines held against the page ---------------------------------------------------

/// Holds lines against the page, and notes which of its fields they have.
struct Reader {
    page: Page,
    seen: BTreeSet<String>,
}

impl Reader {
    fn read(&mut self, line: &Value) {
        let heading = line["type"].as_str().unwrap();
        assert!(self.page.fields.contains_key(heading), "the page has no `{heading}`: {line}");
        if let Err(why) = self.object(heading, line.as_object().unwrap()) {
            panic!("{why}, in {line}");
        }
        if heading == "event" {
            self.event(line);
        }
        if let Some(code) = line.get("code").filter(|_| heading == "rejected") {
            assert!(PAGE.contains(&format!("| `{}` |", code.as_str().unwrap())), "the page does not list {code}");
        }
    }

    /// The kinds that are not names given by rules have the fields of their row.
    fn event(&mut self, line: &Value) {
        let Some(names) = self.page.kinds.get(line["kind"].as_str().unwrap()) else { return };
        self.seen.insert(format!("kind {}", line["kind"]));
        let common = ["type", "to", "n", "kind", "by", "cause", "text"];
        let own: Vec<&String> = line.as_object().unwrap().keys().filter(|name| !common.contains(&name.as_str())).collect();
        assert!(own.iter().all(|name| names.contains(name)), "more than {names:?}: {line}");
    }

    fn object(&mut self, heading: &str, object: &Map<String, Value>) -> Result<(), String> {
        let fields = self.page.fields.get(heading).unwrap_or_else(|| panic!("the page has no `{heading}`"));
        if let Some((missing, _)) = fields.iter().find(|(name, field)| field.always && !object.contains_key(*name)) {
            return Err(format!("there is no `{missing}` of {heading}"));
        }
        let shapes: Vec<Option<String>> = object.keys().map(|name| Some(fields.get(name)?.shape.clone())).collect();
        for ((name, value), shape) in object.iter().zip(shapes) {
            let shape = shape.ok_or(format!("the page has no `{name}` of {heading}"))?;
            self.value(&shape, value).map_err(|why| format!("`{name}` of {heading} is no {shape}: {why}"))?;
            self.seen.insert(format!("{heading}.{name}"));
        }
        Ok(())
    }

    fn value(&mut self, shape: &str, value: &Value) -> Result<(), String> {
        let wrong = || Err(value.to_string());
        if let Some(member) = shape.strip_prefix("list of ") {
            return value.as_array().map_or_else(wrong, |list| list.iter().try_for_each(|value| self.value(member, value)));
        }
        if let Some(member) = shape.strip_prefix("map of ") {
            return value.as_object().map_or_else(wrong, |map| map.values().try_for_each(|value| self.value(member, value)));
        }
        if let Some((one, others)) = shape.split_once(" or ") {
            return self.value(one, value).or_else(|_| self.value(others, value));
        }
        let fits = match shape {
            "number" => value.is_i64() || value.is_u64(),
            "text" => value.is_string(),
            "true" => *value == true,
            "false" => *value == false,
            "null" => value.is_null(),
            "anything" => true,
            "argument" => return self.argument(value),
            "zone" if value.is_array() => return self.value("list of piece in a zone", value),
            "cause" if *value == json!({}) => true,
            literal if literal.starts_with('"') => *value == literal.trim_matches('"'),
            heading => return value.as_object().map_or_else(wrong, |object| self.object(heading, object)),
        };
        if fits { Ok(()) } else { wrong() }
    }

    /// The page tells it in a sentence.
    fn argument(&mut self, value: &Value) -> Result<(), String> {
        match value {
            Value::Object(side) if side.len() == 1 => self.value("number", &side["side"]),
            _ => self.value(if value.is_array() { "list of argument" } else { "number or text or null or piece" }, value),
        }
    }
}

// --- games --------------------------------------------------------------------------

/// The lines of a game that is played by lot. Behind the first answer come other lines, each with its reply.
fn transcript(folder: &Folder, args: &[&str], more: &[Value]) -> Vec<Value> {
    let mut child = folder.command(&[&["host"], args].concat()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut say = |line: Value| drop(writeln!(input, "{line}"));
    let (mut lines, mut luck, mut decisions) = (Vec::new(), Luck(1), 0);
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line: Value = serde_json::from_str(&line.unwrap()).unwrap();
        match line["type"].as_str().unwrap() {
            "decision" => {
                decisions += 1;
                if decisions == 2 {
                    more.iter().for_each(|line| say(line.clone()));
                }
                say(if decisions > MOST_DECISIONS { json!({ "quit": true }) } else { answer(&line, &mut luck) });
            }
            "random" => say(json!({ "random": line["id"], "result": results(&line, &mut luck) })),
            "consent" => say(json!({ "consent": true })),
            "shares" => say(json!({ "share": { "seat": 0, "commitment": OTTER } })),
            "reveal" => say(json!({ "reveal": { "seat": 0, "share": "otter" } })),
            _ => {}
        }
        lines.push(line);
    }
    assert!(child.wait().unwrap().success(), "{args:?}");
    lines
}

/// What `printf otter | sha256sum` gives.
const OTTER: &str = "914cb64a1bfac4c6f9507c9d26b81ed91757fa051e3f8508140053834d1dda81";

fn answer(decision: &Value, luck: &mut Luck) -> Value {
    let number = |name: &str| decision[name].as_u64().unwrap();
    let mut answer = json!({ "choose": decision["id"], "seat": decision["seat"] });
    let (name, value) = match decision["form"].as_str().unwrap() {
        "one" => ("option", json!(luck.below(number("count") - u64::from(decision["back"] == true)))),
        "number" => ("number", json!(number("min") + luck.below(number("max") - number("min") + 1))),
        "split" => {
            let shares = (0..number("count")).map(|option| if option == 0 { number("total") } else { 0 });
            ("amounts", shares.collect())
        }
        form => ("options", (0..if form == "order" { number("count") } else { number("min") }).collect()),
    };
    answer[name] = value;
    answer
}

fn results(random: &Value, luck: &mut Luck) -> Vec<Value> {
    let one = |draw: &Value| match draw["faces"].as_array() {
        Some(faces) => luck.one_of(faces).cloned().unwrap(),
        None => json!(luck.below(draw["size"].as_u64().unwrap()) + 1),
    };
    random["draws"].as_array().unwrap().iter().map(one).collect()
}

/// Games to listen to, every bundled one among them, with the lines that are said in them besides answers.
fn games() -> Vec<(String, Vec<Value>)> {
    let looks = vec![json!({ "view": 0 }), json!({ "resync": 0 }), json!({ "state": true }), json!({ "nothing": 0 })];
    let undo = vec![json!({ "undo": { "seat": 0 } }), json!({ "choose": 1 })];
    let crowd = format!("dark-queen{}", ",youma".repeat(11));
    let games = [
        ("dice-challenge --seed 5 --seat 0=kunzite --seat 1=rubeus:random".to_string(), undo.clone()),
        ("season-3 --mode tag-team --seat 0=eudial,mimete --seat 1=viluy,kunzite:random".to_string(), Vec::new()),
        ("dicewing --dice external --seat 1=:random --shares".to_string(), Vec::new()),
        (format!("tri-stat --seed 3 --referee human --seat 0=sailor-venus --seat 1={crowd}:random"), Vec::new()),
        ("sailor-moon-ccg --seed 3 --seat 0=moon --seat 1=mercury --trusted".to_string(), looks),
        ("rare --dice external".to_string(), undo.clone()),
        ("ferry --seed 4 --name 1=Ben".to_string(), undo),
    ];
    games.into()
}

/// The lines of all these games, and of some that end otherwise.
fn lines() -> Vec<Value> {
    let folder = ferry("protocol");
    folder.write("rules/rare/rare.ludex", RARE);
    let heard = |(game, more): &(String, Vec<Value>)| transcript(&folder, &game.split(' ').collect::<Vec<_>>(), more);
    let games = games();
    // Most of the time goes into the start of each.
    let (first, second) = games.split_at(games.len() / 2);
    let mut lines: Vec<Value> = std::thread::scope(|scope| {
        let second = scope.spawn(|| second.iter().flat_map(heard).collect::<Vec<_>>());
        first.iter().flat_map(heard).chain(second.join().unwrap()).collect()
    });
    let rolls = "1,".repeat(50);
    for (args, input) in [(["rare", "--rolls", &rolls[..99]], "{\"quit\":true}\n"), (["dicewing", "--seat", "1=greedy"], "")] {
        let run = ludex_in(&folder, &[&["host"], &args[..]].concat(), input);
        lines.extend(run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
    }
    lines
}

#[test]
fn every_line_is_as_the_page_says_and_every_field_of_the_page_is_sent() {
    let mut reader = Reader { page: Page::read(), seen: BTreeSet::new() };
    let lines = lines();
    lines.iter().for_each(|line| reader.read(line));
    let rules = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/rules")).unwrap().flatten();
    for game in rules.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name().into_string().unwrap()) {
        assert!(lines.iter().any(|line| line["game"] == game), "{game} is not listened to");
    }
    let (_, rest) = PAGE.split_once("\n## Lines from Ludex\n").unwrap();
    let asked: Vec<&str> =
        rest.split("\n## Lines to Ludex\n").nth(1).unwrap().split("\n## ").next().unwrap().split("\n### ").collect();
    let is_sent = |heading: &str| !asked.iter().any(|section| section.starts_with(&format!("{heading}\n")));
    let fields = reader.page.fields.iter().filter(|(heading, _)| is_sent(heading));
    let fields = fields.flat_map(|(heading, fields)| fields.keys().map(move |name| format!("{heading}.{name}")));
    let kinds = reader.page.kinds.keys().map(|kind| format!("kind \"{kind}\""));
    let expected = fields.chain(kinds).filter(|field| !ELSEWHERE.iter().any(|other| other.split(' ').next() == Some(field)));
    let missing: Vec<String> = expected.filter(|field| !reader.seen.contains(field)).collect();
    assert!(missing.is_empty(), "no game sends {missing:?}");
}

#[test]
fn every_request_is_on_the_page_and_every_example_is_understood() {
    let folder = Folder::new("protocol-requests");
    let (_, requests) = PAGE.split_once("\n## Lines to Ludex\n").unwrap();
    let requests = requests.split("\n## ").next().unwrap();
    let asks = ["host", "dicewing", "--seat", "1=:random"];
    let refused = ludex_in(&folder, &asks, "{}\n{\"choose\":1}\n").stdout;
    let mut known =
        refused.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).filter(|line| line["type"] == "rejected");
    let words = quoted(known.next().unwrap()["reason"].as_str().unwrap());
    let answers = quoted(known.next().unwrap()["help"].as_str().unwrap());
    assert_eq!((words.len(), answers.len()), (9, 6));
    for word in words.iter().chain(&answers) {
        assert!(requests.contains(&format!("`{word}`")), "the page does not tell of `{word}`");
    }
    let examples: Vec<&str> = requests.lines().filter(|line| line.starts_with("{\"") && !line.contains("share")).collect();
    for word in &words {
        assert!(examples.iter().any(|line| line.contains(&format!("\"{word}\""))), "there is no example of `{word}`");
    }
    // What is quit is the last line.
    let input: String = examples.iter().map(|line| format!("{line}\n")).collect();
    let heard = ludex_in(&folder, &[&asks[..], &["--trusted"]].concat(), &input).stdout;
    let misunderstood = ["none of", "must be", "there is no answer", "not JSON"];
    assert!(!misunderstood.iter().any(|words| heard.contains(words)), "{heard}");
    assert!(heard.contains("\"result\":\"abandoned\""), "{heard}");
}
