//! Writes the state at an entry of the rules as a position.
//!
//! Positions cannot express everything, such as the past rounds of a loop, or knowledge of hidden pieces. To be sure that a
//! position leads on as play did, it must be tried.

use super::Session;
use crate::runtime::context::{Instance, Roster};
use crate::runtime::state::{Board, Entity, EntityId, Frame, FrameRole, State};
use crate::runtime::trace::Entered;
use ludex_compiler::field::{can_be_stated, shown};
use ludex_program::{
    AbilityId, CallSite, DIE_SIZE, DIE_VALUE, FieldInfo, KindId, KindSort, NONE, PIECE_OWNER, PIECE_SHEET, ProcedureInfo,
    Program, SIDE, Shape, TABLE, Value,
};
use ludex_syntax::yaml::Written;
use std::collections::{BTreeMap, BTreeSet};

/// Names of pieces, by their own numbers.
type Names = BTreeMap<usize, String>;

/// A part of a position, or the reason why it cannot be expressed.
type Said<T> = Result<T, String>;

impl Session {
    /// The position for the state at an entry, with these names for pieces.
    pub fn written_at(&self, entered: &Entered, names: &Names) -> Said<Written> {
        let writing = self.writing(entered, names);
        let at = writing.at(entered)?;
        let mut map = vec![];
        let sides = (0..writing.roster.sides).map(|side| writing.side(side)).collect::<Said<Vec<Written>>>()?;
        let tells = sides.iter().any(|side| *side != Written::Map(Vec::new()));
        let info = &writing.program.sides;
        if tells || info.least != info.most || info.entrant.is_some() {
            map.push(("sides".to_string(), Written::List(sides)));
        }
        let table = writing.table()?;
        if !table.is_empty() {
            map.push(("table".to_string(), Written::Map(table)));
        }
        map.push(("at".to_string(), Written::text(&at)));
        Ok(Written::Map(map))
    }

    /// The own numbers of the pieces among an entry's arguments, which a position must name.
    pub fn given_pieces(&self, entered: &Entered) -> BTreeSet<usize> {
        let names = Names::new();
        let writing = self.writing(entered, &names);
        let info = &self.program().procedures[usize::from(entered.procedure)];
        let own = info.params.iter().map(|(_, shape)| shape).zip(entered.arguments.iter().copied());
        let frames = entered.state.frames.iter().zip(&info.chain);
        let around = frames.flat_map(|(frame, site)| {
            let params = &self.program().procedures[usize::from(site.procedure)].params;
            params.iter().enumerate().map(|(slot, (_, shape))| (shape, writing.slot(frame, slot)))
        });
        let given: Vec<(&Shape, Value)> = own.chain(around).collect();
        given.into_iter().filter_map(|(shape, value)| writing.piece_number(shape, value)).collect()
    }

    /// Whether play began in the same state as at an entry of another session of the same match: the same things, places, marks,
    /// values and uses of abilities.
    pub fn began_as(&self, entered: &Entered) -> bool {
        let (then, now) = (&entered.state.board, &self.game.start);
        let mut same: BTreeMap<u16, u16> = (0..self.game.roster.first_piece).map(|entity| (entity, entity)).collect();
        let lies_alike =
            (0..self.game.roster.first_piece).all(|entity| alike(self.program(), then, now, entity, entity, &mut same));
        let holds = |(then_is, now_is): (&u16, &u16)| {
            let (Some(one), Some(other)) = (then.entities.get(usize::from(*then_is)), now.entities.get(usize::from(*now_is)))
            else {
                return false;
            };
            one.marks == other.marks && self.holds_alike((then, *then_is), (now, *now_is), one.kind, &same)
        };
        lies_alike && same.iter().all(holds) && self.used_alike(&entered.state)
    }

    /// Whether the fields of two things are equal, with pieces matched by `same`.
    fn holds_alike(&self, then: (&Board, u16), now: (&Board, u16), kind: KindId, same: &BTreeMap<u16, u16>) -> bool {
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

    /// Whether each ability has as many uses left as before.
    fn used_alike(&self, then: &State) -> bool {
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
    pub fn pieces_before(&self, entered: &Entered) -> usize {
        entered.state.board.entities.len().saturating_sub(usize::from(self.game.roster.first_piece))
    }

    /// The key of a piece by its own number.
    pub fn key_of_own(&self, number: usize) -> String {
        self.game.roster.key_of_number(number)
    }

    fn writing<'a>(&'a self, entered: &'a Entered, names: &'a Names) -> Writing<'a> {
        let game = &self.game;
        Writing { program: &game.program, roster: &game.roster, start: &game.start, state: &entered.state, names }
    }
}

