//! The parts of the state that one viewer may know.
//!
//! [`Session::view`] is the only way to the visible state, for people, bots and programs. Zones and fields are checked against
//! the viewer; a piece is shown if its zone is seen, or if the seat knows it.

use crate::runtime::context::Instance;
pub use crate::runtime::event::Viewer;
use crate::runtime::event::{numbered_name, numbers_or_words, piece_name};
use crate::runtime::flow::{Machine, PlayContext};
use crate::runtime::session::Session;
use crate::runtime::text::facts::{Fact, distinguishing_text};
use crate::runtime::text::fields::Fields;
use ludex_compiler::field::can_be_set;
use ludex_program::{PIECE_OWNER, Value};
use serde::Serialize;
use std::collections::BTreeMap;

/// The table as one viewer may know it. Serialises to the `view` of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// The viewer's seat; `None` for spectators and trusted tools.
    pub seat: Option<usize>,
    /// The side whose turn it is, taken from the innermost scope with a side.
    pub active: Option<usize>,
    /// The things that belong to no side.
    pub table: TableView,
    /// All sides in order, including those that are out of the game.
    pub sides: Vec<SideView>,
}

/// The things on the table that belong to no side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Default)]
pub struct TableView {
    /// Its counters and visible fields, by name, as people read them.
    #[serde(serialize_with = "numbers_or_words")]
    pub counters: BTreeMap<String, String>,
    /// Texts that replace the names and values of counters, by name, if the rules define them.
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
    /// True if it has left the game.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub out: bool,
    /// The name of the side, formed from the names of its entrants.
    #[serde(skip)]
    pub name: String,
    /// The ids of the side's entrants.
    pub entrants: Vec<String>,
    /// Their names; for a side without entrants, its own name.
    pub names: Vec<String>,
    /// Its counters by name, as people read them. Includes those of its entrant, if it has only one.
    #[serde(serialize_with = "numbers_or_words")]
    pub counters: BTreeMap<String, String>,
    /// Texts that replace the names and values of its counters, by name, if the rules define them.
    #[serde(skip)]
    pub texts: BTreeMap<String, String>,
    /// Its other fields: numbers, words, sides, entrants, yes and no.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", serialize_with = "numbers_or_words")]
    pub fields: BTreeMap<String, String>,
    /// The remaining uses, by ability. If several entrants have the same ability, the second one's id is followed by `#2`.
    pub uses: BTreeMap<String, UsesView>,
    /// The marks on the side itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
    /// The side's zones and, if it has one entrant, that entrant's.
    pub zones: BTreeMap<String, ZoneView>,
    /// The side's entrants one by one.
    #[serde(skip_serializing_if = "is_covered_by_side")]
    pub each: Vec<EntrantView>,
}

/// One entrant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntrantView {
    /// Its sheet's id.
    pub id: String,
    /// Its name in keys and events: its id, or `otter#2` for the second of that id in the match.
    pub key: String,
    /// The players' name for it.
    pub name: String,
    /// Its counters by name, as people read them.
    #[serde(serialize_with = "numbers_or_words")]
    pub counters: BTreeMap<String, String>,
    /// Texts that replace the names and values of its counters, by name, if the rules define them.
    #[serde(skip)]
    pub texts: BTreeMap<String, String>,
    /// Its other fields: those on its sheet, and those that the rules keep.
    #[serde(serialize_with = "numbers_or_words")]
    pub fields: BTreeMap<String, String>,
    /// Its own uses, by ability.
    pub uses: BTreeMap<String, UsesView>,
    /// The names of its marks, as far as players may know of them.
    pub marks: Vec<String>,
    /// Its zones; those of a side's only entrant are among the side's.
    pub zones: BTreeMap<String, ZoneView>,
}

/// Whether a side's only entrant has nothing but zones, so that the side's view covers it.
fn is_covered_by_side(entrants: &[EntrantView]) -> bool {
    let tells = |entrant: &EntrantView| !(entrant.counters.is_empty() && entrant.fields.is_empty() && entrant.marks.is_empty());
    entrants.len() < 2 && !entrants.iter().any(tells)
}

