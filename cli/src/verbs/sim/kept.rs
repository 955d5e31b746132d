//! Games of a simulation in which something went wrong.

use crate::game::RecordingStore;
use crate::output;
use crate::simulation::{Prepared, Tally, Trouble};
use ludex_engine::problem::Problem;

/// Reports the problems, and stores the games.
pub fn keep_troubles(prepared: &Prepared<'_>, tally: &Tally) {
    let program = &prepared.program;
    let faults: Vec<Problem> = tally.troubles.iter().filter_map(Trouble::problem).cloned().collect();
    output::problems(&faults, &program.sources);
    for trouble in &tally.troubles {
        keep(prepared, trouble);
    }
}

/// Stores a game in which something went wrong, and reports its file.
fn keep(prepared: &Prepared<'_>, trouble: &Trouble) {
    let Some(store) = RecordingStore::of_sim() else { return };
    match store.add_whole(&prepared.program.game, &trouble.recording(), &prepared.libraries) {
        Ok(path) => {
            let path = path.display();
            output::remark(&format!("game {} is stored: `ludex replay {path}` plays it again", trouble.index));
        }
        Err(error) => output::failure(format!("game {} could not be stored: {error}", trouble.index), None),
    }
}
