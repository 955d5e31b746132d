//! Where a game is shown, and where its answers come from. What is said and asked is the same everywhere.

use super::input::{Ended, Input};
use super::scene::Scene;
use super::screen::{Screen, Tone};
use crate::output;
use ludex_engine::problem::Problem;
use ludex_engine::source::Sources;
use std::cell::RefCell;

/// A question to people.
pub struct Question<'a> {
    /// What stands before the answer in lines.
    pub prompt: &'a str,
    /// Commands may be typed, too.
    pub takes_commands: bool,
    /// What there is to see meanwhile, where a face shows it; none where nobody may see anything.
    pub scene: Option<Scene>,
}

impl<'a> Question<'a> {
    /// One beside the game.
    pub fn bare(prompt: &'a str) -> Question<'a> {
        Question { prompt, takes_commands: false, scene: None }
    }
}

pub trait Face {
    /// How lines are drawn here.
    fn screen(&self) -> Screen;

    /// Whether a person types the answers.
    fn is_keyboard(&self) -> bool;

    /// Whether the table, what has happened and the moves are always in sight, so that nobody need be told of them.
    fn shows_all(&self) -> bool {
        false
    }

    /// A game begins.
    fn open(&self) {}

    /// A game is over or left: what is said from now on stays where it is.
    fn close(&self) {}

    /// Shows the table while bots play, where it is in sight.
    fn show(&self, _scene: &dyn Fn() -> Scene) {}

    /// Asks until a line of text comes.
    fn ask(&self, question: Question) -> Result<String, Ended>;

    /// The last line was an answer.
    fn answered(&self) {}

    /// A sentence, in a tone if it has one.
    fn say_in(&self, tone: Option<Tone>, text: &str);

    fn say(&self, text: &str) {
        self.say_in(None, text);
    }

    fn tell(&self, tone: Tone, text: &str) {
        self.say_in(Some(tone), text);
    }

    /// A title between two parts of play, or of what there is to read.
    fn title(&self, text: &str);

    /// Lines that are drawn already.
    fn draw(&self, lines: &[String]);

    fn problem(&self, problem: &Problem, sources: &Sources);

    /// Wipes what the one before must not leave to the next; false where nothing can be wiped.
    fn wipe(&self) -> bool;
}

/// Lines one below the other, and answers in lines.
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
