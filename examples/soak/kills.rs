//! Kills processes while answers arrive. Every acknowledged answer must be in the file, which can be replayed and resumed, and
//! which is not locked.
//!
//! An answer is acknowledged by the next question, by the end, or by `accepted` if other secret picks are still open.

use super::changes::{one_of, some};
use super::counting;
use super::games::{PLAYS, Play};
use super::lines::answer;
use super::program::ludex;
use super::prompts::wait_for_prompt;
use super::table::{Heard, Table, kill_after};
use super::tally::Tally;
use ludex_engine::recording::{Entry, ParsedRecording, Recording};
use ludex_engine::runtime::random::{Generator, derive_seed, seeded_generator};
use ludex_engine::source::SourceId;
use serde_json::Value;
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Maximum lifetime of a process after its first output, in microseconds.
const LONGEST_LIFE: usize = 100_000;

#[derive(Debug, Default)]
struct Counts {
    acknowledged: usize,
    written: usize,
    lost: usize,
    /// Processes that ended by themselves, or that had not started a game yet.
    missed: usize,
}

/// Kills `count` processes, starting with number `first`.
pub fn run(folder: &Path, first: u64, count: u64) -> Tally {
    let (mut tally, mut counts) = (Tally::default(), Counts::default());
    for index in first..first + count {
        let own = folder.join(index.to_string());
        fs::create_dir_all(&own).expect("there is room for temporary files");
        let mut luck = seeded_generator(derive_seed(index, 9));
        let told = if some(&mut luck, 4) == 0 { typed(&own, &mut luck) } else { hosted(&own, &mut luck) };
        match judge(&own, &told, &mut counts) {
            Ok(()) => drop(fs::remove_dir_all(&own)),
            Err(wrong) => tally.wrong(format!("kill {index}, see {}: {wrong}", own.display())),
        }
    }
    let Counts { acknowledged, written, lost, missed } = counts;
    println!("{count} processes killed, {missed} of them before play or after it");
    println!("{acknowledged} answers acknowledged, {written} found in the files, {lost} lost");
    tally
}

/// An acknowledged answer: its decision, and its key if known.
#[derive(Clone, Debug)]
struct Told {
    decision: u64,
    seat: usize,
    key: Option<String>,
    /// Whether others are asked at the same time.
    is_secret: bool,
}

// --- host -----------------------------------------------------------------------------

/// Plays at a host until it is killed. Returns the acknowledged answers.
fn hosted(folder: &Path, luck: &mut Generator) -> Vec<Told> {
    let play: &Play = one_of(luck, PLAYS);
    let mut table = Table::host(folder, &play.arguments());
    let (mut told, mut asked, mut open) = (Vec::new(), VecDeque::<Value>::new(), None::<Told>);
    let mut life = Some(life(luck));
    while let Heard::Line(line) = table.hear() {
        life.take().into_iter().for_each(|life| table.kill_after(life));
        // The last line of a killed process may be incomplete.
        let Ok(line) = serde_json::from_str::<Value>(&line) else { break };
        let kind = line["type"].as_str().unwrap_or_default();
        if kind == "decision" {
            asked.push_back(line.clone());
        }
        let settles = |open: &Told| match kind {
            "accepted" => line["in_reply_to"] == open.decision,
            "decision" => !open.is_secret && line["id"] != open.decision,
            kind => kind == "outcome",
        };
        if open.as_ref().is_some_and(settles) {
            told.extend(open.take());
        }
        // The steps of a move are asked under the same number.
        let is_step = kind == "decision" && open.as_ref().is_some_and(|open| line["id"] == open.decision);
        if is_step || open.is_none() {
            let Some(next) = asked.pop_front() else { continue };
            let answer = answer(&next, luck);
            open = told_by(&next, &answer);
            table.say(format!("{answer}\n").as_bytes());
        }
    }
    table.kill();
    table.end();
    told
}

