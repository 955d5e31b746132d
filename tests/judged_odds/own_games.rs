//! The definitions and procedures of every game that is shipped, with dice as arguments, held against every throw. Where there are too
//! many throws, they are held against rolls at random.

use crate::engine_names_no_game::files;
use crate::judged_odds::enumerator::{Enumerated, Shares, are_too_many, enumerate, play_at_random, starts};
use crate::judged_odds::random::Random;
use crate::judged_odds::tree::{Kind, Node, Piece, Sort, node};
use crate::judged_odds::{errors, noted, shares};
use ludex_engine::Compile;
use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
use ludex_engine::odds::{Effort, Odds, OddsMethod, compute_odds};
use ludex_engine::program::{Program, Shape};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The games, with the folders of their rules in the order in which they build on each other.
const GAMES: &[(&str, &[&str])] = &[
    ("examples/classics", &["backgammon"]),
    ("examples/classics", &["cant-stop"]),
    ("examples/classics", &["coup"]),
    ("examples/classics", &["four-in-a-row"]),
    ("examples/classics", &["hanabi"]),
    ("examples/classics", &["hearts"]),
    ("examples/classics", &["kuhn-poker"]),
    ("examples/classics", &["liars-dice"]),
    ("examples/classics", &["love-letter"]),
    ("examples/classics", &["pig"]),
    ("examples/classics", &["president"]),
    ("examples/classics", &["tic-tac-toe"]),
    ("examples/classics", &["yahtzee"]),
    ("", &["dice-challenge"]),
    ("", &["dice-challenge", "season-3"]),
    ("", &["dicewing"]),
    ("", &["sailor-moon-ccg"]),
    ("", &["tri-stat"]),
];

/// What is judged for certain: if one of these has no odds any more, the test looks at too little.
const JUDGED: &[&str] = &[
    "backgammon other_than",
    "cant-stop fit",
    "cant-stop is_climbable",
    "cant-stop is_with",
    "cant-stop makes",
    "cant-stop makes_any",
    "cant-stop partner",
    "cant-stop runner_in",
    "cant-stop top_of",
    "liars-dice found",
    "pig held_at",
    "sailor-moon-ccg beats",
    "season-3 half_size",
    "tri-stat damage_of",
    "tri-stat extra",
    "tri-stat made",
    "tri-stat plain",
    "tri-stat reaches",
    "tri-stat readable",
    "tri-stat senshi_dice",
    "tri-stat successes",
    "tri-stat target_for",
    "yahtzee alike",
    "yahtzee alike_after",
    "yahtzee commonest",
    "yahtzee copies",
    "yahtzee in_a_row",
    "yahtzee is_full_house",
    "yahtzee is_row",
];

/// A definition or procedure at the beginning of a line.
#[derive(Clone, Debug)]
struct Declared {
    name: String,
    params: Vec<String>,
    is_procedure: bool,
}

fn texts((root, folders): (&str, &[&str])) -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
    let file = |path: PathBuf| File {
        path: path.strip_prefix(&root).unwrap().to_string_lossy().into_owned(),
        text: std::fs::read_to_string(&path).unwrap(),
        library: BUNDLED.to_string(),
    };
    let places = [("rules", "ludex"), ("characters", "yaml"), ("scripts", "rhai")];
    let found = folders.iter().flat_map(|folder| places.map(|(place, ending)| files(&root.join(place).join(folder), &[ending])));
    found.flatten().map(file).collect()
}

fn declared(texts: &[File]) -> Vec<Declared> {
    let rules = texts.iter().filter(|file| file.path.ends_with(".ludex"));
    rules.flat_map(|file| file.text.lines()).filter_map(declared_in).collect()
}

