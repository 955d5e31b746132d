//! Takes over a whole terminal: keys arrive one by one, and the previous contents return on release, however it happens.
//!
//! Only the full screen of a game uses it. While the terminal is taken, all other output of the process is held back in
//! [`HELD`], because it would overwrite the screen.

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
pub struct TerminalGuard(Terminal<CrosstermBackend<Stdout>>);

impl TerminalGuard {
    /// Takes the terminal over, or returns it unchanged with an error.
    pub fn take_terminal() -> io::Result<TerminalGuard> {
        let area = terminal_area();
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        let taken = execute!(io::stdout(), EnterAlternateScreen).and_then(|()| {
            // The size is passed in: it is that of the terminal being written to.
            let options = TerminalOptions { viewport: Viewport::Fixed(area) };
            Terminal::with_options(CrosstermBackend::new(io::stdout()), options)
        });
        taken.map(TerminalGuard).inspect_err(|_| release_terminal())
    }

    /// Draws a frame in the current size of the terminal.
    pub fn draw_frame(&mut self, draw: &mut dyn FnMut(&mut Frame)) -> io::Result<()> {
        let area = terminal_area();
        if self.0.get_frame().area() != area {
            self.0.resize(area)?;
        }
        self.0.draw(|frame| draw(frame)).map(|_| ())
    }

    /// Clears the screen for a full redraw.
    pub fn clear_screen(&mut self) -> io::Result<()> {
        self.0.clear()
    }

    /// Waits for a key or a change of size.
    pub fn wait_for_event(&mut self) -> io::Result<Event> {
        event::read()
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        release_terminal();
    }
}

/// Releases the terminal if it is taken.
pub fn release_terminal() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // Errors on the way out are ignored.
    let mut out = io::stdout();
    let _ = queue!(out, LeaveAlternateScreen, Show).and_then(|()| out.flush());
    let _ = disable_raw_mode();
}

/// Holds a text back until the terminal is released. Returns false if the terminal is not taken.
pub fn hold_text(text: &str) -> bool {
    let is_taken = TAKEN.load(Ordering::SeqCst);
    if is_taken {
        lock_held_text().push_str(text);
    }
    is_taken
}

/// Takes the text held back.
pub fn take_held_text() -> String {
    std::mem::take(&mut *lock_held_text())
}

fn lock_held_text() -> MutexGuard<'static, String> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The current size of the terminal, from the upper left corner on; empty if it is unknown.
fn terminal_area() -> Rect {
    let (width, height) = terminal_size::terminal_size().map_or((0, 0), |(width, height)| (width.0, height.0));
    Rect::new(0, 0, width, height)
}
