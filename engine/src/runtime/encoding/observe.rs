//! Writes what a seat sees. Whatever a view leaves out is left out here.

use crate::program::{NONE, PIECE_OWNER, PIECE_SHEET, Seen, Value};
use crate::runtime::context::Context;
use crate::runtime::encoding::columns::{Coding, Columns, LAST_CHOSEN, of_piece};
use crate::runtime::encoding::domain::Domain;
use crate::runtime::encoding::space::{Part, Space};
use crate::runtime::encoding::turn::Turn;
use crate::runtime::flow::Machine;
use crate::runtime::session::Session;

struct Writer<'a> {
    columns: &'a Columns,
    context: &'a Context<'a>,
    machine: &'a Machine,
    seat: usize,
    row: &'a mut [f32],
}

/// Writes the row of a seat; it must be as long as the columns are wide.
pub fn write(columns: &Columns, space: &Space, session: &Session, turn: &Turn, seat: usize, row: &mut [f32]) {
    row.fill(0.0);
    if row.len() < columns.width {
        return;
    }
    let context = &session.game.context();
    let mut writer = Writer { columns, context, machine: &session.machine, seat, row };
    writer.turn(turn);
    writer.entities();
    writer.zones();
    if turn.seat() == Some(seat) {
        writer.chosen(space, turn);
    }
}

