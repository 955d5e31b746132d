//! The cost of recordings: the time of an answer in `host` and `play`, compared with one `fdatasync` on the same disk, and the
//! memory to replay a recording with very many take-backs.
//!
//! ```sh
//! cargo build --release
//! cargo run --release --example recordings -- --answers 300 --lines 1000000
//! ```
//!
//! It runs the program built beside it. The folder for the recordings is created in the current folder, on its disk.

#[path = "shared/counting.rs"]
mod counting;
#[path = "shared/peak.rs"]
mod peak;
#[path = "shared/program.rs"]
mod program;
#[path = "shared/prompts.rs"]
mod prompts;
#[path = "shared/words.rs"]
mod words;

use ludex_engine::Compile;
use ludex_engine::library::{CompileRequest, File as RulesFile, Library};
use ludex_engine::program::Program;
use ludex_engine::recording::{Chain, Entry, Header, SeatRecord, TakeBack};
use ludex_engine::runtime::{Dice, Seed, Setup};
use peak::peak;
use program::ludex;
use prompts::wait_for_prompt;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitCode};
use std::sync::Arc;
use std::time::{Duration, Instant};
use words::number;

/// Maximum time of an answer beyond one `fdatasync`.
const MOST_BEYOND: Duration = Duration::from_millis(2);
/// Maximum memory of a long recording beyond a short one, in bytes.
const MOST_MEMORY: u64 = 64 << 20;

const VERBS: [&[&str]; 2] = [&["replay", "long.ludexrec"], &["resume", "--plain", "long.ludexrec"]];

