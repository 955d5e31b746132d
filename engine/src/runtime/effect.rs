//! The only code that changes the board; each change is announced by one event.

use super::event::{Audience, Cause, Event, Happening, PieceView, ZoneName};
use super::machine::{Instance, Machine, Rules};
use super::random::below;
use super::session::{Dice, RandomDraw, RandomKind, RandomRequest};
use super::state::{EntityId, Finish, Frame, FrameRole, Lasting, NOWHERE, State, members_of};
use crate::codes;
use crate::program::{
    DIE_SIZE, DIE_VALUE, Expr, Faces, Instruction, KindSort, NONE, Naming, PIECE_OWNER, ProcedureId, SIDE, Seen, Shape, TextId,
    UntilCode, UseLimit, Value,
};

/// The most pieces a session may hold.
const MOST_PIECES: usize = 10_000;

impl Machine {
    /// Carries out an instruction that changes the board. True if results of chance must be waited for.
    pub fn effect(&mut self, rules: Rules, base: usize, instruction: &Instruction) -> bool {
        match instruction {
            Instruction::Add { of, field, value, naming } => {
                let of = self.evaluate(rules, base, of);
                let value = self.evaluate(rules, base, value);
                match self.state.board.field(of, *field).and_then(|old| old.checked_add(value)) {
                    Some(sum) => self.set_field(rules, base, of, *field, sum, *naming),
                    None => {
                        self.fault("a counter of nothing, or one beyond what can be counted, is to change");
                    }
                }
            }
            Instruction::MoveEach { list, variable, to, bottom, naming } => {
                let list = self.evaluate(rules, base, list);
                for index in 0..self.state.list(list).len() {
                    let piece = self.state.lists[list as usize + 1 + index];
                    self.set_slot(base, *variable, piece);
                    let to = self.evaluate(rules, base, to);
                    self.move_piece(rules, base, piece, to, *bottom, *naming);
                }
            }
            Instruction::Shuffle { zone } => {
                let zone = self.evaluate(rules, base, zone);
                return self.shuffle(rules, zone);
            }
            Instruction::Create { kind, fields, zone, owner, slot } => {
                let zone = self.evaluate(rules, base, zone);
                let owner = self.evaluate(rules, base, owner);
                let fields: Vec<(u16, Value)> =
                    fields.iter().map(|(field, value)| (*field, self.evaluate(rules, base, value))).collect();
                let piece = self.create(rules, *kind, &fields, zone, owner);
                if let Some(slot) = slot {
                    self.set_slot(base, *slot, piece);
                }
            }
            Instruction::Remove { what } => {
                let list = self.evaluate(rules, base, what);
                for piece in self.state.list(list).to_vec() {
                    let place = self.state.board.entities.get(piece as usize).map_or(NOWHERE, |entity| entity.place);
                    self.state.board.take_out(piece as EntityId);
                    if self.watched {
                        let happening = Happening::Removed { piece: self.piece_view(rules, piece) };
                        let audience = self.audience_of(rules, &[place]);
                        self.announce_to(rules, "removed", happening, self.owner(rules, piece), None, audience);
                    }
                }
            }
            Instruction::Mark { what, mark, until } => {
                let list = self.evaluate(rules, base, what);
                for index in 0..self.state.list(list).len() {
                    let entity = self.state.list(list)[index];
                    let of = until.as_ref().and_then(|until| until.of.as_ref()).map(|of| self.evaluate(rules, base, of));
                    self.mark(rules, entity, *mark, until.as_ref(), of.unwrap_or(NONE));
                }
            }
            Instruction::Unmark { what, mark } => {
                let list = self.evaluate(rules, base, what);
                for index in 0..self.state.list(list).len() {
                    let entity = self.state.list(list)[index];
                    self.unmark(rules, entity, *mark);
                }
            }
            Instruction::Say { text, .. } => {
                if self.watched {
                    let text = self.render(rules, base, *text);
                    self.announce(rules, "said", Happening::Said, None, Some(text));
                }
            }
            Instruction::RestoreUses { scope } => {
                let since = self.state.scope_serial(*scope);
                self.restore_uses(rules, since);
            }
            _ => {}
        }
        false
    }

