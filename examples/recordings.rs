//! What recordings cost: an answer in `host` and `play` beside one `fdatasync` of the same disk, and the memory that it takes
//! to play a recording with very many take-backs again.
//!
//! ```sh
//! cargo build --release
//! cargo run --release --example recordings -- --answers 300 --lines 1000000
//! ```
//!
//! It runs the program beside it. The folder for the recordings is made where it is started, on that disk.

use ludex_engine::library::{File as RulesFile, Library, Wanted};
use ludex_engine::recording::{Chain, Entry, Header, Recording, Replay, SeatRecord, TakeBack};
use ludex_engine::runtime::{Dice, Seed, Setup};
use ludex_engine::source::SourceId;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What an answer may cost beyond one `fdatasync`.
const MOST_BEYOND: Duration = Duration::from_millis(2);

/// A game without an end.
const RULES: &str = "ludex 1
game counting \"Counting\"
sides 2
type step is one of up, down
each side has { counter points }
to play {
  repeat at most 2000000 times {
    each side in sides {
      side must choose a step as taken \"Up or down?\"
      if taken is up { add 1 to side.points }
    }
  } otherwise { finish with nobody \"enough\" }
}
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, usual: usize| {
        let at = words.iter().position(|word| word == name);
        at.and_then(|at| words.get(at + 1)?.parse().ok()).unwrap_or(usual)
    };
    // First, so that nothing else has used memory yet.
    memory(number("--lines", 1_000_000));
    let folder = PathBuf::from(format!("recordings-{}", std::process::id()));
    fs::create_dir_all(folder.join("rules/counting")).unwrap();
    fs::write(folder.join("rules/counting/counting.ludex"), RULES).unwrap();
    let is_cheap = cost(&folder, number("--answers", 300));
    fs::remove_dir_all(&folder).unwrap();
    if is_cheap { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

// --- time -----------------------------------------------------------------------------

fn cost(folder: &Path, answers: usize) -> bool {
    let sync = median(syncs(folder, answers));
    let host = median(host_answers(folder, answers));
    let play = median(play_answers(folder, answers));
    println!("medians of {answers}: one fdatasync {sync:.2?}, an answer in host {host:.2?}, in play {play:.2?}");
    [host, play].iter().all(|cost| cost.saturating_sub(sync) <= MOST_BEYOND)
}

fn syncs(folder: &Path, count: usize) -> Vec<Duration> {
    let mut file = File::create(folder.join("sync")).unwrap();
    let sync = |_| {
        let start = Instant::now();
        file.write_all(b"{\"decision\":1,\"seat\":0,\"key\":\"choose(up)\",\"sum\":\"0123456789abcdef\"}\n").unwrap();
        file.sync_data().unwrap();
        start.elapsed()
    };
    (0..count).map(sync).collect()
}

/// From an answer to the next decision.
fn host_answers(folder: &Path, count: usize) -> Vec<Duration> {
    let mut host = start(folder, &["host", "counting"]);
    let (mut input, output) = (host.stdin.take().unwrap(), BufReader::new(host.stdout.take().unwrap()));
    let mut decisions = output.lines().map(|line| line.unwrap()).filter(|line| line.starts_with("{\"type\":\"decision\""));
    let mut number = number_of(&decisions.next().unwrap());
    let mut times = Vec::new();
    for _ in 0..count {
        let start = Instant::now();
        writeln!(input, "{{\"choose\":{number},\"option\":0}}").unwrap();
        number = number_of(&decisions.next().unwrap());
        times.push(start.elapsed());
    }
    end(host);
    times
}

fn number_of(decision: &str) -> u64 {
    let (_, rest) = decision.split_once("\"id\":").unwrap();
    rest.split(',').next().unwrap().parse().unwrap()
}

/// From an answer to the next prompt.
fn play_answers(folder: &Path, count: usize) -> Vec<Duration> {
    let mut play = start(folder, &["play", "counting", "--plain", "--seat", "0=:human", "--seat", "1=:human"]);
    let (mut input, mut prompts) = (play.stdin.take().unwrap(), play.stderr.take().unwrap());
    let mut story = play.stdout.take().unwrap();
    // Nobody reads it, but it must not stand in the way.
    std::thread::spawn(move || std::io::copy(&mut story, &mut std::io::sink()));
    wait_for_prompt(&mut prompts);
    let mut times = Vec::new();
    for _ in 0..count {
        let start = Instant::now();
        writeln!(input, "1").unwrap();
        wait_for_prompt(&mut prompts);
        times.push(start.elapsed());
    }
    end(play);
    times
}

/// Reads up to the colon at the end of a prompt.
fn wait_for_prompt(prompts: &mut impl Read) {
    let mut byte = [0];
    while byte != *b":" {
        prompts.read_exact(&mut byte).unwrap();
    }
}

fn start(folder: &Path, args: &[&str]) -> Child {
    let beside = std::env::current_exe().unwrap();
    let program = beside.parent().and_then(Path::parent).unwrap().join("ludex");
    let folder = folder.canonicalize().unwrap();
    let mut command = Command::new(program);
    command.args(args).current_dir(&folder).env_remove("LUDEX_LIBRARY").env("XDG_STATE_HOME", &folder).env("HOME", &folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn end(mut child: Child) {
    let _ = child.kill();
    child.wait().unwrap();
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

// --- memory ---------------------------------------------------------------------------

/// Half of the lines are answers, and the others take each of them back.
fn memory(lines: usize) {
    let file = RulesFile { path: "rules/counting/counting.ludex".into(), text: RULES.into(), library: "example".into() };
    let (library, _) = Library::new(vec![file]);
    let program = Arc::new(library.compile("counting", &Wanted::default()).0.expect("the rules above are right"));
    let setup = Setup { sides: vec![Vec::new(); 2], seed: 1.into(), dice: Dice::Seeded, position: None, watched: true };
    let seat = |seat| SeatRecord { seat, side: Some(seat), entrants: Vec::new(), player: "human".into() };
    let header = Header::new(&program, &setup, vec![seat(0), seat(1)], "salt".into());
    let mut chain = Chain::default();
    let mut text = chain.seal(&header.to_line());
    for pair in 0..lines / 2 {
        let undo = TakeBack { seat: 0, to: pair * 2 + 1, seed: Some(Seed::Number(1)) };
        let answer = Entry::Answer { decision: 1, seat: 0, key: "choose(up)".into() };
        text.push_str(&chain.seal(&answer.to_line()));
        text.push_str(&chain.seal(&Entry::TakenBack { undo }.to_line()));
    }
    let (bytes, before) = (text.len(), peak());
    let start = Instant::now();
    let recording = Recording::parse(SourceId(0), text.as_bytes()).expect("it is a recording").recording;
    drop(text);
    let (mut replay, _) = Replay::start(&recording, program, None).expect("play starts");
    while replay.advance().expect("every line can be played").is_some() {}
    let entries = replay.finish().expect("it has no end").entries().len();
    let taken = peak().zip(before).map(|(after, before)| format!("{} KiB more at most than its text", after - before));
    let taken = taken.unwrap_or_else(|| "memory is not measured on this system".into());
    println!("{entries} lines, {} KiB, played again in {:.1?}: {taken}", bytes / 1024, start.elapsed());
}

/// The most memory that this process has had, in KiB.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
