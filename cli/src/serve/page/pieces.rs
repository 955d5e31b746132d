//! Drawings of dice, cards and boards. `asked` is the question to the viewer, if there is one: pieces with a move are marked.
//! `rules` is the address of the rules.

use super::moves::hidden_fields;
use crate::table::{Board, Cell, CurrentQuestion, Face, Piece};
use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Dice and cards in a row, grouped by owner. Cards link to their passages in the rules.
pub fn piece_rows(all: &[Piece], asked: Option<&CurrentQuestion>, rules: &str) -> Markup {
    let mut groups: Vec<(&Option<String>, Vec<&Piece>)> = Vec::new();
    for piece in all {
        match groups.iter_mut().find(|(of, _)| **of == piece.of) {
            Some((_, group)) => group.push(piece),
            None => groups.push((&piece.of, vec![piece])),
        }
    }
    html! {
        @for (of, group) in groups {
            @let (before, last) = group.split_at(folded_count(&group));
            @if let Some(first) = before.first() {
                // The last cards matter most; the others would take up much of a small screen.
                details .pile id=(format!("pile{}", first.id)) open[before.iter().any(|piece| is_usable(piece, asked))] {
                    summary { (before.len()) " before these" }
                    (piece_list(of.as_deref(), before, asked, rules))
                }
                (piece_list(None, last, asked, rules))
            } @else {
                (piece_list(of.as_deref(), last, asked, rules))
            }
        }
    }
}

/// Maximum number of cards laid out side by side; of more, only the last are.
const MOST_LAID_OUT: usize = 12;
/// Number of cards that stay laid out if there are more.
const LAST_LAID_OUT: usize = 6;

/// The number of pieces to fold away; dice are small and are never folded.
fn folded_count(group: &[&Piece]) -> usize {
    let is_pile = group.len() > MOST_LAID_OUT && group.iter().all(|piece| matches!(piece.face, Face::Card));
    if is_pile { group.len() - LAST_LAID_OUT } else { 0 }
}

/// Some pieces in a row, after the name of their owner `of`.
fn piece_list(of: Option<&str>, group: &[&Piece], asked: Option<&CurrentQuestion>, rules: &str) -> Markup {
    html! {
        ul .pieces {
            @if let Some(of) = of { li .of { (of) } }
            @for piece in group { li { (linked_piece(piece, asked, rules)) } }
        }
    }
}

/// Whether a move of the question uses or meets a piece.
fn is_usable(piece: &Piece, asked: Option<&CurrentQuestion>) -> bool {
    asked.is_some_and(|asked| asked.is_about(piece.id))
}

/// `count` pieces hidden from the viewer, and the names of those that they know.
pub fn hidden_pieces(count: usize, known: &[String]) -> Markup {
    html! {
        p .hidden {
            svg .back viewBox="0 0 30 40" aria-hidden="true" { rect x="1.5" y="1.5" width="27" height="37" rx="4" {} path d="M6 6 L24 34 M24 6 L6 34" {} }
            " " (count) " hidden"
        }
        @if !known.is_empty() {
            details .known { summary { "You know " (known.len()) " of them" } p { (known.join(", ")) } }
        }
    }
}

/// A piece, with a link to its passages in the rules if it has a sheet.
fn linked_piece(piece: &Piece, asked: Option<&CurrentQuestion>, rules: &str) -> Markup {
    let drawn = draw_piece(piece, asked);
    match &piece.sheet {
        Some(sheet) => rules_link(rules, sheet, drawn),
        None => drawn,
    }
}

/// A link to the passages of the rules about a thing: beside the table, or without scripts on a page of its own.
pub fn rules_link(rules: &str, thing: &str, shown: Markup) -> Markup {
    let address = format!("{rules}?about={}", utf8_percent_encode(thing, NON_ALPHANUMERIC));
    html! { a .told href=(address) target="_blank" hx-get=(address) hx-target="#notice" hx-swap="outerHTML" { (shown) } }
}

fn draw_piece(piece: &Piece, asked: Option<&CurrentQuestion>) -> Markup {
    let usable = is_usable(piece, asked);
    match piece.face {
        Face::Die { size, value } => draw_die(piece, size, value, usable),
        Face::Card => draw_card(piece, usable),
    }
}

