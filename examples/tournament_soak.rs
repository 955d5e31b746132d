//! A large tournament used by many processes at once, some of which are killed at random moments.
//!
//! ```sh
//! cargo build --release
//! cargo run --release --example tournament_soak -- --players 200 --duels 5000 --processes 8
//! ```
//!
//! It runs the program built beside it, or the one named by `--ludex`. Other numbers: `--killed` of a hundred commands, `--seed`.

#[path = "../tests/tournament/soak.rs"]
mod soak;

use soak::Plan;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let folder = std::env::temp_dir().join(format!("ludex-soak-{}", std::process::id()));
    let ran = plan(&words, &folder).and_then(|plan| {
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        soak::run(&plan)
    });
    match ran {
        Ok(report) => {
            println!("{report}");
            // The folder is removed only if all went well.
            let _ = std::fs::remove_dir_all(&folder);
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}\nwhat is left is in {}", folder.display());
            ExitCode::FAILURE
        }
    }
}

fn plan(words: &[String], folder: &std::path::Path) -> Result<Plan, String> {
    let value = |name: &str| words.iter().position(|word| word == name).and_then(|at| words.get(at + 1));
    let number = |name: &str, usual: u64| match value(name) {
        None => Ok(usual),
        Some(text) => text.parse().map_err(|_| format!("`{name} {text}` is no number")),
    };
    let ludex = value("--ludex").map_or_else(beside, |path| Ok(PathBuf::from(path)))?;
    if !ludex.is_file() {
        return Err(format!("there is no `{}`; `cargo build --release` makes it", ludex.display()));
    }
    Ok(Plan {
        ludex: ludex.canonicalize().map_err(|error| error.to_string())?,
        folder: folder.to_path_buf(),
        players: number("--players", 200)? as usize,
        duels: number("--duels", 5_000)? as usize,
        processes: number("--processes", 8)? as usize,
        killed: number("--killed", 20)?,
        patience: number("--patience", 30)?,
        played: number("--played", 10)?,
        seed: number("--seed", 1)?,
    })
}

/// The program built together with this one.
fn beside() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = own.parent().and_then(|examples| examples.parent()).ok_or("this program is nowhere")?;
    Ok(folder.join(format!("ludex{}", std::env::consts::EXE_SUFFIX)))
}
