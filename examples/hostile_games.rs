//! Malicious games, and thousands of randomly changed ones, with limits on time and memory.
//!
//! ```sh
//! cargo run --release --example hostile_games                    # each must end in a fault within 0.5 s and 64 MiB
//! cargo run --release --example hostile_games -- changed 20000   # compiled and played: no panic, nothing over a second or 64 MiB
//! ```
//!
//! Times are processor times, so other work on the machine does not count.
//!
//! The second number is the first change to make: `changed 1 4711` repeats change 4711 alone.

#[path = "../engine/src/runtime/tests/attacks.rs"]
mod attacks;
#[path = "../tests/hostile_games/mutants.rs"]
mod mutants;
#[path = "shared/peak.rs"]
mod peak;

use attacks::{ATTACKS, Attack};
use ludex_engine::Compile;
use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
use ludex_engine::runtime::random::{derive_seed, seeded_generator};
use ludex_engine::runtime::{Choice, Dice, Pending, Session, Setup};
use mutants::Tally;
use peak::peak;
use rustix::time::{ClockId, clock_gettime};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, ExitCode};
use std::sync::Arc;

const MOST_SECONDS: f64 = 0.5;
const MOST_SECONDS_OF_CHANGED: f64 = 1.0;
const MOST_MEMORY: u64 = 64 << 20;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: u64| words.get(at).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let sound = match words.first().map(String::as_str) {
        Some("changed") => all_changed(number(2, 0), number(1, 20_000)),
        Some("attack") => ATTACKS.get(number(1, 0) as usize).is_some_and(attacked),
        _ => all_attacks(),
    };
    if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Processor time of this process in seconds.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Peak memory of this process in bytes.
fn most_memory() -> u64 {
    peak(std::process::id())
}

/// Runs each in a process of its own, since memory is measured per process.
fn all_attacks() -> bool {
    let Ok(itself) = std::env::current_exe() else { return false };
    println!("seconds  MiB  (watched; unwatched)");
    let run =
        |index: usize| Command::new(&itself).args(["attack", &index.to_string()]).status().is_ok_and(|status| status.success());
    (0..ATTACKS.len()).filter(|index| !run(*index)).count() == 0
}

fn attacked(attack: &Attack) -> bool {
    let file = |path: &str, text: String| File { path: path.to_string(), text, library: BUNDLED.to_string() };
    let abilities = if attack.script.is_empty() { "" } else { "act" };
    let mut files = vec![
        file("rules/pond/game.ludex", format!("ludex 1\ngame pond \"Pond\"\n{}", attack.rules())),
        file("characters/pond/otter.yaml", format!("name: Otter\nabilities: [{abilities}]\n")),
        file("characters/pond/heron.yaml", "name: Heron\n".to_string()),
    ];
    if !attack.script.is_empty() {
        files.push(file("scripts/pond/act.rhai", attack.ability()));
    }
    let Some(program) = Library::new(files).0.compile("pond", &CompileRequest::default()).0.map(Arc::new) else {
        println!("{} is refused, so it cannot be tried", attack.name);
        return false;
    };
    let mut sound = true;
    let mut told = String::new();
    for watched in [false, true] {
        let sides = vec![vec!["otter".to_string()], vec!["heron".to_string()]];
        let setup = Setup { sides, seed: 1.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched };
        let Ok(mut session) = Session::start(program.clone(), &setup) else { return false };
        session.take_events();
        let Pending::Decisions([decision, ..]) = session.pending() else { return false };
        let (decision, memory, begun) = (decision.id, most_memory(), processor_time());
        let ended = session.choose(decision, Choice::Option(0));
        let (seconds, held) = (processor_time() - begun, most_memory().saturating_sub(memory));
        let fault = ended.err().map(|fault| (fault.message.to_string(), !fault.labels.is_empty()));
        sound &= seconds <= MOST_SECONDS && held <= MOST_MEMORY && fault.as_ref().is_some_and(|(_, placed)| *placed);
        let message = fault.map_or("no fault".to_string(), |(message, _)| message);
        told = format!(
            "{seconds:7.3} {:4}   {told}{}",
            held >> 20,
            if watched { format!("{}: {message}", attack.name) } else { String::new() }
        );
    }
    println!("{told}{}", if sound { "" } else { "   TOO MUCH" });
    sound
}

/// Changes, compiles and plays `count` games.
fn all_changed(first: u64, count: u64) -> bool {
    let originals = mutants::small();
    let (mut tally, mut wrong, mut longest) = (Tally::default(), 0u64, (0.0f64, 0));
    let baseline = most_memory();
    for index in first..first + count {
        let original = &originals[index as usize % originals.len()];
        let files = mutants::changed(original, &mut seeded_generator(derive_seed(15, index)));
        let (memory, begun) = (most_memory(), processor_time());
        let played = catch_unwind(AssertUnwindSafe(|| mutants::play(&original.game, files, index, &mut tally)));
        let (seconds, held) = (processor_time() - begun, most_memory().saturating_sub(memory));
        longest = if seconds > longest.0 { (seconds, index) } else { longest };
        let told = match () {
            () if played.is_err() => "panics".to_string(),
            // The game is played twice.
            () if seconds > 2.0 * MOST_SECONDS_OF_CHANGED => format!("takes {seconds:.1} s"),
            () if held > MOST_MEMORY => format!("takes {} MiB", held >> 20),
            () => continue,
        };
        wrong += 1;
        println!("change {index} of {}: {told}", original.name);
    }
    println!("{count} games changed: {} refused, {} played, {} faults, {wrong} wrong", tally.refused, tally.played, tally.faults);
    println!(
        "the longest took {:.2} s (change {}), and {} MiB were held beyond the baseline",
        longest.0,
        longest.1,
        (most_memory() - baseline) >> 20
    );
    wrong == 0
}
