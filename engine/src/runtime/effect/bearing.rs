//! Pieces that bear others: the room in their zones, the fall of their contents when they leave play, and their visibility.
//!
//! A piece that has zones *bears* the pieces in them: its contents. A zone may be *out of play*; when a bearer moves there, its
//! contents *fall* to the zones that the rules declare for them (`falls to`). `Program::bearing` is set if pieces bear others, or
//! if zones have a capacity.

use crate::runtime::context::Context;
use crate::runtime::effect::Effects;
use crate::runtime::limits::MOST_BORNE;
use crate::runtime::state::NOWHERE;
use ludex_program::{Naming, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;

impl Effects {
    /// Whether a piece fits in a zone: there is room, and the zone does not belong to the piece or to anything that it bears. If
    /// not, that is a fault.
    pub fn has_room(&mut self, context: &Context, piece: Value, zone: u16) -> bool {
        let Some(info) = self.zone_info(context, zone) else { return true };
        let lies_there = self.state.board.entities.get(piece as usize).is_some_and(|piece| piece.place == zone);
        let lying = self.state.board.count_pieces(Value::from(zone)).saturating_sub(usize::from(lies_there));
        if info.most.is_some_and(|most| lying >= most as usize) {
            let (name, most) = (self.describe_zone(context, zone), info.most.unwrap_or(0));
            let message = format!("a piece cannot go into {name}, which holds at most {most}");
            let help = "count the pieces there first, or use `falls to` to say where its pieces go";
            self.raise_with(Problem::error(codes::ZONE_FULL, message).help(help));
            return false;
        }
        // From the zone outwards, through the pieces that bear it.
        let (mut at, mut deep) = (zone, 0);
        while let Some(owner) = self.bearer_of(context, at) {
            deep += 1;
            if deep > MOST_BORNE {
                self.raise_as(codes::PIECE_LIMIT, "pieces are nested more than 50 deep");
                return false;
            }
            if Value::from(owner) == piece {
                self.raise("a piece cannot go into itself");
                return false;
            }
            at = self.state.board.entities.get(usize::from(owner)).map_or(NOWHERE, |owner| owner.place);
        }
        true
    }

    /// Drops the contents of a piece that has gone out of play.
    pub fn leave_play(&mut self, context: &Context, piece: Value, from: u16, to: u16) {
        let out = |zone: u16| self.zone_info(context, zone).is_some_and(|info| info.out_of_play);
        if !out(from) && out(to) {
            self.drop_borne(context, piece, false);
        }
    }

    /// Drops the contents of a piece that leaves play. Things without a place to fall stay, or leave with a piece that is
    /// `removed` from the game.
    pub fn drop_borne(&mut self, context: &Context, piece: Value, removed: bool) {
        let Some(bearer) = self.state.board.entities.get(piece as usize).copied() else { return };
        let zones = &context.program.kind(bearer.kind).zones;
        for (index, info) in zones.iter().enumerate() {
            let zone = Value::from(bearer.zones) + index as Value;
            for borne in self.state.board.ordered_pieces(zone).to_vec() {
                let borne = Value::from(borne);
                match &info.falls {
                    Some(falls) => {
                        let to = self.evaluate_separately(context, &falls.expr, falls.slots, &[borne]);
                        self.move_piece::<true>(context, 0, borne, to, false, &Naming::default());
                    }
                    None if removed => self.remove_piece(context, borne),
                    None => {}
                }
            }
        }
    }
}
