//! Endless lines for `ludex host`, few of which are answers.
//!
//! Each line is followed by one that is refused by number. This shows when a line has been processed, even if it gets no reply.

use super::changes::{one_of, some};
use super::games::{PLAYS, Play};
use super::lines::{answer, hostile};
use super::peak::peak;
use super::table::{Heard, Table};
use super::tally::{MOST_MEMORY, MOST_TIME, Tally};
use super::waiting::waited;
use ludex_engine::runtime::random::{Generator, derive_seed, seeded_generator};
use serde::de::IgnoredAny;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Maximum number of lines sent to one game.
const MOST_LINES: u64 = 4_000;
/// One line in this many is an answer.
const ANSWERS: usize = 8;
/// Number of lines between checks of memory.
const LOOK: u64 = 16;
/// The number of the first line that is refused by number.
const FIRST_MARK: u64 = 1_000_000_000_000_000;

/// Output that shows a failure of Ludex itself.
const BUGS: [&str; 3] = ["panicked", "Ludex itself has failed", "bug in Ludex"];

#[derive(Debug, Default)]
struct Counts {
    games: u64,
    finished: u64,
    answers: u64,
    replies: u64,
}

/// Sends `lines` lines to as many games as needed, starting with number `first`.
pub fn run(folder: &Path, first: u64, lines: u64) -> Tally {
    let (mut tally, mut counts, mut sent) = (Tally::default(), Counts::default(), 0);
    let sound: Vec<u64> = PLAYS.iter().map(|play| baseline(folder, play, &mut tally)).collect();
    for index in first.. {
        if sent >= lines {
            break;
        }
        let place = index as usize % PLAYS.len();
        let mut game = Game::start(folder, &PLAYS[place], index, &mut tally);
        sent += game.attack(MOST_LINES.min(lines - sent));
        let held = game.end(&mut counts).saturating_sub(sound[place]);
        tally.memory = tally.memory.max(held);
        if held > MOST_MEMORY {
            tally.wrong(format!("game {index}, {}: {} MiB beyond the baseline", PLAYS[place].name(), held >> 20));
        }
    }
    let Counts { games, finished, answers, replies } = counts;
    println!("{sent} lines to {games} games, {answers} of them answers, {finished} games finished; {replies} lines came back");
    tally
}

/// The memory of a game with valid answers only, in bytes.
fn baseline(folder: &Path, play: &Play, tally: &mut Tally) -> u64 {
    let mut game = Game::start(folder, play, 0, tally);
    for _ in 0..MOST_LINES {
        if game.is_over || !game.answer() {
            break;
        }
    }
    game.end(&mut Counts::default())
}

struct Game<'t> {
    name: String,
    table: Table,
    luck: Generator,
    tally: &'t mut Tally,
    /// Questions by number; some may be closed already.
    asked: BTreeMap<u64, Value>,
    seats: usize,
    mark: u64,
    lines: u64,
    answers: u64,
    replies: u64,
    peak: u64,
    is_over: bool,
}

