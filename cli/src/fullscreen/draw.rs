//! The layout of the screen: at the top the stage of play (the open scopes, such as a round and a turn), below it the table,
//! then the moves with the story (the log) beside them, and at the bottom messages and the typed line. Everything is drawn
//! again for each key; the [`Desk`] keeps how far each part is scrolled.

use super::flow::{Flow, wrap_text};
use super::picker::{Item, takes_several};
use super::pieces::TableLines;
use super::screen_state::{Desk, DeskMessage};
use super::style::{CHOSEN, LEAST_HEIGHT, LEAST_WIDTH, Look, NEW, Sense};
use crate::terminal;
use crate::terminal::{Choices, MenuMove, Row, Scene};
use ludex_engine::runtime::Form;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

/// The log gets one in this many columns.
const LOG_SHARE: u16 = 3;
const WIDEST_LOG: u16 = 56;
/// Lines for the header, the rule above the moves, the typed line and the keys.
const FIXED: u16 = 4;
/// Minimum number of lines for the moves and the log beside them, however large the table is.
const LEAST_MOVES: u16 = 6;
/// Number of message lines beyond which messages cover the table.
const MOST_SAID: usize = 2;
/// Minimum number of moves that are listed in columns.
const LEAST_FOR_COLUMNS: usize = 5;
const MOST_COLUMNS: usize = 4;
/// Maximum number of nested scopes that are shown; of more, the innermost are.
const MOST_SCOPES: usize = 3;

/// Draws the whole screen, or a note if it is too small. Stores its size, and how far its parts are really scrolled, in the
/// desk.
pub fn draw_screen(frame: &mut Frame, desk: &mut Desk, look: Look) {
    let area = frame.area();
    desk.size = (area.width, area.height);
    if area.width < LEAST_WIDTH || area.height < LEAST_HEIGHT {
        return draw_too_small(frame, area);
    }
    Drawing { frame, look, area }.draw_all(desk);
}

/// Draws a note instead of the table.
fn draw_too_small(frame: &mut Frame, area: Rect) {
    let text = format!(
        "the table needs {LEAST_WIDTH} columns and {LEAST_HEIGHT} lines, but this window has {} and {}: make it larger",
        area.width, area.height
    );
    for (line, y) in wrap_text(&text, area.width.into(), Style::new()).iter().zip(area.top()..area.bottom()) {
        frame.buffer_mut().set_line(area.x, y, line, area.width);
    }
}

/// A picture of the screen while it is drawn.
struct Drawing<'a, 'f> {
    frame: &'a mut Frame<'f>,
    look: Look,
    area: Rect,
}

impl Drawing<'_, '_> {
    /// Divides the screen, then draws each part.
    fn draw_all(&mut self, desk: &mut Desk) {
        let area = self.area;
        let filter = desk.filter_text();
        let chosen = desk.open_choices().and_then(|choices| desk.picker.chosen_move(choices, &filter)).cloned();
        let log_width = desk.scene.as_ref().map_or(0, |_| (area.width / LOG_SHARE).min(WIDEST_LOG));
        let list_width = area.width - log_width - u16::from(log_width > 0);
        let (moves, chosen_at) = self.move_lines(desk, &filter, list_width);
        let told = self.message_lines(desk);
        desk.is_long = told.len() > MOST_SAID;
        // Longer messages cover the table.
        let said = if desk.is_long { &[][..] } else { told.as_slice() };
        // The lines for the table and the moves; messages take one line at least.
        let room = area.height - FIXED - said.len().max(1) as u16;
        let table =
            |is_short| desk.scene.as_ref().map(|scene| self.table_lines(scene, chosen.as_ref(), is_short)).unwrap_or_default();
        let (table, own) = match table(false) {
            (lines, _) if lines.len() > split_height(room, lines.len(), moves.len()).0.into() => table(true),
            whole => whole,
        };
        let (above, below) = split_height(room, table.len(), moves.len());
        let top = Rect::new(area.x, area.y + 1, area.width, above);
        let list = Rect::new(area.x, top.bottom() + 1, list_width, below);
        let log = Rect::new(list.right() + 1, list.y, log_width, below);
        self.draw_header(desk);
        let mut out_of_sight = Vec::new();
        // The viewer's own side is visible unless they scroll away.
        let usual = own.min(table.len().saturating_sub(above.into()));
        let first = usual.saturating_add_signed(desk.table_shift).min(table.len().saturating_sub(above.into()));
        desk.table_shift = first as isize - usual as isize;
        self.draw_lines(&table, first, top);
        out_of_sight.extend(hidden_lines_text(first, table.len(), above).map(|beyond| format!("table {beyond} Ctrl-↑↓")));
        desk.picker.top = first_visible_line(desk.picker.top, chosen_at, below.into(), moves.len());
        self.draw_lines(&moves, desk.picker.top, list);
        out_of_sight.extend(hidden_lines_text(desk.picker.top, moves.len(), below).map(|beyond| format!("moves {beyond}")));
        if let Some(scene) = &desk.scene {
            let unseen;
            (desk.log_back, unseen) = self.draw_log(scene, desk.log_back, log);
            out_of_sight.extend(match (desk.log_back, unseen) {
                (0, 0) => None,
                (0, unseen) => Some(format!("log {NEW}↑{unseen} PgUp")),
                (back, _) => Some(format!("log ↓{back} PgDn")),
            });
            (log.top()..log.bottom()).for_each(|y| self.put_line(list.right(), y, &Line::styled("│", self.rule_style()), 1));
        }
        self.draw_prompt(desk, &out_of_sight.join(" · "), top.bottom());
        self.draw_lines(said, 0, Rect { y: list.bottom(), height: said.len() as u16, ..area });
        self.draw_messages(desk, &told, Rect::new(area.x, area.y + 1, area.width, above + 1 + below));
        self.draw_typed_line(desk, area.bottom() - 2);
        self.draw_key_help(desk, area.bottom() - 1);
    }

