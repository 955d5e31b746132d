//! Measures the time and memory that `ludex` takes to refuse or load libraries built to be slow.
//!
//! ```sh
//! cargo build --release && cargo run --release --example hostile_libraries            # every kind of input
//! cargo run --release --example hostile_libraries -- --part 16 zones                  # some kinds, a sixteenth as large
//! cargo run --release --example hostile_libraries -- --doubled                        # every declaration, every verb that only reads
//! cargo run --release --example hostile_libraries -- --mixed 10000 --from 0           # libraries of several kinds, at random
//! ```
//!
//! With `--doubled`, libraries have many valid declarations of one kind. Each verb that only reads is measured with a library and
//! with one twice as large, which may take at most three times as long. Named kinds of input are also read by these verbs, at
//! half their size and at full size.
//!
//! With `--mixed`, each library has one to five kinds of declarations and inputs, each of a random size, and is read by one verb.
//! Only slow ones are printed, with the number that reproduces the library.
//!
//! Each library is written to a temporary folder and checked by the program built with the same profile. The example ends with
//! status 1 if any took too much time or memory, or if the program was killed.

#[path = "../../tests/hostile_libraries/declarations.rs"]
mod declarations;
#[path = "../../tests/hostile_libraries/inputs.rs"]
mod inputs;
#[path = "../shared/peak.rs"]
mod peak;

use declarations::DECLARATIONS;
use inputs::{File, KINDS, Kind};
use ludex_bots::rng::BotRng;
use peak::peak;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The limits for a library, and the time after which the example stops waiting. Other work may slow it down much.
const MOST_TIME: Duration = Duration::from_secs(1);
const MOST_MEMORY: u64 = 64 << 20;
const PATIENCE: Duration = Duration::from_secs(300);

/// The time limit of a verb for a library within the limits, and the maximum factor for one twice as large. Shorter times mean
/// little.
const MOST_TIME_OF_VERB: Duration = Duration::from_secs(2);
const MOST_MEMORY_OF_VERB: u64 = 128 << 20;
const MOST_GROWTH: f64 = 3.0;
const SHORT: Duration = Duration::from_millis(300);

/// The verbs that only read, to which `--library` is added. `GAME` stands for a game of the library.
const VERBS: &[&[&str]] = &[
    &["check"],
    &["list"],
    &["show", "GAME"],
    &["show", "GAME", "moves"],
    &["rules", "GAME", "all"],
    &["schema", "GAME"],
    &["schema", "GAME", "scenario"],
    &["schema", "GAME", "position"],
    &["new", "variant", "Quick", "--game", "GAME"],
];
/// Verbs that name the folder in their arguments.
const VERBS_OF_FOLDERS: &[&[&str]] = &[&["fmt", "--check", "library"], &["pack", "library", "--force", "-o", "packed.zip"]];

struct Run {
    /// Processor time, if the system reports it.
    time: Duration,
    /// Peak memory in bytes, if the system reports it.
    memory: u64,
    status: Option<ExitStatus>,
    last_line: String,
}

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let mut number_behind = |flag: &str| {
        let at = words.iter().position(|word| word == flag)?;
        words.drain(at..words.len().min(at + 2)).next_back()?.parse::<usize>().ok()
    };
    let (part, mixed, from) =
        (number_behind("--part").unwrap_or(1), number_behind("--mixed"), number_behind("--from").unwrap_or(0));
    let doubled = words.iter().position(|word| word == "--doubled").map(|at| words.remove(at)).is_some();
    let program = program();
    let folder = std::env::temp_dir().join(format!("ludex-hostile-{}", std::process::id()));
    let wanted = |kind: &&Kind| words.is_empty() || words.iter().any(|word| kind.name.contains(word.as_str()));
    let well = match mixed {
        Some(count) => are_mixtures_well(&program, &folder, from..from + count),
        None if doubled => {
            let large = DECLARATIONS.iter().filter(wanted).map(|kind| (kind, kind.large));
            let named =
                KINDS.iter().filter(wanted).filter(|_| !words.is_empty()).map(|kind| (kind, (kind.large / part / 2).max(1)));
            large.chain(named).fold(true, |well, (kind, size)| doubles(&program, &folder, kind, [size, 2 * size]) && well)
        }
        None => {
            let baseline = measured(&program, &folder, &[]);
            println!("{:>7.0} ms {:>5} MiB  without a library", baseline.time.as_secs_f64() * 1000.0, baseline.memory >> 20);
            KINDS.iter().filter(wanted).fold(true, |well, kind| {
                let run = measured(&program, &folder, &(kind.files)((kind.large / part).max(1)));
                tell(kind, &run, &baseline) && well
            })
        }
    };
    let _ = std::fs::remove_dir_all(&folder);
    if well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The path of the program, in the folder above that of this example.
