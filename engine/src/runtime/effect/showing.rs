//! Seats are shown pieces, and follow those they know.

use crate::program::Value;
use crate::runtime::context::Context;
use crate::runtime::effect::Effects;
use crate::runtime::event::{Audience, EventKind, Viewer};
use crate::runtime::state::NOWHERE;

impl Effects {
    /// Lets seats see pieces, and know them from then on.
    pub fn show(&mut self, context: &Context, pieces: &[Value], seats: Vec<usize>) {
        if !self.spend_on_changes(1 + pieces.len()) {
            return;
        }
        for piece in pieces {
            let known = self.state.known.len();
            if !self.spend_on_pairs(seats.len(), known) {
                return;
            }
            let place = self.state.board.entities.get(*piece as usize).map_or(NOWHERE, |piece| piece.place);
            let Audience::Seats(seeing) = self.viewers_of(context, place) else { continue };
            for seat in seats.iter().filter(|seat| !seeing.contains(seat)) {
                self.learn(*piece, *seat);
            }
        }
        if self.watched && !pieces.is_empty() {
            let views = pieces.iter().map(|piece| self.piece_view(context, *piece)).collect();
            let names = self.named_together(context, pieces);
            let who: Vec<String> = seats.iter().map(|seat| self.side_name(context, *seat as Value)).collect();
            let (who, what) = (crate::problem::joined(&who, "and"), crate::problem::joined(&names, "and"));
            let text = format!("{who} {} {what}", if seats.len() == 1 { "sees" } else { "see" });
            let by = seats.first().copied().filter(|_| seats.len() == 1);
            self.announce_to(context, EventKind::Shown { pieces: views }, by, Some(text), Audience::Seats(seats));
        }
    }

    fn learn(&mut self, piece: Value, seat: usize) {
        if !self.knows(seat, piece) {
            self.state.known.push((piece as u16, seat as u16));
        }
    }

    /// A piece has moved. Who saw it leave knows it where it is now; who saw neither place cannot tell which piece it was,
    /// and is sure of none that lay with it, unless it was the topmost of an ordered zone.
    pub fn follow_move(&mut self, context: &Context, piece: Value, from: u16, to: u16, was_on_top: bool) {
        let (known, lying) = (self.state.known.len(), self.state.board.pieces(Value::from(from)).len());
        if !self.spend_on_pairs(known, lying) {
            return;
        }
        let (left, entered) = (self.viewers_of(context, from), self.viewers_of(context, to));
        if entered == Audience::All {
            self.state.known.retain(|(known, _)| Value::from(*known) != piece);
            return;
        }
        let told = was_on_top && self.zone_info(context, from).is_some_and(|info| info.ordered);
        for seat in 0..=context.roster.sides {
            let viewer = Viewer::Seat(seat);
            match (left.includes(viewer), entered.includes(viewer)) {
                (_, true) => self.state.known.retain(|known| *known != (piece as u16, seat as u16)),
                (true, false) => self.learn(piece, seat),
                (false, false) if told => {}
                (false, false) => {
                    let mut lying = self.state.board.pieces(Value::from(from)).to_vec();
                    lying.push(piece as u16);
                    self.state.known.retain(|(known, by)| usize::from(*by) != seat || !lying.contains(known));
                }
            }
        }
    }

    /// A zone is shuffled: what lies there is known no more.
    pub fn forget_zone(&mut self, zone: Value) {
        let (known, lying) = (self.state.known.len(), self.state.board.pieces(zone).len());
        if known > 0 && self.spend_on_pairs(known, lying) {
            let lying = self.state.board.pieces(zone).to_vec();
            self.state.known.retain(|(known, _)| !lying.contains(known));
        }
    }
}