fn declared_in(line: &str) -> Option<Declared> {
    let line = line.strip_prefix("entry ").unwrap_or(line);
    let (word, rest) = line.split_once(' ')?;
    let is_procedure = match word {
        "define" => false,
        "to" | "scope" => true,
        _ => return None,
    };
    let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')?;
    let params = match rest[end..].strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((params, _)) => params.split(',').filter_map(|param| Some(param.split_once(':')?.1.trim().to_string())).collect(),
        None => Vec::new(),
    };
    // A procedure that gives nothing has no odds.
    let gives =
        !is_procedure || rest[end..].rsplit_once(')').map_or(&rest[end..], |(_, rest)| rest).trim_start().starts_with(':');
    gives.then_some(())?;
    Some(Declared { name: rest[..end].to_string(), params, is_procedure })
}

/// The words of each type of words.
fn words(texts: &[File]) -> BTreeMap<String, Vec<String>> {
    let all: String = texts.iter().filter(|file| file.path.ends_with(".ludex")).map(|file| file.text.clone() + "\n").collect();
    let mut words = BTreeMap::new();
    for text in all.split("\ntype ").skip(1) {
        let Some((head, list)) = text.split_once("is one of") else { continue };
        let name = head.split_whitespace().next().unwrap_or("").to_string();
        let list = list.lines().next().unwrap_or("");
        words.insert(name, list.split(',').filter_map(|word| word.split_whitespace().next()).map(str::to_string).collect());
    }
    words
}

/// An argument of a type, if one can be made of dice.
fn argument(of: &str, words: &BTreeMap<String, Vec<String>>, random: &mut Random) -> Option<Node> {
    let dice = |listed: bool, count: i64, size: i64| {
        let sort = if listed { Sort::List } else { Sort::Number };
        let pieces: Vec<Piece> = vec![node!(Part, count.to_string()).into(), node!(Part, size.to_string()).into()];
        Node { sort, kind: Kind::Dice { listed }, pieces }
    };
    match of {
        "number" if random.once_in(3) => Some(dice(false, 1, *random.one_of(&[4, 6]))),
        "number" => Some(node!(Number, random.between(0, 7).to_string())),
        "side" => Some(node!(Word, *random.one_of(&["(first of sides)", "(last of sides)"]))),
        "flag" => Some(node!(Flag, *random.one_of(&["yes", "no"]))),
        "list of number" => {
            let (count, size) = *random.one_of(&[(1, 6), (2, 6), (3, 6), (3, 4), (4, 4), (5, 3), (5, 4)]);
            Some(dice(true, count, size))
        }
        other => Some(node!(Word, random.one_of(words.get(other).filter(|words| !words.is_empty())?).clone())),
    }
}

fn called(declared: &Declared, arguments: Vec<Node>) -> Node {
    if declared.is_procedure {
        let pieces = arguments.into_iter().map(Piece::Node).collect();
        return Node { sort: Sort::Number, kind: Kind::Call(declared.name.clone()), pieces };
    }
    let mut pieces = vec![Piece::from(declared.name.clone())];
    for (place, argument) in arguments.into_iter().enumerate() {
        pieces.extend([Piece::from(if place == 0 { "(" } else { ", " }), Piece::from(argument)]);
    }
    if pieces.len() > 1 {
        pieces.push(")".into());
    }
    Node { sort: Sort::Number, kind: Kind::Plain, pieces }
}

