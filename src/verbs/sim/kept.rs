//! Games of a simulation in which something went wrong.

use crate::game::RecordingStore;
use crate::output;
use crate::simulation::{Tally, Trouble};
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;

/// Tells what went wrong, and keeps the games.
pub fn keep_troubles(program: &Program, tally: &Tally) {
    let faults: Vec<Problem> = tally.troubles.iter().filter_map(Trouble::problem).cloned().collect();
    output::problems(&faults, &program.sources);
    for trouble in &tally.troubles {
        keep(program, trouble);
    }
}

/// Keeps a game in which something went wrong, and tells where.
fn keep(program: &Program, trouble: &Trouble) {
    let Some(store) = RecordingStore::of_sim() else { return };
    match store.add_whole(&program.game, &trouble.recording()) {
        Ok(path) => {
            let path = path.display();
            output::remark(&format!("game {} is kept: `ludex replay {path}` plays it again", trouble.index));
        }
        Err(error) => output::failure(&format!("game {} could not be kept: {error}", trouble.index), None),
    }
}
