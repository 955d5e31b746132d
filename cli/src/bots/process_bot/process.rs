//! A process and its three streams. No stream can block another: a thread writes its input, one reads its output and one its
//! stderr.

use super::errors;
use super::limits::{Excess, Limits};
use super::watch::Watch;
use crate::lines::{LONGEST_LINE, Line, Lines};
use crate::output;
use crate::running::{Group, Streams};
use std::io::{self, BufReader, Read, Write};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Number of lines that are read ahead.
const READ_AHEAD: usize = 16;
/// Maximum number of bytes that may wait for a process to read them.
pub const MOST_UNREAD: usize = 64 << 20;
/// Time a process gets to end by itself once its input is closed.
const GRACE: Duration = Duration::from_secs(1);
/// Interval between two looks during that time.
const GLANCE: Duration = Duration::from_millis(5);
/// Interval between checks for whether a silent process has ended.
const PAUSE: Duration = Duration::from_millis(250);

/// A running program with its child processes; dropping it ends them.
pub struct Process {
    group: Group,
    watch: Watch,
    /// `None` once its input is closed.
    input: Option<Sender<String>>,
    /// Number of bytes handed over and not yet written.
    unread: Arc<AtomicUsize>,
    output: Receiver<Line>,
    /// Yields the last line written on stderr.
    last_words: Option<JoinHandle<String>>,
}

impl Process {
    /// Starts a program. The command is its path and arguments, separated by spaces.
    pub fn start_program(command: &str, limits: Limits) -> io::Result<Process> {
        let mut words = command.split_whitespace();
        let mut program = Command::new(words.next().unwrap_or_default());
        program.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (group, Streams { input: stdin, output: stdout, errors: stderr }) = Group::start_group(&mut program)?;
        let watch = Watch::watch_group(group.clone(), limits);
        let (input, to_write) = channel();
        let (read, output) = sync_channel(READ_AHEAD);
        let unread = Arc::new(AtomicUsize::new(0));
        if let Some(stdin) = stdin {
            let unread = unread.clone();
            thread::spawn(move || write_texts(stdin, &to_write, &unread));
        }
        if let Some(stdout) = stdout {
            thread::spawn(move || read_lines(stdout, &read));
        }
        let name = command.to_string();
        let pass_on = |stderr| thread::spawn(move || errors::relay_stderr(stderr, &name, output::print_remark));
        let last_words = stderr.map(pass_on);
        Ok(Process { group, watch, input: Some(input), unread, output, last_words })
    }

    /// Queues text for writing. It is dropped if the process has closed its input.
    pub fn queue_text(&self, text: String) {
        if let Some(input) = &self.input {
            self.unread.fetch_add(text.len(), Ordering::Relaxed);
            let _ = input.send(text);
        }
    }

    /// Whether more bytes wait for it than it may leave unread.
    pub fn is_deaf(&self) -> bool {
        self.unread.load(Ordering::Relaxed) > MOST_UNREAD
    }

    /// Returns the next line, or `None` if none arrives in time.
    pub fn wait_for_line(&self, patience: Duration) -> Option<Line> {
        let start = Instant::now();
        loop {
            let rest = patience.saturating_sub(start.elapsed());
            match self.output.recv_timeout(rest.min(PAUSE)) {
                Ok(line) => return Some(line),
                Err(RecvTimeoutError::Disconnected) => return Some(Line::End),
                Err(RecvTimeoutError::Timeout) if rest <= PAUSE => return None,
                // Its child processes keep its output open, but will not answer for it.
                Err(RecvTimeoutError::Timeout) if self.group.has_ended() => self.group.kill_group(),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The limit that it exceeded, if it was ended for that.
    pub fn exceeded_limit(&self) -> Option<Excess> {
        self.watch.exceeded_limit()
    }

    /// Closes its input and waits briefly for it to end, together with its child processes. Returns `None` if it had to be
    /// killed.
    pub fn end_program(&mut self) -> Option<ExitStatus> {
        self.input = None;
        let by_itself = poll_briefly(|| self.group.has_ended().then_some(())).is_some();
        self.group.end_group().filter(|_| by_itself)
    }

    /// Ends it at once, together with its child processes.
    pub fn kill_program(&mut self) {
        self.group.end_group();
    }

    /// The last line on stderr of a process that has ended.
    pub fn last_words(&mut self) -> Option<String> {
        let reader = self.last_words.take()?;
        // Another process that has left the group may keep the stream open.
        poll_briefly(|| reader.is_finished().then_some(()))?;
        reader.join().ok().filter(|words| !words.is_empty())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end_program();
    }
}

/// Polls for a result, but not for long.
fn poll_briefly<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        let found = look();
        if found.is_some() || start.elapsed() > GRACE {
            return found;
        }
        thread::sleep(GLANCE);
    }
}

/// Writes queued texts until the queue is closed or the process no longer reads; counts down `unread`.
fn write_texts(mut stdin: ChildStdin, texts: &Receiver<String>, unread: &AtomicUsize) {
    for text in texts {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return unread.store(0, Ordering::Relaxed);
        }
        unread.fetch_sub(text.len(), Ordering::Relaxed);
    }
}

/// Passes on the lines of stdout, including the end.
fn read_lines(stdout: impl Read, read: &SyncSender<Line>) {
    let mut lines = Lines::new(BufReader::new(stdout), LONGEST_LINE);
    loop {
        let line = lines.read_line();
        let ended = line == Line::End;
        if read.send(line).is_err() || ended {
            return;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    fn start(command: &str) -> Process {
        Process::start_program(command, Limits::default()).unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let mut process = start("cat");
        process.queue_text("one\ntwo\n".to_string());
        assert_eq!(process.wait_for_line(PATIENCE), Some(Line::Text("one".to_string())));
        assert_eq!(process.wait_for_line(PATIENCE), Some(Line::Text("two".to_string())));
        assert!(process.end_program().is_some_and(|status| status.success()));
        assert_eq!(process.wait_for_line(PATIENCE), Some(Line::End));
    }

    #[test]
    fn who_reads_nothing_keeps_nobody_waiting() {
        let mut process = start("sleep 100");
        process.queue_text("line\n".repeat(100_000));
        assert_eq!(process.wait_for_line(Duration::from_millis(20)), None);
        assert!(!process.is_deaf());
        process.queue_text("line\n".repeat(MOST_UNREAD / 5));
        assert!(process.is_deaf());
        assert_eq!(process.end_program(), None);
    }

    #[test]
    fn a_line_that_never_ends_is_too_long() {
        let process = start("cat /dev/zero");
        assert_eq!(process.wait_for_line(PATIENCE), Some(Line::TooLong));
    }
}
