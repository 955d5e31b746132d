//! Seats' knowledge of pieces that they cannot see: the pieces were shown to them, or seen on their way.
//!
//! A *seat* is the number of a side, or the number after the sides for the referee. The *public number* of a piece is the one that
//! players see; a shuffle may exchange those of copies. A *key* is the name of a piece within answers.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::event::Audience;
use crate::runtime::state::{EntityId, NOWHERE};
use ludex_program::{Expr, NONE, Value};

impl Eval {
    /// The public number of a piece: pieces count from 0.
    pub fn number_of_piece(&self, context: &Context, piece: Value) -> usize {
        (self.state.board.numbers.public_number(piece) as usize).saturating_sub(usize::from(context.roster.first_piece))
    }

    /// The piece with a public number; [`NONE`] for a number that no piece can have.
    pub fn piece_of_number(&self, context: &Context, number: usize) -> Value {
        let on_board =
            Value::try_from(number).ok().and_then(|number| number.checked_add(Value::from(context.roster.first_piece)));
        on_board.map_or(NONE, |number| self.state.board.numbers.piece_by_number(number))
    }

    /// The key of a piece.
    pub fn piece_key(&self, context: &Context, piece: Value) -> String {
        context.roster.key_of_number(self.number_of_piece(context, piece))
    }

    /// The piece with a key.
    pub fn piece_by_key(&self, context: &Context, key: &str) -> Option<Value> {
        context.roster.number_by_key(key).map(|number| self.piece_of_number(context, number)).filter(|piece| *piece != NONE)
    }

    /// Whether a seat knows a piece's identity, without seeing its place.
    pub fn knows_piece(&self, seat: usize, piece: Value) -> bool {
        EntityId::try_from(piece).is_ok_and(|piece| self.state.known.seats_knowing(piece).contains(seat))
    }

    /// Whether a seat sees a piece in its place, or knows its identity anyway. A piece that is nowhere cannot be seen.
    pub fn can_see(&self, context: &Context, seat: usize, piece: Value) -> bool {
        let place = self.state.board.entities.get(piece as usize).map_or(NOWHERE, |piece| piece.place);
        place != NOWHERE && (self.can_see_zone(context, place, seat) || self.knows_piece(seat, piece))
    }

    /// Whether all seats of an audience know a piece's identity.
    pub fn is_known_to(&self, context: &Context, piece: Value, audience: &Audience) -> bool {
        let place = self.state.board.entities.get(piece as usize).map_or(NOWHERE, |piece| piece.place);
        let Audience::Seats(seeing) = self.viewers_of(context, place) else { return true };
        let knows = |seat: usize| seeing.contains(&seat) || self.knows_piece(seat, piece);
        match audience {
            Audience::All => self.all_seats(context).all(knows),
            Audience::Seats(wanted) => wanted.iter().copied().all(knows),
        }
    }

    /// Every seat: the sides', and the referee's if there is one.
    pub fn all_seats(&self, context: &Context) -> impl Iterator<Item = usize> + use<> {
        0..context.roster.sides + usize::from(context.program.referee.is_some())
    }

    /// The seats that a statement addresses: sides, or the referee. `to` is a list, or the referee.
    pub fn seats_of(&mut self, context: &Context, base: usize, to: &Expr) -> Vec<usize> {
        if let Expr::Referee = to {
            return vec![context.roster.sides];
        }
        let list = self.evaluate(context, base, to);
        let members = self.state.list_values(list).to_vec();
        let sides = members.into_iter().map(|member| self.state.board.side_of(context.program, member));
        let mut seats: Vec<usize> = sides.filter(|side| *side != NONE).map(|side| side as usize).collect();
        seats.sort_unstable();
        seats.dedup();
        seats
    }
}
