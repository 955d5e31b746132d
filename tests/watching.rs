//! `check --watch` and `test --watch`: a report for each save, however an editor saves.

use crate::support::Folder;
use std::cell::RefCell;
use std::io::{BufRead, BufReader};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Nothing that is watched takes so long: a test that waits longer has failed.
const LONGEST: Duration = Duration::from_secs(120);

const BAD: &str = "name: Owl\nstarting: [6, 7]\n";
const GOOD: &str = "name: Owl\nstarting: [6, 6]\n";
const SHEET: &str = "characters/dice-challenge/owl.yaml";

/// A process that watches, and what it has said.
struct Watching {
    child: Child,
    said: Receiver<String>,
    /// What was said while something else was waited for: of two streams, either may be read first.
    passed: RefCell<Vec<String>>,
}

impl Watching {
    fn start(folder: &Folder, args: &[&str]) -> Watching {
        let mut child = folder.command(args).spawn().unwrap();
        let (sender, said) = channel();
        let readers: [Box<dyn std::io::Read + Send>; 2] =
            [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for reader in readers {
            let sender = sender.clone();
            std::thread::spawn(move || {
                BufReader::new(reader).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
            });
        }
        Watching { child, said, passed: RefCell::default() }
    }

    /// Waits until it has said some words.
    #[track_caller]
    fn says(&self, words: &str) {
        let mut passed = self.passed.borrow_mut();
        if let Some(place) = passed.iter().position(|line| line.contains(words)) {
            passed.remove(place);
            return;
        }
        while let Ok(line) = self.said.recv_timeout(LONGEST) {
            if line.contains(words) {
                return;
            }
            passed.push(line);
        }
        panic!("`{words}` is not said, but {passed:?}");
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_file_is_checked_whenever_it_is_saved() {
    let folder = Folder::empty("watched");
    let watching = Watching::start(&folder, &["check", "--watch", "--format", "concise"]);
    watching.says("watching");
    // In a folder that was not there.
    folder.write(SHEET, BAD);
    watching.says("there is no d7");
    watching.says("watching");
    // By another file that takes its place.
    folder.write("draft.tmp", GOOD);
    std::fs::rename(folder.file("draft.tmp"), folder.file(SHEET)).unwrap();
    watching.says("watching");
    // Many times.
    (0..20).for_each(|_| drop(folder.write(SHEET, BAD)));
    watching.says("there is no d7");
    std::fs::remove_dir_all(folder.file("characters")).unwrap();
    // A folder of the same name is another one.
    watching.says("watching");
    folder.write(SHEET, "name: Owl\nstarting: [6, 9]\n");
    watching.says("there is no d9");
}

#[test]
fn scenarios_are_run_whenever_something_is_saved() {
    let folder = Folder::empty("watched scenarios");
    crate::support::run(&folder, &["new", "game", "Last Light"], "");
    let watching = Watching::start(&folder, &["test", "last-light", "--watch"]);
    watching.says("3 scenarios, 0 failed");
    watching.says("watching");
    let rules = std::fs::read_to_string(folder.file("rules/last-light/last-light.ludex")).unwrap();
    folder.write("rules/last-light/last-light.ludex", &rules.replace("if shown = 1", "if shown = 2"));
    watching.says("1 failed");
}

/// Ctrl-C.
#[cfg(unix)]
#[test]
fn whoever_watches_ends_it_with_the_status_of_an_interruption() {
    let folder = Folder::empty("watched until the end");
    let mut watching = Watching::start(&folder, &["check", "--watch"]);
    watching.says("watching");
    let process = rustix::process::Pid::from_child(&watching.child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    assert_eq!(watching.child.wait().unwrap().code(), Some(130));
}
