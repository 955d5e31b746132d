//! What the benchmarks share: the games of the repository, random play, processor time.

mod files;

use ludex_engine::Compile;
use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
use ludex_engine::program::Program;
use ludex_engine::runtime::random::{Generator, derive_seed, seeded_generator};
use ludex_engine::runtime::{Dice, Pending, Session, Setup};
use rustix::time::{ClockId, clock_gettime};
use std::sync::Arc;

/// No game that is timed is for more.
const MOST_SEATS: usize = 4;

/// The library of the shipped games.
pub const SHIPPED: &str = ".";

/// A game of a library of this repository, with more files if there are any: pairs of a path in a library and a text.
pub fn compile(library: &str, game: &str, more: &[(String, String)]) -> Arc<Program> {
    let mut files = files::of_game(library, game);
    let file = |path: &str, text: &str| File { path: path.to_string(), text: text.to_string(), library: BUNDLED.to_string() };
    files.extend(more.iter().map(|(path, text)| file(path, text)));
    let (library, problems) = Library::new(files);
    let (program, more) = library.compile(game, &CompileRequest::default());
    Arc::new(program.unwrap_or_else(|| panic!("{game} compiles: {problems:?} {more:?}")))
}

/// An unwatched session of sides, each with the sheets that it brings.
pub fn start(program: &Arc<Program>, sides: &[&[&str]]) -> Session {
    let brought = |sheets: &&[&str]| sheets.iter().map(|sheet| (*sheet).to_string()).collect();
    let sides = sides.iter().map(brought).collect();
    let setup = Setup { sides, seed: 1.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched: false };
    Session::start(Arc::clone(program), &setup).expect("these sheets play")
}

/// One game in which every answer is drawn from all that may be given; how many were.
pub fn play(session: &mut Session, seed: u64) -> u64 {
    session.restart(seed).expect("play begins again");
    let answers = session.play_out(&mut lots(seed), u64::MAX).expect("what may be answered is legal");
    assert!(matches!(session.pending(), Pending::Finished(_)), "nobody is asked who has no lots");
    answers
}

/// What every seat of a game draws from.
pub fn lots(seed: u64) -> [Generator; MOST_SEATS] {
    std::array::from_fn(|seat| seeded_generator(derive_seed(seed, seat as u64)))
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
