//! `play` on a whole terminal: a terminal of its own, which shows what is drawn on it, stands for the one that people sit at.
#![cfg(unix)]

use crate::support::Folder;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// However slow the machine is, what is waited for has come by then.
const PATIENCE: Duration = Duration::from_secs(60);

/// A picture of which nothing more has come for so long is whole.
const QUIET: Duration = Duration::from_millis(200);

const CTRL_C: &str = "\u{3}";
const CTRL_P: &str = "\u{10}";
const CTRL_Z: &str = "\u{1a}";

/// A game at a terminal.
struct Table {
    child: Child,
    keyboard: File,
    /// The end that the game has; it stays open when the game is over.
    terminal: File,
    chunks: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    /// What the screen has shown, whenever something came.
    shown: Vec<String>,
    bytes: Vec<u8>,
}

impl Table {
    fn new(folder: &Folder, args: &[&str], (columns, rows): (u16, u16)) -> Table {
        let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&keyboard).unwrap();
        unlockpt(&keyboard).unwrap();
        let path = ptsname(&keyboard, Vec::new()).unwrap();
        let terminal = File::options().read(true).write(true).open(path.to_str().unwrap()).unwrap();
        tcsetwinsize(&terminal, size(columns, rows)).unwrap();
        let end = || Stdio::from(terminal.try_clone().unwrap());
        let mut command = folder.command(args);
        command.env("TERM", "xterm-256color").env_remove("LUDEX_PLAIN").env_remove("NO_COLOR");
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        let keyboard = File::from(keyboard);
        let (sender, chunks) = channel();
        let mut output = keyboard.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut chunk) {
                if sender.send(chunk[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        let screen = vt100::Parser::new(some(rows), some(columns), 0);
        Table { child, keyboard, terminal, chunks, screen, shown: Vec::new(), bytes: Vec::new() }
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Looks at the screen until it shows something.
    #[track_caller]
    fn until(&mut self, what: &str, is_there: impl Fn(&Table) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !is_there(self) {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(chunk) = self.chunks.recv_timeout(left) else {
                panic!("{what} is not there:\n{}", self.text());
            };
            self.show(&chunk);
        }
        // One picture may come in several parts.
        while let Ok(chunk) = self.chunks.recv_timeout(QUIET) {
            self.show(&chunk);
        }
    }

    fn show(&mut self, chunk: &[u8]) {
        self.screen.process(chunk);
        self.bytes.extend(chunk);
        self.shown.push(self.text());
    }

    #[track_caller]
    fn until_words(&mut self, words: &str) {
        self.until(words, |table| table.text().contains(words));
    }

    fn resize(&mut self, columns: u16, rows: u16) {
        tcsetwinsize(&self.terminal, size(columns, rows)).unwrap();
        self.screen.screen_mut().set_size(some(rows), some(columns));
        // It is nobody's own terminal, so that the system tells nobody.
        kill_process(Pid::from_child(&self.child), Signal::WINCH).unwrap();
    }

    /// Whether lines are typed at the terminal as before the game.
    fn is_given_back(&self) -> bool {
        let modes = tcgetattr(&self.terminal).unwrap().local_modes;
        let screen = self.screen.screen();
        modes.contains(LocalModes::ICANON | LocalModes::ECHO) && !screen.alternate_screen() && !screen.hide_cursor()
    }

    /// The exit status.
    fn end(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // A test that has failed leaves nobody behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn some(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}

fn size(columns: u16, rows: u16) -> Winsize {
    Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}

const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics");

fn pig<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let seats = ["--seat", "0=:human", "--seat", "1=:random", "--name", "0=Ann", "--name", "1=Bob"];
    [&["play", "pig", "--library", CLASSICS, "--seed", "1", "--option", "goal=20"], &seats[..], more].concat()
}

#[test]
fn a_game_is_played_with_keys_to_its_end() {
    let folder = Folder::empty("fullscreen-whole");
    let mut table = Table::new(&folder, &pig(&[]), (80, 24));
    table.until_words("Roll again?");
    assert!(table.screen.screen().alternate_screen());
    table.press("1");
    table.until("a second roll", |table| table.text().matches("Ann rolls").count() == 2);
    table.press(CTRL_Z);
    table.until_words("Ann takes back the last decision");
    table.resize(120, 40);
    table.until("the keys below", |table| table.text().lines().nth(39).is_some_and(|line| line.contains("^Z undo")));
    table.resize(60, 20);
    table.until_words("make it larger");
    table.resize(80, 24);
    table.until_words("Roll again?");
    while !table.text().contains("press Enter to leave the table") {
        let before = table.text();
        // Down, and Enter: hold.
        table.press("\u{1b}[B\r");
        table.until("another question", |table| table.text() != before && table.text().contains("> "));
    }
    table.press("\r");
    table.until_words("rematch, or Enter to leave:");
    assert!(table.is_given_back(), "{}", table.text());
    assert!(table.text().contains("the game ─") && table.text().contains("kept in"), "{}", table.text());
    table.press("\n");
    assert_eq!(table.end(), Some(0));
}

#[test]
fn whoever_leaves_gets_the_terminal_back_and_is_told_where_the_game_is() {
    let folder = Folder::empty("fullscreen-left");
    let mut table = Table::new(&folder, &pig(&[]), (80, 24));
    table.until_words("Roll again?");
    table.press("quit\r");
    table.until_words("the game is kept; resume it with");
    assert_eq!(table.end(), Some(0));
    assert!(table.is_given_back(), "{}", table.text());
}

#[test]
fn an_interruption_gives_the_terminal_back() {
    for by_key in [true, false] {
        let folder = Folder::empty(&format!("fullscreen-interrupted-{by_key}"));
        let mut table = Table::new(&folder, &pig(&[]), (80, 24));
        table.until_words("Roll again?");
        match by_key {
            true => table.press(CTRL_C),
            false => kill_process(Pid::from_child(&table.child), Signal::TERM).unwrap(),
        }
        table.until_words("interrupted; the game is kept");
        assert_eq!(table.end(), Some(130));
        assert!(table.is_given_back(), "{}", table.text());
    }
}

#[test]
fn lines_are_for_whoever_asks_for_them_and_for_small_terminals() {
    for (name, more, size) in [("fullscreen-plain", &["--plain"][..], (80, 24)), ("fullscreen-small", &[], (79, 24))] {
        let folder = Folder::empty(name);
        let mut table = Table::new(&folder, &pig(more), size);
        table.until_words("(1 to 2, or help):");
        assert!(!table.screen.screen().alternate_screen());
    }
}

/// Moon's turn. What either holds is nowhere else.
const HANDS: &str = "sides:
  - entrants: [moon]
    zones:
      hand: [luna, luna-pen, zoycite]
      allies: [sailor-moon-1]
      enemies: [titus]
      draw_pile: {power-soul: 9}
    counters: {turns_had: 1}
  - entrants: [mercury]
    zones:
      hand: [love-letter]
      allies: [sailor-mercury-1]
      enemies: [racy]
      draw_pile: {power-body: 9}
    counters: {turns_had: 1}
table: {on_turn: 0, next_up: 1}
at: \"play_and_use(active: 0)\"
";

#[test]
fn after_a_hand_over_nothing_is_written_of_the_other_hand() {
    let folder = Folder::empty("fullscreen-hands");
    let position = folder.write("position.yaml", HANDS);
    let seats = ["--seat", "0=moon:human", "--seat", "1=mercury:human"];
    let args = [&["play", "sailor-moon-ccg", "--seed", "1", "--position", &position], &seats[..]].concat();
    let mut table = Table::new(&folder, &args, (80, 24));
    table.until_words("hand over to Moon");
    table.press("\r");
    table.until_words("Luna Pen");
    table.press("look zoycite\r");
    table.until_words("Enter closes");
    table.press("\r");
    table.until_words("Play a card");
    let mut questions = 0;
    while !table.text().contains("hand over to Mercury") {
        let before = table.text();
        // The last move of each question: to play no more cards, and to let things be.
        table.press(if before.contains("`pass`") { "pass\r" } else { "\u{1b}[B\u{1b}[B\u{1b}[B\u{1b}[B\u{1b}[B\u{1b}[B\r" });
        table.until("another question", |table| table.text() != before);
        questions += 1;
        assert!(questions < 50, "{}", table.text());
    }
    let (seen, written) = (table.shown.len(), table.bytes.len());
    assert!(!table.text().contains("Luna"), "{}", table.text());
    table.press("\r");
    table.until_words("Love Letter");
    // What the one before has typed does not come back either.
    table.press(CTRL_P);
    table.press("x");
    table.until_words("> x");
    let bytes = String::from_utf8_lossy(&table.bytes[written..]).to_lowercase();
    for name in ["luna", "zoycite"] {
        assert!(!bytes.contains(name), "{name} is written after the hand-over");
        let again = table.shown[seen..].iter().find(|shown| shown.to_lowercase().contains(name));
        assert!(again.is_none(), "{}", again.unwrap());
    }
}
