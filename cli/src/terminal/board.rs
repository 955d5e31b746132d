//! The table as the seat that is asked may see it, in lines: the counters, marks and zones of the table and of each side with
//! its entrants. It is drawn from a view, which holds only what the viewer may know. The full screen and browsers use `table`
//! instead.

use super::cards::{Cards, shown_mark_texts};
use super::dice;
use super::grid::Grid;
use super::screen::{Screen, Tone, wrap_lines};
use crate::table::zones_in_order;
use ludex_engine::problem::{count_alike, join_words};
use ludex_engine::program::{BoardInfo, KindSort, Program};
use ludex_engine::runtime::facts::Fact;
use ludex_engine::runtime::{EntrantView, KnownPiece, PieceInZone, SideView, UsesView, View, ZoneView};
use std::collections::{BTreeMap, BTreeSet};
use unicode_width::UnicodeWidthStr;

/// Maximum number of known hidden pieces that are listed; of more, only the count is shown.
const MOST_KNOWN: usize = 10;

/// The context of a board besides the view.
pub struct Board<'a> {
    pub screen: &'a Screen,
    pub program: &'a Program,
    /// Names of zones whose pieces moves have used: these are drawn large.
    pub large: &'a BTreeSet<String>,
    /// The player of each side: `greedy`, `you`.
    pub players: &'a [String],
}

