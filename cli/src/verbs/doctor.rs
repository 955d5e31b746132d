//! `ludex doctor`: the environment that the program uses, and why.
//!
//! It helps to find out why a library or a setting has no effect.

use crate::args::CommonArgs;
use crate::exit::DONE;
use crate::game::RecordingStore;
use crate::layout::{Table, count_text};
use crate::load::{LoadedLibraries, VARIABLE, current_library, slashed_path};
use crate::output;
use crate::stop::Stop;
use ludex_engine::library::BUNDLED;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};

/// Show which libraries, folders, settings and terminal are used, and why
#[derive(clap::Args)]
pub struct Args {}

/// Environment variables that the program reads, each with its purpose.
const VARIABLES: [(&str, &str); 17] = [
    (VARIABLE, "folders and packed libraries that are always read"),
    ("LUDEX_PLAIN", "plays in lines, as `--plain` does"),
    ("LUDEX_TOURNAMENT", "the file of the tournament"),
    ("LUDEX_KEEP", "how many finished games are kept"),
    ("LUDEX_BOT_SECONDS", "how long your own bots may think"),
    ("LUDEX_BOT_MEMORY", "how much memory they may use"),
    ("LUDEX_BOT_TASKS", "how many processes they may start"),
    ("XDG_STATE_HOME", "where the folder for state is, on some systems"),
    ("HOME", "where that folder is otherwise"),
    ("TERM", "which terminal this is; on a `dumb` one games are played in lines"),
    ("LUDEX_PAGER", "the program that shows texts longer than the screen"),
    ("PAGER", "the same, if `LUDEX_PAGER` is not set"),
    ("COLUMNS", "the width of text"),
    ("NO_COLOR", "turns colours off"),
    ("CLICOLOR", "`0` turns colours off"),
    ("CLICOLOR_FORCE", "turns colours on everywhere"),
    ("TZ", "the time zone of tournaments"),
];

/// A thing that is used or not, and the reason.
struct Finding {
    name: String,
    /// `None` if it is not set.
    value: Option<String>,
    why: String,
}

pub fn run(_args: &Args, common: &CommonArgs) -> Result<u8, Stop> {
    let mut loaded = common.load_libraries();
    let sections = [
        ("Program", program_findings()),
        ("Libraries", library_findings(&loaded, common)),
        ("Folders", folder_findings()),
        ("Variables", variable_findings()),
        ("Terminal", terminal_findings()),
    ];
    if common.is_json() {
        let section = |(title, found): &(&str, Vec<Finding>)| {
            let found = found.iter().map(|finding| json!({ "name": finding.name, "value": finding.value, "why": finding.why }));
            (title.to_lowercase(), found.collect::<Value>())
        };
        let mut report = json!({ "ludex": 1, "command": "doctor" });
        sections.iter().map(section).for_each(|(title, found)| report[title] = found);
        output::print_json(&report);
    } else {
        output::print_errors(&loaded.problems_of_libraries(), &loaded.library.sources);
        loaded.remark_on_errors();
        let texts: Vec<String> = sections.iter().map(|(title, found)| section_text(title, found)).collect();
        output::print_text(&texts.join("\n"));
    }
    Ok(DONE)
}

/// A section with a line for each finding.
fn section_text(title: &str, found: &[Finding]) -> String {
    let mut table = Table::default();
    for finding in found {
        table.add_row([
            finding.name.clone(),
            finding.value.clone().unwrap_or_else(|| "not set".to_string()),
            finding.why.clone(),
        ]);
    }
    format!("{}\n{}", output::heading_text(title), table.to_text())
}

fn make_finding(name: impl Into<String>, value: impl Into<String>, why: impl Into<String>) -> Finding {
    Finding { name: name.into(), value: Some(value.into()), why: why.into() }
}

fn program_findings() -> Vec<Finding> {
    let place = std::env::current_exe().map_or("unknown".to_string(), |path| slashed_path(&path));
    vec![make_finding("ludex", env!("CARGO_PKG_VERSION"), format!("started from {place}"))]
}

/// The libraries in the order in which they are read; later ones take precedence.
fn library_findings(loaded: &LoadedLibraries, common: &CommonArgs) -> Vec<Finding> {
    let library = &loaded.library;
    let mut files: BTreeMap<&str, usize> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for (source, _) in library.sources.iter() {
        let origin = library.source_library(source);
        if !order.contains(&origin) {
            order.push(origin);
        }
        *files.entry(origin).or_default() += 1;
    }
    let named = common.libraries.iter().map(|path| slashed_path(path)).collect::<Vec<_>>();
    let here = slashed_path(&current_library());
    let why = |origin: &str| match origin {
        BUNDLED => "comes with the program".to_string(),
        _ if named.iter().any(|name| name == origin) => "named with `--library`".to_string(),
        "." => "the current folder has files for games; `--no-local` leaves it out".to_string(),
        _ if origin == here => "the current folder is part of this library; `--no-local` leaves it out".to_string(),
        _ => format!("named in `{VARIABLE}`"),
    };
    let told = |origin: &&str| {
        let games = library.games_of_library(origin);
        let has = format!("{} for {}", count_text(files[*origin], "file", "files"), games.join(", "));
        make_finding(*origin, has, why(origin))
    };
    let mut found: Vec<Finding> = order.iter().filter(|origin| !origin.is_empty()).map(told).collect();
    if common.no_local {
        found.push(make_finding(".", "not read", "`--no-local` leaves the current folder out"));
    } else if !order.contains(&here.as_str()) {
        found.push(make_finding(".", "not read", "the current folder has no files for games"));
    }
    found
}

/// The current folder, and those in which recordings are stored.
fn folder_findings() -> Vec<Finding> {
    let here = std::env::current_dir().map_or("unknown".to_string(), |path| slashed_path(&path));
    let mut found = vec![make_finding("current folder", here, "paths start from it")];
    let stores = [
        ("games of `play`", RecordingStore::play_store(), "so that `resume` can continue them"),
        ("games of `host`", RecordingStore::of_host(), "in a folder of their own, as there may be many"),
        ("tables of `serve`", RecordingStore::of_serve(), "games that people play through their links"),
        ("faults of `sim`", RecordingStore::of_sim(), "games in which something went wrong"),
    ];
    for (name, store, why) in stores {
        let value = store.map(|store| slashed_path(store.folder_path()));
        let why = if value.is_some() { why } else { "this system has no folder for state" };
        found.push(Finding { name: name.to_string(), value, why: why.to_string() });
    }
    found
}

/// Each variable, whether or not it is set.
fn variable_findings() -> Vec<Finding> {
    let variable = |(name, why): (&str, &str)| {
        let value = std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        Finding { name: name.to_string(), value, why: why.to_string() }
    };
    VARIABLES.into_iter().map(variable).collect()
}

/// Which of the streams are terminals, and how each is used.
fn terminal_findings() -> Vec<Finding> {
    let is = |yes: bool| if yes { "a terminal" } else { "no terminal" };
    let size = terminal_size::terminal_size();
    let size = size.map_or("unknown".to_string(), |(width, height)| format!("{} columns, {} lines", width.0, height.0));
    let colours = if output::uses_colour() { "shown" } else { "not shown" };
    vec![
        make_finding("input", is(io::stdin().is_terminal()), "questions are asked only on a terminal"),
        make_finding("output", is(io::stdout().is_terminal()), "results go there"),
        make_finding("messages", is(io::stderr().is_terminal()), "errors and progress go there"),
        make_finding("size", size, "the full screen needs 80 columns and 24 lines"),
        make_finding("colours", colours, "on a terminal, unless a variable says otherwise"),
    ]
}
