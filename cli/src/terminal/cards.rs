//! Cards and other pieces that are not dice. Pieces in play get one line each, with all their text; pieces in hands and piles are
//! counted and listed in rows.

use super::dice;
use super::screen::{Screen, Tone};
use ludex_engine::problem::count_alike;
use ludex_engine::program::Program;
use ludex_engine::runtime::facts::Fact;
use ludex_engine::runtime::{PieceInZone, Under};
use unicode_width::UnicodeWidthStr;

/// Maximum width of the column of names; a longer name does not widen it.
const WIDEST_NAME: usize = 30;

/// Writes pieces for a screen.
pub struct Cards<'a> {
    pub screen: &'a Screen,
    pub program: &'a Program,
}

/// A piece as players read it: its name and its other text.
struct CardText {
    name: String,
    /// Its printed and kept facts, the pieces with it by zone, and its marks.
    rest: Vec<String>,
}

impl Cards<'_> {
    /// The lines of a zone's pieces. `label` comes before the first line, in plain lines before each.
    pub fn zone_card_lines(&self, label: &str, pieces: &[PieceInZone], in_play: bool) -> Vec<String> {
        let (telling, bare): (Vec<CardText>, Vec<CardText>) = match in_play {
            true => pieces.iter().map(|piece| self.piece_in_play(piece)).partition(|told| !told.rest.is_empty()),
            false => (Vec::new(), pieces.iter().map(|piece| self.piece_out_of_play(piece)).collect()),
        };
        let widest = telling.iter().map(|told| told.name.width()).max().unwrap_or(0).min(WIDEST_NAME);
        let mut lines: Vec<String> = telling.iter().flat_map(|told| self.card_lines(label, told, widest)).collect();
        let names: Vec<String> = bare.iter().map(CardText::full_text).collect();
        lines.extend(self.name_rows(label, &count_alike(names.iter().map(String::as_str))));
        if !self.screen.plain {
            let blank = " ".repeat(label.width());
            // Only the first line has the label.
            lines.iter_mut().skip(1).for_each(|line| line.replace_range(..label.len(), &blank));
        }
        lines
    }

    /// A piece with text of its own: `Otter  health 80, damage 20 · food: 2 × Fish · cannot dive`, wrapped at the width of the
    /// screen. `widest` is the width of the column of names.
    fn card_lines(&self, label: &str, told: &CardText, widest: usize) -> Vec<String> {
        if self.screen.plain {
            return vec![format!("{label}{}; {}", told.name, told.rest.join("; "))];
        }
        let padding = " ".repeat(widest.saturating_sub(told.name.width()) + 2);
        let phrases = told.rest.iter().flat_map(|part| split_phrases(part)).collect::<Vec<_>>();
        let mut lines = self.fill_lines(label, told.name.width() + padding.len(), &phrases).into_iter();
        let name = self.screen.paint_text(Tone::Strong, &told.name);
        let first = format!("{label}{name}{padding}{}", lines.next().unwrap_or_default().trim_end_matches(" ·"));
        let more = lines.map(|line| format!("{label}  {}", line.trim_end_matches(" ·")));
        std::iter::once(first).chain(more).collect()
    }

    /// Names in as many rows as they need.
    fn name_rows(&self, label: &str, names: &[String]) -> Vec<String> {
        if names.is_empty() {
            return Vec::new();
        }
        let rows = self.fill_lines(label, 0, &split_phrases(&names.join(", ")));
        rows.into_iter().map(|row| format!("{label}{}", row.trim_end_matches(" ·"))).collect()
    }

    /// Phrases on lines after a label, wrapped between phrases; the first line starts `start` columns further right.
    fn fill_lines(&self, label: &str, start: usize, phrases: &[String]) -> Vec<String> {
        let room = self.screen.line_width().saturating_sub(label.width());
        let mut lines = vec![String::new()];
        let mut width = start;
        for phrase in phrases {
            let Some(line) = lines.last_mut() else { continue };
            if !line.is_empty() && width + 1 + phrase.width() > room {
                lines.push(phrase.clone());
                width = 2 + phrase.width();
                continue;
            }
            let blank = if line.is_empty() { "" } else { " " };
            line.push_str(blank);
            line.push_str(phrase);
            width += blank.len() + phrase.width();
        }
        lines
    }

    /// A piece in play, with all its printed and kept facts.
    fn piece_in_play(&self, piece: &PieceInZone) -> CardText {
        let facts: Vec<String> = piece.facts.iter().map(Fact::fact_text).collect();
        let facts = Some(facts.join(", ")).filter(|facts| !facts.is_empty());
        let rest = facts.into_iter().chain(self.attached_texts(piece)).chain(self.mark_texts(piece)).collect();
        CardText { name: piece.display_name(), rest }
    }

    /// A piece out of play. Its printed facts are known from its name, except those that distinguish sheets of the same name.
    fn piece_out_of_play(&self, piece: &PieceInZone) -> CardText {
        let rest = piece.apart.iter().cloned().chain(self.attached_texts(piece)).chain(self.mark_texts(piece)).collect();
        CardText { name: piece.display_name(), rest }
    }

    /// The name of a piece out of sight: `Otter (age 9)`.
    pub fn piece_name(&self, piece: &PieceInZone) -> String {
        match piece.size {
            Some(_) => dice::dice_inline(std::slice::from_ref(piece), self.screen),
            None => self.piece_out_of_play(piece).full_text(),
        }
    }

    /// The text of a piece in a cell of a board: `X`, `d6:3`, `Otter (health 80)`, `man of Ann`.
    pub fn cell_text(&self, piece: &PieceInZone) -> String {
        let name = match (piece.size, piece.value) {
            (Some(_), Some(value)) => format!("{}:{value}", piece.display_name()),
            (Some(_), None) => piece.display_name(),
            (None, _) => self.piece_in_play(piece).full_text(),
        };
        let borne = if piece.size.is_some() { self.mark_texts(piece) } else { Vec::new() };
        let name = if borne.is_empty() { name } else { format!("{name} ({})", borne.join("; ")) };
        match &piece.of {
            Some(of) => format!("{name} of {of}"),
            None => name,
        }
    }

    /// The pieces with a piece, by zone: `food: 2 × Fish, Worm`.
    fn attached_texts(&self, piece: &PieceInZone) -> Vec<String> {
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
            let words = count_alike(words.iter().map(String::as_str));
            format!("{}: {}", zone.replace('_', " "), words.join(", "))
        };
        zones.iter().map(told).collect()
    }

    /// A piece that is with another: its name and the facts it has gained in play.
    fn attached_piece_text(&self, piece: &PieceInZone) -> String {
        let gained = piece.gained_facts().map(Fact::fact_text);
        let rest = gained.chain(self.attached_texts(piece)).chain(self.mark_texts(piece)).collect();
        CardText { name: piece.display_name(), rest }.full_text()
    }

    /// The texts of the marks on a piece. Marks without a text are internal to the rules.
    fn mark_texts(&self, piece: &PieceInZone) -> Vec<String> {
        shown_mark_texts(self.program, &piece.marks).map(str::to_string).collect()
    }
}

