//! Games that were changed at random, compiled, and played with random answers: whatever `check` accepts must neither panic
//! nor go on for ever.

use super::attacks::ATTACKS;
use ludex_engine::Compile;
use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
use ludex_engine::program::{KindSort, Program};
use ludex_engine::runtime::policy::default_answer;
use ludex_engine::runtime::random::{Generator, derive_seed, random_below, seeded_generator};
use ludex_engine::runtime::{Choice, Decision, Dice, Form, Pending, Session, Setup, Viewer};
use std::sync::Arc;

/// A game that is changed.
#[derive(Clone, Debug)]
pub struct Original {
    pub name: &'static str,
    pub game: String,
    pub files: Vec<File>,
}

/// What became of a changed game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// `check` had something against it.
    pub refused: u64,
    /// It came to an end, or so many answers were given.
    pub played: u64,
    /// It came to a fault.
    pub faults: u64,
}

/// So many answers are given at most.
const MOST_ANSWERS: usize = 40;

/// Numbers at which something may be wrong.
const NUMBERS: &[&str] = &["0", "1", "2", "7", "20", "64", "1000", "20000", "65535", "65536", "2147483647", "1000000000"];

/// Words that change what stands behind them.
const WORDS: &[&str] = &[
    "first of ",
    "last of ",
    "sorted ",
    "count of ",
    "sum of ",
    "highest of ",
    "lowest of ",
    "not ",
    "sides ",
    "none ",
    "0 - ",
    "2147483647 + ",
    "(1..20000) ",
    "each x in ",
    "repeat 1000000000 times { ",
    "} ",
    "the one of ",
    "roll ",
    "foe.",
];

/// Small games with many constructs of the language.
pub fn small() -> Vec<Original> {
    let file = |path: &str, text: String| File { path: path.to_string(), text, library: BUNDLED.to_string() };
    let original = |attack: &super::attacks::Attack| {
        let few = attack.rules().replace("2000", "12").replace("9900", "30").replace("ever so long ", "");
        let abilities = if attack.script.is_empty() { "" } else { "act" };
        let mut files = vec![
            file("rules/pond/game.ludex", format!("ludex 1\ngame pond \"Pond\"\n{few}")),
            file("characters/pond/otter.yaml", format!("name: Otter\nabilities: [{abilities}]\n")),
            file("characters/pond/heron.yaml", "name: Heron\n".to_string()),
        ];
        if !attack.script.is_empty() {
            files.push(file("scripts/pond/act.rhai", attack.ability()));
        }
        Original { name: attack.name, game: "pond".to_string(), files }
    };
    let rich = Original {
        name: "a rich game",
        game: "pond".to_string(),
        files: vec![
            file("rules/pond/game.ludex", include_str!("rich.ludex").to_string()),
            file("characters/pond/otter.yaml", "name: Otter\nabilities: [act]\n".to_string()),
            file("characters/pond/heron.yaml", "name: Heron\n".to_string()),
            file("scripts/pond/act.rhai", include_str!("act.rhai").to_string()),
        ],
    };
    std::iter::repeat_n(rich, ATTACKS.len()).chain(ATTACKS.iter().map(original)).collect()
}

/// Changes a game in up to three places.
pub fn changed(original: &Original, luck: &mut Generator) -> Vec<File> {
    let mut files = original.files.clone();
    for _ in 0..=random_below(luck, 3) {
        let place = random_below(luck, files.len() as u32) as usize;
        let file = &mut files[place];
        file.text = changed_text(&file.text, luck);
    }
    files
}

fn changed_text(text: &str, luck: &mut Generator) -> String {
    let mut parts = parts(text);
    if parts.is_empty() {
        return String::new();
    }
    let words: Vec<usize> = (0..parts.len()).filter(|at| !parts[*at].trim().is_empty()).collect();
    let any = |luck: &mut Generator| words[random_below(luck, words.len() as u32) as usize];
    let (at, other) = (any(luck), any(luck));
    match random_below(luck, 8) {
        0 => parts[at].clear(),
        1 => parts.swap(at, other),
        2 => parts[at] = parts[other].clone(),
        3 => parts[at] = format!("{} {}", parts[at], parts[other]),
        4 => parts[at].insert_str(0, WORDS[random_below(luck, WORDS.len() as u32) as usize]),
        _ => {
            // Mostly numbers, which most often leave a game that can be compiled.
            let numbers: Vec<usize> = words.iter().copied().filter(|at| parts[*at].parse::<u64>().is_ok()).collect();
            if !numbers.is_empty() {
                let at = numbers[random_below(luck, numbers.len() as u32) as usize];
                parts[at] = NUMBERS[random_below(luck, NUMBERS.len() as u32) as usize].to_string();
            }
        }
    }
    parts.concat()
}

