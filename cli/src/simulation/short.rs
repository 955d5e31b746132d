//! A game that is only tested for faults, and stopped early if it is long.

use super::plan::Plan;
use crate::guard::guarded;
use ludex_bots::play::answer;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::Session;
use std::sync::Arc;

/// Plays one game of a plan with at most `most` answers. Returns what went wrong, including bugs of Ludex.
pub fn short(program: &Arc<Program>, plan: &Plan, index: u64, most: usize) -> Result<(), Box<Problem>> {
    guarded(|| {
        let mut setup = plan.setup();
        plan.prepare(&mut setup, index);
        let mut bots = plan.bots(program, index);
        let mut session = Session::start(program.clone(), &setup).map_err(Box::new)?;
        for _ in 0..most {
            if !answer(&mut session, &mut bots, None)? {
                break;
            }
        }
        session.verify().map_err(|failed| Box::new(Problem::error(ludex_engine::codes::INTERNAL, failed)))
    })
    .unwrap_or_else(Err)
}
