//! The table in as few readable lines as possible: each area with its numbers, each zone with its pieces. An area is the table
//! itself or a side, see `table`. Pieces that a move uses are marked as legal, those of the chosen move as chosen.

use super::flow::Flow;
use super::picker::listed_moves;
use super::style::{FELL, LEGAL, Look, ON_TURN, ROSE, Sense};
use crate::layout::readable_name;
use crate::table::{Area, Board, Cell, Content, Face, Piece, Zone};
use crate::terminal::{MenuMove, Scene};
use ludex_engine::runtime::facts::Fact;
use ratatui::style::Style;
use ratatui::text::Line;
use std::collections::BTreeSet;
use unicode_width::UnicodeWidthStr;

/// Maximum number of identical dice that are shown one by one.
const FEW_DICE: usize = 8;
/// Maximum number of known hidden pieces, and of pieces in a pile if room is short, that are listed; of more, only the count is
/// shown. `look` lists all.
const FEW_KNOWN: usize = 3;
/// An empty cell of a board.
const EMPTY: &str = "·";

/// Draws the table of a scene.
pub struct TableLines<'a> {
    pub scene: &'a Scene,
    /// The move that Enter takes.
    pub chosen: Option<&'a MenuMove>,
    pub width: usize,
    pub look: Look,
    /// Room is short, so pieces aside are only counted.
    pub is_short: bool,
}

