//! Long work: how far it has come, on a terminal's stderr, and that Ctrl-C ends it with what is done.

use crate::exit::INTERRUPTED;
use crate::{output, running};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Somebody has pressed Ctrl-C.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// How often the estimate is worked out anew.
const TICK: Duration = Duration::from_millis(250);

/// From now on the first Ctrl-C ends the work with what has been counted, and the second one the process.
pub fn keep_what_is_done() {
    // Without a handler the system's own way to stop applies, and nothing is told of what was counted.
    let _ = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::Relaxed) {
            output::remark("interrupted");
            running::leave(INTERRUPTED);
        }
        output::remark("\nstopping; what is counted so far is told");
    });
}

/// Is set once Ctrl-C is pressed, for work that looks at it by itself.
pub fn stopped() -> &'static AtomicBool {
    &STOPPED
}

/// Whether whoever works should stop.
pub fn is_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

/// The exit status of work that may have been stopped.
pub fn status(otherwise: u8) -> u8 {
    if is_stopped() { INTERRUPTED } else { otherwise }
}

/// How much of so many things is done, and how long the rest will take.
pub fn bar(all: u64, what: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!("{{bar:40}} {{human_pos}} of {{human_len}} {what}, {{eta}} left"));
    let bar = ProgressBar::new(all).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    // Not only once the first of them is done.
    bar.tick();
    bar.enable_steady_tick(TICK);
    bar
}

/// The bar of work that may be short: it is shown only after a moment.
static LATE_BAR: OnceLock<ProgressBar> = OnceLock::new();

/// Shows how many of so many steps are done, once the work takes long.
pub fn show_progress(done: u64, all: u64) {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    const SOON: Duration = Duration::from_millis(500);
    if BEGAN.get_or_init(Instant::now).elapsed() < SOON {
        return;
    }
    let bar = LATE_BAR.get_or_init(|| bar(all, "steps"));
    bar.set_length(all);
    bar.set_position(done);
}

/// Takes this bar away, if it is there.
pub fn clear_progress() {
    if let Some(bar) = LATE_BAR.get() {
        bar.finish_and_clear();
    }
}