impl CardText {
    /// `Otter (health 80; cannot dive)`
    fn full_text(&self) -> String {
        if self.rest.is_empty() { self.name.clone() } else { format!("{} ({})", self.name, self.rest.join("; ")) }
    }
}

/// The texts of marks that players see; marks without a text are internal to the rules.
pub fn shown_mark_texts<'a>(program: &'a Program, marks: &'a [String]) -> impl Iterator<Item = &'a str> {
    let text = |name: &String| program.marks.iter().find(|mark| mark.name == *name).map(|mark| mark.text.as_str());
    marks.iter().filter_map(text).filter(|text| !text.is_empty())
}

/// The phrases of a text, each kept on one line: `food: 2 × Fish,` and `Worm ·`.
fn split_phrases(text: &str) -> Vec<String> {
    let mut phrases: Vec<String> = text.split(", ").map(|phrase| format!("{phrase},")).collect();
    if let Some(last) = phrases.last_mut() {
        last.pop();
        last.push_str(" ·");
    }
    phrases
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn card(name: &str) -> PieceInZone {
        PieceInZone { kind: "card".into(), title: Some(name.into()), sheet: Some(name.to_lowercase()), ..PieceInZone::default() }
    }

    fn fact(name: &str, value: &str) -> Fact {
        Fact::plain_fact(name, value)
    }

    fn under(zone: &str, piece: PieceInZone) -> Under {
        Under::Seen { zone: zone.into(), piece: Box::new(piece) }
    }

    /// Two otters, one of which has been hurt and carries something, and a stone about which there is nothing to tell.
    fn beach() -> Vec<PieceInZone> {
        let facts = vec![fact("health", "80"), fact("damage", "20")];
        let fish = || under("food", card("Fish"));
        let kept = PieceInZone {
            facts: vec![fact("weight", "3"), fact("caught_on", "monday")],
            fields: BTreeMap::from([("caught_on".to_string(), "monday".to_string())]),
            ..card("Eel")
        };
        let hurt = PieceInZone { facts, under: vec![fish(), fish(), under("store", kept)], ..card("Sea Otter") };
        vec![hurt, PieceInZone { facts: vec![fact("health", "60")], ..card("Otter") }, card("Stone")]
    }

    fn zone(width: Option<usize>, label: &str, pieces: &[PieceInZone], in_play: bool) -> String {
        let (screen, program) = (Screen::of_width(width), Program::default());
        Cards { screen: &screen, program: &program }.zone_card_lines(label, pieces, in_play).join("\n")
    }

    #[test]
    fn what_lies_in_play_has_a_line() {
        insta::assert_snapshot!(zone(Some(80), "  beach  ", &beach(), true), @r"
          beach  Sea Otter  health 80, damage 20 · food: 2 × Fish
                   store: Eel (caught on monday)
                 Otter      health 60
                 Stone
        ");
    }

    #[test]
    fn a_line_is_broken_where_the_screen_ends() {
        insta::assert_snapshot!(zone(Some(40), "  beach  ", &beach(), true), @r"
          beach  Sea Otter  health 80,
                   damage 20 · food: 2 × Fish
                   store: Eel (caught on monday)
                 Otter      health 60
                 Stone
        ");
    }

    #[test]
    fn plain_lines_say_where_each_lies() {
        insta::assert_snapshot!(zone(None, "  beach: ", &beach(), true), @r"
          beach: Sea Otter; health 80, damage 20; food: 2 × Fish; store: Eel (caught on monday)
          beach: Otter; health 60
          beach: Stone
        ");
    }

    #[test]
    fn hands_and_piles_are_counted_and_stand_in_rows() {
        let old = PieceInZone { apart: Some("age 9".into()), ..card("Otter") };
        let hand = [card("Fish"), old, card("Water Lily"), card("Fish"), card("Fish"), card("Stone")];
        insta::assert_snapshot!(zone(Some(40), "  hand  ", &hand, false), @r"
          hand  3 × Fish, Otter (age 9),
                Water Lily, Stone
        ");
        insta::assert_snapshot!(zone(None, "  hand: ", &hand, false), @"  hand: 3 × Fish, Otter (age 9), Water Lily, Stone");
    }
}
