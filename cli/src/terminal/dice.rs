//! Dice drawn so that value and size can be read at a glance.

use super::screen::{Screen, Tone};
use ludex_engine::problem::count_alike;
use ludex_engine::program::Program;
use ludex_engine::runtime::PieceInZone;

/// Pieces in boxes, as many to a row as fit: size at the top, value in the middle. Each row of boxes is three lines.
pub fn dice_boxes(pieces: &[PieceInZone], screen: &Screen, indent: usize) -> Vec<String> {
    let inner = pieces.iter().map(inner_width).max().unwrap_or(3);
    let room = screen.line_width().saturating_sub(indent);
    let in_a_row = (room / (inner + 3)).max(1);
    pieces.chunks(in_a_row).flat_map(|row| row_of_boxes(row, inner, screen, indent)).collect()
}

/// The lines of a row of boxes, each `inner` columns wide inside its border.
fn row_of_boxes(row: &[PieceInZone], inner: usize, screen: &Screen, indent: usize) -> [String; 3] {
    let line = |part: &dyn Fn(&PieceInZone) -> String| {
        let parts: Vec<String> = row.iter().map(part).collect();
        format!("{}{}", " ".repeat(indent), parts.join(" "))
    };
    let quiet = |text: String| screen.paint_text(Tone::Quiet, &text);
    let top = |piece: &PieceInZone| format!("╭{:─<inner$}╮", piece.display_name());
    let bottom = |_: &PieceInZone| quiet(format!("╰{:─>inner$}╯", ""));
    let middle = |piece: &PieceInZone| format!("│{}│", screen.paint_text(Tone::Strong, &format!("{:^inner$}", face_text(piece))));
    [line(&top), line(&middle), line(&bottom)]
}

/// Pieces grouped by owner, each group with the owner's name if it has to be shown; the group without a name comes first.
pub fn group_by_owner(pieces: &[PieceInZone]) -> Vec<(Option<String>, Vec<PieceInZone>)> {
    let mut groups: Vec<(Option<String>, Vec<PieceInZone>)> = Vec::new();
    for piece in pieces {
        match groups.iter_mut().find(|(of, _)| *of == piece.of) {
            Some((_, group)) => group.push(piece.clone()),
            None => groups.push((piece.of.clone(), vec![piece.clone()])),
        }
    }
    groups.sort_by_key(|(of, _)| of.is_some());
    groups
}

/// Dice on one line: `d4:1 d8:6`, and `d8` for one that was not rolled.
pub fn dice_inline(pieces: &[PieceInZone], screen: &Screen) -> String {
    let one = |piece: &PieceInZone| match piece.value {
        Some(_) => format!("{}:{}", piece.display_name(), screen.paint_text(Tone::Strong, &face_text(piece))),
        None => piece.display_name(),
    };
    pieces.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Dice in words, for pipes and screen readers: `1 on d4, 2 × d8`.
pub fn dice_in_words(pieces: &[PieceInZone]) -> String {
    let one = |piece: &PieceInZone| match piece.value {
        Some(value) => format!("{value} on {}", piece.display_name()),
        None => piece.display_name(),
    };
    let names: Vec<String> = pieces.iter().map(one).collect();
    count_alike(names.iter().map(String::as_str)).join(", ")
}

/// The marks on dice that have a text for players, one phrase for each die: `d8:6 defended`.
pub fn dice_marks(pieces: &[PieceInZone], program: &Program) -> Vec<String> {
    let tells = |name: &&String| program.marks.iter().any(|mark| mark.name == **name && !mark.text.is_empty());
    let told = |piece: &PieceInZone| {
        let marks: Vec<String> = piece.marks.iter().filter(tells).map(|name| name.replace('_', " ")).collect();
        let value = piece.value.map_or_else(String::new, |value| format!(":{value}"));
        (!marks.is_empty()).then(|| format!("{}{value} {}", piece.display_name(), marks.join(", ")))
    };
    pieces.iter().filter_map(told).collect()
}

/// The value that a die shows, or a dot before its first roll.
fn face_text(piece: &PieceInZone) -> String {
    piece.value.map_or_else(|| "·".to_string(), |value| value.to_string())
}

/// Width for the name and a stretch of border, and for the value with a space on either side.
fn inner_width(piece: &PieceInZone) -> usize {
    let value = face_text(piece).chars().count() + 2;
    (piece.display_name().chars().count() + 1).max(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn die(id: usize, size: i32, value: Option<i32>) -> PieceInZone {
        PieceInZone { id, kind: "die".to_string(), size: Some(size), value, ..PieceInZone::default() }
    }

    fn dice() -> Vec<PieceInZone> {
        vec![die(0, 4, Some(1)), die(1, 8, Some(6)), die(2, 20, Some(14)), die(13, 100, None)]
    }

    #[test]
    fn a_die_shows_its_size_and_its_value() {
        let lines = dice_boxes(&dice(), &Screen::of_width(Some(80)), 2).join("\n");
        insta::assert_snapshot!(lines, @r"
          ╭d4───╮ ╭d8───╮ ╭d20──╮ ╭d100─╮
          │  1  │ │  6  │ │ 14  │ │  ·  │
          ╰─────╯ ╰─────╯ ╰─────╯ ╰─────╯
        ");
    }

    #[test]
    fn a_row_ends_where_the_screen_does() {
        let lines = dice_boxes(&dice(), &Screen::of_width(Some(20)), 2).join("\n");
        insta::assert_snapshot!(lines, @r"
          ╭d4───╮ ╭d8───╮
          │  1  │ │  6  │
          ╰─────╯ ╰─────╯
          ╭d20──╮ ╭d100─╮
          │ 14  │ │  ·  │
          ╰─────╯ ╰─────╯
        ");
    }

    #[test]
    fn on_one_line_value_and_size_stand_together() {
        assert_eq!(dice_inline(&dice(), &Screen::of_width(Some(80))), "d4:1 d8:6 d20:14 d100");
    }

    #[test]
    fn in_words_the_value_comes_first() {
        assert_eq!(dice_in_words(&dice()[..2]), "1 on d4, 6 on d8");
        assert_eq!(dice_in_words(&[die(0, 8, None), die(1, 8, None), die(2, 4, None)]), "2 × d8, d4");
    }
}
