//! Code that matches of one program share.

use crate::runtime::context::{Instance, Roster};
use crate::runtime::flow::specialise::{Step, specialise};
use ludex_program::Program;
use std::collections::HashMap;
use std::sync::Arc;

/// The most instructions that are kept.
const MOST_KEPT: usize = 1 << 17;

/// The code of matches of one program that began one after the other, for those to come in which the same abilities are in play.
#[derive(Debug, Default)]
pub struct SharedCode {
    kept: HashMap<Specialised, Arc<[Step]>>,
    steps: usize,
}

/// All of those who play that makes a difference to the code of a match, see [`specialise`].
#[derive(Debug, PartialEq, Eq, Hash)]
struct Specialised {
    sides: usize,
    table: u16,
    first_piece: u16,
    /// Who listens to what, who is granted what and what is forbidden follow from these.
    instances: Vec<Instance>,
}

impl SharedCode {
    /// The rules as these play them.
    pub fn of(&mut self, program: &Program, roster: &Roster) -> Arc<[Step]> {
        let Roster { sides, table, first_piece, .. } = *roster;
        let specialised = Specialised { sides, table, first_piece, instances: roster.instances.clone() };
        if let Some(code) = self.kept.get(&specialised) {
            return Arc::clone(code);
        }
        let code: Arc<[Step]> = specialise(program, roster).into();
        if self.steps + code.len() > MOST_KEPT {
            self.kept.clear();
            self.steps = 0;
        }
        self.steps += code.len();
        self.kept.insert(specialised, Arc::clone(&code));
        code
    }
}
