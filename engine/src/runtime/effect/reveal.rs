//! Knowledge of hidden pieces: seats are shown pieces, and follow those they know.
//!
//! A seat *knows* a piece ([`State::known`]) if it can tell which one it is without seeing its zone. In [`Seats`], the number after
//! the last side is the spectator. *Copies* are pieces of the same kind, owner and print.

use crate::runtime::context::Context;
use crate::runtime::effect::Effects;
use crate::runtime::event::{Audience, EventKind};
use crate::runtime::seats::Seats;
use crate::runtime::state::{EntityId, NOWHERE, State};
use ludex_program::{DIE_VALUE, KindId, NONE, PIECE_OWNER, Value};
use std::collections::BTreeMap;

impl Effects {
    /// Shows pieces to seats, which know them from then on.
    pub fn show_pieces(&mut self, context: &Context, pieces: &[Value], seats: Vec<usize>) {
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
            // Seats that see the piece where it is need not remember it.
            let blind = seats.iter().filter(|seat| !seeing.contains(seat)).map(|seat| Seats::for_seat(*seat));
            self.state.known.add_seats(*piece as EntityId, blind.fold(Seats::default(), Seats::union_with));
        }
        if self.announces_fully() && !pieces.is_empty() {
            let views = pieces.iter().map(|piece| self.piece_view(context, *piece)).collect();
            let names = self.describe_pieces(context, pieces);
            let who: Vec<String> = seats.iter().map(|seat| self.side_name(context, *seat as Value)).collect();
            let (who, what) = (ludex_syntax::problem::join_words(&who, "and"), ludex_syntax::problem::join_words(&names, "and"));
            let text = format!("{who} {} {what}", if seats.len() == 1 { "sees" } else { "see" });
            let by = seats.first().copied().filter(|_| seats.len() == 1);
            self.announce_to(context, EventKind::Shown { pieces: views }, by, Some(text), Audience::Seats(seats));
        }
    }

    /// Updates knowledge after a move. Seats that saw the piece leave know its new place. Seats that saw neither place cannot
    /// tell which piece moved. They are no longer sure of any piece of the old zone, unless the topmost piece of an ordered zone
    /// moved.
    pub fn follow_move(&mut self, context: &Context, piece: Value, from: u16, to: u16, was_on_top: bool) {
        let (known, lying) = (self.state.known.len(), self.state.board.count_pieces(Value::from(from)));
        if !self.spend_on_pairs(known, lying) {
            return;
        }
        let (entering, moved) = (self.zone_seers(context, to), piece as EntityId);
        if entering == Seats::for_everyone(context.roster.sides) {
            self.state.known.forget_piece(moved);
            return;
        }
        let leaving = self.zone_seers(context, from);
        let told = was_on_top && self.zone_info(context, from).is_some_and(|info| info.ordered);
        let State { known, board, .. } = &mut self.state;
        // Knowledge changes only for this piece and for those in its old zone.
        let sure = |seats: Seats| if told { seats } else { seats.intersect_with(leaving) };
        known.retain_seats(|thing, seats| match thing == moved {
            true => sure(seats.without(entering)),
            false if board.place_of(Value::from(thing)) != Value::from(from) => seats,
            false => sure(seats.without(entering)).union_with(seats.intersect_with(entering)),
        });
        known.add_seats(moved, leaving.without(entering));
    }

    /// Updates knowledge after all pieces of a zone have moved to another, from the bottom up, where they now start at index
    /// `first`. The result is the same as following each one, see [`Effects::follow_move`]: seats that saw neither place lose
    /// sight of all of them, except a piece that was alone in an ordered zone.
    pub fn follow_pour(&mut self, context: &Context, from: u16, to: u16, first: usize) {
        let (known, lying) = (self.state.known.len(), self.state.board.count_pieces(Value::from(to)).saturating_sub(first));
        if !self.spend_on_pairs(known + lying, lying) {
            return;
        }
        let (leaving, entering) = (self.zone_seers(context, from), self.zone_seers(context, to));
        let learning = leaving.without(entering);
        let told = lying == 1 && self.zone_info(context, from).is_some_and(|info| info.ordered);
        let State { known, board, .. } = &mut self.state;
        let poured = board.unordered_pieces(Value::from(to)).get(first..).unwrap_or_default();
        known.retain_seats(|piece, seats| match poured.contains(&piece) {
            true if told => seats.without(entering),
            true => seats.without(entering).intersect_with(leaving),
            false => seats,
        });
        poured.iter().for_each(|piece| known.add_seats(*piece, learning));
    }

    /// Updates knowledge of dice that show something new. Seats that knew hidden dice know only the old values, and so can no
    /// longer tell which die is which.
    pub fn forget_dice(&mut self, dice: &[EntityId]) {
        let known = self.state.known.len();
        if known > 0 && self.spend_on_pairs(known, dice.len()) {
            self.state.known.retain_seats(|known, seats| if dice.contains(&known) { Seats::default() } else { seats });
        }
    }

    /// Updates knowledge after a field is set, if it is the value of a die; see [`Effects::forget_dice`].
    #[inline]
    pub fn forget_if_value_set(&mut self, context: &Context, of: Value, field: u16) {
        if field == DIE_VALUE && !self.state.known.is_empty() {
            let is_die = self.state.board.entity(of).is_some_and(|entity| context.program.is_die(entity.kind));
            if is_die {
                self.forget_dice(&[of as EntityId]);
            }
        }
    }

    /// Forgets all pieces in a shuffled zone.
    pub fn forget_zone(&mut self, zone: Value) {
        let (known, lying) = (self.state.known.len(), self.state.board.count_pieces(zone));
        if known > 0 && self.spend_on_pairs(known, lying) {
            let State { known, board, .. } = &mut self.state;
            let is_there = |piece: EntityId| board.place_of(Value::from(piece)) == zone;
            known.retain_seats(|piece, seats| if is_there(piece) { Seats::default() } else { seats });
        }
    }

    /// Exchanges the numbers of hidden copies when a zone that is not open to all is shuffled, so that numbers do not reveal
    /// which copy comes back. Whether a copy gets a new number reveals nothing about the places of others.
    pub fn renumber_copies(&mut self, context: &Context, shuffled: u16) {
        let things = self.state.board.entities.len();
        if !self.spend_on(things) || self.is_open(context, shuffled) {
            return;
        }
        let Some(mut luck) = self.state.numbering.take() else { return };
        for copies in self.hidden_copies(context).into_values() {
            self.state.board.numbers.exchange_numbers(copies, &mut luck);
        }
        self.state.numbering = Some(luck);
    }

    /// The pieces that are hidden from someone, by kind, owner and print.
    fn hidden_copies(&self, context: &Context) -> BTreeMap<(KindId, Value, Value), Vec<EntityId>> {
        let board = &self.state.board;
        let zones = (0..board.zones.len() as u16).filter(|zone| !self.is_open(context, *zone));
        let mut copies: BTreeMap<_, Vec<EntityId>> = BTreeMap::new();
        for piece in zones.flat_map(|zone| board.ordered_pieces(Value::from(zone)).iter().copied()) {
            let id = Value::from(piece);
            let kind = board.entity(id).map_or(0, |entity| entity.kind);
            let owner = board.field(id, PIECE_OWNER).unwrap_or(NONE);
            copies.entry((kind, owner, self.print_of_piece(context, id).unwrap_or(NONE))).or_default().push(piece);
        }
        copies
    }
}
