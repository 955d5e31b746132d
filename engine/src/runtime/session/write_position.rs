//! Writes the state at an entry of the rules as a position.
//!
//! Positions cannot express everything, such as the past rounds of a loop, or knowledge of hidden pieces. To be sure that a
//! position leads on as play did, it must be tried.
//!
//! `EntryRecord` has the state just before an entry, a procedure at which a position may begin. The frames *around* it are those
//! of its callers. Values are compared with those that the sheets give, and only differences are written. *Names* are the ids
//! that the position gives to pieces which something refers to. The command's `retelling` calls this.

use super::Session;
use crate::runtime::context::{Instance, Roster};
use crate::runtime::state::{Board, Entity, EntityId, Frame, FrameRole, State};
use crate::runtime::trace::EntryRecord;
use ludex_compiler::field::{can_be_set, format_value};
use ludex_program::{
    AbilityId, CallSite, DIE_SIZE, DIE_VALUE, FieldInfo, KindId, KindSort, NONE, PIECE_OWNER, PIECE_SHEET, ProcedureInfo,
    Program, SIDE, Shape, TABLE, Value,
};
use ludex_syntax::yaml::OutputValue;
use std::collections::{BTreeMap, BTreeSet};

/// Names of pieces, by their own numbers.
type Names = BTreeMap<usize, String>;

/// A part of a position, or the reason why it cannot be expressed.
type PositionPart<T> = Result<T, String>;

impl Session {
    /// The position for the state at an entry, with these names for pieces.
    pub fn write_position(&self, entered: &EntryRecord, names: &Names) -> PositionPart<OutputValue> {
        let writing = self.position_writer(entered, names);
        let at = writing.entry_text(entered)?;
        let mut map = vec![];
        let sides = (0..writing.roster.sides).map(|side| writing.side_entry(side)).collect::<PositionPart<Vec<OutputValue>>>()?;
        let tells = sides.iter().any(|side| *side != OutputValue::Map(Vec::new()));
        let info = &writing.program.sides;
        if tells || info.least != info.most || info.entrant.is_some() {
            map.push(("sides".to_string(), OutputValue::List(sides)));
        }
        let table = writing.table_entries()?;
        if !table.is_empty() {
            map.push(("table".to_string(), OutputValue::Map(table)));
        }
        map.push(("at".to_string(), OutputValue::from_text(&at)));
        Ok(OutputValue::Map(map))
    }

    /// The own numbers of the pieces among an entry's arguments, which a position must name.
    pub fn argument_pieces(&self, entered: &EntryRecord) -> BTreeSet<usize> {
        let names = Names::new();
        let writing = self.position_writer(entered, &names);
        let info = &self.program().procedures[usize::from(entered.procedure)];
        let own = info.params.iter().map(|(_, shape)| shape).zip(entered.arguments.iter().copied());
        let frames = entered.state.frames.iter().zip(&info.chain);
        let around = frames.flat_map(|(frame, site)| {
            let params = &self.program().procedures[usize::from(site.procedure)].params;
            params.iter().enumerate().map(|(slot, (_, shape))| (shape, writing.frame_slot(frame, slot)))
        });
        let given: Vec<(&Shape, Value)> = own.chain(around).collect();
        given.into_iter().filter_map(|(shape, value)| writing.piece_number(shape, value)).collect()
    }

    /// Whether play began in the same state as at an entry of another session of the same match: the same things, places, marks,
    /// values and uses of abilities.
    pub fn starts_like(&self, entered: &EntryRecord) -> bool {
        let (then, now) = (&entered.state.board, &self.game.start);
        let mut same: BTreeMap<u16, u16> = (0..self.game.roster.first_piece).map(|entity| (entity, entity)).collect();
        let lies_alike = (0..self.game.roster.first_piece)
            .all(|entity| hold_same_pieces(self.program(), then, now, entity, entity, &mut same));
        let holds = |(then_is, now_is): (&u16, &u16)| {
            let (Some(one), Some(other)) = (then.entities.get(usize::from(*then_is)), now.entities.get(usize::from(*now_is)))
            else {
                return false;
            };
            one.marks == other.marks && self.has_equal_fields((then, *then_is), (now, *now_is), one.kind, &same)
        };
        lies_alike && same.iter().all(holds) && self.has_equal_uses(&entered.state)
    }

