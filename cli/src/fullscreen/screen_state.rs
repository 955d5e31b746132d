//! The state of the screen while a player is asked, and the effect of keys on it. Keys either change the state or end the
//! question with a line, the same that would be typed in plain lines: an answer or a command.

use super::complete::{common_prefix, find_completions};
use super::edit::Edit;
use super::picker::{Picker, fitting_moves, listed_moves, needs_several, takes_several};
use super::style::{LEAST_HEIGHT, LEAST_WIDTH};
use crate::terminal::{Choices, Question, Scene, Tone, is_command};
use ludex_engine::runtime::Form;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// The commands of function keys.
const COMMAND_KEYS: [(u8, &str); 6] = [(1, "help"), (2, "look"), (3, "why"), (4, "hint"), (5, "rules"), (6, "log all")];
/// The function key that previews the chosen move.
const PREVIEW_KEY: u8 = 7;
/// Number of lines that one key scrolls.
const PAGE: usize = 5;

/// A message.
#[derive(Clone, Debug)]
pub struct DeskMessage {
    pub tone: Option<Tone>,
    pub text: String,
}

/// Everything on the screen: the scene, the messages, the typed line and the list of moves.
#[derive(Default)]
pub struct Desk {
    pub prompt: String,
    pub takes_commands: bool,
    /// The table, the story and the moves; `None` while the table must stay hidden.
    pub scene: Option<Scene>,
    /// The messages since the last question.
    pub told: Vec<DeskMessage>,
    /// True if the messages were shown with a question, so that the next one replaces them.
    is_old: bool,
    /// True until the player closes the messages.
    pub is_open: bool,
    /// True if the messages need more room than there is beside the table.
    pub is_long: bool,
    /// The first visible line of the messages.
    pub told_top: usize,
    pub edit: Edit,
    pub picker: Picker,
    /// Number of lines that the log is scrolled back.
    pub log_back: usize,
    /// Number of lines that the table is scrolled down, or up if negative, from its default.
    pub table_shift: isize,
    /// The size of the screen when it was last drawn.
    pub size: (u16, u16),
}

/// The end of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionEnd {
    Line(String),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D on an empty line, or the end of input.
    Ended,
}

impl Desk {
    /// Adds a message, kept until the next question and shown with it.
    pub fn add_message(&mut self, tone: Option<Tone>, text: &str) {
        if std::mem::take(&mut self.is_old) {
            self.told.clear();
        }
        self.told_top = 0;
        self.is_open = true;
        self.told.push(DeskMessage { tone, text: text.to_string() });
    }

    /// Shows another question. Messages that the player has not seen yet stay.
    pub fn begin_question(&mut self, question: Question) {
        if std::mem::take(&mut self.is_old) {
            self.told.clear();
            self.is_open = false;
        }
        self.is_old = true;
        self.prompt = question.prompt.to_string();
        self.takes_commands = question.takes_commands;
        self.scene = question.scene;
        self.log_back = 0;
        self.picker.reset_for_question(self.scene.as_ref().and_then(|scene| scene.choices.as_ref()));
    }

    /// Shows others at play, without a question.
    pub fn show_waiting(&mut self, scene: Scene) {
        self.prompt = "the others are playing".to_string();
        self.takes_commands = false;
        self.scene = Some(scene);
    }

    /// The moves of the current question, if it is one about moves.
    pub fn open_choices(&self) -> Option<&Choices> {
        self.scene.as_ref()?.choices.as_ref()
    }

    /// The words that narrow the list of moves: the typed text, unless it is an answer or a command.
    pub fn filter_text(&self) -> String {
        let text = self.edit.line_text();
        let Some(choices) = self.open_choices() else { return String::new() };
        if let Some(words) = text.trim().strip_prefix('/') {
            return words.to_string();
        }
        let is_answer = text.chars().all(|sign| sign.is_ascii_digit() || " ,+-".contains(sign)) || text.contains('(');
        let narrows = !is_answer && !is_command(&text) && !fitting_moves(choices, &text).is_empty();
        if narrows { text } else { String::new() }
    }

    /// Handles a key. Returns the end of the question, if it ends it.
    pub fn handle_event(&mut self, event: &Event) -> Option<QuestionEnd> {
        let Event::Key(key) = event else { return None };
        if key.kind == KeyEventKind::Release {
            return None;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if control => Some(QuestionEnd::Interrupted),
            // A choice must not be made unseen.
            _ if self.size.0 < LEAST_WIDTH || self.size.1 < LEAST_HEIGHT => None,
            _ if control => self.handle_control_key(key),
            _ => self.handle_key(key),
        }
    }

