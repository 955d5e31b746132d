//! The ring of sides. When a side leaves the game, the others close up.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use ludex_program::Value;

impl Eval {
    /// Whether a side has left the game.
    #[inline]
    pub fn is_out(&self, side: Value) -> bool {
        !self.state.board.eliminated.is_empty()
            && self.state.board.eliminated.iter().any(|eliminated| Value::from(*eliminated) == side)
    }

    /// The next side of the ring that is still in the game: to the left in the order of the sides, or back. It is the side itself
    /// if no other is left.
    pub fn ring_neighbour(&mut self, context: &Context, side: Value, left: bool) -> Value {
        match self.find_neighbour(context, side, left) {
            Some(other) => other,
            None => self.raise("the rules ask for a neighbour of `none`"),
        }
    }

    /// Like [`Eval::ring_neighbour`], but returns `None` if the value is not a side.
    pub fn find_neighbour(&self, context: &Context, side: Value, left: bool) -> Option<Value> {
        let sides = context.roster.sides as Value;
        if !(0..sides).contains(&side) {
            return None;
        }
        let step = if left { 1 } else { sides - 1 };
        let mut at = (side + step) % sides;
        while at != side && self.is_out(at) {
            at = (at + step) % sides;
        }
        Some(at)
    }

    /// The neighbours of a side: two, one if only two sides are left, or none.
    pub fn ring_neighbours(&mut self, context: &Context, side: Value) -> Value {
        let mut beside = vec![self.ring_neighbour(context, side, true), self.ring_neighbour(context, side, false)];
        beside.dedup();
        beside.retain(|other| *other != side);
        self.push_list(&beside)
    }
}
