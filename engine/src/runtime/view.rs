//! What one seat may know of the state.

use crate::runtime::context::Instance;
pub use crate::runtime::event::Viewer;
use crate::runtime::event::{numbered, numbers_or_words, piece_name};
use crate::runtime::flow::{Machine, PlayContext};
use crate::runtime::session::Session;
use crate::runtime::text::facts::{Fact, told_apart};
use crate::runtime::text::fields::Fields;
use ludex_compiler::field::can_be_stated;
use ludex_program::{PIECE_OWNER, Value};
use serde::Serialize;
use std::collections::BTreeMap;

/// The table as one viewer may know it. Serialises to the `view` of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Whose view it is; none for spectators and trusted tools.
    pub seat: Option<usize>,
    /// The side whose turn it is, as the innermost scope with a side says.
    pub active: Option<usize>,
    /// What is nobody's.
    pub table: TableView,
    /// All sides in order, those that are out of the game among them.
    pub sides: Vec<SideView>,
}

/// What is on the table and belongs to no side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Default)]
pub struct TableView {
    /// Its counters and the fields that are shown, by name, as people read them.
    #[serde(serialize_with = "numbers_or_words")]
    pub counters: BTreeMap<String, String>,
    /// What people read of counters instead of their names and values, by name, where the rules say it.
    #[serde(skip)]
    pub texts: BTreeMap<String, String>,
    /// Its zones by name.
    pub zones: BTreeMap<String, ZoneView>,
}

/// A side as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SideView {
    /// Its number, from 0.
    pub side: usize,
    /// It has left the game.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub out: bool,
    /// What the side is called, by the names of its entrants.
    #[serde(skip)]
    pub name: String,
    /// Ids of the side's entrants.
    pub entrants: Vec<String>,
    /// Their names; of a side that brings nobody, what it is called.
    pub names: Vec<String>,
    /// Its counters by name, as people read them; those of its entrant, too, if it has only one.
    #[serde(serialize_with = "numbers_or_words")]
    pub counters: BTreeMap<String, String>,
    /// What people read of its counters instead of their names and values, by name, where the rules say it.
    #[serde(skip)]
    pub texts: BTreeMap<String, String>,
    /// What else is kept of it: numbers, words, sides, entrants, yes and no.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", serialize_with = "numbers_or_words")]
    pub fields: BTreeMap<String, String>,
    /// By ability; of several entrants with the same one, the second has `#2` behind its id.
    pub uses: BTreeMap<String, UsesView>,
    /// What the side itself bears.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
    /// The side's zones and, if it has one entrant, that entrant's.
    pub zones: BTreeMap<String, ZoneView>,
    /// The side's entrants one by one.
    #[serde(skip_serializing_if = "is_told_with_the_side")]
    pub each: Vec<EntrantView>,
}

/// One entrant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntrantView {
    /// Its sheet's id.
    pub id: String,
    /// What keys and events call it: its id, and `otter#2` the second of that id in the match.
    pub key: String,
    /// What players call it.
    pub name: String,
    /// Its counters by name, as people read them.
    #[serde(serialize_with = "numbers_or_words")]
    pub counters: BTreeMap<String, String>,
    /// What people read of its counters instead of their names and values, by name, where the rules say it.
    #[serde(skip)]
    pub texts: BTreeMap<String, String>,
    /// What else it has: what its sheet says, and what rules keep in fields.
    #[serde(serialize_with = "numbers_or_words")]
    pub fields: BTreeMap<String, String>,
    /// Its own uses, by ability.
    pub uses: BTreeMap<String, UsesView>,
    /// The names of the marks that it bears, as far as players may know of them.
    pub marks: Vec<String>,
    /// Those of the only one of a side are among the side's.
    pub zones: BTreeMap<String, ZoneView>,
}

/// Of an entrant that has nothing but zones all is told with its side, if there is no other.
fn is_told_with_the_side(entrants: &[EntrantView]) -> bool {
    let tells = |entrant: &EntrantView| !(entrant.counters.is_empty() && entrant.fields.is_empty() && entrant.marks.is_empty());
    entrants.len() < 2 && !entrants.iter().any(tells)
}

