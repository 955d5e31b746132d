//! A game on the full terminal: the table, the story and the moves stay visible, and changes are drawn in place. The questions
//! and messages come from `terminal`; this module only handles layout and keys.

mod complete;
mod desk;
mod draw;
mod edit;
mod flow;
mod look;
mod picker;
mod pieces;
#[cfg(test)]
mod tests;

use crate::game::{Game, interrupted};
use crate::output::{self, taken::Taken};
use crate::terminal::{Ended, Face, InLines, Input, Question, Scene, Screen, Tone};
use desk::{Desk, Done};
use draw::draw;
use look::{LEAST_HEIGHT, LEAST_WIDTH, Look};
use ludex_engine::problem::Problem;
use ludex_engine::source::Sources;
use ratatui::Frame;
use ratatui::crossterm::event::Event;
use std::cell::RefCell;
use std::io;
use std::time::{Duration, Instant};

/// Minimum time between two pictures while others play.
const PICTURE: Duration = Duration::from_millis(100);

/// The face of a game: the full terminal if it is large enough and a person plays at it, otherwise lines.
pub fn face(screen: Screen, input: Input, game: &Game) -> Box<dyn Face> {
    let lines = InLines::new(screen, input);
    let is_large =
        terminal_size::terminal_size().is_some_and(|(width, height)| width.0 >= LEAST_WIDTH && height.0 >= LEAST_HEIGHT);
    let is_played = game.people().next().is_some();
    if screen.plain || !is_large || !is_played || !output::can_be_taken() {
        return Box::new(lines);
    }
    let look = Look { colour: output::colour() };
    Box::new(FullScreen::new(lines, look, || Taken::take().map(|taken| Box::new(taken) as Box<dyn Window>)))
}

/// The surface to draw on, and the source of keys.
trait Window {
    fn draw(&mut self, draw: &mut dyn FnMut(&mut Frame)) -> io::Result<()>;
    fn clear(&mut self) -> io::Result<()>;
    fn next(&mut self) -> io::Result<Event>;
}

impl Window for Taken {
    fn draw(&mut self, draw: &mut dyn FnMut(&mut Frame)) -> io::Result<()> {
        Taken::draw(self, draw)
    }

    fn clear(&mut self) -> io::Result<()> {
        Taken::clear(self)
    }

    fn next(&mut self) -> io::Result<Event> {
        self.wait()
    }
}

type Opener = Box<dyn Fn() -> io::Result<Box<dyn Window>>>;

struct FullScreen {
    /// The face in lines, used before and after a game.
    lines: InLines,
    look: Look,
    opener: Opener,
    open: RefCell<Option<Open>>,
}

struct Open {
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
    fn on_desk(&self, work: impl FnOnce(&mut Desk)) -> bool {
        self.open.borrow_mut().as_mut().map(|open| work(&mut open.desk)).is_some()
    }
}

impl Open {
    /// Shows others at play, no faster than people can follow.
    fn show(&mut self, scene: &dyn Fn() -> Scene, look: Look) {
        if self.shown.is_some_and(|shown| shown.elapsed() < PICTURE) {
            return;
        }
        self.desk.wait(scene());
        // A failure to draw is reported with the next question.
        let _ = self.window.draw(&mut |frame| draw(frame, &mut self.desk, look));
        self.shown = Some(Instant::now());
    }

    fn ask(&mut self, question: Question, look: Look) -> Done {
        self.shown = None;
        self.desk.begin(question);
        loop {
            let drawn = self.window.draw(&mut |frame| draw(frame, &mut self.desk, look));
            let Ok(event) = drawn.and_then(|()| self.window.next()) else { return Done::Ended };
            if let Some(done) = self.desk.take(&event) {
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

    fn open(&self) {
        match (self.opener)() {
            Ok(window) => *self.open.borrow_mut() = Some(Open { window, desk: Desk::default(), shown: None }),
            Err(error) => output::remark(&format!("this terminal has no full screen ({error}); play goes on in plain lines")),
        }
    }

    fn close(&self) {
        self.open.borrow_mut().take();
        output::give_back();
    }

    fn show(&self, scene: &dyn Fn() -> Scene) {
        if let Some(open) = self.open.borrow_mut().as_mut() {
            open.show(scene, self.look);
        }
    }

    fn ask(&self, question: Question) -> Result<String, Ended> {
        if !self.shows_all() {
            return self.lines.ask(question);
        }
        let done = self.open.borrow_mut().as_mut().map(|open| open.ask(question, self.look));
        match done {
            Some(Done::Line(line)) => Ok(line),
            Some(Done::Interrupted) => interrupted(),
            Some(Done::Ended) | None => Err(Ended::NothingLeft),
        }
    }

    fn answered(&self) {
        self.lines.answered();
    }

    fn say_in(&self, tone: Option<Tone>, text: &str) {
        if !self.on_desk(|desk| desk.tell(tone, text)) {
            self.lines.say_in(tone, text);
        }
    }

    fn title(&self, text: &str) {
        if !self.on_desk(|desk| desk.tell(Some(Tone::Heading), text)) {
            self.lines.title(text);
        }
    }

    fn draw(&self, lines: &[String]) {
        if !self.on_desk(|desk| lines.iter().for_each(|line| desk.tell(None, &output::unmarked(line)))) {
            self.lines.draw(lines);
        }
    }

    fn problem(&self, problem: &Problem, sources: &Sources) {
        let told = self.on_desk(|desk| {
            desk.tell(Some(Tone::Bad), &problem.message.to_string());
            problem.help.iter().for_each(|help| desk.tell(None, &format!("help: {help}")));
        });
        if !told {
            self.lines.problem(problem, sources);
        }
    }

    fn wipe(&self) -> bool {
        match &mut *self.open.borrow_mut() {
            Some(open) => {
                open.desk = Desk::default();
                open.window.clear().is_ok()
            }
            None => self.lines.wipe(),
        }
    }
}
