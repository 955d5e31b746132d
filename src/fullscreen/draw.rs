//! Where everything stands: where play is, the table beside what has happened, the moves, and what is typed.

use super::desk::{Desk, Told};
use super::flow::{Flow, wrapped};
use super::look::{CHOSEN, Look, NEW, Sense};
use super::picker::{Item, takes_several};
use super::pieces::TableLines;
use crate::terminal;
use crate::terminal::{Choices, Listed, Row, Scene};
use ludex_engine::runtime::Form;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

pub const LEAST_WIDTH: u16 = 80;
pub const LEAST_HEIGHT: u16 = 24;

/// Of the columns so many in eight are for what has happened.
const LOG_SHARE: u16 = 3;
const WIDEST_LOG: u16 = 56;
/// Header, the line above the moves, what was said, what is typed, and the keys.
const FIXED: u16 = 5;
/// However many moves there are, so much is left for the table.
const LEAST_TABLE: u16 = 7;
const LEAST_MOVES: u16 = 4;
/// Fewer moves stand one below the other even where there is room beside them.
const LEAST_FOR_COLUMNS: usize = 5;
const MOST_COLUMNS: usize = 4;
/// Of more scopes within each other the innermost are told.
const MOST_SCOPES: usize = 3;

/// Draws all of it.
pub fn draw(frame: &mut Frame, desk: &mut Desk, look: Look) {
    let area = frame.area();
    desk.size = (area.width, area.height);
    if area.width < LEAST_WIDTH || area.height < LEAST_HEIGHT {
        return too_small(frame, area);
    }
    Drawing { frame, look, area }.all(desk);
}

fn too_small(frame: &mut Frame, area: Rect) {
    let text = format!(
        "the table needs {LEAST_WIDTH} columns and {LEAST_HEIGHT} lines, and here are {} and {}: make the window larger",
        area.width, area.height
    );
    for (line, y) in wrapped(&text, area.width.into(), Style::new()).iter().zip(area.top()..area.bottom()) {
        frame.buffer_mut().set_line(area.x, y, line, area.width);
    }
}

struct Drawing<'a, 'f> {
    frame: &'a mut Frame<'f>,
    look: Look,
    area: Rect,
}

impl Drawing<'_, '_> {
    fn all(&mut self, desk: &mut Desk) {
        let area = self.area;
        let filter = desk.filter();
        let chosen = desk.choices().and_then(|choices| desk.picker.chosen(choices, &filter)).cloned();
        let log_width = (area.width * LOG_SHARE / 8).min(WIDEST_LOG);
        let table_width = area.width - log_width - 1;
        let table = desk.scene.as_ref().map(|scene| self.table(scene, chosen.as_ref(), table_width)).unwrap_or_default();
        let (moves, chosen_at) = self.moves(desk, &filter);
        let (above, below) = shares(area.height - FIXED, table.len(), moves.len());
        let top = Rect::new(area.x, area.y + 1, area.width, above);
        let list = Rect::new(area.x, top.bottom() + 1, area.width, below);
        self.header(desk);
        if let Some(scene) = &desk.scene {
            let log = Rect::new(area.x + table_width + 1, top.y, log_width, top.height);
            desk.log_back = self.log(scene, desk.log_back, log);
            (top.top()..top.bottom()).for_each(|y| self.put(area.x + table_width, y, &Line::styled("│", self.rule()), 1));
        }
        desk.table_top = self.scrolled(&table, desk.table_top, Rect { width: table_width, ..top });
        self.prompt(desk, Rect { y: top.bottom(), height: 1, ..area });
        desk.picker.top = in_sight(desk.picker.top, chosen_at, list.height.into(), moves.len());
        self.listed(&moves, desk.picker.top, list);
        self.told(desk, Rect::new(area.x, area.y + 1, area.width, above + 1 + below), list.bottom());
        self.typed(desk, list.bottom() + 1);
        self.keys(desk, list.bottom() + 2);
    }

    fn rule(&self) -> Style {
        self.look.style(Sense::Rule)
    }

    fn put(&mut self, x: u16, y: u16, line: &Line, width: u16) {
        self.frame.buffer_mut().set_line(x, y, line, width);
    }

    /// Which game this is, where play is, and whose turn it is.
    fn header(&mut self, desk: &Desk) {
        let Some(scene) = &desk.scene else { return };
        let scopes = &scene.stage[scene.stage.len().saturating_sub(MOST_SCOPES)..];
        let place = scopes.join(" · ");
        let turn = turn(scene);
        let strong = self.look.style(Sense::Strong);
        let line = Line::from(vec![
            Span::styled(terminal::printable(&scene.title), strong),
            Span::raw(if place.is_empty() { "" } else { "  " }),
            Span::raw(terminal::printable(&place)),
        ]);
        let room = self.area.width.saturating_sub(turn.width() as u16 + 2);
        self.put(self.area.x, self.area.y, &line, room);
        self.put(self.area.x + room + 2, self.area.y, &Line::styled(turn, strong), self.area.width - room - 2);
    }

