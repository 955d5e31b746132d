//! Writes a seat's view. Anything that views leave out is left out here.
//!
//! A *row* is the observation of one seat; `columns` says what each of its numbers means. Numbers for things are one more than an
//! index, so that 0 means none, unknown or hidden.

use crate::runtime::context::Context;
use crate::runtime::encoding::columns::{Coding, Columns, LAST_CHOSEN, of_piece};
use crate::runtime::encoding::domain::Domain;
use crate::runtime::encoding::space::{Part, Space};
use crate::runtime::encoding::turn::Turn;
use crate::runtime::flow::Machine;
use crate::runtime::session::Session;
use ludex_program::{NONE, PIECE_OWNER, PIECE_SHEET, Value, Visibility};

/// Writes one row.
struct Writer<'a> {
    look: Observer<'a>,
    row: &'a mut [f32],
}

/// The session to observe, and the seat.
#[derive(Clone, Copy)]
struct Observer<'a> {
    columns: &'a Columns,
    context: &'a Context<'a>,
    machine: &'a Machine,
    seat: usize,
}

/// Writes a seat's row, which must have exactly the width of the columns. `turn` has the open question and the actions chosen so
/// far, which only the seat that is asked sees.
pub fn write_seat_row(columns: &Columns, space: &Space, session: &Session, turn: &Turn, seat: usize, row: &mut [f32]) {
    row.fill(0.0);
    if row.len() < columns.width {
        return;
    }
    let context = &session.game.play_context();
    let mut writer = Writer { look: Observer { columns, context, machine: &session.machine, seat }, row };
    writer.write_turn(turn);
    writer.write_entities();
    writer.write_zones();
    if turn.asked_seat() == Some(seat) {
        writer.write_chosen(space, turn);
    }
}

