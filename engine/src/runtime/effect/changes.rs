//! Changes of fields, pieces, scopes and sides, each announced by one event. `marks` and `chance` have the changes of marks and
//! dice.
//!
//! `of` is the thing whose `field` is set. `bottom` puts a piece at the start of a zone rather than at its end, the top. `naming`
//! is the name and the sentence that the rules give the event, and `base` that of the slots which the sentence reads. A *scope* is
//! a procedure that names a time, such as a turn.

use crate::runtime::context::Context;
use crate::runtime::effect::Effects;
use crate::runtime::effect::marks::MarkDuration;
use crate::runtime::event::{Audience, EventKind};
use crate::runtime::state::{Entity, EntityId, Finish, Frame, NOWHERE, TimedMark, ZoneId};
use crate::runtime::text::words::possessive_name;
use ludex_compiler::field::is_entrant_shape;
use ludex_program::{
    CreateCode, Expr, Instruction, KindId, KindSort, MarkCode, NONE, Naming, PIECE_OWNER, ProcedureId, SIDE, Shape, Value,
};
use smallvec::SmallVec;

impl Effects {
    /// Carries out an instruction that has an effect and that the machine does not run itself. True if results of chance must be
    /// waited for.
    pub fn apply_effect(&mut self, context: &Context, base: usize, instruction: &Instruction) -> bool {
        match instruction {
            Instruction::Add { of, field, value, naming } => {
                let of = self.evaluate(context, base, of);
                let value = self.evaluate(context, base, value);
                match self.state.board.field(of, *field).map(|old| old.checked_add(value)) {
                    Some(Some(sum)) => self.set_field(context, base, of, *field, sum, naming),
                    Some(None) => {
                        self.raise_as(ludex_syntax::codes::NUMBER_OVERFLOW, "a counter would go beyond 2,147,483,647");
                    }
                    None => {
                        self.raise("a counter that does not exist cannot change");
                    }
                }
            }
            Instruction::MoveEach { list, variable, to, bottom, naming } => {
                let list = self.evaluate(context, base, list);
                let moved = if *bottom { 0 } else { self.scatter_list(context, base, list, *variable, to, naming) };
                for index in moved..self.state.list_values(list).len() {
                    if self.fault.is_some() {
                        break;
                    }
                    let piece = self.state.list_member(list, index);
                    self.set_slot(base, *variable, piece);
                    let to = self.evaluate(context, base, to);
                    self.move_piece::<true>(context, base, piece, to, *bottom, naming);
                }
            }
            Instruction::Shuffle { zone } => {
                let zone = self.evaluate(context, base, zone);
                return self.shuffle_zone(context, zone);
            }
            Instruction::Create(code) => {
                let CreateCode { kind, fields, zone, owner, slot } = &**code;
                let zone = self.evaluate(context, base, zone);
                let owner = self.evaluate(context, base, owner);
                let fields: SmallVec<[(u16, Value); 8]> =
                    fields.iter().map(|(field, value)| (*field, self.evaluate(context, base, value))).collect();
                let piece = self.create_piece(context, *kind, &fields, zone, owner);
                if let Some(slot) = slot {
                    self.set_slot(base, *slot, piece);
                }
            }
            Instruction::Remove { what } => {
                let list = self.evaluate(context, base, what);
                for piece in self.state.list_values(list).to_vec() {
                    self.remove_piece(context, piece);
                }
            }
            Instruction::RemoveSides { what } => {
                let list = self.evaluate(context, base, what);
                for side in self.state.list_values(list).to_vec() {
                    self.remove_side(context, side);
                }
            }
            Instruction::Mark(code) => {
                let MarkCode { what, mark, fields, until, leaves } = &**code;
                let list = self.evaluate(context, base, what);
                let fields: Vec<(u16, Value)> =
                    fields.iter().map(|(field, value)| (*field, self.evaluate(context, base, value))).collect();
                for index in 0..self.state.list_values(list).len() {
                    if self.fault.is_some() {
                        break;
                    }
                    let entity = self.state.list_member(list, index);
                    let of = until.as_ref().and_then(|until| until.of.as_ref()).map(|of| self.evaluate(context, base, of));
                    let lasts = MarkDuration { until: until.as_ref(), of: of.unwrap_or(NONE), leaves: *leaves };
                    self.put_mark(context, entity, *mark, lasts, &fields);
                }
            }
            Instruction::Unmark { what, mark } => {
                let list = self.evaluate(context, base, what);
                for index in 0..self.state.list_values(list).len() {
                    let entity = self.state.list_member(list, index);
                    self.remove_mark(context, entity, *mark);
                }
            }
            Instruction::Say { text, to } => {
                self.check_text(context, base, *text);
                let audience = match to {
                    Some(to) => Audience::Seats(self.seats_of(context, base, to)),
                    None => Audience::All,
                };
                // Too many sentences are left out, not refused.
                if self.fault.is_some() || !self.watched || !self.meter.may_say() {
                    return false;
                }
                if self.counts_only {
                    self.count_sentence(context, *text);
                } else {
                    let text = self.render_to(context, base, *text, audience.clone());
                    self.announce_to(context, EventKind::Said, None, Some(text), audience);
                }
            }
            Instruction::Debug { text } => {
                self.check_text(context, base, *text);
                if self.coverage.is_some() && self.meter.may_say() {
                    let text = self.render(context, base, *text);
                    let place = self.state.places_in_scripts(context.program).next().map(|place| place.span);
                    if let (Some(coverage), Some(place)) = (&mut self.coverage, place) {
                        coverage.record_note(place, text);
                    }
                }
            }
            Instruction::Show { what, to } => {
                let list = self.evaluate(context, base, what);
                let pieces = self.state.list_values(list).to_vec();
                let seats = self.seats_of(context, base, to);
                self.show_pieces(context, &pieces, seats);
            }
            Instruction::RestoreUses { scope } => {
                let since = self.state.scope_serial(*scope);
                self.restore_uses(context, since);
            }
            _ => {}
        }
        false
    }

