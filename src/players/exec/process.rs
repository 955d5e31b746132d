//! A process with its three streams, none of which can keep the others waiting.

use crate::lines::{LONGEST_LINE, Line, Lines};
use crate::output;
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// So many lines are read ahead.
const READ_AHEAD: usize = 16;
/// How long a process may take to end by itself once its input has.
const GRACE: Duration = Duration::from_secs(1);
const GLANCE: Duration = Duration::from_millis(5);

pub struct Process {
    child: Child,
    /// None once its input is closed.
    input: Option<Sender<String>>,
    output: Receiver<Line>,
    /// Comes to the last line that was written on stderr.
    last_words: Option<JoinHandle<String>>,
}

impl Process {
    /// Starts a program; behind it, with spaces between them, stand its arguments.
    pub fn start(command: &str) -> io::Result<Process> {
        let mut words = command.split_whitespace();
        let mut child = Command::new(words.next().unwrap_or_default())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (input, to_write) = channel();
        let (read, output) = sync_channel(READ_AHEAD);
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write(stdin, &to_write));
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_lines(stdout, &read));
        }
        let last_words = child.stderr.take().map(|stderr| thread::spawn(move || pass_through(stderr)));
        Ok(Process { child, input: Some(input), output, last_words })
    }

    /// Hands text over to be written. A process that has closed its input does not get it.
    pub fn write(&self, text: String) {
        if let Some(input) = &self.input {
            let _ = input.send(text);
        }
    }

    /// The next line, or none if there is none within this time.
    pub fn read(&self, patience: Duration) -> Option<Line> {
        match self.output.recv_timeout(patience) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => Some(Line::End),
            Err(RecvTimeoutError::Timeout) => None,
        }
    }

    /// Closes its input and waits for it to end, but not for long; none if it had to be killed.
    pub fn end(&mut self) -> Option<ExitStatus> {
        self.input = None;
        let child = &mut self.child;
        if let Some(status) = soon(|| child.try_wait().ok().flatten()) {
            return Some(status);
        }
        self.kill();
        None
    }

    pub fn kill(&mut self) {
        // Who has ended meanwhile cannot be killed, and need not be.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The last line on stderr of a process that has ended.
    pub fn last_words(&mut self) -> Option<String> {
        let reader = self.last_words.take()?;
        // Another process that it started may hold on to the stream.
        soon(|| reader.is_finished().then_some(()))?;
        reader.join().ok().filter(|words| !words.is_empty())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Looks again and again whether something has come about, but not for long.
fn soon<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        let found = look();
        if found.is_some() || start.elapsed() > GRACE {
            return found;
        }
        thread::sleep(GLANCE);
    }
}

fn write(mut stdin: ChildStdin, texts: &Receiver<String>) {
    for text in texts {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: impl Read, read: &SyncSender<Line>) {
    let mut lines = Lines::new(BufReader::new(stdout), LONGEST_LINE);
    loop {
        let line = lines.read();
        let ended = line == Line::End;
        if read.send(line).is_err() || ended {
            return;
        }
    }
}

/// What a program says on stderr is said on ours, and the last line of it is kept.
fn pass_through(stderr: impl Read) -> String {
    let mut lines = Lines::new(BufReader::new(stderr), LONGEST_LINE);
    let mut last = String::new();
    loop {
        match lines.read() {
            Line::End => return last,
            Line::NotText | Line::TooLong => {}
            Line::Text(text) => {
                output::remark(&text);
                if !text.trim().is_empty() {
                    last = text.trim().to_string();
                }
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    #[test]
    fn what_is_written_is_read() {
        let mut process = Process::start("cat").unwrap();
        process.write("one\ntwo\n".to_string());
        assert_eq!(process.read(PATIENCE), Some(Line::Text("one".to_string())));
        assert_eq!(process.read(PATIENCE), Some(Line::Text("two".to_string())));
        assert!(process.end().is_some_and(|status| status.success()));
        assert_eq!(process.read(PATIENCE), Some(Line::End));
    }

    #[test]
    fn who_reads_nothing_keeps_nobody_waiting() {
        let mut process = Process::start("sleep 100").unwrap();
        process.write("line\n".repeat(100_000));
        assert_eq!(process.read(Duration::from_millis(20)), None);
        assert_eq!(process.end(), None);
    }

    #[test]
    fn a_line_that_never_ends_is_too_long() {
        let process = Process::start("cat /dev/zero").unwrap();
        assert_eq!(process.read(PATIENCE), Some(Line::TooLong));
    }
}
