//! A terminal that is taken over as a whole: its keys come one by one, and what stood there is back when it is given up,
//! however that happens.

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{self, Event};
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::crossterm::{execute, queue};
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use std::io::{self, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whether the terminal is taken.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// What others wanted to write meanwhile, which would have torn what is drawn.
static HELD: Mutex<String> = Mutex::new(String::new());

/// A terminal that is taken, until this goes.
pub struct Taken(Terminal<CrosstermBackend<Stdout>>);

impl Taken {
    pub fn take() -> io::Result<Taken> {
        let area = size();
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        let taken = execute!(io::stdout(), EnterAlternateScreen).and_then(|()| {
            // The size is asked for here: it is that of the terminal which is written to.
            let options = TerminalOptions { viewport: Viewport::Fixed(area) };
            Terminal::with_options(CrosstermBackend::new(io::stdout()), options)
        });
        taken.map(Taken).inspect_err(|_| release())
    }

    /// Draws anew, in the size that the terminal has now.
    pub fn draw(&mut self, draw: &mut dyn FnMut(&mut Frame)) -> io::Result<()> {
        let area = size();
        if self.0.get_frame().area() != area {
            self.0.resize(area)?;
        }
        self.0.draw(|frame| draw(frame)).map(|_| ())
    }

    /// Nothing that was drawn before is there any more.
    pub fn clear(&mut self) -> io::Result<()> {
        self.0.clear()
    }

    /// Waits for a key, or for another size.
    pub fn wait(&mut self) -> io::Result<Event> {
        event::read()
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        release();
    }
}

/// Gives the terminal back if it is taken.
pub fn release() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // Whoever leaves cannot do more than try.
    let mut out = io::stdout();
    let _ = queue!(out, LeaveAlternateScreen, Show).and_then(|()| out.flush());
    let _ = disable_raw_mode();
}

/// Keeps a text until the terminal is given back; false if it is not taken.
pub fn hold(text: &str) -> bool {
    let is_taken = TAKEN.load(Ordering::SeqCst);
    if is_taken {
        held().push_str(text);
    }
    is_taken
}

/// What was kept.
pub fn kept() -> String {
    std::mem::take(&mut *held())
}

fn held() -> MutexGuard<'static, String> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn size() -> Rect {
    let (width, height) = terminal_size::terminal_size().map_or((0, 0), |(width, height)| (width.0, height.0));
    Rect::new(0, 0, width, height)
}
