//! A game on the full terminal: the table, the story and the moves stay visible, and changes are drawn in place. The questions
//! and messages come from `terminal`, to which this is one more [`Face`]; this module only handles layout and keys.
//!
//! The desk (`screen_state`) holds what is on the screen and turns keys into the line that a person would have typed in plain
//! lines.

mod complete;
mod draw;
mod edit;
mod flow;
mod picker;
mod pieces;
mod screen_state;
mod style;
#[cfg(test)]
mod tests;

use crate::game::{Game, exit_interrupted};
use crate::output::{self, raw_terminal::TerminalGuard};
use crate::terminal::{Face, InLines, Input, InputEnd, Question, Scene, Screen, Tone};
use draw::draw_screen;
use ludex_engine::problem::Problem;
use ludex_engine::source::Sources;
use ratatui::Frame;
use ratatui::crossterm::event::Event;
use screen_state::{Desk, QuestionEnd};
use std::cell::RefCell;
use std::io;
use std::time::{Duration, Instant};
use style::{LEAST_HEIGHT, LEAST_WIDTH, Look};

/// Minimum time between two pictures while others play.
const PICTURE: Duration = Duration::from_millis(100);

/// The face of a game: the full terminal if it is large enough and a person plays at it, otherwise lines.
pub fn choose_face(screen: Screen, input: Input, game: &Game) -> Box<dyn Face> {
    let lines = InLines::new(screen, input);
    let is_large =
        terminal_size::terminal_size().is_some_and(|(width, height)| width.0 >= LEAST_WIDTH && height.0 >= LEAST_HEIGHT);
    let is_played = game.human_seats().next().is_some();
    if screen.plain || !is_large || !is_played || !output::may_use_full_screen() {
        return Box::new(lines);
    }
    let look = Look { colour: output::uses_colour() };
    Box::new(FullScreen::new(lines, look, || TerminalGuard::take_terminal().map(|taken| Box::new(taken) as Box<dyn Window>)))
}

/// The surface to draw on, and the source of keys.
trait Window {
    fn draw_frame(&mut self, draw: &mut dyn FnMut(&mut Frame)) -> io::Result<()>;
    fn clear_screen(&mut self) -> io::Result<()>;
    fn next_event(&mut self) -> io::Result<Event>;
}

impl Window for TerminalGuard {
    fn draw_frame(&mut self, draw: &mut dyn FnMut(&mut Frame)) -> io::Result<()> {
        TerminalGuard::draw_frame(self, draw)
    }

    fn clear_screen(&mut self) -> io::Result<()> {
        TerminalGuard::clear_screen(self)
    }

    fn next_event(&mut self) -> io::Result<Event> {
        self.wait_for_event()
    }
}

/// Takes over the terminal when a game begins; tests give a surface in memory instead.
type Opener = Box<dyn Fn() -> io::Result<Box<dyn Window>>>;

/// The face; in lines until a game is opened.
struct FullScreen {
    /// The face in lines, used before and after a game.
    lines: InLines,
    look: Look,
    opener: Opener,
    /// `None` before and after a game.
    open: RefCell<Option<OpenScreen>>,
}

/// The screen during a game.
struct OpenScreen {
    window: Box<dyn Window>,
    desk: Desk,
    /// The time of the last picture of others at play, since the last question.
    shown: Option<Instant>,
}

impl FullScreen {
    fn new(lines: InLines, look: Look, opener: impl Fn() -> io::Result<Box<dyn Window>> + 'static) -> FullScreen {
        FullScreen { lines, look, opener: Box::new(opener), open: RefCell::new(None) }
    }

    /// Does something with the desk. Returns false if the full screen is not open.
    fn with_desk(&self, work: impl FnOnce(&mut Desk)) -> bool {
        self.open.borrow_mut().as_mut().map(|open| work(&mut open.desk)).is_some()
    }
}

impl OpenScreen {
    /// Shows others at play, no faster than people can follow.
    fn show_scene(&mut self, scene: &dyn Fn() -> Scene, look: Look) {
        if self.shown.is_some_and(|shown| shown.elapsed() < PICTURE) {
            return;
        }
        self.desk.show_waiting(scene());
        // A failure to draw is reported with the next question.
        let _ = self.window.draw_frame(&mut |frame| draw_screen(frame, &mut self.desk, look));
        self.shown = Some(Instant::now());
    }

    /// Draws the screen and handles keys until the question ends. The end of input also counts if the terminal fails.
    fn ask_question(&mut self, question: Question, look: Look) -> QuestionEnd {
        self.shown = None;
        self.desk.begin_question(question);
        loop {
            let drawn = self.window.draw_frame(&mut |frame| draw_screen(frame, &mut self.desk, look));
            let Ok(event) = drawn.and_then(|()| self.window.next_event()) else { return QuestionEnd::Ended };
            if let Some(done) = self.desk.handle_event(&event) {
                return done;
            }
        }
    }
}

impl Face for FullScreen {
    fn screen(&self) -> Screen {
        self.lines.screen()
    }

    fn is_keyboard(&self) -> bool {
        self.lines.is_keyboard()
    }

    fn shows_all(&self) -> bool {
        self.open.borrow().is_some()
    }

    fn open_table(&self) {
        match (self.opener)() {
            Ok(window) => *self.open.borrow_mut() = Some(OpenScreen { window, desk: Desk::default(), shown: None }),
            Err(error) => {
                output::print_remark(&format!("this terminal has no full screen ({error}); play goes on in plain lines"))
            }
        }
    }

    fn close_table(&self) {
        self.open.borrow_mut().take();
        output::restore_terminal();
    }

    fn show_scene(&self, scene: &dyn Fn() -> Scene) {
        if let Some(open) = self.open.borrow_mut().as_mut() {
            open.show_scene(scene, self.look);
        }
    }

    fn ask_line(&self, question: Question) -> Result<String, InputEnd> {
        if !self.shows_all() {
            return self.lines.ask_line(question);
        }
        let done = self.open.borrow_mut().as_mut().map(|open| open.ask_question(question, self.look));
        match done {
            Some(QuestionEnd::Line(line)) => Ok(line),
            Some(QuestionEnd::Interrupted) => exit_interrupted(),
            Some(QuestionEnd::Ended) | None => Err(InputEnd::NothingLeft),
        }
    }

    fn accept_answer(&self) {
        self.lines.accept_answer();
    }

    fn print_maybe_in_tone(&self, tone: Option<Tone>, text: &str) {
        if !self.with_desk(|desk| desk.add_message(tone, text)) {
            self.lines.print_maybe_in_tone(tone, text);
        }
    }

    fn print_title(&self, text: &str) {
        if !self.with_desk(|desk| desk.add_message(Some(Tone::Heading), text)) {
            self.lines.print_title(text);
        }
    }

    fn print_lines(&self, lines: &[String]) {
        if !self.with_desk(|desk| lines.iter().for_each(|line| desk.add_message(None, &output::strip_tones(line)))) {
            self.lines.print_lines(lines);
        }
    }

    fn print_problem(&self, problem: &Problem, sources: &Sources) {
        let told = self.with_desk(|desk| {
            desk.add_message(Some(Tone::Bad), &problem.message.to_string());
            problem.help.iter().for_each(|help| desk.add_message(None, &format!("help: {help}")));
        });
        if !told {
            self.lines.print_problem(problem, sources);
        }
    }

    fn wipe_screen(&self) -> bool {
        match &mut *self.open.borrow_mut() {
            Some(open) => {
                open.desk = Desk::default();
                open.window.clear_screen().is_ok()
            }
            None => self.lines.wipe_screen(),
        }
    }
}