    /// Whether a change with this naming must be announced in full. In a game that only counts, the name is counted here.
    fn must_announce(&mut self, context: &Context, base: usize, naming: &Naming) -> bool {
        self.check_naming(context, base, naming);
        if self.counts_only {
            self.count_named(context, naming);
        }
        self.announces_fully()
    }

    /// Checks the sentence of an event for errors.
    #[inline]
    pub fn check_naming(&mut self, context: &Context, base: usize, naming: &Naming) {
        if let Some(text) = naming.text {
            self.check_text(context, base, text);
        }
    }

    // --- fields ------------------------------------------------------------------

    /// Sets a field and announces it. A value that is not allowed is a fault.
    pub fn set_field(&mut self, context: &Context, base: usize, of: Value, field: u16, value: Value, naming: &Naming) {
        let before = if self.announces_fully() { self.state.board.field(of, field) } else { None };
        if !self.spend_on_changes(1) || !self.change_field(context, of, field, value) {
            return;
        }
        self.forget_if_value_set(context, of, field);
        if self.must_announce(context, base, naming) {
            self.announce_field(context, base, of, field, (before, value), naming);
        }
    }

    /// Like [`Effects::set_field`], for a list.
    pub fn set_list_field(&mut self, context: &Context, base: usize, of: Value, field: u16, members: &[Value], naming: &Naming) {
        if self.spend_on_changes(1)
            && self.spend_on(members.len())
            && self.change_list(context, of, field, members)
            && self.must_announce(context, base, naming)
        {
            self.announce_field(context, base, of, field, (None, members.len() as Value), naming);
        }
    }

    /// Announces a field by its values `before` and now; the change is part of the event for numbers.
    #[inline(never)]
    fn announce_field(
        &mut self,
        context: &Context,
        base: usize,
        of: Value,
        field: u16,
        (before, value): (Option<Value>, Value),
        naming: &Naming,
    ) {
        let Some(kind) = self.state.board.entities.get(of as usize).map(|entity| entity.kind) else { return };
        let Some(info) = context.program.kind(kind).fields.get(usize::from(field)) else { return };
        let sort = context.program.kind(kind).sort;
        let piece = (sort == KindSort::Piece).then(|| self.piece_view(context, of));
        let shown = self.field_words(context, of, field);
        let whose = match piece {
            Some(_) => format!("{} ", possessive_name(&self.name_thing(context, of))),
            None => self.owner_words(context, of),
        };
        let text = format!("{whose}{} is {shown}", info.name.replace('_', " "));
        let key = if is_entrant_shape(context.program, &info.shape) { self.entrant_key(context, value) } else { None };
        let is_number = matches!(info.shape, Shape::Number | Shape::Halves);
        let change = before.filter(|_| is_number).and_then(|before| {
            let change = value.checked_sub(before)?;
            Some((self.describe_value(context, change.checked_abs()?, &info.shape), change < 0))
        });
        let kind = EventKind::Set {
            change,
            name: info.name.clone(),
            value: key.unwrap_or(shown),
            raw: value,
            members: self.state.board.list_in_field(of, field).iter().copied().filter(|_| info.room > 0).collect(),
            entity: of as usize,
            piece,
            entrant: self.entrant_key(context, of),
        };
        self.announce_named(context, base, kind, self.owner_side(context, of), naming, text);
    }