fn program() -> PathBuf {
    if let Some(program) = std::env::var_os("LUDEX_PROGRAM") {
        return program.into();
    }
    let here = std::env::current_exe().expect("an example knows where it is");
    here.ancestors().nth(2).expect("examples lie in a folder").join("ludex")
}

fn tell(kind: &Kind, run: &Run, baseline: &Run) -> bool {
    let more = run.memory.saturating_sub(baseline.memory);
    let ended = run.status.is_some_and(|status| status.code().is_some_and(|code| code <= 1));
    let well = ended && run.time <= MOST_TIME && more <= MOST_MEMORY;
    let sign = if well { ' ' } else { '!' };
    let end = run.status.map_or("stopped after a long time".to_string(), |status| match status.code() {
        Some(_) => run.last_line.clone(),
        None => status.to_string(),
    });
    println!("{sign}{:>6.0} ms {:>5} MiB  {}: {end}", run.time.as_secs_f64() * 1000.0, more >> 20, kind.name);
    well
}

/// Every verb that only reads, with its arguments.
fn verbs(game: &str) -> Vec<Vec<&str>> {
    let with_library = VERBS.iter().map(|verb| [verb, &["--library", "library"][..]].concat());
    let all = with_library.chain(VERBS_OF_FOLDERS.iter().map(|verb| verb.to_vec()));
    all.map(|verb| verb.into_iter().map(|word| if word == "GAME" { game } else { word }).collect()).collect()
}

/// Reads random libraries of several kinds, one for each number. Returns whether every verb stays within its limit.
fn are_mixtures_well(program: &Path, folder: &Path, numbers: Range<usize>) -> bool {
    let verbs = verbs("pond");
    let (mut well, mut longest, mut largest, mut refused) = (true, (Duration::ZERO, 0), (0, 0), 0);
    let count = numbers.len();
    for number in numbers {
        let mut lots = BotRng::new(number as u64, 0);
        let mut below = |limit: usize| (lots.next_bits() % limit as u64) as usize;
        let chosen = drawn_kinds(&mut below);
        write(folder, &joined(chosen.iter().map(|(kind, size)| (kind.files)(*size))));
        let words = &verbs[below(verbs.len())];
        let run = run(program, folder, words);
        longest = longest.max((run.time, number));
        largest = largest.max((run.memory, number));
        refused += usize::from(run.status.is_some_and(|status| status.code() != Some(0)));
        let ended = run.status.is_some_and(|status| status.code().is_some_and(|code| code <= 2));
        if !ended || run.time > MOST_TIME_OF_VERB || run.memory > MOST_MEMORY_OF_VERB {
            well = false;
            let kinds: Vec<String> = chosen.iter().map(|(kind, size)| format!("{} ({size})", kind.name)).collect();
            let (milliseconds, mebibytes) = (run.time.as_millis(), run.memory >> 20);
            println!("! {number}: {milliseconds} ms {mebibytes} MiB  {}: {}", words.join(" "), kinds.join(", "));
        }
    }
    println!(
        "{count} libraries, {refused} with errors: the longest took {} ms ({}), the largest {} MiB ({})",
        longest.0.as_millis(),
        longest.1,
        largest.0 >> 20,
        largest.1
    );
    well
}

/// Draws one to five kinds, each with a size. Sizes of 10 to 100 are as likely as those of 100 to 1,000.
fn drawn_kinds(below: &mut impl FnMut(usize) -> usize) -> Vec<(&'static Kind, usize)> {
    let kinds: Vec<&Kind> = DECLARATIONS.iter().chain(KINDS).collect();
    let draw = |below: &mut dyn FnMut(usize) -> usize| {
        let kind = kinds[below(kinds.len())];
        let scale = below(kind.large.ilog2() as usize + 1);
        (kind, 1 + below((kind.large >> scale).max(1)))
    };
    (0..1 + below(5)).map(|_| draw(below)).collect()
}

