//! Code shared by matches of one program.

use crate::runtime::context::{Instance, Roster};
use crate::runtime::flow::specialise::{Step, specialise_code};
use ludex_program::Program;
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum number of cached instructions.
const MOST_KEPT: usize = 1 << 17;

/// A cache of specialised code for consecutive matches of one program, reused if the same abilities are in play.
#[derive(Debug, Default)]
pub struct SharedCode {
    /// The code for each set of players that has occurred.
    kept: HashMap<SpecialisationKey, Arc<[Step]>>,
    /// Number of instructions in it.
    steps: usize,
}

/// Everything about the players that affects the code of a match, see [`specialise_code`].
#[derive(Debug, PartialEq, Eq, Hash)]
struct SpecialisationKey {
    sides: usize,
    table: u16,
    first_piece: u16,
    /// Listeners, grants and restrictions follow from these.
    instances: Vec<Instance>,
}

impl SharedCode {
    /// The rules, specialised to these players.
    pub fn code_for_roster(&mut self, program: &Program, roster: &Roster) -> Arc<[Step]> {
        let Roster { sides, table, first_piece, .. } = *roster;
        let specialised = SpecialisationKey { sides, table, first_piece, instances: roster.instances.clone() };
        if let Some(code) = self.kept.get(&specialised) {
            return Arc::clone(code);
        }
        let code: Arc<[Step]> = specialise_code(program, roster).into();
        if self.steps + code.len() > MOST_KEPT {
            self.kept.clear();
            self.steps = 0;
        }
        self.steps += code.len();
        self.kept.insert(specialised, Arc::clone(&code));
        code
    }
}
