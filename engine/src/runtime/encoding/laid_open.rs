//! The open question made out, as far as its options are to be looked at.

use crate::runtime::session::Session;

/// Of more moves one is chosen by its number, digit by digit.
pub const LISTED: u64 = 10_000;

/// Makes the open question, where a copy has none.
pub fn lay_open(session: &mut Session) {
    if !session.machine.scratch.ready {
        let game = session.game.clone();
        let meter = session.machine.meter.clone();
        session.machine.run(&game.context(), 0);
        session.machine.meter = meter;
    }
}

/// Makes the open question out in full, also where it is only counted.
pub fn lay_open_in_full(session: &mut Session) {
    let game = session.game.clone();
    let machine = &mut session.machine;
    if machine.scratch.ready && !machine.move_counts.is_open() {
        return;
    }
    // Looking costs the match nothing.
    let meter = machine.meter.clone();
    machine.move_counts.close();
    machine.scratch.ready = false;
    machine.inspected = true;
    machine.run(&game.context(), 0);
    machine.inspected = false;
    machine.meter = meter;
}
