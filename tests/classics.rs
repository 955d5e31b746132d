//! The classic games: Ludex plays them by the same rules as plain programs, among them those that the benchmark holds it against.
//!
//! A plain program plays, and at its table sits Ludex: each result of chance goes to both, and so does each choice. At
//! every choice both must offer the same options to the same side, and at the end name the same winners.

mod backgammon;
mod boards;
mod cant_stop;
mod coup;
#[path = "benches/classics/games.rs"]
mod games;
mod hanabi;
mod kuhn_poker;
mod love_letter;
mod pig;
mod positions;
mod ways;
mod yahtzee;

use crate::engine_names_no_game::files;
use crate::support::{Luck, ludex};
use games::table::Table;
use games::{four_in_a_row, hearts, liars_dice, president, tic_tac_toe};
use ludex_engine::Compile;
use ludex_engine::library::{CompileRequest, File, Library};
use ludex_engine::program::Program;
use ludex_engine::runtime::{Choice, Decision, Dice, Form, Pending, Session, Setup};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const GAMES: &[&str] = &[
    "pig",
    "tic-tac-toe",
    "four-in-a-row",
    "liars-dice",
    "hearts",
    "president",
    "kuhn-poker",
    "cant-stop",
    "yahtzee",
    "backgammon",
    "love-letter",
    "coup",
    "hanabi",
];
const PACKS: [&str; 4] = ["north", "east", "south", "west"];

fn library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/classics")
}

/// The rules of a classic game.
pub fn program(game: &str) -> Arc<Program> {
    program_with(game, &[])
}

/// The same with some options.
fn program_with(game: &str, options: &[(&str, &str)]) -> Arc<Program> {
    let root = library();
    let file = |path: PathBuf| File {
        path: path.strip_prefix(&root).unwrap().to_string_lossy().into_owned(),
        text: std::fs::read_to_string(&path).unwrap(),
        library: "classics".to_string(),
    };
    let places = [("rules", "ludex"), ("characters", "yaml")];
    let found = places.iter().flat_map(|(folder, ending)| files(&root.join(folder).join(game), &[ending]));
    let (library, problems) = Library::new(found.map(file).collect());
    let options = options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let (program, more) = library.compile(game, &CompileRequest { options, ..CompileRequest::default() });
    Arc::new(program.unwrap_or_else(|| panic!("{problems:?} {more:?}")))
}

/// A game to which a test gives the results of chance, with one sheet for each side or none.
fn started(program: &Arc<Program>, sheets: &[&str], sides: usize) -> Session {
    let brought = |side: usize| sheets.get(side).map(|sheet| (*sheet).to_string()).into_iter().collect();
    let sides = (0..sides).map(brought).collect();
    let setup = Setup { sides, seed: 1.into(), dice: Dice::External, position: None, names: Vec::new(), watched: false };
    Session::start(Arc::clone(program), &setup).unwrap()
}

/// A table at which Ludex plays along.
struct Mirror {
    session: Session,
    luck: Luck,
    /// What was rolled at once and is not yet taken.
    rolled: VecDeque<i64>,
    choices: usize,
}

impl Mirror {
    fn new(program: &Arc<Program>, sheets: &[&str], sides: usize, seed: u64) -> Mirror {
        Mirror { session: started(program, sheets, sides), luck: Luck(seed), rolled: VecDeque::new(), choices: 0 }
    }

    /// Rolls for everything that Ludex rolls at once.
    fn refill(&mut self) {
        let Pending::Random(request) = self.session.pending() else {
            panic!("Ludex wants no chance: {:?}", self.session.pending())
        };
        let sizes: Vec<i64> = request.draws.iter().map(|draw| draw.size).collect();
        let results: Vec<i64> = sizes.iter().map(|size| self.luck.below(*size as u64) as i64 + 1).collect();
        self.session.supply(&results).unwrap();
        for (size, result) in sizes.into_iter().zip(results) {
            self.rolled.extend([size, result]);
        }
    }

    /// What Ludex asks this side.
    fn asked(&self, side: usize) -> Decision {
        assert!(self.rolled.is_empty(), "Ludex has rolled more");
        let Pending::Decisions(open) = self.session.pending() else { panic!("Ludex does not ask: {:?}", self.session.pending()) };
        open.iter().find(|decision| decision.seat == side).unwrap_or_else(|| panic!("{side} is not asked: {open:?}")).clone()
    }

    /// Where each of these options stands among those of Ludex, which must be the same ones. Copies of a card are alike.
    fn places(&self, decision: &Decision, options: impl Iterator<Item = String>) -> Vec<u64> {
        let views = self.session.options(decision.id, 0, decision.count);
        let mut theirs: BTreeMap<String, u64> = views.iter().map(|view| (without_number(&view.key), view.id)).collect();
        assert_eq!(theirs.len(), views.len(), "an option comes twice: {views:?}");
        let mut place = |key: String| theirs.remove(&key).unwrap_or_else(|| panic!("Ludex does not offer {key}: {views:?}"));
        let places = options.map(&mut place).collect();
        assert!(theirs.is_empty(), "only Ludex offers {theirs:?}");
        places
    }