    /// Whether the fields of two things are equal, with pieces matched by `same`.
    fn has_equal_fields(&self, then: (&Board, u16), now: (&Board, u16), kind: KindId, same: &BTreeMap<u16, u16>) -> bool {
        let fields = &self.program().kind(kind).fields;
        fields.iter().enumerate().all(|(index, field)| {
            let value = |(board, entity): (&Board, u16)| board.field(Value::from(entity), index as u16);
            let (Some(one), Some(other)) = (value(then), value(now)) else { return false };
            let inner = if let Shape::OrNone(inner) = &field.shape { inner } else { &field.shape };
            match u16::try_from(one).ok().filter(|_| self.program().is_piece(inner)) {
                Some(piece) => same.get(&piece).is_some_and(|found| Value::from(*found) == other),
                None => one == other,
            }
        })
    }

    /// Whether each ability of an entrant has at least as many uses now as at an entry.
    fn has_equal_uses(&self, then: &State) -> bool {
        let now = &self.machine.state;
        let of = |state: &State, place: usize, per: u16| {
            let count = state.uses.get(place).copied();
            count.filter(|count| count.times != 0 && count.serial == state.scope_serial(per)).map_or(0, |count| count.times)
        };
        let instances = self.game.roster.instances.iter();
        instances.filter(|instance| instance.holder < self.game.roster.first_piece).all(|instance| {
            let limits = &self.program().abilities[usize::from(instance.ability)].uses;
            let mut places = (usize::from(instance.uses)..).zip(limits);
            // Uses since the beginning are not known here.
            places.all(|(place, limit)| of(now, place, limit.per) >= of(then, place, limit.per))
        })
    }

    /// Number of pieces made before an entry began.
    pub fn pieces_before(&self, entered: &EntryRecord) -> usize {
        entered.state.board.entities.len().saturating_sub(usize::from(self.game.roster.first_piece))
    }

    /// The key of a piece by its own number.
    pub fn key_of_own(&self, number: usize) -> String {
        self.game.roster.key_of_number(number)
    }

    /// A writer for the state at an entry.
    fn position_writer<'a>(&'a self, entered: &'a EntryRecord, names: &'a Names) -> PositionWriter<'a> {
        let game = &self.game;
        PositionWriter { program: &game.program, roster: &game.roster, start: &game.start, state: &entered.state, names }
    }
}

/// A state to be written as a position.
struct PositionWriter<'a> {
    program: &'a Program,
    roster: &'a Roster,
    /// The board before the first event.
    start: &'a Board,
    state: &'a State,
    names: &'a Names,
}