/// The remaining uses of an ability.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UsesView {
    /// Number of uses left before the scope ends.
    pub left: i32,
    /// The scope of its first limit: `turn`. Further limits are not taken into account.
    pub per: String,
    /// The ability's id.
    #[serde(skip)]
    pub ability: String,
}

/// The contents of a zone: the pieces, or only their number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ZoneView {
    /// The viewer sees the zone: its pieces in order, the top of a stack last.
    Seen(Vec<PieceInZone>),
    /// The viewer does not see the zone.
    Hidden {
        /// Number of pieces in it.
        count: usize,
        /// The pieces in it whose identity the viewer knows.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        known: Vec<KnownPiece>,
    },
}

/// A piece in a hidden zone that a viewer knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KnownPiece {
    /// The place from the top, counted from 1, if the order matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_top: Option<usize>,
    /// The piece, as if it were visible.
    #[serde(flatten)]
    pub piece: PieceInZone,
}

/// A piece as a viewer sees it in its zone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PieceInZone {
    /// Its public number, see [`crate::runtime::PieceView::id`].
    pub id: usize,
    /// The name of its kind in the rules: `die`, `frog`.
    pub kind: String,
    /// The title of a card, or of a die with its own faces: `d%`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The id of a card's sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// Number of sides of a die. Other pieces have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
    /// The value that a die shows; `None` before the first roll.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// The side it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<usize>,
    /// The names of its marks, as far as players may know of them.
    pub marks: Vec<String>,
    /// The counters and other fields of a piece that is not a die.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, String>,
    /// The contents of its own zones.
    pub under: Vec<Under>,
    /// The name of its owner, if that must be shown.
    #[serde(skip)]
    pub of: Option<String>,
    /// A number that distinguishes it from others of its sheet that are face up in play.
    #[serde(skip)]
    pub number: Option<String>,
    /// A phrase that distinguishes its sheet from others with the same name: `level 2`.
    #[serde(skip)]
    pub apart: Option<String>,
    /// Printed and stored facts about it, as far as they are visible.
    #[serde(skip)]
    pub facts: Vec<Fact>,
}

/// Something in a zone of a piece, with the zone's name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Under {
    /// A piece that the viewer sees.
    Seen {
        /// The name of the zone in the rules.
        zone: String,
        /// The piece, with the pieces under it in turn.
        #[serde(flatten)]
        piece: Box<PieceInZone>,
    },
    /// Pieces that the viewer does not see. An empty zone is left out.
    Hidden {
        /// The name of the zone in the rules.
        zone: String,
        /// Number of pieces.
        count: usize,
    },
}

impl PieceInZone {
    /// The players' name for it, regardless of its value.
    pub fn display_name(&self) -> String {
        numbered_name(piece_name(&self.kind, self.title.as_deref(), self.size), self.number.as_deref())
    }

    /// The facts that it has gained in play, without those printed on its sheet.
    pub fn gained_facts(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(|fact| self.fields.contains_key(&fact.name))
    }
}

impl Session {
    /// Everything a seat or a spectator may see. All visible state passes through here.
    pub fn view(&self, viewer: Viewer) -> View {
        let context = &self.game.play_context();
        let seat = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator | Viewer::Trusted => None,
        };
        let machine = &self.machine;
        let table = TableView {
            counters: machine
                .visible_fields(context, Value::from(context.roster.table), Fields::visible_to(viewer))
                .into_iter()
                .collect(),
            texts: machine.visible_texts(context, Value::from(context.roster.table), viewer).into_iter().collect(),
            zones: machine.zone_views(context, context.roster.table, viewer).collect(),
        };
        let sides = (0..context.roster.sides).map(|side| machine.side_view(context, side, viewer)).collect();
        View { seat, active: machine.active_side(context), table, sides }
    }
}

