//! The table at a moment, for spectators.

use super::board::{self, Board};
use super::screen::Screen;
use ludex_engine::runtime::{Decision, Pending, Session, Viewer};
use std::collections::BTreeSet;

/// Maximum number of options examined to find the zones that moves use.
const GLANCE: u64 = 200;

/// The table as `play` draws it for a viewer. `players` names the player of each side.
pub fn draw_table(screen: &Screen, session: &Session, viewer: Viewer, players: &[String]) -> Vec<String> {
    let large = match session.pending() {
        Pending::Decisions(open) => open.iter().flat_map(|decision| zones_of_moves(session, decision)).collect(),
        Pending::Random(_) | Pending::Finished(_) => BTreeSet::new(),
    };
    Board { screen, program: session.program(), large: &large, players }.board_lines(&session.view(viewer))
}

/// The names of the zones whose pieces a decision's moves use.
pub fn zones_of_moves(session: &Session, decision: &Decision) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for option in session.options(decision.id, 0, GLANCE) {
        used.extend(option.args.iter().flat_map(|(_, argument)| argument.piece_numbers()));
    }
    let view = session.view(Viewer::Spectator);
    let zones = view.sides.iter().flat_map(|side| &side.zones).chain(&view.table.zones);
    zones.filter(|(_, zone)| board::has_any_piece(zone, &used)).map(|(name, _)| name.clone()).collect()
}