    fn rule_style(&self) -> Style {
        self.look.sense_style(Sense::Rule)
    }

    /// Draws one line at a place, cut to a width.
    fn put_line(&mut self, x: u16, y: u16, line: &Line, width: u16) {
        self.frame.buffer_mut().set_line(x, y, line, width);
    }

    /// Draws the name of the game, the stage of play, and whose turn it is.
    fn draw_header(&mut self, desk: &Desk) {
        let Some(scene) = &desk.scene else { return };
        let scopes = &scene.stage[scene.stage.len().saturating_sub(MOST_SCOPES)..];
        let place = scopes.join(" · ");
        let turn = turn_text(scene);
        let strong = self.look.sense_style(Sense::Strong);
        let line = Line::from(vec![
            Span::styled(terminal::printable_line(&scene.title), strong),
            Span::raw(if place.is_empty() { "" } else { "  " }),
            Span::raw(terminal::printable_line(&place)),
        ]);
        let room = self.area.width.saturating_sub(turn.width() as u16 + 2);
        self.put_line(self.area.x, self.area.y, &line, room);
        self.put_line(self.area.x + room + 2, self.area.y, &Line::styled(turn, strong), self.area.width - room - 2);
    }

    /// The lines of the table, and the index of the one at which the viewer's own side begins.
    fn table_lines(&self, scene: &Scene, chosen: Option<&MenuMove>, is_short: bool) -> (Vec<Line<'static>>, usize) {
        TableLines { scene, chosen, width: self.area.width.into(), look: self.look, is_short }.build_lines()
    }

    /// Draws lines from `first` on, as many as fit.
    fn draw_lines(&mut self, lines: &[Line], first: usize, area: Rect) {
        for (line, y) in lines.iter().skip(first).zip(area.top()..area.bottom()) {
            self.put_line(area.x, y, line, area.width);
        }
    }

    /// Draws the log, scrolled back by up to `back` lines. Returns the number of lines scrolled back, and the number of new
    /// lines above the visible ones, for a hint.
    fn draw_log(&mut self, scene: &Scene, back: usize, area: Rect) -> (usize, usize) {
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        let mut blocks: Vec<Vec<Line>> = Vec::new();
        let (mut count, mut new) = (0, 0);
        for (place, told) in scene.story.iter().enumerate().rev() {
            let is_new = place >= scene.known;
            // Older lines are not needed.
            if count >= height + back && !is_new {
                break;
            }
            let block = self.event_lines(scene, told, is_new, width);
            count += block.len();
            new += if is_new { block.len() } else { 0 };
            blocks.push(block);
        }
        let lines: Vec<Line> = blocks.into_iter().rev().flatten().collect();
        let back = back.min(lines.len().saturating_sub(height));
        let first = (lines.len() - back).saturating_sub(height);
        self.draw_lines(&lines, first, area);
        (back, new.saturating_sub(lines.len() - first))
    }