    /// Handles a key pressed with Ctrl: editing, take-backs, scrolling.
    fn handle_control_key(&mut self, key: &KeyEvent) -> Option<QuestionEnd> {
        match key.code {
            KeyCode::Char('d') if self.edit.is_empty() => return Some(QuestionEnd::Ended),
            KeyCode::Char('d') => self.edit.delete(),
            KeyCode::Char('z') if self.takes_commands => return Some(QuestionEnd::Line("undo".to_string())),
            KeyCode::Char('a') => self.edit.move_to_start(),
            KeyCode::Char('e') => self.edit.move_to_end(),
            KeyCode::Char('u') => self.edit.cut_before(),
            KeyCode::Char('k') => self.edit.cut_after(),
            KeyCode::Char('w') => self.edit.cut_word(),
            KeyCode::Char('p') => self.edit.recall_earlier(),
            KeyCode::Char('n') => self.edit.recall_later(),
            KeyCode::Up => self.table_shift -= 1,
            KeyCode::Down => self.table_shift += 1,
            _ => {}
        }
        None
    }

    /// Handles a key pressed without Ctrl.
    fn handle_key(&mut self, key: &KeyEvent) -> Option<QuestionEnd> {
        match key.code {
            KeyCode::Enter => return self.handle_enter(),
            KeyCode::Esc => return self.handle_escape(),
            KeyCode::F(PREVIEW_KEY) if self.takes_commands => return self.request_preview(),
            KeyCode::F(number) if self.takes_commands => return command_for_key(number),
            KeyCode::Char(sign) => return self.handle_character(sign),
            KeyCode::Tab => self.complete_word(),
            KeyCode::Backspace => self.edit.backspace(),
            KeyCode::Delete => self.edit.delete(),
            KeyCode::Home => self.edit.move_to_start(),
            KeyCode::End => self.edit.move_to_end(),
            KeyCode::Up => self.handle_up_down(-1),
            KeyCode::Down => self.handle_up_down(1),
            KeyCode::Left if !self.edit.is_empty() => self.edit.move_left(),
            KeyCode::Right if !self.edit.is_empty() => self.edit.move_right(),
            KeyCode::Left => self.handle_left_right(-1),
            KeyCode::Right => self.handle_left_right(1),
            KeyCode::PageUp => self.scroll_page(-1),
            KeyCode::PageDown => self.scroll_page(1),
            _ => {}
        }
        // The list changes, so its first move is chosen.
        if matches!(key.code, KeyCode::Backspace | KeyCode::Delete | KeyCode::Tab) {
            self.picker.choose_first();
        }
        None
    }

    /// Handles a typed character, which may be an answer by itself on an empty line.
    fn handle_character(&mut self, sign: char) -> Option<QuestionEnd> {
        if self.edit.is_empty()
            && let Some(choices) = self.scene.as_ref().and_then(|scene| scene.choices.as_ref())
        {
            // A choice must not be made unseen.
            let sees = !self.is_screen_covered();
            if let Some(line) = self.picker.digit_answer(choices, sign).filter(|_| sees) {
                return Some(QuestionEnd::Line(line));
            }
            match sign {
                ' ' if takes_several(choices.form) => {
                    self.picker.mark_chosen(choices);
                    return None;
                }
                '?' => return Some(QuestionEnd::Line("help".to_string())),
                _ => {}
            }
        }
        if sign != ' ' || !self.edit.is_empty() {
            self.edit.insert(sign);
            self.picker.choose_first();
            self.choose_typed_number();
            // A search closes the messages to show its matches.
            self.is_open &= self.filter_text().is_empty();
        }
        None
    }

    /// Chooses the move with the typed number.
    fn choose_typed_number(&mut self) {
        let choices = self.scene.as_ref().and_then(|scene| scene.choices.as_ref());
        if let (Some(choices), Ok(number)) = (choices, self.edit.line_text().trim().parse()) {
            self.picker.select_number(choices, number);
        }
    }

    /// Asks for a preview of the move that Enter would take.
    fn request_preview(&mut self) -> Option<QuestionEnd> {
        let choices = self.open_choices().filter(|choices| choices.form == Form::One)?;
        let number = self.picker.chosen_move(choices, &self.filter_text())?.number;
        Some(QuestionEnd::Line(format!("preview {number}")))
    }