/// A state to be written as a position.
struct Writing<'a> {
    program: &'a Program,
    roster: &'a Roster,
    /// The board before the first event.
    start: &'a Board,
    state: &'a State,
    names: &'a Names,
}

impl Writing<'_> {
    fn board(&self) -> &Board {
        &self.state.board
    }

    fn entity(&self, id: EntityId) -> Said<&Entity> {
        self.board().entities.get(usize::from(id)).ok_or_else(|| "something is missing on the board".to_string())
    }

    // --- where play starts ---------------------------------------------------------

    /// `strike(target: a) in turn(active: 1)`
    fn at(&self, entered: &Entered) -> Said<String> {
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
            known.push((param, self.words(&param.1, *value)?));
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

    /// The parameters of a procedure around an entry that must be stated.
    fn caller_words<'p>(
        &self,
        frame: &Frame,
        site: &CallSite,
        caller: &'p ProcedureInfo,
        known: &[(&(String, Shape), String)],
    ) -> Said<Vec<(&'p (String, Shape), String)>> {
        let mut said = Vec::new();
        for (slot, param) in caller.params.iter().enumerate() {
            let is_needed = site.needs.contains(&(slot as u16));
            let words = match self.words(&param.1, self.slot(frame, slot)) {
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

    fn slot(&self, frame: &Frame, slot: usize) -> Value {
        self.state.slots.get(frame.base as usize + slot).copied().unwrap_or(NONE)
    }

    // --- values ------------------------------------------------------------------------

    fn words(&self, shape: &Shape, value: Value) -> Said<String> {
        match shape {
            Shape::OrNone(_) if value == NONE => Ok("none".to_string()),
            Shape::OrNone(inner) => self.words(inner, value),
            Shape::Entity(SIDE) => Ok(value.to_string()),
            Shape::Entity(_) if self.program.is_piece(shape) => {
                let name = self.piece_number(shape, value).and_then(|number| self.names.get(&number));
                name.cloned().ok_or_else(|| "a piece has no name".to_string())
            }
            Shape::Entity(_) => {
                let key = u16::try_from(value).ok().and_then(|entrant| self.roster.entrant_key(entrant));
                key.map(str::to_string).ok_or_else(|| "a value refers to an entrant that does not play".to_string())
            }
            Shape::Number | Shape::Halves | Shape::Flag | Shape::Word(_) => Ok(shown(self.program, shape, value)),
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

    /// The fields of a thing that differ from their default values.
    fn fields(&self, id: EntityId, from: u16) -> Said<Vec<(String, Written)>> {
        let entity = self.entity(id)?;
        let mut said = Vec::new();
        for (index, field) in (0..).zip(&self.program.kind(entity.kind).fields).skip(usize::from(from)) {
            let is_there = !field.name.is_empty() && self.roster.has(self.program, Value::from(id), &field.sheets);
            if !is_there || !self.must_be_said(id, entity.kind, index, field) {
                continue;
            }
            // The value that it gets by itself is checked when the position is tried.
            if !field.counter && !can_be_stated(self.program, &field.shape) {
                continue;
            }
            said.push((field.name.clone(), self.field(id, index, &field.shape)?));
        }
        Ok(said)
    }

    fn field(&self, id: EntityId, index: u16, shape: &Shape) -> Said<Written> {
        if let Shape::List(inner) = shape {
            let members = self.board().list(Value::from(id), index).iter();
            return members
                .map(|member| self.words(inner, *member).map(|words| Written::value(&words)))
                .collect::<Said<_>>()
                .map(Written::List);
        }
        let value = self.board().field(Value::from(id), index).unwrap_or(0);
        self.words(shape, value).map(|words| Written::value(&words))
    }

    /// Whether a field must be stated, because its value differs from its sheet or its first value.
    fn must_be_said(&self, id: EntityId, kind: KindId, index: u16, field: &FieldInfo) -> bool {
        let value = self.board().field(Value::from(id), index);
        let is_worked_out = self.program.defaults.iter().any(|(of, with, _)| *with == index && self.program.is_kind(kind, *of));
        let is_of_entrant = self.program.kind(kind).sort == KindSort::Entrant;
        if field.printed && is_of_entrant {
            return value != self.start.field(Value::from(id), index);
        }
        let is_list = matches!(field.shape, Shape::List(_));
        match is_list {
            true => is_worked_out || !self.board().list(Value::from(id), index).is_empty(),
            false => is_worked_out || value != Some(field.initial) || !field.shape.begins_by_itself(),
        }
    }

    fn marks(&self, entity: &Entity) -> Option<(String, Written)> {
        let borne = self.program.marks.iter().enumerate().filter(|(index, _)| entity.marks >> index & 1 == 1);
        let names: Vec<Written> = borne.map(|(_, mark)| Written::text(&mark.name)).collect();
        (!names.is_empty()).then(|| ("marks".to_string(), Written::List(names)))
    }

    // --- sides, entrants, the table --------------------------------------------------------

    fn side(&self, side: usize) -> Said<Written> {
        let mut map = Vec::new();
        let entrants = self.roster.entrants.get(side).map_or(&[][..], Vec::as_slice);
        let mut zones = self.zones(side as u16, side)?;
        if self.program.sides.entrant.is_some() {
            let listed = entrants.iter().map(|entrant| self.entrant(*entrant, side, entrants.len() > 1)).collect::<Said<_>>()?;
            map.push(("entrants".to_string(), Written::List(listed)));
            if let [only] = entrants {
                zones.extend(self.zones(*only, side)?);
            }
        }
        map.extend(some_map("zones", zones));
        map.extend(some_map("counters", self.fields(side as u16, 0)?));
        map.extend(self.marks(self.entity(side as u16)?));
        if let [only] = entrants {
            map.extend(some_map("used", self.used(*only)));
        }
        Ok(Written::Map(map))
    }

    /// `otter`, or `{otter: {speed: 7}}`.
    fn entrant(&self, entrant: EntityId, side: usize, is_one_of_several: bool) -> Said<Written> {
        let id = self.roster.sheet_of(entrant).unwrap_or_default();
        let mut map = self.fields(entrant, 0)?;
        map.extend(self.marks(self.entity(entrant)?));
        if is_one_of_several {
            map.extend(some_map("zones", self.zones(entrant, side)?));
            map.extend(some_map("used", self.used(entrant)));
        }
        Ok(if map.is_empty() { Written::text(id) } else { Written::entry(id, Written::Map(map)) })
    }

    fn table(&self) -> Said<Vec<(String, Written)>> {
        let mut map = self.fields(self.roster.table, 0)?;
        map.extend(self.zones(self.roster.table, 0)?);
        debug_assert_eq!(self.entity(self.roster.table).map(|table| table.kind), Ok(TABLE));
        Ok(map)
    }

    /// Number of uses of each ability of an entrant in the scope of its first limit.
    fn used(&self, entrant: EntityId) -> Vec<(String, Written)> {
        let own = self.roster.instances.iter().filter(|instance| instance.holder == entrant);
        let used = own.filter_map(|instance| Some((instance.ability, self.times_used(instance).filter(|times| *times > 0)?)));
        let name = |ability: AbilityId| self.program.abilities[usize::from(ability)].id.clone();
        used.map(|(ability, times)| (name(ability), Written::number(times))).collect()
    }

    fn times_used(&self, instance: &Instance) -> Option<Value> {
        let limit = self.program.abilities[usize::from(instance.ability)].uses.first()?;
        let count = self.state.uses.get(usize::from(instance.uses))?;
        (count.serial == self.state.scope_serial(limit.per)).then_some(count.times)
    }

    // --- zones and pieces ------------------------------------------------------------------

    /// The contents of a thing's zones, except empty ones that no sheet fills.
    fn zones(&self, owner: EntityId, side: usize) -> Said<Vec<(String, Written)>> {
        let entity = self.entity(owner)?;
        let mut zones = Vec::new();
        for (index, zone) in (0..).zip(&self.program.kind(entity.kind).zones) {
            let id = self.board().zone_of(Value::from(owner), index).unwrap_or_default();
            let pieces = self.board().pieces(Value::from(id));
            let is_there = self.roster.has(self.program, Value::from(owner), &zone.sheets);
            if is_there && (zone.printed || !pieces.is_empty()) {
                let pieces = pieces.iter().map(|piece| self.piece(*piece, side)).collect::<Said<Vec<Written>>>()?;
                zones.push((zone.name.clone(), Written::List(pieces)));
            }
        }
        Ok(zones)
    }

    /// A piece that is with a side.
    fn piece(&self, id: EntityId, side: usize) -> Said<Written> {
        let entity = self.entity(id)?;
        let owner = self.board().field(Value::from(id), PIECE_OWNER).and_then(|owner| usize::try_from(owner).ok());
        let (what, plain, first) = self.what(id, entity);
        let mut more = Vec::new();
        let number = usize::from(id).checked_sub(usize::from(self.roster.first_piece));
        if let Some(name) = number.and_then(|number| self.names.get(&number)) {
            more.push(("id".to_string(), Written::text(name)));
        }
        if let Some(value) = self.value(id, entity) {
            more.push(("value".to_string(), Written::number(value)));
        }
        match owner {
            None => more.push(("owner".to_string(), Written::text("none"))),
            Some(owner) if owner != side => more.push(("owner".to_string(), Written::number(owner as i64))),
            Some(_) => {}
        }
        more.extend(self.marks(entity));
        more.extend(self.fields(id, first)?);
        more.extend(self.zones(id, owner.unwrap_or(side))?);
        if more.is_empty() {
            return Ok(plain);
        }
        let mut map: Vec<(String, Written)> = what.into_iter().collect();
        map.extend(more);
        // The name comes first.
        map.sort_by_key(|(key, _)| key != "id");
        Ok(Written::Map(map))
    }

    /// The identity of a piece, as an entry of a map and as a value by itself, and the first field that is not part of it.
    fn what(&self, id: EntityId, entity: &Entity) -> (Option<(String, Written)>, Written, u16) {
        let said = |key: &str, value: Written| (Some((key.to_string(), value.clone())), value);
        let ((what, plain), first) = if self.program.is_die(entity.kind) {
            match self.program.faces_of(entity.kind) {
                Some(_) => (said("die", Written::text(&self.program.kind(entity.kind).name)), DIE_VALUE + 1),
                None => {
                    let size = self.board().field(Value::from(id), DIE_SIZE).unwrap_or(0);
                    (said("size", Written::number(size)), DIE_VALUE + 1)
                }
            }
        } else if self.program.is_printed(entity.kind) {
            let print = self.board().field(Value::from(id), PIECE_SHEET).unwrap_or(NONE);
            let sheet = self.program.prints.print(print).map_or("", |print| print.id.as_str());
            (said("card", Written::text(sheet)), PIECE_SHEET + 1)
        } else {
            ((None, Written::text(&self.program.kind(entity.kind).name)), PIECE_OWNER + 1)
        };
        (what, plain, first)
    }

    /// The value of a die that was rolled.
    fn value(&self, id: EntityId, entity: &Entity) -> Option<Value> {
        let value = self.board().field(Value::from(id), DIE_VALUE).filter(|_| self.program.is_die(entity.kind))?;
        (value != 0).then_some(value)
    }
}

/// Whether two things hold the same pieces, one by one. Records the matching pieces in `same`.
fn alike(program: &Program, then: &Board, now: &Board, one: u16, other: u16, same: &mut BTreeMap<u16, u16>) -> bool {
    let kind = |board: &Board, id: u16| board.entities.get(usize::from(id)).map(|entity| entity.kind);
    let Some(found) = kind(then, one).filter(|found| kind(now, other) == Some(*found)) else { return false };
    (0..program.kind(found).zones.len() as u16).all(|zone| {
        let pieces = |board: &Board, id: u16| {
            let zone = board.zone_of(Value::from(id), zone).unwrap_or_default();
            board.pieces(Value::from(zone)).to_vec()
        };
        let (before, after) = (pieces(then, one), pieces(now, other));
        before.len() == after.len()
            && before.into_iter().zip(after).all(|(piece, found)| {
                same.insert(piece, found);
                alike(program, then, now, piece, found, same)
            })
    })
}

fn some_map(key: &str, entries: Vec<(String, Written)>) -> Option<(String, Written)> {
    (!entries.is_empty()).then(|| (key.to_string(), Written::Map(entries)))
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
