//! Ctrl-C and termination: say where the recording lies, end the programs that play, and go.

use crate::exit::INTERRUPTED;
use crate::load::argument;
use crate::{output, running};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The recording of the game in progress, if it is kept.
static KEPT: Mutex<Option<PathBuf>> = Mutex::new(None);

/// From now on an interruption tells where the recording lies. Every answer was written before the next question, so
/// nothing else is left to do but to end the programs that play: Ctrl-C does not reach them.
pub fn on_interrupt() {
    // Without a handler the system's own way to stop applies: nothing is lost, only less is said.
    let _ = ctrlc::set_handler(|| interrupted());
}

/// From now on a file that may not grow further, as after `ulimit -f`, is an error like a full disk. By itself the system would
/// end the process.
pub fn outlive_large_files() {
    // Programs that are started do not inherit a handler, as they would inherit that the signal is ignored. If there can be none,
    // less is promised, and nothing is lost.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Default::default());
}

/// Ends the process as Ctrl-C does.
pub fn interrupted() -> ! {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner).clone();
    output::give_back();
    output::remark("");
    match kept {
        Some(path) => output::remark(&format!("interrupted; {}", how_to_go_on(&path))),
        None => output::remark("interrupted"),
    }
    running::leave(INTERRUPTED);
}

/// Tells which recording an interruption leaves behind.
pub fn set_kept(path: Option<&Path>) {
    *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = path.map(Path::to_path_buf);
}

/// The sentence that says how play goes on another time.
pub fn how_to_go_on(path: &Path) -> String {
    format!("the game is kept; go on with `ludex play --resume {}`", argument(&path.display().to_string()))
}
