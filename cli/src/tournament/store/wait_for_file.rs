//! Waiting for other processes that use the same file.

use super::error::is_busy;
use std::time::{Duration, Instant};

/// Maximum time that an operation waits for other processes.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// Pause between attempts if SQLite does not wait itself.
const PAUSE: Duration = Duration::from_millis(20);

/// Tries again while another process is at work, for calls in which SQLite gives up at once.
pub fn retry_while_busy<T>(mut attempt: impl FnMut() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let start = Instant::now();
    loop {
        match attempt() {
            Err(error) if is_busy(&error) && start.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
            done => return done,
        }
    }
}
