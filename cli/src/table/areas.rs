//! The areas on the table: one for the table itself and one for each side, with their facts and zones. They are made from a
//! view, which contains only what its viewer may know. A side brings entrants, such as characters; several have areas of their
//! own within the side's.

use crate::layout::readable_name;
use ludex_engine::problem::count_alike;
use ludex_engine::program::{BoardInfo, KindSort, Program, Visibility, ZoneInfo};
use ludex_engine::runtime::facts::Fact;
use ludex_engine::runtime::{EntrantView, PieceInZone, SideView, Under, UsesView, View, ZoneView};
use std::collections::{BTreeMap, BTreeSet};

/// A part of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// Empty for the table itself.
    pub name: String,
    /// The number of the side; `None` for the table, and for the area of an entrant.
    pub side: Option<usize>,
    /// True for the viewer's own side.
    pub is_mine: bool,
    /// True if it is this side's turn.
    pub is_active: bool,
    /// True if the side is out of the game.
    pub is_out: bool,
    /// Counters, and other fields that the rules show, by name.
    pub facts: Vec<Fact>,
    /// Its remaining uses and its marks, in words.
    pub remarks: Vec<String>,
    /// The name of the entrant that the area is about, to look up in the rules; `None` for a side with several.
    pub called: Option<String>,
    /// The areas of its entrants, if there are several.
    pub entrants: Vec<Area>,
    pub zones: Vec<Zone>,
}

/// A zone that is not empty, or a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    pub name: String,
    /// True if its pieces are in play, so that their printed and kept facts matter.
    pub is_in_play: bool,
    /// True if it is open to all but out of play, such as a discard pile.
    pub is_aside: bool,
    pub content: Content,
}

/// The content of a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Pieces that the viewer sees, in order.
    Pieces(Vec<Piece>),
    /// The number of pieces hidden from the viewer, and those that they know.
    Hidden {
        count: usize,
        known: Vec<String>,
    },
    Board(Board),
}

/// Cells in columns and rows; the first row is drawn last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Whether it is a single row, whose cells have one number each.
    pub is_row: bool,
    /// The rows, the highest first.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The cell's name in the keys of moves: `meadow.2.3`, or `1.meadow.2.3` for a side's board.
    pub key: String,
    pub column: usize,
    pub row: usize,
    pub pieces: Vec<Piece>,
    /// The number of pieces there that are hidden from the viewer.
    pub hidden: usize,
}

/// A piece in a zone or a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    pub id: usize,
    pub name: String,
    /// The id of its sheet, which leads to its rules; dice have none.
    pub sheet: Option<String>,
    /// The name of its owner, if it must be shown.
    pub of: Option<String>,
    pub face: Face,
    /// Its printed and kept facts.
    pub facts: Vec<String>,
    /// The pieces with it, and its marks.
    pub remarks: Vec<String>,
}

/// The kind of piece to draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Face {
    /// A die of this size, with its value once it was rolled.
    Die { size: i32, value: Option<i32> },
    #[default]
    Card,
}

/// The areas of a view: the table, the other sides, then the viewer's own.
pub fn view_areas(program: &Program, view: &View) -> Vec<Area> {
    let maker = AreaMaker { program };
    let (mine, others): (Vec<&SideView>, Vec<&SideView>) = view.sides.iter().partition(|side| Some(side.side) == view.seat);
    let sides = others.into_iter().chain(mine).map(|side| maker.side_area(view, side));
    maker.table_area(view).into_iter().chain(sides).collect()
}

/// Makes areas for the games of a program.
struct AreaMaker<'p> {
    program: &'p Program,
}

