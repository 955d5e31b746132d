//! Years at a table, in minutes. No input, and no damage to its files or its process, may make it crash, hang, use too much
//! memory, lose an answer or reveal a secret.
//!
//! ```sh
//! cargo build --release
//! cargo run --release --example soak -- protocol --count 1000000      # lines to `ludex host`
//! cargo run --release --example soak -- recordings --count 100000     # damaged recordings
//! cargo run --release --example soak -- kills --count 1000            # processes that are killed while they play
//! cargo run --release --example soak -- secrets --count 400           # pairs of games, played as one seat sees them
//! ```
//!
//! `--first` is the number of the first game, damage or kill: `recordings --first 4711 --count 1` repeats damage 4711 alone.
//! Games are kept in the folder for temporary files, and so on the disk of `TMPDIR`.

mod changes;
#[path = "../shared/counting.rs"]
mod counting;
mod games;
mod kills;
mod lines;
mod originals;
#[path = "../shared/peak.rs"]
mod peak;
#[path = "../shared/program.rs"]
mod program;
#[path = "../shared/prompts.rs"]
mod prompts;
mod protocol;
mod recordings;
mod secrets;
mod table;
mod tally;
#[path = "../shared/waiting.rs"]
mod waiting;
#[path = "../shared/words.rs"]
mod words;

use std::process::ExitCode;
use words::number;

fn main() -> ExitCode {
    let first = number("--first", 0);
    let count = |usual| number("--count", usual);
    let folder = std::env::temp_dir().join(format!("ludex-soak-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room for temporary files");
    let tally = match std::env::args().nth(1).as_deref() {
        Some("protocol") => protocol::run(&folder, first, count(1_000_000)),
        Some("recordings") => recordings::run(first, count(100_000)),
        Some("kills") => kills::run(&folder, first, count(1_000)),
        Some("secrets") => secrets::run(&folder, first, count(400)),
        _ => {
            eprintln!("say what: `protocol`, `recordings`, `kills` or `secrets`");
            return ExitCode::FAILURE;
        }
    };
    println!("{tally}");
    if !tally.is_sound() {
        return ExitCode::FAILURE;
    }
    // Games are removed only if all went well.
    let _ = std::fs::remove_dir_all(&folder);
    ExitCode::SUCCESS
}