impl Writer<'_> {
    /// Writes the observer, the active side, the open question, and the sides that are out.
    fn write_turn(&mut self, turn: &Turn) {
        let Columns { seats, asked, out, sides, .. } = *self.look.columns;
        if let Some(cell) = self.row[..seats].get_mut(self.look.seat) {
            *cell = 1.0;
        }
        if let Some(active) = self.look.machine.active_side(self.look.context).filter(|active| *active < sides) {
            self.row[seats + active] = 1.0;
        }
        if turn.asked_seat() == Some(self.look.seat) {
            self.row[asked] = 1.0;
            self.row[asked + 1] = turn.site as f32;
            self.row[asked + 2] = count_to_f32(turn.chosen.len());
            for (back, action) in turn.chosen.iter().rev().take(LAST_CHOSEN).enumerate() {
                self.row[asked + 3 + back] = (action + 1) as f32;
            }
        }
        for side in 0..sides {
            self.row[out + side] = f32::from(u8::from(self.look.machine.is_out(side as Value)));
        }
    }

    /// Writes the fields, uses and marks of sides, the table and entrants.
    fn write_entities(&mut self) {
        let board = &self.look.machine.state.board;
        for field in &self.look.columns.fields {
            let own = usize::try_from(field.entity) == Ok(self.look.seat);
            let (reads, at) = match field.seen {
                Visibility::All => (true, field.at),
                Visibility::Owner => (own, field.at + 1),
                Visibility::Others => (!own && self.look.seat < self.look.columns.sides, field.at + 1),
                Visibility::Nobody => (false, field.at + 1),
            };
            if !reads {
                continue;
            }
            if field.seen != Visibility::All {
                self.row[at - 1] = 1.0;
            }
            let Some(value) = board.field(field.entity, field.field) else { continue };
            self.look.write_field(&mut self.row[at..], field.coding, (field.entity, field.field), value);
        }
        for (at, place) in &self.look.columns.uses {
            let instance = &self.look.context.roster.instances[*place];
            let ability = &self.look.context.program.abilities[usize::from(instance.ability)];
            if let Some(limit) = ability.uses.first() {
                self.row[*at] = self.look.machine.uses_left(self.look.context, instance, 0, limit) as f32;
            }
        }
        for (at, entity, mark) in &self.look.columns.marks {
            self.row[*at] = f32::from(u8::from(self.look.machine.has_mark(*entity, *mark)));
        }
    }

    /// Writes the size of each zone, and all pieces that the seat sees or knows.
    fn write_zones(&mut self) {
        let board = &self.look.machine.state.board;
        for (zone, (owner, _, pieces)) in board.zones.iter().enumerate() {
            if zone < self.look.columns.zone_count {
                self.row[self.look.columns.zones + zone] = count_to_f32(pieces.len());
            }
            if pieces.is_empty() {
                continue;
            }
            let zone_id = zone as u16;
            let under = (owner >= self.look.context.roster.first_piece).then_some(Value::from(owner));
            let open = !self.look.columns.hides || self.look.machine.can_see_zone(self.look.context, zone_id, self.look.seat);
            if open {
                for (place, piece) in pieces.iter().enumerate() {
                    self.write_piece(Value::from(*piece), zone, Some(place), under);
                }
            } else if !self.look.machine.state.known.is_empty() {
                let ordered = self.look.machine.zone_info(self.look.context, zone_id).is_some_and(|info| info.ordered);
                for (place, piece) in pieces.iter().enumerate() {
                    if self.look.machine.knows_piece(self.look.seat, Value::from(*piece)) {
                        self.write_piece(Value::from(*piece), zone, ordered.then_some(place), None);
                    }
                }
            }
        }
    }

    /// Writes the row of a piece. `place` is its index in the zone, if the seat may know it, and `under` the piece that bears the
    /// zone.
    #[inline]
    fn write_piece(&mut self, piece: Value, zone: usize, place: Option<usize>, under: Option<Value>) {
        let Observer { columns, context, machine, .. } = self.look;
        let number = machine.number_of_piece(context, piece);
        let board = &machine.state.board;
        let Some(found) = board.entity(piece).filter(|_| number < columns.piece_count) else { return };
        let (kind, start) = (usize::from(found.kind), columns.row_of(number));
        let row = &mut self.row[start..start + columns.piece_width];
        let Some(fixed) = row.first_chunk_mut::<{ of_piece::NAMES.len() }>() else { return };
        fixed[of_piece::KNOWN] = 1.0;
        fixed[of_piece::ZONE] = count_to_f32(zone + 1);
        fixed[of_piece::PLACE] = place.map_or(0.0, |place| count_to_f32(place + 1));
        if let Some(bearer) = under {
            fixed[of_piece::UNDER] = count_to_f32(machine.number_of_piece(context, bearer) + 1);
        }
        let owner = board.cell(found, PIECE_OWNER).filter(|owner| *owner != NONE);
        fixed[of_piece::OWNER] = owner.map_or(0.0, |owner| (owner + 1) as f32);
        fixed[of_piece::KIND] = count_to_f32(kind);
        if columns.printed[kind] {
            let print = board.cell(found, PIECE_SHEET).filter(|print| *print != NONE);
            fixed[of_piece::SHEET] = print.map_or(0.0, |print| (print + 1) as f32);
        }
        for field in &columns.piece_fields[kind] {
            let Some(value) = board.cell(found, field.field) else { continue };
            self.look.write_field(&mut row[field.at..], field.coding, (piece, field.field), value);
        }
        for (at, mark) in &columns.piece_marks {
            row[*at] = (found.marks >> mark & 1) as f32;
        }
    }

    /// Marks the pieces that the answer in progress contains.
    fn write_chosen(&mut self, space: &Space, turn: &Turn) {
        for action in &turn.chosen {
            let parts = space.meanings.get(*action as usize).map(|meaning| meaning.parts).unwrap_or_default();
            for part in parts {
                if let Part::Piece(number) = part
                    && (number as usize) < self.look.columns.piece_count
                {
                    self.row[self.look.columns.row_of(number as usize) + of_piece::CHOSEN] = 1.0;
                }
            }
        }
    }
}

/// A count as a number. Counts always fit into 32 bits, and converting 64 bits would take a branch.
#[inline(always)]
fn count_to_f32(count: usize) -> f32 {
    count as u32 as f32
}

impl Observer<'_> {
    /// Writes a field's value at the start of `cells`.
    #[inline(always)]
    fn write_field(self, cells: &mut [f32], coding: Coding, (of, field): (Value, u16), value: Value) {
        match coding {
            Coding::List { members, of: domain } => {
                self.write_list(cells, members, domain, self.machine.state.board.list_in_field(of, field))
            }
            Coding::OneMore(domain) => cells[0] = self.one_more(domain, value),
            Coding::Plain | Coding::Maybe if value == NONE => {}
            Coding::Plain => cells[0] = value as f32,
            Coding::Maybe => (cells[0], cells[1]) = (1.0, value as f32),
        }
    }

    /// Writes the length of a list, and its first members.
    fn write_list(self, cells: &mut [f32], members: u16, of: Option<Domain>, list: &[Value]) {
        cells[0] = count_to_f32(list.len());
        for (cell, member) in cells[1..].iter_mut().zip(list).take(usize::from(members)) {
            *cell = of.map_or(*member as f32, |domain| self.one_more(domain, *member));
        }
    }

    /// One more than the index of a thing; 0 for none, and for things that the seat cannot see.
    fn one_more(self, domain: Domain, value: Value) -> f32 {
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
}
