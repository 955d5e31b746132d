//! How fast games play: six classic games, each beside the same game in plain Rust, and the shipped games that have no such
//! counterpart.
//!
//! All play at random, in turn, in one thread and in one run; what counts is processor time, and the ratio of medians.
//! Run it with `cargo bench --bench classics`, with `-- ROUNDS` for more rounds than nine, and with `-- WORD` for the games
//! whose names hold it. `tests/benches/README.md` says how to read it.

#[path = "classics/games.rs"]
mod games;
#[path = "classics/random.rs"]
mod random;
mod shipped;

use games::{four_in_a_row, hearts, liars_dice, pig, president, tic_tac_toe};
use ludex_engine::runtime::Session;
use ludex_engine::runtime::random::derive_seed;
use random::Random;
use shipped::{SHIPPED, compile, median, play, processor_time, start};

/// The library of the classic games.
const CLASSICS: &str = "examples/classics";
/// Seconds of processor time of one measurement, more or less.
const SHARE: f64 = 0.15;

/// Plays one game in plain Rust; the winners, each a bit.
type Native = fn(&mut Random) -> u32;

/// A game, and for each side the sheets that it brings.
type Entry = (&'static str, &'static [&'static [&'static str]], Option<Native>);

const TWO: &[&[&str]] = &[&[], &[]];
const FOUR: &[&[&str]] = &[&["north"], &["east"], &["south"], &["west"]];
const DECKS: &[&[&str]] = &[&["moon"], &["mercury"]];
const FIGHTERS: &[&[&str]] = &[&["sailor-moon"], &["dark-queen"]];
const CHARACTERS: &[&[&str]] = &[&["sailor-mercury"], &["kunzite"]];

const ENTRIES: [Entry; 10] = [
    ("pig", TWO, Some(pig::play)),
    ("tic-tac-toe", TWO, Some(tic_tac_toe::play)),
    ("four-in-a-row", TWO, Some(four_in_a_row::play)),
    ("liars-dice", TWO, Some(liars_dice::play)),
    ("hearts", FOUR, Some(hearts::play)),
    ("president", FOUR, Some(president::play)),
    ("dicewing", TWO, None),
    ("tri-stat", FIGHTERS, None),
    ("sailor-moon-ccg", DECKS, None),
    ("dice-challenge", CHARACTERS, None),
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let rounds = words.iter().find_map(|word| word.parse().ok()).unwrap_or(9usize).max(1);
    let named: Vec<&String> = words.iter().filter(|word| word.parse::<usize>().is_err()).collect();
    let wanted = |entry: &&Entry| named.is_empty() || named.iter().any(|word| entry.0.contains(word.as_str()));
    let mut contests: Vec<Contest> = ENTRIES.iter().filter(wanted).map(Contest::new).collect();
    for round in 0..rounds as u64 {
        contests.iter_mut().for_each(|contest| contest.measure(round));
    }
    println!("processor time, medians of {rounds} rounds");
    println!(
        "{:<16} {:>8} {:>12} {:>9} {:>14} {:>9} {:>9} {:>8}",
        "", "answers", "Ludex", "ns", "plain Rust", "ns", "ratio", "times"
    );
    println!(
        "{:<16} {:>8} {:>12} {:>9} {:>14} {:>9} {:>9} {:>8}",
        "", "a match", "matches/s", "an answer", "matches/s", "an answer", "", "slower"
    );
    contests.iter_mut().for_each(Contest::print);
}

/// A game, played by Ludex and perhaps by a plain program.
struct Contest {
    name: &'static str,
    session: Session,
    ludex: Measured,
    native: Option<(Native, Measured)>,
}

impl Contest {
    fn new((name, sides, native): &Entry) -> Contest {
        let library = if native.is_some() { CLASSICS } else { SHIPPED };
        let mut session = start(&compile(library, name, &[]), sides);
        let ludex = Measured::of(&mut |games| play_ludex(&mut session, 0, games));
        let native = native.map(|play| (play, Measured::of(&mut |games| play_native(play, 0, games))));
        Contest { name, session, ludex, native }
    }

    fn measure(&mut self, round: u64) {
        self.ludex.measure(&mut |games| play_ludex(&mut self.session, round + 1, games));
        if let Some((play, measured)) = &mut self.native {
            measured.measure(&mut |games| play_native(*play, round + 1, games));
        }
    }

    fn print(&mut self) {
        let ludex = self.ludex.medians();
        print!("{:<16} {:>8.1} {:>12.0} {:>9.0}", self.name, ludex.answers, 1.0 / ludex.seconds, ludex.an_answer());
        let Some((_, measured)) = &mut self.native else { return println!() };
        let native = measured.medians();
        let ratio = native.seconds / ludex.seconds;
        println!(" {:>14.0} {:>9.2} {ratio:>9.5} {:>8.0}", 1.0 / native.seconds, native.an_answer(), 1.0 / ratio);
    }
}

/// What a match takes, in each round.
#[derive(Default)]
struct Measured {
    /// Matches of a round.
    games: u64,
    seconds: Vec<f64>,
    answers: Vec<f64>,
}

/// What a match takes.
struct Match {
    seconds: f64,
    answers: f64,
}

impl Match {
    /// Nanoseconds for an answer.
    fn an_answer(&self) -> f64 {
        self.seconds / self.answers * 1e9
    }
}

impl Measured {
    /// Finds out how many matches fill the share; `play` plays so many and counts the answers.
    fn of(play: &mut impl FnMut(u64) -> u64) -> Measured {
        let mut games = 1;
        loop {
            let before = processor_time();
            play(games);
            let taken = processor_time() - before;
            if taken > SHARE / 4.0 {
                let games = (games as f64 * SHARE / taken).ceil() as u64;
                return Measured { games, ..Measured::default() };
            }
            games *= 2;
        }
    }

    fn measure(&mut self, play: &mut impl FnMut(u64) -> u64) {
        let before = processor_time();
        let answers = play(self.games);
        self.seconds.push((processor_time() - before) / self.games as f64);
        self.answers.push(answers as f64 / self.games as f64);
    }

    fn medians(&mut self) -> Match {
        Match { seconds: median(&mut self.seconds), answers: median(&mut self.answers) }
    }
}

/// Plays so many matches, and counts the answers.
fn play_ludex(session: &mut Session, round: u64, games: u64) -> u64 {
    (0..games).map(|game| play(session, derive_seed(round, game))).sum()
}

/// The same in plain Rust.
fn play_native(play: Native, round: u64, games: u64) -> u64 {
    let mut table = Random::new(round);
    let won = (0..games).filter(|_| play(&mut table) != 0).count();
    assert!(won > 0, "somebody wins");
    table.answers
}