fn main() -> ExitCode {
    let folder = PathBuf::from(format!("recordings-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    counting::write(&folder);
    let is_flat = memory(&folder, number("--lines", 1_000_000) as usize);
    let is_cheap = cost(&folder, number("--answers", 300) as usize);
    fs::remove_dir_all(&folder).unwrap();
    if is_flat && is_cheap { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

// --- time -----------------------------------------------------------------------------

fn cost(folder: &Path, answers: usize) -> bool {
    let mut sync = Sync(File::create(folder.join("sync")).unwrap());
    let host = medians(host_answers(folder, answers, &mut sync));
    let play = medians(play_answers(folder, answers, &mut sync));
    for (verb, (sync, answer)) in [("host", host), ("play", play)] {
        println!("medians of {answers}: an answer in {verb} {answer:.2?}, one fdatasync before each {sync:.2?}");
    }
    [host, play].iter().all(|(sync, answer)| answer.saturating_sub(*sync) <= MOST_BEYOND)
}

/// A file on the same disk.
struct Sync(File);

impl Sync {
    /// Measures the cost of a single line of a recording.
    fn once(&mut self) -> Duration {
        let start = Instant::now();
        self.0.write_all(b"{\"decision\":1,\"seat\":0,\"key\":\"choose(up)\",\"sum\":\"0123456789abcdef\"}\n").unwrap();
        self.0.sync_data().unwrap();
        start.elapsed()
    }
}

/// Times from an answer to the next decision, each after the cost of a line.
fn host_answers(folder: &Path, count: usize, sync: &mut Sync) -> Vec<(Duration, Duration)> {
    let mut host = start(folder, &["host", "counting"]);
    let (mut input, output) = (host.stdin.take().unwrap(), BufReader::new(host.stdout.take().unwrap()));
    let mut decisions = output.lines().map(|line| line.unwrap()).filter(|line| line.starts_with("{\"type\":\"decision\""));
    let mut number = number_of(&decisions.next().unwrap());
    let mut times = Vec::new();
    for _ in 0..count {
        let alone = sync.once();
        let start = Instant::now();
        writeln!(input, "{{\"choose\":{number},\"option\":0}}").unwrap();
        number = number_of(&decisions.next().unwrap());
        times.push((alone, start.elapsed()));
    }
    end(host);
    times
}

fn number_of(decision: &str) -> u64 {
    let (_, rest) = decision.split_once("\"id\":").unwrap();
    rest.split(',').next().unwrap().parse().unwrap()
}

/// Times from an answer to the next prompt, each after the cost of a line.
fn play_answers(folder: &Path, count: usize, sync: &mut Sync) -> Vec<(Duration, Duration)> {
    let mut play = start(folder, &["play", "counting", "--plain", "--seat", "0=:human", "--seat", "1=:human"]);
    let (mut input, mut prompts) = (play.stdin.take().unwrap(), play.stderr.take().unwrap());
    let mut story = play.stdout.take().unwrap();
    // The output is not needed, but must not block.
    std::thread::spawn(move || std::io::copy(&mut story, &mut std::io::sink()));
    wait_for_prompt(&mut prompts);
    let mut times = Vec::new();
    for _ in 0..count {
        let alone = sync.once();
        let start = Instant::now();
        writeln!(input, "1").unwrap();
        wait_for_prompt(&mut prompts);
        times.push((alone, start.elapsed()));
    }
    end(play);
    times
}

fn start(folder: &Path, args: &[&str]) -> Child {
    ludex(&folder.canonicalize().unwrap()).args(args).spawn().unwrap()
}

fn end(mut child: Child) {
    let _ = child.kill();
    child.wait().unwrap();
}

fn medians(times: Vec<(Duration, Duration)>) -> (Duration, Duration) {
    let (mut alone, mut answers): (Vec<Duration>, Vec<Duration>) = times.into_iter().unzip();
    alone.sort();
    answers.sort();
    (alone[alone.len() / 2], answers[answers.len() / 2])
}

// --- memory ---------------------------------------------------------------------------

/// Replays a recording of `lines` lines and continues it. Returns whether that takes little more memory than a short one.
fn memory(folder: &Path, lines: usize) -> bool {
    let path = folder.join("long.ludexrec");
    write(&path, 2);
    let short = VERBS.map(|verb| run(folder, verb).0);
    write(&path, lines);
    let mut is_flat = true;
    for (verb, short) in VERBS.into_iter().zip(short) {
        let (long, time) = run(folder, verb);
        let more = long.saturating_sub(short);
        is_flat &= more <= MOST_MEMORY;
        println!("{} of {lines} lines: {time:.1?}, {} KiB more than of two", verb[0], more >> 10);
    }
    is_flat
}

/// Half of the lines are answers; the others take them back.
fn write(path: &Path, lines: usize) {
    let program = counting();
    let setup = Setup {
        sides: vec![Vec::new(); 2],
        seed: 1.into(),
        dice: Dice::Seeded,
        position: None,
        names: Vec::new(),
        watched: true,
    };
    let seat = |seat| SeatRecord { seat, side: Some(seat), entrants: Vec::new(), player: "human".into() };
    let header = Header::new(&program, &setup, vec![seat(0), seat(1)], "salt".into());
    let mut chain = Chain::default();
    let mut file = BufWriter::new(File::create(path).unwrap());
    let mut write = |line: String| file.write_all(chain.seal_line(&line).as_bytes()).unwrap();
    write(header.to_line());
    for pair in 0..lines / 2 {
        let undo = TakeBack { seat: 0, to: pair * 2 + 1, seed: Some(Seed::Number(pair as u64 % 10)), redeals: false };
        write(Entry::Answer { decision: 1, seat: 0, key: counting::FIRST.into() }.to_line());
        write(Entry::TakenBack { undo }.to_line());
    }
    file.flush().unwrap();
}

fn counting() -> Arc<Program> {
    let file = RulesFile { path: counting::PATH.into(), text: counting::RULES.into(), library: "example".into() };
    let (library, _) = Library::new(vec![file]);
    Arc::new(library.compile("counting", &CompileRequest::default()).0.expect("the rules are right"))
}

/// Runs a process and returns its peak memory in bytes and its time.
fn run(folder: &Path, arguments: &[&str]) -> (u64, Duration) {
    let begun = Instant::now();
    let mut child = start(folder, arguments);
    writeln!(child.stdin.take().unwrap(), "quit").unwrap();
    let (mut output, mut errors) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
    let story = std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
    let mut most = 0;
    while !story.is_finished() {
        most = most.max(peak(child.id()));
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(child.wait().unwrap().success(), "`{}` fails", arguments.join(" "));
    (most, begun.elapsed())
}