    /// Closes messages that cover the screen, or else gives the typed line or the chosen move as the answer.
    fn handle_enter(&mut self) -> Option<QuestionEnd> {
        let filter = self.filter_text();
        let line = self.edit.line_text();
        if line.trim().is_empty() && self.is_screen_covered() {
            self.is_open = false;
            return None;
        }
        let Some(choices) = self.scene.as_ref().and_then(|scene| scene.choices.as_ref()) else {
            return Some(QuestionEnd::Line(self.edit.take_line()));
        };
        if line.trim().is_empty() {
            return Some(QuestionEnd::Line(self.picker.answer_text(choices)));
        }
        // If several things are needed, a typed number marks one, as the space bar does.
        let is_listed = |number: i64| listed_moves(choices).any(|listed| listed.number == number);
        if needs_several(choices) && line.trim().parse().is_ok_and(is_listed) {
            self.picker.mark_chosen(choices);
            self.edit.take_line();
            return None;
        }
        let found = self.picker.chosen_move(choices, &filter).filter(|_| !filter.is_empty()).map(|listed| listed.number);
        let takes_one = choices.form == Form::One;
        let typed = self.edit.take_line();
        Some(QuestionEnd::Line(match found {
            Some(number) if takes_one => number.to_string(),
            _ => typed,
        }))
    }

    /// Closes the messages, or else clears the typed line, or else goes back a step.
    fn handle_escape(&mut self) -> Option<QuestionEnd> {
        if self.is_screen_covered() {
            self.is_open = false;
        } else if !self.edit.is_empty() {
            self.edit.clear_line();
            self.picker.choose_first();
        } else if self.open_choices().is_some_and(|choices| choices.question.1 > 1) {
            return Some(QuestionEnd::Line("back".to_string()));
        }
        None
    }

    /// Whether messages cover the table and the moves.
    fn is_screen_covered(&self) -> bool {
        self.is_open && self.is_long
    }

    /// Scrolls messages that cover the screen, or chooses another move or, if the typed text is not about moves, recalls
    /// another line.
    fn handle_up_down(&mut self, by: isize) {
        if self.is_screen_covered() && self.edit.is_empty() {
            self.told_top = self.told_top.saturating_add_signed(by);
            return;
        }
        let filter = self.filter_text();
        let types = !self.edit.is_empty() && filter.is_empty() || self.edit.is_recalled();
        let chooses = self.scene.as_ref().and_then(|scene| scene.choices.as_ref());
        match chooses.filter(|choices| !types && listed_moves(choices).next().is_some()) {
            Some(choices) => self.picker.move_choice(choices, &filter, by),
            None if by < 0 => self.edit.recall_earlier(),
            None => self.edit.recall_later(),
        }
    }

    /// Gives the chosen thing more or less of a sum; in a list, moves by a page.
    fn handle_left_right(&mut self, sign: i64) {
        let Some(choices) = self.scene.as_ref().and_then(|scene| scene.choices.as_ref()) else { return };
        match choices.form {
            Form::Split { .. } => self.picker.change_amount(choices, sign),
            _ => self.picker.move_choice(choices, "", sign as isize * PAGE as isize),
        }
    }

    /// Scrolls the messages or the log.
    fn scroll_page(&mut self, by: isize) {
        if self.is_screen_covered() {
            self.told_top = self.told_top.saturating_add_signed(by * PAGE as isize);
        } else {
            self.log_back = self.log_back.saturating_add_signed(-by * PAGE as isize);
        }
    }

    /// Completes the last typed word as far as it is certain. If several words are possible, they are shown.
    fn complete_word(&mut self) {
        let before = self.edit.text_before_cursor();
        let known = find_completions(&before, self.scene.as_ref(), self.takes_commands);
        let begun = before.rsplit(' ').next().unwrap_or_default().chars().count();
        let blank = if known.len() == 1 { " " } else { "" };
        let word = common_prefix(&known);
        if !word.is_empty() && (word.chars().count() > begun || !blank.is_empty()) {
            self.edit.replace_before(begun, &format!("{word}{blank}"));
        } else if known.len() > 1 {
            let told = DeskMessage { tone: Some(Tone::Quiet), text: known.join("  ") };
            (self.told, self.is_open) = (vec![told], true);
        }
    }
}

/// The command of a function key.
fn command_for_key(number: u8) -> Option<QuestionEnd> {
    COMMAND_KEYS.iter().find(|(known, _)| *known == number).map(|(_, line)| QuestionEnd::Line((*line).to_string()))
}