impl Board<'_> {
    /// The lines of the table: the opponents first, the viewer's own side last, next to the question.
    pub fn board_lines(&self, view: &View) -> Vec<String> {
        let own = view.seat;
        let (mine, others): (Vec<&SideView>, Vec<&SideView>) = view.sides.iter().partition(|side| Some(side.side) == own);
        let sides = others.into_iter().chain(mine).flat_map(|side| self.side_lines(view, side));
        self.table_lines(view).into_iter().chain(sides).collect()
    }

    /// The counters of a side, with those and the marks of each of several entrants, in one line; shown when the game is over.
    pub fn side_result(&self, side: &SideView) -> String {
        let own = self.counters_text(KindSort::Side, &side.counters, &side.texts);
        let each = side.each.iter().filter(|_| side.each.len() > 1).map(|entrant| {
            let told = self.counters_text(KindSort::Entrant, &entrant.counters, &entrant.texts);
            let marks = self.marks_text(&entrant.marks).map_or(String::new(), |marks| format!(" {marks}"));
            format!("{} {told}{marks}", entrant.name)
        });
        let parts: Vec<String> = std::iter::once(own).filter(|own| !own.is_empty()).chain(each).collect();
        parts.join("; ")
    }

    /// The counters and zones of the table itself; no lines if it has neither.
    fn table_lines(&self, view: &View) -> Vec<String> {
        let counters = self.counters_text(KindSort::Table, &view.table.counters, &view.table.texts);
        let zones = self.all_zone_lines(&[KindSort::Table], &view.table.zones, 2);
        if counters.is_empty() && zones.is_empty() {
            return Vec::new();
        }
        let mut lines = self.break_lines(format!("Table  {counters}").trim_end());
        lines.extend(zones);
        lines
    }

    /// The lines of a side: its name, counters, uses and marks, its entrants if there are several, and its zones.
    fn side_lines(&self, view: &View, side: &SideView) -> Vec<String> {
        let turn = if view.active == Some(side.side) { "▸ " } else { "" };
        let turn = if self.screen.plain { "" } else { turn };
        let player = self.players.get(side.side).filter(|player| !player.is_empty());
        let player = player.map(|player| format!(" ({player})")).unwrap_or_default();
        let name = self.screen.paint_text(Tone::Strong, &side.name);
        let numbers = side.fields.iter().chain(&side.counters).map(|(name, value)| (name.clone(), value.clone())).collect();
        let borne = self.marks_text(&side.marks).unwrap_or_default();
        // Each of several entrants is shown with its own.
        let uses = if side.each.len() > 1 { String::new() } else { self.uses_text(&side.uses) };
        let facts = [self.counters_text(KindSort::Side, &numbers, &side.texts), uses, borne];
        let facts = facts.into_iter().filter(|facts| !facts.is_empty());
        let out = if side.out { ", out of the game" } else { "" };
        let mut lines = vec![String::new(), format!("{turn}{name}{player}{out}")];
        lines.extend(facts.flat_map(|facts| self.break_lines(&format!("  {facts}"))));
        match side.each.as_slice() {
            // The marks of a side's only entrant are shown as the side's.
            [one] => lines.extend(self.marks_text(&one.marks).map(|marks| format!("  {marks}"))),
            several => lines.extend(several.iter().flat_map(|entrant| self.entrant_lines(side, entrant))),
        }
        lines.extend(self.all_zone_lines(&[KindSort::Entrant, KindSort::Side], &side.zones, 2));
        lines
    }

    /// The lines of one of several entrants of a side: its counters, uses, marks and zones.
    fn entrant_lines(&self, side: &SideView, entrant: &EntrantView) -> Vec<String> {
        let told = entrant.counters.iter().chain(&entrant.fields).map(|(name, value)| (name.clone(), value.clone())).collect();
        let facts = [
            self.counters_text(KindSort::Entrant, &told, &entrant.texts),
            self.uses_text(&entrant.uses),
            self.marks_text(&entrant.marks).unwrap_or_default(),
        ];
        let facts = facts.into_iter().filter(|facts| !facts.is_empty());
        let name = self.screen.paint_text(Tone::Strong, &self.entrant_with_role(side, entrant));
        let facts: Vec<String> = std::iter::once(name).chain(facts).collect();
        let mut lines = self.break_lines(&format!("  {}", facts.join(" · ")));
        lines.extend(self.all_zone_lines(&[KindSort::Entrant], &entrant.zones, 4));
        lines
    }

    /// `Otter, swimmer`: an entrant with the side's field that refers to it, if the side lends by that field: some names of
    /// the side, such as those of zones, then stand for members of this entrant.
    fn entrant_with_role(&self, side: &SideView, entrant: &EntrantView) -> String {
        let fields = self.program.kinds.iter().find(|kind| kind.sort == KindSort::Side).map_or(&[][..], |kind| &kind.fields);
        let lends = |place: usize| self.program.lending.iter().any(|(_, field)| usize::from(*field) == place);
        // Fields that the rules show are already listed with the side.
        let untold = fields.iter().enumerate().filter(|(place, field)| lends(*place) && !field.shown);
        let lending = untold.map(|(_, field)| &field.name);
        let own = lending.filter(|name| side.fields.get(*name) == Some(&entrant.name));
        let parts: Vec<String> = std::iter::once(entrant.name.clone()).chain(own.map(|name| name.replace('_', " "))).collect();
        parts.join(", ")
    }

    /// `[has collapsed; cannot move]`: the texts of marks.
    fn marks_text(&self, marks: &[String]) -> Option<String> {
        let texts: Vec<&str> = shown_mark_texts(self.program, marks).collect();
        (!texts.is_empty()).then(|| format!("[{}]", texts.join("; ")))
    }

    /// The lines of all zones that are not empty, then those of the boards that kinds of the sorts `of` have.
    fn all_zone_lines(&self, of: &[KindSort], zones: &BTreeMap<String, ZoneView>, indent: usize) -> Vec<String> {
        let single = zones_in_order(self.program, zones);
        let widest = single.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
        let lines = single.into_iter().flat_map(|(name, zone)| self.zone_lines(name, zone, indent, widest));
        let is_here =
            |board: &&BoardInfo| of.contains(&self.program.kind(board.kind).sort) && zones.contains_key(&board.cell_name(0));
        let boards = self.program.boards.iter().filter(is_here).flat_map(|board| {
            let label = format!("{}{}", " ".repeat(indent), board.name.replace('_', " "));
            Grid::from_zones(self.screen, self.program, board, zones).grid_lines(&label)
        });
        lines.chain(boards).collect()
    }

    /// The lines of a zone. `widest` is the width of the column of zone names.
    fn zone_lines(&self, name: &str, zone: &ZoneView, indent: usize, widest: usize) -> Vec<String> {
        let shown = name.replace('_', " ");
        let pieces = match zone {
            ZoneView::Hidden { count, known } => {
                return self.hidden_zone_lines(&self.zone_label(&shown, "", indent, widest), *count, known);
            }
            ZoneView::Seen(pieces) => pieces,
        };
        let groups = dice::group_by_owner(pieces);
        let whose = |of: &Option<String>| of.as_deref().map(possessive_name).unwrap_or_default();
        let owners = groups.iter().map(|(of, _)| whose(of)).filter(|whose| !whose.is_empty());
        let owners = owners.map(|whose| whose.width() + 2).max().unwrap_or(0);
        let mut lines = Vec::new();
        for (index, (of, pieces)) in groups.iter().enumerate() {
            let shown = if index == 0 || self.screen.plain { shown.as_str() } else { "" };
            let whose = if self.screen.plain { whose(of) } else { format!("{:owners$}", whose(of)) };
            lines.extend(self.piece_lines(name, &self.zone_label(shown, &whose, indent, widest), pieces));
        }
        lines
    }

    /// The number of pieces in a hidden zone, and those that the viewer knows.
    fn hidden_zone_lines(&self, label: &str, count: usize, known: &[KnownPiece]) -> Vec<String> {
        let known = if known.is_empty() { String::new() } else { format!("; you know {}", self.known_pieces_text(count, known)) };
        let lines = wrap_lines(&format!("{count} hidden{known}"), self.screen.line_width().saturating_sub(label.width()));
        let blank = " ".repeat(label.width());
        lines.iter().enumerate().map(|(index, line)| format!("{}{line}", if index == 0 { label } else { &blank })).collect()
    }

    /// `Nurse and 2 × Jester`; if the order matters, `from the top 1. Nurse and 3. Jester`.
    fn known_pieces_text(&self, count: usize, known: &[KnownPiece]) -> String {
        let cards = Cards { screen: self.screen, program: self.program };
        let (ordered, loose): (Vec<_>, Vec<_>) = known.iter().partition(|known| known.from_top.is_some());
        let place = |known: &&KnownPiece| known.from_top.map(|place| format!("{place}. {}", cards.piece_name(&known.piece)));
        let placed: Vec<String> = ordered.iter().filter_map(place).collect();
        // Pieces come from the top of the zone; without an order they are listed as they were put there.
        let names: Vec<String> = loose.iter().rev().map(|known| cards.piece_name(&known.piece)).collect();
        let names = count_alike(names.iter().map(String::as_str));
        match (placed.len() + names.len() > MOST_KNOWN, placed.is_empty()) {
            (true, _) if known.len() == count => "all of them".to_string(),
            (true, _) => format!("{} of them", known.len()),
            (false, true) => join_words(&names, "and"),
            (false, false) => format!("from the top {}", join_words(&placed, "and")),
        }
    }

    /// The label before the pieces of a zone: its name and their owner.
    fn zone_label(&self, zone: &str, whose: &str, indent: usize, widest: usize) -> String {
        let blank = " ".repeat(indent);
        match (self.screen.plain, whose.is_empty()) {
            (true, true) => format!("{blank}{zone}: "),
            (true, false) => format!("{blank}{zone}: {whose} "),
            (false, _) => format!("{blank}{zone:widest$}  {whose}"),
        }
    }

    /// The lines of some pieces of a zone: dice in boxes if moves have used the zone, else on one line; other pieces as cards.
    fn piece_lines(&self, zone: &str, label: &str, pieces: &[PieceInZone]) -> Vec<String> {
        if pieces.iter().any(|piece| piece.size.is_none()) {
            return Cards { screen: self.screen, program: self.program }.zone_card_lines(label, pieces, self.is_in_play(zone));
        }
        let marks = dice::dice_marks(pieces, self.program);
        let marked = if marks.is_empty() { String::new() } else { format!("  [{}]", marks.join("; ")) };
        if self.screen.plain {
            return vec![format!("{label}{}{marked}", dice::dice_in_words(pieces))];
        }
        if self.large.contains(zone) && pieces.iter().any(|piece| piece.value.is_some()) {
            return self.large_zone_lines(label, pieces, &marks);
        }
        // Painted text must be broken by its width without paint; dice seldom fill a line.
        vec![format!("{label}{}{marked}", dice::dice_inline(pieces, self.screen))]
    }

    /// Whether pieces in a zone of this name are in play.
    fn is_in_play(&self, name: &str) -> bool {
        let mut zones = self.program.kinds.iter().flat_map(|kind| &kind.zones);
        zones.any(|zone| zone.name == name && !zone.out_of_play)
    }

    /// The lines of a zone drawn as boxes, with its name beside the middle of the first row.
    fn large_zone_lines(&self, label: &str, pieces: &[PieceInZone], marks: &[String]) -> Vec<String> {
        let indent = label.chars().count();
        let mut lines = dice::dice_boxes(pieces, self.screen, indent);
        if let Some(middle) = lines.get_mut(1) {
            *middle = format!("{label}{}", middle.trim_start());
        }
        lines.extend(marks.iter().map(|mark| format!("{}{mark}", " ".repeat(indent))));
        lines
    }

    /// The remaining uses of abilities that are limited: `Planet Power: 1 left this match`.
    fn uses_text(&self, uses: &BTreeMap<String, UsesView>) -> String {
        let title = |id: &str| {
            let ability = self.program.abilities.iter().find(|ability| ability.id == id);
            ability.map_or_else(|| id.to_string(), |ability| ability.title.clone())
        };
        let one = |uses: &UsesView| format!("{}: {} left this {}", title(&uses.ability), uses.left, uses.per);
        uses.values().map(one).collect::<Vec<_>>().join(" · ")
    }

    /// The counters, and the non-empty fields that the rules show; other fields are internal to the rules. For sides and
    /// entrants alike, the fields of both are looked for. `texts` replaces names and values, if the rules define texts.
    fn counters_text(&self, sort: KindSort, fields: &BTreeMap<String, String>, texts: &BTreeMap<String, String>) -> String {
        let kinds = self.program.kinds.iter().filter(|kind| match sort {
            KindSort::Table => kind.sort == KindSort::Table,
            _ => matches!(kind.sort, KindSort::Side | KindSort::Entrant),
        });
        let mut facts = Vec::new();
        for field in kinds.flat_map(|kind| &kind.fields) {
            let Some(value) = fields.get(&field.name) else { continue };
            let fact = Fact { text: texts.get(&field.name).cloned(), ..Fact::plain_fact(&field.name, value) };
            let is_silent = fact.text.as_deref() == Some("");
            if (field.counter && !is_silent || field.shown && fact.has_content()) && !facts.contains(&fact.fact_text()) {
                facts.push(fact.fact_text());
            }
        }
        facts.join(" · ")
    }

    fn break_lines(&self, text: &str) -> Vec<String> {
        wrap_lines(text, self.screen.line_width())
    }
}

/// `Ann's`, `Kansas'`.
fn possessive_name(name: &str) -> String {
    format!("{name}{}", if name.ends_with('s') { "'" } else { "'s" })
}

/// Whether any of these pieces is face up in a zone.
pub fn has_any_piece(zone: &ZoneView, pieces: &BTreeSet<usize>) -> bool {
    matches!(zone, ZoneView::Seen(seen) if seen.iter().any(|piece| pieces.contains(&piece.id)))
}