    // --- pieces ------------------------------------------------------------------

    /// Moves the pieces of a list to one zone.
    #[inline(never)]
    pub fn move_list<const SEEN: bool>(
        &mut self,
        context: &Context,
        base: usize,
        list: Value,
        to: &Expr,
        bottom: bool,
        naming: &Naming,
    ) {
        let to = self.evaluate(context, base, to);
        if !bottom && self.pour_list(context, list, to, naming) {
            return;
        }
        for index in 0..self.state.list_values(list).len() {
            if self.fault.is_some() {
                break;
            }
            let piece = self.state.list_member(list, index);
            self.move_piece::<SEEN>(context, base, piece, to, bottom, naming);
        }
    }

    /// Moves a piece. `SEEN` must be set if the game may be watched.
    #[inline(always)]
    pub fn move_piece<const SEEN: bool>(
        &mut self,
        context: &Context,
        base: usize,
        piece: Value,
        to: Value,
        bottom: bool,
        naming: &Naming,
    ) {
        if !self.spend_on_changes(1) {
            return;
        }
        let Some(from) = self.relocate_piece(context, piece, to, bottom) else { return };
        let to = to as ZoneId;
        if SEEN {
            if self.must_announce(context, base, naming) {
                self.announce_move(context, base, piece, (from, to), bottom, naming);
            }
        } else {
            self.check_naming(context, base, naming);
        }
        if context.program.bearing || !self.state.lasting.is_empty() {
            self.after_move(context, piece, from, to);
        }
    }

    /// Moves a piece without an announcement. Returns its former zone, or none if it cannot go there.
    #[inline(always)]
    fn relocate_piece(&mut self, context: &Context, piece: Value, to: Value, bottom: bool) -> Option<ZoneId> {
        let board = self.board_mut();
        let trouble = match board.entities.get(piece as usize) {
            Some(Entity { place: NOWHERE, .. }) => "a piece that was removed from the game cannot be moved",
            Some(Entity { place, .. }) if (to as usize) < board.zones.len() => {
                let from = *place;
                if context.program.bearing || context.program.hides {
                    return self.relocate_with_care(context, piece, (from, to as ZoneId), bottom);
                }
                board.place_piece(piece as EntityId, to as ZoneId, bottom);
                return Some(from);
            }
            Some(_) => "a piece cannot be moved, because its destination is none",
            None => "there is no piece to move",
        };
        self.raise(trouble);
        None
    }

    /// Like [`Effects::relocate_piece`], if zones have limited room or are not open to all. `from` and `to` are zones.
    #[inline(never)]
    fn relocate_with_care(
        &mut self,
        context: &Context,
        piece: Value,
        (from, to): (ZoneId, ZoneId),
        bottom: bool,
    ) -> Option<ZoneId> {
        if context.program.bearing && !self.has_room(context, piece, to) {
            return None;
        }
        // If no hidden piece is known, no knowledge can be lost.
        let is_followed = context.program.hides && !self.state.known.is_empty();
        // Knowledge follows the topmost piece of an ordered zone, see `follow_move`.
        let was_on_top =
            is_followed && self.state.board.zones.top_pieces(usize::from(from), 1).last() == Some(&(piece as EntityId));
        self.board_mut().place_piece(piece as EntityId, to, bottom);
        if context.program.hides {
            self.follow_move(context, piece, from, to, was_on_top);
        }
        Some(from)
    }

    /// The consequences of a move: marks end, and the contents of the piece fall.
    #[inline(never)]
    fn after_move(&mut self, context: &Context, piece: Value, from: ZoneId, to: ZoneId) {
        if from != to && !self.state.lasting.is_empty() {
            self.end_marks_of_place(context, piece);
        }
        if context.program.bearing {
            self.leave_play(context, piece, from, to);
        }
    }