/// The braces of a declaration, which play needs so that all is reached.
fn block(texts: &[File], head: &str) -> Option<String> {
    let rules = texts.iter().map(|file| format!("\n{}", file.text)).find(|text| text.contains(&format!("\n{head}")))?;
    let text = rules.split_once(&format!("\n{head}"))?.1.split_once('{')?.1;
    let mut depth = 1;
    let end = text.find(|letter| {
        depth += match letter {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        depth == 0
    })?;
    Some(format!("{{{}}}", &text[..end]))
}

/// A package in which play works the expression out and notes its value; none where the value cannot be noted.
fn package(texts: &[File], game: &str, expression: &Node, odds: &Odds) -> Option<File> {
    let note = match &odds.shape {
        Shape::Number => "set noted to [value]".to_string(),
        Shape::Halves => "set halves_noted to [value]".to_string(),
        Shape::Flag => "set noted to [if value then 1 else 0]".to_string(),
        Shape::List(inner) if **inner == Shape::Number => "set noted to value".to_string(),
        Shape::OrNone(inner) if **inner == Shape::Number => "set noted to [value]".to_string(),
        Shape::Word(of) => {
            let words = odds.program.words[usize::from(*of)].words.iter().enumerate();
            let place: String = words.map(|(place, word)| format!("if value is {word} then {place} else ")).collect();
            format!("set noted to [{place}0]")
        }
        _ => return None,
    };
    let mut before = Vec::new();
    let value = expression.as_rules(&mut before);
    let before: String = before.iter().map(|statement| format!("  {statement}\n")).collect();
    let play = block(texts, "to play ")?;
    let text = format!(
        "ludex 1\npackage judge \"Judge\" extends {game}\n\
         the table has {{ noted: list of number, at most 100  halves_noted: list of halves, at most 100 }}\n\
         to play_on {play}\n\
         replace to play {{\n{before}  let value = {value}\n  {note}\n  if count of noted < 99 {{ finish with nobody }}\n  do play_on\n}}\n"
    );
    Some(File { path: "rules/judge/judge.ludex".to_string(), text, library: BUNDLED.to_string() })
}

/// What was found of one expression.
enum Outcome {
    Same,
    /// There are no odds, or the value is no number, flag, word or list of numbers.
    Nothing,
    Differs(String),
}

/// As many sides as must play, each with as many sheets as it takes for a match to start.
fn sides(texts: &[File], program: &Arc<Program>) -> Vec<Vec<String>> {
    let sheets = texts.iter().filter(|file| file.path.starts_with("characters/") && file.path.ends_with(".yaml"));
    let ids: Vec<&str> = sheets.filter_map(|file| file.path.rsplit(['/', '.']).nth(1)).collect();
    let (least, each) = (program.sides.least, program.sides.entrants_least);
    // The same sheets or others for each side, those that come first or later ones: whatever the rules admit.
    let sides = |first: usize, step: usize| -> Vec<Vec<String>> {
        let sheets = |side: usize| ids.iter().skip(first + side * step).take(each).map(ToString::to_string).collect();
        (0..least).map(sheets).collect()
    };
    let mut tried = (0..ids.len().max(1)).flat_map(|first| [sides(first, 0), sides(first, each)]);
    tried.find(|sides| starts(program, sides)).unwrap_or_default()
}

struct Judge<'a> {
    texts: &'a [File],
    game: &'a str,
    /// As many sides as must play, each with as many sheets as it takes for a match to start.
    sides: Vec<Vec<String>>,
    most_walks: u64,
    samples: u64,
}