    /// The lines of one event of the story, with a mark if it is new and its actor in colour.
    fn event_lines(&self, scene: &Scene, told: &terminal::Line, is_new: bool, width: usize) -> Vec<Line<'static>> {
        let mut flow = Flow::new(width, 2);
        let text = match told {
            terminal::Line::Title(text) => {
                flow.add_fixed_text("─ ", self.rule_style());
                flow.add_words(text, self.look.sense_style(Sense::Strong));
                return flow.into_lines();
            }
            terminal::Line::Plain(text) => text,
        };
        flow.add_fixed_text(&format!("{} ", if is_new { NEW } else { " " }), self.look.sense_style(Sense::Strong));
        // The actor's name is mostly at the start.
        let starts =
            |name: &String| text.strip_prefix(name.as_str()).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        let actor = scene.names.iter().enumerate().filter(|(_, name)| starts(name)).max_by_key(|(_, name)| name.len());
        let rest = match actor {
            Some((side, name)) => {
                let sense = if Some(side) == scene.seat { Sense::Mine } else { Sense::Theirs };
                let rest = &text[name.len()..];
                let sign = if rest.starts_with(':') { ":" } else { "" };
                let (start, end) = name.rsplit_once(' ').unwrap_or(("", name));
                flow.add_words(start, self.look.sense_style(sense));
                flow.add_word(&[(end, self.look.sense_style(sense)), (sign, Style::new())]);
                &rest[sign.len()..]
            }
            None => text,
        };
        flow.add_words(rest, Style::new());
        flow.into_lines()
    }

    /// Draws the line above the moves: the question, and the counts of hidden lines.
    fn draw_prompt(&mut self, desk: &Desk, out_of_sight: &str, y: u16) {
        let about = desk.open_choices().and_then(|choices| choices.about.as_ref()).map(|about| format!(" · {about}"));
        let text = match desk.open_choices() {
            Some(choices) => format!("{}{}", choices.prompt, about.unwrap_or_default()),
            None if self.is_short(&desk.prompt) => desk.prompt.clone(),
            None => String::new(),
        };
        let text = if text.is_empty() { text } else { format!("── {} ", terminal::printable_line(&text)) };
        let end = if out_of_sight.is_empty() { String::new() } else { format!(" {out_of_sight} ─") };
        let rest = usize::from(self.area.width).saturating_sub(text.width() + end.width());
        let line = Line::from(vec![
            Span::styled(text, self.look.sense_style(Sense::Strong)),
            Span::styled(format!("{}{end}", "─".repeat(rest)), self.rule_style()),
        ]);
        self.put_line(self.area.x, y, &line, self.area.width);
    }

    /// Whether a question fits into the line above the moves.
    fn is_short(&self, prompt: &str) -> bool {
        prompt.width() + 6 <= self.area.width.into()
    }

    /// The lines of the list, and the first and last line of the chosen move. Without a list, the lines of the question.
    fn move_lines(&self, desk: &Desk, filter: &str, width: u16) -> (Vec<Line<'static>>, (usize, usize)) {
        let width = usize::from(width);
        let Some(choices) = desk.open_choices().filter(|choices| !choices.rows.is_empty()) else {
            let text = match desk.open_choices() {
                Some(choices) => choices.hint.as_str(),
                None if self.is_short(&desk.prompt) => "",
                None => desk.prompt.as_str(),
            };
            return (wrap_text(text, width, self.look.sense_style(Sense::Strong)), (0, 0));
        };
        let items = desk.picker.visible_items(choices, filter);
        let digits = number_width(choices);
        let columns = column_count(&items, digits, width);
        if columns > 1 {
            return self.move_columns(&items, digits, columns, width / columns);
        }
        let (mut lines, mut chosen) = (Vec::new(), (0, 0));
        for item in &items {
            let start = lines.len();
            lines.extend(self.item_lines(item, digits, width));
            if item.is_chosen {
                chosen = (start, lines.len() - 1);
            }
        }
        (lines, chosen)
    }

    /// The list in columns, each `width` wide and filled from top to bottom, with the line of the chosen move.
    fn move_columns(&self, items: &[Item], digits: usize, columns: usize, width: usize) -> (Vec<Line<'static>>, (usize, usize)) {
        let rows = items.len().div_ceil(columns);
        let mut lines: Vec<Line> = vec![Line::default(); rows];
        let mut chosen = 0;
        for (place, item) in items.iter().enumerate() {
            let line = &mut lines[place % rows];
            let cell = self.item_lines(item, digits, width).into_iter().next().unwrap_or_default();
            let gap = (place / rows * width).saturating_sub(line.width());
            line.spans.push(Span::raw(" ".repeat(gap)));
            line.spans.extend(cell.spans);
            if item.is_chosen {
                chosen = place % rows;
            }
        }
        (lines, (chosen, chosen))
    }

    /// The lines of one item: its number, right-aligned to `digits`, its mark and its text.
    fn item_lines(&self, item: &Item, digits: usize, width: usize) -> Vec<Line<'static>> {
        let listed = match item.row {
            Row::Heading(text) => return vec![Line::styled(format!("   {text}"), self.look.sense_style(Sense::Quiet))],
            Row::Move(listed) => listed,
        };
        let indent = 2 * listed.depth;
        let mark = item.mark.as_ref().map(|mark| format!("{mark} ")).unwrap_or_default();
        let head = indent + digits + 4 + mark.width();
        let mut flow = Flow::new(width.saturating_sub(1), head + 2);
        let sense = if item.is_chosen { Sense::Chosen } else { Sense::Plain };
        flow.add_fixed_text(if item.is_chosen { CHOSEN } else { " " }, self.look.sense_style(Sense::Strong));
        flow.add_fixed_text(" ", Style::new());
        flow.add_fixed_text(&format!("{}{:>digits$}", " ".repeat(indent), listed.number), self.look.sense_style(Sense::Legal));
        flow.add_fixed_text("  ", Style::new());
        flow.add_fixed_text(&mark, self.look.sense_style(Sense::Strong));
        flow.add_words(&listed.text, self.look.sense_style(sense));
        flow.into_lines()
    }

    /// The messages of the desk, wrapped.
    fn message_lines(&self, desk: &Desk) -> Vec<Line<'static>> {
        let sentence = |told: &DeskMessage| wrap_text(&told.text, self.area.width.into(), self.look.tone_style(told.tone));
        desk.told.iter().flat_map(sentence).collect()
    }

    /// Draws messages that are too long for the space below the moves over the table, until they are closed.
    fn draw_messages(&mut self, desk: &mut Desk, lines: &[Line], room: Rect) {
        if !desk.is_long || !desk.is_open {
            return;
        }
        let width = usize::from(room.width);
        let height = usize::from(room.height).min(lines.len() + 2);
        let inner = height - 2;
        desk.told_top = desk.told_top.min(lines.len().saturating_sub(inner));
        let scrolls = hidden_lines_text(desk.told_top, lines.len(), inner as u16).map(|beyond| format!("{beyond} PgUp PgDn · "));
        let foot = format!("── {}Enter closes ", scrolls.unwrap_or_default());
        let edge =
            |words: &str| Line::styled(format!("{words}{}", "─".repeat(width.saturating_sub(words.width()))), self.rule_style());
        let (above, below) = (edge(""), edge(&foot));
        let blank = Line::raw(" ".repeat(width));
        let bottom = room.y + height as u16 - 1;
        (room.y..bottom).for_each(|y| self.put_line(room.x, y, &blank, room.width));
        self.put_line(room.x, room.y, &above, room.width);
        self.put_line(room.x, bottom, &below, room.width);
        self.draw_lines(lines, desk.told_top, Rect::new(room.x, room.y + 1, room.width, inner as u16));
    }

    /// Draws the typed line and its cursor.
    fn draw_typed_line(&mut self, desk: &Desk, y: u16) {
        let text = terminal::printable_line(&desk.edit.line_text());
        let before = terminal::printable_line(&desk.edit.text_before_cursor()).width();
        let room = usize::from(self.area.width) - 4;
        // Text that does not fit is cut on the left.
        let skip = before.saturating_sub(room);
        let shown: String = text.chars().skip(skip).collect();
        let hint =
            desk.open_choices().filter(|_| shown.is_empty()).map(|choices| format!("  {}", choices.hint)).unwrap_or_default();
        let line = Line::from(vec![
            Span::styled("> ", self.look.sense_style(Sense::Strong)),
            Span::raw(shown),
            Span::styled(terminal::printable_line(&hint), self.look.sense_style(Sense::Quiet)),
        ]);
        self.put_line(self.area.x, y, &line, self.area.width);
        self.frame.set_cursor_position(Position::new(self.area.x + 2 + (before - skip) as u16, y));
    }

    /// Draws the current functions of the keys.
    fn draw_key_help(&mut self, desk: &Desk, y: u16) {
        let choose = match desk.open_choices().map(|choices| choices.form) {
            None => "Enter answer",
            Some(form) if takes_several(form) => "Space marks, Enter",
            Some(Form::Split { .. }) => "←→ gives · Enter",
            Some(Form::Number { .. }) => "a number, Enter",
            Some(_) => "↑↓ Enter · words",
        };
        let commands = if desk.takes_commands {
            " · PgUp · F1 help F2 table F3 why F4 hint F7 preview · ^Z undo"
        } else {
            " · ^C leave"
        };
        self.put_line(self.area.x, y, &Line::styled(format!("{choose}{commands}"), self.rule_style()), self.area.width);
    }
}

