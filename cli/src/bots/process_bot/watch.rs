//! Watches the total usage of a process group while it runs. Only Linux reports it easily; on other systems no usage is found,
//! and no limit is ever exceeded.

use super::limits::{Excess, Limits};
use crate::running::Group;
use std::fs;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// Interval between measurements.
const PAUSE: Duration = Duration::from_millis(250);

/// Watches a group until dropped, and ends it if it uses too much.
pub struct Watch {
    excess: Arc<OnceLock<Excess>>,
    /// Dropping it stops the watch.
    _until: Sender<()>,
}

/// Resource usage of a process or a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Usage {
    /// Bytes of its own memory, in RAM or swapped out.
    memory: u64,
    /// Processes and threads.
    tasks: u64,
}

impl Watch {
    /// Starts to watch a group on a thread of its own.
    pub fn watch_group(group: Group, limits: Limits) -> Watch {
        let excess = Arc::new(OnceLock::new());
        let (until, stop) = channel();
        let found = excess.clone();
        if cfg!(target_os = "linux") {
            thread::spawn(move || watch_usage(&group, limits, &stop, &found));
        }
        Watch { excess, _until: until }
    }

    /// The limit for which the group was ended, if it was.
    pub fn exceeded_limit(&self) -> Option<Excess> {
        self.excess.get().copied()
    }
}

/// Measures the group until it exceeds a limit or the watch ends.
fn watch_usage(group: &Group, limits: Limits, stop: &Receiver<()>, found: &OnceLock<Excess>) {
    let number = group.process_id();
    while stop.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
        let usage = group_usage(number);
        if let Some(excess) = limits.find_excess(usage.memory, usage.tasks) {
            // Set the reason first: a reader that sees the end asks for it.
            let _ = found.set(excess);
            return group.kill_group();
        }
    }
}

/// Sums the usage of all processes of a group.
fn group_usage(group: u32) -> Usage {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let members = processes.filter_map(|process| {
        let is_process = process.file_name().to_str()?.bytes().all(|byte| byte.is_ascii_digit());
        let stat = is_process.then(|| fs::read(process.path().join("stat")).ok())??;
        let own = parse_group(&String::from_utf8_lossy(&stat))? == group;
        // A process that has ended meanwhile uses nothing.
        own.then(|| fs::read(process.path().join("status")).ok())?
    });
    members
        .map(|status| parse_usage(&String::from_utf8_lossy(&status)))
        .fold(Usage::default(), |sum, usage| Usage { memory: sum.memory + usage.memory, tasks: sum.tasks + usage.tasks })
}

/// Reads the group from `/proc/N/stat`: number, name in parentheses, state, parent, group. The name may contain any character.
fn parse_group(stat: &str) -> Option<u32> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(2)?.parse().ok()
}

/// Reads a process's usage from `/proc/N/status`. Pages of mapped files do not count: the system may drop them.
fn parse_usage(status: &str) -> Usage {
    let number = |name: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    };
    let kibibytes: u64 = ["RssAnon", "RssShmem", "VmSwap"].map(number).iter().sum();
    Usage { memory: kibibytes << 10, tasks: number("Threads") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_disturb() {
        assert_eq!(parse_group("31 (a) b (c)) S 1 77 31 0 -1"), Some(77));
        assert_eq!(parse_group("nothing"), None);
    }

    #[test]
    fn memory_is_added_up() {
        let status =
            "Name:\tThreads: 9\nRssAnon:\t    2048 kB\nRssFile:\t  900 kB\nRssShmem:\t 1 kB\nVmSwap:\t 3 kB\nThreads:\t4\n";
        assert_eq!(parse_usage(status), Usage { memory: 2052 << 10, tasks: 4 });
        // One that has ended and is not waited for yet.
        assert_eq!(parse_usage("Name:\tsh\nState:\tZ (zombie)\nThreads:\t1\n"), Usage { memory: 0, tasks: 1 });
    }
}
