//! How busy the machine is with other work.

use std::time::Duration;

/// How long the threads of a process have waited for a processor so far, all together; nothing where the system does not tell.
pub fn waited(process: u32) -> Duration {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let of_thread = |path: std::path::PathBuf| {
        let words = std::fs::read_to_string(path.join("schedstat")).ok()?;
        words.split_whitespace().nth(1)?.parse().ok()
    };
    threads.filter_map(|thread| of_thread(thread.path())).map(Duration::from_nanos).sum()
}
