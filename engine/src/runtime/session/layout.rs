//! Before play: the pieces, and their places.
//!
//! Sheets *print* the pieces with which an entrant begins, and in which zone. A position lists where pieces are now; it takes
//! them from the printed ones if it can, so that a card that has moved is still the card of that sheet. `setup` calls this before
//! it computes the first values of sides and entrants.

use crate::runtime::context::{Context, Roster};
use crate::runtime::flow::Machine;
use crate::runtime::session::setup::{cells_stated, setting_of};
use crate::runtime::state::{Board, NOWHERE, ZoneId};
use ludex_compiler::position::{Owner, PiecePosition, Position, Zones};
use ludex_program::{DIE_SIZE, DIE_VALUE, NONE, PIECE_OWNER, PIECE_SHEET, PrintedPiece, Program, Value};

/// A piece about to be made: its owner, the zone `born_in` in which its sheet prints it, and its place in a position, if that
/// lists it.
struct NewPiece<'a> {
    owner: usize,
    piece: PrintedPiece,
    born_in: u16,
    listed: Option<(PiecePlace, &'a PiecePosition)>,
}

/// The place of a piece in a position.
#[derive(Clone, Copy)]
enum PiecePlace {
    Zone(ZoneId),
    /// In a zone of another piece: the index of that piece among those that are made, and of the zone among its zones.
    With(usize, u16),
}

/// Makes all pieces: those that a position lists, then the others that sheets print.
pub fn make_pieces(program: &Program, roster: &mut Roster, machine: &mut Machine, position: Option<&Position>) {
    let board = &machine.state.board;
    let mut taking = PieceAssignment { program, board, printed: printed_pieces(program, roster, board), makings: Vec::new() };
    let mut named: Vec<u16> = Vec::new();
    if let Some(position) = position {
        for (zone, lies_with, piece) in listed_pieces(roster, board, position, &mut named) {
            taking.take_printed(PiecePlace::Zone(zone), lies_with.unwrap_or(0), piece);
        }
    }
    let PieceAssignment { printed, mut makings, .. } = taking;
    // Zones that a position does not name keep the contents that sheets print.
    let unnamed = printed.into_iter().filter(|(_, zone, _)| !named.contains(zone));
    makings.extend(unnamed.map(|(owner, zone, piece)| NewPiece { owner, piece, born_in: zone, listed: None }));
    let mut made = Vec::with_capacity(makings.len());
    for making in makings {
        make_piece(program, roster, machine, &making, &mut made);
    }
    roster.name_pieces(program, &machine.state.board);
}

/// The pieces that sheets print and no position has taken yet, each with its owner and zone, and those about to be made.
struct PieceAssignment<'t, 'a> {
    program: &'t Program,
    board: &'t Board,
    printed: Vec<(usize, u16, PrintedPiece)>,
    makings: Vec<NewPiece<'a>>,
}

impl<'a> PieceAssignment<'_, 'a> {
    /// Takes a piece that a position lists, and the pieces under it, from those that sheets print. `lies` is its place in the
    /// position, and `lies_with` the side with which it is listed.
    fn take_printed(&mut self, lies: PiecePlace, lies_with: usize, piece: &'a PiecePosition) {
        let owner = piece.owner.and_then(Owner::owning_side).unwrap_or(lies_with);
        let zone = if let PiecePlace::Zone(zone) = lies { zone } else { NOWHERE };
        let found = self.printed_like(owner, zone, piece).map(|index| self.printed.remove(index));
        let (born_in, made) = found.map_or((zone, piece.piece), |(_, zone, printed)| (zone, printed));
        self.makings.push(NewPiece { owner, piece: made, born_in, listed: Some((lies, piece)) });
        let bearer = self.makings.len() - 1;
        for (zone, under) in &piece.under {
            for piece in under {
                self.take_printed(PiecePlace::With(bearer, *zone), owner, piece);
            }
        }
    }

    /// The printed piece that a position means. Prefers one with the marks that it names, then one in its place, then one of the
    /// entrant with which the piece is listed.
    fn printed_like(&self, owner: usize, zone: u16, piece: &PiecePosition) -> Option<usize> {
        let printed = self.program.marks.iter().enumerate().filter(|(_, mark)| mark.printed);
        let wanted = piece.marks & printed.fold(0, |marks, (index, _)| marks | 1 << index);
        let bearer = zone_owner(self.board, zone);
        let same = |p: &(usize, u16, PrintedPiece)| p.0 == owner && PrintedPiece { marks: 0, ..p.2 } == piece.piece;
        let likely = |(index, p): (usize, &(usize, u16, PrintedPiece))| {
            let lies_elsewhere = bearer.is_none() || zone_owner(self.board, p.1) != bearer;
            same(p).then_some((p.2.marks != wanted, p.1 != zone, lies_elsewhere, index))
        };
        self.printed.iter().enumerate().filter_map(likely).min().map(|(.., index)| index)
    }
}

