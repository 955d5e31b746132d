//! What pieces and zones are called in events.

use crate::program::{DIE_SIZE, DIE_VALUE, KindSort, NONE, Shape, Value};
use crate::runtime::context::Rules;
use crate::runtime::event::{PieceView, ZoneName};
use crate::runtime::text::Wording;

/// What stands in a key for a role that nothing fills.
pub const NOTHING: &str = "none";

impl Wording {
    pub fn piece_view(&self, rules: Rules, piece: Value) -> PieceView {
        let (kind, marks) = self.state.board.entities.get(piece as usize).map_or((0, 0), |entity| (entity.kind, entity.marks));
        let size = if rules.program.is_die(kind) { self.state.board.field(piece, DIE_SIZE) } else { None };
        let print = self.print_of_piece(rules, piece).and_then(|print| rules.program.prints.print(print));
        PieceView {
            id: (piece as usize).saturating_sub(rules.cast.first_piece as usize),
            kind: rules.program.kind(kind).name.clone(),
            title: match print {
                Some(print) => Some(rules.program.prints.text(print.name).to_string()),
                None => size.and_then(|size| rules.program.die_title(kind, size, marks)),
            },
            sheet: print.map(|print| print.id.clone()),
            size,
            value: size.and_then(|_| self.state.board.field(piece, DIE_VALUE)).filter(|value| *value > 0),
            of: self.owner_to_say(rules, piece).map(|side| self.side_name(rules, side as Value)),
            holder: self.holder(rules, piece),
            number: self.number_to_say(rules, piece),
        }
    }

    /// The number of an entity that is a piece.
    fn piece_number(&self, rules: Rules, entity: u16) -> Option<usize> {
        self.is_piece(rules, Value::from(entity)).then(|| usize::from(entity.saturating_sub(rules.cast.first_piece)))
    }

    pub fn zone_name(&self, rules: Rules, zone: u16) -> ZoneName {
        let Some(found) = self.state.board.zones.get(zone as usize) else {
            return ZoneName { zone: "nowhere".to_string(), side: None, piece: None, entrant: None, bearer: None, index: zone };
        };
        let owner = self.state.board.entities.get(usize::from(found.owner));
        let piece = self.is_piece(rules, Value::from(found.owner)).then(|| self.describe_piece(rules, Value::from(found.owner)));
        let entrant = rules.cast.entrant_key(found.owner).filter(|_| rules.cast.is_one_of_several(found.owner));
        ZoneName {
            zone: owner
                .and_then(|owner| rules.program.kind(owner.kind).zones.get(usize::from(found.index)))
                .map_or_else(String::new, |zone| zone.name.clone()),
            side: self.owner(rules, Value::from(found.owner)),
            piece: self.piece_number(rules, found.owner),
            entrant: entrant.map(str::to_string),
            bearer: piece.or_else(|| self.one_of_several(rules, found.owner)),
            index: zone,
        }
    }

    /// An entrant by name, if it is one of several of its side.
    fn one_of_several(&self, rules: Rules, entity: u16) -> Option<String> {
        rules.cast.is_one_of_several(entity).then(|| self.entrant_name(rules, Value::from(entity)))
    }

    /// In whose zone a piece lies, if that is one of several entrants of a side.
    fn holder(&self, rules: Rules, piece: Value) -> Option<String> {
        let place = self.state.board.entities.get(piece as usize).map(|piece| piece.place)?;
        let zone = self.state.board.zones.get(usize::from(place))?;
        self.one_of_several(rules, zone.owner)
    }

    pub fn key_of(&self, rules: Rules, value: Value, shape: &Shape) -> String {
        match shape {
            _ if value == NONE => NOTHING.to_string(),
            Shape::OrNone(inner) => self.key_of(rules, value, inner),
            Shape::Entity(kind) if rules.program.kind(*kind).sort == KindSort::Piece => rules.cast.piece_key(value),
            Shape::Sheet(_) => rules.program.prints.print(value).map(|print| print.id.clone()).unwrap_or_default(),
            Shape::Word(_) => self.shown(rules, value, shape).replace(' ', "_"),
            Shape::Entity(_) => self.entrant_key(rules, value).unwrap_or_else(|| value.to_string()),
            _ => value.to_string(),
        }
    }
}