    fn table(&self, scene: &Scene, chosen: Option<&Listed>, width: u16) -> Vec<Line<'static>> {
        TableLines { scene, chosen, width: width.into(), look: self.look }.lines()
    }

    /// Lines of which not all may have room; gives the first one that is in sight.
    fn scrolled(&mut self, lines: &[Line], first: usize, area: Rect) -> usize {
        let height = usize::from(area.height);
        let first = first.min(lines.len().saturating_sub(height));
        for (line, y) in lines.iter().skip(first).zip(area.top()..area.bottom()) {
            self.put(area.x, y, line, area.width);
        }
        let more = lines.len().saturating_sub(first + height);
        if (more > 0 || first > 0) && height > 0 {
            let words = format!(" ↑{first} ↓{more} Ctrl-↑↓ or F2 ");
            let x = area.right().saturating_sub(words.width() as u16);
            self.put(x, area.bottom() - 1, &Line::styled(words, self.rule()), area.width);
        }
        first
    }

    /// The end of the log, or what stands so many lines before it; gives how many these are.
    fn log(&mut self, scene: &Scene, back: usize, area: Rect) -> usize {
        let width = usize::from(area.width);
        let mut lines: Vec<Line> = Vec::new();
        for (place, told) in scene.story.iter().enumerate() {
            lines.extend(self.event(scene, told, place >= scene.known, width));
        }
        let height = usize::from(area.height);
        let back = back.min(lines.len().saturating_sub(height));
        let end = lines.len() - back;
        let start = end.saturating_sub(height);
        for (line, y) in lines[start..end].iter().zip(area.top()..area.bottom()) {
            self.put(area.x, y, line, area.width);
        }
        if back > 0 {
            let words = format!(" ↓{back} PgDn ");
            let x = area.right().saturating_sub(words.width() as u16);
            self.put(x, area.bottom() - 1, &Line::styled(words, self.rule()), area.width);
        }
        back
    }

    fn event(&self, scene: &Scene, told: &terminal::Line, is_new: bool, width: usize) -> Vec<Line<'static>> {
        let mut flow = Flow::new(width, 2);
        let text = match told {
            terminal::Line::Title(text) => {
                flow.fixed("─ ", self.rule());
                flow.words(text, self.look.style(Sense::Strong));
                return flow.lines();
            }
            terminal::Line::Plain(text) => text,
        };
        flow.fixed(&format!("{} ", if is_new { NEW } else { " " }), self.look.style(Sense::Strong));
        // Whoever acts mostly stands at the beginning.
        let starts =
            |name: &String| text.strip_prefix(name.as_str()).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        let actor = scene.names.iter().enumerate().filter(|(_, name)| starts(name)).max_by_key(|(_, name)| name.len());
        let rest = match actor {
            Some((side, name)) => {
                let sense = if Some(side) == scene.seat { Sense::Mine } else { Sense::Theirs };
                let rest = &text[name.len()..];
                let sign = if rest.starts_with(':') { ":" } else { "" };
                let (start, end) = name.rsplit_once(' ').unwrap_or(("", name));
                flow.words(start, self.look.style(sense));
                flow.word(&[(end, self.look.style(sense)), (sign, Style::new())]);
                &rest[sign.len()..]
            }
            None => text,
        };
        flow.words(rest, Style::new());
        flow.lines()
    }

    /// The line above the moves: what is asked.
    fn prompt(&mut self, desk: &Desk, area: Rect) {
        let text = match desk.choices() {
            Some(choices) => {
                let about = choices.about.as_ref().map(|about| format!(" · {about}")).unwrap_or_default();
                format!("{}{about}", choices.prompt)
            }
            None => String::new(),
        };
        let text = if text.is_empty() { String::new() } else { format!("── {} ", terminal::printable(&text)) };
        let rest = usize::from(area.width).saturating_sub(text.width());
        let line =
            Line::from(vec![Span::styled(text, self.look.style(Sense::Strong)), Span::styled("─".repeat(rest), self.rule())]);
        self.put(area.x, area.y, &line, area.width);
    }

    /// The lines of the list, and which of them the chosen move takes. Where nothing is listed, the question.
    fn moves(&self, desk: &Desk, filter: &str) -> (Vec<Line<'static>>, (usize, usize)) {
        let width = usize::from(self.area.width);
        let Some(choices) = desk.choices().filter(|choices| !choices.rows.is_empty()) else {
            let text = desk.choices().map_or(desk.prompt.as_str(), |choices| choices.hint.as_str());
            return (wrapped(text, width, self.look.style(Sense::Strong)), (0, 0));
        };
        let items = desk.picker.items(choices, filter);
        let digits = digits(choices);
        let columns = columns(&items, digits, width);
        if columns > 1 {
            return self.in_columns(&items, digits, columns);
        }
        let (mut lines, mut chosen) = (Vec::new(), (0, 0));
        for item in &items {
            let start = lines.len();
            lines.extend(self.item(item, digits, width));
            if item.is_chosen {
                chosen = (start, lines.len() - 1);
            }
        }
        (lines, chosen)
    }

    fn in_columns(&self, items: &[Item], digits: usize, columns: usize) -> (Vec<Line<'static>>, (usize, usize)) {
        let rows = items.len().div_ceil(columns);
        let width = usize::from(self.area.width) / columns;
        let mut lines: Vec<Line> = vec![Line::default(); rows];
        let mut chosen = 0;
        for (place, item) in items.iter().enumerate() {
            let line = &mut lines[place % rows];
            let cell = self.item(item, digits, width).into_iter().next().unwrap_or_default();
            let gap = (place / rows * width).saturating_sub(line.width());
            line.spans.push(Span::raw(" ".repeat(gap)));
            line.spans.extend(cell.spans);
            if item.is_chosen {
                chosen = place % rows;
            }
        }
        (lines, (chosen, chosen))
    }

    fn item(&self, item: &Item, digits: usize, width: usize) -> Vec<Line<'static>> {
        let listed = match item.row {
            Row::Heading(text) => return vec![Line::styled(format!("  {text}"), self.look.style(Sense::Quiet))],
            Row::Move(listed) => listed,
        };
        let indent = 2 * listed.depth;
        let mark = item.mark.as_ref().map(|mark| format!("{mark} ")).unwrap_or_default();
        let head = indent + digits + 3 + mark.width();
        let mut flow = Flow::new(width.saturating_sub(1), head + 2);
        let sense = if item.is_chosen { Sense::Chosen } else { Sense::Plain };
        flow.fixed(if item.is_chosen { CHOSEN } else { " " }, self.look.style(Sense::Strong));
        flow.fixed(&format!("{}{:>digits$}", " ".repeat(indent), listed.number), self.look.style(Sense::Legal));
        flow.fixed("  ", Style::new());
        flow.fixed(&mark, self.look.style(Sense::Strong));
        flow.words(&listed.text, self.look.style(sense));
        flow.lines()
    }

    fn listed(&mut self, moves: &[Line], top: usize, area: Rect) {
        for (line, y) in moves.iter().skip(top).zip(area.top()..area.bottom()) {
            self.put(area.x, y, line, area.width);
        }
        let more = moves.len().saturating_sub(top + usize::from(area.height));
        if (more > 0 || top > 0) && area.height > 0 {
            let words = format!(" ↑{top} ↓{more} ");
            let x = area.right().saturating_sub(words.width() as u16);
            self.put(x, area.bottom() - 1, &Line::styled(words, self.rule()), area.width);
        }
    }

    /// What was said: in one line where there is room, else in front of the table until it is closed.
    fn told(&mut self, desk: &mut Desk, room: Rect, y: u16) {
        if !desk.is_long() {
            let told = desk.told.first();
            let line = told.map(|told| Line::styled(terminal::printable(&told.text), self.look.tone(told.tone)));
            return self.put(self.area.x, y, &line.unwrap_or_default(), self.area.width);
        }
        if !desk.is_open {
            return;
        }
        let width = usize::from(room.width) - 4;
        let lines: Vec<Line> = desk.told.iter().flat_map(|told| self.sentence(told, width)).collect();
        let height = usize::from(room.height).min(lines.len() + 2);
        let inner = height - 2;
        desk.told_top = desk.told_top.min(lines.len().saturating_sub(inner));
        let first = desk.told_top;
        let more = lines.len().saturating_sub(first + inner);
        let foot = match (first, more) {
            (0, 0) => " Enter closes ".to_string(),
            _ => format!(" ↑{first} ↓{more} PgUp PgDn · Enter closes "),
        };
        let edge = |left: &str, right: &str, words: &str| {
            let rest = usize::from(room.width).saturating_sub(words.width() + 3);
            format!("{left}─{words}{}{right}", "─".repeat(rest))
        };
        let blank = Line::raw(" ".repeat(room.width.into()));
        for (row, y) in (room.top()..room.bottom()).take(height).enumerate() {
            self.put(room.x, y, &blank, room.width);
            let style = self.rule();
            match row {
                0 => self.put(room.x, y, &Line::styled(edge("╭", "╮", ""), style), room.width),
                last if last + 1 == height => self.put(room.x, y, &Line::styled(edge("╰", "╯", &foot), style), room.width),
                row => {
                    self.put(room.x, y, &Line::styled("│", style), 1);
                    self.put(room.right() - 1, y, &Line::styled("│", style), 1);
                    if let Some(line) = lines.get(first + row - 1) {
                        self.put(room.x + 2, y, line, room.width - 4);
                    }
                }
            }
        }
    }

    fn sentence(&self, told: &Told, width: usize) -> Vec<Line<'static>> {
        wrapped(&told.text, width, self.look.tone(told.tone))
    }

    /// The line that is typed, and the cursor in it.
    fn typed(&mut self, desk: &Desk, y: u16) {
        let text = terminal::printable(&desk.edit.text());
        let before = terminal::printable(&desk.edit.before()).width();
        let room = usize::from(self.area.width) - 4;
        // What does not fit goes out of sight on the left.
        let skip = before.saturating_sub(room);
        let shown: String = text.chars().skip(skip).collect();
        let hint = desk.choices().filter(|_| shown.is_empty()).map(|choices| format!("  {}", choices.hint)).unwrap_or_default();
        let line = Line::from(vec![
            Span::styled("> ", self.look.style(Sense::Strong)),
            Span::raw(shown),
            Span::styled(terminal::printable(&hint), self.look.style(Sense::Quiet)),
        ]);
        self.put(self.area.x, y, &line, self.area.width);
        self.frame.set_cursor_position(Position::new(self.area.x + 2 + (before - skip) as u16, y));
    }

    /// What the keys do now.
    fn keys(&mut self, desk: &Desk, y: u16) {
        let choose = match desk.choices().map(|choices| choices.form) {
            None => "Enter answer",
            Some(form) if takes_several(form) => "↑↓ Space mark · Enter done",
            Some(Form::Split { .. }) => "↑↓ ←→ give · Enter done",
            Some(Form::Number { .. }) => "a number, Enter",
            Some(_) => "↑↓ Enter choose · type to search",
        };
        let commands = if desk.takes_commands {
            " · Tab · PgUp log · F1 help F2 table F3 why F4 hint · ^Z undo · ^C leave"
        } else {
            " · ^C leave"
        };
        self.put(self.area.x, y, &Line::styled(format!("{choose}{commands}"), self.rule()), self.area.width);
    }
}