    // --- fields ------------------------------------------------------------------

    pub fn set_field(&mut self, rules: Rules, base: usize, of: Value, field: u16, value: Value, naming: Naming) {
        let Some(kind) = self.state.board.entities.get(of as usize).map(|entity| entity.kind) else {
            self.fault("a field of nothing is to be set");
            return;
        };
        let info = &rules.program.kind(kind).fields[field as usize];
        if let Some((least, most)) = info.range
            && value != NONE
        {
            // Faces of a die may have gaps between the lowest and the highest.
            let faces = rules.program.faces_of(kind).filter(|_| field == DIE_VALUE);
            let fits = faces.map_or((least..=most).contains(&value), |faces| faces.values.contains(&value));
            if !fits {
                let bounds = match faces {
                    Some(faces) => format!("a {} shows {}", faces.title, faces.words()),
                    None => format!("it lies from {least} to {most}"),
                };
                let message = format!("`{}` would become {value}, but {bounds}", info.name);
                self.fault(&message);
                return;
            }
        }
        if let Some(cell) = self.state.board.field_mut(of, field) {
            *cell = value;
        }
        if self.watched {
            let sort = rules.program.kind(kind).sort;
            let piece = (sort == KindSort::Piece).then(|| self.piece_view(rules, of));
            let shown = self.shown(rules, value, &info.shape);
            let text = format!("{}{} is {shown}", self.owner_words(rules, of), info.name.replace('_', " "));
            let happening = Happening::Set { name: info.name.clone(), value: shown, raw: value, entity: of as usize, piece };
            self.announce_named(rules, base, "set", happening, self.owner(rules, of), naming, text);
        }
    }

    // --- pieces ------------------------------------------------------------------

    /// Moves the pieces of a list to one zone.
    pub fn move_list(&mut self, rules: Rules, base: usize, list: Value, to: &Expr, bottom: bool, naming: Naming) {
        let to = self.evaluate(rules, base, to);
        for index in 0..self.state.list(list).len() {
            let piece = self.state.lists[list as usize + 1 + index];
            self.move_piece(rules, base, piece, to, bottom, naming);
        }
    }

    pub fn move_piece(&mut self, rules: Rules, base: usize, piece: Value, to: Value, bottom: bool, naming: Naming) {
        let from = match self.state.board.entities.get(piece as usize) {
            Some(entity) if entity.place != NOWHERE => entity.place,
            Some(_) => {
                self.fault("a piece that was removed from the game is to be moved");
                return;
            }
            None => {
                self.fault("nothing is to be moved");
                return;
            }
        };
        if self.state.board.zone(to).is_none() {
            self.fault("a piece is to move, but the place it should go to is none");
            return;
        }
        self.state.board.place(piece as EntityId, to as u16, bottom);
        if self.watched {
            let target = self.zone_name(rules, to as u16);
            let view = self.piece_view(rules, piece);
            let text = format!("{} goes to {}", self.describe_piece(rules, piece), self.describe_zone(rules, to as u16));
            let by = target.side;
            let happening = Happening::Moved { piece: view, from: self.zone_name(rules, from), to: target, start: bottom };
            self.announce_named(rules, base, "moved", happening, by, naming, text);
        }
    }

    /// Rolls the dice of a list for a reason of the rules. True if results must be waited for.
    pub fn roll(&mut self, rules: Rules, base: usize, list: Value, reason: Option<TextId>) -> bool {
        if !self.watched && matches!(self.dice, Dice::Seeded) && self.script.is_none() {
            self.roll_quietly(rules, list);
            return false;
        }
        let reason = reason.map(|reason| self.render(rules, base, reason));
        self.roll_for(rules, list, reason)
    }