/// How often an ability may still be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UsesView {
    /// How often it may still be used before the scope ends.
    pub left: i32,
    /// The scope that its first limit is for: `turn`. What further limits leave is not counted.
    pub per: String,
    /// The ability's id.
    #[serde(skip)]
    pub ability: String,
}

/// What lies in a zone: the pieces, or only how many.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ZoneView {
    /// The viewer sees the zone: its pieces in order, the top of a stack last.
    Seen(Vec<PieceInZone>),
    /// The viewer does not see the zone.
    Hidden {
        /// How many pieces are in it.
        count: usize,
        /// Those among them that the viewer knows all the same.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        known: Vec<KnownPiece>,
    },
}

/// A piece in a hidden zone that a viewer knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KnownPiece {
    /// Where the order matters: from 1, counted from the top.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_top: Option<usize>,
    /// As if it were seen.
    #[serde(flatten)]
    pub piece: PieceInZone,
}

/// A piece as a viewer sees it in its zone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PieceInZone {
    /// The number under which it goes, see [`crate::runtime::PieceView::id`].
    pub id: usize,
    /// What the rules call its kind: `die`, `frog`.
    pub kind: String,
    /// What players call a card, or a die with faces of its own: `d%`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The id of a card's sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// Of a die: its number of sides. Other pieces have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
    /// Of a die: what it shows. There is none before the first roll.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// The side it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<usize>,
    /// The names of the marks that it bears, as far as players may know of them.
    pub marks: Vec<String>,
    /// Of a piece that is no die: its counters, and what else is kept on it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, String>,
    /// What lies in its own zones.
    pub under: Vec<Under>,
    /// Its owner by name, where that must be said.
    #[serde(skip)]
    pub of: Option<String>,
    /// What tells it from others of its sheet that lie open in play.
    #[serde(skip)]
    pub number: Option<String>,
    /// What tells its sheet from others of its name: `level 2`.
    #[serde(skip)]
    pub apart: Option<String>,
    /// What is printed and kept on it, as far as it is shown.
    #[serde(skip)]
    pub facts: Vec<Fact>,
}

/// Something that lies with a piece, and in which of the piece's zones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Under {
    /// A piece that the viewer sees.
    Seen {
        /// What the rules call the zone.
        zone: String,
        /// The piece, with what is under it in turn.
        #[serde(flatten)]
        piece: Box<PieceInZone>,
    },
    /// Pieces that the viewer does not see. An empty zone is left out.
    Hidden {
        /// What the rules call the zone.
        zone: String,
        /// How many they are.
        count: usize,
    },
}

impl PieceInZone {
    /// What players call it, whatever it shows.
    pub fn name(&self) -> String {
        numbered(piece_name(&self.kind, self.title.as_deref(), self.size), self.number.as_deref())
    }
}

impl Session {
    /// Everything a seat, or a spectator, may see. All that is shown of the state passes through here.
    pub fn view(&self, viewer: Viewer) -> View {
        let context = &self.game.context();
        let seat = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator | Viewer::Trusted => None,
        };
        let machine = &self.machine;
        let table = TableView {
            counters: machine.fields_shown(context, Value::from(context.roster.table), Fields::of(viewer)).into_iter().collect(),
            texts: machine.texts_shown(context, Value::from(context.roster.table), viewer).into_iter().collect(),
            zones: machine.zones_seen(context, context.roster.table, viewer).collect(),
        };
        let sides = (0..context.roster.sides).map(|side| machine.side_view(context, side, viewer)).collect();
        View { seat, active: machine.active_side(context), table, sides }
    }
}

impl Machine {
    fn side_view(&self, context: &PlayContext, side: usize, viewer: Viewer) -> SideView {
        let entrants = context.roster.sheets[side].clone();
        let name = |id: &String| context.program.sheets.get(id).map_or_else(|| id.clone(), |sheet| sheet.name.clone());
        let names = match entrants.is_empty() {
            true => vec![self.side_name(context, side as Value)],
            false => entrants.iter().map(name).collect(),
        };
        let alone = entrants.len() == 1;
        let only = context.roster.entrants[side].iter().copied().filter(|_| alone);
        let owners = std::iter::once(side as u16).chain(only);
        let texts = owners.clone().flat_map(|owner| self.texts_shown(context, Value::from(owner), viewer)).collect();
        SideView {
            side,
            out: self.is_out(side as Value),
            name: self.side_name(context, side as Value),
            entrants,
            names,
            counters: self.counters_of(context, side, viewer).into_iter().collect(),
            texts,
            fields: self.plain_fields(context, side as Value, viewer),
            uses: self.uses_view(context, side),
            marks: self.marks_on(context, side as Value, viewer),
            zones: owners.flat_map(|owner| self.zones_seen(context, owner, viewer).collect::<Vec<_>>()).collect(),
            each: self.entrants_seen(context, side, viewer),
        }
    }

