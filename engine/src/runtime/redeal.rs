//! Deals hidden information again: to look ahead without using secrets, and after a take-back.
//!
//! Rolled dice show new values. Pieces swap places with others of their kind and owner, and references to them in the rules' own
//! fields and variables are updated. Private fields are drawn again within their range, and so are stored values that the rules
//! have derived from hidden ones. If such a value has no bounds, looking ahead is impossible.
//!
//! A value is *tainted* for a seat if it was computed from something that the seat cannot see. A *sort* of pieces is their kind
//! and owner. `Session::imagine` deals again for a seat that looks ahead, and a take-back for all human players. Everything drawn
//! here must depend only on what the seat knows.

use crate::runtime::eval::Scratch;
use crate::runtime::eval::taint::Taints;
use crate::runtime::event::Viewer;
use crate::runtime::flow::{Machine, PlayContext};
use crate::runtime::limits::WORK_OF_ANSWER;
use crate::runtime::random;
use crate::runtime::random::Generator;
use crate::runtime::state::{Board, Frame, FrameRole, State, members_of};
use ludex_program::flow::first_readers;
use ludex_program::{DIE_VALUE, FieldInfo, KindId, NONE, PIECE_OWNER, Program, SIDE, Shape, Slot, Value, Visibility};
use std::collections::{BTreeMap, BTreeSet};

/// The work of copying and dealing one thing or zone, and the number of values copied for one unit.
const WORK_PER_THING: usize = 4;
const VALUES_PER_WORK: usize = 16;
/// Left-over lists count from this number of values on.
const MANY_VALUES: usize = 1 << 16;

/// The purpose of a random stream when a seat looks ahead.
#[derive(Clone, Copy)]
enum StreamPurpose {
    Deal,
    Field,
    Slot,
    Picks,
}

/// Random streams for dealing again. Each value has its own stream: the number of other draws may depend on hidden information,
/// which must not affect this value.
#[derive(Clone, Copy)]
struct Streams(u64);

impl Streams {
    /// The stream for a purpose, and the number of the value there.
    fn stream_for(self, drawn: StreamPurpose, number: u64) -> Generator {
        random::seeded_generator(random::derive_seed(random::derive_seed(self.0, drawn as u64), number))
    }

    /// The stream for a field of an entity.
    fn stream_for_field(self, entity: Value, field: u16) -> Generator {
        self.stream_for(StreamPurpose::Field, (entity as u64) << 16 | u64::from(field))
    }
}

/// For each exchanged piece, the piece that takes its place.
type Exchange = BTreeMap<u16, u16>;

impl Machine {
    /// The work of copying the state and dealing its hidden parts again.
    pub(crate) fn work_of_copy(&self) -> u64 {
        let State { board, slots, lists, lasting, use_log, .. } = &self.state;
        // The number of leftover lists may depend on hidden information, so only very large numbers count.
        let lists = lists.len() / MANY_VALUES * MANY_VALUES;
        let values = board.cells.len() + slots.len() + lists + lasting.len() + use_log.len();
        WORK_OF_ANSWER + (WORK_PER_THING * (board.entities.len() + board.zones.len()) + values / VALUES_PER_WORK) as u64
    }

    /// Deals everything that a seat cannot see again, and draws all chance from here on from `seed`.
    pub(crate) fn redeal_for_seat(&mut self, context: &PlayContext, seat: usize, seed: u64) {
        self.board_mut().zones.settle_orders();
        self.state.generator = random::seeded_generator(seed);
        self.state.numbering = self.state.numbering.is_some().then(|| random::seeded_generator(random::derive_seed(seed, 2)));
        let streams = Streams(random::derive_seed(seed, 1));
        self.exchange_unseen(context, &[seat], &mut streams.stream_for(StreamPurpose::Deal, 0));
        self.forget_private(context, seat, streams);
        self.redraw_tainted(context, seat, streams);
        self.scratch = Scratch::default();
        self.redraw_answers(context, seat, &mut streams.stream_for(StreamPurpose::Picks, 0));
    }