/// The current turn, in words.
fn turn_text(scene: &Scene) -> String {
    let active = scene.areas.iter().find(|area| area.is_active);
    match (&scene.choices, active) {
        (Some(_), Some(area)) if !area.is_mine => {
            format!("you are asked on the turn of {}", terminal::printable_line(&area.name))
        }
        // People who share a terminal need to know who is meant.
        (Some(_), _) if scene.players.iter().any(String::is_empty) => {
            let name = scene.seat.and_then(|seat| scene.names.get(seat)).map_or("", String::as_str);
            format!("{}, your move", terminal::printable_line(name))
        }
        (Some(_), _) => "your move".to_string(),
        // The stage of play may already name the side.
        (None, Some(area)) if !scene.stage.iter().any(|scope| scope.contains(&area.name)) => {
            format!("turn of {}", terminal::printable_line(&area.name))
        }
        (None, _) => String::new(),
    }
}

/// Divides `lines` into those for the table and those for the moves, which need `table` and `moves`. The table gets what it
/// needs as long as the moves keep enough.
fn split_height(lines: u16, table: usize, moves: usize) -> (u16, u16) {
    let (table, moves) = (table.min(lines.into()) as u16, moves.min(lines.into()) as u16);
    let above = table.min(lines - moves.clamp(LEAST_MOVES, lines / 2));
    (above, lines - above)
}