    fn winners(&self) -> u32 {
        let Pending::Finished(outcome) = self.session.pending() else { panic!("Ludex plays on: {:?}", self.session.pending()) };
        outcome.winners.iter().map(|side| 1 << side).sum()
    }
}

/// `single(three#2)` without the number of the copy.
fn without_number(key: &str) -> String {
    let mut parts = key.split('#');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |key, part| key + part.trim_start_matches(|sign: char| sign.is_ascii_digit()))
}

impl Table for Mirror {
    fn roll(&mut self, highest: u32) -> u32 {
        if self.rolled.is_empty() {
            self.refill();
        }
        assert_eq!(self.rolled.pop_front(), Some(i64::from(highest)));
        self.rolled.pop_front().unwrap() as u32
    }

    fn choose(&mut self, side: usize, count: u32, key: impl Fn(u32) -> String) -> u32 {
        let decision = self.asked(side);
        let places = self.places(&decision, (0..count).map(key));
        let chosen = self.luck.below(u64::from(count)) as u32;
        self.session.choose(decision.id, Choice::Option(places[chosen as usize])).unwrap();
        self.choices += 1;
        chosen
    }

    fn choose_some(&mut self, side: usize, count: u32, size: u32, key: impl Fn(u32) -> String) -> u64 {
        let decision = self.asked(side);
        let size = u64::from(size);
        assert_eq!(decision.form, Form::Some { min: size, max: size });
        let places = self.places(&decision, (0..count).map(key));
        let mut chosen = BTreeSet::new();
        while (chosen.len() as u64) < size {
            chosen.insert(self.luck.below(u64::from(count)));
        }
        let mut places: Vec<u64> = chosen.iter().map(|option| places[*option as usize]).collect();
        places.sort_unstable();
        self.session.choose(decision.id, Choice::Options(places)).unwrap();
        self.choices += 1;
        chosen.iter().map(|option| 1 << option).sum()
    }
}

#[test]
fn the_games_are_sound_and_keep_their_scenarios() {
    let root = library().to_string_lossy().into_owned();
    let checked = ludex(&["check", &root]);
    assert_eq!(checked.status, 0, "{}", checked.stderr);
    assert!(checked.stdout.contains("no problems"), "{}", checked.stdout);
    let tested = ludex(&[&["test", "--library", &root], GAMES].concat());
    assert_eq!(tested.status, 0, "{}{}", tested.stdout, tested.stderr);
    for game in GAMES {
        assert!(tested.stdout.contains(&format!("{game}: ")), "scenarios of {game}: {}", tested.stdout);
    }
}

#[test]
fn the_page_of_examples_counts_rules_and_scenarios() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/README.md")).unwrap();
    for game in GAMES {
        let folder = library().join("rules").join(game);
        let lines = |ending: &str, counts: fn(&str) -> bool| {
            let texts = files(&folder, &[ending]).into_iter().map(|file| std::fs::read_to_string(file).unwrap());
            texts.map(|text| text.lines().filter(|line| counts(line)).count()).sum::<usize>()
        };
        let (rules, scenarios) = (lines("ludex", |_| true), lines("yaml", |line| line.starts_with("- name: ")));
        let row = format!("/{game}.ludex) | {rules} | {scenarios} |");
        assert!(page.contains(&row), "examples/README.md should say of {game}: {row}");
        assert!(page.contains(&format!("(classics/rules/{game}/README.md)")) && folder.join("README.md").exists(), "{game}");
    }
}

/// Plays so many games at such tables. Somebody wins, and more than one side does.
fn compare(game: &str, sheets: &[&str], sides: usize, games: u64, play: impl Fn(&mut Mirror) -> u32) {
    compare_with(game, &[], sheets, sides, games, play);
}

/// The same with some options.
fn compare_with(
    game: &str,
    options: &[(&str, &str)],
    sheets: &[&str],
    sides: usize,
    games: u64,
    play: impl Fn(&mut Mirror) -> u32,
) {
    let program = program_with(game, options);
    let mut results = BTreeSet::new();
    let mut choices = 0;
    for seed in 0..games {
        let mut mirror = Mirror::new(&program, sheets, sides, seed);
        let winners = play(&mut mirror);
        assert_eq!(mirror.winners(), winners, "game {seed} of {game}");
        results.insert(winners);
        choices += mirror.choices;
    }
    assert!(results.len() > 1 && choices as u64 > games, "{results:?}");
}

#[test]
fn pig_is_the_same_in_plain_rust() {
    compare("pig", &[], 2, 50, games::pig::play);
}

#[test]
fn tic_tac_toe_is_the_same_in_plain_rust() {
    compare("tic-tac-toe", &[], 2, 100, tic_tac_toe::play);
}

#[test]
fn four_in_a_row_is_the_same_in_plain_rust() {
    compare("four-in-a-row", &[], 2, 40, four_in_a_row::play);
}

#[test]
fn liars_dice_is_the_same_in_plain_rust() {
    compare("liars-dice", &[], 2, 50, liars_dice::play);
}

#[test]
fn hearts_is_the_same_in_plain_rust() {
    compare("hearts", &PACKS, 4, 2, hearts::play);
}

#[test]
fn president_is_the_same_in_plain_rust() {
    compare("president", &PACKS, 4, 2, president::play);
}