impl TableLines<'_> {
    /// The lines, and the index of the one at which the viewer's own side begins.
    pub fn build_lines(&self) -> (Vec<Line<'static>>, usize) {
        let legal: BTreeSet<usize> =
            self.scene.choices.iter().flat_map(listed_moves).flat_map(|listed| listed.pieces.iter().copied()).collect();
        let (mut lines, mut own) = (Vec::new(), 0);
        for area in &self.scene.areas {
            if area.is_mine {
                own = lines.len();
            }
            let before = self.scene.before.iter().find(|known| known.side == area.side && known.name == area.name);
            lines.extend(self.heading_lines(area, before));
            for entrant in &area.entrants {
                let earlier = before.and_then(|before| before.entrants.iter().find(|known| known.name == entrant.name));
                let mut flow = Flow::new(self.width, 4);
                flow.add_fixed_text("  ", Style::new());
                flow.add_words(&entrant.name, self.look.sense_style(Sense::Strong));
                self.add_facts(&mut flow, entrant, earlier);
                lines.extend(flow.into_lines());
                lines.extend(self.lines_of_zones(&entrant.zones, 4, &legal));
            }
            lines.extend(self.lines_of_zones(&area.zones, 2, &legal));
        }
        (lines, own)
    }

    fn sense_style(&self, sense: Sense) -> Style {
        self.look.sense_style(sense)
    }

    /// The name of an area with its numbers. `before` is the area when the viewer was last asked.
    fn heading_lines(&self, area: &Area, before: Option<&Area>) -> Vec<Line<'static>> {
        let mut flow = Flow::new(self.width, 2);
        match area.name.as_str() {
            "" => flow.add_words("Table", self.sense_style(Sense::Strong)),
            name => {
                let sense = if area.is_mine { Sense::Mine } else { Sense::Theirs };
                if area.is_active {
                    flow.add_words(ON_TURN, self.sense_style(Sense::Strong));
                }
                flow.add_words(name, self.sense_style(sense));
                let player = area.side.and_then(|side| self.scene.players.get(side)).filter(|player| !player.is_empty());
                if let Some(player) = player {
                    flow.add_words(&format!("({player})"), self.sense_style(Sense::Plain));
                }
                if area.is_out {
                    flow.add_words("out of the game", self.sense_style(Sense::Bad));
                }
            }
        }
        self.add_facts(&mut flow, area, before);
        flow.into_lines()
    }

    /// Adds the facts of the table, a side or an entrant, then the remarks. Numbers show how much they rose or fell since `before`,
    /// when the viewer was last asked.
    fn add_facts(&self, flow: &mut Flow, area: &Area, before: Option<&Area>) {
        for (place, fact) in area.facts.iter().enumerate() {
            flow.add_words(if place == 0 { " " } else { "·" }, self.sense_style(Sense::Quiet));
            let words = fact.text.clone().unwrap_or_else(|| format!("{} {}", readable_name(&fact.name), fact.value));
            let old = before.and_then(|before| before.facts.iter().find(|known| known.name == fact.name));
            match old.and_then(|old| value_change(old, fact)) {
                None => flow.add_words(&words, Style::new()),
                Some(by) => {
                    let (start, last) = words.rsplit_once(' ').unwrap_or(("", &words));
                    let (sign, sense) = if by < 0 { (FELL, Sense::Fell) } else { (ROSE, Sense::Rose) };
                    flow.add_words(start, Style::new());
                    flow.add_word(&[(last, Style::new()), (&format!("{sign}{}", by.abs()), self.sense_style(sense))]);
                }
            }
        }
        if !area.remarks.is_empty() {
            flow.add_words(&format!("[{}]", area.remarks.join("; ")), self.sense_style(Sense::Quiet));
        }
    }

    fn lines_of_zones(&self, zones: &[Zone], indent: usize, legal: &BTreeSet<usize>) -> Vec<Line<'static>> {
        zones.iter().flat_map(|zone| self.lines_of_zone(zone, indent, legal)).collect()
    }

    /// The lines of a zone. `legal` are the numbers of the pieces that moves use.
    fn lines_of_zone(&self, zone: &Zone, indent: usize, legal: &BTreeSet<usize>) -> Vec<Line<'static>> {
        let mut flow = Flow::new(self.width, indent + 2);
        flow.add_fixed_text(&format!("{}{}  ", " ".repeat(indent), zone.name), self.sense_style(Sense::Quiet));
        match &zone.content {
            Content::Board(board) => return self.board_lines(&zone.name, board, indent),
            Content::Hidden { count, known } => {
                flow.add_words(&format!("{count} hidden"), Style::new());
                match known.len() {
                    0 => {}
                    few if few <= FEW_KNOWN => {
                        flow.add_words(&format!("(you know {})", known.join(", ")), self.sense_style(Sense::Quiet));
                    }
                    many => flow.add_words(&format!("(you know {many} of them)"), self.sense_style(Sense::Quiet)),
                }
            }
            Content::Pieces(pieces) if self.is_short && is_mere_pile(zone, pieces, legal) => {
                flow.add_words(&format!("{} open", pieces.len()), Style::new());
            }
            Content::Pieces(pieces) => self.add_pieces(&mut flow, zone, pieces, legal),
        }
        flow.into_lines()
    }

    /// Adds the pieces of a zone: equal ones are counted, but a few dice are shown one by one.
    fn add_pieces(&self, flow: &mut Flow, zone: &Zone, pieces: &[Piece], legal: &BTreeSet<usize>) {
        let shown = |piece: &Piece| {
            let chosen = self.chosen.is_some_and(|chosen| chosen.pieces.contains(&piece.id));
            (piece.of.clone(), piece_text(piece), piece_details(piece, zone.is_in_play), legal.contains(&piece.id), chosen)
        };
        let mut groups: Vec<(_, usize)> = Vec::new();
        // Pieces of one owner are grouped.
        let owners: Vec<&Option<String>> = pieces.iter().map(|piece| &piece.of).collect();
        let mut in_order: Vec<&Piece> = pieces.iter().collect();
        in_order.sort_by_key(|piece| owners.iter().position(|of| **of == piece.of));
        for piece in in_order {
            let shown = shown(piece);
            let is_few = matches!(piece.face, Face::Die { .. }) && pieces.len() <= FEW_DICE;
            match groups.iter_mut().find(|(known, _)| *known == shown && !is_few) {
                Some((_, count)) => *count += 1,
                None => groups.push((shown, 1)),
            }
        }
        let last = groups.len();
        let next: Vec<Option<String>> = groups.iter().skip(1).map(|((of, ..), _)| of.clone()).collect();
        for (place, ((of, name, told, is_legal, is_chosen), count)) in groups.into_iter().enumerate() {
            if count > 1 {
                flow.add_words(&format!("{count} ×"), self.sense_style(Sense::Quiet));
            }
            let sense = match (is_chosen, is_legal) {
                (true, _) => Sense::Chosen,
                (false, true) => Sense::Legal,
                (false, false) => Sense::Plain,
            };
            let is_die = pieces.first().is_some_and(|piece| matches!(piece.face, Face::Die { .. }));
            let comma = if is_die || place + 1 == last || !told.is_empty() { "" } else { "," };
            let sign = if is_legal { LEGAL } else { "" };
            let (start, end) = name.rsplit_once(' ').unwrap_or(("", &name));
            flow.add_words(start, self.sense_style(sense));
            flow.add_word(&[(end, self.sense_style(sense)), (sign, self.sense_style(Sense::Legal)), (comma, Style::new())]);
            if !told.is_empty() {
                let comma = if place + 1 == last { "" } else { "," };
                flow.add_words(&format!("({}){comma}", told.join(", ")), self.sense_style(Sense::Quiet));
            }
            if let Some(owner) = of.as_ref().filter(|_| next.get(place) != Some(&of)) {
                let comma = if place + 1 == last { "" } else { "," };
                flow.add_words(&format!("of {owner}{comma}"), self.sense_style(Sense::Quiet));
            }
        }
    }

    /// Rows with their numbers in front, and the column numbers below. An empty cell with exactly one move shows the number of
    /// that move.
    fn board_lines(&self, name: &str, board: &Board, indent: usize) -> Vec<Line<'static>> {
        let texts: Vec<Vec<(String, Sense)>> =
            board.rows.iter().map(|row| row.iter().map(|cell| self.cell_text(cell)).collect()).collect();
        let columns = texts.first().map_or(0, Vec::len);
        let width = |column: usize| {
            let cells = texts.iter().filter_map(|row| row.get(column)).map(|(text, _)| text.width());
            cells.chain([(column + 1).to_string().len()]).max().unwrap_or(1)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let numbers = if board.is_row { 0 } else { board.rows.len().to_string().len() + 1 };
        let mut lines = vec![Line::styled(format!("{}{name}", " ".repeat(indent)), self.sense_style(Sense::Quiet))];
        let left = " ".repeat(indent);
        for (row, texts) in board.rows.iter().zip(&texts) {
            let mut flow = Flow::new(usize::MAX, 0);
            let number = row.first().map_or(0, |cell| cell.row);
            let head = if numbers == 0 { left.clone() } else { format!("{left}{number:>0$} ", numbers - 1) };
            flow.add_fixed_text(&head, self.sense_style(Sense::Quiet));
            for ((text, sense), width) in texts.iter().zip(&widths) {
                // The number of a move must differ from those beside the board.
                let is_number = matches!(sense, Sense::Legal | Sense::Chosen) && text.parse::<i64>().is_ok();
                let (open, close) = if is_number { ("[", "]") } else { (" ", " ") };
                flow.add_fixed_text(open, Style::new());
                flow.add_fixed_text(text, self.sense_style(*sense));
                flow.add_fixed_text(close, Style::new());
                flow.add_fixed_text(&" ".repeat(width.saturating_sub(text.width())), Style::new());
            }
            lines.extend(flow.into_lines());
        }
        let foot: String = widths.iter().enumerate().map(|(column, width)| format!(" {:<width$} ", column + 1)).collect();
        lines.push(Line::styled(format!("{left}{}{foot}", " ".repeat(numbers)), self.sense_style(Sense::Quiet)));
        lines
    }

    /// The text of a cell and its meaning. A move concerns a cell if it names the cell or uses a piece in it.
    fn cell_text(&self, cell: &Cell) -> (String, Sense) {
        let names: Vec<String> = cell.pieces.iter().map(piece_with_owner).collect();
        let hidden = (cell.hidden > 0).then(|| format!("{} hidden", cell.hidden));
        let text = names.into_iter().chain(hidden).collect::<Vec<_>>().join(" ");
        let concerns = |listed: &MenuMove| {
            listed.place.as_deref() == Some(&cell.key) || cell.pieces.iter().any(|piece| listed.pieces.contains(&piece.id))
        };
        let mut here = self.scene.choices.iter().flat_map(listed_moves).filter(|listed| concerns(listed));
        let (first, more) = (here.next(), here.next().is_some());
        let is_chosen = self.chosen.is_some_and(concerns);
        let sense = match (is_chosen, first.is_some()) {
            (true, _) => Sense::Chosen,
            (false, true) => Sense::Legal,
            (false, false) if text.is_empty() => Sense::Quiet,
            (false, false) => Sense::Strong,
        };
        let text = match (first, text.is_empty()) {
            (Some(only), true) if !more => only.number.to_string(),
            (Some(_), _) => format!("{text}{LEGAL}"),
            (None, true) => EMPTY.to_string(),
            (None, false) => text,
        };
        (text, sense)
    }
}

