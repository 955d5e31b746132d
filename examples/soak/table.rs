//! Runs `ludex host` and talks to it from outside.

use super::program::ludex;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Time without output after which a process counts as hung.
const PATIENCE: Duration = Duration::from_secs(20);
/// Maximum number of lines waiting to be read.
const MOST_WAITING: usize = 1_000;
/// Maximum number of bytes of stderr that are kept.
const MOST_COMPLAINTS: u64 = 1 << 20;

pub struct Table {
    child: Arc<Mutex<Child>>,
    process: u32,
    /// `None` once closed.
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    complaints: JoinHandle<String>,
}

/// The result of a read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    Line(String),
    Silence,
    End,
}

impl Table {
    pub fn host(folder: &Path, arguments: &[String]) -> Table {
        let mut child = ludex(folder).arg("host").args(arguments).spawn().expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("it has a pipe"));
        let mut errors = child.stderr.take().expect("it has a pipe");
        let (send, lines) = sync_channel(MOST_WAITING);
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        let complaints = std::thread::spawn(move || {
            let mut said = Vec::new();
            let _ = errors.by_ref().take(MOST_COMPLAINTS).read_to_end(&mut said);
            let _ = std::io::copy(&mut errors, &mut std::io::sink());
            String::from_utf8_lossy(&said).into_owned()
        });
        let (input, process) = (child.stdin.take(), child.id());
        Table { child: Arc::new(Mutex::new(child)), process, input, lines, complaints }
    }

    pub fn process(&self) -> u32 {
        self.process
    }

    /// Sends lines with their ends. A process that has ended reads no more, but its earlier output can still be read.
    pub fn say(&mut self, bytes: &[u8]) {
        self.input.iter_mut().for_each(|input| drop(input.write_all(bytes)));
    }

    pub fn hear(&self) -> Heard {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Timeout) => Heard::Silence,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// Kills it as a failure of the machine would. Its earlier output can still be read.
    pub fn kill(&self) {
        kill_after(&self.child, Duration::ZERO);
    }

    /// Kills it after a while, whatever it is doing.
    pub fn kill_after(&self, life: Duration) {
        kill_after(&self.child, life);
    }

    /// Closes its input, waits for its end, and returns its exit status and its stderr.
    pub fn end(mut self) -> (ExitStatus, String) {
        drop(self.input.take());
        while let Ok(_rest) = self.lines.recv_timeout(PATIENCE) {}
        kill_after(&self.child, PATIENCE);
        let complaints = self.complaints.join().unwrap_or_default();
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        (child.wait().expect("it can be waited for"), complaints)
    }
}

/// Kills a process after a while, if it still runs.
pub fn kill_after(child: &Arc<Mutex<Child>>, life: Duration) {
    let child = Arc::clone(child);
    std::thread::spawn(move || {
        std::thread::sleep(life);
        let _ = child.lock().unwrap_or_else(PoisonError::into_inner).kill();
    });
}
