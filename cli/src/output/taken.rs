//! Takes over a whole terminal: keys arrive one by one, and the previous contents return on release, however it happens.

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
/// Text held back meanwhile, since it would damage the screen.
static HELD: Mutex<String> = Mutex::new(String::new());

/// Holds the terminal until dropped.
pub struct Taken(Terminal<CrosstermBackend<Stdout>>);

impl Taken {
    pub fn take() -> io::Result<Taken> {
        let area = size();
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        let taken = execute!(io::stdout(), EnterAlternateScreen).and_then(|()| {
            // The size is passed in: it is that of the terminal being written to.
            let options = TerminalOptions { viewport: Viewport::Fixed(area) };
            Terminal::with_options(CrosstermBackend::new(io::stdout()), options)
        });
        taken.map(Taken).inspect_err(|_| release())
    }

    /// Draws a frame in the current size of the terminal.
    pub fn draw(&mut self, draw: &mut dyn FnMut(&mut Frame)) -> io::Result<()> {
        let area = size();
        if self.0.get_frame().area() != area {
            self.0.resize(area)?;
        }
        self.0.draw(|frame| draw(frame)).map(|_| ())
    }

    /// Clears the screen for a full redraw.
    pub fn clear(&mut self) -> io::Result<()> {
        self.0.clear()
    }

    /// Waits for a key or a change of size.
    pub fn wait(&mut self) -> io::Result<Event> {
        event::read()
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        release();
    }
}

/// Releases the terminal if it is taken.
pub fn release() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // Errors on the way out are ignored.
    let mut out = io::stdout();
    let _ = queue!(out, LeaveAlternateScreen, Show).and_then(|()| out.flush());
    let _ = disable_raw_mode();
}

/// Holds a text back until the terminal is released. Returns false if the terminal is not taken.
pub fn hold(text: &str) -> bool {
    let is_taken = TAKEN.load(Ordering::SeqCst);
    if is_taken {
        held().push_str(text);
    }
    is_taken
}

/// Takes the text held back.
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