/// Whose turn it is, in words.
fn turn(scene: &Scene) -> String {
    let active = scene.areas.iter().find(|area| area.is_active);
    match (&scene.choices, active) {
        (Some(_), Some(area)) if !area.is_mine => format!("you are asked on the turn of {}", terminal::printable(&area.name)),
        (Some(_), _) => "your move".to_string(),
        (None, Some(area)) => format!("turn of {}", terminal::printable(&area.name)),
        (None, None) => String::new(),
    }
}

/// How many lines the table gets, and how many the moves.
fn shares(lines: u16, table: usize, moves: usize) -> (u16, u16) {
    let (table, moves) = (table.min(lines.into()) as u16, moves.min(lines.into()) as u16);
    let moves = moves.max(LEAST_MOVES);
    let most = (lines - LEAST_TABLE).min(lines.saturating_sub(table).max(lines / 2));
    let below = moves.min(most);
    (lines - below, below)
}

/// The first line in sight, moved only as far as the chosen one needs.
fn in_sight(top: usize, (first, last): (usize, usize), height: usize, count: usize) -> usize {
    let top = top.min(count.saturating_sub(height));
    // A heading right above stays with the first move.
    let first = if first == 1 { 0 } else { first };
    if first < top { first } else { top.max((last + 1).saturating_sub(height)) }
}

fn digits(choices: &Choices) -> usize {
    let numbers = choices.rows.iter().filter_map(|row| if let Row::Move(listed) = row { Some(listed.number) } else { None });
    numbers.map(|number| number.to_string().len()).max().unwrap_or(1)
}

/// In how many columns a list stands: as many as its longest line allows, where it is long.
fn columns(items: &[Item], digits: usize, width: usize) -> usize {
    if items.len() < LEAST_FOR_COLUMNS {
        return 1;
    }
    let widest = items.iter().map(|item| match item.row {
        Row::Heading(text) => text.width() + 4,
        Row::Move(listed) => {
            let mark = item.mark.as_ref().map_or(0, |mark| mark.width() + 1);
            listed.text.width() + 2 * listed.depth + digits + 5 + mark
        }
    });
    (width / widest.max().unwrap_or(width).max(1)).clamp(1, MOST_COLUMNS)
}