/// Whether a pile aside has many pieces, none of which can be chosen.
fn is_mere_pile(zone: &Zone, pieces: &[Piece], legal: &BTreeSet<usize>) -> bool {
    zone.is_aside && pieces.len() > FEW_KNOWN && !pieces.iter().any(|piece| legal.contains(&piece.id))
}

/// The change of a number, if any.
fn value_change(old: &Fact, new: &Fact) -> Option<i64> {
    let (old, new): (i64, i64) = (old.value.parse().ok()?, new.value.parse().ok()?);
    Some(new - old).filter(|by| *by != 0)
}

/// `d4:1 of Ann`, `Otter`
fn piece_with_owner(piece: &Piece) -> String {
    match &piece.of {
        Some(of) => format!("{} of {of}", piece_text(piece)),
        None => piece_text(piece),
    }
}

/// `d8:6`, `Otter`
fn piece_text(piece: &Piece) -> String {
    match piece.face {
        Face::Die { value: Some(value), .. } => format!("{}:{value}", piece.name),
        Face::Die { value: None, .. } | Face::Card => piece.name.clone(),
    }
}

/// The details of a piece: all of them for a card in play, otherwise only the remarks.
fn piece_details(piece: &Piece, in_play: bool) -> Vec<String> {
    let facts = piece.facts.iter().filter(|_| in_play && piece.face == Face::Card);
    facts.chain(&piece.remarks).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(is_short: bool) -> String {
        let pile = ["Otter", "Hare", "Fox", "Frog", "Frog"].map(|name| Piece { name: name.into(), ..Piece::default() });
        let content = Content::Pieces(pile.into());
        let zone = Zone { name: "discard pile".into(), is_in_play: false, is_aside: true, content };
        let area = Area { name: "Ann".into(), is_mine: true, zones: vec![zone], ..Area::default() };
        let scene = Scene { areas: vec![area], ..Scene::default() };
        let (lines, _) = TableLines { scene: &scene, chosen: None, width: 80, look: Look::default(), is_short }.build_lines();
        lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn piles_beside_the_game_are_counted_where_room_is_short() {
        assert_eq!(told(false), "Ann\n  discard pile  Otter, Hare, Fox, 2 × Frog");
        assert_eq!(told(true), "Ann\n  discard pile  5 open");
    }
}
