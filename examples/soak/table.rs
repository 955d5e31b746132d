//! `ludex host`, spoken to from outside.

use super::program::ludex;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Somebody who says nothing for so long has fallen asleep.
const PATIENCE: Duration = Duration::from_secs(20);
/// So many lines wait to be read at most.
const MOST_WAITING: usize = 1_000;
/// So much of what a process complains about is kept.
const MOST_COMPLAINTS: u64 = 1 << 20;

pub struct Table {
    child: Arc<Mutex<Child>>,
    process: u32,
    /// None once it was closed.
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    complaints: JoinHandle<String>,
}

/// What came next.
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

    /// Hands lines over, with their ends. A process that has ended reads no more; what it said before is heard all the same.
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

    /// Ends it as a failure of the machine would. What it has said can still be heard.
    pub fn kill(&self) {
        kill_after(&self.child, Duration::ZERO);
    }

    /// Ends it so after a while, whatever it does then.
    pub fn kill_after(&self, life: Duration) {
        kill_after(&self.child, life);
    }

    /// Says no more, waits for the end, and gives what it complained of.
    pub fn end(mut self) -> (ExitStatus, String) {
        drop(self.input.take());
        while let Ok(_rest) = self.lines.recv_timeout(PATIENCE) {}
        kill_after(&self.child, PATIENCE);
        let complaints = self.complaints.join().unwrap_or_default();
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        (child.wait().expect("it can be waited for"), complaints)
    }
}

/// Ends a process after a while, if it is still there.
pub fn kill_after(child: &Arc<Mutex<Child>>, life: Duration) {
    let child = Arc::clone(child);
    std::thread::spawn(move || {
        std::thread::sleep(life);
        let _ = child.lock().unwrap_or_else(PoisonError::into_inner).kill();
    });
}
