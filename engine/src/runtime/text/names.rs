//! The names of pieces and zones in events, and the keys of things.
//!
//! A *title* is a name that the rules make from words and fields. A *key* names a thing to programs and in recordings; *words*
//! are for people.

use crate::runtime::context::Context;
use crate::runtime::event::{PieceView, ZoneName};
use crate::runtime::text::Wording;
use ludex_program::{DIE_SIZE, DIE_VALUE, KindSort, NONE, Shape, TitlePart, Value, ZoneInfo};

/// The word for no value: an empty role, or a field without a value.
pub const NOTHING: &str = "none";

impl Wording {
    /// A piece as events and views show it.
    pub fn piece_view(&self, context: &Context, piece: Value) -> PieceView {
        let (kind, marks) = self.state.board.entities.get(piece as usize).map_or((0, 0), |entity| (entity.kind, entity.marks));
        let size = if context.program.is_die(kind) { self.state.board.field(piece, DIE_SIZE) } else { None };
        let print = self.print_of_piece(context, piece).and_then(|print| context.program.prints.find_print(print));
        PieceView {
            id: self.number_of_piece(context, piece),
            entity: piece as u16,
            kind: context.program.kind(kind).name.clone(),
            title: match print {
                Some(print) => Some(context.program.prints.printed_text(print.name).to_string()),
                None => match size {
                    Some(size) => context.program.die_title(kind, size, marks),
                    None => self.title_of(context, piece),
                },
            },
            sheet: print.map(|print| print.id.clone()),
            size,
            value: size.and_then(|_| self.state.board.field(piece, DIE_VALUE)).filter(|value| *value > 0),
            of: self.owner_to_say(context, piece).map(|side| self.side_name(context, side as Value)),
            holder: self.holder_name(context, piece),
            number: self.number_to_show(context, piece),
        }
    }

    /// The title of a piece, if the rules define one.
    pub fn title_of(&self, context: &Context, piece: Value) -> Option<String> {
        let kind = self.state.board.entities.get(piece as usize)?.kind;
        let kind = context.program.kind(kind);
        (!kind.title.is_empty()).then(|| self.fill_title(context, piece, &kind.title))
    }

    /// Joins words and fields of a thing into one text.
    pub(super) fn fill_title(&self, context: &Context, entity: Value, parts: &[TitlePart]) -> String {
        let kind = self.state.board.entities.get(entity as usize).map_or(0, |found| found.kind);
        let words = parts.iter().map(|part| match part {
            TitlePart::Words(words) => words.clone(),
            TitlePart::Field(field) => {
                let value = self.state.board.field(entity, *field).unwrap_or(NONE);
                self.describe_value(context, value, &context.program.kind(kind).fields[usize::from(*field)].shape)
            }
        });
        words.collect()
    }

    /// The public number of an entity, if it is a piece.
    fn piece_number(&self, context: &Context, entity: u16) -> Option<usize> {
        self.is_piece(context, Value::from(entity)).then(|| self.number_of_piece(context, Value::from(entity)))
    }

    /// A zone as events name it.
    pub fn zone_name(&self, context: &Context, zone: u16) -> ZoneName {
        let Some(found) = self.state.board.zones.get(zone as usize) else {
            let (zone_name, words) = ("nowhere".to_string(), "nowhere".to_string());
            return ZoneName { zone: zone_name, words, side: None, piece: None, entrant: None, bearer: None, index: zone };
        };
        let owner = self.state.board.entities.get(usize::from(found.owner));
        let piece =
            self.is_piece(context, Value::from(found.owner)).then(|| self.describe_piece(context, Value::from(found.owner)));
        let entrant = context.roster.entrant_key(found.owner).filter(|_| context.roster.is_one_of_several(found.owner));
        let info = owner.and_then(|owner| context.program.kind(owner.kind).zones.get(usize::from(found.index)));
        ZoneName {
            zone: info.map_or_else(String::new, |zone| zone.name.clone()),
            words: info.map_or_else(String::new, |zone| zone_words(context, zone, found.index)),
            side: self.owner_side(context, Value::from(found.owner)),
            piece: self.piece_number(context, found.owner),
            entrant: entrant.map(str::to_string),
            bearer: piece.or_else(|| self.one_of_several(context, found.owner)),
            index: zone,
        }
    }

    /// The name of an entrant, if it is one of several of its side.
    fn one_of_several(&self, context: &Context, entity: u16) -> Option<String> {
        context.roster.is_one_of_several(entity).then(|| self.entrant_name(context, Value::from(entity)))
    }

    /// The entrant whose zone a piece is in, if it is one of several of its side.
    fn holder_name(&self, context: &Context, piece: Value) -> Option<String> {
        let place = self.state.board.entities.get(piece as usize).map(|piece| piece.place)?;
        let zone = self.state.board.zones.get(usize::from(place))?;
        self.one_of_several(context, zone.owner)
    }

    /// The key of a value of a shape.
    pub fn key_of(&self, context: &Context, value: Value, shape: &Shape) -> String {
        match shape {
            _ if value == NONE => NOTHING.to_string(),
            Shape::OrNone(inner) => self.key_of(context, value, inner),
            Shape::Entity(kind) if context.program.kind(*kind).sort == KindSort::Piece => self.piece_key(context, value),
            Shape::Sheet(_) => context.program.prints.find_print(value).map(|print| print.id.clone()).unwrap_or_default(),
            Shape::Word(_) => self.describe_value(context, value, shape).replace(' ', "_"),
            Shape::Entity(_) => self.entrant_key(context, value).unwrap_or_else(|| value.to_string()),
            Shape::Zone(_) => self.zone_key(context, value as u16),
            _ => value.to_string(),
        }
    }

    /// The key of a zone: its name in the rules, after its owner if that is not the table: `meadow.2.3`, `1.meadow.2.3`.
    fn zone_key(&self, context: &Context, zone: u16) -> String {
        let name = self.zone_name(context, zone);
        let owner = name.piece.map(|piece| piece.to_string()).or(name.entrant).or(name.side.map(|side| side.to_string()));
        match owner {
            Some(owner) => format!("{owner}.{}", name.zone),
            None => name.zone,
        }
    }
}

/// The players' name for a zone. A cell of the only board is named by its place alone.
fn zone_words(context: &Context, zone: &ZoneInfo, index: u16) -> String {
    let board = zone.board.and_then(|board| context.program.boards.get(usize::from(board)));
    let Some(board) = board else { return zone.name.replace('_', " ") };
    let place = board.cell_place_text(usize::from(index - board.first));
    match context.program.boards.len() {
        1 if context.program.kind(board.kind).sort == KindSort::Table => place,
        _ => format!("{place} of {}", board.name.replace('_', " ")),
    }
}