impl PositionWriter<'_> {
    /// The board at the entry.
    fn entry_board(&self) -> &Board {
        &self.state.board
    }

    /// An entity at the entry.
    fn entity_at(&self, id: EntityId) -> PositionPart<&Entity> {
        self.entry_board().entities.get(usize::from(id)).ok_or_else(|| "something is missing on the board".to_string())
    }

    // --- where play starts ---------------------------------------------------------

    /// The entry with the arguments of its callers: `strike(target: a) in turn(active: 1)`. Fails if a position cannot express
    /// the state.
    fn entry_text(&self, entered: &EntryRecord) -> PositionPart<String> {
        let info = &self.program.procedures[usize::from(entered.procedure)];
        if !self.state.board.eliminated.is_empty() {
            return Err("a side has left the game, which a position cannot express".to_string());
        }
        if !self.state.lasting.is_empty() {
            return Err("a mark lasts until something ends, which a position cannot express".to_string());
        }
        if !is_called_from(&info.chain, &self.state.frames) {
            return Err(format!("`{}` began at a place where positions cannot start it", info.name));
        }
        let mut known: Vec<(&(String, Shape), String)> = Vec::new();
        for (param, value) in info.params.iter().zip(&entered.arguments) {
            known.push((param, self.value_text(&param.1, *value)?));
        }
        let mut levels = vec![call_words(&info.name, &known)];
        for (frame, site) in self.state.frames.iter().zip(&info.chain).rev() {
            let caller = &self.program.procedures[usize::from(site.procedure)];
            let said = self.caller_words(frame, site, caller, &known)?;
            if !said.is_empty() {
                levels.push(call_words(&caller.name, &said));
                known.extend(said);
            }
        }
        Ok(levels.join(" in "))
    }

    /// The parameters of a procedure around an entry that must be stated. `known` are those of the procedures inside it, whose
    /// values a parameter of the same name has anyway.
    fn caller_words<'p>(
        &self,
        frame: &Frame,
        site: &CallSite,
        caller: &'p ProcedureInfo,
        known: &[(&(String, Shape), String)],
    ) -> PositionPart<Vec<(&'p (String, Shape), String)>> {
        let mut said = Vec::new();
        for (slot, param) in caller.params.iter().enumerate() {
            let is_needed = site.needs.contains(&(slot as u16));
            let words = match self.value_text(&param.1, self.frame_slot(frame, slot)) {
                Ok(words) => words,
                Err(_) if !is_needed => continue,
                Err(why) => return Err(why),
            };
            match known.iter().find(|(other, _)| *other == param) {
                Some((_, implied)) if *implied != words => {
                    return Err(format!("a position cannot give `{}` of `{}` two values", param.0, caller.name));
                }
                Some(_) => {}
                None if is_needed => said.push((param, words)),
                None => {}
            }
        }
        Ok(said)
    }

    /// The value in a slot of a frame.
    fn frame_slot(&self, frame: &Frame, slot: usize) -> Value {
        self.state.slots.get(frame.base as usize + slot).copied().unwrap_or(NONE)
    }

    // --- values ------------------------------------------------------------------------

    /// A value as a position writes it.
    fn value_text(&self, shape: &Shape, value: Value) -> PositionPart<String> {
        match shape {
            Shape::OrNone(_) if value == NONE => Ok("none".to_string()),
            Shape::OrNone(inner) => self.value_text(inner, value),
            Shape::Entity(SIDE) => Ok(value.to_string()),
            Shape::Entity(_) if self.program.is_piece(shape) => {
                let name = self.piece_number(shape, value).and_then(|number| self.names.get(&number));
                name.cloned().ok_or_else(|| "a piece has no name".to_string())
            }
            Shape::Entity(_) => {
                let key = u16::try_from(value).ok().and_then(|entrant| self.roster.entrant_key(entrant));
                key.map(str::to_string).ok_or_else(|| "a value refers to an entrant that does not play".to_string())
            }
            Shape::Number | Shape::Halves | Shape::Flag | Shape::Word(_) => Ok(format_value(self.program, shape, value)),
            _ => Err("a position cannot express a value that the rules keep".to_string()),
        }
    }

    /// The own number of a value's piece, if the value is a piece.
    fn piece_number(&self, shape: &Shape, value: Value) -> Option<usize> {
        match shape {
            Shape::OrNone(_) if value == NONE => None,
            Shape::OrNone(inner) => self.piece_number(inner, value),
            shape => {
                let piece = usize::try_from(value).ok().filter(|_| self.program.is_piece(shape))?;
                piece.checked_sub(usize::from(self.roster.first_piece))
            }
        }
    }

    /// The fields of a thing, from the index `from` on, that differ from their default values.
    fn changed_fields(&self, id: EntityId, from: u16) -> PositionPart<Vec<(String, OutputValue)>> {
        let entity = self.entity_at(id)?;
        let mut said = Vec::new();
        for (index, field) in (0..).zip(&self.program.kind(entity.kind).fields).skip(usize::from(from)) {
            let is_there = !field.name.is_empty() && self.roster.matches_sheets(self.program, Value::from(id), &field.sheets);
            if !is_there || !self.must_be_stated(id, entity.kind, index, field) {
                continue;
            }
            // The value that it gets by itself is checked when the position is tried.
            if !field.counter && !can_be_set(self.program, &field.shape) {
                continue;
            }
            said.push((field.name.clone(), self.field_entry(id, index, &field.shape)?));
        }
        Ok(said)
    }

    /// The value of a field as a position writes it.
    fn field_entry(&self, id: EntityId, index: u16, shape: &Shape) -> PositionPart<OutputValue> {
        if let Shape::List(inner) = shape {
            let members = self.entry_board().list_in_field(Value::from(id), index).iter();
            return members
                .map(|member| self.value_text(inner, *member).map(|words| OutputValue::from_value(&words)))
                .collect::<PositionPart<_>>()
                .map(OutputValue::List);
        }
        let value = self.entry_board().field(Value::from(id), index).unwrap_or(0);
        self.value_text(shape, value).map(|words| OutputValue::from_value(&words))
    }

    /// Whether a field must be stated, because its value differs from its sheet or its first value.
    fn must_be_stated(&self, id: EntityId, kind: KindId, index: u16, field: &FieldInfo) -> bool {
        let value = self.entry_board().field(Value::from(id), index);
        let is_worked_out = self.program.defaults.iter().any(|(of, with, _)| *with == index && self.program.is_kind(kind, *of));
        let is_of_entrant = self.program.kind(kind).sort == KindSort::Entrant;
        if field.printed && is_of_entrant {
            return value != self.start.field(Value::from(id), index);
        }
        let is_list = matches!(field.shape, Shape::List(_));
        match is_list {
            true => is_worked_out || !self.entry_board().list_in_field(Value::from(id), index).is_empty(),
            false => is_worked_out || value != Some(field.initial) || !field.shape.has_first_value(),
        }
    }

    /// The marks on an entity, if it has any.
    fn marks_entry(&self, entity: &Entity) -> Option<(String, OutputValue)> {
        let borne = self.program.marks.iter().enumerate().filter(|(index, _)| entity.marks >> index & 1 == 1);
        let names: Vec<OutputValue> = borne.map(|(_, mark)| OutputValue::from_text(&mark.name)).collect();
        (!names.is_empty()).then(|| ("marks".to_string(), OutputValue::List(names)))
    }

    // --- sides, entrants, the table --------------------------------------------------------

    /// The part of a position about a side.
    fn side_entry(&self, side: usize) -> PositionPart<OutputValue> {
        let mut map = Vec::new();
        let entrants = self.roster.entrants.get(side).map_or(&[][..], Vec::as_slice);
        let mut zones = self.zone_entries(side as u16, side)?;
        if self.program.sides.entrant.is_some() {
            let listed = entrants
                .iter()
                .map(|entrant| self.entrant_entry(*entrant, side, entrants.len() > 1))
                .collect::<PositionPart<_>>()?;
            map.push(("entrants".to_string(), OutputValue::List(listed)));
            if let [only] = entrants {
                zones.extend(self.zone_entries(*only, side)?);
            }
        }
        map.extend(some_map("zones", zones));
        map.extend(some_map("counters", self.changed_fields(side as u16, 0)?));
        map.extend(self.marks_entry(self.entity_at(side as u16)?));
        if let [only] = entrants {
            map.extend(some_map("used", self.used_entries(*only)));
        }
        Ok(OutputValue::Map(map))
    }

    /// `otter`, or `{otter: {speed: 7}}`.
    fn entrant_entry(&self, entrant: EntityId, side: usize, is_one_of_several: bool) -> PositionPart<OutputValue> {
        let id = self.roster.sheet_of(entrant).unwrap_or_default();
        let mut map = self.changed_fields(entrant, 0)?;
        map.extend(self.marks_entry(self.entity_at(entrant)?));
        if is_one_of_several {
            map.extend(some_map("zones", self.zone_entries(entrant, side)?));
            map.extend(some_map("used", self.used_entries(entrant)));
        }
        Ok(if map.is_empty() { OutputValue::from_text(id) } else { OutputValue::single_entry(id, OutputValue::Map(map)) })
    }

    /// The part of a position about the table.
    fn table_entries(&self) -> PositionPart<Vec<(String, OutputValue)>> {
        let mut map = self.changed_fields(self.roster.table, 0)?;
        map.extend(self.zone_entries(self.roster.table, 0)?);
        debug_assert_eq!(self.entity_at(self.roster.table).map(|table| table.kind), Ok(TABLE));
        Ok(map)
    }

    /// Number of uses of each ability of an entrant in the scope of its first limit.
    fn used_entries(&self, entrant: EntityId) -> Vec<(String, OutputValue)> {
        let own = self.roster.instances.iter().filter(|instance| instance.holder == entrant);
        let used = own.filter_map(|instance| Some((instance.ability, self.times_used(instance).filter(|times| *times > 0)?)));
        let name = |ability: AbilityId| self.program.abilities[usize::from(ability)].id.clone();
        used.map(|(ability, times)| (name(ability), OutputValue::from_number(times))).collect()
    }

    /// Number of uses of an ability in the current run of the scope of its first limit.
    fn times_used(&self, instance: &Instance) -> Option<Value> {
        let limit = self.program.abilities[usize::from(instance.ability)].uses.first()?;
        let count = self.state.uses.get(usize::from(instance.uses))?;
        (count.serial == self.state.scope_serial(limit.per)).then_some(count.times)
    }

    // --- zones and pieces ------------------------------------------------------------------

    /// The contents of a thing's zones, except empty ones that no sheet fills. `side` is the side with which they are listed.
    fn zone_entries(&self, owner: EntityId, side: usize) -> PositionPart<Vec<(String, OutputValue)>> {
        let entity = self.entity_at(owner)?;
        let mut zones = Vec::new();
        for (index, zone) in (0..).zip(&self.program.kind(entity.kind).zones) {
            let id = self.entry_board().zone_of(Value::from(owner), index).unwrap_or_default();
            let pieces = self.entry_board().ordered_pieces(Value::from(id));
            let is_there = self.roster.matches_sheets(self.program, Value::from(owner), &zone.sheets);
            if is_there && (zone.printed || !pieces.is_empty()) {
                let pieces =
                    pieces.iter().map(|piece| self.piece_entry(*piece, side)).collect::<PositionPart<Vec<OutputValue>>>()?;
                zones.push((zone.name.clone(), OutputValue::List(pieces)));
            }
        }
        Ok(zones)
    }

    /// A piece that is listed with a side.
    fn piece_entry(&self, id: EntityId, side: usize) -> PositionPart<OutputValue> {
        let entity = self.entity_at(id)?;
        let owner = self.entry_board().field(Value::from(id), PIECE_OWNER).and_then(|owner| usize::try_from(owner).ok());
        let (what, plain, first) = self.piece_identity(id, entity);
        let mut more = Vec::new();
        let number = usize::from(id).checked_sub(usize::from(self.roster.first_piece));
        if let Some(name) = number.and_then(|number| self.names.get(&number)) {
            more.push(("id".to_string(), OutputValue::from_text(name)));
        }
        if let Some(value) = self.rolled_value(id, entity) {
            more.push(("value".to_string(), OutputValue::from_number(value)));
        }
        match owner {
            None => more.push(("owner".to_string(), OutputValue::from_text("none"))),
            Some(owner) if owner != side => more.push(("owner".to_string(), OutputValue::from_number(owner as i64))),
            Some(_) => {}
        }
        more.extend(self.marks_entry(entity));
        more.extend(self.changed_fields(id, first)?);
        more.extend(self.zone_entries(id, owner.unwrap_or(side))?);
        if more.is_empty() {
            return Ok(plain);
        }
        let mut map: Vec<(String, OutputValue)> = what.into_iter().collect();
        map.extend(more);
        // The name comes first.
        map.sort_by_key(|(key, _)| key != "id");
        Ok(OutputValue::Map(map))
    }

    /// The identity of a piece, as an entry of a map and as a value by itself, and the first field that is not part of it.
    fn piece_identity(&self, id: EntityId, entity: &Entity) -> (Option<(String, OutputValue)>, OutputValue, u16) {
        let said = |key: &str, value: OutputValue| (Some((key.to_string(), value.clone())), value);
        let ((what, plain), first) = if self.program.is_die(entity.kind) {
            match self.program.faces_of(entity.kind) {
                Some(_) => (said("die", OutputValue::from_text(&self.program.kind(entity.kind).name)), DIE_VALUE + 1),
                None => {
                    let size = self.entry_board().field(Value::from(id), DIE_SIZE).unwrap_or(0);
                    (said("size", OutputValue::from_number(size)), DIE_VALUE + 1)
                }
            }
        } else if self.program.is_printed(entity.kind) {
            let print = self.entry_board().field(Value::from(id), PIECE_SHEET).unwrap_or(NONE);
            let sheet = self.program.prints.find_print(print).map_or("", |print| print.id.as_str());
            (said("card", OutputValue::from_text(sheet)), PIECE_SHEET + 1)
        } else {
            ((None, OutputValue::from_text(&self.program.kind(entity.kind).name)), PIECE_OWNER + 1)
        };
        (what, plain, first)
    }

    /// The value of a die that was rolled.
    fn rolled_value(&self, id: EntityId, entity: &Entity) -> Option<Value> {
        let value = self.entry_board().field(Value::from(id), DIE_VALUE).filter(|_| self.program.is_die(entity.kind))?;
        (value != 0).then_some(value)
    }
}