/// The owner of a zone.
fn zone_owner(board: &Board, zone: u16) -> Option<u16> {
    board.zones.get(usize::from(zone)).map(|zone| zone.owner)
}

/// The owner, zone and piece of everything that sheets print, in order.
fn printed_pieces(program: &Program, roster: &Roster, board: &Board) -> Vec<(usize, u16, PrintedPiece)> {
    let mut pieces = Vec::new();
    for (side, ids) in roster.sheets.iter().enumerate() {
        for (index, sheet) in ids.iter().enumerate().filter_map(|(index, id)| Some((index, program.sheets.get(id)?))) {
            let entrant = &board.entities[roster.entrants[side][index] as usize];
            for (zone, list) in &sheet.zones {
                pieces.extend(list.iter().map(|piece| (side, entrant.zones + zone, *piece)));
            }
        }
    }
    pieces
}

/// The zone, side and piece of everything that a position lists, in the order of the file. `named` gets the zones it names.
fn listed_pieces<'a>(
    roster: &Roster,
    board: &Board,
    position: &'a Position,
    named: &mut Vec<ZoneId>,
) -> Vec<(ZoneId, Option<usize>, &'a PiecePosition)> {
    let mut listed = Vec::new();
    let mut list = |owner: u16, lies_with: Option<usize>, zones: &'a Zones| {
        for (zone, pieces) in zones {
            let Some(zone) = board.zone_of(Value::from(owner), *zone) else { continue };
            named.push(zone);
            listed.extend(pieces.iter().map(|piece| (zone, lies_with, piece)));
        }
    };
    for (side, (entrants, found)) in roster.entrants.iter().zip(&position.sides).enumerate() {
        list(side as u16, Some(side), &found.zones);
        entrants.first().into_iter().for_each(|first| list(*first, Some(side), &found.entrant_zones));
        for entrant in entrants {
            let Some(setting) = setting_of(roster, *entrant, Some(position)) else { continue };
            list(*entrant, Some(side), &setting.zones);
        }
    }
    list(roster.table, None, &position.table_zones);
    listed.sort_by_key(|(_, _, piece)| piece.span.start);
    listed
}

/// Makes a piece: first where its sheet prints it, because first values may depend on that, then where the position has it.
/// `made` gets its number.
fn make_piece(program: &Program, roster: &mut Roster, machine: &mut Machine, making: &NewPiece, made: &mut Vec<u16>) {
    let piece = machine.board_mut().create_entity(program, making.piece.kind, NOWHERE);
    made.push(piece);
    let cell = |machine: &mut Machine, field: u16, value: Value| {
        if let Some(cell) = machine.board_mut().field_mut(Value::from(piece), field) {
            *cell = value;
        }
    };
    cell(machine, PIECE_OWNER, making.owner as Value);
    machine.state.board.entities[piece as usize].marks |= making.piece.marks;
    let is_die = program.is_die(making.piece.kind);
    match making.piece.print {
        Some(print) => cell(machine, PIECE_SHEET, print),
        None if is_die => cell(machine, DIE_SIZE, making.piece.size),
        None => {}
    }
    let zone = making.listed.map(|(lies, _)| match lies {
        PiecePlace::Zone(zone) => zone,
        PiecePlace::With(bearer, zone) => {
            let bearer = made.get(bearer).copied().unwrap_or(NOWHERE);
            machine.state.board.zone_of(Value::from(bearer), zone).unwrap_or(NOWHERE)
        }
    });
    let born_in = if making.born_in == NOWHERE { zone.unwrap_or(NOWHERE) } else { making.born_in };
    machine.board_mut().place_piece(piece, born_in, false);
    machine.compute_defaults(&Context { program, roster }, Value::from(piece), &[]);
    let (Some(zone), Some((_, listed))) = (zone, making.listed) else { return };
    machine.board_mut().place_piece(piece, zone, false);
    if listed.owner == Some(Owner::Nobody) {
        cell(machine, PIECE_OWNER, NONE);
    }
    if is_die {
        cell(machine, DIE_VALUE, listed.value.unwrap_or(0));
    }
    for (field, stated) in &listed.fields {
        let cells = cells_stated(roster, *field, &stated.value);
        cells.into_iter().flatten().for_each(|(field, value)| cell(machine, field, value));
    }
    machine.state.board.entities[usize::from(piece)].marks |= listed.marks;
    if let Some(label) = &listed.id {
        roster.labels.insert(label.clone(), usize::from(piece - roster.first_piece));
    }
}