/// The text that is read aloud for a piece.
fn spoken_label(piece: &Piece, usable: bool) -> String {
    let name = match piece.face {
        Face::Die { value: Some(value), .. } => format!("{value} on {}", piece.name),
        Face::Die { value: None, .. } => format!("{}, not rolled", piece.name),
        Face::Card => piece.name.clone(),
    };
    let number = matches!(piece.face, Face::Die { .. }).then(|| format!("number {}", piece.id));
    let moves = usable.then(|| "has a move".to_string());
    let rest = number.into_iter().chain(piece.facts.iter().cloned()).chain(piece.remarks.iter().cloned()).chain(moves);
    std::iter::once(name).chain(rest).collect::<Vec<_>>().join(", ")
}

// --- dice -------------------------------------------------------------------------

/// A die in the shape of its size, with its value, its name and its number.
fn draw_die(piece: &Piece, size: i32, value: Option<i32>, usable: bool) -> Markup {
    let shown = value.map_or_else(|| "·".to_string(), |value| value.to_string());
    let marked = piece.remarks.join("; ");
    html! {
        figure .die .usable[usable] .rolled[value.is_some()] {
            svg viewBox="0 0 100 124" role="img" aria-label=(spoken_label(piece, usable)) {
                (die_outline(size))
                text .value .long[shown.chars().count() > 2] x="50" y=(if size == 4 { 68 } else { 53 }) { (shown) }
                text .name x="6" y="120" { (piece.name) }
                text .number x="94" y="120" { "#" (piece.id) }
                @if usable { circle .can cx="88" cy="12" r="9" {} }
            }
            @if !marked.is_empty() { figcaption { (marked) } }
        }
    }
}

/// The shape of a die, by its number of sides.
fn die_outline(size: i32) -> Markup {
    let points = match size {
        4 => "50,6 97,90 3,90",
        6 => "12,10 88,10 88,90 12,90",
        8 => "50,2 98,50 50,98 2,50",
        10 => "50,2 97,42 97,54 50,98 3,54 3,42",
        12 => "50,2 97,37 79,94 21,94 3,37",
        20 => "50,2 93,26 93,74 50,98 7,74 7,26",
        _ => return html! { circle .face cx="50" cy="50" r="46" {} },
    };
    html! { polygon .face points=(points) {} }
}

// --- cards ------------------------------------------------------------------------

/// Maximum number of letters on one line of a card: of its name, then of the text below.
const NAME: usize = 12;
const FACT: usize = 16;
/// Width of a card in the units of the drawing.
const WIDTH: usize = 130;

/// A card with its name, facts and remarks; as high as its text needs.
fn draw_card(piece: &Piece, usable: bool) -> Markup {
    let name = break_lines(&piece.name, NAME);
    let told: Vec<(String, bool)> = card_lines(piece);
    let height = (26 + name.len() * 18 + told.len() * 14).max(64);
    html! {
        figure .card .usable[usable] {
            svg viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(spoken_label(piece, usable)) {
                rect .face x="2" y="2" width=(WIDTH - 4) height=(height - 4) rx="9" {}
                @for (line, words) in name.iter().enumerate() { text .title x="10" y=(23 + line * 18) { (words) } }
                @for (line, (words, remark)) in told.iter().enumerate() {
                    text .fact .remark[*remark] x="10" y=(24 + name.len() * 18 + line * 14) { (words) }
                }
                @if usable { circle .can cx=(WIDTH - 13) cy=(height - 13) r="6" {} }
            }
        }
    }
}

/// The lines below the name of a card, each with whether it is part of a remark.
fn card_lines(piece: &Piece) -> Vec<(String, bool)> {
    let facts = piece.facts.iter().flat_map(|fact| break_lines(fact, FACT)).map(|line| (line, false));
    let remarks = piece.remarks.iter().flat_map(|remark| break_lines(remark, FACT)).map(|line| (line, true));
    facts.chain(remarks).collect()
}

/// Words in lines of at most `most` letters. A longer word is broken after a hyphen or a slash, or else cut.
fn break_lines(text: &str, most: usize) -> Vec<String> {
    let words = text.split_whitespace().flat_map(|word| split_long_word(word, most));
    let lines = crate::layout::break_lines(words, most, most);
    lines.into_iter().flat_map(|line| cut_line(&line, most)).collect()
}

/// A word or, if it is too long, its parts, each of which ends in a hyphen or a slash and fits.
fn split_long_word(word: &str, most: usize) -> Vec<&str> {
    let is_long = word.chars().count() > most;
    let end = word.char_indices().take(most).filter(|(_, sign)| "-/".contains(*sign)).last().map(|(place, _)| place + 1);
    match end.filter(|end| is_long && *end < word.len()) {
        Some(end) => std::iter::once(&word[..end]).chain(split_long_word(&word[end..], most)).collect(),
        None => vec![word],
    }
}

