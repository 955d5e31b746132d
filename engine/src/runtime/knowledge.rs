//! What seats know of pieces that lie where they cannot see: they were shown to them, or seen on their way there.

use super::event::{Audience, Happening};
use super::machine::{Machine, Rules};
use super::state::NOWHERE;
use super::view::Viewer;
use crate::program::{Expr, NONE, Value};

impl Machine {
    /// Whether a seat knows which piece this is, without seeing where it lies.
    pub fn knows(&self, seat: usize, piece: Value) -> bool {
        self.state.known.iter().any(|(known, by)| Value::from(*known) == piece && usize::from(*by) == seat)
    }

    /// Whether a seat sees a piece where it lies, or knows which it is all the same. What lies nowhere, nobody sees.
    pub fn can_see(&self, rules: Rules, seat: usize, piece: Value) -> bool {
        let place = self.state.board.entities.get(piece as usize).map_or(NOWHERE, |piece| piece.place);
        place != NOWHERE && (self.viewers_of(rules, place).includes(Viewer::Seat(seat)) || self.knows(seat, piece))
    }

    /// Whether everybody among some knows what a piece is.
    pub fn is_known_to(&self, rules: Rules, piece: Value, audience: &Audience) -> bool {
        let place = self.state.board.entities.get(piece as usize).map_or(NOWHERE, |piece| piece.place);
        let Audience::Seats(seeing) = self.viewers_of(rules, place) else { return true };
        let knows = |seat: usize| seeing.contains(&seat) || self.knows(seat, piece);
        match audience {
            Audience::All => self.seats(rules).all(knows),
            Audience::Seats(wanted) => wanted.iter().copied().all(knows),
        }
    }

    /// Every seat at the table: the sides', and the referee's if there is one.
    fn seats(&self, rules: Rules) -> impl Iterator<Item = usize> {
        0..rules.cast.sides + usize::from(rules.program.referee.is_some())
    }

    /// Those a statement speaks to: sides, or the referee.
    pub fn seats_of(&mut self, rules: Rules, base: usize, to: &Expr) -> Vec<usize> {
        if let Expr::Referee = to {
            return vec![rules.cast.sides];
        }
        let list = self.evaluate(rules, base, to);
        let members = self.state.list(list).to_vec();
        let sides = members.into_iter().map(|member| self.state.board.side_of(rules.program, member));
        let mut seats: Vec<usize> = sides.filter(|side| *side != NONE).map(|side| side as usize).collect();
        seats.sort_unstable();
        seats.dedup();
        seats
    }

    /// Lets seats see pieces, and know them from then on.
    pub fn show(&mut self, rules: Rules, pieces: &[Value], seats: Vec<usize>) {
        if !self.spend_on_changes(1 + pieces.len()) {
            return;
        }
        for piece in pieces {
            if !self.spend_on_pairs(seats.len(), self.state.known.len()) {
                return;
            }
            let place = self.state.board.entities.get(*piece as usize).map_or(NOWHERE, |piece| piece.place);
            let Audience::Seats(seeing) = self.viewers_of(rules, place) else { continue };
            for seat in seats.iter().filter(|seat| !seeing.contains(seat)) {
                self.learn(*piece, *seat);
            }
        }
        if self.watched && !pieces.is_empty() {
            let views = pieces.iter().map(|piece| self.piece_view(rules, *piece)).collect();
            let names = self.named_together(rules, pieces);
            let who: Vec<String> = seats.iter().map(|seat| self.side_name(rules, *seat as Value)).collect();
            let (who, what) = (crate::problem::joined(&who, "and"), crate::problem::joined(&names, "and"));
            let text = format!("{who} {} {what}", if seats.len() == 1 { "sees" } else { "see" });
            let by = seats.first().copied().filter(|_| seats.len() == 1);
            self.announce_to(rules, "shown", Happening::Shown { pieces: views }, by, Some(text), Audience::Seats(seats));
        }
    }

    fn learn(&mut self, piece: Value, seat: usize) {
        if !self.knows(seat, piece) {
            self.state.known.push((piece as u16, seat as u16));
        }
    }

    /// A piece has moved. Who saw it leave knows it where it is now; who saw neither place cannot tell which piece it was,
    /// and is sure of none that lay with it, unless it was the topmost of an ordered zone.
    pub fn follow_move(&mut self, rules: Rules, piece: Value, from: u16, to: u16, was_on_top: bool) {
        if !self.spend_on_pairs(self.state.known.len(), self.state.board.pieces(Value::from(from)).len()) {
            return;
        }
        let (left, entered) = (self.viewers_of(rules, from), self.viewers_of(rules, to));
        if entered == Audience::All {
            self.state.known.retain(|(known, _)| Value::from(*known) != piece);
            return;
        }
        let told = was_on_top && self.zone_info(rules, from).is_some_and(|info| info.ordered);
        for seat in 0..=rules.cast.sides {
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
        if !self.state.known.is_empty() && self.spend_on_pairs(self.state.known.len(), self.state.board.pieces(zone).len()) {
            let lying = self.state.board.pieces(zone).to_vec();
            self.state.known.retain(|(known, _)| !lying.contains(known));
        }
    }
}