    /// Announces a move between the zones `from` and `to`.
    #[inline(never)]
    fn announce_move(
        &mut self,
        context: &Context,
        base: usize,
        piece: Value,
        (from, to): (ZoneId, ZoneId),
        bottom: bool,
        naming: &Naming,
    ) {
        let target = self.zone_name(context, to);
        let view = self.piece_view(context, piece);
        let text = format!("{} goes to {}", self.describe_piece(context, piece), self.describe_zone(context, to));
        let by = target.side;
        let kind = EventKind::Moved { piece: view, from: self.zone_name(context, from), to: target, start: bottom };
        self.announce_named(context, base, kind, by, naming, text);
    }

    /// Takes a piece out of the game, with contents that have no place to fall.
    pub fn remove_piece(&mut self, context: &Context, piece: Value) {
        let place = self.state.board.entities.get(piece as usize).map_or(NOWHERE, |entity| entity.place);
        if place == NOWHERE || !self.spend_on_changes(1) {
            return;
        }
        if context.program.bearing {
            self.drop_borne(context, piece, true);
        }
        self.drop_mark_entries_of(piece);
        let audience = self.announces_fully().then(|| self.audience_of(context, &[place]));
        self.board_mut().take_out(piece as EntityId);
        if let Some(audience) = audience {
            let kind = EventKind::Removed { piece: self.piece_view(context, piece) };
            self.announce_to(context, kind, self.owner_side(context, piece), None, audience);
        }
    }

    /// Creates a piece with these fields by index, and returns it; none after a fault. The other fields get their defaults.
    pub fn create_piece(&mut self, context: &Context, kind: u16, fields: &[(u16, Value)], zone: Value, owner: Value) -> Value {
        if let Err(message) = self.state.board.check_entity_limits(context.program, kind) {
            return self.raise_as(ludex_syntax::codes::PIECE_LIMIT, message);
        }
        if !self.spend_on_changes(1) {
            return NONE;
        }
        let piece = self.board_mut().create_entity(context.program, kind, NOWHERE);
        if context.program.bearing && !self.has_room(context, Value::from(piece), zone as u16) {
            return NONE;
        }
        let set = |machine: &mut Effects, field: u16, value: Value| {
            if let Some(cell) = machine.board_mut().field_mut(Value::from(piece), field) {
                *cell = value;
            }
        };
        set(self, PIECE_OWNER, owner);
        self.board_mut().place_piece(piece, zone as u16, false);
        for (field, value) in fields {
            set(self, *field, *value);
        }
        // The value of a die is checked against its size, whichever comes first.
        for (field, value) in fields {
            self.is_in_range(context, Value::from(piece), kind, *field, *value);
        }
        let given: SmallVec<[u16; 8]> = fields.iter().map(|(field, _)| *field).collect();
        self.compute_defaults(context, Value::from(piece), &given);
        if self.announces_fully() {
            let view = self.piece_view(context, Value::from(piece));
            let text = format!(
                "{} comes to {}",
                self.describe_piece(context, Value::from(piece)),
                self.describe_zone(context, zone as u16)
            );
            let name = self.zone_name(context, zone as u16);
            let cells = self.cells_of_newest(Value::from(piece));
            let kind = EventKind::Created { piece: view, kind, zone: name, cells };
            self.announce(context, kind, self.owner_side(context, Value::from(piece)), Some(text));
        }
        Value::from(piece)
    }

    /// The cells of the entity created last, which are at the end of all cells.
    fn cells_of_newest(&self, entity: Value) -> Vec<Value> {
        let board = &self.state.board;
        let start = board.entities.get(entity as usize).map_or(0, |entity| entity.cells as usize);
        board.cells.get(start..).unwrap_or(&[]).to_vec()
    }

    /// Computes the declared defaults of an entity's fields, except the given ones. Returns the field at which that failed.
    pub fn compute_defaults(&mut self, context: &Context, entity: Value, given: &[u16]) -> Option<(KindId, u16)> {
        let kind = self.state.board.entities.get(entity as usize).map(|entity| entity.kind)?;
        for (of, field, formula) in &context.program.defaults {
            if !context.program.is_kind(kind, *of) || given.contains(field) {
                continue;
            }
            let value = self.evaluate_separately(context, &formula.expr, formula.slots, &[entity]);
            if self.fault.is_some() {
                return Some((*of, *field));
            }
            if let Some(cell) = self.board_mut().field_mut(entity, *field) {
                *cell = value;
            }
        }
        None
    }