/// The answer to record. The complete key of a move made in steps is unknown.
fn told_by(asked: &Value, answer: &Value) -> Option<Told> {
    let key = answer["key"].as_str().map(str::to_string).filter(|_| asked["step"].is_null());
    let (decision, seat) = (asked["id"].as_u64()?, asked["seat"].as_u64()?);
    Some(Told { decision, seat: seat as usize, key, is_secret: asked["group"].is_u64() })
}

// --- play -----------------------------------------------------------------------------

/// Types the first move again and again until the process is killed.
fn typed(folder: &Path, luck: &mut Generator) -> Vec<Told> {
    counting::write(folder);
    let arguments = ["play", "counting", "--plain", "--seat", "0=:human", "--seat", "1=:human"];
    let mut child = ludex(folder).args(arguments).spawn().expect("the program starts");
    let (mut input, mut output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
    let mut prompts = child.stderr.take().expect("a pipe");
    let story = std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
    let child = Arc::new(Mutex::new(child));
    let mut prompted = 0;
    while wait_for_prompt(&mut prompts) {
        if prompted == 0 {
            kill_after(&child, life(luck));
        }
        prompted += 1;
        let _ = input.write_all(b"1\n");
    }
    let _ = child.lock().unwrap_or_else(PoisonError::into_inner).wait();
    let _ = story.join();
    // A prompt means that the line before it was processed.
    let told = |decision: u64| {
        let (seat, key) = ((decision as usize - 1) % 2, Some(counting::FIRST.to_string()));
        Told { decision, seat, key, is_secret: false }
    };
    (1..prompted).map(told).collect()
}

/// A random lifetime after the first output.
fn life(luck: &mut Generator) -> Duration {
    Duration::from_micros(some(luck, LONGEST_LIFE) as u64)
}

// --- what is left ---------------------------------------------------------------------

fn judge(folder: &Path, told: &[Told], counts: &mut Counts) -> Result<(), String> {
    let Some(path) = recording(folder) else {
        counts.missed += 1;
        return if told.is_empty() { Ok(()) } else { Err("there is no recording".to_string()) };
    };
    let text = fs::read(&path).map_err(|error| error.to_string())?;
    let Ok(ParsedRecording { recording, .. }) = Recording::parse(SourceId(0), &text) else {
        counts.missed += 1;
        return if told.is_empty() { Ok(()) } else { Err("its recording cannot be read".to_string()) };
    };
    counts.acknowledged += told.len();
    counts.written += recording.entries.len();
    let is_lost = |told: &&Told| !recording.entries.iter().any(|entry| is(entry, told));
    let lost: Vec<&Told> = told.iter().filter(is_lost).collect();
    counts.lost += lost.len();
    if !lost.is_empty() {
        return Err(format!("{lost:?} of {} acknowledged answers are lost", told.len()));
    }
    is_free(&path)?;
    succeeds(folder, &["replay", &path.to_string_lossy()], "")?;
    match recording.ending {
        Some(_) => Ok(()),
        None => succeeds(folder, &["resume", "--plain", &path.to_string_lossy()], "\nquit\n"),
    }
}

fn recording(folder: &Path) -> Option<PathBuf> {
    let folders = ["hosted", "recordings"].map(|name| folder.join("ludex").join(name));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    files.map(|file| file.path()).find(|path| path.extension().is_some_and(|ending| ending == "ludexrec"))
}

fn is(entry: &Entry, told: &Told) -> bool {
    match entry {
        Entry::Answer { decision, seat, key } => {
            (*decision, *seat) == (told.decision, told.seat) && told.key.as_ref().is_none_or(|told| told == key)
        }
        _ => false,
    }
}

/// Checks that the lock is free. A finished game has none.
fn is_free(recording: &Path) -> Result<(), String> {
    let path = PathBuf::from(format!("{}.lock", recording.display()));
    let Ok(file) = File::open(path) else { return Ok(()) };
    file.try_lock().map_err(|error| format!("it is still locked: {error}"))
}

fn succeeds(folder: &Path, arguments: &[&str], input: &str) -> Result<(), String> {
    let mut child = ludex(folder).args(arguments).spawn().map_err(|error| error.to_string())?;
    let written = child.stdin.take().map(|mut pipe| pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let _ = written;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("`{}`: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr))),
    }
}