    /// Rolls the dice of a list. True if results must be waited for.
    pub fn roll_for(&mut self, rules: Rules, list: Value, reason: Option<String>) -> bool {
        let count = self.state.list(list).len();
        if self.wants_results() && count > 0 {
            let draws: Vec<RandomDraw> = self
                .state
                .list(list)
                .iter()
                .map(|die| RandomDraw {
                    piece: Some((*die as usize).saturating_sub(rules.cast.first_piece as usize)),
                    size: i64::from(self.state.board.field(*die, DIE_SIZE).unwrap_or(1)),
                    faces: self.faces_of(rules, *die).cloned(),
                })
                .collect();
            self.want(RandomKind::Roll, draws, reason.unwrap_or_default());
            return true;
        }
        for index in 0..count {
            let die = self.state.list(list)[index];
            let Some(size) = self.state.board.field(die, DIE_SIZE) else {
                self.fault("something is to be rolled that is no die");
                return false;
            };
            let value = self.draw_face(size, self.faces_of(rules, die));
            if let Some(cell) = self.state.board.field_mut(die, DIE_VALUE) {
                *cell = value;
            }
            if self.watched {
                let view = self.piece_view(rules, die);
                let why = reason.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
                let text = format!("{}{} shows {value}{why}", self.owner_words(rules, die), view.name());
                self.announce(rules, "rolled", Happening::Rolled { piece: view, value }, self.owner(rules, die), Some(text));
            }
        }
        false
    }

    /// Rolls with nobody watching: the same draws, and no words.
    fn roll_quietly(&mut self, rules: Rules, list: Value) {
        let State { lists, board, generator, .. } = &mut self.state;
        for die in members_of(lists, list) {
            let Some((kind, Some([_, size, value, ..]))) =
                board.entities.get(*die as usize).map(|die| (die.kind, board.cells.get_mut(die.cells as usize..)))
            else {
                self.fault("something is to be rolled that is no die");
                return;
            };
            let drawn = below(generator, (*size).max(1) as u32);
            *value = match rules.program.faces_of(kind) {
                None => drawn as Value + 1,
                Some(faces) => faces.values.get(drawn as usize).copied().unwrap_or(1),
            };
        }
    }

    /// Whether anybody reads why dice are rolled.
    pub fn is_told(&self) -> bool {
        self.watched || self.dice == Dice::External
    }

    /// Whether the next results of chance must come from outside and are not there yet.
    pub fn wants_results(&self) -> bool {
        self.dice == Dice::External && self.supplied.is_empty() && !self.has_taped_draws()
    }

    /// Asks for results of chance from outside.
    pub fn want(&mut self, kind: RandomKind, draws: Vec<RandomDraw>, reason: String) {
        // The number of the first result: no later throw has it again.
        self.request = Some(RandomRequest { id: u64::from(self.state.results) + 1, kind, draws, reason });
    }