/// Whether two things, one on each board, hold the same pieces, one by one. Records the matching pieces in `same`.
fn hold_same_pieces(program: &Program, then: &Board, now: &Board, one: u16, other: u16, same: &mut BTreeMap<u16, u16>) -> bool {
    let kind = |board: &Board, id: u16| board.entities.get(usize::from(id)).map(|entity| entity.kind);
    let Some(found) = kind(then, one).filter(|found| kind(now, other) == Some(*found)) else { return false };
    (0..program.kind(found).zones.len() as u16).all(|zone| {
        let pieces = |board: &Board, id: u16| {
            let zone = board.zone_of(Value::from(id), zone).unwrap_or_default();
            board.ordered_pieces(Value::from(zone)).to_vec()
        };
        let (before, after) = (pieces(then, one), pieces(now, other));
        before.len() == after.len()
            && before.into_iter().zip(after).all(|(piece, found)| {
                same.insert(piece, found);
                hold_same_pieces(program, then, now, piece, found, same)
            })
    })
}

/// An entry of a map, unless it is empty.
fn some_map(key: &str, entries: Vec<(String, OutputValue)>) -> Option<(String, OutputValue)> {
    (!entries.is_empty()).then(|| (key.to_string(), OutputValue::Map(entries)))
}

/// Whether the open frames are those that a position opens around an entry.
fn is_called_from(chain: &[CallSite], frames: &[Frame]) -> bool {
    let is_at = |(frame, site): (&Frame, &CallSite)| {
        matches!(frame.role, FrameRole::Procedure { procedure, .. } if procedure == site.procedure) && frame.at == site.next
    };
    chain.len() == frames.len() && frames.iter().zip(chain).all(is_at)
}

/// `turn(active: 0)`
fn call_words(name: &str, given: &[(&(String, Shape), String)]) -> String {
    let given: Vec<String> = given.iter().map(|((param, _), words)| format!("{param}: {words}")).collect();
    if given.is_empty() { name.to_string() } else { format!("{name}({})", given.join(", ")) }
}