    /// Deals again the positions of pieces that are hidden from all the given seats. The options of the open questions are found
    /// again.
    pub(crate) fn deal_unseen_again(&mut self, context: &PlayContext, seats: &[usize]) {
        // Pieces that chance has not dealt yet cannot have been seen.
        if self.state.board.zones.are_undealt() {
            return;
        }
        let mut luck = self.state.generator.clone();
        self.exchange_unseen(context, seats, &mut luck);
        self.state.generator = luck;
        self.scratch = Scratch::default();
        // The questions are already open, and are not asked again.
        let imagined = std::mem::replace(&mut self.imagined, true);
        self.run(context, 0);
        self.imagined = imagined;
    }

    /// Lets the pieces that none of these seats sees swap places, and rolls dice among them again.
    fn exchange_unseen(&mut self, context: &PlayContext, seats: &[usize], luck: &mut Generator) {
        let unseen = self.unseen_pieces(context, seats);
        self.roll_unseen(context, &unseen, luck);
        let exchange = self.choose_exchange(&unseen, luck);
        // Pieces made by a script do not exist before it begins.
        if exchange.is_empty() || exchange.keys().any(|piece| usize::from(*piece) >= self.state.board.entities.len()) {
            return;
        }
        exchange_places(self.board_mut(), &exchange);
        exchange_in_fields(context.program, self.board_mut(), &exchange);
        self.exchange_in_variables(context.program, &exchange);
    }

    /// Rolls the dice among some unseen pieces again, if they have been rolled.
    fn roll_unseen(&mut self, context: &PlayContext, unseen: &[(u16, u16)], luck: &mut Generator) {
        let program = context.program;
        let dice = unseen.iter().map(|(_, piece)| Value::from(*piece));
        let has_value = |die: &Value| self.state.board.field(*die, DIE_VALUE).is_some_and(|value| value > 0);
        let is_die = |die: &Value| self.state.board.entity(*die).is_some_and(|found| program.is_die(found.kind));
        let mut dice: Vec<Value> = dice.filter(|die| is_die(die) && has_value(die)).collect();
        self.state.board.numbers.sort_by_number(&mut dice, |die| *die);
        self.board_mut().roll_on_board(context, &dice, |size| random::random_below(luck, size));
    }

    /// The pieces that none of the given seats sees or knows, each with its zone.
    fn unseen_pieces(&self, context: &PlayContext, seats: &[usize]) -> Vec<(u16, u16)> {
        let zones = 0..self.state.board.zones.len() as u16;
        let hidden = zones.filter(|zone| !seats.iter().any(|seat| self.can_see_zone(context, *zone, *seat)));
        let unknown = |piece: &u16| !seats.iter().any(|seat| self.knows_piece(*seat, Value::from(*piece)));
        let pieces = |zone: u16| {
            self.state.board.ordered_pieces(Value::from(zone)).iter().copied().filter(unknown).map(move |piece| (zone, piece))
        };
        hidden.flat_map(pieces).collect()
    }

    /// Chooses replacements among unseen pieces, given with their zones. The choice depends only on public information: the
    /// number of pieces of each kind and owner in each zone.
    fn choose_exchange(&self, unseen: &[(u16, u16)], luck: &mut Generator) -> Exchange {
        let mut pools: BTreeMap<(KindId, Value), Vec<u16>> = BTreeMap::new();
        for (_, piece) in unseen {
            pools.entry(self.sort_of(*piece)).or_default().push(*piece);
        }
        for pool in pools.values_mut() {
            // Sorted by public number: another order could reveal their former places.
            self.state.board.numbers.sort_by_number(pool, |piece| Value::from(*piece));
            random::shuffle_slice(pool, luck);
        }
        let mut exchange = Exchange::new();
        for here in unseen.chunk_by(|(zone, _), (other, _)| zone == other) {
            let mut sorts: Vec<(KindId, Value)> = here.iter().map(|(_, piece)| self.sort_of(*piece)).collect();
            sorts.sort_unstable();
            random::shuffle_slice(&mut sorts, luck);
            for ((_, piece), sort) in here.iter().zip(sorts) {
                exchange.extend(pools.get_mut(&sort).and_then(Vec::pop).map(|other| (*piece, other)));
            }
        }
        exchange
    }

