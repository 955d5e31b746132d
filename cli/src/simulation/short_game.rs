//! A game that is only tested for faults, and stopped early if it is long.
//!
//! `cargo xtask self-test` plays many libraries with mistakes in this way.

use super::plan::Plan;
use crate::guard::catch_panic;
use ludex_bots::play::answer_next;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::Session;
use std::sync::Arc;

/// Plays one game of a plan with at most `most` answers. Returns what went wrong, including bugs of Ludex.
pub fn test_short_game(program: &Arc<Program>, plan: &Plan, index: u64, most: usize) -> Result<(), Box<Problem>> {
    catch_panic(|| {
        let mut setup = plan.setup_template();
        plan.prepare_setup(&mut setup, index);
        let mut bots = plan.make_bots(program, index);
        let mut session = Session::start(program.clone(), &setup).map_err(Box::new)?;
        for _ in 0..most {
            if !answer_next(&mut session, &mut bots, None)? {
                break;
            }
        }
        session.verify_state().map_err(|failed| Box::new(Problem::error(ludex_engine::codes::INTERNAL, failed)))
    })
    .unwrap_or_else(Err)
}