    // --- scopes and the end --------------------------------------------------------

    /// Announces that a scope begins. `base` is that of its slots.
    pub fn scope_began(&mut self, context: &Context, procedure: ProcedureId, base: usize) {
        let info = &context.program.procedures[procedure as usize];
        let by = match info.params.first() {
            Some((_, Shape::Entity(SIDE))) => usize::try_from(self.read_slot(base, 0)).ok(),
            _ => None,
        };
        let text = match by {
            Some(side) => format!("{} of {} begins", info.name.replace('_', " "), self.side_name(context, side as Value)),
            None => format!("{} begins", info.name.replace('_', " ")),
        };
        self.announce(context, EventKind::Began { scope: info.name.clone() }, by, Some(text));
    }

    /// Announces that a scope has ended, and ends the marks that last until then. `frame` was the frame of its run; its slots are
    /// still there.
    pub fn scope_ended(&mut self, context: &Context, procedure: ProcedureId, frame: &Frame) {
        if self.announces_fully() {
            let info = &context.program.procedures[procedure as usize];
            let text = format!("{} ends", info.name.replace('_', " "));
            self.announce(context, EventKind::Ended { scope: info.name.clone() }, None, Some(text));
        }
        if self.state.lasting.is_empty() {
            return;
        }
        let first = self.read_slot(frame.base as usize, 0);
        let ended: Vec<TimedMark> = self
            .state
            .lasting
            .iter()
            .filter(|lasting| {
                lasting.procedure == procedure
                    && frame.serial >= lasting.from_serial
                    && (lasting.of == NONE || lasting.of == first)
            })
            .copied()
            .collect();
        for lasting in ended {
            self.end_mark(context, Value::from(lasting.entity), lasting.mark);
        }
    }

    /// Ends play with an outcome, and announces it.
    pub fn finish_play(&mut self, context: &Context, finish: Finish) {
        self.state.finished = Some(finish);
        if self.announces_fully() {
            let outcome = self.build_outcome(context);
            if let Some(outcome) = outcome {
                let text = self.describe_outcome(context, &outcome);
                let by = (outcome.winners.len() == 1).then(|| outcome.winners[0]);
                self.announce(context, EventKind::Finished { outcome }, by, Some(text));
            }
        }
    }

    /// Takes a side out of the game, with all its pieces and everything in its zones.
    pub fn remove_side(&mut self, context: &Context, side: Value) {
        if !(0..context.roster.sides as Value).contains(&side) || self.is_out(side) {
            return;
        }
        let things = self.state.board.entities.len();
        if !self.spend_on(things) {
            return;
        }
        self.board_mut().eliminated.push(side as u16);
        if self.announces_fully() {
            let text = format!("{} is out of the game", self.side_name(context, side));
            let kind = EventKind::Left { side: side as usize };
            self.announce_to(context, kind, Some(side as usize), Some(text), Audience::All);
        }
        let entities = &self.state.board.entities;
        let lies_there = |place: u16| {
            let owner = self.state.board.zones.get(usize::from(place)).map(|zone| Value::from(zone.owner));
            owner.is_some_and(|owner| !self.is_piece(context, owner) && self.state.board.side_of(context.program, owner) == side)
        };
        let borne = |place: u16| {
            let owner = self.state.board.zones.get(usize::from(place)).map(|zone| Value::from(zone.owner));
            owner.is_some_and(|owner| self.is_piece(context, owner))
        };
        let leaves = |(id, entity): &(usize, &crate::runtime::state::Entity)| {
            let piece = *id as Value;
            entity.place != NOWHERE
                && self.is_piece(context, piece)
                && (self.state.board.side_of(context.program, piece) == side || lies_there(entity.place))
        };
        let mut leaving: Vec<(bool, Value)> =
            entities.iter().enumerate().filter(leaves).map(|(id, entity)| (!borne(entity.place), id as Value)).collect();
        // Pieces borne by the side's own pieces go first, so that only things of other sides fall.
        leaving.sort_unstable_by_key(|(falls, piece)| (*falls, self.state.board.numbers.public_number(*piece)));
        for (_, piece) in leaving {
            self.remove_piece(context, piece);
        }
        self.drop_mark_entries_of(side);
        for entrant in context.roster.entrants.get(side as usize).into_iter().flatten() {
            self.drop_mark_entries_of(Value::from(*entrant));
        }
    }
}