impl Machine {
    /// A side as a viewer may know it.
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
        let texts = owners.clone().flat_map(|owner| self.visible_texts(context, Value::from(owner), viewer)).collect();
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
            zones: owners.flat_map(|owner| self.zone_views(context, owner, viewer).collect::<Vec<_>>()).collect(),
            each: self.entrant_views(context, side, viewer),
        }
    }

    /// The entrants of a side, one by one.
    fn entrant_views(&self, context: &PlayContext, side: usize, viewer: Viewer) -> Vec<EntrantView> {
        let entrants = &context.roster.entrants[side];
        entrants.iter().map(|entrant| self.entrant_view(context, *entrant, viewer, entrants.len() == 1)).collect()
    }

    /// An entrant. `alone`: its side has no other, so that its zones are among the side's.
    fn entrant_view(&self, context: &PlayContext, entrant: u16, viewer: Viewer, alone: bool) -> EntrantView {
        let entity = Value::from(entrant);
        let counters: BTreeMap<String, String> =
            self.visible_fields(context, entity, Fields::Counters(viewer)).into_iter().collect();
        let all = self.visible_fields(context, entity, Fields::visible_to(viewer)).into_iter();
        let fields = all.filter(|(name, _)| !counters.contains_key(name)).collect();
        EntrantView {
            id: context.roster.sheet_of(entrant).unwrap_or_default().to_string(),
            key: context.roster.entrant_key(entrant).unwrap_or_default().to_string(),
            name: self.describe_piece(context, entity),
            counters,
            texts: self.visible_texts(context, entity, viewer).into_iter().collect(),
            fields,
            uses: self.uses_of(context, context.roster.instances.iter().filter(|instance| instance.holder == entrant).collect()),
            marks: self.marks_on(context, entity, viewer),
            zones: match alone {
                true => BTreeMap::new(),
                false => self.zone_views(context, entrant, viewer).collect(),
            },
        }
    }

    /// The fields of an entity, other than counters, with values that files can state.
    fn plain_fields(&self, context: &PlayContext, entity: Value, viewer: Viewer) -> BTreeMap<String, String> {
        let Some(found) = self.state.board.entities.get(entity as usize) else { return BTreeMap::new() };
        let fields = &context.program.kind(found.kind).fields;
        let is_plain = |name: &str| {
            fields.iter().any(|field| field.name == name && !field.counter && can_be_set(context.program, &field.shape))
        };
        self.visible_fields(context, entity, Fields::visible_to(viewer)).into_iter().filter(|(name, _)| is_plain(name)).collect()
    }

    /// The names of a thing's marks, as far as a viewer may know them.
    fn marks_on(&self, context: &PlayContext, entity: Value, viewer: Viewer) -> Vec<String> {
        let marks = context.program.marks.iter().enumerate().filter(|(index, _)| self.has_mark(entity, *index as u16));
        let marks = marks.filter(|(_, mark)| viewer == Viewer::Trusted || mark.is_public());
        marks.map(|(_, mark)| mark.name.clone()).collect()
    }

    /// The remaining uses of the abilities of a side's entrants.
    fn uses_view(&self, context: &PlayContext, side: usize) -> BTreeMap<String, UsesView> {
        // Abilities of cards are shown with the cards.
        let of_entrant = |instance: &&Instance| instance.side as usize == side && instance.holder < context.roster.first_piece;
        self.uses_of(context, context.roster.instances.iter().filter(of_entrant).collect())
    }

    /// The remaining uses of some abilities. A repeated ability has `#2` after its id.
    fn uses_of(&self, context: &PlayContext, own: Vec<&Instance>) -> BTreeMap<String, UsesView> {
        let counted = own.iter().enumerate().filter_map(|(place, instance)| {
            let ability = &context.program.abilities[instance.ability as usize];
            let limit = ability.uses.first()?;
            let left = self.uses_left(context, instance, 0, limit);
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

    /// The zones of an entity, by name.
    fn zone_views<'a>(
        &'a self,
        context: &'a PlayContext<'a>,
        owner: u16,
        viewer: Viewer,
    ) -> impl Iterator<Item = (String, ZoneView)> + 'a {
        let entity = &self.state.board.entities[owner as usize];
        let zones = context.program.kind(entity.kind).zones.iter().enumerate();
        zones.filter_map(move |(index, info)| {
            let zone = Value::from(entity.zones) + index as Value;
            // A zone that its sheet lacks is shown only if the rules have put something into it.
            let own = context.roster.matches_sheets(context.program, Value::from(owner), &info.sheets);
            (own || self.state.board.count_pieces(zone) > 0).then(|| (info.name.clone(), self.zone_view(context, zone, viewer)))
        })
    }

    /// A zone: its pieces if the viewer sees it, otherwise their number and those that the viewer knows.
    fn zone_view(&self, context: &PlayContext, zone: Value, viewer: Viewer) -> ZoneView {
        let board = &self.state.board;
        if self.viewers_of(context, zone as u16).includes(viewer) {
            ZoneView::Seen(
                board.ordered_pieces(zone).iter().map(|piece| self.piece_in_zone(context, Value::from(*piece), viewer)).collect(),
            )
        } else {
            ZoneView::Hidden { count: board.count_pieces(zone), known: self.known_pieces(context, zone, viewer) }
        }
    }

    /// The pieces of a hidden zone that a viewer knows.
    fn known_pieces(&self, context: &PlayContext, zone: Value, viewer: Viewer) -> Vec<KnownPiece> {
        let Viewer::Seat(seat) = viewer else { return Vec::new() };
        let ordered = self.zone_info(context, zone as u16).is_some_and(|info| info.ordered);
        // Pieces that are still to be dealt cannot be known.
        let from_top = self.state.board.unordered_pieces(zone).iter().rev().enumerate();
        let known = from_top.filter(|(_, piece)| self.knows_piece(seat, Value::from(**piece)));
        known
            .map(|(index, piece)| KnownPiece {
                from_top: ordered.then_some(index + 1),
                piece: self.piece_in_zone(context, Value::from(*piece), viewer),
            })
            .collect()
    }

    /// The pieces borne by a piece, zone by zone.
    fn pieces_under(&self, context: &PlayContext, piece: Value, viewer: Viewer) -> Vec<Under> {
        let Some(entity) = self.state.board.entities.get(piece as usize) else { return Vec::new() };
        let zones = context.program.kind(entity.kind).zones.iter().enumerate();
        let under = zones.flat_map(|(index, info)| {
            let zone = info.name.clone();
            match self.zone_view(context, Value::from(entity.zones) + index as Value, viewer) {
                ZoneView::Seen(pieces) => {
                    pieces.into_iter().map(|piece| Under::Seen { zone: zone.clone(), piece: Box::new(piece) }).collect()
                }
                ZoneView::Hidden { count: 0, .. } => Vec::new(),
                ZoneView::Hidden { count, .. } => vec![Under::Hidden { zone, count }],
            }
        });
        under.collect()
    }

    /// The counters and other facts of a piece, apart from its identity.
    fn piece_fields(&self, context: &PlayContext, piece: Value, viewer: Viewer) -> BTreeMap<String, String> {
        let kind = self.state.board.entities.get(piece as usize).map_or(0, |entity| entity.kind);
        if context.program.is_die(kind) {
            return BTreeMap::new();
        }
        let known = |name: &str| name == "owner" || name == "sheet";
        self.visible_fields(context, piece, Fields::visible_to(viewer)).into_iter().filter(|(name, _)| !known(name)).collect()
    }

    /// A piece that the viewer may see, with all that it bears.
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
            fields: self.piece_fields(context, piece, viewer),
            under: self.pieces_under(context, piece, viewer),
            of: view.of,
            number: view.number,
            apart: self.print_of_piece(context, piece).and_then(|print| distinguishing_text(context.program, print)),
            facts: self.facts_of_piece(context, piece),
        }
    }
}