    fn entrants_seen(&self, context: &PlayContext, side: usize, viewer: Viewer) -> Vec<EntrantView> {
        let entrants = &context.roster.entrants[side];
        entrants.iter().map(|entrant| self.entrant_view(context, *entrant, viewer, entrants.len() == 1)).collect()
    }

    fn entrant_view(&self, context: &PlayContext, entrant: u16, viewer: Viewer, alone: bool) -> EntrantView {
        let entity = Value::from(entrant);
        let counters: BTreeMap<String, String> =
            self.fields_shown(context, entity, Fields::Counters(viewer)).into_iter().collect();
        let all = self.fields_shown(context, entity, Fields::of(viewer)).into_iter();
        let fields = all.filter(|(name, _)| !counters.contains_key(name)).collect();
        EntrantView {
            id: context.roster.sheet_of(entrant).unwrap_or_default().to_string(),
            key: context.roster.entrant_key(entrant).unwrap_or_default().to_string(),
            name: self.describe_piece(context, entity),
            counters,
            texts: self.texts_shown(context, entity, viewer).into_iter().collect(),
            fields,
            uses: self.uses_of(context, context.roster.instances.iter().filter(|instance| instance.holder == entrant).collect()),
            marks: self.marks_on(context, entity, viewer),
            zones: match alone {
                true => BTreeMap::new(),
                false => self.zones_seen(context, entrant, viewer).collect(),
            },
        }
    }

    fn plain_fields(&self, context: &PlayContext, entity: Value, viewer: Viewer) -> BTreeMap<String, String> {
        let Some(found) = self.state.board.entities.get(entity as usize) else { return BTreeMap::new() };
        let fields = &context.program.kind(found.kind).fields;
        let is_plain = |name: &str| {
            fields.iter().any(|field| field.name == name && !field.counter && can_be_stated(context.program, &field.shape))
        };
        self.fields_shown(context, entity, Fields::of(viewer)).into_iter().filter(|(name, _)| is_plain(name)).collect()
    }

    /// The names of the marks that a thing bears, as far as a viewer may know.
    fn marks_on(&self, context: &PlayContext, entity: Value, viewer: Viewer) -> Vec<String> {
        let marks = context.program.marks.iter().enumerate().filter(|(index, _)| self.has_mark(entity, *index as u16));
        let marks = marks.filter(|(_, mark)| viewer == Viewer::Trusted || mark.is_told());
        marks.map(|(_, mark)| mark.name.clone()).collect()
    }

    fn uses_view(&self, context: &PlayContext, side: usize) -> BTreeMap<String, UsesView> {
        // What cards can do is told with the cards.
        let of_entrant = |instance: &&Instance| instance.side as usize == side && instance.holder < context.roster.first_piece;
        self.uses_of(context, context.roster.instances.iter().filter(of_entrant).collect())
    }

    /// The uses of some abilities; of several that are the same the second has `#2` behind its id.
    fn uses_of(&self, context: &PlayContext, own: Vec<&Instance>) -> BTreeMap<String, UsesView> {
        let counted = own.iter().enumerate().filter_map(|(place, instance)| {
            let ability = &context.program.abilities[instance.ability as usize];
            let limit = ability.uses.first()?;
            let left = self.left_of(context, instance, 0, limit);
            let per = context.program.procedures[limit.per as usize].name.clone();
            let same = |others: &[&Instance]| others.iter().filter(|other| other.ability == instance.ability).count();
            let key = match same(&own[..=place]) {
                1 => ability.id.clone(),
                number => format!("{}#{number}", ability.id),
            };
            Some((key, UsesView { left, per, ability: ability.id.clone() }))
        });
        counted.collect()
    }

