//! The full list of the open question's options.
//!
//! A question may be *counted*: then only the numbers of its moves are known, which is enough for random play. A *look* at
//! options like this one costs the match no budget.

use crate::runtime::session::Session;

/// Maximum number of moves that are listed; beyond it, a move is chosen by its number, digit by digit.
pub const LISTED: u64 = 10_000;

/// Builds the open question if it is missing, as in a copy of a session. The machine then runs up to the same question again.
pub fn build_open_question(session: &mut Session) {
    if !session.machine.scratch.ready {
        let game = session.game.clone();
        let meter = session.machine.meter.clone();
        session.machine.run(&game.play_context(), 0);
        session.machine.meter = meter;
    }
}

/// Builds the open question in full, even if it is only counted.
pub fn list_open_question(session: &mut Session) {
    let game = session.game.clone();
    let machine = &mut session.machine;
    if machine.scratch.ready && !machine.move_counts.is_open() {
        return;
    }
    // Inspection costs the match nothing.
    let meter = machine.meter.clone();
    machine.move_counts.close_question();
    machine.scratch.ready = false;
    machine.inspected = true;
    machine.run(&game.play_context(), 0);
    machine.inspected = false;
    machine.meter = meter;
}