impl AreaMaker<'_> {
    /// The area of the table itself; `None` if there is nothing on it.
    fn table_area(&self, view: &View) -> Option<Area> {
        let facts = self.area_facts(KindSort::Table, &view.table.counters, &view.table.texts);
        let zones = self.area_zones(&[KindSort::Table], &view.table.zones, None);
        (!facts.is_empty() || !zones.is_empty()).then(|| Area { facts, zones, ..Area::default() })
    }

    /// The area of a side. A single entrant has no area of its own: its marks and zones are the side's.
    fn side_area(&self, view: &View, side: &SideView) -> Area {
        let numbers = side.fields.iter().chain(&side.counters).map(|(name, value)| (name.clone(), value.clone())).collect();
        // Each of several entrants is shown with its own.
        let uses = if side.each.len() > 1 { Vec::new() } else { self.remaining_uses(&side.uses) };
        let own = if let [only] = side.each.as_slice() { self.mark_texts(&only.marks) } else { Vec::new() };
        Area {
            name: side.name.clone(),
            side: Some(side.side),
            called: if let [only] = side.each.as_slice() { Some(only.name.clone()) } else { None },
            is_mine: view.seat == Some(side.side),
            is_active: view.active == Some(side.side),
            is_out: side.out,
            facts: self.area_facts(KindSort::Side, &numbers, &side.texts),
            remarks: uses.into_iter().chain(self.mark_texts(&side.marks)).chain(own).collect(),
            entrants: match side.each.as_slice() {
                [_] => Vec::new(),
                several => several.iter().map(|entrant| self.entrant_area(side, entrant)).collect(),
            },
            zones: self.area_zones(&[KindSort::Entrant, KindSort::Side], &side.zones, Some(side.side)),
        }
    }

    /// The area of one of several entrants of a side.
    fn entrant_area(&self, side: &SideView, entrant: &EntrantView) -> Area {
        let told = entrant.counters.iter().chain(&entrant.fields).map(|(name, value)| (name.clone(), value.clone())).collect();
        Area {
            name: self.entrant_with_role(side, entrant),
            called: Some(entrant.name.clone()),
            facts: self.area_facts(KindSort::Entrant, &told, &entrant.texts),
            remarks: self.remaining_uses(&entrant.uses).into_iter().chain(self.mark_texts(&entrant.marks)).collect(),
            zones: self.area_zones(&[KindSort::Entrant], &entrant.zones, Some(side.side)),
            ..Area::default()
        }
    }

    /// `Otter, swimmer`: an entrant with the side's field that refers to it, if the side lends by that field: some names of
    /// the side, such as those of zones, then stand for members of this entrant.
    fn entrant_with_role(&self, side: &SideView, entrant: &EntrantView) -> String {
        let fields = self.program.kinds.iter().find(|kind| kind.sort == KindSort::Side).map_or(&[][..], |kind| &kind.fields);
        // `place` is the index of a field. A field that the rules show is already listed with the side.
        let lends = |place: usize| self.program.lending.iter().any(|(_, field)| usize::from(*field) == place);
        let untold = fields.iter().enumerate().filter(|(place, field)| lends(*place) && !field.shown);
        let own = untold.map(|(_, field)| &field.name).filter(|name| side.fields.get(*name) == Some(&entrant.name));
        let parts: Vec<String> = std::iter::once(entrant.name.clone()).chain(own.map(|name| readable_name(name))).collect();
        parts.join(", ")
    }

    /// The texts of marks. Marks without a text are internal to the rules.
    fn mark_texts(&self, marks: &[String]) -> Vec<String> {
        let text = |name: &String| self.program.marks.iter().find(|mark| mark.name == *name).map(|mark| mark.text.clone());
        marks.iter().filter_map(text).filter(|text| !text.is_empty()).collect()
    }

    /// The remaining uses of abilities that are limited: `Planet Power: 1 left this match`.
    fn remaining_uses(&self, uses: &BTreeMap<String, UsesView>) -> Vec<String> {
        let title = |id: &str| {
            let ability = self.program.abilities.iter().find(|ability| ability.id == id);
            ability.map_or_else(|| id.to_string(), |ability| ability.title.clone())
        };
        uses.values()
            .map(|uses| format!("{}: {} left this {}", title(&uses.ability), uses.left, readable_name(&uses.per)))
            .collect()
    }

    /// Counters, and non-empty fields that the rules show, with the texts of the rules if there are any. For sides and
    /// entrants alike, the fields of both are looked for.
    fn area_facts(&self, sort: KindSort, fields: &BTreeMap<String, String>, texts: &BTreeMap<String, String>) -> Vec<Fact> {
        let kinds = self.program.kinds.iter().filter(|kind| match sort {
            KindSort::Table => kind.sort == KindSort::Table,
            _ => matches!(kind.sort, KindSort::Side | KindSort::Entrant),
        });
        let mut facts: Vec<Fact> = Vec::new();
        // Facts keep the order of declaration; a side's are shown with those of its entrant.
        for field in kinds.flat_map(|kind| &kind.fields) {
            let Some(value) = fields.get(&field.name) else { continue };
            let fact = Fact { text: texts.get(&field.name).cloned(), ..Fact::plain_fact(&field.name, value) };
            let is_silent = fact.text.as_deref() == Some("");
            if (field.counter && !is_silent || field.shown && fact.has_content()) && !facts.contains(&fact) {
                facts.push(fact);
            }
        }
        facts
    }

    /// The non-empty zones in order of declaration, then the boards that kinds of the sorts `of` have. `side` is the side that
    /// the zones belong to, for the keys of cells.
    fn area_zones(&self, of: &[KindSort], zones: &BTreeMap<String, ZoneView>, side: Option<usize>) -> Vec<Zone> {
        let single = zones_in_order(self.program, zones).into_iter().map(|(name, zone)| Zone {
            name: readable_name(name),
            is_in_play: self.has_zone_that(name, |zone| !zone.out_of_play),
            is_aside: self.has_zone_that(name, |zone| zone.out_of_play && zone.seen == Visibility::All),
            content: self.zone_content(zone),
        });
        let is_here =
            |board: &&BoardInfo| of.contains(&self.program.kind(board.kind).sort) && zones.contains_key(&board.cell_name(0));
        let boards = self.program.boards.iter().filter(is_here);
        let boards = boards.map(|board| Zone {
            name: readable_name(&board.name),
            is_in_play: true,
            is_aside: false,
            content: self.board_content(board, zones, side),
        });
        single.chain(boards).collect()
    }

    /// Whether a zone of this name passes a test.
    fn has_zone_that(&self, name: &str, is_such: impl Fn(&ZoneInfo) -> bool) -> bool {
        let mut zones = self.program.kinds.iter().flat_map(|kind| &kind.zones);
        zones.any(|zone| zone.name == *name && is_such(zone))
    }

    /// The pieces that the viewer sees, or else the number of pieces and those that they know.
    fn zone_content(&self, zone: &ZoneView) -> Content {
        match zone {
            ZoneView::Seen(pieces) => Content::Pieces(pieces.iter().map(|piece| self.make_piece(piece)).collect()),
            ZoneView::Hidden { count, known } => {
                let placed = known.iter().filter_map(|known| {
                    known.from_top.map(|place| format!("{place}. from the top: {}", self.make_piece(&known.piece).piece_text()))
                });
                let loose =
                    known.iter().filter(|known| known.from_top.is_none()).map(|known| self.make_piece(&known.piece).piece_text());
                let loose: Vec<String> = loose.collect();
                let known = placed.chain(count_alike(loose.iter().map(String::as_str))).collect();
                Content::Hidden { count: *count, known }
            }
        }
    }

    /// The cells of a board with their pieces.
    fn board_content(&self, board: &BoardInfo, zones: &BTreeMap<String, ZoneView>, side: Option<usize>) -> Content {
        let columns = usize::from(board.columns);
        let cell = |place: usize| {
            let name = board.cell_name(place);
            let (pieces, hidden) = match zones.get(&name) {
                Some(ZoneView::Seen(pieces)) => (pieces.iter().map(|piece| self.make_piece(piece)).collect(), 0),
                Some(ZoneView::Hidden { count, known }) => {
                    (known.iter().map(|known| self.make_piece(&known.piece)).collect(), count.saturating_sub(known.len()))
                }
                None => (Vec::new(), 0),
            };
            let key = side.map_or_else(|| name.clone(), |side| format!("{side}.{name}"));
            Cell { key, column: place % columns + 1, row: place / columns + 1, pieces, hidden }
        };
        let row = |row: usize| (0..columns).map(|column| cell(row * columns + column)).collect();
        Content::Board(Board { is_row: board.is_row(), rows: (0..usize::from(board.rows)).rev().map(row).collect() })
    }

    /// The piece as it is shown; pieces that are with it become remarks.
    fn make_piece(&self, piece: &PieceInZone) -> Piece {
        let face = piece.size.map_or(Face::Card, |size| Face::Die { size, value: piece.value });
        Piece {
            id: piece.id,
            name: piece.display_name(),
            sheet: piece.sheet.clone(),
            of: piece.of.clone(),
            face,
            facts: piece.facts.iter().map(Fact::fact_text).collect(),
            remarks: self.attached_lines(piece).into_iter().chain(self.mark_texts(&piece.marks)).collect(),
        }
    }

    /// The pieces with a piece, by zone: `food: 2 × Fish, Worm`.
    fn attached_lines(&self, piece: &PieceInZone) -> Vec<String> {
        let mut zones: Vec<(&str, Vec<String>)> = Vec::new();
        for under in &piece.under {
            let (zone, words) = match under {
                Under::Seen { zone, piece } => (zone, self.attached_piece_text(piece)),
                Under::Hidden { zone, count } => (zone, format!("{count} hidden")),
            };
            match zones.iter_mut().find(|(known, _)| known == zone) {
                Some((_, all)) => all.push(words),
                None => zones.push((zone, vec![words])),
            }
        }
        let told = |(zone, words): &(&str, Vec<String>)| {
            format!("{}: {}", readable_name(zone), count_alike(words.iter().map(String::as_str)).join(", "))
        };
        zones.iter().map(told).collect()
    }

    /// A piece that is with another: its name, the facts it has gained in play, and its remarks.
    fn attached_piece_text(&self, piece: &PieceInZone) -> String {
        let made = self.make_piece(piece);
        let rest: Vec<String> = piece.gained_facts().map(Fact::fact_text).chain(made.remarks).collect();
        if rest.is_empty() { made.name } else { format!("{} ({})", made.name, rest.join("; ")) }
    }
}

