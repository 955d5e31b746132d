//! The interface that shows a game and supplies its answers. The messages and questions are the same for every face.

use super::input::{Input, InputEnd};
use super::scene::Scene;
use super::screen::{Screen, Tone};
use crate::output;
use ludex_engine::problem::Problem;
use ludex_engine::source::Sources;
use std::cell::RefCell;

/// A question to a person.
pub struct Question<'a> {
    /// The text before the answer on line-based faces.
    pub prompt: &'a str,
    /// Commands are accepted too.
    pub takes_commands: bool,
    /// The scene to show meanwhile, on faces that show one; `None` if the table must stay hidden.
    pub scene: Option<Scene>,
}

impl<'a> Question<'a> {
    /// A question outside a game.
    pub fn outside_game(prompt: &'a str) -> Question<'a> {
        Question { prompt, takes_commands: false, scene: None }
    }
}

/// An interface to the people at one screen: [`InLines`], or the full screen in `fullscreen`.
pub trait Face {
    /// The style in which lines are drawn.
    fn screen(&self) -> Screen;

    /// Whether a person types the answers.
    fn is_keyboard(&self) -> bool;

    /// Whether the table, the story and the moves are always visible, so that they need not be printed.
    fn shows_all(&self) -> bool {
        false
    }

    /// Starts showing a game.
    fn open_table(&self) {}

    /// Stops showing a game that is over or left; later output stays on the screen.
    fn close_table(&self) {}

    /// Shows the table while bots play, if the face keeps it visible.
    fn show_scene(&self, _scene: &dyn Fn() -> Scene) {}

    /// Asks until it gets a line of text.
    fn ask_line(&self, question: Question) -> Result<String, InputEnd>;

    /// Notes that the last line was an answer.
    fn accept_answer(&self) {}

    /// Prints a sentence, in a tone if there is one.
    fn print_maybe_in_tone(&self, tone: Option<Tone>, text: &str);

    fn print_text(&self, text: &str) {
        self.print_maybe_in_tone(None, text);
    }

    fn print_in_tone(&self, tone: Tone, text: &str) {
        self.print_maybe_in_tone(Some(tone), text);
    }

    /// Prints a title between two parts of play or of a text.
    fn print_title(&self, text: &str);

    /// Prints lines that are already drawn.
    fn print_lines(&self, lines: &[String]);

    fn print_problem(&self, problem: &Problem, sources: &Sources);

    /// Wipes the screen before the next person looks at it. Returns false if it cannot be wiped.
    fn wipe_screen(&self) -> bool;
}

/// A face that prints line after line and reads answers as lines.
pub struct InLines {
    screen: Screen,
    input: RefCell<Input>,
}

impl InLines {
    pub fn new(screen: Screen, input: Input) -> InLines {
        InLines { screen, input: RefCell::new(input) }
    }
}

impl Face for InLines {
    fn screen(&self) -> Screen {
        self.screen
    }

    fn is_keyboard(&self) -> bool {
        self.input.borrow().is_keyboard()
    }

    fn ask_line(&self, question: Question) -> Result<String, InputEnd> {
        self.input.borrow_mut().ask_line(&self.screen, question.prompt)
    }

    fn accept_answer(&self) {
        self.input.borrow_mut().reset_idle_count();
    }

    fn print_maybe_in_tone(&self, tone: Option<Tone>, text: &str) {
        self.screen.print_maybe_in_tone(tone, text);
    }

    fn print_title(&self, text: &str) {
        self.screen.print_title(text);
    }

    fn print_lines(&self, lines: &[String]) {
        self.screen.print_lines(lines);
    }

    fn print_problem(&self, problem: &Problem, sources: &Sources) {
        output::print_problems(std::slice::from_ref(problem), sources);
    }

    fn wipe_screen(&self) -> bool {
        self.screen.wipe_screen()
    }
}