    /// Draws again the values of sides that a seat may not read.
    fn forget_private(&mut self, context: &PlayContext, seat: usize, streams: Streams) {
        let fields = &context.program.kind(SIDE).fields;
        // The members of a list are drawn together with the list.
        let is_private = |field: &FieldInfo| field.seen != Visibility::All && !field.name.is_empty();
        for field in (0..fields.len()).filter(|field| is_private(&fields[*field])) {
            for side in 0..context.roster.sides as Value {
                if !self.readers_of(context, side, field as u16).includes(Viewer::Seat(seat)) {
                    let luck = &mut streams.stream_for_field(side, field as u16);
                    draw_field(context, self.board_mut(), side, field as u16, fields, luck);
                }
            }
        }
    }

    /// Redraws the values that are tainted for a seat. Looking ahead is refused if such a value has no range.
    fn redraw_tainted(&mut self, context: &PlayContext, seat: usize, streams: Streams) {
        // First taints everything that was set on paths which have met again.
        self.leave_branches(context);
        let Some(taints) = self.taints.take() else { return };
        // Tracking took more work than allowed, so nothing is known about taint.
        if taints.is_lost() {
            return self.cannot_look_ahead();
        }
        let program = context.program;
        if taints.marks.values().any(|from| from.contains(seat)) || self.may_marks_differ(context, &taints, seat) {
            return self.cannot_look_ahead();
        }
        for ((entity, field), _) in taints.fields.iter().filter(|(_, from)| from.contains(seat)) {
            let Some(kind) = self.state.board.entity(Value::from(*entity)).map(|found| found.kind) else { continue };
            // A public field of a piece is known to any seat that sees the piece.
            if program.is_public_field(kind, *field) && self.can_see(context, seat, Value::from(*entity)) {
                continue;
            }
            let fields = &program.kind(kind).fields;
            // A list keeps its length, so that length must be known.
            let is_known_long = !taints.lengths.get(&(*entity, *field)).is_some_and(|from| from.contains(seat));
            let is_bounded = |info: &FieldInfo| (is_known_long || !info.shape.is_list()) && info.shape.is_bounded(info.range);
            let may_be_drawn = fields.get(usize::from(*field)).is_some_and(is_bounded);
            match may_be_drawn {
                true => {
                    let (entity, field) = (Value::from(*entity), *field);
                    draw_field(context, self.board_mut(), entity, field, fields, &mut streams.stream_for_field(entity, field));
                }
                false => return self.cannot_look_ahead(),
            }
        }
        for index in 0..self.state.frames.len() {
            let frame = self.state.frames[index];
            for (slot, shape) in slot_shapes(program, &frame) {
                let place = frame.base as usize + usize::from(slot);
                let is_hidden = taints.slots.get(&place).is_some_and(|from| from.contains(seat));
                // Any ability may read the values that a hook was opened with.
                let is_read = || !frame.runs_instructions() || !first_readers(program, frame.at, slot).is_empty();
                if !is_hidden || shape == Shape::Nothing || !is_read() {
                    continue;
                }
                if !shape.is_bounded(None) {
                    return self.cannot_look_ahead();
                }
                let value = draw_value(context, &shape, None, &mut streams.stream_for(StreamPurpose::Slot, place as u64));
                if let Some(held) = self.state.slots.get_mut(place) {
                    *held = value;
                }
            }
        }
    }

