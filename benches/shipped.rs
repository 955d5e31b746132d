//! What the benchmarks share: the shipped games, random play, processor time.

mod files;

use ludex_engine::library::{BUNDLED, File, Library, Wanted};
use ludex_engine::program::Program;
use ludex_engine::runtime::random::{Generator, below, derive, generator};
use ludex_engine::runtime::{Choice, Dice, Form, Pending, Session, Setup};
use rustix::time::{ClockId, clock_gettime};
use std::sync::Arc;

/// A shipped game, with more files if there are any: pairs of a path in a library and a text.
pub fn compile(game: &str, more: &[(String, String)]) -> Arc<Program> {
    let mut files = files::of_game(game);
    let file = |path: &str, text: &str| File { path: path.to_string(), text: text.to_string(), library: BUNDLED.to_string() };
    files.extend(more.iter().map(|(path, text)| file(path, text)));
    let (library, problems) = Library::new(files);
    let (program, more) = library.compile(game, &Wanted::default());
    Arc::new(program.unwrap_or_else(|| panic!("the bundled game compiles: {problems:?} {more:?}")))
}

/// An unwatched session of sides with one sheet each.
pub fn start(program: &Arc<Program>, sheets: &[&str]) -> Session {
    let sides = sheets.iter().map(|sheet| vec![(*sheet).to_string()]).collect();
    let setup = Setup { sides, seed: 1.into(), dice: Dice::Seeded, position: None, watched: false };
    Session::start(Arc::clone(program), &setup).expect("the bundled sheets play")
}

/// One game in which every answer is drawn from all that may be given; how many were.
pub fn play(session: &mut Session, seed: u64) -> u64 {
    session.restart(seed).expect("play begins again");
    let mut chance = generator(derive(seed, 0));
    let mut answers = 0;
    while answer(session, &mut chance) {
        answers += 1;
    }
    answers
}

/// Answers the first open decision, if there is one.
pub fn answer(session: &mut Session, chance: &mut Generator) -> bool {
    let Pending::Decisions([decision, ..]) = session.pending() else { return false };
    let choice = match decision.form {
        Form::One => Choice::Option(u64::from(below(chance, decision.count as u32))),
        Form::Some { min, max } => Choice::Options(some(decision.count, min, max, chance)),
        Form::Number { min, max } => Choice::Number(min + i64::from(below(chance, (max - min + 1) as u32))),
        _ => decision.answers().first(),
    };
    let id = decision.id;
    session.choose(id, choice).expect("a listed option is legal");
    true
}

/// Some of the things below `count`; the first ones, where those that are drawn are too few or too many.
fn some(count: u64, min: u64, max: u64, chance: &mut Generator) -> Vec<u64> {
    let mask = below(chance, 1 << count.min(16));
    let chosen: Vec<u64> = (0..count.min(16)).filter(|index| mask >> index & 1 == 1).collect();
    if (min..=max).contains(&(chosen.len() as u64)) { chosen } else { (0..min).collect() }
}

/// Seconds of processor time that this process has taken.
pub fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