/// A line in parts of at most `most` letters.
fn cut_line(line: &str, most: usize) -> Vec<String> {
    let letters: Vec<char> = line.chars().collect();
    letters.chunks(most).map(|part| part.iter().collect()).collect()
}

// --- boards -----------------------------------------------------------------------

/// A board as a table of its cells. A cell with exactly one move is the button for it.
pub fn board_markup(name: &str, board: &Board, asked: Option<&CurrentQuestion>, sign: Option<&str>) -> Markup {
    html! {
        form .grid method="post" action="answer" hx-post="answer" hx-target="#table" {
            @if let (Some(asked), Some(sign)) = (asked, sign) { (hidden_fields(asked, sign)) }
            table {
                caption .unseen { (name) }
                @for cells in &board.rows {
                    tr {
                        @if let (false, Some(first)) = (board.is_row, cells.first()) { th scope="row" { (first.row) } }
                        @for cell in cells { td { (cell_markup(board, cell, asked)) } }
                    }
                }
                tr {
                    @if !board.is_row { td {} }
                    @if let Some(cells) = board.rows.first() { @for cell in cells { th scope="col" { (cell.column) } } }
                }
            }
        }
    }
}

/// A cell with its pieces: a button if exactly one move names it.
fn cell_markup(board: &Board, cell: &Cell, asked: Option<&CurrentQuestion>) -> Markup {
    let content = html! {
        @for piece in &cell.pieces { (draw_in_cell(piece, asked)) }
        @if cell.hidden > 0 { span .many { (cell.hidden) " hidden" } }
    };
    match asked.and_then(|asked| Some((asked, asked.only_move_at(&cell.key)?))) {
        Some((asked, found)) => html! {
            button .cell id=(format!("c{}-{}", asked.decision, cell.key)) name="key" value=(found.key) aria-label=(found.text) { (content) }
        },
        None => html! {
            div .cell {
                (content)
                @if cell.pieces.is_empty() && cell.hidden == 0 { span .unseen { (cell_place_text(board, cell)) " is empty" } }
            }
        },
    }
}

fn cell_place_text(board: &Board, cell: &Cell) -> String {
    if board.is_row { cell.column.to_string() } else { format!("column {}, row {}", cell.column, cell.row) }
}

/// A piece in a cell: a die is drawn, any other piece is named, with larger letters for a short name.
fn draw_in_cell(piece: &Piece, asked: Option<&CurrentQuestion>) -> Markup {
    match piece.face {
        Face::Die { .. } => draw_piece(piece, asked),
        Face::Card => html! {
            span .piece .short[piece.name.chars().count() < 3] title=[Some(spoken_label(piece, false)).filter(|words| *words != piece.name)] {
                (piece.name) @if let Some(of) = &piece.of { " " small { (of) } }
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_out(count: usize, face: Face) -> (usize, usize) {
        let piece = |id| Piece { id, name: format!("piece {id}"), face, ..Piece::default() };
        let shown = piece_rows(&(0..count).map(piece).collect::<Vec<_>>(), None, "/rules").into_string();
        let folded = shown.split("</details>").next().filter(|_| shown.contains("<details"));
        let pieces = |part: &str| part.matches("<figure").count();
        let folded = folded.map_or(0, pieces);
        (folded, pieces(&shown) - folded)
    }

    #[test]
    fn of_many_cards_the_last_ones_are_laid_out() {
        assert_eq!(laid_out(12, Face::Card), (0, 12));
        assert_eq!(laid_out(40, Face::Card), (34, 6));
    }

    #[test]
    fn long_words_are_broken_behind_hyphens_and_strokes() {
        assert_eq!(break_lines("Mini-Computer & VR Goggles", 12), ["Mini-", "Computer &", "VR Goggles"]);
        assert_eq!(break_lines("Derela/Kyameran", 12), ["Derela/", "Kyameran"]);
        assert_eq!(break_lines("Self-made", 12), ["Self-made"]);
        assert_eq!(break_lines("Rumpelstiltskin", 12), ["Rumpelstilts", "kin"]);
    }

    #[test]
    fn dice_are_never_folded_away() {
        assert_eq!(laid_out(40, Face::Die { size: 6, value: Some(1) }), (0, 40));
    }
}
