//! The bot of `docs/bots.md` plays every bundled game to its end, and every form of decision.

use crate::goldens::TABLES;
use crate::orders_and_amounts::ferry;
use crate::protocol::RARE;
use crate::support::{Folder, run};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../docs/bots.md");
const BOT: &str = "exec=python3 bot.py";

/// The block of the page that is a file of this name.
fn block(name: &str) -> String {
    let (_, rest) = PAGE.split_once(&format!("`{name}`:\n\n```python\n")).expect("the page has the file");
    rest.split("```").next().unwrap().to_string()
}

/// Whether there is a Python to run the bot with; if not, says so.
fn has_python() -> bool {
    let there = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("SKIPPED: there is no python3, so the bot of docs/bots.md was not tried");
    }
    there
}

fn with_bot(folder: Folder) -> Folder {
    folder.write("bot.py", &block("bot.py"));
    folder
}

/// Plays one game with the bot on every side; each `/` is between sides.
fn plays(folder: &Folder, (game, mode, sides): (&str, &str, &str)) {
    let seats = sides.split('/').enumerate();
    let seats: Vec<String> = seats.map(|(side, ids)| format!("--seat={side}={}:{BOT}", ids.replace(' ', ","))).collect();
    let mode = if mode.is_empty() { "standard" } else { mode };
    // From this seed, no bundled game comes to a cap of its rules.
    let args = ["sim", game, "--mode", mode, "--games", "1", "--seed", "11", "--format", "json"].into_iter();
    let args: Vec<&str> = args.chain(seats.iter().map(String::as_str)).collect();
    let report: Value = serde_json::from_str(&run(folder, &args, "").stdout).unwrap();
    assert_eq!((&report["games"], &report["faults"], &report["capped"]), (&1.into(), &0.into(), &0.into()), "{args:?}");
}

#[test]
fn the_bot_plays_every_bundled_game_to_its_end() {
    if has_python() {
        let folder = with_bot(Folder::new("bots"));
        TABLES
            .into_iter()
            .filter(|(_, mode, sides)| mode.is_empty() && is_for_two(sides))
            .for_each(|table| plays(&folder, table));
    }
}

#[test]
#[ignore = "takes a while"]
fn the_bot_plays_every_mode_of_every_bundled_game_to_its_end() {
    if has_python() {
        let folder = with_bot(Folder::new("bots-modes"));
        TABLES.into_iter().for_each(|table| plays(&folder, table));
    }
}

fn is_for_two(sides: &str) -> bool {
    sides.matches('/').count() == 1
}

#[test]
fn the_bot_answers_every_form_of_decision() {
    if has_python() {
        let folder = with_bot(ferry("bots-forms"));
        folder.write(
            "rules/rare/rare.ludex",
            &RARE.replace("finish with nobody, payoff of side = half of late \"it is late\"", "finish with sides"),
        );
        plays(&folder, ("ferry", "", "/"));
        plays(&folder, ("rare", "", "//"));
        // More moves than are listed at once.
        plays(&folder, ("tri-stat", "", &format!("sailor-venus/dark-queen{}", " youma".repeat(11))));
    }
}

#[test]
fn a_program_starts_the_table() {
    if !has_python() {
        return;
    }
    let folder = with_bot(Folder::new("bots-table"));
    folder.write("table.py", &block("table.py"));
    let ludex = Path::new(env!("CARGO_BIN_EXE_ludex")).parent().unwrap();
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::env::join_paths(std::iter::once(ludex.to_path_buf()).chain(std::env::split_paths(&paths))).unwrap();
    let mut table = Command::new("python3");
    table.arg("table.py").current_dir(folder.path()).env("PATH", paths).env("XDG_STATE_HOME", folder.path());
    let output = table.output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(["win [0]\n", "win [1]\n"].contains(&printed.as_str()), "{printed}{}", String::from_utf8_lossy(&output.stderr));
}