    /// Whether a seat cannot know which of some pieces that it cannot see bear a mark. Then they must not be exchanged.
    fn may_marks_differ(&self, context: &PlayContext, taints: &Taints, seat: usize) -> bool {
        let mut marked = taints.marked_unseen.iter().filter(|(_, from)| from.contains(seat)).peekable();
        if marked.peek().is_none() {
            return false;
        }
        let unseen: Vec<u16> = self.unseen_pieces(context, &[seat]).into_iter().map(|(_, piece)| piece).collect();
        let bears = |piece: u16, mark: u16| self.state.board.has_mark(Value::from(piece), mark);
        marked.any(|((piece, mark), _)| {
            let mut alike = unseen.iter().filter(|other| self.sort_of(**other) == self.sort_of(*piece));
            unseen.contains(piece) && alike.any(|other| bears(*other, *mark) != bears(*piece, *mark))
        })
    }

    /// Makes looking ahead fail.
    #[cold]
    fn cannot_look_ahead(&mut self) {
        self.raise("looking ahead is impossible here: a stored value may depend on something hidden from this seat");
    }

    /// The kind and owner of a piece; only pieces with the same may be exchanged.
    fn sort_of(&self, piece: u16) -> (KindId, Value) {
        let board = &self.state.board;
        (board.entities[piece as usize].kind, board.field(Value::from(piece), PIECE_OWNER).unwrap_or(NONE))
    }

    /// Updates references to pieces in the slots of all running frames.
    fn exchange_in_variables(&mut self, program: &Program, exchange: &Exchange) {
        let mut done = BTreeSet::new();
        for index in 0..self.state.frames.len() {
            let frame = self.state.frames[index];
            for (slot, shape) in slot_shapes(program, &frame) {
                let place = frame.base as usize + usize::from(slot);
                let Some(value) = self.state.slots.get(place).copied() else { continue };
                let value = exchange_in_value(program, &mut self.state.lists, exchange, &mut done, value, &shape);
                self.state.slots[place] = value;
            }
        }
    }
}

/// The slots of a frame, with the shapes of their values.
fn slot_shapes(program: &Program, frame: &Frame) -> Vec<(Slot, Shape)> {
    match frame.role {
        FrameRole::Window(window) => {
            let params = program.hooks[usize::from(window.hook)].params.iter();
            params.enumerate().map(|(slot, (_, shape))| (slot as Slot, shape.clone())).collect()
        }
        _ => program.slots_at(frame.at).into_iter().map(|(slot, held)| (slot, held.shape.clone())).collect(),
    }
}

/// A value of a shape after an exchange. The members of a list are replaced in place, once: `done` has the lists and records that
/// were changed already.
fn exchange_in_value(
    program: &Program,
    lists: &mut [Value],
    exchange: &Exchange,
    done: &mut BTreeSet<Value>,
    value: Value,
    shape: &Shape,
) -> Value {
    let mut members = |lists: &mut [Value], shapes: &[(usize, Shape)]| {
        if value != NONE && done.insert(value) {
            for (place, shape) in shapes {
                if let Some(member) = lists.get(*place).copied() {
                    lists[*place] = exchange_in_value(program, lists, exchange, done, member, shape);
                }
            }
        }
        value
    };
    match shape {
        Shape::OrNone(inner) => exchange_in_value(program, lists, exchange, done, value, inner),
        Shape::Entity(_) if program.is_piece(shape) => {
            u16::try_from(value).ok().and_then(|piece| exchange.get(&piece)).map_or(value, |other| Value::from(*other))
        }
        Shape::List(inner) => {
            let length = members_of(lists, value).len();
            let shapes: Vec<(usize, Shape)> =
                (1..=length).map(|place| (value as usize + place, inner.as_ref().clone())).collect();
            members(lists, &shapes)
        }
        Shape::Move(_) => {
            let shapes = move_shapes(program, lists, value);
            members(lists, &shapes)
        }
        _ => value,
    }
}

