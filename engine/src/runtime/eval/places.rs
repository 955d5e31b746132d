//! Places of things, and the seats that see them there.
//! The *audience* of an event or a value is the set of seats that may know of it. In [`Seats`], the number after the last side is
//! the spectator; the referee, whose seat has that number, sees the same. A piece that has zones is their *bearer*.

use crate::runtime::context::Context;
use crate::runtime::eval::Eval;
use crate::runtime::event::{Audience, Bearer, EventKind, PieceView};
use crate::runtime::seats::Seats;
use crate::runtime::state::{FrameRole, NOWHERE};
use ludex_program::{KindSort, SIDE, Shape, Value, Visibility, ZoneInfo};

impl Eval {
    /// The audience of a field with a name; empty for the rules' internal fields.
    pub fn readers_by_name(&self, context: &Context, entity: Value, name: &str) -> Audience {
        let kind = self.state.board.entity(entity).map(|found| context.program.kind(found.kind));
        let field = kind.and_then(|kind| kind.fields.iter().position(|field| field.name == name));
        field.map_or(Audience::All, |field| self.readers_of(context, entity, field as u16))
    }

    /// The same for a field by its number. Fields that are neither shown nor private have none.
    pub fn readers_of(&self, context: &Context, entity: Value, field: u16) -> Audience {
        let Some(found) = self.state.board.entity(entity) else { return Audience::All };
        let seen = context.program.kind(found.kind).fields.get(usize::from(field)).map_or(Visibility::All, |field| field.seen);
        let (own, sides) = (usize::try_from(entity).unwrap_or(usize::MAX), 0..context.roster.sides);
        match seen {
            Visibility::All if context.program.is_public_field(found.kind, field) => Audience::All,
            Visibility::All | Visibility::Nobody => Audience::Seats(Vec::new()),
            Visibility::Owner => Audience::Seats(sides.filter(|side| *side == own).collect()),
            Visibility::Others => Audience::Seats(sides.filter(|side| *side != own).collect()),
        }
    }

    /// The audience of a private field; `None` for other fields.
    fn readers_of_private(&self, context: &Context, entity: Value, name: &str) -> Option<Audience> {
        let kind = context.program.kind(self.state.board.entity(entity)?.kind);
        let field = kind.fields.iter().find(|field| field.name == name)?;
        (field.seen != Visibility::All).then(|| self.readers_by_name(context, entity, name))
    }

    /// The audience of an event by its place. A move between zones is visible to everyone who sees one of the two.
    pub fn audience_by_place(&self, context: &Context, kind: &EventKind) -> Audience {
        let place = |piece: &PieceView| {
            let entity = self.state.board.entities.get(usize::from(piece.entity));
            entity.map_or(NOWHERE, |entity| entity.place)
        };
        match kind {
            EventKind::Moved { from, to, .. } => self.audience_of(context, &[from.index, to.index]),
            EventKind::Created { zone, .. } => self.audience_of(context, &[zone.index]),
            EventKind::Rolled { piece, .. } | EventKind::Set { piece: Some(piece), .. } => {
                self.audience_of(context, &[place(piece)])
            }
            EventKind::Set { entity, name, .. } => self.readers_of_private(context, *entity as Value, name).unwrap_or_default(),
            EventKind::Marked { bearer: Bearer::Piece { piece }, entity, .. }
            | EventKind::Unmarked { bearer: Bearer::Piece { piece }, entity, .. }
                if self.is_piece(context, *entity as Value) =>
            {
                self.audience_of(context, &[place(piece)])
            }
            _ => Audience::All,
        }
    }

    /// The seats that may look into one of these zones.
    pub fn audience_of(&self, context: &Context, zones: &[u16]) -> Audience {
        let mut seats = Vec::new();
        for zone in zones.iter().filter(|zone| **zone != NOWHERE) {
            match self.viewers_of(context, *zone) {
                Audience::All => return Audience::All,
                Audience::Seats(own) => seats.extend(own),
            }
        }
        let nowhere = zones.iter().all(|zone| *zone == NOWHERE);
        if nowhere { Audience::All } else { Audience::Seats(seats) }
    }

    /// The side that an entity belongs to.
    pub fn owner_side(&self, context: &Context, entity: Value) -> Option<usize> {
        usize::try_from(self.state.board.side_of(context.program, entity)).ok()
    }

