//! What may use what within each package: nothing uses what is above it, and no file of the command or of the bots uses, by
//! whatever way, one that uses it.
//!
//! In the engine files may go round in a circle inside one room, whose head says why: expressions ask for legal moves, and
//! these for expressions.

mod imports;

use imports::{Module, uses};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The rooms of the command, each above all that it uses.
const COMMAND: &[&str] = &[
    "exit",
    "args",
    "lines",
    "whole_file",
    "edited_file",
    "running",
    "open_files",
    "output",
    "stop",
    "work",
    "guard",
    "shared",
    "layout",
    "shards",
    "load",
    "packing",
    "markdown",
    "manual",
    "watching",
    "protocol",
    "bots",
    "game",
    "scenario",
    "rulebook",
    "table",
    "checking",
    "simulation",
    "retelling",
    "making",
    "interactions",
    "mutation",
    "tournament",
    "terminal",
    "fullscreen",
    "host",
    "serve",
    "fuzzing",
    "usage",
    "verbs",
    "cli",
    "tooling",
];

/// The rooms of the bots, each above all that it uses.
const BOTS: &[&str] =
    &["rng", "score", "digest", "usage", "updates", "player", "random", "greedy", "policy_bot", "transcript", "play", "series"];

/// The rooms of the syntax, each above all that it uses.
const SYNTAX: &[&str] = &["codes", "source", "problem", "visible", "tree", "limits", "blocks", "spelling", "yaml", "parse"];

/// The rooms of the compiler, each above all that it uses.
const COMPILER: &[&str] = &[
    "field",
    "sheet",
    "position",
    "schema",
    "compose",
    "types",
    "builtins",
    "boards",
    "symbols",
    "scope",
    "resolve",
    "compile",
    "scripting",
    "library",
    "formatting",
];

/// The rooms of the engine, each above all that it uses.
const ENGINE: &[&str] = &[
    "runtime/limits",
    "runtime/search_report",
    "runtime/random",
    "runtime/numbers",
    "runtime/seed",
    "runtime/seats",
    "runtime/arrange",
    "runtime/dice",
    "runtime/payoff",
    "runtime/event",
    "runtime/decision",
    "runtime/state",
    "runtime/meetings",
    "runtime/trace",
    "runtime/context",
    "runtime/coverage",
    "runtime/eval",
    "runtime/text",
    "runtime/effect",
    "runtime/question",
    "runtime/flow",
    "runtime/redeal",
    "runtime/session",
    "runtime/view",
    "runtime/encoding",
    "compile",
    "json",
    "odds",
    "recording",
];

type Uses = BTreeMap<Module, BTreeSet<Module>>;

fn root(path: &str) -> Uses {
    uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
}

/// The room of a file: its folder, or with that of the parts of a folder that has rooms of its own.
fn room(rooms: &[&str], module: &Module) -> usize {
    let parts = |count: usize| module.iter().take(count).map(String::as_str).collect::<Vec<_>>().join("/");
    let place = |name: String| rooms.iter().position(|room| *room == name);
    place(parts(2)).or_else(|| place(parts(1))).unwrap_or_else(|| panic!("{module:?} is new"))
}

fn nothing_uses_what_is_above_it(uses: &Uses, rooms: &[&str]) {
    // The heads of folders that have rooms of their own only say what there is.
    let heads = |module: &Module| rooms.iter().any(|room| room.starts_with(&format!("{}/", module.join("/"))));
    for (user, used) in uses.iter().filter(|(user, _)| !user.is_empty() && !heads(user)) {
        for used in used.iter().filter(|used| !heads(used)) {
            assert!(room(rooms, user) >= room(rooms, used), "{} uses {}", user.join("/"), used.join("/"));
        }
    }
}

#[test]
fn no_room_of_the_command_uses_one_above_it() {
    nothing_uses_what_is_above_it(&root("cli/src"), COMMAND);
}

#[test]
fn no_room_of_the_bots_uses_one_above_it() {
    nothing_uses_what_is_above_it(&root("engine/bots/src"), BOTS);
}

#[test]
fn no_room_of_the_syntax_uses_one_above_it() {
    nothing_uses_what_is_above_it(&root("engine/syntax/src"), SYNTAX);
}

#[test]
fn no_room_of_the_compiler_uses_one_above_it() {
    nothing_uses_what_is_above_it(&root("engine/compiler/src"), COMPILER);
}

#[test]
fn no_room_of_the_engine_uses_one_above_it() {
    nothing_uses_what_is_above_it(&root("engine/src"), ENGINE);
}

#[test]
fn no_files_of_the_command_go_round_in_a_circle() {
    assert_eq!(circle(root("cli/src")), Vec::<Module>::new());
    assert_eq!(circle(root("engine/bots/src")), Vec::<Module>::new());
}

/// The files that are left when, again and again, those are taken away that use none of the rest, or that nobody uses.
fn circle(mut uses: Uses) -> Vec<Module> {
    loop {
        let left: BTreeSet<Module> = uses.keys().cloned().collect();
        let used: BTreeSet<Module> = uses.values().flatten().cloned().collect();
        uses.retain(|module, uses| used.contains(module) && uses.iter().any(|used| left.contains(used)));
        if uses.len() == left.len() {
            return left.into_iter().collect();
        }
        let left: BTreeSet<Module> = uses.keys().cloned().collect();
        uses.values_mut().for_each(|used| used.retain(|used| left.contains(used)));
    }
}

#[test]
fn circles_and_ways_round_are_found() {
    let file = |name: &str| vec![name.to_string()];
    let uses = |pairs: &[(&str, &[&str])]| -> Uses {
        pairs.iter().map(|(user, used)| (file(user), used.iter().map(|used| file(used)).collect())).collect()
    };
    assert_eq!(circle(uses(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])])), Vec::<Module>::new());
    assert_eq!(circle(uses(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"]), ("d", &["a"])])), [file("b"), file("c")]);
    // Evaluating goes round in a circle, and says so: what is found there shows that something would be found here.
    assert!(circle(root("engine/src")).contains(&vec!["runtime".to_string(), "eval".to_string(), "search".to_string()]));
}
