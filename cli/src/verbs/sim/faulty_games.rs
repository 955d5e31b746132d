//! Games of a simulation in which something went wrong.
//!
//! A trouble is a game in which the rules, an ability or Ludex failed. The last ones are kept, so that `replay` can play them.

use crate::game::RecordingStore;
use crate::output;
use crate::simulation::{PreparedRequest, Tally, Trouble};
use ludex_engine::problem::Problem;

/// Reports the problems, and stores the games.
pub fn store_troubles(prepared: &PreparedRequest<'_>, tally: &Tally) {
    let program = &prepared.program;
    let faults: Vec<Problem> = tally.troubles.iter().filter_map(Trouble::fault_problem).cloned().collect();
    output::print_problems(&faults, &program.sources);
    for trouble in &tally.troubles {
        store_trouble(prepared, trouble);
    }
}

/// Stores a game in which something went wrong, and reports its file.
fn store_trouble(prepared: &PreparedRequest<'_>, trouble: &Trouble) {
    let Some(store) = RecordingStore::of_sim() else { return };
    match store.add_whole(&prepared.program.game, &trouble.recording_text(), &prepared.libraries) {
        Ok(path) => {
            let path = path.display();
            output::print_remark(&format!("game {} is stored: `ludex replay {path}` plays it again", trouble.index));
        }
        Err(error) => output::print_failure(format!("game {} could not be stored: {error}", trouble.index), None),
    }
}