impl Writer<'_> {
    fn turn(&mut self, turn: &Turn) {
        let Columns { seats, asked, out, sides, .. } = *self.columns;
        if let Some(cell) = self.row[..seats].get_mut(self.seat) {
            *cell = 1.0;
        }
        if let Some(active) = self.machine.active_side(self.context).filter(|active| *active < sides) {
            self.row[seats + active] = 1.0;
        }
        if turn.seat() == Some(self.seat) {
            self.row[asked] = 1.0;
            self.row[asked + 1] = turn.site as f32;
            self.row[asked + 2] = turn.chosen.len() as f32;
            for (back, action) in turn.chosen.iter().rev().take(LAST_CHOSEN).enumerate() {
                self.row[asked + 3 + back] = (action + 1) as f32;
            }
        }
        for side in 0..sides {
            self.row[out + side] = f32::from(u8::from(self.machine.is_out(side as Value)));
        }
    }

    fn entities(&mut self) {
        let board = &self.machine.state.board;
        for field in &self.columns.fields {
            let own = usize::try_from(field.entity) == Ok(self.seat);
            let (reads, at) = match field.seen {
                Seen::All => (true, field.at),
                Seen::Owner => (own, field.at + 1),
                Seen::Others => (!own && self.seat < self.columns.sides, field.at + 1),
                Seen::Nobody => (false, field.at + 1),
            };
            if !reads {
                continue;
            }
            if field.seen != Seen::All {
                self.row[at - 1] = 1.0;
            }
            let Some(value) = board.field(field.entity, field.field) else { continue };
            match field.coding {
                Coding::List { members, of } => self.list(at, members, of, board.list(field.entity, field.field)),
                coding => self.value(at, coding, value),
            }
        }
        for (at, place) in &self.columns.uses {
            let instance = &self.context.roster.instances[*place];
            let ability = &self.context.program.abilities[usize::from(instance.ability)];
            if let Some(limit) = ability.uses.first() {
                self.row[*at] = self.machine.left_of(self.context, instance, 0, limit) as f32;
            }
        }
        for (at, entity, mark) in &self.columns.marks {
            self.row[*at] = f32::from(u8::from(self.machine.has_mark(*entity, *mark)));
        }
    }

    #[inline]
    fn value(&mut self, at: usize, coding: Coding, value: Value) {
        match coding {
            Coding::Plain | Coding::List { .. } if value != NONE => self.row[at] = value as f32,
            Coding::Maybe if value != NONE => (self.row[at], self.row[at + 1]) = (1.0, value as f32),
            Coding::OneMore(domain) => self.row[at] = self.one_more(domain, value),
            _ => {}
        }
    }

    /// How many members a list has, and the first of them.
    fn list(&mut self, at: usize, members: u16, of: Option<Domain>, list: &[Value]) {
        self.row[at] = list.len() as f32;
        for (place, member) in list.iter().take(usize::from(members)).enumerate() {
            self.row[at + 1 + place] = of.map_or(*member as f32, |domain| self.one_more(domain, *member));
        }
    }

    /// One more than the place of a thing; 0 for none, and for what the seat cannot see.
    fn one_more(&self, domain: Domain, value: Value) -> f32 {
        if value == NONE {
            return 0.0;
        }
        let place = match domain {
            Domain::Piece if !self.columns.hides || self.machine.can_see(self.context, self.seat, value) => {
                self.machine.number_of_piece(self.context, value) as Value
            }
            Domain::Piece => return 0.0,
            Domain::Entrant => value - self.columns.first_entrant,
            _ => value,
        };
        place.saturating_add(1) as f32
    }

    fn zones(&mut self) {
        let board = &self.machine.state.board;
        for (zone, (owner, _, pieces)) in board.zones.iter().enumerate() {
            if zone < self.columns.zone_count {
                self.row[self.columns.zones + zone] = pieces.len() as f32;
            }
            if pieces.is_empty() {
                continue;
            }
            let zone_id = zone as u16;
            let under = (owner >= self.context.roster.first_piece).then_some(Value::from(owner));
            let open = !self.columns.hides || self.machine.sees(self.context, zone_id, self.seat);
            if open {
                for (place, piece) in pieces.iter().enumerate() {
                    self.piece(Value::from(*piece), zone, Some(place), under);
                }
            } else if !self.machine.state.known.is_empty() {
                let ordered = self.machine.zone_info(self.context, zone_id).is_some_and(|info| info.ordered);
                for (place, piece) in pieces.iter().enumerate() {
                    if self.machine.knows(self.seat, Value::from(*piece)) {
                        self.piece(Value::from(*piece), zone, ordered.then_some(place), None);
                    }
                }
            }
        }
    }

    #[inline]
    fn piece(&mut self, piece: Value, zone: usize, place: Option<usize>, under: Option<Value>) {
        let columns = self.columns;
        let number = self.machine.number_of_piece(self.context, piece);
        let Some(found) = self.machine.state.board.entity(piece) else { return };
        if number >= columns.piece_count {
            return;
        }
        let start = columns.row_of(number);
        let kind = usize::from(found.kind);
        let board = &self.machine.state.board;
        self.row[start + of_piece::KNOWN] = 1.0;
        self.row[start + of_piece::ZONE] = (zone + 1) as f32;
        self.row[start + of_piece::PLACE] = place.map_or(0.0, |place| (place + 1) as f32);
        if let Some(bearer) = under {
            self.row[start + of_piece::UNDER] = (self.machine.number_of_piece(self.context, bearer) + 1) as f32;
        }
        let owner = board.cell(found, PIECE_OWNER).filter(|owner| *owner != NONE);
        self.row[start + of_piece::OWNER] = owner.map_or(0.0, |owner| (owner + 1) as f32);
        self.row[start + of_piece::KIND] = kind as f32;
        if columns.printed[kind] {
            let print = board.cell(found, PIECE_SHEET).filter(|print| *print != NONE);
            self.row[start + of_piece::SHEET] = print.map_or(0.0, |print| (print + 1) as f32);
        }
        for field in &columns.piece_fields[kind] {
            let at = start + field.at;
            match (field.coding, board.cell(found, field.field)) {
                (Coding::List { members, of }, _) => self.list(at, members, of, board.list(piece, field.field)),
                (coding, Some(value)) => self.value(at, coding, value),
                (_, None) => {}
            }
        }
        for (at, mark) in &columns.piece_marks {
            self.row[start + at] = (found.marks >> mark & 1) as f32;
        }
    }

    fn chosen(&mut self, space: &Space, turn: &Turn) {
        for action in &turn.chosen {
            let parts = space.meanings.get(*action as usize).map(|meaning| meaning.parts).unwrap_or_default();
            for part in parts {
                if let Part::Piece(number) = part
                    && (number as usize) < self.columns.piece_count
                {
                    self.row[self.columns.row_of(number as usize) + of_piece::CHOSEN] = 1.0;
                }
            }
        }
    }
}
