//! The interface that shows a game and supplies its answers. The messages and questions are the same for every face.

use super::input::{Ended, Input};
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
    pub fn bare(prompt: &'a str) -> Question<'a> {
        Question { prompt, takes_commands: false, scene: None }
    }
}

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
    fn open(&self) {}

    /// Stops showing a game that is over or left; later output stays on the screen.
    fn close(&self) {}

    /// Shows the table while bots play, if the face keeps it visible.
    fn show(&self, _scene: &dyn Fn() -> Scene) {}

    /// Asks until it gets a line of text.
    fn ask(&self, question: Question) -> Result<String, Ended>;

    /// Notes that the last line was an answer.
    fn answered(&self) {}

    /// Prints a sentence, in a tone if there is one.
    fn say_in(&self, tone: Option<Tone>, text: &str);

    fn say(&self, text: &str) {
        self.say_in(None, text);
    }

    fn tell(&self, tone: Tone, text: &str) {
        self.say_in(Some(tone), text);
    }

    /// Prints a title between two parts of play or of a text.
    fn title(&self, text: &str);

    /// Prints lines that are already drawn.
    fn draw(&self, lines: &[String]);

    fn problem(&self, problem: &Problem, sources: &Sources);

    /// Wipes the screen before the next person looks at it. Returns false if it cannot be wiped.
    fn wipe(&self) -> bool;
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

    fn ask(&self, question: Question) -> Result<String, Ended> {
        self.input.borrow_mut().ask(&self.screen, question.prompt)
    }

    fn answered(&self) {
        self.input.borrow_mut().answered();
    }

    fn say_in(&self, tone: Option<Tone>, text: &str) {
        self.screen.say_in(tone, text);
    }

    fn title(&self, text: &str) {
        self.screen.title(text);
    }

    fn draw(&self, lines: &[String]) {
        self.screen.draw(lines);
    }

    fn problem(&self, problem: &Problem, sources: &Sources) {
        output::problems(std::slice::from_ref(problem), sources);
    }

    fn wipe(&self) -> bool {
        self.screen.clear()
    }
}