/// The number of hidden lines above and below, if there are any: `↑3 ↓5`. `first` is the first visible one of `count` lines.
fn hidden_lines_text(first: usize, count: usize, height: u16) -> Option<String> {
    let below = count.saturating_sub(first + usize::from(height));
    (first > 0 || below > 0).then(|| format!("↑{first} ↓{below}"))
}

/// The first visible line, scrolled from `top` only as far as the chosen move needs, which is on the lines `first` to `last`.
fn first_visible_line(top: usize, (first, last): (usize, usize), height: usize, count: usize) -> usize {
    let top = top.min(count.saturating_sub(height));
    // A heading right above the first move stays visible with it.
    let first = if first == 1 { 0 } else { first };
    if first < top { first } else { top.max((last + 1).saturating_sub(height)) }
}

/// The number of digits of the longest menu number.
fn number_width(choices: &Choices) -> usize {
    let numbers = choices.rows.iter().filter_map(|row| if let Row::Move(listed) = row { Some(listed.number) } else { None });
    numbers.map(|number| number.to_string().len()).max().unwrap_or(1)
}

/// The number of columns of a long list, limited by its widest line.
fn column_count(items: &[Item], digits: usize, width: usize) -> usize {
    if items.len() < LEAST_FOR_COLUMNS {
        return 1;
    }
    let widest = items.iter().map(|item| match item.row {
        Row::Heading(text) => text.width() + 5,
        Row::Move(listed) => {
            let mark = item.mark.as_ref().map_or(0, |mark| mark.width() + 1);
            listed.text.width() + 2 * listed.depth + digits + 6 + mark
        }
    });
    (width / widest.max().unwrap_or(width).max(1)).clamp(1, MOST_COLUMNS)
}
