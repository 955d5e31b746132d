//! Several processes at one file.

use super::error::is_busy;
use std::time::{Duration, Instant};

/// How long an operation waits for those of other processes.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// How long it waits before it looks again, where SQLite does not wait itself.
const PAUSE: Duration = Duration::from_millis(20);

/// Tries again while another process is at work, where SQLite itself gives up at once.
pub fn retry_while_busy<T>(mut attempt: impl FnMut() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let start = Instant::now();
    loop {
        match attempt() {
            Err(error) if is_busy(&error) && start.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
            done => return done,
        }
    }
}