    fn zones_seen<'a>(
        &'a self,
        context: &'a PlayContext<'a>,
        owner: u16,
        viewer: Viewer,
    ) -> impl Iterator<Item = (String, ZoneView)> + 'a {
        let entity = &self.state.board.entities[owner as usize];
        let zones = context.program.kind(entity.kind).zones.iter().enumerate();
        zones.filter_map(move |(index, info)| {
            let zone = Value::from(entity.zones) + index as Value;
            // What its sheet lacks is told only where the rules have put something into it.
            let own = context.roster.has(context.program, Value::from(owner), &info.sheets);
            (own || self.state.board.count(zone) > 0).then(|| (info.name.clone(), self.zone_seen(context, zone, viewer)))
        })
    }

    fn zone_seen(&self, context: &PlayContext, zone: Value, viewer: Viewer) -> ZoneView {
        let board = &self.state.board;
        if self.viewers_of(context, zone as u16).includes(viewer) {
            ZoneView::Seen(
                board.pieces(zone).iter().map(|piece| self.piece_in_zone(context, Value::from(*piece), viewer)).collect(),
            )
        } else {
            ZoneView::Hidden { count: board.count(zone), known: self.known_pieces(context, zone, viewer) }
        }
    }

    fn known_pieces(&self, context: &PlayContext, zone: Value, viewer: Viewer) -> Vec<KnownPiece> {
        let Viewer::Seat(seat) = viewer else { return Vec::new() };
        let ordered = self.zone_info(context, zone as u16).is_some_and(|info| info.ordered);
        // Nobody knows a piece that is still to be dealt.
        let from_top = self.state.board.lying(zone).iter().rev().enumerate();
        let known = from_top.filter(|(_, piece)| self.knows(seat, Value::from(**piece)));
        known
            .map(|(index, piece)| KnownPiece {
                from_top: ordered.then_some(index + 1),
                piece: self.piece_in_zone(context, Value::from(*piece), viewer),
            })
            .collect()
    }

    /// What a piece bears, zone by zone.
    fn borne(&self, context: &PlayContext, piece: Value, viewer: Viewer) -> Vec<Under> {
        let Some(entity) = self.state.board.entities.get(piece as usize) else { return Vec::new() };
        let zones = context.program.kind(entity.kind).zones.iter().enumerate();
        let under = zones.flat_map(|(index, info)| {
            let zone = info.name.clone();
            match self.zone_seen(context, Value::from(entity.zones) + index as Value, viewer) {
                ZoneView::Seen(pieces) => {
                    pieces.into_iter().map(|piece| Under::Seen { zone: zone.clone(), piece: Box::new(piece) }).collect()
                }
                ZoneView::Hidden { count: 0, .. } => Vec::new(),
                ZoneView::Hidden { count, .. } => vec![Under::Hidden { zone, count }],
            }
        });
        under.collect()
    }

    /// The counters of a piece, and what else is known of it beside what it is.
    fn told_of_piece(&self, context: &PlayContext, piece: Value, viewer: Viewer) -> BTreeMap<String, String> {
        let kind = self.state.board.entities.get(piece as usize).map_or(0, |entity| entity.kind);
        if context.program.is_die(kind) {
            return BTreeMap::new();
        }
        let known = |name: &str| name == "owner" || name == "sheet";
        self.fields_shown(context, piece, Fields::of(viewer)).into_iter().filter(|(name, _)| !known(name)).collect()
    }

    fn piece_in_zone(&self, context: &PlayContext, piece: Value, viewer: Viewer) -> PieceInZone {
        let view = self.piece_view(context, piece);
        PieceInZone {
            id: view.id,
            kind: view.kind,
            title: view.title,
            sheet: view.sheet,
            size: view.size,
            value: view.value,
            owner: self.state.board.field(piece, PIECE_OWNER).and_then(|owner| usize::try_from(owner).ok()),
            marks: self.marks_on(context, piece, viewer),
            fields: self.told_of_piece(context, piece, viewer),
            under: self.borne(context, piece, viewer),
            of: view.of,
            number: view.number,
            apart: self.print_of_piece(context, piece).and_then(|print| told_apart(context.program, print)),
            facts: self.facts_of_piece(context, piece),
        }
    }
}
