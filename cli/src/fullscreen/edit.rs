//! The typed line, and the history of earlier ones. `screen_state` calls it for each key.

/// A line with a cursor in it.
#[derive(Clone, Debug, Default)]
pub struct Edit {
    /// The characters of the line.
    signs: Vec<char>,
    /// The index of the character at the cursor; the length of the line at its end.
    cursor: usize,
    history: Vec<String>,
    /// The index of the recalled line of the history, and the text typed before it was recalled.
    fetched: Option<(usize, String)>,
}

impl Edit {
    pub fn line_text(&self) -> String {
        self.signs.iter().collect()
    }

    pub fn is_empty(&self) -> bool {
        self.signs.is_empty()
    }

    /// The text before the cursor.
    pub fn text_before_cursor(&self) -> String {
        self.signs[..self.cursor].iter().collect()
    }

    pub fn insert(&mut self, sign: char) {
        self.signs.insert(self.cursor, sign);
        self.cursor += 1;
    }

    /// Replaces the `count` characters before the cursor with a text.
    pub fn replace_before(&mut self, count: usize, text: &str) {
        let start = self.cursor.saturating_sub(count);
        self.signs.splice(start..self.cursor, text.chars());
        self.cursor = start + text.chars().count();
    }

    pub fn backspace(&mut self) {
        if self.cursor > 0 {
            self.cursor -= 1;
            self.signs.remove(self.cursor);
        }
    }

    pub fn delete(&mut self) {
        if self.cursor < self.signs.len() {
            self.signs.remove(self.cursor);
        }
    }

    pub fn move_left(&mut self) {
        self.cursor = self.cursor.saturating_sub(1);
    }

    pub fn move_right(&mut self) {
        self.cursor = (self.cursor + 1).min(self.signs.len());
    }

    pub fn move_to_start(&mut self) {
        self.cursor = 0;
    }

    pub fn move_to_end(&mut self) {
        self.cursor = self.signs.len();
    }

    /// Deletes the text before the cursor.
    pub fn cut_before(&mut self) {
        self.signs.drain(..std::mem::take(&mut self.cursor));
    }

    /// Deletes the text after the cursor.
    pub fn cut_after(&mut self) {
        self.signs.truncate(self.cursor);
    }

    /// Deletes the word before the cursor.
    pub fn cut_word(&mut self) {
        while self.cursor > 0 && self.signs[self.cursor - 1] == ' ' {
            self.backspace();
        }
        while self.cursor > 0 && self.signs[self.cursor - 1] != ' ' {
            self.backspace();
        }
    }

    pub fn set_text(&mut self, text: &str) {
        self.signs = text.chars().collect();
        self.move_to_end();
    }

    /// Clears the line.
    pub fn clear_line(&mut self) {
        self.set_text("");
        self.fetched = None;
    }

    /// Takes the line and adds it to the history.
    pub fn take_line(&mut self) -> String {
        let line = self.line_text();
        self.set_text("");
        self.fetched = None;
        if !line.trim().is_empty() && self.history.last() != Some(&line) {
            self.history.push(line.clone());
        }
        line
    }

    /// Recalls the previous line of the history.
    pub fn recall_earlier(&mut self) {
        let place = self.fetched.as_ref().map_or(self.history.len(), |(place, _)| *place);
        let Some(place) = place.checked_sub(1) else { return };
        let typed = self.fetched.take().map_or_else(|| self.line_text(), |(_, typed)| typed);
        self.set_text(&self.history[place].clone());
        self.fetched = Some((place, typed));
    }

    /// Recalls the next line and, after the last, the text typed before any was recalled.
    pub fn recall_later(&mut self) {
        let Some((place, typed)) = self.fetched.take() else { return };
        match self.history.get(place + 1).cloned() {
            Some(line) => {
                self.set_text(&line);
                self.fetched = Some((place + 1, typed));
            }
            None => self.set_text(&typed),
        }
    }

    /// Whether a line of the history is recalled.
    pub fn is_recalled(&self) -> bool {
        self.fetched.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Edit {
        let mut edit = Edit::default();
        text.chars().for_each(|sign| edit.insert(sign));
        edit
    }

    #[test]
    fn a_line_is_changed_where_the_cursor_is() {
        let mut edit = typed("why sun");
        edit.move_left();
        edit.backspace();
        edit.insert('u');
        edit.insert('r');
        assert_eq!(edit.line_text(), "why surn");
        edit.move_to_start();
        edit.delete();
        assert_eq!((edit.line_text(), edit.text_before_cursor()), ("hy surn".to_string(), String::new()));
        edit.move_to_end();
        edit.cut_word();
        assert_eq!(edit.line_text(), "hy ");
        edit.move_left();
        edit.cut_before();
        assert_eq!(edit.line_text(), " ");
    }

    #[test]
    fn lines_of_before_come_back_and_what_was_typed_is_not_lost() {
        let mut edit = typed("why");
        assert_eq!(edit.take_line(), "why");
        edit.set_text("log");
        edit.take_line();
        edit.set_text("ta");
        edit.recall_earlier();
        edit.recall_earlier();
        edit.recall_earlier();
        assert_eq!(edit.line_text(), "why");
        edit.recall_later();
        assert_eq!(edit.line_text(), "log");
        edit.recall_later();
        assert_eq!((edit.line_text(), edit.is_recalled()), ("ta".to_string(), false));
    }
}
