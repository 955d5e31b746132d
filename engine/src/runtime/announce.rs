//! Telling what happens: each change is one event, with its cause and who may know of it.

use super::event::{Audience, Cause, Event, Happening, PieceView, ZoneName};
use super::machine::{Machine, Rules};
use super::state::NOWHERE;
use crate::program::{DIE_SIZE, DIE_VALUE, Naming, Value};

impl Machine {
    #[expect(clippy::too_many_arguments, reason = "an event is told with everything that names it")]
    pub(super) fn announce_named(
        &mut self,
        rules: Rules,
        base: usize,
        kind: &str,
        happening: Happening,
        by: Option<usize>,
        naming: &Naming,
        text: String,
    ) {
        let kind = match naming.name {
            Some(name) => rules.program.event_names[name as usize].clone(),
            None => kind.to_string(),
        };
        // What the rules have words of their own for is told.
        let audience = match *naming == Naming::default() {
            true => self.audience(rules, &happening),
            false => self.audience_by_place(rules, &happening),
        };
        let text = match naming.text {
            Some(named) => self.render_to(rules, base, named, audience.clone()),
            None => text,
        };
        self.announce_to(rules, &kind, happening, by, Some(text), audience);
    }

    /// Keeps an event for whoever watches, unless a script that starts over has announced it before.
    pub fn announce(&mut self, rules: Rules, kind: &str, happening: Happening, by: Option<usize>, text: Option<String>) {
        if self.watched {
            let audience = self.audience(rules, &happening);
            self.announce_to(rules, kind, happening, by, text, audience);
        }
    }

    /// Who may know of something: nobody of what is the rules' own business, else whoever sees where it happens.
    fn audience(&self, rules: Rules, happening: &Happening) -> Audience {
        let is_told = match happening {
            Happening::Set { entity, name, .. } => self.is_told_field(rules, *entity as Value, name),
            Happening::Marked { mark, .. } | Happening::Unmarked { mark, .. } => {
                rules.program.marks.iter().any(|info| info.name == *mark && info.is_told())
            }
            _ => true,
        };
        if is_told { self.audience_by_place(rules, happening) } else { Audience::Seats(Vec::new()) }
    }

    fn is_told_field(&self, rules: Rules, entity: Value, name: &str) -> bool {
        self.state.board.entity(entity).is_none_or(|found| {
            let mut fields = rules.program.kind(found.kind).fields.iter();
            let field = fields.position(|field| field.name == name);
            field.is_none_or(|field| rules.program.is_told(found.kind, field as u16))
        })
    }

    /// Who sees where something happens: what goes from one zone to another is known to whoever sees one of the two.
    fn audience_by_place(&self, rules: Rules, happening: &Happening) -> Audience {
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
        for zone in zones.iter().filter(|zone| **zone != NOWHERE) {
            match self.viewers_of(rules, *zone) {
                Audience::All => return Audience::All,
                Audience::Seats(own) => seats.extend(own),
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
        let text = self.cut(&text.unwrap_or_default());
        let event = Event { number: self.state.events, kind: kind.to_string(), happening, by, cause, text, audience };
        if let Some(script) = &mut self.script {
            script.happened.push(event.happening.clone());
        }
        self.untaken.0.push(event);
    }

    /// Where in the rules or scripts play is.
    pub fn cause(&self, rules: Rules) -> Cause {
        let mut cause = Cause::default();
        if let Some(frame) = self.state.frames.iter().rev().find(|frame| frame.runs())
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
            cause.of = usize::try_from(self.side_of_ability(rules, instance)).ok();
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
}