impl<'t> Game<'t> {
    fn start(folder: &Path, play: &Play, index: u64, tally: &'t mut Tally) -> Game<'t> {
        let mut luck = seeded_generator(derive_seed(index, 4));
        let table = Table::host(folder, &arguments(play, index, &mut luck));
        let name = format!("game {index}, {}", play.name());
        let (asked, seats, mark) = (BTreeMap::new(), play.sides.len() + 1, FIRST_MARK);
        let (lines, answers, replies, peak, is_over) = (0, 0, 0, 0, false);
        let mut game = Game { name, table, luck, tally, asked, seats, mark, lines, answers, replies, peak, is_over };
        // The time before the first question is for loading.
        game.hear_until_marked(b"");
        game
    }

    /// Sends lines until `most` were sent or the game is over. Returns the number sent.
    fn attack(&mut self, most: u64) -> u64 {
        while self.lines < most && !self.is_over {
            if some(&mut self.luck, ANSWERS) > 0 || !self.answer() {
                let asked: Vec<&Value> = self.asked.values().collect();
                let about = if asked.is_empty() { None } else { Some(*one_of(&mut self.luck, &asked)) };
                let line = hostile(about, &mut self.luck);
                self.send(&line);
            }
        }
        self.lines
    }

    /// Answers an open question. If none is known, requests them.
    fn answer(&mut self) -> bool {
        let ids: Vec<u64> = self.asked.keys().copied().collect();
        if ids.is_empty() {
            (0..self.seats).for_each(|seat| self.send(format!("{{\"resync\":{seat}}}").as_bytes()));
            return !self.asked.is_empty();
        }
        let id = *one_of(&mut self.luck, &ids);
        let Some(asked) = self.asked.remove(&id) else { return false };
        let line = answer(&asked, &mut self.luck);
        self.answers += 1;
        self.send(line.to_string().as_bytes());
        true
    }

    fn send(&mut self, line: &[u8]) {
        if self.is_over {
            return;
        }
        self.lines += 1;
        let before = self.waited();
        let silence = self.hear_until_marked(line);
        // Time lost to other work on the machine does not count.
        let time = silence.saturating_sub(self.waited().saturating_sub(before));
        self.tally.longest = self.tally.longest.max(time);
        if time > MOST_TIME {
            self.wrong(&format!("{time:.1?} for `{}`", shown(line)));
        }
        if self.lines.is_multiple_of(LOOK) {
            self.peak = self.peak.max(peak(self.table.process()));
        }
    }

    /// The time both processes have waited for a processor so far.
    fn waited(&self) -> Duration {
        waited(self.table.process()) + waited(std::process::id())
    }

    /// Sends a line and reads all replies to it. Returns the longest silence. If bots play on among themselves, there may be many
    /// replies.
    fn hear_until_marked(&mut self, line: &[u8]) -> Duration {
        self.mark += 1;
        let marked = format!("\"in_reply_to\":{},", self.mark);
        let mark = format!("\n{{\"random\":{}}}\n", self.mark);
        let (mut begun, mut longest) = (Instant::now(), Duration::ZERO);
        self.table.say(&[line, mark.as_bytes()].concat());
        loop {
            let heard = self.table.hear();
            longest = longest.max(begun.elapsed());
            begun = Instant::now();
            match heard {
                Heard::Line(reply) if reply.contains(&marked) => break,
                Heard::Line(reply) => self.take(&reply, line),
                Heard::Silence => {
                    self.wrong(&format!("silence after `{}`", shown(line)));
                    self.table.kill();
                    self.is_over = true;
                    break;
                }
                Heard::End => {
                    if !self.is_over {
                        self.wrong(&format!("it ended after `{}`", shown(line)));
                    }
                    self.is_over = true;
                    break;
                }
            }
        }
        longest
    }

    fn take(&mut self, reply: &str, line: &[u8]) {
        self.replies += 1;
        if serde_json::from_str::<IgnoredAny>(reply).is_err() {
            return self.wrong(&format!("`{}` is answered by what is no JSON: {reply}", shown(line)));
        }
        let reply = without_view(reply);
        let id = reply["id"].as_u64().or(reply["in_reply_to"].as_u64());
        match (reply["type"].as_str().unwrap_or_default(), id) {
            ("decision" | "random", Some(id)) => drop(self.asked.insert(id, reply)),
            ("event", _) if reply["kind"] == "taken_back" => self.asked.clear(),
            ("rejected", Some(id)) if reply["reason"].as_str().is_some_and(|reason| reason.contains("is not open")) => {
                self.asked.remove(&id);
            }
            ("rejected", _) if BUGS.iter().any(|bug| reply.to_string().contains(bug)) => self.wrong(&reply.to_string()),
            ("event" | "rejected" | "accepted" | "hello" | "view" | "state" | "consent", _) => {}
            ("outcome", _) => self.is_over = true,
            _ => self.wrong(&format!("after `{}`: {reply}", shown(line))),
        }
    }

    /// Ends the game, if it is not over. Returns its peak memory in bytes.
    fn end(mut self, counts: &mut Counts) -> u64 {
        self.peak = self.peak.max(peak(self.table.process()));
        counts.games += 1;
        counts.finished += u64::from(self.is_over);
        counts.answers += self.answers;
        counts.replies += self.replies;
        let leaves = some(&mut self.luck, 2) == 0;
        if leaves && !self.is_over {
            self.table.say(b"{\"quit\":true}\n");
        }
        let expected = if leaves || self.is_over { 0 } else { 1 };
        let (status, complaints) = self.table.end();
        if status.code() != Some(expected) || BUGS.iter().any(|bug| complaints.contains(bug)) {
            self.tally.wrong(format!("{}: {status}, {complaints}", self.name));
        }
        self.peak
    }

    fn wrong(&mut self, what: &str) {
        self.tally.wrong(format!("{}: {what}", self.name));
    }
}

/// The arguments of the program. Most games roll their own dice and have people at all seats.
fn arguments(play: &Play, index: u64, luck: &mut Generator) -> Vec<String> {
    let mut arguments = play.arguments();
    // Makes the game reproducible by its number.
    arguments.extend(["--seed".into(), index.to_string()]);
    match some(luck, 8) {
        0 => arguments.extend(["--dice".into(), "external".into()]),
        1 => arguments.push("--trusted".into()),
        2 => {
            arguments = play.arguments_against("random");
            arguments.extend(["--as", "0", "--undo", "unlimited", "--seed"].map(String::from));
            arguments.push(index.to_string());
        }
        3 => arguments = play.arguments(),
        _ => {}
    }
    arguments
}

/// Parses a line without its view, which is the last and longest part of a decision.
fn without_view(reply: &str) -> Value {
    let cut = reply.split_once(",\"view\":").map(|(start, _)| format!("{start}}}"));
    serde_json::from_str(cut.as_deref().unwrap_or(reply)).unwrap_or_default()
}

/// The start of a line, for people.
fn shown(line: &[u8]) -> String {
    String::from_utf8_lossy(&line[..line.len().min(300)]).escape_debug().to_string()
}