/// The values in the record of a chosen move, by their places in the arena.
fn move_shapes(program: &Program, lists: &[Value], record: Value) -> Vec<(usize, Shape)> {
    let action = lists.get(record as usize).and_then(|action| program.actions.get(*action as usize));
    let Some(action) = action else { return Vec::new() };
    let Some(family) = action.family.map(|family| &program.families[usize::from(family)]) else { return Vec::new() };
    let fields = family.fields.iter().map(|(_, shape)| shape.clone());
    let bound = family.params.iter().map(|(_, shape)| shape.clone()).chain(std::iter::repeat(Shape::Nothing));
    let roles = action.roles.iter().map(|role| role.shape.clone());
    let behind = bound.take(usize::from(action.context)).chain(roles).filter(|_| action.body.is_some());
    let first = record as usize + 2;
    fields.take(action.fields.len()).chain(behind).enumerate().map(|(place, shape)| (first + place, shape)).collect()
}

/// Draws a new value for a field. A list keeps its length; its members are in the fields after it.
fn draw_field(context: &PlayContext, board: &mut Board, entity: Value, field: u16, fields: &[FieldInfo], luck: &mut Generator) {
    // The range of a list is that of its members.
    let range = fields[usize::from(field)].range;
    let is_list = matches!(fields[usize::from(field)].shape, Shape::List(_));
    let cells = if is_list { field + 1..=field + board.list_in_field(entity, field).len() as u16 } else { field..=field };
    for cell in cells {
        let Some(FieldInfo { shape, .. }) = fields.get(usize::from(cell)) else { continue };
        let value = draw_value(context, shape, range, luck);
        if let Some(place) = board.field_mut(entity, cell) {
            *place = value;
        }
    }
}

/// A random value of a type that a private field or a slot may have; from `range` if it is a number.
fn draw_value(context: &PlayContext, shape: &Shape, range: Option<(Value, Value)>, luck: &mut Generator) -> Value {
    let (shape, or_none) = match shape {
        Shape::OrNone(inner) => (inner.as_ref(), 1),
        shape => (shape, 0),
    };
    let (least, most) = match shape {
        Shape::Flag => (0, 1),
        Shape::Word(words) => (0, context.program.words[usize::from(*words)].words.len() as Value - 1),
        Shape::Entity(_) => (0, context.roster.sides as Value - 1),
        _ => range.unwrap_or_default(),
    };
    let values = most.abs_diff(least).saturating_add(1);
    match random::random_below(luck, values.saturating_add(or_none)) {
        place if place >= values => NONE,
        place => least.saturating_add_unsigned(place),
    }
}

/// Puts pieces in the places of others.
fn exchange_places(board: &mut Board, exchange: &Exchange) {
    let orders: Vec<(u16, Vec<u16>)> =
        (0..board.zones.len() as u16).map(|zone| (zone, board.ordered_pieces(Value::from(zone)).to_vec())).collect();
    for (zone, pieces) in &orders {
        if pieces.iter().any(|piece| exchange.contains_key(piece)) {
            // The last piece placed in a zone ends up on top, as before.
            for piece in pieces {
                board.place_piece(exchange.get(piece).copied().unwrap_or(*piece), *zone, false);
            }
        }
    }
}

/// Updates references to pieces in the rules' internal fields. The members of a list are fields, too.
fn exchange_in_fields(program: &Program, board: &mut Board, exchange: &Exchange) {
    for entity in 0..board.entities.len() as Value {
        let kind = board.entities[entity as usize].kind;
        for (field, info) in program.kind(kind).fields.iter().enumerate().map(|(field, info)| (field as u16, info)) {
            let shape = match &info.shape {
                Shape::OrNone(inner) => inner.as_ref(),
                shape => shape,
            };
            if program.is_piece(shape)
                && !program.is_public_field(kind, field)
                && let Some(place) = board.field_mut(entity, field)
                && let Some(other) = u16::try_from(*place).ok().and_then(|piece| exchange.get(&piece))
            {
                *place = Value::from(*other);
            }
        }
    }
}