impl Judge<'_> {
    fn judge(&self, library: &mut Library, expression: &Node) -> Outcome {
        let text = expression.as_odds();
        let source = library.sources.add("expression", &text);
        let found = match compute_odds(
            library,
            self.game,
            &CompileRequest::default(),
            &self.sides,
            source,
            &Effort { limit: 100_000, samples: 1, seed: 1, ..Effort::default() },
        ) {
            Ok(odds) if matches!(odds.found, OddsMethod::ByTrying { .. }) => return Outcome::Nothing,
            Ok(odds) => odds,
            Err(_) => return Outcome::Nothing,
        };
        let Some(package) = package(self.texts, self.game, expression, &found) else {
            return Outcome::Nothing;
        };
        let (with_package, _) = Library::new(self.texts.iter().cloned().chain([package]).collect());
        let (program, problems) = with_package.compile("judge", &CompileRequest::default());
        let Some(program) = program.map(Arc::new) else { return Outcome::Differs(format!("{text}: {}", errors(&problems))) };
        self.compare(&text, &program, &found)
    }

    fn compare(&self, text: &str, program: &Arc<Program>, odds: &Odds) -> Outcome {
        let value = |session: &_| noted(session, odds.shape == Shape::Halves);
        let found = shares(odds);
        let sides = &self.sides;
        let sample = || self.sample(text, &found, &|samples| play_at_random(program, sides, samples, &value));
        if are_too_many(program, sides, self.most_walks) {
            return sample();
        }
        match enumerate(program, sides, self.most_walks, &value) {
            Enumerated::Shares(right) if right == found => Outcome::Same,
            Enumerated::Fault(_) => Outcome::Nothing,
            Enumerated::Shares(right) => Outcome::Differs(format!("{text}: right {right:?}, wrong {found:?}")),
            Enumerated::TooMany => sample(),
        }
    }

    /// Compares with rolls at random. A difference counts if it is there with ten times as many rolls, too.
    fn sample(&self, text: &str, found: &Shares, play: &dyn Fn(u64) -> BTreeMap<String, u64>) -> Outcome {
        let mut last = String::new();
        for samples in [self.samples, 10 * self.samples] {
            let times = play(samples);
            let Some(different) = different(found, &times, samples) else { return Outcome::Same };
            last = different;
        }
        Outcome::Differs(format!("{text}: {last}"))
    }
}

/// A value that comes more or less often than chance allows, if there is one.
fn different(shares: &Shares, times: &BTreeMap<String, u64>, samples: u64) -> Option<String> {
    let values: BTreeSet<&String> = shares.keys().chain(times.keys()).collect();
    values.into_iter().find_map(|value| {
        let (top, bottom) = shares.get(value).copied().unwrap_or((0, 1));
        let share = top as f64 / bottom as f64;
        let found = times.get(value).copied().unwrap_or(0) as f64 / samples as f64;
        let room = 4.0 * (share * (1.0 - share) / samples as f64).sqrt() + if top == 0 { 0.0 } else { 1.0 / samples as f64 };
        ((found - share).abs() > room).then(|| format!("{value} has a share of {share} and came {found} of {samples} times"))
    })
}

/// Judges what each game declares, each with so many arguments. Gives what was judged.
fn judge_games(each: usize, most_walks: u64, samples: u64) -> BTreeSet<String> {
    let (mut judged, mut wrong) = (BTreeSet::new(), Vec::new());
    for (root, folders) in GAMES {
        let texts = texts((*root, *folders));
        let game = folders[folders.len() - 1];
        let words = words(&texts);
        let mut library = Library::new(texts.clone()).0;
        let program = library.compile(game, &CompileRequest::default()).0.map(Arc::new);
        let sides = program.map(|program| sides(&texts, &program)).unwrap_or_default();
        let judge = Judge { texts: &texts, game, sides, most_walks, samples };
        for declared in declared(&texts) {
            let mut random = Random::new(
                declared.name.bytes().fold(0, |sum: u64, letter| sum.wrapping_mul(31).wrapping_add(u64::from(letter))),
            );
            let times = if declared.params.is_empty() { 1 } else { each };
            for _ in 0..times {
                let Some(arguments) = declared.params.iter().map(|of| argument(of, &words, &mut random)).collect() else { break };
                match judge.judge(&mut library, &called(&declared, arguments)) {
                    Outcome::Same => drop(judged.insert(format!("{game} {}", declared.name))),
                    Outcome::Differs(how) => wrong.push(format!("{game} {how}")),
                    Outcome::Nothing => {}
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    judged
}

#[test]
fn odds_of_the_games_that_are_shipped_are_those_of_every_throw() {
    let judged = judge_games(4, 2_000, 2_000);
    let missing: Vec<&&str> = JUDGED.iter().filter(|name| !judged.contains(**name)).collect();
    assert!(missing.is_empty(), "nothing was found of these: {missing:?}");
}

#[test]
#[ignore = "some minutes, with --release"]
fn more_odds_of_the_games_that_are_shipped_are_those_of_every_throw() {
    judge_games(20, 10_000_000, 100_000);
}
