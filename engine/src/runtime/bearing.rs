//! Pieces that bear others: how many a zone has room for, what falls when the bearer leaves play, and who may see it.

use super::event::Audience;
use super::limits::MOST_BORNE;
use super::machine::{Machine, Rules};
use super::state::NOWHERE;
use crate::program::{KindSort, Naming, Seen, Value, ZoneInfo};

impl Machine {
    /// What the rules say of a zone.
    pub fn zone_info<'p>(&self, rules: Rules<'p>, zone: u16) -> Option<&'p ZoneInfo> {
        let found = self.state.board.zones.get(usize::from(zone))?;
        let owner = self.state.board.entities.get(usize::from(found.owner))?;
        rules.program.kind(owner.kind).zones.get(usize::from(found.index))
    }

    /// Whether a piece can lie in a zone: it has room, and belongs to nothing that the piece bears.
    pub fn has_room(&mut self, rules: Rules, piece: Value, zone: u16) -> bool {
        let Some(info) = self.zone_info(rules, zone) else { return true };
        let lies_there = self.state.board.entities.get(piece as usize).is_some_and(|piece| piece.place == zone);
        let lying = self.state.board.pieces(Value::from(zone)).len().saturating_sub(usize::from(lies_there));
        if info.most.is_some_and(|most| lying >= most as usize) {
            let (name, most) = (self.describe_zone(rules, zone), info.most.unwrap_or(0));
            self.fault(&format!("a piece is to lie in {name}, which holds at most {most}"));
            return false;
        }
        let (mut at, mut deep) = (zone, 0);
        while let Some(owner) = self.bearer_of(rules, at) {
            deep += 1;
            if deep > MOST_BORNE {
                self.fault("pieces lie in each other, more than 50 deep");
                return false;
            }
            if Value::from(owner) == piece {
                self.fault("a piece is to lie in itself");
                return false;
            }
            at = self.state.board.entities.get(usize::from(owner)).map_or(NOWHERE, |owner| owner.place);
        }
        true
    }

    /// The piece that bears a zone.
    fn bearer_of(&self, rules: Rules, zone: u16) -> Option<u16> {
        let owner = self.state.board.zones.get(usize::from(zone))?.owner;
        self.is_piece(rules, Value::from(owner)).then_some(owner)
    }

    /// What a piece bears falls if it has gone out of play.
    pub fn leave_play(&mut self, rules: Rules, piece: Value, from: u16, to: u16) {
        let out = |zone: u16| self.zone_info(rules, zone).is_some_and(|info| info.out_of_play);
        if !out(from) && out(to) {
            self.drop_borne(rules, piece, false);
        }
    }

    /// Lets everything fall that a piece bears. What falls nowhere stays, or leaves with a piece that is removed.
    pub fn drop_borne(&mut self, rules: Rules, piece: Value, removed: bool) {
        let Some(bearer) = self.state.board.entities.get(piece as usize).copied() else { return };
        let zones = &rules.program.kind(bearer.kind).zones;
        for (index, info) in zones.iter().enumerate() {
            let zone = Value::from(bearer.zones) + index as Value;
            for borne in self.state.board.pieces(zone).to_vec() {
                let borne = Value::from(borne);
                match &info.falls {
                    Some(falls) => {
                        let to = self.evaluate_apart(rules, &falls.expr, falls.slots, &[borne]);
                        self.move_piece::<true>(rules, 0, borne, to, false, &Naming::default());
                    }
                    None if removed => self.remove_piece(rules, borne),
                    None => {}
                }
            }
        }
    }

    /// Who may look into a zone. What a piece bears is seen by those who see the piece, too.
    pub fn viewers_of(&self, rules: Rules, zone: u16) -> Audience {
        let Some(found) = self.state.board.zones.get(usize::from(zone)) else { return Audience::All };
        let own = match self.zone_info(rules, zone).map(|info| info.seen) {
            Some(Seen::Owner) => Audience::Seats(self.owner(rules, Value::from(found.owner)).into_iter().collect()),
            Some(Seen::Nobody) => Audience::Seats(Vec::new()),
            Some(Seen::All) | None => Audience::All,
        };
        let Some(owner) = self.state.board.entities.get(usize::from(found.owner)) else { return own };
        if rules.program.kind(owner.kind).sort != KindSort::Piece || owner.place == NOWHERE {
            return own;
        }
        match (own, self.viewers_of(rules, owner.place)) {
            (Audience::All, around) | (around, Audience::All) => around,
            (Audience::Seats(own), Audience::Seats(around)) => {
                Audience::Seats(own.into_iter().filter(|seat| around.contains(seat)).collect())
            }
        }
    }
}