/// Joins several libraries. Files with the same path but other text are renamed; only the first game is kept.
fn joined(libraries: impl Iterator<Item = Vec<File>>) -> Vec<File> {
    let mut joined: Vec<File> = Vec::new();
    for (number, files) in libraries.enumerate() {
        let known: HashMap<String, String> = joined.iter().cloned().collect();
        for (path, text) in files {
            match known.get(&path) {
                None => joined.push((path, text)),
                Some(other) if *other == text || path.ends_with("game.ludex") => {}
                Some(_) => {
                    let (stem, ending) = path.rsplit_once('.').unwrap_or((&path, "txt"));
                    joined.push((format!("{stem}-{number}.{ending}"), text));
                }
            }
        }
    }
    joined
}

/// Whether every verb stays within its limit for the larger of two sizes of a kind, and within the factor of the smaller one.
fn doubles(program: &Path, folder: &Path, kind: &Kind, sizes: [usize; 2]) -> bool {
    let game = if (kind.files)(1).iter().any(|(path, _)| path.starts_with("rules/g0/")) { "g0" } else { "pond" };
    let mut well = true;
    for words in verbs(game) {
        let [once, twice] = sizes.map(|size| {
            write(folder, &(kind.files)(size));
            run(program, folder, &words)
        });
        let growth = twice.time.as_secs_f64() / once.time.as_secs_f64().max(0.01);
        let ended = twice.status.is_some_and(|status| status.code().is_some_and(|code| code <= 1));
        let is_fast = twice.time <= MOST_TIME_OF_VERB && (twice.time <= SHORT || growth <= MOST_GROWTH);
        let is_well = ended && is_fast && twice.memory <= MOST_MEMORY_OF_VERB;
        well &= is_well;
        let (sign, milliseconds) = (if is_well { ' ' } else { '!' }, |run: &Run| run.time.as_secs_f64() * 1000.0);
        println!(
            "{sign}{:>6.0} ms {:>6.0} ms {:>5} MiB  {}: {}",
            milliseconds(&once),
            milliseconds(&twice),
            twice.memory >> 20,
            kind.name,
            words.join(" ")
        );
    }
    well
}

/// Checks a library in a folder of its own.
fn measured(program: &Path, folder: &Path, files: &[File]) -> Run {
    write(folder, files);
    run(program, folder, if files.is_empty() { &["check"] } else { &["check", "--library", "library"] })
}

fn write(folder: &Path, files: &[File]) {
    let _ = std::fs::remove_dir_all(folder);
    let library = folder.join("library");
    std::fs::create_dir_all(&library).expect("a temporary folder can be made");
    for (path, text) in files {
        let path = library.join(path);
        // The path may be too long for the system.
        let made = path.parent().is_some_and(|parent| std::fs::create_dir_all(parent).is_ok());
        if made {
            let _ = std::fs::write(path, text);
        }
    }
}

fn run(program: &Path, folder: &Path, words: &[&str]) -> Run {
    let out = std::fs::File::create(folder.join("out")).expect("a file can be made");
    let mut command = Command::new(program);
    command.args(words).current_dir(folder).env("NO_COLOR", "1").stdin(Stdio::null()).stderr(Stdio::null()).stdout(out);
    let start = Instant::now();
    let mut child = command.spawn().expect("build the program first: `cargo build --release`");
    let (mut memory, mut time, mut status) = (0, None, None);
    while status.is_none() && start.elapsed() < PATIENCE {
        // The peak only grows, but the first reading may be that of this process, before the program has taken its place.
        memory = Some(peak(child.id())).filter(|peak| *peak > 0).unwrap_or(memory);
        time = processor_time(child.id()).or(time);
        std::thread::sleep(Duration::from_millis(1));
        status = child.try_wait().ok().flatten();
    }
    let time = time.unwrap_or_else(|| start.elapsed());
    if status.is_none() {
        let _ = child.kill();
    }
    let _ = child.wait();
    let out = std::fs::read(folder.join("out")).unwrap_or_default();
    let last_line = String::from_utf8_lossy(&out).lines().last().unwrap_or_default().to_string();
    Run { time, memory, status, last_line }
}

/// The processor time of a process so far, on Linux. Other work on the machine disturbs it least.
fn processor_time(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // After the program's name in parentheses, the times are fields 12 and 13, in hundredths of a second.
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let hundredths = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (hundredths(11)? + hundredths(12)?)))
}