    /// The side of the innermost running scope that has one as its first parameter.
    pub fn active_side(&self, context: &Context) -> Option<usize> {
        self.state.frames.iter().rev().find_map(|frame| {
            let FrameRole::Procedure { procedure, .. } = frame.role else { return None };
            let info = &context.program.procedures[procedure as usize];
            match info.params.first() {
                Some((_, Shape::Entity(SIDE))) if info.scope => usize::try_from(self.read_slot(frame.base as usize, 0)).ok(),
                _ => None,
            }
        })
    }

    /// Whether an entity is a piece.
    pub fn is_piece(&self, context: &Context, entity: Value) -> bool {
        self.state
            .board
            .entities
            .get(entity as usize)
            .is_some_and(|found| context.program.kind(found.kind).sort == KindSort::Piece)
    }

    /// The declaration of a zone.
    pub fn zone_info<'p>(&self, context: &'p Context<'p>, zone: u16) -> Option<&'p ZoneInfo> {
        let found = self.state.board.zones.get(usize::from(zone))?;
        let owner = self.state.board.entities.get(usize::from(found.owner))?;
        context.program.kind(owner.kind).zones.get(usize::from(found.index))
    }

    /// The piece that has a zone; `None` if it belongs to a side, an entrant or the table.
    pub fn bearer_of(&self, context: &Context, zone: u16) -> Option<u16> {
        let owner = self.state.board.zones.get(usize::from(zone))?.owner;
        self.is_piece(context, Value::from(owner)).then_some(owner)
    }

    /// The seats that may look into a zone. The zones of a piece are hidden from those who cannot see the piece.
    pub fn viewers_of(&self, context: &Context, zone: u16) -> Audience {
        match self.is_open(context, zone) {
            true => Audience::All,
            false => Audience::Seats((0..context.roster.sides).filter(|seat| self.can_see_zone(context, zone, *seat)).collect()),
        }
    }

    /// Whether everybody may look into a zone.
    pub fn is_open(&self, context: &Context, zone: u16) -> bool {
        self.zone_seers(context, zone) == Seats::for_everyone(context.roster.sides)
    }

    /// Whether a seat may look into a zone.
    pub fn can_see_zone(&self, context: &Context, zone: u16, seat: usize) -> bool {
        // A number beyond the sides means a spectator.
        self.zone_seers(context, zone).contains(seat.min(context.roster.sides))
    }

    /// The seats that may look into a zone.
    #[inline]
    pub fn zone_seers(&self, context: &Context, zone: u16) -> Seats {
        match context.roster.seers.get(usize::from(zone)) {
            Some(seers) => *seers,
            None => self.compute_seers(context, zone),
        }
    }

    /// The seats that may look into each zone that does not belong to a piece. They stay the same during a match.
    pub fn seers_of_zones(&self, context: &Context) -> Vec<Seats> {
        let zones = 0..self.state.board.zones.len() as u16;
        zones.take_while(|zone| self.bearer_of(context, *zone).is_none()).map(|zone| self.compute_seers(context, zone)).collect()
    }

    /// Works out the seats that may look into a zone, by its declaration and by the zone around its bearer.
    fn compute_seers(&self, context: &Context, zone: u16) -> Seats {
        let owner = self.state.board.zones.get(usize::from(zone)).map(|zone| zone.owner);
        let owner =
            owner.and_then(|owner| self.owner_side(context, Value::from(owner))).map_or(Seats::default(), Seats::for_seat);
        let (all, onlooker) = (Seats::for_everyone(context.roster.sides), Seats::for_seat(context.roster.sides));
        let seers = match self.zone_info(context, zone).map(|info| info.seen) {
            Some(Visibility::Owner) => owner,
            Some(Visibility::Others) => all.without(onlooker).without(owner),
            Some(Visibility::Nobody) => Seats::default(),
            Some(Visibility::All) | None => all,
        };
        self.zone_around(context, zone).map_or(seers, |around| seers.intersect_with(self.zone_seers(context, around)))
    }

    /// The zone that contains the piece which has this zone.
    fn zone_around(&self, context: &Context, zone: u16) -> Option<u16> {
        let bearer = self.state.board.entities.get(usize::from(self.bearer_of(context, zone)?))?;
        (bearer.place != NOWHERE).then_some(bearer.place)
    }
}
