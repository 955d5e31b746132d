//! Text wrapped into lines of a given width: words stay whole, and continuation lines are indented.

use crate::terminal::printable_line;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

/// Collects text, and breaks lines where the next word does not fit.
pub struct Flow {
    width: usize,
    /// The indentation of continuation lines.
    hang: usize,
    /// The finished lines.
    lines: Vec<Line<'static>>,
    /// The parts of the current line.
    now: Vec<Span<'static>>,
    /// The width of the current line.
    used: usize,
    /// True if the next word needs a blank before it.
    has_words: bool,
}

impl Flow {
    pub fn new(width: usize, hang: usize) -> Flow {
        Flow { width, hang, lines: Vec::new(), now: Vec::new(), used: 0, has_words: false }
    }

    /// Adds text as it is, on one line; blanks count.
    pub fn add_fixed_text(&mut self, text: &str, style: Style) {
        let text = printable_line(text);
        self.used += text.width();
        self.has_words = false;
        self.now.push(Span::styled(text, style));
    }

    /// Adds words, with line breaks between them as needed.
    pub fn add_words(&mut self, text: &str, style: Style) {
        text.split_whitespace().for_each(|word| self.add_word(&[(word, style)]));
    }

    /// Adds one word made of parts in different styles.
    pub fn add_word(&mut self, parts: &[(&str, Style)]) {
        let parts: Vec<(String, Style)> = parts.iter().map(|(text, style)| (printable_line(text), *style)).collect();
        let width: usize = parts.iter().map(|(text, _)| text.width()).sum();
        let gap = usize::from(self.has_words);
        if self.used + gap + width > self.width && self.used > self.hang {
            self.end_line();
        } else if gap == 1 {
            self.now.push(Span::raw(" "));
            self.used += 1;
        }
        self.now.extend(parts.into_iter().map(|(text, style)| Span::styled(text, style)));
        self.used += width;
        self.has_words = true;
    }

    /// Ends the line; the next word starts on a continuation line.
    pub fn end_line(&mut self) {
        self.lines.push(Line::from(std::mem::take(&mut self.now)));
        self.now.push(Span::raw(" ".repeat(self.hang)));
        self.used = self.hang;
        self.has_words = false;
    }

    /// All lines, including the current one.
    pub fn into_lines(mut self) -> Vec<Line<'static>> {
        self.lines.push(Line::from(self.now));
        self.lines
    }
}

/// A sentence in lines, indented like its first line.
pub fn wrap_text(text: &str, width: usize, style: Style) -> Vec<Line<'static>> {
    let indent = text.len() - text.trim_start().len();
    // Text in columns stays in them: the last column is wrapped and continues below itself.
    let column = text.trim_end().rfind("  ").map_or(indent, |gap| gap + 2).max(indent);
    let (head, hang) = match text[..column].width() {
        head if column > indent && head <= width / 2 => (column, head),
        _ => (indent, indent + 2),
    };
    let mut flow = Flow::new(width, hang.min(width / 2));
    flow.add_fixed_text(&text[..head], style);
    match text.width() <= width {
        true => flow.add_fixed_text(&text[head..], style),
        false => flow.add_words(&text[head..], style),
    }
    flow.into_lines()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(lines: &[Line]) -> Vec<String> {
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn words_stay_whole_and_further_lines_are_indented() {
        assert_eq!(told(&wrap_text("  one two three four", 11, Style::new())), ["  one two", "    three", "    four"]);
        assert_eq!(told(&wrap_text("a  b", 11, Style::new())), ["a  b"]);
        assert_eq!(told(&wrap_text(" a  one two", 9, Style::new())), [" a  one", "    two"]);
    }

    #[test]
    fn parts_of_a_word_stay_together() {
        let mut flow = Flow::new(8, 2);
        flow.add_fixed_text("x: ", Style::new());
        flow.add_word(&[("d8:", Style::new()), ("6", Style::new())]);
        flow.add_word(&[("d4:", Style::new()), ("1", Style::new())]);
        assert_eq!(told(&flow.into_lines()), ["x: d8:6", "  d4:1"]);
    }

    #[test]
    fn nothing_in_a_text_steers_a_terminal() {
        assert_eq!(told(&wrap_text("a\u{1b}[2Jb", 11, Style::new())), ["a␛[2Jb"]);
    }
}