/// A text in words, numbers, signs and what is between them.
fn parts(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let kind = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 0,
        _ if c.is_whitespace() => 1,
        _ => 2,
    };
    for c in text.chars() {
        match parts.last_mut() {
            Some(last) if kind(c) < 2 && last.chars().next_back().is_some_and(|before| kind(before) == kind(c)) => last.push(c),
            _ => parts.push(c.to_string()),
        }
    }
    parts
}

/// Compiles and plays a changed game; what it came to is added to a tally.
pub fn play(game: &str, files: Vec<File>, seed: u64, tally: &mut Tally) {
    let (library, mut problems) = Library::new(files);
    let (program, found) = library.compile(game, &CompileRequest::default());
    problems.extend(found);
    let (Some(program), false) = (program, problems.iter().any(|problem| problem.is_error())) else {
        tally.refused += 1;
        return;
    };
    let program = Arc::new(program);
    let Some(sides) = sides(&program, seed) else {
        tally.refused += 1;
        return;
    };
    for watched in [true, false] {
        let setup =
            Setup { sides: sides.clone(), seed: seed.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched };
        match play_out(&program, &setup, seed) {
            true => tally.played += 1,
            false => tally.faults += 1,
        }
    }
}

/// Entrants as the rules want them.
fn sides(program: &Program, seed: u64) -> Option<Vec<Vec<String>>> {
    let of_entrants = program.sheets.iter().filter(|(_, sheet)| program.kind(sheet.kind).sort == KindSort::Entrant);
    let ids: Vec<String> = of_entrants.map(|(id, _)| id.to_string()).collect();
    let (sides, entrants) = (program.sides.least.max(1), program.sides.entrants_least);
    if sides > 8 || entrants > 40 || (entrants > 0 && ids.is_empty()) {
        return None;
    }
    let id = |index: usize| ids[(seed as usize + index) % ids.len()].clone();
    Some((0..sides).map(|side| (0..entrants).map(|entrant| id(side + entrant)).collect()).collect())
}

/// Whether it came to no fault.
fn play_out(program: &Arc<Program>, setup: &Setup, seed: u64) -> bool {
    let Ok(mut session) = Session::start(program.clone(), setup) else { return false };
    let mut luck = seeded_generator(derive_seed(seed, 1));
    for turn in 0..MOST_ANSWERS {
        let decision = match session.pending() {
            Pending::Decisions([decision, ..]) => decision.clone(),
            _ => return true,
        };
        let choice = answer(&session, &decision, &mut luck);
        if setup.watched && turn < 4 {
            look(&session, &decision, &choice);
        }
        session.take_events();
        if session.choose(decision.id, choice).is_err() {
            return false;
        }
    }
    true
}

fn answer(session: &Session, decision: &Decision, luck: &mut Generator) -> Choice {
    match decision.form {
        Form::One => Choice::Option(u64::from(random_below(luck, decision.count.clamp(1, 1 << 20) as u32))),
        Form::Number { min, max } => Choice::Number(if random_below(luck, 2) == 0 { min } else { max }),
        _ => default_answer(session, decision),
    }
}

/// Asks everything that those at the table may ask.
fn look(session: &Session, decision: &Decision, choice: &Choice) {
    session.prompt(decision.id);
    session.options(decision.id, 0, 8);
    session.option(decision.id, decision.count.saturating_sub(1));
    if let Some(key) = session.choice_key(decision.id, choice) {
        let _ = session.find_choice(decision.id, &key);
    }
    for key in ["leap(1)", "leap(0>99999999999999999999)", "choose(1+1)", "act", "pass", "x(((", "number(99999999999999999999)"] {
        let _ = session.find_choice(decision.id, key);
    }
    for viewer in [Viewer::Seat(0), Viewer::Seat(usize::MAX), Viewer::Spectator, Viewer::Trusted] {
        session.view(viewer);
    }
    session.standings();
    session.imagine(decision.seat, 3);
    let _ = session.verify_state();
}
