//! Measures the load of other work on the machine.

use std::time::Duration;

/// The total time that the threads of a process have waited for a processor; zero if the system does not report it.
pub fn waited(process: u32) -> Duration {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let of_thread = |path: std::path::PathBuf| {
        let words = std::fs::read_to_string(path.join("schedstat")).ok()?;
        words.split_whitespace().nth(1)?.parse().ok()
    };
    threads.filter_map(|thread| of_thread(thread.path())).map(Duration::from_nanos).sum()
}