    /// The faces of a die, unless they are 1 to its size.
    fn faces_of<'p>(&self, rules: Rules<'p>, die: Value) -> Option<&'p Faces> {
        rules.program.faces_of(self.state.board.entities.get(die as usize)?.kind)
    }

    /// A result from 1 to `size`.
    pub fn draw(&mut self, size: Value) -> Value {
        self.draw_face(size, None)
    }

    /// One of the faces of a die, each equally likely: 1 to `size`, if it has none of its own.
    fn draw_face(&mut self, size: Value, faces: Option<&Faces>) -> Value {
        if let Some(drawn) = self.taped_draw() {
            return if faces.is_some() { drawn } else { drawn.min(size) };
        }
        let drawn = match &self.dice {
            Dice::Seeded => {
                let index = below(&mut self.state.generator, size.max(1) as u32);
                faces.and_then(|faces| faces.values.get(index as usize)).copied().unwrap_or(index as Value + 1)
            }
            Dice::Listed(results) => {
                let Some(&result) = results.get(self.state.results as usize) else {
                    let name = die_name(size, faces);
                    let message = format!("a {name} is rolled, but no listed result is left ({} were given)", results.len());
                    self.fault_as(codes::RANDOM_MISSING, &message);
                    return 1;
                };
                self.state.results += 1;
                let shows = match faces {
                    Some(faces) => faces.values.iter().any(|face| i64::from(*face) == result),
                    None => (1..=i64::from(size)).contains(&result),
                };
                if !shows {
                    let name = die_name(size, faces);
                    let message = format!("result {} of the list is {result}, which a {name} cannot show", self.state.results);
                    self.fault_as(codes::RANDOM_RESULT, &message);
                    return 1;
                }
                result as Value
            }
            Dice::External => {
                if self.supplied.is_empty() {
                    self.fault("a result from outside is missing");
                    return 1;
                }
                self.state.results += 1;
                self.supplied.remove(0) as Value
            }
        };
        self.tape_draw(drawn);
        drawn
    }

    /// Shuffles a zone. True if results must be waited for.
    pub fn shuffle(&mut self, rules: Rules, zone: Value) -> bool {
        let mut pieces: Vec<EntityId> = self.state.board.pieces(zone).to_vec();
        if self.wants_results() && pieces.len() > 1 {
            let draws = (2..=pieces.len()).rev().map(|size| RandomDraw { piece: None, size: size as i64, faces: None }).collect();
            self.want(RandomKind::Shuffle, draws, "shuffle".to_string());
            return true;
        }
        // Fisher and Yates: from the last place down, each gets one of those not placed yet.
        for last in (1..pieces.len()).rev() {
            let chosen = self.draw(last as Value + 1) as usize - 1;
            pieces.swap(last, chosen.min(last));
        }
        for piece in &pieces {
            self.state.board.place(*piece, zone as u16, false);
        }
        if self.watched {
            let name = self.zone_name(rules, zone as u16);
            let text = format!("{} is shuffled", self.describe_zone(rules, zone as u16));
            let order = pieces.iter().map(|piece| *piece as usize).collect();
            let by = name.side;
            self.announce(rules, "shuffled", Happening::Shuffled { zone: name, order }, by, Some(text));
        }
        false
    }

    pub fn create(&mut self, rules: Rules, kind: u16, fields: &[(u16, Value)], zone: Value, owner: Value) -> Value {
        if self.state.board.entities.len() >= MOST_PIECES {
            return self.fault_as(crate::codes::PIECE_LIMIT, "more than 10,000 pieces are in play");
        }
        let piece = self.state.board.add(rules.program, kind, NOWHERE);
        let set = |machine: &mut Machine, field: u16, value: Value| {
            if let Some(cell) = machine.state.board.field_mut(Value::from(piece), field) {
                *cell = value;
            }
        };
        set(self, PIECE_OWNER, owner);
        self.state.board.place(piece, zone as u16, false);
        for (field, value) in fields {
            set(self, *field, *value);
            if *field == DIE_VALUE
                && let Some(faces) = rules.program.faces_of(kind).filter(|faces| !faces.values.contains(value))
            {
                self.fault(&format!("a {} is to show {value}, but it shows {}", faces.title, faces.words()));
            }
        }
        let given: Vec<u16> = fields.iter().map(|(field, _)| *field).collect();
        self.initialise(rules, Value::from(piece), &given);
        if self.watched {
            let view = self.piece_view(rules, Value::from(piece));
            let text =
                format!("{} comes to {}", self.describe_piece(rules, Value::from(piece)), self.describe_zone(rules, zone as u16));
            let name = self.zone_name(rules, zone as u16);
            let cells = self.cells_of(Value::from(piece));
            let happening = Happening::Created { piece: view, kind, zone: name, cells };
            self.announce(rules, "created", happening, self.owner(rules, Value::from(piece)), Some(text));
        }
        Value::from(piece)
    }

    fn cells_of(&self, entity: Value) -> Vec<Value> {
        let board = &self.state.board;
        let start = board.entities.get(entity as usize).map_or(0, |entity| entity.cells as usize);
        board.cells.get(start..).unwrap_or(&[]).to_vec()
    }

    /// Works out the declared defaults of an entity's fields, but for those given.
    pub fn initialise(&mut self, rules: Rules, entity: Value, given: &[u16]) {
        let Some(kind) = self.state.board.entities.get(entity as usize).map(|entity| entity.kind) else { return };
        for (of, field, formula) in &rules.program.defaults {
            if !rules.program.is_kind(kind, *of) || given.contains(field) {
                continue;
            }
            let value = self.evaluate_apart(rules, &formula.expr, formula.slots, &[entity]);
            if let Some(cell) = self.state.board.field_mut(entity, *field) {
                *cell = value;
            }
        }
    }

    /// Evaluates a formula in slots of its own.
    pub fn evaluate_apart(&mut self, rules: Rules, expr: &Expr, slots: u16, arguments: &[Value]) -> Value {
        let (base, lists) = (self.state.slots.len(), self.state.lists.len());
        self.state.slots.resize(base + slots as usize, NONE);
        for (index, argument) in arguments.iter().enumerate() {
            self.set_slot(base, index as u16, *argument);
        }
        let value = self.evaluate(rules, base, expr);
        self.state.slots.truncate(base);
        self.state.lists.truncate(lists);
        value
    }

    // --- marks -------------------------------------------------------------------

    pub fn mark(&mut self, rules: Rules, entity: Value, mark: u16, until: Option<&UntilCode>, of: Value) {
        let Some(found) = self.state.board.entities.get_mut(entity as usize) else {
            self.fault("nothing is to be marked");
            return;
        };
        found.marks |= 1 << mark;
        self.state.lasting.retain(|lasting| (Value::from(lasting.entity), lasting.mark) != (entity, mark));
        if let Some(until) = until {
            // `this` ends with the run that is under way; `next` with one that has not begun.
            let from_serial = if until.next { self.state.serial + 1 } else { 0 };
            let procedure = until.procedure;
            self.state.lasting.push(Lasting { entity: entity as EntityId, mark, procedure, of, from_serial });
        }
        if self.watched {
            let name = rules.program.marks[mark as usize].name.clone();
            let text = format!("{} is {}", self.describe_piece(rules, entity), name.replace('_', " "));
            let happening = Happening::Marked { entity: entity as usize, piece: self.piece_view(rules, entity), mark: name };
            self.announce(rules, "marked", happening, self.owner(rules, entity), Some(text));
        }
    }

    pub fn unmark(&mut self, rules: Rules, entity: Value, mark: u16) {
        if !self.has_mark(entity, mark) {
            return;
        }
        if let Some(found) = self.state.board.entities.get_mut(entity as usize) {
            found.marks &= !(1 << mark);
        }
        self.state.lasting.retain(|lasting| (Value::from(lasting.entity), lasting.mark) != (entity, mark));
        if self.watched {
            let name = rules.program.marks[mark as usize].name.clone();
            let text = format!("{} is no longer {}", self.describe_piece(rules, entity), name.replace('_', " "));
            let happening = Happening::Unmarked { entity: entity as usize, piece: self.piece_view(rules, entity), mark: name };
            self.announce(rules, "unmarked", happening, self.owner(rules, entity), Some(text));
        }
    }

    // --- scopes and the end --------------------------------------------------------

    pub fn scope_began(&mut self, rules: Rules, procedure: ProcedureId, base: usize) {
        let info = &rules.program.procedures[procedure as usize];
        let by = match info.params.first() {
            Some((_, Shape::Entity(SIDE))) => usize::try_from(self.slot(base, 0)).ok(),
            _ => None,
        };
        let text = match by {
            Some(side) => format!("{} of {} begins", info.name.replace('_', " "), self.side_name(rules, side as Value)),
            None => format!("{} begins", info.name.replace('_', " ")),
        };
        self.announce(rules, "began", Happening::Began { scope: info.name.clone() }, by, Some(text));
    }

    pub fn scope_ended(&mut self, rules: Rules, procedure: ProcedureId, frame: &Frame) {
        if self.watched {
            let info = &rules.program.procedures[procedure as usize];
            let text = format!("{} ends", info.name.replace('_', " "));
            self.announce(rules, "ended", Happening::Ended { scope: info.name.clone() }, None, Some(text));
        }
        if self.state.lasting.is_empty() {
            return;
        }
        let first = self.slot(frame.base as usize, 0);
        let ended: Vec<Lasting> = self
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
            self.unmark(rules, Value::from(lasting.entity), lasting.mark);
        }
    }

    pub fn finish(&mut self, rules: Rules, finish: Finish) {
        self.state.finished = Some(finish);
        if self.watched {
            let outcome = self.outcome(rules);
            if let Some(outcome) = outcome {
                let text = self.describe_outcome(rules, &outcome);
                let by = (outcome.winners.len() == 1).then(|| outcome.winners[0]);
                self.announce(rules, "finished", Happening::Finished { outcome }, by, Some(text));
            }
        }
    }

    // --- uses ----------------------------------------------------------------------

    /// Uses left of an ability: the least over its limits, or none if it has no limit.
    pub fn uses_left(&self, rules: Rules, instance: u16) -> Option<Value> {
        let found = &rules.cast.instances[instance as usize];
        let limits = &rules.program.abilities[found.ability as usize].uses;
        limits.iter().enumerate().map(|(index, limit)| self.left_of(found, index, limit)).min()
    }

    /// Uses left under one limit of an ability.
    pub fn left_of(&self, instance: &Instance, index: usize, limit: &UseLimit) -> Value {
        let count = self.state.uses[instance.uses as usize + index];
        let current = count.serial == self.state.scope_serial(limit.per);
        limit.times - if current { count.times } else { 0 }
    }

    #[inline]
    pub fn can_use(&self, rules: Rules, instance: u16) -> bool {
        self.uses_left(rules, instance).is_none_or(|left| left > 0)
    }

    /// Counts a use and announces it.
    pub fn charge(&mut self, rules: Rules, instance: u16) {
        let found = &rules.cast.instances[instance as usize];
        let ability = &rules.program.abilities[found.ability as usize];
        for (index, limit) in ability.uses.iter().enumerate() {
            let serial = self.state.scope_serial(limit.per);
            let count = &mut self.state.uses[found.uses as usize + index];
            if count.serial != serial {
                *count = super::state::UseCount { times: 0, serial };
            }
            count.times += 1;
        }
        if !ability.uses.is_empty() {
            self.state.spent.push((instance, self.state.serial));
        }
        if self.watched {
            let text = format!("{} uses {}", self.side_name(rules, Value::from(found.side)), ability.title);
            let happening = Happening::Used { ability: ability.id.clone() };
            self.announce(rules, "used", happening, Some(found.side as usize), Some(text));
        }
    }

    /// Gives back what was used since a scope began.
    fn restore_uses(&mut self, rules: Rules, since: u32) {
        while let Some((instance, serial)) = self.state.spent.last().copied() {
            if serial < since {
                return;
            }
            self.state.spent.pop();
            let found = &rules.cast.instances[instance as usize];
            for index in 0..rules.program.abilities[found.ability as usize].uses.len() {
                let count = &mut self.state.uses[found.uses as usize + index];
                count.times = (count.times - 1).max(0);
            }
        }
    }

    // --- events --------------------------------------------------------------------

    #[expect(clippy::too_many_arguments, reason = "an event is told with everything that names it")]
    fn announce_named(
        &mut self,
        rules: Rules,
        base: usize,
        kind: &str,
        happening: Happening,
        by: Option<usize>,
        naming: Naming,
        text: String,
    ) {
        let kind = match naming.name {
            Some(name) => rules.program.event_names[name as usize].clone(),
            None => kind.to_string(),
        };
        let text = match naming.text {
            Some(named) => self.render(rules, base, named),
            None => text,
        };
        self.announce(rules, &kind, happening, by, Some(text));
    }

    /// Keeps an event for whoever watches, unless a script that starts over has announced it before.
    pub fn announce(&mut self, rules: Rules, kind: &str, happening: Happening, by: Option<usize>, text: Option<String>) {
        if self.watched {
            let audience = self.audience(rules, &happening);
            self.announce_to(rules, kind, happening, by, text, audience);
        }
    }

    /// Who sees where something happens: what goes from one zone to another is known to whoever sees one of the two.
    fn audience(&self, rules: Rules, happening: &Happening) -> Audience {
        let place = |piece: &PieceView| {
            let entity = self.state.board.entities.get(piece.id + rules.cast.first_piece as usize);
            entity.map_or(NOWHERE, |entity| entity.place)
        };
        match happening {
            Happening::Moved { from, to, .. } => self.audience_of(rules, &[from.index, to.index]),
            Happening::Created { zone, .. } => self.audience_of(rules, &[zone.index]),
            Happening::Rolled { piece, .. } | Happening::Set { piece: Some(piece), .. } => {
                self.audience_of(rules, &[place(piece)])
            }
            Happening::Marked { piece, entity, .. } | Happening::Unmarked { piece, entity, .. }
                if self.is_piece(rules, *entity as Value) =>
            {
                self.audience_of(rules, &[place(piece)])
            }
            _ => Audience::All,
        }
    }

    /// Who may look into one of these zones.
    pub fn audience_of(&self, rules: Rules, zones: &[u16]) -> Audience {
        let mut seats = Vec::new();
        for found in zones.iter().filter_map(|zone| self.state.board.zones.get(*zone as usize)) {
            let kind = self.state.board.entities[found.owner as usize].kind;
            match rules.program.kind(kind).zones[found.index as usize].seen {
                Seen::All => return Audience::All,
                Seen::Owner => seats.extend(self.owner(rules, Value::from(found.owner))),
                Seen::Nobody => {}
            }
        }
        let nowhere = zones.iter().all(|zone| *zone == NOWHERE);
        if nowhere { Audience::All } else { Audience::Seats(seats) }
    }

    /// Announces to those who may know of it; `watched` is known to be set.
    pub fn announce_to(
        &mut self,
        rules: Rules,
        kind: &str,
        happening: Happening,
        by: Option<usize>,
        text: Option<String>,
        audience: Audience,
    ) {
        self.state.events += 1;
        if self.state.events <= self.announced {
            self.compare_with_tape(&happening);
            return;
        }
        self.announced = self.state.events;
        let cause = self.cause(rules);
        let event = Event {
            number: self.state.events,
            kind: kind.to_string(),
            happening,
            by,
            cause,
            text: text.unwrap_or_default(),
            audience,
        };
        if let Some(script) = &mut self.script {
            script.happened.push(event.happening.clone());
        }
        self.events.push(event);
    }

    /// Where in the rules or scripts play is.
    pub fn cause(&self, rules: Rules) -> Cause {
        let mut cause = Cause::default();
        if let Some(frame) = self.state.frames.iter().rev().find(|frame| !matches!(frame.role, FrameRole::Window(_)))
            && let Some(place) = rules.program.place(frame.at)
        {
            cause.file = rules.program.sources.get(place.span.source).name.clone();
            cause.line = rules.program.sources.line_column(place.span).0;
            cause.rules = place.rules.clone();
        }
        let instance = self.acting_instance();
        if let Some(found) = rules.cast.instances.get(instance as usize) {
            let ability = &rules.program.abilities[found.ability as usize];
            cause.ability = Some(ability.id.clone());
            cause.of = Some(found.side as usize);
            if let Some((file, line, rules)) = self.script.as_ref().and_then(|script| script.place(rules.program)) {
                (cause.file, cause.line, cause.rules) = (file, line, rules);
            }
        }
        cause
    }

    pub fn owner(&self, rules: Rules, entity: Value) -> Option<usize> {
        usize::try_from(self.state.board.side_of(rules.program, entity)).ok()
    }

    pub fn piece_view(&self, rules: Rules, piece: Value) -> PieceView {
        let kind = self.state.board.entities.get(piece as usize).map_or(0, |entity| entity.kind);
        let die = rules.program.is_die(kind);
        PieceView {
            id: (piece as usize).saturating_sub(rules.cast.first_piece as usize),
            kind: rules.program.kind(kind).name.clone(),
            title: rules.program.faces_of(kind).map(|faces| faces.title.clone()),
            size: if die { self.state.board.field(piece, DIE_SIZE) } else { None },
            value: if die { self.state.board.field(piece, DIE_VALUE).filter(|value| *value > 0) } else { None },
            of: self.owner_to_say(rules, piece).map(|side| self.side_name(rules, side as Value)),
        }
    }

    pub fn zone_name(&self, rules: Rules, zone: u16) -> ZoneName {
        let Some(found) = self.state.board.zones.get(zone as usize) else {
            return ZoneName { zone: "nowhere".to_string(), side: None, index: zone };
        };
        let owner = &self.state.board.entities[found.owner as usize];
        ZoneName {
            zone: rules.program.kind(owner.kind).zones[found.index as usize].name.clone(),
            side: self.owner(rules, Value::from(found.owner)),
            index: zone,
        }
    }
}

/// `d8`, or what a die with faces of its own is called.
fn die_name(size: Value, faces: Option<&Faces>) -> String {
    faces.map_or_else(|| format!("d{size}"), |faces| faces.title.clone())
}
