//! Bulk moves of pieces in unwatched games: each zone is checked once, not once for every piece.
//!
//! Each function checks that no piece could have a side effect by itself, and otherwise leaves the moves to `move_piece`. *Pouring*
//! moves all pieces of a zone to one other; *scattering* moves each piece of a list to a zone of its own.

use crate::runtime::context::Context;
use crate::runtime::effect::Effects;
use crate::runtime::eval::evaluate::columns::Column;
use crate::runtime::state::{Board, State, ZoneId, members_of};
use ludex_program::{Expr, NONE, Naming, Slot, Value};

/// Zones with at least this number are not handled in bulk, because a bitmask holds the zones that pieces leave. Their pieces
/// move one by one.
const MOST_ZONES: usize = u64::BITS as usize;

impl Effects {
    /// Whether a move of a piece has no side effects, is not announced, and needs no text that could fail.
    fn may_move_in_bulk(&self, context: &Context, naming: &Naming) -> bool {
        !self.watched
            && !context.program.bearing
            && self.state.lasting.is_empty()
            && !naming.text.is_some_and(|text| context.program.is_checked(text))
    }

    /// The same in games without hidden information, where knowledge of pieces need not be followed.
    fn moves_are_free(&self, context: &Context, naming: &Naming) -> bool {
        self.may_move_in_bulk(context, naming) && !context.program.hides
    }

    /// Moves all pieces of a zone to the end of another, without making a list. Returns false and does nothing if they must be
    /// moved one by one, or if a list of them would be longer than any before.
    pub fn pour_zone(&mut self, context: &Context, base: usize, zone: &Expr, to: &Expr, naming: &Naming) -> bool {
        if !self.may_move_in_bulk(context, naming) {
            return false;
        }
        // The work is taken back if the pieces are moved one by one, because it is then counted there.
        let stand = self.meter.work_so_far();
        // The cost of the list.
        self.meter.add_work(1);
        let from = self.evaluate(context, base, zone);
        let count = self.state.board.count_pieces(from);
        // A list longer than any before would set a new maximum, or exceed the limit: it must be made.
        if self.fault.is_none() && self.meter.has_listed(self.state.lists.len() + count + 1) {
            if count == 0 || !self.spend_on(count) {
                return true;
            }
            let to = self.evaluate(context, base, to);
            if (to as usize) < self.state.board.zones.len() {
                self.pour_all(context, (from as ZoneId, to as ZoneId), count);
                return true;
            }
        }
        self.meter.restore_work(stand);
        false
    }

    /// Moves all `count` pieces of a zone to the end of another.
    fn pour_all(&mut self, context: &Context, (from, to): (ZoneId, ZoneId), count: usize) {
        if !self.spend_on_changes(count) {
            return;
        }
        let first = if from == to { 0 } else { self.state.board.count_pieces(Value::from(to)) };
        self.board_mut().pour_pieces(from, to);
        if context.program.hides {
            self.follow_pour(context, from, to, first);
        }
    }

    /// Moves the pieces of a list to the end of a zone, if they are the entire contents of another zone in its order. False if
    /// they must be moved one by one.
    pub(super) fn pour_list(&mut self, context: &Context, list: Value, to: Value, naming: &Naming) -> bool {
        let State { board, lists, .. } = &self.state;
        let list = members_of(lists, list);
        let from = list.first().map_or(NONE, |first| board.place_of(*first));
        let pieces = board.unordered_pieces(from);
        let is_all = pieces.len() == list.len() && pieces.iter().zip(list).all(|(piece, member)| Value::from(*piece) == *member);
        let (fits, count) =
            (is_all && self.may_move_in_bulk(context, naming) && (to as usize) < self.state.board.zones.len(), list.len());
        if fits {
            self.pour_all(context, (from as ZoneId, to as ZoneId), count);
        }
        fits
    }

    /// Moves the first pieces of a list to the end of the zones paired with them. Returns the number moved; the others must be
    /// moved one by one. `to` gives the zone of the piece in the slot `variable`.
    pub(super) fn scatter_list(
        &mut self,
        context: &Context,
        base: usize,
        list: Value,
        variable: Slot,
        to: &Expr,
        naming: &Naming,
    ) -> usize {
        // The zones must be readable from the pieces, and not depend on where the others are.
        let Some(target) = self.make_column(context, base, to, variable).filter(|target| target.stays_in_a_move()) else {
            return 0;
        };
        let count = self.state.list_values(list).len();
        if !self.moves_are_free(context, naming) || !self.spend_on(count) {
            return 0;
        }
        self.memory.invalidate_all();
        let State { board, lists, .. } = &mut self.state;
        let pieces = members_of(lists, list);
        let moved = match target {
            Column::Field(field) => board.scatter_pieces(pieces, |board, piece| board.field(piece, field)),
            _ => board.scatter_pieces(pieces, |board, piece| target.member_value(context.program, board, piece)),
        };
        // The variable ends with the last piece moved, as if each had been moved by itself.
        if let Some(last) = pieces.get(..moved).and_then(<[Value]>::last).copied() {
            self.set_slot(base, variable, last);
        }
        // The next step reports an exceeded budget.
        let _ = self.spend_on_changes(moved);
        moved
    }
}

impl Board {
    /// Moves all pieces of a zone to the end of another, in their order.
    fn pour_pieces(&mut self, from: ZoneId, to: ZoneId) {
        // Within one zone they keep their places.
        if from == to {
            return;
        }
        for piece in self.zones.ordered_pieces(usize::from(from)) {
            if let Some(entity) = self.entities.get_mut(usize::from(*piece)) {
                entity.place = to;
            }
        }
        self.zones.pour_block(from, to);
    }

    /// Moves pieces to the end of zones, one by one, until one of them does not go from one zone to another. Returns the number
    /// moved. `target` gives the zone of a piece.
    #[inline(always)]
    fn scatter_pieces(&mut self, pieces: &[Value], target: impl Fn(&Board, Value) -> Option<Value>) -> usize {
        let zones = self.zones.len().min(MOST_ZONES);
        let (mut moved, mut left) = (0, 0u64);
        for piece in pieces {
            let Some(to) = target(self, *piece).filter(|to| (*to as usize) < zones) else { break };
            let Some(entity) = self.entities.get_mut(*piece as usize) else { break };
            if usize::from(entity.place) >= zones || Value::from(entity.place) == to {
                break;
            }
            left |= 1 << entity.place;
            entity.place = to as ZoneId;
            moved += 1;
        }
        let Board { entities, zones, .. } = self;
        let place_of = |piece: usize| entities.get(piece).map(|entity| entity.place);
        while left != 0 {
            let index = left.trailing_zeros() as ZoneId;
            zones.retain(index, |piece| place_of(usize::from(piece)) == Some(index));
            left &= left - 1;
        }
        for piece in pieces.iter().take(moved) {
            if let Some(place) = place_of(*piece as usize) {
                zones.push(place, *piece as u16);
            }
        }
        moved
    }
}
