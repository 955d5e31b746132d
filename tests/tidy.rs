//! The repository keeps its own rules.

use crate::engine_names_no_game::{files, shipped};
use ludex_engine::scripting::api;
use ludex_validator::register::CODES;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// No file is longer, but for grammars and tables.
const MOST_LINES: usize = 1_500;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file of the repository; without git, those of its folders.
fn tracked() -> Vec<PathBuf> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    match listed {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => {
            let names = String::from_utf8_lossy(&output.stdout).into_owned();
            names
                .split('\0')
                .filter(|name| !name.is_empty())
                .map(|name| root().join(name))
                .filter(|path| path.is_file())
                .collect()
        }
        _ => ["engine", "validator", "cli", "tests", "rules", "characters", "scripts"]
            .iter()
            .flat_map(|folder| files(&root().join(folder), &["rs", "md", "ludex", "rhai", "yaml", "pest", "toml"]))
            .collect(),
    }
}

fn sources() -> Vec<(PathBuf, String)> {
    let rust = tracked().into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    rust.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

fn told(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

#[test]
fn nothing_is_left_to_do_or_to_print() {
    // Put together, so that this file does not find itself.
    let unfinished = ["todo", "dbg", "unimplemented"].map(|name| format!("{name}!("));
    let mut found = Vec::new();
    for (path, text) in sources() {
        for (number, line) in text.lines().enumerate() {
            if unfinished.iter().any(|word| line.contains(word)) {
                found.push(format!("{}:{}: {}", told(&path), number + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn everything_is_written_through_one_module() {
    // There, what would steer a terminal is taken out of it.
    let writes = ["println!(", "print!(", "stdout().lock(", "stderr().lock(", "stdout().write", "stderr().write"];
    let command = root().join("cli/src");
    let elsewhere = |path: &Path| path.starts_with(&command) && *path != command.join("output.rs");
    let mut found = Vec::new();
    for (path, text) in sources().into_iter().filter(|(path, _)| elsewhere(path)) {
        let lines = text.lines().enumerate().filter(|(_, line)| writes.iter().any(|write| line.contains(write)));
        found.extend(lines.map(|(number, line)| format!("{}:{}: {}", told(&path), number + 1, line.trim())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_code_is_raised_somewhere() {
    let register = root().join("engine/syntax/src/codes.rs");
    let text = fs::read_to_string(&register).unwrap();
    let shipped: Vec<String> = sources()
        .into_iter()
        .filter(|(path, _)| *path != register && !told(path).contains("tests"))
        .map(|(_, text)| text)
        .collect();
    let mut idle = Vec::new();
    for entry in CODES.iter() {
        // `NAME "LX0101"`: the constant is before the code.
        let place =
            text.find(&format!("\"{}\"\n", entry.code)).unwrap_or_else(|| panic!("{} is not in the register", entry.code));
        let name = text[..place].split_whitespace().next_back().unwrap_or_default();
        let raised = shipped.iter().any(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name));
        if !raised {
            idle.push(format!("nothing raises {} {name}: {}", entry.code, entry.title));
        }
    }
    assert!(idle.is_empty(), "{}", idle.join("\n"));
}

#[test]
fn every_function_of_scripts_is_explained() {
    for row in api::ROWS {
        assert!(row.doc.len() > 10 && row.doc.ends_with('.'), "`{}` has no line of documentation", row.name);
        assert!(row.params.iter().all(|(name, _)| !name.is_empty()), "`{}` has a parameter without a name", row.name);
    }
}

#[test]
fn no_file_names_a_place_on_somebodys_machine() {
    // Put together, so that this file does not find itself.
    let places = ["/home", "/root", "/Users", "/work", "/tmp", "C:\\Users"]
        .map(|place| format!("{place}{}", if place.contains('\\') { "\\" } else { "/" }));
    let mut found = Vec::new();
    for path in tracked() {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for (number, line) in text.lines().enumerate() {
            if places.iter().any(|place| line.contains(place.as_str())) {
                found.push(format!("{}:{}: {}", told(&path), number + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_file_is_too_long_to_read() {
    let may_be_long = |name: &str| {
        // Locks, snapshots and the page of all codes are made by tools.
        let is_page = name == "validator/CODES.md";
        is_page || name.ends_with(".lock") || name.ends_with(".snap") || name.ends_with(".pest") || name.ends_with("codes.rs")
    };
    let long: Vec<String> = tracked()
        .iter()
        .filter(|path| !may_be_long(&told(path)))
        .filter_map(|path| Some((told(path), fs::read_to_string(path).ok()?.lines().count())))
        .filter(|(_, lines)| *lines > MOST_LINES)
        .map(|(name, lines)| format!("{name}: {lines} lines"))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn texts_end_their_lines_alike() {
    let mut found = Vec::new();
    for path in tracked() {
        let is_licence = told(&path).starts_with("LICENSE");
        let Ok(text) = fs::read_to_string(&path) else { continue };
        if is_licence {
            continue;
        }
        if text.contains('\r') || !text.is_empty() && !text.ends_with('\n') {
            found.push(told(&path));
        }
    }
    assert!(found.is_empty(), "these do not end in a line end, or hold another kind of it:\n{}", found.join("\n"));
}

/// What looks into a text instead of showing it.
const READERS: [&str; 9] = ["split", "contains", "find", "rfind", "starts_with", "ends_with", "strip_", "matches", "lines"];

/// A `Message` can only be shown. What may be known of a problem is in its code and its subject, so that other words for the same
/// problem change nothing else.
#[test]
fn no_code_reads_a_message() {
    // A scenario gives the words with which players are refused.
    let allowed = ["cli/src/scenario/run.rs"];
    let mut found = Vec::new();
    for (path, text) in sources() {
        let name = told(&path);
        let is_test = name.contains("tests") || name.starts_with("examples/") || allowed.contains(&name.as_str());
        let packed: String = shipped(&text).split_whitespace().collect();
        let reads = |rest: &str| READERS.iter().any(|reader| rest.strip_prefix('.').is_some_and(|call| call.starts_with(reader)));
        if !is_test && packed.split("message.to_string()").skip(1).any(reads) {
            found.push(name);
        }
    }
    assert!(found.is_empty(), "read the code or the subject of the problem instead: {found:?}");
}
