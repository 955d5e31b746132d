//! Ctrl-C and termination in verbs whose results need no saving: print where the recording of a game is, if one is kept, end
//! the programs that play, and exit. Verbs that keep counts when they are interrupted use `work` instead.

use crate::exit::INTERRUPTED;
use crate::load::quote_argument;
use crate::{output, running};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The recording of the game in progress, if it is kept.
static KEPT: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Makes an interruption print where the recording is. Every answer was written before the next question, so the only work left
/// is to end the programs that play: Ctrl-C does not reach them.
pub fn on_interrupt() {
    // Without a handler the system's default applies: nothing is lost, only less is printed.
    let _ = ctrlc::set_handler(|| exit_interrupted());
}

/// Makes a file size limit, as after `ulimit -f`, an error like a full disk. By default the system would end the process.
/// Called once when the command starts.
pub fn outlive_large_files() {
    // Child processes do not inherit a handler, but they would inherit an ignored signal. If no handler can be set, nothing is
    // lost; only this guarantee is missing.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Default::default());
}

/// Ends the process as Ctrl-C does. Full-screen interfaces call it themselves, because they receive Ctrl-C as a key.
pub fn exit_interrupted() -> ! {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner).clone();
    output::restore_terminal();
    output::print_remark("");
    match kept {
        Some(path) => output::print_remark(&format!("interrupted; {}", resume_hint(&path))),
        None => output::print_remark("interrupted"),
    }
    running::exit_process(INTERRUPTED);
}

/// Sets the recording that an interruption reports; `None` if the game is not kept.
pub fn set_kept_recording(path: Option<&Path>) {
    *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = path.map(Path::to_path_buf);
}

/// The sentence on how to resume play later.
pub fn resume_hint(path: &Path) -> String {
    format!("the game is kept; resume it with `ludex play --resume {}`", quote_argument(&path.display().to_string()))
}