impl Area {
    /// Its zones and those of its entrants.
    pub fn all_zones(&self) -> impl Iterator<Item = &Zone> {
        self.zones.iter().chain(self.entrants.iter().flat_map(|entrant| &entrant.zones))
    }
}

impl Piece {
    /// `2 on d12`, `d8`, `Otter`
    pub fn piece_text(&self) -> String {
        let words = match self.face {
            Face::Die { value: Some(value), .. } => format!("{value} on {}", self.name),
            Face::Die { value: None, .. } | Face::Card => self.name.clone(),
        };
        match &self.of {
            Some(of) => format!("{words} of {of}"),
            None => words,
        }
    }
}

/// The non-empty ones of some zones in order of declaration, an entrant's own before its side's, without the cells of boards.
pub fn zones_in_order<'z>(program: &Program, zones: &'z BTreeMap<String, ZoneView>) -> Vec<(&'z String, &'z ZoneView)> {
    let of = |sort: KindSort| program.kinds.iter().filter(move |kind| kind.sort == sort);
    let declared = of(KindSort::Entrant).chain(of(KindSort::Side)).chain(of(KindSort::Table));
    let (single, cells): (Vec<&ZoneInfo>, Vec<&ZoneInfo>) =
        declared.flat_map(|kind| &kind.zones).partition(|zone| zone.board.is_none());
    let names: Vec<&str> = single.iter().map(|zone| zone.name.as_str()).collect();
    let cells: BTreeSet<&str> = cells.iter().map(|zone| zone.name.as_str()).collect();
    let is_shown = |(name, zone): &(&String, &ZoneView)| !is_empty(zone) && !cells.contains(name.as_str());
    let mut shown: Vec<_> = zones.iter().filter(is_shown).collect();
    shown.sort_by_key(|(name, _)| names.iter().position(|known| known == name));
    shown
}

fn is_empty(zone: &ZoneView) -> bool {
    match zone {
        ZoneView::Seen(pieces) => pieces.is_empty(),
        ZoneView::Hidden { count, .. } => *count == 0,
    }
}
