//! Long work, as of `sim` and `check`: its progress on a terminal's stderr, and Ctrl-C that keeps the finished part.

use crate::exit::INTERRUPTED;
use crate::{output, running};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Whether Ctrl-C was pressed.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Update interval of the estimate.
const TICK: Duration = Duration::from_millis(250);

/// Makes the first Ctrl-C end the work and keep its counts, and the second one end the process.
pub fn keep_what_is_done() {
    // Without a handler the system's default applies, and the counts are lost.
    let _ = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::Relaxed) {
            output::print_remark("interrupted");
            running::exit_process(INTERRUPTED);
        }
        output::print_remark("\nstopping; the results so far are reported");
    });
}

/// The flag that Ctrl-C sets, for work that polls it.
pub fn stop_flag() -> &'static AtomicBool {
    &STOPPED
}

/// Whether work should stop.
pub fn is_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

/// The exit status of work that may have been stopped; `otherwise` if it was not.
pub fn exit_status(otherwise: u8) -> u8 {
    if is_stopped() { INTERRUPTED } else { otherwise }
}

/// A progress bar for `all` things, called `what`, with an estimate of the time left. Hidden if stderr is no terminal.
pub fn progress_bar(all: u64, what: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!("{{bar:40}} {{human_pos}} of {{human_len}} {what}, {{eta}} left"));
    let bar = ProgressBar::new(all).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    // Shown before the first of them is done.
    bar.tick();
    bar.enable_steady_tick(TICK);
    bar
}

/// The progress bar of work that may be short. It appears only after a moment.
static LATE_BAR: OnceLock<ProgressBar> = OnceLock::new();

/// Shows the number of steps done, once the work takes long.
pub fn show_progress(done: u64, all: u64) {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    const SOON: Duration = Duration::from_millis(500);
    if BEGAN.get_or_init(Instant::now).elapsed() < SOON {
        return;
    }
    let bar = LATE_BAR.get_or_init(|| progress_bar(all, "steps"));
    bar.set_length(all);
    bar.set_position(done);
}

/// Removes the bar of [`show_progress`], if it is shown.
pub fn clear_progress() {
    if let Some(bar) = LATE_BAR.get() {
        bar.finish_and_clear();
    }
}
