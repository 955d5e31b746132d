//! Who sits beside whom, and sides that leave the game: the others close up.

use super::event::{Audience, Happening};
use super::machine::{Machine, Rules};
use super::state::NOWHERE;
use crate::program::Value;

impl Machine {
    /// Whether a side has left the game.
    #[inline]
    pub fn is_out(&self, side: Value) -> bool {
        !self.state.board.gone.is_empty() && self.state.board.gone.iter().any(|gone| Value::from(*gone) == side)
    }

    /// The next side of the ring that is still in the game: to the left in the order of the sides, or back.
    pub fn neighbour(&mut self, rules: Rules, side: Value, left: bool) -> Value {
        match self.beside(rules, side, left) {
            Some(other) => other,
            None => self.fault("a neighbour is asked for of nothing"),
        }
    }

    /// As [`Machine::neighbour`], if it is a side.
    pub fn beside(&self, rules: Rules, side: Value, left: bool) -> Option<Value> {
        let sides = rules.cast.sides as Value;
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

    /// Those beside a side: two, or one of two sides, or nobody.
    pub fn neighbours(&mut self, rules: Rules, side: Value) -> Value {
        let mut beside = vec![self.neighbour(rules, side, true), self.neighbour(rules, side, false)];
        beside.dedup();
        beside.retain(|other| *other != side);
        self.push_list(&beside)
    }

    /// Takes a side out of the game, with its pieces wherever they lie, and with what lies in its zones.
    pub fn remove_side(&mut self, rules: Rules, side: Value) {
        if !(0..rules.cast.sides as Value).contains(&side) || self.is_out(side) {
            return;
        }
        if !self.spend_on(self.state.board.entities.len()) {
            return;
        }
        self.state.board.gone.push(side as u16);
        if self.watched {
            let text = format!("{} is out of the game", self.side_name(rules, side));
            let happening = Happening::Left { side: side as usize };
            self.announce_to(rules, "left", happening, Some(side as usize), Some(text), Audience::All);
        }
        let entities = &self.state.board.entities;
        let lies_there = |place: u16| {
            let owner = self.state.board.zones.get(usize::from(place)).map(|zone| Value::from(zone.owner));
            owner.is_some_and(|owner| !self.is_piece(rules, owner) && self.state.board.side_of(rules.program, owner) == side)
        };
        let borne = |place: u16| {
            let owner = self.state.board.zones.get(usize::from(place)).map(|zone| Value::from(zone.owner));
            owner.is_some_and(|owner| self.is_piece(rules, owner))
        };
        let leaves = |(id, entity): &(usize, &super::state::Entity)| {
            let piece = *id as Value;
            entity.place != NOWHERE
                && self.is_piece(rules, piece)
                && (self.state.board.side_of(rules.program, piece) == side || lies_there(entity.place))
        };
        let mut leaving: Vec<(bool, Value)> =
            entities.iter().enumerate().filter(leaves).map(|(id, entity)| (!borne(entity.place), id as Value)).collect();
        // What its own pieces bear goes first, so that only what belongs to others falls.
        leaving.sort_unstable();
        for (_, piece) in leaving {
            self.remove_piece(rules, piece);
        }
        self.end_marks_of(side);
        for entrant in rules.cast.entrants.get(side as usize).into_iter().flatten() {
            self.end_marks_of(Value::from(*entrant));
        }
    }
}
