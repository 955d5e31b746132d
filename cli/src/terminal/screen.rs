//! Text output: drawn with boxes and colours on a terminal, in plain lines for pipes and screen readers.

pub use crate::output::Tone;

use super::read_aloud::spoken_text;
use crate::layout::break_lines;
use crate::output;
use ludex_engine::visible;
use std::io::{self, IsTerminal};
use unicode_width::UnicodeWidthStr;

const LEAST_WIDTH: usize = 40;
const MOST_WIDTH: usize = 120;
const USUAL_WIDTH: usize = 80;
const USUAL_HEIGHT: usize = 24;
const LEAST_HEIGHT: usize = 12;

/// The properties of the terminal or pipe that text is written to.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// Words instead of drawings, one thing per line; only secrets are cleared.
    pub plain: bool,
    colour: bool,
    /// The width at which lines are broken; `None` for plain lines, which are never broken.
    width: Option<usize>,
    /// Input is repeated, because it does not come from a keyboard and would not be visible.
    echo: bool,
    /// The terminal can be wiped, including its scrollback.
    wipes: bool,
    /// The number of visible lines.
    pub height: usize,
}

impl Screen {
    /// Inspects the output. `plain` or `LUDEX_PLAIN=1` force plain lines.
    pub fn detect(plain: bool) -> Screen {
        let plain = plain || std::env::var_os("LUDEX_PLAIN").is_some_and(|word| !word.is_empty() && word != "0");
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let plain = plain || dumb || !output::is_terminal();
        let size = terminal_size::terminal_size();
        let width = size.map_or(USUAL_WIDTH, |(width, _)| width.0.into());
        Screen {
            plain,
            colour: output::uses_colour() && !dumb,
            width: (!plain).then(|| width.clamp(LEAST_WIDTH, MOST_WIDTH)),
            echo: !io::stdin().is_terminal(),
            wipes: output::is_terminal() && !dumb,
            height: size.map_or(USUAL_HEIGHT, |(_, height)| usize::from(height.0).max(LEAST_HEIGHT)),
        }
    }

    /// The same screen for questions whose answers must not be repeated in the output.
    pub fn for_secrets(self) -> Screen {
        Screen { echo: false, ..self }
    }

    /// A screen for tests: no colours, and plain lines if there is no width.
    #[cfg(test)]
    pub fn of_width(width: Option<usize>) -> Screen {
        Screen { plain: width.is_none(), colour: false, width, echo: false, wipes: false, height: USUAL_HEIGHT }
    }

    /// The width at which lines are broken; unlimited for plain lines.
    pub fn line_width(&self) -> usize {
        self.width.unwrap_or(usize::MAX)
    }

    /// The text in the colour of a tone; unchanged on a screen without colours.
    pub fn paint_text(&self, tone: Tone, text: &str) -> String {
        if self.colour { output::paint_text(tone, text) } else { text.to_string() }
    }

    /// Prints a sentence, broken at the width of the terminal; in plain lines with its dice in words.
    pub fn print_text(&self, text: &str) {
        self.print_maybe_in_tone(None, text);
    }

    /// Prints a line in a tone.
    pub fn print_in_tone(&self, tone: Tone, text: &str) {
        self.print_maybe_in_tone(Some(tone), text);
    }

    /// Prints a line in a tone, if there is one.
    pub fn print_maybe_in_tone(&self, tone: Option<Tone>, text: &str) {
        let text = printable_line(text);
        let text = if self.plain { spoken_text(&text) } else { text };
        for line in wrap_lines(&text, self.line_width()) {
            let line = tone.map_or(line.clone(), |tone| self.paint_text(tone, &line));
            output::print_line(&line);
        }
    }

    /// Prints lines that are already drawn.
    pub fn print_lines(&self, lines: &[String]) {
        for line in lines {
            output::print_line(line);
        }
    }

    /// Prints a title between two parts of play.
    pub fn print_title(&self, text: &str) {
        let text = printable_line(text);
        if self.plain {
            let text = spoken_text(&text);
            return output::print_line(&format!("\n{text}"));
        }
        let room = self.line_width().saturating_sub(text.width() + 4);
        output::print_line("");
        output::print_line(&self.paint_text(Tone::Heading, &format!("── {text} {}", "─".repeat(room))));
    }

    /// Prints a prompt; the answer is typed after it, or comes from the next line of a pipe.
    pub fn print_prompt(&self, text: &str) {
        let end = if self.echo { "\n" } else { " " };
        // Without stderr there is no prompt; reading the answer reports the error.
        output::print_prompt(&self.paint_text(Tone::Strong, &printable_line(text)), end);
    }

    /// Repeats an answer from a pipe, so that the output shows the game in full.
    pub fn echo_answer(&self, answer: &str) {
        if self.echo {
            output::print_line(&format!("> {}", printable_line(answer)));
        }
    }

    /// Wipes the screen before the next person looks at it. Returns false if it cannot be wiped.
    pub fn wipe_screen(&self) -> bool {
        if self.wipes {
            output::wipe_screen();
        }
        self.wipes
    }
}

/// Text from files and people on one line, as wide as it will be shown. Line ends become blanks.
pub fn printable_line(text: &str) -> String {
    visible::clean_line(&text.replace(['\r', '\n'], " ")).into_owned()
}

/// Breaks text between words into lines of at most `width` columns; further lines are indented two columns more than the first.
pub fn wrap_lines(text: &str, width: usize) -> Vec<String> {
    let indent = text.len() - text.trim_start().len();
    let words = unbreakable_words(text);
    let room = width.saturating_sub(indent);
    let lines = break_lines(words.iter().map(String::as_str), room, room.saturating_sub(2)).into_iter().enumerate();
    lines.map(|(number, line)| format!("{}{line}", " ".repeat(if number == 0 { indent } else { indent + 2 }))).collect()
}

/// The words of a text. `2 × Titus` counts as one, so that no line ends in its number.
fn unbreakable_words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut joined = false;
    for word in text.split_whitespace() {
        match words.last_mut().filter(|_| joined || word == "×") {
            Some(last) => {
                last.push(' ');
                last.push_str(word);
            }
            None => words.push(word.to_string()),
        }
        joined = word == "×";
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_keep_their_indent() {
        assert_eq!(wrap_lines("  one two three four", 11), ["  one two", "    three", "    four"]);
        assert_eq!(wrap_lines("", 11), [""]);
        assert_eq!(wrap_lines("frogs, 2 × toads", 10), ["frogs,", "  2 × toads"]);
        assert_eq!(wrap_lines("incomprehensibilities", 5), ["incomprehensibilities"]);
    }

    #[test]
    fn terminals_get_nothing_to_obey() {
        assert_eq!(printable_line("a\x1b[2Jb\tc\nd"), "a␛[2Jb c d");
    }
}
